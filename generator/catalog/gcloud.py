"""The gcloud flags that our scripts use, with the release channel that has them, as of a day."""

from __future__ import annotations

from generator.catalog.store import load

# From the most to the least finished. A channel has what those before it have.
CHANNELS = ("ga", "beta", "alpha")


def flags(command: str) -> dict[str, str]:
    """The flags of a command (`container node-pools create`) that are known here, each with its channel.

    Raises:
        KeyError: the command is not known here.
    """
    return dict(load("gcloud")["commands"][command])


def commands() -> tuple[str, ...]:
    """The commands that are known here."""
    return tuple(load("gcloud")["commands"])


def channel(command: str, used: tuple[str, ...]) -> str:
    """The channel to call a command in, so that it has all flags that are used.

    Raises:
        KeyError: the command or a flag is not known here.
    """
    known = flags(command)
    return max((known[flag] for flag in used), key=CHANNELS.index, default=CHANNELS[0])


def date() -> str:
    """The day of the list, as YYYY-MM-DD."""
    return str(load("gcloud")["date"])


def version() -> str:
    """The gcloud version that the list was read from."""
    return str(load("gcloud")["version"])


def since() -> dict[str, str]:
    """First gcloud versions of flags that are newer than the rest."""
    return {flag: str(entry["version"]) for flag, entry in load("gcloud")["since"].items()}
