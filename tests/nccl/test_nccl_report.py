"""`gke-rdma nccl report`: logs that are good, slow, over TCP, wrong, cut short, or none at all."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.catalog import nccl as facts
from generator.cli import run
from generator.kubernetes import nccl_log, nccl_verdict

GIB = 1 << 30
HEADINGS = """\
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
SIZES = [1 << power for power in range(10, 34)]


def row(size: int, busbw: float, inside: float | None = None, wrong: str = "0", middle: str = "none      -1") -> str:
    half = "{:8.1f} {:7.2f} {:7.2f} {:>6}".format
    time = size / busbw / 1000 * 0.9375 if busbw else 1.0
    second = busbw if inside is None else inside
    halves = f"{half(time, busbw / 0.9375, busbw, wrong)} {half(time, second / 0.9375, second, wrong)}"
    return f"{size:12} {size // 64:13} {'float':>9} {middle:>12} {halves}\n"


def bandwidth(size: int, most: float = 326.0) -> float:
    """As real runs grow: small messages are slow."""
    return round(most * size / (size + (1 << 25)), 2)


def ranks(hosts: int = 2, gpu: str = "NVIDIA H200") -> str:
    return "".join(
        f"#  Rank {r:2} Group  0 Pid {400 + r:6} on nccl-test-host-{r // 8 + 1} device {r % 8:2} [0000:8f:00] {gpu}\n"
        for r in range(8 * hosts)
    )


def log(
    most: float = 326.0,
    *,
    hosts: int = 2,
    gpu: str = "NVIDIA H200",
    sizes: list[int] = SIZES,
    wrong: str = "0",
    average: str = "120.248",
    program: str = "all_gather_perf",
) -> str:
    text = f"# Collective test starting: {program}\n# nThread 1 nGpus 1 minBytes {sizes[0]} maxBytes {sizes[-1]} step: 2(factor)\n"
    text += "#\n# Using devices\n" + ranks(hosts, gpu) + HEADINGS
    text += "".join(row(size, bandwidth(size, most), wrong=wrong) for size in sizes)
    return text + f"# Out of bounds values : 0 OK\n# Avg bus bandwidth    : {average}\n#\n"


