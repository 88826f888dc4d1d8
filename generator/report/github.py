"""Annotations of GitHub Actions: workflow commands, one a line."""

from __future__ import annotations

from generator.findings import Finding, Report, Severity
from generator.report.drawing import Drawing, ErrorEntry, error_entries, full_text, visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "notice"}


def render(report: Report, drawing: Drawing) -> str:
    """One command for each error and finding."""
    lines = [_error(e) for e in error_entries(report, drawing)]
    lines += [_finding(f, drawing) for f in report.findings]
    return "".join(line + "\n" for line in lines)


def _finding(finding: Finding, drawing: Drawing) -> str:
    at = finding.location
    properties: dict[str, object] = {}
    if at:
        properties = {"file": drawing.path(at.path), "line": at.line, "endLine": at.end_line, "col": at.column}
        # GitHub takes columns only for a place on one line, and its end column is inclusive.
        if at.end_line == at.line:
            properties["endColumn"] = max(at.column, at.end_column - 1)
        else:
            del properties["col"]
    return _command(_COMMANDS[finding.severity], properties, f"gke-rdma {finding.rule}", full_text(finding))


def _error(error: ErrorEntry) -> str:
    properties = {"file": error.path, "line": error.line}
    return _command("error", {k: v for k, v in properties.items() if v is not None}, "gke-rdma", error.text)


def _command(name: str, properties: dict[str, object], title: str, message: str) -> str:
    fields = ",".join(f"{key}={_property(str(value))}" for key, value in {**properties, "title": title}.items())
    return f"::{name} {fields}::{_data(message)}"


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
