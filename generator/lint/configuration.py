"""What a module is checked with: its configuration file, and the flags of the command line above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generator.findings import Severity
from generator.lint.configuration_file import ConfigurationFile, read_folder

if TYPE_CHECKING:
    from generator.rules.base import Rule


@dataclass(frozen=True, slots=True)
class Flags:
    """What the command line says about rules and severities.

    Attributes:
        select: the only rules to run; None when not given.
        ignore: rules not to run, beside those of the file.
        severity: for rules another severity, None to switch one off.
        fail_on: the lowest severity that fails; None when not given.
        pedantic: show advice.
        baseline: known findings; None when not given.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    fail_on: Severity | None = None
    pedantic: bool = False
    baseline: Path | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """What holds for one folder, flags included.

    Attributes:
        path: the configuration file that counts, None when there is none.
        select: the only rules to run, None for all.
        ignore: rules not to run.
        severity: for rules another severity than their own, None to switch one off.
        fail_on: the lowest severity that fails.
        pedantic: whether advice is shown.
        baseline: file with known findings.
        var_files: variable files, read before those of the command line.
        terraform: "terraform", "tofu", "embedded", or None when nobody said.
        exclude: patterns with the file that each stands in, outermost file first.
        origins: for each key that is set, where it comes from: a flag, or the path of a file.
    """

    path: Path | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    fail_on: Severity = Severity.ERROR
    pedantic: bool = False
    baseline: Path | None = None
    var_files: tuple[Path, ...] = ()
    terraform: str | None = None
    exclude: tuple[tuple[Path, str], ...] = ()
    origins: Mapping[str, str | Path] = field(default_factory=dict)

    def runs(self, rule: Rule) -> bool:
        """Whether a rule is asked here. One that tells of unread files is, unless it is switched off by name."""
        if rule.name in self.ignore or self.severity.get(rule.name, rule.severities[0]) is None:
            return False
        return self.select is None or rule.name in self.select or rule.unreadable

    @property
    def named(self) -> frozenset[str]:
        """The rules that it says something about by name."""
        return frozenset((*(self.select or ()), *self.ignore, *self.severity))

    def level(self, name: str, severity: Severity) -> Severity | None:
        """The severity that a finding gets here; None when the rule is off."""
        return self.severity.get(name, severity)

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of that severity makes the run fail."""
        return severity.rank >= self.fail_on.rank

    def shows(self, severity: Severity) -> bool:
        """Whether a finding of that severity is shown."""
        return self.pedantic or severity is not Severity.ADVICE


class Configurations:
    """The configurations of all folders of a run; each file is read once."""

    def __init__(self, flags: Flags) -> None:
        self._flags = flags
        self._files: dict[Path, ConfigurationFile | None] = {}
        self._merged: dict[tuple[ConfigurationFile, ...], Configuration] = {}
        self._of: dict[Path, Configuration] = {}
        self._specs: dict[tuple[tuple[Path, str], ...], _Exclusion] = {}

    def of(self, folder: Path) -> Configuration:
        """What holds in a folder (absolute path).

        Raises:
            InputError, UserErrors: a configuration file is wrong or cannot be read.
        """
        found = self._of.get(folder)
        if found is None:
            files = tuple(self._chain(folder))
            found = self._merged.get(files)
            if found is None:
                found = self._merged[files] = _merge(files, self._flags)
            self._of[folder] = found
        return found

    def topmost(self, folder: Path) -> Path | None:
        """The outermost folder at or above `folder`, up to the repository root, that has a configuration."""
        return next((file.folder for file in reversed(list(self._chain(folder)))), None)

    def excludes(self, path: Path, *, folder: bool) -> bool:
        """Whether `exclude` patterns cover a file or folder (absolute path), or a folder around it."""
        # The patterns of a folder's own file are about what lies in it.
        patterns = self.of(path.parent).exclude
        if not patterns:
            return False
        if patterns not in self._specs:
            self._specs[patterns] = _Exclusion(patterns)
        return self._specs[patterns].covers(path, folder)

    def _chain(self, folder: Path) -> Iterator[ConfigurationFile]:
        """The configuration files at and above a folder, nearest first, up to the repository root."""
        for at in (folder, *folder.parents):
            if at not in self._files:
                self._files[at] = read_folder(at)
            file = self._files[at]
            if file is not None:
                yield file
            if is_repository(at):
                return


def is_repository(folder: Path) -> bool:
    """Whether a folder is the root of a git repository (in a worktree `.git` is a file)."""
    try:
        return (folder / ".git").exists()
    except OSError:
        return False


class _Exclusion:
    """Patterns of gitignore's grammar, those of each file relative to its folder."""

    def __init__(self, patterns: tuple[tuple[Path, str], ...]) -> None:
        from pathspec import GitIgnoreSpec

        by_file: dict[Path, list[str]] = {}
        for file, pattern in patterns:
            by_file.setdefault(file, []).append(pattern)
        self._specs = [(file.parent, GitIgnoreSpec.from_lines(lines)) for file, lines in by_file.items()]

    def covers(self, path: Path, folder: bool) -> bool:
        for base, spec in self._specs:
            if path != base and path.is_relative_to(base):
                relative = path.relative_to(base).as_posix()
                if spec.match_file(relative + "/" if folder else relative):
                    return True
        return False


def _merge(files: tuple[ConfigurationFile, ...], flags: Flags) -> Configuration:
    """The nearest file alone counts; of the others only `exclude`."""
    file = files[0] if files else ConfigurationFile(Path())
    origins: dict[str, str | Path] = dict.fromkeys(file.keys, file.path)
    severity = dict(file.severity)
    ignore = file.ignore
    if flags.select is not None:
        # A rule that is asked for by name runs, whatever the file says.
        origins["select"] = "--select"
        ignore = tuple(name for name in ignore if name not in flags.select)
        severity = {n: s for n, s in severity.items() if s is not None or n not in flags.select}
    for name in flags.severity:
        origins[f"severity.{name}"] = "--severity"
    if flags.ignore:
        origins["ignore"] = "--ignore"
    if flags.baseline:
        origins["baseline"] = "--baseline"
    if flags.fail_on:
        origins["fail-on"] = "--fail-on"
    if flags.pedantic:
        origins["pedantic"] = "--pedantic"
    fail_on = flags.fail_on or file.fail_on or Severity.ERROR
    return Configuration(
        path=file.path if files else None,
        select=file.select if flags.select is None else flags.select,
        ignore=tuple(dict.fromkeys((*ignore, *flags.ignore))),
        severity={**severity, **flags.severity},
        fail_on=fail_on,
        pedantic=flags.pedantic or fail_on is Severity.ADVICE,
        baseline=flags.baseline or file.baseline,
        var_files=file.var_files,
        terraform=file.terraform,
        exclude=tuple((f.path, pattern) for f in reversed(files) for pattern in f.exclude),
        origins=origins,
    )
