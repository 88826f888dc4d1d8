"""The Google provider has every argument and block where it is written.

## What it does
Compares the names in Google resources and data sources with those that the provider takes at that place (7.45.0).
error: the name is near a known one, belongs elsewhere, is what gcloud or the API call a known one, is written as a block where
an argument is meant (or the other way round), is set by the provider alone; or version constraints or lock file admit no
newer provider. warning: any other unknown name, as newer providers may know it; and all of them for `google-beta`.

Meta-arguments, `lifecycle`, `provisioner`, `connection` and `timeouts` belong to Terraform.

## Why
`terraform validate` stops at it, and inside a module only when the module is called. Names from gcloud
(`enable-dataplane-v2`) and from the API (`additionalNodeNetworkConfigs`) are not those of Terraform.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  reservation_affinity {
    consume_reservation_type = "SPECIFIC_RESERVATION"
    key                      = "compute.googleapis.com/reservation-name"
    values                   = ["gpu-reservation"]
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["gpu-reservation"]
    }
  }
}
```

## Fix
None: what was meant is for a person to say.

## Source
- [Schema of the provider](https://github.com/hashicorp/terraform-provider-google)
- [gcloud container node-pools create](https://docs.cloud.google.com/sdk/gcloud/reference/container/node-pools/create)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalog import provider_checks, provider_names
from generator.rules.base import ERROR, WARNING, Problem, Rule
from generator.rules.near_names import nearest
from generator.rules.provider_schema import Part, is_beta, is_closed, is_older, parts, schema_version
from generator.view import CLUSTER, NODE_POOL, Resource, Span
from generator.view.schema_places import places, types_with

# A name that stands at this many places or more says nothing about the one that was meant.
_COMMON = 4


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is wrong with a name.

    Attributes:
        message: the rest of the sentence that begins with the name.
        help: what to write.
        sure: no newer provider can know it there.
    """

    message: str
    help: str
    sure: bool = True


def check(resource: Resource) -> Iterator[Problem]:
    """Every name in every block that is known."""
    for part in parts(resource):
        arguments, blocks = part.block.names()
        for name in arguments:
            verdict = _argument(part, name)
            written = part.block.data.argument(name)
            if verdict and written:
                yield _problem(part, name, written.name_span, verdict)
        for name in blocks:
            verdict = _block(part, name)
            for at in part.block.headers(name) if verdict else ():
                yield _problem(part, name, at, verdict)


def _argument(part: Part, name: str) -> _Verdict | None:
    schema = part.block.schema
    assert schema is not None
    known, written = schema.arguments.get(name), part.block.data.argument(name)
    if known is not None:
        own = (known.required or known.optional) and not (name == "id" and not part.path)
        if own or written is None or written.value.is_null:
            return None
        return _Verdict("is set by the provider alone", f"Remove {name}.")
    if name in schema.blocks:
        return _block_as_argument(part, name)
    return None if name == "timeouts" and not part.path else _unknown(part, name)


def _block_as_argument(part: Part, name: str) -> _Verdict | None:
    if is_older(part.resource, provider_checks.blocks_as_arguments_until()):
        return None
    return _Verdict("is a block, not an argument", f"Write {name} {{ … }} without the equals sign.")


def _block(part: Part, name: str) -> _Verdict | None:
    schema = part.block.schema
    assert schema is not None
    if name in schema.blocks or (name == "timeouts" and not part.path):
        return None
    known = schema.arguments.get(name)
    if known is None:
        return _unknown(part, name)
    if not (known.required or known.optional):
        return _Verdict("is set by the provider alone", f"Remove {name}.")
    return _Verdict("is an argument, not a block", f"Write {name} = …")


