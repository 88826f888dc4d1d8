"""One configuration file: `.gke-rdma.toml`, or the table `[tool.gke-rdma]` of a `pyproject.toml`."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.errors import InputError, UserErrors
from generator.findings import Severity

OWN_NAME, SHARED_NAME, TABLE = ".gke-rdma.toml", "pyproject.toml", "gke-rdma"
KEYS = ("select", "ignore", "severity", "fail-on", "exclude", "baseline", "var-files", "terraform")
PROGRAMS = ("terraform", "tofu", "embedded")
LEVELS = ("error", "warning", "advice", "off")


@dataclass(frozen=True, slots=True, eq=False)
class ConfigurationFile:
    """A configuration file as it was read and checked. Two are equal only when they are the same object.

    Attributes:
        path: absolute path.
        keys: the keys that are written, those of `severity` as `severity.NAME`.
        severity: for rules another severity, None to switch one off.
        baseline: absolute path.
        var_files: absolute paths.
        exclude: patterns as written.
    """

    path: Path
    keys: tuple[str, ...] = ()
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    fail_on: Severity | None = None
    exclude: tuple[str, ...] = ()
    baseline: Path | None = None
    var_files: tuple[Path, ...] = ()
    terraform: str | None = None

    @property
    def folder(self) -> Path:
        """The folder that its paths are relative to."""
        return self.path.parent


def read_folder(folder: Path) -> ConfigurationFile | None:
    """The configuration file of a folder, None when it has none.

    Raises:
        InputError, UserErrors: the file is wrong or cannot be read.
    """
    own = folder / OWN_NAME
    if (text := _text(own)) is not None:
        return _checked(own, text, _parsed(own, text))
    shared = folder / SHARED_NAME
    text = _text(shared)
    # Most pyproject.toml have nothing for us; what is wrong in them is the business of others.
    if text is None or TABLE not in text:
        return None
    tools = _parsed(shared, text).get("tool")
    table = tools.get(TABLE) if isinstance(tools, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise InputError(f"tool.{TABLE} has to be a table", hint=f"write [tool.{TABLE}]", path=shared)
    return _checked(shared, text, table)


def level(word: object) -> Severity | None:
    """The severity that a word means, None for "off".

    Raises:
        ValueError: it is none of them.
    """
    return None if word == "off" else Severity(str(word))


def _text(path: Path) -> str | None:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            # Reading a pipe could wait for ever.
            raise InputError(
                "the configuration cannot be read: it is no regular file", hint="write a file in its place", path=path
            )
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        message = f"the configuration is not UTF-8 (byte {error.start})"
        raise InputError(message, hint="save it as UTF-8", path=path) from error
    except OSError as error:
        message = f"the configuration cannot be read: {error.strerror}"
        raise InputError(message, hint="check its permissions", path=path) from error


def _parsed(path: Path, text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line, column = _place(str(error))
        raise InputError(f"the configuration is not TOML: {message}", path=path, line=line, column=column) from error


def _place(message: str) -> tuple[str, int | None, int | None]:
    found = re.match(r"(.*) \(at line (\d+), column (\d+)\)\Z", message, re.DOTALL)
    return (found[1], int(found[2]), int(found[3])) if found else (message, None, None)


class _Wrong(Exception):
    """A value does not fit its key: `message` says what is needed, `hint` what to write."""

    def __init__(self, message: str, hint: str) -> None:
        self.message, self.hint = message, hint


def _checked(path: Path, text: str, table: Mapping[str, object]) -> ConfigurationFile:
    found: dict[str, Any] = {}
    errors: list[InputError] = []
    for key, value in table.items():
        try:
            if key not in KEYS:
                from generator.rules.registry import suggestion

                raise _Wrong(f"there is no key {key!r}", suggestion(key, KEYS))
            found[key.replace("-", "_")] = _READERS[key](key, value, path.parent)
        except _Wrong as wrong:
            line = _line_of(text, key)
            errors.append(InputError(wrong.message, hint=wrong.hint, path=path, line=line))
    if errors:
        raise UserErrors(errors)
    keys = [key for key in table if key != "severity"] + [f"severity.{name}" for name in found.get("severity", {})]
    return ConfigurationFile(path, tuple(keys), **found)


def _line_of(text: str, key: str) -> int | None:
    """The line that a key is written in, as far as a search finds it."""
    name = rf"""(?:{re.escape(key)}|"{re.escape(key)}"|'{re.escape(key)}')"""
    found = re.search(rf"^[ \t]*(?:{name}[ \t]*[=.]|\[[^\]\n#]*\b{name}[ \t]*[.\]])", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else None


def _strings(key: str, value: object, folder: Path) -> tuple[str, ...]:
    del folder
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise _Wrong(f"{key} has to be a list of strings", f'write {key} = ["…"]')
    return tuple(value)


def _rules(key: str, value: object, folder: Path) -> tuple[str, ...]:
    found = _strings(key, value, folder)
    for name in found:
        _check_rule(key, name)
    return found


def _check_rule(key: str, name: str) -> None:
    from generator.rules import registry

    if name not in registry.names():
        raise _Wrong(f"{key} names {name!r}, which is no rule", registry.suggestion(name))


def _severities(key: str, value: object, folder: Path) -> dict[str, Severity | None]:
    del folder
    hint = 'write severity = { local-ssd = "warning" }; the words are ' + ", ".join(LEVELS)
    if not isinstance(value, dict):
        raise _Wrong(f"{key} has to be a table of rules and severities", hint)
    found: dict[str, Severity | None] = {}
    for name, word in value.items():
        _check_rule(key, name)
        try:
            found[name] = level(word)
        except ValueError:
            raise _Wrong(f"{key} of {name} is {word!r}, which is no severity", hint) from None
    return found


def _fail_on(key: str, value: object, folder: Path) -> Severity:
    del folder
    try:
        return Severity(str(value))
    except ValueError:
        words = ", ".join(s.value for s in Severity)
        raise _Wrong(f"{key} is {value!r}, which is no severity", f"write one of {words}") from None


def _program(key: str, value: object, folder: Path) -> str:
    del folder
    if not isinstance(value, str) or value not in PROGRAMS:
        # A repository that is checked must not be able to name a program to run.
        raise _Wrong(f"{key} is {value!r}, which is none of the known programs", f"write one of {', '.join(PROGRAMS)}")
    return value


def _path(key: str, value: object, folder: Path) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise _Wrong(f"{key} has to be the path of a file", f'write {key} = "…"')
    return folder / value


def _paths(key: str, value: object, folder: Path) -> tuple[Path, ...]:
    return tuple(_path(key, v, folder) for v in _strings(key, value, folder))


def _patterns(key: str, value: object, folder: Path) -> tuple[str, ...]:
    found = _strings(key, value, folder)
    if found:
        from pathspec import GitIgnoreSpec

        for pattern in found:
            try:
                GitIgnoreSpec.from_lines([pattern])
            except ValueError as error:
                raise _Wrong(
                    f"{key} has the pattern {pattern!r}: {error}", "write a pattern as in .gitignore"
                ) from None
    return found


_READERS: dict[str, Callable[[str, object, Path], object]] = {
    "select": _rules,
    "ignore": _rules,
    "severity": _severities,
    "fail-on": _fail_on,
    "exclude": _patterns,
    "baseline": _path,
    "var-files": _paths,
    "terraform": _program,
}
