"""The `configuration` of a plan's JSON: what is written, and what it refers to. It tells blocks and arguments, no values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# An instance key: `[0]` or `["a"]`, where the text may hold brackets and escaped quotes.
_KEY = re.compile(r'\[(?:\d+|"(?:[^"\\]|\\.)*")\]')
_STEP = re.compile(r'module\.([^.\[]+)((?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?)\.?')
_REFERENCE = re.compile(r'((?:data\.)?[A-Za-z_][\w-]*\.[\w-]+)((?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?)')
_DEPTH = 12


def without_keys(address: str) -> str:
    """An address without instance keys: `module.a["x"].t.n[0]` is `module.a.t.n`."""
    return _KEY.sub("", address)


def key_of(address: str) -> str:
    """The instance key at the end of an address, with its brackets; "" when there is none."""
    keys = [m for m in _KEY.finditer(address) if m.end() == len(address)]
    return keys[0].group() if keys else ""


class Configuration:
    """Finds what is written for a resource, and what an expression leads to.

    Args:
        data: the `configuration` of the plan.
        addresses: of all resource instances in the plan.
    """

    def __init__(self, data: Mapping[str, Any], addresses: Iterable[str]) -> None:
        self._root: Mapping[str, Any] = data.get("root_module", {})
        self._instances: dict[str, list[str]] = {}
        for address in addresses:
            self._instances.setdefault(without_keys(address), []).append(address)

    def expressions(self, address: str, module: str) -> Mapping[str, Any] | None:
        """What is written in the block of a resource, by name; None when the plan does not tell (its block was removed)."""
        resource = self._resource(address, module)
        found = resource.get("expressions", {}) if resource is not None else None
        return found if isinstance(found, dict) else None

    def provider_key(self, address: str, module: str) -> str | None:
        """The key of the provider configuration that makes a resource: `google`, `google.west`, `module.a:google`."""
        resource = self._resource(address, module)
        return str(resource.get("provider_config_key", "")) if resource is not None else None

    def _resource(self, address: str, module: str) -> Mapping[str, Any] | None:
        at = self._module(module)
        own = without_keys(address[len(module) + 1 :] if module else address)
        return next((r for r in at.get("resources", ()) if r.get("address") == own), None) if at else None

    def refers_to(self, references: Sequence[str], module: str, key: str, depth: int = 0) -> str | None:
        """The one resource instance that an expression refers to; None when there is none or several fit.

        Args:
            references: of the expression: `["google_container_cluster.c.id", "google_container_cluster.c"]`.
            module: address of the module instance that it stands in.
            key: the instance key of the resource that it stands in: `c[each.key]` is most likely the same key.
            depth: how many inputs and outputs were followed.
        """
        found = {a for r in references if depth < _DEPTH and (a := self._target(r, module, key, depth)) is not None}
        return found.pop() if len(found) == 1 else None

    def _target(self, reference: str, module: str, key: str, depth: int) -> str | None:
        if reference.startswith("var."):
            return self._through_input(reference.split(".")[1], module, depth)
        if reference.startswith("module."):
            return self._through_output(reference, module, key, depth)
        if reference.startswith(("local.", "each.", "count.", "path.", "terraform.", "self.")):
            return None
        match = _REFERENCE.match(reference)
        return self._instance((module + "." if module else "") + match[1], match[2] or key) if match else None

    def _instance(self, address: str, key: str) -> str | None:
        """The instance of a resource in a module instance; of several the one with the key."""
        fitting = [i for i in self._instances.get(without_keys(address), ()) if without_keys(i[len(address) :]) == ""]
        fitting = [i for i in fitting if i.startswith(address)]
        if len(fitting) > 1:
            fitting = [i for i in fitting if i == address + key]
        return fitting[0] if len(fitting) == 1 else None

    def _through_input(self, name: str, module: str, depth: int) -> str | None:
        steps = list(_STEP.finditer(module))
        if not steps:
            return None
        last = steps[-1]
        caller = module[: last.start()].rstrip(".")
        at = self._module(caller)
        call = at.get("module_calls", {}).get(last[1], {}) if at else {}
        references = call.get("expressions", {}).get(name, {}).get("references", ())
        return self.refers_to(references, caller, last[2], depth + 1)

    def _through_output(self, reference: str, module: str, key: str, depth: int) -> str | None:
        step = _STEP.match(reference)
        rest = reference[step.end() :].split(".")[0] if step else ""
        if step is None or not rest:
            return None
        inner = f"{module}.module.{step[1]}" if module else f"module.{step[1]}"
        at = self._module(inner)
        references = at.get("outputs", {}).get(rest, {}).get("expression", {}).get("references", ()) if at else ()
        return self.refers_to(references, inner + (step[2] or self._call_key(inner, key)), key, depth + 1)

    def _call_key(self, call: str, key: str) -> str:
        """The key of a module call's only instance, else the key at hand."""
        keys = set()
        for addresses in self._instances.values():
            for address in addresses:
                if address.startswith(call):
                    match = _KEY.match(address, len(call))
                    keys.add(match.group() if match else "")
        return keys.pop() if len(keys) == 1 else key

    def _module(self, address: str) -> Mapping[str, Any] | None:
        at: Mapping[str, Any] = self._root
        for step in _STEP.finditer(address):
            call = at.get("module_calls", {}).get(step[1])
            if call is None:
                return None
            at = call.get("module", {})
        return at
