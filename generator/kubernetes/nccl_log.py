"""Reading the output of NVIDIA's nccl-tests, whatever mpirun, kubectl or a terminal put around its lines.

A run prints a line for each rank, two or three lines of headings, a row for each message size, and two closing lines:

    #  Rank  0 Group  0 Pid    420 on nccl-test-host-1 device  0 [0000:8f:00] NVIDIA H200
    #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
    #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
      1073741824      16777216     float    none      -1   3105.7  345.74  324.13      0   3069.2  349.85  327.98      0
    # Out of bounds values : 0 OK
    # Avg bus bandwidth    : 120.248

`#wrong` is N/A where values were not checked. Source: NVIDIA/nccl-tests, src/common.cu.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_TAG = re.compile(r"^\[[\d,]+\]<std(?:out|err)>:")  # of mpirun --tag-output
_HEADINGS = re.compile(r"#\s+size\s+count\s+type\b")
_RANK = re.compile(r"#\s*Rank\s+(\d+)\s.*?\bon\s+(\S+)\s+device\s+\d+\s*(?:\[\S*\]\s*)?(.*)$")
_LIMITS = re.compile(r"#.*\bmaxBytes\s+(\d+)")
_AVERAGE = re.compile(r"#\s*Avg bus bandwidth\s*:\s*([0-9.]+)")
_BOUNDS = re.compile(r"#\s*Out of bounds values\s*:\s*(\d+)")
_NETWORK = re.compile(r"NCCL INFO Using network (\S+)")
_PROGRAM = re.compile(
    r"\b(all_gather|all_reduce|reduce_scatter|alltoall|broadcast|reduce|gather|scatter|sendrecv|hypercube)_perf"
)
_FAILURE = re.compile(
    r"NCCL failure|NCCL WARN .*(?:fail|error|timeout)|CUDA failure|mpirun (?:noticed|detected)", re.IGNORECASE
)
_TYPE = re.compile(r"u?int\d+|half|float|double|bfloat16|f(?:loat)?8\w*|fp8\w*")


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a row, out of place or in place.

    Attributes:
        busbw: bus bandwidth in GB/s.
        wrong: values that are wrong; None when they were not checked.
    """

    busbw: float
    wrong: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """What one message size reached. `in_place` is None where the test has no such half."""

    size: int
    out_of_place: Half
    in_place: Half | None

    @property
    def wrong(self) -> int | None:
        """Wrong values of both halves; None when neither was checked."""
        counts = [
            half.wrong for half in (self.out_of_place, self.in_place) if half is not None and half.wrong is not None
        ]
        return sum(counts) if counts else None


@dataclass(slots=True)
class Run:
    """One table of a log.

    Attributes:
        collective: `all_gather`; None when the log does not say.
        rows: in the log's order.
        average: "Avg bus bandwidth" in GB/s; None when the log ends before it.
        out_of_bounds: the closing line's count; None without that line.
        damaged: lines that begin like a row and are none.
        operation: of the rows: `none`, `sum`; None where the test has no such column.
    """

    collective: str | None
    rows: list[Row] = field(default_factory=list)
    average: float | None = None
    out_of_bounds: int | None = None
    damaged: list[str] = field(default_factory=list)
    operation: str | None = None


@dataclass(slots=True)
class Log:
    """A whole log.

    Attributes:
        runs: its tables.
        ranks: host and GPU of each rank, by its number.
        networks: what NCCL said that it uses, with NCCL_DEBUG=INFO.
        largest: the largest message size that was asked for, in bytes; None when the log does not say.
        failures: lines in which NCCL, CUDA or mpirun give up.
    """

    runs: list[Run] = field(default_factory=list)
    ranks: dict[int, tuple[str, str]] = field(default_factory=dict)
    networks: list[str] = field(default_factory=list)
    largest: int | None = None
    failures: list[str] = field(default_factory=list)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that took part, in the order of their ranks; empty when the log does not say."""
        return tuple(dict.fromkeys(host for _, (host, _) in sorted(self.ranks.items())))

    @property
    def gpus(self) -> tuple[str, ...]:
        """Names of the GPUs: `NVIDIA H200`."""
        return tuple(dict.fromkeys(gpu for _, (_, gpu) in sorted(self.ranks.items()) if gpu))


def parse(text: str) -> Log:
    """Read a log. What is no line of a test is passed over."""
    log = Log()
    program: str | None = None
    lines = text.splitlines()
    # A last line without its end may have lost the end of a number too; the closing lines lose nothing that matters.
    if lines and not text.endswith(("\n", "\r")) and "#" not in lines[-1]:
        lines.pop()
    for raw in lines:
        line = _TAG.sub("", _ANSI.sub("", raw)).rstrip()
        named = _PROGRAM.search(line)
        program = named[1] if named else program
        if _HEADINGS.search(line):
            log.runs.append(Run(program))
        elif not _read_about(line, log) and log.runs:
            _read_row(line, log.runs[-1])
    return log


def _read_about(line: str, log: Log) -> bool:
    """A line about the whole run; whether it was one."""
    if rank := _RANK.search(line):
        log.ranks[int(rank[1])] = (rank[2], rank[3].strip())
    elif limits := _LIMITS.search(line):
        log.largest = max(log.largest or 0, int(limits[1]))
    elif network := _NETWORK.search(line):
        log.networks.append(network[1])
    elif _FAILURE.search(line):
        log.failures.append(line.strip())
    elif (average := _AVERAGE.search(line)) and log.runs:
        log.runs[-1].average = _number(average[1])
    elif (bounds := _BOUNDS.search(line)) and log.runs:
        log.runs[-1].out_of_bounds = int(bounds[1])
    else:
        return False
    return True


def _read_row(line: str, run: Run) -> None:
    words = line.split()
    at = next((i for i, word in enumerate(words) if i >= 2 and _TYPE.fullmatch(word)), None)
    if at is None or not (words[at - 1].isdecimal() and words[at - 2].isdecimal()):
        return
    # Between type and time stand the operation and the root, where the test has them.
    rest = words[at + 1 :]
    halves = [_half(rest[-8:-4]), _half(rest[-4:])] if len(rest) >= 8 else [_half(rest[-4:])]
    first, second = halves[0], halves[1] if len(halves) > 1 else None
    lacks_half = bool(run.rows) and (run.rows[0].in_place is None) != (second is None)
    if first is None or (len(rest) >= 8 and second is None) or not 4 <= len(rest) <= 10 or lacks_half:
        run.damaged.append(line.strip())
        return
    operation = rest[: -4 * len(halves)]
    run.operation = operation[0] if operation else run.operation
    run.rows.append(Row(int(words[at - 2]), first, second))


def _half(words: list[str]) -> Half | None:
    """Time, algorithm bandwidth, bus bandwidth and count of wrong values; None when they are not that."""
    if len(words) != 4:
        return None
    numbers = [_number(word) for word in words[:3]]
    busbw, wrong = numbers[2], _number(words[3])
    if None in numbers or busbw is None or (wrong is None and words[3] != "N/A"):
        return None
    return Half(busbw, None if wrong is None else int(wrong))


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
