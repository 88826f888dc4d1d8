"""One construct a file: is it HCL, and do both readers see the same in it?"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.hcl.files import decoded
from generator.hcl.hcl2_reader import read
from generator.hcl.nodes import Body, File, walk
from generator.hcl.parser import parse
from generator.hcl.scanner import header_labels, top_level
from generator.hcl.source import Source

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.glob("*/*.tf"))
VALUES = json.loads((CASES / "values.json").read_text())

# python-hcl2 reads these in silence and Terraform refuses them.
SILENT_BUT_INVALID = {"s17_newline_label", "s19_bad_escape", "s20_legacy_float_index"}
# Terraform computes no value of these for reasons that are not syntax.
VALID_WITHOUT_VALUE = {
    "x_block_attr_same",
    "x_dynamic",
    "x_empty",
    "x_import_block",
    "x_label_dollar",
    "x_label_empty",
    "x_label_escape",
    "x_label_newline",
    "x_types",
    "x_underscore_ident",
}
# Invalid text that python-hcl2 takes also after rewriting: newlines where none may be, one-line blocks, numbers with two dots.
LENIENT = {
    "a03_ipv4_as_number": "its lexer takes 10.0.0.0 apart",
    "a08_keyword_first_object_key_for": "it does not prefer the for expression",
    "a11_object_without_separator": "it needs no separator in objects",
    "a15_double_number_index": "it takes .0.0",
    "c_ml_noparen": "it lets operators begin a line",
    "c_ml_noparen2": "it lets operators begin a line",
    "h_cond": "it lets : begin a line",
    "s20_legacy_float_index": "it takes .0.0",
    "sp_legacy_idx3": "it takes .0.0.0",
    "x_nested_oneline": "it knows no one-line blocks",
    "x_oneline_nl": "it knows no one-line blocks",
    "x_oneline_two_attr": "it knows no one-line blocks",
}


def expected_valid(path: Path) -> bool:
    """Whether Terraform takes the file, arguments that are set twice included."""
    folder, name = path.parent.name, path.stem
    if folder == "values":
        return VALUES[name]["terraform"] is not None or name in VALID_WITHOUT_VALUE
    return folder == "rejects" or (folder == "silent" and name not in SILENT_BUT_INVALID)


def repeats(file: File) -> bool:
    return any(isinstance(node, Body) and node.repeated for node in walk(file.body))


def read_source(path: Path) -> Source:
    return decoded(path, path.read_bytes())


def identify(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_there_are_cases() -> None:
    assert len(FILES) > 200


@pytest.mark.parametrize("path", FILES, ids=identify)
def test_verdict(path: Path) -> None:
    file = parse(read_source(path))
    assert (not file.problems and not repeats(file)) == expected_valid(path), file.problems


@pytest.mark.parametrize("path", FILES, ids=identify)
def test_both_readers_agree(path: Path) -> None:
    source = read_source(path)
    ours, second = parse(source), read(source)
    if not ours.problems:
        assert second == ours
    else:
        assert (not second.problems) == (path.stem in LENIENT)


@pytest.mark.parametrize("path", [p for p in FILES if expected_valid(p)], ids=identify)
def test_scanner_finds_the_borders(path: Path) -> None:
    source = read_source(path)
    body = parse(source).body
    blocks = [
        (item.type, header_labels(item.labels), item.start, item.end)
        for item in top_level(source.text)
        if item.labels is not None
    ]
    assert blocks == [(b.type, [label.text for label in b.labels], b.start, b.end) for b in body.blocks]
    names = [(item.type, item.start) for item in top_level(source.text) if item.labels is None]
    assert names == [(a.name, a.start) for a in body.attributes.values()]


@pytest.mark.terraform
@pytest.mark.skipif(shutil.which("terraform") is None, reason="terraform is not on PATH")
@pytest.mark.parametrize("folder", ["rejects", "silent", "accepts"])
def test_terraform_has_the_same_verdict(folder: str) -> None:
    for path in FILES:
        if path.parent.name != folder:
            continue
        told = subprocess.run(
            ["terraform", "fmt", "-"], input=path.read_bytes(), capture_output=True, timeout=60, check=False
        )
        assert (told.returncode == 0) == (not parse(read_source(path)).problems), path.name
