"""Small kernels written as LLVM assembly, and NumPy launches of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.simulator import Result, launch

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""

TID = """\
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
"""


def module(text: str):
    """Returns a module that starts with the usual declarations."""
    return read_ll(HEADER + text)


def kernel(signature: str, body: str, before: str = "") -> str:
    """Returns a kernel `k` whose `%i` is the thread's number."""
    return f"{before}\ndefine ptx_kernel void @k({signature}) {{\n{TID}{body}\n}}\n"


def run(
    text: str,
    args: Sequence[Any],
    block: int | tuple[int, ...] = 32,
    grid: int | tuple[int, ...] = 1,
    **options: Any,
) -> Result:
    """Launches `@k` of a module given as text."""
    return launch(module(text), "k", grid, block, args, **options)


def elementwise(
    expression: str,
    result: str,
    operands: Sequence[tuple[str, np.ndarray]],
    out: Any,
    before: str = "",
) -> np.ndarray:
    """Returns the result of an instruction for each element of arrays.

    `expression` is LLVM assembly in `%0`, `%1` ..., of type `result`.
    """
    count = len(operands[0][1])
    lines: list[str] = []
    for n, (type_, _) in enumerate(operands):
        lines.append(f"  %p{n} = getelementptr {type_}, ptr %in{n}, i64 %i")
        lines.append(f"  %v{n} = load {type_}, ptr %p{n}, align 1")
        expression = expression.replace(f"%{n}", f"%v{n}")
    lines.append(f"  %r = {expression}")
    lines.append(f"  %q = getelementptr {result}, ptr %out, i64 %i")
    lines.append(f"  store {result} %r, ptr %q, align 1")
    lines.append("  ret void")
    signature = ", ".join([*(f"ptr %in{n}" for n in range(len(operands))), "ptr %out"])
    held = np.zeros(count, out)
    run(kernel(signature, "\n".join(lines), before), [*(a for _, a in operands), held], block=count)
    return held
