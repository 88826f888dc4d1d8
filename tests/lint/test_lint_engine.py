from __future__ import annotations

import pytest
from lint_samples import VERSIONS, found, pool

from generator.findings import Severity
from generator.hcl.variables import FileArgument, ValueArgument
from generator.rules import registry
from generator.rules.base import ERROR, Note, Problem, Rule
from generator.view import NodePool, Resource

VARIABLE = 'variable "disks" {\n  type    = number\n  default = 32\n}\n'
CALL = 'module "{name}" {{\n  source = "{source}"\n  disks  = {disks}\n}}\n'


def raising(pool: NodePool):
    yield Problem(ERROR, "before", "", pool.header, pool.address)
    raise ZeroDivisionError("boom")


@pytest.fixture
def extra_rule(monkeypatch):
    """Makes the registry know one more rule."""

    def add(check, seeks=NodePool, name="extra", severities=(ERROR,)):
        rule = Rule(name, severities, seeks, check, "for a test")
        all_rules = (*registry.rules(), rule)
        monkeypatch.setattr(registry, "rules", lambda: all_rules)

    return add


def test_a_finding_has_its_exact_place(write, check):
    root = write({"main.tf": "\ufeff" + (VERSIONS + pool(disks="8 + 8 # 💾")).replace("\n", "\r\n")})
    outcome = check(root)
    (finding,) = outcome.report.findings
    at = finding.location
    assert (at.line, at.column, at.end_line, at.end_column) == (30, 26, 30, 31)
    assert (finding.resource, outcome.code, outcome.report.files) == ("google_container_node_pool.gpu", 1, 1)


def test_columns_count_characters(write, check):
    text = VERSIONS + pool().replace("local_ssd_count  = 32", "/* 💾é */ local_ssd_count  = 16")
    (finding,) = check(write({"main.tf": text})).report.findings
    assert finding.location.column == 35


def test_one_finding_per_place_names_all_calls(write, check):
    calls = "".join(CALL.format(name=n, source="./gpu", disks=d) for n, d in (("a", 16), ("b", 24), ("c", 32)))
    root = write({"main.tf": VERSIONS + calls, "gpu/main.tf": VARIABLE + pool(disks="var.disks")})
    (finding,) = check(root).report.findings
    assert finding.location.path == root / "gpu/main.tf"
    assert finding.resource == "module.a.google_container_node_pool.gpu"
    called = [r for r in finding.related if "is called here" in r.message]
    assert [(r.location.path.name, r.location.line, r.message) for r in called] == [
        ("main.tf", 9, "module.a is called here"),
        ("main.tf", 13, "module.b is called here"),
    ]


def test_instances_are_one_finding(write, check):
    text = pool(disks="16").replace("{\n", "{\n  count = 20\n", 1)
    (finding,) = check(write({"main.tf": VERSIONS + text})).report.findings
    assert finding.resource == "google_container_node_pool.gpu[0]"


def test_the_strongest_severity_is_shown_and_the_rest_is_related(write, check, extra_rule):
    def both(pool: NodePool):
        yield Problem(Severity.WARNING, "weak", "", pool.header, pool.address)
        yield Problem(ERROR, "strong", "", pool.header, pool.address, (Note(pool.header, "same place"),))

    extra_rule(both, severities=(ERROR, Severity.WARNING))
    (finding,) = check(write({"main.tf": VERSIONS + pool()})).report.findings
    assert (finding.severity, finding.message) == ("error", "strong")
    assert [r.message for r in finding.related] == ["weak"]


def test_only_modules_that_were_asked_for_are_shown(write, check):
    root = write({"a/main.tf": VERSIONS + pool(disks="16"), "b/main.tf": VERSIONS + pool(disks="16")})
    assert found(check(root, "a"), root) == [("a/main.tf", 30, "local-ssd", "error")]
    assert check(root, "a").report.files == 1


def test_a_called_module_is_judged_through_its_calls(write, check):
    root = write(
        {
            "gpu/main.tf": VERSIONS + VARIABLE + pool(disks="var.disks"),
            "live/main.tf": CALL.format(name="gpu", source="../gpu", disks=16),
            "idle/main.tf": VERSIONS,
        }
    )
    wanted = [("gpu/main.tf", 34, "local-ssd", "error")]
    assert found(check(root, "gpu/main.tf"), root) == wanted
    assert found(check(root, "live"), root) == wanted, "it comes about through a call that is written there"
    assert found(check(root, "idle"), root) == []


def test_what_others_do_with_a_module_is_not_shown_to_a_caller(write, check):
    root = write(
        {
            "gpu/main.tf": VERSIONS + VARIABLE + pool(disks="var.disks"),
            "good/main.tf": CALL.format(name="gpu", source="../gpu", disks=32),
            "bad/main.tf": CALL.format(name="gpu", source="../gpu", disks=16),
        }
    )
    assert found(check(root, "good"), root) == []


