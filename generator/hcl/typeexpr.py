"""Type constraints of variables: `object({ zone = string, count = optional(number, 1) })` as a type.

Source: https://developer.hashicorp.com/terraform/language/expressions/type-constraints
"""

from __future__ import annotations

from generator.hcl import nodes
from generator.hcl.nodes import Node
from generator.hcl.source import Source
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Collection, ObjectType, TupleType, Type
from generator.hcl.values import Value

_PLAIN = {"string": STRING, "number": NUMBER, "bool": BOOL, "any": ANY}
_COLLECTIONS = ("list", "set", "map")
# Before Terraform 0.12 types were written in quotes; these three are still read.
_QUOTED = {"string": STRING, "list": Collection("list", STRING), "map": Collection("map", STRING)}


class TypeExpressionError(Exception):
    """An expression that is no type constraint.

    Args:
        reason: what was found and what is needed.
        node: the part to point at.
    """

    def __init__(self, reason: str, node: Node) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node


class OptionalDefault:
    """The default of an optional attribute: an expression without references, evaluated when first asked for."""

    __slots__ = ("_value", "node", "source")

    def __init__(self, node: Node, source: Source) -> None:
        self.node = node
        self.source = source
        self._value: Value | None = None

    def value(self) -> Value:
        """The default's value."""
        if self._value is None:
            from generator.hcl.evaluate import LiteralScope, evaluate

            self._value = evaluate(self.node, self.source, LiteralScope(self.source.path.parent))
        return self._value


def type_constraint(node: Node, source: Source) -> Type:
    """The type that a variable's `type` argument means.

    Raises:
        TypeExpressionError: it is no type constraint.
    """
    while isinstance(node, nodes.Parentheses):
        node = node.inner
    if isinstance(node, nodes.ScopeTraversal) and not node.steps:
        if node.root in _PLAIN:
            return _PLAIN[node.root]
        if node.root in _COLLECTIONS:
            return Collection(node.root, ANY)
        raise TypeExpressionError(
            f"{node.root} is no type; string, number, bool, any or a type constructor is needed", node
        )
    if isinstance(node, nodes.Template):
        return _quoted(node, source)
    if isinstance(node, nodes.Call) and not node.expand:
        return _constructed(node, source)
    raise TypeExpressionError("a type such as string or list(string) is needed", node)


def _quoted(node: nodes.Template, source: Source) -> Type:
    part = node.parts[0] if len(node.parts) == 1 else None
    text = part.value if isinstance(part, nodes.Literal) and isinstance(part.value, str) else ""
    if source.path.name.endswith(".json"):
        return _in_json(node, text, source)
    if text not in _QUOTED:
        raise TypeExpressionError("a type is written without quotes", node)
    return _QUOTED[text]


def _in_json(node: nodes.Template, text: str, source: Source) -> Type:
    """In JSON syntax a type constraint is a string that holds the expression."""
    from generator.hcl.parser import parse_expression
    from generator.hcl.tokens import SyntaxFailure

    inner = Source(source.path.with_suffix(""), text)
    try:
        return type_constraint(parse_expression(inner), inner)
    except SyntaxFailure:
        raise TypeExpressionError("a type such as string or list(string) is needed", node) from None


def _constructed(node: nodes.Call, source: Source) -> Type:
    if len(node.args) != 1:
        raise TypeExpressionError(f"{node.name}() takes one argument here", node)
    argument = node.args[0]
    if node.name in _COLLECTIONS:
        return Collection(node.name, type_constraint(argument, source))
    if node.name == "tuple":
        if not isinstance(argument, nodes.Tuple):
            raise TypeExpressionError("tuple() needs a list of types in brackets", argument)
        return TupleType("tuple", tuple([type_constraint(item, source) for item in argument.items]))
    if node.name == "object":
        if not isinstance(argument, nodes.Object):
            raise TypeExpressionError("object() needs attributes and their types in braces", argument)
        return _object(argument, source)
    raise TypeExpressionError(f"{node.name}() is no type constructor", node)


def _object(node: nodes.Object, source: Source) -> ObjectType:
    attributes: dict[str, Type] = {}
    optional: set[str] = set()
    defaults: dict[str, object] = {}
    for item in node.items:
        name = _attribute_name(item.key)
        declared = item.value
        if isinstance(declared, nodes.Call) and declared.name == "optional" and not declared.expand:
            if len(declared.args) not in (1, 2):
                raise TypeExpressionError("optional() takes a type and, if wanted, a default", declared)
            optional.add(name)
            if len(declared.args) == 2:
                defaults[name] = OptionalDefault(declared.args[1], source)
            declared = declared.args[0]
        attributes[name] = type_constraint(declared, source)
    return ObjectType("object", attributes, frozenset(optional), defaults)


def _attribute_name(key: Node) -> str:
    if isinstance(key, nodes.KeyName):
        return key.name
    if isinstance(key, nodes.Template) and len(key.parts) == 1:
        part = key.parts[0]
        if isinstance(part, nodes.Literal) and isinstance(part.value, str):
            return part.value
    raise TypeExpressionError("an attribute's name is needed", key)
