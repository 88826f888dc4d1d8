"""A value knows where it was written: the element first, then what it came through."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.hcl.source import Source, Span
from generator.hcl.values import TRAIL_LIMIT, Origin, Value, number, string

SOURCE = Source(Path("/m/variables.tf"), "the default")
ORIGIN = Origin(Span(SOURCE, 0, 11), "default of variable x")
X = Value(string("a").type, "a", (ORIGIN,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{a = "x", b = "y"}.b', ['"y"']),
        ('["x", "y"][1]', ['"y"']),
        ('[["x"], ["y"]][1][0]', ['"y"']),
        ("{a = var.x}.a", ["var.x", "the default"]),
        ("var.x", ["the default"]),
        ('merge({a = "x"}, {a = "y"}).a', ['"y"']),
        ('concat(["x"], ["y"])[1]', ['"y"']),
        ('lookup({a = "x"}, "a", "z")', ['"x"']),
        ('element(["x", "y"], 1)', ['"y"']),
        ('try({a = "x"}.b, ["y"][0])', ['"y"']),
        ("coalesce(null, [var.x][0])", ["var.x", "the default"]),
        ('true ? ["x"][0] : ["y"][0]', ['"x"']),
        ('[for v in ["x", "y"] : v][1]', ['"y"']),
        ('{for k, v in {a = "x"} : k => v}.a', ['"x"']),
        ('tolist(["x", "y"])[0]', ['"x"']),
        ("toset([1, 2]) == 1 ? 1 : tomap({a = 5}).a", ["5"]),
        ('flatten([["x"], ["y"]])[1]', ['"y"']),
        ('values({a = "x"})[0]', ['"x"']),
        ('{a = [{b = "x"}]}.a[*].b', []),
        ('({a = [{b = "x"}]}.a[*].b)[0]', ['"x"']),
        ('"a-${var.x}"', ["the default"]),
        ("upper(var.x)", ["the default"]),
        ("1 + [2][0]", ["2"]),
        ("-[2][0]", ["2"]),
        ('one(["x"])', ['"x"']),
        ('reverse(["x", "y"])[0]', ['"y"']),
        ('zipmap(["k"], ["x"]).k', ['"x"']),
        ("{a = 1}", []),
    ],
)
def test_trail(places, text, expected):
    assert places(text, x=X) == expected


def test_what_it_is(ev):
    assert [o.what for o in ev("{a = var.x}.a", x=X).trail] == ["element", "default of variable x"]


def test_the_trail_is_bounded(ev):
    text = "1"
    for _ in range(TRAIL_LIMIT + 3):
        text = f"[{text}][0]"
    assert len(ev(text).trail) == TRAIL_LIMIT
    many = " + ".join(f"[{i}][0]" for i in range(20))
    assert len(ev(many).trail) == TRAIL_LIMIT


def test_every_element_points_at_its_own_expression(ev):
    value = ev('{zones = [\n  "a",\n  "b",\n], n = 3}')
    zones = value.data["zones"]
    assert [v.trail[0].span.text for v in zones.data] == ['"a"', '"b"']
    assert zones.trail[0].span.source.position(zones.trail[0].span.start) == (1, 10)
    assert value.data["n"].trail[0].span.text == "3"
    assert number(3).trail == ()
