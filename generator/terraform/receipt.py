"""The receipt: what a plan was made from and how it was judged, so that `apply` can tell whether that still holds.

It holds digests, no values. It guards against accidents and is no signature.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from generator import __version__
from generator.errors import RefusedError, ToolError
from generator.terraform.inputs import canonical

VERSION = 1
_AGAIN = "make a new plan: gke-rdma plan DIR"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was true when the plan was made and checked.

    Attributes:
        plan: sha256 of the plan file.
        product: "Terraform" or "OpenTofu".
        terraform_version: "1.11.4".
        files: sha256 of each configuration file, automatic variable file and the lock file, by path relative to the folder.
        var_files: sha256 of each file given with `--var-file`.
        backend: sha256 of the backend's settings; None when they are not recorded on this machine.
        workspace: name of the workspace.
        salt: key of the digests of values, random for each receipt.
        variables: keyed digest of each variable's value in the plan.
        given: keyed digest of each text given, by `--var NAME` or `TF_VAR NAME`.
        ephemeral: names of ephemeral variables; their values are nowhere here.
        findings: sha256 of the findings.
        allow_replace: addresses whose replacement was allowed.
        allow_destroy: addresses whose destruction was allowed.
        created: seconds since 1970, UTC.
        applied: when it was applied; None before that.
        program: our version.
    """

    plan: str
    product: str
    terraform_version: str
    files: dict[str, str]
    var_files: list[str]
    backend: str | None
    workspace: str
    salt: str
    variables: dict[str, str]
    given: dict[str, str]
    ephemeral: list[str]
    findings: str
    allow_replace: list[str]
    allow_destroy: list[str]
    created: float = field(default_factory=time.time)
    applied: float | None = None
    program: str = __version__


def path_of(plan: Path) -> Path:
    """Where the receipt of a plan file lies."""
    return plan.with_name(plan.name + ".receipt.json")


def new_salt() -> str:
    """A fresh random key for the digests of values."""
    return secrets.token_hex(16)


def sealed(salt: str, name: str, text: str) -> str:
    """Keyed digest of a value: equal values of two variables have different digests."""
    return hmac.new(bytes.fromhex(salt), f"{name}\0{text}".encode(errors="surrogatepass"), hashlib.sha256).hexdigest()


def sealed_values(salt: str, values: Mapping[str, object]) -> dict[str, str]:
    """Keyed digests of values as the plan's JSON has them."""
    return {name: sealed(salt, name, canonical(value)) for name, value in values.items()}


def digest(path: Path) -> str:
    """sha256 of a file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def findings_digest(lines: Iterable[str]) -> str:
    """sha256 of findings, each as a line."""
    return hashlib.sha256("\n".join(sorted(lines)).encode(errors="surrogatepass")).hexdigest()


def write(receipt: Receipt, plan: Path) -> Path:
    """Write a receipt beside its plan, whole or not at all, mode 0600.

    Returns:
        Where it lies.

    Raises:
        ToolError: there is no room for it, or the folder takes no file.
    """
    path = path_of(plan)
    body = asdict(receipt)
    text = json.dumps({"version": VERSION, "seal": _seal(body), "receipt": body}, indent=1) + "\n"
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".receipt-", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        Path(temporary).replace(path)
    except OSError as error:
        raise ToolError(
            f"the receipt cannot be written: {error.strerror}", hint="make room on the disk, then plan again", path=path
        ) from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
    return path


def read(plan: Path) -> Receipt:
    """The receipt of a plan.

    Raises:
        RefusedError: there is none, or it is not what we wrote.
    """
    path = path_of(plan)
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise RefusedError(
            f"{plan} has no receipt: it was not made by `gke-rdma plan`, or its check found something",
            hint=_AGAIN,
            path=path,
        ) from None
    except (OSError, ValueError, RecursionError):
        raise RefusedError("the receipt cannot be read: it is damaged or cut off", hint=_AGAIN, path=path) from None
    body = data.get("receipt") if isinstance(data, dict) else None
    if not isinstance(body, dict) or data.get("version") != VERSION:
        raise RefusedError("this is not a receipt that this version of gke-rdma writes", hint=_AGAIN, path=path)
    if data.get("seal") != _seal(body) or set(body) != {f.name for f in fields(Receipt)}:
        raise RefusedError("the receipt was changed after it was written", hint=_AGAIN, path=path)
    return Receipt(**body)


def _seal(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
