from __future__ import annotations

import pytest

from generator.hcl.evaluate import evaluate
from generator.hcl.parser import parse_expression
from generator.hcl.source import Source
from generator.hcl.values import UnknownData, Value


def value(scope, expression: str) -> Value:
    source = Source(scope.module_dir / "asked.tf", expression)
    return evaluate(parse_expression(source), source, scope)


def test_locals_are_found_in_any_order_and_file(instance):
    root = instance(
        {
            "b.tf": "locals {\n  a = local.b + 1\n}\n",
            "a.tf": "locals {\n  b = var.c\n}\n",
            "v.tf": 'variable "c" { default = 2 }\n',
        }
    )
    found = root.local("a")
    assert found.data == 3
    assert [o.what for o in found.trail] == ["local.a", "local.b", "default of variable c"]


@pytest.mark.parametrize("name", ["a", "b", "own"])
def test_locals_that_need_themselves_are_unknown(instance, name):
    root = instance("locals {\n  a = local.b\n  b = local.a + 0\n  own = [for s in [1] : local.own]\n}\n")
    found = root.local(name)
    assert not found.is_wholly_known


def test_a_long_chain_of_locals_ends(instance):
    lines = [f"  l{i} = local.l{i + 1}" for i in range(3000)]
    root = instance("locals {\n" + "\n".join(lines) + "\n  l3000 = 7\n}\n")
    root.local("l0")
    assert root.local("l2990").data == 7


@pytest.mark.parametrize(
    ("expression", "data"),
    [("path.module", "."), ("path.root", "."), ("module.m.path", "m"), ("module.m.root", ".")],
)
def test_paths_are_relative_to_the_root(instance, expression, data):
    root = instance(
        {
            "main.tf": 'module "m" { source = "./m" }\n',
            "m/main.tf": 'output "path" { value = path.module }\noutput "root" { value = path.root }\n',
        }
    )
    assert value(root, expression).data == data


@pytest.mark.parametrize(
    "expression",
    [
        "terraform.workspace",
        "path.cwd",
        "each.key",
        "count.index",
        "var.none",
        "local.none",
        "module.none.x",
        "google_x.y.z",
    ],
)
def test_names_without_a_meaning_are_unknown(instance, expression):
    assert value(instance("\n"), expression).is_unknown


CLUSTER = """\
    resource "google_container_cluster" "c" {
      name     = "train"
      location = var.zone
      addons_config {
        gcs_fuse_csi_driver_config {
          enabled = true
        }
      }
    }
    variable "zone" { default = "us-east4-b" }
    data "google_container_cluster" "d" {
      name = "shared"
    }
    """


def test_a_written_argument_is_known_and_names_its_resource(instance):
    found = value(instance(CLUSTER), "google_container_cluster.c.location")
    assert found.data == "us-east4-b"
    assert found.trail[0].refers_to == "google_container_cluster.c"
    assert found.trail[0].span.text == "var.zone"


@pytest.mark.parametrize("attribute", ["id", "self_link", "endpoint"])
def test_a_computed_attribute_is_unknown_and_names_its_resource(instance, attribute):
    found = value(instance(CLUSTER), f"google_container_cluster.c.{attribute}")
    assert isinstance(found.data, UnknownData)
    assert found.data.refers_to == "google_container_cluster.c"


@pytest.mark.parametrize(
    "expression",
    [
        '"${google_container_cluster.c.id}"',
        '"x/${google_container_cluster.c.id}"',
        "one(google_container_cluster.c[*].id)",
        "(google_container_cluster.c[*].id)[0]",
        "{ cluster = google_container_cluster.c }.cluster.id",
        'split("/", google_container_cluster.c.id)[5]',
    ],
)
def test_operations_on_an_unknown_still_name_the_resource(instance, expression):
    assert value(instance(CLUSTER), expression).data.refers_to == "google_container_cluster.c"


def test_a_name_that_is_unknown_names_its_resource(instance):
    root = instance('variable "n" {}\nresource "google_container_cluster" "c" { name = var.n }\n')
    assert value(root, "google_container_cluster.c.name").data.refers_to == "google_container_cluster.c"


def test_nested_blocks_are_seen_as_a_list_of_objects(instance):
    root = instance(CLUSTER)
    path = "google_container_cluster.c.addons_config[0].gcs_fuse_csi_driver_config[0]"
    assert value(root, f"{path}.enabled").data is True
    assert value(root, f"{path}.other").is_unknown


def test_a_whole_resource_is_an_object_of_which_only_the_written_part_is_known(instance):
    root = instance(CLUSTER)
    assert value(root, "google_container_cluster.c").open
    assert value(root, '{ c = google_container_cluster.c }.c["name"]').data == "train"
    assert value(root, "{ c = google_container_cluster.c }.c.endpoint").is_unknown


