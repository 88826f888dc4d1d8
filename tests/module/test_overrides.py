from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.hcl.module import ConfigBlock, made_type
from generator.hcl.module_files import chosen_files
from generator.hcl.parser import parse
from generator.hcl.source import Source

POOL = ("managed", "google_container_node_pool", "p")
BASE = """\
    resource "google_container_node_pool" "p" {
      name    = "base"
      cluster = "c"
      node_config {
        machine_type = "a3-ultragpu-8g"
      }
      dynamic "taint" {
        for_each = [1]
        content {
          key = "k"
        }
      }
      management {
        auto_repair = true
      }
      lifecycle {
        prevent_destroy = true
        ignore_changes  = [name]
      }
    }
    """


def overridden(instance, override: str, name: str = "override.tf") -> ConfigBlock:
    return instance({"main.tf": BASE, name: override}).module.declared.resources[POOL]


def override(body: str) -> str:
    return f'resource "google_container_node_pool" "p" {{\n{body}\n}}\n'


@pytest.mark.parametrize("name", ["override.tf", "gpu_override.tf"])
def test_arguments_replace_those_of_the_same_name(instance, name):
    block = overridden(instance, override('  name = "over"'), name)
    assert block.arguments["name"].span.text == '"over"'
    assert block.arguments["name"].source.path.name == name
    assert block.arguments["cluster"].source.path.name == "main.tf"


def test_file_of_another_name_does_not_override(instance):
    assert overridden(instance, override('  name = "over"'), "overrides.tf").arguments["name"].span.text == '"base"'


def test_override_files_count_in_order_of_their_names(instance):
    root = instance(
        {"main.tf": BASE, "b_override.tf": override('  name = "b"'), "a_override.tf": override('  name = "a"')}
    )
    assert root.module.declared.resources[POOL].arguments["name"].span.text == '"b"'


def test_nested_blocks_replace_all_of_their_type(instance):
    block = overridden(instance, override("  node_config {\n    disk_type = 1\n  }"))
    (config,) = [b for b in block.blocks if b.type == "node_config"]
    assert list(config.arguments) == ["disk_type"]
    assert config.source.path.name == "override.tf"
    assert [b.type for b in block.blocks if b.type == "management"] == ["management"]


@pytest.mark.parametrize(
    "body", ['  taint {\n    key = "o"\n  }', '  dynamic "taint" {\n    for_each = []\n    content {\n    }\n  }']
)
def test_written_and_dynamic_blocks_replace_each_other(instance, body):
    block = overridden(instance, override(body))
    (taint,) = [b for b in block.blocks if made_type(b.node) == "taint"]
    assert taint.source.path.name == "override.tf"


def test_lifecycle_is_merged_argument_by_argument(instance):
    block = overridden(instance, override("  lifecycle {\n    ignore_changes = all\n  }"))
    (lifecycle,) = [b for b in block.blocks if b.type == "lifecycle"]
    assert lifecycle.arguments["ignore_changes"].span.text == "all"
    assert lifecycle.arguments["prevent_destroy"].span.text == "true"


def test_header_stays_that_of_the_base(instance):
    header = overridden(instance, override('  name = "over"')).header
    assert header.text == 'resource "google_container_node_pool" "p"'
    assert header.source.path.name == "main.tf"


def test_json_overrides_blocks_of_native_syntax(instance):
    root = instance(
        {
            "main.tf": BASE,
            "override.tf.json": '{"resource": {"google_container_node_pool": {"p": {"node_config": {"disk_type": "x"}}}}}',
        }
    )
    block = root.module.declared.resources[POOL]
    assert "node_config" in block.arguments
    assert [b.type for b in block.blocks if b.type == "node_config"] == []


def test_an_override_of_nothing_is_left_out(instance):
    root = instance({"main.tf": "", "override.tf": override('  name = "over"')})
    assert root.module.declared.resources == {}


def test_variables_locals_outputs_and_calls_are_merged(instance):
    root = instance(
        {
            "main.tf": """\
                variable "v" {
                  type    = number
                  default = 1
                }
                locals {
                  a = 1
                  b = 1
                }
                module "m" {
                  source = "./m"
                  x      = 1
                }
                """,
            "m/main.tf": 'variable "x" {}\noutput "x" { value = var.x }\n',
            "override.tf": """\
                variable "v" {
                  default = "2"
                }
                locals {
                  a = 2
                }
                module "m" {
                  x = 2
                }
                """,
        }
    )
    assert root.variable("v").data == 2
    assert (root.local("a").data, root.local("b").data) == (2, 1)
    assert root.calls("m").instances[None].output("x").data == 2


def test_required_providers_are_merged_entry_by_entry(instance):
    base = 'terraform {\n  required_providers {\n    google = ">= 7"\n    random = ">= 3"\n  }\n}\n'
    root = instance(
        {"main.tf": base, "override.tf": base.replace('">= 7"', '">= 6"').replace('    random = ">= 3"\n', "")}
    )
    entries = root.module.declared.requirements
    assert {name: placed.span.text for name, placed in entries.items()} == {"google": '">= 6"', "random": '">= 3"'}


NAMES = st.sampled_from("abcd")
LAYER = st.dictionaries(NAMES, st.integers(0, 9))
BLOCKS = st.lists(NAMES, max_size=4)


@settings(deadline=None, max_examples=80)
@given(layers=st.lists(st.tuples(LAYER, BLOCKS), min_size=1, max_size=4))
def test_layers_add_up_to_the_last_word_on_each_name(layers):
    made = []
    for number, (arguments, blocks) in enumerate(layers):
        # Arguments are a…d, block types A…D, so that the two do not replace each other.
        body = "".join(f"  {n} = {v}\n" for n, v in arguments.items())
        body += "".join(f"  {n.upper()} {{\n    layer = {number}\n  }}\n" for n in blocks)
        source = Source(__import__("pathlib").Path(f"/{number}.tf"), f"x {{\n{body}}}\n")
        made.append((source, parse(source).body.blocks[0]))
    merged = ConfigBlock((made[0],))
    for source, block in made[1:]:
        merged = merged.with_override(source, block)
    wanted: dict[str, int] = {}
    for arguments, _ in layers:
        wanted |= arguments
    assert {n: int(p.span.text) for n, p in merged.arguments.items()} == wanted
    for name in "ABCD":
        last = max((i for i, (_, blocks) in enumerate(layers) if name.lower() in blocks), default=None)
        found = [int(b.arguments["layer"].span.text) for b in merged.blocks if b.type == name]
        assert found == ([] if last is None else [last] * layers[last][1].count(name.lower()))


FILES = [
    "a.tf",
    "a.tofu",
    "b.tf",
    "c.tofu",
    "d.tf.json",
    "d.tofu.json",
    ".hidden.tf",
    "e.tf~",
    "#f.tf#",
    "g.tfvars",
    "h.tf.bak",
]


@pytest.mark.parametrize(
    ("reading", "chosen"),
    [("terraform", ["a.tf", "b.tf", "d.tf.json"]), ("tofu", ["a.tofu", "b.tf", "c.tofu", "d.tofu.json"])],
)
def test_which_files_a_program_reads(reading, chosen):
    assert chosen_files(FILES, reading) == chosen


def test_override_files_come_last():
    names = ["a_override.tf", "z.tf", "override.tf.json", "b.tf"]
    assert chosen_files(names, "terraform") == ["b.tf", "z.tf", "a_override.tf", "override.tf.json"]
