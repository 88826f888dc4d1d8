"""The throw-away copy: a folder of its own, an environment without accounts, a state of its own."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from generator.errors import ToolError
from generator.hcl.module_files import LOCK_FILE
from generator.rehearsal import leftovers

OVERRIDE = "zzzz_rehearsal_override.tf"

# Accounts, and what would make Terraform look elsewhere than into the copy. Prefixes of names of environment variables.
_HIDDEN = (
    "APPDATA",
    "ARM_",
    "AWS_",
    "AZURE_",
    "CLOUDSDK_",
    "GCE_METADATA",
    "GCLOUD_",
    "GOOGLE_",
    "KUBE",
    "TF_CLI_CONFIG_FILE",
    "TF_DATA_DIR",
    "TF_PLUGIN_CACHE",
    "TF_REATTACH_PROVIDERS",
    "TF_TOKEN_",
    "TF_WORKSPACE",
    "TERRAFORM_CONFIG",
    "USERPROFILE",
    "XDG_",
)
_STATE = ("terraform.tfstate", "terraform.tfstate.backup", "errored.tfstate")
_MODULES = Path(".terraform/modules")


@dataclass(frozen=True, slots=True)
class Copy:
    """A throw-away copy.

    Attributes:
        top: everything lies in it: the copy, an empty HOME, the state, the stand-in's cloud.
        base: the folder that was copied, absolute: the root module's, or one above it and all modules that it calls.
        root: the copy of the root module's folder.
    """

    top: Path
    base: Path
    root: Path

    def of(self, original: Path) -> Path:
        """The copy of a file or folder."""
        return self.top / "copy" / original.relative_to(self.base)

    def original(self, path: Path | str) -> Path:
        """What a file or folder of the copy is a copy of; others are themselves."""
        found = Path(path)
        copied = self.top / "copy"
        return self.base / found.relative_to(copied) if found.is_relative_to(copied) else found


@contextmanager
def copy(root: Path, modules: Iterable[Path], *, keep: bool) -> Iterator[Copy]:
    """A copy of a root module and of the modules that it calls, gone at the end.

    Args:
        root: the root module's folder, absolute.
        modules: folders of local modules; those outside of `root` are copied too, at the same relative place.
        keep: leave it there.

    Raises:
        ToolError: it cannot be made.
    """
    leftovers.clean_up()
    # The real path: Terraform reports files by it, and macOS' temporary folder is a link.
    top = Path(tempfile.mkdtemp(prefix=leftovers.PREFIX)).resolve()
    with nullcontext() if keep else leftovers.held(top):
        yield from _copy(top, root, modules, keep=keep)


def _copy(top: Path, root: Path, modules: Iterable[Path], *, keep: bool) -> Iterator[Copy]:
    try:
        outside = [folder for folder in modules if not folder.is_relative_to(root)]
        base = Path(os.path.commonpath([root, *outside]))
        made = Copy(top, base, top / "copy" / root.relative_to(base))
        try:
            for folder in (root, *outside):
                _copy_folder(folder, made.of(folder))
            if (root / _MODULES).is_dir():
                shutil.copytree(root / _MODULES, made.root / _MODULES, dirs_exist_ok=True)
            (top / "home").mkdir()
            (top / "mirror").mkdir()
            _write_configuration(made)
        except (OSError, shutil.Error) as error:
            raise ToolError(f"the throw-away copy cannot be made: {error}") from error
        yield made
    finally:
        if not keep:
            shutil.rmtree(top, ignore_errors=True)


def without_accounts(base: Mapping[str, str]) -> dict[str, str]:
    """The environment without what gives access to an account, or makes Terraform look elsewhere than into the copy."""
    return {name: value for name, value in base.items() if not name.upper().startswith(_HIDDEN)}


def environment(base: Mapping[str, str], made: Copy, reattach: str) -> dict[str, str]:
    """The environment for Terraform: the user's own without accounts, with an empty HOME.

    Args:
        base: the user's.
        made: the copy.
        reattach: where the stand-in provider listens, as `TF_REATTACH_PROVIDERS` has it.
    """
    return without_accounts(base) | {
        "HOME": str(made.top / "home"),
        "TF_CLI_CONFIG_FILE": str(made.top / "terraform.tfrc"),
        "TF_REATTACH_PROVIDERS": reattach,
    }


def _write_configuration(made: Copy) -> None:
    # Terraform takes providers from this empty mirror alone, so it never asks a registry.
    mirror = json.dumps(str(made.top / "mirror"))
    (made.top / "terraform.tfrc").write_text(
        f"disable_checkpoint = true\nprovider_installation {{\n  filesystem_mirror {{\n    path = {mirror}\n  }}\n}}\n",
        "utf-8",
    )
    state = json.dumps(str(made.top / "terraform.tfstate"))
    (made.root / OVERRIDE).write_text(f'terraform {{\n  backend "local" {{\n    path = {state}\n  }}\n}}\n', "utf-8")


def _copy_folder(source: Path, target: Path) -> None:
    """Copy what a configuration may read: everything but hidden folders, states and the lock file."""
    target.mkdir(parents=True, exist_ok=True)
    for entry in sorted(os.scandir(source), key=lambda found: found.name):
        name = entry.name
        if entry.is_dir():
            inside = Path(entry.path).resolve()
            # A link to a folder around it has no end.
            if not name.startswith(".") and not source.resolve().is_relative_to(inside):
                _copy_folder(Path(entry.path), target / name)
        elif entry.is_file() and name != LOCK_FILE and name not in _STATE:
            shutil.copy2(entry.path, target / name)
            (target / name).chmod(0o600)
