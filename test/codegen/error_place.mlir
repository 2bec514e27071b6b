// RUN: not nvvm-cc %s -O0 -o - 2>&1 | filecheck %s
// RUN: not nvvm-opt %s -t 'ptx{arch=sm_90}' 2>&1 | filecheck %s

// CHECK: error_place.mlir:[[# @LINE + 4]]:3: error: in @k: PTX has no state space for address space 9
// CHECK-NEXT: {{^}}  llvm.store %x, %q
// CHECK-NEXT: {{^}}  ^
llvm.func @k(%q: !llvm.ptr<9>, %x: i32) attributes {nvvm.kernel} {
  llvm.store %x, %q : i32, !llvm.ptr<9>
  llvm.return
}
