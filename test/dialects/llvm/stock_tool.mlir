// An xdsl-opt without this project's patches that finds this package parses and prints MLIR 22's llvm and
// nvvm dialects.
// RUN-CLI: xdsl-opt %s | filecheck %s
// RUN-CLI: xdsl-opt %s --print-op-generic | xdsl-opt -f mlir | filecheck %s

// CHECK: llvm.func ptx_kernelcc @f(%p: !llvm.ptr<1> {llvm.noalias}, %n: i32) attributes {dso_local, nvvm.kernel}
llvm.func ptx_kernelcc @f(%p: !llvm.ptr<1> {llvm.noalias}, %n: i32) attributes {dso_local, nvvm.kernel} {
  // CHECK-NEXT: nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024> : i32
  %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024> : i32
  // CHECK-NEXT: llvm.getelementptr inbounds|nuw %p[%0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %1 = llvm.getelementptr inbounds|nuw %p[%0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.load volatile %1 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %2 = llvm.load volatile %1 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // CHECK-NEXT: llvm.atomicrmw add %1, %2 syncscope("device") monotonic : !llvm.ptr<1>, i32
  %3 = llvm.atomicrmw add %1, %2 syncscope("device") monotonic : !llvm.ptr<1>, i32
  // CHECK-NEXT: llvm.return
  llvm.return
}
