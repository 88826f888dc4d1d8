"""Functions about types and marks: tostring, try, can, sensitive, …."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from generator.hcl.convert import converted
from generator.hcl.evaluate_base import Failure, Undecided, undecided
from generator.hcl.functions.base import FUNCTIONS, Function, OnValues, on_values
from generator.hcl.nodes import Node
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Collection, Type
from generator.hcl.values import Value, boolean

if TYPE_CHECKING:
    from generator.hcl.evaluate import Evaluator


def _conversion(type_: Type) -> OnValues:
    def run(args: list[Value]) -> Value:
        return converted(args[0], type_)

    return run


for _name, _type in (
    ("tostring", STRING),
    ("tonumber", NUMBER),
    ("tobool", BOOL),
    ("tolist", Collection("list", ANY)),
    ("toset", Collection("set", ANY)),
    ("tomap", Collection("map", ANY)),
):
    on_values(_name, 1)(_conversion(_type))


@on_values("sensitive", 1, keep_marks=False)
def _sensitive(args: list[Value]) -> Value:
    return replace(args[0], sensitive=True)


@on_values("nonsensitive", 1, keep_marks=False)
def _nonsensitive(args: list[Value]) -> Value:
    """Text from files stays unprinted whatever the module says of it."""
    return replace(args[0], sensitive=args[0].from_file)


@on_values("issensitive", 1, keep_marks=False)
def _issensitive(args: list[Value]) -> Value:
    if args[0].from_file or args[0].is_unknown:
        raise Undecided("whether it is sensitive is not known", type_=BOOL)
    return boolean(args[0].sensitive)


@on_values("ephemeralasnull", 1)
def _ephemeral_as_null(args: list[Value]) -> Value:
    """What is ephemeral is not tracked: everything that we know comes from the configuration itself, unless a variable says so."""
    if not args[0].is_wholly_known:
        undecided(args[0])
    raise Undecided("whether it is ephemeral is not known")


def _lazy(name: str) -> Callable[[Callable[[Evaluator, tuple[Node, ...]], Value]], object]:
    def declare(function: Callable[[Evaluator, tuple[Node, ...]], Value]) -> object:
        FUNCTIONS[name] = Function(1, None, lazy=function)
        return function

    return declare


@_lazy("try")
def _try(evaluator: Evaluator, args: tuple[Node, ...]) -> Value:
    """The first argument that Terraform evaluates without an error; unknown when that hangs on what is unknown."""
    if not args:
        raise Failure("try() needs an argument")
    for arg in args:
        outcome = evaluator.attempt(arg)
        if isinstance(outcome, Failure):
            continue
        if not outcome.is_wholly_known:
            undecided(outcome)
        return outcome
    raise Failure("none of the arguments of try() can be evaluated")


@_lazy("can")
def _can(evaluator: Evaluator, args: tuple[Node, ...]) -> Value:
    if len(args) != 1:
        raise Failure("can() takes one argument")
    outcome = evaluator.attempt(args[0])
    if isinstance(outcome, Failure):
        return boolean(False)
    if not outcome.is_wholly_known:
        undecided(outcome, BOOL)
    return boolean(True)
