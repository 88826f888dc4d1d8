"""Terraform's JSON syntax: the same nodes, exact places, Terraform's verdicts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.hcl.json_syntax import as_blocks, parse_json, parse_variables_json
from generator.hcl.nodes import Block, GetAttr, Literal, Node, ScopeTraversal, Template, TemplateWrap, Tuple, walk
from generator.hcl.source import Source

MakeSource = Callable[[str], Source]

# text, line and column of the problem, a piece of the message
BROKEN = [
    ("", (1, 1), "empty"),
    ("1", (1, 1), "an object is needed"),
    ("[[{}]]", (1, 2), "an object is needed"),
    ('{"locals":\n{"a": 1 "b": 2}}', (2, 9), 'found "b"'),
    ('{"locals":{"a":1},}', (1, 18), "a comma before }"),
    ('{"locals":{"a":[1,]}}', (1, 18), "a comma before ]"),
    ('{"locals":{"a":1}', (1, 1), "never closed"),
    ('{"locals":{"a" 1}}', (1, 16), "colon"),
    ('{"locals":{"a" = 1}}', (1, 16), "colon"),
    ('{"locals":{a: 1}}', (1, 12), "in double quotes"),
    ('{"locals":{"a": tru}}', (1, 17), "found tru"),
    ('{"locals":{"a": 007}}', (1, 17), "no number"),
    ('{"locals":{"a": 1.}}', (1, 17), "no number"),
    ('{"locals":{"a": "\\x"}}', (1, 18), "escape sequence"),
    ('{"locals":{"a": "x\ty"}}', (1, 17), "control character"),
    ('{"locals":{}} x', (1, 15), "end of the file"),
    ("// c\n{}", (1, 1), "no comments"),
    ("\ufeff{}", (1, 1), "byte order mark"),
    ('{"locals":{"a":"${1"}}', (1, 17), "never closed"),
    ('{"locals":{"a":"\\n\\n${1 +}"}}', (1, 26), "an expression is needed"),
    ('{"locals":{"a":{"x":1,"x":2}}}', (1, 23), "already set"),
    ('{"output":{"//":"c","a":{"value":1}}}', (1, 17), "an object or an array"),
    ('{"variable":{}}', (1, 13), "labels of variable"),
    ('{"variable":{"a":"x"}}', (1, 18), "an object or an array"),
]
VALID = [
    "{}",
    "[]",
    '[{"locals":{"a":1}},{"locals":{"b":1}}]',
    '{"//":"c","output":{"a":{"//":1,"value":1}}}',
    '{"locals":null}',
    '{"locals":{"a":1},"locals":{"b":2}}',
    '{"output":{"a":{"description":"${1","value":1}}}',
    '{"variable":{"a":{"default":"${1","description":"%{"}}}',
    '{"locals":{"a":"\\ud800","b":"\\ud83d\\ude00","c":-1.5e3}}',
    ' \t\r\n{"locals":{"a":"$${x}"}}\n',
]


@pytest.mark.parametrize(("text", "place", "message"), BROKEN)
def test_place_and_message(source: MakeSource, text: str, place: tuple[int, int], message: str) -> None:
    read = source(text)
    problems = parse_json(read).problems
    assert [read.position(p.start) for p in problems] == [place]
    assert message in problems[0].message


@pytest.mark.parametrize("text", VALID)
def test_valid(source: MakeSource, text: str) -> None:
    assert not parse_json(source(text)).problems


def only(source: Source) -> Block:
    file = parse_json(source)
    assert not file.problems
    assert len(file.body.blocks) == 1
    return file.body.blocks[0]


def test_labels_are_properties_in_objects_and_arrays(source: MakeSource) -> None:
    text = '{"resource":[{"t":[{"n":[{"x":1},{"x":2}]}]}]}'
    blocks = parse_json(source(text)).body.blocks
    assert [(b.type, [label.text for label in b.labels]) for b in blocks] == [("resource", ["t", "n"])] * 2
    assert [text[b.start : b.header_end] for b in blocks] == ['"n"', '"n"']
    assert [text[b.body.start : b.body.end] for b in blocks] == ['{"x":1}', '{"x":2}']


def test_strings_are_templates_with_exact_places(source: MakeSource) -> None:
    text = '{"locals":{"a":"${var.x}","b":"p-${var.y}","c":"\\n\\t${f(\\"k\\", var.z)}","d":"plain"}}'
    attributes = only(source(text)).body.attributes
    assert isinstance(attributes["a"].expression, TemplateWrap)
    assert isinstance(attributes["b"].expression, Template)
    references = [
        text[n.start : n.end] for a in attributes.values() for n in walk(a.expression) if isinstance(n, ScopeTraversal)
    ]
    assert references == ["var.x", "var.y", "var.z"]
    assert text[attributes["b"].start : attributes["b"].name_end] == '"b"'
    assert text[attributes["b"].expression.start : attributes["b"].end] == '"p-${var.y}"'


def test_strings_that_terraform_takes_literally(source: MakeSource) -> None:
    block = only(source('{"variable":{"a":{"default":"${var.x}","validation":{"condition":"${var.a > 1}"}}}}'))
    assert block.body.attributes["default"].expression == Template(28, 38, (Literal(29, 37, "${var.x}"),))
    assert isinstance(block.body.blocks[0].body.attributes["condition"].expression, TemplateWrap)
    file = parse_variables_json(source('{"a":"${x","b":{"variable":1}}'))
    assert not file.problems
    assert list(file.body.attributes) == ["a", "b"]
    assert not file.body.blocks


def reference(node: Node) -> str:
    assert isinstance(node, ScopeTraversal)
    return ".".join([node.root, *(s.name for s in node.steps if isinstance(s, GetAttr))])


def test_references_are_written_as_strings(source: MakeSource) -> None:
    text = (
        '{"resource":{"t":{"n":{"provider":"google.west","depends_on":["a.b"],'
        '"lifecycle":{"ignore_changes":["node_count"],"replace_triggered_by":["c.d"]}}}}}'
    )
    body = only(source(text)).body
    assert reference(body.attributes["provider"].expression) == "google.west"
    lifecycle = body.blocks[0]
    lists = [body.attributes["depends_on"], *lifecycle.body.attributes.values()]
    assert [reference(a.expression.items[0]) for a in lists if isinstance(a.expression, Tuple)] == [
        "a.b",
        "node_count",
        "c.d",
    ]
    whole = only(source('{"resource":{"t":{"n":{"lifecycle":{"ignore_changes":"all"}}}}}')).body.blocks[0]
    assert reference(whole.body.attributes["ignore_changes"].expression) == "all"


def test_attributes_as_blocks(source: MakeSource) -> None:
    text = (
        '{"resource":{"t":{"n":{"one":{"//":"c","x":"${var.x}","x":2},"many":[{"y":1},{"y":2}],"none":null,"text":"s",'
        '"odd":[1],"deep":{"dynamic":{"taint":{"for_each":"${var.t}","content":{"key":"${taint.value}"}}}}}}}}'
    )
    attributes = only(source(text)).body.attributes
    blocks = {name: as_blocks(attribute) for name, attribute in attributes.items()}
    assert blocks["none"] == []
    assert blocks["text"] is None
    assert blocks["odd"] is None
    (one,) = blocks["one"] or []
    assert text[one.start : one.header_end] == '"one"'
    assert list(one.body.attributes) == ["x"]
    assert [a.name for a in one.body.repeated] == ["x"]
    assert [text[b.start : b.header_end] for b in blocks["many"] or []] == ['"many"', '"many"']
    (dynamic,) = (blocks["deep"] or [])[0].body.blocks
    assert (dynamic.type, dynamic.labels[0].text, list(dynamic.body.attributes)) == ("dynamic", "taint", ["for_each"])
    assert list(dynamic.body.blocks[0].body.attributes) == ["key"]


def test_argument_twice_is_repeated(source: MakeSource) -> None:
    body = only(source('{"locals":{"a":1,"a":2}}')).body
    assert [a.name for a in body.repeated] == ["a"]
