"""`gke-rdma apply`: applies a plan that was checked."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.commands import checks
from generator.commands.checks import Checks
from generator.commands.progress import Progress, errors_as_document
from generator.errors import ExitCode, UserErrors
from generator.findings import Finding, Report
from generator.report import json_document
from generator.report.drawing import Drawing
from generator.terraform import folder
from generator.terraform.apply import ApplyOptions, ApplyResult, apply
from generator.terraform.approval import Approval
from generator.terraform.receipt import Receipt

_CLUSTER_ID = re.compile(r"projects/(?P<project>[^/]+)/locations/(?P<location>[^/]+)/clusters/(?P<name>[^/]+)")


def run(options: ApplyOptions, *, format_: str = "text") -> ExitCode:
    """Apply a plan and print what came of it.

    Args:
        options: what is asked for.
        format_: "text" or "json".

    Raises:
        UserError, UserErrors: see `generator.terraform.apply.apply`.
    """
    checks.known_format(format_)
    with (
        errors_as_document(format_),
        Progress(as_json=format_ == "json") as progress,
        progress.holding(options.directory),
    ):
        return _run(options, progress, format_)


def _run(options: ApplyOptions, progress: Progress, format_: str) -> ExitCode:
    about = Checks(folder.root_folder(options.directory), (), progress.say)

    def judge_for(noted: Receipt) -> Callable[[Mapping[str, Any]], tuple[list[Finding], list[Finding]]]:
        about.lint()
        approval = Approval(tuple(noted.allow_replace), tuple(noted.allow_destroy))
        return lambda data: about.findings(data, approval, again=True)

    result = apply(replace(options, configured=about.program), judge_for, progress)
    progress.settle()
    try:
        _print(result, options.directory, format_)
    except OSError:
        progress.say("the plan was applied to its end, and is spent; only what came of it could not be written")
        raise
    if result.problems and format_ == "text":
        raise UserErrors(result.problems)
    return ExitCode.TOOL if result.problems else ExitCode.DONE


def _print(result: ApplyResult, directory: Path, format_: str) -> None:
    if format_ == "json":
        document = json_document.document(Report(errors=list(result.problems)), Drawing(Path.cwd()))
        sys.stdout.write(json.dumps(document | {"plan": result.document}) + "\n")
    else:
        sys.stdout.write(_text(result, directory))
    sys.stdout.flush()


def _text(result: ApplyResult, directory: Path) -> str:
    counts = result.summary
    done = ", ".join(
        f"{counts.get(key, 0)} {word}"
        for key, word in (("add", "added"), ("change", "changed"), ("remove", "destroyed"), ("import", "imported"))
        if counts.get(key) or key != "import"
    )
    lines = [f"applied: {done}", *_next_steps(result, directory)]
    return "\n".join(lines) + "\n"


def _next_steps(result: ApplyResult, directory: Path) -> list[str]:
    """What to run now: credentials of each cluster that is there, and the manifests that lie in the folder."""
    steps = []
    for change in result.changes:
        after = change.data.get("change", {}).get("after")
        if change.type != "google_container_cluster" or change.mode != "managed" or not isinstance(after, dict):
            continue
        known = _CLUSTER_ID.fullmatch(str(result.ids.get(change.address) or after.get("id")))
        if known:
            command = ["gcloud", "container", "clusters", "get-credentials", known["name"]]
            command += ["--location", known["location"], "--project", known["project"]]
            steps.append(result.hide(shlex.join(command)))
    manifests = directory / "kubernetes"
    if steps and manifests.is_dir() and any(manifests.glob("*.yaml")):
        steps.append(f"kubectl apply -f {shlex.quote(str(manifests))}")
    told = ["next:", *(f"  {step}" for step in steps)] if steps else []
    if result.checks:
        told += ["whether GKE made the pools without an error, which Terraform does not tell:"]
        told += [f"  {check}" for check in result.checks]
    return told
