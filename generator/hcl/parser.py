"""The strict reader of HCL native syntax: what HashiCorp's reader refuses is a problem here too.

Items are read one by one, so that those around a broken one are still there. Rules were learned from the specification and
from what `terraform fmt` accepts.
"""

from __future__ import annotations

from bisect import bisect_left

from generator.hcl.expressions import ExpressionReader
from generator.hcl.names import normalized
from generator.hcl.nodes import Attribute, Block, Body, File, Label, Literal, Node, SyntaxProblem, walk
from generator.hcl.source import Source
from generator.hcl.templates import QUOTED
from generator.hcl.tokens import END, FLAT, IDENTIFIER, LINES, NEWLINE, QUOTE, STRING, SyntaxFailure, unescape

# Larger than any configuration that people write; 10 MB take about two seconds.
SIZE_LIMIT = 10_000_000
# Text that is no HCL at all has a problem on each line; the first ones say it.
PROBLEM_LIMIT = 20


class BodyReader(ExpressionReader):
    """Reads arguments and blocks.

    Attributes:
        item_start: offset of the top-level item at hand.
        problems: mistakes that reading could go on after.
    """

    __slots__ = ("item_start", "problems")

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        super().__init__(text, start, end)
        self.item_start = start
        self.problems: list[SyntaxProblem] = []

    def restart(self, at: int) -> None:
        """Go on at a top-level item or between two."""
        self.cut, self.depth, self.end, self.item_start = LINES, 0, at, at

    def top(self, body: Body) -> None:
        """Items up to the end of the text."""
        self.next()
        while self.kind != END:
            self.item_start = self.start
            if self.kind == NEWLINE:
                self.next()
            elif self.kind == IDENTIFIER:
                self._item(body)
            else:
                self.fail("an argument or a block, which begin with a name, is needed")

    def _item(self, body: Body, only: bool = False) -> None:
        """One argument or block; the token at hand is its name. `only` when it stands alone in a block of one line."""
        name, start, name_end = self.lexeme, self.start, self.end
        self.next()
        if self.is_next("="):
            self.next()
            expression = self.expression()
            if only:
                if not self.is_next("}"):
                    self.fail("} is needed on the same line after the only argument of a one-line block")
            else:
                self._line_end("argument")
            attribute = Attribute(start, expression.end, name, name_end, expression)
            if name in body.attributes:
                body.repeated.append(attribute)
            else:
                body.attributes[name] = attribute
            return
        if only:
            self.fail(f"= is needed after {name}, because a block of one line holds at most one argument")
        body.blocks.append(self._block(name, start, name_end))
        self._line_end("block")

    def _line_end(self, what: str) -> None:
        if self.kind == NEWLINE:
            self.next()
        elif self.kind != END:
            self.fail(f"a newline is needed after the {what}")

    def _block(self, type_: str, start: int, type_end: int) -> Block:
        """A block from behind its type to behind its closing brace."""
        labels, header_end = self._labels(type_, start, type_end)
        self.nest()
        inner = Body(self.end, self.end)
        self.next()
        if self.kind == NEWLINE or self.is_next("}"):
            self._rest_of_body(inner, start, header_end)
        elif self.kind == IDENTIFIER:
            self._item(inner, only=True)
        else:
            self.fail("an argument, a newline or } is needed after {")
        inner.end = self.start
        self.depth -= 1
        self.next()
        return Block(start, self.previous, type_, labels, header_end, inner)

    def _rest_of_body(self, body: Body, start: int, header_end: int) -> None:
        while not self.is_next("}"):
            if self.kind == NEWLINE:
                self.next()
            elif self.kind == IDENTIFIER:
                self._item(body)
            elif self.kind == END:
                message = "the block is never closed; } is needed"
                raise SyntaxFailure(start, header_end, message, resume=header_end)
            else:
                self.fail("an argument, a block or } is needed")

    def _labels(self, type_: str, start: int, type_end: int) -> tuple[tuple[Label, ...], int]:
        """The labels up to the opening brace, which is then at hand, and the offset where the header ends."""
        labels: list[Label] = []
        end = type_end
        while not self.is_next("{"):
            at = self.start
            if self.kind == IDENTIFIER:
                text = self.lexeme
            elif self.kind == STRING:
                text = normalized(self.lexeme[1:-1])
            elif self.kind == QUOTE:
                text = self._escaped_label()
            elif self.kind == NEWLINE:
                self._brace_on_another_line(type_, start, end)
                break
            elif labels:
                self.fail("a label or { is needed")
            else:
                self.fail(f"{type_} must be followed by = and a value, or by labels and {{")
            end = self.end
            labels.append(Label(at, end, text))
            self.next()
        return tuple(labels), end

    def _escaped_label(self) -> str:
        match = QUOTED(self.text, self.end, self.limit)
        if match is None or match[1] != '"':
            self.fail("a label is one string on one line, without template sequences")
        text = unescape(self.text[self.end : match.start(1)], self.end)
        self.end = match.end()
        return text

    def _brace_on_another_line(self, type_: str, start: int, end: int) -> None:
        """Report a brace on a line of its own and go on behind it, or refuse a header without one."""
        missing = SyntaxFailure(
            end, end, f"{type_} must be followed by = and a value, or by labels and {{; found a newline"
        )
        while self.kind == NEWLINE:
            self.next()
        if not self.is_next("{"):
            raise missing
        message = "{ must stand on the line of the block's header; found a newline"
        self.problems.append(SyntaxProblem(start, end, message))


