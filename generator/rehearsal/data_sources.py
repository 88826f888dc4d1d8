"""What data sources of the stand-in cloud find. A cluster or network that is looked up and was never made is there all the same."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from generator.catalog import machines
from generator.rehearsal.answers import fill, names
from generator.rehearsal.behaviour import Behaviour, Context
from generator.rehearsal.versions import default, running
from generator.rehearsal.wire import Object, complete
from generator.schema.tree import BlockSchema

_CHANNELS = ("RAPID", "REGULAR", "STABLE", "EXTENDED")


def read(context: Context, type_: str, schema: BlockSchema, config: Object, kind: Behaviour | None) -> Object:
    """What a data source finds.

    Args:
        context: provider and cloud.
        type_: the data source's type.
        schema: its arguments.
        config: what is written; wholly known.
        kind: the behaviour of the resource type of the same name, where there is one.
    """
    if kind is not None:
        return complete(_looked_up(context, kind, config) | _written(config), schema)
    found = complete(config, schema)
    known = names(config, context.project, context.region, context.zone)
    if type_ in _ANSWERS:
        found |= _ANSWERS[type_](context, config)
    for name in ("project", "region", "zone"):
        if name in schema.arguments and found.get(name) is None:
            found[name] = known[name]
    fill(schema, found, {"id": "projects/$project"}, known)
    return found


def _looked_up(context: Context, kind: Behaviour, config: Object) -> Object:
    """The object of that name, made first where the folder did not make it."""
    proposed: Object = {}
    for name in kind.schema.arguments:
        proposed[name] = config.get(name)
    if "account_id" in config:
        proposed["account_id"] = str(config["account_id"]).partition("@")[0]
    planned = kind.plan_creation(context, proposed)
    if "location" in planned and not isinstance(planned["location"], str):
        planned["location"] = context.region
    id_ = kind.names(context, planned)["id"]
    found = context.cloud.get(kind.type, id_)
    if found is None:
        if "min_master_version" in kind.schema.arguments:
            planned |= {
                "initial_node_count": 1,
                "datapath_provider": "ADVANCED_DATAPATH",
                "enable_multi_networking": True,
                # New enough for every folder: what is looked up may be of either mode.
                "min_master_version": default(autopilot=True),
            }
        found = kind.create(context, deepcopy(planned))
    return kind.read(context, found) or found


def _written(config: Object) -> Object:
    return {name: value for name, value in config.items() if value not in (None, [])}


def _client_config(context: Context, _config: Object) -> Object:
    place = f"projects/{context.project}/regions/{context.region}/zones/{context.zone}"
    return {
        "id": place,
        "project": context.project,
        "region": context.region,
        "zone": context.zone,
        "access_token": "rehearsal",
        "default_labels": dict(context.labels),
    }


def _zones(context: Context, config: Object) -> Object:
    region = config.get("region") or context.region
    return {"names": [f"{region}-{letter}" for letter in "abc"], "id": f"projects/{context.project}/regions/{region}"}


def _engine_versions(_context: Context, config: Object) -> Object:
    newest = running(str(config.get("version_prefix") or "").rstrip(".")) or default()
    return {
        "default_cluster_version": newest,
        "latest_master_version": newest,
        "latest_node_version": newest,
        "valid_master_versions": [newest],
        "valid_node_versions": [newest],
        "release_channel_default_version": dict.fromkeys(_CHANNELS, newest),
        "release_channel_latest_version": dict.fromkeys(_CHANNELS, newest),
    }


def _project(context: Context, config: Object) -> Object:
    project = config.get("project_id") or context.project
    number = names({"name": project}, project, "", "")["number"]
    return {"id": f"projects/{project}", "project_id": project, "name": project, "number": number}


def _machine_types(context: Context, config: Object) -> Object:
    zone = config.get("zone") or context.zone
    found = [_machine(context, machine, zone) for machine in machines.machine_types().values()]
    return {"machine_types": found, "id": f"projects/{context.project}/zones/{zone}"}


def _machine(context: Context, machine: machines.MachineType, zone: str) -> Object:
    gpus = {"guest_accelerator_count": machine.accelerator_count, "guest_accelerator_type": machine.accelerator_type}
    place = f"projects/{context.project}/zones/{zone}/machineTypes/{machine.name}"
    return {
        "name": machine.name,
        "guest_cpus": machine.vcpus,
        "memory_mb": machine.memory_gb * 1024,
        "is_shared_cpus": False,
        "accelerators": [gpus],
        "deprecated": [],
        "self_link": f"https://www.googleapis.com/compute/v1/{place}",
    }


_ANSWERS: dict[str, Callable[[Context, Object], Object]] = {
    "google_client_config": _client_config,
    "google_compute_machine_types": _machine_types,
    "google_compute_zones": _zones,
    "google_container_engine_versions": _engine_versions,
    "google_project": _project,
}
