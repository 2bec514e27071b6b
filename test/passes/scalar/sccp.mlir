// RUN: nvvm-opt %s -p 'sccp' --verify-each | filecheck %s

// A loop-carried value and the branch on it prove each other.
// CHECK-LABEL: llvm.func @circle
// CHECK:         %one = llvm.mlir.constant(1 : i32) : i32
// CHECK-NOT:     llvm.icmp
// CHECK-NOT:     ^other
// CHECK:         llvm.return %one
llvm.func @circle(%more: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%one : i32)
^loop(%x: i32):
  %same = llvm.icmp "eq" %x, %one : i32
  llvm.cond_br %same, ^next(%x : i32), ^other
^other:
  %y = llvm.add %x, %one : i32
  llvm.br ^next(%y : i32)
^next(%z: i32):
  llvm.cond_br %more, ^loop(%z : i32), ^exit
^exit:
  llvm.return %z : i32
}

// Different constants on two edges vary; undef becomes the other's; a zero factor decides.
// CHECK-LABEL: llvm.func @meeting
// CHECK:       ^join(%a: i32):
// CHECK-NEXT:    llvm.call_intrinsic "llvm.use"(%a, %two, %zero)
llvm.func @meeting(%c: i1, %x: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %undef = llvm.mlir.undef : i32
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.br ^join(%two, %two, %zero : i32, i32, i32)
^else:
  llvm.br ^join(%zero, %undef, %zero : i32, i32, i32)
^join(%a: i32, %b: i32, %d: i32):
  %e = llvm.mul %x, %d : i32
  llvm.call_intrinsic "llvm.use"(%a, %b, %e) : (i32, i32, i32) -> ()
  llvm.return
}

// A switch on a constant has one successor; one on undef may have any.
// CHECK-LABEL: llvm.func @switch
// CHECK-NEXT:    %[[THREE:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK-NOT:     llvm.switch
// CHECK:         llvm.return %[[THREE]]
llvm.func @switch() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %s = llvm.add %one, %one : i32
  llvm.switch %s : i32, ^other [
    1: ^first,
    2: ^second
  ]
^first:
  llvm.return %one : i32
^second:
  %t = llvm.add %s, %one : i32
  llvm.return %t : i32
^other:
  llvm.return %two : i32
}

// A select on a constant is the selected value; one between equal constants is that constant.
// CHECK-LABEL: llvm.func @select
// CHECK:         llvm.call_intrinsic "llvm.use"(%two, %two)
llvm.func @select(%c: i1, %x: i32) {
  %true = llvm.mlir.constant(true) : i1
  %two = llvm.mlir.constant(2 : i32) : i32
  %a = llvm.select %true, %two, %x : i1, i32
  %b = llvm.select %c, %two, %a : i1, i32
  llvm.call_intrinsic "llvm.use"(%a, %b) : (i32, i32) -> ()
  llvm.return
}
