"""Every knob of rematerialization has a visible effect through `-opt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from nvvm_xdsl.driver.compile import compile_files
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.pipeline.knobs import parse_opt

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'

USED_IN_A_LOOP = """
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %a = add i64 %w, 4
  %g = getelementptr i32, ptr addrspace(1) %p, i64 %w
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %j, %loop ]
  %x = load volatile i64, ptr addrspace(1) %p
  store i64 %a, ptr addrspace(1) %p
  store volatile i32 %m, ptr addrspace(1) %g
  %j = add i64 %i, 1
  %again = icmp ult i64 %j, %n
  br i1 %again, label %loop, label %out
out:
  store i64 %w, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
"""A sum and an address of one value, which is live throughout."""

FLAT = """
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %n, i1 %c) {
  %id = ptrtoint ptr addrspace(1) %p to i64
  %s = mul i64 %n, %n
  br i1 %c, label %busy, label %end
busy:
  %x = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %x, ptr addrspace(1) %p
  br label %use
use:
  store volatile i64 %s, ptr addrspace(1) %p
  store volatile i64 %id, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
"""
"""A product and a move; either suffices for a target one value lower."""

PARAMETER = """
define ptx_kernel void @k(ptr addrspace(1) %p, ptr byval(i64) align 8 "nvvm.grid_constant" %q, i1 %c) {
  %r = addrspacecast ptr %q to ptr addrspace(101)
  %v = load i64, ptr addrspace(101) %r
  br i1 %c, label %busy, label %end
busy:
  %x = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %x, ptr addrspace(1) %p
  br label %use
use:
  store volatile i64 %v, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
"""

SPECIAL = """
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, i1 %c) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %n, %n
  br i1 %c, label %busy, label %end
busy:
  %x = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %x, ptr addrspace(1) %p
  br label %use
use:
  store volatile i32 %t, ptr addrspace(1) %p
  store volatile i32 %s, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
"""A special register and a product of one register each."""

CHAIN = """
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %i, i64 %s) {
  %a = mul i64 %i, %s
  %j = add i64 %i, 2
  %b = mul i64 %j, %s
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  ret void
}
"""

LOW = "-remat-max-live-limit=0 -remat-maxreg-ceiling=2"


def after(text: str, opt: str) -> str:
    module = read_ll(HEAD + text)
    run_pipeline(module, "remat", options=parse_opt(opt))
    return str(module)


def clones(text: str, opt: str, watched: str = "a g") -> str:
    """Returns the named values that were recomputed."""
    found = after(text, opt).replace("uclone_", "remat_")
    return " ".join(name for name in watched.split() if f"%remat_{name} =" in found)


@pytest.mark.parametrize(
    ("text", "without", "with_knob", "more", "fewer"),
    [
        # The assumed trip count of a loop multiplies the cost of values moved into it.
        (USED_IN_A_LOOP, LOW, f"{LOW} -remat-loop-trip=7000", "a g", ""),
        (USED_IN_A_LOOP, LOW, f"{LOW} -remat-single-cost-limit=19", "a g", ""),
        (
            USED_IN_A_LOOP,
            f"{LOW} -remat-single-cost-limit=19",
            f"{LOW} -remat-single-cost-limit=19 -remat-ignore-single-cost",
            "a g",
            "",
        ),
        # An address costs 2 for each of 20 iterations, the sum 1.
        (USED_IN_A_LOOP, LOW, f"{LOW} -remat-gep-cost=39", "a g", "a"),
        (USED_IN_A_LOOP, LOW, f"{LOW} -remat-use-limit=0", "a g", ""),
    ],
)
def test_maximum_cost_of_a_value(text: str, without: str, with_knob: str, more: str, fewer: str):
    found = [clones(text, without), clones(text, with_knob)]
    assert sorted(found, key=len, reverse=True) == [more, fewer]


def test_low_pressure_is_left_alone():
    assert clones(USED_IN_A_LOOP, "-remat-maxreg-ceiling=2") == ""
    assert clones(USED_IN_A_LOOP, LOW) == "a g"


def test_targets():
    some = "-remat-max-live-limit=0"
    assert clones(USED_IN_A_LOOP, some) == ""
    assert clones(USED_IN_A_LOOP, f"{some} -remat-for-occ=2") == "a g"
    assert clones(USED_IN_A_LOOP, f"{some} -remat-maxreg-ceiling=2") == "a g"
    assert clones(USED_IN_A_LOOP, f"{some} -maxrregcount=2") == "a g"
    # 80% of the live registers.
    assert clones(USED_IN_A_LOOP, f"{some} -remat-for-occ=0") == "a g"


def test_moves():
    assert clones(FLAT, LOW, "s id") == "s"
    assert clones(FLAT, f"{LOW} -remat-move", "s id") == "s id"


def test_loads_of_parameters():
    assert clones(PARAMETER, LOW, "v") == "v"
    assert clones(PARAMETER, f"{LOW} -remat-load-param=0", "v") == ""
    assert clones(PARAMETER, f"{LOW} -remat-load=0", "v") == ""


def test_long_latency():
    """The cheaper of two is moved first, and suffices for a target one register below the pressure."""
    one_less = "-remat-max-live-limit=0 -remat-for-occ=5"
    assert clones(SPECIAL, one_less, "s t") == "s"
    assert clones(SPECIAL, f"{one_less} -remat-lli-factor=1", "s t") == "t"


def test_steps(capsys: pytest.CaptureFixture[str]):
    assert after(CHAIN, "-dump-remat-add").count("llvm.mul") == 2
    assert capsys.readouterr().err == ""
    found = after(CHAIN, "-remat-add=1 -dump-remat-add")
    assert found.count("llvm.mul") == 1
    assert "%factor = llvm.shl %s" in found
    assert "%b = llvm.add %a, %factor" in found
    assert capsys.readouterr().err == "remark: remat: k: 1 products and sums are a step\n"


def test_dumps_are_also_shown_by_the_compiler(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The compiler also collects remarks itself, to report some of them by default."""
    path = tmp_path / "k.ll"
    path.write_text(HEAD + USED_IN_A_LOOP)
    reported: list[str] = []
    options = CompileOptions("sm_90", pass_options=f"{LOW} -dump-remat")
    compile_files([path], options, remark=reported.append)
    assert "remark: remat: k: Total pull-in cost =" in capsys.readouterr().err
    assert not any("remat" in text for text in reported)


USES = {
    1: "%u = mul i64 %i, 24\n  store volatile i64 %u, ptr addrspace(1) %p",
    2: "%u = icmp sgt i64 %i, 7\n  %v = zext i1 %u to i8\n  store volatile i8 %v, ptr addrspace(1) %p",
    3: "%u = getelementptr i32, ptr addrspace(1) %p, i64 %i\n  store volatile i32 %n, ptr addrspace(1) %u",
    4: "store volatile i64 %i, ptr addrspace(1) %p",
}
"""A use of a counter by the lowest `remat-iv` level that allows it."""


@pytest.mark.parametrize("needed", USES)
def test_levels_of_counters(needed: int):
    text = f"""
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {{
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %j, %loop ]
  %k = phi i32 [ 0, %0 ], [ %l, %loop ]
  {USES[needed]}
  %j = add nuw nsw i64 %i, 1
  %l = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %l, 100
  br i1 %again, label %loop, label %out
out:
  ret void
}}
"""
    narrow = [level for level in range(6) if "%demoteIV" in after(text, f"-remat-iv={level}")]
    assert narrow == list(range(needed, 6))
