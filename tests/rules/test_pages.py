"""The examples on the rules' pages are true."""

from __future__ import annotations

import re

import pytest
from good_folder import Says

from generator.rules import pages, registry

# Their examples are no `.tf` file of a module, or are shown by tests of their own.
ELSEWHERE = frozenset({"provider-lock", "parse-error", "unread-block", "unused-ignore", "unknown-value"})
RULES = [r.name for r in registry.rules() if "text" in r.depths and r.name not in ELSEWHERE]


def example(name: str, section: str) -> str:
    found = re.fullmatch(r"```hcl\n(.*)```", pages.page(name).sections[section], re.DOTALL)
    assert found, f"{name}: {section} is not one fenced block"
    return found[1]


@pytest.mark.parametrize("name", RULES)
def test_the_bad_example_makes_a_finding(says: Says, name: str) -> None:
    assert says(name, files={"main.tf": example(name, "Bad")})


@pytest.mark.parametrize("name", RULES)
def test_the_good_example_makes_none(says: Says, name: str) -> None:
    assert says(name, files={"main.tf": example(name, "Good")}) == []


def test_the_lock_file_of_the_page_makes_a_finding(says: Says) -> None:
    pool = example("gpudirect-strategy", "Good")
    bad, good = example("provider-lock", "Bad"), example("provider-lock", "Good")
    assert says("provider-lock", files={"main.tf": pool, ".terraform.lock.hcl": bad}) == ['error: "7.9.0"']
    assert says("provider-lock", files={"main.tf": pool, ".terraform.lock.hcl": good}) == []
