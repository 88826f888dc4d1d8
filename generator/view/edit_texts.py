"""How inserted text looks: literals, indentation, the alignment of `=`, and where lines begin."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.hcl.nodes import Attribute, Block
from generator.hcl.source import Source
from generator.view.answers import Plain

# A string without templates, a number, a bool or null: native and JSON syntax write them alike.
LITERAL = re.compile(r'"(?:[^"\\$%\r\n]|\\.|[$%](?!\{))*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null')
_BARE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
_REST = re.compile(r"[ \t]*(?:(?:#|//)[^\n]*|/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*)?\r?(?:\n|\Z)")


def literal_text(value: Plain) -> str:
    """A string, number or bool in native syntax."""
    if isinstance(value, str):
        quoted = json.dumps(value, ensure_ascii=False)
        return quoted.replace("${", "$${").replace("%{", "%%{")
    return json_text(value)


def json_text(value: Plain) -> str:
    """A string, number or bool in JSON syntax."""
    text = value.replace("${", "$${").replace("%{", "%%{") if isinstance(value, str) else value
    return json.dumps(text, ensure_ascii=False)


def indent_of(text: str, offset: int) -> str:
    """The blanks that the line of an offset begins with."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def argument_lines(arguments: Mapping[str, Plain], indent: str, unit: str, width: int = 0) -> list[str]:
    """Arguments as `terraform fmt` writes them.

    Args:
        arguments: by name; a map becomes an object.
        indent: what each line begins with.
        unit: what a line further in begins with beyond that.
        width: how wide names are at least, for the alignment with neighbours.
    """
    lines: list[str] = []
    width = max([width, *(len(n) for n, v in arguments.items() if not isinstance(v, Mapping))])
    for name, value in arguments.items():
        if isinstance(value, Mapping):
            keys = {k if _BARE_KEY.fullmatch(k) else literal_text(k): v for k, v in value.items()}
            inner = argument_lines(keys, indent + unit, unit)
            lines += [f"{indent}{name} = {{", *inner, f"{indent}}}"]
        else:
            lines.append(f"{indent}{name.ljust(width)} = {literal_text(value)}")
    return lines


def block_lines(name: str, arguments: Mapping[str, Plain], indent: str, unit: str) -> list[str]:
    """A block as `terraform fmt` writes it."""
    return [f"{indent}{name} {{", *argument_lines(arguments, indent + unit, unit), f"{indent}}}"]


@dataclass(frozen=True, slots=True)
class Written:
    """A block's text in native syntax.

    Attributes:
        source: its file.
        node: the block.
    """

    source: Source
    node: Block

    @property
    def is_long(self) -> bool:
        """Whether its braces stand on different lines."""
        return "\n" in self.source.text[self.node.body.start : self.node.body.end]

    @property
    def is_top(self) -> bool:
        """Whether it has labels, as blocks at the top of a file have."""
        return bool(self.node.labels)

    @property
    def eol(self) -> str:
        """How its lines end."""
        text = self.source.text
        at = text.find("\n", self.node.start)
        if at < 0:
            at = text.rfind("\n")
        return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"

    @property
    def indent(self) -> str:
        """What its own line begins with."""
        return indent_of(self.source.text, self.node.start)

    @property
    def inner_indent(self) -> str:
        """What the lines of its arguments and blocks begin with."""
        body = self.node.body
        if self.is_long:
            starts = [a.start for a in body.attributes.values()] + [b.start for b in body.blocks]
            if starts:
                return indent_of(self.source.text, min(starts))
        return self.indent + ("\t" if self.indent.startswith("\t") else "  ")

    @property
    def unit(self) -> str:
        """What one more level of indentation is."""
        outer, inner = self.indent, self.inner_indent
        further = inner[len(outer) :] if inner.startswith(outer) else ""
        return further or ("\t" if inner.startswith("\t") else "  ")

    def anchor(self) -> Attribute | None:
        """The argument to write another one behind: the last one before the first nested block."""
        body = self.node.body
        first = min((b.start for b in body.blocks), default=body.end)
        return max((a for a in body.attributes.values() if a.start < first), key=lambda a: a.start, default=None)

    def width_for(self, name: str) -> int:
        """How wide a name behind the anchor has to be for its `=` to stand below those of its neighbours."""
        anchor = self.anchor()
        if anchor is None or not self.is_long:
            return 0
        text = self.source.text
        if "\n" in text[anchor.start : anchor.end]:
            return 0
        between = text[anchor.name_end : anchor.expression.start]
        blanks = len(between) - len(between.lstrip(" "))
        width = anchor.name_end - anchor.start + blanks - 1
        return width if blanks and len(name) <= width else 0

    def next_line(self, offset: int) -> int | None:
        """Where the next line begins, when nothing but a comment stands before it."""
        match = _REST.match(self.source.text, offset)
        return match.end() if match and match.group().endswith("\n") else None
