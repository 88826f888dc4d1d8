"""Functions on lists and sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

from generator.hcl.convert import as_number, converted, has_unknown_type, settled, unify
from generator.hcl.convert_numbers import rounded
from generator.hcl.convert_sets import identity, ordered_set
from generator.hcl.convert_types import describe, has_any, unify_types
from generator.hcl.evaluate_base import (
    MAX_WEIGHT,
    Failure,
    LimitReached,
    Undecided,
    computed,
    list_value,
    marked,
    tuple_of,
    undecided,
    unknown_like,
)
from generator.hcl.functions.base import on_values, pure, whole_number, with_marks
from generator.hcl.functions.graphemes import count
from generator.hcl.operators import Number, equal
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Collection, TupleType, Type
from generator.hcl.values import UnknownData, Value, boolean, null, number

_MAX_RANGE = 1024
_ANY_LIST = Collection("list", ANY)
_ANY_SET = Collection("set", ANY)
_TEXTS = Collection("list", STRING)


def elements(value: Value, kinds: Sequence[str] = ("list", "tuple", "set")) -> tuple[Value, ...]:
    """The elements of a list, tuple or set; unknown ones among them only where their place is sure.

    Raises:
        Failure: it is null or of another kind.
        Undecided: it is unknown, or a set of which not all is known.
    """
    if value.data is None:
        raise Failure("the argument is null")
    if value.is_unknown:
        if not has_any(value.type) and value.type.name not in kinds:
            raise Failure(f"a {describe(value.type)} is not {' or '.join(kinds)}")
        undecided(value)
    if not isinstance(value.data, tuple) or value.type.name not in kinds:
        raise Failure(f"a {describe(value.type)} is not {' or '.join(kinds)}")
    if value.type.name == "set" and not value.is_wholly_known:
        undecided(value)
    return value.data


def element_type(value: Value) -> Type:
    """The type of a collection's elements; `any` where that is not one."""
    return value.type.element if isinstance(value.type, Collection) else ANY


@on_values("length", 1)
def _length(args: list[Value]) -> Value:
    value = args[0]
    data = value.data
    if data is None:
        raise Failure("the argument is null")
    if isinstance(data, UnknownData) or value.open or (value.type.name == "set" and not value.is_wholly_known):
        undecided(value, NUMBER)
    if isinstance(data, str):
        return computed(number(count(data)), value)
    if isinstance(data, tuple | dict):
        return computed(number(len(data)), value)
    raise Failure(f"a {describe(value.type)} has no length")


@on_values("alltrue", 1)
def _alltrue(args: list[Value]) -> Value:
    items = elements(converted(args[0], Collection("list", BOOL)))
    if any(item.data is False or item.data is None for item in items):
        return with_marks(boolean(False), args)
    if any(item.is_unknown for item in items):
        undecided(args[0], BOOL)
    return with_marks(boolean(True), args)


@on_values("anytrue", 1)
def _anytrue(args: list[Value]) -> Value:
    items = elements(converted(args[0], Collection("list", BOOL)))
    if any(item.data is True for item in items):
        return with_marks(boolean(True), args)
    if any(item.is_unknown for item in items):
        undecided(args[0], BOOL)
    return with_marks(boolean(False), args)


@on_values("chunklist", 2)
def _chunklist(args: list[Value]) -> Value:
    listed = converted(args[0], _ANY_LIST)
    items = elements(listed)
    size = whole_number(_number(args[1]), "the size")
    if size < 0:
        raise Failure("the size is negative")
    element = element_type(listed)
    chunks = [items[i : i + size] for i in range(0, len(items), size)] if size else [items]
    made = Collection("list", element)
    return list_value(made, [list_value(element, chunk) for chunk in chunks] if items else [])


def _number(value: Value) -> Number:
    data = as_number(value).data
    assert isinstance(data, int | Fraction)
    return data


@on_values("coalesce", 1, -1)
def _coalesce(args: list[Value]) -> Value:
    unsure = next((arg for arg in args if has_unknown_type(arg)), None)
    candidates = args if unsure is not None else _alike(args)
    for arg in candidates:
        if arg.data is None or arg.data == "":
            continue
        if arg.is_unknown:
            undecided(arg, arg.type)
        return arg if unsure is None else settled(arg, unsure)
    raise Failure("there is no argument that is neither null nor empty")


def _alike(args: list[Value]) -> list[Value]:
    """The arguments as one type where they have one, each as it is where a null hides what that is."""
    type_ = unify_types([arg.type for arg in args])
    if type_ is None:
        raise Failure("the arguments have no type in common")
    return [converted(arg, type_) for arg in args]


