"""Kernels without host code: generated arguments, and reports of wrong levels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dev.foreign import machine, runs
from dev.foreign.__main__ import main
from dev.foreign.launches import Try, found_launches, pointees
from dev.made_up_launches import launched_kernels
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.lab.behaviour import ALL_CHECKS
from nvvm_xdsl.lab.compilers import compiler
from nvvm_xdsl.lab.machine_simulation import why_no_machine_code
from nvvm_xdsl.simulator import prepare

HEAD = """\
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier0()
"""
GATHER = """\
%arguments = type { ptr, i32 }
define void @put(ptr %p, i32 %v) {
  store i32 %v, ptr %p
  ret void
}
define ptx_kernel void @gather(ptr %out, ptr %data, ptr %index, ptr byval(%arguments) align 8 %a, half %h) {
  %slot = alloca ptr
  store ptr %data, ptr %slot
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = load ptr, ptr %slot
  %from = getelementptr i32, ptr %index, i32 %t
  %i = load i32, ptr %from
  %source = getelementptr double, ptr %at, i32 %i
  %v = load double, ptr %source
  %w = fptosi double %v to i32
  %field = getelementptr %arguments, ptr %a, i32 0, i32 1
  %n = load i32, ptr %field
  %others = load ptr, ptr %a
  %other = getelementptr i16, ptr %others, i32 %n
  %o = load i16, ptr %other
  %o32 = zext i16 %o to i32
  %r = add i32 %w, %o32
  %to = getelementptr i32, ptr %out, i32 %t
  call void @put(ptr %to, i32 %r)
  ret void
}
"""
RACE = """\
define ptx_kernel void @race(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %out
  ret void
}
"""
OUTSIDE = """\
define ptx_kernel void @outside(ptr %out) {
  %to = getelementptr i8, ptr %out, i64 999999999
  store i32 1, ptr %to
  ret void
}
"""
PLANE = """\
@tile = internal addrspace(3) global [16 x [16 x float]] undef
define ptx_kernel void @plane(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %cell = getelementptr [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 %x, i32 %y
  store float 1.0, ptr addrspace(3) %cell
  call void @llvm.nvvm.barrier0()
  %corner = getelementptr [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 15, i32 15
  %v = load float, ptr addrspace(3) %corner
  %row = mul i32 %y, 16
  %at = add i32 %row, %x
  %to = getelementptr float, ptr %out, i32 %at
  %old = load float, ptr %to
  %new = fadd float %old, %v
  store atomic float %new, ptr %to monotonic, align 4
  ret void
}
"""


def tries(text: str) -> tuple[list[Try], str]:
    module = parse(HEAD + text, format="ll")
    (func,) = launched_kernels(module)
    return found_launches(module, func, prepare(module, ALL_CHECKS))


def test_pointees_are_found_through_slots_calls_and_arguments_in_memory():
    module = parse(HEAD + GATHER, format="ll")
    kinds = pointees(module, "gather")
    assert [(k.element.bits, k.element.fmt) for k in kinds[:4]] == [
        (32, ""),
        (64, "f64"),
        (32, ""),
        (16, ""),
    ]


BOOLEANS = """\
%box = type { float, i8, i8, i8 }
define ptx_kernel void @flags(ptr byval(%box) %box, ptr %in, ptr %out) {
  %p = getelementptr %box, ptr %box, i32 0, i32 1
  %q = getelementptr %box, ptr %box, i32 0, i32 2
  %r = getelementptr %box, ptr %box, i32 0, i32 3
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %c = load i8, ptr %r
  %is_a = trunc i8 %a to i1
  %is_c = trunc i8 %c to i1
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i8, ptr %in, i32 %t
  %d = load i8, ptr %from
  %is_d = trunc i8 %d to i1
  %ac = and i1 %is_a, %is_d
  %byte = zext i1 %ac to i8
  %sum = add i8 %c, %b
  %to = getelementptr i8, ptr %out, i32 %t
  store i8 %byte, ptr %to
  %next = getelementptr i8, ptr %to, i32 1024
  store i8 %sum, ptr %next
  ret void
}
"""


def test_booleans_are_zero_or_one():
    targets = pointees(parse(HEAD + BOOLEANS, format="ll"), "flags")
    assert targets[0].booleans == {4}
    assert [t.element.bits for t in targets[1:]] == [1, 1]
    found, _ = tries(BOOLEANS.replace("%ac = and i1 %is_a, %is_d", "%ac = or i1 %is_a, %is_d"))
    (_, a, b, c), given, *_ = found[0].launch.args
    assert [a, b, c] == [1, 37, 37]
    assert set(given.tolist()) == {0, 1}


def test_a_gather_works():
    found, _ = tries(GATHER.replace("store i32 %v", "store atomic i32 %v").replace("%v, ptr %p", "%v, ptr %p monotonic, align 4"))  # fmt: skip
    assert len(found) == 2
    assert all(t.sound for t in found)
    assert found[0].launch.args[3][1] != found[1].launch.args[3][1]


def test_a_race_is_run_but_not_sound():
    found, why = tries(RACE)
    assert found
    assert not any(t.sound for t in found)
    assert "race" in why


def test_no_launch_for_accesses_out_of_bounds():
    found, why = tries(OUTSIDE)
    assert not found
    assert why


def test_blocks_have_the_required_dimensions():
    found, _ = tries(PLANE)
    assert found[0].launch.block == (16, 16)


def folder(tmp_path: Path) -> Path:
    place = tmp_path / "modules"
    place.mkdir()
    text = RACE.replace("ptr %out\n", "ptr %to\n").replace("  store", "  %to = getelementptr i32, ptr %out, i32 %t\n  store")  # fmt: skip
    (place / "k.ll").write_text(HEAD + text.replace("store i32 %t, ptr %out", "store atomic i32 %t, ptr %to monotonic, align 4"))  # fmt: skip
    return place


def test_a_level_with_different_results_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    place = folder(tmp_path)
    command = ["foreign", str(place), "--results", str(tmp_path / "r.jsonl"), "--no-count"]
    monkeypatch.setattr("sys.argv", command)
    assert main() == 0
    reported = capsys.readouterr().out
    assert "1 modules, 1 kernels, 1 ran, 1 compared: 0 differ" in reported
    right = runs.compile_here

    def wrong(text: str, options: Any) -> str:
        return right(text.replace("sreg.tid.x", "sreg.tid.y"), options=options)

    monkeypatch.setattr(runs, "compile_here", wrong)
    assert main() == 0, "known results are not computed again"
    capsys.readouterr()
    monkeypatch.setattr("sys.argv", [*command[:3], str(tmp_path / "other.jsonl"), "--no-count"])
    assert main() == 1
    reported = capsys.readouterr().out
    assert "| modules/k.ll | race | -O1: argument 0[" in reported
    assert "| modules/k.ll | race | -O3: argument 0[" in reported


def test_kernels_with_false_alignment_are_skipped(tmp_path: Path):
    """A copy states an alignment of 16 bytes, which an argument of 37 violates: no level is wrong."""
    text = """\
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @copy(ptr %out, ptr %in, i32 %n) {
  %from = getelementptr i32, ptr %in, i32 %n
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %out, ptr align 16 %from, i64 16, i1 false)
  ret void
}
"""
    path = tmp_path / "k.ll"
    path.write_text(HEAD + text)
    found, _ = tries(text)
    assert [t.launch.args[2] for t in found] == [37, 16]
    made = runs.ModuleRun("k")
    (row,) = made.kernels = [runs.KernelRun("copy")]
    runs._compare(HEAD + text, 3, prepare(parse(HEAD + text, format="ll")), {"copy": found}, made)
    assert not row.different
    assert row.left_out["-O3"].startswith("not aligned to 16 bytes")


@pytest.mark.slow
@pytest.mark.skipif(
    any(compiler(name).why_missing() for name in runs.COMPILERS), reason="needs libNVVM and llc"
)
def test_costs_beside_other_compilers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    place = folder(tmp_path)
    results = tmp_path / "r.jsonl"
    monkeypatch.setattr(
        "sys.argv", ["foreign", str(place), "--results", str(results), "--before", str(results)]
    )
    assert main() == 0
    reported = capsys.readouterr().out
    for other in ("libnvvm", "llc", "before"):
        assert f"| {other} | 1 |" in reported


def test_a_module_as_machine_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    missing = why_no_machine_code()
    if missing is not None:
        pytest.skip(missing)
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "gather.ll").write_text(HEAD + GATHER)
    made = machine.run_module(tmp_path / "m" / "gather.ll", "gather", "sm_90")
    (row,) = made.kernels
    assert not made.refused
    assert made.instructions
    assert not made.unknown
    assert row.launches == row.completed == row.compared > 0
    row.different, made.unknown = "argument 0", {"FROB": 2}
    lines = list(machine.report([made]))
    assert lines[0].startswith(f"machine instructions: {made.instructions - 2:,} of")
    assert "unknown: 2 FROB" in lines
    assert "different: gather gather: argument 0" in lines
