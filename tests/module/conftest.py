"""Folders of Terraform made in a test, and their module instances."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from generator.hcl.module import module_at
from generator.hcl.project import Options, Project
from generator.hcl.scope import Environment, ModuleInstance
from generator.hcl.variables import RootVariables

TYPES = frozenset({"google_container_cluster", "google_container_node_pool"})


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write files, given as text by relative path, and return the folder."""

    def write_files(files: dict[str, str] | str, folder: str = ".") -> Path:
        listed = {"main.tf": files} if isinstance(files, str) else files
        for name, text in listed.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8", newline="")
        return (tmp_path / folder).resolve()

    return write_files


class NoKnowledge:
    """Knows nothing of any resource type."""

    def argument_type(self, mode: str, type_: str, name: str) -> None:
        return None

    def takes_blocks(self, mode: str, type_: str, name: str) -> bool:
        return False

    def unwritten(self, mode: str, type_: str, name: str) -> None:
        return None


@pytest.fixture
def instance(write: Callable[..., Path]) -> Callable[..., ModuleInstance]:
    """The root module instance of files, with the values that Terraform would give its variables."""

    def make(
        files: dict[str, str] | str, *, environment: dict[str, str] | None = None, **more: object
    ) -> ModuleInstance:
        directory = write(files)
        names = [p.name for p in directory.iterdir() if p.is_file()]
        variables = RootVariables(directory, names, environment or {}, **more)

        def inputs(of: ModuleInstance, name: str):
            return variables.value(of.module.declared.variables.get(name), name)

        project = Project(directory, Options(TYPES))
        shared = Environment(directory, lambda folder: project.module(folder, "terraform"), NoKnowledge())
        return ModuleInstance(module_at(directory, "terraform"), shared, inputs)

    return make


@pytest.fixture
def project(write: Callable[..., Path]) -> Callable[..., Project]:
    """A project over files."""

    def make(files: dict[str, str], **options: object) -> Project:
        return Project(write(files), Options(TYPES, **options))

    return make
