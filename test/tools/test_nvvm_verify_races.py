"""`nvvm-verify-races`: proofs, confirmed races, unknown results, options and exit statuses."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("z3")

from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.lab.races import verify
from nvvm_xdsl.lab.races.encode import Context
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.tools import nvvm_verify_races
from nvvm_xdsl.tools.nvvm_verify_races import UNKNOWN

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
BROKEN = EXAMPLES / "broken"


def kernel(body: str, shared: str = "") -> str:
    """LLVM assembly of a kernel with the thread index %t, the block index %b and parameters."""
    return f"""
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [1024 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @outside()
{shared}
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) noalias %r, i32 %n) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
{body}
}}
"""


BARRIER = "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"

STORE_TILE = """  %p = getelementptr inbounds i32, ptr addrspace(3) @tile, i32 %t
  store i32 %t, ptr addrspace(3) %p
"""

LOAD_NEXT = """  %next = add nsw i32 %t, 1
  %q = getelementptr inbounds i32, ptr addrspace(3) @tile, i32 %next
  %v = load i32, ptr addrspace(3) %q
"""

LOOP = """  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
{body}
  %j = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void"""


def run(tmp_path: Path, body: str, *options: str) -> int:
    """The exit status for a kernel."""
    file = tmp_path / "k.ll"
    file.write_text(kernel(body))
    return nvvm_verify_races.main([str(file), *options])


@pytest.mark.parametrize(
    ("file", "name", "options"),
    [
        ("reduction", "reduce_sum", "--assume-no-alias"),
        ("reduction", "reduce_max", "--assume-no-alias"),
        ("histogram", "histogram", "--assume-no-alias"),
        ("scan", "scan", "--assume-no-alias"),
        ("local_array", "median", "--assume-no-alias"),
        ("device_function", "evaluate", "--assume-no-alias"),
        ("switch", "classify", "--assume-no-alias"),
        ("half", "axpy_half", "--assume-no-alias"),
        ("integers", "divide", "--assume-no-alias"),
    ],
)
def test_examples_are_proved(file: str, name: str, options: str) -> None:
    words = [str(EXAMPLES / f"{file}.ll"), "--kernel", name, *options.split()]
    assert nvvm_verify_races.main(words) == 0


@pytest.mark.parametrize(
    ("file", "verdict", "line"),
    [
        ("missing_barrier", "race", "confirmed on the simulator: Race reported"),
        ("lost_update", "race", "lost_update.cu:7:12: write"),
        ("divergent_barrier", "divergent barrier", "confirmed on the simulator: Barrier error"),
    ],
)
def test_broken_kernels_are_refuted(
    file: str, verdict: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert nvvm_verify_races.main([str(BROKEN / f"{file}.ll")]) == 1
    output = capsys.readouterr().out
    assert f": {verdict}\n" in output
    assert line in output


def test_pointers_may_overlap_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(EXAMPLES / "half.ll"), "--kernel", "axpy_half"]
    assert nvvm_verify_races.main(words) == UNKNOWN
    assert "'x' and 'y' may overlap; --assume-no-alias" in capsys.readouterr().out


def test_barriers_order_shared_memory(tmp_path: Path) -> None:
    ordered = STORE_TILE + BARRIER + LOAD_NEXT + "  ret void"
    assert run(tmp_path, ordered) == 0
    assert run(tmp_path, STORE_TILE + LOAD_NEXT + "  ret void") == 1


def test_barriers_of_a_loop_order_its_iterations(tmp_path: Path) -> None:
    body = LOOP.format(body=STORE_TILE + BARRIER + LOAD_NEXT + BARRIER)
    assert run(tmp_path, body) == 0
    for one in (BARRIER + STORE_TILE + LOAD_NEXT, STORE_TILE + BARRIER + LOAD_NEXT):
        assert run(tmp_path, LOOP.format(body=one)) != 0


def test_a_barrier_of_a_loop_orders_accesses_before_it(tmp_path: Path) -> None:
    body = """  %later = icmp sgt i32 %i, 0
  %far = add nsw i32 %t, 512
  %e = select i1 %later, i32 %t, i32 %far
  %w = getelementptr inbounds i32, ptr addrspace(3) @tile, i32 %e
  store i32 %t, ptr addrspace(3) %w
