"""Variable values on their way to Terraform: never in argv, never in a file on disk.

`--var` becomes a variable file that Terraform opens through a descriptor. The environment would not do: there it loses
against `terraform.tfvars`, and in argv every user of the machine could read it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import InputError
from generator.hcl.module import ConfigBlock, Module, module_at

if TYPE_CHECKING:
    from generator.hcl.values import Value
    from generator.hcl.variables import ValueArgument, VariableArgument

# `type` constraints under which Terraform takes the text of a variable as it is; under others it reads an expression.
_TEXT_TYPES = frozenset({"string", "number", "bool"})
_SECRET_NAME = re.compile(r"(TOKEN|SECRET|PASSWORD|CREDENTIALS|ACCESS_KEY|PRIVATE_KEY)$", re.IGNORECASE)
# Shorter values occur in ordinary text by chance.
_SECRET_LENGTH = 4


@dataclass(frozen=True, slots=True)
class VariableFiles:
    """Variable files as Terraform opens them.

    Attributes:
        paths: in order; some are descriptors (`/dev/fd/7`).
        descriptors: the descriptors that the child has to keep.
    """

    paths: tuple[str, ...] = ()
    descriptors: tuple[int, ...] = ()


def root_module(directory: Path, product: str) -> Module:
    """The declarations of a root module, as Terraform or OpenTofu reads it."""
    return module_at(directory, "tofu" if product == "OpenTofu" else "terraform")


@contextlib.contextmanager
def opened(arguments: Sequence[VariableArgument], module: Module) -> Iterator[VariableFiles]:
    """The variable files for a command line's `--var` and `--var-file`, in its order.

    Args:
        arguments: in the order of the command line.
        module: the root module.

    Raises:
        InputError: a variable is not declared, or its text is no expression.
    """
    from generator.hcl.variables import FileArgument, ValueArgument

    paths: list[str] = []
    with contextlib.ExitStack() as stack:
        descriptors: list[int] = []
        for is_file, group in groupby(arguments, key=lambda a: isinstance(a, FileArgument)):
            if is_file:
                paths += [str(a.path.absolute()) for a in group if isinstance(a, FileArgument)]
                continue
            lines = [_assignment(a, module) for a in group if isinstance(a, ValueArgument)]
            descriptor = stack.enter_context(_in_memory("".join(lines).encode()))
            descriptors.append(descriptor)
            paths.append(f"/dev/fd/{descriptor}")
        yield VariableFiles(tuple(paths), tuple(descriptors))


@contextlib.contextmanager
def _in_memory(content: bytes) -> Iterator[int]:
    """A descriptor from which the content can be read."""
    with contextlib.ExitStack() as stack:
        if hasattr(os, "memfd_create"):
            descriptor = os.memfd_create("variables")
            stack.callback(os.close, descriptor)
        else:
            descriptor = stack.enter_context(tempfile.TemporaryFile()).fileno()
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor


def _assignment(argument: ValueArgument, module: Module) -> str:
    declaration = module.declared.variables.get(argument.name)
    if declaration is None and not module.declared.broken:
        raise InputError(
            f"--var {argument.name}: {module.directory} declares no variable of that name",
            hint=f"declared are {', '.join(sorted(module.declared.variables)) or 'none'}",
        )
    if declaration is None or takes_text(declaration):
        return f"{argument.name} = {_quoted(argument.text)}\n"
    return f"{argument.name} = {_expression(argument)}\n"


def takes_text(declaration: ConfigBlock) -> bool:
    """Whether Terraform takes the text given to a variable as it is."""
    placed = declaration.arguments.get("type")
    return placed is None or placed.span.text.strip('"') in _TEXT_TYPES


def _expression(argument: ValueArgument) -> str:
    from generator.hcl.parser import parse
    from generator.hcl.source import Source

    text = f"{argument.name} = {argument.text}\n"
    read = parse(Source(Path("--var"), text))
    if read.problems or list(read.body.attributes) != [argument.name] or read.body.blocks:
        raise InputError(
            f"--var {argument.name}: its type is no string, number or bool, and what was given is no expression",
            hint="""write it as in a .tfvars file: --var 'zones=["us-central1-b"]'""",
        )
    return argument.text


def _quoted(text: str) -> str:
    """Text as a quoted string of HCL that means that text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("${", "$${").replace("%{", "%%{")
    escaped = escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return '"' + "".join(c if c.isprintable() or ord(c) > 0x9F else f"\\u{ord(c):04x}" for c in escaped) + '"'


