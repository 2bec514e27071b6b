"""`llvm.is.constant` gives the same answers in the simulator and at each level, and as LLVM's `lower-constant-intrinsics`."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import HEADER, kernel, module

import nvvm_xdsl
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.simulator import launch

ARGUMENTS = (
    ("i32", "i32 %n", 0),
    ("i32", "i32 7", 1),
    ("f32", "float 0.5", 1),
    ("p0", "ptr null", 1),
    ("p0", "ptr addrspacecast (ptr addrspace(1) @variable to ptr)", 0),
    ("v2i32", "<2 x i32> <i32 1, i32 2>", 1),
)
"""The argument of each call, and LLVM's answer."""


def text_of_calls() -> str:
    before = {"@variable = addrspace(1) global i32 0"}
    lines: list[str] = []
    for number, (suffix, argument, _) in enumerate(ARGUMENTS):
        type_ = argument.rsplit(" <", 1)[0] if argument[0] == "<" else argument.split()[0]
        before.add(f"declare i1 @llvm.is.constant.{suffix}({type_})")
        lines += [
            f"  %c{number} = call i1 @llvm.is.constant.{suffix}({argument})",
            f"  %w{number} = zext i1 %c{number} to i8",
            f"  %p{number} = getelementptr i8, ptr %out, i64 {number}",
            f"  store i8 %w{number}, ptr %p{number}",
        ]
    lines.append("  ret void")
    return kernel("ptr %out, i32 %n", "\n".join(lines), "\n".join(sorted(before)))


@pytest.mark.parametrize("level", [None, 0, 1, 3])
def test_answers(level: int | None):
    text = text_of_calls()
    if level is None:
        code = module(text)
    else:
        code = machine_code(read_ptx(nvvm_xdsl.compile(HEADER + text, opt_level=level)))
    out = np.full(len(ARGUMENTS), 9, np.uint8)
    launch(code, "k", 1, 1, [out, 5])
    assert out.tolist() == [answer for _, _, answer in ARGUMENTS]


def test_answers_to_calls_of_the_intrinsic():
    """MLIR may call the intrinsic by its name."""
    source = """
llvm.func @k(%out: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
  %five = llvm.mlir.constant(5 : i32) : i32
  %a = llvm.call_intrinsic "llvm.is.constant.i32"(%n) : (i32) -> i1
  %b = llvm.call_intrinsic "llvm.is.constant.i32"(%five) : (i32) -> i1
  %x = llvm.zext %a : i1 to i8
  %y = llvm.zext %b : i1 to i8
  %p = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x, %out : i8, !llvm.ptr
  llvm.store %y, %p : i8, !llvm.ptr
  llvm.return
}
"""
    modules = [nvvm_xdsl.parse(source)]
    modules += [
        machine_code(read_ptx(nvvm_xdsl.compile(source, opt_level=level))) for level in (0, 3)
    ]
    for code in modules:
        out = np.full(2, 9, np.uint8)
        launch(code, "k", 1, 1, [out, 5])
        assert out.tolist() == [0, 1]
