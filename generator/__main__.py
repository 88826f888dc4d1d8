"""Entry point of the command `gke-rdma` and of `python -m generator`."""

from __future__ import annotations

import gc


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
    raise SystemExit(code)


if __name__ == "__main__":
    main()
