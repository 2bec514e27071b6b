"""Kernels for tests of passes that thread edges, and comparison of their behaviour by a warp model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from helpers import programs
from helpers.modules import function, parse_module
from helpers.verified import verify
from helpers.warp_model import Warp
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.jump_threading import JumpThreading
from nvvm_xdsl.pipeline.instrumentation import ir_text

BARRIER = "nvvm.barrier0"

_MATCH = """
    ^match:
      llvm.store %c4, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return"""


def read(body: str, arguments: str = "%n: i32, %p: !llvm.ptr", others: str = "") -> ModuleOp:
    """Returns a module with the kernel `f`.

    Arguments:
        body: the ops of the kernel after constants `%c0` to `%c9`, `%true`, `%false` and the number of
            the thread, `%t`. The blocks `^match` and `^end` are added if the body branches to a block
            `^match` that it does not have.
        arguments: the parameters of the kernel.
        others: other functions of the module.
    """
    if re.search(r"\^match\b", body) and "^match:" not in body:
        body += _MATCH
    constants = "".join(f"%c{k} = llvm.mlir.constant({k} : i32) : i32\n" for k in range(10))
    truths = "".join(f"%{word} = llvm.mlir.constant({word}) : i1\n" for word in ("true", "false"))
    start = "%t = nvvm.read.ptx.sreg.tid.x : i32\n"
    kernel = f"llvm.func @f({arguments}) attributes {{nvvm.kernel}} {{\n{constants}{truths}{start}{body}\n}}"
    module = parse_module(f"{others}\n{kernel}")
    intern_types(module)
    return module


def run(module: ModuleOp, one: FunctionPass | None = None) -> bool:
    """Runs a pass, `jump-threading` by default; the result must be valid, and its loops reducible."""
    before = ir_text(module)
    changed = (one or JumpThreading()).run(module, AnalysisManager())
    verify(module)
    assert changed == (ir_text(module) != before)
    assert LoopInfo(function(module).regions[0]).is_reducible
    return changed


def keeps(old: Warp, new: Warp) -> None:
    """Checks that threads store the same, and run each convergent op with the same threads."""
    assert new.stored == old.stored
    for mine, others in zip(old.together, new.together):
        assert [op for op, _ in mine] == [op for op, _ in others]
        assert all(a <= b for (_, a), (_, b) in zip(mine, others))


def keep_behaviour(module: ModuleOp, one: FunctionPass, numbers: Sequence[int] = (1, 2)) -> bool:
    """Runs a pass as `run` does; a warp must compute the same, for each argument `%n` of `numbers`."""
    before = [Warp(function(module), n) for n in numbers]
    changed = run(module, one)
    for n, old in zip(numbers, before):
        keeps(old, Warp(function(module), n))
    return changed


def block_named(module: ModuleOp, hint: str) -> Block:
    """Returns the block of that name in the kernel."""
    return programs.block_named(function(module), hint)


def edges_to(module: ModuleOp, hint: str) -> int:
    """Returns the number of edges into the block of that name in the kernel."""
    return len(fast.predecessors_of(block_named(module, hint)))
