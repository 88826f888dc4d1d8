"""The NCCL test and its published figures."""

from __future__ import annotations

import math
from dataclasses import dataclass

from generator.catalog.store import Source, load, source


@dataclass(frozen=True, slots=True)
class Figures:
    """What a test of one machine type has reached.

    Attributes:
        machine_type: both hosts'.
        hosts: how many took part.
        collective: `all_gather`.
        busbw: bus bandwidth in GB/s by message size in bytes, out of place and in place.
        average: "Avg bus bandwidth" of the whole run from 1 KiB to 8 GiB, in GB/s.
        sources: where this comes from.
    """

    machine_type: str
    hosts: int
    collective: str
    busbw: dict[int, tuple[float, float]]
    average: float
    sources: tuple[Source, ...]

    def published(self, size: int) -> tuple[float, float]:
        """Bandwidth out of place and in place for messages of `size` bytes, between and beyond the published sizes.

        Between two sizes it lies on the line over the logarithm of the size; beyond the ends it is that of the end.
        """
        known = sorted(self.busbw)
        above = next((one for one in known if one >= size), known[-1])
        below = next((one for one in reversed(known) if one <= size), known[0])
        if above <= below:
            return self.busbw[below]
        part = (math.log2(size) - math.log2(below)) / (math.log2(above) - math.log2(below))
        (out, inside), (out_above, inside_above) = self.busbw[below], self.busbw[above]
        return out + (out_above - out) * part, inside + (inside_above - inside) * part


def figures(machine_type: str, collective: str = "all_gather") -> Figures | None:
    """The published figures of a machine type; None when there are none."""
    for e in load("nccl")["figures"]:
        if e["machine_type"] == machine_type and e["collective"] == collective:
            busbw = {int(size): (out, inside) for size, (out, inside) in e["busbw"].items()}
            return Figures(
                machine_type,
                e["hosts"],
                collective,
                busbw,
                e["average"],
                tuple(source(s) for s in e["sources"]),
            )
    return None


def date() -> str:
    """The day of the published figures, as YYYY-MM-DD."""
    return str(load("nccl")["date"])


def command() -> tuple[str, ...]:
    """The test's command line inside the first host's container."""
    return tuple(load("nccl")["command"])


def judged_from() -> int:
    """The message size in bytes from which bandwidth is judged: smaller messages measure latency."""
    return int(load("nccl")["judged_from_bytes"])


def slow_below() -> float:
    """The share of the published bandwidth below which a run is too slow.

    The Cluster Toolkit's own tests let an average pass from 100 GB/s on, which is 0.83 of what was published.
    """
    return float(load("nccl")["slow_below"]["share"])


def tcp_below() -> float:
    """Bus bandwidth in GB/s below which a run on large messages went over plain TCP."""
    return float(load("nccl")["tcp_below"]["gb_per_s"])
