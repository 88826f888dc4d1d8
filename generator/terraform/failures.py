"""From what Terraform says when it fails to errors that say what to do next."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from generator.errors import RefusedError, ToolError, UserError, UserErrors
from generator.terraform.events import Diagnostic
from generator.terraform.process import Completed

_NO_VALUE = "give it with --var NAME=VALUE, --var-file FILE or TF_VAR_NAME"
# Where a generated module has a folder that calls it.
_EXAMPLE = "examples/basic"
# What Terraform or Google's provider says (facts of Terraform 1.11 and 1.15), and what helps.
_HINTS: tuple[tuple[str, str], ...] = (
    (r"Error acquiring the state lock", "somebody else is at work on this state: wait, or give --lock-timeout 5m"),
    (r"No value for required variable", _NO_VALUE),
    (
        r"Backend initialization required|Backend configuration changed",
        "run `terraform init -reconfigure` or `-migrate-state` in that folder once, then this command again",
    ),
    (
        r"checksums? .*(do not|doesn't) match|(doesn't|does not) match any of the checksums|cached package",
        "the lock file lacks this machine's checksums: run `terraform providers lock -platform=linux_amd64`\n"
        "on a machine that reaches the registry",
    ),
    (
        r"Failed to query available provider packages|could not connect to|Could not retrieve the list",
        "Terraform needs the provider from its registry, a mirror or TF_PLUGIN_CACHE_DIR:\n"
        "check network, proxy and CLI configuration",
    ),
    (
        r"no such host|dial tcp|connection refused|TLS handshake timeout",
        "what is named there cannot be reached from here: check network, proxy and endpoints",
    ),
    (r"default credentials|credentials nor access_token|Error 401", "log in: gcloud auth application-default login"),
    (
        r"[Qq]uota.{0,80}(exceeded|request)|QUOTA_EXCEEDED|quotaExceeded",
        "the project's quota is used up: ask for more, or free what is not used",
    ),
    (
        r"Error 403|PERMISSION_DENIED|forbidden",
        "the account that Terraform runs as lacks a permission;\n"
        "GKE node pools need roles/container.admin and roles/iam.serviceAccountUser",
    ),
    (
        r"STOCKOUT|ZONE_RESOURCE_POOL_EXHAUSTED|does not have enough resources",
        "the zone has no capacity now: use a reservation, flex-start or another zone",
    ),
    (
        r"in the error state|RUNNING_WITH_ERROR",
        "it is tainted: the next plan replaces it, which --allow-replace ADDRESS has to allow",
    ),
    (
        r"has state \"PROVISIONING\"|timeout while waiting for state",
        "it may still be coming up, but is tainted: the next plan would delete it.\n"
        "Wait until it is there and run `terraform untaint ADDRESS`; give it longer `timeouts`",
    ),
    (
        r"already exists|alreadyExists",
        "it is there, but not in the state: take it over with `terraform import ADDRESS ID`, or delete it",
    ),
    (
        r"errored\.tfstate|Failed to (save|persist) state",
        "what was made is not in the state: make room or mend the backend, then run\n"
        "`terraform state push errored.tfstate` in that folder before anything else",
    ),
    (
        r"Plugin did not respond|plugin crashed|Unrecognized remote plugin|Failed to load plugin schemas|code = Unavailable",
        "the provider crashed: run again with TF_LOG=trace TF_LOG_PATH=FILE, and report it to the provider",
    ),
    (r"no space left on device|file too large|disk quota exceeded", "make room on the disk, then plan again"),
)
_LOCK_ID = re.compile(r"^\s*ID:\s+(\S+)", re.MULTILINE)
_STALE = re.compile(r"Saved plan is stale|Saved plan does not match")


def hint_for(text: str) -> str | None:
    """What to do about a message of Terraform, where we know."""
    one_line = " ".join(text.split())
    hint = next((hint for pattern, hint in _HINTS if re.search(pattern, one_line, re.IGNORECASE)), None)
    lock = _LOCK_ID.search(text)
    if hint is not None and lock is not None:
        hint += f"\nOnly if that run is gone for good: terraform force-unlock {lock[1]}"
    return hint


def error_of(found: Diagnostic) -> UserError:
    """A diagnostic as an error of ours; a plan that no longer fits its state is refused, everything else has failed."""
    about = f"{found.address}: " if found.address else ""
    text = f"{about}{found.text}"
    if _STALE.search(found.summary):
        return RefusedError(text, hint="make a new plan: gke-rdma plan DIR")
    hint = hint_for(found.text)
    if hint == _NO_VALUE and found.path is not None and (found.path.parent / _EXAMPLE).is_dir():
        hint = (
            f"this folder is a module for others to call: take the folder {_EXAMPLE} in it, which calls it,\nor {hint}"
        )
    if hint is not None and found.address:
        hint = hint.replace("ADDRESS", shlex.quote(found.address))
    return ToolError(text, hint=hint, path=found.path, line=found.line, column=found.column)


def failure(command: str, done: Completed, diagnostics: Sequence[Diagnostic]) -> UserErrors:
    """The errors to raise when a command has failed.

    Args:
        command: Terraform's own name of it: "plan".
        done: how it ended.
        diagnostics: what it said in its event stream.
    """
    errors: list[UserError] = []
    if done.timed_out:
        errors.append(
            ToolError(
                f"terraform {command} took longer than --timeout allows, and was told to stop",
                hint="what it was making may exist without being in the state: look before you plan again"
                if command == "apply"
                else "nothing was changed; give it longer",
            )
        )
    errors += [error_of(d) for d in diagnostics if d.severity == "error"]
    if not errors:
        said = _plain(done.stderr) or _plain(done.stdout)
        ended = (
            f"ended with code {done.returncode}" if done.returncode >= 0 else f"was killed by signal {-done.returncode}"
        )
        errors.append(ToolError(f"terraform {command} {ended}" + (f":\n{said}" if said else ""), hint=hint_for(said)))
    return UserErrors(errors)


def _plain(text: str) -> str:
    """Terraform's text for people without its frame, its colours and its empty lines, at most 30 lines."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip("╷│╵ \t") for line in text.splitlines()]
    kept = [line for line in lines if line and not line.startswith('{"@level"')]
    return "\n".join(kept[-30:])
