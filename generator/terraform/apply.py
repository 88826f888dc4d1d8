"""`apply`: only a plan that `plan` made and checked, and whose inputs have not changed since."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import InputError, InterruptedRun, RefusedError, ToolError, UserError, UserErrors
from generator.terraform import aftermath, folder, inputs, planned, receipt
from generator.terraform.binary import Kind
from generator.terraform.driver import Outcome, PlanArguments
from generator.terraform.events import Diagnostic
from generator.terraform.plan import findings_digest
from generator.terraform.planned import PlannedChange
from generator.terraform.receipt import Receipt
from generator.terraform.session import Listener, Session, session

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.hcl.variables import VariableArgument
    from generator.terraform.plan import Judge

    JudgeFor = Callable[[Receipt], Judge]

_AGAIN = "make a new plan: gke-rdma plan DIR"
_LOOK = "it is in the state, and not tainted: look at its nodes; plan with --replace ADDRESS makes it again"


@dataclass(frozen=True, slots=True)
class ApplyOptions:
    """What `apply` is asked for.

    Attributes:
        directory: the root module's folder.
        plan: the plan file; None for the folder's own private place.
        arguments: variable values and files that are given again, in order.
        max_age: seconds after which a plan is too old.
        lock_timeout: how long Terraform waits for the state's lock, as `5m`.
        parallelism: operations at once.
        timeout: seconds for all of it.
        terraform: path or name of the core to drive.
        configured: the configuration's choice of a core.
    """

    directory: Path
    plan: Path | None = None
    arguments: tuple[VariableArgument, ...] = ()
    max_age: float | None = None
    lock_timeout: str | None = None
    parallelism: int | None = None
    timeout: float | None = None
    terraform: str | None = None
    configured: Kind | None = None


@dataclass(slots=True)
class ApplyResult:
    """What came of it.

    Attributes:
        changes: of the plan.
        summary: what Terraform counted: add, change, remove, import.
        diagnostics: Terraform's warnings, each once.
        document: the `plan` part of the JSON document.
        ids: ids of what was made or changed, by address.
        problems: what Terraform reports as made, but GKE does not.
        checks: commands that ask GKE whether what was made is whole, where that could not be asked.
        hide: takes secrets out of a text.
    """

    changes: list[PlannedChange]
    document: dict[str, Any]
    ids: Mapping[str, str] = field(default_factory=dict)
    summary: Mapping[str, int] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    problems: list[ToolError] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    hide: Callable[[str], str] = str


def apply(options: ApplyOptions, judge_for: JudgeFor, listener: Listener) -> ApplyResult:
    """Apply a plan.

    Args:
        options: what is asked for.
        judge_for: gives the judge for what the receipt says was allowed.
        listener: hears what happens meanwhile.

    Raises:
        RefusedError: the plan was not checked, is spent or too old, or something changed since.
        UserError, UserErrors: see `session.session` and `driver.Terraform`.
    """
    directory = folder.root_folder(options.directory)
    path = _plan_file(options, directory)
    with _alone(path):
        noted = receipt.read(path)
        _refuse_spent(noted, path, options.max_age)
        with session(
            directory,
            listener=listener,
            terraform=options.terraform,
            configured=options.configured,
            # The plan is for one workspace, whichever is chosen here by `terraform workspace select`.
            workspace=noted.workspace,
            arguments=options.arguments,
            timeout=options.timeout,
        ) as at:
            if not folder.data_folder(directory, at.environment).is_dir():
                # What is known without init comes first: init itself would stumble over another lock file.
                _refuse_changed(_differences(at, replace(noted, files=_of_root(noted.files))))
                at.terraform.init(backend=False, lockfile="readonly")
            _refuse_changed([*_differences(at, noted), *_different_values(at, noted)])
            data = at.terraform.show(path)
            at.hide_also(inputs.secrets_of_plan(data, at.module))
            found = planned.changes(data)
            findings, failing = judge_for(noted)(data)
            if failing or findings_digest(findings) != noted.findings:
                raise RefusedError("the check of the plan finds something else than when it was made", hint=_AGAIN)
            result = ApplyResult(found, planned.document(data, found), hide=at.hide)
            _run(at, options, path, noted, result)
            return result


def _run(at: Session, options: ApplyOptions, path: Path, noted: Receipt, result: ApplyResult) -> None:
    again = [a for a in at.arguments if getattr(a, "name", None) in noted.ephemeral]
    with inputs.opened(again, at.module) as files:
        arguments = PlanArguments(
            var_files=files.paths,
            descriptors=files.descriptors,
            lock_timeout=options.lock_timeout,
            parallelism=options.parallelism,
        )
        outcome = Outcome()
        try:
            at.terraform.apply(path, arguments, at.listener.event, outcome)
        except (UserError, UserErrors) as error:
            at.signals.settle()
            interrupted = isinstance(error, InterruptedRun)
            aftermath.tell(at, outcome, result.changes, options.directory, interrupted=interrupted)
            raise
    result.ids = outcome.ids
    result.summary = outcome.summary
    result.diagnostics = [d for d in outcome.diagnostics if d.severity == "warning"]
    _spend(at, noted, path)
    at.signals.check()
    problems, result.checks = aftermath.doubts(at, outcome, result.changes)
    result.problems = [ToolError(problem, hint=_LOOK) for problem in problems]


def _spend(at: Session, noted: Receipt, path: Path) -> None:
    """See that this plan is never applied again. What was applied stays so when that cannot be noted down."""
    # A plan file holds secrets in clear, and this one can do nothing any more. Where the disk is full it makes room.
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        at.listener.say(f"{path} is spent, but cannot be removed: {error.strerror}; it holds secrets: remove it")
    try:
        receipt.write(replace(noted, applied=time.time()), path)
    except ToolError as error:
        at.listener.say(f"the plan is applied and spent, but {error.message}")


def _plan_file(options: ApplyOptions, directory: Path) -> Path:
    path = options.plan.absolute() if options.plan else directory / folder.PRIVATE / "plan"
    if path.is_file():
        return path
    if receipt.path_of(path).is_file():
        _refuse_spent(receipt.read(path), path, None)
    if options.plan:
        raise InputError(f"{options.plan}: there is no such plan file", hint=_AGAIN)
    raise RefusedError(f"no plan was made for {options.directory}", hint=f"make one: gke-rdma plan {options.directory}")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the plan, so that a second apply of it cannot go at the same time; the kernel lets go when we die."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"the plan cannot be read: {error.strerror}", path=path) from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError("another gke-rdma is at work with this plan", hint="wait until it has ended") from None
        if not path.exists():
            raise RefusedError("another gke-rdma has applied this plan", hint=_AGAIN)
        yield
    finally:
        os.close(descriptor)


def _refuse_spent(noted: Receipt, path: Path, max_age: float | None) -> None:
    if noted.applied is not None:
        raise RefusedError(f"this plan was applied on {_when(noted.applied)}, and is spent", hint=_AGAIN, path=path)
    age = time.time() - noted.created
    if max_age is not None and age > max_age:
        hours = f"{age / 3600:.1f} hours" if age >= 3600 else f"{age:.0f} seconds"
        raise RefusedError(f"this plan is {hours} old, older than --max-age allows", hint=_AGAIN, path=path)
    if not path.is_file():
        raise RefusedError("the plan file of this receipt is gone", hint=_AGAIN, path=path)
    if receipt.digest(path) != noted.plan:
        raise RefusedError("this is not the plan that was checked: its content has changed", hint=_AGAIN, path=path)


def _when(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(moment))


def _of_root(files: Mapping[str, str]) -> dict[str, str]:
    """Those that lie in the root module's own folder."""
    return {name: digest for name, digest in files.items() if "/" not in name}


