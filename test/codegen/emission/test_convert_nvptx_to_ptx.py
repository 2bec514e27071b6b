"""From machine code to PTX text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr
from xdsl.parser import Parser

from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert, expand_template
from nvvm_xdsl.codegen.from_ptx import convert as convert_from_ptx
from nvvm_xdsl.dialects.nvptx import (
    NVPTX,
    RESERVED_REGISTERS,
    SPECIAL_REGISTERS,
    global_variable,
    relocation,
)
from nvvm_xdsl.dialects.nvptx.target import Target, version_text
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.compile import mlir_context
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of
from nvvm_xdsl.frontend.mlir_reader import read_mlir
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.instrumentation import ir_text


def parse(body: str) -> ModuleOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    module = Parser(context, body).parse_module()
    module.attributes["nvptx.target"] = StringAttr("sm_90")
    module.attributes["nvptx.ptx"] = StringAttr("8.6")
    module.verify()
    return module


def ptx_of(body: str) -> str:
    return printed(parse(body))


def printed(module: ModuleOp) -> str:
    """Returns the module as PTX, and the PTX after printing and parsing its IR of the ptx dialect."""
    converted = convert(module)
    text = print_ptx(converted)
    again = read_mlir(ir_text(converted), "again.mlir", mlir_context())
    assert print_ptx(again) == text
    return text


def instructions(ptx: str) -> list[str]:
    """Returns the lines of the first body, without declarations."""
    body = ptx.partition("{")[2].rpartition("}")[0]
    lines = [re.sub(r"\s+", " ", line).strip() for line in body.splitlines()]
    return [line for line in lines if line and not line.startswith(".reg")]


SWAP = """
nvptx.func kernel visible @k(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %b = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.bra ^loop(%a, %b : !nvptx.b32, !nvptx.b32)
^loop(%x: !nvptx.b32, %y: !nvptx.b32):
  %c = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%y, %x : !nvptx.b32, !nvptx.b32), ^done
