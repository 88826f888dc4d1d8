"""The version constraints on the Google provider admit only versions that know every argument in use.

## What it does
All constraints on `hashicorp/google` in the module tree are taken together, as Terraform does it.
error: they admit a version that is older than an argument which a node pool for RDMA, its cluster or a `network_profile` uses:
7.34.0 for `gpudirect_strategy`, 7.31.0 for `accelerator_network_profile`, 6.39.0 for `flex_start`, 6.19.0 for
`network_profile`; or a pool sets `gpudirect_strategy` and there is no constraint at all.
advice: the same for arguments of other resources.

For pools made by `hashicorp/google-beta` its constraints count; of that provider the floor of `gpudirect_strategy` is known.
Nothing is said when a module of the tree cannot be read, because it may hold a constraint too.

## Why
`terraform init` may install a version that answers "Unsupported argument", on a colleague's machine or in a pipeline with
another lock file.

## Bad
```hcl
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 7.30"
    }
  }
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Good
```hcl
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 7.34"
    }
  }
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
Safe: raises the lower end of the constraint. Unsafe where the constraint admits no version that is new enough, as another
major version may want other changes too.

## Source
- [Change log of the provider](https://github.com/hashicorp/terraform-provider-google/blob/main/CHANGELOG.md)
- [Version constraints](https://developer.hashicorp.com/terraform/language/expressions/version-constraints)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.catalog import constraints, versions
from generator.catalog.constraints import Constraint
from generator.findings import Fix
from generator.rules import scope
from generator.rules.base import ADVICE, ERROR, Note, Problem, Rule
from generator.rules.provider_needs import BETA, GOOGLE, Need, needs
from generator.view import ModuleTree, Requirement, edits


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Both providers' constraints against what the tree uses."""
    if not tree.complete:
        return
    wanted = list(needs(tree))
    for source in (GOOGLE, BETA):
        written = [r for r in tree.requirements if r.source == source and r.constraint is not None]
        every = [constraints.parse(r.constraint or "") for r in written]
        if not written:
            yield from _unbound(tree, source)
        elif all(every):
            together = [c for some in every for c in some or ()]
            yield from _admitted(written, together, [n for n in wanted if n.resource.provider == source])


def _unbound(tree: ModuleTree, source: str) -> Iterator[Problem]:
    """No constraint anywhere: the first pool that needs one."""
    pool = next((p for p in tree.pools if p.resource.provider == source and scope.installer(p)), None)
    if pool is not None:
        floor = versions.provider_floor()
        message = f"gpudirect_strategy came with {floor} of {source}, but no constraint keeps older versions away"
        help_ = f'Write version = ">= {floor}" beside source = "{source}" in required_providers.'
        yield scope.problem(pool, ERROR, pool.resource.header, message, help_)


def _admitted(written: list[Requirement], together: Sequence[Constraint], wanted: list[Need]) -> Iterator[Problem]:
    """One problem for each constraint that is the nearest to something too young for it."""
    worst: dict[int, tuple[Requirement, Need]] = {}
    for need in wanted:
        if constraints.admits_below(together, need.floor):
            nearest = _nearest(written, need.resource.module)
            known = worst.get(id(nearest))
            if known is None or _weight(need) > _weight(known[1]):
                worst[id(nearest)] = (nearest, need)
    for nearest, need in worst.values():
        yield _problem(nearest, need, [r for r in written if r is not nearest])


def _mended(nearest: Requirement, need: Need, others: list[Requirement]) -> tuple[str, Fix | None]:
    """What to write, and the fix: the lower end raised.

    It is unsafe where that asks for a version that the constraint did not admit before.
    """
    new = constraints.raised(nearest.constraint or "", need.floor)
    rest = [c for r in others for c in constraints.parse(r.constraint or "") or ()]
    if new is None or not constraints.admits(rest, need.floor):
        return f'Write version = ">= {need.floor}", or raise the lower end of the constraint to that.', None
    return f'Write version = "{new[0]}".', edits.replaced(nearest.span, new[0], safe=new[1])


def _weight(need: Need) -> tuple[bool, tuple[int, int, int]]:
    return (need.ours, need.floor.release)


def _nearest(written: list[Requirement], module: str) -> Requirement:
    """The constraint of the resource's own module, else of the closest one that calls it, else the first in the tree."""
    around = [r for r in written if r.module == "" or module == r.module or module.startswith(r.module + ".")]
    return max(around, key=lambda r: len(r.module)) if around else written[0]


def _problem(nearest: Requirement, need: Need, others: list[Requirement]) -> Problem:
    message = (
        f'"{nearest.constraint}" admits versions of {nearest.source} before {need.floor}, '
        f"which do not know {need.path} of {need.resource.type}"
    )
    notes = [*scope.note(need.resource.header, f"{need.path} is used here")]
    notes += [Note(r.span, f'"{r.constraint}" counts too') for r in others if r.span is not None]
    help_, fix = _mended(nearest, need, others)
    return Problem(
        ERROR if need.ours else ADVICE,
        message,
        help_,
        nearest.span,
        resource=need.resource.address,
        notes=tuple(notes),
        fix=fix,
    )


RULE = Rule(
    name="provider-version",
    severities=(ERROR, ADVICE),
    seeks=ModuleTree,
    check=check,
    summary="the constraints on the Google provider admit versions that lack an argument in use",
    depths=frozenset({"text"}),
)
