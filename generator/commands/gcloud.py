"""`gke-rdma gcloud`: the gcloud commands of a spec as a script."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from generator.errors import ExitCode
from generator.render.gcloud import script
from generator.spec.load import load


@dataclass(frozen=True, slots=True)
class Options:
    """The command line.

    Attributes:
        spec: path of the spec, `-` for standard input.
    """

    spec: str


def run(options: Options) -> ExitCode:
    """Print the script.

    Raises:
        UserErrors: the spec is wrong.
    """
    sys.stdout.write(script(load(options.spec).spec))
    return ExitCode.DONE
