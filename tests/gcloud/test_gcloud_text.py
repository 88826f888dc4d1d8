"""Text of a spec never becomes bash of its own: whatever it holds, gcloud gets it as that text."""

from __future__ import annotations

import copy
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from gcloud_stage import flags, items, pairs, pool, script_of, standard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.render.shell_text import gcloud_list, quote

PIECES = [
    '"', "'", "\\", "${", "$(touch pwned)", "`touch pwned`", "$", "!", "!!", "{", "}", "\n", "\r\n", "\t",
    "\x00", "\x01", "\x1b[31m", "\x7f", "\x85", "<<YAML", "YAML", "JSON", "NEXT", "#", ";", "&", "|", ">",
    "<", "(", ")", "*", "?", "[", "]", "~", "-", "--", "=", "^", "^,^", ",", ";,", "%s", "\u2028", "\u202e",
    "\ufeff", "é", "東京", "\U0001f600", " ", "x", "\\n", "\\x41", "if", "fi",
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20
)

# gcloud and kubectl as functions: what they get is written down, and nothing is there before it is made.
RECORDER = r"""
gcloud() {
  if [[ $1 == version ]]; then
    echo "Google Cloud SDK 578.0.0"
    return
  fi
  printf '%s\0' "$@" END >>"$CALLS"
  [[ $3 != describe || $* == *--format=* ]]
}
kubectl() {
  cat >/dev/null
}
"""


def calls_of(text: str, folder: Path) -> list[list[str]]:
    """What gcloud is called with when a script runs."""
    path, calls, work = folder / "create.sh", folder / "calls", folder / "work"
    path.write_bytes((RECORDER + text).encode("utf-8"))
    work.mkdir()
    subprocess.run(["bash", "-n", str(path)], check=True, capture_output=True)
    result = subprocess.run(
        ["bash", str(path)],
        cwd=work,
        env={"PATH": "/usr/bin:/bin", "CALLS": str(calls)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert list(work.iterdir()) == []
    words = calls.read_bytes().decode("utf-8").split("\0")[:-1]
    found: list[list[str]] = [[]]
    for word in words:
        if word == "END":
            found.append([])
        else:
            found[-1].append(word)
    return found[:-1]


def shown(text: str) -> str:
    """No word of a command line can hold NUL."""
    return text.replace("\0", "\ufffd")


@settings(deadline=None, max_examples=60)
@example("\0")
@example("^,^")
@given(HOSTILE)
def test_it_reaches_gcloud_as_text(text: str) -> None:
    key = text.replace("=", "").replace("\0", "") or "k"
    window = {"start_time": "2026-01-03T01:00:00Z", "end_time": "2026-01-03T09:00:00Z", "recurrence": text}
    period = {"start_time": "2026-01-03T01:00:00Z", "end_time": "2026-01-03T09:00:00Z"}
    data = standard(
        pool(
            disk_type=text,
            oauth_scopes=[text, f"{text}2"],
            labels={"a": text, f"key{key}": "b"},
            taints=[{"key": f"key{key}", "value": text, "effect": "NO_EXECUTE"}],
        ),
        cluster={
            "default_pool": {"machine_type": text},
            "resource_labels": {"a": text},
            "maintenance": {"window": window, "exclusions": [{"name": text, **period}]},
        },
        workload={"name": "w", "image": text, "command": text},
    )
    with tempfile.TemporaryDirectory() as name:
        calls = calls_of(script_of(data), Path(name).resolve())
    cluster = flags(next(c for c in calls if c[:3] == ["container", "clusters", "create"])[4:])
    made = flags(next(c for c in calls if c[:3] == ["container", "node-pools", "create"])[4:])
    update = flags(next(c for c in calls if c[:3] == ["container", "clusters", "update"])[4:])
    assert cluster["--machine-type"] == made["--disk-type"] == [shown(text)]
    assert cluster["--maintenance-window-recurrence"] == update["--add-maintenance-exclusion-name"] == [shown(text)]
    assert pairs(cluster["--labels"][0]) == {"a": shown(text)}
    assert items(made["--scopes"][0]) == [shown(text), shown(f"{text}2")]
    labels = pairs(made["--node-labels"][0])
    assert (labels["a"], labels[f"key{key}"]) == (shown(text), "b")
    assert items(made["--node-taints"][0]) == [f"key{key}={shown(text)}:NoExecute"]


@settings(deadline=None, max_examples=25)
@given(st.lists(HOSTILE, min_size=1, max_size=30))
def test_words(texts: list[str]) -> None:
    line = " ".join(quote(text) for text in texts)
    assert "\n" not in line and line.isprintable()
    for locale in ("C", "C.UTF-8"):
        result = subprocess.run(
            ["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, env={"LC_ALL": locale}, check=True
        )
        assert result.stdout.decode("utf-8").split("\0")[:-1] == [shown(text) for text in texts]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(st.sampled_from(",^;<>:a=|"), max_size=6), min_size=1, max_size=5).filter(lambda x: x != [""]))
def test_lists(texts: list[str]) -> None:
    assert items(gcloud_list(texts)) == texts


def test_an_ordinary_list_looks_ordinary() -> None:
    assert gcloud_list(["a=b", "c=d"]) == "a=b,c=d"
    assert gcloud_list(["a,b", "c;d"]) == "^<^a,b<c;d"


def test_the_number_of_lines_does_not_depend_on_it() -> None:
    def script(text: str) -> str:
        data: dict[str, Any] = copy.deepcopy(standard(pool(disk_type=text, labels={"a": text})))
        return script_of(data)

    assert script("a\nb\n").count("\n") == script("x").count("\n")
