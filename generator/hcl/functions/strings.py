"""Functions on strings."""

from __future__ import annotations

from generator.hcl.evaluate_base import Failure
from generator.hcl.functions.base import STRINGS, pure, short_text
from generator.hcl.types import BOOL, STRING
from generator.hcl.values import Value


@pure("upper", STRING, result=STRING)
def _upper(text: str) -> str:
    return "".join([c.upper() if len(c.upper()) == 1 else c for c in text])


@pure("lower", STRING, result=STRING)
def _lower(text: str) -> str:
    return "".join([c.lower() if len(c.lower()) == 1 else c for c in text])


@pure("startswith", STRING, STRING, result=BOOL)
def _startswith(text: str, prefix: str) -> bool:
    return text.startswith(prefix)


@pure("endswith", STRING, STRING, result=BOOL)
def _endswith(text: str, suffix: str) -> bool:
    return text.endswith(suffix)


@pure("strcontains", STRING, STRING, result=BOOL)
def _strcontains(text: str, part: str) -> bool:
    return part in text


@pure("trimprefix", STRING, STRING, result=STRING)
def _trimprefix(text: str, prefix: str) -> str:
    return text.removeprefix(prefix)


@pure("trimsuffix", STRING, STRING, result=STRING)
def _trimsuffix(text: str, suffix: str) -> str:
    return text.removesuffix(suffix)


@pure("split", STRING, STRING, result=STRINGS)
def _split(separator: str, text: str) -> list[str]:
    return text.split(separator) if separator else list(text)


@pure("join", STRING, STRINGS, result=STRING, variadic=STRINGS)
def _join(separator: str, *lists: tuple[Value, ...]) -> str:
    parts: list[str] = []
    for items in lists:
        for item in items:
            if not isinstance(item.data, str):
                raise Failure("an element is null")
            parts.append(item.data)
    short_text(separator * max(0, len(parts) - 1))
    return separator.join(parts)
