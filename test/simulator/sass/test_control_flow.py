"""Control flow, memory and runtime functions in machine code."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.machine_launches import ARCHS, both

from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.lab.machine_simulation import why_no_machine_code

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

HEAD = """\
.version 7.8
.target sm_80
.address_size 64
"""

REGISTERS = """\
  .reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<8>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
"""


def kernel(body: str, before: str = "") -> str:
    """A kernel that changes an element of `x` for each thread."""
    return f"{HEAD}{before}.visible .entry k(.param .u64 x)\n{{\n{REGISTERS}{body}\n}}\n"


SWITCH = kernel("""
  and.b32 %r3, %r1, 7;
  setp.gt.u32 %p1, %r3, 4;
  @%p1 bra $other;
$table: .branchtargets $a, $b, $c, $d, $e;
  brx.idx %r3, $table;
$a: mul.lo.u32 %r2, %r2, 3; bra $end;
$b: xor.b32 %r2, %r2, 85; bra $end;
$c: add.u32 %r2, %r2, %r1; bra $end;
$d: shl.b32 %r2, %r2, 4; bra $end;
$e: popc.b32 %r2, %r2; bra $end;
$other: not.b32 %r2, %r2;
$end:
  st.global.u32 [%rd3], %r2;
  ret;""")

RECURSION = kernel(
    """
  and.b32 %r3, %r1, 7;
  { .param .b32 in; .param .b32 out; st.param.b32 [in], %r3;
    call.uni (out), factorial, (in); ld.param.b32 %r4, [out]; }
  add.u32 %r2, %r2, %r4;
  st.global.u32 [%rd3], %r2;
  ret;""",
    """\
.func (.param .b32 out) factorial(.param .b32 in);
.func (.param .b32 out) factorial(.param .b32 in)
{
  .reg .pred %p<2>; .reg .b32 %r<8>;
  ld.param.b32 %r1, [in];
  mov.b32 %r4, 1;
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra $done;
  sub.u32 %r2, %r1, 1;
  { .param .b32 arg; .param .b32 res; st.param.b32 [arg], %r2;
    call.uni (res), factorial, (arg); ld.param.b32 %r3, [res]; }
  mul.lo.u32 %r4, %r3, %r1;
$done:
  st.param.b32 [out], %r4;
  ret;
}
""",
)

POINTERS = kernel(
    """
  and.b32 %r3, %r1, 1;
  mul.wide.u32 %rd4, %r3, 8;
  mov.u64 %rd5, functions;
  add.u64 %rd6, %rd5, %rd4;
  ld.global.u64 %rd7, [%rd6];
  { .param .b32 in; .param .b32 out; st.param.b32 [in], %r2;
    $proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (out), %rd7, (in), $proto; ld.param.b32 %r2, [out]; }
  st.global.u32 [%rd3], %r2;
  ret;""",
    """\
