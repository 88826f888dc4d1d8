"""Views over the JSON of a plan: the same questions as over text, answered with what Terraform has worked out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from generator.hcl.types import ANY
from generator.hcl.values import UnknownData
from generator.schema import provider
from generator.schema.tree import BlockSchema
from generator.view.answers import Unknown
from generator.view.block import Argument, Block, BlockData, Blocks
from generator.view.clusters import link
from generator.view.plan_blocks import PlanData, Planned, value_of
from generator.view.plan_configuration import Configuration, key_of, without_keys
from generator.view.resource import Change, Depth, Resource
from generator.view.tree import ModuleTree, Requirement

_HOST = re.compile(r"^[^/]+\.[^/]+/(?=[^/]+/[^/]+$)")
# Types without a schema of ours that rules look at all the same.
_FURTHER = frozenset({"kubernetes_manifest", "google_compute_reservation"})


def tree(plan: Mapping[str, Any], text_tree: ModuleTree | None = None) -> ModuleTree:
    """The module tree of a plan.

    Args:
        plan: what `terraform show -json` prints for a plan file.
        text_tree: the tree of the folder that it was made from: it gives places, and says what `dynamic` blocks make.

    Returns:
        A tree of depth `plan`: resources with their changes, what is destroyed in `removed`, pools and clusters linked as in
        text. Places are headers of resources, so that ignores hold; None without `text_tree`.
    """
    return _Maker(plan, text_tree).make()


class _Maker:
    def __init__(self, plan: Mapping[str, Any], text_tree: ModuleTree | None) -> None:
        self.plan = plan
        self.text = text_tree
        self.by_address: dict[str, Resource] = {}
        for resource in text_tree.resources if text_tree else ():
            self.by_address.setdefault(resource.address, resource)
            self.by_address.setdefault(without_keys(resource.address), resource)
        self.entries = [*plan.get("resource_changes", ()), *_looked_up(plan)]
        addresses = [str(e.get("address", "")) for e in self.entries]
        self.configuration = Configuration(plan.get("configuration", {}), addresses)

    def make(self) -> ModuleTree:
        made = ModuleTree(self.text.root if self.text else "")
        self.providers = made.providers = self.text.providers if self.text else self._providers()
        for entry in self.entries:
            schema, wanted = _schema(entry)
            if not wanted:
                continue
            after = entry["change"].get("after")
            if isinstance(after, dict) and not entry.get("deposed"):
                made.resources.append(self._resource(entry, schema, after))
            elif "delete" in entry["change"].get("actions", ()):
                made.removed.append(self._removed(entry, schema))
            elif "forget" in entry["change"].get("actions", ()):
                made.forgotten.append(self._removed(entry, schema))
        made.clusters, made.pools = link(made.resources)
        made.complete = self.plan.get("complete") is not False
        made.requirements = list(self._requirements())
        if self.text is not None:
            made.requirements = self.text.requirements
            made.locks = self.text.locks
            made.calls = self.text.calls
            made.complete = made.complete and self.text.complete
        return made

    def _resource(self, entry: Mapping[str, Any], schema: BlockSchema | None, after: dict[str, Any]) -> Resource:
        change = entry["change"]
        address, module = str(entry["address"]), str(entry.get("module_address", ""))
        before = change.get("before")
        text = self._text_of(address)
        planned = Planned(
            after=after,
            unknown=_layer(change.get("after_unknown")),
            sensitive=_layer(change.get("after_sensitive")),
            before=before if isinstance(before, dict) else None,
            written=self.configuration.expressions(address, module),
            text=text,
        )
        return self._view(entry, self._data(entry, schema, planned, text), text)

    def _removed(self, entry: Mapping[str, Any], schema: BlockSchema | None) -> Resource:
        text = self._text_of(str(entry["address"]))
        return self._view(entry, self._state(entry, schema, text), text)

    def _state(self, entry: Mapping[str, Any], schema: BlockSchema | None, text: Resource | None) -> PlanData:
        """What exists, as the state has it: everything counts as written."""
        change = entry["change"]
        before = change.get("before") or {}
        planned = Planned(
            before,
            unknown=False,
            sensitive=_layer(change.get("before_sensitive")),
            before=None,
            written=None,
            text=None,
        )
        return self._data(entry, schema, planned, text)

    def _data(
        self, entry: Mapping[str, Any], schema: BlockSchema | None, planned: Planned, text: Resource | None
    ) -> PlanData:
        address, module = str(entry["address"]), str(entry.get("module_address", ""))
        key = key_of(address)

        def refers(references: Sequence[str]) -> str | None:
            return self.configuration.refers_to(references, module, key)

        return PlanData(planned, schema, text.header if text else None, address, refers)

    def _view(self, entry: Mapping[str, Any], data: PlanData, text: Resource | None) -> Resource:
        change = entry["change"]
        mode: Literal["managed", "data"] = "data" if entry.get("mode") == "data" else "managed"
        address, module = str(entry["address"]), str(entry.get("module_address", ""))
        schema, _ = _schema(entry)
        before = change.get("before")
        return Resource(
            data,
            type_=str(entry["type"]),
            name=str(entry["name"]),
            address=address,
            module=module,
            provider=_HOST.sub("", str(entry.get("provider_name", ""))),
            mode=mode,
            depth=Depth.PLAN,
            change=Change(
                tuple(change.get("actions", ())),
                entry.get("action_reason"),
                tuple(".".join(s for s in path if isinstance(s, str)) for path in change.get("replace_paths", ())),
                before=Block(self._state(entry, schema, text)) if isinstance(before, dict) else None,
            ),
            ignored_changes=text.ignored_changes if text else (),
            replace_triggers=text.replace_triggers if text else (),
            defaults=self.providers.get(self.configuration.provider_key(address, module) or ""),
        )

    def _text_of(self, address: str) -> Resource | None:
        return self.by_address.get(address) or self.by_address.get(without_keys(address))

    def _requirements(self) -> Iterator[Requirement]:
        for entry in self.plan.get("configuration", {}).get("provider_config", {}).values():
            if entry.get("version_constraint"):
                source = _HOST.sub("", str(entry.get("full_name", "")))
                module = str(entry.get("module_address", ""))
                yield Requirement(module, str(entry.get("name", "")), source, entry["version_constraint"], None)

    def _providers(self) -> dict[str, Block]:
        listed = self.plan.get("configuration", {}).get("provider_config", {})
        return {
            str(entry["name"]): Block(_Expressions(entry.get("expressions", {})))
            for entry in listed.values()
            if "name" in entry and not entry.get("alias") and not entry.get("module_address")
        }


class _Expressions(BlockData):
    """A provider block as the `configuration` of a plan tells it: constants, and what is no constant is unknown."""

    def __init__(self, expressions: Mapping[str, Any]) -> None:
        self.schema = None
        self.header = None
        self.certain = True
        self._expressions = expressions

    def argument(self, name: str) -> Argument | None:
        """See `BlockData.argument`."""
        expression = self._expressions.get(name)
        if not isinstance(expression, dict):
            return None
        constant = "constant_value" in expression
        reason = UnknownData(f"{name} of the provider is no constant")
        return Argument(name, value_of(expression.get("constant_value"), not constant, False, ANY, reason), None, None)

    def blocks(self, name: str) -> Blocks:
        """See `BlockData.blocks`."""
        there = isinstance(self._expressions.get(name), list)
        return Blocks((), Unknown(f"{name} of the provider is not told by the plan", None) if there else None, None)

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """See `BlockData.names`."""
        blocks = tuple(n for n, e in self._expressions.items() if isinstance(e, list))
        return tuple(n for n in self._expressions if n not in blocks), blocks


def _schema(entry: Mapping[str, Any]) -> tuple[BlockSchema | None, bool]:
    """The schema of an entry's type, and whether rules look at the type at all."""
    type_ = str(entry.get("type", ""))
    found = provider.data(type_) if entry.get("mode") == "data" else provider.resource(type_)
    return found, found is not None or type_ in _FURTHER


def _layer(layer: Any) -> Mapping[str, Any] | bool:
    return layer if isinstance(layer, dict) else layer is True


def _looked_up(plan: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The data sources that were read while planning: they stand in the prior state only."""
    changed = {entry.get("address") for entry in plan.get("resource_changes", ())}
    for module in _modules(plan.get("prior_state", {}).get("values", {}).get("root_module", {})):
        for resource in module.get("resources", ()):
            if resource.get("mode") == "data" and resource.get("address") not in changed:
                values, marks = resource.get("values", {}), resource.get("sensitive_values", {})
                change = {"actions": ["no-op"], "before": values, "after": values, "after_sensitive": marks}
                yield {**resource, "module_address": module.get("address", ""), "change": change}


def _modules(module: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield module
    for child in module.get("child_modules", ()):
        yield from _modules(child)
