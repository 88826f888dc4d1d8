"""The answer to `--show-config`: what holds for a path, and where each value comes from."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.errors import InputError
from generator.findings import Severity
from generator.lint.configuration import Configuration, Configurations, Flags


def shown(path: str, directory: Path, flags: Flags, *, as_json: bool) -> str:
    """What holds for a file or folder, as TOML with comments, or as JSON.

    Args:
        path: relative to `directory`, or absolute.
        directory: the working directory, absolute.
        flags: count too.
        as_json: one object with `path`, `file`, `excluded` and `values`, each with `value` and `source`.

    Raises:
        InputError: there is no such path, or its configuration is wrong.
    """
    at = Path(os.path.normpath(directory / path))
    try:
        is_folder = stat.S_ISDIR(at.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("there is no such file or folder", hint="name a folder or a .tf file", path=at) from None
    except (OSError, ValueError) as error:
        message = f"it cannot be read: {getattr(error, 'strerror', error)}"
        raise InputError(message, hint="check its permissions", path=at) from error
    folder = at if is_folder else at.parent
    configurations = Configurations(flags)
    found = configurations.of(folder)
    excluded = configurations.excludes(at, folder=is_folder)
    values = {key: (value, _source(found, key, directory)) for key, value in _values(found, directory)}
    file = None if found.path is None else _relative(found.path, directory)
    if as_json:
        entries = {key: {"value": value, "source": source} for key, (value, source) in values.items()}
        content = {"path": _relative(at, directory), "file": file, "excluded": excluded, "values": entries}
        return json.dumps(content, indent=2) + "\n"
    lines = [f"# for {_relative(at, directory)}, which is {'excluded' if excluded else 'not excluded'}"]
    lines.append(f"# the file that counts: {file or 'none'}")
    lines += [f"{key} = {_toml(value)}  # {source}" for key, (value, source) in values.items() if value is not None]
    lines += [f"# {key} is not set" for key, (value, _) in values.items() if value is None]
    return "\n".join(lines) + "\n"


def _values(found: Configuration, directory: Path) -> Iterator[tuple[str, Any]]:
    yield "select", None if found.select is None else list(found.select)
    yield "ignore", list(found.ignore)
    for name, severity in sorted(found.severity.items()):
        yield f"severity.{name}", _word(severity)
    yield "fail-on", _word(found.fail_on)
    yield "pedantic", found.pedantic
    yield "exclude", [pattern for _, pattern in found.exclude]
    yield "baseline", None if found.baseline is None else _relative(found.baseline, directory)
    yield "var-files", [_relative(path, directory) for path in found.var_files]
    yield "terraform", found.terraform


def _word(severity: Severity | None) -> str:
    return "off" if severity is None else severity.value


def _source(found: Configuration, key: str, directory: Path) -> str:
    if key == "exclude" and found.exclude:
        return ", ".join(dict.fromkeys(_relative(file, directory) for file, _ in found.exclude))
    origin = found.origins.get(key)
    if origin is None and key == "pedantic" and found.pedantic:
        return "fail-on"
    return "default" if origin is None else origin if isinstance(origin, str) else _relative(origin, directory)


def _toml(value: object) -> str:
    # For text, lists of text and booleans JSON and TOML are written alike.
    return json.dumps(value, ensure_ascii=False)


def _relative(path: Path, directory: Path) -> str:
    return Path(os.path.relpath(path, directory)).as_posix()
