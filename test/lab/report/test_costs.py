"""Costs equal the results of analyses and of ptxas."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from helpers.assembling import needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.analysis.machine.occupancy import multiprocessor, occupancy
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.ir.locations import NOWHERE
from nvvm_xdsl.ir.remarks import Remark
from nvvm_xdsl.lab.assembled import Kernel
from nvvm_xdsl.lab.report.compilation import Compilation, compile_recorded
from nvvm_xdsl.lab.report.costs import (
    AccessCost,
    Cause,
    KernelFacts,
    LocalCost,
    accesses_of,
    checked,
    loops_of,
    occupancy_of,
)
from nvvm_xdsl.lab.report.plain import as_json
from nvvm_xdsl.lab.report.sarif import as_sarif
from nvvm_xdsl.lab.report.text import as_text, shortened
from nvvm_xdsl.tools import nvvm_cc

HEAD = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [32 x [32 x float]] undef, align 4
@_ZZ1kvE3pad = internal addrspace(3) global [32 x [33 x float]] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %idx, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %l = zext i32 %t to i64
"""

LOAD = "  %p = getelementptr float, ptr addrspace(1) %in, i64 %i\n  %v = load float, ptr addrspace(1) %p\n"
INDEX = "  %q = getelementptr i32, ptr addrspace(1) %idx, i64 %l\n  %d = load i32, ptr addrspace(1) %q\n"


def costs(body: str) -> list[AccessCost]:
    module = parse(f"{HEAD}{body}  ret void\n}}\n")
    (func,) = [f for f in functions_of(module) if f.body.blocks]
    return accesses_of(func, AnalysisManager())


@pytest.mark.parametrize(
    ("index", "pattern", "sectors", "least", "verdict"),
    [
        ("%i = add i64 %l, 0", "consecutive", 4, 4, "good"),
        ("%i = mul i64 %l, 2", "8 bytes from thread to thread", 8, 4, "poor"),
        ("%i = sub i64 100, %l", "consecutive, downwards", 5, 4, "poor"),
        ("%i = sext i32 %n to i64", "the same address for all threads", 1, 1, "good"),
        ("%x = xor i32 %t, 5\n  %i = zext i32 %x to i64", "computed for each thread: 32 addresses within 128 bytes", 4, 4, "good"),
        ("%x = and i32 %t, 3\n  %i = zext i32 %x to i64", "computed for each thread: 4 addresses within 16 bytes", 1, 1, "good"),
        ("%x = xor i32 %t, %n\n  %i = zext i32 %x to i64", "unknown, not linear in tid.x", None, 4, "unknown"),
    ],
)  # fmt: skip
def test_accesses_of_global_memory(
    index: str, pattern: str, sectors: int | None, least: int, verdict: str
):
    (cost,) = costs(f"  {index}\n{LOAD}")
    assert (cost.pattern, cost.sectors, cost.least, cost.verdict) == (
        pattern,
        sectors,
        least,
        verdict,
    )
    assert (cost.kind, cost.space, cost.array, cost.ways) == ("load", "global", "in", None)


@pytest.mark.parametrize(
    "index",
    [
        "%i = sext i32 %d to i64",
        "%x = xor i32 %d, %t\n  %i = sext i32 %x to i64",
        "%c = icmp slt i32 %d, 4\n  %x = select i1 %c, i32 %t, i32 7\n  %i = sext i32 %x to i64",
    ],
)
def test_data_dependent_addresses_are_unknown(index: str):
    first, second = costs(f"{INDEX}  {index}\n{LOAD}")
    assert first.verdict == "good"
    assert second.pattern == "unknown, data-dependent"
    assert second.verdict == "unknown"
    assert second.cost == "sectors unknown"


@pytest.mark.parametrize(
    ("tile", "columns", "ways", "array"), [("tile", 32, 32, "tile"), ("_ZZ1kvE3pad", 33, 1, "pad")]
)
def test_bank_conflicts(tile: str, columns: int, ways: int, array: str):
    type_ = f"[32 x [{columns} x float]]"
    (cost,) = costs(
        f"  %p = getelementptr {type_}, ptr addrspace(3) @{tile}, i64 0, i64 %l, i64 3\n"
        "  store float 1.0, ptr addrspace(3) %p\n"
    )
    assert (cost.kind, cost.space, cost.ways, cost.array) == ("store", "shared", ways, array)
    assert cost.verdict == ("good" if ways == 1 else "poor")


def variable(name: str, size: int | None) -> LocalCost:
    return LocalCost("k", NOWHERE, "array", name, size, (Cause("why", NOWHERE),), "not checked")


def kernel(local: int, spills: int = 0) -> dict[str, Kernel]:
    return {"k": Kernel(16, 10, spills, local, 0)}


