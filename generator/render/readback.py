"""Reading a folder back from disk with python-hcl2, and asking all rules about what is really there.

The reader knows nothing of our templates, so a text of the spec that became code, an argument that is written twice or a
block that is lost shows here, before the folder is moved into place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import InputError, UserErrors
from generator.findings import Severity
from generator.hcl.source import Source

if TYPE_CHECKING:
    from generator.hcl.nodes import File
    from generator.lint.asking import Raised
    from generator.lint.ignores import Ignores


@dataclass(frozen=True, slots=True)
class Advice:
    """What a rule advises about generated files.

    Attributes:
        rule: its name.
        message: what was found.
        resource: the address it is about.
    """

    rule: str
    message: str
    resource: str | None


def check(directory: Path, files: dict[str, bytes]) -> tuple[Advice, ...]:
    """Check staged files.

    Args:
        directory: where they lie, absolute.
        files: what was meant to be written.

    Returns:
        What the rules advise, each thing once.

    Raises:
        InputError: what is on disk is not what was meant, or is no HCL.
        UserErrors: what is there breaks rules.
    """
    for name, meant in files.items():
        if (directory / name).read_bytes() != meant:
            raise InputError(
                "The file does not hold what was written to it; the disk may be failing.", path=directory / name
            )
    reading = _Reading()
    modules = sorted({(directory / name).parent for name in files if name.endswith(".tf")})
    for name in sorted(files):
        if name.endswith((".tf", ".tfvars", ".tftest.hcl")):
            reading.check(directory / name, name)
    broken, advice = _judged(directory, modules, reading)
    if broken:
        raise UserErrors(broken)
    return tuple(dict.fromkeys(advice))


class _Reading:
    """python-hcl2, asked once for each file."""

    def __init__(self) -> None:
        self._files: dict[Path, tuple[Source, File]] = {}

    def read(self, source: Source) -> File:
        from generator.hcl import hcl2_reader

        known = self._files.get(source.path)
        if known is None or known[0].text != source.text:
            known = self._files[source.path] = (source, hcl2_reader.read(source))
        return known[1]

    def check(self, path: Path, name: str) -> None:
        file = self.read(Source(path, path.read_bytes().decode("utf-8")))
        wrong = [p.message for p in file.problems] + [f"{a.name} is set twice" for a in file.body.repeated]
        if wrong:
            raise InputError(
                f"What this spec makes of {name} cannot be read back: {wrong[0]}. Nothing was written.", hint=_DEFECT
            )


def _judged(directory: Path, modules: list[Path], reading: _Reading) -> tuple[list[InputError], list[Advice]]:
    from generator.hcl.project import Options, Project
    from generator.lint.asking import Asking
    from generator.rules import registry
    from generator.schema.provider import types_of_interest
    from generator.view import text

    options = Options(types=types_of_interest(), folders=modules, reader=reading.read)
    asking = Asking(tuple(r for r in registry.rules() if "text" in r.depths), lambda _rule, _folder: True)
    asking.ask_trees(text.trees(Project(directory, options), modules))
    broken = [_defect(error) for error in asking.defects]
    advice = []
    comments: dict[Path, Ignores] = {}
    for raised in asking.raised:
        problem = raised.problem
        if _is_ignored(raised, comments):
            continue
        if problem.severity is Severity.ADVICE:
            advice.append(Advice(raised.rule.name, problem.message, problem.resource))
            continue
        message = f"What this spec makes fails the check {raised.rule.name}: {problem.message}. Nothing was written."
        broken.append(InputError(message, hint=problem.help))
    return broken, advice


def _is_ignored(raised: Raised, comments: dict[Path, Ignores]) -> bool:
    """Whether an ignore comment of our own template covers the problem."""
    from generator.hcl.parser import parse
    from generator.lint.ignores import Ignores

    at = raised.problem.at
    if at is None:
        return False
    known = comments.setdefault(at.source.path, Ignores(at.source, parse))
    return known.take(raised.rule.name, at.source.position(at.start)[0])


def _defect(error: Exception) -> InputError:
    return InputError(f"A check of what this spec makes failed: {error}. Nothing was written.", hint=_DEFECT)


_DEFECT = "This is a defect of gke-rdma; please report it with the spec."
