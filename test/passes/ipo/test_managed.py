"""The host writes managed memory: no pass assumes that a managed variable has its initial value."""

from __future__ import annotations

import pytest

from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

PROGRAM = """
@number = internal addrspace(1) global i32 7
@constant = internal unnamed_addr addrspace(1) constant i32 8
@same = internal unnamed_addr addrspace(1) constant i32 8
@struct = internal addrspace(1) global { i32, i32 } { i32 1, i32 2 }
@mine = internal addrspace(1) global i32 0
@table = internal addrspace(1) constant [1 x ptr] [ptr @callee]
define internal void @callee(ptr addrspace(1) %p) {
  store i32 3, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = load i32, ptr addrspace(1) @number
  %b = load i32, ptr addrspace(1) @constant
  %c = load i32, ptr addrspace(1) @same
  %d = load i32, ptr addrspace(1) @struct
  %f = load ptr, ptr addrspace(1) @table
  call void %f(ptr addrspace(1) %p)
  store i32 %a, ptr addrspace(1) @mine
  %e = load i32, ptr addrspace(1) @mine
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %s = add i32 %ab, %cd
  %t = add i32 %s, %e
  store i32 %t, ptr addrspace(1) %p
  ret void
}
"""
NAMES = ["number", "constant", "same", "struct", "mine", "table"]
PIPELINES = [
    *("globalopt", "ipsccp", "constmerge", "called-value-propagation", "instcombine"),
    "internalize,globalopt",
]


def program(kind: str) -> str:
    nodes = [
        f'!{n} = !{{ptr addrspace(1) @{name}, !"{kind}", i32 1}}' for n, name in enumerate(NAMES)
    ]
    listed = ", ".join(f"!{n}" for n in range(len(NAMES)))
    return "\n".join([PROGRAM, f"!nvvm.annotations = !{{{listed}}}", *nodes])


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_every_load_is_kept(pipeline: str):
    module = read_ll(program("managed"))
    run_pipeline(module, f"{pipeline},adce")
    module.verify()
    loaded = [str(op) for op in module.walk() if op.name == "llvm.mlir.addressof"]
    for name in NAMES:
        assert any(f"@{name} " in line for line in loaded), name


@pytest.mark.parametrize("level", [1, 2, 3])
def test_ptx(level: int):
    managed = compile(program("managed"), arch="sm_90", opt_level=level)
    plain = compile(PROGRAM, arch="sm_90", opt_level=level)
    # The possible callees of an indirect call come from the whole program, not from the table.
    for name in NAMES[:-1]:
        assert f".attribute(.managed) .align {8 if name == 'struct' else 4} .b8 {name}[" in managed
        assert f"[{name}]" in managed
        assert level == 1 or f"[{name}]" not in plain
