"""Driving Terraform: adapter, plan JSON, receipt, apply."""
