"""A module tree and a file as rules see them."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.hcl.nodes import SyntaxProblem
from generator.hcl.source import Source, Span
from generator.view.answers import Unknown
from generator.view.block import Block
from generator.view.resource import Cluster, NodePool, Resource


@dataclass(frozen=True, slots=True)
class Requirement:
    """An entry of `required_providers`, or the old `version` argument of a provider block.

    Attributes:
        module: address of the module instance that writes it, "" for the root.
        local_name: the name that resources of this module call the provider by.
        source: source address without registry host: `hashicorp/google`.
        constraint: the text, or None when the entry has no version.
        span: the constraint's expression; the entry when it has none; None in a plan without its text.
    """

    module: str
    local_name: str
    source: str
    constraint: str | None
    span: Span | None


@dataclass(frozen=True, slots=True)
class LockEntry:
    """A provider in `.terraform.lock.hcl`.

    Attributes:
        source: without registry host: `hashicorp/google`.
        version: the locked version.
        span: its expression.
    """

    source: str
    version: str
    span: Span


@dataclass(slots=True)
class ModuleTree:
    """A root module with everything that it calls.

    Attributes:
        root: the folder's path as text, for messages.
        resources: all resources and data sources of types that the provider schema knows, and `kubernetes_manifest`.
        pools: all node pools of the tree.
        clusters: all clusters of the tree.
        requirements: all version constraints of the tree.
        locks: the entries of the root's lock file.
        providers: the provider blocks of the root by local name (the default configuration only).
        complete: False when a module of the tree could not be read (a registry module, a missing folder), or a plan is not of
            the whole tree.
        removed: in a plan, what it destroys and does not make again; each shows what exists.
        forgotten: in a plan, what leaves the state and is not destroyed by the plan itself; each shows what exists.
        calls: for the address of each module instance below the root, the header of the `module` block that calls it.
        files: the files of all its modules, each once.
    """

    root: str
    resources: list[Resource] = field(default_factory=list)
    pools: list[NodePool] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    requirements: list[Requirement] = field(default_factory=list)
    locks: list[LockEntry] = field(default_factory=list)
    providers: dict[str, Block] = field(default_factory=dict)
    complete: bool = True
    removed: list[Resource] = field(default_factory=list)
    forgotten: list[Resource] = field(default_factory=list)
    calls: dict[str, Span] = field(default_factory=dict)
    files: list[TextFile] = field(default_factory=list)


@dataclass(slots=True)
class TextFile:
    """One file of a module: its syntax.

    Attributes:
        source: path and text.
        problems: what could not be read.
        repeated: names of arguments that are set again in the same block, with the argument's name span.
        of_interest: the module holds or calls a block that the rules look at.
    """

    source: Source
    problems: tuple[SyntaxProblem, ...] = ()
    repeated: tuple[tuple[str, Span], ...] = ()
    of_interest: bool = True


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """A comment `gke-rdma: ignore[…] reason`, after every other rule has had its say.

    Attributes:
        span: the comment, from its `#` or `//` to its last letter.
        names: the rules it names, as written.
        reason: what stands behind the brackets.
        fault: why it does not count, or None when it counts.
        idle: names that ignored nothing although their rule ran in full.
    """

    span: Span
    names: tuple[str, ...]
    reason: str
    fault: str | None = None
    idle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HiddenCheck:
    """A value that some rules asked for and that is unknown.

    Attributes:
        unknown: the value.
        rules: the rules that asked, in order of name.
        resource: address of the resource they were asked about.
    """

    unknown: Unknown
    rules: tuple[str, ...]
    resource: str | None
