"""Questions about types alone: what converts into what, what several have in common, how to name one."""

from __future__ import annotations

from collections.abc import Sequence

from generator.hcl.evaluate_base import Undecided
from generator.hcl.types import ANY, STRING, Collection, ObjectType, TupleType, Type

_PRIMITIVES = ("string", "number", "bool")


def has_any(type_: Type) -> bool:
    """Whether a type is `any` or has it inside."""
    if isinstance(type_, Collection):
        return has_any(type_.element)
    if isinstance(type_, TupleType):
        return any(has_any(t) for t in type_.elements)
    if isinstance(type_, ObjectType):
        return any(has_any(t) for t in type_.attributes.values())
    return type_.name == "any"


def describe(type_: Type) -> str:
    """A type in the words of Terraform's messages: "string", "list of string", "object"."""
    if isinstance(type_, Collection):
        if has_any(type_.element):
            return type_.name
        return f"{type_.name} of {describe(type_.element)}"
    return "value" if type_.name == "any" else type_.name


def type_text(type_: Type) -> str:
    """A type as it is written: `list(object({a = string}))`."""
    if isinstance(type_, Collection):
        return f"{type_.name}({type_text(type_.element)})"
    if isinstance(type_, TupleType):
        return f"tuple([{', '.join(type_text(t) for t in type_.elements)}])"
    if isinstance(type_, ObjectType):
        return f"object({{{', '.join(f'{k} = {type_text(t)}' for k, t in sorted(type_.attributes.items()))}}})"
    return type_.name


def convertible(given: Type, wanted: Type) -> bool:
    """Whether some values of type `given` can be converted to `wanted`."""
    if given == wanted or given.name == "any" or wanted.name == "any":
        return True
    if wanted.name in _PRIMITIVES:
        return given.name in _PRIMITIVES and "string" in (given.name, wanted.name)
    if isinstance(wanted, Collection):
        return _into_collection(given, wanted)
    if isinstance(wanted, ObjectType):
        if isinstance(given, ObjectType):
            return all(
                convertible(given.attributes[name], t) if name in given.attributes else name in wanted.optional
                for name, t in wanted.attributes.items()
            )
        return given.name == "map" and all(convertible(_element(given), t) for t in wanted.attributes.values())
    if isinstance(wanted, TupleType) and isinstance(given, TupleType):
        return len(given.elements) == len(wanted.elements) and all(
            convertible(a, b) for a, b in zip(given.elements, wanted.elements, strict=True)
        )
    return False


def _into_collection(given: Type, wanted: Collection) -> bool:
    if wanted.name == "map":
        if isinstance(given, ObjectType):
            return all(convertible(t, wanted.element) for t in given.attributes.values())
        return given.name == "map" and convertible(_element(given), wanted.element)
    if isinstance(given, TupleType):
        return all(convertible(t, wanted.element) for t in given.elements)
    return given.name in ("list", "set") and convertible(_element(given), wanted.element)


def _element(type_: Type) -> Type:
    return type_.element if isinstance(type_, Collection) else ANY


def unify_types(types: Sequence[Type]) -> Type | None:
    """The type that values of all `types` are converted to where Terraform needs one type; None when there is none.

    `any` among them is the type of a null; the answer `any` means that each value keeps the type that it has.
    """
    first = types[0] if types else ANY
    if all(t == first for t in types):
        return first
    known = [t for t in types if t.name != "any"]
    if len(known) == 1 and known[0].name in _PRIMITIVES:
        return known[0]
    kinds = {t.name for t in known}
    dynamic = len(known) < len(types)
    if len(kinds) == 1 and kinds <= {"map", "list", "set"}:
        element = ANY if dynamic else unify_types([_element(t) for t in known])
        return ANY if dynamic else None if element is None else Collection(known[0].name, element)
    if kinds == {"object"} or kinds == {"tuple"}:
        return ANY if dynamic else _unify_structures(known)
    if kinds in ({"map", "object"}, {"list", "tuple"}):
        element = unify_types([t for k in known for t in _parts(k)])
        if element is not None:
            return Collection("map" if "map" in kinds else "list", element)
    if {"object", "tuple"} <= kinds:
        return None
    return _preferred(known)


def _parts(type_: Type) -> list[Type]:
    if isinstance(type_, ObjectType):
        return list(type_.attributes.values())
    return list(type_.elements) if isinstance(type_, TupleType) else [_element(type_)]


def _unify_structures(types: list[Type]) -> Type | None:
    """Objects or tuples: part by part where they have the same parts, else all parts together."""
    first = types[0]
    if isinstance(first, ObjectType):
        shapes = [t.attributes for t in types if isinstance(t, ObjectType)]
        if all(s.keys() == first.attributes.keys() for s in shapes):
            attributes = {name: unify_types([s[name] for s in shapes]) for name in first.attributes}
            found = {name: t for name, t in attributes.items() if t is not None}
            return ObjectType("object", found) if len(found) == len(attributes) else None
    elif isinstance(first, TupleType):
        rows = [t.elements for t in types if isinstance(t, TupleType)]
        if all(len(r) == len(first.elements) for r in rows):
            elements = [unify_types(column) for column in zip(*rows, strict=True)]
            known = tuple([t for t in elements if t is not None])
            return TupleType("tuple", known) if len(known) == len(elements) else None
    element = unify_types([part for t in types for part in _parts(t)])
    if element is None:
        return None
    return Collection("map" if first.name == "object" else "list", element)


def _preferred(types: list[Type]) -> Type | None:
    """The first of the types, strings and sets before others, that all can be converted to."""
    if {"list", "set"} <= {t.name for t in types}:
        raise Undecided("a list and a set are wanted as one type")
    order = sorted(types, key=lambda t: 0 if t == STRING else 1 if t.name == "set" else 2)
    return next((want for want in order if all(convertible(t, want) for t in types)), None)
