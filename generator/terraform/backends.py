"""What may be said about a backend on the command line: no credentials, because Terraform writes them down in clear."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.errors import InputError

# Arguments of Terraform's backends that hold a secret. Source: https://developer.hashicorp.com/terraform/language/backend
_CREDENTIALS = frozenset(
    {
        "access_key",
        "access_token",
        "client_certificate",
        "client_certificate_password",
        "client_key",
        "client_private_key_pem",
        "client_secret",
        "conn_str",
        "credentials",
        "encryption_key",
        "oidc_request_token",
        "oidc_token",
        "password",
        "private_key",
        "sas_token",
        "secret_id",
        "secret_key",
        "security_token",
        "session_token",
        "sse_customer_key",
        "token",
    }
)


def refuse_credentials(arguments: Sequence[str]) -> None:
    """Look through `--backend-config` for credentials.

    Args:
        arguments: `KEY=VALUE` or the path of a file.

    Raises:
        InputError: one is a credential, or a file cannot be read.
    """
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if equals:
            _refuse(key.strip(), value, None)
        else:
            _refuse_in_file(Path(argument))


def _refuse(key: str, value: str, path: Path | None) -> None:
    # Google's backend takes the path of a key file where others take the secret itself.
    if key in _CREDENTIALS and not (key == "credentials" and Path(value).is_file()):
        raise InputError(
            f"--backend-config with {key}: Terraform would write it into .terraform/ and into the plan in clear",
            hint="give it by the backend's environment variables (GOOGLE_BACKEND_CREDENTIALS, AWS_SECRET_ACCESS_KEY, …)",
            path=path,
        )


def _refuse_in_file(path: Path) -> None:
    from generator.hcl.module import literal_text
    from generator.hcl.module_files import ConfigFile

    if not path.is_file():
        raise InputError(
            f"--backend-config {path}: there is no such file", hint="write KEY=VALUE, or the path of a file"
        )
    for name, attribute in ConfigFile(path.absolute()).parsed.body.attributes.items():
        _refuse(name, literal_text(attribute.expression) or "", path)
