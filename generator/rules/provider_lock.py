"""The lock file holds a version of the Google provider that knows every argument in use.

## What it does
error: `.terraform.lock.hcl` locks a version of `hashicorp/google` (or of `hashicorp/google-beta`, for what that makes) which is
older than an argument that a node pool for RDMA, its cluster or a `network_profile` uses. Entries of every registry host count.

## Why
`terraform init` installs the locked version, whatever newer ones the constraints admit, and `terraform validate` answers
"Unsupported argument".

## Bad
```hcl
# .terraform.lock.hcl
provider "registry.terraform.io/hashicorp/google" {
  version = "7.9.0"
}
```

## Good
```hcl
# .terraform.lock.hcl
provider "registry.terraform.io/hashicorp/google" {
  version = "7.34.0"
}
```

## Fix
None: `terraform init -upgrade` writes the lock file, with the checksums of the new version.

## Source
- [Change log of the provider](https://github.com/hashicorp/terraform-provider-google/blob/main/CHANGELOG.md)
- [Dependency lock file](https://developer.hashicorp.com/terraform/language/files/dependency-lock)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog.constraints import parse_version
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.rules.provider_needs import needs
from generator.view import ModuleTree


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Every lock entry against the youngest argument that its provider has to know."""
    wanted = [n for n in needs(tree) if n.ours] if tree.locks else []
    for entry in tree.locks:
        locked = parse_version(entry.version)
        youngest = max(
            (n for n in wanted if n.resource.provider == entry.source), key=lambda n: n.floor.release, default=None
        )
        if locked is None or youngest is None or locked.key >= youngest.floor.key:
            continue
        message = (
            f"the lock file holds {entry.version} of {entry.source}, which does not know {youngest.path}: "
            f"that came with {youngest.floor}"
        )
        yield Problem(
            ERROR,
            message,
            "Run `terraform init -upgrade` and commit the lock file.",
            entry.span,
            resource=youngest.resource.address,
            notes=scope.note(youngest.resource.header, f"{youngest.path} is used here"),
        )


RULE = Rule(
    name="provider-lock",
    severities=(ERROR,),
    seeks=ModuleTree,
    check=check,
    summary="the lock file holds a provider version that lacks an argument in use",
    depths=frozenset({"text"}),
)
