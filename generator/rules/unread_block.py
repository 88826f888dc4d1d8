"""A block is too large or too deeply nested for this program, so it was not checked.

## What it does
Reports the parts of a file that were left out because a limit of the reader was reached: nesting, size or time. They are not
proven to be invalid. warning: in a module that holds or calls something the rules look at. advice: in any other module.

## Why
A block that was not read was not checked either. Without a word about it, the run would look as if all were well.

## Bad
```hcl
locals {
  value = [[[[[[[[["…some hundred levels deep…"]]]]]]]]]
}
```

## Good
```hcl
locals {
  value = jsondecode(file("${path.module}/value.json"))
}
```

## Fix
None: the text has to become simpler.

## Source
- The limits are this program's own; see `docs/limits.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import ADVICE, WARNING, Problem, Rule
from generator.view import Span, TextFile


def check(file: TextFile) -> Iterator[Problem]:
    """Every part that a limit kept from being read."""
    severity = WARNING if file.of_interest else ADVICE
    for problem in file.problems:
        if problem.limit:
            yield Problem(
                severity,
                problem.message,
                "Split the block, or move large data into a file of its own; until then nothing here is checked.",
                Span(file.source, problem.start, problem.end),
            )


RULE = Rule(
    name="unread-block",
    severities=(WARNING, ADVICE),
    seeks=TextFile,
    check=check,
    summary="a block was not read because it is beyond the limits of the reader",
    depths=frozenset({"text"}),
)
