"""What the service fills in, for every resource type that is served."""

import pytest
from rehearsal_stage import sample

from generator.rehearsal.answers import answers
from generator.rehearsal.behaviour import Behaviour, Context
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.wire import complete, is_wholly_known
from generator.schema import provider

TYPES = sorted(provider.resource_types())


def fits(schema, values):
    for name, value in values.items():
        if name in schema.blocks:
            assert all(fits(schema.blocks[name], row) is None for row in value)
        else:
            assert name in schema.arguments, name


@pytest.mark.parametrize("type_", TYPES)
def test_answers_are_about_arguments_that_exist(type_):
    fits(provider.resource(type_), answers(type_).values)
    assert "$" in answers(type_).id


@pytest.mark.parametrize("type_", [t for t in TYPES if not t.startswith("google_container")])
def test_every_type_is_made_read_changed_and_deleted(type_):
    schema = provider.resource(type_)
    kind = Behaviour(type_, schema)
    config = complete(sample(schema), schema)
    context = Context(Cloud(), config=config)
    made = complete(kind.create(context, kind.plan_creation(context, config)), schema)
    assert is_wholly_known(made)
    assert made["id"] and "$" not in made["id"]
    assert kind.read(context, made) == made
    proposed = {n: made[n] if v is None or v == [] else v for n, v in config.items()}
    change = kind.plan_update(context, made, proposed)
    assert (change.differs, change.replace) == (False, [])
    kind.delete(context, made)
    assert kind.read(context, made) is None


def test_the_provider_labels_what_it_makes():
    schema = provider.resource("google_storage_bucket")
    kind = Behaviour("google_storage_bucket", schema)
    config = complete({"name": "b", "location": "US", "labels": {"a": "b"}}, schema)
    context = Context(Cloud(), labels={"team": "x"}, config=config)
    made = kind.create(context, kind.plan_creation(context, config))
    assert made["effective_labels"] == {"a": "b", "team": "x", "goog-terraform-provisioned": "true"}
    changed = kind.plan_update(context, made, made | {"labels": {"c": "d"}})
    assert changed.value["effective_labels"] == {"c": "d", "team": "x", "goog-terraform-provisioned": "true"}


def test_the_cloud_is_kept_in_its_file(tmp_path):
    file = tmp_path / "cloud.json"
    Cloud(file).put("t", "1", {"id": "1"})
    assert Cloud(file).get("t", "1") == {"id": "1"}
    Cloud(file).remove("t", "1")
    assert Cloud(file).all("t") == []
    assert [p.name for p in tmp_path.iterdir()] == ["cloud.json"]
