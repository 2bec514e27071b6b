"""Kernels of asynchronous copies, run at every level on the same inputs.

`run` runs a module of LLVM assembly with intrinsics or inline assembly, as IR and as the selected machine
code, and expects equal memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from helpers.ll_kernels import module
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import SimulationError, launch

SHARED = """\
@s = internal addrspace(3) global [4096 x i8] undef, align 1024
@bar = internal addrspace(3) global i64 undef, align 8
"""

DECLARATIONS = """\
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32 immarg)
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 immarg)
"""


def asm(text: str, *operands: str, clobber: str = "~{memory}") -> str:
    """A call of inline assembly; operands are `constraint type value`."""
    constraints: list[str] = []
    values: list[str] = []
    for operand in operands:
        constraint, value = operand.split(" ", 1)
        constraints.append(constraint)
        values.append(value)
    listed = ",".join([*constraints, clobber])
    return f'call void asm sideeffect "{text}", "{listed}"({", ".join(values)})'


def wait(phase: int = 0, label: str = "wait") -> str:
    """A loop that waits for a phase of `@bar`."""
    return f"""
  br label %{label}
{label}:
  %{label}.done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {phase})
  br i1 %{label}.done, label %{label}.over, label %{label}
{label}.over:
"""


def expect(size: int) -> str:
    """An arrival at `@bar` that announces bytes."""
    return f"  %expect = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {size})\n"


INIT = "  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)\n"


def single(signature: str, body: str, before: str = "") -> str:
    """Returns a kernel `k` whose body only one thread executes."""
    return f"{SHARED}{DECLARATIONS}{before}define ptx_kernel void @k({signature}) {{\n{body}\n  ret void\n}}\n"


def run(
    text: str,
    args: Sequence[Any],
    block: int = 1,
    grid: int = 1,
    arch: str = "sm_100a",
    machine: bool = True,
    **options: Any,
) -> None:
    """Launches `@k` as IR and as machine code; both must change the arrays in the same way."""
    found = module(text)
    arrays = [a for a in (getattr(a, "array", a) for a in args) if isinstance(a, np.ndarray)]
    before = [a.copy() for a in arrays]
    launch(found, "k", grid, block, args, **options)
    if not machine:
        return
    results = [a.copy() for a in arrays]
    for array, old in zip(arrays, before):
        array[...] = old
    launch(select(found, arch), "k", grid, block, args, **options)
    for array, wanted in zip(arrays, results):
        assert array.tobytes() == wanted.tobytes()


def error_of(text: str, args: Sequence[Any], **options: Any) -> SimulationError:
    """Returns the error of a launch of `@k`."""
    options = {"block": 1, "grid": 1, **options}
    grid, block = options.pop("grid"), options.pop("block")
    with pytest.raises(SimulationError) as caught:
        launch(module(text), "k", grid, block, args, **options)
    return caught.value
