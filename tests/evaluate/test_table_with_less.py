"""The expressions of the table with one of their parts unknown, or sensitive."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from evaluate_console import load
from evaluate_names import Names, agrees

from generator.hcl import nodes
from generator.hcl.evaluate import evaluate
from generator.hcl.evaluate_base import deep_marks
from generator.hcl.nodes import Node
from generator.hcl.parser import parse_expression
from generator.hcl.source import Source
from generator.hcl.values import Value, unknown

FOLDER = Path("/nowhere/module")
HIDDEN = nodes.ScopeTraversal(0, 1, "var", (nodes.GetAttr("hidden"),))
ROWS = [str(row["expression"]) for row in load() if row["json"] is not None]
# A mark is dropped on purpose, or says nothing about what can be read from the result.
WITHOUT_MARKS = ("sensitive(", "can(", "try(", "?")


def with_one_part_hidden(node: Node) -> Iterator[tuple[Node, Node]]:
    """Each way to put `var.hidden` in the place of one part: the new node, and the part that was there."""
    for item in dataclasses.fields(node):
        value = getattr(node, item.name)
        if isinstance(value, Node) and not isinstance(value, nodes.KeyName | nodes.ObjectItem | nodes.SplatItem):
            for part, was in [(HIDDEN, value), *with_one_part_hidden(value)]:
                if not (isinstance(node, nodes.TemplateJoin) and part is HIDDEN):
                    yield replace(node, **{item.name: part}), was
        elif isinstance(value, Node):
            for part, was in with_one_part_hidden(value):
                yield replace(node, **{item.name: part}), was
        elif isinstance(value, tuple):
            for at, member in enumerate(value):
                if isinstance(member, Node):
                    whole = [] if isinstance(member, nodes.ObjectItem | nodes.KeyName) else [(HIDDEN, member)]
                    for part, was in [*whole, *with_one_part_hidden(member)]:
                        yield replace(node, **{item.name: (*value[:at], part, *value[at + 1 :])}), was


def cases(text: str) -> Iterator[tuple[Source, Node, Value]]:
    source = Source(FOLDER / "main.tf", text)
    for node, was in with_one_part_hidden(parse_expression(source)):
        value = evaluate(was, source, Names(FOLDER))
        if value.is_wholly_known:
            yield source, node, value


@pytest.mark.parametrize("start", range(0, len(ROWS), 200))
def test_a_hidden_part_never_gives_another_value(start):
    for text in ROWS[start : start + 200]:
        for source, node, value in cases(text):
            full = evaluate(node, source, Names(FOLDER, {"hidden": value}))
            for less in (unknown("hidden"), unknown("hidden", value.type)):
                found = evaluate(node, source, Names(FOLDER, {"hidden": less}))
                assert agrees(found, full), (text, node, found, full)


@pytest.mark.parametrize("start", range(0, len(ROWS), 200))
def test_what_hangs_on_a_sensitive_part_is_sensitive(start):
    for text in ROWS[start : start + 200]:
        if any(name in text for name in WITHOUT_MARKS):
            continue
        for source, node, value in cases(text):
            secret = evaluate(node, source, Names(FOLDER, {"hidden": replace(value, sensitive=True)}))
            hidden = evaluate(node, source, Names(FOLDER, {"hidden": unknown("hidden", value.type)}))
            if hidden.is_unknown and not secret.is_unknown:
                assert deep_marks(secret)[0], (text, node, secret)
