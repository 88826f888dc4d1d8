"""The changes of a plan, from its JSON: addresses, actions, reasons and argument paths, without values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.view.resource import reason_text

_WORDS = {
    ("create",): "create",
    ("update",): "update",
    ("delete",): "destroy",
    ("delete", "create"): "replace",
    ("create", "delete"): "replace",
    ("forget",): "forget",
    ("forget", "create"): "forget and create",
    ("read",): "read",
    ("no-op",): "unchanged",
}


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """What a plan does with one instance.

    Attributes:
        address: with module path and instance key.
        type: resource type.
        mode: "managed" or "data".
        actions: Terraform's own: `("delete", "create")`.
        reason: Terraform's `action_reason`.
        paths: arguments that change; empty for what is created or destroyed whole.
        replace_paths: arguments that force a replacement.
        previous_address: where it was before it was moved.
        imported: it is taken over from outside.
        data: the entry of the plan's JSON; holds values in clear.
    """

    address: str
    type: str
    mode: str
    actions: tuple[str, ...]
    reason: str | None
    paths: tuple[str, ...]
    replace_paths: tuple[str, ...]
    previous_address: str | None
    imported: bool
    data: Mapping[str, Any]

    @property
    def word(self) -> str:
        """What happens, in one word."""
        return _WORDS.get(self.actions, "/".join(self.actions))

    @property
    def matters(self) -> bool:
        """Whether applying the plan does anything here."""
        return self.actions not in (("no-op",), ("read",)) or bool(self.previous_address) or self.imported

    @property
    def destroys(self) -> bool:
        """Whether what exists is gone afterwards, replaced or not."""
        return "delete" in self.actions

    @property
    def replaces(self) -> bool:
        """Whether what exists is destroyed and made again."""
        return self.destroys and "create" in self.actions

    @property
    def detail(self) -> str:
        """Why it is destroyed, in plain words; else the arguments that change. "" when there is nothing to say."""
        return reason_text(self.reason, self.replace_paths) if self.destroys else ", ".join(self.paths)


def changes(plan: Mapping[str, Any]) -> list[PlannedChange]:
    """All entries of `resource_changes`, unchanged ones too, in the plan's order."""
    return [_change(entry) for entry in plan.get("resource_changes", ())]


def _change(entry: Mapping[str, Any]) -> PlannedChange:
    change = entry.get("change", {})
    before, after, unknown = change.get("before"), change.get("after"), change.get("after_unknown")
    both = isinstance(before, dict) and isinstance(after, dict)
    found = tuple(_differing(before, after, unknown, "")) if both else ()
    return PlannedChange(
        address=str(entry.get("address", "")),
        type=str(entry.get("type", "")),
        mode=str(entry.get("mode", "managed")),
        actions=tuple(change.get("actions", ())),
        reason=entry.get("action_reason"),
        paths=found,
        replace_paths=tuple(dotted(path) for path in change.get("replace_paths", ())),
        previous_address=entry.get("previous_address"),
        imported=bool(change.get("importing")),
        data=entry,
    )


def dotted(path: Sequence[str | int]) -> str:
    """`["node_config", 0, "spot"]` as `node_config[0].spot`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _differing(before: Any, after: Any, unknown: Any, path: str) -> Iterator[str]:
    """The deepest paths at which two values differ or the new one is unknown."""
    if unknown is True:
        yield path
    elif isinstance(before, dict) and isinstance(after, dict):
        inner = unknown if isinstance(unknown, dict) else {}
        for name in dict.fromkeys([*before, *after, *inner]):
            deeper = f"{path}.{name}" if path else name
            yield from _differing(before.get(name), after.get(name), inner.get(name), deeper)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        elements = unknown if isinstance(unknown, list) else [None] * len(after)
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differing(old, new, elements[i] if i < len(elements) else None, f"{path}[{i}]")
    elif before != after or _has_unknown(unknown):
        yield path


def _has_unknown(unknown: Any) -> bool:
    if isinstance(unknown, dict):
        return any(map(_has_unknown, unknown.values()))
    if isinstance(unknown, list):
        return any(map(_has_unknown, unknown))
    return unknown is True


def counts(found: Sequence[PlannedChange]) -> dict[str, int]:
    """How many are created, updated, replaced, destroyed, forgotten, imported and moved."""
    words = Counter(c.word for c in found if c.mode == "managed")
    return {
        "create": words["create"],
        "update": words["update"],
        "replace": words["replace"],
        "destroy": words["destroy"],
        "forget": words["forget"] + words["forget and create"],
        "import": sum(c.imported for c in found),
        "move": sum(bool(c.previous_address) for c in found),
    }


def changed_outputs(plan: Mapping[str, Any]) -> list[str]:
    """Names of the root's outputs that change."""
    return [name for name, c in plan.get("output_changes", {}).items() if c.get("actions") != ["no-op"]]


def document(plan: Mapping[str, Any], found: Sequence[PlannedChange]) -> dict[str, Any]:
    """The `plan` part of the JSON document: no values."""
    return {
        "terraform_version": plan.get("terraform_version"),
        "counts": counts(found),
        "changes": [
            {
                "address": c.address,
                "actions": list(c.actions),
                "reason": c.reason,
                "paths": list(c.paths),
                "replace_paths": list(c.replace_paths),
                "previous_address": c.previous_address,
                "imported": c.imported,
            }
            for c in found
            if c.matters
        ],
    }
