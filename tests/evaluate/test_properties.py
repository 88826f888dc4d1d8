"""Whatever the nodes: no error, and what is said with less knowledge is never taken back with more."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from evaluate_names import Names, agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.hcl import nodes
from generator.hcl.evaluate import evaluate
from generator.hcl.functions.call import names
from generator.hcl.functions.json_text import from_plain
from generator.hcl.nodes import Node
from generator.hcl.source import Source
from generator.hcl.values import Value, unknown

FOLDER = Path("/nowhere/module")
SOURCE = Source(FOLDER / "main.tf", "x" * 10)
TEXTS = st.sampled_from(
    ["", "a", "b", "1", "true", "10.0.0.0/8", "a,b", "(", "%s", "é", "null", "2024-01-01T00:00:00Z"]
)
CONSTANTS = (
    st.none() | st.booleans() | st.integers(-3, 70) | st.sampled_from([Fraction(1, 2), Fraction(-7, 3), 10**40]) | TEXTS
)
NAMES = ("a", "b", "c")
OPERATORS = ("+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "&&", "||")
PLAIN = st.recursive(
    CONSTANTS.filter(lambda v: v != Fraction(-7, 3)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abk"), inner, max_size=3),
    max_leaves=5,
)


def step() -> st.SearchStrategy[nodes.Step]:
    return st.sampled_from([nodes.GetAttr("a"), nodes.GetAttr("k"), nodes.GetIndex(0), nodes.GetIndex("b")])


def steps() -> st.SearchStrategy[tuple[nodes.Step, ...]]:
    return st.lists(step(), max_size=2).map(tuple)


def variables() -> st.SearchStrategy[Node]:
    return st.builds(
        lambda name, more: nodes.ScopeTraversal(0, 1, "var", (nodes.GetAttr(name), *more)),
        st.sampled_from(NAMES),
        steps(),
    )


LEAVES = (
    st.builds(lambda v: nodes.Literal(0, 1, v), CONSTANTS)
    | variables()
    | variables()
    | st.builds(lambda more: nodes.ScopeTraversal(0, 1, "v", more), steps())
    | st.just(nodes.SplatItem(0, 1))
)


def compound(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    many = st.lists(inner, max_size=3).map(tuple)
    maybe = st.none() | inner
    item = st.builds(
        lambda key, value: nodes.ObjectItem(0, 1, key, value),
        st.builds(lambda n: nodes.KeyName(0, 1, n), st.sampled_from("abk")) | inner,
        inner,
    )
    loop = st.builds(
        lambda collection, key, value, condition, group, named: nodes.For(
            0, 1, "k" if named else "", "v", collection, key, value, condition, group and key is not None
        ),
        inner,
        maybe,
        inner,
        maybe,
        st.booleans(),
        st.booleans(),
    )
    return st.one_of(
        st.builds(lambda parts: nodes.Template(0, 1, parts), many),
        st.builds(lambda x: nodes.TemplateWrap(0, 1, x), inner),
        st.builds(lambda x: nodes.TemplateJoin(0, 1, x), loop),
        st.builds(lambda x, more: nodes.RelativeTraversal(0, 1, x, more), inner, steps()),
        st.builds(lambda x, key: nodes.Index(0, 1, x, key), inner, inner),
        st.builds(lambda x, each: nodes.Splat(0, 1, x, each), inner, inner),
        st.builds(lambda items: nodes.Tuple(0, 1, items), many),
        st.builds(lambda items: nodes.Object(0, 1, tuple(items)), st.lists(item, max_size=3)),
        st.builds(
            lambda name, expand, args: nodes.Call(0, 1, name, expand, args),
            st.sampled_from(names()),
            st.booleans(),
            many,
        ),
        st.builds(lambda c, y, n: nodes.Conditional(0, 1, c, y, n), inner, inner, inner),
        st.builds(lambda o, x: nodes.Unary(0, 1, o, x), st.sampled_from("-!"), inner),
        st.builds(lambda o, x, y: nodes.Binary(0, 1, o, x, y), st.sampled_from(OPERATORS), inner, inner),
        loop,
    )


EXPRESSIONS = st.recursive(LEAVES, compound, max_leaves=8)
VALUES = st.fixed_dictionaries({name: PLAIN.map(from_plain) for name in NAMES})


@settings(deadline=None, max_examples=100)
@given(EXPRESSIONS, VALUES)
def test_never_raises(node, values):
    assert isinstance(evaluate(node, SOURCE, Names(FOLDER, values)), Value)


@settings(deadline=None, max_examples=100)
@given(EXPRESSIONS, VALUES, st.sets(st.sampled_from(NAMES), min_size=1), st.booleans())
def test_less_knowledge_never_gives_another_value(node, values, hidden, typed):
    full = evaluate(node, SOURCE, Names(FOLDER, values))
    fewer = {
        name: (unknown("hidden", value.type) if typed and value.data is not None else unknown("hidden"))
        if name in hidden
        else value
        for name, value in values.items()
    }
    less = evaluate(node, SOURCE, Names(FOLDER, fewer))
    assert agrees(less, full), (less, full)


@settings(deadline=None, max_examples=100)
@given(EXPRESSIONS, VALUES)
def test_evaluating_twice_gives_the_same(node, values):
    scope = Names(FOLDER, values)
    assert evaluate(node, SOURCE, scope) == evaluate(node, SOURCE, scope)


@settings(deadline=None, max_examples=100)
@given(EXPRESSIONS, VALUES)
def test_what_holds_a_sensitive_value_in_its_text_is_sensitive(node, values):
    secret = "zq7secretzq7"
    values = {**values, "a": Value(from_plain(secret).type, secret, sensitive=True)}
    value = evaluate(node, SOURCE, Names(FOLDER, values))

    def bare(part: Value) -> list[str]:
        if part.sensitive:
            return []
        if isinstance(part.data, tuple):
            return [t for v in part.data for t in bare(v)]
        if isinstance(part.data, dict):
            return [*part.data, *(t for v in part.data.values() for t in bare(v))]
        return [part.data.reason] if part.is_unknown else [str(part.data)]

    assert not any("secret" in text for text in bare(value))
