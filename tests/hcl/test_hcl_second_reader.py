"""python-hcl2 as the second reader: what it loses is noticed, its cache is ours alone, threads do not disturb it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.hcl import hcl2_reader
from generator.hcl.hcl2_grammar import cache_file
from generator.hcl.parser import parse
from generator.hcl.source import Source

MakeSource = Callable[[str], Source]


def test_what_it_loses_is_noticed(source: MakeSource, monkeypatch: pytest.MonkeyPatch) -> None:
    from generator.hcl.hcl2_grammar import tree

    monkeypatch.setattr(hcl2_reader, "tree", lambda text: tree(text.replace("b {}", "    ")))
    file = hcl2_reader.read(source("a {}\nb {}\n"))
    assert [b.type for b in file.body.blocks] == ["a"]
    assert "nothing where b stands" in file.problems[0].message


@pytest.mark.parametrize(
    "text", ["a = 1 b = 2\n", "a {} b {}\n", "a {}\n}\nb {}\n", "a = \n", "a {\n", "a = b = c\n", "a = “x”\n"]
)
def test_broken_text_is_a_problem(source: MakeSource, text: str) -> None:
    assert hcl2_reader.read(source(text)).problems


def test_large_file_is_a_limit(source: MakeSource) -> None:
    assert [p.limit for p in hcl2_reader.read(source("#" * 1_000_001)).problems] == [True]


def test_cache_lies_in_a_folder_of_the_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = cache_file()
    assert file is not None
    assert file.parent == tmp_path / "gke-rdma"
    assert file.parent.stat().st_mode & 0o777 == 0o700
    file.write_bytes(b"")
    file.chmod(0o622)
    assert cache_file() is None
    file.unlink()
    file.symlink_to(tmp_path / "elsewhere")
    assert cache_file() is None
    file.unlink()
    file.parent.chmod(0o770)
    assert cache_file() is None


READ = """
import sys
from pathlib import Path
from generator.hcl.hcl2_reader import read
from generator.hcl.source import Source
file = read(Source(Path("/a.tf"), "a = [1]\\n"))
assert not file.problems and file.body.attributes["a"].end == 7
"""


def read_in_a_new_process(cache: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    subprocess.run([sys.executable, "-W", "error", "-c", READ], env=environment, check=True, timeout=60)


def test_cache_is_made_used_and_survives_damage(tmp_path: Path) -> None:
    read_in_a_new_process(tmp_path)
    (kept,) = (tmp_path / "gke-rdma").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.write_bytes(kept.read_bytes()[:1000])
    read_in_a_new_process(tmp_path)


def test_reading_works_without_a_cache(tmp_path: Path) -> None:
    (tmp_path / "gke-rdma").write_text("no folder")
    read_in_a_new_process(tmp_path)


def test_threads(source: MakeSource) -> None:
    sources = [source("".join(f"a{i} = [{i}, {n}]\n" for i in range(20))) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(hcl2_reader.read, sources)) == [parse(s) for s in sources]
