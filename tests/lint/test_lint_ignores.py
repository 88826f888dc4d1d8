from __future__ import annotations

from pathlib import Path

import pytest
from lint_samples import VERSIONS, found, pool

from generator.hcl.parser import parse
from generator.hcl.source import Source
from generator.lint.comments import comments
from generator.lint.ignores import Ignores

WRONG = "disk = 16"


def ignores(text: str) -> Ignores:
    return Ignores(Source(Path("/x/main.tf"), text), parse)


def covered(text: str, name: str = "local-ssd") -> set[int]:
    """The lines that are covered for a rule."""
    read = ignores(text)
    return {line for line in range(1, text.count("\n") + 2) if read.take(name, line)}


def faults(text: str) -> list[str | None]:
    return [i.fault for i in ignores(text).items]


def test_at_the_end_of_a_line():
    assert covered("a = 1\nb = 2 # gke-rdma: ignore[local-ssd] known\nc = 3\n") == {2}


def test_on_the_line_above():
    assert covered("a = 1\n\t// gke-rdma: ignore[local-ssd] known\nb = 2\nc = 3\n") == {3}


def test_above_a_block_for_all_of_it():
    text = 'x "y" {\n  # gke-rdma: ignore[local-ssd] known\n  inner {\n    a = 1\n  }\n  other {\n  }\n}\n'
    assert covered(text) == {3, 4, 5}


def test_at_the_end_of_a_header_for_that_line_only():
    assert covered('x "y" { # gke-rdma: ignore[local-ssd] known\n  a = 1\n}\n') == {1}


def test_not_across_an_empty_line_or_another_comment():
    assert covered("# gke-rdma: ignore[local-ssd] known\n\na = 1\n") == {2}
    assert 3 not in covered("# gke-rdma: ignore[local-ssd] known\n# more\na = 1\n")


def test_several_one_above_the_other():
    text = "# gke-rdma: ignore[local-ssd] known\n# gke-rdma: ignore[accelerator] known\nx {\n a = 1\n}\n"
    assert covered(text) == covered(text, "accelerator") == {3, 4, 5}


def test_carriage_returns_and_byte_order_mark():
    text = "\ufeff# gke-rdma: ignore[local-ssd] known\r\nx {\r\n  a = 1\r\n}\r\n"
    assert covered(text) == {2, 3, 4}
    assert ignores(text).items[0].reason == "known"


@pytest.mark.parametrize(
    "comment",
    [
        "# gke-rdma: ignore[local-ssd] known",
        "#gke-rdma:ignore[local-ssd] known",
        "## gke-rdma: ignore [ local-ssd ] known",
        "// gke-rdma: ignore[accelerator,local-ssd , dranet-label] known",
        "# gke-rdma: ignore[local-ssd]: known",
        "# gke-rdma: ignore[local-ssd] - known, see [x] and #3",
    ],
)
def test_forms_that_count(comment):
    assert faults(f"a = 1 {comment}\n") == [None]
    assert covered(f"a = 1 {comment}\n") == {1}


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("# gke-rdma: ignore[local-ssd]", "no reason"),
        ("# gke-rdma: ignore[local-ssd]  - ", "no reason"),
        ("# gke-rdma: ignore[local-sdd] known", "local-sdd is no rule"),
        ("# gke-rdma: ignore[local-ssd, local-sdd] known", "local-sdd is no rule"),
        ("# gke-rdma: ignore[] known", "names no rule"),
        ("# gke-rdma: ignore local-ssd known", "brackets"),
        ("# gke-rdma: ignore", "brackets"),
        ("/* gke-rdma: ignore[local-ssd] known */", "# or //"),
    ],
)
def test_forms_that_do_not_count(comment, words):
    (fault,) = faults(f"a = 1 {comment}\n")
    assert fault and words in fault
    assert covered(f"a = 1 {comment}\n") == set()


@pytest.mark.parametrize(
    "text",
    [
        'a = "# gke-rdma: ignore[local-ssd] known"\n',
        "a = <<EOT\n# gke-rdma: ignore[local-ssd] known\nEOT\n",
        "a = <<-EOT\n  ${b} # gke-rdma: ignore[local-ssd] known\n  EOT\n",
        'x "# gke-rdma: ignore[local-ssd] known" {\n}\n',
        "# Write # gke-rdma: ignore[local-ssd] known\na = 1\n",
        "/*\n# gke-rdma: ignore[local-ssd] known\n*/\na = 1\n",
        "# gke-rdma: made by hand\na = 1\n",
        'a = { "# gke-rdma: ignore[local-ssd] known" = 1 }\n',
    ],
)
def test_what_is_no_such_comment(text):
    assert ignores(text).items == ()


def test_a_quoted_key_hides_no_comment():
    assert covered('a = local.m["a#b"] # gke-rdma: ignore[local-ssd] known\n') == {1}
    assert covered('a = local.m["//"].x # gke-rdma: ignore[local-ssd] known\n') == {1}


def test_comments_are_told_from_text():
    text = '# one\na = "# no" // two\nb = /* three */ 4\nc = <<E\n# no\nE\nd = "${"#"}" # five'
    source = Source(Path("/x.tf"), text)
    assert [c.text for c in comments(source, parse(source).body)] == ["# one", "// two", "/* three */", "# five"]


def test_json_has_no_comments():
    source = Source(Path("/x/main.tf.json"), '{"//": "# gke-rdma: ignore[local-ssd] known"}')
    assert Ignores(source, parse).items == ()


