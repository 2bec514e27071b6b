"""Triton kernels; this script generates the PTX in this folder.

    pip install triton && python kernels.py

Triton 3.9 generated the present files, for sm_90; it needs no GPU. Debug sections with paths of the machine
are removed, and the file of the line table is named `kernels.py`.
"""

import re
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(o, x, stride, n, B: tl.constexpr):
    """The softmax of each row."""
    r = tl.program_id(0)
    c = tl.arange(0, B)
    m = c < n
    v = tl.load(x + r * stride + c, mask=m, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(o + r * stride + c, e / tl.sum(e, 0), mask=m)


@triton.jit
def histogram(x, o, n, B: tl.constexpr):
    """A histogram of the low four bits, by atomics."""
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.atomic_add(o + (tl.load(x + i, mask=m, other=0) & 15), 1, mask=m)


@triton.jit
def transpose(x, o, R: tl.constexpr, C: tl.constexpr):
    """A transpose through shared memory."""
    r = tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    v = tl.load(x + r * C + c)
    tl.store(o + tl.arange(0, C)[:, None] * R + tl.arange(0, R)[None, :], tl.trans(v))


@triton.jit
def gelu(x, o, n, B: tl.constexpr):
    """GELU of bfloat16 numbers."""
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m).to(tl.float32)
    tl.store(o + i, (0.5 * v * (1 + tl.erf(v * 0.7071067811865476))).to(tl.bfloat16), mask=m)


@triton.jit
def dot(a, b, c, K, M: tl.constexpr, N: tl.constexpr, BK: tl.constexpr):
    """A product of halves, by `wgmma`."""
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    acc = tl.zeros((M, N), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + m * K + k + tl.arange(0, BK)[None, :])
        y = tl.load(b + (k + tl.arange(0, BK)[:, None]) * N + n)
        acc += tl.dot(x, y)
    tl.store(c + m * N + n, acc)


@triton.jit
def swap(x, y):
    """Compare-and-swap, then exchange."""
    i = tl.program_id(0)
    old = tl.atomic_cas(x + i, 0, 7)
    tl.store(y + i, old + tl.atomic_xchg(x + i, 9))


KERNELS = (
    (softmax, "*fp32,*fp32,i32,i32", {"B": 256}),
    (histogram, "*i32,*i32,i32", {"B": 128}),
    (transpose, "*fp32,*fp32", {"R": 32, "C": 64}),
    (gelu, "*bf16,*bf16,i32", {"B": 256}),
    (dot, "*fp16,*fp16,*fp32,i32", {"M": 64, "N": 32, "BK": 32}),
    (swap, "*i32,*i32", {}),
)


def without_paths(text: str) -> str:
    """Returns PTX without the sections that contain folders of this machine."""
    text = re.sub(r"\t\.section\s+\.debug_(?:info|abbrev)\s*\{[^}]*\}\n", "", text)
    return re.sub(r'(\.file\s+\d+ )"[^"]*"', r'\1"kernels.py"', text)


for kernel, types, constants in KERNELS:
    names = kernel.arg_names
    signature = dict(zip(names, types.split(","), strict=False))
    signature.update(dict.fromkeys(constants, "constexpr"))
    values = {(names.index(name),): value for name, value in constants.items()}
    source = ASTSource(kernel, signature=signature, constexprs=values)
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32))
    path = Path(__file__).parent / f"{kernel.__name__}.sm90.ptx"
    path.write_text(without_paths(compiled.asm["ptx"]))
