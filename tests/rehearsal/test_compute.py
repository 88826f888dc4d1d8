"""RoCE networks in the stand-in cloud."""

import pytest

from generator.rehearsal.behaviour import Context, Refusal
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.compute import FIREWALL, NETWORK, Firewall, Network
from generator.rehearsal.wire import complete
from generator.schema import provider

PROFILE = "projects/p/global/networkProfiles/us-central1-b-vpc-roce"


def made(kind, cloud, **config):
    config = complete(config, kind.schema)
    context = Context(cloud, project="p", config=config)
    return complete(kind.create(context, kind.plan_creation(context, config)), kind.schema)


def kinds():
    return Network(NETWORK, provider.resource(NETWORK)), Firewall(FIREWALL, provider.resource(FIREWALL))


def plan(kind, prior, **config):
    given = complete(config, kind.schema)
    proposed = {
        n: prior[n] if v is None and kind.schema.arguments[n].computed else v
        for n, v in given.items()
        if n in kind.schema.arguments
    }
    context = Context(Cloud(), project="p", config=given)
    return kind.plan_update(context, prior, complete(proposed, kind.schema))


BASE = {"name": "rdma", "auto_create_subnetworks": False, "network_profile": PROFILE}


@pytest.mark.parametrize(
    ("config", "path"),
    [
        (BASE, None),
        (BASE | {"network_profile": f"https://www.googleapis.com/compute/v1/{PROFILE}"}, None),
        (BASE | {"mtu": 8896}, None),
        (BASE | {"network_profile": PROFILE.replace("-b-", "-c-")}, ("network_profile",)),
        (BASE | {"network_profile": None}, ("network_profile",)),
        (BASE | {"auto_create_subnetworks": True}, ("auto_create_subnetworks",)),
    ],
)
def test_what_replaces_a_roce_network(config, path):
    network, _ = kinds()
    prior = made(network, Cloud(), **BASE)
    assert prior["mtu"] == 8896
    change = plan(network, prior, **config)
    assert change.replace == ([path] if path else [])
    assert change.differs == bool(path)


def test_the_mtu_of_a_network_is_changed_in_place():
    network, _ = kinds()
    change = plan(network, made(network, Cloud(), **BASE), **BASE, mtu=1460)
    assert (change.differs, change.replace) == (True, [])


def test_an_ordinary_network_has_the_usual_mtu():
    network, _ = kinds()
    assert made(network, Cloud(), name="n")["mtu"] == 1460


@pytest.mark.parametrize("profile", ["us-central1-b-vpc-roce", "global/networkProfiles/us-central1-b-vpc-roce"])
def test_a_profile_without_its_project_is_malformed(profile):
    network, _ = kinds()
    with pytest.raises(Refusal, match="The URL is malformed"):
        made(network, Cloud(), name="n", network_profile=profile)


@pytest.mark.parametrize("form", ["id", "self_link", "name"])
def test_a_roce_network_takes_no_firewall_rule(form):
    network, firewall = kinds()
    cloud = Cloud()
    roce = made(network, cloud, **BASE)
    other = made(network, cloud, name="other")
    rule = {"name": "f", "allow": [{"protocol": "tcp"}]}
    with pytest.raises(Refusal, match="does not allow VPC firewall rules"):
        made(firewall, cloud, network=roce[form], **rule)
    assert made(firewall, cloud, network=other[form], **rule)["id"] == "projects/p/global/firewalls/f"
