"""What gcloud and the API call arguments of the Google provider, where that is not the same name in another spelling."""

from __future__ import annotations

from generator.catalog.store import load


def bare(name: str) -> str:
    """A name without case, `_` and `-`: `gpuDirectStrategy` and `gpudirect_strategy` are then the same."""
    return name.replace("_", "").replace("-", "").casefold()


def meant(type_: str, name: str) -> str | None:
    """The path of the argument or block that a gcloud flag or an API field stands for.

    Args:
        type_: the resource type.
        name: in any spelling: `enable_dataplane_v2`, `enable-dataplane-v2`, `desiredDatapathProvider`.
    """
    plain = bare(name)
    table = load("provider_names").get(type_, {})
    for candidate in (plain, plain.removeprefix("desired")):
        found = next((path for known, path in table.items() if bare(known) == candidate), None)
        if found is not None:
            return str(found)
    return None


def related(type_: str) -> tuple[str, ...]:
    """The resource types that a type is easily mixed up with."""
    groups = load("provider_names")["related"]
    return tuple(other for group in groups if type_ in group for other in group if other != type_)
