"""SARIF 2.1.0, as code scanning services read it."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from generator import __version__
from generator.findings import Edit, Finding, Fix, Location, Report, Severity
from generator.report.drawing import Drawing, ErrorEntry, error_entries, full_text
from generator.rules import registry

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# The name by which code scanning services know the top of the repository that they have checked out.
_ROOT = "%SRCROOT%"


def render(report: Report, drawing: Drawing) -> str:
    """One run, with the rules that it found something with."""
    names = sorted({f.rule for f in report.findings})
    index = {name: i for i, name in enumerate(names)}
    errors = error_entries(report, drawing)
    run = {
        "tool": {
            "driver": {"name": "gke-rdma", "semanticVersion": __version__, "rules": [_rule(n) for n in names]},
        },
        # Our columns count characters, which SARIF has to be told.
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that the program was started in."}}},
        "invocations": [
            {"executionSuccessful": not errors, "toolExecutionNotifications": [_notification(e) for e in errors]}
        ],
        "results": [_result(f, index[f.rule], drawing) for f in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(name: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": name}
    if name in registry.names():
        rule = registry.find(name)
        entry["shortDescription"] = {"text": rule.summary}
        page = registry.document(name)
        entry["help"] = {"text": page, "markdown": page}
        entry["defaultConfiguration"] = {"level": _LEVELS[rule.severities[0]]}
    return entry


def _result(finding: Finding, rule_index: int, drawing: Drawing) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": full_text(finding)},
        "partialFingerprints": {"gkeRdmaFinding/v1": _fingerprint(finding, drawing)},
    }
    if finding.location:
        result["locations"] = [_location(finding.location, finding.resource, drawing)]
    if finding.related:
        result["relatedLocations"] = [
            {**_location(r.location, None, drawing), "id": i, "message": {"text": r.message}}
            for i, r in enumerate(finding.related)
        ]
    if finding.fix:
        result["fixes"] = [_fix(finding.fix, drawing)]
    if finding.refused:
        result["properties"] = {"refused": True}
    return result


def _fix(fix: Fix, drawing: Drawing) -> dict[str, Any]:
    changes: dict[Path, list[Edit]] = {}
    for edit in fix.edits:
        changes.setdefault(edit.path, []).append(edit)
    title = f"{fix.title} ({fix.safety.value})" if fix.title else f"{fix.safety.value} fix"
    return {
        "description": {"text": title},
        "artifactChanges": [
            {"artifactLocation": _artifact(drawing.path(path)), "replacements": [_replacement(e) for e in edits]}
            for path, edits in changes.items()
        ],
    }


def _replacement(edit: Edit) -> dict[str, Any]:
    region = {"charOffset": edit.start, "charLength": edit.end - edit.start}
    return {"deletedRegion": region, "insertedContent": {"text": edit.text}}


def _location(at: Location, resource: str | None, drawing: Drawing) -> dict[str, Any]:
    region = {
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
    }
    place = {"artifactLocation": _artifact(drawing.path(at.path)), "region": region}
    location: dict[str, Any] = {"physicalLocation": place}
    if resource:
        location["logicalLocations"] = [{"fullyQualifiedName": resource}]
    return location


def _notification(error: ErrorEntry) -> dict[str, Any]:
    entry: dict[str, Any] = {"level": "error", "message": {"text": error.text}}
    if error.path is not None:
        place: dict[str, Any] = {"artifactLocation": _artifact(error.path)}
        if error.line is not None:
            place["region"] = {"startLine": error.line}
        entry["locations"] = [{"physicalLocation": place}]
    return entry


def _artifact(path: str) -> dict[str, Any]:
    return {"uri": quote(path.encode("utf-8", "surrogateescape"), safe="/"), "uriBaseId": _ROOT}


def _fingerprint(finding: Finding, drawing: Drawing) -> str:
    path = drawing.path(finding.location.path) if finding.location else ""
    content = "\0".join((finding.rule, path, finding.resource or "", finding.message))
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
