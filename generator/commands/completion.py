"""What the shell offers when the user presses Tab: rule names, formats, and the few words that an option takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SEVERITIES = ("error", "warning", "advice", "off")


def rule_names(incomplete: str) -> list[str]:
    """The rules whose names begin so."""
    from generator.rules import registry

    return [name for name in registry.names() if name.startswith(incomplete)]


def rule_lists(incomplete: str) -> list[str]:
    """The same for a list of names, of which the last is being written."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in rule_names(last)]


def severities(incomplete: str) -> list[str]:
    """`NAME=WORD`, first the name, then the word."""
    name, equals, word = incomplete.partition("=")
    if not equals:
        return [f"{found}=" for found in rule_names(name)]
    return [f"{name}={one}" for one in _SEVERITIES if one.startswith(word)]


def report_formats(incomplete: str) -> list[str]:
    """The output formats of findings."""
    from generator.report import formats

    return [name for name in formats.NAMES if name.startswith(incomplete)]


def words(allowed: Sequence[str]) -> Callable[[str], list[str]]:
    """Offers a few words.

    Args:
        allowed: those that the option takes.
    """

    def offered(incomplete: str) -> list[str]:
        return [word for word in allowed if word.startswith(incomplete)]

    return offered