def test_ptxas_determines_local_memory():
    two = [variable("a", 32), variable("b", 64)]

    def verdicts(kernels: dict[str, Kernel]) -> list[str]:
        return [v.verdict for v in checked(two, kernels)]

    assert verdicts({}) == ["not checked"] * 2
    assert verdicts(kernel(0)) == []
    assert verdicts(kernel(96)) == ["in memory"] * 2
    assert verdicts(kernel(64)) == ["in part"] * 2
    # The frame may consist of spills.
    assert verdicts(kernel(96, spills=8)) == ["in part"] * 2


@pytest.mark.parametrize("sm", [75, 86, 90])
@pytest.mark.parametrize("threads", [64, 256, 1024])
def test_register_steps_at_which_occupancy_changes(sm: int, threads: int):
    facts = KernelFacts("k", NOWHERE, threads)
    cost = occupancy_of(facts, sm, 40, 0, measured=True)
    machine = multiprocessor(sm)
    assert cost.warps == occupancy(sm, 40, threads).warps
    for step, after in zip(cost.register_steps, cost.register_steps[1:]):
        assert occupancy(sm, step.amount, threads).warps == step.warps
        assert occupancy(sm, step.amount + 1, threads).warps == after.warps < step.warps
    for step in cost.shared_steps:
        assert occupancy(sm, 40, threads, step.amount).warps == step.warps
        assert occupancy(sm, 40, threads, step.amount + machine.shared_unit).warps < step.warps


def test_the_effect_of_one_register_less():
    cost = occupancy_of(KernelFacts("k", NOWHERE, 256), 90, 33, 0, measured=True)
    assert cost.advice == "1 fewer register (32) would allow 64 warps"
    assert (cost.warps, cost.limit) == (48, "registers")
    at_best = occupancy_of(KernelFacts("k", NOWHERE, 256), 90, 32, 0, measured=True)
    assert at_best.advice == "limited by warps: fewer registers would not help"
    by_shared = occupancy_of(KernelFacts("k", NOWHERE, 256), 90, 32, 60000, measured=True)
    step = max(s.amount for s in by_shared.shared_steps if s.warps > by_shared.warps)
    assert by_shared.advice.startswith(f"{60000 - step} fewer bytes ({step}) would allow ")


EXAMPLES = Path(__file__).parents[3] / "examples"


@cache
def local_array() -> Compilation:
    return compile_recorded([str(EXAMPLES / "local_array.ll")], CompileOptions(arch="sm_90"))


def test_the_table():
    found = local_array()
    text = as_text(found.costs, found.sources)
    assert "local_array.ll:109" in text
    assert "32 sectors" in text
    assert "array local, 128 bytes in permute" in text
    assert "64 of 64" in text


@needs_ptxas
def test_the_limit_of_registers_is_that_of_ptxas():
    options = CompileOptions(arch="sm_90", maxrregcount=24)
    found = compile_recorded([str(EXAMPLES / "matmul.ll")], options)
    assert found.assembly.kernels
    assert {kernel.registers <= 24 for kernel in found.assembly.kernels.values()} == {True}


def test_paths_are_shortened_in_the_middle():
    assert shortened("a/b.cu") == "a/b.cu"
    text = shortened("/home/somebody/projects/kernels/softmax.cu")
    assert text == "/home/somebo…/softmax.cu"
    assert shortened("/x/" + "n" * 40 + ".cu") == "…/" + "n" * 40 + ".cu"
    assert shortened("n" * 40 + ".cu") == "n" * 40 + ".cu"


def told(name: str, kind: str, message: str, line: int = 4) -> Remark:
    return Remark(kind, name, "", "k", (("String", message),), "k.cu", line, 3)


RUNTIME = "unrolled loop by a factor of 4 with run-time trip count"


@pytest.mark.parametrize(
    ("remarks", "decisions"),
    [
        ([told("loop-unroll", "Passed", RUNTIME)], ["unrolled by 4"]),
        ([told("loop-unroll", "Missed", "loop not unrolled: it is large")], ["not unrolled"]),
        ([told("licm", "Missed", "loop not unrolled: it is large")], []),
        ([told("loop-unroll", "Missed", "loop not unrolled: it is large", 0)], []),
        # The last decision counts, and none about the remaining iterations.
        ([told("loop-unroll", "Missed", "loop not unrolled: later"), told("loop-unroll", "Passed", RUNTIME)], ["unrolled by 4"]),
        ([told("loop-unroll", "Passed", RUNTIME), told("loop-unroll", "Missed", "loop not unrolled: x")], ["unrolled by 4"]),
        ([told("loop-unroll", "Missed", "loop not unrolled: later"), told("loop-unroll", "Passed", "completely unrolled loop with 5 iterations")], []),
        ([told("loop-unroll", "Passed", RUNTIME, 9), told("loop-unroll", "Missed", "loop not unrolled: x", 2)], ["not unrolled", "unrolled by 4"]),
    ],
)  # fmt: skip
def test_loops(remarks: list[Remark], decisions: list[str]):
    assert [loop.decision for loop in loops_of(remarks)] == decisions