"""
    for barrier, proved in ((BARRIER, True), ("", False)):
        text = LOAD_NEXT + LOOP.format(body=body + barrier)
        assert (run(tmp_path, text, "--block", "256") == 0) == proved


def test_blocks_are_not_ordered_by_barriers(tmp_path: Path) -> None:
    body = (
        "  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %t\n"
        "  store i32 %b, ptr addrspace(1) %p\n" + BARRIER + "  ret void"
    )
    assert run(tmp_path, body) == 1
    assert run(tmp_path, body, "--grid", "1") == 0


GRID_BARRIER = "  call void @_ZNK18cooperative_groups10grid_group4syncEv(ptr null)\n"

GLOBAL_INDEX = """  %base = mul nsw i32 %b, %d
  %g = add nsw i32 %base, %t
  %h = add nsw i32 %g, 1
  %own = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %g
  %other = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %h
"""

LOAD_OTHER = "  %v = load i32, ptr addrspace(1) %other\n"

STORE_OWN = "  store i32 %t, ptr addrspace(1) %own\n"


def run_with_grid_barrier(tmp_path: Path, body: str, *options: str) -> int:
    """The exit status for a kernel that declares the barriers of a launch and of diverged warps."""
    declared = "declare void @_ZNK18cooperative_groups10grid_group4syncEv(ptr)\n"
    declared += "declare void @llvm.nvvm.barrier.cta.sync.all(i32)"
    file = tmp_path / "k.ll"
    file.write_text(kernel(body, declared))
    return nvvm_verify_races.main([str(file), *options])


def test_barriers_of_a_launch_order_all_blocks(tmp_path: Path) -> None:
    for barrier, status in ((GRID_BARRIER, 0), (BARRIER, 1)):
        body = GLOBAL_INDEX + LOAD_OTHER + barrier + STORE_OWN + "  ret void"
        assert run_with_grid_barrier(tmp_path, body) == status
    for last, proved in ((GRID_BARRIER + BARRIER, True), (BARRIER, False)):
        body = LOOP.format(body=STORE_OWN + GRID_BARRIER + LOAD_OTHER + last)
        assert (run_with_grid_barrier(tmp_path, GLOBAL_INDEX + body) == 0) == proved


def test_a_run_with_barriers_of_a_launch_has_one_block(tmp_path: Path) -> None:
    # The stores of 5 are not proved to be different places. No run reports stores of equal values.
    body = (
        GLOBAL_INDEX + LOAD_OTHER + GRID_BARRIER + STORE_OWN + "  %i = and i32 %v, 3\n"
        "  %p = getelementptr i32, ptr addrspace(1) %r, i32 %i\n"
        "  store i32 5, ptr addrspace(1) %p\n  ret void"
    )
    assert run_with_grid_barrier(tmp_path, body, "--block", "1") == UNKNOWN


@pytest.mark.parametrize(("position", "status"), [("%t", 1), ("%b", UNKNOWN)])
def test_all_threads_must_reach_a_barrier_of_a_launch(
    tmp_path: Path, position: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    body = (
        f"  %c = icmp eq i32 {position}, 0\n  br i1 %c, label %then, label %done\n"
        f"then:\n{GRID_BARRIER}  br label %done\ndone:\n  ret void"
    )
    assert run_with_grid_barrier(tmp_path, body) == status
    output = capsys.readouterr().out
    assert ("divergent barrier" if status == 1 else "may not all reach the barrier") in output


@pytest.mark.parametrize(("number", "status"), [("0", 0), ("1", UNKNOWN)])
def test_barriers_of_diverged_warps(tmp_path: Path, number: str, status: int) -> None:
    barrier = f"  call void @llvm.nvvm.barrier.cta.sync.all(i32 {number})\n"
    body = STORE_TILE + barrier + LOAD_NEXT + "  ret void"
    assert run_with_grid_barrier(tmp_path, body) == status


def test_stores_of_equal_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "  store i32 %n, ptr addrspace(1) %a\n  ret void"
    assert run(tmp_path, body) == UNKNOWN
    assert "--same-value allows this" in capsys.readouterr().out
    assert run(tmp_path, body, "--same-value") == 0


@pytest.mark.parametrize(("scope", "status"), [("", 0), ('syncscope("block")', 1)])
def test_atomics_need_a_scope_with_both_threads(tmp_path: Path, scope: str, status: int) -> None:
    body = f"  %o = atomicrmw add ptr addrspace(1) %a, i32 1 {scope} monotonic\n  ret void"
    assert run(tmp_path, body, "--grid", "2") == status


def test_conditions_on_arguments(tmp_path: Path) -> None:
    body = (
        "  %m = mul i32 %b, %n\n  %i = add i32 %m, %t\n"
        "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %i\n"
        "  store i32 %b, ptr addrspace(1) %p\n  ret void"
    )
    assert run(tmp_path, body) != 0
    assert run(tmp_path, body, "--assume", "n == blockDim.x") == 0
    assert run(tmp_path, "  ; nvvm-verify-races: --assume 'n == blockDim.x'\n" + body) == 0


def test_contradictory_conditions_prove_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "  store i32 %t, ptr addrspace(1) %a\n  ret void"
    assert run(tmp_path, body, "--assume", "n > 1 && n < 1") == UNKNOWN
    assert "no launch satisfies the conditions" in capsys.readouterr().out
    assert run(tmp_path, body, "--block", "2048") == 1
    assert "at most 1024 threads" in capsys.readouterr().err


def test_kernels_of_a_module_are_independent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = (
        "  %last = icmp eq i32 %t, 40\n  br i1 %last, label %then, label %done\n"
        "then:\n  store i32 %b, ptr addrspace(1) %a\n  br label %done\ndone:\n  ret void"
    )
    second = kernel(body)
    first = (
        second[second.index("define") :].replace("@k(", "@small(").replace("i32 %n)", "i32 %n) #0")
    )
    file = tmp_path / "k.ll"
    file.write_text(first + second + 'attributes #0 = { "nvvm.reqntid"="32,1,1" }\n')
    assert nvvm_verify_races.main([str(file)]) == 1
    output = capsys.readouterr().out
    assert "small: proved" in output
    assert "k: race" in output


def test_indices_that_may_wrap_are_not_proved_disjoint(tmp_path: Path) -> None:
    body = (
        "  %i = mul i32 %t, %n\n"
        "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %i\n"
        "  store i32 %t, ptr addrspace(1) %p\n  ret void"
    )
    assumed = ("--assume", "n >= 1", "--grid", "1")
    assert run(tmp_path, body, *assumed) != 0
    assert run(tmp_path, body, *assumed, "--assume-no-wrap") == 0


def test_calls_without_definition_are_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "  call void @outside()\n  ret void"
    assert run(tmp_path, body) == UNKNOWN
    assert "'outside', a function without a definition" in capsys.readouterr().out
    assert run(tmp_path, body, "--assume-pure-externals") == 0


FUNCTIONS = """
define internal i32 @same(i32 %i) convergent {
  ret i32 %i
}
define internal i32 @next(i32 %i) convergent {
  %j = add nsw i32 %i, 1
  ret i32 %j
}
@taken = internal addrspace(1) global [2 x ptr] [ptr @same, ptr @next]
"""

STORE_AT_RESULT = """  %i = call i32 %f(i32 %t)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %i
  store i32 %t, ptr addrspace(1) %p
  ret void"""


@pytest.mark.parametrize(
    ("chosen", "status"),
    [
        ("%c = icmp eq i32 %n, 1\n  %f = select i1 %c, ptr @same, ptr @next", 0),
        # Threads 0 and 1 both store to element 1.
        ("%c = icmp eq i32 %t, 1\n  %f = select i1 %c, ptr @same, ptr @next", 1),
        ("%c = icmp ult i32 %t, 9\n  %f = select i1 %c, ptr @same, ptr @next", 0),
    ],
)
def test_pointers_to_functions_are_traced(
    tmp_path: Path, chosen: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "k.ll"
    file.write_text(kernel(f"  {chosen}\n{STORE_AT_RESULT}", FUNCTIONS))
    assert nvvm_verify_races.main([str(file), "--grid", "1"]) == status
    assert "pointers to functions" not in capsys.readouterr().out


def test_unknown_pointers_refer_to_functions_whose_address_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = kernel(STORE_AT_RESULT, FUNCTIONS).replace("i32 %n", "ptr %f")
    assumed = "if pointers to functions refer to functions whose address the module takes"
    for functions, status in ((FUNCTIONS, 0), (FUNCTIONS[: FUNCTIONS.index("@taken")], UNKNOWN)):
        file = tmp_path / "k.ll"
        file.write_text(text.replace(FUNCTIONS, functions))
        assert nvvm_verify_races.main([str(file), "--grid", "1"]) == status
        assert (assumed in capsys.readouterr().out) == (status == 0)


@pytest.mark.parametrize(
    ("call", "status"),
    [
        ("call i32 @__nv_max(i32 %t, i32 -1)", 0),
        ("call i32 @__nv_umin(i32 %t, i32 1024)", 0),
        ("call i32 @__nv_abs(i32 %t)", 0),
        ("call i32 @__nv_mul24(i32 %t, i32 3)", 0),
        ("call i32 @llvm.nvvm.mul24.ui(i32 %t, i32 5)", 0),
        ("call i32 @llvm.umax.i32(i32 %t, i32 7)", 1),
        # The low 24 bits of 2^22 * t are equal for t and t + 4.
        ("call i32 @llvm.nvvm.mul24.i(i32 %s, i32 1)", 1),
    ],
)
def test_functions_of_integers(tmp_path: Path, call: str, status: int) -> None:
    names = ("__nv_max", "__nv_umin", "__nv_mul24", "llvm.umax.i32")
    declared = "".join(f"declare i32 @{name}(i32, i32)\n" for name in names)
    declared += "declare i32 @__nv_abs(i32)\n"
    declared += "".join(f"declare i32 @llvm.nvvm.mul24.{k}(i32, i32)\n" for k in ("i", "ui"))
    body = STORE_AT_RESULT.replace("call i32 %f(i32 %t)", call)
    file = tmp_path / "k.ll"
    file.write_text(kernel("  %s = shl i32 %t, 22\n" + body, declared))
    assert nvvm_verify_races.main([str(file), "--grid", "1"]) == status


@pytest.mark.skipif(find_libdevice() is None, reason="libdevice is not installed")
def test_launches_call_functions_of_libdevice(tmp_path: Path) -> None:
    body = (
        "  %i = call i32 @__nv_min(i32 %t, i32 %n)\n"
        "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %i\n"
        "  store i32 %t, ptr addrspace(1) %p\n  ret void"
    )
    file = tmp_path / "k.ll"
    file.write_text(kernel(body, "declare i32 @__nv_min(i32, i32)"))
    assert nvvm_verify_races.main([str(file), "--grid", "1"]) == 1


def test_a_run_uses_stores_of_different_values(tmp_path: Path) -> None:
    body = (
        "  %i = and i32 %t, 3\n  %v = lshr i32 %t, 3\n"
        "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %i\n"
        "  store i32 %v, ptr addrspace(1) %p\n  ret void"
    )
    # Threads 0 and 4 store 0; only threads 8 or more apart store different values.
    assert run(tmp_path, body, "--grid", "1") == 1


def test_a_run_has_arrays_that_are_indices_of_others(tmp_path: Path) -> None:
    # The race needs two rows of a graph, each with an edge to a row of a greater number.
    body = """
      %row = getelementptr i32, ptr addrspace(1) %r, i32 %t
      %first = load i32, ptr addrspace(1) %row
      %next = getelementptr i32, ptr addrspace(1) %row, i32 1
      %last = load i32, ptr addrspace(1) %next
      %any = icmp slt i32 %first, %last
      br i1 %any, label %edge, label %end
    edge:
      %place = getelementptr i32, ptr addrspace(1) %list, i32 %first
      %neighbour = load i32, ptr addrspace(1) %place
      %greater = icmp slt i32 %t, %neighbour
      br i1 %greater, label %write, label %end
    write:
      store i32 %t, ptr addrspace(1) %a
      br label %end
    end:
      ret void"""
    file = tmp_path / "k.ll"
    file.write_text(kernel(body).replace("i32 %n)", "ptr addrspace(1) noalias %list)"))
    assert nvvm_verify_races.main([str(file), "--assume-no-alias"]) == 1


TICKET = """
  %counter = getelementptr i32, ptr addrspace(1) %r, i32 INDEX
  %old = atomicrmw OPERATION ptr addrspace(1) %counter, i32 AMOUNT monotonic
  %place = getelementptr i32, ptr addrspace(1) %a, i32 %old
  store i32 %t, ptr addrspace(1) %place
  ret void"""
"""A thread stores to the element whose number an atomic operation returns."""


@pytest.mark.parametrize(
    ("operation", "amount", "index", "options", "status"),
    [
        ("add", "1", "0", ["--assume-no-wrap"], 0),
        ("add", "3", "0", ["--assume-no-wrap"], 0),
        ("add", "1", "0", [], UNKNOWN),
        ("add", "0", "0", ["--assume-no-wrap"], 1),
        ("add", "%n", "0", ["--assume-no-wrap"], 1),
        ("or", "1", "0", ["--assume-no-wrap"], 1),
        ("add", "1", "%t", ["--assume-no-wrap"], 1),
    ],
)
def test_atomic_additions_return_different_values(
    operation: str, amount: str, index: str, options: list[str], status: int, tmp_path: Path
) -> None:
    body = TICKET.replace("OPERATION", operation).replace("AMOUNT", amount)
    assert run(tmp_path, body.replace("INDEX", index), "--assume-no-alias", *options) == status


def test_other_writes_of_a_counter(tmp_path: Path) -> None:
    body = TICKET.replace("OPERATION", "add").replace("AMOUNT", "1").replace("INDEX", "0")
    reset = "%zero = atomicrmw xchg ptr addrspace(1) %r, i32 0 monotonic\n  ret void"
    options = ("--assume-no-alias", "--assume-no-wrap")
    assert run(tmp_path, body, *options) == 0
    assert run(tmp_path, body.replace("ret void", reset), *options) != 0


def test_small_launches_are_tried_if_the_solver_has_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, limits = Context.check, list[float]()
    long = verify.Options().query_seconds

    def first_unknown(self: Context, solver: object, seconds: float) -> object:
        """Decides that the conditions are satisfiable, then gives no answer about the race."""
        limits.append(seconds)
        return (
            z3.unknown if limits.count(long) == 2 == len(limits) else check(self, solver, seconds)
        )

    monkeypatch.setattr(Context, "check", first_unknown)
    body = "  store i32 %t, ptr addrspace(1) %r\n  ret void"
    assert run(tmp_path, body) == 1
    assert limits[:3] == [long, long, verify.SMALL_SECONDS]


def test_one_launch_is_tried_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check = Context.check

    def only_one_launch(self: Context, solver: Any, seconds: float) -> object:
        """Answers only if the size of a block is known."""
        known = "ntid.x == 64" in str(solver.assertions())
        return check(self, solver, seconds) if known else z3.unknown

    monkeypatch.setattr(Context, "check", only_one_launch)
    body = "  store i32 %t, ptr addrspace(1) %r\n  ret void"
    assert run(tmp_path, body) == 1
    assert "launch: grid (2, 1, 1), block (64, 1, 1)" in capsys.readouterr().out


GRID_STRIDE = """
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %step = mul i32 %d, %blocks
  %above = mul i32 %b, %d
  %first = add i32 %above, %t
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %j, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %index = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %r, i64 %index
  store i32 %b, ptr addrspace(1) %p
  %j = add i32 %i, %step
  br label %loop
