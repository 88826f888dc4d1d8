"""Every module and every generated example, in one rehearsal: applied, and nothing left to change."""

import re
import shutil
from pathlib import Path

import pytest

from generator.cli import run

ROOT = Path(__file__).parents[2]
GOLDEN = sorted(path for path in (ROOT / "tests/generate/golden").iterdir() if path.is_dir())
MODULES = sorted(path for path in (ROOT / "modules").iterdir() if path.is_dir())


def project(text, number):
    """The text with a project of its own, so that equal names are no conflict."""
    return re.sub(r'(project(?:_id)? +=) "[^"]+"', rf'\1 "project-{number}"', text)


@pytest.mark.terraform
def test_the_second_plan_is_empty(tmp_path, monkeypatch, capfd):
    calls = []
    for number, folder in enumerate([*GOLDEN, *MODULES]):
        copied = shutil.copytree(folder, tmp_path / folder.parent.name / folder.name)
        source, arguments = copied, ""
        if folder in GOLDEN:
            arguments = project((copied / "terraform.tfvars").read_text(), number)
        else:
            source = copied / "examples/basic"
            example = source / "main.tf"
            example.write_text(project(example.read_text(), number))
        calls.append(f'module "m{number}" {{\n  source = "./{source.relative_to(tmp_path)}"\n{arguments}}}\n')
    (tmp_path / "main.tf").write_text("".join(calls))
    monkeypatch.chdir(tmp_path)
    code = run(["rehearse", "."])
    told = capfd.readouterr()
    assert code == 0, told.err + told.out
    assert re.search(r"^second plan .* no changes$", told.out, re.MULTILINE)
    made = set(re.findall(r"^module\.m(\d+)\..*: Creation complete", told.err, re.MULTILINE))
    assert len(made) == len(calls)
