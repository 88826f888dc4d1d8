"""The JSON Schema's verdict on a document, in words of our own: every problem, each with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any

from generator.catalog import machines, networks, versions
from generator.spec.document import Document, Path, Problem, dotted
from generator.spec.names import nearest, snake

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping (keys and values)",
    "array": "a list",
    "null": "null",
}
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_OLD_BOOLEANS = {"yes", "no", "on", "off"}


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a spec; what the catalog knows is filled in."""
    text = resources.files("generator.schema").joinpath("spec.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    properties = loaded["properties"]
    pool, compute_class = properties["node_pools"]["items"]["properties"], properties["compute_class"]["properties"]
    for holder in (pool, compute_class, compute_class["fallbacks"]["items"]["properties"]):
        holder["machine_type"]["examples"] = [m.name for m in machines.served()]
    standard, autopilot = versions.default_version("standard"), versions.default_version("autopilot")
    version = properties["cluster"]["properties"]["version"]
    version["x-default"] = f'"{standard}"; with autopilot "{autopilot}"'
    pool["networks"]["properties"]["gvnic_cidr"]["default"] = networks.gvnic_cidr()
    pool["networks"]["properties"]["rdma_cidr"]["default"] = networks.rdma_cidr()
    return loaded


def leave_out_nulls(data: Any, part: dict[str, Any] | None = None) -> None:
    """Take optional keys out of the data that are written without a value: `cluster:` alone says nothing.

    A null stays where it means something (`version: null`), and where a value is needed.
    """
    part = schema() if part is None else part
    if isinstance(data, dict):
        for key, child in part.get("properties", {}).items():
            if key in data and data[key] is None and key not in part.get("required", ()) and not _takes_null(child):
                del data[key]
            elif key in data:
                leave_out_nulls(data[key], child)
    elif isinstance(data, list) and "items" in part:
        for item in data:
            leave_out_nulls(item, part["items"])


def _takes_null(part: dict[str, Any]) -> bool:
    return None in part.get("enum", ()) or "null" in part.get("type", ())


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[ValidationError]:
        # `$` of Python's `re` also matches before a newline at the end; JSON Schema's does not.
        strict = re.sub(r"\$$", r"\\Z", wanted)
        if isinstance(value, str) and not re.search(strict, value):
            yield ValidationError(f"{value!r} does not match {wanted!r}")

    def is_whole(_: Any, value: Any) -> bool:
        # JSON Schema takes 2.0 for a whole number; nothing that we write does.
        return isinstance(value, int) and not isinstance(value, bool)

    types: Any = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_whole)
    make: Any = extend
    return make(Draft202012Validator, {"pattern": pattern}, type_checker=types)(schema())


def problems(document: Document) -> list[Problem]:
    """What the schema finds wrong, in the order of the text."""
    errors = list(_validator().iter_errors(document.data))
    found = [p for error in errors for p in _translate(document, error)]
    found += _disguised(document, {tuple(error.absolute_path) for error in errors})
    return sorted(found, key=lambda p: (p.line or 0, p.column or 0))


def _disguised(document: Document, wrong: set[Path]) -> Iterator[Problem]:
    """Whole numbers that YAML reads otherwise than people do: `010` is 8, `1:30` is 90."""
    for path, place in document.places.items():
        if not place.plain or path in wrong or _DECIMAL.fullmatch(place.text):
            continue
        value = document.value(path)
        if isinstance(value, int) and not isinstance(value, bool):
            meant = place.text.lstrip("+-0") if _LEADING_ZERO.fullmatch(place.text) else str(value)
            yield document.problem(path, f"`{dotted(path)}`: {_guessed(place.text, value)}.", f"Write {meant or 0}.")


def _translate(document: Document, error: Any) -> Iterator[Problem]:
    path: Path = tuple(error.absolute_path)
    if path in document.damaged and error.validator in ("required", "minProperties"):
        return
    speak = _SPEAKERS.get(error.validator)
    if speak is None:
        yield document.problem(path, f"`{dotted(path)}` is wrong: {error.message}.")
        return
    yield from speak(document, path, error)


