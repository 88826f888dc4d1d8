"""Every example with the real Terraform core: laid out, tested by its own tests, applied, nothing left to change.

One stand-in provider serves all of `terraform test`; a rehearsal starts its own, as it does for users.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.cli import run
from generator.rehearsal.process import ProviderProcess
from generator.terraform import binary
from generator.terraform.signals import Signals

pytestmark = pytest.mark.terraform

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
FOLDERS = [*sorted(GOLDEN.iterdir()), *sorted((ROOT / "modules").iterdir())]

Core = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Core]:
    """Runs the embedded Terraform core in a folder; the provider is the stand-in."""
    top = tmp_path_factory.mktemp("core")
    (top / "mirror").mkdir()
    settings = top / "terraform.tfrc"
    settings.write_text(
        f'disable_checkpoint = true\nprovider_installation {{\n  filesystem_mirror {{\n    path = "{top}/mirror"\n  }}\n}}\n'
    )
    provider = ProviderProcess(top)
    try:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(top),
            "TF_CLI_CONFIG_FILE": str(settings),
            "TF_REATTACH_PROVIDERS": provider.address(),
        }
        command = binary.find(None, "embedded", environment=environment, signals=Signals(lambda _: None)).command

        def act(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [*command, *arguments],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )

        yield act
    finally:
        provider.stop()


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(folder, folder.name)).absolute()


def own_tests(core: Core, folder: Path) -> subprocess.CompletedProcess[str]:
    ready = core(folder, "init", "-backend=false", "-input=false", "-no-color")
    assert ready.returncode == 0, ready.stderr
    return core(folder, "test", "-no-color")


@pytest.mark.parametrize("top", [GOLDEN, ROOT / "modules", ROOT / "examples"], ids=lambda p: p.name)
def test_terraform_finds_nothing_to_format(top: Path, core: Core) -> None:
    done = core(top, "fmt", "-check", "-recursive", "-diff", "-no-color")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_its_own_tests_pass(folder: Path, core: Core) -> None:
    done = own_tests(core, copied(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout
    assert done.stdout.count("... pass") >= 5


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_a_second_plan_is_empty(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    there = copied(folder)
    code = run(["rehearse", str(there / "examples/basic" if (there / "examples").is_dir() else there)])
    told = capfd.readouterr()
    assert code == 0, told.err + told.out
    steps = {line[:11].strip(): line for line in told.out.splitlines()}
    assert steps["validate"].endswith("  valid")
    assert steps["second plan"].endswith("  no changes")
    assert "destroyed" in steps["destroy"] or "nothing to do" in steps["destroy"]


@pytest.mark.parametrize("name", [path.name for path in sorted((ROOT / "modules").iterdir())])
def test_the_caller_of_a_module_is_valid(name: str, core: Core) -> None:
    caller = Path("examples/modules", name).absolute()
    shutil.copytree(ROOT / "examples/modules" / name, caller)
    shutil.copytree(ROOT / "modules" / name, Path("modules", name))
    assert run(["lint", str(caller)]) == 0
    ready = core(caller, "init", "-input=false", "-no-color")
    assert ready.returncode == 0, ready.stderr
    done = core(caller, "validate", "-no-color")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Success!" in done.stdout and "Warning" not in done.stdout


DAMAGED = [
    ("main.tf", "max(local.version_numbers.asked, local.version_numbers.real)", "1e60"),
    ("main.tf", "max(local.version_numbers.asked, local.version_numbers.real)", "local.version_numbers.real"),
    ("main.tf", "local_ssd_count  = 32", "local_ssd_count  = 16"),
    ("main.tf", '"ADVANCED_DATAPATH"', '"LEGACY_DATAPATH"'),
    ("variables.tf", "var.node_count >= 0", "var.node_count >= -9"),
    ("network.tf", "local.gvnic_start != local.rdma_start", 'local.gvnic_start != "x"'),
]


@pytest.mark.parametrize(("name", "old", "new"), DAMAGED)
def test_its_own_tests_see_damage(name: str, old: str, new: str, core: Core) -> None:
    there = copied(GOLDEN / "a3-ultra-multi-network")
    text = (there / name).read_text()
    assert old in text
    (there / name).write_text(text.replace(old, new))
    done = own_tests(core, there)
    assert done.returncode == 1
    assert "... fail" in done.stdout
