"""How a resource of the stand-in cloud is planned, made, read, changed and deleted, when nothing is special about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.rehearsal.answers import answers, fill, names, substitute
from generator.rehearsal.choices import DEFAULTS
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.planning import Change, plan_creation, plan_update
from generator.rehearsal.suppress import relative, suppressor
from generator.rehearsal.wire import UNKNOWN, Object, complete, is_wholly_known
from generator.schema.tree import BlockSchema

_ATTRIBUTION = "goog-terraform-provisioned"
# Arguments that guide the provider, and that no service hears of.
_OWN = frozenset({"deletion_policy", "deletion_protection", "timeouts"})
_COMPUTE = "https://www.googleapis.com/compute/v1/"
_LINKS = {"network": "projects/$project/global/networks", "subnetwork": "projects/$project/regions/$region/subnetworks"}


class Refusal(Exception):
    """What the provider or the service answers instead of doing it; the text goes to the user of Terraform."""


def api_error(code: int, message: str, reason: str) -> Refusal:
    """A refusal of the service, as the provider words it."""
    return Refusal(f"googleapi: Error {code}: {message}, {reason}")


@dataclass(frozen=True, slots=True)
class Context:
    """What the provider block says, and the cloud.

    Attributes:
        cloud: where the objects are.
        project: the provider's; like region and zone never empty, since a folder may leave them to the environment.
        labels: `default_labels`.
        attribution: whether new resources get the label that names Terraform.
        config: what the user wrote for the object at hand.
        choices: what GKE adds, by name of `choices.CHOICES`.
    """

    cloud: Cloud
    project: str = "rehearsal-project"
    region: str = "us-central1"
    zone: str = "us-central1-a"
    labels: Mapping[str, str] = field(default_factory=dict)
    attribution: bool = True
    config: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=lambda: DEFAULTS)

    def refuses(self) -> bool:
        """Whether the service refuses what it is publicly known to refuse."""
        return self.choices["strict"] == "on"


class Behaviour:
    """A resource type of which the schema says all.

    Args:
        type_: its name.
        schema: its arguments.
    """

    def __init__(self, type_: str, schema: BlockSchema) -> None:
        self.type = type_
        self.schema = schema

    def plan_creation(self, context: Context, proposed: Object) -> Object:
        """The planned object of a new resource.

        Raises:
            Refusal: the provider refuses the configuration.
        """
        planned = plan_creation(self.schema, proposed)
        self._settle(context, planned, None)
        return planned

    def plan_update(self, context: Context, prior: Object, proposed: Object) -> Change:
        """What a changed configuration means for an existing resource."""
        change = plan_update(self.schema, prior, proposed, suppressor(self.type))
        settled = dict(change.value)
        self._settle(context, settled, prior)
        if settled != change.value:
            change.value, change.differs = settled, True
        return change

    def create(self, context: Context, planned: Object) -> Object:
        """Make it.

        Raises:
            Refusal: the service refuses it, or it is there already.
        """
        known = self.names(context, planned)
        planned["id"] = known["id"]
        if context.cloud.get(self.type, planned["id"]) is not None:
            raise api_error(409, f"Already exists: {planned['id']}.", "alreadyExists")
        fill(self.schema, planned, answers(self.type).values, known)
        self._link(planned, known)
        context.cloud.put(self.type, planned["id"], planned)
        return planned

    def update(self, context: Context, prior: Object, planned: Object) -> Object:
        """Change it in place."""
        known = self.names(context, planned)
        fill(self.schema, planned, answers(self.type).values, known)
        self._link(planned, known)
        context.cloud.put(self.type, prior["id"], planned)
        return planned

    def sends(self, prior: Object, planned: Object) -> bool:
        """Whether an update asks the service for anything."""
        return any(planned.get(name) != prior.get(name) for name in planned if name not in _OWN)

    def read(self, context: Context, state: Object) -> Object | None:
        """What it is now; None when it is gone."""
        found = context.cloud.get(self.type, str(state.get("id")))
        return None if found is None else complete(found, self.schema)

    def delete(self, context: Context, prior: Object) -> None:
        """Delete it.

        Raises:
            Refusal: it is protected.
        """
        context.cloud.remove(self.type, prior["id"])

    def names(self, context: Context, object_: Object) -> dict[str, str]:
        """What `$names` in answers mean for an object, `id` with them."""
        known = names(object_, context.project, context.region, context.zone)
        return known | {"id": substitute(answers(self.type).id, known)}

    def _link(self, object_: Object, known: Mapping[str, str]) -> None:
        """Answer networks by their link, however they are written: GKE by the relative one, Compute Engine by the whole."""
        for name, form in _LINKS.items():
            written = object_.get(name)
            if name in self.schema.arguments and isinstance(written, str) and written:
                link = relative(written) if "/" in written else substitute(f"{form}/{written}", known)
                whole = link.startswith("projects/") and not self.type.startswith("google_container_")
                object_[name] = f"{_COMPUTE}{link}" if whole else link

    def _settle(self, context: Context, planned: Object, prior: Object | None) -> None:
        """Fill in what the provider knows before it asks the service."""
        for name, value in (("project", context.project), ("region", context.region), ("zone", context.zone)):
            if planned.get(name) is UNKNOWN:
                planned[name] = value
        if planned.get("deletion_policy") is UNKNOWN:
            planned["deletion_policy"] = "DELETE"
        if "terraform_labels" in self.schema.arguments:
            self._settle_labels(context, planned, prior)

    def _settle_labels(self, context: Context, planned: Object, prior: Object | None) -> None:
        written = planned.get("resource_labels" if "resource_labels" in self.schema.arguments else "labels")
        if not is_wholly_known(written):
            planned["terraform_labels"] = planned["effective_labels"] = UNKNOWN
            return
        before: Mapping[str, str] = (prior or {}).get("effective_labels") or {}
        ours = dict(context.labels)
        if context.attribution and (prior is None or _ATTRIBUTION in before):
            ours[_ATTRIBUTION] = "true"
        ours |= written or {}
        dropped = (prior or {}).get("terraform_labels") or {}
        kept = {name: value for name, value in before.items() if name not in dropped}
        for name, value in (("terraform_labels", ours), ("effective_labels", kept | ours)):
            if value != (planned.get(name) or {}) or planned.get(name) is UNKNOWN:
                planned[name] = value


def first(rows: Any) -> Object:
    """The only row of a block; empty when it is not written or not known."""
    return rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
