// RUN: nvvm-opt %s -p 'convergence-remarks<dump-conv-text>' 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: nvvm-opt %s -p 'nvopt<O1>' -opt '-dump-conv-text' 2>&1 | filecheck %s --check-prefix=LEVEL
// RUN: nvvm-opt %s -p 'nvopt<O1>' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: nvvm-opt %s -p 'convergence-remarks<dump-conv-dot>' 2>&1 | filecheck %s --check-prefix=DOT
// RUN: nvvm-opt %s -p 'convergence-remarks<dump-conv-func>' 2>&1 | filecheck %s --check-prefix=FUNC
// RUN: nvvm-opt %s -p 'convergence-remarks<dump-va>' 2>&1 | filecheck %s --check-prefix=VALUES
// RUN: nvvm-opt %s -p 'convergence-remarks' 2>&1 | filecheck %s --check-prefix=NONE

// NONE-NOT: remark:
// LEVEL: remark: convergence-remarks: k: Convergence:

// TEXT:      remark: convergence-remarks: k: Convergence:
// TEXT-NEXT: ^bb0: all threads of the block are converged
// TEXT-NEXT: ^odd: the threads of a warp may have diverged
// TEXT-NEXT: ^middle: all threads of the block are converged
// TEXT-NEXT: ^high: the threads of each warp are converged
// TEXT-NEXT: ^end: all threads of the block are converged

// DOT:      digraph "k" {
// DOT:        "^bb0" [label="^bb0\nall threads of the block are converged", fillcolor=white];
// DOT:        "^odd" [label="^odd\nthe threads of a warp may have diverged", fillcolor=grey];
// DOT:        "^bb0" -> "^odd";
// DOT:      }

// FUNC:      remark: convergence-remarks: k: Function under convergence analysis:
// FUNC-NEXT: llvm.func @k(

// VALUES: UniformityInfo for function 'k':
// VALUES: DIVERGENT: %tid = nvvm.read.ptx.sreg.tid.x
llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %five = llvm.mlir.constant(5 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %low = llvm.and %tid, %one : i32
  %c = llvm.icmp "eq" %low, %one : i32
  llvm.cond_br %c, ^odd, ^middle
^odd:
  llvm.store volatile %n, %p : i32, !llvm.ptr<1>
  nvvm.bar.warp.sync %n : i32
  llvm.br ^middle
^middle:
  %first = nvvm.vote.sync any %n, %c -> i1
  llvm.cond_br %first, ^high, ^end
^high:
  llvm.store volatile %five, %p : i32, !llvm.ptr<1>
  nvvm.bar.warp.sync %n : i32
  llvm.br ^end
^end:
  nvvm.barrier0
  llvm.return
}