.func (.param .b32 out) twice(.param .b32 in)
{ .reg .b32 %r<4>; ld.param.b32 %r1, [in]; add.u32 %r2, %r1, %r1; st.param.b32 [out], %r2; ret; }
.func (.param .b32 out) negated(.param .b32 in)
{ .reg .b32 %r<4>; ld.param.b32 %r1, [in]; neg.s32 %r2, %r1; st.param.b32 [out], %r2; ret; }
.global .align 8 .u64 functions[2] = {twice, negated};
""",
)

LOCAL = kernel(
    """
  .local .align 8 .b8 stack[64];
  mov.u64 %rd4, stack;
  and.b32 %r3, %r1, 7;
  mul.wide.u32 %rd5, %r3, 8;
  add.u64 %rd6, %rd4, %rd5;
  st.local.u32 [%rd4], 9;
  st.local.v2.u32 [%rd6], {%r2, %r1};
  cvta.local.u64 %rd7, %rd6;
  ld.u32 %r4, [%rd7+4];
  ld.local.u32 %r5, [%rd4];
  mad.lo.u32 %r2, %r4, 17, %r5;
  st.global.u32 [%rd3], %r2;
  ret;"""
)

SHARED = kernel(
    """
  .shared .align 16 .b8 tile[512];
  mov.u32 %r3, tile;
  shl.b32 %r4, %r1, 2;
  add.u32 %r5, %r3, %r4;
  st.shared.u32 [%r5], %r2;
  st.shared.u32 [%r5+256], 0;
  bar.sync 0;
  xor.b32 %r6, %r4, 12;
  add.u32 %r7, %r3, %r6;
  ld.shared.u32 %r8, [%r7];
  and.b32 %r9, %r4, 60;
  add.u32 %r10, %r3, %r9;
  atom.shared.add.u32 %r11, [%r10+256], %r8;
  red.shared.max.u32 [%r10+320], %r8;
  atom.shared.cas.b32 %r12, [%r10+384], 0, %r8;
  bar.sync 0;
  ld.shared.u32 %r11, [%r10+256];
  ld.shared.u32 %r13, [%r10+320];
  cvt.u64.u32 %rd4, %r10;
  cvta.shared.u64 %rd5, %rd4;
  ld.u32 %r14, [%rd5];
  add.u32 %r2, %r11, %r13;
  xor.b32 %r2, %r2, %r14;
  st.global.u32 [%rd3], %r2;
  ret;"""
)

GLOBAL = kernel(
    """
  and.b32 %r3, %r1, 3;
  mul.wide.u32 %rd4, %r3, 4;
  mov.u64 %rd5, sums;
  add.u64 %rd6, %rd5, %rd4;
  red.global.add.u32 [%rd6], %r2;
  atom.global.max.s32 %r4, [%rd6+16], %r2;
  atom.global.exch.b32 %r5, [%rd6+32], 6;
  atom.global.add.u64 %rd7, [wide], 5;
  red.global.add.f32 [%rd6+48], 0f3F800000;
  bar.sync 0;
  ld.volatile.global.u32 %r6, [%rd6];
  ld.volatile.global.u32 %r7, [%rd6+16];
  ld.volatile.global.u32 %r8, [%rd6+48];
  ld.volatile.global.u32 %r9, [wide];
  ld.const.u32 %r10, [factor];
  mad.lo.u32 %r2, %r6, %r10, %r7;
  add.u32 %r2, %r2, %r8;
  add.u32 %r2, %r2, %r9;
  st.global.u32 [%rd3], %r2;
  ret;""",
    """\
.global .align 4 .u32 sums[16];
.global .align 8 .u64 wide = 7;
.const .align 4 .u32 factor = 11;
""",
)

PRINT = kernel(
    """
  .local .align 8 .b8 values[8];
  setp.gt.u32 %p1, %r1, 2;
  @%p1 bra $end;
  st.local.u32 [values], %r2;
  mov.u64 %rd4, values;
  cvta.local.u64 %rd5, %rd4;
  mov.u64 %rd6, text;
  cvta.global.u64 %rd7, %rd6;
  { .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], %rd7; st.param.b64 [v], %rd5;
    call.uni (r), vprintf, (f, v); ld.param.b32 %r2, [r]; }
