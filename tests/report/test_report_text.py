from __future__ import annotations

from dataclasses import replace

import pytest

from generator.findings import Finding, Location, Report, Severity, Summary
from generator.report import formats
from generator.report.drawing import Drawing
from generator.report.text import summary_line


def drawn(text: str, start: int, end: int, tmp_path, **options) -> list[str]:
    finding = Finding("r", Severity.ERROR, "m", "h", Location(tmp_path / "a.tf", 5, start, 5, end))
    drawing = Drawing(tmp_path, quiet=True, line_text=lambda path, line: text, **options)
    return formats.write(Report([finding]), "text", drawing).splitlines()


def test_a_finding_is_drawn_with_its_line(report, drawing):
    report.errors.clear()
    text = formats.write(replace(report, findings=report.findings[:1]), "text", drawing)
    assert text == (
        'error[boot-disk]: the boot disk is "pd-ssd"\n'
        " --> pools/main.tf:3:14\n"
        "  |\n"
        '3 |     disk_type = "pd-ssd" # 値\n'
        "  |                 ^^^^^^^^\n"
        "  = in google_container_node_pool.gpu\n"
        "  = help: Write hyperdisk-balanced.\n"
        "  = fix: unsafe, with --unsafe-fixes\n"
        "  = see a b,c:d.tf:1:2: module.gpu is called here\n"
        "\n"
        "1 error in 2 files (3 ignored)\n"
    )


@pytest.mark.parametrize(
    ("text", "start", "end", "marks"),
    [
        ("abc def", 5, 8, "    ^^^"),
        ("abc", 4, 4, "   ^"),
        ("", 1, 1, "^"),
        ("値段 = 1", 6, 7, "       ^"),
        ("値段 = 1", 1, 3, "^^^^"),
        ("\t\tx", 3, 4, "        ^"),
        ("e\u0301 = 1", 6, 7, "    ^"),
        ("short", 3, 99, "  ^^^"),
        ("\x1b[31m", 1, 2, "^^^^"),
    ],
)
def test_marks_stand_under_the_place(text, start, end, marks, tmp_path):
    assert drawn(text, start, end, tmp_path)[4] == "  | " + marks


def test_a_place_over_several_lines_is_marked_to_the_end_of_its_first(tmp_path):
    finding = Finding("r", Severity.ERROR, "m", "", Location(tmp_path / "a.tf", 5, 3, 9, 2))
    drawing = Drawing(tmp_path, quiet=True, line_text=lambda path, line: "a {b")
    assert formats.write(Report([finding]), "text", drawing).splitlines()[4] == "  |   ^^"


def test_a_long_line_is_cut_around_the_place(tmp_path):
    lines = drawn("x" * 50_000 + "HERE" + "y" * 50_000, 50_001, 50_005, tmp_path)
    assert len(lines[3]) < 200
    assert lines[3].index("HERE") == lines[4].index("^^^^")
    assert lines[3].startswith("5 | …") and lines[3].endswith("…")


def test_nothing_steers_the_terminal(tmp_path):
    text = "\n".join(drawn("a\x1b]0;title\x07\u202e\x9b", 1, 2, tmp_path))
    assert not set("\x1b\x07\u202e\x9b") & set(text)


def test_colour_is_only_colour(report, drawing):
    import re

    plain = formats.write(report, "text", drawing)
    colored = formats.write(report, "text", replace(drawing, color=True))
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_quiet_leaves_out_the_summary(report, drawing):
    assert "in 2 files" in formats.write(report, "text", drawing)
    assert "in 2 files" not in formats.write(report, "text", replace(drawing, quiet=True))
    assert formats.write(Report(), "text", replace(drawing, quiet=True)) == ""


def test_statistics_count_the_most_frequent_first(report, drawing):
    report.findings.insert(0, report.findings[2])
    text = formats.write(report, "text", replace(drawing, statistics=True))
    assert text.splitlines()[-6:-2] == [
        "2  capacity  advice",
        "1  boot-disk  error",
        "1  dranet-label  warning",
        "1  replacement  error",
    ]


@pytest.mark.parametrize(
    ("summary", "line"),
    [
        (Summary(0), "no findings in 0 files"),
        (Summary(1, 1), "1 error in 1 file"),
        (Summary(4, 2, 1, 3, 5), "2 errors, 1 warning, 3 advice in 4 files (5 ignored)"),
    ],
)
def test_summary_line(summary, line):
    assert summary_line(summary) == line