def _unknown(part: Part, name: str) -> _Verdict | None:
    resource = part.resource
    gone = provider_checks.removed_in(resource.type, part.path_of(name))
    if gone is not None and not is_beta(resource):
        if is_older(resource, gone):
            return None
        return _Verdict(f"is not in the provider any more since {gone}", f"Remove {name}.", sure=False)
    schema = part.block.schema
    assert schema is not None
    what = part.what
    writable = [n for n, a in schema.arguments.items() if a.required or a.optional] + list(schema.blocks)
    meant = nearest(name, writable)
    if meant is not None and provider_names.bare(meant) == provider_names.bare(name):
        return _Verdict(f"is no argument of {what}; {meant} is", f"Write {meant}.")
    path = _called(part, name) or _elsewhere(part, name)
    if path is None and meant is not None:
        return _Verdict(f"is no argument of {what}; {meant} is", f"Write {meant}.")
    path = path or _nearly_elsewhere(part, name)
    if path is not None:
        return _Verdict(f"is no argument of {what}; {_belongs(part, path)}", _write(part, path))
    for other in provider_names.related(resource.type) if resource.mode == "managed" else ():
        theirs = provider_names.meant(other, name)
        if theirs is None and other in types_with(name) and len(types_with(name)) < _COMMON:
            theirs = name
        if theirs is not None:
            return _Verdict(f"is no argument of {what}; {other} has {theirs}", f"Write {theirs} in {other}.")
    return _Verdict(
        f"is no argument of {what} in the provider {schema_version()}", "Look it up in the provider's pages.", False
    )


def _called(part: Part, name: str) -> str | None:
    """What gcloud or the API call so; inside a node pool in a cluster as in the resource of its own."""
    type_, outer, head = part.resource.type, "", part.path.split(".")[0]
    if type_ == CLUSTER and head == "node_pool":
        type_, outer = NODE_POOL, "node_pool."
    elif type_ == CLUSTER and head == "node_config":
        type_ = NODE_POOL
    found = provider_names.meant(type_, name)
    if found is None or (
        part.resource.mode == "data" and found not in places("data", part.resource.type).get(found, ())
    ):
        return None
    return outer + found


def _elsewhere(part: Part, name: str) -> str | None:
    """The place in the same resource where such a name belongs."""
    known = places(part.resource.mode, part.resource.type)
    paths = known.get(name)
    if paths is None:
        plain = provider_names.bare(name)
        paths = next((p for other, p in known.items() if provider_names.bare(other) == plain), ())
    if not paths or len({p.removeprefix("node_pool.") for p in paths}) >= _COMMON:
        return None
    inside = [p for p in paths if part.path and p.startswith(part.path + ".")]
    head = part.path.partition(".")[0]
    beside = [p for p in paths if head and p.startswith(head + ".")]
    return (inside or beside or list(paths))[0]


def _nearly_elsewhere(part: Part, name: str) -> str | None:
    """The place in the same resource where a name belongs that is near to this one."""
    known = places(part.resource.mode, part.resource.type)
    meant = nearest(name, known)
    return None if meant is None else _elsewhere(part, meant)


def _belongs(part: Part, path: str) -> str:
    holder, _, last = path.rpartition(".")
    if holder == part.path:
        return f"{last} is"
    return f"{last} belongs into {holder}" if holder else f"{last} of {part.resource.type} does that"


def _write(part: Part, path: str) -> str:
    holder, _, last = path.rpartition(".")
    return f"Write {last} in {holder or part.resource.type}."


def _problem(part: Part, name: str, at: Span | None, verdict: _Verdict | None) -> Problem:
    assert verdict is not None
    resource = part.resource
    severity = WARNING if is_beta(resource) else ERROR if verdict.sure or is_closed(resource) else WARNING
    newer = "" if severity is ERROR else "; google-beta may have it" if is_beta(resource) else ""
    return Problem(severity, f"{name} {verdict.message}{newer}", verdict.help, at, resource.address)


RULE = Rule(
    name="unknown-argument",
    severities=(ERROR, WARNING),
    seeks=Resource,
    check=check,
    summary="an argument or block that the Google provider does not have there",
    depths=frozenset({"text"}),
)
