"""Jinja, sandboxed and strict, with filters that make text of a spec harmless in the language it is printed into.

A plain string cannot be printed: every string has to come through one of the filters, or be one of our own (`Ready`).
So a template that forgets a filter fails at its first run instead of letting text become code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import generator
from generator.render import hcl_text, shell_text


class Ready(str):
    """Text that may be printed as it is: it came through a filter, or is no one's input."""

    __slots__ = ()


def hcl(value: Any) -> Ready:
    """A value as an HCL literal: text, number, boolean, null, or a list of these."""
    if value is None:
        return Ready("null")
    if isinstance(value, bool):
        return Ready("true" if value else "false")
    if isinstance(value, int):
        return Ready(value)
    if isinstance(value, str):
        return Ready(hcl_text.quote(value))
    if isinstance(value, Iterable):
        return Ready(f"[{', '.join(hcl(item) for item in value)}]")
    raise TypeError(f"no HCL literal for {type(value).__name__}")


def yaml(value: str | int | bool) -> Ready:
    """A value as a YAML scalar on one line. JSON's strings are YAML strings, for every reader alike."""
    if isinstance(value, str):
        quoted = json.dumps(value, ensure_ascii=False)
        return Ready("".join(c if c.isprintable() else _yaml_escape(c) for c in quoted))
    return Ready(json.dumps(value))


def plain_yaml(value: str) -> Ready:
    """Text as a YAML scalar, without quotes where every reader of YAML takes it for text."""
    word = re.fullmatch(r"[a-z][a-z0-9-]*[a-z0-9]|[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}", value)
    return Ready(value) if word and len(value) > 5 else yaml(value)


def _yaml_escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def sh(value: str) -> Ready:
    """Text as one word of bash, on one line."""
    return Ready(shell_text.quote(value))


def markdown(value: str) -> Ready:
    """Text for a line of Markdown that means nothing there."""
    text = hcl_text.comment(value)
    return Ready("".join(f"\\{c}" if c in "\\`*_{}[]<>()#+!|&$~" else c for c in text))


def mermaid(value: str) -> Ready:
    """Text within a quoted label of a Mermaid picture."""
    return Ready("".join(c if c.isalnum() or c in " .,:/-_" else f"#{ord(c)};" for c in hcl_text.comment(value)))


def indented(value: str, width: int) -> Ready:
    """Rendered text moved to the right by `width` blanks, without a newline at its end."""
    return Ready("".join(f"{' ' * width}{line}\n" if line.strip() else "" for line in value.splitlines()))


def _printable(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Ready):
        raise TypeError(f"a template prints the unfiltered text {value!r}")
    return value


@cache
def environment() -> Any:
    """The Jinja environment over our templates."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(templates()),
        undefined=StrictUndefined,
        finalize=_printable,
        autoescape=False,  # HTML's escapes are none in HCL, YAML or shell; see `_printable`
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        hcl=hcl,
        hcl_key=lambda text: Ready(hcl_text.key(text)),
        comment=lambda text: Ready(hcl_text.comment(text)),
        yaml=yaml,
        plain_yaml=plain_yaml,
        sh=sh,
        markdown=markdown,
        mermaid=mermaid,
        indented=indented,
    )
    return made


def templates() -> Path:
    """The folder of our templates: within the package once installed, beside it in a checkout."""
    package = Path(generator.__file__).parent
    shipped = package / "templates"
    return shipped if shipped.is_dir() else package.parent / "templates"


def render(template: str, **context: Any) -> str:
    """One template as text."""
    return str(environment().get_template(template).render(**context))
