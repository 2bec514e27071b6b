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
define ptx_kernel void @loop(ptr %p, ptr %q, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %m = mul i32 %b, %d
  %first = add i32 %m, %t
  %some = icmp slt i32 %first, %n
  br i1 %some, label %body, label %end
body:
  %i = phi i32 [ %first, %0 ], [ %next, %body ]
  %s = phi float [ 0.0, %0 ], [ %sum, %body ]
  %j = sext i32 %i to i64
  %a = getelementptr inbounds float, ptr %p, i64 %j
  %x = load float, ptr %a, align 4
  %sq = fmul contract float %x, %x
  %sum = fadd contract float %s, %sq
  %next = add nsw i32 %i, 128
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  %r = getelementptr inbounds float, ptr addrspace(3) @shared, i32 %t
  store float %sum, ptr addrspace(3) %r, align 4
  call void @llvm.nvvm.barrier0()
  %v = load float, ptr addrspace(3) %r, align 4
  %e = sext i32 %t to i64
  %z = getelementptr inbounds float, ptr %q, i64 %e
  store float %v, ptr %z, align 4
  br label %end
end:
  ret void
}
define void @second() {
  ret void
}
@shared = internal addrspace(3) global [1024 x float] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""

compile_source(FIRST, options=CompileOptions(opt_level=3))
# Moves existing objects to the permanent generation: a collection in a worker would write to shared
# pages.
gc.collect()
gc.freeze()
