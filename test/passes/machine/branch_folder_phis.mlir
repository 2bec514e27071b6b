// RUN: not nvvm-opt %s -p 'branch-folder' 2>&1 | filecheck %s
// RUN: nvvm-opt %s -p 'branch-folder{disable-branch-fold}'

// CHECK: error: branch-folder requires the property NoPHIs: in 'f' blocks have arguments
nvptx.func @f() {
  %a = nvptx.mov b32 1 : () -> !nvptx.b32
  nvptx.bra ^next(%a : !nvptx.b32)
^next(%x: !nvptx.b32):
  nvptx.ret
}
