"""`gke-rdma apply`: applies a plan that was checked."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from generator.commands.progress import Progress
from generator.errors import ExitCode
from generator.findings import Report
from generator.report import json_document
from generator.report.drawing import Drawing
from generator.terraform import checks
from generator.terraform.apply import ApplyOptions, ApplyResult, apply


def run(options: ApplyOptions, *, format_: str = "text") -> ExitCode:
    """Apply a plan and print what came of it.

    Args:
        options: what is asked for.
        format_: "text" or "json".

    Raises:
        UserError, UserErrors: see `generator.terraform.apply.apply`.
    """
    checks.known_format(format_)
    result = apply(options, checks.judge_again, Progress(as_json=format_ == "json"))
    if format_ == "json":
        document = json_document.document(Report(), Drawing(Path.cwd())) | {"plan": result.document}
        sys.stdout.write(json.dumps(document) + "\n")
    else:
        sys.stdout.write(_text(result, options.directory))
    return ExitCode.DONE


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
        if change.type == "google_container_cluster" and change.mode == "managed" and isinstance(after, dict):
            name, location, project = (after.get(key) for key in ("name", "location", "project"))
            if isinstance(name, str) and isinstance(location, str) and isinstance(project, str):
                command = ["gcloud", "container", "clusters", "get-credentials", name]
                steps.append(shlex.join([*command, "--location", location, "--project", project]))
    manifests = directory / "kubernetes"
    if steps and manifests.is_dir() and any(manifests.glob("*.yaml")):
        steps.append(f"kubectl apply -f {shlex.quote(str(manifests))}")
    return ["next:", *(f"  {step}" for step in steps)] if steps else []
