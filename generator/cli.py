"""The command line: declarations only. Each command parses, calls one function in `commands`, and leaves with its exit code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Annotated, Any

import typer

from generator import __version__
from generator.commands import completion
from generator.commands.written import ARGUMENTS
from generator.errors import ExitCode, InputError, UserError, UserErrors

app = typer.Typer(
    name="gke-rdma",
    help="Generate, check and apply Terraform for GKE node pools that talk over GPUDirect RDMA (A3 Ultra, A4).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# Newer typer carries click within itself, older typer imports it: this is the base of usage errors in either.
_USAGE_ERROR: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def _version(value: bool) -> None:
    if value:
        typer.echo(f"gke-rdma {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Generate, check and apply Terraform for GKE node pools that talk over GPUDirect RDMA (A3 Ultra, A4)."""


_TextOrJson = Annotated[
    str,
    typer.Option(
        "--format", metavar="text|json", help="How to print.", autocompletion=completion.words(("text", "json"))
    ),
]


@app.command()
def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...", help="Folders (searched) and files (their modules); the working directory."
        ),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="text|json|sarif|junit|github|gitlab",
            help="How to print.",
            autocompletion=completion.report_formats,
        ),
    ] = None,
    output: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="FORMAT:FILE", help="Write a file too; `-` is standard output."),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="NAME,..", help="Run only these rules.", autocompletion=completion.rule_lists),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore", metavar="NAME,..", help="Leave these rules out.", autocompletion=completion.rule_lists
        ),
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option(
            "--severity",
            metavar="NAME=WORD",
            help="Give a rule a severity: error, warning, advice or off.",
            autocompletion=completion.severities,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="WORD",
            help="The lowest severity that fails: error, warning or advice.",
            autocompletion=completion.words(("error", "warning", "advice")),
        ),
    ] = None,
    pedantic: Annotated[bool, typer.Option("--pedantic", help="Show advice too.")] = False,
    var: Annotated[
        list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="Give a variable of the roots a value.")
    ] = None,
    var_file: Annotated[
        list[Path] | None, typer.Option("--var-file", metavar="FILE", help="Read a variable file for the roots.")
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Apply safe fixes, and show what remains; the exit code goes by that.")
    ] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option(
            "--unsafe-fixes", help="With --fix or --diff: also fixes that may replace something or cost money."
        ),
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what the fixes would change, and write nothing.")] = False,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="FILE", help="Keep the findings quiet that this file knows.")
    ] = None,
    write_baseline: Annotated[
        str | None, typer.Option("--write-baseline", metavar="FILE", help="Write all findings there as known ones.")
    ] = None,
    statistics: Annotated[bool, typer.Option("--statistics", help="Count the findings of each rule.")] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Use no results of earlier runs. None are kept, so this is always so.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="At most so many processes. One does the work so far.")
    ] = 1,
    color: Annotated[
        bool | None, typer.Option("--color/--no-color", help="Colour, whatever the output is; else on a terminal only.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only findings and errors.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how long each stage took.")] = False,
    show_config: Annotated[
        str | None,
        typer.Option("--show-config", metavar="PATH", help="Print what holds for a path, and where it comes from."),
    ] = None,
) -> None:
    """Check existing Terraform and OpenTofu configurations."""
    from generator.commands import lint as command

    del no_cache
    options = command.Options(
        paths=tuple(paths or (".",)),
        format=format_,
        outputs=tuple(output or ()),
        select=tuple(select or ()),
        ignore=tuple(ignore or ()),
        severity=tuple(severity or ()),
        fail_on=fail_on,
        pedantic=pedantic,
        var=tuple(var or ()),
        var_file=tuple(var_file or ()),
        fix=fix,
        unsafe_fixes=unsafe_fixes,
        diff=diff,
        baseline=baseline,
        write_baseline=write_baseline,
        statistics=statistics,
        jobs=jobs,
        color=color,
        quiet=quiet,
        verbose=verbose,
        show_config=show_config,
    )
    raise typer.Exit(command.run(options))


@app.command(short_help="List the rules, or explain one.")
def rules(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULE]",
            help="The rule to explain; without one all are listed.",
            autocompletion=completion.rule_names,
        ),
    ] = None,
    format_: _TextOrJson = "text",
) -> None:
    """List the rules, or explain one: what, why, a bad and a good example, its fix, its source."""
    from generator.commands.rules import run as run_rules

    text, code = run_rules(rule, format_)
    typer.echo(text, nl=False)
    raise typer.Exit(code)