def test_ignored_findings_are_counted(write, check):
    root = write({"main.tf": VERSIONS + pool(disks="16 # gke-rdma: ignore[local-ssd] known")})
    outcome = check(root)
    assert (found(outcome, root), outcome.report.ignored, outcome.code) == ([], 1, 0)


def test_a_name_without_a_finding_is_unused(write, check):
    root = write({"main.tf": VERSIONS + pool(disks="16 # gke-rdma: ignore[local-ssd, accelerator] known")})
    (finding,) = check(root).report.findings
    assert (finding.rule, finding.severity, finding.location.line) == ("unused-ignore", "warning", 30)
    assert "accelerator" in finding.message


@pytest.mark.parametrize("options", [{"ignore": ("accelerator",)}, {"severity": {"accelerator": None}}])
def test_a_rule_that_did_not_run_is_not_unused(write, check, options):
    root = write({"main.tf": VERSIONS + pool(disks="32 # gke-rdma: ignore[accelerator] known")})
    assert found(check(root, **options), root) == []


def test_a_rule_that_met_an_unknown_is_not_unused(write, check):
    variable = 'variable "disks" {\n  type = number\n}\n'
    root = write({"main.tf": VERSIONS + variable + pool(disks="var.disks # gke-rdma: ignore[local-ssd] known")})
    assert found(check(root), root) == []


def test_a_resource_that_is_not_made_is_not_judged(write, check):
    text = pool(disks="16 # gke-rdma: ignore[local-ssd] known").replace("{\n", "{\n  count = 0\n", 1)
    root = write({"main.tf": VERSIONS + text})
    assert found(check(root), root) == []


def test_an_advice_that_is_not_shown_is_used(write, check):
    text = pool().replace("      data_cache_count = 0\n", "")
    text = text.replace("ephemeral", "# gke-rdma: ignore[local-ssd] known\n    ephemeral")
    root = write({"main.tf": VERSIONS + text})
    assert found(check(root), root) == []
    assert found(check(root, pedantic=True, select=("local-ssd", "unused-ignore")), root) == []


def test_unused_ignores_can_be_ignored(write, check):
    text = pool(disks="32 # gke-rdma: ignore[local-ssd] known")
    text = text.replace("      local_ssd", "      # gke-rdma: ignore[unused-ignore] goes next week\n      local_ssd")
    root = write({"main.tf": VERSIONS + text})
    assert found(check(root), root) == []


def test_a_syntax_error_cannot_be_ignored(write, check):
    root = write({"main.tf": VERSIONS + "locals {\n  a = 'x' # gke-rdma: ignore[parse-error] known\n}\n"})
    outcome = check(root)
    assert [f.rule for f in outcome.report.findings] == ["parse-error"]
    assert outcome.code == 2


def test_a_rule_that_needs_an_unknown_cluster_is_not_unused(write, check):
    text = "# gke-rdma: ignore[dataplane-v2, local-ssd] known\n" + pool()
    (finding,) = check(write({"main.tf": VERSIONS + text})).report.findings
    assert "local-ssd" in finding.message


def test_a_block_of_unknown_number_hides_a_check(write, check):
    text = pool().replace(
        "    ephemeral_storage_local_ssd_config {\n      data_cache_count = 0\n      local_ssd_count  = 32\n    }\n",
        '    dynamic "ephemeral_storage_local_ssd_config" {\n      for_each = var.disks\n      content {\n'
        "        data_cache_count = 0\n        local_ssd_count  = 32\n      }\n    }\n",
    )
    variable = 'variable "disks" {\n  type = set(string)\n}\n'
    root = write({"main.tf": VERSIONS + variable + "# gke-rdma: ignore[local-ssd] known\n" + text})
    assert found(check(root), root) == []
    rules = {f.rule for f in check(root, pedantic=True, select=("local-ssd", "unknown-value")).report.findings}
    assert rules == {"unknown-value"}


CLUSTER = """\
resource "google_container_cluster" "c" {
  name              = "c"
  location          = "us-central1-b"
  datapath_provider = "ADVANCED_DATAPATH" # gke-rdma: ignore[dataplane-v2] known
}
variable "type" {
  type = string
}
"""


def linked(text: str) -> str:
    """The pool in the cluster `c`."""
    return CLUSTER + text.replace('"projects/p/locations/us-central1-b/clusters/c"', "google_container_cluster.c.id")


def rules_of(outcome) -> list[str]:
    return [f.rule for f in outcome.report.findings]


def test_a_silence_because_of_the_pool_is_no_silence_about_its_cluster(write, check):
    select = ("dataplane-v2", "unused-ignore")
    root = write({"main.tf": VERSIONS + linked(pool())})
    assert rules_of(check(root, select=select)) == ["unused-ignore"]
    text = pool().replace('= "auto"\n  }', "= var.type\n  }").replace("gke-networking-dra-driver", "other")
    write({"main.tf": VERSIONS + linked(text)})
    assert rules_of(check(root, select=select)) == []


def test_a_rule_over_the_tree_that_met_an_unknown_is_not_unused(write, check):
    versions = VERSIONS.replace('7.34.0"', '7.34.0" # gke-rdma: ignore[provider-version] known')
    select = ("provider-version", "unused-ignore")
    root = write({"main.tf": versions + linked(pool()).replace("# gke-rdma", "# not")})
    assert rules_of(check(root, select=select)) == ["unused-ignore"]
    text = linked(pool(machine_type="var.type").replace('gpudirect_strategy = "RDMA"', "")).replace(
        "# gke-rdma", "# not"
    )
    write({"main.tf": versions + text})
    assert rules_of(check(root, select=select)) == []
