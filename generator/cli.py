"""The command line: declarations only. Each command parses, calls one function in `commands`, and leaves with its exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from generator import __version__
from generator.errors import ExitCode, UserError, UserErrors

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


@app.command()
def rules(
    rule: Annotated[
        str | None, typer.Argument(metavar="[RULE]", help="The rule to explain; without one all are listed.")
    ] = None,
    format_: Annotated[str, typer.Option("--format", metavar="text|json", help="How to print.")] = "text",
) -> None:
    """List the rules, or explain one: what, why, a bad and a good example, its fix, its source."""
    from generator.commands.rules import run as run_rules

    text, code = run_rules(rule, format_)
    typer.echo(text, nl=False)
    raise typer.Exit(code)


@app.command()
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
    spec: Annotated[str, typer.Argument(help="The spec, `-` for standard input.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="The folder to write into, `-` to print.")
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
) -> None:
    """Write only the Kubernetes files of a spec."""
    from generator.commands import manifests as command

    raise typer.Exit(command.run(command.Options(spec, output, quiet)))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line. Every error of a user ends here, is drawn once, and becomes an exit code.

    Args:
        arguments: without the program's name; `sys.argv` when None.

    Returns:
        The exit code.
    """
    command = typer.main.get_command(app)
    try:
        result = command.main(args=arguments, prog_name="gke-rdma", standalone_mode=False)
        sys.stdout.flush()
    except typer.Exit as done:
        return done.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except _USAGE_ERROR as error:
        error.show()
        return ExitCode.INPUT
    except UserErrors as errors:
        for one in errors.errors:
            _draw(one)
        return errors.code
    except UserError as error:
        _draw(error)
        return error.code
    except BrokenPipeError:
        # The reader of our output has gone (`| head`); Python must not complain about it once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    return int(result or 0)


def _draw(error: UserError) -> None:
    from generator.report.errors import draw

    sys.stderr.write(draw(error, color=sys.stderr.isatty() and not os.environ.get("NO_COLOR")))
