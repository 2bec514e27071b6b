"""Triton kernels around `tl.dot`; this script generates the LLVM IR in this folder.

    pip install triton && python kernels.py

`matmul` becomes `mma.sync` on sm_80, `wgmma` on sm_90 and `tcgen05.mma` on sm_100; `tiled` copies tensors in
bulk (TMA); `scaled` is a block-scaled product of 8-bit floats. Triton 3.9 generated the present files; it
needs no GPU.
"""

from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """`c = a @ b` for row-major matrices of halves, products summed in single precision."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        left = a + rows[:, None] * K + (k + inner)[None, :]
        right = b + (k + inner)[:, None] * N + columns[None, :]
        within = (k + inner) < K
        x = tl.load(left, mask=(rows < M)[:, None] & within[None, :], other=0.0)
        y = tl.load(right, mask=within[:, None] & (columns < N)[None, :], other=0.0)
        total = tl.dot(x, y, total)
    mask = (rows < M)[:, None] & (columns < N)[None, :]
    tl.store(c + rows[:, None] * N + columns[None, :], total, mask=mask)


@triton.jit
def tiled(a, b, c, K, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """`c = a @ b` over tensor maps of `a` and `b`, sizes multiples of the tiles."""
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(a.load([row, k]), b.load([k, column]), total)
    rows = row + tl.arange(0, BM)
    columns = column + tl.arange(0, BN)
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def scaled(a, a_scale, b, b_scale, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """`c = a @ b` for e4m3 matrices with a power of two for each 32 elements along K."""
    rows = tl.arange(0, BM)
    columns = tl.arange(0, BN)
    inner = tl.arange(0, BK)
    groups = tl.arange(0, BK // 32)
    x = tl.load(a + rows[:, None] * BK + inner[None, :])
    y = tl.load(b + inner[:, None] * BN + columns[None, :])
    x_scale = tl.load(a_scale + rows[:, None] * (BK // 32) + groups[None, :])
    y_scale = tl.load(b_scale + columns[:, None] * (BK // 32) + groups[None, :])
    product = tl.dot_scaled(x, x_scale, "e4m3", y, y_scale, "e4m3")
    tl.store(c + rows[:, None] * BN + columns[None, :], product)


MATMUL = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
MAP = "tensordesc<fp16[64, 64]>"
TILED = {"a": MAP, "b": MAP, "c": "*fp32", "K": "i32", "N": "i32"}
SCALED = {"a": "*fp8e4nv", "a_scale": "*u8", "b": "*fp8e4nv", "b_scale": "*u8", "c": "*fp32"}

FILES = [
    (matmul, 80, MATMUL, {"BM": 64, "BN": 32, "BK": 32}),
    (matmul, 90, MATMUL, {"BM": 64, "BN": 32, "BK": 32}),
    (matmul, 100, MATMUL, {"BM": 64, "BN": 32, "BK": 32}),
    (tiled, 90, TILED, {"BM": 64, "BN": 64, "BK": 64}),
    (tiled, 100, TILED, {"BM": 64, "BN": 64, "BK": 64}),
    (scaled, 100, SCALED, {"BM": 128, "BN": 32, "BK": 128}),
]

if __name__ == "__main__":
    for kernel, sm, types, sizes in FILES:
        signature = types | dict.fromkeys(sizes, "constexpr")
        source = ASTSource(fn=kernel, signature=signature, constexprs=sizes)
        compiled = triton.compile(source, target=GPUTarget("cuda", sm, 32))
        text = compiled.asm["llir"].replace(str(Path.cwd()), ".")
        Path(f"{kernel.__name__}.sm{sm}.ll").write_text(text)
