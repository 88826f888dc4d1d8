from __future__ import annotations

import pytest

from generator.view import Cluster, Unknown

CLUSTER = """\
resource "google_container_cluster" "c" {
  name     = "train"
  location = "us-east4"
}
resource "google_container_cluster" "other" {
  name     = "serve"
  location = "us-east4"
}
variable "unset" {}
"""


def pool(cluster: str, more: str = "") -> str:
    return f'resource "google_container_node_pool" "p" {{\n  cluster = {cluster}\n  {more}\n}}\n'


def cluster_of(tree) -> str | None:
    (found,) = [p for p in tree.pools if p.kind == "resource"]
    return found.cluster.resource.address if isinstance(found.cluster, Cluster) else None


@pytest.mark.parametrize(
    "reference",
    [
        "google_container_cluster.c.name",
        "google_container_cluster.c.id",
        "google_container_cluster.c.self_link",
        '"${google_container_cluster.c.name}"',
        "(google_container_cluster.c[*].id)[0]",
        "local.cluster",
        "local.whole.name",
        "local.whole.id",
        '"projects/p/locations/us-east4/clusters/${google_container_cluster.c.name}"',
        '"projects/${var.unset}/locations/us-east4/clusters/${google_container_cluster.c.name}"',
        'split("/", google_container_cluster.c.id)[5]',
        '"train"',
        '"projects/p/locations/us-east4/clusters/train"',
        'true ? google_container_cluster.c.id : "x"',
    ],
)
def test_the_ways_to_refer_to_a_cluster(tree, reference):
    locals_ = "locals {\n  cluster = google_container_cluster.c.id\n  whole = google_container_cluster.c\n}\n"
    assert cluster_of(tree(CLUSTER + locals_ + pool(reference))) == "google_container_cluster.c"


@pytest.mark.parametrize(
    "reference",
    [
        "var.unset",
        '"elsewhere"',
        '"${google_container_cluster.c.name}-2"',
        "data.google_container_cluster.d.id",
        "var.unset ? google_container_cluster.c.id : google_container_cluster.other.id",
        '"projects/p/locations/europe-west4/clusters/train"',
    ],
)
def test_references_to_no_cluster_that_is_known(tree, reference):
    assert cluster_of(tree(CLUSTER + 'data "google_container_cluster" "d" {}\n' + pool(reference))) is None


def test_a_cluster_whose_name_is_unknown_is_found_through_the_reference(tree):
    text = 'variable "n" {}\nresource "google_container_cluster" "c" {\n  name = var.n\n}\n'
    assert cluster_of(tree(text + pool("google_container_cluster.c.name"))) == "google_container_cluster.c"


@pytest.mark.parametrize(
    ("body", "reference"),
    [
        ("count = 1", "google_container_cluster.c[0].id"),
        ("count = 1", "google_container_cluster.c.0.name"),
        ("count = 1", "one(google_container_cluster.c[*].id)"),
        ("count = var.n", "google_container_cluster.c[0].id"),
        ("count = var.n", "one(google_container_cluster.c[*].id)"),
        ("for_each = { a = 1 }", 'google_container_cluster.c["a"].name'),
    ],
)
def test_instances_of_clusters(tree, body, reference):
    text = f'variable "n" {{}}\nresource "google_container_cluster" "c" {{\n  {body}\n  name = "x"\n}}\n'
    found = cluster_of(tree(text + pool(reference)))
    assert found is not None
    assert found.startswith("google_container_cluster.c")


def test_pool_and_cluster_of_the_same_round_belong_together(tree):
    text = """\
        resource "google_container_cluster" "c" {
          for_each = { a = 1, b = 2 }
          name     = "same"
        }
        resource "google_container_node_pool" "p" {
          for_each = google_container_cluster.c
          cluster  = each.value.id
        }
        """
    found = tree(text)
    assert [(c.resource.address[-5:], [p.address[-5:] for p in c.pools]) for c in found.clusters] == [
        ('["a"]'[-5:], ['["a"]'[-5:]]),
        ('["b"]'[-5:], ['["b"]'[-5:]]),
    ]


MODULES = {
    "main.tf": """\
        module "gke" { source = "./gke" }
        module "pool" {
          source  = "./pool"
          cluster = %s
        }
        """,
    "gke/main.tf": """\
        resource "google_container_cluster" "c" {
          count = 1
          name  = "x"
        }
        output "id" { value = google_container_cluster.c[0].id }
        output "name" { value = one(google_container_cluster.c[*].name) }
        output "whole" { value = google_container_cluster.c[0] }
        output "some" { value = { cluster = google_container_cluster.c[0].name } }
        """,
    "pool/main.tf": """\
        variable "cluster" {%s}
        resource "google_container_node_pool" "p" { cluster = %s }
        """,
}


