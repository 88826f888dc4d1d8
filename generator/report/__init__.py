"""Findings in each output format."""
