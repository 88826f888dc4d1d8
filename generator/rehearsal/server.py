"""The stand-in provider as a process: `python -m generator.rehearsal.server FOLDER`.

It prints one line, the value for `TF_REATTACH_PROVIDERS`: Terraform then talks to this one process in every command instead of
starting a provider two to five times in each. It listens on loopback only, keeps what it makes in FOLDER, and ends when its
standard input does, so that it never outlives the program that started it, however that ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from generator.rehearsal import settings
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.stand_in import StandIn
from generator.rehearsal.utilities import NAMES
from generator.rehearsal.wire import messages

# Terraform's and OpenTofu's address of the same provider.
_HOSTS = ("registry.terraform.io", "registry.opentofu.org")
# The stand-ins, and the providers that each stands for; google-beta is google with more arguments.
_SERVED: dict[str, tuple[str, ...]] = {"google": ("google", "google-beta")} | {name: (name,) for name in NAMES}
_SERVICE = "tfplugin5.Provider"
_PROTOCOL_VERSION = 5
# gRPC's health answer SERVING.
_HEALTHY = b"\x08\x01"
# As many calls run at once as `-parallelism` says, for as many provider blocks as there are.
_WORKERS = 32


def main() -> None:
    """Serve until standard input ends."""
    # Ctrl-C reaches the whole foreground group; Terraform is told, finishes, and needs its provider for that.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    folder = Path(sys.argv[1])
    cloud = Cloud(folder / "cloud.json")
    told = settings.read(folder)
    faults = told.at_work(folder)
    servers: list[Any] = []
    addresses: dict[str, Any] = {}
    for name, stands_for in _SERVED.items():
        server, port = serve(partial(StandIn, cloud, name, told.choices, faults if name == "google" else None))
        servers.append(server)
        addresses |= {f"{host}/hashicorp/{one}": _reattach(port) for host in _HOSTS for one in stands_for}
    sys.stdout.write(json.dumps(addresses) + "\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    for stopping in [server.stop(grace=0.2) for server in servers]:
        stopping.wait()
    # Streams to clients that are gone hold threads; nothing is left to do for them.
    os._exit(0)


def serve(make: Callable[[], StandIn]) -> tuple[Any, int]:
    """Start serving stand-ins, one for each connection; returns the gRPC server and its port."""
    import grpc

    unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    server = grpc.server(ThreadPoolExecutor(_WORKERS), handlers=[_handler(make)], options=unlimited)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def _reattach(port: int) -> dict[str, Any]:
    address = {"Network": "tcp", "String": f"127.0.0.1:{port}"}
    return {
        "Protocol": "grpc",
        "ProtocolVersion": _PROTOCOL_VERSION,
        "Pid": os.getpid(),
        "Test": True,
        "Addr": address,
    }


def _handler(make: Callable[[], StandIn]) -> Any:
    """The provider's service, with those of go-plugin that a client calls."""
    import grpc

    methods: dict[str, Any] = {
        "/grpc.health.v1.Health/Check": grpc.unary_unary_rpc_method_handler(lambda _request, _context: _HEALTHY),
        "/plugin.GRPCController/Shutdown": grpc.unary_unary_rpc_method_handler(lambda _request, _context: b""),
        "/plugin.GRPCStdio/StreamStdio": grpc.unary_stream_rpc_method_handler(_no_output),
    }
    # Terraform opens one connection for each provider block, and each is configured for itself.
    by_connection: dict[str, StandIn] = {}
    service = messages().DESCRIPTOR.services_by_name["Provider"]
    for method in service.methods:
        if hasattr(StandIn, method.name):
            request_class = _message_class(method.input_type)
            methods[f"/{_SERVICE}/{method.name}"] = grpc.unary_unary_rpc_method_handler(
                _answering(method.name, make, by_connection),
                request_deserializer=request_class.FromString,
                response_serializer=lambda response: response.SerializeToString(),
            )

    class Handler(grpc.GenericRpcHandler):  # type: ignore[misc]
        def service(self, call: Any) -> Any:
            # None is "unimplemented": Terraform asks for newer calls first and copes with that.
            return methods.get(call.method)

    return Handler()


def _answering(
    method: str, make: Callable[[], StandIn], by_connection: dict[str, StandIn]
) -> Callable[[Any, Any], Any]:
    def call(request: Any, context: Any) -> Any:
        import grpc

        try:
            stand_in = by_connection.setdefault(context.peer(), make())
            return getattr(stand_in, method)(request)
        except Exception:
            traceback.print_exc()
            context.abort(grpc.StatusCode.INTERNAL, f"the stand-in provider failed: {traceback.format_exc(limit=-3)}")

    return call


def _message_class(descriptor: Any) -> Any:
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(descriptor)


def _no_output(_request: bytes, _context: Any) -> Any:
    """The stream of a provider's own output. It ends at once: open, it would keep one worker of each connection busy."""
    return iter(())


if __name__ == "__main__":
    main()
