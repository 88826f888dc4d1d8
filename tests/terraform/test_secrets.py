"""A secret that goes in comes out nowhere: argv, output, files, receipt."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

# Each comes in its own way.
BY_FILE, BY_ENVIRONMENT, BY_OPTION = "Zauberwort-7c1f", "Losung-93aa", "Kennwort-5d20"
BY_DEFAULT, BY_TFVARS, NESTED = "Parole-66b3", "Siegel-12e9", "Schluessel-48f7"
TOKEN, BACKEND = "ya29.Wertmarke-0b1d", "Hintertuer-c55e"
SECRETS = [BY_FILE, BY_ENVIRONMENT, BY_OPTION, BY_DEFAULT, BY_TFVARS, NESTED, TOKEN, BACKEND]
CONFIG = f"""
variable "by_file" {{
  type      = string
  sensitive = true
}}
variable "by_environment" {{
  type      = string
  sensitive = true
}}
variable "by_option" {{
  type      = string
  sensitive = true
  validation {{
    condition     = length(var.by_option) > 3
    error_message = "Too short."
  }}
}}
variable "by_default" {{
  type      = string
  sensitive = true
  default   = "{BY_DEFAULT}"
}}
variable "by_tfvars" {{
  type      = string
  sensitive = true
}}
variable "nested" {{
  type      = object({{ users = list(object({{ name = string, word = string }})) }})
  sensitive = true
}}
resource "terraform_data" "a" {{
  input = [var.by_file, var.by_environment, var.by_option, var.by_default, var.by_tfvars, var.nested]
}}
resource "terraform_data" "loud" {{
  depends_on = [terraform_data.a]
  provisioner "local-exec" {{
    command = "exec /bin/cat gate LOUD"
  }}
}}
output "it" {{
  value     = var.by_file
  sensitive = true
}}
"""


@pytest.fixture
def guarded(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    """A folder with secrets, and the arguments that give the rest of them."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("TF_VAR_by_environment", BY_ENVIRONMENT)
    monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN)
    monkeypatch.setenv("GOOGLE_BACKEND_CREDENTIALS", BACKEND)
    # The provisioner says each of them aloud, as a provider may that repeats what it was sent.
    said = " ".join(SECRETS)
    (folder / "main.tf").write_text(CONFIG.replace("LOUD", said))
    (folder / "terraform.tfvars").write_text(f'by_tfvars = "{BY_TFVARS}"\n')
    (folder / "secret.tfvars").write_text(f'by_file = "{BY_FILE}"\n')
    nested = f'nested={{users = [{{name = "u", word = "{NESTED}"}}]}}'
    return ("--var-file", folder / "secret.tfvars", "--var", f"by_option={BY_OPTION}", "--var", nested)


def told_in(text: str | bytes) -> list[str]:
    """The secrets in a text, plain or in base64."""
    content = text.encode() if isinstance(text, str) else text
    return [s for s in SECRETS if s.encode() in content or base64.b64encode(s.encode()) in content]


def processes() -> dict[int, tuple[bytes, bytes]]:
    """Command line and environment of every process."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            found[int(path.name)] = ((path / "cmdline").read_bytes(), (path / "environ").read_bytes())
        except OSError:
            continue
    return found


def test_secrets_are_nowhere(start, run, gate, folder: Path, tmp_path: Path, guarded: tuple[object, ...]) -> None:
    (folder / "stop.tf").write_text('locals {\n  stop = file("gate")\n}\noutput "stop" {\n  value = local.stop\n}\n')
    stop = gate(folder / "gate")
    planning = start("plan", folder, *guarded, "--summary", tmp_path / "summary.md")
    stop.reached(planning)
    seen = processes()
    stop.open()
    # From now on it is a file like any other, and Terraform does not wait.
    (folder / "gate").unlink()
    (folder / "gate").write_text("")
    outputs = [planning.end()]
    (folder / "stop.tf").unlink()
    outputs.append(run("plan", folder, *guarded, "--format", "json"))
    assert outputs[1].code == 0, outputs[1]
    (folder / "gate").unlink()
    stop = gate(folder / "gate")
    applying = start("apply", folder, "--format", "json")
    stop.reached(applying)
    during = processes()
    stop.open()
    outputs.append(applying.end())
    # `cat` is Terraform's own provisioner and was given the secrets by the configuration.
    ours = [command for command, _ in [*seen.values(), *during.values()] if not command.startswith(b"/bin/cat\0")]
    assert sum(b"embedded.py" in command for command in ours) >= 2
    assert [told_in(command) for command in ours if told_in(command) and b"embedded.py" in command] == []
    assert outputs[2].code == 3
    assert "No such file" in outputs[2].out
    assert [told_in(result.out + result.err) for result in outputs] == [[], [], []]
    # Terraform's own: the state and the plan; the user's: what was written above.
    own = {"terraform.tfstate", "terraform.tfstate.backup", "plan", "secret.tfvars", "terraform.tfvars", "main.tf"}
    written = [*folder.rglob("*"), *(tmp_path / "tmp").rglob("*"), tmp_path / "summary.md", Path(os.environ["HOME"])]
    for path in written:
        if path.is_file() and path.name not in own:
            assert told_in(path.read_bytes()) == [], path
    assert not list((tmp_path / "tmp").iterdir())


def test_values_of_the_command_line_are_in_no_environment(start, gate, folder: Path, guarded) -> None:
    (folder / "stop.tf").write_text('output "stop" {\n  value = file("gate")\n}\n')
    stop = gate(folder / "gate")
    child = start("plan", folder, *guarded)
    stop.reached(child)
    environments = [
        e for command, e in processes().values() if b"embedded.py" in command and BY_ENVIRONMENT.encode() in e
    ]
    stop.open()
    child.tell(2)
    child.end()
    assert environments
    assert not any(s.encode() in e for e in environments for s in (BY_OPTION, BY_FILE, NESTED))


def test_a_secret_in_the_words_of_terraform_is_taken_out(run, folder: Path, guarded: tuple[object, ...]) -> None:
    condition = 'condition = var.zone == "no"\n      error_message = "The words are ' + " ".join(SECRETS) + '."'
    loud = (
        f'resource "terraform_data" "p" {{\n  lifecycle {{\n    precondition {{\n      {condition}\n    }}\n  }}\n}}\n'
    )
    (folder / "loud.tf").write_text('variable "zone" {\n  default = "z"\n}\n' + loud)
    result = run("plan", folder, *guarded)
    assert result.code == 3
    assert "The words are (sensitive value) (sensitive value)" in result.err
    assert told_in(result.err + result.out) == []


def test_a_value_that_does_not_fit_is_not_repeated(run, folder: Path, guarded: tuple[object, ...]) -> None:
    result = run("plan", folder, *guarded, "--var", f"nested=[{NESTED}")
    assert result.code == 2
    result = run("plan", folder, *guarded, "--var", f'nested="{NESTED}"')
    assert result.code == 3
    assert told_in(result.err + result.out) == []