@pytest.mark.parametrize(
    ("given", "type_", "used"),
    [
        ("module.gke.id", "type = string", "var.cluster"),
        ("module.gke.name", "type = string", "var.cluster"),
        ("module.gke.whole", "", "var.cluster.id"),
        ("module.gke.whole", "type = object({ id = string })", "var.cluster.id"),
        ("module.gke.some", "type = any", 'var.cluster["cluster"]'),
        ("module.gke", "", "var.cluster.id"),
        ("{ c = module.gke.whole }", "", "var.cluster.c.self_link"),
    ],
)
def test_references_travel_through_outputs_and_inputs(tree, given, type_, used):
    files = {**MODULES, "main.tf": MODULES["main.tf"] % given, "pool/main.tf": MODULES["pool/main.tf"] % (type_, used)}
    assert cluster_of(tree(files)) == "module.gke.google_container_cluster.c[0]"


def test_equal_names_in_other_projects_are_not_the_same_cluster(tree):
    text = 'resource "google_container_cluster" "c" {\n  name = "x"\n  project = "a"\n}\n'
    assert cluster_of(tree(text + pool('"x"', 'project = "b"'))) is None
    assert cluster_of(tree(text + pool('"x"', 'project = "a"'))) == "google_container_cluster.c"


def test_of_clusters_with_one_name_the_location_decides(tree):
    text = "".join(
        f'resource "google_container_cluster" "{n}" {{\n  name = "x"\n  location = "{place}"\n}}\n'
        for n, place in (("a", "us-east4"), ("b", "us-west1"))
    )
    assert cluster_of(tree(text + pool('"x"', 'location = "us-west1"'))) == "google_container_cluster.b"
    assert cluster_of(tree(text + pool('"x"'))) is None


INLINE = """\
resource "google_container_cluster" "c" {
  name = "x"
  node_config {
    machine_type = "e2-standard-4"
  }
  %s
}
"""


def test_pools_inside_a_cluster(tree):
    found = tree(INLINE % 'node_pool {\n    name = "a"\n  }\n  node_pool {\n    name = "b"\n  }')
    (cluster,) = found.clusters
    assert [p.kind for p in cluster.pools] == ["inline", "inline", "default"]
    assert [p.block.get("name").value for p in cluster.pools[:2]] == ["a", "b"]
    assert cluster.pools[2].get("node_config.machine_type").value == "e2-standard-4"
    assert found.pools == cluster.pools
    assert cluster.pools_known


def test_a_default_pool_that_is_removed_is_none(tree):
    assert tree(INLINE % "remove_default_node_pool = true").pools == []


@pytest.mark.parametrize(
    "more",
    [
        'dynamic "node_pool" {\n    for_each = var.n\n    content {}\n  }\n}\nvariable "n" {}\nlocals {',
        "}\n" + pool("var.n") + 'variable "n" {}\nlocals {',
        "}\n" + pool("google_container_cluster.c.id", "count = var.n") + 'variable "n" {}\nlocals {',
    ],
)
def test_pools_are_not_all_known(tree, more):
    assert not tree(INLINE % more).clusters[0].pools_known


def test_a_pool_of_a_cluster_with_another_name_leaves_the_pools_known(tree):
    assert tree((INLINE % "") + pool('"elsewhere"')).clusters[0].pools_known


def test_a_pool_without_cluster_says_why(tree):
    (found,) = tree('resource "google_container_node_pool" "p" {}\n').pools
    assert isinstance(found.cluster, Unknown)
    assert found.cluster.span == found.header


def test_a_data_source_that_looks_up_a_cluster_of_the_tree_leads_to_it(tree):
    data = 'data "google_container_cluster" "d" {\n  name = %s\n}\n'
    for name in ("google_container_cluster.c.name", '"train"'):
        found = tree(CLUSTER + data % name + pool("data.google_container_cluster.d.id"))
        assert cluster_of(found) == "google_container_cluster.c"
    assert cluster_of(tree(CLUSTER + data % '"elsewhere"' + pool("data.google_container_cluster.d.id"))) is None


@pytest.mark.parametrize(
    "reference",
    [
        'join("", google_container_cluster.c[*].name)',
        "concat(google_container_cluster.c[*].id, [])[0]",
        "element(google_container_cluster.c[*].id, 0)",
        'try(google_container_cluster.c[0].id, "none")',
        "coalesce(google_container_cluster.c[0].name, null)",
        "values({ for k, c in google_container_cluster.c : k => c.id })[0]",
        "{ for k, c in google_container_cluster.c : k => c }[0].name",
    ],
)
def test_functions_on_the_way_to_a_cluster(tree, reference):
    text = 'variable "n" {}\nresource "google_container_cluster" "c" {\n  count = 1\n  name = "x-${var.n}"\n}\n'
    assert cluster_of(tree(text + pool(reference))) == "google_container_cluster.c[0]"
