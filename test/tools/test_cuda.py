"""CUDA C++ as input of the tools."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from helpers.assembling import needs_ptxas

from nvvm_xdsl.driver import cuda, toolkit
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools import nvcc_options, nvvm_cc, nvvm_diff, nvvm_opt, nvvm_run, nvvm_view
from nvvm_xdsl.tools.nvcc_options import join_nvcc

EXAMPLES = Path(__file__).parents[2] / "examples"

needs_clang = pytest.mark.skipif(
    not any(map(shutil.which, cuda.CLANGS)), reason="clang was not found"
)
needs_libdevice = pytest.mark.skipif(toolkit.find_libdevice() is None, reason="no libdevice")

SOFTMAX = """\
__global__ void softmax(const float *x, float *y, int n) {
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < n; i += 32) largest = fmaxf(largest, x[i]);
  for (int d = 16; d; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += expf(x[i] - largest);
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int i = threadIdx.x; i < n; i += 32) y[i] = expf(x[i] - largest) / sum;
}

int main() {
  float *x;
  cudaMalloc(&x, 400);
  softmax<<<1, 32>>>(x, x, 100);
  return cudaDeviceSynchronize();
}
"""
LAUNCH = ["--block", "32", "--arg", "f32[100]=1", "--arg", "f32[100]", "--arg", "100"]

EVERYTHING = """\
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <cmath>
namespace cg = cooperative_groups;

__constant__ float table[4];
__device__ int counter;

__global__ void __launch_bounds__(64) all(float *f, int *i, double *d, float4 *v) {
  __shared__ float s[64];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  s[t] = sqrtf(f[t]) + rsqrtf(f[t]) + fminf(f[t], 2.f) + powf(f[t], 3.f) + __expf(f[t]) + std::sin(f[t]);
  block.sync();
  f[t] = cg::reduce(tile, s[63 - t], cg::plus<float>()) + __int_as_float(i[t]) + table[t % 4];
  float4 a = __ldg(v + t), b = make_float4(1, 2, 3, a.w);
  v[t] = b;
  d[t] = exp(d[t]) + fma(d[t], 2.0, 1.0) + max(t, 3) + min(1u, 2u);
  atomicAdd(i, 1); atomicAdd(f, 1.f); atomicAdd(d, 1.); atomicMax(i, 2); atomicCAS(i, 1, 2); atomicExch(f, 3.f);
  atomicAdd_block(i, 1); atomicOr(i, 8); atomicInc(reinterpret_cast<unsigned *>(i), 9u);
  i[t] = __ballot_sync(~0u, t < 5) + __popc(t) + __any_sync(~0u, t) + __match_any_sync(~0u, t);
  i[t] += __shfl_down_sync(~0u, t, 1) + __shfl_sync(~0u, t, 3) + __syncthreads_count(t) + tile.ballot(t & 1);
  __threadfence();
  __syncwarp();
  if (tile.thread_rank() == 0 && cg::this_grid().thread_rank() == 0) atomicAdd(&counter, __clz(t) + __ffs(t));
}
"""


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "softmax.cu"
    path.write_text(SOFTMAX)
    return str(path)


@pytest.fixture
def without_toolkit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "find_headers", lambda: None)


@pytest.fixture
def clang_once(without_toolkit: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools of a test share clang's result for a source that does not change."""
    monkeypatch.setattr(cuda, "translate", cache(cuda.translate))


@needs_clang
@needs_libdevice
@pytest.mark.parametrize("toolkit_headers", [True, False])
def test_a_kernel_compiles_with_and_without_a_toolkit(
    source: str,
    toolkit_headers: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    if not toolkit_headers:
        monkeypatch.setattr(cuda, "find_headers", lambda: None)
    elif toolkit.find_headers() is None:
        pytest.skip("no CUDA toolkit was found")
    assert nvvm_cc.main([source, "-arch=sm_90"]) == 0
    ptx, _ = capsys.readouterr()
    assert ".target sm_90\n" in ptx
    assert ".entry _Z7softmaxPKfPfi(" in ptx
    assert "ex2.approx" in ptx
    assert ".loc" not in ptx


@needs_clang
@needs_libdevice
def test_cooperative_groups_with_the_packages_of_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(toolkit, "_installed_roots", tuple)
    if toolkit.find_headers() is None:
        pytest.skip("the extra 'cuda' is not installed")
    path = tmp_path / "k.cu"
    path.write_text(
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
        "namespace cg = cooperative_groups;\n__global__ void k(float *p) {\n"
        "  auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "  p[0] = cg::reduce(warp, p[threadIdx.x], cg::plus<float>());\n}\n"
    )
    assert nvvm_cc.main([str(path), "-arch=sm_90"]) == 0
    assert "shfl.sync" in capsys.readouterr().out


