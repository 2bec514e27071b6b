"""The command lines of nvvm-run, nvvm-fuzz and nvvm-reduce."""

from __future__ import annotations

import re
import shlex
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.fuzz import Finding, Options, findings_of, ir_passes
from nvvm_xdsl.lab.machine_simulation import why_no_machine_code
from nvvm_xdsl.passes.scalar.dce import DCE
from nvvm_xdsl.tools import nvvm_fuzz, nvvm_reduce, nvvm_run

EXAMPLES = Path(__file__).parents[2] / "examples"
SAXPY = str(EXAMPLES / "saxpy.ll")
ARGUMENTS = ["--arg", "10", "--arg", "2.0", "--arg", "f32[10]=arange", "--arg", "f32[10]=1"]


def test_a_kernel_runs_and_prints_a_buffer(capsys: pytest.CaptureFixture[str]):
    assert (
        nvvm_run.main([SAXPY, "--kernel", "saxpy", "--block", "32", *ARGUMENTS, "--print", "3"])
        == 0
    )
    assert capsys.readouterr().out == "[ 1.,  3.,  5.,  7.,  9., 11., 13., 15., 17., 19.]\n"


def test_machine_code_and_pipelines(capsys: pytest.CaptureFixture[str]):
    options = [
        "--block",
        "32",
        "--check",
        "all",
        "--passes",
        "nvopt<O3>",
        "--select",
        "--print",
        "3",
    ]
    assert nvvm_run.main([SAXPY, *options, *ARGUMENTS]) == 0
    assert capsys.readouterr().out.startswith("[ 1.,  3.")