^done:
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
"""


@needs_ptxas
def test_swap_on_a_critical_edge():
    ptx = ptx_of(SWAP)
    # %r3 and %r4 are x and y; the swap is only on the backedge.
    assert instructions(ptx) == [
        "ld.param.b64 %rd1, [k_param_0];",
        "ld.global.b32 %r1, [%rd1];",
        "ld.global.b32 %r2, [%rd1+4];",
        "mov.b32 %r4, %r2;",
        "mov.b32 %r3, %r1;",
        "$L__BB0_1:",
        "setp.lt.s32 %p1, %r3, %r4;",
        "@!%p1 bra $L__BB0_2;",
        "mov.b32 %r5, %r3;",
        "mov.b32 %r3, %r4;",
        "mov.b32 %r4, %r5;",
        "bra.uni $L__BB0_1;",
        "$L__BB0_2:",
        "st.global.b32 [%rd1], %r3;",
        "ret;",
    ]
    assert ".reg .b32 \t%r<6>;" in ptx
    assemble(ptx, "sm_90")


BOTH_EDGES = """
nvptx.func kernel visible @k(#nvptx.param<b32>) {
  %a = nvptx.ld param.b32 [@k_param_0] : () -> !nvptx.b32
  %b = nvptx.undef : !nvptx.b32
  %c = nvptx.setp lt.s32 %a, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^join(%a : !nvptx.b32), ^other(%a : !nvptx.b32)
^other(%y: !nvptx.b32):
  nvptx.bra ^join(%b : !nvptx.b32)
^join(%x: !nvptx.b32):
  %s = nvptx.mov b64 0 : () -> !nvptx.b64
  nvptx.st global.b32 [%s], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
"""


@needs_ptxas
def test_copies_on_both_edges_but_not_of_undefined_values():
    ptx = ptx_of(BOTH_EDGES)
    lines = instructions(ptx)
    assert lines[2:] == [
        "@!%p1 bra $L__BB0_e1;",
        "mov.b32 %r4, %r1;",
        "bra.uni $L__BB0_2;",
        "$L__BB0_e1:",
        "mov.b32 %r3, %r1;",
        "$L__BB0_1:",
        "$L__BB0_2:",
        "mov.b64 %rd1, 0;",
        "st.global.b32 [%rd1], %r4;",
        "ret;",
    ]
    assemble(ptx, "sm_90")


NUMBERED = """
nvptx.func kernel visible @k(#nvptx.param<b32>) {
  %i = nvptx.register : !nvptx.b32<3>
  %a = nvptx.ld param.b32 [@k_param_0] : () -> !nvptx.b32
  %0 = nvptx.mov b32 %a : (!nvptx.b32) -> !nvptx.b32<3>
  nvptx.bra ^loop
^loop:
  %1 = nvptx.add s32 %i, -1 : (!nvptx.b32<3>) -> !nvptx.b32<3>
  %c = nvptx.setp ne.s32 %i, 0 : (!nvptx.b32<3>) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop, ^done
^done:
  nvptx.ret
}
"""


@needs_ptxas
def test_numbered_registers_keep_their_numbers():
    ptx = ptx_of(NUMBERED)
    assert instructions(ptx) == [
        "ld.param.b32 %r4, [k_param_0];",
        "mov.b32 %r3, %r4;",
        "$L__BB0_1:",
        "add.s32 %r3, %r3, -1;",
        "setp.ne.s32 %p1, %r3, 0;",
        "@%p1 bra $L__BB0_1;",
        "ret;",
    ]
    assemble(ptx, "sm_90")


@needs_ptxas
def test_functions_are_declared_before_their_use():
    ptx = ptx_of("""
nvptx.func @first() {
  nvptx.call uni @second() : () -> ()
  %t = nvptx.mov b64 @third : () -> !nvptx.b64
  nvptx.call (%t) : (!nvptx.b64) -> ()
  nvptx.ret
}
nvptx.func @second() {
  nvptx.call uni @first() : () -> ()
  nvptx.ret
}
nvptx.func @third() {
  nvptx.ret
}
""")
    heads = [line for line in ptx.splitlines() if line.startswith(".func")]
    assert heads == [
        ".func second();",
        ".func third();",
        ".func first()",
        ".func second()",
        ".func third()",
    ]
    assemble(ptx, "sm_90", "-c")


def variables(*ops: object) -> str:
    module = ModuleOp([])
    module.attributes["nvptx.target"] = StringAttr("sm_90")
    module.attributes["nvptx.ptx"] = StringAttr("8.0")
    for op in ops:
        fast.append(module.body.block, op)  # pyright: ignore[reportArgumentType]
    module.verify()
    return printed(module)


@needs_ptxas
def test_initializers():
    ptx = variables(
        global_variable(
            "pair",
            "global",
            "u64",
            2,
            align=8,
            linkage="visible",
            init=bytes(16),
            relocations=[relocation(0, "data", 4), relocation(8, "data", -4, generic=False)],
        ),
        global_variable(
            "bytes",
            "global",
            "b8",
            24,
            align=8,
            linkage="visible",
            init=bytes(8) + b"\x07" + bytes(15),
            relocations=[relocation(16, "data")],
        ),
        global_variable(
            "odd",
            "global",
            "b8",
            12,
            linkage="visible",
            init=b"\x01\x02\x03\x04" + bytes(8),
            relocations=[relocation(4, "data", generic=False)],
        ),
        global_variable(
            "data",
            "global",
            "s16",
            4,
            align=2,
            linkage="visible",
            init=b"\xff\xff\x01\x00" + bytes(4),
        ),
        global_variable("zeros", "const", "b32", 4, init=bytes(16)),
        global_variable(
            "nan", "global", "f64", linkage="visible", init=b"\x01" + bytes(5) + b"\xf8\x7f"
        ),
    )
    lines = [line for line in ptx.splitlines() if line.startswith((".visible", ".const"))]
    assert lines == [
        ".visible .global .align 2 .s16 data[4] = {-1, 1};",
        ".visible .global .align 8 .u64 pair[2] = {generic(data)+4, data+-4};",
        ".visible .global .align 8 .u64 bytes[3] = {0, 7, generic(data)};",
        ".visible .global .u8 odd[12] = {1, 2, 3, 4, "
        + ", ".join(f"0xFF{'00' * n}(data)" for n in range(8))
        + "};",
        ".const .b32 zeros[4];",
        ".visible .global .f64 nan = 0d7FF8000000000001;",
    ]
    assemble(ptx, "sm_90", "-c")


def test_variables_with_each_others_addresses():
    with pytest.raises(DiagnosticError, match="hold each other's addresses"):
        variables(
            global_variable("a", "global", "b64", init=bytes(8), relocations=[relocation(0, "b")]),
            global_variable("b", "global", "b64", init=bytes(8), relocations=[relocation(0, "a")]),
        )


@needs_ptxas
@pytest.mark.parametrize(("arch", "version"), [("sm_90", 90), ("sm_100", 95)])
def test_every_special_register_assembles(arch: str, version: int):
    release = release_of(find_ptxas() or Path())
    if release is None or release.newest_ptx < version:
        pytest.skip(f"ptxas does not accept PTX {version_text(version)}")
    lines: list[str] = []
    for number, (name, (register, needed)) in enumerate(SPECIAL_REGISTERS.items()):
        if needed.ptx <= version and Target.parse(arch).supports(needed):
            lines.append(f'  %r{number} = nvptx.mov.sreg "{name}" : {register}')
    ptx = ptx_of("nvptx.func kernel visible @k() {\n" + "\n".join(lines) + "\n  nvptx.ret\n}")
    ptx = re.sub(r"\.version [\d.]+", f".version {version_text(version)}", ptx)
    assemble(re.sub(r"\.target sm_\d+", f".target {arch}", ptx), arch, "-O0")


def test_reserved_registers_of_document_001():
    assert len(RESERVED_REGISTERS) == 63
    assert RESERVED_REGISTERS - SPECIAL_REGISTERS.keys() == {"SP", "SPL"}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("mov $0, $1;", "mov a, b;"),
        ("mov ${0}, ${1:x};", "mov a, b;"),
        ("$$L_$0: $$$$", "$L_a: $$"),
        ("no operand", "no operand"),
        ("$10", "k"),
    ],
)
def test_inline_assembly_templates(template: str, text: str):
    assert expand_template(template, list("abcdefghijk")) == text


@pytest.mark.parametrize("template", ["$2", "${x}", "$ x"])
def test_a_template_may_not_name_a_missing_operand(template: str):
    with pytest.raises(DiagnosticError, match="inline assembly has no operand"):
        expand_template(template, ["a", "b"])


def test_line_info():
    module = parse("""
nvptx.func kernel visible @k() {
  %a = nvptx.mov b32 1 : () -> !nvptx.b32 loc("a.cu":3:5)
  %b = nvptx.mov b32 2 : () -> !nvptx.b32 loc("a.cu":3:5)
  %c = nvptx.mov b32 2 : () -> !nvptx.b32 loc("b.h":1:1)
  nvptx.ret
}
""")
    assert ".loc" not in printed(module)
    module.attributes["nvptx.debug"] = StringAttr("line")
    ptx = printed(module)
    assert [line.strip() for line in ptx.splitlines() if ".loc" in line or ".file" in line] == [
        ".loc\t1 3 5",
        ".loc\t2 1 1",
        '.file\t1 "a.cu"',
        '.file\t2 "b.h"',
    ]


def test_foreign_ops_are_rejected():
    with pytest.raises(DiagnosticError, match=r"builtin\.module cannot be printed as PTX"):
        convert(ModuleOp([ModuleOp([])]))


FOUR = "!nvptx.f32<1>, !nvptx.f32<2>, !nvptx.f32<3>, !nvptx.f32<4>"
SWAPPED = "!nvptx.f32<2>, !nvptx.f32<1>, !nvptx.f32<3>, !nvptx.f32<4>"


@pytest.mark.parametrize(
    "text",
    [
        'nvptx.inline_asm "use $0, $1, $2, $3;" (%b, %a, %c, %d)'
        f" <{{tied = array<i32: 0, 1, 2, 3>}}> : ({SWAPPED}) -> ({FOUR})",
        "nvptx.wgmma.mma_async sync.aligned.m64n8k8.f32.tf32.tf32 tied (%b, %a, %c, %d)"
        f" %x, %x, 1, 1, 1 : ({SWAPPED}, !nvptx.b64, !nvptx.b64) -> ({FOUR})",
    ],
    ids=["text", "instruction"],
)
def test_tied_operands_are_copied_in_parallel(text: str):
    """The first two operands are in the registers of each other's results."""
    loads = "".join(
        f"  %{name} = nvptx.ld param.f32 [@k_param_1] : () -> !nvptx.f32<{n}>\n"
        for n, name in enumerate("abcd", 1)
    )
    lines = instructions(
        ptx_of(f"""
nvptx.func kernel visible @k(#nvptx.param<b64>, #nvptx.param<f32>) {{
  %x = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64
{loads}  %r:4 = {text}
  nvptx.ret
}}""")
    )
    holds = {f"%f{n}": f"%f{n}" for n in range(1, 9)}
    for line in lines:
        if line.startswith("mov.f32"):
            target, source = line.removeprefix("mov.f32 ").rstrip(";").split(", ")
            holds[target] = holds[source]
    assert [holds[f"%f{n}"] for n in range(1, 5)] == ["%f2", "%f1", "%f3", "%f4"]


@needs_ptxas
def test_integers_of_8_bits_for_bf16_are_in_8_bit_registers():
    ptx = printed(
        convert_from_ptx(
            read_ptx("""\
.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .b16 %h<3>; .reg .b8 %b<3>; .reg .pred %p; .reg .b64 %a;
  ld.param.u64 %a, [x]; ld.global.b16 %h0, [%a]; ld.global.b8 %b0, [%a+2]; setp.gt.u16 %p, %h0, 9;
  cvt.rzi.s8.bf16 %b1, %h0; st.global.b8 [%a], %b1;
  cvt.rn.bf16.u8 %h1, %b0; @%p cvt.rn.bf16.s8 %h1, %b0; st.global.b16 [%a+4], %h1;
  ret;
}
""")
        )
    )
    text = " ".join(instructions(ptx))
    before, _, guarded = text.partition("cvt.rn.bf16.u8 ")
    assert "{ cvt.rzi.s8.bf16 %byte, %rs1; cvt.s16.s8 %rs3, %byte; }" in before
    assert before.endswith("{ cvt.u8.u16 %byte, %rs2; ")
    assert "{ @%p1 cvt.u8.u16 %byte, %rs2; @%p1 cvt.rn.bf16.s8 %rs4, %byte; }" in guarded
    assemble(ptx, "sm_90")
