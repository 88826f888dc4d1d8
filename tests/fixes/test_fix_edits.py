"""Each fix changes its own bytes: where it writes, how it looks, and when it keeps its hands off."""

from __future__ import annotations

import pytest
from fix_runs import fixing

POOL = """\
resource "google_container_node_pool" "p" {
  name    = "p"
  cluster = "c"

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"

    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }

    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }

    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
}
"""
SSD = """
    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
"""
PROFILE_LABEL = '      "gke.networks.io/accelerator-network-profile" = "auto"\n'


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        ("gpudirect-strategy", 'gpudirect_strategy = "RDMA"', 'gpudirect_strategy = "rdma" # as gcloud writes it'),
        ("accelerator", "count = 8", "count = 4"),
        ("accelerator", 'type  = "nvidia-h200-141gb"', 'type  = "nvidia-b200"'),
        ("local-ssd", "local_ssd_count  = 32", "local_ssd_count  = 16"),
        ("local-ssd", "data_cache_count = 0", "data_cache_count = 4"),
        ("network-profile", 'accelerator_network_profile = "auto"', 'accelerator_network_profile = "AUTO"'),
        ("dranet-label", 'dra-driver"  = "true"', 'dra-driver"  = "false"'),
        ("dranet-label", 'dra-driver"  = "true"', 'dra-driver"  = false'),
        ("network-profile-label", 'profile" = "auto"', 'profile" = "other"'),
    ],
)
def test_literals(fixed, rule, right, wrong):
    assert POOL.count(right) == 1
    assert fixed(POOL.replace(right, wrong), rule) == POOL.replace(right, wrong.replace(wrong.split(" #")[0], right))


@pytest.mark.parametrize("unsafe", [False, True])
def test_unsafe_fixes_are_made_only_when_wanted(fixed, unsafe):
    wrong = POOL.replace("count = 8", "count = 4").replace('"RDMA"', '"Rdma"')
    wanted = POOL if unsafe else POOL.replace("count = 8", "count = 4")
    assert fixed(wrong, unsafe=unsafe) == wanted


def test_a_block_goes_to_the_end_with_a_blank_line_before_it(fixed):
    text = POOL.replace(SSD, "")
    assert fixed(text, "local-ssd") == text.replace(PROFILE_LABEL + "    }\n", PROFILE_LABEL + "    }\n" + SSD)


def test_a_label_is_aligned_with_its_neighbours(fixed):
    assert fixed(POOL.replace(PROFILE_LABEL, ""), "network-profile-label") == POOL


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        ('labels = { a = "b" }', 'labels = { a = "b", "KEY" = "auto" }'),
        ('labels = { a = "b", }', 'labels = { a = "b", "KEY" = "auto" }'),
        ("labels = {}", 'labels = { "KEY" = "auto" }'),
        ("labels = { # none\n}", "labels = { # none\n}"),
        ('labels = {\n      a : "b",\n    }', 'labels = {\n      a : "b",\n      "KEY": "auto",\n    }'),
        ('labels = {\n      a = "b" # why\n    }', 'labels = {\n      a = "b" # why\n      "KEY" = "auto"\n    }'),
        ('labels = {\n      a = "b" }', 'labels = {\n      a = "b", "KEY" = "auto" }'),
        ('labels = merge({ a = "b" }, {})', 'labels = merge({ a = "b" }, {})'),
        ("labels = local.labels", "labels = local.labels"),
    ],
)
def test_elements_of_maps(fixed, labels, wanted):
    start = POOL.index("labels = {")
    end = POOL.index("    }\n", start) + 5
    text = 'locals {\n  labels = { a = "b" }\n}\n' + POOL
    head = len(text) - len(POOL)
    before, after = text[: head + start], text[head + end :]
    wanted = wanted.replace("KEY", "gke.networks.io/accelerator-network-profile")
    assert fixed(before + labels + after, "network-profile-label") == before + wanted + after


def test_arguments_are_written_behind_the_others(fixed):
    cluster = 'resource "google_container_cluster" "c" {\n  name     = "c" # its name\n  location = "z" # x\n%s\n'
    cluster += "  addons_config {\n  }\n}\n"
    text = POOL.replace('"c"', "google_container_cluster.c.id") + cluster
    wanted = '  datapath_provider = "ADVANCED_DATAPATH"\n'
    assert fixed(text % "", "dataplane-v2") == text % wanted


def test_arguments_of_a_block_without_any(fixed):
    for written, wanted in [
        ("network_config {\n  }", 'network_config {\n    accelerator_network_profile = "auto"\n  }'),
        ("network_config {}", 'network_config { accelerator_network_profile = "auto" }'),
        (
            "network_config { enable_private_nodes = true }",
            'network_config {\n    enable_private_nodes = true\n    accelerator_network_profile = "auto"\n  }',
        ),
        (
            "network_config {\n    pod_cidr_overprovision_config {\n      disabled = true\n    }\n  }",
            'network_config {\n    accelerator_network_profile = "auto"\n\n    pod_cidr_overprovision_config {\n'
            "      disabled = true\n    }\n  }",
        ),
    ]:
        whole = 'network_config {\n    accelerator_network_profile = "auto"\n  }'
        assert fixed(POOL.replace(whole, written), "network-profile") == POOL.replace(whole, wanted)


