"""Text made to exhaust a reader ends in bounded time, without an exception, with bounded trees."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from generator.hcl.hcl2_reader import read
from generator.hcl.json_syntax import parse_json
from generator.hcl.parser import parse
from generator.hcl.scanner import top_level
from generator.hcl.source import Source

REPETITIONS = 100_000
SECONDS = 10
PIECES = [
    *(
        "(",
        "[",
        "{",
        "{\n",
        "f(",
        "a[",
        "[a]",
        "[0]",
        ".a",
        ".*",
        "[*]",
        "-",
        "!",
        "1+",
        "1?",
        "1?1:",
        "&&a",
        "[for a in ",
    ),
    *('"${', '"%{if ', '"${{', "<<E\n", "<<E\n${", "%{ if a }", "%{ for a in b }", "$${", "${", '"', "\\", "\\n", "~}"),
    *("/*", "/**/", "#\n", "//", "\n", "\r", " ", "1", "1e", ".", "...", "<<", "a ", '"a" ', "é", "“", "\0", "\ufeff"),
    *(
        "a {\n",
        'a "b" {\n',
        "a {",
        "x /*\n",
        "x <<E\n",
        "x = <<E\nE\n",
        'x = "\n',
        "x = [\n",
        "b {\n x = }\n}\n",
        'x = "a\nb {\n',
        "}\n",
    ),
]
BEGINNINGS = ["", "a = ", 'a = "', "a = <<X\n", "b {\n a = "]


def ends_in_time(action: Callable[[], object]) -> None:
    begin = time.monotonic()
    action()
    assert time.monotonic() - begin < SECONDS


@pytest.mark.parametrize("piece", PIECES)
def test_repetitions(source: Callable[[str], Source], piece: str) -> None:
    # Each beginning with fewer pieces; a quadratic reader needs minutes for the long one alone.
    for beginning in BEGINNINGS:
        read_from = source(beginning + piece * (REPETITIONS if beginning == "a = " else 2_000))
        ends_in_time(lambda text=read_from: (parse(text), sum(1 for _ in top_level(text.text)), parse_json(text)))


@pytest.mark.parametrize("piece", ["(", "{", "-", "1+", '"${', "[a]", "a {\n", "/*", "<<E\n"])
def test_second_reader_ends_too(source: Callable[[str], Source], piece: str) -> None:
    ends_in_time(lambda: read(source("a = " + piece * 2_000)))


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, '{"a":"' + "${" * 50_000 + '"}', '"' + "\\n" * 100_000]
)
def test_json(source: Callable[[str], Source], text: str) -> None:
    ends_in_time(lambda: parse_json(source(text)))
    assert parse_json(source(text)).problems


def test_five_megabytes_of_nonsense(source: Callable[[str], Source]) -> None:
    text = source('lorem ipsum "dolor" { sit = amet,\n' * 150_000)
    begin = time.monotonic()
    problems = parse(text).problems
    assert time.monotonic() - begin < SECONDS
    assert 0 < len(problems) <= 21


def test_problems_of_deep_text_are_limits(source: Callable[[str], Source]) -> None:
    for text in ("(" * 5_000, "-" * 5_000, "1+" * 5_000 + "1", '"${' * 5_000, "a" + "[a]" * 5_000):
        assert parse(source("a = " + text)).problems[0].limit
