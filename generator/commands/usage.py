"""Mistakes in the command line itself, as click finds them, in the program's own words."""

from __future__ import annotations

import re
from typing import Any

from generator.errors import InputError


def told(error: Any, commands: tuple[str, ...], given: tuple[str, ...]) -> InputError:
    """The error to draw for one of click's.

    Args:
        error: a `click.ClickException` of whichever click typer uses.
        commands: the program's commands.
        given: the arguments of this run.
    """
    path = getattr(getattr(error, "ctx", None), "command_path", None) or "gke-rdma"
    if path == "gke-rdma" and given[:1] and given[0] in commands:
        path = f"gke-rdma {given[0]}"
    near = list(getattr(error, "possibilities", None) or ())
    message = str(error.message if near else error.format_message()).rstrip(".")
    message = re.sub(r"valid int( range)?$", "whole number", message)
    if message.startswith("No such command"):
        word = message.split("'")[1]
        return InputError(f"there is no command {word!r}", hint=_command_hint(word, path, commands))
    if near:
        meant = " or ".join(str(one) for one in near)
        return InputError(message, hint=f"did you mean {meant}? `{path} --help` lists them all")
    return InputError(message, hint=f"`{path} --help` shows what it takes")


def _command_hint(word: str, path: str, commands: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, commands, n=1)
    if path == "gke-rdma" and near and word != "help":
        return f"did you mean `gke-rdma {near[0]}`? `gke-rdma --help` lists them all"
    return f"`{path} --help` lists them all; `{path} COMMAND --help` explains one"