@app.command(short_help="Write a commented spec to begin with.")
def init(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="The file to write, `-` to print.")] = "rdma.yaml",
    machine_type: Annotated[
        str | None, typer.Option("--machine-type", metavar="TYPE", help="a3-ultragpu-8g or a4-highgpu-8g.")
    ] = None,
    networking: Annotated[
        str | None,
        typer.Option(
            "--networking",
            metavar="dranet|multi-network",
            help="How Pods reach the RDMA NICs.",
            autocompletion=completion.words(("dranet", "multi-network")),
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode",
            metavar="standard|autopilot",
            help="Mode of the cluster.",
            autocompletion=completion.words(("standard", "autopilot")),
        ),
    ] = None,
    project: Annotated[
        str | None, typer.Option("--project", metavar="ID", help="ID of the Google Cloud project.")
    ] = None,
    zone: Annotated[str | None, typer.Option("--zone", metavar="ZONE", help="Zone of the GPUs.")] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Name of the cluster.")] = None,
    capacity: Annotated[
        str | None,
        typer.Option(
            "--capacity",
            metavar="KIND",
            help="none, reservation, spot or flex-start.",
            autocompletion=completion.words(("none", "reservation", "spot", "flex-start")),
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
) -> None:
    """Write a commented spec to begin with; on a terminal, ask for what is missing."""
    from generator.commands import init as command

    options = command.Options(file, machine_type, networking, mode, project, zone, name, capacity, quiet)
    raise typer.Exit(command.run(options))


@app.command(short_help="Make a folder of Terraform from a spec.")
def generate(
    spec: Annotated[
        str | None,
        typer.Argument(
            help="The spec, `-` for standard input; with --check also a generated folder.", metavar="[SPEC]"
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="DIR", help="The folder to make or update.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; leave with 1 when the folder would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; show what would change.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors and warnings.")] = False,
) -> None:
    """Make a folder of Terraform and Kubernetes files from a spec, read it back, check it, and move it into place."""
    from generator.commands import generate as command

    raise typer.Exit(command.run(command.Options(spec, output, check=check, diff=diff, quiet=quiet)))


@app.command()
def schema() -> None:
    """Print the JSON Schema of the spec, for editors."""
    from generator.commands import schema as command

    raise typer.Exit(command.run())


@app.command()
def manifests(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The spec, `-` for standard input.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="The folder to write into, `-` to print.")
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
) -> None:
    """Write only the Kubernetes files of a spec."""
    from generator.commands import manifests as command

    raise typer.Exit(command.run(command.Options(spec, output, quiet)))


@app.command(short_help="Print gcloud commands that do the same.")
def gcloud(spec: Annotated[str, typer.Argument(metavar="SPEC", help="The spec, `-` for standard input.")]) -> None:
    """Print a script of the gcloud commands that make what the Terraform of a spec makes."""
    from generator.commands import gcloud as command

    raise typer.Exit(command.run(command.Options(spec)))


# Options that several commands have.
_Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the root module.")]
_Var = Annotated[list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="Give a variable a value.")]
_VarFile = Annotated[list[Path] | None, typer.Option("--var-file", metavar="FILE", help="Read a variable file.")]
_Terraform = Annotated[
    str | None,
    typer.Option(
        "--terraform", metavar="PATH", help="The Terraform or OpenTofu to run; else the one on PATH, or embedded."
    ),
]
_LockTimeout = Annotated[
    str | None, typer.Option("--lock-timeout", metavar="5m", help="How long to wait for the state's lock.")
]
_Summary = Annotated[
    Path | None, typer.Option("--summary", metavar="FILE", help="Write a summary as Markdown for a pull request.")
]
_Parallelism = Annotated[int | None, typer.Option("--parallelism", min=1, metavar="N", help="Operations at once.")]


