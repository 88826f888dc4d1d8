"""GitLab's Code Quality report."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from generator.findings import Finding, Report, Severity
from generator.report.drawing import Drawing, error_entries, full_text

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.ADVICE: "info"}


def render(report: Report, drawing: Drawing) -> str:
    """A JSON array, one entry for each error and finding."""
    entries = [_entry("input-error", "blocker", e.text, e.path, e.line) for e in error_entries(report, drawing)]
    entries += [_finding(f, drawing) for f in report.findings]
    _number_fingerprints(entries)
    return json.dumps(entries, indent=2) + "\n"


def _finding(finding: Finding, drawing: Drawing) -> dict[str, Any]:
    at = finding.location
    path, line = (drawing.path(at.path), at.line) if at else (None, None)
    return _entry(finding.rule, _SEVERITIES[finding.severity], full_text(finding), path, line)


def _entry(rule: str, severity: str, text: str, path: str | None, line: int | None) -> dict[str, Any]:
    # GitLab refuses an entry without a location, so what has no place is told of the folder itself.
    path = path or "."
    return {
        "description": text,
        "check_name": rule,
        "fingerprint": "\0".join((rule, path, text)),
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line or 1}},
    }


def _number_fingerprints(entries: list[dict[str, Any]]) -> None:
    """Make fingerprints of what they are made of: stable when lines move, unique when an entry comes twice."""
    seen: dict[str, int] = {}
    for entry in entries:
        content = entry["fingerprint"]
        seen[content] = seen.get(content, 0) + 1
        entry["fingerprint"] = sha256(f"{content}\0{seen[content]}".encode("utf-8", "surrogatepass")).hexdigest()
