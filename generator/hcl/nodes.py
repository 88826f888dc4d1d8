"""The one node format for HCL, made by our parser, by the python-hcl2 reader and by the reader of JSON syntax.

Nodes are slotted but not frozen: a lint run makes tens of thousands of them and a frozen dataclass costs four times as much
to make. Nobody changes a node after its producer has returned it. `start` and `end` are offsets into the whole text of the
file (see `source`). The order of the fields is part of the format: producers pass them by position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction

Constant = str | int | Fraction | bool | None


@dataclass(slots=True)
class Node:
    """Anything with a place in the text."""

    start: int
    end: int


@dataclass(slots=True)
class Literal(Node):
    """`32`, `1.5`, `true`, `null`, or a literal piece of a template (then a decoded string)."""

    value: Constant


@dataclass(slots=True)
class Template(Node):
    """A quoted string or a heredoc; always a string, however few parts it has."""

    parts: tuple[Node, ...]


@dataclass(slots=True)
class TemplateWrap(Node):
    """`"${x}"` with nothing beside it: keeps the type of x."""

    inner: Node


@dataclass(slots=True)
class TemplateJoin(Node):
    """`%{ for }` inside a template: the results of `loop`, joined."""

    loop: For


@dataclass(slots=True)
class Parentheses(Node):
    """`(x)`."""

    inner: Node


@dataclass(frozen=True, slots=True)
class GetAttr:
    """Step `.name` of a traversal."""

    name: str


@dataclass(frozen=True, slots=True)
class GetIndex:
    """Step `[0]`, `["a"]` or `.0` of a traversal: a literal key."""

    key: Constant


Step = GetAttr | GetIndex


@dataclass(slots=True)
class ScopeTraversal(Node):
    """A name and literal steps from it: `var.zones[0]`; a bare `x` has no steps."""

    root: str
    steps: tuple[Step, ...] = ()


@dataclass(slots=True)
class RelativeTraversal(Node):
    """Literal steps from any other expression: `f(x).name[0]`."""

    source: Node
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Index(Node):
    """`collection[key]` where the key is not a literal."""

    collection: Node
    key: Node


@dataclass(slots=True)
class SplatItem(Node):
    """Stands for the element at hand inside `Splat.each`."""


@dataclass(slots=True)
class Splat(Node):
    """`x[*].a` or `x.*.a`; `each` is applied to every element."""

    source: Node
    each: Node


@dataclass(slots=True)
class Tuple(Node):
    """`[a, b]`."""

    items: tuple[Node, ...]


@dataclass(slots=True)
class KeyName(Node):
    """A bare name as an object key: text, not a reference."""

    name: str


@dataclass(slots=True)
class ObjectItem(Node):
    """`key = value` in an object. `key` is a KeyName or any expression; the span runs from the key to the value's end."""

    key: Node
    value: Node


@dataclass(slots=True)
class Object(Node):
    """`{ a = 1 }`."""

    items: tuple[ObjectItem, ...]


@dataclass(slots=True)
class Call(Node):
    """`name(args)`; `expand` when the last argument is followed by `...`. Namespaced names are written `a::b`."""

    name: str
    expand: bool
    args: tuple[Node, ...]


@dataclass(slots=True)
class Conditional(Node):
    """`condition ? yes : no`, also `%{ if }` in a template."""

    condition: Node
    yes: Node
    no: Node


@dataclass(slots=True)
class Unary(Node):
    """`-x` or `!x`."""

    operator: str
    operand: Node


@dataclass(slots=True)
class Binary(Node):
    """Two operands; `operator` as written."""

    operator: str
    left: Node
    right: Node


@dataclass(slots=True)
class For(Node):
    """A `for` expression. `key_var` is "" when only one name is given; `key` is None for the tuple form; `group` is `...`."""

    key_var: str
    value_var: str
    collection: Node
    key: Node | None
    value: Node
    condition: Node | None
    group: bool


@dataclass(slots=True)
class Attribute(Node):
    """`name = expression`. The span runs from the name to the end of the expression."""

    name: str
    name_end: int
    expression: Node


@dataclass(slots=True)
class Label(Node):
    """A block label, quotes included in the span, decoded in `text`."""

    text: str


@dataclass(slots=True)
class Body(Node):
    """What stands between two braces, or a whole file.

    Attributes:
        attributes: by name; of a name that is set twice the first one.
        blocks: in order.
        repeated: arguments whose name was already set, in order (Terraform refuses these).
    """

    attributes: dict[str, Attribute] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    repeated: list[Attribute] = field(default_factory=list)


@dataclass(slots=True)
class Block(Node):
    """`type "label" { … }`. The span runs from the type to the closing brace; `header_end` is after the last label."""

    type: str
    labels: tuple[Label, ...]
    header_end: int
    body: Body


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Why a piece of a file could not be read.

    Attributes:
        start: offset of the place to point at.
        end: exclusive; equal to `start` when the place is a point.
        message: what was found and what is needed.
        limit: True when one of our limits (depth, size, time) was hit, so the text is not proven invalid.
    """

    start: int
    end: int
    message: str
    limit: bool = False


@dataclass(slots=True)
class File:
    """A whole file as nodes.

    Attributes:
        body: everything that could be read.
        problems: what could not, in order; the items around it are in `body` all the same.
    """

    body: Body
    problems: list[SyntaxProblem] = field(default_factory=list)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in the order of its fields."""
    for spec in fields(node):
        value = getattr(node, spec.name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, list | tuple):
            yield from (item for item in value if isinstance(item, Node))
        elif isinstance(value, dict):
            yield from value.values()


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, parents first."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(list(children(found))))
