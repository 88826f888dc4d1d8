"""Input variables: where the values of a root come from, and what a declaration makes of a value.

Terraform's order, later ones first in rank: the default, `TF_VAR_*`, `terraform.tfvars`, `terraform.tfvars.json`,
`*.auto.tfvars` and `*.auto.tfvars.json` by name, then the command line (after the var files of our own configuration).
Source: "Variable Definition Precedence", https://developer.hashicorp.com/terraform/language/values/variables
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.errors import InputError
from generator.hcl.compose import traced
from generator.hcl.convert import Mismatch, convert
from generator.hcl.evaluate import LiteralScope, evaluate
from generator.hcl.module import ConfigBlock, Placed
from generator.hcl.module_files import ConfigFile
from generator.hcl.nodes import Call, Node, walk
from generator.hcl.parser import parse_expression
from generator.hcl.source import Source
from generator.hcl.tokens import SyntaxFailure
from generator.hcl.typeexpr import TypeExpressionError, type_constraint
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Type
from generator.hcl.values import Origin, UnknownData, Value, string, unknown

_PRIMITIVE = (STRING, NUMBER, BOOL)


@dataclass(frozen=True, slots=True)
class ValueArgument:
    """`--var NAME=VALUE`."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FileArgument:
    """`--var-file FILE`."""

    path: Path


VariableArgument = ValueArgument | FileArgument


@dataclass(frozen=True, slots=True)
class _Given:
    """Where a root's variable gets its value: an expression in a file, or text from outside."""

    placed: Placed | None
    what: str
    text: str = ""


class RootVariables:
    """The values that the variables of a root module are given.

    Args:
        directory: the root's folder.
        names: the names of the files in it.
        environment: `TF_VAR_*` are looked up here.
        var_files: files that the configuration names, in order.
        arguments: of the command line, in order.

    Attributes:
        files: the variable files that were read.

    Raises:
        InputError: a file of the configuration or the command line cannot be read.
    """

    def __init__(
        self,
        directory: Path,
        names: Iterable[str],
        environment: Mapping[str, str],
        var_files: Sequence[Path] = (),
        arguments: Sequence[VariableArgument] = (),
    ) -> None:
        self.files: list[ConfigFile] = []
        self._given: dict[str, _Given] = {}
        for name, text in environment.items():
            if name.startswith("TF_VAR_"):
                self._given[name.removeprefix("TF_VAR_")] = _Given(None, f"environment variable {name}", text)
        for file in automatic_files(names):
            self._read(ConfigFile(directory / file, variables=True), file)
        for path in var_files:
            self._read(asked_file(path), path.name)
        for argument in arguments:
            if isinstance(argument, FileArgument):
                self._read(asked_file(argument.path), argument.path.name)
            else:
                self._given[argument.name] = _Given(None, "--var", argument.text)

    def _read(self, file: ConfigFile, what: str) -> None:
        self.files.append(file)
        for name, attribute in file.parsed.body.attributes.items():
            self._given[name] = _Given(Placed(file.source, attribute), what)

    def value(self, declaration: ConfigBlock | None, name: str) -> Value:
        """The value of a variable of the root, given its declaration."""
        if declaration is None:
            return unknown(f"variable {name} is not declared")
        given = self._given.get(name)
        if given is None:
            return declared_value(declaration, None)
        placed = given.placed
        if placed is None:
            return declared_value(declaration, _from_text(declaration, given.text))
        scope = LiteralScope(placed.source.path.parent)
        value = _constant(placed.node.expression, placed.source, scope)
        return declared_value(declaration, traced(value, Origin(placed.span, given.what)))


def _from_text(declaration: ConfigBlock, text: str) -> Value:
    """A value from outside: text where the type is primitive or not written, an expression elsewhere."""
    placed = declaration.arguments.get("type")
    if placed is None or declared_type(declaration) in _PRIMITIVE:
        return string(text)
    source = Source(declaration.source.path, text)
    try:
        node = parse_expression(source)
    except SyntaxFailure:
        return unknown(f"the value of variable {declaration.labels[0].text} is no expression")
    scope = LiteralScope(source.path.parent)
    return without_trail(_constant(node, source, scope))


def _constant(node: Node, source: Source, scope: LiteralScope) -> Value:
    """The value of an expression where Terraform allows neither names nor functions."""
    if any(isinstance(inner, Call) for inner in walk(node)):
        return unknown("functions cannot be called here")
    return evaluate(node, source, scope)


def without_trail(value: Value) -> Value:
    """The value, its parts too, without places: the text that it was read from is no file."""
    data = value.data
    if isinstance(data, tuple):
        data = tuple(without_trail(v) for v in data)
    elif isinstance(data, dict):
        data = {k: without_trail(v) for k, v in data.items()}
    return replace(value, data=data, trail=())


def asked_file(path: Path) -> ConfigFile:
    """A variable file that somebody named.

    Raises:
        InputError: it cannot be read.
    """
    try:
        path.open("rb").close()
    except OSError as error:
        raise InputError(
            f"the variable file {path} cannot be read: {error.strerror}",
            hint="name a .tfvars or .tfvars.json file that exists",
            path=path,
        ) from error
    return ConfigFile(path.absolute(), variables=True)


def automatic_files(names: Iterable[str]) -> list[str]:
    """The names of the variable files that Terraform reads by itself, in its order."""
    present = sorted(names)
    first = [n for n in ("terraform.tfvars", "terraform.tfvars.json") if n in present]
    return first + [n for n in present if n.endswith((".auto.tfvars", ".auto.tfvars.json")) and n[0] != "."]


def declared_value(declaration: ConfigBlock, given: Value | None) -> Value:
    """What a variable's declaration makes of the value that it is given, or of none.

    The default stands in for a missing value, and for null where `nullable = false`. A value that does not fit the type is
    unknown: Terraform refuses it.
    """
    name = declaration.labels[0].text
    scope = LiteralScope(declaration.source.path.parent)
    type_ = declared_type(declaration)
    if given is not None and given.is_null and _flag(declaration, "nullable", scope) is False:
        given = None
    if given is None:
        placed = declaration.arguments.get("default")
        if placed is None:
            return _marked(declaration, unknown(f"variable {name} has no value", type_), scope)
        value = _constant(placed.node.expression, placed.source, scope)
        given = traced(value, Origin(placed.span, f"default of variable {name}"))
    fitted = convert(given, type_)
    if isinstance(fitted, Mismatch):
        fitted = Value(type_, UnknownData(f"the value of variable {name} does not fit: {fitted.reason}"), given.trail)
    return _marked(declaration, fitted, scope)


def declared_type(declaration: ConfigBlock) -> Type:
    """The type of a variable; `any` when it is not written or is no type."""
    placed = declaration.arguments.get("type")
    if placed is None:
        return ANY
    try:
        return type_constraint(placed.node.expression, placed.source)
    except TypeExpressionError:
        return ANY


def _marked(declaration: ConfigBlock, value: Value, scope: LiteralScope) -> Value:
    hidden = _flag(declaration, "sensitive", scope)
    return value if hidden in (None, False) else replace(value, sensitive=True)


def _flag(declaration: ConfigBlock, name: str, scope: LiteralScope) -> object:
    placed = declaration.arguments.get(name)
    return evaluate(placed.node.expression, placed.source, scope).data if placed else None
