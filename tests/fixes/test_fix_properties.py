"""Fixes over random formatting: they mend what was damaged and change nothing else."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from fix_runs import fixing
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.findings import Severity
from generator.hcl.parser import parse
from generator.hcl.source import Source
from generator.lint.configuration import Flags
from generator.lint.engine import lint
from generator.lint.request import Request

Item = tuple[str, str | list]

VERSIONS: Item = (
    "terraform",
    [("required_providers", [("google", '{ source = "hashicorp/google", version = ">= 7.34.0" }')])],
)
CLUSTER: Item = (
    'resource "google_container_cluster" "c"',
    [
        ("name", '"c"'),
        ("location", '"us-central1-b"'),
        ("initial_node_count", "1"),
        ("min_master_version", '"1.34.8-gke.1278000"'),
        ("datapath_provider", '"ADVANCED_DATAPATH"'),
        ("addons_config", [("gcs_fuse_csi_driver_config", [("enabled", "true")])]),
    ],
)
LABELS = '{\n@@"cloud.google.com/gke-networking-dra-driver" = "true"\n@@"gke.networks.io/accelerator-network-profile" = "auto"\n@}'
POOL: Item = (
    'resource "google_container_node_pool" "p"',
    [
        ("name", '"größe"'),
        ("cluster", "google_container_cluster.c.id"),
        ("network_config", [("accelerator_network_profile", '"auto"')]),
        (
            "node_config",
            [
                ("machine_type", '"a3-ultragpu-8g"'),
                ("gpudirect_strategy", '"RDMA"'),
                ("spot", "true"),
                ("guest_accelerator", [("type", '"nvidia-h200-141gb"'), ("count", "8")]),
                ("ephemeral_storage_local_ssd_config", [("local_ssd_count", "32"), ("data_cache_count", "0")]),
                ("labels", LABELS),
            ],
        ),
    ],
)
FOLDER = [VERSIONS, CLUSTER, POOL]

LITERALS = [
    ('"RDMA"', '"rdma"'),
    ('"RDMA"', '"Rdma"'),
    ("= 8", "= 4"),
    ("= 32", "= 16"),
    ('version = ">= 7.34.0"', 'version = ">= 7.30.0"'),
    ('"nvidia-h200-141gb"', '"nvidia-b200"'),
    ('"ADVANCED_DATAPATH"', '"advanced_datapath"'),
    ('profile" = "auto"', 'profile" = "other"'),
]
REMOVABLE = ("datapath_provider", "guest_accelerator", "ephemeral_storage_local_ssd_config", "network_config", "labels")


@dataclass
class Format:
    """How a folder is written: what is drawn decides each line."""

    draw: st.DrawFn
    indent: str
    eol: str
    aligned: bool

    def comment(self) -> str:
        return self.draw(st.sampled_from(["", "", "", " # why", " // 1 = 1 {", " /* } */", "\t# größe"]))

    def lines(self, items: list[Item], depth: int) -> list[str]:
        names = [name for name, value in items if isinstance(value, str)]
        width = max(map(len, names), default=0) if self.aligned else 0
        pad = self.indent * depth
        lines: list[str] = []
        for name, value in items:
            if self.draw(st.integers(0, 5)) == 0:
                lines += self.draw(
                    st.sampled_from(
                        [[""], [pad + "# a comment"], [pad + "/* two", pad + "lines */"], ["", pad + "// x"]]
                    )
                )
            if isinstance(value, str):
                text = value.replace("@@", pad + self.indent).replace("@", pad)
                lines += f"{pad}{name.ljust(width)} = {text}{self.comment()}".split("\n")
            elif len(value) == 1 and isinstance(value[0][1], str) and depth and self.draw(st.booleans()):
                lines.append(f"{pad}{name} {{ {value[0][0]} = {value[0][1]} }}{self.comment()}")
            elif not value:
                lines += self.draw(st.sampled_from([[f"{pad}{name} {{}}"], [f"{pad}{name} {{", f"{pad}}}"]]))
            else:
                lines += [f"{pad}{name} {{{self.comment()}", *self.lines(value, depth + 1), f"{pad}}}{self.comment()}"]
        return lines

    def text(self, items: list[Item]) -> str:
        end = self.draw(st.sampled_from([self.eol, "", self.eol * 2]))
        mark = self.draw(st.sampled_from(["", "", "\ufeff"]))
        return mark + self.eol.join(self.lines(items, 0)) + end


@st.composite
def formats(draw: st.DrawFn) -> Format:
    return Format(
        draw,
        draw(st.sampled_from(["  ", "\t", "    ", "", " "])),
        draw(st.sampled_from(["\n", "\r\n"])),
        draw(st.booleans()),
    )


def without(items: list[Item], gone: set[str]) -> list[Item]:
    return [(n, v if isinstance(v, str) else without(v, gone)) for n, v in items if n not in gone]


def counts(folder: Path) -> tuple[int, ...]:
    outcome = lint(Request((".",), folder, Flags(pedantic=True)))
    assert not outcome.report.errors
    return tuple(sum(1 for f in outcome.report.findings if f.severity is s) for s in Severity)


def fix_text(text: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The fixed text, and the numbers of findings before and after; the file is read and written as bytes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "main.tf"
        file.write_bytes(text.encode())
        before = counts(folder)
        result = fixing(folder)
        fixed = result.after.get(file.resolve(), file.read_bytes())
        file.write_bytes(fixed)
        again = fixing(folder)
        assert again.changed == [], "a second run changes nothing"
        return fixed.decode(), before, counts(folder)


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_a_literal_that_is_put_right_is_the_only_change(data: st.DataObject) -> None:
    text = data.draw(formats()).text(FOLDER)
    # What is right but for advice is not changed by the fixes of advice that are at hand.
    text = fix_text(text)[0]
    chosen = data.draw(st.lists(st.sampled_from(LITERALS), min_size=1, max_size=3, unique_by=lambda pair: pair[0]))
    wrong = text
    for right, damage in chosen:
        wrong = wrong.replace(right, damage)
    fixed, before, after = fix_text(wrong)
    assert fixed == text
    assert all(new <= old for old, new in zip(before, after, strict=True))


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_what_is_put_in_leaves_everything_else_as_it_was(data: st.DataObject) -> None:
    form = data.draw(formats())
    gone = data.draw(st.sets(st.sampled_from(REMOVABLE), min_size=1))
    text = form.text(without(FOLDER, gone))
    fixed, before, after = fix_text(text)
    # A profile where labels or datapath are missing too would bring more findings than it takes away.
    assert sum(after[:2]) < sum(before[:2]) or ("network_config" in gone and gone & {"labels", "datapath_provider"})
    assert all(new <= old for old, new in zip(before, after, strict=True))
    assert not parse(Source(Path("/main.tf"), fixed)).problems
    # Every character but blanks is still there, in order; new lines end like the others.
    assert is_within(text.split(), fixed.split())
    assert fixed.startswith("\ufeff") == text.startswith("\ufeff")
    if form.eol == "\r\n":
        assert "\n" not in fixed.replace("\r\n", "")
    else:
        assert "\r" not in fixed


def is_within(few: list[str], many: list[str]) -> bool:
    rest = iter(many)
    return all(word in rest for word in few)
