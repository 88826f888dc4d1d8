"""Terraform expressions as values: the evaluator over `nodes`.

It never raises for what stands in a file. What Terraform refuses, what cannot be known before apply and what would take too
much work is an unknown value with a reason. A known value is the one that Terraform computes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from generator.hcl import nodes, operators, templates_eval
from generator.hcl.convert import as_bool, as_string, converted, has_unknown_type, settled
from generator.hcl.convert_types import has_any, unify_types
from generator.hcl.evaluate_base import (
    Budget,
    Failure,
    LimitReached,
    Undecided,
    checked,
    computed,
    first_unknown,
    marked,
    object_of,
    tuple_of,
    undecided,
)
from generator.hcl.evaluate_steps import get_index, walk
from generator.hcl.nodes import Node, Step
from generator.hcl.source import Source, Span
from generator.hcl.types import ANY, BOOL, STRING, Collection, Type
from generator.hcl.values import TRAIL_LIMIT, Origin, UnknownData, Value, boolean, null, number, string, unknown


class Scope(Protocol):
    """What an expression can refer to.

    Attributes:
        module_dir: the module's folder: `path.module`, and the only place that functions read files from.
        root_dir: the folder of the root module: `path.root`.
    """

    @property
    def module_dir(self) -> Path:
        """See above."""

    @property
    def root_dir(self) -> Path:
        """See above."""

    def lookup(self, root: str, steps: tuple[Step, ...]) -> tuple[Value, int]:
        """The value of the longest prefix that the scope resolves itself, and how many of the steps that took.

        `var.a.b[0]` is asked as `lookup("var", …)` and takes one step. A name that cannot be resolved gives an unknown with a
        reason.
        """


@dataclass(frozen=True, slots=True)
class LiteralScope:
    """A scope in which no name means anything: for defaults, variable files and provider requirements."""

    module_dir: Path

    @property
    def root_dir(self) -> Path:
        """The same folder: what stands alone has no other."""
        return self.module_dir

    def lookup(self, root: str, steps: tuple[Step, ...]) -> tuple[Value, int]:
        """Unknown, whatever is asked."""
        return unknown(f"{root} cannot be used here"), len(steps)


def evaluate(node: Node, source: Source, scope: Scope) -> Value:
    """The value of an expression.

    Args:
        node: the expression, as a parser made it.
        source: the file it stands in; places in trails point into it.
        scope: what it can refer to.

    Returns:
        The value; never raises for bad input.
    """
    try:
        return Evaluator(source, scope, Budget()).value(node)
    except Failure as failure:
        return unknown(failure.reason)
    except Undecided as cause:
        return cause.value()
    except LimitReached:
        return unknown("it takes more work or room than is spent on an expression")
    except RecursionError:
        return unknown("it is nested too deeply")


_WORDS: dict[str, Callable[[], Value]] = {
    "true": lambda: boolean(True),
    "false": lambda: boolean(False),
    "null": null,
}


class Evaluator:
    """Evaluates nodes of one file in one scope; `names` are those that `for` expressions around have bound."""

    __slots__ = ("budget", "names", "scope", "source", "splat_item")

    def __init__(self, source: Source, scope: Scope, budget: Budget) -> None:
        self.source = source
        self.scope = scope
        self.budget = budget
        self.names: dict[str, Value] = {}
        self.splat_item: Value | None = None

    def value(self, node: Node) -> Value:
        """The value of a node.

        Raises:
            Failure: Terraform refuses it.
            LimitReached: it takes too much work.
        """
        self.budget.charge(1)
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise Undecided("an expression of an unknown kind")
        try:
            return handler(self, node)
        except Undecided as cause:
            return cause.value()

    def attempt(self, node: Node) -> Value | Failure:
        """The value of a node, or why Terraform refuses it."""
        try:
            return self.value(node)
        except Failure as failure:
            return failure

    def element(self, node: Node) -> Value:
        """The value of an item that is written in a tuple or object: its place comes first in the trail."""
        value = self.value(node)
        origin = Origin(Span(self.source, node.start, node.end), "element")
        return replace(value, trail=(origin, *value.trail)[:TRAIL_LIMIT])

    def literal(self, node: nodes.Literal) -> Value:
        """`32`, `true`, `null`."""
        data = node.value
        if data is None:
            return null()
        if isinstance(data, bool):
            return boolean(data)
        return checked(string(data)) if isinstance(data, str) else number(data)

    def inner(self, node: nodes.Parentheses | nodes.TemplateWrap) -> Value:
        """`(x)` and `"${x}"`: x itself."""
        return self.value(node.inner)

    def template(self, node: nodes.Template) -> Value:
        """A string with interpolations."""
        parts = [self.value(part) for part in node.parts]
        self.budget.charge(sum([p.weight for p in parts]))
        return templates_eval.joined(parts)

    def template_join(self, node: nodes.TemplateJoin) -> Value:
        """`%{ for }` in a template."""
        loop = self.value(node.loop)
        if loop.is_unknown:
            undecided(loop, STRING)
        items = loop.data if isinstance(loop.data, tuple) else ()
        return computed(templates_eval.joined(list(items)), loop)

    def traversal(self, node: nodes.ScopeTraversal) -> Value:
        """A name and the steps from it."""
        bound = self.names.get(node.root)
        if bound is not None:
            return walk(bound, node.steps)
        if not node.steps and node.root in _WORDS:
            return _WORDS[node.root]()
        value, taken = self.scope.lookup(node.root, node.steps)
        return walk(checked(value), node.steps[taken:])

    def relative(self, node: nodes.RelativeTraversal) -> Value:
        """Steps from any expression."""
        return walk(self.value(node.source), node.steps)

    def index(self, node: nodes.Index) -> Value:
        """`collection[key]`."""
        collection, key = self.value(node.collection), self.value(node.key)
        return get_index(collection, key)

    def item(self, _node: nodes.SplatItem) -> Value:
        """The element at hand inside a splat."""
        if self.splat_item is None:
            raise Undecided("a splat item outside of a splat")
        return self.splat_item

    def splat(self, node: nodes.Splat) -> Value:
        """`x[*].a`: of a list each element, of anything else that is not null the thing itself."""
        source = self.value(node.source)
        data = source.data
        if data is None:
            return marked(tuple_of(()), source)
        sequence = source.type.name in ("list", "set", "tuple")
        if isinstance(data, UnknownData):
            undecided(source)
        if source.type.name == "set" and not source.is_wholly_known:
            undecided(source)
        items = data if sequence and isinstance(data, tuple) else (source,)
        saved = self.splat_item
        results = []
        try:
            for item in items:
                self.splat_item = item
                results.append(self.value(node.each))
        finally:
            self.splat_item = saved
        if sequence and source.type.name != "tuple":
            return marked(self._same_type(results, source.type), source)
        return marked(tuple_of(results), source)

    def _same_type(self, results: list[Value], source: Type) -> Value:
        """A splat over a list or set is a list again."""
        if not results:
            return Value(Collection("list", ANY), ())
        types = [v.type for v in results]
        if any(has_unknown_type(v) for v in results) or not isinstance(source, Collection):
            return tuple_of(results)
        element = unify_types(types)
        if element is None or element is ANY:
            return tuple_of(results)
        return Value(Collection("list", element), tuple([converted(v, element) for v in results]))

    def tuple_items(self, node: nodes.Tuple) -> Value:
        """`[a, b]`."""
        return tuple_of([self.element(item) for item in node.items])

    def object_items(self, node: nodes.Object) -> Value:
        """`{ a = 1 }`; with a key that is unknown nothing is known of it."""
        attributes: dict[str, Value] = {}
        missing: Value | None = None
        marks: list[Value] = []
        for item in node.items:
            key = self._object_key(item.key)
            value = self.element(item.value)
            if key.is_unknown:
                missing = missing or key
                continue
            if key.sensitive or key.from_file:
                marks.append(key)
            attributes[as_string(key)] = value
        if missing is not None:
            undecided(missing)
        return marked(object_of(attributes), *marks)

    def _object_key(self, node: Node) -> Value:
        if isinstance(node, nodes.KeyName):
            return string(node.name)
        key = self.value(node)
        if key.data is None:
            raise Failure("a key of an object is null")
        return converted(key, STRING)

    def key_name(self, node: nodes.KeyName) -> Value:
        """A bare name as an object key."""
        return string(node.name)

    def call(self, node: nodes.Call) -> Value:
        """A function call."""
        from generator.hcl.functions import call

        return call(self, node)

    def conditional(self, node: nodes.Conditional) -> Value:
        """`condition ? yes : no`: both arms take the type that they have in common."""
        condition = self.value(node.condition)
        yes, no = self.attempt(node.yes), self.attempt(node.no)
        if condition.data is None:
            raise Failure("the condition of a conditional is null")
        if condition.is_unknown:
            converted(condition, BOOL)
            # What decides between two values is not what the value refers to.
            return marked(Value(_common_type(yes, no), UnknownData(first_unknown(condition).reason)), condition)
        chosen, other = (yes, no) if as_bool(condition) else (no, yes)
        if isinstance(chosen, Failure):
            raise chosen
        return marked(_as_arm(chosen, other), condition)

    def unary(self, node: nodes.Unary) -> Value:
        """`-x` or `!x`."""
        operand = self.value(node.operand)
        return computed(operators.unary(node.operator, operand), operand)

    def binary(self, node: nodes.Binary) -> Value:
        """Two operands; long chains lean to the left and are walked without recursion."""
        chain: list[nodes.Binary] = []
        left: Node = node
        while isinstance(left, nodes.Binary):
            chain.append(left)
            left = left.left
        result = self.value(left)
        for link in reversed(chain):
            right = self._right_operand(link, result)
            self.budget.charge(1 + min(result.weight, right.weight))
            try:
                result = computed(operators.binary(link.operator, result, right), result, right)
            except Undecided as cause:
                result = computed(cause.value(), result, right)
        return result

    def _right_operand(self, link: nodes.Binary, left: Value) -> Value:
        try:
            return self.value(link.right)
        except Failure as failure:
            if operators.decides(link.operator, left):
                return unknown(failure.reason, BOOL)
            raise

    def loop(self, node: nodes.For) -> Value:
        """A `for` expression."""
        from generator.hcl.evaluate_for import evaluate_for

        return evaluate_for(self, node)

    def bound(self, names: dict[str, Value], node: Node) -> Value:
        """The value of a node with more names bound."""
        saved = self.names
        self.names = {**saved, **names}
        try:
            return self.value(node)
        finally:
            self.names = saved


def _common_type(yes: Value | Failure, no: Value | Failure) -> Type:
    """The type of a conditional whose condition is unknown, as far as it is sure."""
    if isinstance(yes, Failure) or isinstance(no, Failure) or has_any(yes.type) or has_any(no.type):
        return ANY
    type_ = unify_types([yes.type, no.type])
    if type_ is None:
        raise Failure("the arms of a conditional have no type in common")
    return type_


def _as_arm(chosen: Value, other: Value | Failure) -> Value:
    if isinstance(other, Failure) or (other.data is None and other.type is ANY):
        return chosen
    if chosen.data is None and chosen.type is ANY:
        return chosen if has_any(other.type) else converted(chosen, other.type)
    if has_unknown_type(other):
        return settled(chosen, other, may_be_set=other.is_unknown or other.type.name == "set")
    if has_unknown_type(chosen):
        return settled(chosen, chosen, may_be_set=other.type.name == "set")
    type_ = unify_types([chosen.type, other.type])
    if type_ is None:
        raise Failure("the arms of a conditional have no type in common")
    return converted(chosen, type_)


_HANDLERS: dict[type, Callable[[Any, Any], Value]] = {
    nodes.Literal: Evaluator.literal,
    nodes.Template: Evaluator.template,
    nodes.TemplateWrap: Evaluator.inner,
    nodes.TemplateJoin: Evaluator.template_join,
    nodes.Parentheses: Evaluator.inner,
    nodes.ScopeTraversal: Evaluator.traversal,
    nodes.RelativeTraversal: Evaluator.relative,
    nodes.Index: Evaluator.index,
    nodes.SplatItem: Evaluator.item,
    nodes.Splat: Evaluator.splat,
    nodes.Tuple: Evaluator.tuple_items,
    nodes.Object: Evaluator.object_items,
    nodes.KeyName: Evaluator.key_name,
    nodes.Call: Evaluator.call,
    nodes.Conditional: Evaluator.conditional,
    nodes.Unary: Evaluator.unary,
    nodes.Binary: Evaluator.binary,
    nodes.For: Evaluator.loop,
}
