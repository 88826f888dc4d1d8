"""Differences that the provider does not count as such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.rehearsal.planning import is_unset

_LINK = "googleapis.com/"


def suppressor(type_: str) -> Callable[[str, Any, Any], bool]:
    """For a resource type: whether the difference of two values at a dotted path is ignored."""

    def ignored(path: str, old: Any, new: Any) -> bool:
        last = path.rpartition(".")[2]
        if last in _BY_NAME:
            return _BY_NAME[last](old, new)
        whole = _BY_PATH.get((type_, path))
        return whole(old, new) if whole else False

    return ignored


def relative(link: str) -> str:
    """A self link without its host and API version: `projects/p/global/networks/n`."""
    _, found, rest = link.partition(_LINK)
    if not found:
        return link
    start = rest.find("projects/")
    return rest[start:] if start >= 0 else rest


def _same_link(old: Any, new: Any) -> bool:
    """Equal links, whole or relative; or a name that ends the link."""
    if not isinstance(old, str) or not isinstance(new, str):
        return False
    if "/" not in new:
        return old.rpartition("/")[2] == new
    return relative(old) == relative(new)


def _same_path(old: Any, new: Any) -> bool:
    return isinstance(old, str) and isinstance(new, str) and relative(old) == relative(new)


def _same_case(old: Any, new: Any) -> bool:
    return str(old or "").upper() == str(new or "").upper()


def _same_size(old: Any, new: Any) -> bool:
    """The user wrote a size (`/14`), the service chose the block."""
    return isinstance(old, str) and isinstance(new, str) and new.startswith("/") and old.endswith(new)


def _default(name: str) -> Callable[[Any, Any], bool]:
    """Unset and the default are the same."""

    def same(old: Any, new: Any) -> bool:
        return {old or name, new or name} == {name}

    return same


def _own_labels(old: Any, new: Any) -> bool:
    """Labels that GKE adds for itself."""
    kept = {k: v for k, v in (old or {}).items() if not k.startswith("goog-gke")}
    return bool(kept == (new or {}))


def _no_private_cluster(old: Any, new: Any) -> bool:
    """A private cluster block that says nothing private, beside none."""
    rows = [*(old or []), *(new or [])]
    says = ("enable_private_endpoint", "enable_private_nodes", "private_endpoint_subnetwork")
    return not any(not is_unset(row.get(name)) for row in rows for name in says)


def _disabled_and_gone(old: Any, new: Any) -> bool:
    return bool(old) and not new and not old[0].get("enabled")


def _encrypted(old: Any, new: Any) -> bool:
    return {old, new} == {"ENCRYPTED", "ALL_OBJECTS_ENCRYPTION_ENABLED"}


_BY_NAME: dict[str, Callable[[Any, Any], bool]] = {
    "cluster_ipv4_cidr_block": _same_size,
    "gpudirect_strategy": _same_case,
    "image_type": _same_case,
    "key_ring": _same_path,
    "member": _same_case,
    "network": _same_link,
    "network_profile": _same_path,
    "pod_ipv4_cidr_block": _same_size,
    "private_endpoint_subnetwork": _same_link,
    "protocol": _same_case,
    "region": _same_link,
    "resource_labels": _own_labels,
    "resource_link": _same_path,
    "router": _same_link,
    "services_ipv4_cidr_block": _same_size,
    "subnetwork": _same_link,
    "type": _same_link,
    "zone": _same_link,
    "cgroup_mode": _default("CGROUP_MODE_UNSPECIFIED"),
    "datapath_provider": _default("DATAPATH_PROVIDER_UNSPECIFIED"),
    "desired_tier": _default("CLUSTER_TIER_UNSPECIFIED"),
    "transparent_hugepage_defrag": _default("TRANSPARENT_HUGEPAGE_DEFRAG_UNSPECIFIED"),
    "transparent_hugepage_enabled": _default("TRANSPARENT_HUGEPAGE_ENABLED_UNSPECIFIED"),
    "vulnerability_mode": _default("VULNERABILITY_MODE_UNSPECIFIED"),
}

_BY_PATH: dict[tuple[str, str], Callable[[Any, Any], bool]] = {
    ("google_container_cluster", "database_encryption.state"): _encrypted,
    ("google_container_cluster", "network_policy"): _disabled_and_gone,
    ("google_container_cluster", "network_policy.provider"): _default("PROVIDER_UNSPECIFIED"),
    ("google_container_cluster", "private_cluster_config"): _no_private_cluster,
    ("google_container_cluster", "security_posture_config.mode"): _default("MODE_UNSPECIFIED"),
    ("google_project_service", "project"): _same_link,
    ("google_project_iam_member", "project"): _same_link,
}
