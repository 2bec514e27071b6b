"""Inline assembly with labels, branches and waits, as IR and as machine code."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module

import nvvm_xdsl
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import Limits, SimulationError, launch
from nvvm_xdsl.simulator.ptx.asm_text import Statement, read

DECLARE = "declare void @llvm.nvvm.barrier0()\n"


def run(body: str, threads: int = 64, before: str = "", **options) -> list[int]:
    """Returns the stores of a kernel's threads, at both levels; `body` sets `%r`, an i32."""
    text = kernel(
        "ptr addrspace(1) %out",
        f"""{body}
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %r, ptr addrspace(1) %at
  ret void""",
        DECLARE + before,
    )
    found: list[list[int]] = []
    for machine in (False, True):
        out = np.zeros(threads, np.int32)
        whole = module(text)
        launch(select(whole) if machine else whole, "k", 1, threads, [out], **options)
        found.append(out.tolist())
    assert found[0] == found[1]
    return found[0]


def test_statements():
    text = read("mov.u32 $0, 1; L: add.u32 $0, $0, 1; @!p bra.uni L; bar.sync 0; mov.u32 $0, 2;")
    assert [[s.opcode for s in piece] for piece in text.pieces] == [
        ["mov.u32"],
        ["add.u32", "bra.uni"],
        ["bar.sync"],
        ["mov.u32"],
    ]
    assert text.targets() == {"L": 1}
    assert text.cuts == 3


LEAVE = """
define internal void @leave(i32 %i) noinline {
  %some = icmp ugt i32 %i, 2
  br i1 %some, label %out, label %on
out:
  call void asm sideeffect "exit;", ""()
  br label %on
on:
  ret void
}
"""


def test_an_exit_in_a_called_function_ends_the_thread():
    body = "  call void @leave(i32 %tid)\n  %r = add i32 %tid, 1"
    assert run(body, 6, LEAVE) == [1, 2, 3, 0, 0, 0]


def test_a_guarded_wait_is_skipped():
    text = read("@p bar.sync 0;")
    (first,), (second,), (third,) = text.pieces
    assert (first.opcode, first.guard, first.negated) == ("bra", "p", True)
    assert second == Statement("bar.sync", ("0",))
    assert third.labels == first.operands


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bra L;", "no label 'L'"),
        ("L: mov.u32 $0, 1; L: mov.u32 $0, 2;", "two labels 'L'"),
        ("mov.u32 $0, 1; + 2;", "cannot read"),
    ],
)
def test_rejected(text: str, message: str):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_a_loop_whose_trip_counts_differ():
    """r = 3 * (tid % 5), accumulated; each thread's input is kept between iterations."""
    got = run(
        """%n = urem i32 %tid, 5
  %r = call i32 asm "{ .reg .pred p; .reg .u32 i; mov.u32 $0, 0; mov.u32 i, $1; setp.eq.u32 p, i, 0; @p bra end; \
again: add.u32 $0, $0, 3; sub.u32 i, i, 1; setp.ne.u32 p, i, 0; @p bra again; end: }", "=r,r"(i32 %n)"""
    )
    assert got == [3 * (t % 5) for t in range(64)]


def test_threads_swap_registers_in_a_loop():
    """(a, b) = (b, a + b): one copy must not overwrite the operand of the next."""
    got = run(
        """%n = and i32 %tid, 7
  %s = call {i32, i32} asm "{ .reg .pred p; .reg .u32 i, t; mov.u32 $0, 0; mov.u32 $1, 1; mov.u32 i, 0; \
again: setp.ge.u32 p, i, $2; @p bra.uni end; mov.u32 t, $0; mov.u32 $0, $1; add.u32 $1, t, $1; add.u32 i, i, 1; \
bra again; end: }", "=&r,=&r,r"(i32 %n)
  %r = extractvalue {i32, i32} %s, 0"""
    )
    assert got == [[0, 1, 1, 2, 3, 5, 8, 13][t & 7] for t in range(64)]


