"""What is not known stays unknown, in part where only a part is, and never becomes a guess."""

from __future__ import annotations

import pytest

from generator.hcl.functions import json_text
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, list_of
from generator.hcl.values import UnknownData, Value, number, string, unknown

NOTHING = unknown("variable x has no value")
TEXT = unknown("variable x has no value", STRING)


@pytest.mark.parametrize(
    "text",
    [
        "var.x && false",
        "false && var.x",
        "true || var.x",
        "var.x || true",
        "try(true || null.a, false)",
        "try(null && true, 5)",
        "try(false && tobool(null), 5)",
        "var.x + 1",
        "-var.x",
        "!var.x",
        "var.x == null",
        "var.x != var.x",
        "var.x ? 1 : 2",
        "var.x ? 1 : 1",
        '"a${var.x}"',
        "var.x[0]",
        "var.x.a",
        "var.x[*].a",
        "[1, 2][var.x]",
        "{a = 1}[var.x]",
        "[for v in var.x : v]",
        "[for v in [1, 2] : v if var.x]",
        "{for v in [1, 2] : var.x => v...}",
        "{(var.x) = 1, b = 2}",
        'try(var.x, "other")',
        'try(var.x.a, "other")',
        'try([var.x], "other")',
        "can(var.x)",
        "can(var.x.a)",
        'coalesce(var.x, "a")',
        'coalesce(null, var.x, "a")',
        "length(var.x)",
        'length(toset(["a", var.x]))',
        'tolist(toset(["a", var.x]))',
        "tolist([1, var.x])",
        "max(1, var.x)",
        'join(",", ["a", var.x])',
        "lookup({a = 1}, var.x, 2)",
        "contains([1, var.x], 2)",
        "distinct([1, var.x])",
        "flatten([[1], var.x])",
        "concat([1], var.x)",
        "merge({a = 1}, var.x)",
        "jsonencode({a = var.x})",
        'format("%s", var.x)',
        "keys(var.x)",
        "true ? 1 : var.x",
        "true ? true : var.x",
        'true ? ["b", "a"] : var.x',
        'sort(["a", var.x])',
        "[1, var.x] == [1, 2]",
        "index([var.x, 1], 1)",
        "issensitive(var.x)",
        'provider::google::name_from_id("a")',
        "nosuchfunction(1)",
        'try(nosuchfunction(1), "other")',
        "local.nothing",
        'try(1 / 0, "other")',
    ],
)
def test_is_unknown(ev, text):
    assert ev(text, x=NOTHING).is_unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, var.x][0]", "1"),
        ("{a = 1, b = var.x}.a", "1"),
        ("length([1, var.x])", "2"),
        ("keys({a = var.x})", '["a"]'),
        ('contains(["a", var.x], "a")', "true"),
        ('true ? "a" : var.x', '"a"'),
        ("true ? null : var.x", "null"),
        ('coalesce("a", var.x)', '"a"'),
        ('try("a", var.x)', '"a"'),
        ("[for v in [var.x] : 1]", "[1]"),
        ("merge({a = 1}, {b = var.x}).a", "1"),
        ("[1, var.x] == [2, 3]", "false"),
        ("[1, var.x] == [1]", "false"),
        ("alltrue([false, var.x])", "false"),
        ("anytrue([true, var.x])", "true"),
        ('lookup({a = var.x}, "b", 1)', "1"),
        ('lookup({a = 1, b = var.x}, "a", 2)', "1"),
        ('element(["a", var.x], 0)', '"a"'),
        ('tolist(["a", var.x])[0]', '"a"'),
        ('slice(["a", var.x], 0, 1)', '["a"]'),
        ('index(["a", var.x], "a")', "0"),
        ('concat(["a"], [var.x])[0]', '"a"'),
        ('zipmap(["a", "b"], [1, var.x]).a', "1"),
        ('true ? {a = "x", b = 1} .a : var.x', '"x"'),
    ],
)
def test_known_parts_stay_known(ev, text, expected):
    assert json_text.encode(ev(text, x=NOTHING)) == expected


def test_an_unknown_keeps_its_reason_and_its_resource(ev):
    data = UnknownData("google_container_cluster.c.id is known after apply", "google_container_cluster.c")
    for text in ("var.x", "var.x.name", '"${var.x}/nodes"', "[var.x][0]", "var.x[0].a", "upper(var.x)"):
        assert ev(text, x=Value(ANY, data)).data == data


def test_an_unknown_keeps_its_type(ev):
    assert ev("var.x", x=TEXT).type == STRING
    assert ev("var.x + 1", x=NOTHING).type == NUMBER
    assert ev("var.x == 1", x=NOTHING).type == BOOL
    assert ev('"a${var.x}"', x=NOTHING).type == STRING
    assert ev("upper(var.x)", x=NOTHING).type == STRING
    assert ev('var.x ? "a" : "b"', x=NOTHING).type == STRING
    assert ev("var.x[0]", x=unknown("", list_of(STRING))).type == STRING


def test_parts_with_a_known_type_stay_in_lists(ev):
    value = ev('toset(["b", var.x, "a"])', x=TEXT)
    assert [v.data for v in value.data[:2]] == ["a", "b"]
    assert value.data[2].is_unknown


def test_an_open_object_has_more_attributes(ev):
    resource = Value(ev("{a = 1}").type, {"a": number(1)}, open=True)
    assert ev("var.r.a", r=resource).data == 1
    for text in ("var.r.b", 'var.r["b"]', "keys(var.r)", 'lookup(var.r, "b", 1)', "try(var.r.b, 1)", "length(var.r)"):
        assert ev(text, r=resource).is_unknown, text
    assert ev("merge(var.r, {c = 1})", r=resource).is_unknown
    assert ev("var.r == {a = 2}", r=resource).data is False


def test_a_sensitive_value_marks_what_is_made_of_it(ev):
    secret = Value(STRING, "s3cret", sensitive=True)
    for text in (
        "var.s",
        '"a${var.s}"',
        "upper(var.s)",
        'var.s == "a"',
        "[var.s][0]",
        "{a = var.s}.a",
        'var.s == "" ? 1 : 2',
        'join(",", ["a", var.s])',
        "jsonencode({a = [var.s]})",
        'split(",", var.s)',
        "{(var.s) = 1}",
        "[1, 2][length(var.s) - 5]",
        'format("%s", var.s)',
        "try(var.s, 1)",
        "coalesce(null, var.s)",
        '[for v in [1] : v if var.s != ""]',
        'contains([var.s], "a")',
    ):
        assert ev(text, s=secret).sensitive, text
    assert not ev("[var.s]", s=secret).sensitive
    assert not ev("nonsensitive(var.s)", s=secret).sensitive
    assert ev("sensitive(1)").sensitive
    assert ev("issensitive(var.s)", s=secret).data is True


def test_a_failure_never_shows_a_sensitive_key(ev):
    value = ev("{a = 1}[var.s]", s=Value(STRING, "s3cret", sensitive=True))
    assert "s3cret" not in value.data.reason


def test_strings_beside_an_unknown_type(ev):
    value = ev('true ? {a = "x", b = 1} : var.x', x=NOTHING)
    assert value.data["a"] == string("x") or value.data["a"].data == "x"
    assert value.data["b"].is_unknown
