// RUN: nvvm-opt %s -p 'nvvm-reflect<arch=900;ftz>' | filecheck %s --check-prefixes=CHECK,FTZ
// RUN: nvvm-opt %s -p 'nvvm-reflect<arch=750>' | filecheck %s --check-prefixes=CHECK,PRECISE
// RUN: nvvm-opt %s -p 'nvvm-reflect' | filecheck %s --check-prefix=OPEN
// RUN: xdsl-opt %s -p 'nvvm-reflect{arch=900 ftz}' | filecheck %s --check-prefixes=FTZ

llvm.mlir.global private unnamed_addr constant @ftz("__CUDA_FTZ\00") {addr_space = 0 : i32}
llvm.mlir.global private unnamed_addr constant @arch("__CUDA_ARCH\00") {addr_space = 4 : i32}
llvm.mlir.global private unnamed_addr constant @other("__NO_SUCH\00") {addr_space = 0 : i32}
llvm.func @__nvvm_reflect(!llvm.ptr) -> i32

// The branch that depends on the answer is removed with the unreachable block.
// CHECK-LABEL: llvm.func @precision
// FTZ:           llvm.br ^[[A:.*]]
// FTZ:         ^[[A]]:
// FTZ-NEXT:      llvm.return %x
// PRECISE-NOT:   llvm.return %x
// PRECISE:       llvm.return %y
// FTZ-NOT:       llvm.return %y
llvm.func @precision(%x: f32, %y: f32) -> f32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %name = llvm.mlir.addressof @ftz : !llvm.ptr
  %ftz = llvm.call @__nvvm_reflect(%name) : (!llvm.ptr) -> i32
  %c = llvm.icmp "ne" %ftz, %zero : i32
  llvm.cond_br %c, ^flush, ^keep
^flush:
  llvm.return %x : f32
^keep:
  llvm.return %y : f32
}

// Through a cast of the address; without -arch the query remains.
// FTZ-LABEL:     llvm.func @architecture
// FTZ:             %[[C:.*]] = llvm.mlir.constant(900 : i32)
// FTZ:             llvm.return %[[C]]
// PRECISE-LABEL: llvm.func @architecture
// PRECISE:         %[[C:.*]] = llvm.mlir.constant(750 : i32)
// PRECISE:         llvm.return %[[C]]
// OPEN-LABEL:    llvm.func @architecture
// OPEN:            llvm.call @__nvvm_reflect
llvm.func @architecture() -> i32 {
  %name = llvm.mlir.addressof @arch : !llvm.ptr<4>
  %generic = llvm.addrspacecast %name : !llvm.ptr<4> to !llvm.ptr
  %arch = llvm.call @__nvvm_reflect(%generic) : (!llvm.ptr) -> i32
  llvm.return %arch : i32
}

// The function's own target is used, too.
// OPEN-LABEL:    llvm.func @target
// OPEN:            llvm.mlir.constant(860 : i32)
llvm.func @target() -> i32 attributes {target_cpu = "sm_86"} {
  %name = llvm.mlir.addressof @arch : !llvm.ptr<4>
  %arch = llvm.call_intrinsic "llvm.nvvm.reflect.p4"(%name) : (!llvm.ptr<4>) -> i32
  llvm.return %arch : i32
}

// An unknown name is 0.
// CHECK-LABEL: llvm.func @unknown
// CHECK:         %[[Z:.*]] = llvm.mlir.constant(0 : i32)
// CHECK:         llvm.return %[[Z]]
llvm.func @unknown() -> i32 {
  %name = llvm.mlir.addressof @other : !llvm.ptr
  %r = llvm.call @__nvvm_reflect(%name) : (!llvm.ptr) -> i32
  llvm.return %r : i32
}

// A call without a number or a name is not a query.
// CHECK-LABEL: llvm.func @malformed
// CHECK:         llvm.call @__nvvm_reflect_ocl() : () -> i32
// CHECK-NEXT:    llvm.call @__nvvm_reflect_other
llvm.func @__nvvm_reflect_ocl() -> i32
llvm.func @__nvvm_reflect_other(!llvm.ptr) -> i32
llvm.func @malformed(%p: !llvm.ptr) {
  %0 = llvm.call @__nvvm_reflect_ocl() : () -> i32
  %1 = llvm.call @__nvvm_reflect_other(%p) : (!llvm.ptr) -> i32
  llvm.return
}
