"""Executed PTX instructions, counted by hand from the text.

Declarations, labels, pragmas and scopes are not instructions. A warp issues an instruction once if any of its
lanes reaches it, a guarded one also if the guard is false in all lanes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.dialects.nvptx import FuncOp
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.measure import executable, line_counts, threads_of
from nvvm_xdsl.lab.profile_report import annotated
from nvvm_xdsl.simulator import launch
from nvvm_xdsl.simulator.execution.profile import Executed, Profile
from nvvm_xdsl.simulator.instruction_classes import instruction_classes

TEST = Path(__file__).parents[2]
FILES = sorted(TEST.rglob("*.ptx"))

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def profiled(text: str, run: Launch) -> Profile:
    program = executable(HEAD + text, None, counting=True).program
    result = launch(program, run.kernel, run.grid, run.block, run.args)
    assert result.profile is not None
    return result.profile


SAXPY = """
.visible .entry saxpy(.param .b32 n, .param .b32 a, .param .b64 x, .param .b64 y) {
	.reg .pred 	%p<2>;
	.reg .b32 	%r<6>;
	.reg .b64 	%rd<8>;
	.reg .f32 	%f<5>;
	ld.param.b32 	%r1, [n];
	mov.u32 	%r2, %ctaid.x;
	mov.u32 	%r3, %ntid.x;
	mov.u32 	%r4, %tid.x;
	mad.lo.s32 	%r5, %r2, %r3, %r4;
	setp.ge.s32 	%p1, %r5, %r1;
	@%p1 bra 	DONE;
	ld.param.b32 	%f1, [a];
	ld.param.b64 	%rd1, [x];
	cvta.to.global.u64 	%rd2, %rd1;
	ld.param.b64 	%rd3, [y];
	cvta.to.global.u64 	%rd4, %rd3;
	mul.wide.s32 	%rd5, %r5, 4;
	add.s64 	%rd6, %rd2, %rd5;
	ld.global.f32 	%f2, [%rd6];
	add.s64 	%rd7, %rd4, %rd5;
	ld.global.f32 	%f3, [%rd7];
	fma.rn.f32 	%f4, %f1, %f2, %f3;
	st.global.f32 	[%rd7], %f4;
DONE:
	ret;
}
"""


def saxpy(n: int) -> Launch:
    return Launch("saxpy", 4, 256, (n, 2.0, np.ones(n, np.float32), np.ones(n, np.float32)))


def test_saxpy():
    """7 instructions, 12 for threads below n, and `ret`: 20 in each of 4 * 256 / 32 = 32 warps."""
    profile = profiled(SAXPY, saxpy(1000))
    # 1,000 threads execute all 20, the other 24 the first seven and `ret`.
    assert profile.total() == Executed(32 * 20, 1000 * 20 + 24 * 8)
    # 31 warps execute 20; the last one, in which no thread is below n, executes 8.
    assert profiled(SAXPY, saxpy(992)).total().warps == 31 * 20 + 8


def test_classes_of_saxpy():
    by_class = profiled(SAXPY, saxpy(992)).by_class()
    assert {name: row.warps for name, row in by_class.items()} == {
        "arithmetic": 32 * 2 + 31 * 4,  # mad, setp; mul, two add, fma
        "conversion": 31 * 2,  # cvta
        "move": 32 * 3,
        "branch": 32 * 2,  # bra, ret
        "global": 31 * 3,
        "param": 32 + 31 * 3,
    }


ROW_SUM = """
.visible .entry sum(.param .b64 in, .param .b64 out, .param .b32 n) {
	.reg .pred 	%p<3>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<5>;
	.reg .f32 	%f<3>;
	ld.param.b64 	%rd1, [in];
	ld.param.b32 	%r1, [n];
	mov.u32 	%r2, %tid.x;
	mov.b32 	%f1, 0f00000000;
	setp.le.s32 	%p1, %r1, 0;
	@%p1 bra 	DONE;
	mov.b32 	%r3, 0;
LOOP:
	.pragma "nounroll";
	ld.global.f32 	%f2, [%rd1];
	add.f32 	%f1, %f1, %f2;
	add.s64 	%rd1, %rd1, 4;
	add.s32 	%r3, %r3, 1;
	setp.lt.s32 	%p2, %r3, %r1;
	@%p2 bra 	LOOP;
DONE:
	ld.param.b64 	%rd2, [out];
	mul.wide.u32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd2, %rd3;
	st.global.f32 	[%rd4], %f1;
	ret;
}
"""


@pytest.mark.parametrize("n", [0, 1, 15, 37])
def test_a_loop(n: int):
    """6 instructions, then 1 and 6 for each iteration unless n is 0, then 5; in two warps."""
    arrays = np.ones(64, np.float32), np.zeros(64, np.float32)
    profile = profiled(ROW_SUM, Launch("sum", 1, 64, (*arrays, n)))
    assert profile.total().warps == 2 * (6 + (1 + 6 * n if n else 0) + 5)


PATHS = """
.func (.param .b32 back) twice(.param .b32 value) {
	.reg .b32 	%r<3>;
	ld.param.b32 	%r1, [value];
	shl.b32 	%r2, %r1, 1;
	st.param.b32 	[back], %r2;
	ret;
}
.visible .entry paths(.param .b64 out) {
	.reg .pred 	%p<3>;
	.reg .b32 	%r<6>;
	.reg .b64 	%rd<5>;
	mad.lo.s32 	%r1, %ctaid.x, %ntid.x, %tid.x;
	setp.lt.u32 	%p1, %r1, 16;
	@%p1 bra 	FEW;
	add.s32 	%r1, %r1, 1;
	bra.uni 	FEW;
FEW:
	{
	.param .b32 one;
	.param .b32 two;
	st.param.b32 	[one], %r1;
	call.uni (two), twice, (one);
	ld.param.b32 	%r2, [two];
	}
	setp.gt.u32 	%p2, %r1, 40;
	@%p2 ret;
	ld.param.b64 	%rd1, [out];
	mul.wide.u32 	%rd2, %r1, 4;
	add.s64 	%rd3, %rd1, %rd2;
	ld.global.u8 	%r3, [%rd3];
	add.u32 	%r4, %r3, %r2;
	st.global.u32 	[%rd3], %r4;
	ret;
}
"""


def test_calls_guards_and_special_registers():
    """The kernel of `PATHS` with a block of 64 threads, two warps.

    `mad` reads three special registers and is one instruction, and so is the load of a byte to
    a register of 32 bits. Both warps execute 3 instructions, both then add and branch to the next
    line (the first one with half of its lanes), and both execute the call, which is 3 instructions,
    4 more in the function, and `setp` and `@%p2 ret`. Values are 0 to 15 and 17 to 32 in the
    first warp, 33 to 64 in the second: both execute the last 7, the second with the 8 lanes up to 40.
    """
    profile = profiled(PATHS, Launch("paths", 1, 64, (np.zeros(64, np.int32),)))
    path = 3 + 2 + 3 + 4 + 2 + 7
    threads = 64 * (path - 2 - 7) + 48 * 2 + (32 + 8) * 7
    assert profile.total() == Executed(2 * path, threads)


def test_a_guarded_return_is_issued_for_all_lanes():
    """In the third warp all lanes return: it issues `ret` and no later instruction."""
    profile = profiled(PATHS, Launch("paths", 1, 96, (np.zeros(96, np.int32),)))
    assert profile.total().warps == 3 * (3 + 2 + 3 + 4 + 2) + 2 * 7


def test_each_instruction_has_its_line():
    """Counts by line, which `measure` passes to ptxas, are those of the lines of the text."""
    ready = executable(HEAD + PATHS, None, counting=True)
    run = Launch("paths", 1, 64, (np.zeros(64, np.int32),))
    profile = launch(ready.program, "paths", 1, 64, run.args).profile
    assert profile is not None
    lines = line_counts(ready, "paths", profile)
    text = ready.ptx.splitlines()
    by_text = {text[line - 1].split(";")[0].strip(): row.warps for line, row in lines.items()}
    assert by_text["mad.lo.s32 	%r1, %ctaid.x, %ntid.x, %tid.x"] == 2
    assert by_text["ld.global.u8 	%r3, [%rd3]"] == 2
    assert threads_of(run) == 64
    assert not any(line.endswith(":") for line in by_text)


def test_labels_are_not_annotated():
    ready = executable(HEAD + SAXPY, None, counting=True)
    profile = launch(ready.program, "saxpy", 4, 256, saxpy(1000).args).profile
    assert profile is not None
    rows = annotated(profile, {"kernel.ptx": ready.ptx}).splitlines()
    counts = {row.split("| ")[-1].strip(): row.split("|")[0].split() for row in rows}
    assert counts["DONE:"] == []
    assert counts["ret;"] == ["32", "32.0"]
    assert counts[".reg .f32 	%f<5>;"] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_statement_counts_once(path: Path):
    """The converted module counts as many instructions as the text."""
    module = read_ptx(path.read_text(), path.name)
    written = sum(isinstance(op, ptx.InstOp) for op in module.walk())
    counted = sum(
        len(instruction_classes(op))
        for func in convert(module).ops
        if isinstance(func, FuncOp)
        for op in func.body.walk()
    )
    assert written > 0
    assert counted == written