def _differences(at: Session, noted: Receipt) -> list[str]:
    """What is no longer as it was when the plan was made."""
    found = []
    core = at.terraform.binary
    if (core.product, core.version) != (noted.product, noted.terraform_version):
        found.append(
            f"{core.product} is {core.version} now; the plan was made with {noted.product} {noted.terraform_version}"
        )
    now = folder.input_digests(at.directory, at.environment)
    for name in sorted({*now, *noted.files}):
        if name not in now:
            found.append(f"{name} is gone")
        elif name not in noted.files:
            found.append(f"{name} is new")
        elif now[name] != noted.files[name]:
            found.append(f"{name} has changed")
    backend = folder.backend_digest(at.directory, at.environment)
    if backend is not None and backend != noted.backend:
        found.append("the backend's settings have changed")
    asked = os.environ.get("TF_WORKSPACE")
    if asked and asked != noted.workspace:
        found.append(f"TF_WORKSPACE is {asked}; the plan is for {noted.workspace}")
    return found


def _different_values(at: Session, noted: Receipt) -> list[str]:
    """Variables and variable files that are given again, and are not what the plan was made with."""
    found = []
    for argument in at.arguments:
        path = getattr(argument, "path", None)
        if path is not None:
            if not path.is_file():
                raise InputError(f"--var-file {path}: there is no such file")
            if receipt.digest(path) not in noted.var_files:
                found.append(f"{path} is no variable file that the plan was made with, or has changed")
    for given in inputs.given(at.arguments, at.environment, at.module):
        if given.name in noted.ephemeral:
            continue
        same_text = receipt.sealed(noted.salt, given.name, given.text) == noted.given.get(
            f"{given.source} {given.name}"
        )
        value = inputs.canonical(given.text)
        same_value = receipt.sealed(noted.salt, given.name, value) == noted.variables.get(given.name)
        if not (same_text or same_value):
            found.append(f"variable {given.name} is given another value")
    return found


def _refuse_changed(found: list[str]) -> None:
    if found:
        more = f"; {len(found) - 1} more" if len(found) > 1 else ""
        raise RefusedError(f"the plan no longer fits: {found[0]}{more}", hint="\n".join([*found[1:], _AGAIN]))
