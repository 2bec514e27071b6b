"""What hand-written PTX does when it runs as machine code: scopes, calls, guards, widths, constants."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.verified import verify

from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert as convert_to_ptx
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.machine import machine_pipeline, run_machine_passes
from nvvm_xdsl.simulator import launch

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def results(body: str, before: str = "", count: int = 8) -> list[int]:
    """What a kernel of one thread stores at `[out]`, as it is read and behind the machine passes."""
    text = (
        f"{HEAD}{before}\n.visible .entry k(.param .u64 to) {{\n"
        f".reg .u64 out; ld.param.u64 out, [to];\n{body}\nret;\n}}\n"
    )
    found: list[list[int]] = []
    for optimized in (False, True):
        module = read_ptx(text, "k.ptx", locations=True)
        if optimized:
            machine = machine_code(module)
            run_machine_passes(machine, machine_pipeline(3))
        else:
            machine = convert(module)
        verify(machine)
        memory = np.zeros(count, np.uint32)
        launch(machine, "k", 1, 1, [memory])
        found.append([int(v) for v in memory])
    assert found[0] == found[1]
    return found[0]


def test_inner_scopes_hide_names():
    body = """
    .reg .b32 %r<3>, x; mov.b32 %r1, 1; mov.b32 x, 2;
    { .reg .b32 %r<3>, x; mov.b32 %r1, 30; mov.b32 x, 40; st.global.u32 [out], %r1; }
    { .reg .b32 %r1<3>; mov.b32 %r12, 50; st.global.u32 [out+4], %r12; st.global.u32 [out+8], %r1; }
    st.global.u32 [out+12], %r1; st.global.u32 [out+16], x;
    """
    assert results(body)[:5] == [30, 50, 1, 1, 2]


def test_labels_of_scopes():
    body = """
    .reg .b32 i; .reg .pred p; mov.b32 i, 0;
    again: { bra skip; mov.b32 i, 100; skip: add.s32 i, i, 1; }
    { bra skip; mov.b32 i, 100; skip: add.s32 i, i, 10; }
    setp.lt.s32 p, i, 30; @p bra again;
    st.global.u32 [out], i;
    """
    assert results(body)[0] == 33


def test_guards_leave_results_as_they_were():
    body = """
    .reg .b32 a, b, c; .reg .pred p, q, r;
    mov.b32 a, 1; mov.b32 b, 2; mov.b32 c, 3;
    setp.eq.s32 p, a, 1; setp.eq.s32 q, a, 2; setp.eq.s32 r, a, 2;
    @p add.s32 a, a, 10; @!p add.s32 b, b, 10; @q mov.b32 c, 9;
    @p setp.eq.s32 p, b, 3;
    @!p ld.global.u32 c, [out+28];
    @p setp.eq.s32 r, b, 2;
    st.global.u32 [out], a; st.global.u32 [out+4], b; st.global.u32 [out+8], c;
    @r st.global.u32 [out+12], 7; @!p st.global.u32 [out+16], 8;
    @p ret; @!q bra.uni end; st.global.u32 [out+20], 9; end:
    st.global.u32 [out+24], 5;
    """
    assert results(body) == [11, 2, 0, 0, 8, 0, 5, 0]


CALLEES = """
.func (.param .b32 r) add2(.param .b32 a, .param .b32 b) {
  .reg .b32 x, y; ld.param.u32 x, [a]; ld.param.u32 y, [b]; add.s32 x, x, y; st.param.u32 [r], x; ret;
}
.func (.reg .u32 r) sub2(.reg .u32 a, .reg .u32 b) { sub.s32 r, a, b; ret; }
.func swap(.param .b64 to, .param .align 4 .b8 pair[8]) {
  .reg .b64 p; .reg .b32 x, y; ld.param.u64 p, [to]; ld.param.u32 x, [pair]; ld.param.u32 y, [pair+4];
  st.u32 [p], y; st.u32 [p+4], x; ret;
}
"""


def test_calls():
    body = """
    .reg .b32 a, b, c; .reg .b64 f; .reg .pred p; mov.b32 a, 5; mov.b32 b, 7;
    { .param .b32 x; .param .b32 y; .param .b32 z;
      st.param.b32 [x], a; st.param.b32 [y], b; mov.b32 a, 100;
      call.uni (z), add2, (x, y); mov.b32 c, b; ld.param.b32 b, [z]; }
    st.global.u32 [out], b; st.global.u32 [out+4], c;
    call (a), sub2, (b, 2); st.global.u32 [out+8], a;
    { .param .b64 to; .param .align 4 .b8 pair[8]; st.param.b64 [to], out;
      add.u64 out, out, 16; st.param.v2.b32 [pair], {a, 3}; call swap, (to, pair); sub.u64 out, out, 16; }
    mov.u64 f, add2;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);
    call (c), f, (a, 1), proto; st.global.u32 [out+16], c;
    setp.eq.s32 p, a, 0; @p call (c), sub2, (a, a); st.global.u32 [out+20], c;
    setp.ne.s32 p, a, 0; @p call (c), sub2, (a, a); st.global.u32 [out+24], c;
    """
    # swap stores at [out] what the caller computed before it moved `out`.
    assert results(body, CALLEES) == [3, 10, 10, 0, 11, 11, 0, 0]


VARIADIC = """
.func (.param .b32 r) total(.param .b32 count, .param .align 8 .b8 rest[]) {
  .reg .b32 n, x, s; .reg .b64 p; .reg .pred more; .local .align 8 .b8 mine[64];
  ld.param.u32 n, [count]; mov.b64 p, rest; mov.b32 s, 0; st.local.u32 [mine], n; st.local.u32 [mine+60], 9;
  next: ld.local.u32 x, [p]; add.s32 s, s, x; add.s64 p, p, 8;
  sub.s32 n, n, 1; setp.gt.s32 more, n, 0; @more bra next;
  ld.local.u32 x, [mine]; add.s32 s, s, x; st.param.b32 [r], s; ret;
}
"""


def test_variable_arguments():
    """The size of the array is the call's; the callee's own variables lie behind it."""
    call = """
    {{ .param .b32 n; .param .align 8 .b8 rest[{size}]; .param .b32 z; st.param.b32 [n], {count};
      {stores} {call} ld.param.b32 a, [z]; }} st.global.u32 [out+{at}], a;
    """
    stores = "".join(f"st.param.b32 [rest+{8 * i}], {i + 5};" for i in range(40))
    body = """
    .reg .b32 a; .reg .b64 f; mov.u64 f, total;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[]);
    """
    body += call.format(size=320, count=40, stores=stores, call="call (z), total, (n, rest);", at=0)
    body += call.format(
        size=8,
        count=1,
        stores="st.param.b64 [rest], 5;",
        call="call (z), f, (n, rest), proto;",
        at=4,
    )
    assert results(body, VARIADIC)[:2] == [sum(range(5, 45)) + 40, 6]


def test_variable_arguments_of_a_function_elsewhere():
    text = f"""{HEAD}
    .extern .func (.param .b32 result) printf (.param .b64 format, .param .align 8 .b8 rest[]);
    .global .align 1 .b8 text[7] = {{37, 100, 32, 37, 102, 10, 0}};
    .visible .entry k() {{
      .reg .b64 p; .reg .b32 n; mov.b64 p, text; cvta.global.u64 p, p;
      {{ .param .b64 a; .param .align 8 .b8 b[16]; .param .b32 z; st.param.b64 [a], p;
        st.param.b32 [b], -7; st.param.f64 [b+8], 0d4004000000000000;
        call (z), printf, (a, b); ld.param.b32 n, [z]; }}
      ret;
    }}"""
    machine = convert(read_ptx(text, "k.ptx"))
    assert launch(machine, "k", 1, 1, []).output == "-7 2.500000\n"
    assert ".param .align 8 .b8 rest[]" in print_ptx(convert_to_ptx(machine))


@pytest.mark.parametrize(
    "head",
    [
        ".entry k(.param .b8 p[]) { ret; }",
        ".func f(.param .b8 p[], .param .b32 x) { ret; }",
        ".func (.param .b8 p[]) f() { ret; }",
    ],
)
def test_only_the_last_parameter_of_a_device_function_lacks_a_size(head: str):
    with pytest.raises(DiagnosticError, match="the parameter 'p' has no size"):
        convert(read_ptx(f"{HEAD}{head}"))


def test_registers_wider_than_the_access():
    body = """
    .reg .b32 a, b; .reg .b64 d; .reg .b16 h; .reg .f32 f; .reg .pred p;
    mov.b32 a, 0x1FFF8; st.global.u16 [out], a; ld.global.s16 b, [out]; st.global.u32 [out+4], b;
    ld.global.u16 b, [out]; st.global.u32 [out+8], b;
    cvt.u32.u16 d, h; ld.global.u32 d, [out+4]; st.global.u32 [out+12], d;
    ld.global.f32 a, [out+8]; st.global.f32 [out+16], a;
    setp.eq.s32 p, a, 1; mov.b32 b, 77; @p ld.global.u16 b, [out]; st.global.u32 [out+20], b;
    @!p ld.global.u8 b, [out]; st.global.u32 [out+24], b;
    """
    assert results(body) == [0xFFF8, 0xFFFFFFF8, 0xFFF8, 0xFFFFFFF8, 0xFFF8, 77, 0xF8, 0]


def test_vector_registers_and_special_registers():
    body = """
    .reg .v4 .b32 v; .reg .v2 .b32 w<2>; .reg .b64 d; .reg .b16 h; .reg .b32 a;
    mov.v4.b32 v, {1, 2, 3, 4}; mov.b32 v.z, 30; st.global.v4.b32 [out], v;
    mov.b64 d, 0x500000006; mov.b64 w1, d; st.global.v2.b32 [out+16], w1;
    mov.u16 h, %ntid.x; cvt.u32.u16 a, h; add.u32 a, a, WARP_SZ; st.global.u32 [out+24], a;
    cvt.u32.u16 a, %nctaid.y; st.global.u32 [out+28], a;
    """
    body = body.replace(
        "mov.v4.b32 v, {1, 2, 3, 4};", "mov.b32 v.x, 1; mov.b32 v.y, 2; mov.b32 v.w, 4;"
    )
    assert results(body) == [1, 2, 30, 4, 6, 5, 33, 1]


def test_bytes_of_registers():
    body = """
    .reg .b32 a, b, c; mov.b32 a, 0x04030201; mov.b32 b, 0x00100000;
    vadd.u32.u32.u32 c, a.b2, b.h1; st.global.u32 [out], c;
    """
    assert results(body)[0] == 0x13


def test_variables():
    before = """
    .global .u32 one = 1 + 2 * 3;
    .const .s16 grid[2][3] = {{1, -1}, {5}};
    .global .align 8 .u64 address = generic(one);
    .global .f32 quarter = 0.25;
    """
    body = """
    .reg .b32 a; .reg .b64 p; .local .align 8 .b8 mine[16]; .shared .u32 ours[4];
    { .shared .u32 ours; st.shared.u32 [ours], 4; }
    ld.global.u32 a, [one]; st.global.u32 [out], a;
    ld.const.s16 a, [grid+2]; st.global.u32 [out+4], a;
    ld.const.u16 a, [grid + 3*2]; st.global.u32 [out+8], a;
    ld.global.u64 p, [address]; ld.u32 a, [p]; st.global.u32 [out+12], a;
    ld.global.b32 a, [quarter]; st.global.u32 [out+16], a;
    st.local.u32 [mine+4], 21; mov.u64 p, mine; ld.local.u32 a, [p+4]; st.global.u32 [out+20], a;
    st.shared.u32 [ours+8], 22; ld.shared.u32 a, [ours+(1<<3)]; st.global.u32 [out+24], a;
    """
    assert results(body, before)[:7] == [7, 0xFFFFFFFF, 5, 7, 0x3E800000, 21, 22]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (".reg .b32 a; .reg .f32 f; add.s32 a, f, 1;", "operand 0 of type s32 is !nvptx.f32"),
        (".reg .b32 a; add.s32 a, b, 1;", "'b' is not declared"),
        ("bra nowhere;", "there is no label 'nowhere'"),
        ("here: here: ret;", "there are two labels 'here'"),
        (".reg .b32 a; call (a), f, (a);", "'f' is not declared"),
        ("call add2, (1);", "'add2' takes 2 arguments, not 1"),
        (".reg .b32 a; @a ret;", "the guard 'a' is no predicate"),
        (".reg .b32 a; mov.b32 a, 1 / 0;", "division by zero"),
        (".reg .b32 a; brx.idx a, nothing;", "there are no .branchtargets 'nothing'"),
    ],
)
def test_refused(body: str, message: str):
    text = f"{HEAD}{CALLEES}.entry k() {{\n  {body}\n}}"
    with pytest.raises(DiagnosticError) as caught:
        convert(read_ptx(text, "k.ptx", locations=True))
    assert message in caught.value.message
    assert caught.value.line == text[: text.index(body)].count("\n") + 1


def test_directives_of_functions_come_through():
    head = HEAD.replace("8.0", "9.0")
    kernel = ".visible .entry k() .reqntid 32, 1, 1 .reqnctapercluster 2, 1, 1 .blocksareclusters { ret; }"
    callee = ".func f(.param .b32 x) .noreturn .abi_preserve 8 .abi_preserve_control 4 { ret; }"
    text = print_ptx(convert_to_ptx(convert(read_ptx(f"{head}{kernel}\n{callee}"))))
    for line in (".blocksareclusters", ".abi_preserve 8", ".abi_preserve_control 4", ".noreturn"):
        assert f"\n{line}\n" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".visible .func g() { ret; }\n.visible .func f();\n.alias f, g;\n", ".alias is not supported"),
        (".local .align 4 .b8 buffer[64];\n", "cannot be in .local"),
        (".entry k() .maxnctapersm 2 { ret; }\n", "the directive .maxnctapersm is not supported"),
        (
            ".entry k() { .reg .b32 r; ld.local.u32 r, [4096]; }\n",
            "an address must be in a register or a symbol's, not a number",
        ),
    ],
)  # fmt: skip
def test_what_only_the_ptx_dialect_holds(text: str, message: str):
    module = read_ptx(HEAD + text)
    printed = print_ptx(module)
    assert "".join(printed.split()) == "".join((HEAD + text).split())
    with pytest.raises(DiagnosticError, match=message):
        convert(module)


def test_the_mode_of_textures_is_refused_in_machine_code():
    module = read_ptx(HEAD.replace("sm_90", "sm_90, texmode_independent"))
    assert ".target sm_90, texmode_independent" in print_ptx(module)
    with pytest.raises(DiagnosticError, match="'texmode_independent' is not supported in machine"):
        convert(module)


def test_a_symbol_of_a_function_is_its_own():
    """Instructions that look alike name what their own function means."""
    kernels = "".join(
        f".visible .entry k{n}(.param .u64 to) {{\n.shared .align 4 .b32 x[{n + 1}];\n"
        ".reg .b32 r; .reg .b64 out; ld.param.u64 out, [to];\n"
        f"st.shared.u32 [x], {n + 5}; ld.shared.u32 r, [x]; st.global.u32 [out], r; ret;\n}}\n"
        for n in range(3)
    )
    printed = print_ptx(convert_to_ptx(convert(read_ptx(HEAD + kernels))))
    for name, number in (("x", 5), ("x_$1", 6), ("x_$2", 7)):
        assert f"[{name}], {number};" in printed
        assert f", [{name}];" in printed
