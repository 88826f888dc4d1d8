"""python-hcl2's tree of one rewritten item to our nodes; names and literals are read from the original text by offset."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from generator.hcl.expressions import constant_step, walked
from generator.hcl.hcl2_rewrite import Rewritten
from generator.hcl.names import NAME, NAME_CHARACTER, normalized
from generator.hcl.nodes import (
    Attribute,
    Binary,
    Block,
    Body,
    Call,
    Conditional,
    Constant,
    For,
    GetAttr,
    GetIndex,
    Index,
    KeyName,
    Label,
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
from generator.hcl.templates import Parts, Sequence, TemplateReader
from generator.hcl.tokens import COMMENT, number, unescape

_SPACE = rf"(?>(?:[ \t\r\n]++|{COMMENT})*)"
_DIRECTIVE = re.compile(rf"{_SPACE}(if|for|else|endif|endfor)(?!{NAME_CHARACTER})").match
_FOR_NAMES = re.compile(rf"{_SPACE}({NAME}){_SPACE}(?:,{_SPACE}({NAME}){_SPACE})?in(?!{NAME_CHARACTER})").match
_SEQUENCE_END = re.compile(rf"{_SPACE}(~?\}})").match
_HEREDOC = re.compile(rf"<<(-?)({NAME})\r?\n").match
_INSIDE_NAME = re.compile(rf"[ \t\r\n]+|{COMMENT}")
_CONSTANTS: dict[str, Constant] = {"true": True, "false": False, "null": None}


class _Templates(TemplateReader):
    """Our template reader, with the expressions taken from the tree: by the offset of the sequence that they stand in."""

    __slots__ = ("expressions",)

    def __init__(self, text: str, expressions: dict[int, Node]) -> None:
        super().__init__(text)
        self.expressions = expressions

    def next(self) -> None:
        self.previous = self.end

    def read_quoted(self, start: int) -> Node:
        """The quoted string that begins at `start`."""
        self.start, self.end = start, start + 1
        return self.quoted_string()

    def read_heredoc(self, start: int) -> Node:
        """The heredoc that begins at `start`."""
        match = _HEREDOC(self.text, start)
        assert match is not None
        self.start, self.end, self.lexeme, self.flush = start, match.end(), match[2], match[1] == "-"
        return self.heredoc()

    def sequence(self, parts: Parts, opener: str, start: int, at: int) -> int:
        """One sequence whose inside begins at `at`; returns the offset after its brace."""
        word, names, expression = "", ("", ""), self.expressions.get(start)
        end = at
        if opener[0] == "%":
            directive = _DIRECTIVE(self.text, at)
            assert directive is not None
            word, end = directive[1], directive.end()
            heads = _FOR_NAMES(self.text, end) if word == "for" else None
            if heads is not None:
                names = (heads[1], heads[2]) if heads[2] else ("", heads[1])
        if expression is not None:
            end = expression.end
        closing = _SEQUENCE_END(self.text, end)
        assert closing is not None
        parts.append(Sequence(start, closing.end(), word, names, expression, opener[-1] == "~", closing[1] == "~}"))
        return closing.end()


class Adapter:
    """Turns the tree of one item into nodes.

    Args:
        text: the whole original text.
        offset: where the item begins in it.
        rewritten: what python-hcl2 was given.
    """

    def __init__(self, text: str, offset: int, rewritten: Rewritten) -> None:
        self._text, self._offset, self._unary_before = text, offset, rewritten.unary

    def add_to(self, body: Body, tree: Any) -> None:
        """Add what a `body` tree holds to a body."""
        for item in tree.children:
            if item.data == "attribute":
                self._add_attribute(body, item)
            elif item.data == "block":
                body.blocks.append(self._block(item))

    def _add_attribute(self, body: Body, tree: Any) -> None:
        start, name_end = self._at(tree.children[0].children[0])
        expression = self._expression(tree.children[2])
        name = self._text[start:name_end]
        attribute = Attribute(start, expression.end, name, name_end, expression)
        if name in body.attributes:
            body.repeated.append(attribute)
        else:
            body.attributes[name] = attribute

    def _block(self, tree: Any) -> Block:
        name = tree.children[0].children[0]
        start, header_end = self._at(name)
        type_ = self._text[start:header_end]
        labels: list[Label] = []
        inner = Body(0, 0)
        end = header_end
        for child in tree.children[1:]:
            if not isinstance(child, _tree_class()):
                begin, end = self._at(child)
                if str(child) == "{":
                    inner.start = end
                inner.end = begin
            elif child.data == "body":
                self.add_to(inner, child)
            elif child.data != "new_line_or_comment":
                labels.append(self._label(child))
                header_end = labels[-1].end
        return Block(start, end, type_, tuple(labels), header_end, inner)

    def _label(self, tree: Any) -> Label:
        if tree.data == "string":
            start, end = self._at(tree)
            return Label(start, end, unescape(self._text[start + 1 : end - 1], start + 1))
        start, end = self._at(tree.children[0])
        return Label(start, end, self._text[start:end])

    def _at(self, item: Any) -> tuple[int, int]:
        """Start and end of a token or tree in the original text."""
        place = item.meta if isinstance(item, _tree_class()) else item
        return self._offset + place.start_pos, self._offset + place.end_pos

    def _source(self, item: Any) -> str:
        start, end = self._at(item)
        return self._text[start:end]

    @staticmethod
    def _trees(tree: Any) -> list[Any]:
        """The subtrees of a tree without newlines and comments."""
        return [c for c in tree.children if isinstance(c, _tree_class()) and c.data != "new_line_or_comment"]

    def _expression(self, tree: Any) -> Node:
        method: Callable[[Any], Node] = getattr(self, f"_read_{tree.data}")
        return method(tree)

    def _read_conditional(self, tree: Any) -> Node:
        condition, yes, no = map(self._expression, self._trees(tree))
        return Conditional(condition.start, no.end, condition, yes, no)

    def _read_binary_op(self, tree: Any) -> Node:
        first, term = self._trees(tree)
        operator, second = self._trees(term)
        left, right = self._expression(first), self._expression(second)
        return Binary(left.start, right.end, str(operator.children[0]), left, right)

    def _read_unary_op(self, tree: Any) -> Node:
        start, _ = self._at(tree.children[0])
        operand = self._expression(tree.children[1])
        return self._with_blanked(Unary(start, operand.end, self._text[start], operand))

    def _with_blanked(self, unary: Node) -> Node:
        """Put the unary operators back that were blanked before this one."""
        for at, operator in self._unary_before.get(unary.start - self._offset, ()):
            unary = Unary(self._offset + at, unary.end, operator, unary)
        return unary

    def _read_expr_term(self, tree: Any) -> Node:
        first = tree.children[0]
        if not isinstance(first, _tree_class()):
            inner = self._expression(self._trees(tree)[0])
            return Parentheses(self._at(first)[0], self._at(tree.children[-1])[1], inner)
        return self._expression(first)

    def _read_int_lit(self, tree: Any) -> Node:
        start, end = self._at(tree)
        if self._text[start] != "-":
            return Literal(start, end, number(self._text[start:end], start))
        digits = start + 1
        while self._text[digits] in " \t":
            digits += 1
        return self._with_blanked(Unary(start, end, "-", Literal(digits, end, number(self._text[digits:end], digits))))

    _read_float_lit = _read_int_lit

    def _read_identifier(self, tree: Any) -> Node:
        start, end = self._at(tree)
        name = self._text[start:end]
        return Literal(start, end, _CONSTANTS[name]) if name in _CONSTANTS else ScopeTraversal(start, end, name)

    _read_literal_value = _read_identifier

    def _read_string(self, tree: Any) -> Node:
        start, end = self._at(tree)
        sequences = [
            child.children[0]
            for child in tree.children
            if isinstance(child, _tree_class()) and isinstance(child.children[0], _tree_class())
        ]
        is_quoted = self._text[start] == '"'
        if is_quoted and not sequences and "%{" not in self._text[start:end]:
            inside = self._text[start + 1 : end - 1]
            text = unescape(inside, start + 1)
            return Template(start, end, (Literal(start + 1, end - 1, text),))
        expressions = {self._at(sequence)[0]: self._expression(sequence.children[1]) for sequence in sequences}
        templates = _Templates(self._text, expressions)
        return templates.read_quoted(start) if is_quoted else templates.read_heredoc(start)

    def _read_tuple(self, tree: Any) -> Node:
        start, end = self._at(tree)
        return Tuple(start, end, tuple(map(self._expression, self._trees(tree))))

    def _read_object(self, tree: Any) -> Node:
        start, end = self._at(tree)
        items: list[ObjectItem] = []
        for element in self._trees(tree):
            key = self._key(element.children[0].children[0])
            value = self._expression(element.children[2])
            items.append(ObjectItem(key.start, value.end, key, value))
        return Object(start, end, tuple(items))

    def _key(self, tree: Any) -> Node:
        start, end = self._at(tree)
        if tree.data == "keyword":
            return KeyName(start, end, self._text[start:end])
        key = self._expression(tree)
        is_name = isinstance(key, ScopeTraversal) and not key.steps
        is_word = isinstance(key, Literal) and (key.value is None or isinstance(key.value, bool))
        return KeyName(key.start, key.end, self._text[key.start : key.end]) if is_name or is_word else key

    def _read_function_call(self, tree: Any) -> Node:
        start, end = self._at(tree)
        opening = next(child for child in tree.children if not isinstance(child, _tree_class()) and str(child) == "(")
        name = _INSIDE_NAME.sub("", normalized(self._text[start : self._at(opening)[0]]))
        arguments: list[Node] = []
        expand = False
        for child in self._trees(tree):
            if child.data == "arguments":
                arguments = [self._expression(argument) for argument in self._trees(child)]
                expand = any(not isinstance(c, _tree_class()) and c.type == "ELLIPSIS" for c in child.children)
        return Call(start, end, name, expand, tuple(arguments))

    def _with_step(self, found: Node, tree: Any) -> Node:
        """`found` with one step behind it; behind a full splat the step belongs to each element."""
        if _is_full_splat(found):
            assert isinstance(found, Splat)
            each = self._with_step(found.each, tree)
            return Splat(found.start, each.end, found.source, each)
        end = self._at(tree)[1]
        step: Step
        if tree.data == "get_attr":
            step = GetAttr(self._source(tree.children[1]))
        elif tree.data == "short_index":
            place = tree.children[1]
            step = GetIndex(number(self._source(place), self._at(place)[0]))
        else:
            key = self._expression(self._trees(tree)[0])
            constant = constant_step(key)
            if constant is None:
                return Index(found.start, end, found, key)
            step = constant
        return walked(found, [step], end)

    def _read_index_expr_term(self, tree: Any) -> Node:
        return self._with_step(self._expression(tree.children[0]), tree.children[1])

    _read_get_attr_expr_term = _read_index_expr_term

    def _read_full_splat_expr_term(self, tree: Any) -> Node:
        source, splat = self._expression(tree.children[0]), tree.children[1]
        opened, star_end = self._at(splat.children[0])
        star_end = self._text.index("]", opened) + 1
        each: Node = SplatItem(opened, star_end)
        for step in self._trees(splat):
            each = self._with_step(each, step)
        return _splat(source, each)

    def _read_attr_splat_expr_term(self, tree: Any) -> Node:
        source, splat = self._expression(tree.children[0]), tree.children[1]
        star_end = self._at(splat.children[0])[1]
        each: Node = SplatItem(star_end, star_end)
        steps = self._trees(splat)
        inside = next((i for i, step in enumerate(steps) if step.data == "braces_index"), len(steps))
        for step in steps[:inside]:
            each = self._with_step(each, step)
        found = _splat(source, each)
        for step in steps[inside:]:
            found = self._with_step(found, step)
        return found

    def _read_for_tuple_expr(self, tree: Any) -> Node:
        start, end = self._at(tree)
        introduction, *rest = self._trees(tree)
        condition: Node | None = None
        if rest[-1].data == "for_cond":
            condition = self._expression(self._trees(rest.pop())[0])
        results = [self._expression(result) for result in rest]
        names = self._trees(introduction)
        group = any(not isinstance(c, _tree_class()) and c.type == "ELLIPSIS" for c in tree.children)
        key_name = self._source(names[0]) if len(names) > 2 else ""
        key = results[0] if len(results) == 2 else None
        collection = self._expression(names[-1])
        return For(start, end, key_name, self._source(names[-2]), collection, key, results[-1], condition, group)

    _read_for_object_expr = _read_for_tuple_expr


def _splat(source: Node, each: Node) -> Node:
    """A splat over `source`; one behind a full splat belongs to each of its elements."""
    if _is_full_splat(source):
        assert isinstance(source, Splat)
        inner = _splat(source.each, each)
        return Splat(source.start, inner.end, source.source, inner)
    return Splat(source.start, each.end, source, each)


def _is_full_splat(node: Node) -> bool:
    """Whether it is `x[*]…`, all later steps of which belong to each element, and not `x.*…`."""
    if not isinstance(node, Splat):
        return False
    each: Node = node.each
    while not isinstance(each, SplatItem):
        if isinstance(each, RelativeTraversal | Splat):
            each = each.source
        elif isinstance(each, Index):
            each = each.collection
        else:
            return False
    return each.end > each.start


def _tree_class() -> Any:
    from lark import Tree

    return Tree
