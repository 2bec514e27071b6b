// RUN: nvvm-opt %s -p 'loop-vectorize' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'loop-vectorize<vectorize-forced-only>' --verify-each | filecheck %s --check-prefix FORCED
// RUN: nvvm-opt %s -p 'loop-vectorize<force-vector-width=2;force-vector-interleave=2>' --verify-each | filecheck %s --check-prefix WIDE

#four = #llvm.loop_annotation<vectorize = <disable = false, width = 4 : i32>>
#enabled = #llvm.loop_annotation<vectorize = <disable = false>>
#disabled = #llvm.loop_annotation<vectorize = <disable = true>>
#twice = #llvm.loop_annotation<interleave = <count = 2 : i32>>

// A vector of four floats per iteration, then a scalar remainder; both loops are marked as done.
// CHECK-LABEL: llvm.func @scale
// CHECK:         %[[ENOUGH:.*]] = llvm.icmp "uge"
// CHECK:         llvm.cond_br %[[ENOUGH]], ^vector_ph, ^scalar_ph(%zero : i64)
// CHECK:       ^vector_ph:
// CHECK:         llvm.insertelement %f
// CHECK:       ^vector_body(
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         llvm.fmul {{.*}} : vector<4xf32>
// CHECK:         llvm.store {{.*}} : vector<4xf32>
// CHECK:         isVectorized = true
// CHECK:       ^middle_block(%[[AT:.*]]: i64):
// CHECK:         llvm.cond_br %{{.*}}, ^scalar_ph(%[[AT]] : i64), ^exit
// CHECK:       ^loop(%i: i64):
// CHECK:         llvm.load %{{.*}} -> f32
// CHECK:         isVectorized = true
// WIDE-LABEL:  llvm.func @scale
// WIDE:          llvm.load {{.*}} vector<2xf32>
// WIDE:          llvm.load {{.*}} vector<2xf32>
// WIDE:          llvm.fmul {{.*}} : vector<2xf32>
// WIDE:          llvm.fmul {{.*}} : vector<2xf32>
llvm.func @scale(%a: !llvm.ptr<1> {llvm.noalias, llvm.align = 16 : i64}, %b: !llvm.ptr<1> {llvm.noalias, llvm.align = 16 : i64}, %f: f32, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %q = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fmul %x, %f : f32
  llvm.store %y, %q : f32, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %again = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %again, ^loop(%next : i64), ^exit {loop_annotation = #four}
^exit:
  llvm.return
}

// Pairs of halves are vectorized by default if the trip count is a multiple; for floats the cost exceeds the
// gain.
// CHECK-LABEL: llvm.func @halves
// CHECK:         llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
// CHECK-NEXT:    llvm.fadd {{.*}} : vector<2xf16>
// CHECK-NOT:   ^loop
// CHECK-LABEL: llvm.func @floats
// FORCED-LABEL: llvm.func @halves
// FORCED-NOT:    vector<2xf16>
// FORCED-LABEL: llvm.func @floats
llvm.func @halves(%a: !llvm.ptr<1> {llvm.align = 4 : i64}) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(64 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  %x = llvm.load %p : !llvm.ptr<1> -> f16
  %y = llvm.fadd %x, %x : f16
  llvm.store %y, %p : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %again = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %again, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}
// CHECK-NOT:     vector<
// CHECK-LABEL: llvm.func @last
llvm.func @floats(%a: !llvm.ptr<1> {llvm.align = 16 : i64}) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(64 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fadd %x, %x : f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %again = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %again, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}

// Not if the annotation forbids it, and not for integers, which are computed one by one.
llvm.func @never(%a: !llvm.ptr<1> {llvm.align = 4 : i64}) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(64 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  %x = llvm.load %p : !llvm.ptr<1> -> f16
  %y = llvm.fadd %x, %x : f16
  llvm.store %y, %p : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %again = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %again, ^loop(%next : i64), ^exit {loop_annotation = #disabled}
^exit:
  llvm.return
}
llvm.func @words(%a: !llvm.ptr<1> {llvm.align = 4 : i64}) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(64 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
  %x = llvm.load %p : !llvm.ptr<1> -> i16
  %y = llvm.add %x, %x : i16
  llvm.store %y, %p : i16, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %again = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %again, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}
// A value of the last iteration leaves the loop: that iteration is scalar.
// CHECK:       ^middle_block(%{{.*}}: i64):
// CHECK-NEXT:    llvm.br ^scalar_ph
// CHECK:         llvm.return
llvm.func @last(%a: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i64) -> f32 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fadd %x, %x : f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %again = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %again, ^loop(%next : i64), ^exit(%y : f32) {loop_annotation = #enabled}
^exit(%r: f32):
  llvm.return %r : f32
}

// Unchanged: iterations that depend on the previous one, sums, counters as values, steps of two, barriers.
// CHECK-NOT:     vector<
// CHECK-LABEL: llvm.func @ahead
llvm.func @stays(%a: !llvm.ptr<1>, %b: !llvm.ptr<1> {llvm.noalias}, %n: i64) -> f32 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %f0 = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^before(%zero : i64)
^before(%i: i64):
  %i1 = llvm.add %i, %one overflow<nsw, nuw> : i64
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %p1 = llvm.getelementptr %a[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  llvm.store %x, %p1 : f32, !llvm.ptr<1>
  %again = llvm.icmp "ult" %i1, %n : i64
  llvm.cond_br %again, ^before(%i1 : i64), ^pre {loop_annotation = #four}
^pre:
  llvm.br ^sum(%zero, %f0 : i64, f32)
^sum(%j: i64, %s: f32):
  %j1 = llvm.add %j, %one overflow<nsw, nuw> : i64
  %q = llvm.getelementptr %a[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %y = llvm.load %q : !llvm.ptr<1> -> f32
  %s1 = llvm.fadd %s, %y : f32
  %more = llvm.icmp "ult" %j1, %n : i64
  llvm.cond_br %more, ^sum(%j1, %s1 : i64, f32), ^counters {loop_annotation = #four}
^counters:
  llvm.br ^value(%zero : i64)
^value(%k: i64):
  %k1 = llvm.add %k, %one overflow<nsw, nuw> : i64
  %r = llvm.getelementptr %a[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
  llvm.store %k, %r : i64, !llvm.ptr<1>
  %on = llvm.icmp "ult" %k1, %n : i64
  llvm.cond_br %on, ^value(%k1 : i64), ^strides {loop_annotation = #four}
^strides:
  llvm.br ^step(%zero : i64)
^step(%l: i64):
  %l1 = llvm.add %l, %two overflow<nsw, nuw> : i64
  %t = llvm.getelementptr %a[%l] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %f0, %t : f32, !llvm.ptr<1>
  %goes = llvm.icmp "ult" %l1, %n : i64
  llvm.cond_br %goes, ^step(%l1 : i64), ^barriers {loop_annotation = #four}
^barriers:
  llvm.br ^wait(%zero : i64)
^wait(%m: i64):
  %m1 = llvm.add %m, %one overflow<nsw, nuw> : i64
  %u = llvm.getelementptr %a[%m] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %f0, %u : f32, !llvm.ptr<1>
  nvvm.barrier0
  %waits = llvm.icmp "ult" %m1, %n : i64
  llvm.cond_br %waits, ^wait(%m1 : i64), ^no {loop_annotation = #four}
^no:
  llvm.br ^never(%zero : i64)
^never(%o: i64):
  %o1 = llvm.add %o, %one overflow<nsw, nuw> : i64
  %v = llvm.getelementptr %a[%o] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %f0, %v : f32, !llvm.ptr<1>
  %ever = llvm.icmp "ult" %o1, %n : i64
  llvm.cond_br %ever, ^never(%o1 : i64), ^exit {loop_annotation = #disabled}
^exit:
  llvm.return %s1 : f32
}

// A location that a later iteration loads is loaded before the store. With a distance of four iterations a
// vector of four is written first. Interleaving alone makes no vectors.
// CHECK:         vector<4xf32>
// CHECK:       ^before
// CHECK:         vector<4xf32>
// CHECK:       ^behind
// CHECK-LABEL: llvm.func @interleaved
// CHECK:       ^vector_body
// CHECK:         llvm.load %{{.*}} -> i32
// CHECK-NEXT:    llvm.getelementptr
// CHECK-NEXT:    llvm.load %{{.*}} -> i32
llvm.func @ahead(%a: !llvm.ptr<1>, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %four = llvm.mlir.constant(4 : i64) : i64
  llvm.br ^before(%zero : i64)
^before(%i: i64):
  %i1 = llvm.add %i, %one overflow<nsw, nuw> : i64
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %p1 = llvm.getelementptr %a[%i1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p1 : !llvm.ptr<1> -> f32
  llvm.store %x, %p : f32, !llvm.ptr<1>
  %again = llvm.icmp "ult" %i1, %n : i64
  llvm.cond_br %again, ^before(%i1 : i64), ^exit {loop_annotation = #four}
^exit:
  llvm.br ^behind(%zero : i64)
^behind(%j: i64):
  %j1 = llvm.add %j, %one overflow<nsw, nuw> : i64
  %j4 = llvm.add %j, %four overflow<nsw, nuw> : i64
  %q = llvm.getelementptr %a[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %q4 = llvm.getelementptr %a[%j4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %y = llvm.load %q : !llvm.ptr<1> -> f32
  llvm.store %y, %q4 : f32, !llvm.ptr<1>
  %more = llvm.icmp "ult" %j1, %n : i64
  llvm.cond_br %more, ^behind(%j1 : i64), ^end {loop_annotation = #four}
^end:
  llvm.return
}
llvm.func @interleaved(%a: !llvm.ptr<1>, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %i1 = llvm.add %i, %one overflow<nsw, nuw> : i64
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %y = llvm.add %x, %x : i32
  llvm.store %y, %p : i32, !llvm.ptr<1>
  %again = llvm.icmp "ult" %i1, %n : i64
  llvm.cond_br %again, ^loop(%i1 : i64), ^exit {loop_annotation = #twice}
^exit:
  llvm.return
}
