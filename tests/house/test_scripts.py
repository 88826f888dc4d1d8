"""The scripts are sound shell, and the project's own files keep what CONTRIBUTING promises."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHELL = [
    p for p in (*(ROOT / "script").iterdir(), ROOT / ".ci" / "run") if p.is_file() and "bash" in p.read_text()[:60]
]


@pytest.mark.parametrize("script", SHELL, ids=lambda p: p.name)
def test_shellcheck_is_silent(script: Path) -> None:
    shellcheck = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run(
        [str(shellcheck), "--external-sources", "--shell=bash", str(script)],
        cwd=ROOT / "script",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout


def test_python_modules_stay_readable_in_one_sitting() -> None:
    lines = {p: len(p.read_text().splitlines()) for p in (ROOT / "generator").rglob("*.py")}
    long = {p.relative_to(ROOT).as_posix(): n for p, n in lines.items() if n > 600}
    assert not long


def test_every_relative_link_in_the_docs_leads_somewhere() -> None:
    pages = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    links = [(page, target) for page in pages for target in re.findall(r"\]\(([^)#\s]+)", page.read_text())]
    dead = [
        f"{page.name}: {target}"
        for page, target in links
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not dead


def test_no_pattern_repeats_a_group_possessively() -> None:
    # Before Python 3.11.5 such a repeat fails where the group itself backtracks (gh-106052); an atomic group does not.
    found = [
        f"{p.relative_to(ROOT)}: {line.strip()}"
        for p in (ROOT / "generator").rglob("*.py")
        for line in p.read_text().splitlines()
        if re.search(r"\)[*+?]\+[^+]", line)
    ]
    assert not found


def test_no_two_test_files_have_one_name() -> None:
    # Test folders are no packages, so pytest could import only one of them.
    names = sorted(p.name for p in (ROOT / "tests").rglob("test_*.py"))
    assert [n for n in set(names) if names.count(n) > 1] == []
