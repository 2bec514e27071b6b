// RUN: nvvm-opt %s -p 'memcpyopt' --verify-each | filecheck %s

llvm.mlir.global internal constant @table(dense<[1, 2, 3, 4]> : tensor<4xi32>) {addr_space = 4 : i32, alignment = 4 : i64} : !llvm.array<4 x i32>

// A copy of a copy is a copy of the original; of a fill it is a fill; a copy back to the source is
// removed.
// CHECK-LABEL: llvm.func @again
// CHECK:         "llvm.intr.memcpy"(%t, %a, %c16)
// CHECK-NEXT:    "llvm.intr.memcpy"(%b, %a, %c8)
// CHECK-NEXT:    "llvm.intr.memset"(%t, %z, %c16)
// CHECK-NEXT:    "llvm.intr.memset"(%a, %z, %c16)
// CHECK-NEXT:    "llvm.intr.memcpy"(%t, %b, %c16)
// CHECK-NEXT:    llvm.return
llvm.func @again(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %z = llvm.mlir.constant(0 : i8) : i8
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %c16 = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr<5>
  "llvm.intr.memcpy"(%t, %a, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  "llvm.intr.memset"(%t, %z, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, i8, i64) -> ()
  "llvm.intr.memcpy"(%a, %t, %c16) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  "llvm.intr.memcpy"(%t, %b, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  llvm.return
}

// Not if the source was written since, by a store, another thread or an atomic; not if the copy is longer;
// not volatile copies. Copies that may overlap become moves.
// CHECK-LABEL: llvm.func @written
// CHECK:         "llvm.intr.memcpy"(%b, %t, %c8)
// CHECK:         nvvm.barrier0
// CHECK-NEXT:    "llvm.intr.memcpy"(%b, %t, %c8)
// CHECK:         llvm.atomicrmw
// CHECK-NEXT:    "llvm.intr.memcpy"(%b, %t, %c8)
// CHECK:         "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = true}>
// CHECK:         "llvm.intr.memmove"(%b, %a, %c8)
// CHECK-NEXT:    "llvm.intr.memcpy"(%t, %a, %c8)
// CHECK-NEXT:    "llvm.intr.memcpy"(%b, %t, %c16)
llvm.func @written(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %c16 = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr<5>
  "llvm.intr.memcpy"(%t, %a, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  llvm.store %n, %a : i32, !llvm.ptr<1>
  "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  "llvm.intr.memcpy"(%t, %a, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  nvvm.barrier0
  "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  "llvm.intr.memcpy"(%t, %a, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  %o = llvm.atomicrmw add %a, %n monotonic : !llvm.ptr<1>, i32
  "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  "llvm.intr.memcpy"(%t, %a, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = true}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  "llvm.intr.memcpy"(%t, %a, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memcpy"(%b, %t, %c8) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  "llvm.intr.memcpy"(%t, %a, %c8) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memcpy"(%b, %t, %c16) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()
  llvm.return
}

// A local array that only holds a table is replaced by the table, which may be less aligned.
// CHECK-LABEL: llvm.func @reads
// CHECK:         [[T:%.*]] = llvm.mlir.addressof @table : !llvm.ptr<4>
// CHECK-NOT:     llvm.alloca
// CHECK:         [[G:%.*]] = llvm.getelementptr [[T]][0, %i] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>
// CHECK-NEXT:    llvm.load [[G]] {alignment = 4 : i64} : !llvm.ptr<4> -> i32
llvm.func @reads(%i: i64) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i64) : i64
  %s = llvm.alloca %one x !llvm.array<4 x i32> {alignment = 16 : i64} : (i32) -> !llvm.ptr<5>
  %t = llvm.addrspacecast %s : !llvm.ptr<5> to !llvm.ptr
  %g = llvm.mlir.addressof @table : !llvm.ptr<4>
  "llvm.intr.memcpy"(%s, %g, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<4>, i64) -> ()
  %q = llvm.getelementptr %t[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  %x = llvm.load %q {alignment = 16 : i64} : !llvm.ptr -> i32
  llvm.return %x : i32
}

// Not if it is stored to, or only partly initialized.
// CHECK-LABEL: llvm.func @writes
// CHECK:         llvm.alloca
// CHECK:         llvm.alloca
llvm.func @writes(%i: i64, %n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %c16 = llvm.mlir.constant(16 : i64) : i64
  %s = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr<5>
  %u = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr<5>
  %g = llvm.mlir.addressof @table : !llvm.ptr<4>
  "llvm.intr.memcpy"(%s, %g, %c16) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<4>, i64) -> ()
  "llvm.intr.memcpy"(%u, %g, %c8) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<4>, i64) -> ()
  %q = llvm.getelementptr %s[%i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, i32
  llvm.store %n, %q : i32, !llvm.ptr<5>
  %x = llvm.load %s : !llvm.ptr<5> -> i32
  %y = llvm.load %u : !llvm.ptr<5> -> i32
  %z = llvm.add %x, %y : i32
  llvm.return %z : i32
}
