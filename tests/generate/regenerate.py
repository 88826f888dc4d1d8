"""Writes the golden folders again from the examples: run it after a change of the templates, and read the difference."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GOLDEN = Path(__file__).parent / "golden"


def main() -> int:
    from generator.cli import run

    shutil.rmtree(GOLDEN, ignore_errors=True)
    codes = [
        run(["generate", str(spec), "-o", str(GOLDEN / spec.stem), "--quiet"])
        for spec in sorted(EXAMPLES.glob("*.yaml"))
    ]
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
