// RUN: nvvm-opt %s -p 'propagate-alignment' | filecheck %s
// RUN: xdsl-opt %s -p 'propagate-alignment' | filecheck %s

llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>

// Through arithmetic, casts and selects; no more than is known, and never less than is stated.
// CHECK-LABEL: llvm.func @straight
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK:         llvm.load %q {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK:         llvm.load %s {alignment = 8 : i64} : !llvm.ptr -> i32
// CHECK:         llvm.store %{{.*}}, %p {alignment = 32 : i64} : i32
// CHECK:         llvm.load %u {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK:         llvm.load %u {alignment = 64 : i64} : !llvm.ptr -> i32
// CHECK:         llvm.load volatile %p {alignment = 32 : i64} : !llvm.ptr -> i32
llvm.func @straight(%p: !llvm.ptr {llvm.align = 64 : i64}, %u: !llvm.ptr, %i: i64, %c: i1) {
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %v = llvm.getelementptr %g[%i] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
  %x = llvm.load %v {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %q = llvm.getelementptr %t[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  %y = llvm.load %q {alignment = 4 : i64} : !llvm.ptr<3> -> f32
  %r = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %s = llvm.select %c, %r, %v : i1, !llvm.ptr
  %z = llvm.load %s : !llvm.ptr -> i32
  llvm.store %z, %p : i32, !llvm.ptr
  %a = llvm.load %u {alignment = 4 : i64} : !llvm.ptr -> i32
  %b = llvm.load %u {alignment = 64 : i64} : !llvm.ptr -> i32
  %d = llvm.load volatile %p : !llvm.ptr -> i32
  llvm.return
}

// A loop-carried pointer is aligned to its start and its step.
// CHECK-LABEL: llvm.func @loop
// CHECK:         llvm.load %a {alignment = 16 : i64} : !llvm.ptr -> i32
// CHECK:         llvm.load %b {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK:         llvm.load %d {alignment = 1 : i64} : !llvm.ptr -> i8
llvm.func @loop(%p: !llvm.ptr {llvm.align = 16 : i64}, %c: i1) {
  llvm.br ^head(%p, %p, %p : !llvm.ptr, !llvm.ptr, !llvm.ptr)
^head(%a: !llvm.ptr, %b: !llvm.ptr, %d: !llvm.ptr):
  %x = llvm.load %a {alignment = 4 : i64} : !llvm.ptr -> i32
  %y = llvm.load %b {alignment = 4 : i64} : !llvm.ptr -> i32
  %z = llvm.load %d {alignment = 1 : i64} : !llvm.ptr -> i8
  %a1 = llvm.getelementptr %a[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %b1 = llvm.getelementptr %b[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %d1 = llvm.getelementptr %d[1] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.cond_br %c, ^head(%a1, %b1, %d1 : !llvm.ptr, !llvm.ptr, !llvm.ptr), ^exit
^exit:
  llvm.return
}

// CHECK-LABEL: llvm.func @copy
// CHECK:         memcpy{{.*}}arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 2 : i64, llvm.noundef}, {}]
llvm.func @copy(%p: !llvm.ptr {llvm.align = 16 : i64}, %q: !llvm.ptr, %n: i64) {
  "llvm.intr.memcpy"(%p, %q, %n) <{isVolatile = false, arg_attrs = [{}, {llvm.align = 2 : i64, llvm.noundef}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}
