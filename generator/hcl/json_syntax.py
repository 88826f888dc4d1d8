"""Terraform's JSON syntax to the same nodes as the native one.

What is a block in JSON depends on a schema. The blocks of Terraform itself are known here; whether a property of a resource
is an argument or a block only its provider says, so these stay attributes, and `as_blocks` reads one as blocks.

Strings are templates, except where Terraform takes them literally (a variable's default, every string of a `.tfvars.json`),
and except for references that it reads as such (`depends_on`, `ignore_changes`, a variable's type): these become what they are
in native syntax. The span of a block that came of JSON begins at the property which makes it one: its last label or its type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.hcl.json_reader import JsonReader, decoded_string
from generator.hcl.nodes import (
    Attribute,
    Block,
    Body,
    File,
    Label,
    Literal,
    Node,
    Object,
    ObjectItem,
    SyntaxProblem,
    Template,
    TemplateWrap,
    Tuple,
    walk,
)
from generator.hcl.parser import SIZE_LIMIT, parse_expression, parse_template
from generator.hcl.source import Source
from generator.hcl.tokens import SyntaxFailure

_RESOURCE_BLOCKS = {"lifecycle": 0, "provisioner": 1, "connection": 0, "dynamic": 1}
_CONDITION_BLOCKS = {"precondition": 0, "postcondition": 0}
# The blocks that Terraform's own language has, by the block around ("" is the file), each with its number of labels.
_BLOCKS: dict[str, dict[str, int]] = {
    "": {
        "terraform": 0,
        "provider": 1,
        "variable": 1,
        "locals": 0,
        "output": 1,
        "module": 1,
        "resource": 2,
        "data": 2,
        "ephemeral": 2,
        "action": 2,
        "moved": 0,
        "import": 0,
        "removed": 0,
        "check": 1,
    },
    "terraform": {"required_providers": 0, "backend": 1, "cloud": 0, "provider_meta": 1, "encryption": 0},
    "cloud": {"workspaces": 0},
    "variable": {"validation": 0},
    "output": _CONDITION_BLOCKS,
    "resource": _RESOURCE_BLOCKS,
    "data": _RESOURCE_BLOCKS,
    "ephemeral": _RESOURCE_BLOCKS,
    "removed": {"lifecycle": 0, "provisioner": 1, "connection": 0},
    "lifecycle": _CONDITION_BLOCKS,
    "provisioner": {"connection": 0},
    "check": {"data": 2, "assert": 0},
    "dynamic": {"content": 0},
}
# The bodies inside a resource whose blocks only the provider knows: `dynamic` can stand in each.
_NESTED_BLOCKS = {"dynamic": 1}
# Blocks all of whose strings Terraform takes literally, and single arguments of others.
_LITERAL_BLOCKS = frozenset(
    ("variable", "terraform", "required_providers", "backend", "cloud", "workspaces", "provider_meta")
)
_LITERAL_ARGUMENTS = frozenset((("output", "description"), ("module", "source"), ("module", "version")))
# Arguments whose strings are references, also inside a list or an object.
_REFERENCES = frozenset(
    [(around, "depends_on") for around in ("resource", "data", "ephemeral", "module", "output")]
    + [(around, "provider") for around in ("resource", "data", "ephemeral", "import")]
    + [
        ("lifecycle", "ignore_changes"),
        ("lifecycle", "replace_triggered_by"),
        ("module", "providers"),
        ("variable", "type"),
    ]
    + [("moved", "from"), ("moved", "to"), ("import", "to"), ("removed", "from")]
)
# Blocks whose arguments are expressions and never blocks, so that a property twice in an object is an error.
_PLAIN_BLOCKS = frozenset(("locals", "output", "module", "variable"))


def parse_json(source: Source) -> File:
    """Read a `.tf.json` or `.tofu.json` file; nothing is raised."""
    return _read(source, _Builder(source, literal=False), "")


def parse_variables_json(source: Source) -> File:
    """Read a `.tfvars.json` file: arguments only, whose strings are no templates; nothing is raised."""
    return _read(source, _Builder(source, literal=True), "tfvars")


def as_blocks(attribute: Attribute) -> list[Block] | None:
    """An attribute of a JSON body as the blocks that it stands for, or None when its value cannot stand for blocks.

    An object is one block, an array of objects several, null none. Of a property that occurs twice in an object the first is
    among the attributes of the block's body, the others are in `repeated`: when it names blocks, all of them count.
    """
    key = (attribute.start, attribute.name_end)
    value = attribute.expression
    if isinstance(value, Literal) and value.value is None:
        return []
    values = value.items if isinstance(value, Tuple) else (value,)
    builder = _Builder(None, literal=False)
    blocks: list[Block] = []
    for one in values:
        if not isinstance(one, Object):
            return None
        body = builder.body(one, one, "nested", converted=True)
        blocks.append(Block(key[0], one.end, attribute.name, (), key[1], body))
    return blocks


@dataclass(frozen=True, slots=True)
class _Named:
    """A block's name on the way down its labels."""

    type: str
    labels: tuple[Label, ...]
    start: int
    header_end: int


