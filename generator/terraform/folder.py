"""The root module's folder: what lies in it that a plan depends on, and the private place for plans."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from generator.errors import InputError, ToolError
from generator.hcl.module_files import LOCK_FILE, file_kind
from generator.terraform.receipt import digest

PRIVATE = ".gke-rdma"
# How far a folder without configuration is searched for those that hold some.
_DEEPEST, _WIDEST = 3, 50


def root_folder(directory: Path) -> Path:
    """The folder of a root module, absolute.

    Raises:
        InputError: it is no folder, or holds no configuration.
    """
    if not directory.is_dir():
        found = "this is a file" if directory.exists() else "there is no such folder"
        raise InputError(f"{found}; the folder of a root module is needed", path=directory)
    try:
        names = [p.name for p in directory.iterdir()]
    except OSError as error:
        raise InputError(f"the folder cannot be read: {error.strerror}", path=directory) from error
    if not any(file_kind(name) for name in names):
        below = [shlex.quote(found.as_posix()) for found in _roots_below(directory)]
        hint = f"name one of its folders: {', '.join(below)}" if below else "gke-rdma generate SPEC -o DIR makes one"
        raise InputError("the folder holds no .tf file", hint=hint, path=directory)
    return directory.absolute()


def _roots_below(directory: Path) -> list[Path]:
    """The nearest folders below that hold configurations, a few of them."""
    found: list[Path] = []
    level = [directory]
    for _ in range(_DEEPEST):
        try:
            level = sorted(p for folder in level for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
            found += [p for p in level if any(file_kind(entry.name) for entry in p.iterdir())]
        except OSError:
            break
        level = level[:_WIDEST]
        if found:
            break
    return found[:3]


def private_folder(directory: Path) -> Path:
    """The folder's own place for plans and receipts, made when it is not there: only its owner can read it, git ignores it.

    Raises:
        ToolError: it cannot be made.
    """
    private = directory / PRIVATE
    try:
        private.mkdir(mode=0o700, exist_ok=True)
        ignore = private / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="ascii")
    except OSError as error:
        raise ToolError(f"{private} cannot be made: {error.strerror}", path=private) from error
    return private


def data_folder(directory: Path, environment: Mapping[str, str]) -> Path:
    """Where Terraform keeps what `init` has set up."""
    return directory / (environment.get("TF_DATA_DIR") or ".terraform")


def workspace(directory: Path, environment: Mapping[str, str]) -> str:
    """The workspace that Terraform uses."""
    if environment.get("TF_WORKSPACE"):
        return environment["TF_WORKSPACE"]
    chosen = data_folder(directory, environment) / "environment"
    try:
        return chosen.read_text(encoding="utf-8").strip() or "default"
    except (OSError, UnicodeDecodeError):
        return "default"


def backend_digest(directory: Path, environment: Mapping[str, str]) -> str | None:
    """sha256 of the settings of the backend that `init` has set up; None when it is the default one, or unknown here."""
    recorded = data_folder(directory, environment) / "terraform.tfstate"
    try:
        backend = json.loads(recorded.read_bytes()).get("backend")
    except (OSError, ValueError, AttributeError):
        return None
    return hashlib.sha256(json.dumps(backend, sort_keys=True).encode()).hexdigest() if backend else None


def module_folders(directory: Path, environment: Mapping[str, str]) -> list[Path]:
    """The folders of the root and of every module that it calls, as `init` has recorded them."""
    manifest = data_folder(directory, environment) / "modules" / "modules.json"
    try:
        entries = json.loads(manifest.read_bytes())["Modules"]
        called = [directory / entry["Dir"] for entry in entries]
    except (OSError, ValueError, KeyError, TypeError):
        called = []
    return list(dict.fromkeys(Path(os.path.normpath(folder)) for folder in [directory, *called]))


def input_digests(directory: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """sha256 of every configuration file of the tree, of the root's automatic variable files, and of the lock file.

    Returns:
        By path relative to the folder, with `/`.

    Raises:
        InputError: one of them cannot be read.
    """
    found: dict[str, str] = {}
    for folder in module_folders(directory, environment):
        try:
            names = sorted(p.name for p in folder.iterdir())
        except OSError:
            continue
        for name in names:
            path = folder / name
            if (file_kind(name) or (folder == directory and _is_automatic(name))) and path.is_file():
                try:
                    found[Path(os.path.relpath(path, directory)).as_posix()] = digest(path)
                except OSError as error:
                    raise InputError(f"the file cannot be read: {error.strerror}", path=path) from error
    return found


def _is_automatic(name: str) -> bool:
    fixed = name in ("terraform.tfvars", "terraform.tfvars.json", LOCK_FILE)
    return fixed or name.endswith((".auto.tfvars", ".auto.tfvars.json"))
