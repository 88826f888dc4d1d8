"""Every value can become the type that the provider wants.

## What it does
error: a known value of an argument of a Google resource or data source cannot be converted to the argument's type: a word
for a bool, text for a list, a fraction for a whole number. What Terraform converts is fine: `"32"` for a number, `"true"` for
a bool, a number in a map of strings.

Other rules then take the value as unknown.

## Why
`terraform validate` stops at it, or, when the value comes from a variable, `terraform plan`.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name                = "c"
  deletion_protection = "no"
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name                = "c"
  deletion_protection = false
}
```

## Fix
None: what was meant is for a person to say.

## Source
- [Type conversion](https://developer.hashicorp.com/terraform/language/expressions/types#type-conversion)
- [Schema of the provider](https://github.com/hashicorp/terraform-provider-google)
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generator.catalog import provider_checks
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.rules.provider_schema import Part, parts
from generator.view import Known, Resource


def check(resource: Resource) -> Iterator[Problem]:
    """Every argument of every block."""
    for part in parts(resource):
        schema = part.block.schema
        assert schema is not None
        for name in part.block.names()[0]:
            if name in schema.arguments:
                yield from _argument(part, name)


def _argument(part: Part, name: str) -> Iterator[Problem]:
    written = part.block.data.argument(name)
    if written is None:
        return
    misfit = written.misfit
    if misfit is not None:
        shown = f"{name} is {misfit.part.show()}" if isinstance(misfit.part, Known) else name
        if isinstance(misfit.part, Known) and misfit.part.span != written.span:
            shown = f"{misfit.part.show()} in {name}"
        message = f"{shown} does not fit: {misfit.reason}"
        yield scope.problem(part.resource, ERROR, misfit.part, message, f"Write a value for {name} that fits.")
        return
    data = written.value.data
    if isinstance(data, Fraction) and not provider_checks.takes_fractions(name):
        answer = part.block.peek(name)
        shown = answer.show() if isinstance(answer, Known) else "a fraction"
        message = f"{name} is {shown}, but has to be a whole number"
        yield scope.problem(part.resource, ERROR, answer, message, f"Write a whole number for {name}.")


RULE = Rule(
    name="argument-type",
    severities=(ERROR,),
    seeks=Resource,
    check=check,
    summary="a value cannot become the type that the provider wants",
    depths=frozenset({"text"}),
)
