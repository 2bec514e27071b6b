// RUN: nvvm-opt %s -p 'always-inline,mem2reg' --remarks %t.yaml --stats 2>&1 | filecheck %s
// RUN: cat %t.yaml | filecheck %s --check-prefix=YAML
// RUN: nvvm-opt %s -p 'always-inline' --remarks - -o /dev/null | filecheck %s --check-prefix=YAML
// RUN: nvvm-opt %s -passes='always-inline,mem2reg' -pass-remarks=inl 2>&1 | filecheck %s --check-prefix=SHOWN
// RUN: nvvm-opt %s -passes='always-inline,mem2reg' -pass-remarks=sroa 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: nvvm-opt %s -passes='always-inline,mem2reg' -pass-remarks-missed=inl 2>&1 | filecheck %s --check-prefix=OTHER

// SHOWN:     remarks.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: always-inline: caller: callee inlined into caller
// OTHER-NOT: remark
// OTHER:     llvm.func @caller

// CHECK:     Statistics Collected
// CHECK-DAG: 1 inline  - Number of calls inlined
// CHECK-DAG: 2 mem2reg - Number of stack slots promoted

// YAML:      --- !Passed
// YAML-NEXT: Pass:            always-inline
// YAML-NEXT: Name:            Inlined
// YAML:      Function:        caller
// YAML-NEXT: Args:
// YAML-NEXT:   - Callee:          callee
// YAML-NEXT:   - String:          ' inlined into '
// YAML-NEXT:   - Caller:          caller
// YAML-NEXT: ...
llvm.func internal @callee(%x: i32) -> i32 attributes {always_inline} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  %y = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %y : i32
}
llvm.func @caller(%x: i32) -> i32 {
  %r = llvm.call @callee(%x) : (i32) -> i32
  llvm.return %r : i32
}
