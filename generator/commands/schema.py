"""`gke-rdma schema`: the JSON Schema of the spec, for editors."""

from __future__ import annotations

import json
import sys

from generator.errors import ExitCode
from generator.spec.validate import schema


def run() -> ExitCode:
    """Print the schema."""
    sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
    return ExitCode.DONE