$end:
  st.global.u32 [%rd3], %r2;
  ret;""",
    """\
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[8] = {118, 61, 37, 117, 10, 0, 0, 0};
""",
)

DIVISION = kernel(
    """
  add.u32 %r3, %r1, 1;
  cvt.rn.f32.u32 %f1, %r2;
  cvt.rn.f32.u32 %f2, %r3;
  mul.f32 %f2, %f2, 0f00800000;
  div.rn.f32 %f3, %f1, %f2;
  mov.b32 %r2, %f3;
  st.global.u32 [%rd3], %r2;
  ret;"""
)


MATRIX = kernel(
    """
  .reg .b32 %a<4>; .reg .b32 %b<2>; .reg .f32 %c<4>; .reg .b32 %e<2>;
  .shared .align 16 .b8 tile[1024];
  mov.u32 %r3, tile;
  shl.b32 %r4, %r1, 4;
  add.u32 %r5, %r3, %r4;
  and.b32 %r6, %r2, 0x3bff3bff;
  st.shared.v4.u32 [%r5], {%r6, %r1, %r6, %r6};
  st.shared.v4.u32 [%r5+512], {%r6, %r6, %r1, %r6};
  bar.sync 0;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%r5];
  ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%b0, %b1}, [%r5+512];
  mov.f32 %f1, 0f3F800000;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0, %c1, %c2, %c3},
    {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%f1, %f1, %f1, %f1};
  mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%c0, %c1, %c2, %c3},
    {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};
  mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%c0, %c1, %c2, %c3},
    {%a0, %a1}, {%b0}, {%c0, %c1, %c2, %c3};
  mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%e0, %e1},
    {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%a0, %a1};
  mov.b32 %r7, %c0; mov.b32 %r8, %c1; mov.b32 %r9, %c2; mov.b32 %r10, %c3;
  xor.b32 %r7, %r7, %r8; xor.b32 %r9, %r9, %r10; xor.b32 %r7, %r7, %r9;
  xor.b32 %r7, %r7, %e0; xor.b32 %r7, %r7, %e1;
  st.global.u32 [%rd3], %r7;
  ret;"""
)


@pytest.mark.parametrize("arch", ARCHS)
def test_matrix_products(arch: str):
    x = np.random.default_rng(7).integers(0, 1 << 32, 32, np.uint32)
    _, _, mnemonics = both(MATRIX, arch, threads=32, x=x)
    assert mnemonics >= {"LDSM", "HMMA"}


@pytest.mark.parametrize(("arch", "level"), [("sm_80", 3), ("sm_90", 0), ("sm_100", 3)])
@pytest.mark.parametrize(
    ("name", "ptx", "wanted"),
    [
        ("switch", SWITCH, {"BRX", "BRXU", "ISETP"}),
        ("recursion", RECURSION, {"CALL", "RET"}),
        ("pointers", POINTERS, {"CALL", "RET"}),
        ("local", LOCAL, {"LDL", "STL"}),
        ("shared", SHARED, {"LDS", "STS", "ATOMS", "BAR"}),
        ("global", GLOBAL, {"REDG", "RED", "ATOMG", "ATOM"}),
        ("print", PRINT, {"CALL", "LEPC"}),
        ("division", DIVISION, {"FCHK", "MUFU", "CALL"}),
    ],
)
def test_the_results_are_those_of_ptx(name: str, ptx: str, wanted: set[str], arch: str, level: int):
    _, _, mnemonics = both(ptx, arch, level=level)
    assert mnemonics & wanted, name


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("level", [0, 1, 3])
def test_lanes_reconverge_after_a_recursion_of_different_depths(arch: str, level: int):
    """Lanes at one barrier of the function wait for the lanes of their depth only."""
    joined = RECURSION.replace("add.u32 %r2, %r2, %r4;", "bar.sync 0; add.u32 %r2, %r2, %r4;")
    both(joined, arch, level=level)


def test_diverged_lanes_reconverge_at_the_barrier():
    """The store after the branch is issued once for each warp, not once for each path."""
    ptx = kernel("""
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra $even;
  st.global.u32 [%rd3], 1;
  bra $end;
$even:
  ld.global.u32 %r5, [%rd3];
  mul.lo.u32 %r5, %r5, %r5;
  st.global.u32 [%rd3], %r5;
$end:
  bar.warp.sync 0xffffffff;
  ld.volatile.global.u32 %r4, [%rd3];
  add.u32 %r4, %r4, 1;
  st.volatile.global.u32 [%rd3], %r4;
  ret;""")
    _, result, _ = both(ptx, "sm_90", threads=32)
    assert result.profile is not None
    runs = {
        op.address: row
        for op, row in result.profile.op_runs().items()
        if isinstance(op, InstructionOp) and op.mnemonic == "STG"
    }
    last = runs[max(runs)]
    assert (last.warps, last.threads) == (1, 32)
