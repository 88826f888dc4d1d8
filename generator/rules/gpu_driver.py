"""The GPU driver of an A3 Ultra or A4 pool is installed, by GKE or by something that the labels name.

## What it does
error: `gpu_driver_version` is not one of `DEFAULT`, `LATEST`, `INSTALLATION_DISABLED` and `GPU_DRIVER_VERSION_UNSPECIFIED`.
warning: `INSTALLATION_DISABLED` in a pool with `gpudirect_strategy`, unless the labels say that another driver or GPU DRA is at
work (`gke-no-default-nvidia-gpu-device-plugin`, `cloud.google.com/gke-nvidia-gpu-dra-driver`).
advice: no driver block.

## Why
Without a driver no Pod sees a GPU, and NCCL does not start. gcloud writes the values in lower case, Terraform in upper case.
A change of the driver replaces the pool, so it is better chosen when the pool is made.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"

    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8

      gpu_driver_installation_config {
        gpu_driver_version = "latest"
      }
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"

    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8

      gpu_driver_installation_config {
        gpu_driver_version = "LATEST"
      }
    }
  }
}
```

## Fix
Safe: writes the value in upper case where only the case is wrong.

## Source
- [The provider's values](https://registry.terraform.io/providers/hashicorp/google/latest/docs/resources/container_cluster)
- [A change replaces the pool, provider issue 23248](https://github.com/hashicorp/terraform-provider-google/issues/23248)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import labels, values
from generator.rules import scope
from generator.rules.base import ADVICE, ERROR, WARNING, Problem, Rule
from generator.view import Block, NodePool, Unknown, edits

_DRIVER = "gpu_driver_installation_config"


def check(pool: NodePool) -> Iterator[Problem]:
    """The driver of every accelerator block."""
    if not scope.hardware(pool):
        return
    for block in scope.accelerators(pool):
        if block.has(_DRIVER) is False:
            message = "no driver is chosen, so GKE takes its default; choosing another one later replaces the pool"
            help_ = 'Write gpu_driver_installation_config { gpu_driver_version = "DEFAULT" } as a block.'
            yield scope.problem(pool, ADVICE, block.header, message, help_)
        yield from _version(pool, block)


def _version(pool: NodePool, block: Block) -> Iterator[Problem]:
    answer = block.get(f"{_DRIVER}.gpu_driver_version")
    version, known = scope.text(answer), values.driver_versions()
    if version is None:
        return
    if version not in known:
        message = f"gpu_driver_version is {scope.shown(answer)}; the values are {', '.join(known)}"
        upper = version.upper()
        help_ = (
            f'Write gpu_driver_version = "{upper if upper in known and not scope.is_secret(answer) else "DEFAULT"}".'
        )
        fix = edits.replaced(answer, upper, safe=True) if upper in known else None
        yield scope.problem(pool, ERROR, answer, message, help_, fix=fix)
    elif version == values.driver_disabled() and scope.installer(pool) and _another_driver(pool) is False:
        message = "GKE installs no GPU driver here, and no label says that anything else does"
        help_ = (
            'Write gpu_driver_version = "DEFAULT", or the label '
            f'"{labels.no_device_plugin().key}" = "true" if you install the driver yourself.'
        )
        yield scope.problem(pool, WARNING, answer, message, help_)


def _another_driver(pool: NodePool) -> bool | None:
    """Whether the labels name another driver or GPU DRA."""
    answers = [
        (label, pool.element(scope.LABELS, label.key)) for label in (labels.no_device_plugin(), labels.gpu_dra_driver())
    ]
    if any(scope.text(answer) == label.value for label, answer in answers):
        return True
    return None if any(isinstance(answer, Unknown) for _, answer in answers) else False


RULE = Rule(
    name="gpu-driver",
    severities=(ERROR, WARNING, ADVICE),
    seeks=NodePool,
    check=check,
    summary="the GPU driver is misspelt, not installed, or not chosen",
)