def test_a_branch_over_the_rest():
    got = run(
        """%odd = trunc i32 %tid to i1
  %r = call i32 asm sideeffect "{ mov.u32 $0, 7; @!$1 bra.uni skip; mov.u32 $0, 9; skip: }", "=&r,b"(i1 %odd)"""
    )
    assert got == [9 if t % 2 else 7 for t in range(64)]


def test_values_computed_before_a_wait_are_preserved():
    """Warps reach the barrier in sequence; each keeps its own number."""
    got = run(
        """br label %entry
entry:
  %w = lshr i32 %tid, 5
  %first = icmp eq i32 %w, 0
  br i1 %first, label %a, label %b
a:
  br label %b
b:
  %x = phi i32 [ 100, %entry ], [ 200, %a ]
  %r = call i32 asm sideeffect "add.u32 $0, $1, $2; bar.sync 0; add.u32 $0, $0, 1; bar.sync 0;", \
"=&r,r,r"(i32 %x, i32 %tid)"""
    )
    assert got == [t + (201 if t < 32 else 101) for t in range(64)]


BARRIER = "@bar = internal addrspace(3) global i64 undef, align 8\n"
WAIT = """{ .reg .pred complete; waitLoop: mbarrier.try_wait.parity.shared.b64 complete, [$0], $1; \
@!complete bra.uni waitLoop; }"""


def test_waiting_threads_let_others_run():
    """Warp 0 waits for a phase that warp 1 completes, on another path that is later in the code."""
    got = run(
        f"""%one = icmp eq i32 %tid, 0
  br i1 %one, label %init, label %go
init:
  call void asm sideeffect "mbarrier.init.shared::cta.b64 [$0], 1;", "r"(ptr addrspace(3) @bar)
  br label %go
go:
  call void @llvm.nvvm.barrier0()
  %low = icmp ult i32 %tid, 32
  br i1 %low, label %wait, label %work
wait:
  call void asm sideeffect "{WAIT}", "r,r"(ptr addrspace(3) @bar, i32 0)
  br label %end
work:
  %last = icmp eq i32 %tid, 63
  br i1 %last, label %arrive, label %end
arrive:
  call void asm sideeffect "mbarrier.arrive.shared::cta.b64 _, [$0];", "r"(ptr addrspace(3) @bar)
  br label %end
end:
  %r = phi i32 [ 1, %wait ], [ 2, %work ], [ 3, %arrive ]""",
        before=BARRIER,
    )
    assert got == [1] * 32 + [2] * 31 + [3]


def test_a_phase_that_never_completes_is_an_error():
    with pytest.raises(SimulationError):
        run(
            f"""call void asm sideeffect "mbarrier.init.shared::cta.b64 [$0], 1;", "r"(ptr addrspace(3) @bar)
  call void asm sideeffect "{WAIT}", "r,r"(ptr addrspace(3) @bar, i32 0)
  %r = add i32 0, 0""",
            threads=32,
            before=BARRIER,
        )


def test_an_infinite_loop_reaches_the_limit():
    with pytest.raises(SimulationError, match="runs for more than 1000 steps"):
        run(
            """call void asm sideeffect "forever: bra forever;", ""()
  %r = add i32 0, 0""",
            limits=Limits(steps=1000),
        )


@pytest.mark.parametrize("skipped", [False, True])
def test_a_wait_may_be_skipped(skipped: bool):
    """Triton's form: threads whose predicate is false skip the loop."""
    text = WAIT.replace("waitLoop:", "@!$2 bra.uni skipWait; waitLoop:", 1)[:-1] + "skipWait: }"
    body = f"""call void asm sideeffect "mbarrier.init.shared::cta.b64 [$0], 1;", "r"(ptr addrspace(3) @bar)
  call void asm sideeffect "{text}", "r,r,b"(ptr addrspace(3) @bar, i32 0, i1 {str(not skipped).lower()})
  %r = add i32 0, 5"""
    if not skipped:
        with pytest.raises(SimulationError):
            run(body, threads=32, before=BARRIER)
        return
    assert run(body, threads=32, before=BARRIER) == [5] * 32


