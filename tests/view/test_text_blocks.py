from __future__ import annotations

import pytest

from generator.view import Absent, Known, Unknown

POOL = """\
resource "google_container_node_pool" "p" {
  cluster        = "c"
  node_locations = ["us-east4-b", "us-east4-b"]
  node_count     = "2"
  version        = null
  node_config {
    machine_type = var.machine
    labels = {
      dra  = true
      team = var.team
    }
    guest_accelerator {
      type  = "nvidia-b200"
      count = 8
    }
  }
}
variable "machine" {
  default = "a4-highgpu-8g"
}
variable "team" {}
"""


@pytest.fixture
def pool(tree):
    def make(text: str = POOL):
        (found,) = [r for r in tree(text).resources if r.type == "google_container_node_pool"]
        return found

    return make


def test_a_known_value_is_converted_and_points_to_its_expression(pool, place):
    found = pool().get("node_count")
    assert isinstance(found, Known)
    assert (found.value, place(found.span)) == (2, "main.tf:4:20-4:23")


def test_a_set_counts_equal_elements_once(pool):
    assert pool().get("node_locations").value == frozenset({"us-east4-b"})


def test_a_value_from_elsewhere_names_where_it_came_from(pool, place):
    found = pool().get("node_config.machine_type")
    assert (found.value, place(found.span)) == ("a4-highgpu-8g", "main.tf:7:20-7:31")
    assert [(o.what, place(o.span)) for o in found.origins] == [("default of variable machine", "main.tf:19:13-19:28")]


def test_an_element_points_to_itself(pool, place):
    found = pool().element("node_config.labels", "dra")
    assert (found.value, place(found.span)) == ("true", "main.tf:9:14-9:18")


def test_a_partly_unknown_map_is_unknown_but_its_known_elements_are_known(pool):
    assert isinstance(pool().get("node_config.labels"), Unknown)
    assert isinstance(pool().element("node_config.labels", "team"), Unknown)
    assert pool().element("node_config.labels", "dra").value == "true"


def test_a_missing_key_points_to_the_header_around_the_map(pool, place):
    assert place(pool().element("node_config.labels", "none").span) == "main.tf:6:3-6:14"


def test_an_unwritten_argument_points_to_the_innermost_written_header(pool, place):
    assert place(pool().get("node_config.guest_accelerator.gpu_partition_size").span) == "main.tf:12:5-12:22"
    assert place(pool().get("network_config.pod_range").span) == "main.tf:1:1-1:42"


def test_null_is_absent_and_points_to_its_expression(pool, place):
    found = pool().get("version")
    assert isinstance(found, Absent)
    assert (found.is_null, place(found.span)) == (True, "main.tf:5:20-5:24")


def test_a_value_that_does_not_fit_the_type_cannot_be_compared(pool):
    view = pool('resource "google_container_node_pool" "p" {\n  node_count = "two"\n}\n')
    assert isinstance(view.get("node_count"), Unknown)
    misfit = view.argument("node_count").misfit
    assert misfit.part.value == "two" and misfit.part.span.text == '"two"'


def test_names_leave_out_what_is_terraforms_own(pool):
    text = 'resource "google_container_node_pool" "p" {\n  count = 1\n  provider = google\n  depends_on = []\n  name = "p"\n'
    text += "  lifecycle {\n  }\n  timeouts {\n  }\n}\n"
    assert pool(text).data.names() == (("name",), ("timeouts",))


DYNAMIC = """\
resource "google_container_node_pool" "p" {
  dynamic "autoscaling" {
    for_each = %s
    content {
      max_node_count = %s
    }
  }
}
variable "n" {}
"""


def test_a_dynamic_that_is_known_is_like_a_written_block(pool, place):
    found = pool(DYNAMIC % ("[4]", "autoscaling.value"))
    assert found.get("autoscaling.max_node_count").value == 4
    assert found.has("autoscaling") is True
    assert place(found.blocks("autoscaling").items[0].header) == "main.tf:2:3-2:24"


