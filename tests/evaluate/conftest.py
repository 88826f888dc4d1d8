from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from evaluate_names import Names

from generator.hcl.evaluate import evaluate
from generator.hcl.parser import parse_expression
from generator.hcl.source import Source
from generator.hcl.values import Value


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
