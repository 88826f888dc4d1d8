"""Values, schemas and messages of the plugin protocol."""

import json

import msgpack
import pytest

from generator.hcl.types import from_json
from generator.rehearsal import wire
from generator.rehearsal.wire import UNKNOWN, complete, messages, pack, unpack
from generator.schema import provider


@pytest.mark.parametrize(
    "value",
    [None, True, 0, 3, 1.5, "x", "ü", [], ["a", UNKNOWN], {"a": {"b": [1]}}, {"a": UNKNOWN, "b": None}, UNKNOWN],
)
def test_values_survive_the_wire(value):
    assert unpack(pack(value)) == value


def test_unknown_values_come_in_two_forms():
    for extension in (msgpack.ExtType(0, b"\x00"), msgpack.ExtType(12, b"\x81\x01\xc2")):
        assert unpack(messages().DynamicValue(msgpack=msgpack.packb({"a": extension}))) == {"a": UNKNOWN}


def test_whole_floats_are_integers():
    assert unpack(messages().DynamicValue(msgpack=msgpack.packb([3.0, 2.5]))) == [3, 2.5]
    assert isinstance(unpack(messages().DynamicValue(msgpack=msgpack.packb(3.0))), int)


def test_json_values_are_read_too():
    assert unpack(messages().DynamicValue(json=b'{"a":1}')) == {"a": 1}
    assert unpack(messages().DynamicValue()) is None


@pytest.mark.parametrize(
    "notation",
    ["string", ["list", "number"], ["map", ["set", "bool"]], ["object", {"a": ["tuple", ["string", "number"]]}]],
)
def test_types_keep_their_notation(notation):
    assert wire.notation(from_json(notation)) == notation


def test_the_schema_of_a_node_pool_holds_every_argument_and_block():
    schema = provider.resource("google_container_node_pool")
    message = wire.schema_message(schema)
    assert {a.name for a in message.block.attributes} == set(schema.arguments)
    assert {b.type_name for b in message.block.block_types} == set(schema.blocks)
    cluster = next(a for a in message.block.attributes if a.name == "cluster")
    assert cluster.required and not cluster.computed and json.loads(cluster.type) == "string"
    node = next(b for b in message.block.block_types if b.type_name == "node_config")
    assert (node.nesting, node.max_items) == (2, 1)
    timeouts = next(b for b in message.block.block_types if b.type_name == "timeouts")
    assert timeouts.nesting == 1


def test_a_complete_object_has_every_argument_and_nothing_else():
    schema = provider.resource("google_container_node_pool")
    whole = complete({"name": "p", "node_config": [{"spot": True, "made_up": 1}], "made_up": 1}, schema)
    assert set(whole) == set(schema.arguments) | set(schema.blocks)
    assert set(whole["node_config"][0]) == set(schema.blocks["node_config"].arguments) | set(
        schema.blocks["node_config"].blocks
    )
    assert whole["autoscaling"] == [] and whole["timeouts"] is None and whole["version"] is None


def test_objects_within_arguments_are_completed():
    schema = provider.data("google_compute_machine_types")
    whole = complete({"machine_types": [{"name": "a3-ultragpu-8g"}]}, schema)
    assert whole["machine_types"][0]["name"] == "a3-ultragpu-8g"
    assert whole["machine_types"][0]["self_link"] is None


def test_paths_have_names_and_numbers():
    steps = wire.path_message(("node_config", 0, "spot")).steps
    assert [s.WhichOneof("selector") for s in steps] == ["attribute_name", "element_key_int", "attribute_name"]
