"""`rehearse`: plan, apply, plan again and destroy in a throw-away copy, without an account."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import ExitCode, UserError, UserErrors, strongest
from generator.hcl.module_files import Reading
from generator.rehearsal import isolation
from generator.rehearsal.isolation import Copy
from generator.rehearsal.process import ProviderProcess
from generator.rehearsal.refusals import other_versions, refusals, without_target
from generator.rehearsal.settings import Settings
from generator.rehearsal.steps import Audience, Run, Step, at_home, steps
from generator.rehearsal.tree import Tree, read_tree
from generator.schema.provider import PROVIDER_VERSION
from generator.terraform import binary, folder, inputs
from generator.terraform.binary import Binary, Kind
from generator.terraform.driver import Terraform
from generator.terraform.environment import child_environment
from generator.terraform.session import hider
from generator.terraform.signals import Signals

if TYPE_CHECKING:
    from generator.hcl.variables import VariableArgument


@dataclass(frozen=True, slots=True)
class RehearsalOptions:
    """What a rehearsal is asked for.

    Attributes:
        directory: the root module's folder.
        arguments: variable values and files, in the order in which they count.
        stop_after: the last step to take; None for all of them.
        settings: what the stand-in cloud is to answer.
        keep: leave the copy there.
        timeout: seconds for all of it; None for no limit.
        terraform: path or name of the core to drive.
        configured: the configuration's choice of a core.
    """

    directory: Path
    arguments: tuple[VariableArgument, ...] = ()
    stop_after: Step | None = None
    settings: Settings = field(default_factory=Settings)
    keep: bool = False
    timeout: float | None = None
    terraform: str | None = None
    configured: Kind | None = None


def rehearse(options: RehearsalOptions, audience: Audience) -> ExitCode:
    """Rehearse a folder.

    Args:
        options: what is asked for.
        audience: hears each step, and judges text and plan.

    Returns:
        1 for findings, for a second plan that is not empty, and for a fault that nothing has met.

    Raises:
        UserError, UserErrors: Terraform failed, or the folder cannot be rehearsed. Nothing is left behind then.
    """
    begun = time.monotonic()
    directory = folder.root_folder(options.directory).resolve()
    with Signals(audience.say) as signals:
        clean = isolation.without_accounts(os.environ)
        core = binary.find(options.terraform, options.configured, environment=clean, signals=signals)
        reading: Reading = "tofu" if core.product == "OpenTofu" else "terraform"
        tree = read_tree(directory, reading)
        found = refusals(tree)
        found += without_target(tree, options.settings.faults)
        if found:
            raise UserErrors(found)
        audience.begins(str(core))
        for wanted in other_versions(tree):
            audience.say(f"the folder asks for {wanted}; the stand-in knows hashicorp/google {PROVIDER_VERSION}")
        try:
            code = _lint(directory, audience)
            if code is ExitCode.DONE and options.stop_after != "lint":
                code = _in_copy(options, directory, tree, core, signals, audience)
            return code
        finally:
            audience.ends(time.monotonic() - begun)


def _in_copy(
    options: RehearsalOptions, directory: Path, tree: Tree, core: Binary, signals: Signals, audience: Audience
) -> ExitCode:
    with _copy(options, directory, tree, audience) as made, _provider(made, options.settings) as provider:
        terraform = _terraform(options, made, core, provider, signals, audience)
        run = Run(tree, made, terraform, options.arguments, audience, signals)
        try:
            code = steps(run, options.stop_after)
        except (UserError, UserErrors) as error:
            raise at_home(error, made) from None
        finally:
            unmet = options.settings.unmet(made.top)
            for fault in unmet:
                why = "; it makes everything anew, and updates nothing" if fault.operation == "update" else ""
                audience.say(f"--fail {fault}: nothing in this rehearsal has met it{why}")
        return strongest((code, ExitCode.FINDINGS)) if unmet else code


def _lint(directory: Path, audience: Audience) -> ExitCode:
    begun = time.monotonic()
    code, result = audience.lint(directory)
    audience.step("lint", time.monotonic() - begun, result)
    return code


@contextmanager
def _copy(options: RehearsalOptions, directory: Path, tree: Tree, audience: Audience) -> Iterator[Copy]:
    fetched = directory / ".terraform"
    called = [module.directory for module in tree.modules[1:] if not module.directory.is_relative_to(fetched)]
    with isolation.copy(directory, called, keep=options.keep) as made:
        try:
            yield made
        finally:
            if options.keep:
                audience.kept(made.top)


@contextmanager
def _provider(made: Copy, settings: Settings) -> Iterator[str]:
    """Where the stand-in provider listens while it is entered."""
    process = ProviderProcess(made.top, settings)
    try:
        yield process.address()
    finally:
        process.stop()


def _terraform(
    options: RehearsalOptions, made: Copy, core: Binary, provider: str, signals: Signals, audience: Audience
) -> Terraform:
    isolated = isolation.environment(os.environ, made, provider)
    environment = child_environment(isolated, workspace=None, say=audience.say)
    module = inputs.root_module(made.root, core.product)
    return Terraform(
        core,
        made.root,
        environment=environment,
        signals=signals,
        timeout=options.timeout,
        hide=hider(inputs.secrets(module, options.arguments, environment)),
    )
