from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from generator.hcl.evaluate import evaluate
from generator.hcl.nodes import GetAttr, Step
from generator.hcl.parser import parse_expression
from generator.hcl.source import Source
from generator.hcl.values import Value, string, unknown


class Names:
    """A scope of named values: `var.x`; anything else is unknown."""

    def __init__(self, folder: Path, values: dict[str, Value] | None = None) -> None:
        self.module_dir = folder
        self.root_dir = folder
        self.values = values or {}

    def lookup(self, root: str, steps: tuple[Step, ...]) -> tuple[Value, int]:
        first = steps[0] if steps else None
        if root == "path" and first == GetAttr("module"):
            return string("."), 1
        if root == "var" and isinstance(first, GetAttr) and first.name in self.values:
            return self.values[first.name], 1
        return unknown(f"{root} is not known"), len(steps)


class Evaluate(Protocol):
    def __call__(self, text: str, **variables: Value) -> Value: ...


@pytest.fixture
def ev(tmp_path: Path) -> Evaluate:
    """Evaluates the text of an expression; keywords are variables."""

    def run(text: str, **variables: Value) -> Value:
        source = Source(tmp_path / "main.tf", text)
        return evaluate(parse_expression(source), source, Names(tmp_path, variables))

    return run


@pytest.fixture
def places(ev: Evaluate) -> Callable[..., list[str]]:
    """The texts that the trail of an expression's value points at."""

    def run(text: str, **variables: Value) -> list[str]:
        return [origin.span.text for origin in ev(text, **variables).trail]

    return run
