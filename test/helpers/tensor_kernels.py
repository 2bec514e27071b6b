"""Kernels around tensor memory: they fill it and shared memory, run a body, and read it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import launch

LANES = 128
LEVELS = ("ir", "machine")

_HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@place = internal addrspace(3) global i32 undef, align 4
@barrier = internal addrspace(3) global i64 undef, align 8
@s = internal addrspace(3) global [{shared} x i8] undef, align 1024
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare void @llvm.nvvm.tcgen05.alloc.shared.cg{group}(ptr addrspace(3), i32)
declare void @llvm.nvvm.tcgen05.dealloc.cg{group}(ptr addrspace(6), i32)
declare void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg{group}()
declare void @llvm.nvvm.tcgen05.wait.ld()
declare void @llvm.nvvm.tcgen05.wait.st()
declare <32 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x32(ptr addrspace(6), i1)
declare void @llvm.nvvm.tcgen05.st.32x32b.x32(ptr addrspace(6), <32 x i32>, i1)
{declarations}

define ptx_kernel void @k(ptr %in, ptr %fill, ptr %out) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %warp = lshr i32 %tid, 5
  %w0 = icmp eq i32 %warp, 0
  %t0 = icmp eq i32 %tid, 0
  br label %copy
copy:
  %i = phi i32 [ %tid, %0 ], [ %next, %copy ]
  %own = mul i32 %rank, {words}
  %at = add i32 %own, %i
  %from = getelementptr i32, ptr %in, i32 %at
  %word = load i32, ptr %from
  %to = getelementptr i32, ptr addrspace(3) @s, i32 %i
  store i32 %word, ptr addrspace(3) %to
  %next = add i32 %i, 128
  %more = icmp ult i32 %next, {words}
  br i1 %more, label %copy, label %copied
copied:
  br i1 %w0, label %alloc, label %allocated
alloc:
  call void @llvm.nvvm.tcgen05.alloc.shared.cg{group}(ptr addrspace(3) @place, i32 {columns})
  call void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg{group}()
  br label %allocated
allocated:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %base = load i32, ptr addrspace(3) @place
  %row = shl i32 %warp, 21
  %mine = add i32 %base, %row
  %line = mul i32 %rank, 128
  %lane = add i32 %line, %tid
  %begin = mul i32 %lane, {columns}
{filling}
  call void @llvm.nvvm.tcgen05.wait.st()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
{body}
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
{reading}
  call void @llvm.nvvm.tcgen05.wait.ld()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %w0, label %free, label %end
free:
  %whole = inttoptr i32 %base to ptr addrspace(6)
  call void @llvm.nvvm.tcgen05.dealloc.cg{group}(ptr addrspace(6) %whole, i32 {columns})
  br label %end
end:
  ret void
}}
"""

_FILL = """\
  %fa{i} = add i32 %mine, {column}
  %fp{i} = inttoptr i32 %fa{i} to ptr addrspace(6)
  %fi{i} = add i32 %begin, {column}
  %fq{i} = getelementptr i32, ptr %fill, i32 %fi{i}
  %fv{i} = load <32 x i32>, ptr %fq{i}, align 4
  call void @llvm.nvvm.tcgen05.st.32x32b.x32(ptr addrspace(6) %fp{i}, <32 x i32> %fv{i}, i1 false)"""

_READ = """\
  %ra{i} = add i32 %mine, {column}
  %rp{i} = inttoptr i32 %ra{i} to ptr addrspace(6)
  %ri{i} = add i32 %begin, {column}
  %rq{i} = getelementptr i32, ptr %out, i32 %ri{i}
  %rv{i} = call <32 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x32(ptr addrspace(6) %rp{i}, i1 false)
  store <32 x i32> %rv{i}, ptr %rq{i}, align 4"""


def one_thread(body: str, rank: int = 0) -> str:
    """A body that the first thread of the block of a rank executes."""
    return f"""\
  %r0 = icmp eq i32 %rank, {rank}
  %issues = and i1 %t0, %r0
  br i1 %issues, label %issue, label %issued
issue:
{body}
  br label %issued
issued:"""


