"""What a `lifecycle` block says: which changes are ignored, and what triggers a replacement."""

from __future__ import annotations

from typing import Literal

from generator.hcl.module import ConfigBlock, Placed, literal_text
from generator.hcl.nodes import GetAttr, Index, Node, RelativeTraversal, ScopeTraversal, Tuple
from generator.hcl.parser import parse_expression
from generator.hcl.source import Source
from generator.hcl.tokens import SyntaxFailure


def ignored_changes(block: ConfigBlock) -> tuple[str, ...] | Literal["all"]:
    """The arguments that `ignore_changes` names, as dotted paths without element numbers, or "all".

    The key of a map is the last name: `node_config.labels.team` stands for `node_config[0].labels["team"]`.
    """
    placed = _argument(block, "ignore_changes")
    paths = [_path(item, placed.source) for item in _items(placed)] if placed else []
    return "all" if "all" in paths or "*" in paths else tuple(path for path in paths if path)


def replace_triggers(block: ConfigBlock) -> tuple[str, ...]:
    """What `replace_triggered_by` refers to, as type and name: `google_container_cluster.c`."""
    placed = _argument(block, "replace_triggered_by")
    found = []
    for item in _items(placed) if placed else ():
        at = _reference(item, placed.source) if placed else item
        while isinstance(at, RelativeTraversal | Index):
            at = at.source if isinstance(at, RelativeTraversal) else at.collection
        if isinstance(at, ScopeTraversal) and at.steps and isinstance(at.steps[0], GetAttr):
            found.append(f"{at.root}.{at.steps[0].name}")
    return tuple(found)


def _argument(block: ConfigBlock, name: str) -> Placed | None:
    lifecycles = [inner for inner in block.blocks if inner.type == "lifecycle"]
    return next((inner.arguments[name] for inner in lifecycles if name in inner.arguments), None)


def _items(placed: Placed) -> tuple[Node, ...]:
    expression = placed.node.expression
    return expression.items if isinstance(expression, Tuple) else (expression,)


def _path(node: Node, source: Source) -> str | None:
    reference = _reference(node, source)
    if not isinstance(reference, ScopeTraversal):
        return literal_text(node)
    names = [reference.root]
    for step in reference.steps:
        if isinstance(step, GetAttr):
            names.append(step.name)
        elif isinstance(step.key, str):
            names.append(step.key)
    return ".".join(names)


def _reference(node: Node, source: Source) -> Node:
    """The reference itself, also where it stands in quotes, as in JSON syntax and in old configurations."""
    text = literal_text(node)
    if text is None:
        return node
    try:
        return parse_expression(Source(source.path, text))
    except SyntaxFailure:
        return node
