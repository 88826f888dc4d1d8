"""JUnit XML, as CI servers read it: one suite for each file, one failed case for each finding."""

from __future__ import annotations

import re
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from generator.findings import Finding, Report
from generator.report.drawing import Drawing, ErrorEntry, error_entries, full_text

# What XML 1.0 cannot hold, not even as a reference.
_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, drawing: Drawing) -> str:
    """The whole document. A run without findings is one case that passed."""
    errors = [
        _case("input", e.path or "gke-rdma", "error", e.message, _error_text(e)) for e in error_entries(report, drawing)
    ]
    suites = [_suite("gke-rdma", errors, errors=len(errors))] if errors else []
    for path, found in groupby(report.findings, key=lambda f: drawing.path(f.location.path) if f.location else None):
        cases = [_finding(f, path) for f in found]
        suites.append(_suite(path or "plan", cases, failures=len(cases)))
    if not suites:
        suites.append(_suite("gke-rdma", ['    <testcase classname="gke-rdma" name="lint"/>\n']))
    total = len(errors) + len(report.findings)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="gke-rdma" tests="{max(total, 1)}" failures="{len(report.findings)}" errors="{len(errors)}">\n'
        f"{''.join(suites)}</testsuites>\n"
    )


def _suite(name: str, cases: list[str], *, failures: int = 0, errors: int = 0) -> str:
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    return f"  <testsuite name={_attribute(name)} {counts}>\n{''.join(cases)}  </testsuite>\n"


def _finding(finding: Finding, path: str | None) -> str:
    at = finding.location
    where = f":{at.line}:{at.column}" if at else ""
    text = f"{path or finding.resource or 'plan'}{where}\n{full_text(finding)}"
    message = f"{finding.severity.value}: {finding.message}"
    return _case(f"{finding.rule}{where}", path or "plan", "failure", message, text, finding.rule)


def _error_text(error: ErrorEntry) -> str:
    place = ":".join(str(p) for p in (error.path, error.line) if p is not None)
    return f"{place}\n{error.text}" if place else error.text


def _case(name: str, group: str, element: str, message: str, text: str, kind: str = "input") -> str:
    return (
        f"    <testcase classname={_attribute(group)} name={_attribute(name)}>\n"
        f"      <{element} type={_attribute(kind)} message={_attribute(message)}>{escape(_clean(text))}</{element}>\n"
        f"    </testcase>\n"
    )


def _attribute(text: str) -> str:
    return quoteattr(_clean(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _clean(text: str) -> str:
    return _INVALID.sub("\ufffd", text)
