"""One stand-in provider for all pipelines, and a machine of its own for each test."""

import os

import pytest
from pipeline_stage import Machine, bare_environment

from generator.rehearsal.process import ProviderProcess
from generator.terraform import binary
from generator.terraform.signals import Signals


@pytest.fixture
def machine(tmp_path):
    provider = tmp_path / "provider"
    (provider / "mirror").mkdir(parents=True)
    settings = provider / "terraform.tfrc"
    settings.write_text(
        f'disable_checkpoint = true\nprovider_installation {{\n  filesystem_mirror {{\n    path = "{provider}/mirror"\n  }}\n}}\n'
    )
    core = binary.find(None, "embedded", environment=dict(os.environ), signals=Signals(lambda _text: None)).command
    process = ProviderProcess(provider)
    try:
        environment = {"TF_REATTACH_PROVIDERS": process.address(), "TF_CLI_CONFIG_FILE": str(settings)}
        yield Machine(tmp_path / "machine", core, bare_environment() | environment)
    finally:
        process.stop()
