"""Calling a function by its name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from generator.hcl.convert_types import describe
from generator.hcl.evaluate_base import Failure, Undecided, undecided
from generator.hcl.functions.base import FUNCTIONS, IMPURE, Function
from generator.hcl.nodes import Call, Node
from generator.hcl.values import UnknownData, Value

if TYPE_CHECKING:
    from generator.hcl.evaluate import Evaluator

# Modules that declare functions, the most used first: each is imported when a name was not found in those before it.
_FAMILIES = [
    "types",
    "collections",
    "maps",
    "strings",
    "formatting",
    "numeric",
    "encoding",
    "files",
    "ip",
    "hashes",
    "dates",
]
_loaded: list[str] = []


def find(name: str) -> Function | None:
    """The function of that name, without a namespace."""
    while name not in FUNCTIONS and len(_loaded) < len(_FAMILIES):
        family = _FAMILIES[len(_loaded)]
        import_module(f"generator.hcl.functions.{family}")
        _loaded.append(family)
    return FUNCTIONS.get(name)


def names() -> list[str]:
    """The names of all functions that are evaluated."""
    find("")
    return sorted(FUNCTIONS)


def call(evaluator: Evaluator, node: Call) -> Value:
    """The value of a function call.

    Raises:
        Failure: Terraform refuses the call.
        Undecided: an argument is unknown, or it is a function that we do not have.
    """
    name = node.name.removeprefix("core::")
    if name in IMPURE:
        raise Undecided(f"{name}() gives {IMPURE[name]}")
    function = find(name)
    if function is None:
        raise Undecided(f"the function {name}() is not one that is evaluated")
    if function.lazy is not None:
        if node.expand:
            raise Undecided(f"{name}() is called with an expanded list")
        return function.lazy(evaluator, node.args)
    args = _arguments(evaluator, node.args, node.expand)
    if len(args) < function.least or (function.most is not None and len(args) > function.most):
        raise Failure(f"{name}() is called with {len(args)} arguments")
    assert function.run is not None
    try:
        return function.run(evaluator, args)
    except Failure as failure:
        raise Failure(f"{name}(): {failure.reason}") from None


def _arguments(evaluator: Evaluator, given: tuple[Node, ...], expand: bool) -> list[Value]:
    args = [evaluator.value(arg) for arg in given]
    if not expand or not args:
        return args
    last = args.pop()
    if last.data is None:
        raise Failure("null cannot be expanded into arguments")
    if isinstance(last.data, UnknownData):
        undecided(last)
    if not isinstance(last.data, tuple):
        raise Failure(f"a {describe(last.type)} cannot be expanded into arguments")
    if last.sensitive or last.from_file:
        raise Undecided("a sensitive list is expanded into arguments")
    if last.type.name == "set" and not last.is_wholly_known:
        undecided(last)
    return [*args, *last.data]
