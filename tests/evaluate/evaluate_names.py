"""A scope for tests."""

from __future__ import annotations

from pathlib import Path

from generator.hcl.convert_sets import identity
from generator.hcl.nodes import GetAttr, Step
from generator.hcl.operators import equal
from generator.hcl.values import Value, string, unknown


class Names:
    """A scope of named values: `var.x`; anything else is unknown."""

    def __init__(self, folder: Path, values: dict[str, Value] | None = None) -> None:
        self.module_dir = folder
        self.root_dir = folder
        self.values = values or {}

    def lookup(self, root: str, steps: tuple[Step, ...]) -> tuple[Value, int]:
        first = steps[0] if steps else None
        if root == "path" and first == GetAttr("module"):
            return string("."), 1
        if root == "var" and isinstance(first, GetAttr) and first.name in self.values:
            return self.values[first.name], 1
        return unknown(f"{root} is not known"), len(steps)


KINDS = {"tuple": "list", "object": "map"}


def kind(value: Value) -> str:
    """What kind of value it is, as far as a value of unknown type beside it may not change that."""
    if value.type.name == "set" and isinstance(value.data, tuple) and len(value.data) <= 1:
        return "list"
    return KINDS.get(value.type.name, value.type.name)


def agrees(less: Value, more: Value) -> bool:
    """Whether what is known with less knowledge still holds with more; that a tuple turns out to be a list is let pass."""
    if less.is_unknown or more.is_unknown:
        return True
    if less.type.name != more.type.name and kind(less) != kind(more):
        return less.data is None and more.data is None
    if isinstance(less.data, tuple) and isinstance(more.data, tuple):
        if less.type.name == "set":
            known = [v for v in less.data if v.is_wholly_known]
            return not more.is_wholly_known or {identity(v) for v in known} <= {identity(v) for v in more.data}
        return len(less.data) == len(more.data) and all(agrees(a, b) for a, b in zip(less.data, more.data, strict=True))
    if isinstance(less.data, dict) and isinstance(more.data, dict):
        return less.data.keys() == more.data.keys() and all(agrees(v, more.data[k]) for k, v in less.data.items())
    return equal(less, more) is True
