"""What the command line wrote, in its order: `--var` and `--var-file` count in the order in which they stand."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import InputError

if TYPE_CHECKING:
    from generator.hcl.variables import VariableArgument

# All arguments of this run, without the program's name; `cli.run` sets it.
ARGUMENTS: ContextVar[tuple[str, ...]] = ContextVar("ARGUMENTS", default=())


def variable_arguments(values: Sequence[str], files: Sequence[Path]) -> tuple[VariableArgument, ...]:
    """The `--var` and `--var-file` of the command line in the order in which they were written.

    Args:
        values: `NAME=VALUE`, in order.
        files: in order.

    Raises:
        InputError: a value without a name, or a file that does not exist.
    """
    from generator.hcl.variables import FileArgument, ValueArgument

    made: dict[str, list[VariableArgument]] = {
        "--var": [ValueArgument(*_split(text)) for text in values],
        "--var-file": [FileArgument(_existing(path)) for path in files],
    }
    order = [o for a in ARGUMENTS.get() if (o := a.partition("=")[0]) in made and (a == o or a.startswith(o + "="))]
    if any(order.count(option) != len(found) for option, found in made.items()):
        # An option's value looks like an option itself: the order cannot be told, and files stand first by habit.
        order = ["--var-file"] * len(files) + ["--var"] * len(values)
    return tuple(made[option].pop(0) for option in order)


def _split(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        # Behind the equals sign there may be a secret.
        raise InputError(f"--var {name}{equals}: NAME=VALUE is needed", hint="write --var 'zone=us-central1-b'")
    return name.strip(), value


def _existing(path: Path) -> Path:
    hint = "name a .tfvars or .tfvars.json file"
    try:
        if path.is_file():
            return path
    except OSError as error:
        raise InputError(f"--var-file {path}: it cannot be read: {error.strerror}", hint=hint) from error
    raise InputError(f"--var-file {path}: there is no such file", hint=hint)
