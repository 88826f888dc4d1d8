"""Expressions of HCL: operators by precedence climbing, operands, and the steps that follow them."""

from __future__ import annotations

import re
from typing import NoReturn

from generator.hcl.names import NAME_CHARACTER, normalized
from generator.hcl.nodes import (
    Binary,
    Call,
    Conditional,
    Constant,
    For,
    GetAttr,
    GetIndex,
    Index,
    KeyName,
    Literal,
    Node,
    Object,
    ObjectItem,
    Parentheses,
    RelativeTraversal,
    ScopeTraversal,
    Splat,
    SplatItem,
    Step,
    Template,
    Tuple,
    Unary,
)
from generator.hcl.templates import TemplateReader
from generator.hcl.tokens import (
    CHAIN_LIMIT,
    COMMENT,
    DASH,
    END,
    FLAT,
    HEREDOC,
    IDENTIFIER,
    LINES,
    NEWLINE,
    NUMBER,
    PUNCTUATION,
    QUOTE,
    STRING,
    Cut,
    SyntaxFailure,
    number,
)

_LEVELS = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 4,
    ">": 4,
    "<=": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "%": 6,
}
_CONSTANTS: dict[str, Constant] = {"true": True, "false": False, "null": None}
_FOR_FOLLOWS = re.compile(rf"(?>(?:[ \t\r\n]++|{COMMENT})*)for(?!{NAME_CHARACTER})").match


