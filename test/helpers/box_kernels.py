"""Kernels that move one box by a tensor copy, and the expected contents of a box, by simple loops."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from helpers.copy_kernels import INIT, run, single, wait
from nvvm_xdsl.simulator import TensorMap

BY_VALUE = 'ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map'
OUT = """\
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %out, ptr addrspace(3) @s, i32 BYTES, i64 0, i1 0)
"""
IN = """\
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @s, ptr addrspace(3) @bar, ptr addrspace(1) %out, i32 BYTES, i64 0, i1 0)
"""
GROUP = """\
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
"""
BULK = """\
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1 immarg)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1 immarg)
"""


def load_call(mode: str, dimension: int, start: Sequence[int], offsets: Sequence[int] = ()) -> str:
    """Returns a tensor load to `@s` by its intrinsic."""
    values = [f"i32 {c}" for c in start] + [f"i16 {o}" for o in offsets]
    types = ["i32"] * len(start) + ["i16"] * len(offsets)
    name = f"llvm.nvvm.cp.async.bulk.tensor.g2s.cta.{mode}.{dimension}d"
    declared = f"declare void @{name}(ptr addrspace(3), ptr addrspace(3), ptr, {', '.join(types)}, i64, i1 immarg)\n"
    call = f"  call void @{name}(ptr addrspace(3) @s, ptr addrspace(3) @bar, ptr %map, {', '.join(values)}, i64 0, i1 0)\n"
    return declared + "|" + call


def expect_bytes(count: int) -> str:
    return f"  %e = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {count})\n"


def kernel(copy: str, count: int, map_: str = BY_VALUE, out: str = OUT, before: str = "") -> str:
    declared, _, call = copy.rpartition("|")
    body = INIT + expect_bytes(count) + call + wait() + out.replace("BYTES", str(count)) + GROUP
    return single(f"{map_}, ptr addrspace(1) %out", body, BULK + declared + before)


def box(array: np.ndarray, start, size, steps=None, fill=0) -> np.ndarray:
    """Returns the elements of a box, by loops; the innermost dimension is first in `start` and `size`."""
    steps = steps or [1] * len(size)
    counts = [-(-n // s) for n, s in zip(size, steps)]
    out = np.full(counts[::-1], fill, array.dtype)
    for index in product(*(range(c) for c in counts[::-1])):
        at = [c + i * s for c, i, s in zip(start, index[::-1], steps)]
        if all(0 <= a < n for a, n in zip(at, array.shape[::-1])):
            out[index] = array[tuple(at[::-1])]
    return out


def tensor(shape: Sequence[int], dtype=np.int32) -> np.ndarray:
    return (np.arange(int(np.prod(shape))) + 1).astype(dtype).reshape(shape)


def load(array, given: TensorMap, copy: str, count: int, **options) -> np.ndarray:
    out = np.zeros(count, np.uint8)
    run(kernel(copy, count, **options), [given, out])
    return out.view(array.dtype)
