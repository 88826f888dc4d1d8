"""Stand-ins for the providers random, null and time, whose resources live in the state alone.

What they make is the same in every rehearsal. Times do not pass: `time_sleep` does not wait.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from generator.hcl.types import BOOL, NUMBER, STRING, Type, list_of, map_of
from generator.rehearsal.behaviour import Behaviour, Context
from generator.rehearsal.planning import Change, plan_creation, plan_update
from generator.rehearsal.wire import UNKNOWN, Object
from generator.schema.tree import ArgumentSchema, BlockSchema

# The moment at which every rehearsal happens.
_NOW = {"rfc3339": "2026-01-01T00:00:00Z", "year": 2026, "month": 1, "day": 1, "hour": 0, "minute": 0, "second": 0}
_NOW_UNIX = 1767225600
_CHARACTERS = (
    ("lower", "abcdefghijklmnopqrstuvwxyz"),
    ("upper", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("numeric", "0123456789"),
    ("special", "!@#$%&*()-_=+[]{}<>:?"),
)
_ADJECTIVES = ("able", "bold", "calm", "dear", "even", "fair", "glad", "keen")
_ANIMALS = ("bee", "cat", "dog", "eel", "fox", "hen", "jay", "owl")


def _required(type_: Type) -> ArgumentSchema:
    return ArgumentSchema(type_, required=True, force_new=True)


def _optional(type_: Type, default: object = None) -> ArgumentSchema:
    return ArgumentSchema(type_, optional=True, computed=default is not None, force_new=True, default=default)


def _computed(*names: str, type_: Type = STRING, sensitive: bool = False) -> dict[str, ArgumentSchema]:
    return {name: ArgumentSchema(type_, computed=True, sensitive=sensitive) for name in names}


def _block(arguments: Mapping[str, ArgumentSchema], *computed: str) -> BlockSchema:
    return BlockSchema(arguments={**arguments, **_computed("id", *computed)})


def _text(*, secret: bool) -> BlockSchema:
    arguments = {"length": _required(NUMBER), "keepers": _KEEPERS, "override_special": _optional(STRING)}
    arguments["number"] = ArgumentSchema(BOOL, optional=True, computed=True, force_new=True, deprecated=True)
    arguments |= {name: _optional(BOOL, True) for name, _ in _CHARACTERS}
    arguments |= {f"min_{name}": _optional(NUMBER, 0) for name, _ in _CHARACTERS}
    return _block(arguments | _computed("result", "bcrypt_hash", sensitive=secret))


_KEEPERS = _optional(map_of(STRING))
_MOMENT = _computed("year", "month", "day", "hour", "minute", "second", "unix", type_=NUMBER)
_SCHEMAS: dict[str, dict[str, BlockSchema]] = {
    "null": {"null_resource": _block({"triggers": _KEEPERS})},
    "random": {
        "random_id": _block(
            {"byte_length": _required(NUMBER), "prefix": _optional(STRING), "keepers": _KEEPERS},
            "b64_std",
            "b64_url",
            "dec",
            "hex",
        ),
        "random_integer": _block(
            {"min": _required(NUMBER), "max": _required(NUMBER), "seed": _optional(STRING), "keepers": _KEEPERS}
            | _computed("result", type_=NUMBER)
        ),
        "random_password": _text(secret=True),
        "random_pet": _block(
            {
                "length": _optional(NUMBER, 2),
                "separator": _optional(STRING, "-"),
                "prefix": _optional(STRING),
                "keepers": _KEEPERS,
            }
        ),
        "random_shuffle": _block(
            {
                "input": _required(list_of(STRING)),
                "result_count": _optional(NUMBER),
                "seed": _optional(STRING),
                "keepers": _KEEPERS,
            }
            | _computed("result", type_=list_of(STRING))
        ),
        "random_string": _text(secret=False),
        "random_uuid": _block({"keepers": _KEEPERS}, "result"),
    },
    "time": {
        "time_sleep": _block(
            {
                "create_duration": ArgumentSchema(STRING, optional=True),
                "destroy_duration": ArgumentSchema(STRING, optional=True),
                "triggers": _KEEPERS,
            }
        ),
        "time_static": _block(
            {"rfc3339": ArgumentSchema(STRING, optional=True, computed=True, force_new=True), "triggers": _KEEPERS}
            | _MOMENT
        ),
    },
}
NAMES = tuple(sorted(_SCHEMAS))


@dataclass(frozen=True, slots=True)
class Schemas:
    """The types of one of these providers, asked for as those of `schema.provider` are.

    Attributes:
        name: "random", "null" or "time".
    """

    name: str

    def resource_types(self) -> frozenset[str]:
        """The resource types that are served."""
        return frozenset(_SCHEMAS[self.name])

    def data_types(self) -> frozenset[str]:
        """The data source types that are served: none."""
        return frozenset()

    def resource(self, type_: str) -> BlockSchema | None:
        """The arguments of a resource type."""
        return _SCHEMAS[self.name].get(type_)

    def data(self, type_: str) -> BlockSchema | None:  # noqa: ARG002
        """The arguments of a data source type: there is none."""
        return None


class InState(Behaviour):
    """A resource that is nowhere but in the state."""

    def plan_creation(self, context: Context, proposed: Object) -> Object:  # noqa: ARG002
        """As the schema says."""
        return plan_creation(self.schema, proposed)

    def plan_update(self, context: Context, prior: Object, proposed: Object) -> Change:  # noqa: ARG002
        """As the schema says."""
        return plan_update(self.schema, prior, proposed, lambda _path, _old, _new: False)

    def create(self, context: Context, planned: Object) -> Object:
        """Compute what it holds; two of a kind differ by their number."""
        number = len(context.cloud.all(self.type)) + 1
        context.cloud.put(self.type, str(number), {})
        made = _MAKERS.get(self.type, _numbered)(planned, _digest(self.type, planned, number))
        return {name: made.get(name) if value is UNKNOWN else value for name, value in planned.items()}

    def update(self, context: Context, prior: Object, planned: Object) -> Object:  # noqa: ARG002
        """Take over what was planned."""
        return planned

    def read(self, context: Context, state: Object) -> Object | None:  # noqa: ARG002
        """What the state says."""
        return state

    def delete(self, context: Context, prior: Object) -> None:
        """Nothing is left to delete."""


def _digest(type_: str, planned: Object, number: int) -> bytes:
    known = json.dumps([type_, number, planned], sort_keys=True, default=repr)
    return hashlib.shake_256(known.encode()).digest(1024)


def _numbered(_planned: Object, digest: bytes) -> Object:
    return {"id": str(int.from_bytes(digest[:8], "big"))}


def _id(planned: Object, digest: bytes) -> Object:
    piece = digest[: int(planned["byte_length"])]
    prefix = planned.get("prefix") or ""
    url = base64.urlsafe_b64encode(piece).decode().rstrip("=")
    return {
        "id": url,
        "b64_url": prefix + url,
        "b64_std": prefix + base64.b64encode(piece).decode(),
        "hex": prefix + piece.hex(),
        "dec": prefix + str(int.from_bytes(piece, "big")),
    }


def _integer(planned: Object, digest: bytes) -> Object:
    low, high = int(planned["min"]), int(planned["max"])
    result = low + int.from_bytes(digest[:8], "big") % (high - low + 1)
    return {"result": result, "id": str(result)}


def _string(planned: Object, digest: bytes) -> Object:
    kinds = dict(_CHARACTERS) | ({"special": planned["override_special"]} if planned.get("override_special") else {})
    allowed = {name: letters for name, letters in kinds.items() if planned.get(name) is not False}
    every = "".join(allowed.values())
    length = int(planned["length"])
    least = [letters for name, letters in allowed.items() for _ in range(int(planned.get(f"min_{name}") or 0))]
    chosen = [*least, *[every] * length][:length]
    stream = (digest * (length // len(digest) + 1))[:length]
    result = "".join(letters[byte % len(letters)] for letters, byte in zip(chosen, stream, strict=True) if letters)
    return {"result": result, "id": "none", "bcrypt_hash": "$2a$10$" + base64.b64encode(digest[:39]).decode()}


def _string_id(planned: Object, digest: bytes) -> Object:
    made = _string(planned, digest)
    return made | {"id": made["result"]}


def _pet(planned: Object, digest: bytes) -> Object:
    length = int(planned["length"])
    words = [_ADJECTIVES[byte % len(_ADJECTIVES)] for byte in digest[1:length]]
    words.append(_ANIMALS[digest[0] % len(_ANIMALS)])
    return {"id": str(planned["separator"]).join([planned["prefix"], *words] if planned.get("prefix") else words)}


def _shuffle(planned: Object, digest: bytes) -> Object:
    count = planned.get("result_count")
    rows = sorted(enumerate(planned["input"]), key=lambda row: digest[row[0] % len(digest)])
    found = [text for _, text in rows]
    return {"id": "-", "result": found[: int(count)] if count is not None else found}


def _uuid(_planned: Object, digest: bytes) -> Object:
    text = digest[:16].hex()
    result = "-".join((text[:8], text[8:12], "4" + text[13:16], "a" + text[17:20], text[20:32]))
    return {"id": result, "result": result}


def _static(planned: Object, _digest: bytes) -> Object:
    from datetime import datetime

    written = planned.get("rfc3339")
    if not isinstance(written, str):
        return _NOW | {"id": _NOW["rfc3339"], "unix": _NOW_UNIX}
    moment = datetime.fromisoformat(written)
    names = ("year", "month", "day", "hour", "minute", "second")
    return {name: getattr(moment, name) for name in names} | {"id": written, "unix": int(moment.timestamp())}


_MAKERS: dict[str, Callable[[Object, bytes], Any]] = {
    "random_id": _id,
    "random_integer": _integer,
    "random_password": _string,
    "random_pet": _pet,
    "random_shuffle": _shuffle,
    "random_string": _string_id,
    "random_uuid": _uuid,
    "time_static": _static,
}
