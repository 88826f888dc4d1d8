"""How a function is declared, and what becomes of unknown, null and sensitive arguments before it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.hcl.convert import converted
from generator.hcl.evaluate_base import (
    MAX_TEXT,
    Failure,
    LimitReached,
    checked,
    computed,
    deep_marked,
    list_value,
    marked,
    undecided,
)
from generator.hcl.nodes import Node
from generator.hcl.types import ANY, STRING, Collection, Type
from generator.hcl.values import Value, boolean, number, string

if TYPE_CHECKING:
    from generator.hcl.evaluate import Evaluator

Run = Callable[["Evaluator", list[Value]], Value]
OnValues = Callable[[list[Value]], Value]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of Terraform.

    Attributes:
        least: the smallest number of arguments.
        most: the largest, or None when there is none.
        run: computes the value from the arguments' values.
        lazy: instead of `run`, for functions that look at their arguments as expressions (`try`).
    """

    least: int
    most: int | None
    run: Run | None = None
    lazy: Callable[[Evaluator, tuple[Node, ...]], Value] | None = None


FUNCTIONS: dict[str, Function] = {}

# What Terraform reads or makes only while it runs, or makes anew each time.
IMPURE = {
    "timestamp": "the current time",
    "plantimestamp": "the time of the plan",
    "uuid": "a random value",
    "bcrypt": "a salted hash",
    "rsadecrypt": "a decrypted secret",
    "templatestring": "a template that is not written as one",
}


def pure(
    name: str, *params: Type, result: Type, optional: int = 0, variadic: Type | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function over plain data.

    Its arguments are converted to `params` (of which the last `optional` may be left out; further ones take `variadic`). It is
    called with their data (str, int or Fraction, bool, tuples of values for lists) once all are known and none is null, and
    returns the data of its result.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(evaluator: Evaluator, args: list[Value]) -> Value:
            wanted = [*params, *([variadic or ANY] * (len(args) - len(params)))]
            plain = plain_arguments(evaluator, args, wanted, result)
            made = value_of(function(*[v.data for v in plain]), result)
            evaluator.budget.charge(made.weight)
            return with_marks(checked(made), args)

        FUNCTIONS[name] = Function(len(params) - optional, None if variadic else len(params), run)
        return function

    return declare


def on_evaluator(
    name: str, least: int, *, wanted: tuple[Type, ...], result: Type
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """As `pure`, for a function of fixed arguments that also takes the evaluator: for its budget, or for the module's folder."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(evaluator: Evaluator, args: list[Value]) -> Value:
            plain = plain_arguments(evaluator, args, wanted, result)
            made = checked(value_of(function(evaluator, *[v.data for v in plain]), result))
            evaluator.budget.charge(made.weight)
            return with_marks(made, args)

        FUNCTIONS[name] = Function(least, len(wanted), run)
        return function

    return declare


def plain_arguments(evaluator: Evaluator, args: Sequence[Value], wanted: Sequence[Type], result: Type) -> list[Value]:
    """The arguments converted to the types that a function wants, wholly known and not null.

    Raises:
        Failure: one is null or of another type.
        Undecided: one is not wholly known.
    """
    plain = []
    missing: Value | None = None
    for arg, type_ in zip(args, wanted, strict=False):
        value = converted(arg, type_)
        evaluator.budget.charge(value.weight)
        if value.data is None:
            raise Failure("an argument is null")
        if not value.is_wholly_known:
            missing = missing or value
        plain.append(value)
    if missing is not None:
        undecided(missing, result)
    return plain


def on_values(
    name: str, least: int, most: int | None = None, *, keep_marks: bool = True
) -> Callable[[OnValues], OnValues]:
    """Declare a function that takes its arguments as values: unknown and null ones are its own business.

    `most` is `least` when not given, -1 for any number. The result takes the marks of the arguments themselves, unless
    `keep_marks` is False; the marks of parts inside an argument stay on the parts.
    """

    def declare(function: OnValues) -> OnValues:
        def run(evaluator: Evaluator, args: list[Value]) -> Value:
            evaluator.budget.charge(sum([arg.weight for arg in args]))
            made = checked(function(args))
            evaluator.budget.charge(made.weight)
            return marked(made, *args) if keep_marks else made

        FUNCTIONS[name] = Function(least, least if most is None else None if most < 0 else most, run)
        return function

    return declare


def value_of(data: Any, type_: Type) -> Value:
    """Plain data as a value of a type; a sequence of plain data becomes a list."""
    if isinstance(data, Value):
        return data
    if isinstance(data, bool):
        return boolean(data)
    if isinstance(data, str):
        return string(data)
    if isinstance(data, int | Fraction):
        return number(data)
    if isinstance(data, list | tuple) and isinstance(type_, Collection):
        return list_value(type_.element, [value_of(item, type_.element) for item in data])
    raise TypeError(f"a function returned {type(data).__name__}")


def with_marks(value: Value, args: Sequence[Value]) -> Value:
    """A computed value with the marks of everything inside the arguments, and their places."""
    return computed(deep_marked(value, *args), *args)


def short_text(text: str) -> str:
    """The text itself, if it is not too long.

    Raises:
        LimitReached: when it is.
    """
    if len(text) > MAX_TEXT:
        raise LimitReached
    return text


def whole_number(data: int | Fraction, what: str = "the argument") -> int:
    """A number that must be whole.

    Raises:
        Failure: when it is not.
    """
    if not isinstance(data, int):
        raise Failure(f"{what} must be a whole number")
    return data


STRINGS = Collection("list", STRING)
