// RUN: nvvm-opt %s -p 'generic-to-nvvm' | filecheck %s
// RUN: nvvm-opt %s -p 'generic-to-nvvm,generic-to-nvvm' | filecheck %s
// RUN: nvvm-opt %s -p 'generic-to-nvvm,memory-space-opt' | filecheck %s --check-prefix=RESOLVED

// Constants move to global memory as well; variables with an address space keep it.
// CHECK:      llvm.mlir.global external constant @table({{.*}}) {addr_space = 1 : i32}
// CHECK-NEXT: llvm.mlir.global internal @count(7 : i32) {addr_space = 1 : i32}
// CHECK-NEXT: llvm.mlir.global external @extern() {addr_space = 1 : i32}
// CHECK-NEXT: llvm.mlir.global external @tile() {addr_space = 3 : i32}
// CHECK-NEXT: llvm.mlir.global external constant @bank(1 : i32) {addr_space = 4 : i32}
llvm.mlir.global external constant @table(dense<[1, 2, 3, 4]> : tensor<4xi32>) {addr_space = 0 : i32} : !llvm.array<4 x i32>
llvm.mlir.global internal @count(7 : i32) : i32
llvm.mlir.global external @extern() : i32
llvm.mlir.global external @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>
llvm.mlir.global external constant @bank(1 : i32) {addr_space = 4 : i32} : i32

// An initializer holds generic pointers as before.
// CHECK:      llvm.mlir.global external @where() {addr_space = 1 : i32} : !llvm.ptr {
// CHECK-NEXT:   %[[A:.*]] = llvm.mlir.addressof @count : !llvm.ptr<1>
// CHECK-NEXT:   %[[G:.*]] = llvm.addrspacecast %[[A]] : !llvm.ptr<1> to !llvm.ptr
// CHECK-NEXT:   llvm.return %[[G]] : !llvm.ptr
llvm.mlir.global external @where() : !llvm.ptr {
  %0 = llvm.mlir.addressof @count : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// LLVM's own variables are not device memory, but the variables that they list have moved.
// CHECK:      llvm.mlir.global appending @llvm.used() {addr_space = 0 : i32, section = "llvm.metadata"}
// CHECK:        llvm.mlir.addressof @count : !llvm.ptr<1>
// CHECK-NEXT:   llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr
llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr> {
  %0 = llvm.mlir.undef : !llvm.array<1 x ptr>
  %1 = llvm.mlir.addressof @count : !llvm.ptr
  %2 = llvm.insertvalue %1, %0[0] : !llvm.array<1 x ptr>
  llvm.return %2 : !llvm.array<1 x ptr>
}

// An alias has the type of its target; a texture is not memory; thread-local storage is an error.
// CHECK:      llvm.mlir.global internal @named(1 : i32) {addr_space = 0 : i32} : i32
// CHECK-NEXT: llvm.mlir.global internal @picture() {addr_space = 0 : i32, nvvm.texture} : i64
// CHECK-NEXT: llvm.mlir.global internal thread_local @own(1 : i32) {addr_space = 0 : i32} : i32
// CHECK:      llvm.mlir.alias external @other
// CHECK-NEXT:   %[[N:.*]] = llvm.mlir.addressof @named : !llvm.ptr
// CHECK-NEXT:   llvm.return %[[N]] : !llvm.ptr
llvm.mlir.global internal @named(1 : i32) : i32
llvm.mlir.global internal @picture() {nvvm.texture} : i64
llvm.mlir.global internal thread_local @own(1 : i32) : i32
llvm.mlir.alias external @other : i32 {
  %0 = llvm.mlir.addressof @named : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// The address of a function is generic and stays so. Constants stay at the start of the block.
// CHECK-LABEL: llvm.func @kernel
// CHECK-NEXT:    %[[T:.*]] = llvm.mlir.addressof @table : !llvm.ptr<1>
// CHECK-NEXT:    llvm.mlir.constant
// CHECK-NEXT:    llvm.mlir.addressof @kernel : !llvm.ptr
// CHECK-NEXT:    llvm.mlir.addressof @named : !llvm.ptr
// CHECK-NEXT:    %[[G:.*]] = llvm.addrspacecast %[[T]] : !llvm.ptr<1> to !llvm.ptr
// CHECK-NEXT:    llvm.getelementptr %[[G]][%i]
// CHECK:         %[[C:.*]] = llvm.mlir.addressof @count : !llvm.ptr<1>
// CHECK-NEXT:    %[[D:.*]] = llvm.addrspacecast %[[C]]
// CHECK-NEXT:    llvm.atomicrmw add %[[D]]
// RESOLVED-LABEL: llvm.func @kernel
// RESOLVED:         llvm.load %{{.*}} : !llvm.ptr<1> -> i32
// RESOLVED:         llvm.atomicrmw add %{{.*}} : !llvm.ptr<1>, i32
llvm.func @kernel(%p: !llvm.ptr, %i: i64) attributes {nvvm.kernel} {
  %t = llvm.mlir.addressof @table : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %f = llvm.mlir.addressof @kernel : !llvm.ptr
  %n = llvm.mlir.addressof @named : !llvm.ptr
  %q = llvm.getelementptr %t[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %x = llvm.load %q : !llvm.ptr -> i32
  %c = llvm.mlir.addressof @count : !llvm.ptr
  %o = llvm.atomicrmw add %c, %x monotonic : !llvm.ptr, i32
  llvm.store %f, %p : !llvm.ptr, !llvm.ptr
  llvm.store %o, %n : i32, !llvm.ptr
  llvm.return
}
