"""Other compilers: their input, and that their code of the examples computes the same as ours."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from dev.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.lab.compiler_comparison import ARCH, candidates, compare, source_program
from nvvm_xdsl.lab.compilers import CompilerError, available, compiler, registry
from nvvm_xdsl.lab.compilers.nvvm_dialect import as_nvvm_ir
from nvvm_xdsl.lab.compilers.registry import run_program
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.lab.random_kernels import random_kernel_text, random_launches
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.tools import nvvm_fuzz

FOLDER = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["libnvvm", "llc"])
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples(example: str, name: str):
    """PTX of NVIDIA's compiler and of LLVM gives NumPy's results."""
    chosen = compiler(name)
    why = chosen.why_missing()
    if why is not None:
        pytest.skip(why)
    text = (FOLDER / f"{example}.O0.ll").read_text()
    if "@__nv_" in text and find_libdevice() is None:
        pytest.skip("libdevice was not found")
    ready = executable(chosen.compile(text, ARCH), source_program(text))
    for launch in launches_of(example):
        assert launch.wrong(run(ready.program, launch.launch)) is None


def test_ptx_of_libnvvm_for_an_older_gpu_has_its_target():
    chosen = compiler("libnvvm")
    why = chosen.why_missing()
    if why is not None:
        pytest.skip(why)
    text = (FOLDER / "saxpy.O0.ll").read_text()
    older, newer = (chosen.compile(text, arch) for arch in ("sm_80", "sm_100"))
    assert ".target sm_80\n" in older
    assert older.replace(".target sm_80", ".target sm_100") == newer


@pytest.mark.parametrize("name", ["libnvvm", "llc", "ours-O3"])
def test_a_rejection_is_an_error(name: str):
    chosen = compiler(name)
    why = chosen.why_missing()
    if why is not None:
        pytest.skip(why)
    with pytest.raises(CompilerError):
        chosen.compile("define void @f() { nonsense }", ARCH)


def test_llc_needs_libdevice(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "find_libdevice", lambda: None)
    text = (FOLDER / "nbody.O0.ll").read_text()
    with pytest.raises(CompilerError, match="libdevice was not found"):
        compiler("llc").compile(text, ARCH)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "call float @llvm.nvvm.fabs.ftz.f32(float %x)",
            "call float @llvm.nvvm.fabs.ftz.f(float %x)",
        ),
        ("  call void @llvm.lifetime.start.p0(ptr %a)", "@llvm.lifetime.start.p0(i64 -1, ptr %a)"),
        ("declare void @llvm.lifetime.end.p0(ptr)", "@llvm.lifetime.end.p0(i64 immarg, ptr)"),
        (
            "  %r = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %p)",
            "  %r = icmp ne i32 %barrier.result.1, 0",
        ),
        ("", "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}"),
        ("!7 = !{}", "!8 = !{i32 2, i32 0}"),
    ],
)
def test_older_spellings(text: str, wanted: str):
    assert wanted in as_nvvm_ir(text)


def test_the_layout_is_that_of_libnvvm():
    given = 'target datalayout = "e-i64:64-n16:32:64"\n'
    text = as_nvvm_ir(f"{given}define void @f() {{ ret void }}\n")
    assert text.count("target datalayout") == 1
    assert "-i1:8:8-" in text


def test_an_error_is_shown_before_warnings():
    script = "import sys; sys.exit('m: warning: odd\\nm: error: wrong')"
    with pytest.raises(CompilerError, match=r"^t: m: error: wrong$"):
        run_program([sys.executable, "-c", script], "", "t")


def test_barriers_are_declared_once():
    text = as_nvvm_ir(
        "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
    )
    assert text.count("declare void @llvm.nvvm.barrier0()") == 1
    assert "barrier.cta" not in text


def test_a_current_module_is_unchanged():
    text = (FOLDER / "saxpy.ll").read_text()
    assert as_nvvm_ir(as_nvvm_ir(text)) == as_nvvm_ir(text)


@pytest.mark.skipif(len(available()) < 6, reason="libNVVM or LLVM 22 is missing")
def test_random_kernels_against_other_compilers():
    options = Options(size=30, arch=ARCH, against=("libnvvm", "llc"))
    findings = [f for f in fuzz(range(5000, 5010), options) if f.kind != "refused"]
    assert [(f.seed, f.kind, f.what) for f in findings] == []


def test_a_wrong_compiler_is_found():
    """Returns a kernel that stores a different value than ours."""
    text = random_kernel_text(11, 30)
    source = source_program(text)
    (ours,) = candidates(text, ["ours-O3"], source)
    stores = [line for line in ours.ptx.splitlines() if "\tst.global." in line]
    changed = ours.ptx.replace(stores[-1], "", 1)
    both = candidates(text, ["ours-O0", "ours-O3"], source, given=[("changed.ptx", changed)])
    (found,) = compare(both, random_launches(11, 1)).disagreements
    assert found.groups == [["ours-O0", "ours-O3"], ["changed.ptx"]]
    assert "changed.ptx is alone" in str(found)


def test_differences_from_other_compilers_are_found_for_mlir_input(tmp_path: Path, capsys):
    """nvvm-reduce's output is MLIR: LLVM's `frem` loses the sign of zero, ours keeps it."""
    if compiler("llc").why_missing() is not None:
        pytest.skip("LLVM's opt and llc were not found")
    kernel = random_kernel_text(0, 20)
    head = re.search(r"define [^\n]*ptx_kernel [^\n]*", kernel)
    assert head is not None
    body = """
      %y = uitofp i32 %n to float
      %z = fneg float %y
      %r = frem float %z, %z
      store float %r, ptr %out_f
      ret void
    }
    """
    text = 'target triple = "nvptx64-nvidia-cuda"\n' + head[0] + body
    text = re.sub(r" #\d+", "", text)
    (tmp_path / "k.mlir").write_text(ir_text(parse(text)))
    status = nvvm_fuzz.main(["--file", str(tmp_path / "k.mlir"), "--seed", "0", "--against", "llc"])
    assert status == 1
    assert "difference" in capsys.readouterr().out


def test_input_that_no_other_compiler_accepts_is_an_error(tmp_path: Path, capsys):
    if compiler("llc").why_missing() is not None:
        pytest.skip("LLVM's opt and llc were not found")
    text = "llvm.func @fuzz() {\n  %0 = arith.constant 1 : i32\n  llvm.return\n}\n"
    (tmp_path / "k.mlir").write_text(text)
    status = nvvm_fuzz.main(["--file", str(tmp_path / "k.mlir"), "--seed", "0", "--against", "llc"])
    assert status == 1
    assert "arith.constant cannot be written as LLVM IR" in capsys.readouterr().err
