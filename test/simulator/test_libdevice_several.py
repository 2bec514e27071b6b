"""libdevice's functions of several arguments or results, on 10,000 arguments each; all functions are covered."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from helpers.libdevice_accuracy import functions
from helpers.libdevice_exact import ROWS, TYPES, Array
from helpers.libdevice_several import FUNCTIONS, Function, kind_of
from helpers.libdevice_special import functions as special_functions

from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import PREFIX, link_libdevice, open_library
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.simulator import launch, prepare
from nvvm_xdsl.simulator.program import Program

COUNT = 10_000
THREADS = 1000
LIBDEVICE = find_libdevice()

pytestmark = pytest.mark.skipif(
    LIBDEVICE is None, reason="no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME"
)

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
"""
_TYPES = {**TYPES, "u8": ("i8", np.uint8)}


def kernel(function: Function) -> str:
    """A kernel that applies a function to arrays: its arguments, then its results."""
    passed: list[str] = []
    declared: list[str] = []
    lines: list[str] = []
    for n, type_ in enumerate(function.arguments):
        element, count = kind_of(type_)
        held = _TYPES[element][0]
        declared.append(held if count is None else "ptr")
        row = f"[{count} x {held}]" if count else held
        lines.append(f"  %p{n} = getelementptr {row}, ptr %a{n}, i32 %i")
        if count is None:
            lines.append(f"  %v{n} = load {held}, ptr %p{n}")
            passed.append(f"{held} %v{n}")
        else:
            passed.append(f"ptr %p{n}")
    name = f"@{PREFIX}{function.name}"
    out = _TYPES[function.result][0] if function.result else "void"
    if function.result:
        lines += [
            f"  %r = call {out} {name}({', '.join(passed)})",
            f"  %q = getelementptr {out}, ptr %out, i32 %i",
            f"  store {out} %r, ptr %q",
        ]
    else:
        lines.append(f"  call void {name}({', '.join(passed)})")
    pointers = [f"ptr %a{n}" for n in range(len(declared))] + ["ptr %out"]
    head = [
        f"declare {out} {name}({', '.join(declared)})",
        f"define ptx_kernel void @k_{function.name}({', '.join(pointers)}) {{",
        "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
        f"  %base = mul i32 %cta, {THREADS}",
        "  %i = add i32 %base, %tid",
    ]
    return "\n".join([*head, *lines, "  ret void", "}"])


@cache
def program() -> Program:
    """All kernels, linked with libdevice once."""
    module = read_ll(HEADER + "\n".join(kernel(f) for f in FUNCTIONS))
    module = link_libdevice(module, LIBDEVICE) or module
    PassManager("nvvm-reflect,globaldce").run(module)
    return prepare(module)


def run(function: Function, columns: list[Array]) -> list[Array]:
    """Returns the results of a function: its return value, then the values written through pointers."""
    given = iter(columns)
    buffers: list[Array] = []
    written: list[Array] = []
    for type_ in function.arguments:
        element, count = kind_of(type_)
        if count == 0:
            buffers.append(np.zeros(COUNT, _TYPES[element][1]))
            written.append(buffers[-1])
        else:
            buffers.append(next(given))
    out = np.zeros(COUNT, _TYPES[function.result or "i32"][1])
    launch(program(), f"k_{function.name}", COUNT // THREADS, THREADS, [*buffers, out])
    return [out, *written] if function.result else written


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_all_results(function: Function):
    columns = function.columns(COUNT)
    results = run(function, columns)
    right = function.check(columns, results)
    wrong = np.flatnonzero(~right)
    shown = [(*(c[i] for c in columns), "gives", *(r[i] for r in results)) for i in wrong[:5]]
    assert not wrong.size, f"{wrong.size} are wrong: {shown}"


def test_every_function_is_covered():
    assert LIBDEVICE is not None
    tested = {PREFIX + row[0] for row in ROWS} | {f.name for f in functions()}
    tested |= {PREFIX + f.name for f in FUNCTIONS}
    tested |= {s.function.name for s in special_functions()}
    defined = {n for n in open_library(LIBDEVICE).functions if n.startswith(PREFIX)}
    assert len(defined) > 300
    assert sorted(defined - tested) == []