def test_nulls_are_literals(fixed):
    assert fixed(POOL.replace('profile = "auto"', "profile = null"), "network-profile") == POOL


def test_an_argument_is_taken_out_with_its_line_but_not_with_a_comment(fixed):
    scaling = POOL.replace('cluster = "c"\n', 'cluster = "c"\nCOUNT\n  autoscaling {\n    max_node_count = 4\n  }\n')
    for line, left in [("  node_count = 2\n", ""), ("  node_count = 2 # two\n", "  # two\n")]:
        assert fixed(scaling.replace("COUNT", line), "autoscaling") == scaling.replace("COUNT", left)


@pytest.mark.parametrize(
    "text",
    [
        # The value comes from elsewhere, and others may use it.
        'variable "s" {\n  default = "rdma"\n}\n' + POOL.replace('"RDMA"', "var.s"),
        'locals {\n  s = "rdma"\n}\n' + POOL.replace('"RDMA"', "local.s"),
        POOL.replace('"RDMA"', 'true ? "rdma" : "x"'),
        POOL.replace('"RDMA"', '"${"rdma"}"'),
        POOL.replace('gpudirect_strategy = "RDMA"', "gpudirect_strategy = <<-E\n    rdma\n    E"),
    ],
)
def test_values_that_are_no_literals_stay(fixed, text):
    assert fixed(text, "gpudirect-strategy") == text


def test_blocks_of_a_dynamic_are_left_alone(fixed):
    text = POOL.replace("  node_config {", '  dynamic "node_config" {\n    for_each = [1]\n    content {').replace(
        SSD, ""
    )
    text = text[:-2] + "  }\n}\n"
    assert fixed(text, "local-ssd") == text


def test_blocks_with_overrides_are_left_alone(fixed):
    override = (
        'resource "google_container_node_pool" "p" {\n  node_config {\n    machine_type = "a3-ultragpu-8g"\n  }\n}\n'
    )
    text = POOL.replace(SSD, "")
    assert fixed(text, "dataplane-v2", files={"main_override.tf": override}) == text


def test_instances_that_want_different_things_keep_their_text(fixed):
    text = POOL.replace(
        '  name    = "p"', '  for_each = { a = "a3-ultragpu-8g", b = "g2-standard-4" }\n  name    = each.key'
    )
    text = text.replace('"a3-ultragpu-8g"\n    gpu', "each.value\n    gpu").replace(SSD, "")
    assert fixed(text, "local-ssd") == text
    same = text.replace("g2-standard-4", "a4-highgpu-8g")
    assert fixed(same, "local-ssd") != same


def test_json_syntax_takes_values_only(fixed):
    json = (
        '{"resource": {"google_container_node_pool": {"p": {"cluster": "c", "node_config": '
        '{"machine_type": "a3-ultragpu-8g", "gpudirect_strategy": "rdma"}}}}}'
    )
    result = fixed("", files={"p.tf.json": json}, of="p.tf.json")
    assert result == json.replace('"rdma"', '"RDMA"')


@pytest.mark.parametrize(
    ("constraint", "raised", "safe"),
    [
        ("~> 7.30", "~> 7.34", True),
        (">= 6.0", ">= 7.34", True),
        (">= 6.0.1, < 8", ">= 7.34.0, < 8", True),
        ("< 8.0", ">= 7.34.0, < 8.0", True),
        ("> 7.1.0", ">= 7.34.0", True),
        ("~> 7", "~> 7.34", True),
        ("7.10.0", "7.34.0", True),
        ("~> 6.0", "~> 7.34", False),
        (">= 5.0, < 7", ">= 5.0, < 7", False),
    ],
)
def test_constraints(fixed, constraint, raised, safe):
    text = (
        'terraform {\n  required_providers {\n    google = { source = "hashicorp/google", version = "%s" } # x\n  }\n}\n'
        + POOL
    )
    assert fixed(text % constraint, "provider-version") == text % raised
    assert fixed(text % constraint, "provider-version", unsafe=False) == text % (raised if safe else constraint)


def test_constraints_that_others_contradict_stay(fixed):
    text = 'terraform {\n  required_providers {\n    google = { source = "hashicorp/google", version = "%s" }\n  }\n}\n'
    module = {"m/main.tf": text % "~> 7.20.0"}
    whole = text % ">= 7.0" + POOL + 'module "m" {\n  source = "./m"\n}\n'
    assert fixed(whole, "provider-version", files=module) == whole


def test_other_machine_types_follow_the_accelerator(fixed):
    assert fixed(POOL.replace('"a3-ultragpu-8g"', '"a3-megagpu-8g"'), "machine-type") == POOL
    without = POOL.replace('"a3-ultragpu-8g"', '"a3-megagpu-8g"').replace("nvidia-h200-141gb", "nvidia-h100-80gb")
    assert fixed(without, "machine-type") == without


def test_modules_that_were_not_asked_for_are_not_changed(tmp_path):

    (tmp_path / "root").mkdir()
    (tmp_path / "m").mkdir()
    (tmp_path / "root/main.tf").write_text('module "m" {\n  source = "../m"\n}\n')
    (tmp_path / "m/main.tf").write_text(POOL.replace('"RDMA"', '"rdma"'))
    (tmp_path / ".git").mkdir()
    assert fixing(tmp_path / "root").changed == []
    assert fixing(tmp_path / "m").changed == [(tmp_path / "m/main.tf").resolve()]
