"""libdevice's exact functions, on 10,000 arguments each, bit by bit."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from helpers.libdevice_exact import ROWS, TYPES, Reference, argument

from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.simulator import launch, prepare
from nvvm_xdsl.simulator.program import Program

COUNT = 10_000
THREADS = 1000
LIBDEVICE = find_libdevice()

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
"""


def held(type_: str) -> tuple[str, Any]:
    """Returns LLVM's and NumPy's type of a parameter."""
    return TYPES["i32"] if type_ in ("bool", "exponent") else TYPES[type_]


def kernel(name: str, result: str, arguments: tuple[str, ...]) -> str:
    """A kernel that applies a function to arrays."""
    types = [held(t)[0] for t in arguments]
    out = held(result)[0]
    lines = [f"declare {out} @__nv_{name}({', '.join(types)})"]
    lines.append(f"define ptx_kernel void @k_{name}(ptr %a, ptr %b, ptr %out) {{")
    lines += [
        "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
        f"  %base = mul i32 %cta, {THREADS}",
        "  %i = add i32 %base, %tid",
    ]
    for n, type_ in enumerate(types):
        lines.append(f"  %p{n} = getelementptr {type_}, ptr %{'ab'[n]}, i32 %i")
        lines.append(f"  %v{n} = load {type_}, ptr %p{n}")
    passed = ", ".join(f"{t} %v{n}" for n, t in enumerate(types))
    lines.append(f"  %r = call {out} @__nv_{name}({passed})")
    lines.append(f"  %q = getelementptr {out}, ptr %out, i32 %i")
    lines += [f"  store {out} %r, ptr %q", "  ret void", "}"]
    return "\n".join(lines)


@cache
def program() -> Program:
    """All kernels, linked with libdevice once."""
    module = read_ll(HEADER + "\n".join(kernel(*row[:3]) for row in ROWS))
    module = link_libdevice(module, LIBDEVICE) or module
    PassManager("nvvm-reflect,globaldce").run(module)
    return prepare(module)


@pytest.mark.skipif(
    LIBDEVICE is None, reason="no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME"
)
@pytest.mark.parametrize(
    ("name", "result", "types", "reference"), ROWS, ids=[row[0] for row in ROWS]
)
def test_every_bit(name: str, result: str, types: tuple[str, ...], reference: Reference):
    rng = np.random.default_rng(7)
    columns = [argument(t, COUNT, rng) for t in types]
    got = np.zeros(COUNT, held(result)[1])
    second = columns[1] if len(columns) > 1 else np.zeros(1, np.int32)
    launch(program(), f"k_{name}", COUNT // THREADS, THREADS, [columns[0], second, got])
    with np.errstate(all="ignore"):
        wanted = reference(*columns)
    if result == "bool":
        same = (got != 0) == wanted
    elif got.dtype.kind == "f":
        bits = f"u{got.dtype.itemsize}"
        same = (got.view(bits) == wanted.astype(got.dtype).view(bits)) | (
            np.isnan(got) & np.isnan(wanted)
        )
    else:
        mask = (1 << 8 * got.dtype.itemsize) - 1
        same = np.array([(int(g) - int(w)) & mask == 0 for g, w in zip(got, wanted)])
    wrong = np.flatnonzero(~same)
    shown = [(*(c[i] for c in columns), got[i], wanted[i]) for i in wrong[:5]]
    assert not wrong.size, f"{wrong.size} differ: {shown}"


def test_number_of_libdevice_functions():
    assert len(ROWS) >= 140
