// RUN: nvvm-opt %s -p 'select-kernels' | filecheck %s --check-prefixes=CHECK,ALL
// RUN: nvvm-opt %s -p 'select-kernels<kernels=one>' | filecheck %s --check-prefixes=CHECK,ONE
// RUN: nvvm-opt %s -p 'select-kernels<kernels=two,three>' | filecheck %s --check-prefixes=CHECK,TWO
// RUN: xdsl-opt %s -p 'select-kernels{kernels=one}' | filecheck %s --check-prefixes=CHECK,ONE

// Functions that other modules may call are kept, and shared callees of two kernels.
// CHECK:   llvm.func @visible
// CHECK:   llvm.func internal @shared
llvm.func @visible() {
  llvm.return
}
llvm.func internal @shared() {
  llvm.return
}

// ALL:     llvm.func @one
// ONE:     llvm.func @one
// TWO-NOT: llvm.func @one
llvm.func @one() attributes {nvvm.kernel} {
  llvm.call @shared() : () -> ()
  llvm.return
}

// ALL:     llvm.func @two
// ONE-NOT: llvm.func @two
// TWO:     llvm.func @two
llvm.func @two() attributes {nvvm.kernel} {
  llvm.call @shared() : () -> ()
  %k = llvm.mlir.addressof @launched : !llvm.ptr
  llvm.call @use(%k) : (!llvm.ptr) -> ()
  llvm.return
}

// A kernel that a kept one launches is kept with it; references to a dropped one are removed, too.
// ALL:     llvm.func @launched
// ONE-NOT: llvm.func @launched
// TWO:     llvm.func @launched
// ALL:     llvm.func internal @launcher
// ONE-NOT: llvm.func internal @launcher
llvm.func @launched() attributes {nvvm.kernel} {
  llvm.return
}
llvm.func internal @launcher() {
  %k = llvm.mlir.addressof @launched : !llvm.ptr
  llvm.call @use(%k) : (!llvm.ptr) -> ()
  llvm.return
}

// ALL:     llvm.func @three
// ONE-NOT: llvm.func @three
// TWO:     llvm.func @three
llvm.func @three() attributes {nvvm.kernel} {
  llvm.return
}
llvm.func @use(!llvm.ptr)
