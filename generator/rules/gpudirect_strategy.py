"""The value of `gpudirect_strategy` is exactly "RDMA".

## What it does
error: a node pool sets `gpudirect_strategy` to anything but `"RDMA"`. On the machine types `a3-ultragpu-8g` and
`a4-highgpu-8g` this includes the empty string.

## Why
Terraform writes the value in upper case, gcloud and ComputeClass in lower case. Neither Terraform nor the provider looks at
it: what is wrong reaches the API with the rest of the pool, after the cluster has been made.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "rdma"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
Safe: writes `"RDMA"` where another spelling of it stands.

## Source
- [GKE API, GPUDirectStrategy](https://docs.cloud.google.com/ruby/docs/reference/google-cloud-container-v1/latest/Google-Cloud-Container-V1-GPUDirectConfig-GPUDirectStrategy)
- [The provider passes the value on unchecked](https://github.com/hashicorp/terraform-provider-google/blob/main/google/services/container/node_config.go)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Known, NodePool, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """The value, where one is written."""
    answer = pool.get(scope.STRATEGY)
    wanted = values.gpudirect_strategy()
    if not isinstance(answer, Known) or answer.value == wanted:
        return
    if answer.value == "" and scope.machine(pool) is None:
        return
    message = f'gpudirect_strategy is {answer.show()}; the only value that installs RDMA is "{wanted}", in upper case'
    help_ = f'Write gpudirect_strategy = "{wanted}"' + (", or null for none." if answer.value == "" else ".")
    fix = edits.replaced(answer, wanted, safe=True) if str(answer.value).upper() == wanted else None
    yield scope.problem(pool, ERROR, answer, message, help_, fix=fix)


RULE = Rule(
    name="gpudirect-strategy",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary='gpudirect_strategy is not exactly "RDMA"',
)
