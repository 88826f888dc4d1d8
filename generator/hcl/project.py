"""All module folders under a top: which are of interest, who calls whom, which are roots.

Bytes are searched before anything is parsed: a folder is of interest when its files mention a type of interest, or call a
folder that is. Only folders of interest, and what they call, are ever parsed; who calls a folder is asked of the parsed text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generator.hcl.module_files import ConfigFile, Reading, chosen_files, file_kind

if TYPE_CHECKING:
    from generator.hcl.module import Module
    from generator.hcl.nodes import File
    from generator.hcl.source import Source
    from generator.hcl.variables import VariableArgument

_LOCAL_SOURCE = re.compile(rb'source"?[ \t]*[=:][ \t\r\n]*"(\.\.?(?:/[^"\n]*)?)"')


@dataclass(frozen=True, slots=True)
class RootSettings:
    """What the configuration says about a root module.

    Attributes:
        reading: the program that will read it; None when nobody says, then both count.
        var_files: variable files, in order.
    """

    reading: Reading | None = None
    var_files: tuple[Path, ...] = ()


def _no_settings(root: Path) -> RootSettings:  # noqa: ARG001
    return RootSettings()


@dataclass(frozen=True, slots=True)
class Options:
    """What a project is asked with.

    Attributes:
        types: the resource and data source types of interest.
        settings: what the configuration says about a root's folder.
        arguments: `--var` and `--var-file`, in the order of the command line.
        environment: where `TF_VAR_*` are looked up.
        folders: where callers are sought, absolute; every folder under the top but hidden ones when it is None.
        reader: reads HCL in place of our parser.
    """

    types: frozenset[str]
    settings: Callable[[Path], RootSettings] = _no_settings
    arguments: tuple[VariableArgument, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    folders: Iterable[Path] | None = None
    reader: Callable[[Source], File] | None = None


@dataclass(frozen=True, slots=True)
class Root:
    """A root module in one reading."""

    directory: Path
    reading: Reading


@dataclass(slots=True)
class _Folder:
    """A folder with configuration files.

    Attributes:
        names: of all files in it.
        configs: its configuration files of any reading, by name.
        targets: the folders that it seems to call.
        mentions: it mentions a type of interest.
    """

    path: Path
    names: tuple[str, ...]
    configs: dict[str, ConfigFile]
    targets: tuple[Path, ...]
    mentions: bool


class Project:
    """The modules under a folder, read as far as they are asked for.

    Args:
        top: where callers are sought: the repository, say.
        options: see `Options`.
    """

    def __init__(self, top: Path, options: Options) -> None:
        self.top = Path(os.path.normpath(top.absolute()))
        self.options = options
        self._pattern = re.compile(
            rb"\b(?:" + b"|".join(sorted(re.escape(t.encode()) for t in options.types)) + rb")\b"
        )
        self._folders: dict[Path, _Folder | None] = {}
        self._interest: dict[Path, bool] = {}
        self._modules: dict[tuple[Path, Reading], Module | None] = {}
        self._callers: dict[Path, list[Path]] | None = None
        self._called: dict[Path, frozenset[Path]] = {}
        self._known_readings: dict[Path, Sequence[Reading]] = {}

    def folder_names(self, directory: Path) -> tuple[str, ...]:
        """The names of the files in a module's folder; empty when it is none."""
        folder = self._folder(directory)
        return folder.names if folder else ()

    def files(self, directory: Path) -> list[ConfigFile]:
        """The configuration files of a folder, of any reading, by name."""
        folder = self._folder(directory)
        return list(folder.configs.values()) if folder else []

    def of_interest(self, directory: Path) -> bool:
        """Whether a module holds a block of interest, or calls one that does (judged by the bytes)."""
        known = self._interest.get(directory)
        if known is None:
            self._interest[directory] = False
            folder = self._folder(directory)
            known = folder is not None and (folder.mentions or any(self.of_interest(t) for t in folder.targets))
            self._interest[directory] = known
        return known

    def mentions(self, directory: Path, words: bytes) -> bool:
        """Whether a file of a module's folder holds these bytes."""
        return any(words in file.content for file in self.files(directory))

    def module(self, directory: Path, reading: Reading) -> Module | None:
        """The module of a folder in a reading; None when it has no configuration file."""
        key = (directory, reading)
        if key not in self._modules:
            # Most folders are never parsed, and parsing takes time to load.
            from generator.hcl.module import Module

            folder = self._folder(directory)
            names = chosen_files(tuple(folder.configs), reading) if folder else []
            configs = folder.configs if folder else {}
            self._modules[key] = Module(directory, tuple(configs[n] for n in names)) if names else None
        return self._modules[key]

    def roots(self, modules: Iterable[Path]) -> list[Root]:
        """The roots whose trees hold the modules asked for, each in every reading that counts for it.

        Folders that are not of interest have none. A module that nobody calls is a root; so is one whose callers are all in a
        circle.
        """
        found: dict[Path, None] = {}
        for directory in modules:
            if self.of_interest(directory):
                found.update(dict.fromkeys(self._roots_of(directory)))
        return [Root(directory, reading) for directory in found for reading in self._readings(directory)]

    def _roots_of(self, directory: Path) -> list[Path]:
        seen, waiting, roots = {directory}, [directory], []
        while waiting:
            at = waiting.pop()
            callers = self.callers(at)
            if not callers:
                roots.append(at)
            waiting += [c for c in callers if c not in seen]
            seen.update(callers)
        return sorted(roots) or [directory]

    def callers(self, directory: Path) -> list[Path]:
        """The folders under the top whose `module` blocks call a folder, itself not counted."""
        if self._callers is None:
            self._callers = {}
            candidates = self.options.folders
            for path in self._walk() if candidates is None else candidates:
                folder = self._folder(path)
                for target in folder.targets if folder else ():
                    self._callers.setdefault(target, []).append(path)
        return [
            c for c in dict.fromkeys(self._callers.get(directory, ())) if c != directory and self._calls(c, directory)
        ]

    def _calls(self, caller: Path, called: Path) -> bool:
        known = self._called.get(caller)
        if known is None:
            from generator.hcl.instances import called_folder

            modules = (self.module(caller, reading) for reading in self._readings(caller))
            calls = (called_folder(caller, call) for m in modules if m for call in m.declared.calls.values())
            known = self._called[caller] = frozenset(folder for folder in calls if folder)
        return called in known

    def _readings(self, directory: Path) -> Sequence[Reading]:
        if directory not in self._known_readings:
            said = self.options.settings(directory).reading
            both = said is None and self._has_tofu(directory, set())
            self._known_readings[directory] = ("terraform", "tofu") if both else (said or "terraform",)
        return self._known_readings[directory]

    def _has_tofu(self, directory: Path, seen: set[Path]) -> bool:
        folder = self._folder(directory)
        if folder is None or directory in seen:
            return False
        seen.add(directory)
        kinds = (file_kind(name) for name in folder.configs)
        if any(kind is not None and kind[1].startswith(".tofu") for kind in kinds):
            return True
        return any(self._has_tofu(target, seen) for target in folder.targets)

    def _folder(self, directory: Path) -> _Folder | None:
        if directory not in self._folders:
            try:
                with os.scandir(directory) as entries:
                    names = _file_names(entries)
            except OSError:
                names = ()
            self._folders[directory] = self._make_folder(directory, names)
        return self._folders[directory]

    def _make_folder(self, directory: Path, names: tuple[str, ...]) -> _Folder | None:
        configs = {n: ConfigFile(directory / n, reader=self.options.reader) for n in names if file_kind(n)}
        if not configs:
            return None
        targets: dict[Path, None] = {}
        mentions = False
        for file in configs.values():
            content = file.content
            # What cannot be read may hold anything; the tree's files then say so.
            mentions = mentions or file.fault is not None or self._pattern.search(content) is not None
            for found in _LOCAL_SOURCE.findall(content):
                path = os.path.normpath(os.path.join(directory, os.fsdecode(found)))  # noqa: PTH118
                targets[Path(path)] = None
        return _Folder(directory, names, configs, tuple(targets), mentions)

    def _walk(self) -> Iterable[Path]:
        """The folders under the top, hidden ones not counted."""
        waiting = [self.top]
        while waiting:
            at = waiting.pop()
            try:
                with os.scandir(at) as entries:
                    listed = list(entries)
            except OSError:
                continue
            inner = sorted(e.name for e in listed if e.is_dir(follow_symlinks=False) and not e.name.startswith("."))
            waiting += [at / name for name in reversed(inner)]
            if at not in self._folders:
                self._folders[at] = self._make_folder(at, _file_names(listed))
            if self._folders[at] is not None:
                yield at


def _file_names(entries: Iterable[os.DirEntry[str]]) -> tuple[str, ...]:
    """The names of everything but folders; a link that leads nowhere is a file that cannot be read."""
    names = []
    for entry in entries:
        try:
            folder = entry.is_dir()
        except OSError:
            folder = False
        if not folder:
            names.append(entry.name)
    return tuple(sorted(names))
