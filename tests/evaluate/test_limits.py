"""Hostile expressions end soon, without an error of Python's."""

from __future__ import annotations

import time

import pytest
from evaluate_names import Names

from generator.hcl import nodes
from generator.hcl.evaluate import evaluate
from generator.hcl.evaluate_base import MAX_WEIGHT
from generator.hcl.source import Source
from generator.hcl.values import Value, string, unknown

BLOWN = f'join("", [for i in range(1000) : "{"x" * 100}"])'


@pytest.mark.parametrize(
    "text",
    [
        "range(1000000)",
        "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : 1]]]",
        "length([for a in range(1000) : [for b in range(1000) : 1]])",
        f'replace({BLOWN}, "x", {BLOWN})',
        f'format("%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s", {", ".join([BLOWN] * 16)})',
        'format("%1000000s", "a")',
        'indent(1000000, "\\n\\n\\n")',
        f"setproduct({', '.join(['range(100)'] * 4)})",
        'tonumber("1e1000000000")',
        'tonumber("1e-1000000000")',
        "pow(10, 1000000)",
        "pow(2, 1e300)",
        'parseint("' + "9" * 10000 + '", 10)',
        'jsondecode("' + "[" * 5000 + '")',
        'yamldecode("' + "[" * 5000 + '")',
        'regex("(((a{1000}){1000}){1000})", "a")',
        'regex("(a{1000}){1000}", "a")',
        'regex("' + "(" * 200 + '", "a")',
        f'regex("(x*)*(x*)*(x*)*y", {BLOWN})',
        'yamldecode("a: &a [x,x,x,x,x,x,x,x,x]\\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\\nd: &d '
        '[*c,*c,*c,*c,*c,*c,*c,*c,*c]\\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]")',
        "flatten([for a in range(1000) : range(1000)])",
        "concat([for a in range(300) : range(300)]...)",
        "merge([for a in range(1000) : {for b in range(500) : b => b}]...)",
        'cidrsubnets("10.0.0.0/8", [for i in range(1000) : 1]...)',
    ],
)
def test_ends_soon_and_is_unknown(ev, text):
    started = time.process_time()
    assert ev(text).is_unknown
    assert time.process_time() - started < 2.5


def test_a_chain_of_operators_is_not_recursive(tmp_path):
    node: nodes.Node = nodes.Literal(0, 1, 1)
    for _ in range(20_000):
        node = nodes.Binary(0, 1, "+", node, nodes.Literal(0, 1, 1))
    source = Source(tmp_path / "main.tf", "1")
    assert evaluate(node, source, Names(tmp_path)).data == 20_001


def test_deep_nesting_is_evaluated_or_unknown(ev):
    for depth in (20, 60, 100):
        assert ev("[" * depth + "]" * depth) is not None
        assert ev("(" * depth + "1" + ")" * depth).data == 1
        assert ev("upper(" * depth + '"a"' + ")" * depth).data == "A"


def test_values_that_double_stay_bounded(ev):
    value: Value = string("x")
    heaviest = 0
    for _ in range(40):
        value = ev("[var.x, var.x]", x=value)
        heaviest = max(heaviest, value.weight)
    assert 10_000 < heaviest <= MAX_WEIGHT


def test_deeply_nested_values_end(ev):
    value: Value = string("x")
    for _ in range(600):
        value = ev("[var.x]", x=value)
    for text in ("jsonencode(var.x)", "var.x == var.x", "flatten(var.x)", "toset([var.x])", "tolist([var.x, []])"):
        assert isinstance(ev(text, x=value), Value)


def test_the_pattern_that_makes_others_hang(ev):
    started = time.process_time()
    assert ev('can(regex("^(a+)+$", "' + "a" * 300 + '!"))').data is False
    assert time.process_time() - started < 1


def test_a_scope_may_answer_with_anything(ev):
    assert ev("other.thing[0].x").is_unknown
    assert ev("other").is_unknown
    assert ev("var.x", x=unknown("no value")).data.reason == "no value"