def test_advice_about_unrolled_loops():
    (loop,) = loops_of([told("loop-unroll", "Passed", RUNTIME)])
    assert "fewer than 4 iterations, `#pragma unroll 1` costs less" in loop.advice
    (loop,) = loops_of([told("loop-unroll", "Missed", "loop not unrolled: it is large")])
    assert loop.advice == "it is large; `#pragma unroll 4` unrolls it"


def test_json():
    found = json.loads(as_json(local_array().costs))
    assert {a["verdict"] for a in found["accesses"]} == {"good", "poor", "unknown"}
    assert found["accesses"][0]["place"]["line"]
    assert [o["function"] for o in found["occupancy"]] == ["median", "permute"]
    assert len(found["occupancy"][0]["register_steps"]) > 3


def test_sarif():
    found = json.loads(as_sarif(local_array().costs))
    assert found["version"] == "2.1.0"
    (run,) = found["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} <= rules
    (line,) = {
        r["locations"][0]["physicalLocation"]["region"]["startLine"]
        for r in run["results"]
        if r["ruleId"] == "local-memory" and "window" in r["message"]["text"]
    }
    assert "%window" in (EXAMPLES / "local_array.ll").read_text().split("\n")[line - 1]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    kernel, out = str(EXAMPLES / "saxpy.ll"), tmp_path / "k.ptx"
    assert nvvm_cc.main(["--report", kernel, "-o", str(out)]) == 0
    assert "Memory accesses of a warp" in capsys.readouterr().err
    assert out.read_text() == nvvm_xdsl.compile(EXAMPLES / "saxpy.ll")
    for name in ("k.html", "k.json", "k.sarif"):
        assert nvvm_cc.main([kernel, "--report", str(tmp_path / name), "-o", str(out)]) == 0
    assert json.loads((tmp_path / "k.json").read_text())["occupancy"][0]["function"] == "saxpy"
    assert json.loads((tmp_path / "k.sarif").read_text())["runs"]
    assert (tmp_path / "k.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.skipif(find_ptxas() is None, reason="ptxas is not installed")
def test_variables_that_ptxas_keeps_in_registers_are_not_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """ptxas unrolls the loop over the index; only the IR has the array in memory."""
    source = tmp_path / "k.ll"
    source.write_text("""
define ptx_kernel void @k(ptr addrspace(1) %out, float %x) {
entry:
  %a = alloca [4 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %n, %fill ]
  %p = getelementptr float, ptr %a, i64 %i
  store float %x, ptr %p
  %n = add i64 %i, 1
  %c = icmp ult i64 %n, 4
  br i1 %c, label %fill, label %done
done:
  %q = getelementptr float, ptr %a, i64 2
  %v = load float, ptr %q
  store float %v, ptr addrspace(1) %out
  ret void
}
""")
    assert nvvm_cc.main([str(source), "-O0", "--report", "-o", str(tmp_path / "k.ptx")]) == 0
    assert "local memory" not in capsys.readouterr().err.partition("Memory accesses")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--report=k.pdf"], "expected a name that ends in .html, .json, .sarif"),
        (["--report", "-j", "2"], "cannot be combined with -j"),
        (["--report", "-emit-llvm"], "cannot be combined with -emit-llvm"),
    ],
)
def test_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert nvvm_cc.main([str(EXAMPLES / "saxpy.ll"), *arguments]) == 1
    assert message in capsys.readouterr().err


REMAINDER = """\
  br label %main
main:
  %i = phi i32 [ {start}, %0 ], [ %i.next, %main ]
  %i.next = add i32 %i, 4
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %main, label %rest
rest:
  %j = phi i32 [ %i.next, %main ], [ %j.next, %rest ]
  %row = mul i32 %j, 128
  %at = add i32 %row, %t
  %a = zext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %a
  %v = load float, ptr addrspace(1) %p
  %j.next = add i32 %j, 1
  %again = icmp slt i32 %j.next, %n
  br i1 %again, label %rest, label %end
end:
"""
"""A loop, and a second one that starts where the first has ended."""


def test_accesses_of_a_remainder_loop():
    """Threads that start at one index leave the main loop together; others may not."""
    (cost,) = costs(REMAINDER.replace("{start}", "0"))
    assert (cost.pattern, cost.verdict) == ("consecutive", "good")
    (cost,) = costs(REMAINDER.replace("{start}", "%t"))
    assert cost.pattern == "unknown, the threads leave an earlier loop in different iterations"
    assert cost.verdict == "unknown"