class ExpressionReader(TemplateReader):
    """Reads expressions; what it returns ends at `previous`, and the token behind it is at hand."""

    __slots__ = ()

    def expression(self) -> Node:
        """One expression, from the token at hand on."""
        found = self.operand()
        if self.kind != PUNCTUATION:
            return found
        if self.lexeme in _LEVELS:
            found = self._operations(found, 1)
        if self.kind == PUNCTUATION and self.lexeme == "?":
            self.nest()
            self.next()
            yes = self.expression()
            self.expect(":", "between the two results of a conditional")
            no = self.expression()
            self.depth -= 1
            return Conditional(found.start, no.end, found, yes, no)
        return found

    def _operations(self, left: Node, least: int) -> Node:
        """Operators of at least the level `least` and their right operands, joined to `left`."""
        length = 0
        while self.kind == PUNCTUATION:
            operator = self.lexeme
            level = _LEVELS.get(operator, 0)
            if level < least:
                break
            length += 1
            if length > CHAIN_LIMIT:
                self.too_much(f"a chain of more than {CHAIN_LIMIT} operators")
            self.next()
            right = self.operand()
            while self.kind == PUNCTUATION and _LEVELS.get(self.lexeme, 0) > level:
                right = self._operations(right, level + 1)
            left = Binary(left.start, right.end, operator, left, right)
        return left

    def operand(self) -> Node:
        """One operand with its unary operators and steps."""
        kind, start, lexeme = self.kind, self.start, self.lexeme
        found: Node
        if kind == IDENTIFIER:
            return self._named(start, lexeme)
        if kind == STRING:
            self.next()
            end = self.previous
            found = Template(start, end, (Literal(start + 1, end - 1, normalized(lexeme[1:-1])),))
        elif kind == NUMBER:
            value = number(lexeme, start)
            self.next()
            found = Literal(start, self.previous, value)
        elif kind == QUOTE:
            found = self.quoted_string()
        elif kind == HEREDOC:
            self.flush = bool(self.match[DASH])
            found = self.heredoc()
        elif kind != PUNCTUATION:
            self.fail("an expression is needed")
        elif lexeme == "[":
            found = self._tuple(start)
        elif lexeme == "{":
            found = self._object(start)
        elif lexeme == "(":
            outside = self._open()
            inner = self.expression()
            found = Parentheses(start, self._close(")", outside, start), inner)
        elif lexeme in ("-", "!"):
            self.nest()
            self.next()
            inner = self.operand()
            self.depth -= 1
            return Unary(start, inner.end, lexeme, inner)
        else:
            self.fail("an expression is needed")
        if self.kind == PUNCTUATION and (self.lexeme == "." or self.lexeme == "["):
            return self._steps(found, start)
        return found

    def _named(self, start: int, name: str) -> Node:
        """What begins with a name: a call, a keyword or a reference."""
        self.next()
        end = self.previous
        steps_follow = False
        if self.kind == PUNCTUATION:
            if self.lexeme == "(" or self.lexeme == "::":
                return self._steps(self._call(name, start), start)
            steps_follow = self.lexeme == "." or self.lexeme == "["
        found: Node = Literal(start, end, _CONSTANTS[name]) if name in _CONSTANTS else ScopeTraversal(start, end, name)
        return self._steps(found, start) if steps_follow else found

    def _open(self) -> Cut:
        """Enter brackets, in which newlines are white space. Returns what `_close` needs."""
        outside = self.cut
        self.nest()
        self.cut = FLAT
        self.next()
        return outside

    def _close(self, closing: str, outside: Cut, opened: int) -> int:
        """Leave brackets, whose closing one must be the token at hand. Returns the offset after it."""
        if self.kind != PUNCTUATION or self.lexeme != closing:
            self.fail(f"{closing} is needed, because {self.text[opened]} is open")
        self.depth -= 1
        self.cut = outside
        self.next()
        return self.previous

    def _no_separator(self, closing: str, start: int, opened: int, needed: str) -> NoReturn:
        """Refuse what follows an element; at the end of the text the bracket that is open is to blame."""
        if self.kind == END:
            raise SyntaxFailure(start, opened + 1, f"{self.text[opened]} is never closed; {closing} is needed")
        self.fail(needed)

    def _steps(self, found: Node, start: int) -> Node:
        """`.name`, `[key]` and splats that follow `found`."""
        path: list[Step] = []
        wraps = 0
        while self.kind == PUNCTUATION:
            before = self.previous
            if self.lexeme == ".":
                self.next()
                if self.is_next("*"):
                    found, path = self._attribute_splat(walked(found, path, before), start), []
                    wraps += 1
                else:
                    path.append(self._attribute_step())
            elif self.lexeme == "[":
                opened, outside = self.start, self.cut
                self.next()
                if self.is_next("*"):
                    return self._full_splat(walked(found, path, before), start, opened)
                key = self._index_key(outside, opened)
                constant = constant_step(key)
                if constant is not None:
                    path.append(constant)
                else:
                    found, path = Index(start, self.previous, walked(found, path, before), key), []
                    wraps += 1
            else:
                break
            if wraps > CHAIN_LIMIT:
                self.too_much(f"a chain of more than {CHAIN_LIMIT} indexes")
        return walked(found, path, self.previous)

    def _attribute_step(self) -> Step:
        """The name, or the legacy index, after a dot."""
        step: Step
        if self.kind == IDENTIFIER:
            step = GetAttr(self.lexeme)
        elif self.kind == NUMBER:
            if not self.lexeme.isdecimal():
                self.fail("after a dot one whole number is allowed; write further indexes in brackets")
            step = GetIndex(number(self.lexeme, self.start))
        else:
            self.fail("a name is needed after the dot")
        self.next()
        return step

    def _index_key(self, outside: Cut, opened: int) -> Node:
        """The expression between brackets, the token at hand being the first one after `[`."""
        self.cut = FLAT
        self.nest()
        while self.kind == NEWLINE:
            self.next()
        key = self.expression()
        self._close("]", outside, opened)
        return key

    def _full_splat(self, source: Node, start: int, opened: int) -> Node:
        """`[*]` and all steps behind it; the token at hand is the star."""
        self.next()
        self.expect("]", "after [*")
        self.nest()
        each = self._steps(SplatItem(opened, self.previous), opened)
        self.depth -= 1
        return Splat(start, max(self.previous, each.end), source, each)

    def _attribute_splat(self, source: Node, start: int) -> Node:
        """`.*` and the names behind it; the token at hand is the star."""
        self.next()
        each: Node = SplatItem(self.previous, self.previous)
        path: list[Step] = []
        while self.is_next("."):
            self.next()
            path.append(self._attribute_step())
        return Splat(start, self.previous, source, walked(each, path, self.previous))

    def _call(self, name: str, start: int) -> Node:
        """A function call; the token at hand is `::` or `(`."""
        while self.is_next("::"):
            self.next()
            if self.kind != IDENTIFIER:
                self.fail("a function's name is needed after ::")
            name += "::" + self.lexeme
            self.next()
        if not self.is_next("("):
            self.fail("( is needed after the function's name")
        opened = self.start
        outside = self._open()
        arguments: list[Node] = []
        expand = False
        while not self.is_next(")"):
            arguments.append(self.expression())
            if self.is_next("..."):
                expand = True
                self.next()
                break
            if self.is_next(")"):
                break
            if not self.is_next(","):
                self._no_separator(")", start, opened, "a comma or ) is needed after the argument")
            self.next()
        return Call(start, self._close(")", outside, opened), name, expand, tuple(arguments))

    def _tuple(self, start: int) -> Node:
        outside = self._open()
        if self.kind == IDENTIFIER and self.lexeme == "for":
            return self._for(start, "]", outside)
        items: list[Node] = []
        while not self.is_next("]"):
            items.append(self.expression())
            if self.is_next("]"):
                break
            if not self.is_next(","):
                self._no_separator("]", start, start, "a comma or ] is needed after the element")
            self.next()
        return Tuple(start, self._close("]", outside, start), tuple(items))

    def _object(self, start: int) -> Node:
        if _FOR_FOLLOWS(self.text, self.end, self.limit):
            return self._for(start, "}", self._open())
        outside = self.cut
        self.nest()
        self.cut = LINES
        self.next()
        items: list[ObjectItem] = []
        while True:
            while self.kind == NEWLINE:
                self.next()
            if self.is_next("}"):
                break
            key = self._object_key()
            self.next()
            value = self.expression()
            items.append(ObjectItem(key.start, value.end, key, value))
            if self.is_next("}"):
                break
            if self.kind != NEWLINE and not self.is_next(","):
                self._no_separator("}", start, start, "a newline, a comma or } is needed after the value")
            self.next()
        return Object(start, self._close("}", outside, start), tuple(items))

    def _object_key(self) -> Node:
        """A key; the token at hand is then its `=` or `:`."""
        key = self.expression()
        if isinstance(key, ScopeTraversal) and not key.steps:
            key = KeyName(key.start, key.end, key.root)
        elif isinstance(key, Literal) and (key.value is None or isinstance(key.value, bool)):
            key = KeyName(key.start, key.end, self.text[key.start : key.end])
        if not (self.is_next("=") or self.is_next(":")):
            self.fail("= is needed after the key")
        return key

    def _for(self, start: int, closing: str, outside: Cut) -> Node:
        key_name, value_name, collection = self.for_introduction()
        self.expect(":", "after the collection of a for expression")
        key: Node | None = None
        condition: Node | None = None
        group = False
        value = self.expression()
        if self.is_next("=>"):
            if closing == "]":
                self.fail("a for expression in [ ] has no key; write it in { }")
            self.next()
            key, value = value, self.expression()
        elif closing == "}":
            self.fail("=> and a value are needed in a for expression in { }")
        if self.is_next("..."):
            if closing == "]":
                self.fail("only a for expression in { } can group with ...")
            group = True
            self.next()
        if self.kind == IDENTIFIER and self.lexeme == "if":
            self.next()
            condition = self.expression()
        end = self._close(closing, outside, start)
        return For(start, end, key_name, value_name, collection, key, value, condition, group)

    def for_introduction(self) -> tuple[str, str, Node]:
        """`for key, value in collection`, the token at hand being `for`."""
        self.next()
        names: list[str] = []
        while True:
            if self.kind != IDENTIFIER:
                self.fail("a name is needed after for")
            names.append(self.lexeme)
            self.next()
            if len(names) == 2 or not self.is_next(","):
                break
            self.next()
        if self.kind != IDENTIFIER or self.lexeme != "in":
            self.fail("in and a collection are needed after the names of a for expression")
        self.next()
        return names[0] if len(names) == 2 else "", names[-1], self.expression()


def constant_step(key: Node) -> Step | None:
    """The step for a literal key, None for any other expression."""
    if isinstance(key, Literal):
        return GetIndex(key.value)
    if isinstance(key, Template) and len(key.parts) == 1:
        only = key.parts[0]
        if isinstance(only, Literal):
            return GetIndex(only.value)
    return None


def walked(found: Node, path: list[Step], end: int) -> Node:
    """`found` with literal steps behind it."""
    if not path:
        return found
    if isinstance(found, ScopeTraversal):
        return ScopeTraversal(found.start, end, found.root, found.steps + tuple(path))
    if isinstance(found, RelativeTraversal):
        return RelativeTraversal(found.start, end, found.source, found.steps + tuple(path))
    return RelativeTraversal(found.start, end, found, tuple(path))
