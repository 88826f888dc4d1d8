"""What `gke-rdma plan` costs beyond the terraform commands that it runs, with the stand-in provider."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# A plan may take as much longer than the raw commands, whichever is more.
SHARE, SECONDS = 0.15, 0.5
RAW, OURS = "yardstick: terraform init, validate, plan, show", "plan"

# Runs one plan and prints the seconds of its parts.
PARTS = """
import json, sys, time
begun = time.perf_counter()
parts = []
from generator import cli
from generator.commands import plan
from generator.commands.checks import Checks
from generator.terraform import process, receipt
parts.append(("loading modules", time.perf_counter() - begun))

def timed(owner, name, label):
    whole = getattr(owner, name)
    def run(*arguments, **options):
        start = time.perf_counter()
        try:
            return whole(*arguments, **options)
        finally:
            parts.append((label(*arguments), time.perf_counter() - start))
    setattr(owner, name, run)

commands = ("version", "init", "validate", "plan", "show")
timed(process, "run", lambda command, *_: "terraform " + next(c for c in command if c in commands))
timed(Checks, "lint", lambda *_: "lint")
timed(Checks, "findings", lambda *_: "check of the plan")
timed(receipt, "write", lambda *_: "receipt")
code = cli.run(["plan", sys.argv[1]])
whole = time.perf_counter() - begun
parts.append(("everything else", whole - sum(seconds for _, seconds in parts)))
sys.stderr.write(json.dumps(parts))
sys.exit(code)
"""


def raw_command() -> list[str]:
    """The terraform that `plan` would take, as a command."""
    program = shutil.which("terraform")
    if program:
        return [program]
    from generator.terraform import binary, embedded

    library = binary._embedded_command()
    assert library and embedded
    return list(library)


def commands(folder: str) -> dict[str, list[str]]:
    """The two commands that are compared, by name."""
    terraform = shlex.join(raw_command())
    script = " && ".join(
        f"{terraform} {arguments} >/dev/null"
        for arguments in (
            "init -input=false",
            "validate -json",
            "plan -input=false -json -out=raw-plan",
            "show -json raw-plan",
        )
    )
    ours = [str(Path(sys.executable).with_name("gke-rdma")), "plan", folder]
    return {RAW: ["sh", "-c", f"cd {shlex.quote(folder)} && {script}"], OURS: ours}


@contextmanager
def provider(work: Path) -> Iterator[None]:
    """The stand-in provider, found by every terraform that is started meanwhile."""
    from generator.rehearsal.process import ProviderProcess

    process = ProviderProcess(work)
    os.environ |= {"TF_REATTACH_PROVIDERS": process.address(), "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"}
    try:
        yield
    finally:
        process.stop()
        del os.environ["TF_REATTACH_PROVIDERS"]


def parts(folder: str, cwd: Path) -> list[tuple[str, float]]:
    """The seconds of each part of one plan."""
    done = subprocess.run([sys.executable, "-c", PARTS, folder], cwd=cwd, capture_output=True, text=True, check=True)
    found: list[tuple[str, float]] = [(name, seconds) for name, seconds in json.loads(done.stderr.splitlines()[-1])]
    return found


def report(raw: list[float], ours: list[float], found: list[tuple[str, float]]) -> None:
    """Print the overhead, and where a plan's time goes."""
    over, allowed = min(ours) - min(raw), max(SECONDS, SHARE * min(raw))
    print(
        f"\nplan beyond the raw commands: {over:.3f} s, goal {allowed:.3f} s {'met' if over <= allowed else 'MISSED'}; its parts:"
    )
    for name, seconds in found:
        print(f"  {name:42}{seconds:8.3f}")
