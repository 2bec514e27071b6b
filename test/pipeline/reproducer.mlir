// If a pass fails or produces an invalid module, a reproducer is written.
//
// RUN: not nvvm-opt %s -p 'machine-cp,branch-folder<tail-merge-threshold=9>' -opt '-tail-merge-size=5' --crash-reproducer %t.mlir 2>&1 | filecheck %s
// RUN: cat %t.mlir | filecheck %s --check-prefix=FILE
// RUN: not nvvm-opt %t.mlir -p 'function(machine-function(machine-cp,branch-folder))' 2>&1 | filecheck %s --check-prefix=AGAIN

// CHECK: remark: pass 'branch-folder' failed on f: branch-folder requires the property NoPHIs{{.*}}; reproducer written to {{.*}}.mlir
// CHECK: error: branch-folder requires the property NoPHIs: in 'f'

// FILE:      // {{R}}UN: nvvm-opt %s -p 'function(machine-function(machine-cp,branch-folder<no-disable-branch-fold;tail-merge-threshold=9;tail-merge-size=5;{{.*}}>))' -opt "-tail-merge-size=5"
// FILE-NEXT: // pass 'branch-folder' failed on f
// FILE:      nvptx.func visible @f()
// FILE:        nvptx.mov b32 %{{.*}}

// AGAIN: error: branch-folder requires the property NoPHIs: in 'f'
builtin.module {
  nvptx.func visible @f() {
    %0 = nvptx.mov b32 1 : () -> !nvptx.b32
    %1 = nvptx.mov b32 %0 : (!nvptx.b32) -> !nvptx.b32
    nvptx.bra ^a(%1 : !nvptx.b32)
  ^a(%2: !nvptx.b32):
    nvptx.ret
  }
}