@app.command(short_help="Lint, plan, check the plan, write a receipt.")
def plan(
    directory: _Directory,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where the plan goes.")] = None,
    var: _Var = None,
    var_file: _VarFile = None,
    backend_config: Annotated[
        list[str] | None, typer.Option("--backend-config", metavar="X", help="KEY=VALUE or a file, for init.")
    ] = None,
    workspace: Annotated[str | None, typer.Option("--workspace", metavar="W", help="The workspace to plan in.")] = None,
    target: Annotated[list[str] | None, typer.Option("--target", metavar="ADDRESS", help="Only this.")] = None,
    replace: Annotated[list[str] | None, typer.Option("--replace", metavar="ADDRESS", help="Replace this.")] = None,
    destroy: Annotated[bool, typer.Option("--destroy", help="Plan the destruction of everything.")] = False,
    allow_replace: Annotated[
        list[str] | None, typer.Option("--allow-replace", metavar="ADDRESS", help="This may be replaced.")
    ] = None,
    allow_destroy: Annotated[
        list[str] | None, typer.Option("--allow-destroy", metavar="ADDRESS", help="This may be destroyed.")
    ] = None,
    lock_timeout: _LockTimeout = None,
    parallelism: _Parallelism = None,
    timeout: Annotated[str, typer.Option("--timeout", metavar="2h", help="How long all of it may take.")] = "2h",
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Leave with 5 when all is well and there are changes.")
    ] = False,
    format_: _TextOrJson = "text",
    summary: _Summary = None,
    terraform: _Terraform = None,
) -> None:
    """Lint, init, validate, plan to a file, check the plan, and write the receipt that apply asks for."""
    from generator.commands.plan import run as run_plan
    from generator.commands.written import variable_arguments
    from generator.terraform.plan import PlanOptions
    from generator.terraform.session import seconds

    if lock_timeout is not None:
        seconds(lock_timeout, "--lock-timeout")
    options = PlanOptions(
        directory=directory,
        out=out,
        arguments=variable_arguments(var or (), var_file or ()),
        backend_config=tuple(backend_config or ()),
        workspace=workspace,
        targets=tuple(target or ()),
        replace=tuple(replace or ()),
        destroy=destroy,
        allow_replace=tuple(allow_replace or ()),
        allow_destroy=tuple(allow_destroy or ()),
        lock_timeout=lock_timeout,
        parallelism=parallelism,
        timeout=seconds(timeout, "--timeout"),
        terraform=terraform,
    )
    raise typer.Exit(run_plan(options, format_=format_, detailed_exitcode=detailed_exitcode, summary=summary))


@app.command("check-plan", short_help="Check a plan that was made elsewhere.")
def check_plan(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Output of `terraform show -json PLAN`; - reads it from stdin.")
    ],
    directory: Annotated[
        Path | None,
        typer.Option("--dir", metavar="DIR", help="The folder it was made from: gives findings their lines."),
    ] = None,
    allow_replace: Annotated[
        list[str] | None, typer.Option("--allow-replace", metavar="ADDRESS", help="This may be replaced.")
    ] = None,
    allow_destroy: Annotated[
        list[str] | None, typer.Option("--allow-destroy", metavar="ADDRESS", help="This may be destroyed.")
    ] = None,
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="text|json|sarif|junit|github|gitlab",
            help="How to print.",
            autocompletion=completion.report_formats,
        ),
    ] = "text",
    summary: _Summary = None,
) -> None:
    """Check a plan that was made elsewhere: the rules over planned values, and what it would take away."""
    from generator.commands.check_plan import CheckOptions
    from generator.commands.check_plan import run as run_check

    options = CheckOptions(file, directory, tuple(allow_replace or ()), tuple(allow_destroy or ()), format_, summary)
    raise typer.Exit(run_check(options))


@app.command(short_help="Apply a plan that was checked.")
def apply(
    directory: _Directory,
    plan_file: Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="The plan to apply.")] = None,
    var: _Var = None,
    var_file: _VarFile = None,
    max_age: Annotated[str, typer.Option("--max-age", metavar="24h", help="Refuse a plan that is older.")] = "24h",
    lock_timeout: _LockTimeout = None,
    parallelism: _Parallelism = None,
    timeout: Annotated[str, typer.Option("--timeout", metavar="4h", help="How long all of it may take.")] = "4h",
    format_: _TextOrJson = "text",
    terraform: _Terraform = None,
) -> None:
    """Apply a plan that `plan` made and checked, if nothing that it was made from has changed since."""
    from generator.commands.apply import run as run_apply
    from generator.commands.written import variable_arguments
    from generator.terraform.apply import ApplyOptions
    from generator.terraform.session import seconds

    if lock_timeout is not None:
        seconds(lock_timeout, "--lock-timeout")
    options = ApplyOptions(
        directory=directory,
        plan=plan_file,
        arguments=variable_arguments(var or (), var_file or ()),
        max_age=seconds(max_age, "--max-age"),
        lock_timeout=lock_timeout,
        parallelism=parallelism,
        timeout=seconds(timeout, "--timeout"),
        terraform=terraform,
    )
    raise typer.Exit(run_apply(options, format_=format_))


