// RUN: nvvm-opt %s -p 'speculative-execution' | filecheck %s
// RUN: nvvm-opt %s -p 'speculative-execution{spec-exec-max-speculation-cost=1}' | filecheck %s --check-prefix COST
// RUN: nvvm-opt %s -p 'speculative-execution{spec-exec-max-not-hoisted=1}' | filecheck %s --check-prefix STAY

// Speculatable ops move before the branch; a load, its users, and a store stay.
// CHECK-LABEL: llvm.func @then
// CHECK-NEXT:    %j = llvm.add %i, %n overflow<nsw>
// CHECK-NEXT:    %p = llvm.getelementptr %a[%j]
// CHECK-NEXT:    llvm.cond_br %c
// CHECK:         %x = llvm.load %p
// CHECK-NEXT:    %y = llvm.add %x, %n
// CHECK-NEXT:    llvm.store %y, %p
// COST-LABEL: llvm.func @then
// COST-NEXT:     llvm.cond_br
// STAY-LABEL: llvm.func @then
// STAY-NEXT:     llvm.cond_br
llvm.func @then(%a: !llvm.ptr, %c: i1, %i: i32, %n: i32) {
  llvm.cond_br %c, ^then, ^join
^then:
  %j = llvm.add %i, %n overflow<nsw> : i32
  %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %x = llvm.load %p : !llvm.ptr -> i32
  %y = llvm.add %x, %n : i32
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The other side, and a diamond with one empty side.
// CHECK-LABEL: llvm.func @else
// CHECK-NEXT:    %s = llvm.mul
// CHECK-NEXT:    llvm.cond_br %c, ^join
// CHECK-LABEL: llvm.func @diamond
// CHECK-NEXT:    %s = llvm.mul
// CHECK-NEXT:    llvm.cond_br
llvm.func @else(%c: i1, %i: i32) -> i32 {
  llvm.cond_br %c, ^join(%i : i32), ^else
^else:
  %s = llvm.mul %i, %i : i32
  llvm.br ^join(%s : i32)
^join(%r: i32):
  llvm.return %r : i32
}
llvm.func @diamond(%c: i1, %i: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.br ^join(%i : i32)
^else:
  %s = llvm.mul %i, %i : i32
  llvm.br ^join(%s : i32)
^join(%r: i32):
  llvm.return %r : i32
}

// Not out of both sides of a diamond, out of a block with another predecessor, or out of a loop; nor ops that
// may trap.
// CHECK-LABEL: llvm.func @sides
// CHECK-NEXT:    llvm.cond_br
// CHECK-LABEL: llvm.func @two_ways
// CHECK-NEXT:    llvm.cond_br %c, ^one, ^two
// CHECK:       ^one:
// CHECK-NEXT:    llvm.cond_br
// CHECK-LABEL: llvm.func @division
// CHECK-NEXT:    llvm.cond_br
llvm.func @sides(%c: i1, %i: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %t = llvm.add %i, %i : i32
  llvm.br ^join(%t : i32)
^else:
  %s = llvm.mul %i, %i : i32
  llvm.br ^join(%s : i32)
^join(%r: i32):
  llvm.return %r : i32
}
llvm.func @two_ways(%c: i1, %d: i1, %i: i32) -> i32 {
  llvm.cond_br %c, ^one, ^two
^one:
  llvm.cond_br %d, ^two, ^join(%i : i32)
^two:
  %s = llvm.mul %i, %i : i32
  llvm.br ^join(%s : i32)
^join(%r: i32):
  llvm.return %r : i32
}
llvm.func @division(%c: i1, %i: i32, %n: i32) -> i32 {
  llvm.cond_br %c, ^then, ^join(%i : i32)
^then:
  %s = llvm.sdiv %i, %n : i32
  llvm.br ^join(%s : i32)
^join(%r: i32):
  llvm.return %r : i32
}

// Five ops that stay, besides the terminator, do not prevent it.
// CHECK-LABEL: llvm.func @five_stay
// CHECK-NEXT:    llvm.mul
// CHECK-NEXT:    llvm.cond_br
llvm.func @five_stay(%a: !llvm.ptr, %c: i1, %n: i32) {
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %n, %a : i32, !llvm.ptr
  llvm.store %n, %a : i32, !llvm.ptr
  llvm.store %n, %a : i32, !llvm.ptr
  llvm.store %n, %a : i32, !llvm.ptr
  %m = llvm.mul %n, %n : i32
  llvm.store %m, %a : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The first side of a diamond whose second is empty.
// CHECK-LABEL: llvm.func @first_side
// CHECK-NEXT:    llvm.mul
// CHECK-NEXT:    llvm.cond_br
llvm.func @first_side(%c: i1, %i: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %s = llvm.mul %i, %i : i32
  llvm.br ^join(%s : i32)
^else:
  llvm.br ^join(%i : i32)
^join(%r: i32):
  llvm.return %r : i32
}

// Not from a side that leads elsewhere than the other, or back to the branch, or that has arguments.
// CHECK-LABEL: llvm.func @two_ends
// CHECK-NEXT:    llvm.cond_br
llvm.func @two_ends(%c: i1, %i: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %s = llvm.mul %i, %i : i32
  llvm.br ^one(%s : i32)
^else:
  llvm.br ^other
^one(%r: i32):
  llvm.return %r : i32
^other:
  llvm.return %i : i32
}

// CHECK-LABEL: llvm.func @back
// CHECK:       ^loop
// CHECK-NOT:     llvm.mul
// CHECK:         llvm.cond_br
llvm.func @back(%i: i32, %p: !llvm.ptr) {
  llvm.br ^loop(%i : i32)
^loop(%j: i32):
  %c = llvm.load volatile %p : !llvm.ptr -> i1
  llvm.cond_br %c, ^loop(%i : i32), ^else
^else:
  %s = llvm.mul %j, %j : i32
  llvm.br ^loop(%s : i32)
}

// CHECK-LABEL: llvm.func @both_back
// CHECK:       ^loop
// CHECK-NOT:     llvm.mul
// CHECK:         llvm.cond_br
llvm.func @both_back(%i: i32, %p: !llvm.ptr) {
  llvm.br ^loop(%i : i32)
^loop(%j: i32):
  %c = llvm.load volatile %p : !llvm.ptr -> i1
  llvm.cond_br %c, ^then, ^else
^then:
  %s = llvm.mul %j, %j : i32
  llvm.br ^loop(%s : i32)
^else:
  llvm.br ^loop(%i : i32)
}

// CHECK-LABEL: llvm.func @side_with_argument
// CHECK-NEXT:    llvm.cond_br
llvm.func @side_with_argument(%c: i1, %i: i32) -> i32 {
  llvm.cond_br %c, ^then(%i : i32), ^join(%i : i32)
^then(%j: i32):
  %s = llvm.mul %j, %j : i32
  llvm.br ^join(%s : i32)
^join(%r: i32):
  llvm.return %r : i32
}
