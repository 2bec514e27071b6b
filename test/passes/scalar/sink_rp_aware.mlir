// RUN: nvvm-opt %s -p 'sink<rp-aware>' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p sink | filecheck %s --check-prefix=SINK

// Two registers for one: the sum stays. Operands that are live after the branch anyway are free, and a wide
// result is worth two narrow operands.
// CHECK-LABEL: llvm.func @pressure
// CHECK:         %sum = llvm.add %a, %b
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^then:
// CHECK-DAG:     %other = llvm.mul %n, %n
// CHECK-DAG:     %wide = llvm.zext
// SINK-LABEL: llvm.func @pressure
// SINK:         llvm.load
// SINK-NEXT:    llvm.load
// SINK-NEXT:    llvm.load
// SINK-NEXT:    llvm.cond_br
llvm.func @pressure(%c: i1, %n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %b = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %d = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %sum = llvm.add %a, %b : i32
  %other = llvm.mul %n, %n : i32
  %wide = llvm.zext %d : i32 to i64
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store %sum, %p : i32, !llvm.ptr<1>
  llvm.store %other, %p : i32, !llvm.ptr<1>
  llvm.store %wide, %p : i64, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.return
}
