// RUN: nvvm-opt %s -g -p dce --verify-each | filecheck %s
// RUN: nvvm-opt %s -g -p adce --verify-each | filecheck %s

#file = #llvm.di_file<"a.cu" in "/src">

// A variable of a removed value is computed from a value that remains. `y` needs two steps, and
// `z` depends on an argument that stays. A removed cycle has no such value: `d` and `e` are unknown.
// CHECK-LABEL: llvm.func @f
// CHECK:      llvm.intr.dbg.value {{.*}}"x"> #llvm.di_expression<[DW_OP_plus_uconst(1), DW_OP_stack_value]> = %p : i32
// CHECK-NEXT: llvm.intr.dbg.value {{.*}}"y"> #llvm.di_expression<[DW_OP_plus_uconst(1), DW_OP_constu(3), DW_OP_mul, DW_OP_stack_value]> = %p : i32
// CHECK-NEXT: llvm.br ^h(%c0 : i32)
// CHECK:      ^h(%i: i32):
// CHECK-NEXT:   %0 = llvm.mlir.poison : i32
// CHECK-NEXT:   llvm.intr.dbg.value {{.*}}"d"> = %0 : i32
// CHECK-NEXT:   %1 = llvm.mlir.poison : i32
// CHECK-NEXT:   llvm.intr.dbg.value {{.*}}"e">{{.*}} = %1 : i32
// CHECK-NEXT:   llvm.intr.dbg.value {{.*}}"z"> #llvm.di_expression<[DW_OP_plus_uconst(1), DW_OP_stack_value]> = %i : i32
// CHECK-NEXT:   %i1 = llvm.add
llvm.func @f(%p: i32, %n: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %x = llvm.add %p, %c1 : i32
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #file, name = "x"> = %x : i32
  %y = llvm.mul %x, %c3 : i32
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #file, name = "y"> = %y : i32
  llvm.br ^h(%c0, %c0 : i32, i32)
^h(%i: i32, %d: i32):
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #file, name = "d"> = %d : i32
  %s = llvm.add %d, %n : i32
  %e = llvm.add %s, %c1 : i32
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #file, name = "e"> = %e : i32
  %z = llvm.add %i, %c1 : i32
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #file, name = "z"> = %z : i32
  %i1 = llvm.add %i, %c1 : i32
  %t = llvm.icmp "slt" %i1, %n : i32
  llvm.cond_br %t, ^h(%i1, %e : i32, i32), ^x
^x:
  llvm.return %n : i32
}