def test_written_arguments_of_data_sources_are_known_and_others_are_not(instance):
    root = instance(CLUSTER)
    assert value(root, "data.google_container_cluster.d.name").data == "shared"
    found = value(root, "data.google_container_cluster.d.endpoint")
    assert found.data.refers_to == "data.google_container_cluster.d"


REPEATED = """\
    resource "google_container_cluster" "counted" {
      count    = 2
      name     = "c${count.index}"
    }
    resource "google_container_cluster" "named" {
      for_each = { a = "us-east4-b", b = "us-east4-c" }
      name     = each.key
      location = each.value
    }
    resource "google_container_cluster" "none" {
      count = 0
      name  = "none"
    }
    resource "google_container_cluster" "some" {
      count    = var.n
      name     = "some-${count.index}"
      location = "us-east4-b"
    }
    variable "n" { type = number }
    """


@pytest.mark.parametrize(
    ("expression", "data"),
    [
        ("google_container_cluster.counted[1].name", "c1"),
        ("google_container_cluster.counted.0.name", "c0"),
        ("google_container_cluster.counted[local.i].name", "c1"),
        ('join(",", google_container_cluster.counted[*].name)', "c0,c1"),
        ('google_container_cluster.named["b"].location', "us-east4-c"),
        ('join(",", [for k, c in google_container_cluster.named : "${k}=${c.location}"])', "a=us-east4-b,b=us-east4-c"),
        ("length(google_container_cluster.none)", 0),
        ("one(google_container_cluster.none[*].name)", None),
        ('try(google_container_cluster.none[0].name, "fallback")', "fallback"),
        ('try(google_container_cluster.named["z"].name, "fallback")', "fallback"),
        ("google_container_cluster.some[0].location", "us-east4-b"),
    ],
)
def test_instances_are_chosen_by_their_key(instance, expression, data):
    root = instance({"main.tf": REPEATED, "l.tf": "locals {\n  i = 1\n}\n"})
    assert value(root, expression).data == data


@pytest.mark.parametrize(
    "expression",
    [
        "google_container_cluster.some[0].name",
        "google_container_cluster.some[*].location",
        "length(google_container_cluster.some)",
        "google_container_cluster.some",
    ],
)
def test_what_depends_on_an_unknown_count_is_unknown(instance, expression):
    assert not value(instance(REPEATED), expression).is_wholly_known


CALLS = {
    "main.tf": """\
        module "one" {
          source = "./m"
          name   = "one"
        }
        module "counted" {
          source = "./m"
          count  = 2
          name   = "n${count.index}"
        }
        module "named" {
          source   = "./m"
          for_each = toset(["a", "b"])
          name     = each.value
        }
        module "some" {
          source = "./m"
          count  = var.n
          name   = "some"
        }
        module "gone" {
          source = "./gone"
        }
        module "registry" {
          source  = "terraform-google-modules/network/google"
          version = "9.0.0"
        }
        variable "n" {}
        """,
    "m/main.tf": """\
        variable "name" {}
        variable "zone" { default = "us-east4-b" }
        output "name" { value = "out-${var.name}" }
        output "zone" {
          value     = var.zone
          sensitive = true
        }
        """,
}


@pytest.mark.parametrize(
    ("expression", "data"),
    [
        ("module.one.name", "out-one"),
        ("module.one.zone", "us-east4-b"),
        ("module.counted[1].name", "out-n1"),
        ('module.named["b"].name', "out-b"),
        ('join(",", module.counted[*].name)', "out-n0,out-n1"),
        ('join(",", [for k, m in module.named : m.name])', "out-a,out-b"),
        ("module.some[0].name", "out-some"),
        ("{ m = module.one }.m.name", "out-one"),
    ],
)
def test_outputs_of_called_modules(instance, expression, data):
    assert value(instance(CALLS), expression).data == data


@pytest.mark.parametrize(
    "expression",
    ["module.gone.name", "module.registry.name", "module.gone", "module.some[*].name", "module.one.nothing"],
)
def test_outputs_that_cannot_be_read_are_unknown(instance, expression):
    assert not value(instance(CALLS), expression).is_wholly_known


def test_an_output_keeps_its_mark_and_its_way(instance):
    found = value(instance(CALLS), "module.one.zone")
    assert found.sensitive
    assert [o.what for o in found.trail] == ["output zone", "default of variable zone"]


def test_a_module_that_calls_itself_is_not_followed(instance):
    root = instance({"main.tf": 'module "m" { source = "./m" }\n', "m/main.tf": 'module "again" { source = "../m" }\n'})
    called = root.calls("m").instances[None]
    assert called.calls("again").instances == {None: None}
