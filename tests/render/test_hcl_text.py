"""Writing HCL: text stays text, and the layout is that of `terraform fmt`."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.hcl import hcl2_reader, parser
from generator.hcl.nodes import File, Literal, Node, Object, Template
from generator.hcl.source import Source
from generator.render import hcl_text

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NASTY = st.lists(
    st.sampled_from(
        [
            '"',
            "\\",
            "${",
            "%{",
            "$",
            "%",
            "{",
            "}",
            "\n",
            "\r",
            "\t",
            "\0",
            "`",
            "$(",
            "<<EOT",
            "#",
            "//",
            "/*",
            "~}",
            "\u2028",
            "\u202e",
            "\ufeff",
            "é",
            "東",
            "a",
            " ",
            "$${",
            "%%{",
            "\\u0041",
            "\x7f",
            "\x85",
        ]
    ),
    max_size=12,
).map("".join)


def text_of(node: Node) -> str:
    if isinstance(node, Template):
        return "".join(text_of(part) for part in node.parts)
    assert isinstance(node, Literal) and isinstance(node.value, str), node
    return node.value


def read(text: str, reader: str) -> File:
    source = Source(Path("/x/main.tf"), text)
    file = parser.parse(source) if reader == "own" else hcl2_reader.read(source)
    assert not file.problems, (text, file.problems)
    return file


@settings(deadline=None, max_examples=100)
@given(NASTY | TEXT)
@example("${var.x}")
@example("$${x}")
@example("%%{if}")
@example("\\")
@example('"')
def test_any_text_arrives_as_that_text(value: str) -> None:
    value = unicodedata.normalize("NFC", value)  # as Terraform does with every string that it reads
    for reader in ("own", "hcl2"):
        file = read(f"a = {hcl_text.quote(value)}\nb = {{\n  {hcl_text.key(value)} = 1\n}}\n", reader)
        assert text_of(file.body.attributes["a"].expression) == value
        mapping = file.body.attributes["b"].expression
        assert isinstance(mapping, Object)
        assert text_of(mapping.items[0].key) == value


@settings(deadline=None, max_examples=60)
@given(NASTY | TEXT)
def test_any_text_leaves_the_layout_alone(value: str) -> None:
    quoted, key = hcl_text.quote(value), hcl_text.key(value)
    text = f"a {{\nx = {quoted}\nlonger = 1\nm = {{\n{key} = {quoted}\nn = 1\n}}\n}}\n"
    lines = hcl_text.fmt(text).splitlines()
    assert lines[1] == f"  x      = {quoted}"
    assert lines[2] == "  longer = 1"
    width = max(len(key), 1)
    assert lines[4] == f"    {key.ljust(width)} = {quoted}"
    assert lines[-2:] == ["  }", "}"]
    assert hcl_text.fmt("\n".join(lines)) == "\n".join(lines) + "\n"


@settings(deadline=None, max_examples=60)
@given(NASTY | TEXT)
def test_any_text_makes_one_line_of_comment(value: str) -> None:
    assert "\n" not in hcl_text.comment(value)
    file = read(f"# {hcl_text.comment(value)}\na = 1\n", "own")
    assert list(file.body.attributes) == ["a"]


LAYOUTS = [
    ("a = 1\nbcd = 2 # why\ne = 3 # long why\n\nf = 1\n", "a   = 1\nbcd = 2 # why\ne   = 3 # long why\n\nf = 1\n"),
    ("x {\n\n\na = 1\n\n\n\nb = 2\n\n}\n", "x {\n  a = 1\n\n  b = 2\n}\n"),
    ("x {\na = [\n1,\n2,\n]\nbcd = 3\n}\n", "x {\n  a = [\n    1,\n    2,\n  ]\n  bcd = 3\n}\n"),
    ("x {\na = 1\n# why\nbcd = 2\n}\n", "x {\n  a = 1\n  # why\n  bcd = 2\n}\n"),
    (
        'x {\na = {\n"k" = "}" # }\nlonger = "{"\n}\n}\n',
        'x {\n  a = {\n    "k"    = "}" # }\n    longer = "{"\n  }\n}\n',
    ),
    ("x {\na = 1 == 2 ? 3 : 4\nbcd = a != b\n}\n", "x {\n  a   = 1 == 2 ? 3 : 4\n  bcd = a != b\n}\n"),
    ('x {\na = "x${f("}")}"\nbcd = 2\n}\n', 'x {\n  a   = "x${f("}")}"\n  bcd = 2\n}\n'),
    (
        "x {\na = {\nfor k, v in {\nb = 1\ncde = 2\n} : k => v\n}\n}\n",
        "x {\n  a = {\n    for k, v in {\n      b   = 1\n      cde = 2\n    } : k => v\n  }\n}\n",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), LAYOUTS)
def test_the_layout_is_terraforms(text: str, wanted: str) -> None:
    assert hcl_text.fmt(text) == wanted


@pytest.mark.terraform
@pytest.mark.skipif(shutil.which("terraform") is None, reason="no terraform on PATH")
@pytest.mark.parametrize(("text", "wanted"), LAYOUTS)
def test_terraform_agrees_with_the_layout(text: str, wanted: str) -> None:
    done = subprocess.run(
        ["terraform", "fmt", "-"], input=wanted, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == wanted