def test_an_undefined_predicate_is_reported():
    with pytest.raises(SimulationError, match="a branch"):
        run(
            """%r = call i32 asm "{ .reg .pred p; mov.u32 $0, 1; @p bra end; mov.u32 $0, 2; end: }", "=&r"()""",
            checks=["init"],
        )


COMBINED = {
    "or.pred p, p, q": ("eq", 1),
    "and.pred p, q, p": ("ne", 2),
}
"""Combinations of an undefined predicate q with a defined p that determines the result."""


@pytest.mark.parametrize("combination", COMBINED)
def test_a_defined_predicate_that_determines_a_combination(combination: str):
    comparison, wanted = COMBINED[combination]

    def result(comparison: str) -> list[int]:
        text = f"{{ .reg .pred p, q; setp.{comparison}.s32 p, 1, 1; {combination}; selp.b32 $0, 1, 2, p; }}"
        return run(f"""%r = call i32 asm "{text}", "=r"()""", 1, checks=["init"])

    assert result(comparison) == [wanted]
    with pytest.raises(SimulationError, match="undefined"):
        result("ne" if comparison == "eq" else "eq")


def test_registers_of_eight_bits_and_reserved_shared_memory():
    source = r"""
define ptx_kernel void @k(ptr addrspace(1) %out, i16 %x) {
  %a = call i16 asm "{ .reg.b8 r;\0A cvt.rzi.s8.bf16 r, $1;\0A mov.b16 $0, {r, 0};\0A}", "=h,h"(i16 %x)
  %b = call i32 asm "{ .reg.b32    u, v; mov.u32 u, %reserved_smem_offset_1; mov.u32 v, %reserved_smem_offset_cap; sub.u32 $0, u, v; }", "=r"()
  %w = zext i16 %a to i32
  store i32 %w, ptr addrspace(1) %out
  %p = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %b, ptr addrspace(1) %p
  ret void
}
"""
    for number, wanted in ((0xC0E0, 0xF9), (0x4700, 0x7F), (0x4049, 3)):
        out = np.zeros(2, np.uint32)
        launch(nvvm_xdsl.parse(source), "k", 1, 1, [out, number], shared_bytes=64)
        assert out.tolist() == [wanted, 64]


@pytest.mark.parametrize(
    ("text", "constraints", "expected"),
    [
        ("cvt.s16.s32 $0, $1;", "=r,r", 0x7FFD),
        ("cvt.sat.s8.s32 $0, $1;", "=r,r", -128),
        ("cvt.u8.s32 $0, $1;", "=r,r", 0xFD),
        ("{.reg .b16 h; cvt.s8.s32 h, $1; cvt.s32.s16 $0, h;}", "=r,r", -3),
        ("{.reg .pred p; setp.ne.s32 p, $1, 0; mov.b32 $0, 0; @p cvt.s8.s32 $0, $1;}", "=r,r", -3),
        ("{.reg .b32 w; mov.b32 w, -2; st.local.b32 [$2], w; ld.local.s8 $0, [$2];}", "=r,r,l", -2),
        (
            "{.reg .b64 w; mad.wide.s32 w, $1, 0, -8; shr.u64 w, w, 32; cvt.u32.u64 $0, w;}",
            "=r,r",
            -1,
        ),
        (
            "{.reg .b64 w; slct.s64.s32 w, 5, -7, $1; shr.u64 w, w, 32; cvt.u32.u64 $0, w;}",
            "=r,r",
            -1,
        ),
    ],
)
def test_results_in_wider_registers_are_extended(text: str, constraints: str, expected: int):
    """Signed types are sign-extended (PTX ISA 9.4.1); constants have the width of their operand."""
    slot = ", ptr addrspace(5) %slot" if constraints.endswith("l") else ""
    body = f"""
  %slot = alloca i32, addrspace(5)
  %x = add i32 %tid, -32771
  %r = call i32 asm "{text}", "{constraints}"(i32 %x{slot})"""
    assert run(body, threads=1) == [expected]