def secrets(module: Module, arguments: Sequence[VariableArgument], environment: Mapping[str, str]) -> frozenset[str]:
    """Texts that must not be printed: values of sensitive variables, wherever they come from, and credentials in the environment.

    Args:
        module: the root module.
        arguments: in the order of the command line.
        environment: Terraform's.

    Raises:
        InputError: a variable file cannot be read.
    """
    from generator.hcl.variables import RootVariables

    found = {value for name, value in environment.items() if _SECRET_NAME.search(name)}
    hidden = [n for n, d in module.declared.variables.items() if _is_set(d, "sensitive") or _is_set(d, "ephemeral")]
    if hidden:
        names = [p.name for p in module.directory.iterdir() if p.is_file()]
        given = RootVariables(module.directory, names, environment, arguments=arguments)
        for name in hidden:
            found |= set(_texts(given.value(module.declared.variables[name], name)))
            # A text that is no expression of the variable's type is refused by Terraform, which may repeat it.
            found |= {text for a in arguments if getattr(a, "name", None) == name for text in [getattr(a, "text", "")]}
            found.add(environment.get(f"TF_VAR_{name}", ""))
    return _worth_hiding(found)


def secrets_of_plan(plan: Mapping[str, Any], module: Module) -> frozenset[str]:
    """Texts of a plan's JSON that must not be printed: values of sensitive variables, and what a provider marks as sensitive."""
    found: set[str] = set()
    for name, entry in plan.get("variables", {}).items():
        declaration = module.declared.variables.get(name)
        if declaration is not None and _is_set(declaration, "sensitive"):
            found |= set(_marked(entry.get("value"), True))
    for entry in plan.get("resource_changes", ()):
        change = entry.get("change", {})
        for when in ("before", "after"):
            found |= set(_marked(change.get(when), change.get(f"{when}_sensitive")))
    return _worth_hiding(found)


def _worth_hiding(found: Iterable[str]) -> frozenset[str]:
    return frozenset(s for s in found if len(s) >= _SECRET_LENGTH)


def _texts(value: Value) -> Iterator[str]:
    """The strings and numbers in a value."""
    data = value.data
    if isinstance(data, str):
        yield data
    elif isinstance(data, int) and not isinstance(data, bool):
        yield str(data)
    elif isinstance(data, tuple | dict):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _texts(part)


def _marked(value: object, mark: object) -> Iterator[str]:
    """The strings and numbers that a mark of the same shape covers."""
    if not mark:
        return
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _marked(part, mark.get(name) if isinstance(mark, dict) else mark)
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _marked(part, (mark[i] if i < len(mark) else False) if isinstance(mark, list) else mark)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def _is_set(declaration: ConfigBlock, name: str) -> bool:
    placed = declaration.arguments.get(name)
    return placed is not None and placed.span.text.strip('"') != "false"


def ephemeral(module: Module) -> frozenset[str]:
    """The names of the root's ephemeral variables: they have to be given again when a plan is applied."""
    return frozenset(name for name, d in module.declared.variables.items() if _is_set(d, "ephemeral"))


def canonical(value: object) -> str:
    """A variable's value as text that is the same however it was written: 3, "3" and `3` from the environment agree."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return json.dumps(value)
    if isinstance(value, bool | int | float):
        value = json.dumps(value)
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Given:
    """Text that a declared variable was given.

    Attributes:
        name: the variable.
        source: "--var" or "TF_VAR".
        text: as it was given; the last one counts.
    """

    name: str
    source: str
    text: str


def given(arguments: Iterable[VariableArgument], environment: Mapping[str, str], module: Module) -> list[Given]:
    """The texts that variables were given with `--var` and `TF_VAR_`; one variable may have both."""
    from generator.hcl.variables import ValueArgument

    named = {name: environment.get(f"TF_VAR_{name}") for name in module.declared.variables}
    found = [Given(name, "TF_VAR", text) for name, text in named.items() if text is not None]
    last = {a.name: a.text for a in arguments if isinstance(a, ValueArgument)}
    return [*found, *(Given(name, "--var", text) for name, text in last.items())]