def _read(source: Source, builder: _Builder, around: str) -> File:
    size = len(source.text)
    body = Body(0, size)
    if size > SIZE_LIMIT:
        message = f"the file has {size:,} characters, and we read at most {SIZE_LIMIT:,}"
        return File(body, [SyntaxProblem(0, 0, message, limit=True)])
    try:
        root = JsonReader(source.text).document()
        if not isinstance(root, Object | Tuple):
            raise SyntaxFailure(root.start, root.end, "an object is needed at the top of a file in JSON syntax")
        body = builder.body(root, body, around)
    except SyntaxFailure as failure:
        builder.report(failure)
    except RecursionError:
        builder.problems.append(SyntaxProblem(0, 0, "nested more deeply than we read", limit=True))
    return File(body, sorted(builder.problems, key=lambda problem: problem.start))


class _Builder:
    """Makes bodies of objects.

    Attributes:
        problems: what is wrong with single values; the others are read all the same.
    """

    def __init__(self, source: Source | None, *, literal: bool) -> None:
        self.problems: list[SyntaxProblem] = []
        self._source = source
        self._literal = literal

    def report(self, failure: SyntaxFailure) -> None:
        """Note a failure as a problem."""
        self.problems.append(SyntaxProblem(failure.start, failure.end, failure.message, failure.limit))

    def body(self, value: Node, place: Node, around: str, *, converted: bool = False) -> Body:
        """The body that an object, or an array of objects, stands for.

        Args:
            value: the object or array.
            place: where the body begins and ends.
            around: type of the block that it belongs to, "" for a file, "nested" for a provider's block.
            converted: True when strings were read as templates before.
        """
        body = Body(place.start, place.end)
        known = _NESTED_BLOCKS if around == "nested" else _BLOCKS.get(around, {})
        for item in self._properties(value):
            name = _plain_text(item.key)
            if name == "//":
                continue
            if name is None:
                self._problem(item.key, "a plain property name is needed")
            elif name in known:
                named = _Named(name, (), item.key.start, item.key.end)
                self._blocks(body, named, item.value, known[name], converted)
            else:
                expression = item.value if converted else self._argument(item.value, around, name)
                attribute = Attribute(item.key.start, item.value.end, name, item.key.end, expression)
                if name in body.attributes:
                    body.repeated.append(attribute)
                else:
                    body.attributes[name] = attribute
        return body

    def _blocks(self, body: Body, named: _Named, value: Node, labels: int, converted: bool) -> None:
        """Add the blocks that a property stands for, `labels` levels of which are names."""
        if labels:
            problems = len(self.problems)
            properties = list(self._properties(value))
            for item in properties:
                label = Label(item.key.start, item.key.end, _plain_text(item.key) or "")
                inner = _Named(named.type, (*named.labels, label), item.key.start, item.key.end)
                self._blocks(body, inner, item.value, labels - 1, converted)
            if not properties and len(self.problems) == problems:
                self._problem(value, f"an object whose property names are labels of {named.type} is needed; found none")
            return
        if isinstance(value, Literal) and value.value is None:
            return
        if not isinstance(value, Object | Tuple):
            self._problem(value, f"an object or an array of objects is needed for {named.type}")
            return
        for one in value.items if isinstance(value, Tuple) else (value,):
            inner_body = self.body(one, one, named.type if named.type != "content" else "nested", converted=converted)
            body.blocks.append(Block(named.start, one.end, named.type, named.labels, named.header_end, inner_body))

    def _properties(self, value: Node) -> Iterator[ObjectItem]:
        """The properties of an object, or of all objects in an array, null being an empty one."""
        for one in value.items if isinstance(value, Tuple) else (value,):
            if isinstance(one, Object):
                yield from one.items
            elif not (isinstance(one, Literal) and one.value is None):
                self._problem(one, "an object is needed")

    def _problem(self, place: Node, message: str) -> None:
        self.problems.append(SyntaxProblem(place.start, place.end, message))

    def _argument(self, value: Node, around: str, name: str) -> Node:
        """The expression of an argument, its strings read as what Terraform reads them as there."""
        if around in _PLAIN_BLOCKS:
            self._refuse_repeated_keys(value)
        if (around, name) in _REFERENCES:
            return self._references(value)
        if self._literal or around in _LITERAL_BLOCKS or (around, name) in _LITERAL_ARGUMENTS:
            return value
        return self._templates(value)

    def _refuse_repeated_keys(self, value: Node) -> None:
        for node in walk(value):
            if not isinstance(node, Object):
                continue
            seen: set[str | None] = set()
            for item in node.items:
                name = _plain_text(item.key)
                if name in seen:
                    self._problem(item.key, f'the property "{name}" was already set; JSON syntax takes each once')
                seen.add(name)

    def _references(self, value: Node) -> Node:
        if isinstance(value, Tuple):
            return Tuple(value.start, value.end, tuple(self._references(item) for item in value.items))
        if isinstance(value, Object):
            items = (ObjectItem(i.start, i.end, i.key, self._references(i.value)) for i in value.items)
            return Object(value.start, value.end, tuple(items))
        if isinstance(value, Template) and self._source is not None:
            try:
                return _inside(self._source, value, as_expression=True)
            except SyntaxFailure:
                return self._templates(value)
        return value

    def _templates(self, value: Node) -> Node:
        if isinstance(value, Tuple):
            return Tuple(value.start, value.end, tuple(self._templates(item) for item in value.items))
        if isinstance(value, Object):
            items = (ObjectItem(i.start, i.end, self._templates(i.key), self._templates(i.value)) for i in value.items)
            return Object(value.start, value.end, tuple(items))
        if not isinstance(value, Template) or self._source is None:
            return value
        text = _plain_text(value)
        if text is None or not ("${" in text or "%{" in text):
            return value
        try:
            return _inside(self._source, value, as_expression=False)
        except SyntaxFailure as failure:
            self.report(failure)
            return value


def _plain_text(node: Node) -> str | None:
    """The text of a string without sequences."""
    if isinstance(node, Template) and len(node.parts) == 1:
        only = node.parts[0]
        if isinstance(only, Literal) and isinstance(only.value, str):
            return only.value
    return None


def _inside(source: Source, string: Template, *, as_expression: bool) -> Node:
    """Read what is written in a JSON string, as an expression or as a template; all places are those in the file.

    Raises:
        SyntaxFailure: when it is broken.
    """
    text, places = decoded_string(source.text, string.start, string.end)
    read = parse_expression if as_expression else parse_template
    if places is None:
        node = read(source, string.start + 1, string.end - 1)
    else:
        try:
            node = read(Source(source.path, text))
        except SyntaxFailure as failure:
            start, end = places[failure.start], places[failure.end]
            raise SyntaxFailure(start, end, failure.message, limit=failure.limit) from None
        for inner in walk(node):
            inner.start, inner.end = places[inner.start], places[inner.end]
    if not as_expression and isinstance(node, Template | TemplateWrap):
        node.start, node.end = string.start, string.end
    return node
