"""Entry point of the command `gke-rdma` and of `python -m generator`."""

from __future__ import annotations


def main() -> None:
    """Run the command line and leave with its exit code."""
    from generator.cli import run

    raise SystemExit(run())


if __name__ == "__main__":
    main()
