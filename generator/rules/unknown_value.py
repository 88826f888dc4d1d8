"""A value that rules ask for cannot be known from the text, so they say nothing about it.

## What it does
advice: names each value that a rule asked for and that is unknown: a variable without a value, a data source, a computed
attribute, a registry module, a function that is not evaluated. What is unknown never makes an error or a warning.

## Why
A run without findings does not say that such a value is right, only that it could not be looked at. `gke-rdma plan` asks the
same rules again when Terraform knows more.

## Bad
```hcl
variable "gpus" {
  type = number
}

guest_accelerator {
  type  = "nvidia-h200-141gb"
  count = var.gpus
}
```

## Good
```hcl
variable "gpus" {
  type    = number
  default = 8
}

guest_accelerator {
  type  = "nvidia-h200-141gb"
  count = var.gpus
}
```

## Fix
None: give the value with `--var` or `--var-file`, or check the plan.

## Source
- What is evaluated is told in `docs/lint.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import ADVICE, Problem, Rule
from generator.view import HiddenCheck

# Who needs the whole list can ask for the rules one by one.
_NAMED = 4


def check(hidden: HiddenCheck) -> Iterator[Problem]:
    """The one advice about a value."""
    yield Problem(
        ADVICE,
        f"this is not known, so {_listed(hidden.rules)} could not be checked: {hidden.unknown.reason}",
        "Give the value with --var or --var-file, or let `gke-rdma plan` check it.",
        hidden.unknown.span,
        resource=hidden.resource,
    )


def _listed(names: tuple[str, ...]) -> str:
    if len(names) > _NAMED + 1:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more rules"
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


RULE = Rule(
    name="unknown-value",
    severities=(ADVICE,),
    seeks=HiddenCheck,
    check=check,
    summary="a value that a rule asks for is unknown",
    depths=frozenset({"text"}),
)
