"""What the stand-in cloud is told to answer, from the program to the provider's process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from generator.rehearsal.choices import DEFAULTS
from generator.rehearsal.faults import Fault, Faults, unmet

_FILE = "settings.json"
_MET = "faults-met"


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked for on the command line.

    Attributes:
        choices: what GKE adds, by name of `choices.CHOICES`.
        faults: what is to fail.
    """

    choices: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULTS))
    faults: tuple[Fault, ...] = ()

    def write(self, folder: Path) -> None:
        """Leave them in the folder of a provider's process."""
        told = {"choices": dict(self.choices), "faults": [asdict(fault) for fault in self.faults]}
        (folder / _FILE).write_text(json.dumps(told), "utf-8")

    def at_work(self, folder: Path) -> Faults:
        """The faults, ready to be met; each meeting is noted in the folder."""
        return Faults(self.faults, folder / _MET)

    def unmet(self, folder: Path) -> list[Fault]:
        """The faults that the provider's process has not met."""
        return unmet(self.faults, folder / _MET)


def read(folder: Path) -> Settings:
    """The settings that were left in a folder; the defaults where none were."""
    file = folder / _FILE
    if not file.exists():
        return Settings()
    told = json.loads(file.read_text("utf-8"))
    return Settings(told["choices"], tuple(Fault(**fault) for fault in told["faults"]))