@pytest.mark.skipif(why_no_machine_code() is not None, reason=str(why_no_machine_code()))
def test_the_code_of_ptxas(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A warp executes each of its instructions once."""
    options = ["--machine", "--block", "32", "--check", "all", "--print", "3", "--profile"]
    assert nvvm_run.main([SAXPY, *options, *ARGUMENTS]) == 0
    out = capsys.readouterr().out
    assert out.startswith("[ 1.,  3.")
    counts = re.search(r"^all +(\d+)", out, re.M)
    assert counts is not None
    assert 10 < int(counts[1]) < 30
    ptx = tmp_path / "saxpy.ptx"
    ptx.write_text(nvvm_xdsl.compile(Path(SAXPY), arch="sm_90"))
    assert nvvm_run.main([str(ptx), *options, *ARGUMENTS]) == 0
    assert capsys.readouterr().out.startswith("[ 1.,  3.")


def test_a_level_is_a_pipeline(capsys: pytest.CaptureFixture[str]):
    counts: list[str] = []
    for words in (["-O3"], ["--passes", "nvopt<O3>"], []):
        unoptimized = SAXPY.replace("saxpy.ll", "saxpy.O0.ll")
        assert nvvm_run.main([unoptimized, "--block", "32", "--stats", *words, *ARGUMENTS]) == 0
        counts.append(re.sub(r"[\d.]+ s\b", "", capsys.readouterr().err))
    assert counts[0] == counts[1] != counts[2]
    assert nvvm_run.main([SAXPY, "-O1", "--passes", "dce", *ARGUMENTS]) == 1
    assert "error: " in capsys.readouterr().err


REFLECT = """\
@name = private unnamed_addr constant [12 x i8] c"__CUDA_ARCH\\00"
declare i32 @__nvvm_reflect(ptr)
define ptx_kernel void @k(ptr %p) {
  %arch = call i32 @__nvvm_reflect(ptr @name)
  store i32 %arch, ptr %p
  ret void
}
"""


def test_selected_code_has_no_reflection(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ll"
    path.write_text(REFLECT)
    words = ["--select", "-arch", "sm_90", "--arg", "i32[1]", "--print", "0"]
    assert nvvm_run.main([str(path), *words]) == 0
    assert capsys.readouterr().out == "[900]\n"


@pytest.mark.skipif(why_no_machine_code() is not None, reason=str(why_no_machine_code()))
def test_estimated_cycles(capsys: pytest.CaptureFixture[str]):
    found: list[int] = []
    for latency in ("100", "700"):
        options = ["--machine", "--block", "32", "--cycles", "--memory-latency", latency]
        assert nvvm_run.main([SAXPY, *options, *ARGUMENTS]) == 0
        counts = re.search(r"a warp alone +([\d,]+)", capsys.readouterr().out)
        assert counts is not None
        found.append(int(counts[1].replace(",", "")))
    # Both loads are issued before the first result is used.
    assert found[1] - found[0] == 600
    assert nvvm_run.main([SAXPY, "--block", "32", "--cycles", *ARGUMENTS]) == 1
    assert "--cycles needs --machine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--check", "init"], "--check init cannot be combined with --machine"),
        (["--trace", "0"], "--trace cannot be combined with --machine"),
    ],
)
def test_options_that_machine_code_lacks(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert nvvm_run.main([SAXPY, "--machine", "--block", "32", *ARGUMENTS, *options]) == 1
    assert message in capsys.readouterr().err


def examples_of(epilog: str) -> list[str]:
    text = epilog.partition("examples")[2].replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.startswith("  nvvm-run")]


@pytest.mark.parametrize("line", examples_of(nvvm_run.EPILOG))
def test_the_examples_of_the_help_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for file in EXAMPLES.glob("*.ll"):
        (tmp_path / file.name).symlink_to(file)
    assert nvvm_run.main(shlex.split(line)[1:]) == 0


def test_the_input_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "k.mlir"
    file.write_text(
        "llvm.func @k(%p: !llvm.ptr) attributes {nvvm.kernel} {\n  llvm.cond_br %c, ^a, ^b\n"
        "^a:\n  %c = llvm.mlir.constant(true) : i1\n  llvm.return\n^b:\n  llvm.return\n}\n"
    )
    assert nvvm_run.main([str(file), "--arg", "i32[4]=0"]) == 1
    assert "k.mlir:2:3: error: in @k: 'llvm.cond_br': %c does not" in capsys.readouterr().err


def test_an_invalid_access_ends_with_status_1(capsys: pytest.CaptureFixture[str]):
    wrong = ["--arg", "11", *ARGUMENTS[2:]]
    assert nvvm_run.main([SAXPY, "--block", "32", *wrong]) == 1
    error = capsys.readouterr().err
    assert "is 1 bytes after the nearest allocation 'x' at 0x10100000 of size 40 bytes" in error
    assert "by thread (10, 0, 0) in block (0, 0, 0)\n" in error
    assert error.startswith(f"{SAXPY}:")
    _, line, caret, *_ = error.splitlines()
    assert line[caret.index("^") :].startswith("%3 = load float")
    assert error.endswith("ERROR SUMMARY: 3 errors in 3 reports\n")


@pytest.mark.parametrize(
    "option", [["--tool", "memcheck,racecheck"], ["--check", "memory,race"], ["--tool", "all"]]
)
def test_names_of_checks_are_those_of_both_tools(option: list[str]):
    assert nvvm_run.main([SAXPY, "--block", "32", *ARGUMENTS, *option]) == 0


def test_reports_beyond_the_limit_are_counted(capsys: pytest.CaptureFixture[str]):
    wrong = ["--arg", "11", *ARGUMENTS[2:], "--print-limit", "1", "--print", "3"]
    assert nvvm_run.main([SAXPY, "--block", "32", *wrong]) == 1
    captured = capsys.readouterr()
    assert captured.out.startswith("[ 1.,  3.")
    assert captured.err.count(": error: ") == 1
    assert "2 more are not shown (--print-limit)\nERROR SUMMARY: 3 errors" in captured.err


def test_leaks_are_reported_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "leak.ll"
    file.write_text(
        "declare ptr @malloc(i64)\ndefine ptx_kernel void @k() {\n"
        "  %p = call ptr @malloc(i64 8)\n  ret void\n}\n"
    )
    assert nvvm_run.main([str(file), "--block", "4"]) == 0
    assert nvvm_run.main([str(file), "--block", "4", "--leak-check", "full"]) == 1
    error = capsys.readouterr().err
    assert f"{file}:3:3: error: Leaked 32 bytes of device memory in 4 allocations" in error
    assert error.endswith("ERROR SUMMARY: 0 errors in 1 report, 4 allocations leaked\n")


def test_output_and_statistics(capsys: pytest.CaptureFixture[str]):
    arguments = ["--arg", "f32[1]=2", "--arg", "1", "--stats"]
    assert nvvm_run.main([str(EXAMPLES / "printf.ll"), *arguments]) == 0
    captured = capsys.readouterr()
    assert "thread 0 of block 0: 2.000000 (positive)" in captured.out
    assert "steps in" in captured.err


def test_buffers_from_and_to_files(tmp_path: Path):
    data, saved = tmp_path / "x.npy", tmp_path / "y.npy"
    np.save(data, np.arange(4, dtype=np.float32))
    arguments = ["--arg", "4", "--arg", "1.0", "--arg", f"f32[4]=@{data}", "--arg", "f32[4]=2"]
    assert nvvm_run.main([SAXPY, "--block", "4", *arguments, "--save", f"3={saved}"]) == 0
    assert np.load(saved).tolist() == [2.0, 3.0, 4.0, 5.0]
    raw = tmp_path / "y.bin"
    assert nvvm_run.main([SAXPY, "--block", "4", *arguments, "--save", f"3={raw}"]) == 0
    assert np.frombuffer(raw.read_bytes(), np.float32).tolist() == [2.0, 3.0, 4.0, 5.0]


def test_the_trace_of_a_thread(capsys: pytest.CaptureFixture[str]):
    trace = ["--block", "32", *ARGUMENTS, "--trace"]
    assert nvvm_run.main([SAXPY, *trace, "3"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert any(line.startswith("%add6 = llvm.fadd") and line.endswith(" 7") for line in lines)
    assert any("0000803f -> 0000e040" in line for line in lines)
    assert nvvm_run.main([SAXPY, *trace, "20"]) == 0
    assert "llvm.store" not in capsys.readouterr().out
    assert nvvm_run.main([SAXPY, *trace, "0,1"]) == 1
    assert "has no thread (0, 1, 0)" in capsys.readouterr().err


def test_equal_results_after_a_pipeline(capsys: pytest.CaptureFixture[str]):
    launch = [SAXPY, "--block", "32", *ARGUMENTS, "--select", "--print", "3"]
    assert nvvm_run.main([*launch, "--against", "nvopt<O3>"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert (first[:8], second) == ("[ 1.,  3", "the results are the same after nvopt<O3>")


def test_differences_after_a_pipeline_are_reported_with_the_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    right = DCE.run_on_function

    def broken(self, func, am):
        changed = False
        for block in list(fast.blocks_of(func.regions[0])):
            for op in list(fast.ops_of(block)):
                if op.name == "llvm.fmul":
                    fast.replace_all_uses(op.results[0], op.operands[0])
                    changed = True
        return right(self, func, am) | changed

    monkeypatch.setattr(DCE, "run_on_function", broken)
    launch = [SAXPY, "--block", "32", *ARGUMENTS, "--against", "sroa,early-cse,dce,simplifycfg"]
    assert nvvm_run.main(launch) == 1
    error = capsys.readouterr().err
    assert "after sroa,early-cse,dce,simplifycfg: @saxpy" in error
    assert " dce on saxpy)" in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--arg", "five"], "'five' is neither a number nor a buffer"),
        (["--arg", "bytes=xyz"], "expected bytes= and hexadecimal digits, got 'bytes=xyz'"),
        (["--arg", "f32[2]=many"], "cannot be filled with 'many'"),
        (["--arg", "f32[2]=@/no/such/file"], "cannot read"),
        (["--kernel", "nothing"], "no kernel @nothing"),
        (["--check", "luck"], "unknown check 'luck'"),
        ([*ARGUMENTS, "--print", "0"], "argument 0 is not a buffer"),
        ([*ARGUMENTS, "--block", "32", "--save", "x"], "--save: expected NUMBER=FILE"),
        ([*ARGUMENTS, "--block", "32", "--max-steps", "3"], "more than 3 steps, the limit"),
        ([*ARGUMENTS, "--block", "32", "--max-memory", "64"], "needs more than 64 bytes of memory"),
        ([*ARGUMENTS, "--block", "2048"], "a block has at most 1024 threads, not 2048"),
    ],
)
def test_user_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert nvvm_run.main([SAXPY, *arguments]) == 1
    assert message in capsys.readouterr().err


def test_invalid_options_end_with_status_1(capsys: pytest.CaptureFixture[str]):
    assert nvvm_run.main([SAXPY, "--grid", "0"]) == 1
    assert "expected one to three positive numbers, got '0'" in capsys.readouterr().err


def test_argument_kinds():
    assert nvvm_run.parse_argument("0x10") == 16
    assert nvvm_run.parse_argument("1e3") == 1000.0
    assert nvvm_run.parse_argument("null") is None
    assert nvvm_run.parse_argument("bytes=0a0b") == b"\x0a\x0b"
    assert nvvm_run.parse_argument("u8[3]=255").tolist() == [255] * 3
    assert nvvm_run.parse_argument("i32[2]=-1").tolist() == [-1, -1]
    first, second = (nvvm_run.parse_argument("f32[4]=random", 1) for _ in range(2))
    assert first.tolist() == second.tolist()
    with pytest.raises(DiagnosticError):
        nvvm_run.parse_argument("f31[4]")


def test_buffers_with_a_shape():
    assert nvvm_run.parse_argument("i32[2,3]=arange").tolist() == [[0, 1, 2], [3, 4, 5]]


def test_textures_and_surfaces():
    texture = nvvm_run.parse_argument("texture,linear,wrap,normalized:f32[4,8]=arange")
    assert (texture.geometry, texture.filter, texture.address_mode) == ("2d", "linear", "wrap")
    assert texture.normalized
    assert texture.array[3].tolist() == list(range(24, 32))
    colours = nvvm_run.parse_argument("texture,float,layered,4:u8[3,5,4]=255")
    assert (colours.geometry, colours.channels, colours.normalized_float) == ("a1d", 4, True)
    assert nvvm_run.parse_argument("texture,buffer:u8[7]").linear_memory
    assert nvvm_run.parse_argument("texture,cubemap:f32[6,2,2]").geometry == "cube"
    assert nvvm_run.parse_argument("surface,layered,2:f16[3,4,5,2]").geometry == "a2d"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("texture,liner:f32[8]", "unknown property 'liner' of a texture; did you mean 'linear'?"),
        (
            "surface,linear:f32[8]",
            "unknown property 'linear' of a surface; expected one of layered, cubemap, 2",
        ),
        ("texture:f32", "'f32' is not a buffer"),
        ("texture:f64[4]", "a texture cannot have elements of type float64"),
    ],
)
def test_invalid_textures(text: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        nvvm_run.parse_argument(text)


def test_a_kernel_with_a_texture_and_a_surface(capsys: pytest.CaptureFixture[str]):
    """Slopes of a ramp are 1.5 a pixel, and at its clamped ends half a step less."""
    kernel = str(Path(__file__).parents[1] / "simulator" / "textures" / "textures.ll")
    line = (
        "--kernel slope --block 8,2 --check all --select --arg texture,linear:f32[2,6]=arange "
        "--arg surface:f32[2,6]=1 --arg 6 --arg 2 --print 1"
    )
    status = nvvm_run.main([kernel, *line.split()])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    row = "[1.75, 2.5 , 2.5 , 2.5 , 2.5 , 1.75]"
    assert captured.out == f"[{row},\n {row}]\n"


def test_fuzzing_finds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "failures"
    assert nvvm_fuzz.main(["--count", "3", "--size", "30", "--out", str(out)]) == 0
    assert not out.exists()
    assert "3 of 3 kernels, 0 failures" in capsys.readouterr().err


def test_fuzzing_writes_failing_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = [
        "--count",
        "1",
        "--seed",
        "9",
        "--pipeline",
        "nothing-like-it",
        "--out",
        str(tmp_path),
    ]
    assert nvvm_fuzz.main(arguments) == 1
    (path,) = tmp_path.iterdir()
    assert path.read_text().startswith("// nvvm-fuzz --seed 9 --count 1")
    assert "seed 9, 'nothing-like-it': error: unknown pass" in capsys.readouterr().out


def test_a_reduced_kernel_is_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert nvvm_fuzz.main(["--seed", "2", "--show"]) == 0
    small = tmp_path / "small.ll"
    text = capsys.readouterr().out
    small.write_text(text)
    arguments = ["--seed", "2", "--file", str(small), "--pipeline", "dce"]
    assert nvvm_fuzz.main(arguments) == 0
    small.write_text(text.replace("  ret void\n", "  store i32 0, ptr null\n  ret void\n"))
    assert nvvm_fuzz.main(arguments) == 1
    assert "seed 2, '': invalid: @fuzz: null pointer" in capsys.readouterr().out


def test_the_kernel_of_a_seed_can_be_printed(capsys: pytest.CaptureFixture[str]):
    assert nvvm_fuzz.main(["--seed", "2", "--show"]) == 0
    assert "ptx_kernel void @fuzz(" in capsys.readouterr().out


def test_every_implemented_pass_is_tried():
    passes = ir_passes()
    assert {"sroa", "early-cse", "simplifycfg", "mem2reg"} <= set(passes)
    assert not {"domtree", "nvptx-phi-elimination"} & set(passes)


def command(tmp_path: Path, text: str) -> str:
    script = tmp_path / "check.py"
    script.write_text(text)
    return f"{sys.executable} {script} {{}}"


def test_reducing_by_the_convention_of_llvm_reduce(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    text = "import sys\nsys.exit('llvm.mul' not in open(sys.argv[1]).read())\n"
    kernel, small = tmp_path / "bad.mlir", tmp_path / "small.mlir"
    kernel.write_text(BAD)
    options = [str(kernel), "--test", command(tmp_path, text), "-o", str(small), "--attempts", "20"]
    assert nvvm_reduce.main(options) == 1
    assert "the command does not fail on" in capsys.readouterr().err
    assert nvvm_reduce.main([*options, "--interesting", "success"]) == 0
    assert "llvm.mul" in small.read_text()
    assert len(small.read_text()) < len(BAD)


@pytest.mark.slow
def test_reducing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    test = command(tmp_path, "import sys\nsys.exit('fmul' in open(sys.argv[1]).read())\n")
    small = tmp_path / "small.mlir"
    options = ["--test", test, "-o", str(small), "--attempts", "40"]
    assert nvvm_reduce.main([SAXPY, *options]) == 0
    assert "llvm.fmul" in small.read_text()
    assert small.read_text().count("\n") < 15


BAD = """\
llvm.func @kernel(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.mul %x, %x : i32
  %b = llvm.add %a, %x : i32
  llvm.store %b, %p : i32, !llvm.ptr<1>
  %c = llvm.inline_asm "no such instruction $0;", "=r" : () -> i32
  llvm.return
}
"""


def test_our_own_tools_run_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def started(*_: object, **__: object):
        raise AssertionError("a process was started")

    monkeypatch.setattr(nvvm_reduce.subprocess, "run", started)
    monkeypatch.setattr(nvvm_reduce.shutil, "which", lambda _: None)
    kernel, small = tmp_path / "bad.mlir", tmp_path / "small.mlir"
    kernel.write_text(BAD)
    test = "nvvm-run {} --block 32 --arg 3 --arg i32[1]"
    assert (
        nvvm_reduce.main([str(kernel), "--test", test, "--match", "no such", "-o", str(small)]) == 0
    )
    assert "llvm.inline_asm" in small.read_text()
    assert "llvm.mul" not in small.read_text()
    assert "ops after removing" in capsys.readouterr().err


def test_a_tool_that_times_out_has_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(nvvm_reduce.shutil, "which", lambda _: None)
    monkeypatch.setattr(nvvm_run, "main", lambda _: time.sleep(60))
    assert nvvm_reduce.main([SAXPY, "--test", "nvvm-run", "--timeout", "0.05"]) == 1
    assert "the command does not fail" in capsys.readouterr().err


def test_another_program_of_the_same_name_is_run(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(nvvm_reduce.shutil, "which", lambda _: "/elsewhere/nvvm-cc")
    assert nvvm_reduce.own_tool("nvvm-cc") is None
    monkeypatch.setattr(nvvm_reduce.shutil, "which", lambda _: None)
    assert nvvm_reduce.own_tool("nvvm-cc") is not None
    assert nvvm_reduce.own_tool("make") is None


def test_the_suggested_reduction_keeps_the_options():
    finding = Finding(7, "sroa", "difference", "what", "module")
    options = Options(machine=False, assemble=True, arch="sm_80")
    again, reduce, *_ = finding.reproducer(options).splitlines()
    for option in ("--seed 7", "--arch sm_80", "--pipeline 'sroa'", "--no-machine", "--ptxas"):
        assert option in again
        assert option in reduce


def test_reducing_an_input_that_does_not_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert nvvm_reduce.main([SAXPY, "--test", command(tmp_path, "")]) == 1
    assert "does not fail on" in capsys.readouterr().err
    other = command(tmp_path, "import sys\nprint('boom')\nsys.exit(1)\n")
    assert nvvm_reduce.main([SAXPY, "--test", other, "--match", "bang"]) == 1
    assert nvvm_reduce.main([SAXPY, "--test", "/no/such/program"]) == 1
    assert "cannot run" in capsys.readouterr().err


@pytest.mark.skipif(why_no_machine_code() is not None, reason=str(why_no_machine_code()))
def test_the_code_of_ptxas_on_random_kernels():
    options = Options(pipelines=("",), size=20, ptxas_levels=(0, 3))
    for seed in range(2):
        assert [f for f in findings_of(seed, options) if f.kind != "refused"] == []
