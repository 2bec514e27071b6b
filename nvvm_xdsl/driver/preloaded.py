"""Imported by the fork server of workers: loads the compiler and fills its lazily created tables.

Workers are forked from the fork server and share its memory.
"""

from __future__ import annotations

import gc

from nvvm_xdsl.driver.compile import compile as compile_source
from nvvm_xdsl.driver.options import CompileOptions

FIRST = """\
define ptx_kernel void @first(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %then, label %end
then:
  %q = getelementptr float, ptr addrspace(1) %p, i32 %t
  %x = load float, ptr addrspace(1) %q, align 4
  %y = fmul float %x, %x
  store float %y, ptr addrspace(1) %q, align 4
  br label %end
end:
  ret void
}
define void @second() {
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""

compile_source(FIRST, options=CompileOptions(opt_level=3))
# Moves existing objects to the permanent generation: a collection in a worker would write to shared
# pages.
gc.collect()
gc.freeze()
