"""What Kubernetes, Google Cloud and GKE take in labels, taints, access scopes and maintenance windows."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from generator.catalog.store import load

_LABEL_TEXT = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")
_DNS_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


@cache
def _entry(name: str) -> Any:
    return load("limits")[name]


def is_label_key(text: str) -> bool:
    """Whether Kubernetes takes it as the key of a label or taint: a name, or `PREFIX/NAME` with a DNS subdomain."""
    limits = _entry("kubernetes_name")
    prefix, slash, name = text.rpartition("/")
    if slash and (len(prefix) > limits["prefix_characters"] or _DNS_SUBDOMAIN.fullmatch(prefix) is None):
        return False
    return len(name) <= limits["characters"] and _LABEL_TEXT.fullmatch(name) is not None


def is_label_value(text: str) -> bool:
    """Whether Kubernetes takes it as the value of a label or taint."""
    return not text or (
        len(text) <= _entry("kubernetes_name")["characters"] and _LABEL_TEXT.fullmatch(text) is not None
    )


def is_resource_label_key(text: str) -> bool:
    """Whether Google Cloud takes it as the key of a label of a resource."""
    return is_resource_label_value(text) and unicodedata.category(text[:1] or "-") in ("Ll", "Lo")


def is_resource_label_value(text: str) -> bool:
    """Whether Google Cloud takes it as the value of a label of a resource: small and international letters, digits, `_`, `-`."""
    return len(text) <= _entry("resource_label")["characters"] and all(
        c in "_-" or (kind := unicodedata.category(c)) in ("Ll", "Lo") or kind.startswith("N") for c in text
    )


def resource_labels() -> int:
    """How many labels a resource can have."""
    return int(_entry("resource_label")["count"])


def is_oauth_scope(text: str) -> bool:
    """Whether it is an access scope, written in full or by an alias that the provider knows."""
    facts = _entry("oauth_scope")
    rest = text.removeprefix(facts["prefix"])
    return text in facts["aliases"] or (rest != text and re.fullmatch(r"[a-z0-9._/-]+", rest) is not None)


def shortest_window() -> int:
    """Hours that a maintenance window has to last at least to count."""
    return int(_entry("maintenance")["window_hours"])


def maintenance_hours() -> int:
    """Hours that maintenance windows have to offer within any `maintenance_days`."""
    return int(_entry("maintenance")["hours"])


def maintenance_days() -> int:
    """The span that `maintenance_hours` is counted in."""
    return int(_entry("maintenance")["days"])


def refused_frequencies() -> tuple[str, ...]:
    """Values of FREQ that RFC 5545 knows and GKE refuses."""
    return tuple(_entry("maintenance")["refused_frequencies"])
