"""What the tests of the rehearsal share: a node pool in the stand-in cloud, and Terraform with the stand-in provider."""

import os

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG, Stage

from generator.rehearsal import isolation
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.process import ProviderProcess
from generator.terraform import binary, planned
from generator.terraform.driver import PlanArguments, Terraform
from generator.terraform.environment import child_environment
from generator.terraform.signals import Signals


@pytest.fixture
def stage():
    made = Stage()
    made.create(CLUSTER, CLUSTER_CONFIG)
    return made


@pytest.fixture(scope="session")
def made_pool():
    """A cluster, its pool, and the stage they are on; tests must not change them."""
    made = Stage()
    cluster = made.create(CLUSTER, CLUSTER_CONFIG)
    pool = made.create(NODE_POOL, POOL_CONFIG)
    return made, made.kinds[CLUSTER].read(made.context({}), cluster), pool


class RealCore:
    """Terraform in a folder, with the stand-in provider of this test module."""

    def __init__(self, kind, folder, reattach, top, provider):
        signals = Signals(lambda _text: None)
        environment = {"PATH": os.environ["PATH"], "TF_REATTACH_PROVIDERS": reattach, "HOME": str(top)}
        environment = child_environment(environment, workspace=None, say=lambda _text: None)
        core = binary.find(None, kind, environment=environment, signals=signals)
        self.folder, self.file, self.provider = folder, top / "plan", provider
        self.terraform = Terraform(core, folder, environment=environment, signals=signals, timeout=60)
        self.initialized = False

    def write(self, text):
        (self.folder / "main.tf").write_text(text)
        if not self.initialized:
            self.terraform.init()
            self.initialized = True

    def plan(self, **arguments):
        """The changes that matter, by address."""
        self.terraform.plan(self.file, PlanArguments(**arguments), lambda _event: None)
        self.data = self.terraform.show(self.file)
        return {c.address: c for c in planned.changes(self.data) if c.matters}

    def apply(self):
        self.terraform.apply(self.file, PlanArguments(), lambda _event: None)

    def run(self, text):
        """Plan and apply a configuration; the changes."""
        self.write(text)
        changes = self.plan()
        self.apply()
        return changes


@pytest.fixture(scope="module")
def provider_process(tmp_path_factory):
    folder = tmp_path_factory.mktemp("provider")
    process = ProviderProcess(folder)
    try:
        yield folder, process.address()
    finally:
        process.stop()


@pytest.fixture(scope="module")
def core(tmp_path_factory, provider_process):
    """The embedded core, which is the same wherever the tests run."""
    provider, reattach = provider_process
    top = tmp_path_factory.mktemp("top")
    return RealCore("embedded", tmp_path_factory.mktemp("root"), reattach, top, provider)


@pytest.fixture
def copied(tmp_path):
    """A copy of a folder that holds one file."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "main.tf").write_text("locals {}\n")
    with isolation.copy(root, [], keep=False) as made:
        yield made
