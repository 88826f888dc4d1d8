"""Writes the golden folders, `modules/` and `docs/spec.md` again; read the difference before you commit it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GOLDEN = Path(__file__).parent / "golden"
MODULES = ROOT / "modules"


def made_from(spec: Path) -> Path:
    """The folder that the repository keeps of an example."""
    return (MODULES if spec.parent.name == "modules" else GOLDEN) / spec.stem


def main() -> int:
    from generator.cli import run
    from generator.spec.page import page

    specs = sorted([*EXAMPLES.glob("*.yaml"), *EXAMPLES.glob("modules/*.yaml")])
    wanted = {made_from(spec) for spec in specs}
    for folder in {*GOLDEN.iterdir(), *MODULES.iterdir()} - wanted:
        shutil.rmtree(folder)
    codes = []
    for spec in specs:
        folder = made_from(spec)
        shutil.rmtree(folder, ignore_errors=True)
        codes.append(run(["generate", str(spec), "-o", str(folder), "--quiet"]))
    (ROOT / "docs/spec.md").write_text(page(), encoding="utf-8")
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
