"""`for` expressions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from generator.hcl import nodes
from generator.hcl.convert import as_bool, converted
from generator.hcl.convert_types import describe
from generator.hcl.evaluate_base import Failure, marked, object_of, tuple_of, undecided
from generator.hcl.types import STRING
from generator.hcl.values import UnknownData, Value, number, string

if TYPE_CHECKING:
    from generator.hcl.evaluate import Evaluator


def pairs(collection: Value) -> Iterable[tuple[Value, Value]]:
    """Keys and values of what a `for` expression walks, in Terraform's order.

    Raises:
        Failure: it is null or cannot be walked.
        Undecided: its elements, or their order, are unknown.
    """
    data = collection.data
    if data is None:
        raise Failure("null cannot be walked by a for expression")
    if isinstance(data, UnknownData) or collection.open:
        undecided(collection)
    if isinstance(data, dict):
        return [(string(k), v) for k, v in sorted(data.items())]
    if not isinstance(data, tuple):
        raise Failure(f"a {describe(collection.type)} cannot be walked by a for expression")
    if collection.type.name == "set":
        if not collection.is_wholly_known:
            undecided(collection)
        return [(v, v) for v in data]
    return [(number(i), v) for i, v in enumerate(data)]


def evaluate_for(evaluator: Evaluator, node: nodes.For) -> Value:
    """The tuple or object of a `for` expression.

    Raises:
        Failure: Terraform refuses it.
        Undecided: a condition or a key is unknown.
    """
    collection = evaluator.value(node.collection)
    items: list[Value] = []
    groups: dict[str, list[Value]] = {}
    marks = [collection]
    for key, value in pairs(collection):
        names = {node.value_var: marked(value, collection)}
        if node.key_var:
            names[node.key_var] = marked(key, collection)
        if node.condition is not None:
            condition = evaluator.bound(names, node.condition)
            marks.append(condition)
            if not _included(condition):
                continue
        result = evaluator.bound(names, node.value)
        if node.key is None:
            items.append(result)
            continue
        name_value = evaluator.bound(names, node.key)
        marks.append(name_value)
        name = _key_text(name_value)
        if name in groups and not node.group:
            raise Failure("two elements of a for expression have the same key")
        groups.setdefault(name, []).append(result)
    if node.key is None:
        return marked(tuple_of(items), *marks)
    if node.group:
        return marked(object_of({k: tuple_of(v) for k, v in groups.items()}), *marks)
    return marked(object_of({k: v[0] for k, v in groups.items()}), *marks)


def _included(condition: Value) -> bool:
    if condition.data is None:
        raise Failure("the condition of a for expression is null")
    return as_bool(condition)


def _key_text(key: Value) -> str:
    if key.data is None:
        raise Failure("a key of a for expression is null")
    text = converted(key, STRING)
    if not isinstance(text.data, str):
        undecided(text)
    return text.data
