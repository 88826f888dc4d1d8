"""A commented spec to begin with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.catalog import machines, networks, versions, zones
from generator.render.environment import Ready, render
from generator.spec.model import region_of

DEFAULT_NAME = "rdma-cluster"
DEFAULT_PROJECT = "my-project"

_CAPACITIES = {
    "none": "capacity: {kind: none} # or reservation, spot, flex-start",
    "reservation": "capacity: {kind: reservation, name: my-reservation} # project, block and sub_block as needed",
    "spot": "capacity: {kind: spot} # or none, reservation, flex-start",
    "flex-start": "capacity: {kind: flex-start} # or none, reservation, spot",
}


@dataclass(frozen=True, slots=True)
class Starter:
    """What a starter spec holds. Everything but the file's name goes into it as text."""

    machine_type: str
    networking: str
    mode: str
    project: str
    zone: str
    name: str
    capacity: str
    file: str = "rdma.yaml"

    def text(self) -> str:
        """The spec, as YAML."""
        text = render(
            "spec/rdma.yaml.j2",
            machine_type=self.machine_type,
            networking=self.networking,
            mode=self.mode,
            project=self.project,
            zone=self.zone,
            region=region_of(self.zone),
            name=self.name,
            capacity=self.capacity,
            capacity_lines=Ready(_CAPACITIES[self.capacity]),
            file=Ready(re.sub(r"[^\w./-]", "_", self.file)),
            version=versions.default_version("autopilot" if self.mode == "autopilot" else "standard"),
            served=[m.name for m in machines.served()],
            gvnic_cidr=networks.gvnic_cidr(),
            rdma_cidr=networks.rdma_cidr(),
        )
        return re.sub(r"\n{3,}", "\n\n", text)


def default_machine_type() -> str:
    """The first machine type that is served."""
    return machines.served()[0].name


def default_zone(machine_type: str) -> str:
    """A zone where the machine type is known to be sold; of those in the United States the first, if there is one."""
    known = zones.zones(machine_type) or zones.zones(default_machine_type())
    return next((zone for zone in known if zone.startswith("us-")), known[0])


def capacities() -> tuple[str, ...]:
    """The kinds of capacity that a spec can name."""
    return tuple(_CAPACITIES)
