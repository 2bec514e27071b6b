"""The output of printf, and formats that it rejects."""

from __future__ import annotations

import pytest
from helpers.assembling import assemble, needs_ptxas
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch
from nvvm_xdsl.verify.verifier import verify_module

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @printf(ptr, ...)
@word = private constant [4 x i8] c"abc\\00"
"""

CASES: list[tuple[str, str, str]] = [
    ("nothing%%\\0A", "", "nothing%\n"),
    ("%d %u %x|", "i32 -5, i32 -5, i32 255", "-5 4294967291 ff|"),
    ("%f %.2f %e|", "float 1.5, double -2.125, half 0xH4000", "1.500000 -2.12 2.000000e+00|"),
    ("%g|", "bfloat 0xR3FC0", "1.5|"),
    ("%lld %d|", "i64 -12345678901, i32 7", "-12345678901 7|"),
    ("%d %lld %d|", "i32 1, i64 2, i32 3", "1 2 3|"),
    ("%c%c %hhd|", "i8 65, i32 66, i8 -3", "AB -3|"),
    ("%hd %d|", "i16 -7, i1 true", "-7 1|"),
    ("%u|", "i8 zeroext -1", "255|"),
    ("%lld|", "i40 -9", "-9|"),
    ("%s=%d %s|", "ptr @word, i32 4, ptr @word", "abc=4 abc|"),
    ("%*d|%-4d|", "i32 5, i32 42, i32 3", "   42|3   |"),
    ("%d %f %d %f %d|", "i32 1, double 2.0, i32 3, double 4.0, i32 5", "1 2.000000 3 4.000000 5|"),
]


def kernel() -> str:
    lines: list[str] = []
    strings: list[str] = []
    for number, (text, arguments, _) in enumerate(CASES):
        length = len(text.replace("\\0A", "\n")) + 1
        strings.append(f'@f{number} = private constant [{length} x i8] c"{text}\\00"')
        rest = f", {arguments}" if arguments else ""
        lines.append(f"  %r{number} = call i32 (ptr, ...) @printf(ptr @f{number}{rest})")
    body = "\n".join(lines)
    return f"{HEAD}{chr(10).join(strings)}\ndefine ptx_kernel void @k() {{\n{body}\n  ret void\n}}"


def lowered(text: str) -> ModuleOp:
    module = read_ll(text, "k.ll")
    PassManager("printf-lowering").run(module)
    module.verify()
    verify_module(module)
    return module


@pytest.mark.parametrize("level", ["llvm", "nvptx"])
def test_output(level: str):
    module = lowered(kernel())
    if level == "nvptx":
        module = select(module, CodegenOptions.for_arch("sm_80"))
    result = launch(module, "k", 1, 2)
    assert result.output == "".join(2 * wanted for _, _, wanted in CASES)


@needs_ptxas
def test_selection_lowers_automatically():
    text = nvvm_xdsl.compile(kernel(), arch="sm_80", opt_level=0)
    assemble(text, "sm_80")
    assert text.count(".local .align 8") == 1


def test_a_struct_is_packed_as_in_memory():
    text = f"""{HEAD}
    @f = private constant [9 x i8] c"%d %f %d\\00"
    define ptx_kernel void @k() {{
      %x = insertvalue {{ i32, double }} {{ i32 1, double 0.0 }}, double 2.5, 1
      call i32 (ptr, ...) @printf(ptr @f, {{ i32, double }} %x, i32 9)
      ret void
    }}"""
    assert launch(lowered(text), "k", 1, 1).output == "1 2.500000 9"


@pytest.mark.parametrize(
    "format_",
    [
        "%p",
        "@open",
        "getelementptr (i8, ptr @word, i64 1)",
    ],
)
def test_the_format_is_a_literal(format_: str):
    text = f"""{HEAD}
    @open = global [4 x i8] c"abc\\00"
    define void @f(ptr %p) !dbg !3 {{
      %r = call i32 (ptr, ...) @printf(ptr {format_}, i32 1), !dbg !5
      ret void
    }}
    !llvm.dbg.cu = !{{!0}}
    !llvm.module.flags = !{{!2}}
    !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "kernel.cu", directory: "/")
    !2 = !{{i32 2, !"Debug Info Version", i32 3}}
    !3 = distinct !DISubprogram(name: "f", file: !1, line: 10, unit: !0, type: !4, spFlags: DISPFlagDefinition)
    !4 = !DISubroutineType(types: !{{}})
    !5 = !DILocation(line: 12, column: 3, scope: !3)
    """
    if format_.startswith("getelementptr"):
        lowered(text)
        return
    with pytest.raises(
        DiagnosticError, match="The first argument for printf must be a string literal!"
    ) as caught:
        lowered(text)
    assert "kernel.cu:12:3" in caught.value.render()


def test_other_functions_of_the_same_name_are_unchanged():
    for text in (
        "define i32 @printf(ptr %p) {\n ret i32 0\n}\n"
        "define void @f(ptr %p) {\n %r = call i32 @printf(ptr %p)\n ret void\n}",
        "declare i32 @printf(ptr, i32)\n"
        "define void @f(ptr %p) {\n %r = call i32 @printf(ptr %p, i32 1)\n ret void\n}",
    ):
        module = read_ll('target triple = "nvptx64-nvidia-cuda"\n' + text)
        before = ir_text(module)
        PassManager("printf-lowering").run(module)
        assert ir_text(module) == before


def test_vprintf_of_another_type():
    text = kernel() + "\ndeclare void @vprintf(i32)"
    with pytest.raises(DiagnosticError, match="@vprintf must be a function of type"):
        lowered(text)
