"""Patterns as programs for `regex_machine`: a few kinds of instruction, run over a text without going back."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.hcl.evaluate_base import LimitReached
from generator.hcl.functions.regex_syntax import Piece, read_pattern

MAX_PROGRAM = 4_000


@dataclass(slots=True)
class Program:
    """Instructions of a compiled pattern.

    Attributes:
        code: `("set", CharSet)`, `("split", first, second)`, `("jump", to)`, `("save", slot)`, `("assert", kind)`, `("match",)`.
        groups: the name of each capture group, None for one without a name.
    """

    code: list[tuple[object, ...]] = field(default_factory=list)
    groups: list[str | None] = field(default_factory=list)


class _Compiler:
    __slots__ = ("code",)

    def __init__(self) -> None:
        self.code: list[tuple[object, ...]] = []

    def emit(self, *instruction: object) -> int:
        if len(self.code) >= MAX_PROGRAM:
            raise LimitReached
        self.code.append(instruction)
        return len(self.code) - 1

    def piece(self, piece: Piece) -> None:
        kind = piece[0]
        if kind == "seq":
            for part in piece[1]:  # type: ignore[attr-defined]
                self.piece(part)
        elif kind == "alt":
            self.alternatives(piece[1])  # type: ignore[arg-type]
        elif kind == "group":
            slot = piece[1]
            assert isinstance(slot, int)
            self.emit("save", 2 * slot)
            self.piece(piece[2])  # type: ignore[arg-type]
            self.emit("save", 2 * slot + 1)
        elif kind == "repeat":
            self.repeat(*piece[1:])  # type: ignore[arg-type]
        else:
            self.emit(*piece)

    def alternatives(self, branches: list[Piece]) -> None:
        ends = []
        for branch in branches[:-1]:
            split = self.emit("split", 0, 0)
            self.piece(branch)
            ends.append(self.emit("jump", 0))
            self.code[split] = ("split", split + 1, len(self.code))
        self.piece(branches[-1])
        for end in ends:
            self.code[end] = ("jump", len(self.code))

    def repeat(self, piece: Piece, low: int, high: int | None, lazy: bool) -> None:
        for _ in range(low - 1 if high is None and low else low):
            self.piece(piece)
        if high is None:
            if low:
                self.plus(piece, lazy)
            else:
                split = self.emit("split", 0, 0)
                self.plus(piece, lazy)
                self.code[split] = self.either(split + 1, len(self.code), lazy)
            return
        splits = []
        for _ in range(high - low):
            splits.append(self.emit("split", 0, 0))
            self.piece(piece)
        for split in splits:
            self.code[split] = self.either(split + 1, len(self.code), lazy)

    def plus(self, piece: Piece, lazy: bool) -> None:
        start = len(self.code)
        self.piece(piece)
        split = self.emit("split", 0, 0)
        self.code[split] = self.either(start, split + 1, lazy)

    @staticmethod
    def either(inside: int, outside: int, lazy: bool) -> tuple[object, ...]:
        return ("split", outside, inside) if lazy else ("split", inside, outside)


def compile_pattern(pattern: str) -> Program:
    """The program of a pattern.

    Raises:
        Failure: Go refuses the pattern.
        Undecided: it uses what we do not evaluate.
        LimitReached: it is too large.
    """
    piece, groups = read_pattern(pattern)
    compiler = _Compiler()
    compiler.emit("save", 0)
    compiler.piece(piece)
    compiler.emit("save", 1)
    compiler.emit("match")
    return Program(compiler.code, groups)
