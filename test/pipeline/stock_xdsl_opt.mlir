// RUN: xdsl-opt %s -p 'mem2reg,simplifycfg{bonus-inst-threshold=2 speculate-blocks=false}' | filecheck %s --check-prefix=KEPT
// RUN: xdsl-opt %s -p 'mem2reg,simplifycfg<bonus-inst-threshold=2;no-speculate-blocks>' | filecheck %s --check-prefix=KEPT
// RUN: xdsl-opt %s -p 'mem2reg,simplifycfg' | filecheck %s
// RUN: xdsl-opt %s -p 'nvopt{pipeline="function(mem2reg,repeat<2>(simplifycfg))"}' | filecheck %s
// RUN: xdsl-opt %s -p 'nvopt' | filecheck %s
// RUN: xdsl-opt %s -p 'nvopt{pipeline="memory-space-opt" opt="-dump-ir-before-memory-space-opt"}' 2>&1 | filecheck %s --check-prefix=DUMP
// RUN: xdsl-opt %s -p 'dce' | filecheck %s --check-prefix=DCE
// RUN: xdsl-opt %s -p 'licm' | filecheck %s --check-prefix=LICM
// RUN: nvvm-opt %s -p 'xdsl::licm' | filecheck %s --check-prefix=LICM
// RUN: not nvvm-opt %s -p 'xdsl::lcm' 2>&1 | filecheck %s --check-prefix=MISSPELLED
// RUN: nvvm-opt %s -p 'canonicalize,mem2reg,simplifycfg' | filecheck %s
// RUN-CLI: xdsl-opt %s -p 'mem2reg,simplifycfg<bonus-inst-threshold=2;no-speculate-blocks>' | filecheck %s --check-prefix=KEPT

// DUMP: remark: memory-space-opt: f: IR before memory-space-opt:
// CHECK-LABEL: llvm.func @f
// CHECK:         llvm.select
// KEPT-LABEL:  llvm.func @f
// KEPT-NOT:      llvm.alloca
// KEPT:          llvm.cond_br
llvm.func @f(%c: i1, %x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %one, %slot : i32, !llvm.ptr
  llvm.br ^join
^join:
  %y = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %y : i32
}

// Our pass also removes dead block arguments; xDSL's supports other dialects.
// DCE-LABEL: llvm.func @g
// DCE:         llvm.br ^a
// DCE:       ^a:
// DCE-LABEL: func.func @h
// DCE-NOT:     arith.addi
llvm.func @g(%x: i32) {
  llvm.br ^a(%x : i32)
^a(%y: i32):
  llvm.return
}
func.func @h(%x: i32) {
  %y = arith.addi %x, %x : i32
  func.return
}

// MISSPELLED: error: unknown pass 'xdsl::lcm'; did you mean 'xdsl::licm'

// xDSL's pass of the same name hoists out of loops of other dialects.
// LICM-LABEL: func.func @loop
// LICM:         arith.muli
// LICM-NEXT:    scf.for
func.func @loop(%n: index, %a: i32, %m: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = arith.muli %a, %a : i32
    memref.store %x, %m[%i] : memref<?xi32>
  }
  func.return
}
