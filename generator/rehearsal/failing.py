"""What a call of the stand-in provider ends in when it meets a fault: the state that stays, and the provider's words.

The words are those of hashicorp/google 7.45 where they are known; the numbers and the reasons in them are made up.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from generator.catalog.machines import machine_type
from generator.rehearsal.behaviour import Behaviour, Context, Refusal, first
from generator.rehearsal.faults import Fault, Operation
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.wire import Object, complete

# Minutes that the provider waits where `timeouts` says nothing.
_MINUTES = {CLUSTER: {"create": 40, "update": 60, "delete": 40}, NODE_POOL: {"create": 30, "update": 30, "delete": 30}}
_OTHER_MINUTES = 20
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DOING = {"create": "creating", "update": "updating", "delete": "deleting", "read": "reading"}
_GKE_WORDS = {CLUSTER: "GKE cluster", NODE_POOL: "GKE NodePool"}
_COLLECTIONS = {CLUSTER: "clusters", NODE_POOL: "nodePools"}

_NO_PERMISSION = "The caller does not have permission"
# Of what no resource type tells more.
NOT_ALLOWED = f"googleapi: Error 403: {_NO_PERMISSION}, forbidden"

Result = tuple[Object | None, str | None]


def applied(
    fault: Fault, kind: Behaviour, context: Context, prior: Object | None, planned: Object | None, stop: threading.Event
) -> Result:
    """Make, change or delete an object under a fault.

    Args:
        fault: the fault.
        kind: the behaviour of its resource type.
        context: provider and cloud.
        prior: its state before; None for a new one.
        planned: what it is to become; None when it is to go.
        stop: set when Terraform is interrupted.

    Returns:
        The state that stays, and what the provider complains of, if it does. Terraform taints what is new and has both.

    Raises:
        Refusal: nothing is done.
    """
    call = _Call(fault, kind, context, prior, planned)
    if fault.kind in ("permission", "quota"):
        raise Refusal(refused(fault, kind, context, call.about))
    if fault.kind == "slow":
        return call.slow(stop)
    if fault.kind == "timeout":
        return call.timed_out()
    if fault.kind == "unnoticed":
        return call.done(), None
    return call.failed()


def refused(fault: Fault, kind: Behaviour, context: Context, about: Object) -> str:
    """What the provider says when the service refuses a call (403)."""
    known = kind.names(context, about)
    name = known.get("name", known["id"])
    if fault.kind == "quota":
        problem = f"googleapi: Error 403: {_quota(kind.type, known, about)}"
    else:
        problem = f"googleapi: Error 403: {_permission(fault.operation, kind.type, known)}, forbidden"
    if fault.operation == "read":
        return f"Error when reading or editing {_title(kind.type, name, known)}: {problem}"
    if kind.type == CLUSTER or (kind.type == NODE_POOL and fault.operation == "update"):
        return problem
    if kind.type == NODE_POOL:
        return f"{'error' if fault.operation == 'create' else 'Error'} {_DOING[fault.operation]} NodePool: {problem}"
    return f"Error {_DOING[fault.operation]} {_noun(kind.type)}: {problem}"


class _Call:
    """One call that meets a fault."""

    def __init__(
        self, fault: Fault, kind: Behaviour, context: Context, prior: Object | None, planned: Object | None
    ) -> None:
        self.fault, self.kind, self.context, self.prior, self.planned = fault, kind, context, prior, planned
        self.about: Object = planned if planned is not None else prior or {}

    def done(self) -> Object | None:
        """Do what was asked for."""
        return perform(self.kind, self.context, self.prior, self.planned)

    def slow(self, stop: threading.Event) -> Result:
        limit = self._limit()
        interrupted = stop.wait(min(self.fault.seconds, limit))
        if not interrupted and self.fault.seconds > limit:
            return self.timed_out()
        state = self.done()
        if interrupted and self.prior is None and state is not None and "operation" in self.kind.schema.arguments:
            # The provider stops waiting, keeps the operation's name, and waits for it at the next read.
            number = self.kind.names(self.context, state)["number"]
            state = state | {"operation": f"operation-{number}-rehearsal"}
        return state, None

    def timed_out(self) -> Result:
        state = self.done()
        if self.kind.type == NODE_POOL and self.fault.operation == "create" and state is not None:
            return state, f'NodePool "{state["name"]}" has state "PROVISIONING" with message ""'
        wait = (
            f"timeout while waiting for state to become 'DONE' (last state: 'RUNNING', timeout: {_go(self._limit())})"
        )
        return state if self.fault.operation == "create" else self.prior, self._waited(wait)

    def failed(self) -> Result:
        """The operation was accepted, and ended in an error."""
        if self.fault.operation != "create":
            return self.prior, self._waited(self._reason())
        if self.kind.type == NODE_POOL and self.fault.kind == "error":
            state = self.done() or {}
            return state, f'NodePool {state["name"]} was created in the error state "ERROR"'
        if self.kind.type == CLUSTER:
            return self.done(), self._reason()
        return None, self._waited(self._reason())

    def _reason(self) -> str:
        if self.fault.kind == "error":
            return "Internal error in control plane." if self.kind.type == CLUSTER else "Internal error."
        known = self.kind.names(self.context, self.about)
        zone = f"projects/{known['project']}/zones/{known['zone']}"
        count = _nodes(self.about)
        return (
            f"Google Compute Engine: Not all instances running in IGM after 35m7s. Expected {count}, running 0, "
            f"transitioning {count}. Current errors: [GCE_STOCKOUT]: Instance creation failed: The zone '{zone}' does not "
            "have enough resources available to fulfill the request. Try a different zone, or try again later."
        )

    def _waited(self, reason: str) -> str:
        doing = _DOING[self.fault.operation]
        if self.kind.type in _GKE_WORDS:
            return f"Error waiting for {doing} {_GKE_WORDS[self.kind.type]}: {reason}"
        noun = _noun(self.kind.type)
        return (
            f"Error waiting to {self.fault.operation} {noun}: Error waiting for {doing.capitalize()} {noun}: {reason}"
        )

    def _limit(self) -> float:
        """Seconds that the provider waits for this call."""
        operation = self.fault.operation
        written = (self.about.get("timeouts") or {}).get(operation)
        parts = re.findall(r"([\d.]+)(ms|h|m|s)", written) if isinstance(written, str) else []
        if parts:
            return sum(float(number) * _UNITS[unit] for number, unit in parts)
        return 60.0 * _MINUTES.get(self.kind.type, {}).get(operation, _OTHER_MINUTES)


def perform(kind: Behaviour, context: Context, prior: Object | None, planned: Object | None) -> Object | None:
    """Make, change or delete an object; its new state.

    Raises:
        Refusal: the service refuses it.
    """
    if planned is None:
        kind.delete(context, prior or {})
        return None
    act: Callable[[], Object] = (
        (lambda: kind.create(context, deepcopy(planned)))
        if prior is None
        else lambda: kind.update(context, prior, deepcopy(planned))
    )
    return complete(act(), kind.schema)


def _permission(operation: Operation, type_: str, known: dict[str, str]) -> str:
    verb = "get" if operation == "read" else operation
    service, _, rest = type_.removeprefix("google_").partition("_")
    if type_ in _COLLECTIONS:
        place = f"projects/{known['project']}/locations/{known['location']}"
        on = (
            f"projects/{known['project']}"
            if type_ == CLUSTER and verb == "create"
            else f"{place}/clusters/{_cluster(known)}"
        )
        return f'Required "container.{_COLLECTIONS[type_]}.{verb}" permission(s) for "{on}".'
    if service == "compute":
        return f"Required 'compute.{_plural(_camel(rest))}.{verb}' permission for '{known['id']}'"
    return _NO_PERMISSION


def _cluster(known: dict[str, str]) -> str:
    return known.get("cluster") or known.get("name", "")


def _quota(type_: str, known: dict[str, str], about: Any) -> str:
    if type_ not in _COLLECTIONS:
        collection = _plural(type_.removeprefix("google_").partition("_")[2]).upper()
        return f"Quota '{collection}' exceeded.  Limit: 5.0 globally., quotaExceeded"
    machine = machine_type(str(first(about.get("node_config")).get("machine_type")))
    nodes = _nodes(about)
    if machine is None:
        resource, wanted = "CPUS", nodes * 2
    else:
        maker, gpu = machine.accelerator_type.upper().split("-")[:2]
        resource, wanted = f"{maker}_{gpu}_GPUS", nodes * machine.accelerator_count
    return (
        f"Insufficient regional quota to satisfy request: resource \"{resource}\": request requires '{wanted}.0' and is "
        f"short '{wanted}.0'. project has a quota of '0.0' with '0.0' available. View and manage quotas at "
        f"https://console.cloud.google.com/iam-admin/quotas?usage=USED&project={known['project']}., forbidden"
    )


def _nodes(about: Object) -> int:
    counts = (about.get("node_count"), about.get("initial_node_count"))
    return max([1, *(count for count in counts if isinstance(count, int))])


def _title(type_: str, name: str, known: dict[str, str]) -> str:
    if type_ == CLUSTER:
        return f'Container Cluster "{name}"'
    if type_ == NODE_POOL:
        return f'NodePool "{name}" from cluster "{_cluster(known)}"'
    service, _, rest = type_.removeprefix("google_").partition("_")
    return f'{service.capitalize()}{_noun(f"google_{service}_{rest}")} "{known["id"]}"'


def _noun(type_: str) -> str:
    """`google_compute_network_firewall_policy` as NetworkFirewallPolicy."""
    return "".join(part.capitalize() for part in type_.split("_")[2:])


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _plural(name: str) -> str:
    if name.endswith("y"):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith("s") else f"{name}s"


def _go(seconds: float) -> str:
    """Seconds as Go writes a duration: 40m0s."""
    hours, rest = divmod(int(seconds), 3600)
    minutes, left = divmod(rest, 60)
    return (f"{hours}h" if hours else "") + (f"{minutes}m" if hours or minutes else "") + f"{left}s"
