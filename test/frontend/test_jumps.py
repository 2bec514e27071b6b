"""Jumps to addresses of blocks, and calls that could throw."""

from __future__ import annotations

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl import simulator
from nvvm_xdsl.codegen.from_ptx import convert

INTERPRETER = """
target triple = "nvptx64-nvidia-cuda"
@labels = internal addrspace(1) constant [4 x ptr] [ptr blockaddress(@k, %add), ptr blockaddress(@k, %double), ptr blockaddress(@k, %negate), ptr blockaddress(@k, %stop)]
define ptx_kernel void @k(ptr addrspace(1) %program, ptr addrspace(1) %out) {
entry:
  br label %next
next:
  %x = phi i32 [ 1, %entry ], [ %added, %add ], [ %doubled, %double ], [ %negated, %negate ]
  %pc = phi i64 [ 0, %entry ], [ %pc1, %add ], [ %pc1, %double ], [ %pc1, %negate ]
  %pc1 = add i64 %pc, 1
  %at = getelementptr i8, ptr addrspace(1) %program, i64 %pc
  %code = load i8, ptr addrspace(1) %at
  %index = zext i8 %code to i64
  %entry.at = getelementptr ptr, ptr addrspace(1) @labels, i64 %index
  %label = load ptr, ptr addrspace(1) %entry.at
  indirectbr ptr %label, [label %add, label %double, label %negate, label %stop, label %add]
add:
  %added = add i32 %x, 3
  br label %next
double:
  %doubled = shl i32 %x, 1
  br label %next
negate:
  %negated = sub i32 0, %x
  br label %next
stop:
  store i32 %x, ptr addrspace(1) %out
  ret void
}
"""

INVOKE = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @__gxx_personality_v0(...)
define internal i32 @half(i32 %x) noinline {
  %r = lshr i32 %x, 1
  ret i32 %r
}
define ptx_kernel void @k(ptr addrspace(1) %p) personality ptr @__gxx_personality_v0 {
  %x = load i32, ptr addrspace(1) %p
  %h = invoke i32 @half(i32 %x) to label %went unwind label %thrown
went:
  %r = phi i32 [ %h, %0 ]
  store i32 %r, ptr addrspace(1) %p
  ret void
thrown:
  %e = landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] [ptr null]
  store i32 -1, ptr addrspace(1) %p
  resume { ptr, i32 } %e
}
"""


def programs(source: str):
    """The module itself, and its machine code at both ends of optimization."""
    yield nvvm_xdsl.parse(source)
    for level in (0, 3):
        ptx = nvvm_xdsl.compile(source, arch="sm_90", opt_level=level)
        yield convert(nvvm_xdsl.parse(ptx))


def test_computed_jumps():
    program = np.array([0, 1, 2, 0, 0, 1, 3], np.uint8)
    for module in programs(INTERPRETER):
        out = np.zeros(1, np.int32)
        simulator.launch(module, "k", 1, 1, [program, out])
        assert out[0] == (-((1 + 3) * 2) + 3 + 3) * 2


def test_addresses_of_blocks_differ_and_are_not_null():
    module = nvvm_xdsl.parse("""
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %a
a:
  %same = icmp eq ptr blockaddress(@k, %a), blockaddress(@k, %b)
  %null = icmp eq ptr blockaddress(@k, %a), null
  %either = or i1 %same, %null
  %r = zext i1 %either to i32
  store i32 %r, ptr addrspace(1) %p
  br label %b
b:
  ret void
}
""")
    out = np.ones(1, np.int32)
    simulator.launch(module, "k", 1, 1, [out])
    assert out[0] == 0


@pytest.mark.parametrize(("labels", "wanted"), [("label %a", 7), ("label %a, label %a", 7)])
def test_one_way(labels: str, wanted: int):
    module = nvvm_xdsl.parse(f"""
define ptx_kernel void @k(ptr addrspace(1) %p) {{
entry:
  indirectbr ptr blockaddress(@k, %a), [{labels}]
a:
  store i32 {wanted}, ptr addrspace(1) %p
  ret void
}}
""")
    out = np.ones(1, np.int32)
    simulator.launch(module, "k", 1, 1, [out])
    assert out[0] == wanted
    assert "llvm.switch" not in str(module)


def test_what_is_invoked_is_called():
    for module in programs(INVOKE):
        out = np.array([84], np.int32)
        simulator.launch(module, "k", 1, 1, [out])
        assert out[0] == 42
