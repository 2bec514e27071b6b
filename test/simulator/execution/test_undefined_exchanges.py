"""Undefined values that threads exchange: votes, matches, reductions, shuffles, barriers."""

from __future__ import annotations

import re

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx.convert import convert
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.simulator import SimulationError, launch

THREADS = 64
WARP = 32

KERNEL = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
DECLARATION

define ptx_kernel void @k(ptr %out, i32 %set) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = alloca i32
  %sets = icmp ult i32 %tid, %set
  br i1 %sets, label %write, label %read
write:
  store i32 %tid, ptr %slot
  br label %read
read:
  %value = load i32, ptr %slot
  %flag = icmp eq i32 %value, 3
  %result = CALL
  EXTRACT
  %place = getelementptr i32, ptr %out, i32 %tid
  store i32 %stored, ptr %place
  ret void
}
"""
"""Threads from `%set` on do not initialize `%value`."""

WORD = "%stored = add i32 %result, 0"
BIT = "%stored = zext i1 %result to i32"
PAIR = "%stored = extractvalue { i32, i1 } %result, 0"
BIT_OF_PAIR = "%bit = extractvalue { i32, i1 } %result, 1\n  %stored = zext i1 %bit to i32"

WARP_CALLS = {
    "any": ("i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %flag)", BIT),
    "all": ("i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %flag)", BIT),
    "uni": ("i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %flag)", BIT),
    "ballot": ("i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %flag)", WORD),
    "match any": ("i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %value)", WORD),
    "match all": ("{ i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %value)", PAIR),
    "match all, predicate": (
        "{ i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %value)",
        BIT_OF_PAIR,
    ),
    "reduction": ("i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 -1)", WORD),
}
"""Operations of whole warps."""

BARRIER_CALLS = {
    "popc": ("i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %flag)", WORD),
    "and": ("i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %flag)", BIT),
    "or": ("i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %flag)", BIT),
    "popc of an integer": ("i32 @llvm.nvvm.barrier0.popc(i32 %value)", WORD),
}
"""Reductions of whole blocks."""

SHUFFLE = "i32 @llvm.nvvm.shfl.sync.idx.i32(i32 {}, i32 {}, i32 {}, i32 31)"


def _kernel(call: str, extract: str) -> str:
    """The kernel with a call and its declaration."""
    declaration = re.sub(r"(i\d+) (%\w+|-?\d+|true)", r"\1", call)
    text = KERNEL.replace("DECLARATION", f"declare {declaration}")
    return text.replace("CALL", f"call {call}").replace("EXTRACT", extract)


def _launch(text: str, set_: int, arch: str = "") -> None:
    module = nvvm_xdsl.parse(text, format="ll")
    if arch:
        module = convert(read_ptx(nvvm_xdsl.emit(module, arch=arch, opt_level=0)))
    launch(module, "k", 1, THREADS, [np.zeros(THREADS, np.uint32), set_], checks=["init"])


def _first_undefined_byte(text: str, set_: int, arch: str = "") -> int:
    """The first undefined byte of the output."""
    with pytest.raises(SimulationError) as raised:
        _launch(text, set_, arch)
    found = re.match(r"the host reads byte (\d+) of '\w+', which", raised.value.message)
    assert found is not None, raised.value.message
    return int(found[1])


@pytest.mark.parametrize("arch", ["", "sm_90"])
@pytest.mark.parametrize("name", WARP_CALLS)
def test_a_warp_result_depends_on_the_values_of_its_members(name: str, arch: str):
    """The second warp has an undefined value, the first one does not."""
    text = _kernel(*WARP_CALLS[name])
    _launch(text, THREADS, arch)
    assert _first_undefined_byte(text, WARP + 8, arch) == 4 * WARP


@pytest.mark.parametrize("arch", ["", "sm_90"])
@pytest.mark.parametrize("name", BARRIER_CALLS)
def test_a_barrier_result_depends_on_the_values_of_all_threads(name: str, arch: str):
    text = _kernel(*BARRIER_CALLS[name])
    _launch(text, THREADS, arch)
    assert _first_undefined_byte(text, THREADS - 1, arch) == 0


def test_other_bits_of_a_ballot_are_defined():
    """The undefined bits are those of the members with undefined values."""
    call, _ = WARP_CALLS["ballot"]
    _launch(_kernel(call, "%stored = and i32 %result, 255"), 8 + WARP)
    text = _kernel(call, "%stored = and i32 %result, 256")
    assert _first_undefined_byte(text, 8 + WARP) == 4 * WARP + 1


def test_members_outside_of_the_mask_do_not_matter():
    """The lower half of the second warp does not exchange values with the upper half."""
    halves = "%upper = and i32 %tid, 16\n  %mask = shl i32 65535, %upper\n  %value = load"
    for name in ("any", "match any", "reduction"):
        call, extract = WARP_CALLS[name]
        text = _kernel(call.replace("i32 -1", "i32 %mask"), extract)
        text = text.replace("%value = load", halves)
        assert _first_undefined_byte(text, WARP + 24) == 4 * (WARP + 16)


@pytest.mark.parametrize(
    "call",
    [
        SHUFFLE.format("%value", "%tid", "1"),
        SHUFFLE.format("-1", "%tid", "%value"),
        "i1 @llvm.nvvm.vote.any.sync(i32 %value, i1 true)",
        "i32 @llvm.nvvm.barrier.cta.red.popc.aligned.count(i32 0, i32 %value, i1 true)",
    ],
)
def test_undefined_members_are_reported(call: str):
    """Member masks, lanes and numbers of threads must be defined."""
    extract = BIT if call.startswith("i1") else WORD
    with pytest.raises(SimulationError, match="synchronization depends on an undefined value"):
        _launch(_kernel(call, extract), 0)


TWO_BARRIERS = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)

define ptx_kernel void @k(ptr %out, i32 %set) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %one, label %two
one:
  %a = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 true)
  br label %end
two:
  %b = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 undef)
  br label %end
end:
  %c = phi i32 [ %a, %one ], [ 0, %two ]
  %place = getelementptr i32, ptr %out, i32 %tid
  store i32 %c, ptr %place
  ret void
}
"""


def test_the_predicates_of_two_instructions_of_one_barrier():
    """The result of one instruction is undefined if the predicate of another one is."""
    assert _first_undefined_byte(TWO_BARRIERS, 0) == 0
    _launch(TWO_BARRIERS.replace("undef", "false"), 0)
