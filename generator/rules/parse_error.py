"""A file of a module that holds or calls node pools or clusters is not valid HCL.

## What it does
Reads every block of every file of a module that holds or calls something the rules look at, as strictly as Terraform does,
and reports what Terraform refuses. error: in such a module. advice: in any other module.

The exit code is 2, because what could not be read could not be checked. The rule runs also when it is not selected.

## Why
`terraform init` and `terraform validate` stop at such a file. The checks of the rest of the module go on without it, so they
may miss what stands there.

## Bad
```hcl
locals {
  prefix = "team-a
}
```

## Good
```hcl
locals {
  prefix = "team-a"
}
```

## Fix
None: what was meant is for a person to say.

## Source
- HCL native syntax: https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md
- HCL JSON syntax: https://github.com/hashicorp/hcl/blob/main/json/spec.md
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import ADVICE, ERROR, Problem, Rule
from generator.view import Span, TextFile


def check(file: TextFile) -> Iterator[Problem]:
    """Every problem of syntax that is proven."""
    severity = ERROR if file.of_interest else ADVICE
    for problem in file.problems:
        if not problem.limit:
            yield Problem(
                severity,
                problem.message,
                "Terraform refuses this file too. Mend it: what could not be read was not checked.",
                Span(file.source, problem.start, problem.end),
                sensitive=_holds_values(file),
            )


def _holds_values(file: TextFile) -> bool:
    """Whether it is a variable file: nobody can tell which of its broken lines hold a secret."""
    return file.source.path.name.endswith((".tfvars", ".tfvars.json"))


RULE = Rule(
    name="parse-error",
    severities=(ERROR, ADVICE),
    seeks=TextFile,
    check=check,
    summary="a file is not valid HCL",
    depths=frozenset({"text"}),
    unreadable=True,
)