done:
  ret void"""


def test_the_index_of_a_loop_over_the_grid_may_wrap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, GRID_STRIDE) == UNKNOWN
    capsys.readouterr()
    assert run(tmp_path, GRID_STRIDE, "--assume-no-wrap") == 0
    assert "if additions and multiplications of indices do not wrap" in capsys.readouterr().out
    overlapping = GRID_STRIDE.replace("%step = mul i32 %d, %blocks", "%step = add i32 %d, 0")
    assert run(tmp_path, overlapping, "--assume-no-wrap") == 1


@pytest.mark.parametrize(("multiple", "status"), [(32, 0), (64, 0), (16, 1)])
def test_products_with_a_multiple(tmp_path: Path, multiple: int, status: int) -> None:
    # One thread of each warp stores, in a loop over elements with one warp for each.
    body = GRID_STRIDE.replace(
        "  br label %loop\nloop",
        """  %lane = and i32 %t, 31
  %chosen = icmp eq i32 %lane, 15
  %warp = sdiv i32 %first, 32
  %warps = lshr i32 %step, 5
  br i1 %chosen, label %start, label %done
start:
  br label %loop
loop""",
    )
    body = body.replace("%first, %entry", "%warp, %start").replace("%i, %step", "%i, %warps")
    condition = f"n >= 0 && blockDim.x % {multiple} == 0"
    assert run(tmp_path, body, "--assume-no-wrap", "--assume", condition) == status


REDUCED = """
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %j, %body ]
  %mine = icmp slt i32 %i, %n
  %more = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %mine)
  br i1 CONDITION, label %body, label %done
body:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = add nsw i32 %i, %d
  br label %loop
done:
  ret void"""


def test_a_reduction_at_a_barrier_is_the_same_for_a_block(tmp_path: Path) -> None:
    assert run(tmp_path, REDUCED.replace("CONDITION", "%more")) == 0
    assert run(tmp_path, REDUCED.replace("CONDITION", "%mine")) == 1


COUNT = "call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1"


def two_writers(first: str, second: str) -> str:
    """Thread 0 of a block stores to an element under one condition, thread 1 under another."""
    return f"""
      %is0 = icmp eq i32 %t, 0
      %is1 = icmp eq i32 %t, 1
      %c0 = and i1 %is0, {first}
      %c1 = and i1 %is1, {second}
      %either = or i1 %c0, %c1
      br i1 %either, label %write, label %end
    write:
      store i32 %t, ptr addrspace(1) %r
      br label %end
    end:
      ret void"""


def test_all_threads_of_a_block_have_one_count(tmp_path: Path) -> None:
    body = f"""
      %few = icmp slt i32 %t, %n
      %count = {COUNT} %few)
      %low = icmp slt i32 %count, 7
      %high = icmp sgt i32 %count, LIMIT
    """ + two_writers("%low", "%high")
    options = ("--grid", "1", "--block", "32", "--assume", "n == 6")
    assert run(tmp_path, body.replace("LIMIT", "6"), *options) == 0
    assert run(tmp_path, body.replace("LIMIT", "5"), *options) == 1


def test_blocks_have_different_counts(tmp_path: Path) -> None:
    # The first block counts 5 threads, the second one 7.
    body = f"""
      %twice = shl i32 %b, 1
      %limit = add i32 %twice, 5
      %few = icmp slt i32 %t, %limit
      %count = {COUNT} %few)
      %all = icmp eq i32 %count, %limit
      %is0 = icmp eq i32 %t, 0
      %writes = and i1 %is0, %all
      br i1 %writes, label %write, label %end
    write:
      store i32 %b, ptr addrspace(1) %r
      br label %end
    end:
      ret void"""
    assert run(tmp_path, body, "--grid", "2", "--block", "32") == 1


def test_iterations_have_different_counts(tmp_path: Path) -> None:
    # The first iteration counts 5 threads, the second one 7.
    body = f"""
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %j, %loop ]
      %before = phi i32 [ 0, %entry ], [ %count, %loop ]
      %twice = shl i32 %i, 1
      %limit = add i32 %twice, 5
      %few = icmp slt i32 %t, %limit
      %count = {COUNT} %few)
      %j = add nuw nsw i32 %i, 1
      %more = icmp slt i32 %j, 2
      br i1 %more, label %loop, label %done
    done:
      %five = icmp eq i32 %before, 5
      %seven = icmp eq i32 %count, 7
    """ + two_writers("%five", "%seven")
    assert run(tmp_path, body, "--grid", "1", "--block", "32") == 1


def test_a_run_has_arrays_with_equal_entries(tmp_path: Path) -> None:
    # The race needs two rows with an edge to the same row of a greater number.
    body = """
      %place = getelementptr i32, ptr addrspace(1) %r, i32 %t
      %neighbour = load i32, ptr addrspace(1) %place
      %greater = icmp slt i32 %t, %neighbour
      br i1 %greater, label %write, label %end
    write:
      %target = getelementptr i32, ptr addrspace(1) %a, i32 %neighbour
      store i32 %t, ptr addrspace(1) %target
      br label %end
    end:
      ret void"""
    assert run(tmp_path, body, "--assume-no-alias") == 1


def test_the_time_limit_is_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, BARRIER + "  ret void", "--timeout", "1e-6") == UNKNOWN
    assert "k: unknown: the time limit was reached" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--block", "0"], "--block: expected one to three positive numbers"),
        (["--assume", "m == 1"], "unknown name 'm' in the condition 'm == 1'"),
        (["--assume", "n +"], "'n +' is not a condition"),
        (["--assume", "n"], "is a number, not a condition"),
        (["--timeout", "0"], "--timeout must be positive"),
        (["--kernel", "nothing"], "nothing"),
    ],
)
def test_errors_in_options(
    tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "  ret void", *options) == 1
    assert message in capsys.readouterr().err


def test_examples_of_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    prefix = "  nvvm-verify-races"
    lines = [s for s in nvvm_verify_races.EPILOG.splitlines() if s.startswith(prefix)]
    assert len(lines) >= 4
    for line in lines:
        expected = 1 if "broken" in line else 0
        assert nvvm_verify_races.main(shlex.split(line)[1:]) == expected, line
