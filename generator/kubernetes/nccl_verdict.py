"""What the output of an NCCL test says: whether RDMA is really in use, against what was published."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalog import machines, nccl
from generator.kubernetes.nccl_log import Log, Row, Run

# The collective of Google's page, which is meant where a log does not name one and no operation is in its rows.
_USUAL = "all_gather"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to know.

    Attributes:
        name: a word for programs: `tcp`, `slow`, `wrong-values`, `cut`…
        message: one sentence.
        fails: whether the test has not passed because of it.
    """

    name: str
    message: str
    fails: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with what was published for its size.

    Attributes:
        row: as measured.
        published: out of place and in place, in GB/s; None for small messages and without figures.
    """

    row: Row
    published: tuple[float, float] | None

    @property
    def share(self) -> float | None:
        """The smaller of both halves' shares of what was published."""
        if self.published is None:
            return None
        halves = ((self.row.out_of_place, self.published[0]), (self.row.in_place, self.published[1]))
        return min(half.busbw / most for half, most in halves if half is not None)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict over one table.

    Attributes:
        machine_type: of the hosts; None when neither the log nor the user says.
        collective: `all_gather`; None when not known.
        ranks: how many; None when the log does not say.
        hosts: names.
        rows: all rows.
        average: "Avg bus bandwidth" in GB/s.
        remarks: everything that is to be said, what fails first.
    """

    machine_type: str | None
    collective: str | None
    ranks: int | None
    hosts: tuple[str, ...]
    rows: tuple[Judged, ...]
    average: float | None
    remarks: tuple[Remark, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing fails."""
        return not any(remark.fails for remark in self.remarks)

    @property
    def best(self) -> float | None:
        """The highest bandwidth of a large message, in GB/s."""
        return max((_fastest(j.row) for j in self.rows if j.row.size >= nccl.judged_from()), default=None)


def judge(log: Log, *, machine_type: str | None = None, collective: str | None = None) -> tuple[Verdict, ...]:
    """The verdict over each table of a log.

    Args:
        log: with at least one table.
        machine_type: of the hosts, where the log does not say.
        collective: the test, where the log does not say.
    """
    machine = machine_type or _machine(log)
    return tuple(_judge(run, log, machine, collective) for run in log.runs)


def _judge(run: Run, log: Log, machine: str | None, asked: str | None) -> Verdict:
    collective = asked or run.collective or (None if _has_operation(run) else _USUAL)
    figures = None if collective is None else nccl.figures(machine, collective) if machine else _lowest(collective)
    large = nccl.judged_from()
    rows = tuple(
        Judged(row, figures.published(row.size) if figures and row.size >= large else None) for row in run.rows
    )
    remarks = [*_whole(run, log), *_speed(rows, log), *_values(run)]
    if figures is None:
        on = f" on {machine}" if machine else ""
        remarks.append(
            Remark("no-figures", f"There are no published figures for {collective or 'this test'}{on}.", False)
        )
    elif machine is None:
        remarks.append(
            Remark(
                "machine-type",
                f"The log does not name the GPUs; compared with {figures.machine_type} (--machine-type says otherwise).",
                False,
            )
        )
    if figures is not None and len(log.hosts) != figures.hosts and len(log.hosts) > 1:
        remarks.append(
            Remark(
                "hosts", f"The published figures are for {figures.hosts} hosts, and {len(log.hosts)} took part.", False
            )
        )
    ordered = tuple(sorted(remarks, key=lambda remark: not remark.fails))
    return Verdict(machine, collective, len(log.ranks) or None, log.hosts, rows, run.average, ordered)


def _lowest(collective: str) -> nccl.Figures | None:
    """The figures of the slowest machine type that the installer serves: whatever the hosts are, they should reach these."""
    known = [found for m in machines.served() if (found := nccl.figures(m.name, collective)) is not None]
    return min(known, key=lambda figures: figures.published(nccl.judged_from()), default=None)


def _machine(log: Log) -> str | None:
    """The machine type that has the GPUs of a log."""
    for gpu in log.gpus:
        model = re.search(r"\b(GB\d+|[A-Z]\d+)\b", gpu)
        if model:
            name = f"nvidia-{model[1].lower()}"
            for machine in machines.machine_types().values():
                if machine.accelerator_type == name or machine.accelerator_type.startswith(f"{name}-"):
                    return machine.name
    return None


def _has_operation(run: Run) -> bool:
    return run.collective is None and run.operation not in (None, "none")


def _whole(run: Run, log: Log) -> Iterator[Remark]:
    """Whether the log is of a whole run, between hosts."""
    # Warnings of a run that came to its end did no harm.
    for line in log.failures[:1] if run.average is None else ():
        yield Remark("failed", f"The test failed: {line[:200]}")
    last = run.rows[-1].size if run.rows else 0
    if run.average is None:
        where = f"after the row of {size(last)}" if run.rows else "before the first row"
        yield Remark("cut", f"The log is cut: it ends {where}, without the closing line.")
    elif run.damaged:
        yield Remark("cut", f"The log is damaged: {run.damaged[0][:120]!r} is no whole row.")
    elif log.largest is not None and last < log.largest:
        yield Remark("cut", f"The log is cut: its rows end at {size(last)}, and {size(log.largest)} was asked for.")
    if len(log.hosts) == 1:
        yield Remark("one-host", f"All ranks are on {log.hosts[0]}: nothing went over the network.")


def _speed(rows: tuple[Judged, ...], log: Log) -> Iterator[Remark]:
    large = [judged for judged in rows if judged.row.size >= nccl.judged_from()]
    if any(network.lower() == "socket" for network in log.networks):
        yield Remark("tcp", "NCCL says that it uses sockets: this is plain TCP, not RDMA.")
    if not large:
        yield Remark(
            "small", f"No message of {size(nccl.judged_from())} or more was measured: smaller ones say nothing of RDMA."
        )
        return
    best = max(_fastest(judged.row) for judged in large)
    if best < nccl.tcp_below():
        yield Remark(
            "tcp",
            f"This looks like plain TCP: at most {best:.2f} GB/s, where RDMA brings hundreds. "
            "Is the claim (or are the annotations) there, and was set_nccl_env.sh sourced?",
        )
        return
    slow = [judged for judged in large if judged.share is not None and judged.share < nccl.slow_below()]
    if slow:
        worst = min(slow, key=lambda judged: judged.share or 0.0)
        yield Remark(
            "slow",
            f"Too slow: {(worst.share or 0.0):.0%} of the published bandwidth at {size(worst.row.size)}; "
            f"{nccl.slow_below():.0%} is needed. Are all RDMA NICs of both nodes in use?",
        )


def _values(run: Run) -> Iterator[Remark]:
    wrong = [row for row in run.rows if row.wrong]
    if wrong:
        yield Remark(
            "wrong-values", f"{sum(row.wrong or 0 for row in wrong)} values are wrong, first at {size(wrong[0].size)}."
        )
    elif run.out_of_bounds:
        yield Remark("wrong-values", f"{run.out_of_bounds} values are out of bounds.")
    elif run.rows and all(row.wrong is None for row in run.rows):
        yield Remark("unchecked", "Values were not checked (#wrong is N/A).", False)


def _fastest(row: Row) -> float:
    return max(half.busbw for half in (row.out_of_place, row.in_place) if half is not None)


def size(count: int) -> str:
    """Bytes for people: `8 GiB`."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor:
            return f"{count / factor:g} {unit}" if count % factor == 0 else f"{count / factor:.1f} {unit}"
    return f"{count} B"
