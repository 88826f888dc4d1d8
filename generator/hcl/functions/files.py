"""Functions on paths, and those that read files of the module's own folder."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from generator.hcl import paths
from generator.hcl.convert import as_string
from generator.hcl.evaluate_base import Failure, LimitReached, Undecided, undecided
from generator.hcl.functions.base import FUNCTIONS, Function, on_evaluator, pure, with_marks
from generator.hcl.functions.hashes import hexadecimal, in_base64
from generator.hcl.types import BOOL, STRING, Collection
from generator.hcl.values import Value, boolean, string

if TYPE_CHECKING:
    from generator.hcl.evaluate import Evaluator


def _clean(path: str) -> str:
    """Go's `filepath.Clean`."""
    rooted = path.startswith("/")
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part == ".." and rooted:
            continue
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if rooted else "") + "/".join(parts) or "."


@pure("dirname", STRING, result=STRING)
def _dirname(path: str) -> str:
    return _clean(path[: path.rfind("/") + 1])


@pure("basename", STRING, result=STRING)
def _basename(path: str) -> str:
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


@pure("abspath", STRING, result=STRING)
def _abspath(path: str) -> str:
    if not path.startswith("/"):
        raise Undecided("it depends on the folder that terraform runs in", type_=STRING)
    return _clean(path)


@pure("pathexpand", STRING, result=STRING)
def _pathexpand(path: str) -> str:
    if path.startswith("~"):
        raise Undecided("it depends on the user's home folder", type_=STRING)
    return path


def _from_file(value: Value) -> Value:
    return replace(value, sensitive=True, from_file=True)


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Failure("the file is not UTF-8") from None


@on_evaluator("file", 1, wanted=(STRING,), result=STRING)
def _file(evaluator: Evaluator, name: str) -> Value:
    return _from_file(string(_text(paths.read(evaluator.scope, name))))


@on_evaluator("filebase64", 1, wanted=(STRING,), result=STRING)
def _filebase64(evaluator: Evaluator, name: str) -> Value:
    return _from_file(string(base64.b64encode(paths.read(evaluator.scope, name)).decode()))


@on_evaluator("fileexists", 1, wanted=(STRING,), result=BOOL)
def _fileexists(evaluator: Evaluator, name: str) -> Value:
    return boolean(paths.is_file(evaluator.scope, name))


def _declare(function: str, digest: str, in_hex: bool) -> None:
    def run(evaluator: Evaluator, name: str) -> Value:
        return _from_file(string((hexadecimal if in_hex else in_base64)(digest, paths.read(evaluator.scope, name))))

    on_evaluator(function, 1, wanted=(STRING,), result=STRING)(run)


for _function, _digest, _in_hex in (
    ("filemd5", "md5", True),
    ("filesha1", "sha1", True),
    ("filesha256", "sha256", True),
    ("filesha512", "sha512", True),
    ("filebase64sha256", "sha256", False),
    ("filebase64sha512", "sha512", False),
):
    _declare(_function, _digest, _in_hex)


@on_evaluator("fileset", 2, wanted=(STRING, STRING), result=Collection("set", STRING))
def _fileset(evaluator: Evaluator, folder: str, pattern: str) -> Value:
    matcher = re.compile(_glob(_clean(pattern)))
    found = sorted(name for name in paths.names_below(paths.inside(evaluator.scope, folder)) if matcher.fullmatch(name))
    return Value(Collection("set", STRING), tuple([string(name) for name in found]))


def _glob(pattern: str) -> str:
    """A pattern of file names as a regular expression: `*`, `?` and `**`.

    Raises:
        Undecided: it has classes, alternatives or escapes, or leads out of the folder.
    """
    if pattern.startswith(("/", "..")) or re.search(r"[\[\]{}\\]|\*\*[^/]|[^/]\*\*|\*\*/?\*\*", pattern):
        raise Undecided("a pattern of file names that is not evaluated")
    if pattern.count("*") > 6:
        raise LimitReached
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    meaning = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join([meaning.get(piece) or re.escape(piece) for piece in pieces])


class _TemplateScope:
    """The scope of a template file: only the variables that it is called with."""

    def __init__(self, evaluator: Evaluator, variables: dict[str, Value]) -> None:
        self.module_dir = evaluator.scope.module_dir
        self.root_dir = evaluator.scope.root_dir
        self.variables = variables

    def lookup(self, root: str, _steps: tuple[object, ...]) -> tuple[Value, int]:
        if root not in self.variables:
            raise Failure(f"the template refers to {root}, which it is not given")
        return self.variables[root], 0


def _templatefile(evaluator: Evaluator, args: list[Value]) -> Value:
    from generator.hcl.evaluate import Evaluator as Fresh
    from generator.hcl.parser import parse_template
    from generator.hcl.source import Source
    from generator.hcl.tokens import SyntaxFailure

    variables = args[1]
    if variables.data is None:
        raise Failure("the variables are null")
    if variables.is_unknown or args[0].is_unknown or variables.open:
        undecided(variables if variables.is_unknown else args[0])
    if not isinstance(variables.data, dict):
        raise Failure("the variables must be a map or an object")
    name = as_string(args[0])
    source = Source(paths.inside(evaluator.scope, name), _text(paths.read(evaluator.scope, name)))
    evaluator.budget.charge(len(source.text))
    try:
        node = parse_template(source)
    except SyntaxFailure:
        raise Failure("the template is not valid") from None
    made = Fresh(source, _TemplateScope(evaluator, variables.data), evaluator.budget).value(node)
    return _from_file(replace(with_marks(made, args), trail=()))


FUNCTIONS["templatefile"] = Function(2, 2, _templatefile)
