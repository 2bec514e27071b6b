"""Types of parsed modules are interned, so that passes may compare them by identity."""

import nvvm_xdsl
from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.pipeline import run_pipeline

OLDER = """
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i16, i64, i1, i1)
define void @f(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %m, i32 %x, i16 %mc, i64 %ch) {
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %m, i32 %x, i16 %mc, i64 %ch, i1 0, i1 0)
  ret void
}
"""


def test_arguments_appended_by_a_later_release():
    module = nvvm_xdsl.parse(OLDER)
    (call,) = (op for op in module.walk() if op.name == "llvm.call_intrinsic")
    assert len(call.operands) == 9
    assert call.operands[8].type is I32
    assert not run_pipeline(module, "soften-fp128")
