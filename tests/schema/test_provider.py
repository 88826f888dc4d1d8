"""The provider's argument tree: what is known, and from which version on."""

import pytest

from generator.hcl.types import BOOL, NUMBER, STRING, map_of, set_of
from generator.schema import provider
from generator.schema.tree import BlockSchema


def walk(block: BlockSchema):
    yield block
    for inner in block.blocks.values():
        yield from walk(inner)


def test_node_pool_arguments_have_types_and_flags():
    pool = provider.resource("google_container_node_pool")
    assert pool.nesting == "root"
    assert pool.arguments["cluster"].required and pool.arguments["cluster"].force_new
    assert pool.arguments["node_count"].type == NUMBER
    assert pool.arguments["node_count"].minimum == 0
    assert pool.arguments["node_locations"].type == set_of(STRING)
    node_config = pool.blocks["node_config"]
    assert (node_config.nesting, node_config.max) == ("list", 1)
    assert node_config.arguments["labels"].type == map_of(STRING)
    assert (
        node_config.arguments["gpudirect_strategy"].optional
        and not node_config.arguments["gpudirect_strategy"].force_new
    )
    assert node_config.blocks["ephemeral_storage_local_ssd_config"].arguments["local_ssd_count"].force_new


def test_cluster_arguments_have_defaults_enums_and_conflicts():
    cluster = provider.resource("google_container_cluster")
    assert cluster.arguments["deletion_protection"].default is True
    assert "ADVANCED_DATAPATH" in cluster.arguments["datapath_provider"].one_of
    assert cluster.arguments["enable_autopilot"].type == BOOL
    assert "enable_autopilot" in cluster.arguments["remove_default_node_pool"].conflicts_with
    assert "timeouts" in cluster.blocks


@pytest.mark.parametrize("type_", sorted(provider.resource_types()))
def test_every_resource_loads_and_names_its_nesting(type_):
    schema = provider.resource(type_)
    assert schema.arguments["id"].computed
    assert {b.nesting for b in walk(schema)} <= {"root", "list", "set", "single"}
    for block in walk(schema):
        for argument in block.arguments.values():
            assert argument.required or argument.optional or argument.computed
            assert not (argument.required and argument.computed)


@pytest.mark.parametrize("type_", sorted(provider.data_types()))
def test_every_data_source_loads(type_):
    assert provider.data(type_).arguments


def test_a_schema_is_read_once():
    assert provider.resource("google_container_cluster") is provider.resource("google_container_cluster")


@pytest.mark.parametrize(
    "type_", ["google_sql_database", "../since", "resource/google_compute_network", "", "google_container_Cluster"]
)
def test_unknown_types_have_no_schema(type_):
    assert provider.resource(type_) is None
    assert provider.data(type_) is None


@pytest.mark.parametrize(
    ("type_", "path", "version"),
    [
        ("google_container_node_pool", "node_config.gpudirect_strategy", "7.34.0"),
        ("google_container_cluster", "node_config.gpudirect_strategy", "7.34.0"),
        ("google_container_cluster", "node_pool.node_config.gpudirect_strategy", "7.34.0"),
        ("google_container_cluster", "node_pool.network_config.accelerator_network_profile", "7.31.0"),
        ("google_container_cluster", "network_config.accelerator_network_profile", None),
        ("google_container_node_pool", "network_config.additional_node_network_configs.network", "5.40.0"),
        ("google_container_node_pool", "network_config.additional_node_network_configs.subnetwork", "6.47.0"),
        ("google_container_node_pool", "node_config.machine_type", None),
        ("google_container_node_pool", "datapath_provider", None),
        ("google_container_cluster", "datapath_provider", "3.55.0"),
        ("google_compute_network", "network_profile", "6.19.0"),
        ("google_nothing", "name", None),
        ("google_container_cluster", "node_pool", None),
    ],
)
def test_since(type_, path, version):
    assert provider.since(type_, path) == version


def test_every_path_of_the_version_table_is_in_the_schema():
    for type_, paths in provider._since().items():
        for path in paths:
            block = provider.resource(type_)
            *outer, last = path.split(".")
            for name in outer:
                block = block.blocks[name]
            assert last in block.arguments or last in block.blocks, path


def test_provider_version_is_three_numbers():
    assert [part.isdigit() for part in provider.PROVIDER_VERSION.split(".")] == [True] * 3
