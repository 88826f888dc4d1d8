"""After an apply that failed or was interrupted: what exists now, what the next plan will do, and what GKE says about it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import UserError, UserErrors
from generator.terraform import operations
from generator.terraform.driver import Outcome
from generator.terraform.planned import PlannedChange
from generator.terraform.session import Session

_ROWS = 30


@dataclass(frozen=True, slots=True)
class _Known:
    """A resource in the state.

    Attributes:
        values: its arguments.
        tainted: the next plan replaces it.
    """

    values: Mapping[str, Any]
    tainted: bool


def tell(
    at: Session, outcome: Outcome, changes: Sequence[PlannedChange], directory: Path, *, interrupted: bool
) -> None:
    """Say what was done, what was begun and what was not, and how to go on.

    Args:
        at: the session; Terraform has ended.
        outcome: what it has said.
        changes: of the plan.
        directory: the folder, as the user wrote it.
        interrupted: it did not fail by itself.
    """
    wanted = [c for c in changes if c.matters and c.mode == "managed"]
    if not outcome.begun or not wanted:
        return
    state = _state(at)
    rows = [line for change in wanted for line in _row(change, outcome, state, interrupted)]
    say = at.listener.say
    say("what there is now:")
    for line in rows[:_ROWS]:
        say(at.hide(f"  {line}"))
    if len(rows) > _ROWS:
        say(f"  … and {len(rows) - _ROWS} more")
    for change in wanted:
        _tell_reason(at, change, outcome, state)
    say(f"the plan is of no more use; see what is left with: gke-rdma plan {shlex.quote(str(directory))}")


def doubts(at: Session, outcome: Outcome, changes: Sequence[PlannedChange]) -> tuple[list[str], list[str]]:
    """What Terraform reports as made, but GKE perhaps not.

    Args:
        at: the session; Terraform has ended well.
        outcome: what it has said.
        changes: of the plan.

    Returns:
        Problems that GKE tells of, and commands that ask for them where gcloud is not there or has no answer.
    """
    problems, commands = [], []
    made = {address for address, action in outcome.done if action == "create"}
    for change in changes:
        if change.address not in made or change.type != operations.POOL:
            continue
        # A plan that also makes the cluster may not know yet how that is called; the id of what was made tells.
        known = {name: value for name, value in _after(change).items() if value is not None}
        asking = operations.command(change.type, operations.parts_of_id(outcome.ids.get(change.address, "")) | known)
        if asking is None:
            continue
        found = operations.ask(at, asking)
        if found is None:
            commands.append(at.hide(operations.shown(asking)))
        elif found.failed:
            problems.append(
                f"{change.address}: Terraform reports it as made, but its operation failed in GKE: {found.reason}"
            )
    return problems, commands


def _state(at: Session) -> dict[str, _Known] | None:
    """What the state holds; None when it cannot be read."""
    try:
        values = at.terraform.show_state().get("values") or {}
    except (UserError, UserErrors):
        return None
    return dict(_resources(values.get("root_module") or {}))


def _resources(module: Mapping[str, Any]) -> Iterator[tuple[str, _Known]]:
    for resource in module.get("resources", ()):
        if not resource.get("deposed_key"):
            yield resource["address"], _Known(resource.get("values") or {}, bool(resource.get("tainted")))
    for child in module.get("child_modules", ()):
        yield from _resources(child)


def _row(
    change: PlannedChange, outcome: Outcome, state: Mapping[str, _Known] | None, interrupted: bool
) -> Iterator[str]:
    address = change.address
    known = state.get(address) if state is not None else None
    actions = [action for done, action in outcome.done if done == address]
    if known is not None and known.tainted:
        yield f"{address}: in the state, but tainted: the next plan replaces it"
    elif known is not None and known.values.get("operation"):
        yield f"{address}: GKE is still at work on it ({known.values['operation']}); the next plan waits for that"
    elif actions and address not in outcome.failed:
        yield f"{address}: done ({', '.join(actions)})"
    elif address not in outcome.begun:
        yield f"{address}: not begun"
    elif state is None:
        yield f"{address}: begun, and not finished"
    elif known is not None:
        yield f"{address}: in the state, not as planned: the next plan tries again"
    elif "create" in change.actions:
        yield f"{address}: not in the state: the next plan creates it"
        if interrupted:
            yield f"  what was being made may come up all the same; then: terraform import {_import(change)}"
    else:
        yield f"{address}: gone"


def _import(change: PlannedChange) -> str:
    """Address and id for `terraform import`; what is not known of the id stands there in capitals."""
    after = _after(change)
    names = {
        operations.POOL: ("project", "location", "cluster", "name"),
        operations.CLUSTER: ("project", "location", "name"),
    }
    parts = [str(after.get(name) or name.upper()).rpartition("/")[2] for name in names.get(change.type, ())]
    return f"{shlex.quote(change.address)} {shlex.quote('/'.join(parts) or 'ID')}"


def _after(change: PlannedChange) -> Mapping[str, Any]:
    after = change.data.get("change", {}).get("after")
    return after if isinstance(after, dict) else {}


def _tell_reason(at: Session, change: PlannedChange, outcome: Outcome, state: Mapping[str, _Known] | None) -> None:
    """Say why GKE failed to make something, where Terraform's message does not."""
    known = (state or {}).get(change.address)
    if change.address not in outcome.failed or known is None or not known.tainted:
        return
    asking = operations.command(change.type, known.values)
    if asking is None:
        return
    found = operations.ask(at, asking)
    if found is not None and found.reason:
        at.listener.say(f"{change.address}: GKE says: {found.reason}")
    else:
        at.listener.say(at.hide(f"why {change.address} failed, GKE says with: {operations.shown(asking)}"))
