"""Conversions to types as an argument or a variable asks for them, and the reason when there is none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.hcl.convert import Mismatch, convert
from generator.hcl.convert_numbers import number_text, parse_number, whole
from generator.hcl.functions import json_text
from generator.hcl.functions.json_text import from_plain
from generator.hcl.parser import parse_expression
from generator.hcl.source import Source
from generator.hcl.typeexpr import TypeExpressionError, type_constraint
from generator.hcl.types import NUMBER, STRING, list_of, map_of, set_of
from generator.hcl.values import Value, boolean, null, number, string, unknown


@pytest.fixture
def type_of(tmp_path):
    def run(text: str):
        source = Source(tmp_path / "variables.tf", text)
        return type_constraint(parse_expression(source), source)

    return run


@pytest.mark.parametrize(
    ("given_text", "type_text", "expected"),
    [
        ('"32"', "number", "32"),
        ('"1.50"', "number", "1.5"),
        ("true", "string", '"true"'),
        ("1.50", "string", '"1.5"'),
        ('"true"', "bool", "true"),
        ('"0"', "bool", "false"),
        ('["b", "a", "b"]', "set(string)", '["a","b"]'),
        ("[1, 2]", "list(string)", '["1","2"]'),
        ('toset(["b", "a"])', "list(string)", '["a","b"]'),
        ("{a = true}", "map(string)", '{"a":"true"}'),
        ('[1, "a"]', "list(any)", '["1","a"]'),
        ('[1, "a"]', "tuple([string, string])", '["1","a"]'),
        ("{a = 1}", "any", '{"a":1}'),
        ("{a = 1}", "map(any)", '{"a":1}'),
        ("[1]", "list", "[1]"),
        ("{a = [1]}", "map(list(string))", '{"a":["1"]}'),
        ('[[1], ["a"]]', "list(list(any))", '[["1"],["a"]]'),
        ("null", "list(string)", "null"),
        ("[null]", "list(string)", "[null]"),
        ('{a = "x", more = 1}', "object({a = string})", '{"a":"x"}'),
        ('{a = "1"}', "object({a = number, b = optional(string)})", '{"a":1,"b":null}'),
        ('{a = "1"}', "object({a = number, b = optional(string, 5)})", '{"a":1,"b":"5"}'),
        ("{a = 1, b = null}", "object({a = number, b = optional(string, 5)})", '{"a":1,"b":"5"}'),
        ("{a = 1, b = null}", "object({a = number, b = optional(string)})", '{"a":1,"b":null}'),
        ("[{}]", "list(object({a = optional(list(string), [])}))", '[{"a":[]}]'),
        ("{}", "object({o = optional(object({n = optional(number, 3)}), {})})", '{"o":{"n":3}}'),
        ("{}", "object({o = optional(object({n = optional(number, 3)}))})", '{"o":null}'),
        ("{}", 'object({z = optional(string, upper("a"))})', '{"z":"A"}'),
        ('tomap({a = "1"})', "object({a = number})", '{"a":1}'),
        ("{b = {x = 1}}", "map(object({x = number, y = optional(bool, true)}))", '{"b":{"x":1,"y":true}}'),
    ],
)
def test_converts(ev, type_of, given_text, type_text, expected):
    result = convert(ev(given_text), type_of(type_text))
    assert isinstance(result, Value)
    assert json_text.encode(result) == expected


@pytest.mark.parametrize(
    ("given_text", "type_text", "reason", "path"),
    [
        ('"x"', "number", "a number is required", ()),
        ('"yes"', "bool", "bool required", ()),
        ("1", "bool", "bool required", ()),
        ('["a"]', "string", "string required", ()),
        ('"a"', "list(string)", "list of string required", ()),
        ("[[1]]", "list(string)", "string required", (0,)),
        ('{a = ["x"]}', "map(list(number))", "a number is required", ("a", 0)),
        ("{b = 1}", "object({a = string})", 'attribute "a" is required', ()),
        ("[{a = 1}, {}]", "list(object({a = number}))", 'attribute "a" is required', (1,)),
        ("[1]", "map(string)", "map of string required", ()),
        ("{a = 1}", "set(string)", "set of string required", ()),
        ("[1]", "tuple([number, number])", "tuple with 2 elements required", ()),
        ("[[1], {}]", "list(any)", "all elements must have the same type", ()),
    ],
)
def test_says_what_does_not_fit_and_where(ev, type_of, given_text, type_text, reason, path):
    result = convert(ev(given_text), type_of(type_text))
    assert isinstance(result, Mismatch)
    assert (result.reason, result.path) == (reason, path)


def test_the_part_that_does_not_fit_keeps_its_place(ev, type_of):
    result = convert(ev('{a = ["1", "x"]}'), type_of("map(list(number))"))
    assert isinstance(result, Mismatch)
    assert result.value.trail[0].span.text == '"x"'


def test_unknowns_stay_and_take_the_type(type_of):
    result = convert(unknown("why"), STRING)
    assert isinstance(result, Value)
    assert result.is_unknown
    assert result.type == STRING
    inside = convert(Value(list_of(STRING), (string("a"), unknown("why"))), set_of(STRING))
    assert isinstance(inside, Value)
    assert inside.type == set_of(STRING)
    assert [v.is_unknown for v in inside.data] == [False, True]


def test_an_unknown_of_a_type_that_never_fits_does_not_fit(type_of):
    assert isinstance(convert(unknown("why", list_of(STRING)), NUMBER), Mismatch)
    assert isinstance(convert(unknown("why", STRING), list_of(STRING)), Mismatch)
    assert isinstance(convert(unknown("why", STRING), NUMBER), Value)


def test_marks_and_trails_stay(ev):
    secret = Value(STRING, "5", ev('["5"][0]').trail, sensitive=True)
    result = convert(secret, NUMBER)
    assert isinstance(result, Value)
    assert (result.data, result.sensitive, result.trail) == (5, True, secret.trail)


def test_an_open_object_stays_unknown_where_it_is_not_written(type_of):
    value = Value(from_plain({"a": 1}).type, {"a": number(1)}, open=True)
    result = convert(value, type_of("object({a = string, b = string})"))
    assert isinstance(result, Value)
    assert result.data["a"].data == "1"
    assert result.data["b"].is_unknown
    assert convert(value, map_of(STRING)).is_unknown


@pytest.mark.parametrize(
    "text",
    ["foo", '"number"', '"foo"', "1", "list(string, number)", "list()", "object(string)", "tuple(string)", "set(foo)",
     "object({a = optional()})", "optional(string)", "map(list(nope))", "string.a", "object({(a) = string})"],
)  # fmt: skip
def test_what_is_no_type_constraint(type_of, text):
    with pytest.raises(TypeExpressionError) as caught:
        type_of(text)
    assert caught.value.reason


def test_old_ways_to_write_a_type(type_of):
    assert type_of('"string"') == STRING
    assert type_of('"list"') == list_of(STRING)
    assert type_of('"map"') == map_of(STRING)
    assert type_of("((string))") == STRING


def test_in_json_syntax_a_type_is_a_string(tmp_path):
    def read(text: str):
        source = Source(tmp_path / "variables.tf.json", text)
        return type_constraint(parse_expression(source), source)

    assert read('"list(string)"') == list_of(STRING)
    assert read('"number"') == NUMBER
    type_ = read('"object({a = optional(number, 3)})"')
    assert convert(from_plain({}), type_).data["a"].data == 3
    for text in ('"list("', '"foo"', '""'):
        with pytest.raises(TypeExpressionError):
            read(text)


def test_a_default_is_evaluated_when_asked_for_only(type_of):
    type_ = type_of("object({a = optional(string, local.nothing)})")
    assert convert(from_plain({"a": "x"}), type_).data["a"].data == "x"
    assert convert(from_plain({}), type_).data["a"].is_unknown


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers().map(lambda n: whole(Fraction(n, 64)))
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def plain(data):
    if isinstance(data, list):
        return [plain(v) for v in data]
    if isinstance(data, dict):
        return {k: plain(v) for k, v in data.items()}
    return data


@settings(deadline=None, max_examples=100)
@given(PLAIN)
def test_a_value_converts_to_its_own_type(data):
    value = from_plain(plain(data))
    result = convert(value, value.type)
    assert isinstance(result, Value)
    assert result == value


@settings(deadline=None, max_examples=100)
@given(PLAIN)
def test_json_there_and_back(data):
    value = from_plain(plain(data))
    assert json_text.decode(json_text.encode(value)) == value


@settings(deadline=None, max_examples=100)
@given(st.integers() | st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_a_number_as_text_and_back(data):
    value = parse_number(str(data).replace("-0", "0") if data == 0 else f"{data:f}")
    assert parse_number(number_text(value)) == value
    text = convert(number(value), STRING)
    assert isinstance(text, Value)
    again = convert(text, NUMBER)
    assert isinstance(again, Value)
    assert again.data == value


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(max_size=4) | st.integers() | st.none(), max_size=6))
def test_a_set_of_a_list_of_a_set_is_the_same_set(data):
    first = convert(from_plain(data), set_of(STRING))
    assert isinstance(first, Value)
    listed = convert(first, list_of(STRING))
    assert isinstance(listed, Value)
    assert convert(listed, set_of(STRING)) == first
    texts = [v.data for v in first.data if v.data is not None]
    assert texts == sorted(set(texts))


@settings(deadline=None, max_examples=100)
@given(PLAIN, PLAIN)
def test_converting_never_raises(data, other):
    result = convert(from_plain(plain(data)), from_plain(plain(other)).type)
    assert isinstance(result, Value | Mismatch)


def test_bools_and_nulls():
    assert convert(null(), STRING) == Value(STRING, None)
    assert convert(boolean(True), STRING) == string("true")
