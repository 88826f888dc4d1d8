"""Generated HCL in many spellings: both readers see what was meant, and every place is exact."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.hcl.hcl2_reader import read
from generator.hcl.nodes import (
    Attribute,
    Block,
    Body,
    KeyName,
    Label,
    Literal,
    Node,
    ObjectItem,
    SplatItem,
    Template,
    children,
    walk,
)
from generator.hcl.parser import parse, parse_expression
from generator.hcl.scanner import top_level
from generator.hcl.source import Source

SETTINGS = settings(deadline=None, max_examples=100)
NAMES = ["a", "b_1", "x-y", "größe", "in", "each", "for_each", "nullable"]
TEXTS = ["", "x", "a b", "$", "%", "$$", "é", "#no", "//no", "a.b", "~"]
OPERATORS = ["||", "&&", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%"]
Draw = Any
Written = tuple[str, Any]


def shape(node: Node) -> Any:
    """A node without its places and without parentheses around it, to be compared with what was meant."""
    name = type(node).__name__
    fields = [getattr(node, slot) for slot in node.__slots__]
    parts = [tuple(shape(i) if isinstance(i, Node) else i for i in f) if isinstance(f, tuple) else f for f in fields]
    return (name, *(shape(p) if isinstance(p, Node) else p for p in parts))


def blank(draw: Draw, inside: bool) -> str:
    """White space; `inside` brackets newlines and line comments are white space too."""
    return draw(
        st.sampled_from(
            [" ", "  ", "\t", "/* c */", *(["\n", "\n\n  ", " # c\n", " // c\n", "\r\n"] if inside else [])]
        )
    )


@st.composite
def expressions(draw: Draw, depth: int = 3, inside: bool = False) -> Written:
    kinds = ["number", "string", "name", "word"]
    if depth > 0:
        kinds += [
            "tuple",
            "object",
            "call",
            "parentheses",
            "binary",
            "unary",
            "conditional",
            "steps",
            "template",
            "for",
            "splat",
            "heredoc",
        ]
    return WRITERS[draw(st.sampled_from(kinds))](draw, depth - 1, inside)


def number(draw: Draw, depth: int, inside: bool) -> Written:
    text, value = draw(
        st.sampled_from(
            [("0", 0), ("32", 32), ("1.5", Fraction(3, 2)), ("1e3", 1000), ("2E-1", Fraction(1, 5)), ("007", 7)]
        )
    )
    return text, ("Literal", value)


def string(draw: Draw, depth: int, inside: bool) -> Written:
    text = draw(st.sampled_from(TEXTS))
    written, value = draw(
        st.sampled_from(
            [("", ""), ("\\n", "\n"), ('\\"', '"'), ("\\u00e9", "é"), ("$${", "${"), ("%%{", "%{"), ("\\\\", "\\")]
        )
    )
    if text.endswith(("$", "%")):
        written, value = "", ""
    return f'"{text}{written}"', ("Template", (("Literal", text + value),))


def name(draw: Draw, depth: int, inside: bool) -> Written:
    chosen = draw(st.sampled_from(NAMES))
    return chosen, ("ScopeTraversal", chosen, ())


def word(draw: Draw, depth: int, inside: bool) -> Written:
    return draw(
        st.sampled_from([("true", ("Literal", True)), ("false", ("Literal", False)), ("null", ("Literal", None))])
    )


def tuple_(draw: Draw, depth: int, inside: bool) -> Written:
    items = draw(st.lists(expressions(depth, True), max_size=3))
    text = "".join(blank(draw, True) + t + blank(draw, True) + "," for t, _ in items)
    if items and draw(st.booleans()):
        text = text[:-1]
    return f"[{text}{blank(draw, True)}]", ("Tuple", tuple(s for _, s in items))


def object_(draw: Draw, depth: int, inside: bool) -> Written:
    text, items = "{", []
    for index in range(draw(st.integers(0, 3))):
        key = draw(st.sampled_from(["k", "k-2", "null", "if"]))
        value, meant = draw(expressions(depth, False))
        separator = draw(st.sampled_from([" =", "=", " :", ":"]))
        text += f" {key}{separator} {value}" + draw(st.sampled_from(["\n", ",", ", # c\n", " // c\n", ",\n\n"]))
        items.append(("ObjectItem", ("KeyName", key), meant))
        del index
    return text + " }", ("Object", tuple(items))


def call(draw: Draw, depth: int, inside: bool) -> Written:
    function = draw(st.sampled_from(["max", "ns::f", "provider::google::f"]))
    arguments = draw(st.lists(expressions(depth, True), max_size=2))
    expand = bool(arguments) and draw(st.booleans())
    text = ",".join(blank(draw, True) + t for t, _ in arguments) + ("..." if expand else "") + blank(draw, True)
    return f"{function}({text})", ("Call", function, expand, tuple(s for _, s in arguments))


def parentheses(draw: Draw, depth: int, inside: bool) -> Written:
    text, meant = draw(expressions(depth, True))
    return f"({blank(draw, True)}{text}{blank(draw, True)})", ("Parentheses", meant)


def binary(draw: Draw, depth: int, inside: bool) -> Written:
    (left, first), (right, second) = parentheses(draw, depth, inside), parentheses(draw, depth, inside)
    operator = draw(st.sampled_from(OPERATORS))
    return f"{left}{blank(draw, inside)}{operator} {right}", ("Binary", operator, first, second)


def unary(draw: Draw, depth: int, inside: bool) -> Written:
    text, meant = parentheses(draw, depth, inside)
    operators = draw(st.sampled_from(["-", "!", "!!", "- -", "!-"]))
    for operator in reversed(operators.replace(" ", "")):
        meant = ("Unary", operator, meant)
    return operators + text, meant


def conditional(draw: Draw, depth: int, inside: bool) -> Written:
    parts = [parentheses(draw, depth, inside) for _ in range(3)]
    (a, c), (b, y), (d, n) = parts
    return f"{a}{blank(draw, inside)}? {b}{blank(draw, inside)}: {d}", ("Conditional", c, y, n)


def steps(draw: Draw, depth: int, inside: bool) -> Written:
    text, meant = draw(
        st.sampled_from([("var", ("ScopeTraversal", "var")), ("f()", ("RelativeTraversal", ("Call", "f", False, ())))])
    )
    path: list[Any] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from([".", "0", '"k"']))
        key = draw(st.sampled_from(["a", "b-c", "null"]))
        text += {".": f".{key}", "0": f"[{blank(draw, True)}0 ]", '"k"': '["k"]'}[kind]
        path.append({".": ("GetAttr", key), "0": ("GetIndex", 0), '"k"': ("GetIndex", "k")}[kind])
    if draw(st.booleans()):
        key_text, key_meant = parentheses(draw, depth, True)
        return f"{text}[{key_text}]", ("Index", (*meant, tuple(path)), key_meant)
    return text, (*meant, tuple(path))


def template(draw: Draw, depth: int, inside: bool) -> Written:
    text, meant = parentheses(draw, depth, True)
    edge = draw(st.sampled_from(["", " ", "\n", " /* c */ "]))
    if draw(st.booleans()):
        return f'"${{{edge}{text}{edge}}}"', ("TemplateWrap", meant)
    return f'"a ${{~{edge}{text}{edge}}} b"', ("Template", (("Literal", "a"), meant, ("Literal", " b")))


def for_(draw: Draw, depth: int, inside: bool) -> Written:
    collection, over = parentheses(draw, depth, True)
    value, result = parentheses(draw, depth, True)
    gap = blank(draw, True)
    condition, text_if = draw(st.sampled_from([(None, ""), (("Literal", True), " if true")]))
    if draw(st.booleans()):
        return f"[{gap}for v in {collection} :{gap}{value}{text_if}]", (
            "For",
            "",
            "v",
            over,
            None,
            result,
            condition,
            False,
        )
    text = f"{{{gap}for k,{gap}v in {collection} : k => {value}...{text_if}}}"
    return text, ("For", "k", "v", over, ("ScopeTraversal", "k", ()), result, condition, True)


def splat(draw: Draw, depth: int, inside: bool) -> Written:
    text, source = parentheses(draw, depth, inside)
    item = ("SplatItem",)
    return draw(
        st.sampled_from(
            [
                (f"{text}[*].a", ("Splat", source, ("RelativeTraversal", item, (("GetAttr", "a"),)))),
                (f"{text}.*.a", ("Splat", source, ("RelativeTraversal", item, (("GetAttr", "a"),)))),
                (f"{text}[ * ]", ("Splat", source, item)),
                (f"{text}[*][*]", ("Splat", source, ("Splat", item, item))),
            ]
        )
    )


def heredoc(draw: Draw, depth: int, inside: bool) -> Written:
    dash = draw(st.booleans())
    text = "    x\n      y ${a}\n" if dash else " x\n   y ${a}\n"
    closer = draw(st.sampled_from(["E", "  E", "E  "]))
    first, rest = ("x\n", "  y ") if dash else (" x\n", "   y ")
    meant = ("Template", (("Literal", first + rest), ("ScopeTraversal", "a", ()), ("Literal", "\n")))
    # In brackets of its own, so that what follows may stand behind the closer's newline.
    return f"(<<{'-' if dash else ''}E\n{text}{closer}\n)", ("Parentheses", meant)


WRITERS = {
    "number": number,
    "string": string,
    "name": name,
    "word": word,
    "tuple": tuple_,
    "object": object_,
    "call": call,
    "parentheses": parentheses,
    "binary": binary,
    "unary": unary,
    "conditional": conditional,
    "steps": steps,
    "template": template,
    "for": for_,
    "splat": splat,
    "heredoc": heredoc,
}


@st.composite
def bodies(draw: Draw, depth: int = 2) -> Written:
    """Arguments and blocks with what they mean: names and shapes, types and labels."""
    text, attributes, blocks = "", {}, []
    for index in range(draw(st.integers(0, 3))):
        key = f"arg{index}"
        value, meant = draw(expressions(2))
        text += f"{key}{blank(draw, False)}= {value}" + draw(
            st.sampled_from(["\n", " # c\n", " // c\r\n", "/* c */\n\n"])
        )
        attributes[key] = meant
    for _ in range(draw(st.integers(0, 2)) if depth else 0):
        labels = draw(st.lists(st.sampled_from(["a", '"b"', '"b \\" c"', '"é"']), max_size=2))
        inside, meant = draw(bodies(depth - 1))
        head = "".join(blank(draw, False) + label for label in labels)
        text += f"block{head} {{" + (f"\n{inside}" if inside else draw(st.sampled_from(["", "\n"]))) + "}\n"
        blocks.append(("block", tuple(label.strip('"').replace('\\"', '"') for label in labels), meant))
    return text, (attributes, blocks)


def meaning(body: Body) -> Any:
    attributes = {key: shape(a.expression) for key, a in body.attributes.items()}
    return attributes, [(b.type, tuple(label.text for label in b.labels), meaning(b.body)) for b in body.blocks]


def plain(meant: Any) -> Any:
    """The shapes as `shape` gives them: steps are its own objects there."""
    if isinstance(meant, tuple) and meant and meant[0] in ("GetAttr", "GetIndex"):
        from generator.hcl import nodes

        return getattr(nodes, meant[0])(meant[1])
    if isinstance(meant, tuple):
        return tuple(plain(m) for m in meant)
    if isinstance(meant, dict):
        return {k: plain(v) for k, v in meant.items()}
    return [plain(m) for m in meant] if isinstance(meant, list) else meant


@SETTINGS
@given(bodies())
def test_what_is_written_is_read(written: Written) -> None:
    text, meant = written
    file = parse(Source(Path("/a.tf"), text))
    assert not file.problems, (text, file.problems)
    assert meaning(file.body) == plain(meant), text


@SETTINGS
@given(bodies())
def test_both_readers_agree(written: Written) -> None:
    source = Source(Path("/a.tf"), written[0])
    assert read(source) == parse(source), written[0]


@SETTINGS
@given(bodies())
def test_scanner_cuts_what_the_parser_reads(written: Written) -> None:
    text = written[0]
    body = parse(Source(Path("/a.tf"), text)).body
    ends = [(b.start, b.end) for b in body.blocks]
    assert [(item.start, item.end) for item in top_level(text) if item.labels is not None] == ends
    assert [item.type for item in top_level(text) if item.labels is None] == list(body.attributes)


@SETTINGS
@given(bodies())
def test_every_place_reads_back_to_the_same(written: Written) -> None:
    source = Source(Path("/a.tf"), written[0])
    body = parse(source).body
    for node in walk(body):
        assert 0 <= node.start <= node.end <= len(source.text)
        for child in children(node):
            assert isinstance(child, SplatItem) or node.start <= child.start <= child.end <= node.end
    for node in walk(body):
        if isinstance(node, Attribute):
            again = parse_expression(source, node.expression.start, node.expression.end)
            assert again == node.expression
        elif not isinstance(
            node, Body | Block | Label | KeyName | ObjectItem | SplatItem | Template | Literal
        ) and not inside_splat(node):
            assert shape(parse_expression(source, node.start, node.end)) == shape(node)


def inside_splat(node: Node) -> bool:
    """Whether it stands for steps behind a splat, which are no expression of their own."""
    return any(isinstance(inner, SplatItem) for inner in walk(node))


@SETTINGS
@given(st.text(alphabet='ab1 \n\t"${}[]()=<>-~%\\/*#.,:?!E\ré“', max_size=60))
def test_any_text_gives_problems_in_bounds(text: str) -> None:
    for file in (parse(Source(Path("/a.tf"), text)), read(Source(Path("/a.tf"), text))):
        for problem in file.problems:
            assert 0 <= problem.start <= problem.end <= len(text)
    assert all(0 <= item.start <= item.body <= item.end <= len(text) for item in top_level(text))
