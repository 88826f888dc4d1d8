"""The stand-in provider as a child of this program."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from generator.errors import ToolError
from generator.rehearsal.settings import Settings

_NEEDED = ("grpc", "google.protobuf", "msgpack", "tfplugin_proto")
_SERVER = "generator.rehearsal.server"
_START_SECONDS = 60.0
_END_SECONDS = 5.0


class ProviderProcess:
    """Starts the stand-in provider; it ends with `stop`, or when this program ends in whatever way.

    Args:
        folder: where it keeps its cloud and its log.
        settings: what it is to answer.

    Raises:
        ToolError: the packages that it needs are not installed.
    """

    def __init__(self, folder: Path, settings: Settings | None = None) -> None:
        _require_packages()
        (settings or Settings()).write(folder)
        self._log = folder / "provider.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                # -P: the working directory may be a repository of others, and must not offer modules.
                [sys.executable, "-P", "-m", _SERVER, str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                env=os.environ | {"GRPC_VERBOSITY": "NONE"},
            )

    def address(self) -> str:
        """Where it listens, as `TF_REATTACH_PROVIDERS` has it; waits until it does.

        Raises:
            ToolError: it does not start.
        """
        line, out = b"", self._process.stdout
        assert out is not None
        ends = time.monotonic() + _START_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(out, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                ready = selector.select(max(0.0, ends - time.monotonic()))
                piece = os.read(out.fileno(), 65536) if ready else b""
                if not piece:
                    raise ToolError(f"the stand-in provider does not start: {self.log_end() or 'it said nothing'}")
                line += piece
        return line.decode().strip()

    def log_end(self) -> str:
        """The last line that it complained with, or "" when it did not."""
        lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def stop(self) -> None:
        """End it and wait for that."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _require_packages() -> None:
    missing = []
    for name in _NEEDED:
        try:
            found = find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            missing.append(name)
    if missing:
        raise ToolError(
            f"the stand-in provider needs Python packages that are not installed: {', '.join(missing)}",
            hint='install them with: pip install "gke-rdma[rehearse]"',
        )
