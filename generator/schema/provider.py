"""Which arguments the Google provider takes, for the resources and data sources that folders with GKE node pools hold.

The files in `provider/` were read off hashicorp/google 7.45.0: its schema and its own validators. Each is read when it is first
asked for. Meta-arguments (`count`, `for_each`, `depends_on`, `provider`, `lifecycle`) are Terraform's and are not in it;
`timeouts` is the provider's and is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from generator.hcl.types import Type, from_json
from generator.schema.tree import ArgumentSchema, BlockSchema

PROVIDER_VERSION = "7.45.0"
# A resource type of another provider that a rule looks at.
MANIFEST = "kubernetes_manifest"

_FOLDER = Path(__file__).parent / "provider"
_BLOCK_FLAGS = frozenset(f.name for f in fields(BlockSchema)) - {"arguments", "blocks"}
_NOTHING: Mapping[str, Any] = {}


def resource(type_: str) -> BlockSchema | None:
    """The arguments of a resource type, or None for a type that we do not know."""
    return _load("resource", type_) if type_ in resource_types() else None


def data(type_: str) -> BlockSchema | None:
    """The arguments of a data source type, or None for a type that we do not know."""
    return _load("data", type_) if type_ in data_types() else None


@cache
def resource_types() -> frozenset[str]:
    """The resource types that we know."""
    return _names("resource")


@cache
def data_types() -> frozenset[str]:
    """The data source types that we know."""
    return _names("data")


def types_of_interest() -> frozenset[str]:
    """The types that make a module worth reading: those that we know, and Kubernetes manifests."""
    return resource_types() | data_types() | {MANIFEST}


def since(resource_type: str, path: str) -> str | None:
    """The first version of hashicorp/google that takes an argument or a block.

    Args:
        resource_type: `google_container_node_pool`, `google_container_cluster`, …
        path: dotted names without element numbers: `node_config.gpudirect_strategy`. What stands in a block is as old as the
            block, unless it is listed as younger.

    Returns:
        The version, from the provider's change log; None when it is older than every floor that matters here.
    """
    if resource_type == "google_container_cluster":
        first, _, rest = path.partition(".")
        if first in ("node_pool", "node_config"):
            return since("google_container_node_pool", rest if first == "node_pool" else path)
    listed = _since().get(resource_type, _NOTHING)
    while path:
        if path in listed:
            return str(listed[path])
        path = path.rpartition(".")[0]
    return None


def _names(kind: str) -> frozenset[str]:
    return frozenset(file.stem for file in (_FOLDER / kind).iterdir() if file.suffix == ".json")


@cache
def _since() -> Mapping[str, Mapping[str, str]]:
    tables: Mapping[str, Mapping[str, str]] = json.loads((_FOLDER / "since.json").read_text("utf-8"))
    return tables


@cache
def _load(kind: str, type_: str) -> BlockSchema:
    return _block(json.loads((_FOLDER / kind / f"{type_}.json").read_text("utf-8")), {})


def _block(raw: Mapping[str, Any], known: dict[str, ArgumentSchema]) -> BlockSchema:
    arguments: dict[str, ArgumentSchema] = {}
    for name, described in raw.get("arguments", _NOTHING).items():
        # Most arguments are one of a few kinds ("optional string"): equal descriptions share one object.
        key = repr(described)
        argument = known.get(key)
        if argument is None:
            argument = known[key] = _argument(described)
        arguments[name] = argument
    blocks = {name: _block(inner, known) for name, inner in raw.get("blocks", _NOTHING).items()}
    flags = {name: _frozen(raw[name]) for name in _BLOCK_FLAGS & raw.keys()}
    return BlockSchema(arguments, blocks, **flags)


def _argument(raw: Mapping[str, Any]) -> ArgumentSchema:
    flags = {name: _frozen(value) for name, value in raw.items() if name != "type"}
    return ArgumentSchema(_type(json.dumps(raw["type"])), **flags)


@cache
def _type(notation: str) -> Type:
    return from_json(json.loads(notation))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
