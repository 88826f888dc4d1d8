"""What a change of configuration means for a resource: kept, updated in place, or replaced.

This follows the plugin SDK that Google's provider is built with: it compares the state with the configuration argument by
argument and knows nothing of unset and empty as two things. What it holds equal stays as it is in the state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from generator.rehearsal.wire import UNKNOWN, Object, Path, is_wholly_known
from generator.schema.tree import ArgumentSchema, BlockSchema

# Says whether the provider ignores the difference between two values: (path without element numbers, old, new).
Suppress = Callable[[str, Any, Any], bool]


@dataclass(slots=True)
class Change:
    """A planned change.

    Attributes:
        value: the planned object.
        differs: whether anything the provider cares for is to change.
        replace: paths of the arguments that cannot be changed in place.
    """

    value: Object
    differs: bool = False
    replace: list[Path] = field(default_factory=list)


def plan_creation(schema: BlockSchema, proposed: Mapping[str, Any]) -> Object:
    """The planned object of a new resource: defaults are filled in, what the provider computes is unknown."""
    planned: Object = {}
    for name, argument in schema.arguments.items():
        value = proposed.get(name)
        if value is None:
            value = argument.default
        planned[name] = UNKNOWN if value is None and argument.computed else deepcopy(value)
    for name, block in schema.blocks.items():
        planned[name] = _new_rows(block, proposed.get(name))
    return planned


def plan_update(
    schema: BlockSchema, prior: Mapping[str, Any], proposed: Mapping[str, Any], suppress: Suppress
) -> Change:
    """What becomes of an existing resource.

    Args:
        schema: of the resource type.
        prior: its state.
        proposed: the configuration, with what the provider computes taken from the state, as Terraform proposes it.
        suppress: which differences the provider ignores.
    """
    change = Change({})
    change.value = _Comparison(suppress, change).body(schema, prior, proposed, (), "")
    if not change.differs:
        change.value = deepcopy(dict(prior))
    return change


def is_unset(value: Any) -> bool:
    """Whether the SDK takes a value for not written: null, and the zero of its type."""
    return value is None or value is False or value in ("", 0, [], {})


def _new_rows(block: BlockSchema, rows: Any) -> Any:
    if rows is UNKNOWN or block.nesting == "single":
        return deepcopy(rows)
    if not rows:
        return UNKNOWN if block.computed else []
    return [plan_creation(block, row) if isinstance(row, dict) else row for row in rows]


class _Comparison:
    """One walk over a resource; findings go into `change`."""

    def __init__(self, suppress: Suppress, change: Change) -> None:
        self.suppress = suppress
        self.change = change

    def body(
        self, schema: BlockSchema, old: Mapping[str, Any] | None, new: Mapping[str, Any], path: Path, dotted: str
    ) -> Object:
        """A whole object, or a row of a block; `old` is None for a row that the state does not have."""
        before: Mapping[str, Any] = old or {}
        planned: Object = {}
        for name, argument in schema.arguments.items():
            here = (*path, name)
            written = new.get(name)
            if old is None and written is None and _fills_when_new(argument):
                planned[name] = self._changed(argument.force_new, here, _filled(argument))
            elif old is None and (written is False or written == 0):
                # In a row that is new, false and 0 are something.
                planned[name] = self._changed(argument.force_new, here, written)
            else:
                planned[name] = self.argument(argument, before.get(name), written, here, dotted + name)
        for name, block in schema.blocks.items():
            here, dots = (*path, name), dotted + name
            if block.nesting == "single":
                # `timeouts`: they guide the provider and are no part of the resource.
                planned[name] = deepcopy(new.get(name))
            elif old is None and block.computed and not new.get(name):
                planned[name] = self._changed(block.force_new, here, UNKNOWN)
            elif block.nesting == "set":
                planned[name] = self.set_of_blocks(block, before.get(name) or [], new.get(name), here, dots)
            else:
                planned[name] = self.list_of_blocks(block, before.get(name) or [], new.get(name), here, dots)
        return planned

    def argument(self, schema: ArgumentSchema, old: Any, new: Any, path: Path, dotted: str) -> Any:
        if not is_wholly_known(new):
            return self._changed(schema.force_new, path, new)
        if new is None:
            new = schema.default
        if schema.computed and (new is None or (new == "" and old)):
            return deepcopy(old)
        unset = is_unset(old) and is_unset(new)
        if unset or _equal(schema, old, new) or (schema.diff_suppressed and self.suppress(dotted, old, new)):
            return deepcopy(old)
        return self._changed(schema.force_new, path, new)

    def list_of_blocks(self, schema: BlockSchema, old: list[Any], new: Any, path: Path, dotted: str) -> Any:
        if new is UNKNOWN:
            return self._changed(schema.force_new, path, new)
        rows: list[Any] = new or []
        if not rows and schema.computed:
            return deepcopy(old)
        if schema.diff_suppressed and self.suppress(dotted, old, rows):
            return deepcopy(old)
        if len(rows) != len(old):
            self._changed(schema.force_new, path, rows)
        planned: list[Any] = []
        for index in range(max(len(rows), len(old))):
            before = old[index] if index < len(old) else None
            here, inner = (*path, index), dotted + "."
            if index >= len(rows):
                self._removed(schema, old[index], here, inner)
            elif isinstance(rows[index], dict):
                planned.append(self.body(schema, before, rows[index], here, inner))
            else:
                planned.append(self._changed(schema.force_new, path, rows[index]))
        return planned

    def set_of_blocks(self, schema: BlockSchema, old: list[Any], new: Any, path: Path, dotted: str) -> Any:
        if new is UNKNOWN:
            return self._changed(schema.force_new, path, new)
        rows: list[Any] = new or []
        if not rows and schema.computed:
            return deepcopy(old)
        left, planned = list(old), []
        for row in rows:
            twin = next((known for known in left if self._same_element(schema, known, row, dotted)), None)
            if twin is None:
                planned.append(plan_creation(schema, row) if isinstance(row, dict) else row)
            else:
                left.remove(twin)
                planned.append(deepcopy(twin))
        if left or len(planned) != len(old):
            self._changed(schema.force_new or _holds_force_new(schema), path, planned)
        return planned

    def _same_element(self, schema: BlockSchema, old: Any, new: Any, dotted: str) -> bool:
        if not isinstance(old, dict) or not isinstance(new, dict):
            return False
        apart = Change({})
        _Comparison(self.suppress, apart).body(schema, old, new, (), dotted + ".")
        return not apart.differs

    def _removed(self, schema: BlockSchema, old: Mapping[str, Any], path: Path, dotted: str) -> None:
        for name, argument in schema.arguments.items():
            if not argument.computed and not is_unset(old.get(name)):
                self._changed(argument.force_new, (*path, name), None)
        for name, block in schema.blocks.items():
            if old.get(name) and not block.computed and block.nesting == "list":
                self.list_of_blocks(block, old[name], [], (*path, name), dotted + name)

    def _changed(self, force_new: bool, path: Path, value: Any) -> Any:
        self.change.differs = True
        if force_new:
            self.change.replace.append(path)
        return deepcopy(value)


def _equal(schema: ArgumentSchema, old: Any, new: Any) -> bool:
    if schema.type.name == "set":
        return sorted(map(_key, old or [])) == sorted(map(_key, new or []))
    if schema.type.name in ("map", "list"):
        return bool((old or type(new)()) == new)
    return bool(old == new)


def _fills_when_new(schema: ArgumentSchema) -> bool:
    """Whether the SDK plans something for an argument that is not written in a row that is new."""
    return schema.default is not None or (schema.computed and schema.type.name in ("list", "set", "map"))


def _filled(schema: ArgumentSchema) -> Any:
    return UNKNOWN if schema.default is None else schema.default


def _holds_force_new(schema: BlockSchema) -> bool:
    return any(a.force_new for a in schema.arguments.values()) or any(
        _holds_force_new(b) for b in schema.blocks.values()
    )


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=repr)