def parse(source: Source) -> File:
    """Read a `.tf`, `.tofu` or `.tfvars` file.

    What cannot be read is told in the result's problems; nothing is raised.
    """
    text = source.text
    body = Body(0, len(text))
    if len(text) > SIZE_LIMIT:
        message = f"the file has {len(text):,} characters, and we read at most {SIZE_LIMIT:,}"
        return File(body, [SyntaxProblem(0, 0, message, limit=True)])
    reader = BodyReader(text, 1 if text.startswith("\ufeff") else 0)
    problems = reader.problems
    while len(problems) < PROBLEM_LIMIT:
        try:
            reader.top(body)
            break
        except SyntaxFailure as failure:
            problems.append(SyntaxProblem(failure.start, failure.end, failure.message, failure.limit))
            reader.restart(_resume(text, reader.item_start, failure.start, failure.resume))
        except RecursionError:
            at = reader.item_start
            problems.append(SyntaxProblem(at, at, "nested more deeply than we read", limit=True))
            reader.restart(_resume(text, at, at, reader.end))
    if source.undecodable:
        problems.extend(_undecodable_text(source, body))
    problems.sort(key=lambda problem: problem.start)
    return File(body, problems)


def _undecodable_text(source: Source, body: Body) -> list[SyntaxProblem]:
    """The first byte in a string that is not UTF-8; such bytes may stand in comments."""
    for node in walk(body):
        if isinstance(node, Literal | Label):
            first = bisect_left(source.undecodable, node.start)
            if first < len(source.undecodable) and source.undecodable[first] < node.end:
                at = source.undecodable[first]
                message = "found bytes that are not UTF-8; save the file in that encoding"
                return [SyntaxProblem(at, at + 1, message)]
    return []


def _resume(text: str, item_start: int, failed_at: int, otherwise: int) -> int:
    """Where to go on after a failure: behind the item when its borders are plain, else at the next header."""
    # Only broken files need it.
    from generator.hcl.scanner import item_at, next_header

    item = item_at(text, item_start)
    if item is not None and item.complete and item.end > failed_at:
        line = text.find("\n", item.end)
        return line if line >= 0 else len(text)
    return next_header(text, otherwise)


def parse_expression(source: Source, start: int = 0, end: int | None = None) -> Node:
    """Read one expression, such as the value of `-var` or of a `TF_VAR_` variable; newlines are white space.

    Args:
        source: the text it stands in.
        start: offset where it begins.
        end: offset where it ends; the text's end by default.

    Raises:
        SyntaxFailure: when it is not one expression.
    """
    return _whole_expression(BodyReader(source.text, start, end))


def _whole_expression(reader: BodyReader) -> Node:
    reader.cut = FLAT
    try:
        reader.next()
        found = reader.expression()
        if reader.kind != END:
            reader.fail("the end of the expression is needed")
    except RecursionError:
        message = "nested more deeply than we read"
        raise SyntaxFailure(reader.start, reader.end, message, limit=True) from None
    return found


def parse_template(source: Source, start: int = 0, end: int | None = None) -> Node:
    """Read text as a template without quotes, as strings of JSON syntax are; a backslash is no escape in it.

    Raises:
        SyntaxFailure: when a sequence in it is broken.
    """
    end = len(source.text) if end is None else end
    reader = BodyReader(source.text, start, end)
    try:
        return reader.bare_template(start, end)
    except RecursionError:
        raise SyntaxFailure(start, end, "nested more deeply than we read", limit=True) from None
