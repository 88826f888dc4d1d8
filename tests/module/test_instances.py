from __future__ import annotations

import pytest

from generator.hcl.instances import nested_blocks

KEY = ("managed", "google_container_node_pool", "p")


def pool(instance, body: str, more: str = ""):
    root = instance(f'resource "google_container_node_pool" "p" {{\n{body}\n}}\n{more}\n')
    return root.resource(KEY)


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("", [None]),
        ("count = 2", [0, 1]),
        ('count = "1"', [0]),
        ("count = 0", []),
        ('for_each = toset(["b", "a"])', ["a", "b"]),
        ("for_each = { x = 1 }", ["x"]),
        ("for_each = {}", []),
    ],
)
def test_known_repetitions(instance, written, keys):
    found = pool(instance, written)
    assert list(found.instances) == keys
    assert found.reason is None
    assert all(i.exists is True for i in found.instances.values())


@pytest.mark.parametrize(
    "written",
    [
        "count = var.n",
        "for_each = var.n",
        "count = -1",
        "count = null",
        'for_each = ["a"]',
        "for_each = toset([var.n])",
        "count = 100000",
    ],
)
def test_unknown_repetitions_are_there_once_and_for_nobody_sure(instance, written):
    found = pool(instance, written, 'variable "n" {}')
    (one,) = found.instances.values()
    assert found.reason
    assert one.exists is None
    assert one.address == "google_container_node_pool.p"


def test_addresses_carry_the_key(instance):
    assert [i.address for i in pool(instance, "count = 1").instances.values()] == ["google_container_node_pool.p[0]"]
    keyed = pool(instance, 'for_each = { "a\\"b" = 1 }')
    assert [i.address for i in keyed.instances.values()] == ['google_container_node_pool.p["a\\"b"]']


def test_each_and_count_are_unknown_where_the_number_is(instance):
    one = pool(instance, "for_each = var.n\n  name = each.key\n  cluster = each.value.c", 'variable "n" {}').instances[
        None
    ]
    assert one.attribute("name").is_unknown
    assert one.attribute("cluster").is_unknown


def nested(instance, body: str, type_: str = "taint", more: str = ""):
    (one,) = pool(instance, body, more).instances.values()
    return nested_blocks(one.block, one, type_), one


def values(found, name: str = "key"):
    from generator.hcl.scope_resources import value_of

    return [value_of(i.block.arguments[name], i.scope).data for i in found.items]


DYNAMIC = """\
dynamic "taint" {{
  for_each = {for_each}
  {iterator}
  content {{
    key = {key}
  }}
}}
"""


@pytest.mark.parametrize(
    ("for_each", "key", "made"),
    [
        ('["a", "b"]', "taint.value", ["a", "b"]),
        ('["a", "b"]', "taint.key", [0, 1]),
        ('{ x = "1", y = "2" }', '"${taint.key}${taint.value}"', ["x1", "y2"]),
        ('toset(["b", "a"])', '"${taint.key}${taint.value}"', ["aa", "bb"]),
        ("[]", "1", []),
        ("[var.n]", '"k"', ["k"]),
    ],
)
def test_dynamic_blocks_over_known_values_are_made(instance, for_each, key, made):
    found, _ = nested(instance, DYNAMIC.format(for_each=for_each, iterator="", key=key), more='variable "n" {}')
    assert values(found) == made
    assert found.reason is None
    assert all(i.certain for i in found.items)


def test_iterator_can_have_another_name(instance):
    found, _ = nested(instance, DYNAMIC.format(for_each='["a"]', iterator="iterator = t", key="t.value"))
    assert values(found) == ["a"]


def test_a_made_block_has_the_dynamics_header(instance):
    found, _ = nested(instance, DYNAMIC.format(for_each='["a"]', iterator="", key="1"))
    assert found.items[0].header.text == 'dynamic "taint"'


@pytest.mark.parametrize("for_each", ["var.n", "toset([var.n])", "null", "5"])
def test_dynamic_over_an_unknown_is_there_once(instance, for_each):
    found, _ = nested(
        instance, DYNAMIC.format(for_each=for_each, iterator="", key="taint.value"), more='variable "n" {}'
    )
    assert len(found.items) == 1
    assert not found.items[0].certain
    assert found.reason
    assert found.span.text == for_each


def test_nested_dynamics_see_both_iterators(instance):
    body = """\
        dynamic "outer" {
          for_each = ["a", "b"]
          content {
            dynamic "inner" {
              for_each = [1, 2]
              content {
                key = "${outer.value}${inner.value}"
              }
            }
          }
        }
        """
    found, _ = nested(instance, body, "outer")
    inner = [values(nested_blocks(i.block, i.scope, "inner")) for i in found.items]
    assert inner == [["a1", "a2"], ["b1", "b2"]]


def test_written_and_made_blocks_come_in_order(instance):
    body = 'taint {\n key = "first"\n}\n' + DYNAMIC.format(for_each='["second"]', iterator="", key="taint.value")
    found, _ = nested(instance, body)
    assert values(found) == ["first", "second"]


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ('[{ key = "a" }, { key = "b" }]', ["a", "b"]),
        ('{ key = "a" }', ["a"]),
        ("[]", []),
        ("null", []),
        ("var.list", ["v"]),
    ],
)
def test_blocks_can_be_given_as_an_argument(instance, given, made):
    (one,) = pool(instance, f"taint = {given}", 'variable "list" { default = [{ key = "v" }] }').instances.values()
    found = nested_blocks(one.block, one, "taint", as_argument=True)
    assert values(found) == made
    assert found.reason is None


def test_blocks_given_as_an_unknown_argument_are_of_unknown_number(instance):
    (one,) = pool(instance, "taint = var.list", 'variable "list" {}').instances.values()
    found = nested_blocks(one.block, one, "taint", as_argument=True)
    assert (found.items, found.reason) == ([], "variable list has no value")
