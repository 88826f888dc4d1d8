"""Entry point of the command `gke-rdma` and of `python -m generator`."""

from __future__ import annotations

import gc
import os
import sys
from typing import TextIO


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Reading makes a great many small objects, and next to all of them are needed until the end: looking for garbage
    # as often as Python does by itself takes a third of the time, and finds nothing.
    gc.set_threshold(100_000, 50, 100)
    try:
        from generator.cli import run

        code = run()
        gc.freeze()
    except KeyboardInterrupt:
        # Ctrl-C while the program is still being loaded, or is done already.
        code = 130
    for stream in (sys.stdout, sys.stderr):
        _let_go(stream)
    raise SystemExit(code)


def _let_go(stream: TextIO | None) -> None:
    """What a terminal that is gone does not take any more must not make Python leave with its own exit code, 120."""
    if stream is None:  # closed by who started us
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1 if stream is sys.stdout else 2)


if __name__ == "__main__":
    main()
