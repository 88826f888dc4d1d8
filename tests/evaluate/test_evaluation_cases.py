"""The small files whose value Terraform itself was asked for: each value is Terraform's or unknown."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from evaluate_names import Names

from generator.hcl.evaluate import evaluate
from generator.hcl.functions import json_text
from generator.hcl.parser import parse
from generator.hcl.source import Source
from generator.hcl.values import Value

FOLDER = Path(__file__).parents[1] / "hcl" / "cases"
ANSWERS = json.loads((FOLDER / "values.json").read_text(encoding="utf-8"))
NAMES = [name for name in ANSWERS if (FOLDER / "values" / f"{name}.tf").exists()]


def evaluated(name: str) -> Value | None:
    """The value of the local that a file is about; None when the file is not valid."""
    path = FOLDER / "values" / f"{name}.tf"
    source = Source(path, path.read_bytes().decode())
    file = parse(source)
    for block in file.body.blocks:
        if block.type == "locals" and name in block.body.attributes and not file.problems:
            return evaluate(block.body.attributes[name].expression, source, Names(path.parent))
    return None


@pytest.mark.parametrize("name", NAMES)
def test_value_is_terraforms_or_unknown(name):
    answer, value = ANSWERS[name]["terraform"], evaluated(name)
    if answer is None or answer[0] != "OK":
        assert value is None or value.is_unknown
        return
    assert value is not None
    if value.is_wholly_known:
        assert json.loads(json_text.encode(value), parse_float=Fraction) == json.loads(answer[1], parse_float=Fraction)


def test_nearly_all_are_known():
    answered = [name for name in NAMES if ANSWERS[name]["terraform"] and ANSWERS[name]["terraform"][0] == "OK"]
    values = [evaluated(name) for name in answered]
    assert len([v for v in values if v is None or not v.is_wholly_known]) <= 2
    assert len(answered) > 100
