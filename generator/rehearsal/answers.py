"""What the service fills in where a configuration leaves a value to it.

`answers.json` holds it by resource type: the form of the id, and values by argument (`$project`, `$name`, … stand for the
object's own). They have the form and the names of GKE's and Compute Engine's answers, not their substance.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from generator.hcl.types import Type
from generator.rehearsal.wire import UNKNOWN, Object
from generator.schema.tree import BlockSchema

_ZERO: dict[str, Any] = {"string": "", "number": 0, "bool": False, "list": [], "set": [], "tuple": [], "map": {}}
_NAME = re.compile(r"\$([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Answers:
    """What the service answers for one resource type.

    Attributes:
        id: form of the id.
        values: by argument or block, nested like a resource.
    """

    id: str
    values: Mapping[str, Any]


def answers(type_: str) -> Answers:
    """The answers for a resource type; for one without any, an id that names project and object."""
    entry = _table().get(type_, {})
    return Answers(entry.get("id", "projects/$project/$name"), entry.get("answers", {}))


def names(object_: Mapping[str, Any], project: str, region: str, zone: str) -> dict[str, str]:
    """What `$project`, `$location` and the like mean for an object.

    Args:
        object_: the object; what it writes itself comes first.
        project: the provider's.
        region: the provider's.
        zone: the provider's.
    """
    known = {"project": project, "region": region, "zone": zone}
    known |= {name: value for name, value in object_.items() if isinstance(value, str) and value}
    location = known.setdefault("location", known["region"])
    if "location" in object_:
        is_zone = location.count("-") == 2
        known["region"] = location.rpartition("-")[0] if is_zone else location
        known["zone"] = location if is_zone else f"{location}-a"
    seed = "/".join(known.get(name, "") for name in ("project", "location", "cluster", "name"))
    digest = hashlib.sha256(seed.encode()).hexdigest()
    return known | {"hash": digest[:8], "number": str(int(digest[:13], 16))}


def fill(schema: BlockSchema, value: Object, answer: Mapping[str, Any], known: Mapping[str, str]) -> None:
    """Give everything that the service computes a value, in place.

    Args:
        schema: of the object or block.
        value: the object; what is unknown or left out is filled.
        answer: what the service answers here.
        known: see `names`.
    """
    for name, argument in schema.arguments.items():
        given = value.get(name)
        if given is UNKNOWN or (given is None and argument.computed):
            value[name] = _typed(argument.type, _told(answer[name], known)) if name in answer else _zero(argument.type)
    for name, block in schema.blocks.items():
        rows, told = value.get(name), answer.get(name) or []
        if block.nesting == "single":
            continue
        if rows is UNKNOWN or (not rows and block.computed):
            value[name] = rows = [_row(block, _told(row, known)) for row in told]
        for index, row in enumerate(rows or []):
            if isinstance(row, dict):
                fill(block, row, told[index] if index < len(told) else _first(told), known)


def substitute(form: str, known: Mapping[str, str]) -> str:
    """A form with its `$names` replaced; one that is not known becomes empty."""
    return _NAME.sub(lambda found: known.get(found[1], ""), form)


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(Path(__file__).with_name("answers.json").read_text("utf-8"))
    return table


def _first(rows: list[Any]) -> Mapping[str, Any]:
    return rows[0] if rows else {}


def _row(schema: BlockSchema, told: Mapping[str, Any]) -> Object:
    row: Object = {name: told.get(name) for name in schema.arguments}
    return row | {name: [_row(block, inner) for inner in told.get(name, [])] for name, block in schema.blocks.items()}


def _told(value: Any, known: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return substitute(value, known)
    if isinstance(value, list):
        return [_told(inner, known) for inner in value]
    if isinstance(value, dict):
        return {key: _told(inner, known) for key, inner in value.items()}
    return value


def _zero(type_: Type) -> Any:
    value = _ZERO.get(type_.name)
    return value.copy() if isinstance(value, list | dict) else value


def _typed(type_: Type, value: Any) -> Any:
    return int(value) if type_.name == "number" and isinstance(value, str) else value
