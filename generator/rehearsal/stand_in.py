"""The stand-in for Google's provider: the calls of Terraform's plugin protocol, answered from the schema and a made-up cloud."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from generator.hcl.types import BOOL, STRING, list_of, map_of
from generator.rehearsal import data_sources, failing, validation, wire
from generator.rehearsal.behaviour import Behaviour, Context, Refusal
from generator.rehearsal.choices import DEFAULTS
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.cluster import Cluster
from generator.rehearsal.compute import FIREWALL, NETWORK, Firewall, Network
from generator.rehearsal.faults import Faults, Operation
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.node_pool import NodePool
from generator.rehearsal.utilities import InState, Schemas
from generator.rehearsal.wire import Object, complete, messages, pack, unpack
from generator.schema import provider
from generator.schema.tree import ArgumentSchema, BlockSchema

_KINDS: dict[str, type[Behaviour]] = {CLUSTER: Cluster, FIREWALL: Firewall, NETWORK: Network, NODE_POOL: NodePool}


def _optional(*names: str) -> dict[str, ArgumentSchema]:
    return {name: ArgumentSchema(STRING, optional=True) for name in names}


# What the provider's documentation names, apart from credentials and endpoints of its own, which are refused before this.
PROVIDER_BLOCK = BlockSchema(
    arguments=_optional(
        "access_token",
        "billing_project",
        "credentials",
        "impersonate_service_account",
        "poll_interval",
        "project",
        "region",
        "request_reason",
        "request_timeout",
        "terraform_attribution_label_addition_strategy",
        "universe_domain",
        "zone",
    )
    | {
        "add_terraform_attribution_label": ArgumentSchema(BOOL, optional=True),
        "default_labels": ArgumentSchema(map_of(STRING), optional=True),
        "impersonate_service_account_delegates": ArgumentSchema(list_of(STRING), optional=True),
        "scopes": ArgumentSchema(list_of(STRING), optional=True),
        "user_project_override": ArgumentSchema(BOOL, optional=True),
    },
    blocks={
        "batching": BlockSchema(
            arguments=_optional("send_after") | {"enable_batching": ArgumentSchema(BOOL, optional=True)},
            nesting="list",
            max=1,
        ),
        "external_credentials": BlockSchema(
            arguments=_optional("audience", "identity_token", "service_account_email"), nesting="list", max=1
        ),
    },
)


def _text(value: Any, default: str) -> str:
    return value if isinstance(value, str) and value else default


class _Schemas(Protocol):
    """Where a provider's types are looked up."""

    def resource_types(self) -> frozenset[str]: ...

    def data_types(self) -> frozenset[str]: ...

    def resource(self, type_: str, /) -> BlockSchema | None: ...

    def data(self, type_: str, /) -> BlockSchema | None: ...


