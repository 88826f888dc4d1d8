"""`gke-rdma manifests`: only the Kubernetes files of a spec."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from generator.errors import ExitCode, InputError, RefusedError
from generator.render.manifests import manifests
from generator.report.errors import relative
from generator.spec.load import load


@dataclass(frozen=True, slots=True)
class Options:
    """The command line.

    Attributes:
        spec: path of the spec, `-` for standard input.
        output: the folder to write into, `-` to print.
        quiet: say nothing about what was written.
    """

    spec: str
    output: str
    quiet: bool = False


def run(options: Options) -> ExitCode:
    """Write or print the manifests.

    Raises:
        UserErrors: the spec is wrong.
        InputError: the folder cannot be written.
        RefusedError: a file of that name is there with other content.
    """
    loaded = load(options.spec)
    files = manifests(loaded.spec)
    if options.output == "-":
        sys.stdout.write("".join(_as_document(text) for text in files.values()))
        return ExitCode.DONE
    directory = Path(options.output)
    _write(directory, files)
    if not options.quiet:
        sys.stderr.write("".join(f"Wrote {relative(directory / name)}\n" for name in files))
    return ExitCode.DONE


def _as_document(text: str) -> str:
    return text if text.startswith("---") or "\n---\n" in text.split("\nkind:", 1)[0] else f"---\n{text}"


def _write(directory: Path, files: dict[str, str]) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = directory / name
            if os.path.lexists(path) and (
                path.is_symlink() or not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text
            ):
                raise RefusedError(
                    "A file of that name is there, with other content; nothing was written over.",
                    hint="Remove it, or name another folder with -o.",
                    path=path,
                )
        for name, text in files.items():
            temporary = directory / f".{name}.{os.getpid()}"
            try:
                temporary.write_text(text, encoding="utf-8")
                temporary.replace(directory / name)
            finally:
                temporary.unlink(missing_ok=True)
    except FileExistsError:
        raise InputError(
            "This is a file; a folder is needed.", hint="Name a folder with -o, or `-o -` to print.", path=directory
        ) from None
    except OSError as error:
        raise InputError(f"The files cannot be written: {error.strerror}.", path=directory) from None
