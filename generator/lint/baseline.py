"""Known findings: a file of them, and which of the findings of a run it knows.

A finding is known by what it is about, not by its line: the rule, the folders of its root and of its file, the address of the
resource without instance keys, and the text it points at, blanks aside. What a file knows once, two places cannot share: a
copy is new. The text itself is not kept, only its digest, because a place may hold a secret.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.errors import InputError
from generator.lint.found import Occurrence

VERSION = 1
_KEYS = ("rule", "root", "folder", "resource", "text")
_INSTANCE = re.compile(r'\[(?:[^\]"]*|"(?:[^"\\]|\\.)*")\]')
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """What a finding is known by. Folders are relative to the baseline's own, "" where there is none."""

    rule: str
    root: str
    folder: str
    resource: str
    text: str


class Baseline:
    """A baseline file and what it knows.

    Args:
        path: absolute path; entries are relative to its folder.
        known: how many places of each entry are known.
    """

    def __init__(self, path: Path, known: Counter[Entry]) -> None:
        self.path = path
        self.known = known

    def new(self, occurrences: Iterable[Occurrence]) -> list[Occurrence]:
        """The findings that it does not know, in order. Instances of one place count as one."""
        left = Counter(self.known)
        taken: set[tuple[Entry, object]] = set()
        found = []
        for one in occurrences:
            entry = entry_of(one, self.path.parent)
            place = (entry, one.finding.location)
            if place in taken:
                continue
            if left[entry] > 0 and not _never_known(one):
                left[entry] -= 1
                taken.add(place)
            else:
                found.append(one)
        return found


def load(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: it cannot be read, or is no baseline.
    """
    hint = "write one with --write-baseline FILE"
    try:
        content: Any = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"the baseline cannot be read: {error.strerror}", hint=hint, path=path) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"the baseline is not JSON: {error}", hint=hint, path=path) from error
    if not isinstance(content, dict) or content.get("version") != VERSION:
        raise InputError(f"this is no baseline of version {VERSION}", hint=hint, path=path)
    known: Counter[Entry] = Counter()
    entries = content.get("findings")
    for number, item in enumerate(entries if isinstance(entries, list) else [None]):
        if not isinstance(item, dict) or not all(isinstance(item.get(k), str) for k in _KEYS):
            raise InputError(f"entry {number} of the baseline is not complete", hint=hint, path=path)
        count = item.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise InputError(f"entry {number} of the baseline has no whole count above 0", hint=hint, path=path)
        known[Entry(*(item[k] for k in _KEYS))] += count
    return Baseline(path, known)


def text_of(occurrences: Iterable[Occurrence], path: Path) -> tuple[str, int]:
    """A baseline that knows all these findings, as text, and how many places it knows.

    Args:
        occurrences: what is to be known.
        path: where it will lie, absolute.
    """
    places = {(entry_of(one, path.parent), one.finding.location) for one in occurrences if not _never_known(one)}
    counts = Counter(entry for entry, _ in places)
    entries = [
        {**{key: getattr(entry, key) for key in _KEYS}, "count": count} for entry, count in sorted(counts.items())
    ]
    return json.dumps({"version": VERSION, "findings": entries}, indent=2) + "\n", len(places)


def entry_of(one: Occurrence, base: Path) -> Entry:
    """What a finding is known by, seen from a folder."""
    finding = one.finding
    text = _BLANKS.sub(" ", one.span.text).strip() if one.span else ""
    return Entry(
        rule=finding.rule,
        root=_relative(one.root, base),
        folder=_relative(one.path.parent if one.path else None, base),
        resource=_INSTANCE.sub("", finding.resource or ""),
        text=sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if one.span else "",
    )


def _never_known(one: Occurrence) -> bool:
    # What could not be read, and what a plan refuses, must not go quiet.
    return one.rule.unreadable or one.finding.refused


def _relative(folder: Path | None, base: Path) -> str:
    return "" if folder is None else Path(os.path.relpath(folder, base)).as_posix()
