"""Wall time of whole commands, cold (a new process each), interleaved so that noise hits all alike.

Every row also says how many times longer it takes than an interpreter that does nothing, and where there is a goal for an idle
machine, whether the fastest run met it. The rows whose name begins with "yardstick" are not ours: they are what to compare with.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import bench_plan

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = str(Path(sys.executable).with_name("gke-rdma"))


@dataclass
class Row:
    name: str
    command: list[str]
    goal: float | None = None
    times: list[float] = field(default_factory=list)

    def run(self, cwd: Path) -> None:
        start = time.perf_counter()
        done = subprocess.run(self.command, cwd=cwd, capture_output=True, text=True)
        self.times.append(time.perf_counter() - start)
        if done.returncode not in (0, 1):
            sys.exit(f"{self.name}: exit {done.returncode}\n{done.stderr}")


def rows(work: Path, corpora: list[Path]) -> list[Row]:
    python, example = sys.executable, str(ROOT / "examples" / "a3-ultra-dranet.yaml")
    subprocess.run([PROGRAM, "generate", example, "-o", "folder"], cwd=work, check=True, capture_output=True)
    (work / "irrelevant").mkdir()
    (work / "irrelevant" / "main.tf").write_text('resource "random_pet" "p" {\n  length = 2\n}\n')
    load = "import hcl2, pathlib; [hcl2.loads(p.read_text()) for p in pathlib.Path('folder').glob('*.tf')]"
    generate = f"import sys; from generator.cli import run; sys.exit(run(['generate', {example!r}, '-o', sys.argv[1]]))"
    found = [
        Row("yardstick: python that does nothing", [python, "-c", "pass"]),
        Row("--version", [PROGRAM, "--version"], 0.12),
        Row("lint of one folder", [PROGRAM, "lint", "folder"], 0.2),
        Row("lint of a folder without GKE", [PROGRAM, "lint", "irrelevant"], 0.2),
        Row("yardstick: python-hcl2 loads that folder", [python, "-c", load]),
        Row("generate, with its read-back", [python, "-c", generate, "NEW"], 0.6),
    ]
    found += [Row(name, command) for name, command in bench_plan.commands("folder").items()]
    return found + [Row(f"lint of {c.name}", [PROGRAM, "lint", str(c)]) for c in corpora]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10, help="how often each command runs (default 10)")
    parser.add_argument("--json", action="store_true", help="print figures as JSON, in seconds")
    parser.add_argument("corpora", nargs="*", type=Path, help="further folders to lint")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as tmp, bench_plan.provider(Path(tmp)):
        work = Path(tmp)
        table = rows(work, [c.resolve() for c in options.corpora])
        for n in range(options.rounds + 1):
            for row in table:
                command = row.command
                row.command = [f"new-{n}" if part == "NEW" else part for part in command]
                row.run(work)
                row.command = command
        parts = bench_plan.parts("folder", work)
    for row in table:
        del row.times[0]  # the first round fills the disk cache
    report(table, as_json=options.json)
    if not options.json:
        times = {row.name: row.times for row in table}
        bench_plan.report(times[bench_plan.RAW], times[bench_plan.OURS], parts)


def report(table: list[Row], *, as_json: bool) -> None:
    if as_json:
        json.dump(
            {r.name: {"min": min(r.times), "median": statistics.median(r.times)} for r in table}, sys.stdout, indent=1
        )
        return
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n\n{'':44}{'min s':>8}{'median':>8}{'ratio':>7}  goal"
    )
    nothing = min(table[0].times)
    for row in table:
        best = min(row.times)
        goal = "" if row.goal is None else f"{row.goal:g} s {'met' if best <= row.goal else 'MISSED'}"
        print(f"{row.name:44}{best:8.3f}{statistics.median(row.times):8.3f}{best / nothing:7.1f}  {goal}")


if __name__ == "__main__":
    main()
