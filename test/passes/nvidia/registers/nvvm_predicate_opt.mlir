// RUN: nvvm-opt %s -p nvvm-predicate-opt | filecheck %s
// RUN: xdsl-opt %s -p nvvm-predicate-opt | filecheck %s

llvm.func @use(i1)
llvm.func @use32(i32)

// The negation of a comparison is the inverse comparison, unless the comparison has other uses.
// CHECK-LABEL: llvm.func @comparisons
// CHECK:         %[[A:.*]] = llvm.icmp "sge" %x, %y : i32
// CHECK-NEXT:    %[[B:.*]] = llvm.fcmp "uge" %f, %g {fastmathFlags = #llvm.fastmath<nsz>} : f32
// CHECK-NEXT:    %[[C:.*]] = llvm.icmp "eq" %x, %y : i32
// CHECK-NEXT:    %[[D:.*]] = llvm.xor %[[C]]
// CHECK-NEXT:    llvm.call @use(%[[A]])
// CHECK-NEXT:    llvm.call @use(%[[B]])
// CHECK-NEXT:    llvm.call @use(%[[C]])
// CHECK-NEXT:    llvm.call @use(%[[D]])
// CHECK-NEXT:    llvm.call @use(%[[C]])
llvm.func @comparisons(%x: i32, %y: i32, %f: f32, %g: f32) {
  %true = llvm.mlir.constant(true) : i1
  %a = llvm.icmp "slt" %x, %y : i32
  %na = llvm.xor %a, %true : i1
  %b = llvm.fcmp "olt" %f, %g {fastmathFlags = #llvm.fastmath<nsz>} : f32
  %nb = llvm.xor %true, %b : i1
  %c = llvm.icmp "eq" %x, %y : i32
  %nc = llvm.xor %c, %true : i1
  %nnc = llvm.xor %nc, %true : i1
  llvm.call @use(%na) : (i1) -> ()
  llvm.call @use(%nb) : (i1) -> ()
  llvm.call @use(%c) : (i1) -> ()
  llvm.call @use(%nc) : (i1) -> ()
  llvm.call @use(%nnc) : (i1) -> ()
  llvm.return
}

// Branches and selections swap sides, and weights too.
// CHECK-LABEL: llvm.func @sides
// CHECK:         %[[S:.*]] = llvm.select %c, %y, %x : i1, i32
// CHECK-NEXT:    llvm.cond_br %c weights([1, 9]), ^[[B:.*]](%[[S]] : i32), ^[[A:.*]]
// CHECK:       ^[[A]]:
// CHECK-NEXT:    llvm.return %x
llvm.func @sides(%c: i1, %x: i32, %y: i32) -> i32 {
  %true = llvm.mlir.constant(true) : i1
  %n = llvm.xor %c, %true : i1
  %s = llvm.select %n, %x, %y : i1, i32
  "llvm.cond_br"(%n, %s)[^a, ^b] <{branch_weights = array<i32: 9, 1>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i32) -> ()
^a:
  llvm.return %x : i32
^b(%z: i32):
  llvm.return %z : i32
}

// CHECK-LABEL: llvm.func @both
// CHECK:         %[[O:.*]] = llvm.or %a, %b : i1
// CHECK-NEXT:    %[[N:.*]] = llvm.xor %[[O]], %{{.*}} : i1
// CHECK-NEXT:    %[[X:.*]] = llvm.xor %a, %b : i1
// CHECK-NEXT:    llvm.call @use(%[[N]])
// CHECK-NEXT:    llvm.call @use(%[[X]])
llvm.func @both(%a: i1, %b: i1) {
  %true = llvm.mlir.constant(true) : i1
  %na = llvm.xor %a, %true : i1
  %nb = llvm.xor %b, %true : i1
  %and = llvm.and %na, %nb : i1
  %nc = llvm.xor %a, %true : i1
  %nd = llvm.xor %b, %true : i1
  %xor = llvm.xor %nc, %nd : i1
  llvm.call @use(%and) : (i1) -> ()
  llvm.call @use(%xor) : (i1) -> ()
  llvm.return
}
// With other uses the inverse is computed anyway.
// CHECK-LABEL: llvm.func @both_used
// CHECK:         llvm.and
llvm.func @both_used(%a: i1, %b: i1) {
  %true = llvm.mlir.constant(true) : i1
  %na = llvm.xor %a, %true : i1
  %nb = llvm.xor %b, %true : i1
  %and = llvm.and %na, %nb : i1
  llvm.call @use(%and) : (i1) -> ()
  llvm.call @use(%na) : (i1) -> ()
  llvm.return
}

// Predicates converted to numbers.
// CHECK-LABEL: llvm.func @numbers
// CHECK:         %[[N:.*]] = llvm.xor %c, %true : i1
// CHECK-NEXT:    llvm.call @use(%c)
// CHECK-NEXT:    llvm.call @use(%[[N]])
// CHECK-NEXT:    llvm.call @use(%c)
// CHECK-NEXT:    llvm.call @use(%c)
// CHECK-NEXT:    llvm.call @use(%true)
// CHECK-NEXT:    llvm.call @use(%c)
llvm.func @numbers(%c: i1) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %zero = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %five = llvm.mlir.constant(5 : i8) : i8
  %z = llvm.zext %c : i1 to i8
  %s = llvm.sext %c : i1 to i8
  %k = llvm.select %c, %five, %one : i1, i8
  %0 = llvm.icmp "ne" %z, %zero : i8
  %1 = llvm.icmp "eq" %zero, %z : i8
  %2 = llvm.icmp "slt" %s, %zero : i8
  %3 = llvm.icmp "ugt" %k, %one : i8
  %4 = llvm.icmp "slt" %z, %five : i8
  %5 = llvm.select %c, %true, %false : i1, i1
  llvm.call @use(%0) : (i1) -> ()
  llvm.call @use(%1) : (i1) -> ()
  llvm.call @use(%2) : (i1) -> ()
  llvm.call @use(%3) : (i1) -> ()
  llvm.call @use(%4) : (i1) -> ()
  llvm.call @use(%5) : (i1) -> ()
  llvm.return
}