@on_values("coalescelist", 1, -1)
def _coalescelist(args: list[Value]) -> Value:
    if any(arg.data is None for arg in args):
        raise Failure("an argument is null")
    for arg in args:
        if elements(arg, ("list", "tuple")):
            return arg
    raise Failure("all lists are empty")


@on_values("compact", 1)
def _compact(args: list[Value]) -> Value:
    items = elements(converted(args[0], _TEXTS))
    if any(item.is_unknown for item in items):
        undecided(args[0], _TEXTS)
    return with_marks(list_value(STRING, [item for item in items if item.data is not None and item.data != ""]), args)


@on_values("concat", 1, -1)
def _concat(args: list[Value]) -> Value:
    rows = [elements(arg, ("list", "tuple")) for arg in args]
    items = [item for row in rows for item in row]
    if all(arg.type.name == "list" for arg in args):
        together = unify([Value(arg.type, arg.data) for arg in args])
        return list_value(element_type(together[0]), [item for part in together for item in elements(part)])
    return tuple_of(items)


@on_values("contains", 2)
def _contains(args: list[Value]) -> Value:
    if args[1].data is None or args[0].data is None:
        raise Failure("an argument is null")
    if args[0].is_unknown or not isinstance(args[0].data, tuple):
        elements(args[0])
    assert isinstance(args[0].data, tuple)
    answers = [equal(item, args[1]) for item in args[0].data]
    if True in answers:
        return with_marks(boolean(True), args)
    if None in answers:
        undecided(args[0] if args[1].is_wholly_known else args[1], BOOL)
    return with_marks(boolean(False), args)


@on_values("distinct", 1)
def _distinct(args: list[Value]) -> Value:
    listed = converted(args[0], _ANY_LIST)
    result: list[Value] = []
    if len(elements(listed)) > _MAX_RANGE:
        raise LimitReached
    for item in elements(listed):
        answers = [equal(item, other) for other in result]
        if True in answers:
            continue
        if None in answers:
            undecided(listed, listed.type)
        result.append(item)
    return with_marks(list_value(element_type(listed), result), args)


@on_values("element", 2)
def _element(args: list[Value]) -> Value:
    items = elements(args[0], ("list", "tuple"))
    at = whole_number(_number(args[1]), "the index")
    if not items:
        raise Failure("the list is empty")
    if at < 0:
        raise Undecided("a negative index means different things to different versions")
    return items[at % len(items)]


@on_values("flatten", 1)
def _flatten(args: list[Value]) -> Value:
    elements(args[0])
    lists: list[Value] = []
    return marked(tuple_of(_flat(args[0], lists)), *lists)


def _flat(value: Value, lists: list[Value]) -> list[Value]:
    """The elements of all lists inside; `lists` takes these, whose marks the result must show."""
    result: list[Value] = []
    for item in elements(value):
        if item.is_unknown and (has_any(item.type) or item.type.name in ("list", "tuple", "set")):
            undecided(item)
        if isinstance(item.data, tuple):
            lists.append(item)
            result += _flat(item, lists)
            if len(result) > MAX_WEIGHT:
                raise LimitReached
        else:
            result.append(item)
    return result


@on_values("index", 2)
def _index(args: list[Value]) -> Value:
    if args[1].data is None:
        raise Failure("an argument is null")
    for i, item in enumerate(elements(args[0], ("list", "tuple"))):
        same = equal(item, args[1])
        if same:
            return with_marks(number(i), args)
        if same is None:
            undecided(item if not item.is_wholly_known else args[1], NUMBER)
    raise Failure("the list does not hold that value")


@on_values("list", 0, -1)
def _list(_args: list[Value]) -> Value:
    raise Failure("it is no longer a function of Terraform; a list is written in brackets")


@on_values("matchkeys", 3)
def _matchkeys(args: list[Value]) -> Value:
    values, keys, wanted = (converted(arg, _ANY_LIST) for arg in args)
    row, names = elements(values), elements(keys)
    if len(row) != len(names):
        raise Failure("values and keys are of different lengths")
    if not names or not elements(wanted):
        return list_value(element_type(values), [])
    keys, wanted = unify([keys, wanted])
    chosen = []
    for item, name in zip(row, elements(keys), strict=True):
        answers = [equal(name, other) for other in elements(wanted)]
        if True not in answers and None in answers:
            undecided(keys if not keys.is_wholly_known else wanted, values.type)
        if True in answers:
            chosen.append(item)
    return with_marks(list_value(element_type(values), chosen), args)


@on_values("one", 1)
def _one(args: list[Value]) -> Value:
    items = elements(args[0])
    if len(items) > 1:
        raise Failure("there is more than one element")
    return items[0] if items else null()


