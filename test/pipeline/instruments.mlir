// Instruments of pass runs, by LLVM's option names.
//
// RUN: nvvm-opt %s -p 'mem2reg,dce' --time-passes -o %t 2>&1 | filecheck %s --check-prefix=TIME
// RUN: nvvm-opt %s -p 'mem2reg' --stats -o %t 2>&1 | filecheck %s --check-prefix=STATS
// RUN: nvvm-opt %s -p 'function(mem2reg,dce)' --verify-each | filecheck %s --check-prefix=MEM2REG
// RUN: nvvm-opt %s -p 'mem2reg,dce' --print-before=dce -o %t 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: nvvm-opt %s -p 'mem2reg,dce' --print-after=mem2reg -o %t 2>&1 | filecheck %s --check-prefix=AFTER
// RUN: nvvm-opt %s -p 'mem2reg,globaldce' --print-before-all -o %t 2>&1 | filecheck %s --check-prefix=BEFORE-ALL
// RUN: nvvm-opt %s -p 'mem2reg,globaldce' --print-after-all -o %t 2>&1 | filecheck %s --check-prefix=AFTER-ALL
// RUN: nvvm-opt %s -p 'mem2reg,dce' --print-changed -o %t 2>&1 | filecheck %s --check-prefix=CHANGED
// RUN: nvvm-opt %s -p 'mem2reg,dce' --print-changed=diff -o %t 2>&1 | filecheck %s --check-prefix=DIFF
// RUN: nvvm-opt %s -p 'dce,globaldce' --print-after-all --filter-print-funcs=g -o %t 2>&1 | filecheck %s --check-prefix=FILTER
// RUN: nvvm-opt %s -p 'mem2reg,dce' --opt-bisect-limit=2 -o %t 2>&1 | filecheck %s --check-prefix=LIMIT
// RUN: nvvm-opt %s -p 'mem2reg' --opt-bisect-limit=-1 -o %t 2>&1 | filecheck %s --check-prefix=NOLIMIT
// RUN: nvvm-opt %s -p 'dce,mem2reg' --stop-before=mem2reg | filecheck %s --check-prefix=STOPPED
// RUN: nvvm-opt %s -p 'dce,globaldce,mem2reg' --stop-after=dce,2 | filecheck %s --check-prefix=STOPPED
// RUN: nvvm-opt %s -p 'dce,mem2reg' --stop-after=mem2reg,2 | filecheck %s --check-prefix=MEM2REG
// RUN: nvvm-opt %s -p 'dce' --stop-after=sroa -o %t 2>&1 | filecheck %s --check-prefix=NOT-REACHED
// RUN: not nvvm-opt %s -p 'dce' --stop-after=dce,x 2>&1 | filecheck %s --check-prefix=BAD-NUMBER
// RUN: not nvvm-opt %s -p 'dce' --print-after=dec 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: nvvm-opt %s -p 'early-cse' --debug-pass-manager -o %t 2>&1 | filecheck %s --check-prefix=DEBUG
// RUN: not nvvm-opt %s -p 'nvptx-phi-elimination,check-kernel-functions,memory-space-opt<first-tim>' 2>&1 | filecheck %s --check-prefix=PARAMETER

// TIME:      Pass execution timing report
// TIME-DAG:  2  mem2reg
// TIME-DAG:  2  dce
// TIME:      (100.0%)         4  Total

// STATS:     Statistics Collected
// STATS:     1 mem2reg - Number of stack slots promoted

// MEM2REG-NOT: llvm.alloca

// BEFORE:      *** IR Dump Before dce on f ***
// BEFORE-NEXT: llvm.func @f
// BEFORE-NOT:  mem2reg
// BEFORE:      *** IR Dump Before dce on g ***
// BEFORE-NOT:  mem2reg

// AFTER:      *** IR Dump After mem2reg on f ***
// AFTER-NOT:  llvm.alloca
// AFTER-NOT:  dce
// AFTER:      *** IR Dump After mem2reg on g ***
// AFTER-NOT:  dce

// BEFORE-ALL:      *** IR Dump Before mem2reg on f ***
// BEFORE-ALL:      *** IR Dump Before mem2reg on g ***
// BEFORE-ALL:      *** IR Dump Before globaldce on [module] ***
// BEFORE-ALL-NEXT: builtin.module

// AFTER-ALL: *** IR Dump After mem2reg on f ***
// AFTER-ALL: *** IR Dump After mem2reg on g ***
// AFTER-ALL: *** IR Dump After globaldce on [module] ***

// CHANGED:      *** IR Dump After mem2reg on f ***
// CHANGED-NEXT: llvm.func @f
// CHANGED-NOT:  llvm.alloca
// CHANGED:      *** IR Dump After dce on f ***
// CHANGED:      *** IR Dump After mem2reg on g omitted because no change ***
// CHANGED:      *** IR Dump After dce on g ***

// DIFF:     *** IR Dump After mem2reg on f ***
// DIFF:     -  %slot = llvm.alloca
// DIFF:     -  %y = llvm.load
// DIFF:     -  llvm.return %y : i32
// DIFF-NEXT: +  llvm.return %x : i32

// FILTER:      *** IR Dump After dce on g ***
// FILTER-NEXT: llvm.func @g
// FILTER:      *** IR Dump After globaldce on g ***
// FILTER-NEXT: llvm.func @g
// FILTER-NOT:  @f

// LIMIT:      BISECT: running pass (1) mem2reg on f
// LIMIT-NEXT: BISECT: running pass (2) dce on f
// LIMIT-NEXT: BISECT: NOT running pass (3) mem2reg on g
// LIMIT-NEXT: BISECT: NOT running pass (4) dce on g
// NOLIMIT:      BISECT: running pass (1) mem2reg on f
// NOLIMIT-NEXT: BISECT: running pass (2) mem2reg on g

// STOPPED:     llvm.alloca
// NOT-REACHED: remark: --stop-after: the pipeline does not run 'sroa'
// BAD-NUMBER:  error: --stop-after: expected a pass and a number from 1, not 'dce,x'
// UNKNOWN:     error: --print-after: unknown pass 'dec'; did you mean 'dse' or 'dce'

// DEBUG:      Running pass: early-cse on f ({{[0-9]+}} ops)
// DEBUG-NEXT: Running analysis: DominatorTree on f
// DEBUG:      Running pass: early-cse on g

// PARAMETER: error: invalid MemorySpaceOpt pass parameter 'first-tim'
llvm.func @f(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  %y = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %y : i32
}
llvm.func @g(%x: i32) -> i32 {
  %dead = llvm.mul %x, %x : i32
  llvm.return %x : i32
}
