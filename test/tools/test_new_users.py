"""What new users type in their first hour, mistakes included: one clear message for each."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from nvvm_xdsl.driver import cuda
from nvvm_xdsl.tools import (
    nvvm_cc,
    nvvm_diff,
    nvvm_opt,
    nvvm_run,
    nvvm_verify_races,
    nvvm_view,
)

needs_clang = pytest.mark.skipif(
    not any(map(shutil.which, cuda.CLANGS)), reason="clang was not found"
)

KERNELS = """\
__global__ void vadd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
template <typename T> __global__ void sum(const T *x, T *out, int n) {
  extern __shared__ T tile[];
  int t = threadIdx.x;
  tile[t] = t < n ? x[t] : T(0);
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) tile[t] += tile[t + s];
    __syncthreads();
  }
  if (t == 0) *out = tile[0];
}
template __global__ void sum<float>(const float *, float *, int);
"""
VADD = ["--kernel", "vadd", "--block", "8", "--arg", "c=f32[8]", "--arg", "n=8"]

HALF_LOWERED = """\
gpu.module @m {
  llvm.func @copy(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.mlir.constant(7 : index) : i64
    llvm.store %0, %p : i64, !llvm.ptr
    llvm.return
  }
}
"""
"""The output of `mlir-opt -convert-gpu-to-nvvm`."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a CUDA source."""
    (tmp_path / "k.cu").write_text(KERNELS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


Main = Callable[[list[str]], int]


def told(main: Main, words: list[str], capsys: pytest.CaptureFixture[str], status: int = 1) -> str:
    """What a tool prints to standard error."""
    assert main(words) == status
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-arch=sm90", "unknown target 'sm90': expected sm_<number> or compute_<number>; did you mean 'sm_90'"),
        ("-arch=90", "unknown target '90': expected sm_<number> or compute_<number>; did you mean 'sm_90'"),
        ("-arch", "-arch: expected a target, for example -arch sm_90"),
        ("-arch -O3", "-arch: expected a target, for example -arch sm_90"),
        ("--use-fast-math", "unrecognized arguments: --use-fast-math; did you mean '--use_fast_math'"),
        ("--report k.htm", "--report=k.htm: expected a name that ends in .html, .json, .sarif"),
        ("-lcublas", "-lcublas: nvvm-cc compiles device code only, and links no libraries of the host"),
        ("-L/usr/lib", "-L/usr/lib: nvvm-cc compiles device code only, and links no libraries of the host"),
        ("-ccbin g++", "-ccbin: nvvm-cc generates no host code, and calls no host compiler"),
        ("-ccbin=g++", "-ccbin: nvvm-cc generates no host code, and calls no host compiler"),
        ("-E", "-E: clang -E --cuda-device-only prints the preprocessed source"),
    ],
)  # fmt: skip
def test_mistakes_in_options_of_the_compiler(
    words: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    assert message in told(nvvm_cc.main, ["k.cu", *words.split()], capsys)


@needs_clang
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--expt-relaxed-constexpr --extended-lambda", "add.f32"),
        ("-Wall -Wextra -w", "add.f32"),
        ("-ftz=true", "add.ftz.f32"),
        ("--ftz=true", "add.ftz.f32"),
        ("--ftz=false", "add.f32"),
    ],
)
def test_options_of_nvcc(words: str, found: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    assert nvvm_cc.main(["k.cu", "-o", "k.ptx", *words.split()]) == 0
    assert found in (folder / "k.ptx").read_text()
    assert capsys.readouterr().err == ""


def test_resource_usage_is_an_option_of_ptxas():
    from nvvm_xdsl.tools.nvcc_options import join_nvcc

    assert join_nvcc(["--resource-usage"]) == ["--ptxas-options=-v"]


@needs_clang
@pytest.mark.parametrize("main", [nvvm_run.main, nvvm_diff.main])
def test_the_option_that_chooses_a_kernel_is_named(
    main: Main, folder: Path, capsys: pytest.CaptureFixture[str]
):
    assert told(main, ["k.cu"], capsys).startswith(
        "error: choose a kernel with --kernel; the module has vadd(float const*, float const*, float*, int), "
    )


@needs_clang
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("a=f32[8] b=float[8]=1", "'float[8]=1': unknown element type 'float'; did you mean 'f32'?"),
        ("a=f32[8] b=int3[8]", "'int3[8]': unknown element type 'int3'; known are i8, u8, i16"),
        ("a=f32[8] b=f23[8]", "unknown element type 'f23'; did you mean 'f32'"),
        ("a=f32[8] b=f32[]", "'f32[]': expected a size such as f32[1000] or f32[48,64]"),
        ("a=f32[8] b=f32[8]=arang", "a buffer cannot be filled with 'arang'; did you mean 'arange'?"),
        ("a=f32[8] b=f32[8]=x", "a buffer cannot be filled with 'x'; expected a number, arange, random or @FILE"),
        ("a=f32[8] b=one", "'one' is neither a number nor a buffer such as f32[1000]"),
    ],
)  # fmt: skip
def test_mistakes_in_arguments_of_a_kernel(
    values: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    given = [word for value in values.split() for word in ("--arg", value)]
    assert message in told(nvvm_run.main, ["k.cu", *VADD, *given], capsys)


@needs_clang
def test_a_buffer_of_another_type_than_the_parameter(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    given = ["--arg", "a=f64[8]=1", "--arg", "b=f32[8]"]
    assert told(nvvm_run.main, ["k.cu", *VADD, *given], capsys, 0) == (
        "warning: --arg a: a buffer of f64 for a parameter of type float const* (f32)\n"
    )


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("f32[8]", "float*"),
        ("u32[8]", "int const*"),
        ("f32[8]", "float4 const*"),
        ("u8[8]", "void*"),
        ("f64[8]", "float const**"),
        ("7", "float*"),
    ],
)
def test_buffers_without_a_warning(text: str, parameter: str):
    from nvvm_xdsl.tools.kernel_arguments import mismatch

    assert mismatch(text, parameter) is None


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("_Z4vaddPKfS0_Pfi", ["float const*", "float const*", "float*", "int"]),
        ("_Z1fSt4pairIifEPi", ["std::pair<int, float>", "int*"]),
        ("plain", []),
    ],
)
def test_types_of_parameters_from_a_mangled_name(name: str, types: list[str]):
    from nvvm_xdsl.ir.demangle import parameter_types

    assert parameter_types(name) == types