@pure("range", NUMBER, result=Collection("list", NUMBER), variadic=NUMBER)
def _range(*limits: Number) -> list[Number]:
    if len(limits) > 3:
        raise Failure("there are more than three arguments")
    start, end = (0, limits[0]) if len(limits) == 1 else limits[:2]
    step = limits[2] if len(limits) == 3 else 1 if end >= start else -1
    if step == 0 or (step > 0 and end < start) or (step < 0 and end > start):
        raise Failure("the step does not lead from the start to the end")
    result: list[Number] = []
    at = start
    while at < end if step > 0 else at > end:
        if len(result) >= _MAX_RANGE:
            raise Failure(f"there are more than {_MAX_RANGE} numbers")
        result.append(at)
        at = rounded(at + step)
    return result


@on_values("reverse", 1)
def _reverse(args: list[Value]) -> Value:
    items = elements(args[0])[::-1]
    if args[0].type.name == "tuple":
        return tuple_of(items)
    return list_value(element_type(args[0]), items)


def _as_sets(args: list[Value]) -> list[Value]:
    """The arguments as sets of one element type, wholly known."""
    sets = [converted(arg, _ANY_SET) for arg in args]
    for value in sets:
        elements(value)
    filled = [value for value in sets if value.data]
    return unify(filled) if len(filled) == len(sets) else _with_empty(sets, filled)


def _with_empty(sets: list[Value], filled: list[Value]) -> list[Value]:
    """An empty set takes the type of the others."""
    together = unify(filled) if filled else []
    types = [v.type for v in together] or [v.type for v in sets if not has_any(v.type)] or [_ANY_SET]
    rest = iter(together)
    return [next(rest) if value.data else replace(value, type=types[0]) for value in sets]


def _set_of(args: list[Value], sets: list[Value], items: list[Value]) -> Value:
    made = Collection("set", element_type(sets[0]))
    return with_marks(Value(made, tuple(ordered_set(items))), args)


@on_values("setunion", 1, -1)
def _setunion(args: list[Value]) -> Value:
    sets = _as_sets(args)
    return _set_of(args, sets, [item for value in sets for item in elements(value)])


@on_values("setintersection", 1, -1)
def _setintersection(args: list[Value]) -> Value:
    sets = _as_sets(args)
    others = [{identity(item) for item in elements(value)} for value in sets[1:]]
    shared = [item for item in elements(sets[0]) if all(identity(item) in other for other in others)]
    return _set_of(args, sets, shared)


@on_values("setsubtract", 2)
def _setsubtract(args: list[Value]) -> Value:
    sets = _as_sets(args)
    other = {identity(item) for item in elements(sets[1])}
    return _set_of(args, sets, [item for item in elements(sets[0]) if identity(item) not in other])


@on_values("setproduct", 1, -1)
def _setproduct(args: list[Value]) -> Value:
    if len(args) < 2:
        raise Failure("at least two arguments are needed")
    ordered = all(arg.type.name in ("list", "tuple") for arg in args)
    if any(arg.is_unknown for arg in args):
        undecided(next(arg for arg in args if arg.is_unknown))
    lists = [converted(arg, _ANY_LIST) for arg in args]
    rows = [elements(value) for value in lists]
    if prod([len(row) for row in rows]) * len(rows) > MAX_WEIGHT:
        raise LimitReached
    element = TupleType("tuple", tuple([element_type(value) for value in lists]))
    items = [Value(element, combination) for combination in product(*rows)]
    if ordered:
        return list_value(element, items)
    return Value(Collection("set", element), tuple(ordered_set(items)))


@on_values("slice", 3)
def _slice(args: list[Value]) -> Value:
    items = elements(args[0], ("list", "tuple"))
    start, end = whole_number(_number(args[1]), "the start"), whole_number(_number(args[2]), "the end")
    if not 0 <= start <= end <= len(items):
        raise Failure("start and end must lie within the list, in this order")
    if args[0].type.name == "tuple":
        return tuple_of(items[start:end])
    return list_value(element_type(args[0]), items[start:end])


@pure("sort", _TEXTS, result=_TEXTS)
def _sort(items: tuple[Value, ...]) -> list[Value]:
    if any(item.data is None for item in items):
        raise Failure("an element is null")
    return sorted(items, key=lambda item: str(item.data))


@on_values("sum", 1)
def _sum(args: list[Value]) -> Value:
    items = elements(args[0])
    if not items:
        raise Failure("the list is empty")
    total: Number = 0
    missing: Value | None = None
    for item in items:
        value = converted(item, NUMBER)
        if value.data is None:
            raise Failure("an element is null")
        if value.is_unknown:
            missing = missing or value
        else:
            total = rounded(total + rounded(_number(value)))
    result = number(total) if missing is None else unknown_like(missing, NUMBER)
    return with_marks(result, [*args, *items])