def test_a_dynamic_that_makes_nothing_leaves_the_header_around_it(pool, place):
    found = pool(DYNAMIC % ("[]", "1"))
    assert found.has("autoscaling") is False
    assert place(found.get("autoscaling.max_node_count").span) == "main.tf:1:1-1:42"


def test_a_dynamic_that_is_unknown_is_neither_there_nor_missing(pool):
    found = pool(DYNAMIC % ("var.n", "4"))
    assert found.has("autoscaling") is None
    blocks = found.blocks("autoscaling")
    assert blocks.count is None
    assert not blocks.items[0].certain
    assert found.get("autoscaling.max_node_count").value == 4


def test_json_syntax_gives_the_same_answers(tree, place):
    text = (
        '{"resource": {"google_container_node_pool": {"p": {\n'
        '  "node_count": "${1 + 1}",\n'
        '  "node_config": [{\n'
        '    "labels": {"dra": true},\n'
        '    "guest_accelerator": {"type": "nvidia-b200", "count": "8"}\n'
        "  }],\n"
        '  "dynamic": {"autoscaling": {"for_each": [3], "content": {"max_node_count": "${autoscaling.value}"}}}\n'
        "}}}}\n"
    )
    (found,) = tree({"main.tf.json": text}).resources
    assert found.get("node_count").value == 2
    assert found.get("node_config.guest_accelerator.count").value == 8
    assert found.get("autoscaling.max_node_count").value == 3
    element = found.element("node_config.labels", "dra")
    assert (element.value, place(element.span)) == ("true", "main.tf.json:4:23-4:27")
    assert place(found.header) == "main.tf.json:1:46-1:49"
    assert place(found.get("node_config.image_type").span) == "main.tf.json:3:3-3:16"


def test_blocks_written_as_an_argument_are_read_and_named_as_an_argument(pool, place):
    accelerator = 'guest_accelerator = [{ type = "nvidia-b200", count = 4 }]'
    text = f'resource "google_container_node_pool" "p" {{\n  node_config {{\n    {accelerator}\n  }}\n}}\n'
    found = pool(text)
    count = found.get("node_config.guest_accelerator.count")
    assert (count.value, place(count.span)) == (4, "main.tf:3:58-3:59")
    config = found.blocks("node_config").items[0]
    assert config.data.names() == (("guest_accelerator",), ())
    assert place(config.argument("guest_accelerator").name_span) == "main.tf:3:5-3:22"


def test_references_see_blocks_of_json_syntax_as_a_list(tree):
    text = """{"resource": {
        "google_container_cluster": {"c": {"release_channel": {"channel": "RAPID"}}},
        "google_container_node_pool": {"p": {"name": "${google_container_cluster.c.release_channel[0].channel}"}}
    }}"""
    (pool,) = [r for r in tree({"main.tf.json": text}).resources if r.type == "google_container_node_pool"]
    assert pool.get("name").value == "RAPID"


def test_arguments_that_the_provider_keeps_secret_are_not_shown(tree):
    text = 'resource "google_container_cluster" "c" {\n  master_auth {\n  }\n}\n'
    (cluster,) = tree(text).resources
    schema = cluster.data.blocks("master_auth").items[0].schema
    secret = [name for name, argument in schema.arguments.items() if argument.sensitive]
    assert secret
    written = text.replace("master_auth {", f'master_auth {{\n    {secret[0]} = "s3cret"')
    (cluster,) = tree(written).resources
    assert cluster.get(f"master_auth.{secret[0]}").show() == "(sensitive value)"


def test_references_to_arguments_that_are_not_written(tree):
    text = """\
        resource "google_container_cluster" "c" {}
        resource "google_container_node_pool" "p" {
          name    = google_container_cluster.c.description == null ? "none" : "some"
          version = google_container_cluster.c.deletion_protection
          cluster = google_container_cluster.c.location
        }
        """
    (pool,) = [r for r in tree(text).resources if r.type == "google_container_node_pool"]
    assert pool.get("name").value == "none"
    assert pool.get("version").value == "true"
    assert isinstance(pool.get("cluster"), Unknown)