def test_excluded_files_show_nothing_but_count(write, check):
    root = write(
        {
            ".gke-rdma.toml": 'exclude = ["pool.tf", "old"]',
            "main.tf": VERSIONS + VARIABLE.replace("32", "16") + pool("a", disks="var.disks"),
            "pool.tf": pool("b", disks="16"),
            "old/main.tf": VERSIONS + pool(disks="16"),
        }
    )
    assert found(check(root), root) == [("main.tf", 34, "local-ssd", "error")]


@pytest.mark.parametrize(
    ("flags", "wanted", "code"),
    [
        ({"severity": {"local-ssd": Severity.WARNING}}, "warning", 0),
        ({"severity": {"local-ssd": Severity.WARNING}, "fail_on": Severity.WARNING}, "warning", 1),
        ({"severity": {"local-ssd": None}}, None, 0),
        ({"ignore": ("local-ssd",)}, None, 0),
        ({"select": ("machine-type",)}, None, 0),
        ({"select": ("local-ssd",)}, "error", 1),
        ({"severity": {"local-ssd": Severity.ADVICE}}, None, 0),
        ({"severity": {"local-ssd": Severity.ADVICE}, "pedantic": True, "select": ("local-ssd",)}, "advice", 0),
    ],
)
def test_flags_decide_severity_and_exit_code(write, check, flags, wanted, code):
    root = write({"main.tf": VERSIONS + pool(disks="16")})
    outcome = check(root, **flags)
    assert [severity for *_, severity in found(outcome, root)] == ([wanted] if wanted else [])
    assert outcome.code == code


def test_each_folder_fails_at_its_own_severity(write, check):
    weak = '[severity]\nlocal-ssd = "warning"'
    root = write({".gke-rdma.toml": weak, "a/main.tf": VERSIONS + pool(disks="16")})
    assert check(root).code == 0
    write({"a/.gke-rdma.toml": 'fail-on = "warning"\n' + weak})
    assert check(root).code == 1


def test_values_of_the_command_line_and_the_environment(write, check):
    root = write({"main.tf": VERSIONS + VARIABLE + pool(disks="var.disks")})
    assert found(check(root), root) == []
    assert len(check(root, variables=(ValueArgument("disks", "16"),)).report.findings) == 1
    assert len(check(root, environment={"TF_VAR_disks": "16"}).report.findings) == 1


def test_variable_files_of_the_configuration(write, check):
    root = write(
        {
            ".gke-rdma.toml": 'var-files = ["prod.tfvars"]',
            "prod.tfvars": "disks = 16\n",
            "main.tf": VERSIONS + VARIABLE + pool(disks="var.disks"),
        }
    )
    (finding,) = check(root).report.findings
    assert any(r.location.path == root / "prod.tfvars" for r in finding.related)
    (root / "prod.tfvars").unlink()
    outcome = check(root)
    assert (outcome.code, len(outcome.report.errors)) == (2, 1)


def test_an_unknown_is_an_advice(write, check):
    text = VARIABLE.replace("  default = 32\n", "")
    root = write({"main.tf": VERSIONS + text + pool(disks="var.disks")})
    assert found(check(root), root) == []
    outcome = check(root, pedantic=True, select=("local-ssd", "unknown-value"))
    (finding,) = outcome.report.findings
    assert (finding.rule, finding.severity, finding.location.line) == ("unknown-value", "advice", 33)
    assert "local-ssd" in finding.message and "disks" in finding.message


def test_a_rule_that_fails_hides_nothing(write, check, extra_rule):
    extra_rule(raising)
    root = write({"main.tf": VERSIONS + pool("a", disks="16") + pool("b", disks="16")})
    outcome = check(root)
    assert [f.rule for f in outcome.report.findings] == ["extra", "local-ssd"] * 2
    (error,) = outcome.report.errors
    assert "ZeroDivisionError: boom" in error.message and "extra" in error.message
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert outcome.code == 2


def test_syntax_errors_leave_with_2_whatever_is_selected(write, check):
    root = write({"main.tf": VERSIONS + pool(disks="16"), "x.tf": "a = = 1\n"})
    outcome = check(root, select=("local-ssd",))
    assert [f.rule for f in outcome.report.findings] == ["local-ssd", "parse-error"]
    assert outcome.code == 2
    off = check(root, severity={"parse-error": None})
    assert ([f.rule for f in off.report.findings], off.code) == (["local-ssd"], 1)


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"\xff\xfe\x00", b"PK\x03\x04" + bytes(range(256))])
def test_binary_files_are_told(write, check, content):
    root = write({"main.tf": VERSIONS + pool(disks="16")})
    (root / "x.tf").write_bytes(content)
    outcome = check(root)
    assert outcome.code == 2
    assert {f.rule for f in outcome.report.findings} == {"local-ssd", "parse-error"}


