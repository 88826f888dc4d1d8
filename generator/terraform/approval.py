"""Which refusals an approval on the command line lifts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.findings import Finding

_MODULE = re.compile(r'module\.([^.\[\]]+)(\[(?:\d+|"(?:[^"\\]|\\.)*")\])?(?:\.|$)')
_KEY = re.compile(r'\[(?:\d+|"(?:[^"\\]|\\.)*")\]$')
# `protected-cluster` is lifted by nothing.
_OPTION_OF = {"replacement": "replace", "destruction": "destroy", "hidden-destruction": "destroy"}


@dataclass(frozen=True, slots=True)
class Approval:
    """What may happen although a guard refuses it.

    Attributes:
        replace: addresses that may be replaced.
        destroy: addresses that may be destroyed.
        asked: addresses whose replacement is asked for, which approves it.
    """

    replace: tuple[str, ...] = ()
    destroy: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    def lifts(self, finding: Finding) -> bool:
        """Whether a refusal is approved."""
        option = _OPTION_OF.get(finding.rule)
        if option is None or finding.resource is None:
            return False
        allowed = (*self.replace, *self.asked) if option == "replace" else self.destroy
        return any(covers(address, finding.resource) for address in allowed)

    def idle(self, findings: Iterable[Finding]) -> list[str]:
        """The options that lift nothing of these refusals, as they were written."""
        listed = list(findings)
        found = []
        for option, allowed in (("replace", self.replace), ("destroy", self.destroy)):
            about = [f.resource for f in listed if _OPTION_OF.get(f.rule) == option and f.resource is not None]
            found += [f"--allow-{option} {a}" for a in allowed if not any(covers(a, resource) for resource in about)]
        return found


def covers(allowed: str, address: str) -> bool:
    """Whether an address stands for another: itself, its instances when it has no key, and all within when it is a module's."""
    wanted, wanted_rest = _taken_apart(allowed.strip())
    modules, rest = _taken_apart(address)
    if not (wanted or wanted_rest[0]) or len(wanted) > len(modules) or not all(map(_fits, wanted, modules)):
        return False
    return not wanted_rest[0] if len(wanted) < len(modules) else not wanted_rest[0] or _fits(wanted_rest, rest)


def _fits(wanted: tuple[str, str], step: tuple[str, str]) -> bool:
    return wanted[0] == step[0] and wanted[1] in ("", step[1])


def _taken_apart(address: str) -> tuple[Sequence[tuple[str, str]], tuple[str, str]]:
    """The module calls of an address, each with its key, and what stands in the innermost one."""
    modules, at = [], 0
    while (step := _MODULE.match(address, at)) is not None:
        modules.append((step[1], step[2] or ""))
        at = step.end()
    rest = address[at:]
    key = _KEY.search(rest)
    return modules, (rest[: key.start()], key.group()) if key else (rest, "")
