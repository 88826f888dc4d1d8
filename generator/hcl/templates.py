"""Quoted strings, heredocs and bare templates: literal text with `${ }` and `%{ }` sequences, to nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from generator.hcl.names import normalized
from generator.hcl.nodes import Conditional, For, Literal, Node, Template, TemplateJoin, TemplateWrap
from generator.hcl.tokens import (
    DEPTH_LIMIT,
    END,
    FLAT,
    IDENTIFIER,
    PUNCTUATION,
    SyntaxFailure,
    TokenReader,
    closing_line,
    unescape,
)

QUOTED = re.compile(r'(?>(?:[^"\\$%\r\n]++|\\[^\r\n]|\$\$\{|%%\{|[$%](?!\{))*)("|[$%]\{~?|\Z|[\\\r\n])').match
_NEXT_SEQUENCE = re.compile(r"\$\$\{|%%\{|([$%]\{~?)").search
# Pieces as HashiCorp's scanner cuts them: a strip marker takes white space from one piece only, `<<-` looks at each piece.
_PIECES = re.compile(r"[^$%\n]+\n?|\n|\$\$\{|%%\{|[$%]\n?").findall
# White space as Go's unicode.IsSpace has it.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


@dataclass(slots=True)
class Sequence(Node):
    """`${ }` or `%{ }` between literals. `word` is "" for an interpolation; `names` are those of a `for`."""

    word: str
    names: tuple[str, str]
    expression: Node | None
    strips_before: bool
    strips_after: bool


Parts = list[Literal | Sequence]


class TemplateReader(TokenReader):
    """Reads templates; expressions inside come from the subclass.

    Attributes:
        flush: whether the heredoc at hand is introduced by `<<-`.
    """

    __slots__ = ("flush",)
    flush: bool

    def expression(self) -> Node:
        """One expression, from the token at hand on."""
        raise NotImplementedError

    def for_introduction(self) -> tuple[str, str, Node]:
        """`for key, value in collection`, the token at hand being `for`."""
        raise NotImplementedError

    def quoted_string(self) -> Node:
        """A quoted string with escapes or sequences; the token at hand is its opening quote."""
        text, start, at = self.text, self.start, self.end
        parts: Parts = []
        while True:
            match = QUOTED(text, at, self.limit)
            if match is None:
                self.fail("the string must be closed")
            stop, opener = match.start(1), match[1]
            if stop > at:
                parts.append(Literal(at, stop, unescape(text[at:stop], at)))
            at = match.end()
            if opener == '"':
                break
            if not opener or opener in "\\\r\n":
                self._unclosed_string(start, stop)
            at = self.sequence(parts, opener, stop, at)
        self.end = at
        self.next()
        return self._assembled(start, at, parts)

    def _unclosed_string(self, start: int, stop: int) -> NoReturn:
        message = 'the quoted string is not closed on its line; " is needed, or a heredoc (<<EOT) for several lines'
        raise SyntaxFailure(start, stop, message, resume=stop)

    def heredoc(self) -> Node:
        """A heredoc; the token at hand is its introduction with the newline."""
        text, start, marker, flush = self.text, self.start, self.lexeme, self.flush
        body = at = self.end
        parts: Parts = []
        closer, closer_from = -1, -1
        while True:
            if closer_from < at:
                found = closing_line(marker).search(text, at, self.limit)
                if found is None:
                    self._unclosed_heredoc(marker, body)
                closer = closer_from = found.start()
            stop, opener, after = self._literal_end(at, closer)
            self._literal_pieces(parts, at, stop)
            if opener is None:
                break
            at = self.sequence(parts, opener, stop, after)
        end = text.index("\n", closer)
        if text[end - 1] == "\r":
            end -= 1
        self.end = end
        self.next()
        return self._assembled(start, end, parts, flush)

    def _unclosed_heredoc(self, marker: str, body: int) -> NoReturn:
        message = f"the heredoc is never closed; a line with nothing but {marker} is needed"
        raise SyntaxFailure(self.limit, self.limit, message, resume=body)

    def bare_template(self, start: int, end: int) -> Node:
        """The text from `start` to `end` as one template without quotes, in which a backslash is no escape."""
        parts: Parts = []
        at = start
        self.limit = end
        while True:
            stop, opener, after = self._literal_end(at, end)
            self._literal_pieces(parts, at, stop)
            if opener is None:
                break
            at = self.sequence(parts, opener, stop, after)
        return self._assembled(start, end, parts)

    def _literal_end(self, at: int, limit: int) -> tuple[int, str | None, int]:
        """Where the literal text ends, what opens the sequence there (None at the limit), and the offset after that."""
        probe = at
        while True:
            match = _NEXT_SEQUENCE(self.text, probe, limit)
            if match is None:
                return limit, None, limit
            if match[1]:
                return match.start(), match[1], match.end()
            probe = match.end()

    def _literal_pieces(self, parts: Parts, start: int, end: int) -> None:
        for piece in _PIECES(self.text[start:end]):
            is_escape = len(piece) == 3 and piece in ("$${", "%%{")
            parts.append(Literal(start, start + len(piece), piece[1:] if is_escape else normalized(piece)))
            start += len(piece)

    def sequence(self, parts: Parts, opener: str, start: int, at: int) -> int:
        """Read one `${ }` or `%{ }` whose inside begins at `at`; returns the offset after its brace."""
        mode, depth = self.cut, self.depth
        self.cut, self.end = FLAT, at
        self.start = start
        self.nest()
        self.next()
        word, names, expression = "", ("", ""), None
        if opener[0] == "$":
            expression = self.expression()
        else:
            word, names, expression = self._directive()
        if self.kind != PUNCTUATION or self.lexeme not in ("}", "~}"):
            if self.kind == END:
                raise SyntaxFailure(start, at, f"the sequence {opener} is never closed; }} is needed", resume=at)
            self.fail(f"}} is needed at the end of the sequence {opener}")
        end = self.end
        parts.append(Sequence(start, end, word, names, expression, opener[-1] == "~", self.lexeme == "~}"))
        self.cut, self.depth = mode, depth
        return end

    def _directive(self) -> tuple[str, tuple[str, str], Node | None]:
        word = self.lexeme if self.kind == IDENTIFIER else ""
        if word == "for":
            key, value, collection = self.for_introduction()
            return word, (key, value), collection
        if word not in ("if", "else", "endif", "endfor"):
            self.fail("a template directive begins with if, else, endif, for or endfor")
        self.next()
        return word, ("", ""), self.expression() if word == "if" else None

    def _assembled(self, start: int, end: int, parts: Parts, flush: bool = False) -> Node:
        parts = _stripped(parts)
        if flush:
            _remove_indentation(parts)
        if len(parts) == 1:
            only = parts[0]
            if isinstance(only, Sequence) and not only.word:
                assert only.expression is not None
                return TemplateWrap(start, end, only.expression)
        nodes, _ = self._grouped(parts, 0, None, 0)
        return Template(start, end, tuple(nodes) or (Literal(start + 1, start + 1, ""),))

    def _grouped(self, parts: Parts, index: int, opened: Sequence | None, depth: int) -> tuple[list[Node], int]:
        """Nodes from `index` on up to the directive that ends `opened`; returns them and that directive's index."""
        ends = () if opened is None else ("endfor",) if opened.word == "for" else ("else", "endif")
        if opened is not None and opened.word == "else":
            ends = ("endif",)
        if depth > DEPTH_LIMIT:
            self.too_much(f"template directives nested more than {DEPTH_LIMIT} levels deep")
        nodes: list[Node] = []
        while index < len(parts):
            part = parts[index]
            if isinstance(part, Literal):
                index = self._literal_run(nodes, parts, index)
                continue
            if part.word in ends:
                return nodes, index
            if not part.word:
                assert part.expression is not None
                nodes.append(part.expression)
            elif part.word in ("if", "for"):
                node, index = self._directive_node(parts, index, part, depth)
                nodes.append(node)
            else:
                raise SyntaxFailure(part.start, part.end, f"{part.word} without the directive that it belongs to")
            index += 1
        if opened is not None:
            needed = "endfor" if opened.word == "for" else "endif"
            message = f"the directive {opened.word} is never closed; %{{ {needed} }} is needed"
            raise SyntaxFailure(opened.start, opened.end, message)
        return nodes, index

    def _directive_node(self, parts: Parts, index: int, part: Sequence, depth: int) -> tuple[Node, int]:
        """The node of an `if` or `for` that begins at `index`, and the index of the directive that ends it."""
        assert part.expression is not None
        inside, index = self._grouped(parts, index + 1, part, depth + 1)
        closing = parts[index]
        if part.word == "for":
            key, value = part.names
            body = _template(inside, part.end)
            loop = For(part.start, closing.end, key, value, part.expression, None, body, None, False)
            return TemplateJoin(part.start, closing.end, loop), index
        otherwise: list[Node] = []
        no_at = closing.start
        if isinstance(closing, Sequence) and closing.word == "else":
            otherwise, index = self._grouped(parts, index + 1, closing, depth + 1)
            closing = parts[index]
            no_at = closing.start
        yes, no = _template(inside, part.end), _template(otherwise, no_at)
        return Conditional(part.start, closing.end, part.expression, yes, no), index

    @staticmethod
    def _literal_run(nodes: list[Node], parts: Parts, index: int) -> int:
        """Join the literals from `index` on into one node; returns the index after them."""
        pieces: list[str] = []
        start = end = parts[index].start
        while index < len(parts):
            part = parts[index]
            if not isinstance(part, Literal):
                break
            pieces.append(str(part.value))
            end = part.end
            index += 1
        nodes.append(Literal(start, end, "".join(pieces)))
        return index


