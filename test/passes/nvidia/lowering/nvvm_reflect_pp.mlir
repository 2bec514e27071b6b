// RUN: nvvm-opt %s -p 'nvvm-reflect-pp' | filecheck %s
// RUN: xdsl-opt %s -p 'nvvm-reflect-pp' | filecheck %s

llvm.func @work(i32)

// A comparison of constants decides the branch; the block after the other edge is removed, and the join's
// only remaining value decides the next branch.
// CHECK-LABEL: llvm.func @decided
// CHECK-NOT:     llvm.icmp
// CHECK-NOT:     llvm.cond_br
// CHECK-NOT:     llvm.call @work(%b)
// CHECK:         llvm.call @work(%a)
// CHECK-NOT:     llvm.call @work(%b)
// CHECK:         llvm.return
llvm.func @decided(%a: i32, %b: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %c = llvm.icmp "ne" %one, %zero : i32
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.br ^join(%one : i32)
^else:
  llvm.call @work(%b) : (i32) -> ()
  llvm.br ^join(%zero : i32)
^join(%v: i32):
  %d = llvm.icmp "eq" %v, %one : i32
  llvm.cond_br %d, ^yes, ^no
^yes:
  llvm.call @work(%a) : (i32) -> ()
  llvm.return
^no:
  llvm.call @work(%b) : (i32) -> ()
  llvm.return
}

// A switch goes to its case, or its default.
// CHECK-LABEL: llvm.func @cases
// CHECK-NOT:     llvm.switch
// CHECK:         llvm.br ^two
// CHECK-NEXT:  ^two:
// CHECK-NEXT:    llvm.return %y
// CHECK-NEXT:  }
llvm.func @cases(%x: i32, %y: i32) -> i32 {
  %two = llvm.mlir.constant(2 : i32) : i32
  llvm.switch %two : i32, ^default [1: ^one, 2: ^two]
^default:
  llvm.return %x : i32
^one:
  llvm.return %x : i32
^two:
  llvm.return %y : i32
}

// CHECK-LABEL: llvm.func @no_case
// CHECK:         llvm.return %x
// CHECK-NOT:     llvm.return %y
llvm.func @no_case(%x: i32, %y: i32) -> i32 {
  %minus = llvm.mlir.constant(-1 : i32) : i32
  llvm.switch %minus : i32, ^default [1: ^one]
^default:
  llvm.return %x : i32
^one:
  llvm.return %y : i32
}

// A select on a constant is one of its values.
// CHECK-LABEL: llvm.func @chosen
// CHECK-NOT:     llvm.select
// CHECK:         llvm.return %y
llvm.func @chosen(%x: i32, %y: i32) -> i32 {
  %no = llvm.mlir.constant(false) : i1
  %v = llvm.select %no, %x, %y : i1, i32
  llvm.return %v : i32
}

// Unknown conditions are kept; so are other arithmetic, and the other edge into a join.
// CHECK-LABEL: llvm.func @open
// CHECK:         llvm.icmp "eq" %x
// CHECK:         llvm.cond_br
// CHECK:         llvm.add %one, %one
// CHECK:         llvm.br ^join(
// CHECK:       ^join(%v: i32):
llvm.func @open(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c = llvm.icmp "eq" %x, %one : i32
  llvm.cond_br %c, ^then, ^join(%x : i32)
^then:
  %two = llvm.add %one, %one : i32
  llvm.br ^join(%two : i32)
^join(%v: i32):
  llvm.return %v : i32
}

// A loop whose exit is never executed stays a loop.
// CHECK-LABEL: llvm.func @forever
// CHECK:         llvm.br ^head
// CHECK-NEXT:  ^head:
// CHECK-NEXT:    llvm.call @work(%x)
// CHECK-NEXT:    llvm.br ^head
// CHECK-NEXT:  }
llvm.func @forever(%x: i32) {
  %yes = llvm.mlir.constant(true) : i1
  llvm.br ^head
^head:
  llvm.call @work(%x) : (i32) -> ()
  llvm.cond_br %yes, ^head, ^exit
^exit:
  llvm.return
}
