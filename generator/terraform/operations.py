"""What GKE says of the operation that made a node pool or cluster: Terraform's own message loses it, and at times the failure too.

Facts of hashicorp/google 7.45: a pool that is left in the state ERROR is reported without the operation's text, and a pool
that runs although its operation failed is reported as made.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from generator.terraform import binary, process
from generator.terraform.session import Session

POOL, CLUSTER = "google_container_node_pool", "google_container_cluster"
_ID = re.compile(
    r"projects/(?P<project>[^/]+)/locations/(?P<location>[^/]+)/clusters/(?P<cluster>[^/]+)(?:/nodePools/(?P<pool>[^/]+))?"
)
_TYPES = {POOL: "CREATE_NODE_POOL", CLUSTER: "CREATE_CLUSTER"}
# gcloud answers within seconds, or waits for something that it will not get.
_PATIENCE = 60.0
# How far this machine's clock may be ahead of Google's, in seconds.
_SKEW = 300.0


@dataclass(frozen=True, slots=True)
class Operation:
    """The newest operation that made something.

    Attributes:
        failed: it ended in an error.
        reason: GKE's text about that.
    """

    failed: bool
    reason: str


def command(type_: str, values: Mapping[str, Any]) -> list[str] | None:
    """The gcloud command that shows the operation; None when the resource's values do not say enough.

    Args:
        type_: resource type.
        values: of the resource, as a plan or a state has them.
    """
    known = {name: values.get(name) for name in ("project", "location", "name")}
    cluster = str(values.get("cluster") or "").rpartition("/")[2]
    if (
        type_ not in _TYPES
        or not all(isinstance(v, str) and v for v in known.values())
        or (type_ == POOL and not cluster)
    ):
        return None
    target = f"/clusters/{cluster}/nodePools/{known['name']}$" if type_ == POOL else f"/clusters/{known['name']}$"
    return [
        *("gcloud", "container", "operations", "list"),
        *("--project", str(known["project"]), "--location", str(known["location"])),
        f"--filter=operationType={_TYPES[type_]} AND targetLink~{target}",
        *("--sort-by=~startTime", "--limit=1", "--format=json"),
    ]


def parts_of_id(id_: str) -> dict[str, str]:
    """What the id of a node pool or cluster tells: project, location, cluster, name."""
    found = _ID.fullmatch(id_)
    if found is None:
        return {}
    if found["pool"] is None:
        return {"project": found["project"], "location": found["location"], "name": found["cluster"]}
    return {**{name: found[name] for name in ("project", "location", "cluster")}, "name": found["pool"]}


def shown(asking: list[str]) -> str:
    """A command as it is typed, with an answer for people."""
    return shlex.join([*asking[:-1], "--format=value(status,statusMessage)"])


def ask(at: Session, asking: list[str]) -> Operation | None:
    """Run the command where gcloud is there; None when it is not, or has no answer about what was begun in this session."""
    program = binary.on_path("gcloud", at.environment.get("PATH", ""))
    if not program:
        return None
    environment = at.environment | {"CLOUDSDK_CORE_DISABLE_PROMPTS": "1"}
    try:
        done = process.run(
            [*program, *asking[1:]],
            directory=Path.cwd(),
            environment=environment,
            signals=at.signals,
            timeout=_PATIENCE,
            grace=5.0,
        )
        found = json.loads(done.stdout)[0]
        failed = bool(found.get("error")) or found.get("status") == "ABORTING"
        reason = (found.get("error") or {}).get("message") or found.get("statusMessage") or found.get("detail") or ""
        started = found.get("startTime")
        if started and datetime.fromisoformat(started).timestamp() < at.begun - _SKEW:
            return None
    except (process.NotStarted, ValueError, LookupError, AttributeError, TypeError):
        return None
    return Operation(failed or bool(found.get("statusMessage")), at.hide(" ".join(str(reason).split())))
