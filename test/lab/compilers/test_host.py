"""LLVM's code for the host agrees with ours on the simulator, and shows a planted fault."""

from __future__ import annotations

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.lab.compiler_comparison import Comparison, candidates, compare, source_program
from nvvm_xdsl.lab.compilers import CompilerError
from nvvm_xdsl.lab.compilers.host import HOST, HostProgram, host_assembly, why_no_host
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.tools.nvvm_fuzz import main

needs_host = pytest.mark.skipif(why_no_host() is not None, reason=why_no_host() or "")

HEAD = """\
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
"""

KERNEL = (
    HEAD
    + """\
define ptx_kernel void @k(ptr %out, i32 %n, double %x, half %h, ptr byval({ i8, [2 x i64], float }) align 8 %s) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %i = add i32 %base, %tid
  %q = getelementptr i8, ptr %s, i64 16
  %second = load i64, ptr %q
  %wide = sext i64 %second to i128
  %square = mul i128 %wide, %wide
  %index = zext i32 %i to i128
  %by = add i128 %index, 3
  %quotient = sdiv i128 %square, %by
  %low = trunc i128 %quotient to i64
  %sum = add i64 %low, 5
  %e = fpext half %h to double
  %y = fadd double %e, %x
  %integer = fptosi double %y to i64
  %both = add i64 %sum, %integer
  %sn = sext i32 %n to i64
  %total = sub i64 %both, %sn
  %at = zext i32 %i to i64
  %p = getelementptr i64, ptr %out, i64 %at
  store i64 %total, ptr %p
  ret void
}
"""
)

LAUNCH = Launch(
    "k", 2, 4, (np.zeros(8, np.int64), -7, 2.25, 1.5, (1, (10**12, -(10**13)), 3.0))
)  # fmt: skip


def compared(text: str, ptx: str, launch: Launch = LAUNCH) -> Comparison:
    """Compares PTX with the host's code of a module."""
    source = source_program(text)
    return compare(candidates(text, [HOST], source, given=[("ours", ptx)]), [launch])


@needs_host
def test_values():
    (result,) = HostProgram(KERNEL).run(LAUNCH).arrays
    wanted = [10**26 // (i + 3) % 2**64 + 5 + 3 + 7 for i in range(8)]
    assert result.view(np.uint64).tolist() == [value % 2**64 for value in wanted]
    # The arguments of the launch are copied.
    assert not LAUNCH.args[0].any()


@needs_host
def test_our_code_equals_host_execution():
    result = compared(KERNEL, nvvm_xdsl.compile(KERNEL, arch="sm_100a"))
    assert (result.refused, result.failures, result.disagreements) == ({}, {}, [])


@needs_host
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("sext i64 %second", "zext i64 %second"),
        ("i128 %index, 3", "i128 %index, 4"),
        ("i64 16", "i64 8"),
    ],
)
def test_a_planted_fault_is_found(right: str, wrong: str):
    ptx = nvvm_xdsl.compile(KERNEL.replace(right, wrong), arch="sm_100a")
    (found,) = compared(KERNEL, ptx).disagreements
    assert {name for group in found.groups for name in group} == {HOST, "ours"}
    assert "argument 0" in str(found)
    assert "stored last by" in found.stores["ours"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)", "an intrinsic of NVVM"),
        ("%b = fptrunc float 1.0 to bfloat", "no bfloat"),
    ],
)
def test_kernels_that_the_host_cannot_run(line: str, message: str):
    with pytest.raises(CompilerError, match=message):
        host_assembly(f"{HEAD}define ptx_kernel void @k() {{\n  {line}\n  ret void\n}}\n")


@needs_host
def test_assembly_that_llvm_rejects_is_an_error():
    source = source_program(KERNEL)
    (candidate,) = candidates(KERNEL.replace("sdiv i128", "sdib i128"), [HOST], source)
    assert "expected instruction opcode" in candidate.refused


@needs_host
def test_a_crash_of_host_code_is_reported():
    text = KERNEL.replace("store i64 %total, ptr %p", "store i64 %total, ptr null")
    with pytest.raises(CompilerError, match="the host's code failed: status -11"):
        HostProgram(text).run(LAUNCH)


@needs_host
def test_random_kernels():
    findings = list(fuzz(range(10), Options(size=30, against=(HOST,))))
    assert [f.what for f in findings if f.kind != "refused"] == []
    assert len(findings) < 5


@needs_host
def test_programs_are_rejected(capsys: pytest.CaptureFixture[str]):
    assert main(["--against", "host", "--programs"]) == 1
    assert "the host cannot run programs" in capsys.readouterr().err