class StandIn:
    """The provider, as one provider block configures it. Each method answers the call of the protocol that has its name.

    Args:
        cloud: what it makes, it makes there.
        name: "google", or one of `utilities.NAMES`.
        choices: what GKE adds, by name of `choices.CHOICES`.
        faults: what is to fail.
    """

    def __init__(
        self,
        cloud: Cloud,
        name: str = "google",
        choices: Mapping[str, str] = DEFAULTS,
        faults: Faults | None = None,
    ) -> None:
        self._context = Context(cloud, choices=choices)
        self._faults = faults or Faults()
        self._stopped = threading.Event()
        self._kinds: dict[str, Behaviour] = {}
        self._is_google = name == "google"
        self._schemas: _Schemas = provider if self._is_google else Schemas(name)

    def GetSchema(self, _request: Any) -> Any:  # noqa: N802 - the protocol's names
        """All types that it serves."""
        response = messages().GetProviderSchema.Response(
            provider=wire.schema_message(PROVIDER_BLOCK if self._is_google else BlockSchema())
        )
        for type_ in sorted(self._schemas.resource_types()):
            response.resource_schemas[type_].CopyFrom(wire.schema_message(self._resource(type_)))
        for type_ in sorted(self._schemas.data_types()):
            response.data_source_schemas[type_].CopyFrom(wire.schema_message(self._data(type_)))
        return response

    def PrepareProviderConfig(self, request: Any) -> Any:  # noqa: N802
        """Takes the provider block as it is."""
        return messages().PrepareProviderConfig.Response(prepared_config=request.config)

    def Configure(self, request: Any) -> Any:  # noqa: N802
        """Remembers project, region, zone and labels; what is not known yet keeps its default."""
        config = unpack(request.config) or {}
        labels = config.get("default_labels")
        attribution = config.get("add_terraform_attribution_label") is not False
        self._stopped.clear()
        default = Context(self._context.cloud)
        self._context = Context(
            default.cloud,
            project=_text(config.get("project"), default.project),
            region=_text(config.get("region"), default.region),
            zone=_text(config.get("zone"), default.zone),
            labels=labels if isinstance(labels, dict) and wire.is_wholly_known(labels) else {},
            attribution=attribution,
            choices=self._context.choices,
        )
        return messages().Configure.Response()

    def ValidateResourceTypeConfig(self, request: Any) -> Any:  # noqa: N802
        """What the provider refuses without asking anyone."""
        found = validation.diagnostics(self._resource(request.type_name), unpack(request.config))
        return messages().ValidateResourceTypeConfig.Response(diagnostics=found)

    def ValidateDataSourceConfig(self, request: Any) -> Any:  # noqa: N802
        """The same for a data source."""
        found = validation.diagnostics(self._data(request.type_name), unpack(request.config))
        return messages().ValidateDataSourceConfig.Response(diagnostics=found)

    def UpgradeResourceState(self, request: Any) -> Any:  # noqa: N802
        """A state of the same version; only arguments that are new to it are added."""
        raw = json.loads(request.raw_state.json)
        state = complete(raw, self._resource(request.type_name))
        return messages().UpgradeResourceState.Response(upgraded_state=pack(state))

    def ReadResource(self, request: Any) -> Any:  # noqa: N802
        """The object as it is now."""
        state = unpack(request.current_state)
        response = messages().ReadResource.Response(private=request.private)
        try:
            found = self._read(request.type_name, state)
        except Refusal as refusal:
            response.new_state.CopyFrom(request.current_state)
            response.diagnostics.append(wire.error(str(refusal)))
            return response
        if found is not None:
            found = found | {"timeouts": state.get("timeouts")} if "timeouts" in state else found
        response.new_state.CopyFrom(pack(found))
        return response

    def PlanResourceChange(self, request: Any) -> Any:  # noqa: N802
        """What becomes of the object."""
        prior, proposed = unpack(request.prior_state), unpack(request.proposed_new_state)
        response = messages().PlanResourceChange.Response(
            planned_private=request.prior_private, legacy_type_system=True
        )
        if proposed is None:
            response.planned_state.CopyFrom(request.proposed_new_state)
            return response
        kind, context = self._kind(request.type_name), self._context_of(request)
        try:
            if prior is None:
                response.planned_state.CopyFrom(pack(kind.plan_creation(context, proposed)))
                return response
            change = kind.plan_update(context, prior, proposed)
        except Refusal as refusal:
            response.diagnostics.append(wire.error(str(refusal)))
            return response
        response.planned_state.CopyFrom(pack(change.value))
        response.requires_replace.extend(wire.path_message(path) for path in change.replace)
        return response

    def ApplyResourceChange(self, request: Any) -> Any:  # noqa: N802
        """Make, change or delete the object; after a refusal the state is what it was."""
        prior, planned = unpack(request.prior_state), unpack(request.planned_state)
        kind, context = self._kind(request.type_name), self._context_of(request)
        response = messages().ApplyResourceChange.Response(private=request.planned_private, legacy_type_system=True)
        operation: Operation = "delete" if planned is None else "create" if prior is None else "update"
        try:
            problem = None
            silent = prior is not None and planned is not None and not kind.sends(prior, planned)
            fault = None if silent else self._faults.meet(operation, request.type_name)
            if fault is None:
                state = failing.perform(kind, context, prior, planned)
            else:
                state, problem = failing.applied(fault, kind, context, prior, planned, self._stopped)
        except Refusal as refusal:
            state, problem = prior, str(refusal)
        if problem is not None:
            response.diagnostics.append(wire.error(problem))
        response.new_state.CopyFrom(pack(state))
        return response

    def ImportResourceState(self, request: Any) -> Any:  # noqa: N802
        """An object of the cloud by its id."""
        kind = self._kind(request.type_name)
        found = kind.read(self._context, {"id": request.id})
        response = messages().ImportResourceState.Response()
        if found is None:
            response.diagnostics.append(wire.error("Cannot import non-existent remote object", request.id))
        else:
            response.imported_resources.add(type_name=request.type_name, state=pack(found))
        return response

    def ReadDataSource(self, request: Any) -> Any:  # noqa: N802
        """What is looked up."""
        type_, config = request.type_name, unpack(request.config)
        response = messages().ReadDataSource.Response()
        kind = self._kind(type_) if type_ in self._schemas.resource_types() else None
        try:
            self._meet_at_read(type_, kind, config)
            found = data_sources.read(self._context, type_, self._data(type_), config, kind)
        except Refusal as refusal:
            response.diagnostics.append(wire.error(str(refusal)))
            return response
        response.state.CopyFrom(pack(found))
        return response

    def Stop(self, _request: Any) -> Any:  # noqa: N802
        """Waiting ends; what was begun goes on."""
        self._stopped.set()
        return messages().Stop.Response()

    def _read(self, type_: str, state: Object | None) -> Object | None:
        if state is None:
            return None
        kind = self._kind(type_)
        self._meet_at_read(type_, kind, state)
        return kind.read(self._context, state)

    def _meet_at_read(self, type_: str, kind: Behaviour | None, about: Object) -> None:
        fault = self._faults.meet("read", type_)
        if fault is None:
            return
        self._stopped.wait(fault.seconds)
        if fault.kind != "slow":
            raise Refusal(failing.NOT_ALLOWED if kind is None else failing.refused(fault, kind, self._context, about))

    def _context_of(self, request: Any) -> Context:
        return replace(self._context, config=unpack(request.config) or {})

    def _kind(self, type_: str) -> Behaviour:
        if type_ not in self._kinds:
            class_ = _KINDS.get(type_, Behaviour) if self._is_google else InState
            self._kinds[type_] = class_(type_, self._resource(type_))
        return self._kinds[type_]

    def _resource(self, type_: str) -> BlockSchema:
        schema = self._schemas.resource(type_)
        assert schema is not None, type_
        return schema

    def _data(self, type_: str) -> BlockSchema:
        schema = self._schemas.data(type_)
        assert schema is not None, type_
        return schema
