// RUN: nvvm-opt %s -p 'check-kernel-functions' | filecheck %s --check-prefixes=CHECK,OPEN
// RUN: nvvm-opt %s -p 'check-kernel-functions<internalize>' | filecheck %s --check-prefixes=CHECK,WHOLE

// CHECK: llvm.func @internal_kernel() attributes {nvvm.kernel}
llvm.func internal @internal_kernel() attributes {nvvm.kernel} {
  llvm.return
}

// CHECK: llvm.func weak_odr @template_kernel() attributes {nvvm.kernel}
llvm.func linkonce_odr @template_kernel() attributes {nvvm.kernel} {
  llvm.return
}

// CHECK: llvm.func weak @weak_kernel() attributes {nvvm.kernel}
llvm.func weak @weak_kernel() attributes {nvvm.kernel} {
  llvm.return
}

// OPEN:  llvm.func @device()
// WHOLE: llvm.func internal @device()
llvm.func @device() {
  llvm.return
}

// CHECK: llvm.func linkonce_odr @inline_function()
llvm.func linkonce_odr @inline_function() {
  llvm.return
}

// CHECK: llvm.func @declared()
llvm.func @declared()
