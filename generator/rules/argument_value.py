"""Values are among those that the provider itself takes.

## What it does
Compares known values with the checks that the provider makes before it asks Google.
error: a number below the minimum or above the maximum, a text of a wrong form (address range, time, name), arguments that
exclude each other, an enumeration's value in another spelling (case, `-`, `_`), or any other value that is not in the
enumeration while version constraints or lock file admit no provider newer than 7.45.0.
warning: the last without such a constraint, as newer providers may know more values; or for `google-beta`.

Nothing is said where another rule has an error or a warning about the same value.

## Why
`terraform validate` stops at it, but only where the value is written in place: what comes from a variable is found by
`terraform plan`.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    disk_size_gb    = 5
    logging_variant = "max-throughput"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    disk_size_gb    = 100
    logging_variant = "MAX_THROUGHPUT"
  }
}
```

## Fix
Safe: writes the spelling that the provider takes. No fix for anything else.

## Source
- [Validators of the provider](https://github.com/hashicorp/terraform-provider-google/tree/main/google/services)
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from generator.catalog import provider_checks
from generator.rules import scope
from generator.rules.base import ERROR, WARNING, Problem, Rule
from generator.rules.provider_schema import Part, is_beta, is_closed, parts
from generator.rules.written_paths import is_written, place
from generator.view import Elements, Known, Resource, edits, show

if TYPE_CHECKING:
    from generator.view import ArgumentSchema


def check(resource: Resource) -> Iterator[Problem]:
    """Every argument of every block, then what excludes each other."""
    together: dict[frozenset[str], None] = {}
    for part in parts(resource):
        schema = part.block.schema
        assert schema is not None
        arguments, blocks = part.block.names()
        for name in arguments:
            described = schema.arguments.get(name)
            if described is not None:
                yield from _value(part, name, described)
                together |= _exclusive(resource, part.path_of(name), described.conflicts_with, described.exactly_one_of)
        for name in blocks:
            inner = schema.blocks.get(name)
            if inner is not None:
                together |= _exclusive(resource, part.path_of(name), inner.conflicts_with, inner.exactly_one_of)
    for pair in together:
        yield from _conflict(resource, *pair)


def _value(part: Part, name: str, described: ArgumentSchema) -> Iterator[Problem]:
    path = part.path_of(name)
    yield from _elements(part, name, path)
    low, high = provider_checks.limits(name) or (described.minimum, described.maximum)
    checked = described.one_of or low is not None or high is not None
    answer = part.block.get(name) if checked or provider_checks.has_form(part.resource.type, path) else None
    if not isinstance(answer, Known):
        return
    value = answer.value
    if described.one_of and value not in described.one_of:
        yield _not_in_enumeration(part, name, described.one_of, answer)
    if isinstance(value, str):
        fault = provider_checks.form_fault(part.resource.type, path, value)
        if fault is not None:
            message = f"{name} is {answer.show()}: {'its form is wrong' if answer.sensitive else fault}"
            yield scope.problem(part.resource, ERROR, answer, message, f"Write {name} in that form.")
    elif isinstance(value, int | Fraction) and (
        (low is not None and value < low) or (high is not None and value > high)
    ):
        message = f"{name} is {answer.show()}; the provider takes {_range(low, high)}"
        yield scope.problem(part.resource, ERROR, answer, message, f"Write {_range(low, high)}.")


def _elements(part: Part, name: str, path: str) -> Iterator[Problem]:
    allowed = provider_checks.element_values(part.resource.type, path)
    elements = part.block.elements(name) if allowed else None
    for element in elements.items if isinstance(elements, Elements) else ():
        if isinstance(element, Known) and element.value not in allowed:
            yield _not_in_enumeration(part, f"an element of {name}", allowed, element)


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"{low:g} to {high:.15g}"
    return f"{low:g} or more" if low is not None else f"{high:.15g} or less"


def _not_in_enumeration(part: Part, name: str, values: tuple[object, ...], answer: Known) -> Problem:
    allowed = [v for v in values if isinstance(v, str | int)]
    meant = next((v for v in allowed if v != "" and _bare(v) == _bare(answer.value)), None)
    severity = ERROR if meant is not None or is_closed(part.resource) else WARNING
    words = ", ".join(show(v) for v in allowed)
    newer = "" if severity is ERROR else "; google-beta may take more" if is_beta(part.resource) else ""
    message = f"{name} is {answer.show()}, which the provider does not take; it takes {words}{newer}"
    help_ = f"Write {show(meant)}." if meant is not None and not answer.sensitive else f"Write one of {words}."
    return scope.problem(
        part.resource,
        severity,
        answer,
        message,
        help_,
        fix=edits.replaced(answer, meant, safe=True) if meant is not None else None,
    )


def _bare(value: object) -> str:
    return str(value).replace("-", "").replace("_", "").replace(" ", "").casefold()


def _exclusive(
    resource: Resource, path: str, conflicts: tuple[str, ...], one_of: tuple[str, ...]
) -> dict[frozenset[str], None]:
    """The pairs of paths with this one that must not be written both."""
    others = {_plain(p) for p in (*conflicts, *one_of)} - {path}
    return {frozenset((path, other)): None for other in others if is_written(resource, other)}


def _plain(path: str) -> str:
    return ".".join(name for name in path.split(".") if not name.isdecimal())


def _conflict(resource: Resource, one: str, other: str) -> Iterator[Problem]:
    if not (is_written(resource, one) and is_written(resource, other)):
        return
    first, second = sorted((one, other))
    places = scope.in_order([(first, place(resource, first)), (second, place(resource, second))])
    (earlier, earlier_at), (later, later_at) = places
    message = f"{later} and {earlier} exclude each other, and both are written"
    notes = scope.note(earlier_at, f"{earlier} is here")
    yield scope.problem(resource, ERROR, later_at, message, f"Keep one of {earlier} and {later}.", *notes)


RULE = Rule(
    name="argument-value",
    severities=(ERROR, WARNING),
    seeks=Resource,
    check=check,
    summary="a value that the provider itself refuses",
    depths=frozenset({"text"}),
    gives_way=True,
)
