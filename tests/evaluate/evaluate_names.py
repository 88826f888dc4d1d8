"""A scope for tests."""

from __future__ import annotations

from pathlib import Path

from generator.hcl.nodes import GetAttr, Step
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
