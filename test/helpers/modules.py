"""Modules from MLIR text, parsed without verification, for tests of verifiers and rewrites."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.test import Test
from xdsl.ir import Dialect, Operation
from xdsl.parser import Parser

from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.nvvm import NVVM


def parse_module(text: str, filename: str = "test.mlir", *others: Dialect) -> ModuleOp:
    """Returns the module of the text; its ops have source locations.

    `others` are dialects of its ops besides `llvm`, `nvvm` and `test`.
    """
    context = Context()
    for dialect in (Builtin, LLVM, NVVM, Test, *others):
        context.load_dialect(dialect)
    return Parser(context, text, filename).parse_module()


def function(module: ModuleOp, name: str = "f") -> Operation:
    """Returns the function of that name."""
    for op in module.walk():
        symbol = op.properties.get("sym_name")
        if symbol is not None and symbol.data == name:
            return op
    raise KeyError(name)


def op_named(module: ModuleOp, name: str, place: int = 0) -> Operation:
    """Returns the op number `place` of those with this op name."""
    return [op for op in module.walk() if op.name == name][place]
