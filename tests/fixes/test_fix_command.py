"""`lint --fix` and `--diff` on disk, and what is dropped because it would do harm."""

from __future__ import annotations

import json
import stat

import pytest
from fix_runs import fixing

from generator.cli import run
from generator.findings import Edit, Fix, Safety
from generator.rules import gpudirect_strategy, local_ssd

TEXT = """\
resource "google_container_node_pool" "p" {
  cluster = "c"

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "rdma"
  }
}
"""
ONLY = ("--select", "gpudirect-strategy,local-ssd")


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    path = tmp_path / "main.tf"
    path.write_text(TEXT)
    return path


def test_safe_fixes_are_written_and_the_rest_decides_the_exit_code(file, capsys):
    assert run(["lint", "--fix", *ONLY]) == 1
    output = capsys.readouterr()
    assert file.read_text() == TEXT.replace('"rdma"', '"RDMA"')
    assert "local-ssd" in output.out and "gpudirect-strategy" not in output.out
    assert output.err == "1 finding in 1 file fixed, 1 remaining\ncan be fixed: 1 with --fix --unsafe-fixes\n"
    assert run(["lint", "--fix", "--unsafe-fixes", *ONLY]) == 0
    assert "local_ssd_count" in file.read_text()


def test_a_diff_writes_nothing_and_can_be_applied(file, capsys):
    assert run(["lint", "--diff", *ONLY]) == 1
    output = capsys.readouterr()
    assert file.read_text() == TEXT
    assert output.err == "1 finding in 1 file would be fixed; nothing is written\n"
    assert output.out == (
        "--- a/main.tf\n+++ b/main.tf\n@@ -3,6 +3,6 @@\n \n   node_config {\n"
        '     machine_type       = "a3-ultragpu-8g"\n-    gpudirect_strategy = "rdma"\n+    gpudirect_strategy = "RDMA"\n'
        "   }\n }\n"
    )


def test_a_document_and_a_diff_do_not_mix(file, capsys):
    assert run(["lint", "--diff", "--format", "json", *ONLY]) == 1
    output = capsys.readouterr()
    assert len(json.loads(output.out)["findings"]) == 2
    assert output.err.endswith(" }\n") or "+++ b/main.tf" in output.err


def test_without_fix_nothing_is_changed(file, capsys):
    assert run(["lint", "--unsafe-fixes", *ONLY]) == 1
    assert file.read_text() == TEXT
    assert capsys.readouterr().err == "can be fixed: 1 with --fix, 1 more with --fix --unsafe-fixes\n"


def test_mode_and_link_stay(file, tmp_path):
    real = tmp_path / "real" / "there.txt"
    real.parent.mkdir()
    file.rename(real)
    real.chmod(0o640)
    file.symlink_to(real)
    assert run(["lint", "--fix", *ONLY]) == 1
    assert file.is_symlink() and '"RDMA"' in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [path.name for path in real.parent.iterdir()] == ["there.txt"]


def test_line_ends_and_byte_order_mark_stay(file):
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert run(["lint", "--fix", "--unsafe-fixes", *ONLY]) == 0
    content = file.read_bytes()
    assert content.startswith(b"\xef\xbb\xbfresource") and content.count(b"\xef\xbb\xbf") == 1
    assert content.count(b"\n") == content.count(b"\r\n") > TEXT.count("\n")


def test_a_file_that_is_not_utf_8_stays(file):
    content = TEXT.encode().replace(b"  cluster", b"  # caf\xe9\n  cluster")
    file.write_bytes(content)
    assert run(["lint", "--fix", "--unsafe-fixes", *ONLY]) != 0
    assert file.read_bytes() == content


def test_what_is_ignored_or_known_is_not_fixed(file, tmp_path):
    ignored = TEXT.replace('"rdma"', '"rdma" # gke-rdma: ignore[gpudirect-strategy] a test')
    file.write_text(ignored)
    run(["lint", "--fix", *ONLY])
    assert file.read_text() == ignored
    file.write_text(TEXT)
    assert run(["lint", "--write-baseline", "known.json", *ONLY]) == 0
    assert run(["lint", "--baseline", "known.json", "--fix", "--unsafe-fixes", *ONLY]) == 0
    assert file.read_text() == TEXT


def test_a_baseline_is_not_written_beside_fixes(file, capsys):
    assert run(["lint", "--fix", "--write-baseline", "b.json"]) == 2
    assert file.read_text() == TEXT


def test_a_folder_that_cannot_be_written_to_is_told_of(file, capsys, monkeypatch):
    def refuse(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert run(["lint", "--fix", *ONLY]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert file.read_text() == TEXT


@pytest.mark.parametrize(
    "harm", ['"RDMA', '"tcpx"\n    gpudirect_strategy = 1', '"RDMA"\n  }\n  node_config {\n    spot = "x"']
)
def test_a_fix_that_does_harm_is_dropped_and_the_others_are_made(file, tmp_path, monkeypatch, harm):
    def replaced(answer, value, *, safe=False):
        return Fix(Safety.SAFE, (Edit(answer.span.source.path, answer.span.start, answer.span.end, harm),))

    monkeypatch.setattr(gpudirect_strategy.edits, "replaced", replaced)
    result = fixing(tmp_path, select=None)
    (text,) = (content.decode() for content in result.after.values())
    assert '"rdma"' in text and harm not in text
    assert "local_ssd_count" in text and "guest_accelerator" in text


def test_two_fixes_of_the_same_bytes_are_never_made_together(file, tmp_path, monkeypatch):
    start = TEXT.index('"rdma"')

    def over_it(*_args, **_options):
        return Fix(Safety.UNSAFE, (Edit(file, start - 2, start + 6, '= "RDMA" # the other one'),))

    monkeypatch.setattr(local_ssd.edits, "with_block", over_it)
    result = fixing(tmp_path, select=("gpudirect-strategy", "local-ssd"))
    assert result.after[file.resolve()].decode() in (
        TEXT.replace('"rdma"', '"RDMA"'),
        TEXT.replace('"rdma"', '"RDMA" # the other one'),
    )
