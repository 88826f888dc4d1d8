"""Trying a folder without an account: the stand-in provider."""