def test_empty_files_are_fine(write, check):
    root = write({"main.tf": "", "x.tf.json": "{}"})
    outcome = check(root)
    assert (outcome.code, outcome.report.files, outcome.report.findings) == (0, 2, [])


def test_folders_that_cannot_be_listed_are_told(write, check, monkeypatch):
    import os

    root = write({"main.tf": VERSIONS + pool(disks="16"), "locked/main.tf": ""})
    listed = os.scandir

    def refused(path="."):
        if os.fspath(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", refused)
    outcome = check(root)
    assert (outcome.code, len(outcome.report.errors)) == (2, 1)
    assert found(outcome, root) == [("main.tf", 30, "local-ssd", "error")]


def test_a_wrong_configuration_stops_the_run_but_names_wrong_paths_too(write, check):
    root = write({"main.tf": "", ".gke-rdma.toml": "exclude = 7"})
    outcome = check(root, "nope", ".")
    assert outcome.code == 2
    assert len(outcome.report.errors) == 2


def test_rules_see_a_resource_and_a_file_once(write, check, extra_rule):
    seen: list[str] = []

    def look(resource: Resource):
        seen.append(resource.address)
        return ()

    extra_rule(look, Resource)
    check(write({"main.tf": VERSIONS + pool()}))
    assert seen == ["google_container_node_pool.gpu"]


def test_naming_a_refusal_has_no_effect_and_is_said(write, check):
    root = write({"main.tf": VERSIONS + pool(), ".gke-rdma.toml": 'ignore = ["replacement"]'})
    outcome = check(root, severity={"destruction": None})
    assert [n.split()[0] for n in outcome.notices] == ["destruction", "replacement"]
    assert (outcome.code, found(outcome, root)) == (0, [])


def test_a_problem_without_a_place_follows_the_home_folder(write):
    from generator.lint.configuration import Configurations, Flags
    from generator.lint.judging import Judging
    from generator.view import ModuleTree

    def nowhere(tree: ModuleTree):
        yield Problem(ERROR, "found", "", None, "google_container_cluster.c")

    rule = Rule("local-ssd", (ERROR,), ModuleTree, nowhere, "for a test")
    root = write({"home/.gke-rdma.toml": '[severity]\nlocal-ssd = "warning"'})

    def severities(home):
        judged = Judging((rule,), Configurations(Flags()), {root}, home).judge([ModuleTree(str(root))])
        return [o.finding.severity for o in judged.occurrences]

    assert severities(None) == [ERROR]
    assert severities(root / "home") == [Severity.WARNING]


def test_a_broken_variable_file_is_told_wherever_it_lies(write, check):
    root = write(
        {
            "a/main.tf": VERSIONS + VARIABLE + pool(disks="var.disks"),
            "a/.gke-rdma.toml": "",
            "v/bad.tfvars": "disks = = 1\n",
        }
    )
    outcome = check(root, "a", variables=(FileArgument(root / "v/bad.tfvars"),))
    assert (found(outcome, root), outcome.code) == ([("v/bad.tfvars", 1, "parse-error", "error")], 2)
    write({"a/.gke-rdma.toml": 'var-files = ["../v/bad.tfvars"]'})
    assert check(root, "a").code == 2


def test_a_wrong_configuration_elsewhere_is_no_error(write, check):
    root = write(
        {
            "a/main.tf": VERSIONS + pool(disks="16"),
            "b/.gke-rdma.toml": "nonsense = 1",
            "b/main.tf": VERSIONS + pool(disks="16"),
            "b/deep/main.tf": "",
        }
    )
    outcome = check(root, "a")
    assert (found(outcome, root), outcome.code) == ([("a/main.tf", 30, "local-ssd", "error")], 1)
    assert check(root, "b").code == check(root).code == 2


@pytest.mark.parametrize("kind", ["nowhere", "loop", "pipe"])
def test_what_is_no_regular_file_cannot_be_read(write, check, kind):
    import os

    root = write({"main.tf": VERSIONS + pool(disks="16")})
    if kind == "pipe":
        os.mkfifo(root / "x.tf")
    else:
        (root / "x.tf").symlink_to("x.tf" if kind == "loop" else "nowhere.tf")
    outcome = check(root)
    assert [f.rule for f in outcome.report.findings] == ["local-ssd", "parse-error"]
    assert outcome.code == 2


def test_linked_files_are_read(write, check):
    root = write({"main.tf": VERSIONS, "real/pool.txt": pool(disks="16")})
    (root / "pool.tf").symlink_to("real/pool.txt")
    assert found(check(root), root) == [("pool.tf", 22, "local-ssd", "error")]
