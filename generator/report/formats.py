"""The output formats: one module each, found by name and imported when asked for."""

from __future__ import annotations

from importlib import import_module

from generator.errors import InputError
from generator.findings import Report
from generator.report.drawing import Drawing

# The name of a format is the name of its module here; `json_document` avoids the name of the standard library's module.
_MODULES = {
    "text": "text",
    "json": "json_document",
    "sarif": "sarif",
    "junit": "junit",
    "github": "github",
    "gitlab": "gitlab",
}
NAMES = tuple(_MODULES)


def known(name: str) -> str:
    """The name of a format, as it is.

    Raises:
        InputError: there is no such format.
    """
    if name not in _MODULES:
        raise InputError(f"there is no output format {name!r}", hint=f"formats are {', '.join(NAMES)}")
    return name


def write(report: Report, name: str, drawing: Drawing) -> str:
    """A report in a format, ending with a newline where the format has lines; "" when there is nothing to say.

    Raises:
        InputError: there is no such format.
    """
    text: str = import_module(f"generator.report.{_MODULES[known(name)]}").render(report, drawing)
    return text
