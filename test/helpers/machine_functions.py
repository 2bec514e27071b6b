"""Functions of machine code from lines, for proofs."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from dev.machine_proofs import stored_values
from nvvm_xdsl.dialects.nvptx import NVPTX
from nvvm_xdsl.dialects.nvptx.functions import FuncOp

z3 = pytest.importorskip("z3")

TYPES = {"x": "b32", "y": "b32", "z": "b32", "w": "b64", "v": "b64"}


def module_of(lines: list[str]) -> ModuleOp:
    """A function that loads the inputs, computes, and stores the last value. A line is `%name = mnemonic
    mods operands -> type`; the types of operands are those of their lines."""
    types = dict(TYPES)
    body = [f"%{n} = nvptx.ld param.{t} [@{n}] : () -> !nvptx.{t}" for n, t in TYPES.items()]
    name = ""
    for line in lines:
        head, _, type_ = line.partition(" -> ")
        name, _, rest = head.partition(" = ")
        name = name.removeprefix("%")
        types[name] = type_
        used = [word.strip(",{}") for word in rest.split() if word.lstrip("{").startswith("%")]
        given = ", ".join(f"!nvptx.{types[word[1:]]}" for word in used)
        body.append(f"%{name} = nvptx.{rest} : ({given}) -> !nvptx.{type_}")
    if types[name] == "pred":
        body.append(f"%q = nvptx.selp b32 1, 2, %{name} : (!nvptx.pred) -> !nvptx.b32")
        name, types["q"] = "q", "b32"
    type_ = types[name]
    body.append(f"nvptx.st global.{type_} [@g], %{name} : (!nvptx.{type_}) -> ()")
    text = "\n".join(body)
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    source = f'builtin.module attributes {{nvptx.target = "sm_90"}} {{\nnvptx.func @k() {{\n{text}\nnvptx.ret\n}}\n}}'
    return Parser(context, source).parse_module()


def values_of(module: ModuleOp) -> list[Any]:
    """The terms of the stored values of the module's function."""
    (func,) = (op for op in module.walk() if isinstance(op, FuncOp))
    return stored_values(func, z3)
