"""What is wrong is told in words, at its place, and the items around it are still read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.hcl.files import decoded
from generator.hcl.parser import SIZE_LIMIT, parse, parse_expression
from generator.hcl.source import Source
from generator.hcl.tokens import SyntaxFailure

# text, line and column of the problem, a piece of the message
PLACES = [
    ("a {\n  b = 1\n", (1, 1), "never closed"),
    ('r "x" "y" {\n  a {\n    b = 1\n  }\n', (1, 1), "never closed"),
    ("a {\n b {\n  c = 1\n", (2, 2), "never closed"),
    ("locals\n{\n  a = 1\n}\n", (1, 1), "line of the block's header"),
    ("a {\n  b\n  {\n  }\n}\n", (2, 3), "line of the block's header"),
    ("a = 1 b = 2\n", (1, 7), "a newline is needed after the argument; found b"),
    ("a { b = 1, c = 2 }\n", (1, 10), "one-line block; found ,"),
    ("a {\n} b {\n}\n", (2, 3), "a newline is needed after the block"),
    ("a = “x”\n", (1, 5), "typographic quote “"),
    ("a = 'x'\n", (1, 5), "single quote"),
    ("a = `x`\n", (1, 5), "backquote"),
    ("a = 1;\n", (1, 6), "semicolon"),
    ("a = b & c\n", (1, 7), "&&"),
    ("a = b\u00a0\n", (1, 6), "U+00A0"),
    ('a = "x\n', (1, 5), "not closed on its line"),
    ('a = "x\ny"\n', (1, 5), "heredoc"),
    ('a = "\\q"\n', (1, 6), "\\q is no escape sequence"),
    ('a = "\\ud800"\n', (1, 6), "escape sequence"),
    ("a = <<E\nx\n", (3, 1), "nothing but E"),
    ("a = [1,\n", (2, 1), "an expression is needed; found the end of the file"),
    ("a = [1", (1, 5), "[ is never closed"),
    ("a = [1, 2\nb = 3\n", (2, 1), "comma or ]"),
    ("a = (1\nb = 2\n", (2, 1), ") is needed"),
    ("a = f(1\nb = 2\n", (2, 1), "comma or )"),
    ('a = "${x\n', (1, 6), "never closed"),
    ("a = \n", (1, 5), "an expression is needed; found a newline"),
    ("a =\n", (1, 4), "an expression is needed; found a newline"),
    ("a\n", (1, 2), "= and a value"),
    ('a "b" = 1\n', (1, 7), "a label or { is needed"),
    ("a : 1\n", (1, 3), "= and a value"),
    ("}\n", (1, 1), "an argument or a block"),
    ('"a" = 1\n', (1, 1), "begin with a name"),
    ("a = 10.0.0.1\n", (1, 5), "is no number"),
    ("/* x\na = 1\n", (1, 1), "comment is never closed"),
    ("a = { b }\n", (1, 9), "= is needed after the key"),
    ("a = [for x y]\n", (1, 12), "in and a collection"),
    ("a = {for x in y : x}\n", (1, 20), "=> and a value"),
    ("a = b ? c\n", (1, 10), ": is needed"),
    ('a = "%{ if x }"\n', (1, 6), "endif"),
    ('a = "%{ endif }"\n', (1, 6), "endif without"),
    ('a = "%{ foo }"\n', (1, 9), "template directive"),
]


@pytest.mark.parametrize(("text", "place", "message"), PLACES)
def test_place_and_message(source: Callable[[str], Source], text: str, place: tuple[int, int], message: str) -> None:
    read = source(text)
    problems = parse(read).problems
    assert len(problems) == 1, problems
    assert read.position(problems[0].start) == place
    assert message in problems[0].message
    assert not problems[0].limit
    assert problems[0].start <= problems[0].end <= len(text)


BROKEN = [
    "x {\n  a = 1 b = 2\n}\n",
    'x {\n  a = "unclosed\n  b = 2\n}\n',
    "x {\n  a = “1”\n}\n",
    "x {\n  a = [1,\n}\n",
    "x {\n  y {\n    a = 1\n}\n",
    "x {\n  a = <<E\n  text\n}\n",
    "x\n",
    "}\n}\n",
    "x = = 1\n",
    "x /* y\n",
]


@pytest.mark.parametrize("broken", BROKEN)
def test_items_around_a_broken_one_are_read(source: Callable[[str], Source], broken: str) -> None:
    file = parse(source(f'first "a" {{\n  p = 1\n}}\n{broken}\nlast "b" {{\n  q = 2\n}}\n'))
    assert len(file.problems) == 1
    assert [(b.type, b.labels[0].text) for b in file.body.blocks if b.labels] == [("first", "a"), ("last", "b")]


def test_block_with_its_brace_on_the_next_line_is_still_read(source: Callable[[str], Source]) -> None:
    file = parse(source("a\n\n# text\n{\n  b = 1\n}\n"))
    assert file.body.blocks[0].body.attributes["b"].name == "b"


def test_argument_set_twice_is_no_syntax_problem(source: Callable[[str], Source]) -> None:
    file = parse(source("a {\n  b = 1\n  c = 2\n  b = 3\n}\nd = 1\nd = 2\n"))
    assert not file.problems
    assert [(a.name, a.start) for a in file.body.blocks[0].body.repeated] == [("b", 22)]
    assert [a.name for a in file.body.repeated] == ["d"]


def test_limits_prove_nothing(source: Callable[[str], Source]) -> None:
    for text in ("a = " + "(" * 200 + ")" * 200, "a = " + "1 + " * 500 + "1", "a = 1e99999", "#" * (SIZE_LIMIT + 1)):
        problems = parse(source(text)).problems
        assert [p.limit for p in problems] == [True]


def test_one_expression_and_nothing_else(source: Callable[[str], Source]) -> None:
    assert parse_expression(source("[1,\n2\n]")).end == 7
    assert parse_expression(source("x = [1]"), 4).start == 4
    for text in ("", "1 2", "a =", "{", "a\u00e9 b"):
        with pytest.raises(SyntaxFailure):
            parse_expression(source(text))


def test_names_beyond_ascii(source: Callable[[str], Source]) -> None:
    for text in ("größe = 1\n", "प्रकार = 1\n", "x·y = 1\n", "a = { ключ = 1 }\n"):
        assert not parse(source(text)).problems
    for text in ("x² = 1\n", "a = 😀\n", "\u0301x = 1\n"):
        assert parse(source(text)).problems


def test_bytes_that_are_not_utf8_count_outside_of_comments() -> None:
    path = Path("/main.tf")
    fine = decoded(path, b"# \xe9t\xe9\na = 1 /* \xff */\n")
    assert not parse(fine).problems
    for content, place in (
        (b'a = "x\xff"\n', (1, 7)),
        (b"a = <<E\n\xff\nE\n", (2, 1)),
        (b"a = \xff\n", (1, 5)),
        (b'b "\xe9" {}\n', (1, 4)),
    ):
        read = decoded(path, content)
        problems = parse(read).problems
        assert [read.position(p.start) for p in problems] == [place]
        assert "UTF-8" in problems[0].message


def test_nul_is_text_in_strings_only(source: Callable[[str], Source]) -> None:
    assert not parse(source('a = "x\0y" # \0\n')).problems
    assert "NUL" in parse(source("a = \0\n")).problems[0].message


def test_a_byte_order_mark_and_line_ends_stay(tmp_path: Path) -> None:
    assert decoded(tmp_path / "a.tf", b"\xef\xbb\xbfa = 1\r\n").text == "\ufeffa = 1\r\n"
