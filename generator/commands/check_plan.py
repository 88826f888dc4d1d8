"""`gke-rdma check-plan`: only the check, for pipelines that run Terraform themselves."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.commands import checks
from generator.commands.checks import Checks
from generator.commands.progress import errors_as_document
from generator.errors import ExitCode, InputError, strongest
from generator.report import formats, json_document
from generator.report.output import write_file
from generator.terraform import folder, planned
from generator.terraform.approval import Approval
from generator.terraform.summary import markdown

_HOW = "make it with: terraform show -json PLAN > plan.json"
# Parts of a plan's JSON that a state's does not have.
_PARTS = frozenset({"resource_changes", "planned_values", "output_changes", "configuration"})


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What is asked for.

    Attributes:
        file: the JSON of a plan; "-" for standard input.
        directory: the folder that it was made from; None when it is not at hand.
        allow_replace: addresses that may be replaced.
        allow_destroy: addresses that may be destroyed.
        format: one of the formats of findings.
        summary: file for a summary as Markdown.
    """

    file: str
    directory: Path | None = None
    allow_replace: tuple[str, ...] = ()
    allow_destroy: tuple[str, ...] = ()
    format: str = "text"
    summary: Path | None = None


def run(options: CheckOptions) -> ExitCode:
    """Check a plan and print what was found.

    Raises:
        InputError: the file is no plan, or the format does not exist.
    """
    with errors_as_document(formats.known(options.format)):
        return _run(options)


def _run(options: CheckOptions) -> ExitCode:
    plan = read(options.file)
    directory = folder.root_folder(options.directory) if options.directory else None
    about = Checks(directory, (), _say)
    # What lint finds is lint's to tell: here the text gives places and says what counts.
    about.lint()
    about.outcome.report.findings.clear()
    approval = Approval(options.allow_replace, options.allow_destroy)
    findings, failing = about.findings(plan, approval)
    report = about.report(findings)
    changes = planned.changes(plan)
    if options.summary is not None:
        text = markdown(changes, planned.changed_outputs(plan), report.findings, about.drawing())
        write_file(options.summary, text)
    if options.format == "json":
        document = json_document.document(report, about.drawing())
        document["plan"] = planned.document(plan, changes)
        checks.printed(json.dumps(document, indent=2) + "\n")
    else:
        checks.printed(formats.write(report, options.format, about.drawing()))
    return strongest([checks.code_of(failing), ExitCode.INPUT if report.errors else ExitCode.DONE])


def read(file: str) -> Mapping[str, Any]:
    """The JSON of a plan.

    Raises:
        InputError: it cannot be read, or is something else.
    """
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"the plan cannot be read: {error.strerror or error}", hint=_HOW, path=file) from error
    shown = None if file == "-" else file
    if content.startswith(b"PK\x03\x04"):
        raise InputError("this is a plan file; its JSON is needed", hint=_HOW, path=shown)
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        told = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "no text"
        raise InputError(f"this is no JSON ({told})", hint=_HOW, path=shown) from error
    if not isinstance(data, dict) or "format_version" not in data:
        raise InputError("this is not what `terraform show -json` prints", hint=_HOW, path=shown)
    version = str(data["format_version"])
    if version.split(".")[0] not in ("0", "1"):
        raise InputError(f"plans of format version {version} are not known; 1.x is", path=shown)
    # Of a state without resources Terraform prints nothing but the versions.
    if not _PARTS & data.keys():
        raise InputError("this is the JSON of a state, not of a plan", hint=_HOW, path=shown)
    _well_formed(data, shown)
    return data


def _well_formed(data: Mapping[str, Any], file: str | None) -> None:
    """Refuse what is no plan although it looks like one: what follows relies on these shapes.

    Raises:
        InputError: an entry has another shape.
    """
    for name in ("configuration", "planned_values", "prior_state", "output_changes", "variables"):
        if not isinstance(data.get(name, {}), dict):
            raise InputError(f"{name} is not what Terraform writes", hint=_HOW, path=file)
    entries = data.get("resource_changes", [])
    for entry in entries if isinstance(entries, list) else [None]:
        change = entry.get("change") if isinstance(entry, dict) else None
        named = isinstance(entry, dict) and all(isinstance(entry.get(k), str) for k in ("address", "type", "name"))
        if not named or not isinstance(change, dict) or not _is_change(change):
            raise InputError("an entry of resource_changes is not what Terraform writes", hint=_HOW, path=file)


def _is_change(change: Mapping[str, Any]) -> bool:
    """Whether the parts of a change that are there have the shapes that Terraform gives them."""
    paths = change.get("replace_paths", [])
    return (
        isinstance(change.get("actions"), list)
        and all(isinstance(change.get(when), dict | None) for when in ("before", "after"))
        and isinstance(paths, list)
        and all(isinstance(path, list) for path in paths)
    )


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
