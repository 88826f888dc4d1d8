"""Functions that read files: the module's own, and never in print."""

from __future__ import annotations

import os

import pytest

from generator.hcl.paths import MAX_FILE


@pytest.fixture
def module(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.txt").write_text("zone-a\n", encoding="utf-8")
    (folder / "b.json").write_text('{"zone": "us-central1-a"}', encoding="utf-8")
    (folder / "t.tftpl").write_text("%{ for z in zones ~}\n- ${z}\n%{ endfor ~}\n", encoding="utf-8")
    (folder / "raw.bin").write_bytes(b"\xff\xfe")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('file("${path.module}/files/a.txt")', "zone-a\n"),
        ('file("files/../files/a.txt")', "zone-a\n"),
        ('jsondecode(file("files/b.json")).zone', "us-central1-a"),
        ('filebase64("files/a.txt")', "em9uZS1hCg=="),
        ('filemd5("files/a.txt")', "abc76ef0d1cb5d56a6a2e9ea48b3d8d4"),
        ('templatefile("files/t.tftpl", {zones = ["a", "b"]})', "- a\n- b\n"),
        ('trimspace(file("files/a.txt"))', "zone-a"),
    ],
)
def test_reads_the_modules_own_files(module, ev, text, expected):
    value = ev(text)
    if "md5" in text:
        assert len(value.data) == 32
    else:
        assert value.data == expected
    assert value.sensitive


def test_asks_whether_a_file_exists(module, ev):
    assert ev('fileexists("files/a.txt")').data is True
    assert ev('fileexists("files/none.txt")').data is False
    assert ev('fileexists("files")').is_unknown
    assert not ev('fileexists("files/a.txt")').sensitive


def test_lists_files(module, ev):
    (module / "files" / "deep").mkdir()
    (module / "files" / "deep" / "c.txt").write_text("", encoding="utf-8")
    assert [v.data for v in ev('fileset("files", "*.txt")').data] == ["a.txt"]
    assert [v.data for v in ev('fileset("files", "**/*.txt")').data] == ["a.txt", "deep/c.txt"]
    assert [v.data for v in ev('fileset(path.module, "files/?.json")').data] == ["files/b.json"]
    assert ev('fileset("files", "{a,b}.txt")').is_unknown


def test_what_is_not_read(module, ev, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("secret", encoding="utf-8")
    (module / "link.txt").symlink_to(outside / "secret.txt")
    (module / "folder").symlink_to(outside)
    (module / "large.txt").write_bytes(b"a" * (MAX_FILE + 1))
    os.mkfifo(module / "pipe")
    for name in (
        f"{outside}/secret.txt",
        "../outside/secret.txt",
        "link.txt",
        "folder/secret.txt",
        "large.txt",
        "pipe",
        "files",
        "files/raw.bin",
        "none.txt",
        "~/x",
        "",
    ):
        assert ev(f'file("{name}")').is_unknown, name
    for name in ("link.txt", "folder/secret.txt", f"{outside}/secret.txt"):
        assert ev(f'fileexists("{name}")').is_unknown, name
        assert ev(f'try(file("{name}"), "fallback")').is_unknown, name
    assert ev('fileset(path.module, "**")').is_unknown


def test_a_missing_file_is_a_failure_that_try_catches(module, ev):
    assert ev('try(file("files/none.txt"), "fallback")').data == "fallback"
    assert ev('can(file("files/none.txt"))').data is False


def test_a_link_within_the_module_is_followed(module, ev):
    (module / "inner.txt").symlink_to(module / "files" / "a.txt")
    assert ev('file("inner.txt")').data == "zone-a\n"


def test_text_of_files_stays_marked_whatever_is_made_of_it(module, ev):
    for text in (
        'nonsensitive(file("files/a.txt"))',
        'upper(file("files/a.txt"))',
        '"${file("files/a.txt")}!"',
        'jsondecode(file("files/b.json")).zone',
        'nonsensitive(jsondecode(file("files/b.json"))).zone',
        '[for c in split("", file("files/a.txt")) : c][0]',
        '{a = file("files/a.txt")}.a',
        'merge(jsondecode(file("files/b.json")), {}).zone',
        'element(split("-", file("files/a.txt")), 0)',
        'lookup(jsondecode(file("files/b.json")), "zone", "x")',
        'keys(jsondecode(file("files/b.json")))[0]',
        'regex("zone", file("files/a.txt"))',
        'concat(split("-", file("files/a.txt")), [])[0]',
        'nonsensitive(templatefile("files/t.tftpl", {zones = ["a"]}))',
    ):
        value = ev(text)
        assert not value.is_unknown, text
        assert value.sensitive, text
    assert ev('issensitive(file("files/a.txt"))').is_unknown


def test_a_template_sees_its_variables_only(module, ev):
    (module / "v.tftpl").write_text("${var.x}${y}", encoding="utf-8")
    assert ev('templatefile("v.tftpl", {y = 1})').is_unknown
    assert ev('try(templatefile("v.tftpl", {y = 1}), "fallback")').data == "fallback"
    (module / "broken.tftpl").write_text("${", encoding="utf-8")
    assert ev('templatefile("broken.tftpl", {})').is_unknown


def test_templates_that_call_each_other_end(module, ev):
    (module / "loop.tftpl").write_text('${templatefile("loop.tftpl", {})}', encoding="utf-8")
    assert ev('templatefile("loop.tftpl", {})').is_unknown


def test_a_file_never_appears_in_a_reason(module, ev):
    value = ev('{a = 1}[file("files/a.txt")]')
    assert "zone-a" not in value.data.reason
    assert "zone-a" not in ev('tonumber(file("files/a.txt"))').data.reason
