"""Functions that make a digest of a string."""

from __future__ import annotations

import base64
import hashlib
import uuid

from generator.hcl.evaluate_base import Failure
from generator.hcl.functions.base import pure
from generator.hcl.types import STRING

_NAMESPACES = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
}


def hexadecimal(name: str, data: bytes) -> str:
    """A digest as `md5`, `sha1`, … write it."""
    return hashlib.new(name, data, usedforsecurity=False).hexdigest()


def in_base64(name: str, data: bytes) -> str:
    """A digest as `base64sha256` and `base64sha512` write it."""
    return base64.b64encode(hashlib.new(name, data, usedforsecurity=False).digest()).decode()


def _declare(function: str, digest: str, write: str) -> None:
    def run(text: str) -> str:
        return (hexadecimal if write == "hex" else in_base64)(digest, text.encode())

    pure(function, STRING, result=STRING)(run)


for _function, _digest, _write in (
    ("md5", "md5", "hex"),
    ("sha1", "sha1", "hex"),
    ("sha256", "sha256", "hex"),
    ("sha512", "sha512", "hex"),
    ("base64sha256", "sha256", "base64"),
    ("base64sha512", "sha512", "base64"),
):
    _declare(_function, _digest, _write)


@pure("uuidv5", STRING, STRING, result=STRING)
def _uuidv5(namespace: str, name: str) -> str:
    base = _NAMESPACES.get(namespace)
    if base is None:
        try:
            base = uuid.UUID(namespace)
        except ValueError:
            raise Failure("the namespace is neither a name that is known nor a UUID") from None
    return str(uuid.uuid5(base, name))
