"""The argument tree of the Google provider, with typed access.

The data are the JSON files in `provider/`: names, types and flags of hashicorp/google 7.45.0, read off the provider itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.hcl.types import Type


@dataclass(frozen=True, slots=True)
class ArgumentSchema:
    """One argument.

    Attributes:
        type: what a value is converted to.
        required: must be written.
        optional: may be written; an argument that is neither required nor optional is set by the provider alone.
        computed: the provider fills it when it is not written.
        force_new: a change replaces the resource.
        default: what the provider takes when it is not written; None when nothing.
        one_of: the only values that the provider's own check takes; empty when it does not check.
        minimum: lowest number allowed.
        maximum: highest number allowed.
        format: name of a format that the provider checks.
        conflicts_with: paths that must not be written beside it (`.0.` for an element of a list of blocks).
        exactly_one_of: paths of which exactly one has to be written.
        at_least_one_of: paths of which at least one has to be written.
        required_with: paths that have to be written when this one is.
        diff_suppressed: the provider ignores some differences.
    """

    type: Type
    required: bool = False
    optional: bool = False
    computed: bool = False
    deprecated: bool = False
    sensitive: bool = False
    force_new: bool = False
    default: object = None
    one_of: tuple[object, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    format: str | None = None
    conflicts_with: tuple[str, ...] = ()
    exactly_one_of: tuple[str, ...] = ()
    at_least_one_of: tuple[str, ...] = ()
    required_with: tuple[str, ...] = ()
    diff_suppressed: bool = False


@dataclass(frozen=True, slots=True)
class BlockSchema:
    """What may stand in a block.

    Attributes:
        arguments: by name.
        blocks: by type.
        nesting: "list", "set" or "single"; "root" for a whole resource.
        min: how many are needed.
        max: how many are taken; 0 for any number.
    """

    arguments: Mapping[str, ArgumentSchema] = field(default_factory=dict)
    blocks: Mapping[str, BlockSchema] = field(default_factory=dict)
    nesting: str = "root"
    min: int = 0
    max: int = 0
    required: bool = False
    optional: bool = False
    computed: bool = False
    deprecated: bool = False
    force_new: bool = False
    conflicts_with: tuple[str, ...] = ()
    exactly_one_of: tuple[str, ...] = ()
    at_least_one_of: tuple[str, ...] = ()
    required_with: tuple[str, ...] = ()
    diff_suppressed: bool = False