@app.command(short_help="Try a folder's whole life without an account.")
def rehearse(
    directory: _Directory,
    provider: Annotated[
        str,
        typer.Option(
            "--provider",
            metavar="auto|google|stand-in",
            help="Google's provider, or a stand-in for it.",
            autocompletion=completion.words(("auto", "google", "stand-in")),
        ),
    ] = "auto",
    var: _Var = None,
    var_file: _VarFile = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the throw-away copy there.")] = False,
    stop_after: Annotated[
        str | None, typer.Option("--stop-after", metavar="STEP", help="lint, init, validate, plan or apply.")
    ] = None,
    fail: Annotated[
        list[str] | None,
        typer.Option(
            "--fail", metavar="OPERATION:TYPE=KIND", help="Let this fail: create:google_container_node_pool=stockout."
        ),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option("--answer", metavar="NAME=VALUE", help="What GKE adds to what it is sent: taint=off."),
    ] = None,
    timeout: Annotated[str, typer.Option("--timeout", metavar="1h", help="How long all of it may take.")] = "1h",
    terraform: _Terraform = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell of each resource too.")] = False,
) -> None:
    """Plan, apply, plan again and destroy in a throw-away copy, without an account."""
    from generator.commands import rehearse as command
    from generator.commands.written import variable_arguments
    from generator.rehearsal.rehearse import RehearsalOptions
    from generator.terraform.session import seconds

    command.known_provider(provider)
    options = RehearsalOptions(
        directory=directory,
        arguments=variable_arguments(var or (), var_file or ()),
        stop_after=command.known_step(stop_after),
        settings=command.settings(fail or (), answer or ()),
        keep=keep,
        timeout=seconds(timeout, "--timeout"),
        terraform=terraform,
    )
    raise typer.Exit(command.run(options, verbose=verbose))


nccl_app = typer.Typer(help="Test with NCCL whether RDMA is in use.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(nccl_app, name="nccl")


@nccl_app.command("report", short_help="Judge the output of an NCCL test.")
def nccl_report(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The output of an NCCL test, `-` for standard input.")],
    machine_type: Annotated[
        str | None, typer.Option("--machine-type", metavar="TYPE", help="Of the hosts; else the log's GPUs tell.")
    ] = None,
    collective: Annotated[
        str | None, typer.Option("--collective", metavar="NAME", help="The test; else the log tells: all_gather.")
    ] = None,
    format_: _TextOrJson = "text",
) -> None:
    """Read the output of an NCCL test and say whether RDMA is really in use."""
    from generator.commands import nccl_report as command

    raise typer.Exit(command.run(command.Options(log, machine_type, collective, format_)))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line. Every error of a user ends here, is drawn once, and becomes an exit code.

    Args:
        arguments: without the program's name; `sys.argv` when None.

    Returns:
        The exit code.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started us (`>&-`): the exit code still counts
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    given = tuple(sys.argv[1:] if arguments is None else arguments)
    command = typer.main.get_command(_with_commands(given))
    ARGUMENTS.set(given)
    try:
        result = command.main(args=arguments, prog_name="gke-rdma", standalone_mode=False)
        try:
            sys.stdout.flush()
        except BrokenPipeError as error:
            # Who reads has seen enough (`| head`): what was found stays as it is.
            unread = _unwritten(error)
            return int(result or unread)
    except typer.Exit as done:
        return done.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except _USAGE_ERROR as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            with suppress(OSError):
                error.show()
        else:
            from generator.commands.usage import told

            _draw(told(error, _command_names(), given))
        return ExitCode.INPUT
    except UserErrors as errors:
        for one in errors.errors:
            _draw(one)
        return errors.code
    except UserError as error:
        _draw(error)
        return error.code
    except OSError as error:
        if error.filename is None:
            return _unwritten(error)
        # What vanished or lost its rights while we were at work, so that no check before could tell of it.
        _draw(
            InputError(
                f"it cannot be used: {error.strerror}",
                hint="run it again when nobody changes it",
                path=str(error.filename),
            )
        )
        return ExitCode.INPUT
    return int(result or 0)


def _unwritten(error: OSError) -> ExitCode:
    """What becomes of results that standard output does not take."""
    # Python must not complain about it once more at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return ExitCode.DONE  # the reader has seen enough (`| head`)
    _draw(InputError(f"the results cannot be written: {error.strerror}", hint="name a file with space for them"))
    return ExitCode.INPUT


def _command_names() -> tuple[str, ...]:
    names = [c.name or getattr(c.callback, "__name__", "") for c in app.registered_commands]
    return (*names, *(str(g.name) for g in app.registered_groups))


def _with_commands(arguments: tuple[str, ...]) -> typer.Typer:
    """The program with only the command that is called, where the first argument is one: each takes time to build."""
    called = [c for c in app.registered_commands if arguments[:1] == (c.name or getattr(c.callback, "__name__", None),)]
    groups = [g for g in app.registered_groups if arguments[:1] == (g.name,)]
    if not called and not groups:
        return app
    one = copy(app)
    one.registered_commands, one.registered_groups = called, groups
    return one


def _draw(error: UserError) -> None:
    from generator.report.errors import draw

    with suppress(OSError):
        sys.stderr.write(draw(error, color=sys.stderr.isatty() and not os.environ.get("NO_COLOR")))
