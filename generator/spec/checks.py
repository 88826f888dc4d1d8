"""What a schema cannot say: which values go together."""

from __future__ import annotations

from generator.spec.document import Document, Problem


def problems(document: Document) -> list[Problem]:
    """Every combination that cannot be, each with its place."""
    return []
