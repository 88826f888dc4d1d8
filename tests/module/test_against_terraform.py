"""Variables, locals, overrides, calls and instances: the same values as the real core plans."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from generator.hcl.values import Value
from generator.hcl.variables import ValueArgument

pytestmark = [
    pytest.mark.terraform,
    pytest.mark.skipif(shutil.which("terraform") is None, reason="terraform is not installed"),
]

ENVIRONMENT = {"TF_VAR_c": '["env"]', "TF_VAR_b": "envb", "TF_VAR_e": '{q=[1,"2"]}'}
ARGUMENT = ValueArgument("c", '["cli", "x"]')
FILES = {
    "main.tf": """\
        variable "a" {
          type = object({ x = number, y = optional(string, "dy"), z = optional(list(object({ k = optional(number, 5) })), [{}]) })
          default = { x = "3" }
        }
        variable "b" { default = "b-default" }
        variable "c" { type = list(string) }
        variable "d" { type = map(any) }
        variable "e" {
          type = any
          default = null
        }
        variable "f" {
          type = set(number)
          default = [3, 1, 2, 1]
        }
        variable "g" {
          default = "gd"
          nullable = false
        }
        variable "h" { type = tuple([string, number]) }
        locals {
          l1 = { for k, v in var.d : k => "${v}-${local.l2}" }
          l2 = join(",", var.c)
          l3 = [for i, x in module.m : "${i}:${x.out}"]
        }
        module "m" {
          source = "./m"
          count = 2
          name = "n${count.index}"
          extra = { i = count.index }
        }
        module "each" {
          source = "./m"
          for_each = { p = "1", q = "2" }
          name = each.key
          num = each.value
          nn = null
        }
        resource "terraform_data" "t" {
          for_each = toset(["u", "v"])
          input = "in-${each.key}"
        }
        resource "terraform_data" "s" {
          count = 0
          input = 1
        }
        output "o" {
          value = {
            a = var.a, b = var.b, c = var.c, d = var.d, e = var.e, f = var.f, g = var.g, h = var.h
            l1 = local.l1, l3 = local.l3
            m = module.m, me = module.each
            mi = module.m[1].out
            t = terraform_data.t["u"].input
            tt = { for k, v in terraform_data.t : k => v.input }
            s = one(terraform_data.s[*].input)
            ss = length(terraform_data.s)
            tr = try(terraform_data.s[0].input, "none")
            pm = path.module, pr = path.root
            mm = module.m[0].pm
          }
        }
        """,
    "z_override.tf": """\
        variable "b" { default = 7 }
        locals { l2 = "override-${join("+", var.c)}" }
        module "m" { extra = { j = 1 } }
        """,
    "terraform.tfvars": """\
        c = ["tfvars"]
        d = { one = 1, two = "2" }
        g = null
        h = [1, "2"]
        """,
    "terraform.tfvars.json": """\
        {"b": "${literal}", "d": {"x": true, "y": "n"}}
        """,
    "z.auto.tfvars": """\
        a = { x = 1, z = [{ k = 1 }, {}] , extra = 1}
        """,
    "m/main.tf": """\
        variable "name" {}
        variable "num" {
          type = number
          default = 9
        }
        variable "extra" {
          default = {}
        }
        variable "nn" {
          type = string
          default = "nn-default"
          nullable = false
        }
        module "inner" {
          source = "./inner"
          v = "${var.name}!"
        }
        output "out" { value = "${var.name}/${var.num}/${var.nn}/${jsonencode(var.extra)}/${module.inner.w}" }
        output "pm" { value = "${path.module} ${module.inner.pm}" }
        """,
    "m/inner/main.tf": """\
        variable "v" { type = string }
        output "w" { value = upper(var.v) }
        output "pm" { value = path.module }
        """,
}


def plain(value: Value) -> object:
    data = value.data
    if isinstance(data, tuple):
        return [plain(v) for v in data]
    if isinstance(data, dict):
        return {k: plain(v) for k, v in data.items()}
    return data


def test_outputs_are_those_that_terraform_plans(instance, tmp_path):
    root = instance(FILES, environment=ENVIRONMENT, arguments=(ARGUMENT,))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TF_")} | ENVIRONMENT

    def terraform(*arguments: str) -> str:
        run = subprocess.run(["terraform", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return run.stdout

    terraform("init", "-input=false")
    terraform("plan", "-input=false", "-out=plan", "-var", f"{ARGUMENT.name}={ARGUMENT.text}")
    planned = json.loads(terraform("show", "-json", "plan"))["planned_values"]["outputs"]["o"]["value"]
    assert plain(root.output("o")) == planned
