"""What GKE adds to what it is sent, where no public source says so for certain: switches with a default each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from generator.errors import InputError

_SWITCH = ("on", "off")


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that GKE may answer in several ways.

    Attributes:
        default: what the stand-in answers unless told otherwise.
        meaning: what it is about.
        values: all that can be chosen; empty for any name.
        numbers: a number can be chosen too.
    """

    default: str
    meaning: str
    values: tuple[str, ...] = ()
    numbers: bool = False


CHOICES: Final[Mapping[str, Choice]] = {
    "anp-label": Choice("on", "adds the network profile's label to pools that have a profile", _SWITCH),
    "anp-networks": Choice("on", "reports the networks that it makes for the profile auto", _SWITCH),
    "channel": Choice(
        "none", "the release channel where none is written", ("none", "RAPID", "REGULAR", "STABLE", "EXTENDED")
    ),
    "data-cache": Choice("omit", "the data cache where none is written, as a number of disks", ("omit",), numbers=True),
    "disk": Choice("auto", "the disk type where none is written; auto is hyperdisk-balanced for RDMA machine types"),
    "dranet-label": Choice("off", "adds the DRANET label to pools that have a profile", _SWITCH),
    "driver": Choice("none", "the driver version where none is written", ("none", "DEFAULT", "LATEST")),
    "gvnic": Choice("off", "reports gVNIC as enabled on RDMA machine types", _SWITCH),
    "image": Choice("COS_CONTAINERD", "the image type where none is written"),
    "reservation": Choice(
        "none", "the reservation affinity where none is written", ("none", "NO_RESERVATION", "ANY_RESERVATION")
    ),
    "ssd": Choice("none", "the local SSDs of the machine type where none are written", ("none", "ephemeral", "nvme")),
    "strategy-echo": Choice("on", "reports gpudirect_strategy as it was sent", ("on", "upper", "off")),
    "strict": Choice("on", "refuses what it is publicly known to refuse", _SWITCH),
    "taint": Choice(
        "on", "the taint of GPU nodes; auto adds it when the cluster has a pool without GPUs", ("on", "off", "auto")
    ),
}
DEFAULTS: Final[Mapping[str, str]] = {name: choice.default for name, choice in CHOICES.items()}


def parse(written: Iterable[str]) -> dict[str, str]:
    """The choices of a command line, with the defaults of the others.

    Args:
        written: each `NAME=VALUE`; the last of a name counts.

    Raises:
        InputError: there is no such choice, or no such value of it.
    """
    chosen = dict(DEFAULTS)
    for text in written:
        name, equals, value = text.partition("=")
        known = CHOICES.get(name)
        if known is None:
            near = get_close_matches(name, CHOICES, n=1)
            hint = f"did you mean {near[0]}?" if near else f"answers are {', '.join(CHOICES)}"
            raise InputError(f"--answer {text}: GKE has no answer {name!r} to choose", hint=hint)
        wrong = bool(known.values) and value not in known.values and not (known.numbers and value.isdecimal())
        if not equals or not value or wrong:
            values = ", ".join([*known.values, *(["a number"] if known.numbers else [])]) or "any name"
            raise InputError(
                f"--answer {text}: {name} has no value {value!r}", hint=f"{known.meaning}; values are: {values}"
            )
        chosen[name] = value
    return chosen
