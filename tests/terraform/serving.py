"""The stand-in provider with faults that can be changed while it runs: `python serving.py FOLDER`.

The file FOLDER/faults holds one fault a line, as `rehearse --fail` takes them; one that was met is gone. A line
`stop:TYPE=PATH` lets an apply of that type stand still at a named pipe, and `crash:TYPE` ends the provider in the middle.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

from generator.rehearsal import server
from generator.rehearsal.choices import DEFAULTS
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.faults import Fault, Faults, parse
from generator.rehearsal.stand_in import StandIn


class FaultsOfFile(Faults):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def meet(self, operation: str, type_: str) -> Fault | None:  # type: ignore[override]
        lines = self.file.read_text().split() if self.file.exists() else []
        for line in lines:
            kind, _, rest = line.partition(":")
            wanted, _, path = rest.partition("=")
            if operation != "read" and kind in ("stop", "crash") and wanted == type_:
                self._used(lines, line)
                if kind == "crash":
                    os._exit(1)
                Path(path).read_bytes()
            elif kind not in ("stop", "crash") and parse([line])[0].meets(operation, type_):  # type: ignore[arg-type]
                self._used(lines, line)
                return parse([line])[0]
        return None

    def _used(self, lines: list[str], line: str) -> None:
        self.file.write_text("\n".join(other for other in lines if other is not line))


def main() -> None:
    # Ctrl-C reaches the whole foreground group; Terraform needs its provider to finish.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    folder = Path(sys.argv[1])
    faults = FaultsOfFile(folder / "faults")
    made: Any = partial(StandIn, Cloud(folder / "cloud.json"), "google", DEFAULTS, faults)
    running, port = server.serve(made)
    sys.stdout.write(json.dumps({"registry.terraform.io/hashicorp/google": server._reattach(port)}) + "\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    running.stop(grace=0.2).wait()
    os._exit(0)


if __name__ == "__main__":
    main()
