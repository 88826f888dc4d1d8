"""Edits of configuration text, for rules that know what has to stand there instead.

Each function gives a fix, or None where it cannot be done without touching anything else: in a plan, in the content of a
`dynamic`, where an override file has a part in the block, in JSON syntax (but for values), or where the value comes from
elsewhere (a variable, a local) and others may use it too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from generator.findings import Edit, Fix, Safety
from generator.hcl.nodes import Attribute, Object
from generator.hcl.source import Source, Span
from generator.view.answers import Absent, Answer, Plain
from generator.view.edit_texts import (
    LITERAL,
    Written,
    argument_lines,
    block_lines,
    indent_of,
    json_text,
    literal_text,
)
from generator.view.text_blocks import TextData

if TYPE_CHECKING:
    from generator.view.block import Block
    from generator.view.resource import NodePool

_INLINE = re.compile(r"[ \t]*")


def block_at(holder: Block | NodePool, path: str) -> Block | None:
    """The one block at a path; None when there is none, when there may be others, or when it is not certain to be there."""
    found = holder.blocks(path)
    return found.items[0] if found.unknown is None and len(found) == 1 else None


def replaced(answer: Answer | Span | None, value: Plain, *, safe: bool = False) -> Fix | None:
    """Another value in place of a literal.

    Args:
        answer: what a view said, or the span of the literal; a `null` that is written is a literal too.
        value: a string, number or bool.
        safe: see `Safety`.
    """
    span = answer if isinstance(answer, Span) or answer is None else answer.span
    if span is None or (isinstance(answer, Absent) and not answer.is_null):
        return None
    if not isinstance(answer, Span | Absent) and answer is not None and answer.origins:
        return None
    if not LITERAL.fullmatch(span.text):
        return None
    text = json_text(value) if span.source.path.suffix == ".json" else literal_text(value)
    return _fix(span.source, [(span.start, span.end, text)], safe)


def with_argument(block: Block | None, name: str, value: Plain, *, safe: bool = False) -> Fix | None:
    """An argument written into a block that lacks it, or another value in place of its literal.

    Args:
        block: where it belongs.
        name: its name.
        value: a string, number, bool, or a map of these.
        safe: see `Safety`.
    """
    if block is None:
        return None
    there = block.data.argument(name)
    if there is not None:
        return replaced(block.get(name), value, safe=safe)
    written = _written(block)
    if written is None:
        return None
    lines = argument_lines({name: value}, written.inner_indent, written.unit, written.width_for(name))
    return _inserted(written, lines, safe, behind=written.anchor())


def with_block(
    block: Block | None, name: str, arguments: Mapping[str, Plain], *, safe: bool = False, further: bool = False
) -> Fix | None:
    """A block written at the end of another one, which has none of that type unless it may be a further one.

    Args:
        block: where it belongs.
        name: its type.
        arguments: what stands in it.
        safe: see `Safety`.
        further: there may be others already.
    """
    if block is None or (not further and block.has(name) is not False):
        return None
    written = _written(block)
    if written is None or name in written.node.body.attributes:
        return None
    return _inserted(written, block_lines(name, arguments, written.inner_indent, written.unit), safe, is_block=True)


def with_element(block: Block | None, name: str, key: str, value: str, *, safe: bool = False) -> Fix | None:
    """A key of a map that is written in place; the whole argument when it is not written at all.

    Args:
        block: where the argument belongs.
        name: the argument.
        key: the key.
        value: its value.
        safe: see `Safety`.
    """
    if block is None:
        return None
    argument = block.data.argument(name)
    if argument is None or argument.value.is_null:
        return with_argument(block, name, {key: value}, safe=safe)
    answer = block.element(name, key)
    if not isinstance(answer, Absent) or answer.is_null:
        return replaced(answer, value, safe=safe)
    written = _written(block)
    attribute = written.node.body.attributes.get(name) if written else None
    if written is None or attribute is None or not isinstance(attribute.expression, Object):
        return None
    return _with_item(written, attribute.expression, key, value, safe)


def without_argument(block: Block | None, name: str, *, safe: bool = False) -> Fix | None:
    """An argument taken out, with its line when nothing else stands on it."""
    written = _written(block) if block is not None else None
    attribute = written.node.body.attributes.get(name) if written else None
    if written is None or attribute is None:
        return None
    text = written.source.text
    start, end = _whole_lines(text, attribute)
    return _fix(written.source, [(start, end, "")], safe)


def together(*fixes: Fix | None) -> Fix | None:
    """Several fixes as one, all or none; None when one of them cannot be made."""
    made = [fix for fix in fixes if fix is not None]
    if not made or len(made) < len(fixes):
        return None
    safety = Safety.UNSAFE if any(f.safety is Safety.UNSAFE for f in made) else Safety.SAFE
    return Fix(safety, tuple(edit for fix in made for edit in fix.edits))


def _fix(source: Source, edits: Sequence[tuple[int, int, str]], safe: bool) -> Fix | None:
    # Bytes that are no UTF-8 would be written back as something else.
    if source.undecodable:
        return None
    made = tuple(Edit(source.path, start, end, text) for start, end, text in edits)
    return Fix(Safety.SAFE if safe else Safety.UNSAFE, made)


def _written(block: Block) -> Written | None:
    """The text of a block, when it stands in one place, in native syntax, for one block only."""
    data = block.data
    if not isinstance(data, TextData) or len(data.body.layers) != 1:
        return None
    source, node = data.body.layers[0]
    if source.path.suffix == ".json" or node.type == "content" or source.text[node.body.start - 1] != "{":
        return None
    return Written(source, node)


def _inserted(
    written: Written, lines: Sequence[str], safe: bool, *, is_block: bool = False, behind: Attribute | None = None
) -> Fix | None:
    body, text, eol = written.node.body, written.source.text, written.eol
    if not written.is_long:
        return _opened(written, lines, safe, is_block)
    whole = "".join(line + eol for line in lines)
    if is_block:
        at = text.rfind("\n", 0, body.end) + 1
        if text[at : body.end].strip(" \t"):
            return None
        before = text[body.start : at].rstrip(" \t\r\n")
        blank = bool(before) and not text[body.start : at].rstrip(" \t").endswith(("\n\n", "\n\r\n"))
        return _fix(written.source, [(at, at, (eol if blank else "") + whole)], safe)
    line = written.next_line(behind.end if behind else body.start)
    if line is None:
        return None
    if behind is None and body.blocks and not text[line : body.blocks[0].start].startswith(("\n", "\r\n")):
        whole += eol
    return _fix(written.source, [(line, line, whole)], safe)


def _opened(written: Written, lines: Sequence[str], safe: bool, is_block: bool) -> Fix | None:
    """A block on one line, opened up where that is needed."""
    body, text, eol = written.node.body, written.source.text, written.eol
    inner = text[body.start : body.end]
    if not inner.strip():
        if len(lines) == 1 and not is_block and not written.is_top:
            return _fix(written.source, [(body.start, body.end, f" {lines[0].strip()} ")], safe)
        whole = eol + "".join(line + eol for line in lines) + written.indent
        return _fix(written.source, [(body.start, body.end, whole)], safe)
    attributes = list(body.attributes.values())
    if len(attributes) != 1 or inner.strip() != text[attributes[0].start : attributes[0].end]:
        return None
    blank = eol if is_block else ""
    whole = eol + blank + "".join(line + eol for line in lines) + written.indent
    edits = [
        (body.start, attributes[0].start, eol + written.inner_indent),
        (attributes[0].end, body.end, whole),
    ]
    return _fix(written.source, edits, safe)


def _with_item(written: Written, object_: Object, key: str, value: str, safe: bool) -> Fix | None:
    source, eol = written.source, written.eol
    text = source.text
    quoted, shown = literal_text(key), literal_text(value)
    if not object_.items:
        if text[object_.start + 1 : object_.end - 1].strip():
            return None
        return _fix(source, [(object_.start + 1, object_.end - 1, f" {quoted} = {shown} ")], safe)
    last = object_.items[-1]
    between = text[last.key.end : last.value.start]
    sign = ":" if ":" in between and "=" not in between else "="
    width = len(text[last.key.start : last.key.end]) + len(between) - len(between.lstrip(" ")) - 1
    padded = quoted.ljust(width) if between.startswith(" ") and sign == "=" else quoted
    separator = ": " if sign == ":" else " = "
    after = _INLINE.match(text, last.value.end)
    assert after is not None
    at = after.end()
    has_comma = text.startswith(",", at)
    stop = written.next_line(at + has_comma)
    # On the line of the closing brace, or with more on its line, the item goes right behind the last one.
    if stop is None or stop > object_.end - 1:
        item = f"{quoted}{separator}{shown}"
        if has_comma:
            return _fix(source, [(at + 1, at + 1, f" {item}")], safe)
        return _fix(source, [(last.value.end, last.value.end, f", {item}")], safe)
    comma = "," if has_comma else ""
    line = f"{indent_of(text, last.key.start)}{padded}{separator}{shown}{comma}{eol}"
    return _fix(source, [(stop, stop, line)], safe)


def _whole_lines(text: str, attribute: Attribute) -> tuple[int, int]:
    """What goes with an argument: its lines when they hold nothing else; a comment beside it stays."""
    start = text.rfind("\n", 0, attribute.start) + 1
    end = text.find("\n", attribute.end)
    if end >= 0 and not text[start : attribute.start].strip(" \t\ufeff"):
        rest = text[attribute.end : end]
        if not rest.strip():
            return start, end + 1
        return attribute.start, end - len(rest.lstrip(" \t"))
    return len(text[: attribute.start].rstrip(" \t")), attribute.end
