from __future__ import annotations

from itertools import combinations

import pytest

from generator.errors import InputError
from generator.hcl.types import NUMBER, STRING
from generator.hcl.values import UnknownData
from generator.hcl.variables import FileArgument, ValueArgument

DECLARED = 'variable "x" {\n  type    = string\n  default = "default"\n}\n'
LAYERS = {
    "terraform.tfvars": 'x = "terraform.tfvars"\n',
    "terraform.tfvars.json": '{"x": "terraform.tfvars.json"}',
    "a.auto.tfvars": 'x = "a.auto.tfvars"\n',
    "b.auto.tfvars.json": '{"x": "b.auto.tfvars.json"}',
}
RANK = ["environment", *LAYERS, "configured", "argument"]
SUBSETS = [set(some) for size in (1, 2, len(RANK)) for some in combinations(RANK, size)]


def given(declaration: str, files: dict[str, str] | None = None) -> dict[str, str]:
    return {"main.tf": declaration, **(files or {})}


def test_default_counts_when_nothing_else_is_given(instance):
    value = instance(DECLARED).variable("x")
    assert value.data == "default"
    assert [o.what for o in value.trail] == ["default of variable x"]
    assert value.trail[0].span.text == '"default"'


@pytest.mark.parametrize("present", SUBSETS, ids=lambda s: "+".join(sorted(s)))
def test_of_all_places_that_give_a_value_the_highest_wins(instance, tmp_path_factory, present):
    configured = tmp_path_factory.mktemp("shared") / "configured.tfvars"
    configured.write_text('x = "configured"\n')
    root = instance(
        given(DECLARED, {name: LAYERS[name] for name in LAYERS.keys() & present}),
        environment={"TF_VAR_x": "environment"} if "environment" in present else {},
        var_files=(configured,) if "configured" in present else (),
        arguments=(ValueArgument("x", "argument"),) if "argument" in present else (),
    )
    assert root.variable("x").data == next(name for name in reversed(RANK) if name in present)


def test_trail_names_the_file_that_the_value_came_from(instance):
    value = instance(given(DECLARED, {"terraform.tfvars": '# first\nx = "t"\n'})).variable("x")
    origin = value.trail[0]
    assert (origin.what, origin.span.text) == ("terraform.tfvars", '"t"')
    assert origin.span.source.position(origin.span.start) == (2, 5)


def test_arguments_count_in_the_order_of_the_command_line(instance, tmp_path_factory):
    file = tmp_path_factory.mktemp("v") / "prod.tfvars"
    file.write_text('x = "file"\n')
    first, second = ValueArgument("x", "value"), FileArgument(file)
    assert instance(DECLARED, arguments=(first, second)).variable("x").data == "file"
    assert instance(DECLARED, arguments=(second, first)).variable("x").data == "value"


def test_missing_variable_file_is_the_users_mistake(instance, tmp_path):
    with pytest.raises(InputError, match=r"nothing\.tfvars"):
        instance(DECLARED, arguments=(FileArgument(tmp_path / "nothing.tfvars"),))


def test_files_that_are_not_loaded_by_themselves_do_not_count(instance):
    root = instance(given(DECLARED, {"prod.tfvars": 'x = "prod"\n', ".auto.tfvars": 'x = "hidden"\n'}))
    assert root.variable("x").data == "default"


def test_variable_without_a_value_is_unknown_of_its_type(instance):
    value = instance('variable "x" { type = number }\n').variable("x")
    assert value.is_unknown
    assert value.type == NUMBER
    assert value.data == UnknownData("variable x has no value")


def test_undeclared_variable_is_unknown(instance):
    assert instance(given(DECLARED, {"terraform.tfvars": "y = 1\n"})).variable("y").is_unknown


@pytest.mark.parametrize(
    ("type_", "text", "data"),
    [
        ("type = string", '["a"]', '["a"]'),
        ("type = number", "4", 4),
        ("type = bool", "true", True),
        ("", "[1]", "[1]"),
    ],
)
def test_text_from_outside_is_literal_for_primitive_types(instance, type_, text, data):
    root = instance(f'variable "x" {{\n  {type_}\n}}\n', environment={"TF_VAR_x": text})
    assert root.variable("x").data == data


@pytest.mark.parametrize("type_", ["list(string)", "any"])
def test_text_from_outside_is_an_expression_for_other_types(instance, type_):
    value = instance(f'variable "x" {{ type = {type_} }}\n', environment={"TF_VAR_x": '["a", "b"]'}).variable("x")
    assert [v.data for v in value.data] == ["a", "b"]
    assert all(v.trail == () for v in value.data)


def test_text_that_is_no_expression_is_unknown(instance):
    root = instance('variable "x" { type = list(string) }\n', arguments=(ValueArgument("x", "[a"),))
    assert root.variable("x").is_unknown


def test_values_take_the_declared_type(instance):
    value = instance(given('variable "x" { type = string }\n', {"terraform.tfvars": "x = 32\n"})).variable("x")
    assert (value.type, value.data) == (STRING, "32")


def test_a_value_that_does_not_fit_its_type_is_unknown(instance):
    root = instance(given('variable "x" { type = number }\n', {"terraform.tfvars": 'x = "many"\n'}))
    assert root.variable("x").is_unknown


def test_missing_attributes_take_their_optional_defaults(instance):
    declared = """\
        variable "pools" {
          type = map(object({ zone = string, nodes = optional(number, 2), image = optional(string) }))
          default = { a = { zone = "us-central1-b" } }
        }
        """
    pool = instance(declared).variable("pools").data["a"].data
    assert (pool["zone"].data, pool["nodes"].data, pool["image"].data) == ("us-central1-b", 2, None)


def test_null_takes_the_default_only_where_null_is_not_allowed(instance):
    declared = """\
        variable "strict" {
          default  = "d"
          nullable = false
        }
        variable "loose" {
          default = "d"
        }
        """
    root = instance(given(declared, {"terraform.tfvars": "strict = null\nloose = null\n"}))
    assert root.variable("strict").data == "d"
    assert root.variable("loose").is_null


def test_sensitive_variables_are_marked(instance):
    assert instance('variable "x" {\n  default   = "s"\n  sensitive = true\n}\n').variable("x").sensitive


def test_strings_in_json_variable_files_are_no_templates(instance):
    root = instance(given('variable "x" { type = string }\n', {"terraform.tfvars.json": '{"x": "${upper(1)}"}'}))
    assert root.variable("x").data == "${upper(1)}"


def test_variable_files_of_a_called_module_do_not_count(instance):
    root = instance(
        {
            "main.tf": 'module "m" { source = "./m" }\n',
            "terraform.tfvars": 'x = "root"\n',
            "m/main.tf": 'variable "x" { default = "d" }\noutput "x" { value = var.x }\n',
            "m/terraform.tfvars": 'x = "module"\n',
        }
    )
    called = root.calls("m").instances[None]
    assert called.variable("x").data == "d"
