"""`nvvm_xdsl.integrations.libnvvm`, called in the same way as `cuda.bindings.nvvm`."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import needs_libdevice

from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.integrations import libnvvm as nvvm
from nvvm_xdsl.lab.measure import convert
from nvvm_xdsl.simulator.launch import launch

LAYOUT = (
    'target triple = "nvptx64-nvidia-cuda"\n'
    'target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-'
    'f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"\n'
)

# Typed pointers and kernel annotations, as written by LLVM 7 and Numba.
SINE = (
    LAYOUT
    + """\
define void @sine(float* %x) {
  %v = load float, float* %x
  %s = call float @__nv_sinf(float %v)
  %d = fdiv float %s, %v
  store float %d, float* %x
  ret void
}
define float @kept(float %x) {
  %y = fmul float %x, %x
  ret float %y
}
declare float @__nv_sinf(float)
!nvvm.annotations = !{!0}
!0 = !{void (float*)* @sine, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
"""
)

PLAIN = LAYOUT + "define ptx_kernel void @plain(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n"


def program_of(*sources: str) -> int:
    program = nvvm.create_program()
    for number, source in enumerate(sources):
        data = source.encode()
        nvvm.add_module_to_program(program, data, len(data), f"source{number}.ll")
    return program


def log_of(program: int) -> str:
    log = bytearray(nvvm.get_program_log_size(program))
    nvvm.get_program_log(program, log)
    assert log[-1] == 0
    return log[:-1].decode()


def result_of(program: int) -> bytes:
    result = bytearray(nvvm.get_compiled_result_size(program))
    nvvm.get_compiled_result(program, result)
    assert result[-1] == 0
    return bytes(result[:-1])


def compiled(program: int, *options: str | bytes) -> str:
    nvvm.compile_program(program, len(options), options)
    return result_of(program).decode()


@needs_libdevice
def test_a_program_with_libdevice_added_lazily_computes_sines():
    path = find_libdevice()
    assert path is not None
    program = program_of(SINE)
    options = ["-arch=compute_90", "-opt=3", "-fma=1"]
    nvvm.verify_program(program, len(options), options)
    library = path.read_bytes()
    nvvm.lazy_add_module_to_program(program, library, len(library), "libdevice")
    ptx = compiled(program, *options)
    assert log_of(program) == ""
    assert ".target sm_90\n" in ptx
    assert "__nv_sinf" not in ptx
    # The program keeps functions that other modules may call.
    assert ".visible .func (.param .b32 func_retval0) kept(" in ptx
    x = np.array([0.75], np.float32)
    launch(convert(read_ptx(ptx, "sine.ptx")), "sine", 1, 1, [x])
    np.testing.assert_allclose(x, np.sin(0.75) / 0.75, rtol=1e-6)
    nvvm.destroy_program(program)


def test_modules_are_linked():
    caller = LAYOUT + (
        "declare i32 @seven()\ndefine ptx_kernel void @k(ptr %p) {\n  %s = call i32 @seven()\n"
        "  store i32 %s, ptr %p\n  ret void\n}\n"
    )
    ptx = compiled(program_of(caller, LAYOUT + "define i32 @seven() {\n  ret i32 7\n}\n"))
    assert "st.global.b32 \t[%rd2], 7;" in ptx


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["-ftz=1", "-prec-div=0"], "div.full.ftz.f32"),
        (["-ftz=1", "-prec-div=1"], "div.rn.ftz.f32"),
        ([b"-prec-div=0"], "div.full.f32"),
        (["-arch=compute_80", "-generate-line-info"], ".target sm_80"),
        (["-g", "-opt=0"], "div.rn.f32"),
        (["-jump-table-density=101"], "div.rn.f32"),
        (["-arch=compute_100", "-ptx-version-target=91"], ".version 9.1\n"),
    ],
)
def test_options_are_applied(options: list[str | bytes], found: str):
    source = LAYOUT + (
        "define ptx_kernel void @d(ptr %p, float %x, float %y) {\n  %q = fdiv float %x, %y\n"
        "  store float %q, ptr %p\n  ret void\n}\n"
    )
    assert found in compiled(program_of(source), *options)


@pytest.mark.parametrize(
    "option",
    [
        "-foo",
        "-opt=4",
        "-opt",
        "-arch=sm_90",
        "-arch=compute_1",
        "-ftz=2",
        "-gen-lto",
        "-jump-table-density=102",
        "-ptx-version-target=85",
        "-ptx-version-target=96",
        "-ptx-version-target=x",
    ],
)
def test_unknown_options_are_errors_with_a_log(option: str):
    program = program_of(PLAIN)
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_INVALID_OPTION \(7\)") as caught:
        nvvm.compile_program(program, 1, [option])
    assert caught.value.status is nvvm.Result.ERROR_INVALID_OPTION
    assert option.partition("=")[2] in log_of(program)
    # The same program compiles with valid options, and its log is then empty.
    assert ".entry plain" in compiled(program)
    assert log_of(program) == ""


def test_a_target_that_needs_a_newer_ptx_version_is_an_error():
    program = program_of(PLAIN)
    options = ["-arch=compute_107", "-ptx-version-target=93"]
    with pytest.raises(nvvm.nvvmError, match="ERROR_COMPILATION"):
        nvvm.compile_program(program, len(options), options)
    assert log_of(program) == "error: the module needs PTX version 9.4, not 9.3"


def test_only_the_given_number_of_options_is_read():
    program = program_of(PLAIN)
    nvvm.compile_program(program, 1, ["-opt=3", "-arch=compute_90"])
    assert b".target sm_75" in result_of(program)


def test_invalid_ir_is_an_error_with_its_location():
    program = program_of("define void @f() { ret voi }")
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_COMPILATION \(9\)"):
        nvvm.compile_program(program, 0, [])
    assert "source0.ll:1:24: error: " in log_of(program)
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_INVALID_IR \(6\)"):
        nvvm.verify_program(program, 0, [])
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_INVALID_PROGRAM \(5\)"):
        nvvm.get_compiled_result_size(program)


def test_misuse_is_an_error():
    program = nvvm.create_program()
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_NO_MODULE_IN_PROGRAM \(8\)"):
        nvvm.compile_program(program, 0, [])
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_INVALID_INPUT \(4\)"):
        nvvm.add_module_to_program(program, b"abc", 4, None)
    nvvm.destroy_program(program)
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_INVALID_PROGRAM \(5\)"):
        nvvm.destroy_program(program)
    small = program_of(PLAIN)
    compiled(small)
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_INVALID_INPUT \(4\)"):
        nvvm.get_compiled_result(small, bytearray(3))


def test_versions():
    assert nvvm.version() == (2, 0)
    assert nvvm.ir_version() == (2, 0, 3, 2)
    assert nvvm.llvm_version("compute_90") == 22
    assert nvvm.get_error_string(7) == "NVVM_ERROR_INVALID_OPTION"
    with pytest.raises(nvvm.nvvmError, match="INVALID_OPTION"):
        nvvm.llvm_version("gfx90a")


DEBUG = (
    LAYOUT
    + """
define ptx_kernel void @k(ptr %p) !dbg !4 {
  store i32 7, ptr %p, !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!7}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "x (y)", emissionKind: KIND)
!1 = !DIFile(filename: "k.c", directory: "/")
!2 = !DISubroutineType(types: !3)
!3 = !{null}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 3, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 5, column: 2, scope: !4)
!7 = !{i32 2, !"Debug Info Version", i32 3}
"""
)


@pytest.mark.parametrize(
    ("kind", "options", "lines", "sections"),
    [
        ("DebugDirectivesOnly", [], True, False),
        ("LineTablesOnly", [], True, False),
        ("FullDebug", [], True, True),
        ("NoDebug", [], False, False),
        ("NoDebug", ["-generate-line-info"], True, False),
        ("FullDebug", ["-generate-line-info"], True, True),
    ],
)
def test_debug_information_of_the_module(
    kind: str, options: list[str], lines: bool, sections: bool
):
    ptx = compiled(program_of(DEBUG.replace("KIND", kind)), *options)
    assert (".loc" in ptx) is lines
    assert (".debug_info" in ptx) is sections