// After a branch its condition is known, also on the edges; at the join it is unknown again.
// CHECK-LABEL: llvm.func @behind
// CHECK-DAG:     %[[T:.*]] = llvm.mlir.constant(true)
// CHECK-DAG:     %[[F:.*]] = llvm.mlir.constant(false)
// CHECK:         llvm.cond_br %c, ^[[A:.*]], ^[[M:.*]](%[[F]] : i1)
// CHECK:       ^[[A]]:
// CHECK-NEXT:    llvm.call @use(%[[T]])
// CHECK-NEXT:    llvm.br ^[[M]](%[[T]] : i1)
// CHECK:       ^[[M]](%z: i1):
// CHECK-NEXT:    llvm.call @use(%c)
llvm.func @behind(%c: i1) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  llvm.cond_br %c, ^a, ^m(%c : i1)
^a:
  llvm.call @use(%c) : (i1) -> ()
  llvm.br ^m(%c : i1)
^m(%z: i1):
  llvm.call @use(%c) : (i1) -> ()
  llvm.call @use(%z) : (i1) -> ()
  llvm.return
}

// Facts from a true `and` and from a false `or`, also in selections.
// CHECK-LABEL: llvm.func @parts
// CHECK-DAG:     %[[T:.*]] = llvm.mlir.constant(true)
// CHECK-DAG:     %[[F:.*]] = llvm.mlir.constant(false)
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    llvm.call @use(%[[T]])
// CHECK-NEXT:    llvm.call @use(%[[T]])
// CHECK-NEXT:    llvm.return
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    llvm.call @use(%a)
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    llvm.call @use(%b)
// CHECK-NEXT:    llvm.return
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    llvm.call @use(%[[F]])
// CHECK-NEXT:    llvm.call @use(%[[F]])
// CHECK-NEXT:    llvm.return
llvm.func @parts(%a: i1, %b: i1) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %and = llvm.select %a, %b, %false : i1, i1
  %or = llvm.or %a, %b : i1
  llvm.cond_br %and, ^yes, ^no
^yes:
  llvm.call @use(%a) : (i1) -> ()
  llvm.call @use(%b) : (i1) -> ()
  llvm.return
^no:
  llvm.call @use(%a) : (i1) -> ()
  llvm.cond_br %or, ^one, ^none
^one:
  llvm.call @use(%b) : (i1) -> ()
  llvm.return
^none:
  llvm.call @use(%a) : (i1) -> ()
  llvm.call @use(%b) : (i1) -> ()
  llvm.return
}

// Implied comparisons of the same values, with the same signedness.
// CHECK-LABEL: llvm.func @follows
// CHECK-DAG:     %[[T:.*]] = llvm.mlir.constant(true)
// CHECK-DAG:     %[[F:.*]] = llvm.mlir.constant(false)
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    llvm.call @use(%[[T]])
// CHECK-NEXT:    llvm.call @use(%[[F]])
// CHECK-NEXT:    llvm.call @use(%[[T]])
// CHECK-NEXT:    llvm.call @use(%u)
// CHECK-NEXT:    llvm.return
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    llvm.call @use(%[[F]])
// CHECK-NEXT:    llvm.call @use(%{{.*}})
llvm.func @follows(%x: i32, %y: i32) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %c = llvm.icmp "slt" %x, %y : i32
  %le = llvm.icmp "sle" %x, %y : i32
  %lt = llvm.icmp "slt" %y, %x : i32
  %ne = llvm.icmp "ne" %y, %x : i32
  %u = llvm.icmp "ult" %x, %y : i32
  llvm.cond_br %c, ^yes, ^no
^yes:
  llvm.call @use(%le) : (i1) -> ()
  llvm.call @use(%lt) : (i1) -> ()
  llvm.call @use(%ne) : (i1) -> ()
  llvm.call @use(%u) : (i1) -> ()
  llvm.return
^no:
  llvm.call @use(%c) : (i1) -> ()
  llvm.call @use(%le) : (i1) -> ()
  llvm.return
}
