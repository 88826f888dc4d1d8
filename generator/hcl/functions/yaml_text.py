"""Values as YAML text and YAML text as values, as Terraform's `yamlencode` and `yamldecode` have them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from generator.hcl.convert_numbers import number_text, parse_number
from generator.hcl.evaluate_base import Failure, LimitReached, Undecided, object_of, tuple_of
from generator.hcl.values import Value, boolean, null, number, string

if TYPE_CHECKING:
    import yaml

_MAX_TEXT = 50_000
_MAX_LINE = 60
_TRUE = frozenset(["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"])
_FALSE = frozenset(["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"])
_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\Z", re.ASCII)
_VERSION = re.compile(r"\d+(?:\.\d+){2,}\Z", re.ASCII)
# What readers of YAML take for numbers or times of other notations, each in its own way.
_DOUBTFUL = re.compile(
    r"(?:[-+.]?\d[-+.:_0-9a-fA-FxXoOtTzZ ]*|[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)|[yYnN]|<<|=)\Z", re.ASCII
)


def decode(text: str) -> Value:
    """The value of a YAML document.

    Raises:
        Undecided: it cannot be read, or readers of YAML disagree about it.
        LimitReached: it is too large.
    """
    import yaml

    if len(text) > _MAX_TEXT:
        raise LimitReached
    try:
        document = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        raise Undecided("it is no YAML that is understood") from None
    if document is None:
        raise Failure("there is no document")
    return _Decoder().value(document)


class _Decoder:
    """Turns nodes into values; a node that aliases repeat is turned once."""

    def __init__(self) -> None:
        self.done: dict[int, Value] = {}
        self.open: set[int] = set()

    def value(self, node: yaml.Node) -> Value:
        key = id(node)
        if key in self.done:
            return self.done[key]
        if key in self.open:
            raise Failure("an alias refers to itself")
        self.open.add(key)
        self.done[key] = self._made(node)
        self.open.discard(key)
        return self.done[key]

    def _made(self, node: yaml.Node) -> Value:
        import yaml

        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        if isinstance(node, yaml.SequenceNode) and node.tag == "tag:yaml.org,2002:seq":
            return tuple_of([self.value(item) for item in node.value])
        if isinstance(node, yaml.MappingNode) and node.tag == "tag:yaml.org,2002:map":
            return object_of({self.key(name): self.value(item) for name, item in node.value})
        raise Undecided("it has a tag that is not evaluated")

    def key(self, node: yaml.Node) -> str:
        value = self.value(node)
        if isinstance(value.data, str):
            return value.data
        if isinstance(value.data, bool):
            return "true" if value.data else "false"
        if isinstance(value.data, int):
            return str(value.data)
        raise Undecided("a key is no string")


def _scalar(node: yaml.ScalarNode) -> Value:
    text: str = node.value
    if node.style is not None:
        if node.tag != "tag:yaml.org,2002:str":
            raise Undecided("it has a tag that is not evaluated")
        return string(text)
    if node.tag in ("tag:yaml.org,2002:binary", "tag:yaml.org,2002:merge") or node.tag.startswith("!"):
        raise Undecided("it has a tag that is not evaluated")
    if text in _NULL:
        value = null()
    elif text in _TRUE or text in _FALSE:
        value = boolean(text in _TRUE)
    elif _NUMBER.match(text):
        value = number(parse_number(text))
    elif _DOUBTFUL.match(text) and not _VERSION.match(text):
        raise Undecided("readers of YAML disagree about a plain value")
    else:
        value = string(text)
    if node.tag == "tag:yaml.org,2002:str" and not isinstance(value.data, str) and not _NUMBER.match(text):
        raise Undecided("it has a tag that is not evaluated")
    return value


def encode(value: Value) -> str:
    """A wholly known value as YAML, the way Terraform lays it out.

    Raises:
        Undecided: a text that Terraform would break into lines in a way that we do not follow.
    """
    data = value.data
    if isinstance(data, tuple | dict) and data:
        return "\n".join(_lines(value)) + "\n"
    text = _inline(value)
    return text + ("\n" if isinstance(data, str | tuple | dict) else "\n...\n")


def _inline(value: Value) -> str:
    data = value.data
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, int | Fraction):
        text = number_text(data)
        if isinstance(data, Fraction) and (len(text) > 15 or abs(data) < Fraction(1, 1000)):
            raise Undecided("a number that is not written plainly")
        return text
    if isinstance(data, str):
        return _text(data)
    return "[]" if isinstance(data, tuple) else "{}"


def _text(text: str) -> str:
    if len(text) > _MAX_LINE or not (text.isprintable() or text.replace("\t", "").isprintable()):
        raise Undecided("a text that is not written on one line")
    if any(ord(c) > 0xFFFF for c in text):
        raise Undecided("a text with characters that are escaped")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'


def _lines(value: Value) -> list[str]:
    data = value.data
    lines: list[str] = []
    if isinstance(data, tuple):
        for item in data:
            lines += _after("- ", item, "  ")
    elif isinstance(data, dict):
        for name, item in sorted(data.items()):
            key = _text(name)
            if isinstance(item.data, tuple | dict) and item.data:
                lines.append(f"{key}:")
                indent = "" if isinstance(item.data, tuple) else "  "
                lines += [indent + line for line in _lines(item)]
            else:
                lines.append(f"{key}: {_inline(item)}")
    return lines


def _after(mark: str, item: Value, indent: str) -> list[str]:
    if not isinstance(item.data, tuple | dict) or not item.data:
        return [mark + _inline(item)]
    first, *rest = _lines(item)
    return [mark + first, *[indent + line for line in rest]]