def _template(nodes: list[Node], empty_at: int) -> Template:
    inside = nodes or [Literal(empty_at, empty_at, "")]
    return Template(inside[0].start, inside[-1].end, tuple(inside))


def _stripped(parts: Parts) -> Parts:
    """Take the white space beside `~` markers away."""
    for before, after in pairwise(parts):
        if isinstance(before, Literal):
            if isinstance(after, Sequence) and after.strips_before:
                before.value = str(before.value).rstrip(_SPACE)
        elif before.strips_after and isinstance(after, Literal):
            after.value = str(after.value).lstrip(_SPACE)
    return parts


def _remove_indentation(parts: Parts) -> None:
    """`<<-`: take the smallest indentation from all pieces that begin a line."""
    least: int | None = None
    begins_line = True
    indented: list[Literal] = []
    for part in parts:
        literal = part if isinstance(part, Literal) else None
        text = "" if literal is None else str(literal.value)
        if begins_line:
            begins_line = False
            rest = text.lstrip(_SPACE)
            is_blank = not rest and text.endswith("\n")
            if not is_blank:
                indent = len(text) - len(rest)
                least = indent if least is None else min(least, indent)
                if literal is not None:
                    indented.append(literal)
        if text.endswith("\n"):
            begins_line = True
    for literal in indented:
        literal.start += least or 0
        literal.value = str(literal.value)[least or 0 :]
