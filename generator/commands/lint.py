"""`gke-rdma lint`: options to a request, the outcome to every output that was asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from generator.errors import ExitCode, InputError, UserError, UserErrors
from generator.findings import Report, Safety, Severity
from generator.lint.configuration import Flags
from generator.lint.defects import Defect
from generator.lint.request import Outcome, Request
from generator.report import formats
from generator.report.drawing import Drawing
from generator.report.output import write_changed, write_file, write_stream

if TYPE_CHECKING:
    from generator.hcl.variables import VariableArgument


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command, as they were written.

    Attributes:
        color: None when nobody said.
        jobs: how many processes may be used.
        Others: as in the help.
    """

    paths: tuple[str, ...] = (".",)
    format: str | None = None
    outputs: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[str, ...] = ()
    fail_on: str | None = None
    pedantic: bool = False
    var: tuple[str, ...] = ()
    var_file: tuple[Path, ...] = ()
    baseline: str | None = None
    write_baseline: str | None = None
    statistics: bool = False
    jobs: int = 1
    color: bool | None = None
    quiet: bool = False
    verbose: bool = False
    show_config: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False


def run(options: Options) -> ExitCode:
    """Check, and write the results.

    Raises:
        InputError: the outputs themselves are wrong, or cannot be written.
    """
    outputs = _outputs(options)
    directory = _working_directory()
    try:
        if options.show_config is not None:
            return _show_configuration(options, directory)
        request = _request(options, directory)
    except (UserError, UserErrors) as error:
        outcome = Outcome(Report(errors=[error]), ExitCode.INPUT)
    else:
        from generator.lint.engine import lint

        if options.fix or options.diff:
            return _run_with_fixes(options, request, outputs, directory)
        outcome = lint(request)
        if outcome.baseline is not None and request.write_baseline:
            write_file(request.write_baseline, outcome.baseline)
        if outcome.asked:
            outcome.notices += _offer(outcome, options)
    _emit(outcome, outputs, options, directory)
    return outcome.code


def _run_with_fixes(options: Options, request: Request, outputs: Sequence[_Output], directory: Path) -> ExitCode:
    """Fix and say what remains, or show what fixes would change and write nothing."""
    from generator.lint import fixes

    if request.write_baseline:
        raise InputError("--write-baseline cannot stand beside --fix or --diff", hint="run them one after the other")
    fixing = fixes.fix(request, unsafe=options.unsafe_fixes)
    outcome = fixing.outcome
    count = f"{_number(len(fixing.fixed), 'finding')} in {_number(len(fixing.changed), 'file')}"
    if options.diff:
        outcome = _without_writing(request)
        if fixing.changed:
            outcome.notices.append(f"{count} would be fixed; nothing is written")
        _emit_diff(fixes.diff(fixing, directory), outputs)
        _emit(outcome, [o for o in outputs if o.path is not None or o.format != "text"], options, directory)
        return outcome.code
    for path in fixing.changed:
        write_changed(path, fixing.before[path], fixing.after[path])
    if fixing.changed:
        outcome.notices.append(f"{count} fixed, {len(outcome.report.findings)} remaining")
    outcome.notices += _offer(outcome, options)
    _emit(outcome, outputs, options, directory)
    return outcome.code


def _without_writing(request: Request) -> Outcome:
    from generator.lint.engine import lint

    return lint(request)


def _emit_diff(text: str, outputs: Iterable[_Output]) -> None:
    """To standard output, or to standard error where a document goes to the former."""
    is_document = any(o.path is None and o.format != "text" for o in outputs)
    write_stream(sys.stderr if is_document else sys.stdout, text)


def _offer(outcome: Outcome, options: Options) -> list[str]:
    """What fixes there are that were not asked for."""
    safe = sum(1 for f in outcome.report.findings if f.fix and f.fix.safety is Safety.SAFE) if not options.fix else 0
    unsafe = sum(1 for f in outcome.report.findings if f.fix and f.fix.safety is Safety.UNSAFE)
    if options.fix and options.unsafe_fixes:
        return []
    parts = [f"{safe} with --fix"] if safe else []
    parts += [f"{unsafe}{' more' if safe else ''} with --fix --unsafe-fixes"] if unsafe else []
    return [f"can be fixed: {', '.join(parts)}"] if parts else []


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise InputError(f"the working directory cannot be used: {error.strerror}", hint="change to another") from error


def _show_configuration(options: Options, directory: Path) -> ExitCode:
    from generator.lint.show import shown

    text = shown(options.show_config or ".", directory, _flags(options, directory), as_json=options.format == "json")
    write_stream(sys.stdout, text)
    return ExitCode.DONE


def _request(options: Options, directory: Path) -> Request:
    if options.jobs < 1:
        raise InputError(f"--jobs is {options.jobs}, which is too few", hint="write --jobs 1 or more")
    written = options.write_baseline
    return Request(
        paths=options.paths,
        directory=directory,
        flags=_flags(options, directory),
        variables=_variables(options, directory),
        environment=os.environ,
        write_baseline=None if written is None else _file("--write-baseline", written, directory),
    )


def _variables(options: Options, directory: Path) -> tuple[VariableArgument, ...]:
    if not options.var and not options.var_file:
        return ()
    from generator.commands.written import variable_arguments
    from generator.hcl.variables import FileArgument

    given = variable_arguments(options.var, options.var_file)
    return tuple(FileArgument(directory / a.path) if isinstance(a, FileArgument) else a for a in given)


