"""The reference page of the spec, made from its schema: `docs/spec.md`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from generator.catalog import machines
from generator.spec.validate import FORMS, schema

_HEAD = """\
# The spec

A spec is one YAML or JSON file (at most 256 KiB) that says which cluster and node pools to make. `gke-rdma init` writes
one to begin with, `gke-rdma schema` prints its JSON Schema for editors. This page is made from that schema.

Everything that is wrong is reported at once, each with file, line, column and what to write instead, with exit code 2,
and nothing is written. YAML's own traps are named: `1.34` and `1.30` without quotes are numbers, `no` is a boolean, `0123`
an octal number. A time without quotes is taken as text. Aliases may stand for whole values; merge keys (`<<`), tags and
several documents are not read.

"""

_TAIL = """
Machine types that are served: {served}. Known, but not served: {known}.
"""


def page() -> str:
    """The page as Markdown."""
    rows = ["| key | value | default | means |", "|---|---|---|---|", *_rows(schema(), "")]
    served = ", ".join(f"`{m.name}`" for m in machines.machine_types().values() if m.served)
    known = "; ".join(f"`{m.name}` ({m.reason})" for m in machines.machine_types().values() if not m.served)
    return _HEAD + "\n".join(rows) + "\n" + _TAIL.format(served=served, known=known)


def _rows(part: dict[str, Any], path: str) -> Iterator[str]:
    required = set(part.get("required", ()))
    for name, child in part.get("properties", {}).items():
        key = f"{path}{name}"
        means = child.get("description", "").replace("|", "\\|")
        yield f"| `{key}` | {_values(child)} | {'required' if name in required else _default(child)} | {means} |"
        yield from _rows(child, f"{key}.")
        if "properties" in child.get("items", {}):
            yield from _rows(child["items"], f"{key}[].")


def _default(part: dict[str, Any]) -> str:
    if "default" not in part:
        # What depends on other keys is no default of JSON Schema.
        return str(part.get("x-default", ""))
    value = part["default"]
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _values(part: dict[str, Any]) -> str:
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return ", ".join("null" if v is None else f"`{v}`" for v in part["enum"])
    if "pattern" in part:
        return FORMS.get(part["pattern"], "text")
    kinds = part["type"] if isinstance(part["type"], list) else [part["type"]]
    words = {
        "object": "mapping",
        "array": "list",
        "string": "text",
        "integer": "whole number",
        "boolean": "true, false",
    }
    return " or ".join(words.get(kind, str(kind)) for kind in kinds) + _bounds(part)


def _bounds(part: dict[str, Any]) -> str:
    low, high = part.get("minimum"), part.get("maximum")
    if low is None and high is None:
        return ""
    return f" from {low}" + ("" if high is None else f" to {high}")
