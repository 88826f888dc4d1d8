"""The JSON document, version 1. Its JSON Schema is `docs/report.schema.json`."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from generator.findings import Finding, Report
from generator.report.drawing import Drawing, error_entries

VERSION = 1


def render(report: Report, drawing: Drawing) -> str:
    """The document as indented text."""
    # Lone surrogates (a path that is not UTF-8) cannot be written as UTF-8, so everything beyond ASCII is escaped.
    return json.dumps(document(report, drawing), indent=2) + "\n"


def document(report: Report, drawing: Drawing) -> dict[str, Any]:
    """The document as plain data."""
    summary = report.summary()
    result: dict[str, Any] = {
        "version": VERSION,
        "findings": [_finding(f, drawing) for f in report.findings],
        "errors": [
            {"message": e.message, "hint": e.hint, "path": e.path, "line": e.line, "code": e.code}
            for e in error_entries(report, drawing)
        ],
        "summary": {
            "files": summary.files,
            "errors": summary.errors,
            "warnings": summary.warnings,
            "advice": summary.advice,
            "ignored": summary.ignored,
        },
    }
    if drawing.statistics:
        result["statistics"] = dict(sorted(Counter(f.rule for f in report.findings).items()))
    return result


def _finding(finding: Finding, drawing: Drawing) -> dict[str, Any]:
    at = finding.location
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "help": finding.help,
        "path": drawing.path(at.path) if at else None,
        "line": at.line if at else None,
        "column": at.column if at else None,
        "end_line": at.end_line if at else None,
        "end_column": at.end_column if at else None,
        "resource": finding.resource,
        "fix": finding.fix.safety.value if finding.fix else None,
        "refused": finding.refused,
        "related": [
            {
                "path": drawing.path(r.location.path),
                "line": r.location.line,
                "column": r.location.column,
                "message": r.message,
            }
            for r in finding.related
        ],
    }
