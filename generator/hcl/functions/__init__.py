"""Terraform's pure functions: one module per family, each of which puts its functions into `base.FUNCTIONS`."""

from __future__ import annotations

from generator.hcl.functions.call import call

__all__ = ["call"]
