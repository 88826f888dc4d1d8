"""What the provider itself refuses when a configuration is validated; Terraform checks names, types and counts of blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from generator.rehearsal import wire
from generator.rehearsal.wire import UNKNOWN, Object, Path
from generator.schema.tree import ArgumentSchema, BlockSchema

_MISSING: Final = object()
# A time of day, or a moment as RFC 3339 writes it.
_TIME = re.compile(r"([01]?\d|2[0-3]):[0-5]\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)")
_DURATION = re.compile(r"[-+]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+|0")


def diagnostics(schema: BlockSchema, config: Object) -> list[Any]:
    """The complaints about a configuration, in the words of the provider's SDK. What is unknown is never complained about."""
    return list(_body(schema, config, config, ()))


def _body(schema: BlockSchema, value: Mapping[str, Any], root: Object, path: Path) -> Iterator[Any]:
    for name, argument in schema.arguments.items():
        given = value.get(name)
        here = (*path, name)
        yield from _together(argument, given is not None, root, here)
        if given is None:
            continue
        if argument.deprecated:
            yield wire.warning("Argument is deprecated", f'"{_dotted(here)}" is deprecated', here)
        if wire.is_wholly_known(given):
            yield from _value(argument, given, here)
    for name, block in schema.blocks.items():
        rows = value.get(name)
        here = (*path, name)
        yield from _together(block, bool(rows), root, here)
        for index, row in enumerate(rows if isinstance(rows, list) else []):
            if isinstance(row, dict):
                yield from _body(block, row, root, (*here, index))


def _value(schema: ArgumentSchema, value: Any, path: Path) -> Iterator[Any]:
    for element in value if isinstance(value, list) else [value]:
        if schema.one_of and element not in schema.one_of:
            allowed = " ".join(f'"{one}"' for one in schema.one_of)
            yield wire.error(f"expected {_dotted(path)} to be one of [{allowed}], got {element}", path=path)
        if isinstance(element, int | float) and not isinstance(element, bool):
            yield from _bounds(schema, element, path)
        check = _FORMATS.get(schema.format or "")
        if check and isinstance(element, str) and element and not check(element):
            yield wire.error(f'"{_dotted(path)}" is not a valid {schema.format}: "{element}"', path=path)


def _bounds(schema: ArgumentSchema, value: float, path: Path) -> Iterator[Any]:
    low, high = schema.minimum, schema.maximum
    name = _dotted(path)
    if low is not None and high is not None and not low <= value <= high:
        yield wire.error(f"expected {name} to be in the range ({low:g} - {high:g}), got {value}", path=path)
    elif low is not None and value < low:
        yield wire.error(f"expected {name} to be at least ({low:g}), got {value}", path=path)
    elif high is not None and value > high:
        yield wire.error(f"expected {name} to be at most ({high:g}), got {value}", path=path)


def _together(schema: ArgumentSchema | BlockSchema, written: bool, root: Object, path: Path) -> Iterator[Any]:
    """What an argument says about the presence of others."""
    name = _dotted(path)
    if written:
        for other in schema.conflicts_with:
            if _present(root, other):
                yield wire.error("Conflicting configuration arguments", f'"{name}": conflicts with {other}', path)
        if schema.required_with and any(not _present(root, p, True) for p in schema.required_with):
            wanted = ",".join(schema.required_with)
            yield wire.error("Missing required argument", f'"{name}": all of `{wanted}` must be specified', path)
    if schema.exactly_one_of:
        yield from _exactly_one(schema.exactly_one_of, root, path)
    if schema.at_least_one_of and not any(_present(root, p, True) for p in schema.at_least_one_of):
        wanted = ",".join(schema.at_least_one_of)
        yield wire.error("Missing required argument", f'"{name}": one of `{wanted}` must be specified', path)


def _exactly_one(paths: tuple[str, ...], root: Object, path: Path) -> Iterator[Any]:
    name, wanted = _dotted(path), ",".join(paths)
    written = [p for p in paths if _present(root, p)]
    if len(written) > 1:
        detail = f'"{name}": only one of `{wanted}` can be specified, but `{",".join(written)}` were specified.'
        yield wire.error("Invalid combination of arguments", detail, path)
    elif not any(_present(root, p, True) for p in paths):
        yield wire.error("Invalid combination of arguments", f'"{name}": one of `{wanted}` must be specified', path)


def _present(root: Any, dotted: str, unknown_counts: bool = False) -> bool:
    """Whether the configuration writes what a path names.

    Args:
        root: the configuration.
        dotted: `.0.` for an element of a list of blocks.
        unknown_counts: the answer for what is unknown.
    """
    value = root
    for step in dotted.split("."):
        if value is UNKNOWN:
            return unknown_counts
        if step.isdigit() and isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else _MISSING
        elif isinstance(value, dict):
            value = value.get(step, _MISSING)
        else:
            return False
        if value is _MISSING:
            return False
    if value is UNKNOWN:
        return unknown_counts
    return value is not None and value != []


def _dotted(path: Path) -> str:
    return ".".join(str(step) for step in path)


def _is_cidr(text: str) -> bool:
    import ipaddress

    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return "/" in text


def _is_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None


def _is_duration(text: str) -> bool:
    return _DURATION.fullmatch(text) is not None


_FORMATS: dict[str, Callable[[str], bool]] = {"cidr": _is_cidr, "time": _is_time, "duration": _is_duration}
