from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from generator.errors import InputError
from generator.rules import pages, registry
from generator.view import Cluster, HiddenCheck, IgnoreComment, ModuleTree, NodePool, Resource, TextFile

ROOT = Path(__file__).parents[2]
NAMES = registry.names()
VIEWS = {Resource, NodePool, Cluster, ModuleTree, TextFile, IgnoreComment, HiddenCheck}


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_is_declared_whole(name):
    rule = registry.find(name)
    assert rule.name == name, "the module is named like the rule"
    assert set(get_args(rule.seeks) or (rule.seeks,)) <= set(VIEWS)
    assert rule.severities and list(rule.severities) == sorted(rule.severities, key=lambda s: -s.rank)
    assert len(set(rule.severities)) == len(rule.severities)
    assert rule.summary and len(rule.summary) <= 100 and not rule.summary.endswith(".")
    assert rule.depths and rule.depths <= {"text", "plan", "live"}


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_its_page(name):
    page = pages.page(name)
    assert tuple(page.sections) == pages.SECTIONS
    assert all(page.sections.values())
    assert page.title.endswith(".") and "\n" not in page.title
    assert page.sections["Fix"].startswith(("Safe", "Unsafe", "None"))
    for heading in ("Bad", "Good"):
        assert page.sections[heading].count("```hcl\n") == 1, heading
        assert page.sections[heading].count("```") == 2, heading
    assert page.sections["Bad"] != page.sections["Good"]
    assert page.sections["Source"].startswith("- ")


def test_names_are_unique_and_sorted():
    assert list(NAMES) == sorted(set(NAMES))
    assert len(registry.rules()) == len(NAMES)


def test_helper_modules_are_no_rules():
    assert not {"base", "registry", "pages"} & set(NAMES)


def test_pages_on_disk_are_current():
    folder = ROOT / "docs" / "rules"
    there = {p.name: p.read_text(encoding="utf-8") for p in folder.glob("*.md")}
    wanted = pages.files()
    stale = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    assert not stale, "run script/rule-pages"


def test_an_unknown_name_gets_the_nearest():
    with pytest.raises(InputError) as raised:
        registry.find("local-sdd")
    assert "local-ssd" in (raised.value.hint or "")
    with pytest.raises(InputError) as raised:
        registry.find("qqqq")
    assert "gke-rdma rules" in (raised.value.hint or "")


def test_names_are_known_without_loading_a_rule():
    code = (
        "import sys; from generator.rules import registry; assert registry.names(); "
        "print([m for m in sys.modules if m.startswith('generator.rules.')])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert loaded.strip() == "['generator.rules.registry']"


def test_a_heading_in_a_code_block_is_text(monkeypatch):
    text = "Title.\n\n## What it does\nx\n\n## Bad\n```hcl\n## not a heading\na = 1\n```\n"
    monkeypatch.setattr(registry, "document", lambda name: text)
    assert list(pages.page(NAMES[0]).sections) == ["What it does", "Bad"]


def test_a_suggestion_names_only_what_is_about_as_near() -> None:
    from generator.lint.configuration_file import KEYS

    assert registry.suggestion("severities", KEYS) == "did you mean severity?"
    assert registry.suggestion("localssd") == "did you mean local-ssd?"
    assert "network-route" in registry.suggestion("network") and "network-profile" in registry.suggestion("network")