def _flags(options: Options, directory: Path) -> Flags:
    errors: list[UserError] = []
    select, ignore = (
        _names(option, given, errors) for option, given in (("--select", options.select), ("--ignore", options.ignore))
    )
    severity = _severities(options.severity, errors)
    fail_on = None
    if options.fail_on is not None:
        try:
            fail_on = Severity(options.fail_on)
        except ValueError:
            words = ", ".join(s.value for s in Severity)
            errors.append(
                InputError(f"--fail-on is {options.fail_on!r}, which is no severity", hint=f"write one of {words}")
            )
    if errors:
        raise UserErrors(errors)
    return Flags(
        select=select if options.select else None,
        ignore=ignore,
        severity=severity,
        fail_on=fail_on,
        pedantic=options.pedantic,
        baseline=None if options.baseline is None else _file("--baseline", options.baseline, directory),
    )


def _names(option: str, given: Iterable[str], errors: list[UserError]) -> tuple[str, ...]:
    names = [name for text in given for part in text.split(",") if (name := part.strip())]
    for name in names:
        _check_rule(option, name, errors)
    return tuple(dict.fromkeys(names))


def _check_rule(option: str, name: str, errors: list[UserError]) -> None:
    from generator.rules import registry

    if name not in registry.names():
        errors.append(InputError(f"{option} names {name!r}, which is no rule", hint=registry.suggestion(name)))


def _severities(given: Iterable[str], errors: list[UserError]) -> Mapping[str, Severity | None]:
    from generator.lint.configuration_file import LEVELS, level

    found: dict[str, Severity | None] = {}
    for part in (p.strip() for text in given for p in text.split(",")):
        name, equals, word = part.partition("=")
        if not equals or word not in LEVELS:
            hint = f"write --severity RULE=SEVERITY; severities are {', '.join(LEVELS)}"
            errors.append(InputError(f"--severity {part!r} names no severity", hint=hint))
            continue
        _check_rule("--severity", name, errors)
        found[name] = level(word)
    return found


def _file(option: str, text: str, directory: Path) -> Path:
    if not text or text == "-" or "\0" in text:
        raise InputError(f"{option} needs the name of a file, not {text!r}", hint=f"write {option} baseline.json")
    return directory / text


@dataclass(frozen=True, slots=True)
class _Output:
    """A format and where it goes; `path` is None for standard output."""

    format: str
    path: Path | None


def _outputs(options: Options) -> list[_Output]:
    found: list[_Output] = []
    for text in options.outputs:
        name, colon, target = text.partition(":")
        if not colon or not target:
            raise InputError(f"--output {text!r} names no file", hint="write --output sarif:results.sarif, or sarif:-")
        found.append(_Output(formats.known(name), None if target == "-" else Path(target)))
    to_stdout = sum(1 for o in found if o.path is None)
    if to_stdout > 1 or (to_stdout and options.format is not None):
        raise InputError("two formats would go to standard output", hint="give all but one of them a file")
    if not to_stdout:
        found.append(_Output(formats.known(options.format or "text"), None))
    return found


def _emit(outcome: Outcome, outputs: Iterable[_Output], options: Options, directory: Path) -> None:
    def line_text(path: Path, line: int) -> str | None:
        source = outcome.sources.get(path)
        return source.line_text(line) if source else None

    plain = Drawing(directory, quiet=options.quiet, statistics=options.statistics, line_text=line_text)
    on_stdout = ""
    unwritten: list[UserError] = []
    for output in outputs:
        if output.path is not None:
            try:
                write_file(output.path, formats.write(outcome.report, output.format, plain))
            except InputError as error:
                unwritten.append(error)
            continue
        on_stdout = output.format
        if output.format == "text":
            _emit_text(outcome.report, options, plain)
        else:
            write_stream(sys.stdout, formats.write(outcome.report, output.format, plain))
    _remark(outcome, options)
    if os.environ.get("GITHUB_ACTIONS") == "true" and on_stdout != "github":
        write_stream(sys.stderr, formats.write(outcome.report, "github", plain))
    if unwritten:
        raise UserErrors(unwritten)


def _emit_text(report: Report, options: Options, plain: Drawing) -> None:
    """Findings to standard output; errors, like everything else that is no result, to standard error."""
    errors = Report(errors=report.errors)
    if report.errors:
        drawing = replace(plain, quiet=True, color=_colored(sys.stderr, options))
        write_stream(sys.stderr, formats.write(errors, "text", drawing))
    if not report.errors or report.files:
        rest = replace(report, errors=[])
        write_stream(sys.stdout, formats.write(rest, "text", replace(plain, color=_colored(sys.stdout, options))))


def _remark(outcome: Outcome, options: Options) -> None:
    if not options.quiet:
        write_stream(sys.stderr, "".join(f"{notice}\n" for notice in outcome.notices))
    if options.verbose:
        import traceback

        write_stream(sys.stderr, "".join(f"{t * 1000:8.1f} ms  {stage}\n" for stage, t in outcome.timings.items()))
        for error in outcome.report.errors:
            if isinstance(error, Defect) and error.__cause__ is not None:
                write_stream(sys.stderr, "".join(traceback.format_exception(error.__cause__)))


def _colored(stream: TextIO, options: Options) -> bool:
    if options.color is not None:
        return options.color
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
