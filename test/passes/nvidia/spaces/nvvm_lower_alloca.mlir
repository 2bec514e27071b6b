// RUN: nvvm-opt %s -p 'nvvm-lower-alloca' | filecheck %s
// RUN: nvvm-opt %s -p 'nvvm-lower-alloca,nvvm-lower-alloca' | filecheck %s

llvm.func @takes(!llvm.ptr)

// Accesses and their address computations; an escaping address is the generic one.
// CHECK-LABEL: llvm.func @variable
// CHECK:         %s = llvm.alloca
// CHECK-NEXT:    %[[L:.*]] = llvm.addrspacecast %s : !llvm.ptr to !llvm.ptr<5>
// CHECK-NEXT:    %p = llvm.getelementptr %[[L]][%i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, f32
// CHECK-NEXT:    %x = llvm.load %p : !llvm.ptr<5> -> f32
// CHECK-NEXT:    llvm.store %x, %[[L]] : f32, !llvm.ptr<5>
// CHECK-NEXT:    llvm.call @takes(%s) : (!llvm.ptr) -> ()
llvm.func @variable(%i: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %p = llvm.getelementptr %s[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.store %x, %s : f32, !llvm.ptr
  llvm.call @takes(%s) : (!llvm.ptr) -> ()
  llvm.return
}

// Not changed: a kernel's parameter, a pointer into two spaces, an atomic operation, which local memory
// lacks.
// CHECK-LABEL: llvm.func @others
// CHECK:         llvm.load %k : !llvm.ptr -> f32
// CHECK-NEXT:    %q = llvm.select %c, %s, %k : i1, !llvm.ptr
// CHECK-NEXT:    llvm.load %q : !llvm.ptr -> f32
// CHECK-NEXT:    llvm.atomicrmw add %s, %{{.*}} : !llvm.ptr, i32
llvm.func @others(%k: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %x = llvm.load %k : !llvm.ptr -> f32
  %q = llvm.select %c, %s, %k : i1, !llvm.ptr
  %y = llvm.load %q : !llvm.ptr -> f32
  %o = llvm.atomicrmw add %s, %one monotonic : !llvm.ptr, i32
  llvm.return
}
