"""The wheel holds everything the program needs: it is built, put into an empty environment and run from there."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=120)
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own that holds nothing but the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True, timeout=120)
    return folder


def run(installed: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    # The dependencies are those of this test run, reached by path: PYTHONPATH does not process the .pth file through which
    # the checkout itself is installed here, so the package can only come from the wheel.
    env = {"PATH": os.environ["PATH"], "HOME": str(cwd), "PYTHONPATH": sysconfig.get_paths()["purelib"]}
    return subprocess.run(
        [str(installed / "bin" / "gke-rdma"), *arguments], cwd=cwd, env=env, capture_output=True, text=True, timeout=120
    )


def test_no_file_is_missing_or_strange(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    shipped = {n.removeprefix("generator/") for n in names if n.startswith("generator/")}
    templates = {p.relative_to(ROOT).as_posix() for p in (ROOT / "templates").rglob("*") if p.is_file()}
    assert templates, "no templates in the checkout"
    assert templates <= shipped
    assert "py.typed" in shipped
    assert "schema/spec.schema.json" in shipped
    assert not [n for n in names if n.endswith((".pyc", ".orig")) or n.startswith(("tests/", "docs/"))]


def test_the_main_job_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    example = ROOT / "examples" / "a3-ultra-dranet.yaml"
    made = run(installed, "generate", str(example), "-o", "out", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    linted = run(installed, "lint", "--format", "json", "out", cwd=tmp_path)
    assert linted.returncode == 0, linted.stderr
    assert json.loads(linted.stdout)["summary"]["errors"] == 0
    assert run(installed, "rules", "local-ssd", cwd=tmp_path).returncode == 0
    assert json.loads(run(installed, "schema", cwd=tmp_path).stdout)["$schema"].endswith("2020-12/schema")


def test_the_package_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    env = {"PYTHONPATH": sysconfig.get_paths()["purelib"]}
    code = "import generator; print(generator.__file__)"
    out = subprocess.run(
        [str(installed / "bin" / "python"), "-c", code],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(out.stdout.strip()).is_relative_to(installed)
