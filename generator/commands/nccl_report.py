"""`gke-rdma nccl report`: the output of an NCCL test, judged."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.catalog import machines
from generator.catalog.nccl import judged_from
from generator.errors import ExitCode, InputError
from generator.kubernetes import nccl_log, nccl_verdict
from generator.kubernetes.nccl_verdict import Judged, Verdict, size
from generator.report.drawing import visible

# More than a run with all of NCCL's own lines has.
_LIMIT = 200_000_000

_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class Options:
    """The command line.

    Attributes:
        log: path of the log, `-` for standard input.
        machine_type: of the hosts, where the log does not say.
        collective: the test, where the log does not say.
        format: `text` or `json`.
    """

    log: str
    machine_type: str | None = None
    collective: str | None = None
    format: str = "text"


def run(options: Options) -> ExitCode:
    """Read the log and print the verdict.

    Returns:
        FINDINGS when the run is too slow, over TCP, wrong or not whole.

    Raises:
        InputError: the log cannot be read, or is none.
    """
    if options.format not in _FORMATS:
        raise InputError(f"--format {options.format} is not known.", hint=f"Write {' or '.join(_FORMATS)}.")
    if options.machine_type is not None and machines.machine_type(options.machine_type) is None:
        raise InputError(
            f"The machine type {options.machine_type} is not known to have GPUDirect.",
            hint=f"Write {', '.join(machines.machine_types())}.",
        )
    log = nccl_log.parse(_read(options.log))
    if not log.runs:
        if log.failures or log.ranks:
            why = f": {log.failures[0][:200]}" if log.failures else ", and does not say why."
            sys.stdout.write(f"FAIL: The test ended before it measured anything{visible(why)}\n")
            return ExitCode.FINDINGS
        raise InputError(
            "This is no output of an NCCL test: it has no table of sizes and bandwidth.",
            hint="Save what run_nccl_tests.sh prints, and name that file.",
            path=_shown(options.log),
        )
    verdicts = nccl_verdict.judge(log, machine_type=options.machine_type, collective=options.collective)
    if options.format == "json":
        sys.stdout.write(
            json.dumps({"version": 1, "runs": [_document(verdict) for verdict in verdicts]}, indent=2) + "\n"
        )
    else:
        sys.stdout.write("\n".join(_text(verdict) for verdict in verdicts))
    return ExitCode.DONE if all(verdict.passed for verdict in verdicts) else ExitCode.FINDINGS


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.buffer.read(_LIMIT).decode("utf-8", errors="replace")
    path = Path(name)
    try:
        if path.is_dir():
            raise InputError("This is a folder; the log of a test is needed.", path=path)
        if path.exists() and not path.is_file():
            raise InputError("This is no regular file.", hint="Use `-` to read from a pipe.", path=path)
        if path.stat().st_size > _LIMIT:
            raise InputError(
                f"The file has more than {_LIMIT:,} bytes.", hint="Keep the table and the lines around it.", path=path
            )
        return path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        raise InputError("There is no such file.", path=path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"The log cannot be read: {reason}.", path=path) from None


def _shown(name: str) -> str:
    return "<stdin>" if name == "-" else name


def _text(verdict: Verdict) -> str:
    about = [verdict.collective or "a test that the log does not name"]
    if verdict.ranks is not None:
        about.append(f"{verdict.ranks} ranks on {' and '.join(verdict.hosts)}")
    if verdict.machine_type is not None:
        about.append(verdict.machine_type)
    lines = [", ".join(map(visible, about)), ""]
    lines += _table(verdict)
    if verdict.average is not None:
        lines += [
            "",
            f"average of all sizes: {verdict.average:.2f} GB/s (small messages pull it down; it is not judged)",
        ]
    lines.append("")
    lines += [f"{'FAIL' if remark.fails else 'note'}: {visible(remark.message)}" for remark in verdict.remarks]
    if verdict.passed:
        shares = [judged.share for judged in verdict.rows if judged.share is not None]
        best = f"up to {verdict.best or 0:.2f} GB/s"
        lines.append(
            f"OK: RDMA is in use: {best}, at least {min(shares):.0%} of the published bandwidth from {size(judged_from())} on."
            if shares
            else f"OK: nothing looks like plain TCP: {best}."
        )
    return "\n".join(lines) + "\n"


def _table(verdict: Verdict) -> list[str]:
    head = ("size", "GB/s", "in place", "published", "in place", "share")
    cells = [head, *(_cells(judged) for judged in verdict.rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def _cells(judged: Judged) -> tuple[str, ...]:
    row, published, share = judged.row, judged.published, judged.share
    return (
        size(row.size),
        f"{row.out_of_place.busbw:.2f}",
        "" if row.in_place is None else f"{row.in_place.busbw:.2f}",
        "" if published is None else f"{published[0]:.2f}",
        "" if published is None else f"{published[1]:.2f}",
        "" if share is None else f"{share:.0%}",
    )


def _document(verdict: Verdict) -> dict[str, Any]:
    return {
        "passed": verdict.passed,
        "machine_type": verdict.machine_type,
        "collective": verdict.collective,
        "ranks": verdict.ranks,
        "hosts": list(verdict.hosts),
        "average": verdict.average,
        "rows": [
            {
                "size": judged.row.size,
                "busbw": judged.row.out_of_place.busbw,
                "busbw_in_place": None if judged.row.in_place is None else judged.row.in_place.busbw,
                "wrong": judged.row.wrong,
                "published": None if judged.published is None else list(judged.published),
                "share": judged.share,
            }
            for judged in verdict.rows
        ],
        "remarks": [{"name": r.name, "fails": r.fails, "message": r.message} for r in verdict.remarks],
    }
