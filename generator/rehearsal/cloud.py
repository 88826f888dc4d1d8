"""The cloud that the stand-in provider keeps: one JSON file with every object by type and id."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

from generator.rehearsal.wire import Object

Table = dict[str, Object]


class Cloud:
    """Objects by resource type and id. Calls of several threads do not mix; a reader of the file never sees half of it.

    Args:
        file: where the objects are kept between starts; None keeps them in memory.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.RLock()
        self._memory: dict[str, Table] = {}

    def get(self, type_: str, id_: str) -> Object | None:
        """The object, or None."""
        with self._lock:
            return self._read().get(type_, {}).get(id_)

    def all(self, type_: str) -> list[Object]:
        """All objects of a type, in the order in which they were made."""
        with self._lock:
            return list(self._read().get(type_, {}).values())

    def put(self, type_: str, id_: str, object_: Object) -> None:
        """Make or change an object."""
        with self._changed() as tables:
            tables.setdefault(type_, {})[id_] = object_

    def remove(self, type_: str, id_: str) -> None:
        """Delete an object; one that is not there is gone already."""
        with self._changed() as tables:
            tables.get(type_, {}).pop(id_, None)

    @contextmanager
    def _changed(self) -> Iterator[dict[str, Table]]:
        with self._lock:
            tables = self._read()
            yield tables
            if self._file is None:
                self._memory = tables
                return
            beside = self._file.with_suffix(".tmp")
            beside.write_text(json.dumps(tables, indent=1), "utf-8")
            beside.replace(self._file)

    def _read(self) -> dict[str, Table]:
        if self._file is None:
            # What is given out must not change what is kept, just as with a file.
            return deepcopy(self._memory)
        try:
            tables: dict[str, Table] = json.loads(self._file.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        return tables
