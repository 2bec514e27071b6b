// RUN: nvvm-opt %s | filecheck %s
// RUN: cat %s | nvvm-opt | filecheck %s
// RUN: cat %s | nvvm-opt - --input-format mlir | filecheck %s
// RUN: nvvm-opt %s -o %t && filecheck %s < %t
// RUN: nvvm-opt %s --print-op-generic | nvvm-opt | filecheck %s
// RUN: nvvm-opt %s -p 'function(mem2reg,dce)' --verify-each | filecheck %s --check-prefix=OPT
// RUN: nvvm-opt %s -p 'mem2reg,dce' | filecheck %s --check-prefix=OPT
// RUN: nvvm-opt %s -p canonicalize,mem2reg,dce | filecheck %s --check-prefix=OPT
// RUN: nvvm-opt %s -p dce --print-after-all -o %t 2>&1 | filecheck %s --check-prefix=AFTER
// RUN: not nvvm-opt %s -p 'dce,mem2rag' 2>&1 | filecheck %s --check-prefix=TYPO
// RUN: nvvm-opt %s -p dce --time-passes 2>&1 | filecheck %s --check-prefix=TIME
// RUN-CLI: nvvm-opt %s -p mem2reg,dce | filecheck %s --check-prefix=OPT
// RUN-CLI: not nvvm-opt %S/missing.ll 2>&1 | filecheck %s --check-prefix=MISSING

// CHECK-LABEL: llvm.func @copy
// CHECK:         llvm.alloca
// CHECK:         llvm.load
// OPT-LABEL:   llvm.func @copy(%x: i32) -> i32 {
// OPT-NEXT:      llvm.return %x : i32
// AFTER:       llvm.func @copy
// TYPO:        pipeline:1:5: error: unknown pass 'mem2rag'{{.*}}mem2reg
// TIME:        dce
// MISSING:     missing.ll: error: no such file or directory
llvm.func @copy(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  %y = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %y : i32
}
