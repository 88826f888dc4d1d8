"""`plan`: init, validate, plan into a private file, show it, check it, and write the receipt that `apply` asks for."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import InputError, ToolError
from generator.findings import Finding
from generator.terraform import backends, folder, inputs, planned, receipt
from generator.terraform.binary import Kind
from generator.terraform.driver import PlanArguments
from generator.terraform.events import Diagnostic
from generator.terraform.planned import PlannedChange
from generator.terraform.receipt import Receipt
from generator.terraform.session import Listener, Session, session

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.hcl.variables import VariableArgument

    # Judges the JSON of a plan: its findings, and those of them that stand in the way of a receipt.
    Judge = Callable[[Mapping[str, Any]], tuple[list[Finding], list[Finding]]]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What `plan` is asked for.

    Attributes:
        directory: the root module's folder.
        out: the plan file; None for the folder's own private place.
        arguments: variable values and files, in the order in which they count.
        backend_config: `KEY=VALUE` or a file, in order.
        workspace: None for the one that is chosen.
        targets: resource addresses.
        replace: resource addresses.
        destroy: plan the destruction of everything.
        allow_replace: addresses that may be replaced.
        allow_destroy: addresses that may be destroyed.
        lock_timeout: how long Terraform waits for the state's lock, as `5m`.
        parallelism: operations at once.
        timeout: seconds for all of it.
        terraform: path or name of the core to drive.
        configured: the configuration's choice of a core.
    """

    directory: Path
    out: Path | None = None
    arguments: tuple[VariableArgument, ...] = ()
    backend_config: tuple[str, ...] = ()
    workspace: str | None = None
    targets: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    destroy: bool = False
    allow_replace: tuple[str, ...] = ()
    allow_destroy: tuple[str, ...] = ()
    lock_timeout: str | None = None
    parallelism: int | None = None
    timeout: float | None = None
    terraform: str | None = None
    configured: Kind | None = None


@dataclass(slots=True)
class PlanResult:
    """What came of it.

    Attributes:
        path: the plan file.
        receipt: where its receipt lies; None when findings stood in the way.
        changes: of the plan, unchanged instances too.
        outputs: names of outputs that change.
        findings: of the planned values.
        diagnostics: Terraform's warnings, each once.
        document: the `plan` part of the JSON document.
    """

    path: Path
    changes: list[PlannedChange]
    outputs: list[str]
    document: dict[str, Any]
    findings: list[Finding] = field(default_factory=list)
    failing: list[Finding] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    receipt: Path | None = None

    @property
    def has_changes(self) -> bool:
        """Whether there is anything to apply."""
        return any(c.matters for c in self.changes) or bool(self.outputs)


def plan(options: PlanOptions, judge: Judge, listener: Listener) -> PlanResult:
    """Make a plan and check it.

    Args:
        options: what is asked for.
        judge: checks the plan.
        listener: hears what happens meanwhile.

    Raises:
        UserError, UserErrors: see `session.session` and `driver.Terraform`; nothing is left behind then.
    """
    directory = folder.root_folder(options.directory)
    backends.refuse_credentials(options.backend_config)
    with session(
        directory,
        listener=listener,
        terraform=options.terraform,
        configured=options.configured,
        workspace=options.workspace,
        arguments=options.arguments,
        timeout=options.timeout,
    ) as at:
        path = (options.out or folder.private_folder(directory) / "plan").absolute()
        if path.is_dir():
            raise InputError("the plan cannot be written: this is a folder", hint="--out names a file", path=path)
        if not path.parent.is_dir():
            raise InputError(
                "the plan cannot be written: its folder is not there",
                hint=f"make {path.parent}, or name another",
                path=path,
            )
        # An old receipt must not outlive the plan that it speaks of.
        receipt.path_of(path).unlink(missing_ok=True)
        at.terraform.init(backend_config=options.backend_config)
        warnings = at.terraform.validate()
        with _private_file(path) as temporary:
            warnings += _run(at, options, temporary)
            data = at.terraform.show(temporary)
            temporary.replace(path)
        found = planned.changes(data)
        result = PlanResult(path, found, planned.changed_outputs(data), planned.document(data, found))
        result.diagnostics = list(dict.fromkeys(warnings))
        result.findings, result.failing = judge(data)
        at.signals.check()
        if not result.failing:
            result.receipt = receipt.write(_receipt(at, options, result, data), path)
        return result


@contextlib.contextmanager
def _private_file(path: Path) -> Iterator[Path]:
    """An empty file beside `path` that only its owner can read, gone at the end unless it was moved.

    Terraform writes into a file that exists without changing its mode; one that it makes would be readable by all. What a
    killed run has left is removed: its lock died with it.
    """
    prefix = f".{path.name}-"
    for left in path.parent.glob(f"{glob.escape(prefix)}*"):
        with contextlib.suppress(OSError), left.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()
    try:
        descriptor, name = tempfile.mkstemp(prefix=prefix, dir=path.parent)
    except OSError as error:
        raise InputError(f"the plan cannot be written: {error.strerror}", path=path) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield Path(name)
    finally:
        os.close(descriptor)
        Path(name).unlink(missing_ok=True)


def _run(at: Session, options: PlanOptions, out: Path) -> list[Diagnostic]:
    with inputs.opened(at.arguments, at.module) as files:
        outcome = at.terraform.plan(
            out,
            PlanArguments(
                var_files=files.paths,
                descriptors=files.descriptors,
                targets=options.targets,
                replace=options.replace,
                destroy=options.destroy,
                lock_timeout=options.lock_timeout,
                parallelism=options.parallelism,
            ),
            at.listener.event,
        )
    at.signals.check()
    if out.stat().st_size == 0:
        raise ToolError("terraform plan ended well but wrote no plan", hint="make room on the disk, then plan again")
    return [d for d in outcome.diagnostics if d.severity == "warning"]


def _receipt(at: Session, options: PlanOptions, result: PlanResult, data: Mapping[str, Any]) -> Receipt:
    from generator.hcl.variables import FileArgument

    salt = receipt.new_salt()
    hidden = inputs.ephemeral(at.module)
    values = {name: v.get("value") for name, v in data.get("variables", {}).items() if name not in hidden}
    given = inputs.given(at.arguments, at.environment, at.module)
    core = at.terraform.binary
    return Receipt(
        plan=receipt.digest(result.path),
        product=core.product,
        terraform_version=core.version,
        files=folder.input_digests(at.directory, at.environment),
        var_files=[receipt.digest(a.path) for a in at.arguments if isinstance(a, FileArgument)],
        backend=folder.backend_digest(at.directory, at.environment),
        workspace=folder.workspace(at.directory, at.environment),
        salt=salt,
        variables=receipt.sealed_values(salt, values),
        given={f"{g.source} {g.name}": receipt.sealed(salt, g.name, g.text) for g in given if g.name not in hidden},
        ephemeral=sorted(hidden),
        findings=findings_digest(result.findings),
        allow_replace=sorted({*options.allow_replace, *options.replace}),
        allow_destroy=sorted(set(options.allow_destroy)),
    )


def findings_digest(findings: Sequence[Finding]) -> str:
    """Digest of findings, so that a later check of the same plan can be compared."""
    return receipt.findings_digest(f"{f.rule}\0{f.severity}\0{f.resource}\0{f.message}" for f in findings)
