"""What rules see: Known, Unknown and Absent, over text, plans and live answers.

Four kinds of view: a resource (with its argument schema; a node pool is one, or a part of one), a cluster with its pools, a
module tree, and a file. Two more are made by the engine when all other rules have run: an ignore comment, and a check that
an unknown value hid. `Block.get`, `element`, `elements`, `blocks` and `has` are the questions.
"""

from generator.hcl.source import Source, Span
from generator.hcl.values import Origin
from generator.schema.tree import ArgumentSchema, BlockSchema
from generator.view.answers import Absent, Answer, Elements, Known, Plain, Unknown, show
from generator.view.block import Argument, Block, Blocks, Misfit
from generator.view.resource import CLUSTER, NODE_POOL, Change, Cluster, Depth, NodePool, Resource
from generator.view.tree import HiddenCheck, IgnoreComment, LockEntry, ModuleTree, Requirement, TextFile

__all__ = [
    "CLUSTER",
    "NODE_POOL",
    "Absent",
    "Answer",
    "Argument",
    "ArgumentSchema",
    "Block",
    "BlockSchema",
    "Blocks",
    "Change",
    "Cluster",
    "Depth",
    "Elements",
    "HiddenCheck",
    "IgnoreComment",
    "Known",
    "LockEntry",
    "Misfit",
    "ModuleTree",
    "NodePool",
    "Origin",
    "Plain",
    "Requirement",
    "Resource",
    "Source",
    "Span",
    "TextFile",
    "Unknown",
    "show",
]
