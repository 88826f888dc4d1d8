"""Files and folders that this user may not read are told of, each in plain words."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from generator.cli import run
from generator.rules import registry

POOL = 'resource "google_container_node_pool" "gpu" {\n  node_config {\n    gpudirect_strategy = "RDMA"\n  }\n}\n'
NOBODY = 65534


def as_somebody(action: Callable[[], int]) -> int:
    """What an action returns when a user without special rights does it in a process of its own."""
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        os._exit(action())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    tree, result = tmp_path / "tree", tmp_path / "result"
    for folder in ("good", "unread", "closed", "unlisted", "unsearched"):
        (tree / folder).mkdir(parents=True)
        (tree / folder / "main.tf").write_text(POOL)
    result.touch(0o666)
    result.chmod(0o666)
    for at in (tmp_path, *tmp_path.parents[:-2]):
        at.chmod(at.stat().st_mode | 0o055)
    monkeypatch.chdir(tree)
    # What is loaded later might not be readable either.
    registry.rules()
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        run(["lint", "good", "nowhere"])
    (tree / "unread" / "main.tf").chmod(0)
    for folder, mode in (("closed", 0), ("unlisted", 0o311), ("unsearched", 0o644)):
        (tree / folder).chmod(mode)

    def call(*arguments: str) -> tuple[int, str]:
        def action() -> int:
            text = io.StringIO()
            with redirect_stdout(text), redirect_stderr(text):
                code = run(["lint", "--select", "machine-type", *arguments])
            result.write_text(text.getvalue())
            return code

        code = as_somebody(action)
        return code, result.read_text()

    yield call
    for folder in ("closed", "unlisted", "unsearched"):
        (tree / folder).chmod(0o755)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("unread",), "unread/main.tf:1:1"),
        (("unread/main.tf",), "unread/main.tf: the file cannot be read: permission denied"),
        (("closed",), "closed: the folder cannot be listed: permission denied"),
        (("closed/main.tf",), "closed/main.tf: it cannot be read: Permission denied"),
        (("unlisted",), "unlisted: the folder cannot be listed: permission denied"),
        (("unlisted/main.tf",), "unlisted: the folder cannot be listed: permission denied"),
        (("unsearched",), "unsearched: the folder cannot be listed: permission denied"),
        (("--show-config", "closed/main.tf"), "closed/main.tf: it cannot be read: Permission denied"),
        (("--var-file", "closed/x.tfvars", "good"), "--var-file closed/x.tfvars: it cannot be read: Permission denied"),
        (("--baseline", "closed/x.json", "good"), "closed/x.json: the baseline cannot be read: Permission denied"),
    ],
)
def test_it_is_told(lint, arguments, words):
    code, text = lint(*arguments)
    assert (code, words in text) == (2, True), text
    assert "internal error" not in text and "Traceback" not in text


def test_the_others_are_checked(lint):
    code, text = lint("closed", "good", "unread")
    assert code == 2
    assert "good/main.tf" in text and "unread/main.tf" in text and "closed" in text
