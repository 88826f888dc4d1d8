"""The page of a rule, made of its docstring (`generator.rules` says how one is written)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.rules import registry

SECTIONS = ("What it does", "Why", "Bad", "Good", "Fix", "Source")
_HEADING = re.compile(rf"^## ({'|'.join(SECTIONS)})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A rule's page.

    Attributes:
        name: the rule.
        severities: as words, strongest first.
        title: the first line of the docstring.
        sections: Markdown by heading, in order.
    """

    name: str
    severities: tuple[str, ...]
    title: str
    sections: dict[str, str]

    def markdown(self) -> str:
        """The whole page, with a newline at its end."""
        parts = [f"# {self.name}", f"{self.title}\n\nSeverity: {', '.join(self.severities)}."]
        parts += [f"## {heading}\n\n{text}" for heading, text in self.sections.items()]
        return "\n\n".join(parts) + "\n"


def page(name: str) -> Page:
    """The page of a rule.

    Raises:
        InputError: there is no such rule.
    """
    rule = registry.find(name)
    title, *rest = _HEADING.split(registry.document(name))
    sections = dict(zip(rest[::2], (text.strip() for text in rest[1::2]), strict=True))
    return Page(rule.name, tuple(s.value for s in rule.severities), title.strip(), sections)


def index() -> str:
    """A table of all rules in Markdown, linked to their pages."""
    rows = [
        f"| [`{rule.name}`]({rule.name}.md) | {', '.join(s.value for s in rule.severities)} | {rule.summary} |"
        for rule in registry.rules()
    ]
    head = ["# Rules", "", "| rule | severity | what it checks |", "|---|---|---|"]
    return "\n".join([*head, *rows]) + "\n"


def files() -> dict[str, str]:
    """All files of `docs/rules/` by name."""
    return {"README.md": index(), **{f"{name}.md": page(name).markdown() for name in registry.names()}}
