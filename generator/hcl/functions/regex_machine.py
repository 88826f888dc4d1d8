"""Runs the program of a pattern over a text in time that grows with their product only (the simulation of Thompson and Pike)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.hcl.evaluate_base import Budget
from generator.hcl.functions.regex_program import Program
from generator.hcl.functions.regex_syntax import CharSet

Slots = tuple[int, ...]


def search(program: Program, text: str, start: int, budget: Budget) -> Slots | None:
    """The leftmost match from `start` on, of several there the one that Perl finds.

    Returns:
        Start and end of the match and of each group in turn, -1 where a group took no part; None without a match.
    """
    code = program.code
    blank = (-1,) * (2 * len(program.groups) + 2)
    threads: list[tuple[int, Slots]] = []
    found: Slots | None = None
    for at in range(start, len(text) + 1):
        seen: set[int] = set()
        current: list[tuple[int, Slots]] = []
        for pc, slots in threads:
            _follow(program, text, at, pc, slots, seen, current)
        if found is None:
            _follow(program, text, at, 0, blank, seen, current)
        budget.charge(1 + 2 * len(seen))
        threads = []
        for pc, slots in current:
            instruction = code[pc]
            if instruction[0] == "match":
                found = slots
                break
            accepted = instruction[1]
            assert isinstance(accepted, CharSet)
            if at < len(text) and accepted.takes(text[at]):
                threads.append((pc + 1, slots))
        if not threads and found is not None:
            break
    return found


def _follow(
    program: Program, text: str, at: int, pc: int, slots: Slots, seen: set[int], out: list[tuple[int, Slots]]
) -> None:
    """Add what can be reached from `pc` without taking a character, in order of preference."""
    stack = [(pc, slots)]
    while stack:
        pc, slots = stack.pop()
        if pc in seen:
            continue
        seen.add(pc)
        match program.code[pc]:
            case ("jump", int(to)):
                stack.append((to, slots))
            case ("split", int(first), int(second)):
                stack.append((second, slots))
                stack.append((first, slots))
            case ("save", int(slot)):
                stack.append((pc + 1, (*slots[:slot], at, *slots[slot + 1 :])))
            case ("assert", str(kind)):
                if _holds(kind, text, at):
                    stack.append((pc + 1, slots))
            case _:
                out.append((pc, slots))


def _word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isascii() and (text[at].isalnum() or text[at] == "_")


def _holds(kind: str, text: str, at: int) -> bool:
    if kind == "start":
        return at == 0
    if kind == "end":
        return at == len(text)
    if kind == "line start":
        return at == 0 or text[at - 1] == "\n"
    if kind == "line end":
        return at == len(text) or text[at] == "\n"
    return (_word(text, at - 1) != _word(text, at)) == (kind == "word")


def matches(program: Program, text: str, budget: Budget) -> Iterator[Slots]:
    """All matches that do not overlap; an empty one right after another match does not count, as in Go."""
    at, last_end = 0, -1
    while at <= len(text):
        found = search(program, text, at, budget)
        if found is None:
            return
        start, end = found[0], found[1]
        if not (start == end == last_end):
            yield found
        last_end = end
        at = end if end > at else at + 1
