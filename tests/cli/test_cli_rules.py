from __future__ import annotations

import json

from generator.cli import run
from generator.rules import registry


def test_all_rules_are_listed(capsys):
    assert run(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(registry.names())
    assert any("error, advice" in line for line in lines)


def test_one_rule_is_explained(capsys):
    assert run(["rules", "local-ssd"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# local-ssd\n") and "## Why" in out and "```hcl" in out


def test_as_json(capsys):
    assert run(["rules", "--format", "json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [e["name"] for e in entries] == list(registry.names())
    assert set(entries[0]) == {"name", "severities", "summary", "depths"}
    assert run(["rules", "local-ssd", "--format", "json"]) == 0
    entry = json.loads(capsys.readouterr().out)
    assert list(entry["sections"]) == ["What it does", "Why", "Bad", "Good", "Fix", "Source"]


def test_an_unknown_rule_is_exit_2_with_the_nearest(capsys):
    assert run(["rules", "local-sdd"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "did you mean local-ssd" in err


def test_an_unknown_format_is_exit_2(capsys):
    assert run(["rules", "--format", "xml"]) == 2
    assert "xml" in capsys.readouterr().err
