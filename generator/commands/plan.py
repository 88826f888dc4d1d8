"""`gke-rdma plan`: lint, init, validate, plan, show, check, receipt."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

from generator.commands import checks
from generator.commands.checks import Checks
from generator.commands.progress import Progress, errors_as_document
from generator.errors import ExitCode
from generator.findings import Report
from generator.report import formats, json_document
from generator.report.drawing import Drawing
from generator.report.output import write_file
from generator.terraform import folder, planned
from generator.terraform.approval import Approval, covers
from generator.terraform.plan import PlanOptions, PlanResult, plan
from generator.terraform.summary import markdown

_SIGNS = {"create": "+", "update": "~", "destroy": "-", "replace": "-/+", "forget": ".", "read": "<=", "unchanged": ">"}


def run(
    options: PlanOptions, *, format_: str = "text", detailed_exitcode: bool = False, summary: Path | None = None
) -> ExitCode:
    """Make a plan, check it and print what came of it.

    Args:
        options: what is asked for.
        format_: "text" or "json".
        detailed_exitcode: 5 when all is well and there are changes.
        summary: file for a summary as Markdown.

    Raises:
        UserError, UserErrors: see `generator.terraform.plan.plan`.
    """
    checks.known_format(format_)
    with (
        errors_as_document(format_),
        Progress(as_json=format_ == "json") as progress,
        progress.holding(options.directory),
    ):
        return _run(options, progress, format_, detailed_exitcode, summary)


def _run(
    options: PlanOptions, progress: Progress, format_: str, detailed_exitcode: bool, summary: Path | None
) -> ExitCode:
    about = Checks(folder.root_folder(options.directory), options.arguments, progress.say)
    linted = about.lint()
    if linted.code is not ExitCode.DONE:
        progress.say("lint found what stands in the way; no plan was made")
        report = about.report(())
        if summary is not None:
            write_file(summary, markdown(None, (), report.findings, about.drawing()))
        _print(report, about, None, format_)
        return linted.code
    approval = Approval(options.allow_replace, options.allow_destroy, options.replace)
    chosen = replace(options, arguments=about.arguments, configured=about.program)
    result = plan(chosen, lambda data: about.findings(data, approval), progress)
    progress.settle()
    replaced = [change.address for change in result.changes if change.replaces]
    for address in options.replace:
        if not any(covers(address, one) for one in replaced):
            progress.say(f"--replace {address} replaces nothing in this plan")
    report = about.report(result.findings)
    if summary is not None:
        write_file(summary, markdown(result.changes, result.outputs, report.findings, about.drawing()))
    _print(report, about, result, format_, options)
    if result.failing:
        return checks.code_of(result.failing)
    return ExitCode.CHANGES if detailed_exitcode and result.has_changes else ExitCode.DONE


def _print(
    report: Report, about: Checks, result: PlanResult | None, format_: str, options: PlanOptions | None = None
) -> None:
    drawing = about.drawing()
    if format_ == "json":
        document = json_document.document(report, drawing) | {"plan": result.document if result else None}
        checks.printed(json.dumps(document) + "\n")
    elif result is None or options is None:
        checks.printed(formats.write(report, "text", drawing))
    else:
        checks.printed(_text(result, report, drawing, options))


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
        told += f" --terraform {shlex.quote(options.terraform)}" if options.terraform else ""
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
        moved = f", moved from {change.previous_address}" if change.previous_address else ""
        imported = ", imported" if change.imported else ""
        detail = f": {change.detail}" if change.detail else ""
        sign = _SIGNS.get(change.word, "?")
        lines.append(f"{sign:>3} {change.address} ({change.word}{moved}{imported}){detail}")
    return [*lines, *(f"  ~ output {name}" for name in result.outputs)]


def summary_line(result: PlanResult) -> str:
    """`plan: 2 to create, 1 to update`."""
    told = [f"{n} to {word}" for word, n in planned.counts(result.changes).items() if n]
    if told:
        return "plan: " + ", ".join(told)
    return "plan: only outputs change" if result.outputs else "plan: no changes"
