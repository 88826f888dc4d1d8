"""The environment that Terraform gets: the user's own, with everything that changes what a command means settled on purpose."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.errors import InputError

# Set for every command: nobody can answer questions, and nothing is asked of HashiCorp's servers.
_FIXED = {"TF_IN_AUTOMATION": "1", "TF_INPUT": "0", "CHECKPOINT_DISABLE": "1"}
# Arguments in TF_CLI_ARGS* that say what is done anyway; every other one could change what is planned or applied.
_HARMLESS = frozenset({"-no-color", "-input=false", "-compact-warnings"})
_LOG_LEVELS = ("TF_LOG", "TF_LOG_CORE", "TF_LOG_PROVIDER")


def child_environment(base: Mapping[str, str], *, workspace: str | None, say: Callable[[str], None]) -> dict[str, str]:
    """The environment for Terraform.

    `TF_VAR_*`, `TF_DATA_DIR`, `TF_PLUGIN_CACHE_DIR`, `TF_CLI_CONFIG_FILE` and what backends and providers read are passed on.
    `TF_CLI_ARGS*` would add to commands behind our back: refused, unless it repeats what we say anyway. `TF_LOG*` would put
    values in clear on our output: passed on only with `TF_LOG_PATH`, which is a file of the user's own choice.

    Args:
        base: the user's environment.
        workspace: the workspace asked for on the command line; None leaves `TF_WORKSPACE` as it is.
        say: takes one line for people.

    Raises:
        InputError: `TF_CLI_ARGS*` holds an argument that would change a command.
    """
    environment = dict(base)
    for name in sorted(n for n in base if n.startswith("TF_CLI_ARGS")):
        value = environment.pop(name)
        if not set(value.split()) <= _HARMLESS:
            raise InputError(
                f"{name} is set, and would change the terraform commands that this program checks",
                hint=f"unset {name} and give its arguments as options of this command",
            )
    if not base.get("TF_LOG_PATH"):
        dropped = [n for n in _LOG_LEVELS if environment.pop(n, "")]
        if dropped:
            say(f"{', '.join(dropped)} not passed on: the log holds secrets; set TF_LOG_PATH to write it to a file")
    if workspace is not None:
        environment["TF_WORKSPACE"] = workspace
    return environment | _FIXED
