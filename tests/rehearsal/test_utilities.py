"""Stand-ins for random, null and time."""

import pytest

from generator.rehearsal.behaviour import Context
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.utilities import NAMES, InState, Schemas
from generator.rehearsal.wire import complete, is_wholly_known


def made(type_, cloud=None, **config):
    kind = InState(type_, Schemas(type_.partition("_")[0]).resource(type_))
    config = complete(config, kind.schema)
    context = Context(cloud or Cloud(), config=config)
    state = complete(kind.create(context, kind.plan_creation(context, config)), kind.schema)
    assert is_wholly_known(state) and state["id"]
    assert kind.read(context, state) == state
    change = kind.plan_update(context, state, state)
    assert (change.differs, change.replace) == (False, [])
    return kind, context, state


def test_every_type_is_one_of_its_provider():
    for name in NAMES:
        assert all(type_.startswith(f"{name}_") for type_ in Schemas(name).resource_types())
        assert Schemas(name).data_types() == frozenset()


@pytest.mark.parametrize("length", [1, 4, 40])
def test_random_id(length):
    _, _, state = made("random_id", byte_length=length, prefix="p-")
    assert len(state["hex"]) == 2 + 2 * length and state["hex"].startswith("p-")
    assert int(state["dec"].removeprefix("p-")) == int(state["hex"].removeprefix("p-"), 16)


def test_two_of_a_kind_differ_and_rehearsals_agree():
    cloud = Cloud()
    first, second = (made("random_id", cloud, byte_length=4)[2]["hex"] for _ in range(2))
    assert first != second
    assert made("random_id", byte_length=4)[2]["hex"] == first


@pytest.mark.parametrize(
    ("config", "allowed"),
    [
        ({"length": 8, "special": False, "upper": False}, "abcdefghijklmnopqrstuvwxyz0123456789"),
        ({"length": 3, "lower": False, "upper": False, "numeric": False, "override_special": "+"}, "+"),
        ({"length": 2000}, None),
    ],
)
@pytest.mark.parametrize("type_", ["random_string", "random_password"])
def test_random_texts(type_, config, allowed):
    _, _, state = made(type_, **config)
    assert len(state["result"]) == config["length"]
    assert allowed is None or set(state["result"]) <= set(allowed)


def test_a_text_has_at_least_what_is_asked_of_each_kind():
    _, _, state = made("random_string", length=4, min_numeric=2, min_upper=2, special=False)
    assert sum(c.isdigit() for c in state["result"]) == 2 and sum(c.isupper() for c in state["result"]) == 2


def test_the_others():
    assert 3 <= made("random_integer", min=3, max=5)[2]["result"] <= 5
    assert made("random_pet", length=3, prefix="x", separator="_")[2]["id"].count("_") == 3
    assert sorted(made("random_shuffle", input=["b", "a"])[2]["result"]) == ["a", "b"]
    assert len(made("random_shuffle", input=["b", "a"], result_count=1)[2]["result"]) == 1
    assert len(made("random_uuid")[2]["result"]) == 36
    assert made("time_static")[2]["year"] == 2026
    assert made("time_static", rfc3339="2020-02-03T04:05:06Z")[2]["unix"] == 1580702706
    assert made("null_resource", triggers={"a": "b"})[2]["triggers"] == {"a": "b"}


@pytest.mark.parametrize(
    ("type_", "config", "changed", "path"),
    [
        ("random_id", {"byte_length": 2}, {"byte_length": 3}, ("byte_length",)),
        ("null_resource", {"triggers": {"a": "b"}}, {"triggers": {"a": "c"}}, ("triggers",)),
        ("time_sleep", {"create_duration": "1s"}, {"create_duration": "2s"}, None),
    ],
)
def test_what_replaces_them(type_, config, changed, path):
    kind, context, state = made(type_, **config)
    change = kind.plan_update(context, state, state | changed)
    assert change.differs
    assert change.replace == ([path] if path else [])