@needs_clang
@needs_libdevice
@needs_ptxas
@pytest.mark.usefixtures("without_toolkit")
@pytest.mark.parametrize("arch", ["sm_75", "sm_90", "sm_100a"])
def test_the_headers_of_the_project(arch: str, tmp_path: Path):
    path = tmp_path / "all.cu"
    path.write_text(EVERYTHING)
    output = tmp_path / "all.cubin"
    assert nvvm_cc.main([str(path), f"-arch={arch}", "-cubin", "-o", str(output)]) == 0
    assert output.read_bytes().startswith(b"\x7fELF")


@needs_clang
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.cu")), ids=lambda path: path.stem)
@pytest.mark.usefixtures("without_toolkit")
def test_the_examples_are_accepted(path: Path):
    text, warnings = cuda.translate(b"", str(path), cuda.CudaOptions())
    assert b"ptx_kernel" in text
    assert warnings == ""


@needs_clang
@pytest.mark.usefixtures("without_toolkit")
def test_a_copy_of_the_header(tmp_path: Path):
    """Source archives have a copy of the header beside the examples, where a checkout has a link."""
    shutil.copy(EXAMPLES / "cuda_min.h", tmp_path)
    path = tmp_path / "k.cu"
    path.write_text('#include "cuda_min.h"\n__global__ void k(float4 *p) { p->x = 1; }\n')
    assert nvvm_cc.main([str(path), "-o", str(tmp_path / "k.ptx")]) == 0


@needs_clang
@needs_libdevice
@pytest.mark.usefixtures("clang_once")
def test_nvvm_run_and_diff(source: str, capsys: pytest.CaptureFixture[str]):
    assert nvvm_run.main([source, *LAUNCH, "--check", "all", "--print", "1"]) == 0
    assert capsys.readouterr().out.startswith("[0.01, 0.01,")
    assert nvvm_diff.main([source, *LAUNCH, "--with", "ours-O0,ours-O3", "--tolerance", "1e-5"]) == 0  # fmt: skip
    assert "ours-O0, ours-O3 agree" in capsys.readouterr().out


@needs_clang
@needs_libdevice
@pytest.mark.usefixtures("without_toolkit")
def test_errors_of_a_run_have_the_line_of_the_source(
    source: str, capsys: pytest.CaptureFixture[str]
):
    assert nvvm_run.main([source, *LAUNCH[:-1], "101"]) == 1
    assert f"{source}:3:" in capsys.readouterr().err


@needs_clang
@needs_libdevice
@pytest.mark.usefixtures("clang_once")
def test_names_of_kernels_and_parameters(source: str, capsys: pytest.CaptureFixture[str]):
    named = ["--arg", "n=100", "--arg", "y=f32[100]", "--arg", "x=f32[100]=1", "--block", "32"]
    assert nvvm_run.main([source, "--kernel", "softmax", *named, "--print", "y"]) == 0
    assert capsys.readouterr().out.startswith("[0.01, 0.01,")
    assert nvvm_run.main([source, "--kernel", "sofmax", *named]) == 1
    err = capsys.readouterr().err
    assert "no kernel @sofmax; did you mean 'softmax'" in err
    assert "It has softmax(float const*, float*, int)" in err
    assert nvvm_run.main([source, "--arg", "100"]) == 1
    assert (
        "@softmax takes 3 arguments, 1 were given; its parameters are (x: pointer, y: pointer, n: i32), for example"
        " --arg x=f32[1000] --arg y=f32[1000] --arg n=1000"
    ) in capsys.readouterr().err
    assert nvvm_run.main([source, *named[:-2], "--arg", "m=1"]) == 1
    assert "there is no parameter 'm'" in capsys.readouterr().err
    assert nvvm_run.main([source, *named[:4]]) == 1
    assert "no value for x" in capsys.readouterr().err


@needs_clang
@needs_libdevice
@pytest.mark.usefixtures("without_toolkit")
def test_annotations_show_the_source_and_no_headers(
    source: str, capsys: pytest.CaptureFixture[str]
):
    assert nvvm_run.main([source, *LAUNCH, "--annotate"]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.endswith((".cu", ".h", ".ll"))] == [source]
    assert "| __global__ void softmax" in out
    assert "come from headers of clang and CUDA" in out