def pointer(name: str, column: int, lane: int = 0, base: str = "%base") -> str:
    """`%name`, a pointer to tensor memory."""
    return f"""\
  %{name}.a = add i32 {base}, {lane << 16 | column}
  %{name} = inttoptr i32 %{name}.a to ptr addrspace(6)"""


@dataclass
class Tensor:
    """The initial memory of a kernel."""

    fill: np.ndarray[Any, Any]
    """Words of tensor memory: lanes, columns; for a pair of blocks those of both."""
    shared: bytes = b""
    """For a pair of blocks the shared memory of both, concatenated."""
    declarations: str = ""
    group: int = 1

    def module(self, body: str) -> Any:
        """Returns the module whose kernel runs a body."""
        columns = self.fill.shape[1]
        size = max(len(self.shared) // self.group, 512)
        steps = [{"i": i, "column": 32 * i} for i in range(columns // 32)]
        return read_ll(
            _HEADER.format(
                shared=size,
                words=size // 4,
                columns=columns,
                group=self.group,
                declarations=self.declarations,
                filling="\n".join(_FILL.format(**s) for s in steps),
                body=body,
                reading="\n".join(_READ.format(**s) for s in steps),
            )
        )

    def run(self, body: str, level: str = "ir", **options: Any) -> np.ndarray[Any, Any]:
        """Returns tensor memory after a body of LLVM assembly."""
        module = self.module(body)
        if level == "machine":
            module = select(module, "sm_100a")
        size = max(len(self.shared), 512 * self.group)
        data = np.frombuffer(self.shared.ljust(size, b"\0"), np.uint32).copy()
        out = np.zeros_like(self.fill)
        launch(
            module,
            "k",
            self.group,
            LANES,
            [data, self.fill.copy(), out],
            cluster=self.group,
            **options,
        )
        return out


def call(name: str, *arguments: str) -> tuple[str, str]:
    """The declaration of an intrinsic without a result, and a call of it."""
    types = ", ".join(
        a[: a.index(">") + 1] if a[0] == "<" else a.rpartition(" ")[0] for a in arguments
    )
    full = f"@llvm.nvvm.tcgen05.{name}"
    return f"declare void {full}({types})", f"  call void {full}({', '.join(arguments)})"


# Matrices in shared memory


def k_major(rows: np.ndarray[Any, Any]) -> tuple[bytes, int]:
    """Rows of bytes, whole chunks of 16, laid out without swizzle, and the descriptor's strides.

    Eight rows of a chunk are adjacent; then come the next eight rows, then the next chunk.
    """
    count, width = rows.shape
    tiles = rows.reshape(count // 8, 8, width // 16, 16).transpose(2, 0, 1, 3)
    return tiles.tobytes(), (count * 16 >> 4) << 16 | (128 >> 4) << 32 | 1 << 46


def mn_major(columns: np.ndarray[Any, Any]) -> tuple[bytes, int]:
    """As `k_major`, for a matrix given by its rows along K: M or N is contiguous.

    Eight rows along K of a chunk are adjacent; the next chunk along M or N is at distance `SBO`, the next
    eight along K at `LBO`.
    """
    count, width = columns.shape
    tiles = columns.reshape(count // 8, 8, width // 16, 16).transpose(0, 2, 1, 3)
    leading = width // 16 * 128
    return tiles.tobytes(), (leading >> 4) << 16 | (128 >> 4) << 32 | 1 << 46


def bytes_of(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The bytes of each row."""
    rows = values.shape[0]
    return np.ascontiguousarray(values).view(np.uint8).reshape(rows, -1)


def descriptors(*parts: tuple[bytes, int]) -> tuple[bytes, str]:
    """Shared memory with consecutive matrices, and `%m0`, `%m1` ..., their descriptors."""
    data = b""
    lines = ["  %sp = ptrtoint ptr addrspace(3) @s to i64", "  %sd = lshr i64 %sp, 4"]
    for i, (content, strides) in enumerate(parts):
        lines.append(f"  %m{i} = add i64 %sd, {len(data) >> 4 | strides}")
        data += content
    return data, "\n".join(lines)