@needs_clang
def test_dynamic_shared_memory_without_a_size(folder: Path, capsys: pytest.CaptureFixture[str]):
    words = ["k.cu", "--kernel", "sum", "--block", "8", "--arg", "x=f32[8]", "--arg", "out=f32[1]", "--arg", "n=8"]  # fmt: skip
    note = "note: the module has dynamic shared memory; --shared BYTES sets its size (now 0)\n"
    text = told(nvvm_run.main, words, capsys)
    # The name of the source is shown as it was typed.
    assert text.startswith("k.cu:8:11: error: Invalid __shared__ write of size 4 bytes")
    assert "at sum<float> in k.cu:8:11" in text
    assert text.endswith(note)
    assert note not in told(nvvm_run.main, [*words, "--shared", "4"], capsys)


@needs_clang
def test_kernels_of_a_race_verdict_are_demangled(folder: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("z3")
    assert nvvm_verify_races.main(["k.cu", "--kernel", "sum"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("sum<float>: race\n  k.cu:8:11: write by thread")


@needs_clang
def test_columns_of_the_report_are_aligned(folder: Path, capsys: pytest.CaptureFixture[str]):
    """Names are demangled before the widths of columns are computed; paths are relative."""
    text = told(nvvm_cc.main, ["k.cu", "-o", "k.ptx", "--report"], capsys, 0)
    lines = text.partition("Occupancy on sm_75\n")[2].splitlines()
    column = lines[0].index("registers")
    assert [line.partition(" ")[0] for line in lines[1:3]] == ["vadd", "sum<float>"]
    assert all(line[column - 1] == " " and line[column].isdecimal() for line in lines[1:3])
    assert "\nk.cu:3   global load" in text


def test_a_report_may_precede_an_input(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert "nok.cu: error: no such file" in told(nvvm_cc.main, ["--report", "nok.cu"], capsys)
    (folder / "input.v2").write_text("define void @f() { ret void }")
    assert nvvm_cc.main(["-o", "f.ptx", "--report", "input.v2"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("k.cu", "required: PICTURE; PICTURE is one of cfg, domtree"),
        ("k.cu histroy", "invalid choice: 'histroy' (choose from 'cfg',"),
        ("k.cu histroy", "; did you mean 'history'?"),
    ],
)
def test_mistakes_in_the_kind_of_a_picture(
    words: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    assert message in told(nvvm_view.main, words.split(), capsys)


@needs_clang
def test_only_kernels_are_suggested_for_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]):
    text = told(nvvm_view.main, ["k.cu", "cfg"], capsys)
    assert "vadd(float const*" in text
    assert "__fetch_builtin" not in text


def test_passes_written_as_options(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "k.mlir").write_text(HALF_LOWERED)
    text = told(nvvm_opt.main, ["k.mlir", "--mem2reg", "--dce"], capsys)
    assert "unrecognized arguments: --mem2reg --dce; passes are named by -p: -p mem2reg" in text
    assert "did you mean 'ptx'?" in told(nvvm_opt.main, ["k.mlir", "-t", "pxt"], capsys)


@pytest.mark.parametrize("words", [["-t", "ptx"], ["-O3", "-t", "ptx"]])
def test_a_gpu_module_is_compiled(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
):
    """Also constants of type index, which MLIR's conversion creates."""
    (folder / "k.mlir").write_text(HALF_LOWERED)
    assert nvvm_opt.main(["k.mlir", *words]) == 0
    found = capsys.readouterr()
    assert ".visible .entry copy(" in found.out
    assert ", 7;" in found.out
    assert found.err == ""


def test_host_code_beside_a_gpu_module(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "k.mlir").write_text(HALF_LOWERED + "func.func @host() { return }\n")
    assert nvvm_opt.main(["k.mlir", "-p", "mem2reg"]) == 0
    found = capsys.readouterr()
    assert "@copy" in found.out
    assert "@host" not in found.out
    assert found.err == "remark: only the device code of gpu.module is kept; the host code is dropped\n"  # fmt: skip
    # Without passes, and for MLIR's own passes, the module keeps its structure.
    assert nvvm_opt.main(["k.mlir"]) == 0
    assert "@host" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("llvm.func @k() { llvm.retrun }", "k.mlir:1:18: error: Operation llvm.retrun is not registered; did you mean 'llvm.return'"),
        ("llvm.func @k() { %i = gpu.thread_id x }", "Operation gpu.thread_id does not have a custom format in xDSL: lower it to the llvm and nvvm dialects (mlir-opt), or print it with mlir-opt --mlir-print-op-generic"),
        ("func.func @k() { return }", "@k: func.func is not device code: run mlir-opt -convert-func-to-llvm first"),
        ("ML\xefR\0", "k.mlir: error: MLIR bytecode is not supported; mlir-opt converts it to text"),
    ],
)  # fmt: skip
def test_mlir_that_cannot_be_compiled(
    text: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    (folder / "k.mlir").write_bytes(text.encode("latin-1"))
    assert message in told(nvvm_cc.main, ["k.mlir"], capsys)


def test_a_block_of_another_size_than_required(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "k.ll").write_text(
        'define ptx_kernel void @k() #0 { ret void }\nattributes #0 = { "nvvm.reqntid"="128" }\n'
    )
    text = told(nvvm_run.main, ["k.ll"], capsys)
    assert "@k requires blocks of (128, 1, 1) threads (reqntid), not (1, 1, 1)" in text


@pytest.mark.parametrize("name", ["numba", "triton"])
def test_a_missing_package_is_named_with_the_extra(name: str, monkeypatch: pytest.MonkeyPatch):
    integration = import_module(f"nvvm_xdsl.integrations.{name}")
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf"pip install 'nvvm-xdsl\[{name}\]'") as caught:
        integration.install()
    # One traceback, not two.
    assert caught.value.__suppress_context__


def test_memory_accesses_in_inline_assembly_are_noted(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    """Triton's kernels access memory in inline assembly."""
    (folder / "k.ll").write_text(
        """\
define ptx_kernel void @k(ptr addrspace(1) %p, i1 %c) {
  %v = call i32 asm sideeffect "mov.u32 $0, 0x0;\\0A\\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %p, i1 %c)
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %v, ptr addrspace(1) %p)
  call void asm sideeffect "bar.sync 0;", ""()
  ret void
}
"""
    )
    text = told(nvvm_cc.main, ["k.ll", "-o", "k.ptx", "--report"], capsys, 0)
    assert "note: k: 2 memory accesses in inline assembly are not analysed; nvvm-run --profile counts them\n" in text  # fmt: skip