VECTORS = """\
__global__ void next(float4 *p, int *q) {
  float4 v = p[threadIdx.x];
  v.x += 1;
  p[threadIdx.x] = v;
  atomicAdd(q, 1);
}
"""


@needs_clang
@pytest.mark.usefixtures("without_toolkit")
@pytest.mark.parametrize("options", [[], ["-lineinfo"], ["-g"]])
def test_costs_of_copies_and_of_functions_in_headers_have_lines_of_the_user(
    options: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    (tmp_path / "k.cu").write_text(VECTORS)
    monkeypatch.chdir(tmp_path)
    assert nvvm_cc.main(["k.cu", "-o", "plain.ptx", *options]) == 0
    assert nvvm_cc.main(["k.cu", "-o", "k.ptx", "--report", *options]) == 0
    rows = capsys.readouterr().err.partition("\n\n")[0].splitlines()[2:]
    assert [" ".join(row.split()[:3]) for row in rows] == [
        "k.cu:2 global load,",
        "k.cu:4 global store,",
        "k.cu:5 global update,",
    ]
    assert (tmp_path / "k.ptx").read_text() == (tmp_path / "plain.ptx").read_text()


@needs_clang
@needs_ptxas
@pytest.mark.usefixtures("without_toolkit")
@pytest.mark.parametrize("options", [["-O3"], ["-O3", "--machine", "-arch=sm_90"]])
def test_annotations_count_inlined_code_at_the_call(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "k.cu"
    path.write_text(VECTORS)
    words = [str(path), "--block", "32", "--arg", "p=f32[128]", "--arg", "q=i32[1]", "--annotate"]
    assert nvvm_run.main([*words, *options]) == 0
    out = capsys.readouterr().out
    (row,) = [line for line in out.splitlines() if "atomicAdd(q, 1);" in line]
    assert int(row.split()[0]) > 0
    assert "headers" not in out


@needs_clang
@needs_libdevice
@pytest.mark.usefixtures("without_toolkit")
def test_the_report_uses_names_of_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / ("long" * 30) / "k.cu"
    path.parent.mkdir()
    path.write_text(
        "__global__ void scale(float *s) {\n  int t = threadIdx.x;\n  s[t] = s[t * 2];\n}\n"
    )
    assert nvvm_cc.main([str(path), "--report", "-arch=sm_90", "-maxrregcount=40"]) == 0
    err = capsys.readouterr().err
    assert "s[t] = s[t * 2];" in err
    assert "…/k.cu:3" in err
    assert "_Z5scale" not in err
    assert max(map(len, err.splitlines())) <= 150


@needs_clang
@needs_libdevice
@pytest.mark.usefixtures("without_toolkit")
def test_the_report_explains_unrolled_loops(source: str, capsys: pytest.CaptureFixture[str]):
    """Why a short row of the softmax gains nothing, and the pragma that changes it."""
    assert nvvm_cc.main([source, "--report", "-arch=sm_90"]) == 0
    lines = capsys.readouterr().err.partition("Loops with a trip count")[2].splitlines()
    unrolled = [line.split()[0] for line in lines if "unrolled by 4" in line]
    assert [place.rpartition(":")[2] for place in unrolled] == ["3", "6", "8"]
    assert "with fewer than 4 iterations, `#pragma unroll 1` costs less" in " ".join(
        " ".join(lines).split()
    )
    path = Path(source)
    path.write_text(path.read_text().replace("  for (int i", "#pragma unroll 1\n  for (int i"))
    assert nvvm_cc.main([source, "--report", "-arch=sm_90"]) == 0
    assert "Loops" not in capsys.readouterr().err


@needs_clang
@pytest.mark.usefixtures("without_toolkit")
def test_nvvm_view_and_opt(source: str, capsys: pytest.CaptureFixture[str]):
    assert nvvm_view.main([source, "cfg"]) == 0
    assert "digraph" in capsys.readouterr().out
    assert nvvm_opt.main([source, "-p", "mem2reg", "-DX=1"]) == 0
    out = capsys.readouterr().out
    assert "nvvm.shfl.sync" in out
    assert "optimize_none" not in out


@needs_clang
@pytest.mark.usefixtures("without_toolkit")
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_debug_information_has_variables(
    level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *p, int count) { *p = count + 1; }\n")
    assert nvvm_cc.main([str(path), "-g", level]) == 0
    assert str(list(b"count")).strip("[]").replace(" ", "") in capsys.readouterr().out


@needs_clang
@pytest.mark.usefixtures("without_toolkit")
def test_errors_of_clang(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = tmp_path / "bad.cu"
    path.write_text("__global__ void k(int *p) {\n  p[0] = missing;\n  *p = 1.5 % 2;\n}\n")
    for tool in (nvvm_cc, nvvm_run):
        assert tool.main([str(path)]) == 1
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith(f"{path}:2:10: error: use of undeclared identifier 'missing'")
        assert f"{path}:3:12: error: invalid operands" in err
        assert "Traceback" not in err
    good = tmp_path / "good.cu"
    good.write_text("__global__ void k(int *p) { *p = 1; }\n")
    assert nvvm_cc.main([str(path), str(good), "-j", "1", "-o", str(tmp_path / "out")]) == 1
    assert f"{path}:2:10: error: use of undeclared" in capfd.readouterr().err
    assert (tmp_path / "out" / "good.ptx").exists()


def test_without_clang(
    source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PATH", "")
    assert nvvm_cc.main([source]) == 1
    err = capsys.readouterr().err
    assert "CUDA C++ needs clang, and clang was not found" in err
    assert "sudo apt install clang" in err


@needs_clang
def test_the_variable_names_clang(
    source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("NVVM_XDSL_CLANG", "no-such-clang")
    assert nvvm_cc.main([source]) == 1
    assert "the program no-such-clang was not found" in capsys.readouterr().err


@needs_clang
@needs_ptxas
def test_dryrun_shows_the_commands_and_runs_none(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    output = tmp_path / "k.cubin"
    words = ["-gencode", "arch=compute_80,code=sm_80", "--use_fast_math", "-lineinfo", "-std=c++20"]
    words += ["-I", "inc", "-DN=3", "-Xptxas", "-v,-O2", "-maxrregcount=32", "-dc"]
    assert nvvm_cc.main([source, *words, "-cubin", "-o", str(output), "--dryrun"]) == 0
    clang, ptxas = capsys.readouterr().err.splitlines()
    for flag in ("--cuda-gpu-arch=sm_80", "-fgpu-flush-denormals-to-zero", "-std=c++20", "-Iinc", "-DN=3"):  # fmt: skip
        assert f" {flag} " in clang
    assert " -arch=sm_80 -maxrregcount=32 -c -lineinfo -v -O2 kernel.ptx -o " in ptxas
    assert not output.exists()


@needs_clang
@needs_libdevice
@pytest.mark.usefixtures("without_toolkit")
def test_fast_math_selects_approximations(source: str, capsys: pytest.CaptureFixture[str]):
    assert nvvm_cc.main([source, "--use_fast_math", "-lineinfo"]) == 0
    fast = capsys.readouterr().out
    assert nvvm_cc.main([source]) == 0
    exact = capsys.readouterr().out
    for word in ("div.full.ftz.f32", "max.ftz.f32", ".loc"):
        assert word in fast
        assert word not in exact
    assert "div.rn.f32" in exact
    assert "div.rn" not in fast


@needs_clang
def test_atomic_functions_are_relaxed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    if toolkit.find_headers() is None:
        pytest.skip("no CUDA toolkit was found")
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *p) { atomicAdd(p, 1); }\n")
    assert nvvm_cc.main([str(path)]) == 0
    assert "fence" not in capsys.readouterr().out
    assert nvvm_cc.main([str(path), "-relaxed-atomics=0"]) == 0
    assert "fence" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-c"], "compiles device code only"),
        (["-arch=all"], "a PTX file has one: name it"),
        (["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"],
         "names sm_80 and sm_90, but a PTX file has one target"),
        (["-gencode", "compute_80"], "expected arch=compute_90,code=sm_90"),
        (["-cubin"], "requires -o FILE"),
    ],
)  # fmt: skip
def test_options_of_nvcc_are_explained(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert nvvm_cc.main(["k.cu", *words]) == 1
    assert message in capsys.readouterr().err


def test_the_native_architecture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DiagnosticError, match="nvidia-smi found no GPU"):
        join_nvcc(["-arch=native"])
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 8.6\n")
    tool.chmod(0o755)
    assert nvcc_options.native_arch() == "sm_86"
    assert join_nvcc(["--gpu-architecture", "native"]) == ["-arch=sm_86"]


def test_xptxas_without_machine_code(capsys: pytest.CaptureFixture[str]):
    file = str(EXAMPLES / "saxpy.ll")
    assert nvvm_cc.main([file, "-Xptxas", "-v"]) == 0
    assert "-Xptxas has no effect without -cubin" in capsys.readouterr().err
