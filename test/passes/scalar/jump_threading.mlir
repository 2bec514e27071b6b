// RUN: nvvm-opt %s -p jump-threading | filecheck %s

// The document's diamond: the edge with 42 goes straight to the match.
// CHECK-LABEL: llvm.func @diamond
// CHECK:         llvm.cond_br %cond1, ^positive, ^negative
// CHECK-NEXT:  ^positive:
// CHECK-NEXT:    %a = llvm.call @computeA() : () -> i32
// CHECK-NEXT:    llvm.br ^match
// CHECK-NEXT:  ^negative:
// CHECK-NEXT:    %b = llvm.call @computeB() : () -> i32
// CHECK-NEXT:    llvm.br ^merge
// CHECK-NEXT:  ^merge:
// CHECK-NEXT:    %cond2 = llvm.icmp "eq" %b, %c42 : i32
// CHECK-NEXT:    llvm.cond_br %cond2, ^match, ^nomatch
llvm.func @computeA() -> i32
llvm.func @computeB() -> i32
llvm.func @use(i32)
llvm.func @diamond(%x: i32, %p: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c42 = llvm.mlir.constant(42 : i32) : i32
  %cond1 = llvm.icmp "sgt" %x, %c0 : i32
  llvm.cond_br %cond1, ^positive, ^negative
^positive:
  %a = llvm.call @computeA() : () -> i32
  llvm.br ^merge(%c42 : i32)
^negative:
  %b = llvm.call @computeB() : () -> i32
  llvm.br ^merge(%b : i32)
^merge(%val: i32):
  %cond2 = llvm.icmp "eq" %val, %c42 : i32
  llvm.cond_br %cond2, ^match, ^nomatch
^match:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
^nomatch:
  llvm.return
}

// The value computed in the block is copied and has two definitions; both reach the use.
// CHECK-LABEL: llvm.func @repair
// CHECK:       ^known:
// CHECK:         llvm.br ^merge.thread
// CHECK-NEXT:  ^merge.thread:
// CHECK-NEXT:    %w = llvm.add %c42, %x : i32
// CHECK-NEXT:    llvm.br ^match(%c42, %w : i32, i32)
// CHECK-NEXT:  ^open:
// CHECK:       ^merge:
// CHECK-NEXT:    [[W:%.*]] = llvm.add %b, %x : i32
// CHECK-NEXT:    %c = llvm.icmp "eq" %b, %c42 : i32
// CHECK-NEXT:    llvm.cond_br %c, ^match(%b, [[W]] : i32, i32), ^nomatch
// CHECK-NEXT:  ^match(%val: i32, [[M:%.*]]: i32):
// CHECK-NEXT:    %r = llvm.add %val, [[M]] : i32
llvm.func @repair(%x: i32, %q: i1, %p: !llvm.ptr) -> i32 {
  %c42 = llvm.mlir.constant(42 : i32) : i32
  llvm.cond_br %q, ^known, ^open
^known:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^merge(%c42 : i32)
^open:
  %b = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^merge(%b : i32)
^merge(%val: i32):
  %w = llvm.add %val, %x : i32
  %c = llvm.icmp "eq" %val, %c42 : i32
  llvm.cond_br %c, ^match, ^nomatch
^match:
  %r = llvm.add %val, %w : i32
  llvm.return %r : i32
^nomatch:
  llvm.return %val : i32
}
