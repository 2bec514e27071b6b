// RUN: nvvm-opt %s -p nvptx-assign-valid-global-names | filecheck %s
// RUN: xdsl-opt %s -p nvptx-assign-valid-global-names | filecheck %s

// Hyphens, dots and all characters that PTX forbids; names that collide get a number; references to renamed
// symbols change as well.
// CHECK: llvm.mlir.global internal constant @a_$_b(1 : i32)
// CHECK: llvm.mlir.global internal constant @a_$_b_$1(2 : i32)
// CHECK: llvm.mlir.global internal constant @{{"?}}$_7{{"?}}(3 : i32)
// CHECK: llvm.mlir.global internal constant @fine_$x(4 : i32)
// Names visible to other modules are kept.
// CHECK: llvm.mlir.global external constant @a.b.c
// CHECK: llvm.func internal @f_$_llvm_$_1
// CHECK: llvm.func @use
// CHECK-NEXT: llvm.mlir.addressof @a_$_b :
// CHECK-NEXT: llvm.mlir.addressof @a_$_b_$1 :
// CHECK-NEXT: llvm.mlir.addressof @a.b.c :
// CHECK-NEXT: llvm.call @f_$_llvm_$_1()
llvm.mlir.global internal constant @"a.b"(1 : i32) : i32
llvm.mlir.global internal constant @"a-b"(2 : i32) : i32
llvm.mlir.global internal constant @"7"(3 : i32) : i32
llvm.mlir.global internal constant @"fine_$x"(4 : i32) : i32
llvm.mlir.global external constant @"a.b.c"(5 : i32) : i32
llvm.func internal @"f.llvm.1"() {
  llvm.return
}
llvm.func @use() {
  %a = llvm.mlir.addressof @"a.b" : !llvm.ptr
  %b = llvm.mlir.addressof @"a-b" : !llvm.ptr
  %c = llvm.mlir.addressof @"a.b.c" : !llvm.ptr
  llvm.call @"f.llvm.1"() : () -> ()
  llvm.return
}
