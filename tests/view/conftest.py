"""Module trees of files made in a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from generator.hcl.project import Options, Project
from generator.schema.provider import types_of_interest
from generator.view import ModuleTree, Span
from generator.view.text import trees


@pytest.fixture
def all_trees(tmp_path: Path) -> Callable[..., list[ModuleTree]]:
    """The trees that hold some folders, of files given as text by relative path."""

    def make(files: dict[str, str] | str, *folders: str, **options: object) -> list[ModuleTree]:
        for name, text in ({"main.tf": files} if isinstance(files, str) else files).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8", newline="")
        project = Project(tmp_path, Options(types_of_interest(), **options))
        return trees(project, [project.top / f for f in folders or (".",)])

    return make


@pytest.fixture
def tree(all_trees: Callable[..., list[ModuleTree]]) -> Callable[..., ModuleTree]:
    """The one tree of files."""

    def make(*args: object, **options: object) -> ModuleTree:
        (found,) = all_trees(*args, **options)
        return found

    return make


@pytest.fixture
def place() -> Callable[[Span], str]:
    """A span as `file:line:column-line:column`."""

    def text(span: Span) -> str:
        (line, column), (end_line, end_column) = span.source.position(span.start), span.source.position(span.end)
        return f"{span.source.path.name}:{line}:{column}-{end_line}:{end_column}"

    return text
