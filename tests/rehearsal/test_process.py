"""The stand-in provider as a child process."""

import ast
import json
import os
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import grpc
import pytest

from generator.errors import ToolError
from generator.rehearsal import process
from generator.rehearsal.process import ProviderProcess


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_says_where_it_listens_and_ends_when_told(tmp_path):
    started = ProviderProcess(tmp_path)
    try:
        addresses = json.loads(started.address())
        assert addresses.keys() == {
            f"registry.{host}/hashicorp/{name}"
            for host in ("terraform.io", "opentofu.org")
            for name in ("google", "google-beta", "null", "random", "time")
        }
        assert all(a["Addr"]["String"].startswith("127.0.0.1:") for a in addresses.values())
        pid = addresses["registry.terraform.io/hashicorp/google"]["Pid"]
        assert alive(pid)
    finally:
        started.stop()
    assert not alive(pid)
    assert started.log_end() == ""


def test_many_open_connections_keep_nobody_from_an_answer(tmp_path):
    started = ProviderProcess(tmp_path)
    channels, streams = [], []
    try:
        address = json.loads(started.address())["registry.terraform.io/hashicorp/google"]["Addr"]["String"]
        for number in range(40):
            # Else all share one connection.
            channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", number)])
            channels.append(channel)
            streams.append(channel.unary_stream("/plugin.GRPCStdio/StreamStdio")(b""))
        # The second time every stream has surely been begun.
        healthy = [c.unary_unary("/grpc.health.v1.Health/Check")(b"", timeout=5) for c in channels * 2]
    finally:
        for channel in channels:
            channel.close()
        started.stop()
    assert set(healthy) == {b"\x08\x01"}


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "_NEEDED", ("json", "no_such_package", "no_such.package"))
    with pytest.raises(ToolError) as caught:
        ProviderProcess(tmp_path)
    assert "no_such_package, no_such.package" in caught.value.message and "json" not in caught.value.message
    assert "gke-rdma[rehearse]" in (caught.value.hint or "")


def test_one_that_does_not_start_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "_SERVER", "generator.rehearsal.no_such_server")
    started = ProviderProcess(tmp_path)
    try:
        with pytest.raises(ToolError, match=r"does not start: .*no_such_server"):
            started.address()
    finally:
        started.stop()


def test_the_extra_holds_what_is_imported_and_nothing_else():
    root = Path(__file__).parents[2]
    extra = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]["rehearse"]
    wanted = {re.match(r"[\w-]+", one)[0] for one in extra}
    imported = set()
    for file in (root / "generator/rehearsal").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module.partition(".")[0])
    others = imported - sys.stdlib_module_names - {"generator"}
    homes = packages_distributions()
    assert all(set(homes[name]) & wanted for name in others), others
    assert all(any(distribution in homes[name] for name in others) for distribution in wanted)
