"""`gke-rdma plan`: lint, init, validate, plan, show, check, receipt."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from generator.commands.progress import Progress
from generator.errors import ExitCode
from generator.findings import Report
from generator.report import formats, json_document
from generator.report.drawing import Drawing
from generator.terraform import checks, planned
from generator.terraform.plan import PlanOptions, PlanResult, plan

_SIGNS = {"create": "+", "update": "~", "destroy": "-", "replace": "-/+", "forget": ".", "read": "<=", "unchanged": ">"}


def run(options: PlanOptions, *, format_: str = "text", detailed_exitcode: bool = False) -> ExitCode:
    """Make a plan, check it and print what came of it.

    Args:
        options: what is asked for.
        format_: "text" or "json".
        detailed_exitcode: 5 when all is well and there are changes.

    Raises:
        UserError, UserErrors: see `generator.terraform.plan.plan`.
    """
    checks.known_format(format_)
    progress = Progress(as_json=format_ == "json")
    result = plan(options, checks.judge(options), progress)
    report = Report(findings=sorted(result.findings, key=lambda f: f.sort_key))
    drawing = Drawing(Path.cwd())
    if format_ == "json":
        document = json_document.document(report, drawing) | {"plan": result.document}
        sys.stdout.write(json.dumps(document) + "\n")
    else:
        sys.stdout.write(_text(result, report, drawing, options))
    if result.failing:
        return ExitCode.REFUSED if all(f.refused for f in result.failing) else ExitCode.FINDINGS
    return ExitCode.CHANGES if detailed_exitcode and result.has_changes else ExitCode.DONE


def _text(result: PlanResult, report: Report, drawing: Drawing, options: PlanOptions) -> str:
    lines = [*change_lines(result), ""]
    if report.findings:
        lines.append(formats.write(report, "text", drawing))
    lines.append(summary_line(result))
    where = drawing.path(result.path)
    if result.receipt is None:
        lines.append("no receipt: findings stand in the way, and `apply` refuses this plan")
    elif result.has_changes:
        told = f" --plan {shlex.quote(where)}" if options.out else ""
        lines.append(
            f"the plan is in {where}; apply it with: gke-rdma apply {shlex.quote(str(options.directory))}{told}"
        )
    return "\n".join(lines).lstrip("\n") + "\n"


def change_lines(result: PlanResult) -> list[str]:
    """One line for each change: a sign, the address, what happens, and the arguments or the reason."""
    lines = []
    for change in result.changes:
        if not change.matters:
            continue
        why = change.why() if change.destroys else ", ".join(change.paths)
        moved = f", moved from {change.previous_address}" if change.previous_address else ""
        imported = ", imported" if change.imported else ""
        detail = f": {why}" if why else ""
        sign = _SIGNS.get(change.word, "?")
        lines.append(f"{sign:>3} {change.address} ({change.word}{moved}{imported}){detail}")
    return [*lines, *(f"  ~ output {name}" for name in result.outputs)]


def summary_line(result: PlanResult) -> str:
    """`plan: 2 to create, 1 to update`."""
    told = [f"{n} to {word}" for word, n in planned.counts(result.changes).items() if n]
    if told:
        return "plan: " + ", ".join(told)
    return "plan: only outputs change" if result.outputs else "plan: no changes"
