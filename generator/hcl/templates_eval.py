"""Templates: their parts joined to one string."""

from __future__ import annotations

import unicodedata

from generator.hcl.convert import converted
from generator.hcl.evaluate_base import MAX_TEXT, Failure, LimitReached, computed, unknown_like
from generator.hcl.types import STRING
from generator.hcl.values import Value, string


def joined(parts: list[Value]) -> Value:
    """The parts of a template as one string with their marks and places; unknown when a part is.

    Raises:
        Failure: a part is null or has no text.
        LimitReached: the string would be too long.
    """
    texts: list[str] = []
    missing: Value | None = None
    length = 0
    for part in parts:
        if part.data is None:
            raise Failure("null is used in a template")
        text = converted(part, STRING)
        if isinstance(text.data, str):
            texts.append(text.data)
            length += len(text.data)
        else:
            missing = missing or part
        if length > MAX_TEXT:
            raise LimitReached
    if missing is not None:
        return computed(unknown_like(missing, STRING), *parts)
    result = "".join(texts)
    return computed(string(result if result.isascii() else unicodedata.normalize("NFC", result)), *parts)
