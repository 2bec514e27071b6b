// RUN: nvvm-opt %s -p 'simplifycfg' | filecheck %s
// RUN: nvvm-opt %s -p 'simplifycfg<no-speculate-blocks>' | filecheck %s --check-prefix=PLAIN

// A short branch becomes a select.
// CHECK-LABEL: llvm.func @triangle
// CHECK-NEXT:    %one = llvm.mlir.constant
// CHECK-NEXT:    %b = llvm.add %a, %one
// CHECK-NEXT:    %[[X:.*]] = llvm.select %c, %b, %a
// CHECK-NEXT:    llvm.return %[[X]]
// PLAIN-LABEL: llvm.func @triangle
// PLAIN:         llvm.cond_br
llvm.func @triangle(%c: i1, %a: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.cond_br %c, ^then, ^join(%a : i32)
^then:
  %b = llvm.add %a, %one : i32
  llvm.br ^join(%b : i32)
^join(%x: i32):
  llvm.return %x : i32
}

// CHECK-LABEL: llvm.func @diamond
// CHECK-NOT:     llvm.cond_br
// CHECK:         %[[X:.*]] = llvm.select %c, %p, %q
// CHECK-NEXT:    llvm.return %[[X]]
llvm.func @diamond(%c: i1, %a: i32, %b: i32) -> i32 {
  llvm.cond_br %c, ^then, ^else
^then:
  %p = llvm.add %a, %b : i32
  llvm.br ^join(%p : i32)
^else:
  %q = llvm.sub %a, %b : i32
  llvm.br ^join(%q : i32)
^join(%x: i32):
  llvm.return %x : i32
}

// A division may trap, a store is seen by others, a load may fault, a call may do anything.
// CHECK-LABEL: llvm.func @not_speculated
// CHECK-COUNT-4: llvm.cond_br
llvm.func @not_speculated(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^division, ^j1(%a : i32)
^division:
  %d = llvm.sdiv %a, %b : i32
  llvm.br ^j1(%d : i32)
^j1(%x: i32):
  llvm.cond_br %c, ^store, ^j2
^store:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^j2
^j2:
  llvm.cond_br %c, ^load, ^j3(%x : i32)
^load:
  %l = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^j3(%l : i32)
^j3(%y: i32):
  llvm.cond_br %c, ^call, ^j4(%y : i32)
^call:
  %r = llvm.call @diamond(%c, %a, %b) : (i1, i32, i32) -> i32
  llvm.br ^j4(%r : i32)
^j4(%z: i32):
  llvm.return %z : i32
}

// A division by a constant other than 0 and -1 may run in vain.
// CHECK-LABEL: llvm.func @division_by_constant
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.sdiv
// CHECK-NEXT:    llvm.select
llvm.func @division_by_constant(%c: i1, %a: i32) -> i32 {
  %seven = llvm.mlir.constant(7 : i32) : i32
  llvm.cond_br %c, ^then, ^join(%a : i32)
^then:
  %d = llvm.sdiv %a, %seven : i32
  llvm.br ^join(%d : i32)
^join(%x: i32):
  llvm.return %x : i32
}

// CHECK-LABEL: llvm.func @constant_branch
// CHECK-NEXT:    %true = llvm.mlir.constant
// CHECK-NEXT:    llvm.return %a
llvm.func @constant_branch(%a: i32, %b: i32) -> i32 {
  %true = llvm.mlir.constant(true) : i1
  llvm.cond_br %true, ^then, ^else
^then:
  llvm.return %a : i32
^else:
  llvm.return %b : i32
}

// Two branches to one way out become a logical and; the second condition may be poison.
// CHECK-LABEL: llvm.func @common_target
// CHECK:         %[[C:.*]] = llvm.select %c, %d, %{{.*}} : i1, i1
// CHECK-NEXT:    llvm.cond_br %[[C]], ^both, ^out
llvm.func @common_target(%c: i1, %d: i1, %p: !llvm.ptr, %v: i32) {
  llvm.cond_br %c, ^second, ^out
^second:
  llvm.cond_br %d, ^both, ^out
^both:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.br ^out
^out:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// The barrier keeps its own block and all its predecessors.
// CHECK-LABEL: llvm.func @convergent
// CHECK:         llvm.cond_br %c, ^barrier, ^out
// CHECK:       ^barrier:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.br ^out
llvm.func @convergent(%c: i1, %p: !llvm.ptr, %v: i32) {
  llvm.cond_br %c, ^barrier, ^out
^barrier:
  nvvm.barrier0
  llvm.br ^out
^out:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// Cases that go where the default goes are dropped; one case is a comparison.
// CHECK-LABEL: llvm.func @switch_to_branch
// CHECK:         %[[K:.*]] = llvm.mlir.constant(5 : i32)
// CHECK:         %[[E:.*]] = llvm.icmp "eq" %s, %[[K]]
// CHECK-NEXT:    llvm.select %[[E]], %a, %b
llvm.func @switch_to_branch(%s: i32, %a: i32, %b: i32) -> i32 {
  llvm.switch %s : i32, ^join(%b : i32) [
    3: ^join(%b : i32),
    5: ^join(%a : i32)
  ]
^join(%x: i32):
  llvm.return %x : i32
}

// A branch to where nothing is ever reached is not taken.
// CHECK-LABEL: llvm.func @never
// CHECK-NEXT:    llvm.return %a
llvm.func @never(%c: i1, %a: i32) -> i32 {
  llvm.cond_br %c, ^no, ^yes
^no:
  llvm.unreachable
^yes:
  llvm.return %a : i32
}

// An empty block between branches goes, a loop keeps its header and its metadata.
// CHECK-LABEL: llvm.func @loop
// CHECK:         llvm.br ^head
// CHECK:       ^head(%i: i32):
// CHECK:         llvm.cond_br %{{.*}}, ^head(%{{.*}} : i32), ^exit {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
llvm.func @loop(%n: i32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^pre
^pre:
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  llvm.store volatile %i, %p : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^latch, ^exit
^latch:
  llvm.br ^head(%next : i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
^exit:
  llvm.return
}
