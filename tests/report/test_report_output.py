from __future__ import annotations

import io
import os
import stat

import pytest

from generator.errors import InputError
from generator.report.output import write_file, write_stream


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_usual_mode(tmp_path):
    old = os.umask(0o027)
    try:
        write_file(tmp_path / "a.json", "x\n")
    finally:
        os.umask(old)
    assert (tmp_path / "a.json").read_text() == "x\n"
    assert mode(tmp_path / "a.json") == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_an_old_file_keeps_its_mode_and_a_link_stays(tmp_path):
    target = tmp_path / "real"
    target.write_text("old")
    target.chmod(0o604)
    link = tmp_path / "link"
    link.symlink_to(target)
    write_file(link, "new")
    assert (target.read_text(), mode(target), link.is_symlink()) == ("new", 0o604, True)


def test_what_cannot_be_written_is_told_and_leaves_nothing(tmp_path):
    with pytest.raises(InputError) as raised:
        write_file(tmp_path / "nope" / "a.json", "x")
    assert raised.value.path == tmp_path / "nope" / "a.json"
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError):
        write_file(tmp_path / "folder", "x")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_a_device_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)


def test_a_stream_without_the_letters_gets_escapes():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    write_stream(stream, "…\n")
    stream.seek(0)
    assert stream.read() == "\\u2026\n"
