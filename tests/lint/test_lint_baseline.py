from __future__ import annotations

import json

import pytest
from lint_samples import VERSIONS, found, pool


def known(check, root, *paths, **options):
    """A baseline of what is wrong now, in place."""
    path = root / "known.json"
    outcome = check(root, *paths, write_baseline=path, **options)
    path.write_text(outcome.baseline)
    return outcome


def after(check, root, **options):
    return found(check(root, baseline=root / "known.json", **options), root)


def test_writing_makes_everything_known(write, check):
    root = write({"main.tf": VERSIONS + pool(disks="16")})
    outcome = known(check, root)
    assert (outcome.code, outcome.report.findings) == (0, [])
    assert outcome.notices == ["the baseline knows 1 finding"]
    again = check(root, baseline=root / "known.json")
    assert (again.report.findings, again.report.ignored, again.code) == ([], 1, 0)


def test_lines_order_and_blanks_may_change(write, check):
    root = write({"main.tf": VERSIONS + pool("a", disks="16") + pool("b", disks="8  + 8")})
    known(check, root)
    write({"main.tf": "# moved\n\n" + pool("b", disks="8 + 8") + VERSIONS + pool("a", disks="16")})
    assert after(check, root) == []


def test_a_file_may_be_split(write, check):
    root = write({"main.tf": VERSIONS + pool("a", disks="16")})
    known(check, root)
    write({"main.tf": VERSIONS, "pools.tf": pool("a", disks="16")})
    assert after(check, root) == []


def test_a_copy_is_new(write, check):
    root = write({"main.tf": VERSIONS + pool("a", disks="16")})
    known(check, root)
    write({"main.tf": VERSIONS + pool("b", disks="16") + pool("a", disks="16")})
    assert after(check, root) == [("main.tf", 30, "local-ssd", "error")]


def test_a_copy_of_a_module_is_new(write, check):
    root = write({"dev/main.tf": VERSIONS + pool("a", disks="16")})
    known(check, root)
    write({"prod/main.tf": VERSIONS + pool("a", disks="16")})
    assert after(check, root) == [("prod/main.tf", 30, "local-ssd", "error")]


def test_another_mistake_at_the_same_place_is_new(write, check):
    root = write({"main.tf": VERSIONS + pool(disks="16")})
    known(check, root)
    write({"main.tf": VERSIONS + pool(disks="8")})
    assert after(check, root) == [("main.tf", 30, "local-ssd", "error")]


def test_a_new_call_of_a_known_module_is_new(write, check):
    module = 'variable "disks" {\n  type = number\n}\n' + pool(disks="var.disks")
    call = 'module "{0}" {{\n  source = "./gpu"\n  disks  = 16\n}}\n'
    root = write({"main.tf": VERSIONS + call.format("a"), "gpu/main.tf": module})
    known(check, root)
    assert after(check, root) == []
    write({"main.tf": VERSIONS + call.format("a") + call.format("b")})
    (finding,) = check(root, baseline=root / "known.json").report.findings
    assert finding.resource == "module.b.google_container_node_pool.gpu"


def test_more_instances_of_a_known_pool_are_known(write, check):
    def counted(number: int) -> str:
        return VERSIONS + pool(disks="16").replace("{\n", f"{{\n  count = {number}\n", 1)

    root = write({"main.tf": counted(1)})
    known(check, root)
    write({"main.tf": counted(3)})
    assert after(check, root) == []


def test_what_could_not_be_read_is_never_known(write, check):
    root = write({"main.tf": VERSIONS + "locals {\n  a = 'x'\n}\n"})
    outcome = known(check, root)
    assert (json.loads((root / "known.json").read_text())["findings"], outcome.code) == ([], 2)
    assert [rule for _, _, rule, _ in after(check, root)] == ["parse-error"]


def test_it_holds_no_text_of_the_files(write, check):
    root = write({"main.tf": VERSIONS + pool(machine_type='"s3cret-type"')})
    known(check, root)
    text = (root / "known.json").read_text()
    assert "s3cret" not in text and "machine-type" in text


def test_only_what_is_shown_is_written(write, check):
    text = VERSIONS + pool(disks="16").replace("      data_cache_count = 0\n", "")
    root = write({"main.tf": text})
    known(check, root, select=("local-ssd",))
    assert after(check, root, select=("local-ssd",), pedantic=True) == [("main.tf", 28, "local-ssd", "advice")]


def test_the_configuration_names_it(write, check):
    root = write({"main.tf": VERSIONS + pool(disks="16")})
    known(check, root)
    write({".gke-rdma.toml": 'baseline = "known.json"'})
    assert found(check(root), root) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "findings": []}',
        '{"version": 1}',
        '{"version": 1, "findings": [{}]}',
        '{"version": 1, "findings": [{"rule": "a", "root": "", "folder": "", "resource": "", "text": "", "count": 0}]}',
        "[" * 100_000,
    ],
)
def test_what_is_no_baseline_is_told(write, check, text):
    root = write({"main.tf": VERSIONS, "known.json": text})
    outcome = check(root, baseline=root / "known.json")
    (error,) = outcome.report.errors
    assert (outcome.code, error.path) == (2, root / "known.json")


def test_a_missing_baseline_is_told_even_with_nothing_to_find(write, check):
    root = write({"main.tf": ""})
    outcome = check(root, baseline=root / "known.json")
    assert (outcome.code, len(outcome.report.errors)) == (2, 1)
