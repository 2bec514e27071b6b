"""Errors and reports of `check-kernel-functions` and `check-gep-index`."""

from __future__ import annotations

import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline import PassManager

CALLED = """
define ptx_kernel void @k() {
  ret void
}
define void @f() {
  call void @k()
  ret void
}
"""

VARIADIC = "define ptx_kernel void @k(i32 %x, ...) {\n  ret void\n}\n"

RETURNING = "define ptx_kernel i32 @k() {\n  ret i32 0\n}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CALLED, "in @f: 'llvm.call': the kernel @k cannot be called"),
        (VARIADIC, "in @k: 'llvm.func': a kernel cannot take a variable number of arguments"),
        (RETURNING, "in @k: 'llvm.func': a kernel must return nothing, not i32"),
    ],
)
def test_kernels(text: str, message: str):
    from nvvm_xdsl.analysis.manager import AnalysisManager
    from nvvm_xdsl.passes.nvidia.checks.check_kernel_functions import CheckKernelFunctions

    with pytest.raises(DiagnosticError) as error:
        CheckKernelFunctions().run(read_ll(text), AnalysisManager())
    assert error.value.message == message


INDICES = """
@table = constant [4 x i32] zeroinitializer
@unsized = external addrspace(3) global [0 x float]
define void @out(i64 %i, i32 %j) {
  %a = alloca [4 x [4 x i32]]
  %p = getelementptr inbounds [4 x [4 x i32]], ptr %a, i64 0, i64 INDEX, i64 COLUMN
  %q = getelementptr inbounds [0 x float], ptr addrspace(3) @unsized, i64 0, i64 100
  %t = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %i
  store i32 1, ptr %p
  ret void
}
define void @narrow(ptr %p, i32 %j) {
  %k = sext i32 %j to i64
  %q = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %q
  ret void
}
"""


def indices(index: int, column: int) -> str:
    return INDICES.replace("INDEX", str(index)).replace("COLUMN", str(column))


def reported(text: str, pipeline: str) -> list[tuple[str, str, str]]:
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        PassManager(pipeline).run(read_ll(text))
    return [(r.function, r.name, r.message) for r in heard if r.pass_name == "check-gep-index"]


NARROW = ("narrow", "No64BitSubscripts", "no 64-bit subscripts")


@pytest.mark.parametrize(
    ("index", "column", "offset"), [(4, 1, 68), (0, -1, -4), (3, 5, 68), (100, 0, 1600)]
)
def test_out_of_bounds(index: int, column: int, offset: int):
    message = f"the address is {offset} bytes into an object of 64 bytes"
    found = reported(indices(index, column), "check-gep-index")
    assert found == [("out", "IndexOutOfBounds", message), NARROW]
    with pytest.raises(DiagnosticError, match=message):
        PassManager("check-gep-index<strict>").run(read_ll(indices(index, column)))


@pytest.mark.parametrize(("index", "column"), [(3, 3), (4, 0), (0, 15), (1, -4)])
def test_in_bounds(index: int, column: int):
    assert reported(indices(index, column), "check-gep-index<strict>") == [NARROW]


def test_without_inbounds_all_indices_are_allowed():
    text = indices(100, 0).replace("inbounds ", "")
    assert reported(text, "check-gep-index<strict>") == [NARROW]


def test_following_of_long_chains_is_limited():
    steps = "".join(
        f"  %p{n} = getelementptr inbounds i8, ptr %p{n - 1}, i64 1\n" for n in range(1, 3000)
    )
    text = f"define void @f() {{\n  %p0 = alloca [64 x i8]\n{steps}  store i8 1, ptr %p60\n  ret void\n}}\n"
    found = [name for _, name, _ in reported(text, "check-gep-index")]
    assert found == ["No64BitSubscripts"]
