"""What a spec becomes, in forms that can be compared with the snippets of Google's page."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import yaml

from generator.hcl.project import Options, Project
from generator.render.files import folder_files
from generator.schema.provider import types_of_interest
from generator.spec.document import Document
from generator.spec.load import check
from generator.view import ModuleTree
from generator.view.text import trees

Spec = dict[str, Any]

RECORDER = r"""
gcloud() {
  if [[ $1 == version ]]; then
    echo "Google Cloud SDK 578.0.0"
    return
  fi
  printf '%s\0' "$@" END >>"$CALLS"
  case "$*" in
    *enableMultiNetworking*) echo True ;;
    *datapathProvider*) echo ADVANCED_DATAPATH ;;
    *--format=*) ;;
    *clusters\ describe*) return "$MISSING" ;;
    *describe*) return 1 ;;
  esac
}
kubectl() {
  cat >/dev/null
}
"""


def files_of(spec: Spec) -> dict[str, str]:
    return folder_files(check(Document(spec), "rdma.yaml"))


def tree_of(files: dict[str, str], folder: Path) -> ModuleTree:
    for name, text in files.items():
        if "/" not in name and name.endswith((".tf", ".tfvars")):
            (folder / name).write_text(text, encoding="utf-8")
    (tree,) = trees(Project(folder, Options(types_of_interest(), folders=[folder])), [folder])
    return tree


def documents(text: str) -> list[dict[str, Any]]:
    return [d for d in yaml.safe_load_all(text) if d is not None]


def gcloud_calls(script: str, folder: Path, *, exists: bool = False) -> list[list[str]]:
    """What the script calls gcloud with; nothing is there, but for the cluster where it `exists`."""
    path, calls = folder / "create.sh", folder / "calls"
    path.write_text(RECORDER + script, encoding="utf-8")
    calls.unlink(missing_ok=True)
    environment = {"PATH": "/usr/bin:/bin", "CALLS": str(calls), "MISSING": "0" if exists else "1"}
    subprocess.run(["bash", str(path)], env=environment, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    found: list[list[str]] = [[]]
    for word in calls.read_text().split("\0")[:-1]:
        if word == "END":
            found.append([])
        else:
            found[-1].append(word)
    return found[:-1]


def words(call: list[str]) -> list[str]:
    """A call with every flag and its value as one word: `--scopes X` is `--scopes=X`."""
    joined: list[str] = []
    for word in call:
        if joined and joined[-1].startswith("--") and "=" not in joined[-1] and not word.startswith("--"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined
