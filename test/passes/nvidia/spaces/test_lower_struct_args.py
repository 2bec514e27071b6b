"""Kernels read by-value parameters in place, and compute the same."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble

import nvvm_xdsl
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import assert_same_behaviour
from nvvm_xdsl.lab.launches import Launch

DECLARATIONS = """
%T = type { [8 x float], float }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
define internal float @reads(ptr %p, i32 %i) noinline {
  %q = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %q
  ret float %x
}
define internal float @takes(ptr byval(%T) %p, i32 %i) alwaysinline {
  %q = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %q
  ret float %x
}
define internal float @bumps(ptr byval(%T) %p) noinline {
  %q = getelementptr float, ptr %p, i32 2
  %x = load float, ptr %p
  %y = fmul float %x, 2.0
  store float %y, ptr %q
  store float %y, ptr %p
  %r = load float, ptr %q
  ret float %r
}
define internal float @scales(ptr byval(%T) %p, i32 %i) noinline {
  %q = getelementptr float, ptr %p, i32 %i
  store float 3.0, ptr %q
  %x = load float, ptr %p
  ret float %x
}
"""

BODIES = {
    "dynamic index": """
  %q = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %q
""",
    "select of two parameters": """
  %s = select i1 %c, ptr %p, ptr %o
  %q = getelementptr float, ptr %s, i32 %i
  %x = load float, ptr %q
""",
    "select of a parameter and other memory": """
  %s = select i1 %c, ptr %p, ptr %in
  %q = getelementptr float, ptr %s, i32 %i
  %x = load float, ptr %q
""",
    "call that reads": """
  %x = call float @reads(ptr %p, i32 %i)
""",
    "inlined function with a copy": """
  %x = call float @takes(ptr byval(%T) %p, i32 %i)
""",
}

WRITING = {
    "store at a known offset": """
  %y = load float, ptr %p
  %z = fadd float %y, 1.0
  store float %z, ptr %p
  %w = call float @bumps(ptr byval(%T) %p)
  %v = load float, ptr %p
  %x = fadd float %w, %v
""",
    "store": """
  %q = getelementptr float, ptr %p, i32 %i
  store float 2.0, ptr %q
  %x = load float, ptr %p
""",
    "call that writes to its copy": """
  %y = call float @scales(ptr byval(%T) %p, i32 %i)
  %z = load float, ptr %p
  %x = fadd float %y, %z
""",
}


def text(body: str) -> str:
    return f"""{DECLARATIONS}
define void @k(ptr byval(%T) %p, ptr byval(%T) %o, ptr %in, ptr %out) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %tid, 7
  %c = icmp slt i32 %tid, 11
{body}
  %r = getelementptr float, ptr %out, i32 %tid
  store float %x, ptr %r
  ret void
}}
"""


ONE, TWO = (np.arange(9, dtype=np.float32) * s for s in (1, 10))
LAUNCH = Launch("k", 1, 32, (ONE.tobytes(), TWO.tobytes(), TWO, np.zeros(32, np.float32)))


@pytest.mark.parametrize(
    "pipeline",
    [
        "lower-struct-args",
        "lower-struct-args<opt-byval>",
        "byval-mem2reg",
        "memory-space-opt,byval-mem2reg,lower-struct-args<opt-byval>",
    ],
)
@pytest.mark.parametrize("name", [*BODIES, *WRITING])
def test_behaviour(name: str, pipeline: str):
    body = {**BODIES, **WRITING}[name]
    assert_same_behaviour(read_ll(text(body)), pipeline, [LAUNCH])


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("name", BODIES)
def test_nothing_is_copied_to_local_memory(name: str, opt_level: int):
    ptx = nvvm_xdsl.compile(text(BODIES[name]), arch="sm_90", opt_level=opt_level)
    assert ".local" not in ptx
    if find_ptxas() is not None:
        assemble(ptx, "sm_90")


def test_a_device_functions_parameter_is_in_local_memory():
    body = "  %x = call float @scales(ptr byval(%T) %p, i32 %i)"
    by_index = (
        text(body).replace("store float 3.0, ptr %q", "").replace("ptr %p\n  ret", "ptr %q\n  ret")
    )
    ptx = nvvm_xdsl.compile(by_index, arch="sm_90", opt_level=0)
    function = ptx[ptx.index(".func") : ptx.index(".entry")]
    assert "ld.local.b32" in function or "ld.local.f32" in function
    assert "scales_param_0]" not in function