@pytest.fixture(autouse=True)
def _working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def report(text: str | bytes, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    Path("nccl.log").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    code = run(["nccl", "report", "nccl.log", *options])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def remarks(text: str, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    code, printed = report(text, capsys, "--format", "json", *options)
    (document,) = json.loads(printed)["runs"]
    return code, document


def failing(document: dict[str, Any]) -> list[str]:
    return [remark["name"] for remark in document["remarks"] if remark["fails"]]


def test_a_good_run(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = report(log(), capsys)
    assert code == 0
    assert printed.startswith("all_gather, 16 ranks on nccl-test-host-1 and nccl-test-host-2, a3-ultragpu-8g\n")
    lines = printed.splitlines()
    assert lines[2].split() == ["size", "GB/s", "in", "place", "published", "in", "place", "share"]
    assert lines[3].split()[:3] == ["1", "KiB", "0.01"]
    assert lines[26].split()[:2] == ["8", "GiB"] and "330.16" in lines[26]
    assert lines[-1].startswith("OK: RDMA is in use: up to 324.73 GB/s, at least 96% of the published bandwidth")


def test_the_figures_are_those_of_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    _, document = remarks(log(gpu="NVIDIA B200"), capsys)
    assert document["machine_type"] == "a4-highgpu-8g"
    by_size = {r["size"]: r for r in document["rows"]}
    assert by_size[GIB]["published"] == [338.17, 344.36]
    assert by_size[8 * GIB]["published"] == [344.46, 352.92]
    assert by_size[GIB // 2]["published"] is None
    between = by_size[2 * GIB]["published"]
    assert 338.17 < between[0] < 344.46 and 344.36 < between[1] < 352.92


def test_figures_between_and_beyond() -> None:
    figures = facts.figures("a3-ultragpu-8g")
    assert figures is not None
    assert figures.published(GIB) == (325.08, 330.31)
    assert figures.published(64 * GIB) == figures.published(8 * GIB) == (330.16, 336.67)
    assert figures.published(1) == figures.published(GIB)
    assert figures.published(2 * GIB)[0] == pytest.approx(325.08 + (330.16 - 325.08) / 3)


@pytest.mark.parametrize(
    ("most", "names"), [(274.0, []), (262.0, ["slow"]), (40.0, ["slow"]), (9.0, ["tcp"]), (4.0, ["tcp"])]
)
def test_too_slow(most: float, names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, document = remarks(log(most), capsys)
    assert failing(document) == names
    assert code == (1 if names else 0)
    assert document["passed"] == (not names)


def test_one_row_alone_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    text = log().replace(row(4 * GIB, bandwidth(4 * GIB)), row(4 * GIB, bandwidth(4 * GIB), 150.0))
    code, printed = report(text, capsys)
    assert code == 1
    assert "FAIL: Too slow: 45% of the published bandwidth at 4 GiB; 80% is needed." in printed


def test_small_messages_are_not_judged(capsys: pytest.CaptureFixture[str]) -> None:
    slow_small = log().replace(row(1 << 29, bandwidth(1 << 29)), row(1 << 29, 1.0))
    assert report(slow_small, capsys)[0] == 0
    code, document = remarks(log(sizes=SIZES[:20]), capsys)
    assert (code, failing(document)) == (1, ["small"])


def test_tcp_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = report(log(4.0), capsys)
    assert code == 1 and "This looks like plain TCP: at most 3.98 GB/s" in printed
    said = "nccl-test-host-1:420:431 [0] NCCL INFO Using network Socket\n" + log()
    assert failing(remarks(said, capsys)[1]) == ["tcp"]
    assert failing(remarks(said.replace("Socket", "gIB"), capsys)[1]) == []


def test_wrong_values(capsys: pytest.CaptureFixture[str]) -> None:
    good = row(1 << 20, bandwidth(1 << 20))
    code, printed = report(log().replace(good, row(1 << 20, bandwidth(1 << 20), wrong="3")), capsys)
    assert code == 1 and "FAIL: 6 values are wrong, first at 1 MiB." in printed
    code, document = remarks(log().replace("values : 0 OK", "values : 2 FAILED"), capsys)
    assert (code, failing(document)) == (1, ["wrong-values"])


def test_unchecked_values_are_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = report(log(wrong="N/A"), capsys)
    assert code == 0 and "note: Values were not checked" in printed


def test_one_host_says_nothing_of_the_network(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = remarks(log(470.0, hosts=1), capsys)
    assert (code, failing(document)) == (1, ["one-host"])
    code, document = remarks(log(hosts=4), capsys)
    assert code == 0 and [r["name"] for r in document["remarks"]] == ["hosts"]


@pytest.mark.parametrize("lines", [1, 2, 3, 10])
def test_cut_after_a_line(lines: int, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(log().splitlines(keepends=True)[:-lines])
    code, document = remarks(text, capsys)
    assert (code, "cut" in failing(document)) == ((0, False) if lines == 1 else (1, True))


def test_cut_within_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    text = log()
    end = text.index("# Out of bounds") - 30
    code, printed = report(text[:end], capsys)
    assert code == 1 and "FAIL: The log is cut: it ends after the row of 4 GiB" in printed


def test_a_damaged_row_within(capsys: pytest.CaptureFixture[str]) -> None:
    whole = row(2 * GIB, bandwidth(2 * GIB))
    code, document = remarks(log().replace(whole, whole[:70] + "\n"), capsys)
    assert (code, failing(document)) == (1, ["cut"])


def test_rows_that_end_too_early(capsys: pytest.CaptureFixture[str]) -> None:
    text = log().replace(row(8 * GIB, bandwidth(8 * GIB)), "")
    code, printed = report(text, capsys)
    assert code == 1 and "its rows end at 4 GiB, and 8 GiB was asked for" in printed


def test_a_run_that_failed(capsys: pytest.CaptureFixture[str]) -> None:
    failure = (
        "nccl-test-host-2: Test NCCL failure common.cu:1279 'remote process exited or there was a network error'\n"
    )
    cut = "".join(log().splitlines(keepends=True)[:-5]) + failure
    code, printed = report(cut, capsys)
    assert code == 1 and "FAIL: The test failed: nccl-test-host-2: Test NCCL failure" in printed
    code, printed = report(ranks() + failure, capsys)
    assert code == 1 and printed.startswith("FAIL: The test ended before it measured anything: nccl-test-host-2")
    warned = "host:1:1 [0] NCCL WARN Failed to open libibverbs.so[.1]\n" + log()
    assert report(warned, capsys)[0] == 0


@pytest.mark.parametrize(
    ("wrap", "name"),
    [
        (lambda line: f"[1,0]<stdout>:{line}", "mpirun"),
        (lambda line: f"2026-12-01T10:00:00.000000Z {line}", "timestamps"),
        (lambda line: f"[pod/nccl-test-host-1/test] {line}", "kubectl --prefix"),
        (lambda line: f"\x1b[32m{line}\x1b[0m", "colours"),
        (lambda line: f"{line}\r", "a terminal"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_stands_around_the_lines(wrap: Any, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    wrapped = "".join(wrap(line) + "\n" for line in log().splitlines())
    _, plain = remarks(log(), capsys)
    assert remarks(wrapped, capsys) == (0, plain)


def test_other_tests_and_columns(capsys: pytest.CaptureFixture[str]) -> None:
    reduce = log(program="all_reduce_perf").replace("none      -1", " sum      -1")
    code, document = remarks(reduce, capsys)
    assert (code, document["collective"]) == (0, "all_reduce")
    assert [r["name"] for r in document["remarks"]] == ["no-figures"]
    unnamed = "\n".join(line for line in reduce.splitlines() if "Collective" not in line)
    assert remarks(unnamed, capsys)[1]["collective"] is None
    assert remarks(unnamed, capsys, "--collective", "all_gather")[1]["collective"] == "all_gather"
    old = log().replace("  none      -1", "")
    assert [r["busbw"] for r in remarks(old, capsys)[1]["rows"]] == [
        r["busbw"] for r in remarks(log(), capsys)[1]["rows"]
    ]


def test_a_test_without_an_in_place_half(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line[:81] if line[:12].strip().isdecimal() else line for line in log().splitlines()]
    code, document = remarks("\n".join(lines), capsys)
    assert code == 0 and {r["busbw_in_place"] for r in document["rows"]} == {None}


def test_without_names_of_gpus(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(line for line in log().splitlines() if "Rank" not in line)
    code, document = remarks(text, capsys)
    assert code == 0 and [r["name"] for r in document["remarks"]] == ["machine-type"]
    assert document["rows"][-1]["published"] == [330.16, 336.67]
    _, document = remarks(text, capsys, "--machine-type", "a4-highgpu-8g")
    assert document["rows"][-1]["published"] == [344.46, 352.92]


def test_a_machine_without_figures(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = report(log(gpu="NVIDIA H100 80GB HBM3"), capsys)
    assert code == 0 and "OK: nothing looks like plain TCP" in printed
    assert "There are no published figures for all_gather on a3-" in printed


def test_several_tables(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = report(log() + log(4.0), capsys)
    assert code == 1
    assert printed.count("average of all sizes") == 2 and printed.count("FAIL") == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(log().encode())))
    assert run(["nccl", "report", "-"]) == 0
    assert "OK: RDMA is in use" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"hello\n", bytes(range(256)) * 50, b"\x00" * 1000, b"# size count\n" * 100])
def test_no_log_at_all(content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = report(content, capsys)
    assert code == 2 and "no output of an NCCL test" in printed


def test_what_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    for name, words in (("missing.log", "no such file"), ("folder", "folder"), ("/dev/null", "no regular file")):
        assert run(["nccl", "report", name]) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--format", "xml"], ["--machine-type", "n2-standard-4"]])
def test_wrong_options(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert report(log(), capsys, *options)[0] == 2


def test_text_of_a_log_does_not_steer_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    _, printed = report(log(gpu="NVIDIA H200").replace("nccl-test-host-1 device", "\x9b2Jhost\u202e device"), capsys)
    assert "\x9b" not in printed and "\u202e" not in printed


@settings(deadline=None, max_examples=60)
@given(st.integers(0, len(log()) - 1))
def test_no_cut_log_passes(end: int) -> None:
    whole = log()
    verdicts = nccl_verdict.judge(nccl_log.parse(whole[:end]))
    closed = whole.index("# Avg bus bandwidth    : ") + len("# Avg bus bandwidth    : 1")
    assert end >= closed or not any(verdict.passed for verdict in verdicts)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(log().splitlines()) | st.text(max_size=60), max_size=40))
def test_lines_in_any_order_are_no_defect(lines: list[str]) -> None:
    for verdict in nccl_verdict.judge(nccl_log.parse("\n".join(lines))):
        assert verdict.passed in (True, False)
        assert all(judged.share is None or judged.share >= 0 for judged in verdict.rows)
