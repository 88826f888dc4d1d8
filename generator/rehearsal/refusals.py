"""What cannot be rehearsed: what would reach beyond the throw-away copy, or what the stand-in does not serve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.catalog import constraints
from generator.errors import InputError, ToolError, UserError
from generator.hcl.evaluate import LiteralScope, evaluate
from generator.hcl.module import ConfigBlock, Module, Placed
from generator.hcl.nodes import ScopeTraversal
from generator.hcl.source import Span
from generator.rehearsal import utilities
from generator.rehearsal.faults import EVERY_TYPE, Fault
from generator.rehearsal.tree import Tree, nested
from generator.schema import provider

_GOOGLE = ("hashicorp/google", "hashicorp/google-beta")
_SERVED = (*_GOOGLE, *(f"hashicorp/{name}" for name in utilities.NAMES))
_HOSTS = ("registry.terraform.io/", "registry.opentofu.org/")
_BUILT_IN = "terraform.io/builtin/terraform"
_CREDENTIALS = frozenset({"access_token", "credentials", "external_credentials"})


def refusals(tree: Tree) -> list[UserError]:
    """Everything in a module tree that cannot be rehearsed with the stand-in provider, each with its line."""
    found: list[UserError] = []
    for call in tree.missing:
        span = call.placed.span if call.placed else call.block.header
        what = f"the module {call.source!r}" if call.source else "this module"
        found.append(_error(f"{what} is not on this machine", "fetch it first: terraform init", span))
    for module in tree.modules:
        found += _module(module)
    return sorted(found, key=lambda error: (str(error.path), error.line or 0, error.column or 0))


def without_target(tree: Tree, faults: Iterable[Fault]) -> list[InputError]:
    """Errors for faults of resource types that a module tree does not have."""
    found = []
    for fault in faults:
        modes = ("managed", "data") if fault.operation == "read" else ("managed",)
        there = {type_ for module in tree.modules for mode, type_, _ in module.declared.resources if mode in modes}
        if fault.type not in (*there, EVERY_TYPE):
            google = sorted(type_ for type_ in there if type_.startswith("google_"))
            hint = f"it has {', '.join(google)}" if google else "it has nothing of Google's"
            found.append(InputError(f"--fail {fault}: the folder has no {fault.type}", hint=hint))
    return found


def other_versions(tree: Tree) -> list[str]:
    """What the folder asks of the provider's version, where the stand-in's is another: `google ~> 6.0`, each once."""
    ours = constraints.parse_version(provider.PROVIDER_VERSION)
    assert ours is not None
    found: list[str] = []
    for module in tree.modules:
        for name, placed in module.declared.requirements.items():
            _, text = _entry(placed, "version")
            wanted = constraints.parse(text) if text and _source(name, placed) in _GOOGLE else None
            if wanted is not None and not constraints.admits(wanted, ours):
                found.append(f"{name} {text}")
    return list(dict.fromkeys(found))


def _module(module: Module) -> Iterator[ToolError]:
    sources = {name: _source(name, placed) for name, placed in module.declared.requirements.items()}
    for name, placed in module.declared.requirements.items():
        source = sources[name]
        if source is not None and source not in (*_SERVED, _BUILT_IN):
            yield _unserved_provider(source, placed.name_span)
    for (local, _alias), block in module.declared.providers.items():
        if local not in sources and f"hashicorp/{local}" not in _SERVED:
            yield _unserved_provider(f"hashicorp/{local}", block.header)
        yield from _provider_block(block)
    for (mode, type_, _name), block in module.declared.resources.items():
        yield from _resource(mode == "data", type_, block, sources)
    for file in module.files:
        for plain in file.parsed.body.blocks:
            if plain.type == "check":
                check = ConfigBlock(((file.source, plain),))
                for inner in check.blocks:
                    if inner.type == "data" and len(inner.labels) == 2:
                        yield from _resource(True, inner.labels[0].text, inner, sources)
            elif plain.type == "ephemeral" and plain.labels:
                span = Span(file.source, plain.start, plain.header_end)
                yield _unserved_type(plain.labels[0].text, "ephemeral resource", frozenset(), span)


def _resource(data: bool, type_: str, block: ConfigBlock, sources: dict[str, str | None]) -> Iterator[ToolError]:
    local = _provider_name(block) or type_.partition("_")[0]
    source = sources.get(local, _BUILT_IN if local == "terraform" else f"hashicorp/{local}")
    if source == _BUILT_IN:
        if type_ != "terraform_data":
            yield _error(f"{type_} reads a state outside of the rehearsal", None, block.header)
    elif source in _SERVED:
        schemas = provider if source in _GOOGLE else utilities.Schemas(source.removeprefix("hashicorp/"))
        known = schemas.data_types() if data else schemas.resource_types()
        if type_ not in known:
            yield _unserved_type(type_, "data source" if data else "resource", known, block.header)
    elif source is not None and local not in sources:
        yield _unserved_provider(source, block.header)
    for inner in nested(block):
        if inner.type == "provisioner":
            yield _error("a provisioner runs programs on this machine or elsewhere", None, inner.header)


def _provider_block(block: ConfigBlock) -> Iterator[ToolError]:
    for name, placed in block.arguments.items():
        if name in _CREDENTIALS or name.startswith("impersonate_") or name.endswith("_custom_endpoint"):
            yield _credentials(name, placed.name_span)
    for inner in block.blocks:
        if inner.type in _CREDENTIALS:
            yield _credentials(inner.type, inner.header)


def _source(name: str, placed: Placed) -> str | None:
    """The provider's address without the host of a public registry; None when it cannot be told."""
    known, address = _entry(placed, "source")
    if not known:
        return None
    address = (address or name).lower()
    for host in _HOSTS:
        address = address.removeprefix(host)
    return address if "/" in address else f"hashicorp/{address}"


def _entry(placed: Placed, name: str) -> tuple[bool, str | None]:
    """A text in an entry of `required_providers`: whether it can be told, and the text, None when it is not written."""
    data = evaluate(placed.node.expression, placed.source, LiteralScope(placed.source.path.parent)).data
    if isinstance(data, str):
        # The old form, `google = "~> 7.0"`, is the version alone.
        return True, data if name == "version" else None
    if not isinstance(data, dict):
        return False, None
    written = data.get(name)
    if written is None or written.data is None:
        return True, None
    return (True, written.data) if isinstance(written.data, str) else (False, None)


def _provider_name(block: ConfigBlock) -> str | None:
    placed = block.arguments.get("provider")
    expression = placed.node.expression if placed else None
    return expression.root if isinstance(expression, ScopeTraversal) else None


def _unserved_provider(source: str, span: Span) -> ToolError:
    served = ", ".join(_SERVED)
    return _error(f"the provider {source} has no stand-in", f"served are {served} and terraform_data", span)


def _unserved_type(type_: str, what: str, known: frozenset[str], span: Span) -> ToolError:
    hint = f"served are {', '.join(sorted(known))}" if known else None
    return _error(f"the stand-in provider does not serve the {what} {type_}", hint, span)


def _credentials(name: str, span: Span) -> ToolError:
    return _error(
        f"the provider block sets {name}, and a rehearsal must not come near an account",
        "give it through the environment (GOOGLE_APPLICATION_CREDENTIALS, …), which a rehearsal does not pass on",
        span,
    )


def _error(message: str, hint: str | None, span: Span) -> ToolError:
    line, column = span.source.position(span.start)
    return ToolError(f"cannot be rehearsed: {message}", hint=hint, path=span.source.path, line=line, column=column)
