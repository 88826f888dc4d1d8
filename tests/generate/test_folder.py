"""The folder on disk: whole or not at all, and never over anything of the user's."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.cli import run
from generator.lint import discovery
from generator.render import folder, journal, readback

Spec = Callable[..., Path]
Run = Callable[..., int]
Contents = Callable[[Path], dict[str, bytes]]

FILES = {
    ".gitignore",
    ".gke-rdma.json",
    "README.md",
    "gcloud/create.sh",
    "kubernetes/all-mrdma-template.yaml",
    "kubernetes/nccl-test.yaml",
    "main.tf",
    "outputs.tf",
    "providers.tf",
    "tests/folder.tftest.hcl",
    "tests/old_cluster.tftest.hcl",
    "terraform.tfvars",
    "variables.tf",
    "versions.tf",
}


def only_these(*names: str) -> None:
    assert sorted(p.name for p in Path().iterdir()) == sorted(names)


def test_a_new_folder_is_whole(spec_file: Spec, generate: Run, contents: Contents) -> None:
    assert generate(spec_file(), "-o", "out") == 0
    assert set(contents(Path("out"))) == FILES
    only_these("rdma.yaml", "out")
    assert Path("out").stat().st_mode & 0o777 == 0o777 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_the_same_spec_gives_the_same_bytes(spec_file: Spec, generate: Run, contents: Contents) -> None:
    spec = spec_file()
    assert [generate(spec, "-o", name) for name in ("one", "two", "one")] == [0, 0, 0]
    assert contents(Path("one")) == contents(Path("two"))


def test_an_unchanged_folder_is_left_alone(spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]) -> None:
    spec = spec_file()
    generate(spec, "-o", "out")
    before = {p: p.stat().st_mtime_ns for p in Path("out").rglob("*")}
    assert generate(spec, "-o", "out") == 0
    assert {p: p.stat().st_mtime_ns for p in Path("out").rglob("*")} == before
    captured = capsys.readouterr()
    assert "up to date" in captured.err
    assert captured.out == ""


def test_an_update_writes_what_changed_and_removes_what_is_gone(spec_file: Spec, generate: Run) -> None:
    work = {"name": "w", "image": "i", "command": "c"}
    generate(spec_file(workload=work), "-o", "out")
    for name in ("extra.tf", "main_override.tf", "terraform.tfstate", ".terraform.lock.hcl", "kubernetes/mine.yaml"):
        Path("out", name).write_text("# mine\n")
    Path("out/.terraform").mkdir()
    Path("out/main.tf").chmod(0o600)
    assert generate(spec_file(zone="us-central1-a"), "-o", "out") == 0
    assert not Path("out/kubernetes/workload.yaml").exists()
    assert "us-central1-a" in Path("out/terraform.tfvars").read_text()
    assert Path("out/main.tf").stat().st_mode & 0o777 == 0o600
    assert Path("out/extra.tf").read_text() == Path("out/kubernetes/mine.yaml").read_text() == "# mine\n"
    assert {p.name for p in Path("out").iterdir()} == {n.split("/")[0] for n in FILES} | {
        "extra.tf",
        "main_override.tf",
        "terraform.tfstate",
        ".terraform.lock.hcl",
        ".terraform",
    }


def test_a_folder_that_only_held_generated_files_goes_with_them(spec_file: Spec, generate: Run) -> None:
    generate(spec_file(), "-o", "out")
    record = json.loads(Path("out/.gke-rdma.json").read_text())
    old = Path("out/old/create.sh")
    old.parent.mkdir()
    old.write_text("x")
    record["files"]["old/create.sh"] = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    Path("out/.gke-rdma.json").write_text(json.dumps(record))
    assert generate("rdma.yaml", "-o", "out") == 0
    assert not old.parent.exists()


@pytest.mark.parametrize("name", sorted(FILES - {".gke-rdma.json"}))
def test_a_file_edited_by_hand_stops_it(
    name: str, spec_file: Spec, generate: Run, contents: Contents, capsys: pytest.CaptureFixture[str]
) -> None:
    generate(spec_file(), "-o", "out")
    with Path("out", name).open("a") as file:
        file.write("# mine\n")
    before = contents(Path("out"))
    assert generate(spec_file(zone="us-central1-a"), "-o", "out") == 4
    assert contents(Path("out")) == before
    told = capsys.readouterr().err
    assert f"`{name}` was edited by hand" in told
    if name == "terraform.tfvars":
        assert "zz.auto.tfvars" in told


def test_a_deleted_file_comes_back(spec_file: Spec, generate: Run, contents: Contents) -> None:
    generate(spec_file(), "-o", "out")
    before = contents(Path("out"))
    shutil.rmtree("out/kubernetes")
    assert generate("rdma.yaml", "-o", "out") == 0
    assert contents(Path("out")) == before


def test_a_file_that_became_a_link_or_a_folder_stops_it(spec_file: Spec, generate: Run) -> None:
    generate(spec_file(), "-o", "out")
    shutil.copy("out/main.tf", "elsewhere.tf")
    Path("out/main.tf").unlink()
    Path("out/main.tf").symlink_to("../elsewhere.tf")
    assert generate("rdma.yaml", "-o", "out") == 4
    Path("out/main.tf").unlink()
    Path("out/main.tf").mkdir()
    assert generate("rdma.yaml", "-o", "out") == 4


def test_a_name_that_the_user_has_stops_it(spec_file: Spec, generate: Run, contents: Contents) -> None:
    generate(spec_file(), "-o", "out")
    mine = Path("out/kubernetes/workload.yaml")
    mine.write_text("# mine\n")
    before = contents(Path("out"))
    assert generate(spec_file(workload={"name": "w", "image": "i", "command": "c"}), "-o", "out") == 4
    assert contents(Path("out")) == before


@pytest.mark.parametrize("content", ["# mine\n", ""])
def test_a_foreign_folder_is_not_touched(content: str, spec_file: Spec, generate: Run, contents: Contents) -> None:
    Path("out").mkdir()
    Path("out/main.tf").write_text(content)
    assert generate(spec_file(), "-o", "out") == 4
    assert contents(Path("out")) == {"main.tf": content.encode()}
    only_these("rdma.yaml", "out")


@pytest.mark.parametrize(
    "record",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        "\0",
        '{"format": 1, "files": {"../../x": "y"}, "spec": {}, "spec_path": null, "program": "1"}',
        '{"format": 2}',
    ],
)
def test_a_damaged_record_stops_it(record: str, spec_file: Spec, generate: Run) -> None:
    generate(spec_file(), "-o", "out")
    Path("out/.gke-rdma.json").write_text(record)
    assert generate("rdma.yaml", "-o", "out") == 4


def test_an_empty_folder_is_filled(spec_file: Spec, generate: Run, contents: Contents) -> None:
    Path("out").mkdir()
    assert generate(spec_file(), "-o", "out") == 0
    assert set(contents(Path("out"))) == FILES


def test_the_working_folder_itself_is_filled(spec_file: Spec, generate: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_file().absolute()
    Path("here").mkdir()
    monkeypatch.chdir("here")
    inode = Path().stat().st_ino
    assert generate(spec, "-o", ".") == 0
    assert Path().stat().st_ino == inode
    assert {n.split("/")[0] for n in FILES} == {p.name for p in Path().iterdir()}


def test_folders_above_are_made_and_removed_when_it_fails(
    spec_file: Spec, generate: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert generate(spec_file(), "-o", "a/b/out") == 0
    monkeypatch.setattr(readback, "check", _fail)
    with pytest.raises(ZeroDivisionError):
        generate("rdma.yaml", "-o", "c/d/out")
    only_these("rdma.yaml", "a")


def _fail(*_: object) -> None:
    raise ZeroDivisionError


def test_a_link_to_a_folder_is_followed(spec_file: Spec, generate: Run, contents: Contents) -> None:
    Path("real").mkdir()
    Path("link").symlink_to("real")
    assert generate(spec_file(), "-o", "link") == 0
    assert set(contents(Path("real"))) == FILES
    assert Path("link").is_symlink()


@pytest.mark.parametrize("kind", ["file", "dangling", "loop", "fifo"])
def test_what_is_no_folder_is_refused(
    kind: str, spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind == "file":
        Path("out").write_text("x")
    elif kind == "fifo":
        os.mkfifo("out")
    else:
        Path("out").symlink_to("nowhere" if kind == "dangling" else "out")
    assert generate(spec_file(), "-o", "out") == 2
    assert "error: out" in capsys.readouterr().err
    only_these("rdma.yaml", "out")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_parent_that_cannot_be_written(spec_file: Spec, generate: Run) -> None:
    spec = spec_file()
    Path("locked").mkdir(mode=0o500)
    assert generate(spec, "-o", "locked/out") == 2


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_a_disk_that_fails_leaves_nothing(
    number: int, spec_file: Spec, generate: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    spec = spec_file()
    monkeypatch.setattr(os, "fsync", fail)
    assert generate(spec, "-o", "out") == 2
    assert os.strerror(number) in capsys.readouterr().err
    only_these("rdma.yaml")


def test_a_name_that_is_too_long(spec_file: Spec, generate: Run) -> None:
    assert generate(spec_file(), "-o", "x" * 300) == 2
    only_these("rdma.yaml")


def test_what_a_killed_run_left_is_removed(spec_file: Spec, generate: Run, contents: Contents) -> None:
    left = Path(f".out.gke-rdma-{'a' * 16}")
    left.mkdir()
    (left / "main.tf").write_text("x")
    other = Path(".out.gke-rdma-mine")
    other.mkdir()
    assert generate(spec_file(), "-o", "out") == 0
    only_these("rdma.yaml", "out", other.name)


class Killed(BaseException):
    """Stands for the end of the process."""


def test_lint_and_generate_know_the_same_journal() -> None:
    assert discovery.JOURNAL == journal.NAME


def test_an_update_that_was_cut_short_is_finished(
    spec_file: Spec,
    generate: Run,
    contents: Contents,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(readback, "check", lambda *_: ())
    generate(spec_file(workload={"name": "w", "image": "i", "command": "c"}), "-o", "old")
    new = spec_file(zone="us-central1-a")
    generate(new, "-o", "new")
    after = contents(Path("new"))
    cut = 0
    for stop in range(20):
        shutil.rmtree("out", ignore_errors=True)
        shutil.copytree("old", "out")
        Path("out/extra.tf").write_text("# mine\n")
        _cut_short(monkeypatch, stop, lambda: generate(new, "-o", "out"))
        if journal.is_pending(Path("out")):
            cut += 1
            assert generate("--check", "out") == 2
            for path in (".", "out", "out/main.tf"):
                if Path(path).exists():
                    assert run(["lint", path]) == 2
                    assert "was cut short" in capsys.readouterr().err
        assert generate(new, "-o", "out") == 0
        there = contents(Path("out"))
        assert there.pop("extra.tf") == b"# mine\n"
        assert there == after
    assert cut > 10


def _cut_short(monkeypatch: pytest.MonkeyPatch, stop: int, act: Callable[[], Any]) -> None:
    """Act until the given number of renames and removals has been done, then die at once, handlers and all."""
    done = 0
    moves = {name: getattr(Path, name) for name in ("replace", "unlink", "rename")}

    def counting(name: str) -> Callable[..., Any]:
        def move(*arguments: Any, **options: Any) -> Any:
            nonlocal done
            if done == stop:
                raise Killed
            done += 1
            return moves[name](*arguments, **options)

        return move

    with monkeypatch.context() as patch:
        for name in moves:
            patch.setattr(Path, name, counting(name))
        patch.setattr(shutil, "rmtree", _no_removal)
        with contextlib.suppress(Killed):
            act()


def _no_removal(*_: object, **__: object) -> None:
    raise Killed


def test_an_update_that_was_cut_short_never_overwrites_an_edit(
    spec_file: Spec, generate: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(spec_file(), "-o", "out")
    _cut_short(monkeypatch, 3, lambda: generate(spec_file(zone="us-central1-a"), "-o", "out"))
    assert journal.is_pending(Path("out"))
    Path("out/variables.tf").write_text("# mine\n")
    assert generate("rdma.yaml", "-o", "out") == 4
    assert Path("out/variables.tf").read_text() == "# mine\n"


def test_two_runs_at_once_wait_for_each_other(
    spec_file: Spec, monkeypatch: pytest.MonkeyPatch, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    import fcntl

    spec = spec_file()
    monkeypatch.setattr(folder, "LOCK_PATIENCE", 0.05)
    holder = os.open(".", os.O_RDONLY)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        assert generate(spec, "-o", "out") == 4
    finally:
        os.close(holder)
    assert "Another run" in capsys.readouterr().err
    assert generate(spec, "-o", "out") == 0


def test_a_changed_size_of_the_default_pool_is_warned_of(
    spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    generate(spec_file(), "-o", "out")
    assert "warning" not in capsys.readouterr().err
    assert generate(spec_file(cluster={"default_pool": {"node_count": 3}}), "-o", "out") == 0
    assert "from 1 to 3: it counts only when the cluster is made" in capsys.readouterr().err


def test_check_and_diff_write_nothing(
    spec_file: Spec, generate: Run, contents: Contents, capsys: pytest.CaptureFixture[str]
) -> None:
    generate(spec_file(), "-o", "out")
    assert (
        generate("--check", "out")
        == generate("--check", "out", "--diff")
        == generate("rdma.yaml", "-o", "out", "--check")
        == 0
    )
    before = contents(Path("out"))
    spec_file(zone="us-central1-a")
    capsys.readouterr()
    assert generate("--check", "out") == 1
    assert "out/terraform.tfvars: would change" in capsys.readouterr().err
    assert generate("--diff", "out") == 1
    shown = capsys.readouterr().out
    assert '-zone                    = "us-central1-b"' in shown
    assert '+zone                    = "us-central1-a"' in shown
    assert shown.startswith("--- a/out/terraform.tfvars\n+++ b/out/terraform.tfvars\n")
    assert contents(Path("out")) == before
    Path("rdma.yaml").unlink()
    assert generate("--check", "out") == 0, "without the spec file the record's spec counts"
    Path("out/main.tf").write_text("# mine\n")
    assert generate("--check", "out") == 1


def test_check_of_what_is_no_generated_folder(generate: Run, spec_file: Spec) -> None:
    Path("empty").mkdir()
    assert generate("--check", "empty") == 2
    assert generate("--check", "nowhere") == 2
    assert generate("--check") == 2, "no folder at all"
    assert generate(spec_file(), "-o", "new", "--check") == 1
    only_these("rdma.yaml", "empty")


def test_check_without_a_folder_looks_at_all_below(
    spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b/c", ".hidden/d"):
        assert generate(spec_file(), "-o", name) == 0
    assert generate("--check") == 0
    Path(".hidden/d/main.tf").write_text("# mine\n")
    assert generate("--check") == 0
    Path("b/c/main.tf").write_text("# mine\n")
    capsys.readouterr()
    assert generate("--check") == 1
    assert (
        capsys.readouterr().err == "a/ is up to date.\nb/c/main.tf: was edited by hand, so an update would be refused\n"
    )


def test_a_folder_within_that_became_a_link_stops_it(spec_file: Spec, generate: Run, contents: Contents) -> None:
    generate(spec_file(), "-o", "out")
    Path("out/kubernetes").rename("elsewhere")
    Path("out/kubernetes").symlink_to("../elsewhere")
    before = contents(Path("elsewhere"))
    assert generate(spec_file(workload={"name": "w", "image": "i", "command": "c"}), "-o", "out") == 4
    assert contents(Path("elsewhere")) == before


def test_the_record_names_spec_program_and_digests(spec_file: Spec, generate: Run, contents: Contents) -> None:
    import hashlib

    from generator import __version__

    generate(spec_file(), "-o", "infra/out")
    record = json.loads(Path("infra/out/.gke-rdma.json").read_text())
    assert record["spec_path"] == "../../rdma.yaml"
    assert record["program"] == __version__
    assert record["spec"]["node_pools"][0]["name"] == "rdma-pool"
    there = contents(Path("infra/out"))
    there.pop(".gke-rdma.json")
    assert record["files"] == {name: hashlib.sha256(content).hexdigest() for name, content in there.items()}


@pytest.mark.parametrize("name", [".gke-rdma/plan", "terraform.tfstate"])
def test_a_folder_where_an_apply_runs_is_refused(
    name: str, spec_file: Spec, generate: Run, contents: Contents, capsys: pytest.CaptureFixture[str]
) -> None:
    generate(spec_file(), "-o", "out")
    locked = Path("out", name)
    locked.parent.mkdir(exist_ok=True)
    locked.write_text("x")
    lock = "fcntl.lockf" if name.endswith("tfstate") else "fcntl.flock"
    program = (
        f"import fcntl, sys; f = open({str(locked)!r}, 'r+'); {lock}(f, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdin is not None
    try:
        assert holder.stdout.readline() == b"held\n"
        before = contents(Path("out"))
        assert generate(spec_file(zone="us-central1-a"), "-o", "out") == 4
        assert contents(Path("out")) == before
        assert "at work" in capsys.readouterr().err
    finally:
        holder.stdin.close()
        holder.wait()
        holder.stdout.close()
    assert generate("rdma.yaml", "-o", "out") == 0
