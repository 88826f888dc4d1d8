"""YAML to data with positions.

PyYAML's own constructors lose positions, take the last of two equal keys, and build whatever a tag names. Here its events
are put together by hand: no recursion, bounded depth and size, aliases counted, nothing built but plain data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from generator.spec.document import Document, Path, Place, Problem

MAX_DEPTH = 40
MAX_VALUES = 20_000

_TAG = "tag:yaml.org,2002:"
_PLAIN_TAGS = {"null", "bool", "int", "float", "str", "map", "seq", "timestamp"}


@dataclass(slots=True)
class _Node:
    """A value of the text: `value` is a str, a list of nodes, or a list of (key node, value node)."""

    kind: str
    value: Any
    tag: str
    line: int
    column: int
    plain: bool = False
    anchor: str | None = None
    open: bool = True
    items: int = 1


@dataclass(slots=True)
class _Stop(Exception):
    """The text cannot be read on from here."""

    problem: Problem


def read_yaml(text: str) -> Document:
    """Read YAML text.

    Returns:
        The document; with problems when the text is not one YAML document of plain data. Then `data` holds what
        could be read, or None.
    """
    document = Document()
    try:
        root = _compose(text)
    except _Stop as stop:
        document.problems.append(stop.problem)
        return document
    if root is not None:
        document.data = _Builder(document).build(root)
    return document


def _compose(text: str) -> _Node | None:
    import yaml

    composer = _Composer()
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            composer.take(event)
    except yaml.MarkedYAMLError as error:
        raise _Stop(_syntax_problem(error, text)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        code = error.character if isinstance(error.character, int) else ord(error.character)
        column = error.position - (text.rfind("\n", 0, error.position) + 1) + 1
        message = f"The character U+{code:04X} is not allowed in YAML."
        raise _Stop(Problem(line, column, message, "Remove it, or write it as an escape in double quotes.")) from None
    return composer.root


@dataclass(slots=True)
class _Composer:
    """Puts the events of a text together."""

    root: _Node | None = None
    stack: list[_Node] = field(default_factory=list)
    anchors: dict[str, _Node] = field(default_factory=dict)
    documents: int = 0

    def take(self, event: Any) -> None:
        import yaml

        if isinstance(event, yaml.DocumentStartEvent):
            self._begin(event)
        elif isinstance(event, (yaml.ScalarEvent, yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            self._open(event)
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            _close(self.stack.pop(), event.start_mark)
        elif isinstance(event, yaml.AliasEvent):
            self._stand_in(event)

    def _begin(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise _Stop(
                _at(
                    event.start_mark,
                    "A second YAML document begins here; a spec is one document.",
                    "Remove this `---` and what follows, or put it into a file of its own.",
                )
            )

    def _open(self, event: Any) -> None:
        node = _node(event)
        if event.anchor:
            self.anchors[event.anchor] = node
        if self.stack:
            self.stack[-1].value.append(node)
        else:
            self.root = node
        if node.kind == "scalar":
            node.open = False
            return
        self.stack.append(node)
        if len(self.stack) > MAX_DEPTH:
            message = f"Values are nested more than {MAX_DEPTH} levels deep."
            raise _Stop(_at(event.start_mark, message, "No key of a spec needs more than 6."))

    def _stand_in(self, event: Any) -> None:
        target = self.anchors.get(event.anchor or "")
        if target is None or target.open:
            what = "is not defined before" if target is None else "stands for something that contains"
            message = f"The alias `*{event.anchor}` {what} this place."
            raise _Stop(_at(event.start_mark, message, "Write the value out."))
        self.stack[-1].value.append(target)


def _node(event: Any) -> _Node:
    kinds = {"ScalarEvent": "scalar", "SequenceStartEvent": "seq", "MappingStartEvent": "map"}
    kind = kinds[type(event).__name__]
    mark = event.start_mark
    if kind == "scalar":
        plain = event.style is None
        return _Node(kind, event.value, event.tag or "", mark.line + 1, mark.column + 1, plain and not event.tag)
    return _Node(kind, [], event.tag or "", mark.line + 1, mark.column + 1)


def _close(node: _Node, mark: Any) -> None:
    node.open = False
    node.items = 1 + sum(child.items for child in node.value)
    if node.items > MAX_VALUES:
        raise _Stop(
            _at(
                mark,
                f"The spec has more than {MAX_VALUES} values once its aliases are written out.",
                "Write the values out instead of nesting aliases.",
            )
        )
    if node.kind == "map":
        node.value = list(zip(node.value[::2], node.value[1::2], strict=True))


def _at(mark: Any, message: str, hint: str = "") -> Problem:
    return Problem(mark.line + 1, mark.column + 1, message, hint)


def _syntax_problem(error: Any, text: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    written = lines[line - 1] if line <= len(lines) else ""
    indent = re.match(r"\s*", written)
    if indent and "\t" in indent[0]:
        return Problem(
            line,
            indent[0].index("\t") + 1,
            "A tab stands in the indentation; YAML takes blanks only.",
            "Indent with two blanks for each level.",
        )
    since = min(error.context_mark.line if error.context_mark else line, max(line - 2, 0))
    for number, one in enumerate(lines[since:line], since + 1):
        if "\u00a0" in one:
            message = "A no-break space stands here; YAML takes blanks only."
            return Problem(number, one.index("\u00a0") + 1, message, "Write a blank instead.")
    what = str(error.problem or error).strip()
    if "'\\t' that cannot start any token" in what:
        return Problem(line, column, "A tab stands where YAML takes blanks only.", "Write a blank instead.")
    context = f" {error.context}" if error.context else ""
    return Problem(line, column, f"This is not valid YAML: {what}{context}.", _syntax_hint(what))


def _syntax_hint(what: str) -> str:
    if "mapping values are not allowed" in what:
        return 'A value that contains ": " needs quotes; a key stands alone on its line or before one value.'
    if "found undefined tag" in what or "could not determine a constructor" in what:
        return "A spec has no tags."
    if "cannot start any token" in what:
        return 'A value that begins with `@`, a backquote, `%` or a tab needs quotes: "…".'
    return "Check quotes, brackets and indentation around this place."


@dataclass(slots=True)
class _Builder:
    """Turns nodes into data, noting places and problems in a document."""

    document: Document
    resolver: Any = None
    reported: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        import yaml

        self.resolver = yaml.SafeLoader("")

    def build(self, node: _Node, path: Path = (), key: _Node | None = None) -> Any:
        at = key or node
        self.document.places[path] = Place(
            node.line, node.column, at.line, at.column, node.value if node.kind == "scalar" else "", node.plain
        )
        self._check_tag(node)
        if node.kind == "scalar":
            return self._scalar(node)
        if node.kind == "seq":
            return [self.build(item, (*path, index)) for index, item in enumerate(node.value)]
        return self._mapping(node, path)

    def _mapping(self, node: _Node, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        first: dict[str, _Node] = {}
        for key, value in node.value:
            if not self._is_key(key):
                self.document.damaged.add(path)
                continue
            name = key.value
            if name in first:
                before = first[name]
                self._problem(
                    key,
                    f"The key `{name}` is written twice; the first is on line {before.line}.",
                    "Remove one of the two.",
                )
                continue
            first[name] = key
            result[name] = self.build(value, (*path, name), key)
        return result

    def _is_key(self, key: _Node) -> bool:
        if key.kind != "scalar":
            self._problem(key, "A key has to be a word, not a list or a mapping.", "Write `key: value`.")
            return False
        if not self._check_tag(key):
            return False
        kind = self._kind(key)
        if kind == "merge":
            self._problem(
                key,
                "The merge key `<<` is not read in a spec.",
                "Write the keys out, or use an alias for a whole value.",
            )
            return False
        if kind not in ("str", "timestamp", "value"):
            self._problem(
                key, f"The key `{key.value}` is {_KINDS[kind]} in YAML, not text.", f'Put it in quotes: "{key.value}".'
            )
            return False
        return True

    def _kind(self, node: _Node) -> str:
        """The type that YAML sees in a scalar."""
        if node.tag and node.tag.startswith(_TAG):
            return node.tag[len(_TAG) :]
        if not node.plain:
            return "str"
        import yaml

        return str(self.resolver.resolve(yaml.ScalarNode, node.value, (True, False)))[len(_TAG) :]

    def _scalar(self, node: _Node) -> Any:
        kind, text = self._kind(node), node.value
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() in ("yes", "true", "on", "y")
        if kind in ("int", "float"):
            return self._number(node, kind)
        return text

    def _number(self, node: _Node, kind: str) -> Any:
        import yaml

        scalar = yaml.ScalarNode(_TAG + kind, node.value)
        try:
            make = self.resolver.construct_yaml_int if kind == "int" else self.resolver.construct_yaml_float
            return make(scalar)
        except (ValueError, IndexError, OverflowError):
            self._problem(
                node, f"`{node.value}` is not {_KINDS[kind]}.", f'Put it in quotes if it is text: "{node.value}".'
            )
            return node.value

    def _check_tag(self, node: _Node) -> bool:
        tag = node.tag
        if not tag or (tag.startswith(_TAG) and tag[len(_TAG) :] in _PLAIN_TAGS) or tag == "!":
            return True
        self._problem(node, f"The tag `{tag.replace(_TAG, '!!')}` is not read in a spec.", "Write the plain value.")
        return False

    def _problem(self, node: _Node, message: str, hint: str) -> None:
        # A node that several aliases stand for is wrong once.
        if id(node) not in self.reported:
            self.reported.add(id(node))
            self.document.problems.append(Problem(node.line, node.column, message, hint))


_KINDS = {"null": "nothing (null)", "bool": "a boolean", "int": "a number", "float": "a number"}