def _unknown_keys(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    known = list(error.schema["properties"])
    for key in error.instance:
        if key in known:
            continue
        within = f" in `{dotted(path)}`" if path else ""
        yield document.problem(
            (*path, key), f"The key `{key}` is not known{within}.", _nearest(key, known, path), key=True
        )


def _nearest(key: str, known: list[str], path: Path) -> str:
    near = nearest(key, known)
    if near:
        return f"Did you mean `{near}`?"
    plain = snake(key)
    elsewhere = sorted(p for p in _homes().get(plain, ()) if p != re.sub(r"\[\d+\]", "[]", dotted(path)))
    if elsewhere:
        return f"`{plain}` belongs in {' or '.join(f'`{p}`' for p in elsewhere)}."
    return f"Known keys: {', '.join(known)}."


@cache
def _homes() -> dict[str, tuple[str, ...]]:
    """Where each key of the schema belongs: its name to the paths of the mappings that take it."""
    homes: dict[str, list[str]] = {}

    def walk(part: dict[str, Any], path: str) -> None:
        for name, child in part.get("properties", {}).items():
            homes.setdefault(name, []).append(path or "the top level")
            walk(child, f"{path}.{name}" if path else name)
        if "items" in part:
            walk(part["items"], f"{path}[]")

    walk(schema(), "")
    return {name: tuple(paths) for name, paths in homes.items()}


def _missing_key(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    missing = [key for key in error.validator_value if key not in error.instance]
    # The validator makes one error for each missing key and names it only in its message.
    key = next((k for k in missing if error.message.startswith(repr(k))), missing[0])
    known = list(error.schema["properties"])
    if any(nearest(written, known) == key for written in error.instance if written not in known):
        return  # the misspelt key is reported, once
    purpose = error.schema["properties"].get(key, {}).get("description", "").rstrip(".")
    where = f"`{dotted(path)}`" if path else "The spec"
    yield document.problem(
        path, f"{where} lacks the key `{key}`.", f"Add `{key}:`{f' ({purpose})' if purpose else ''}.", key=True
    )


def _type(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    place, value = document.place(path), error.instance
    need = " or ".join(_TYPES[w] for w in wanted if w != "null" or value is None)
    name = dotted(path)
    if "string" in wanted and place.plain and not isinstance(value, (list, dict)):
        yield document.problem(
            path,
            f"`{name}` has to be text, but {_guessed(place.text, value)}.",
            _text_hint(place.text, error.schema.get("pattern", "")),
        )
        return
    is_scalar = isinstance(value, (int, float)) and "string" in wanted
    hint = _text_hint(place.text, error.schema.get("pattern", "")) if is_scalar else _type_hint(wanted, value)
    yield document.problem(path, f"`{name}` has to be {need}, found {_found(value, place.text)}.", hint)


def _text_hint(text: str, pattern: str) -> str:
    if text and re.search(pattern, text):
        return f'Put it in quotes: "{text}".'
    if pattern in FORMS:
        return f"Write {FORMS[pattern]}."
    return 'Write the text, or "" for none.'


def _guessed(text: str, value: Any) -> str:
    """What YAML makes of an unquoted scalar that was meant as text."""
    if value is None:
        return f"`{text}` is null in YAML" if text else "nothing is written"
    if isinstance(value, bool):
        return f"`{text}` without quotes is the boolean {str(value).lower()} in YAML"
    if isinstance(value, int) and re.fullmatch(r"[-+]?0[0-7_]+", text):
        return f"`{text}` without quotes is an octal number in YAML ({value})"
    if isinstance(value, int) and ":" in text:
        return f"`{text}` without quotes is a number to the base 60 in YAML ({value})"
    if isinstance(value, int) and not _DECIMAL.fullmatch(text):
        return f"`{text}` without quotes is a number in YAML ({value})"
    if isinstance(value, float) and text.endswith("0"):
        return f"`{text}` without quotes is the number {value} in YAML: its last zero is lost"
    return f"`{text}` without quotes is a number in YAML"


def _found(value: Any, text: str) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null" if text else "nothing"
    return f"the text {_quoted(value)}" if isinstance(value, str) else f"{text or value}"


def _type_hint(wanted: list[str], value: Any) -> str:
    if (
        isinstance(value, str)
        and ("integer" in wanted or "number" in wanted)
        and re.fullmatch(r"[-+]?\d{1,20}", value, re.ASCII)
    ):
        return f"Write it without quotes: {int(value)}."
    if isinstance(value, float) and "integer" in wanted and value.is_integer():
        return f"Write {int(value)}."
    if isinstance(value, str) and "boolean" in wanted and value.lower() in ("true", "false", *_OLD_BOOLEANS):
        return f"Write it without quotes: {'true' if value.lower() in ('true', 'yes', 'on') else 'false'}."
    if "array" in wanted:
        return "Write a list: one item on a line, each after `- `."
    if "object" in wanted:
        return "Write `key: value` lines below it, indented by two blanks."
    if "string" in wanted:
        return "Write one text, in quotes where it could be something else."
    return "Write true or false." if "boolean" in wanted else "Write a whole number without quotes."


def _enum(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    allowed = [a for a in error.validator_value if a is not None]
    value, place = error.instance, document.place(path)
    shown = ", ".join(str(a) for a in allowed)
    if isinstance(value, bool) and place.plain and place.text.lower() in _OLD_BOOLEANS:
        yield document.problem(
            path,
            f"`{dotted(path)}` has to be one of {shown}, but {_guessed(place.text, value)}.",
            f"Write one of: {shown}.",
        )
        return
    near = get_close_matches(
        str(value).lower().replace("_", "-"), [str(a).lower().replace("_", "-") for a in allowed], n=1
    )
    match = next((a for a in allowed if near and str(a).lower().replace("_", "-") == near[0]), None)
    hint = f"Did you mean `{match}`?" if match is not None else f"Write one of: {shown}."
    yield document.problem(path, f"`{dotted(path)}` has to be one of {shown}, found {_found(value, place.text)}.", hint)


def _const(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    yield document.problem(
        path,
        f"`{dotted(path)}` has to be {error.validator_value}, found {_found(error.instance, document.place(path).text)}.",
        f"Write {error.validator_value}.",
    )


def _pattern(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    value = error.instance
    need = FORMS.get(error.validator_value, f"of the form {error.validator_value}")
    yield document.problem(
        path, f"`{dotted(path)}` has to be {need}, found {_quoted(value)}.", _pattern_hint(error.validator_value, value)
    )


def _pattern_hint(pattern: str, value: str) -> str:
    for form in (value.strip(), value.strip().lower(), re.sub(r"[_. ]+", "-", value.strip().lower())):
        if form and form != value and re.search(pattern, form):
            return f"Write {_quoted(form)}."
    return f"Write {FORMS[pattern]}." if pattern in FORMS else ""


def _bounds(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    if not isinstance(error.instance, int):
        return  # the type has been told
    words, more = {"minimum": ("at least", "more"), "maximum": ("at most", "less")}[error.validator]
    bound = error.validator_value
    yield document.problem(
        path,
        f"`{dotted(path)}` has to be {words} {bound}, found {_short(error.instance)}.",
        f"Write {bound} or {more}.",
    )


def _short(number: int) -> str:
    return str(number) if abs(number) < 10**20 else "a number that is far too large"


def _size(document: Document, path: Path, error: Any) -> Iterator[Problem]:
    name = dotted(path)
    message = {
        "minLength": f"`{name}` is empty.",
        "minItems": f"The list `{name}` is empty.",
        "minProperties": f"The mapping `{name}` is empty.",
        "maxItems": f"The list `{name}` has {len(error.instance)} items; {error.validator_value} are allowed.",
        "uniqueItems": f"The list `{name}` has the same item twice.",
    }[error.validator]
    hints = {"uniqueItems": "Remove what is double.", "maxItems": "Remove some, or divide them among several specs."}
    yield document.problem(path, message, hints.get(error.validator, "Fill it in, or leave the key out."))


def _quoted(text: str) -> str:
    shown = text if len(text) <= 60 else text[:57] + "…"
    return json.dumps(shown, ensure_ascii=False)


_SPEAKERS = {
    "additionalProperties": _unknown_keys,
    "required": _missing_key,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minimum": _bounds,
    "maximum": _bounds,
    "minLength": _size,
    "minItems": _size,
    "maxItems": _size,
    "minProperties": _size,
    "uniqueItems": _size,
}


def _forms() -> dict[str, str]:
    """What each pattern of the schema means in words."""
    properties = schema()["properties"]
    pool = properties["node_pools"]["items"]["properties"]
    cluster = properties["cluster"]["properties"]
    network = cluster["network"]["properties"]
    window = cluster["maintenance"]["properties"]["window"]["properties"]
    words = [
        (
            properties["name"],
            "a name of at most 40 small letters, digits and `-`, beginning with a letter, not ending with `-`",
        ),
        (properties["project"], "a project ID: 6 to 30 small letters, digits and `-`, beginning with a letter"),
        (properties["zone"], "a zone such as us-central1-b"),
        (cluster["location"], "a zone such as us-central1-b or a region such as us-central1"),
        (cluster["version"], 'a GKE version such as "1.34" or "1.34.8-gke.1278000"'),
        (
            cluster["service_account"],
            "the e-mail address of a service account, such as NAME@PROJECT.iam.gserviceaccount.com",
        ),
        (cluster["database_encryption_key"], "a key as projects/P/locations/L/keyRings/R/cryptoKeys/K"),
        (network["network"], "a network's name, or projects/HOST/global/networks/NAME"),
        (network["subnetwork"], "a subnetwork's name, or projects/HOST/regions/REGION/subnetworks/NAME"),
        (
            network["pods_range_name"],
            "a name of at most 63 small letters, digits and `-`, beginning with a letter, not ending with `-`",
        ),
        (
            pool["networks"]["properties"]["gvnic_prefix"],
            "a name of at most 54 small letters, digits and `-`, beginning with a letter, not ending with `-`",
        ),
        (cluster["private"]["properties"]["master_ipv4_cidr_block"], "an IPv4 range such as 172.16.0.0/28"),
        (window["start_time"], "a time such as 2026-01-03T01:00:00Z"),
        (pool["max_run_duration"], 'a number of seconds such as "86400s"'),
        (properties["backend"]["properties"]["bucket"], "the name of a bucket"),
        (
            properties["workload"]["properties"]["name"],
            "a name of at most 53 small letters, digits and `-`, beginning with a letter, not ending with `-`",
        ),
    ]
    return {part["pattern"]: text for part, text in words}


FORMS = _forms()
