// RUN: nvvm-opt %s -p loop-reduce | filecheck %s
// RUN: nvvm-opt %s -p 'loop-reduce<lsr-rp-limit=8>' | filecheck %s --check-prefix FEW
// RUN: nvvm-opt %s -p 'loop-reduce<maxrregcount=8>' | filecheck %s --check-prefix FEW
// RUN: nvvm-opt %s -p 'loop-reduce<base-address-strength-reduce-iv-limit=1>' | filecheck %s --check-prefix ONE
// RUN: nvvm-opt %s -p 'loop-reduce<no-lsr-sxtopt>' | filecheck %s --check-prefix NOSEXT
// RUN: nvvm-opt %s -p 'loop-reduce<no-do-lsr-64-bit;no-filter-bad-formula>' | filecheck %s --check-prefix NARROW
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;disable-lsr-for-sharedmem32-ptr>' | filecheck %s --check-prefix SHARED
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;lsr-loop-level=1>' | filecheck %s --check-prefix INNER
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;lsr-skip-outer-loop>' | filecheck %s --check-prefix INNER
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula>' | filecheck %s --check-prefix ALL
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;disable-unknown-trip-lsr>' | filecheck %s --check-prefix KNOWN
// RUN: nvvm-opt %s -p 'loop-reduce<disable-lsr-complexity-discount>' | filecheck %s --check-prefix STRICT
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;do-base-address-strength-reduce=0>' | filecheck %s --check-prefix APART
// RUN: nvvm-opt %s -p 'loop-reduce<lsr-rp-limit=8;do-base-address-strength-reduce=1>' | filecheck %s --check-prefix ANYHOW
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;no-do-base-address-strength-reduce-chain>' | filecheck %s --check-prefix UNCHAINED
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;base-address-strength-reduce-max-iv=99>' | filecheck %s --check-prefix TO99
// RUN: nvvm-opt %s -p 'loop-reduce<no-filter-bad-formula;base-address-strength-reduce-max-iv=98>' | filecheck %s --check-prefix TO98
// RUN: nvvm-opt %s -p 'loop-reduce<dump-base-address-strength-reduce>' 2>&1 | filecheck %s --check-prefix DUMP

// DUMP:        remark: loop-reduce: stencil: base %a of 3 accesses, anchor at 0, offsets 0, 4, 8
// DUMP-NEXT:   remark: loop-reduce: stencil: base %b of 1 accesses, anchor at

// Three accesses of one row share a pointer, and another row has its own; both start in the preheader.
// CHECK-LABEL: llvm.func @stencil
// CHECK:         %[[E:.*]] = llvm.sext %row : i32 to i64
// CHECK:         %[[P:.*]] = llvm.getelementptr %a[%[[E]]]
// CHECK:         %[[Q:.*]] = llvm.getelementptr %b[%{{.*}}]
// CHECK:         llvm.br ^loop(%c1, %[[P]], %[[Q]] : i32, !llvm.ptr<1>, !llvm.ptr<1>)
// CHECK-NEXT:  ^loop(%i: i32, %[[IV:.*]]: !llvm.ptr<1>, %[[JV:.*]]: !llvm.ptr<1>):
// CHECK-NEXT:    %x = llvm.load %[[IV]]
// CHECK-NEXT:    %[[AT:.*]] = llvm.getelementptr %[[IV]][4]
// CHECK-NEXT:    %y = llvm.load %[[AT]]
// CHECK-NEXT:    %[[BEHIND:.*]] = llvm.getelementptr %[[IV]][8]
// CHECK-NEXT:    %z = llvm.load %[[BEHIND]]
// CHECK:         %[[TO:.*]] = llvm.getelementptr %[[JV]][4]
// CHECK-NEXT:    llvm.store %t, %[[TO]]
// CHECK:         %[[IN:.*]] = llvm.getelementptr %[[IV]][4]
// CHECK-NEXT:    %[[JN:.*]] = llvm.getelementptr %[[JV]][4]
// CHECK-NEXT:    llvm.cond_br %c, ^loop(%next, %[[IN]], %[[JN]]
// FEW-LABEL:   llvm.func @stencil
// FEW:         ^loop(%i: i32):
// ONE-LABEL:   llvm.func @stencil
// ONE:         ^loop(%i: i32, %{{[^,]*}}: !llvm.ptr<1>):
// APART-LABEL: llvm.func @stencil
// APART:       ^loop(%i: i32, %{{[^,]*}}: !llvm.ptr<1>, %{{[^,]*}}: !llvm.ptr<1>, %{{[^,]*}}: !llvm.ptr<1>, %{{[^,]*}}: !llvm.ptr<1>):
// ANYHOW-LABEL: llvm.func @stencil
// ANYHOW:      ^loop(%i: i32, %{{[^,]*}}: !llvm.ptr<1>):
// TO99-LABEL:  llvm.func @stencil
// TO99:        ^loop(%i: i32):
// NOSEXT-LABEL: llvm.func @stencil
// NOSEXT:      ^loop(%i: i32):
// NARROW-LABEL: llvm.func @stencil
// NARROW:      ^loop(%i: i32):
// STRICT-LABEL: llvm.func @stencil
// STRICT:      ^loop(%i: i32, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>):
llvm.func @stencil(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %row: i32, %n: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %m1 = llvm.mlir.constant(-1 : i32) : i32
  llvm.br ^loop(%c1 : i32)
^loop(%i: i32):
  %k = llvm.add %row, %i overflow<nsw> : i32
  %before = llvm.add %k, %m1 overflow<nsw> : i32
  %behind = llvm.add %k, %c1 overflow<nsw> : i32
  %e0 = llvm.sext %before : i32 to i64
  %p0 = llvm.getelementptr %a[%e0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p0 : !llvm.ptr<1> -> f32
  %e1 = llvm.sext %k : i32 to i64
  %p1 = llvm.getelementptr %a[%e1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %y = llvm.load %p1 : !llvm.ptr<1> -> f32
  %e2 = llvm.sext %behind : i32 to i64
  %p2 = llvm.getelementptr %a[%e2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %z = llvm.load %p2 : !llvm.ptr<1> -> f32
  %s = llvm.fadd %x, %y : f32
  %t = llvm.fadd %s, %z : f32
  %q = llvm.getelementptr %b[%e1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %t, %q : f32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// A loop that is not unrolled adds 64 bits in each iteration, by two instructions: no gain.
// CHECK-LABEL: llvm.func @rolled
// CHECK:       ^loop(%i: i32):
// STRICT-LABEL: llvm.func @rolled
llvm.func @rolled(%a: !llvm.ptr<1>, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %e = llvm.sext %i : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fadd %x, %x : f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^exit:
  llvm.return
}

// If no pointer pays, the row is added to the array in the preheader, which saves an addition. A later access
// shares the address; one with another counter has its own.
// CHECK-LABEL: llvm.func @row
// CHECK:         %[[R:.*]] = llvm.sext %row : i32 to i64
// CHECK-NEXT:    %[[B:.*]] = llvm.getelementptr %a[%[[R]]]
// CHECK-NEXT:    llvm.br ^loop
// CHECK-NEXT:  ^loop(%i: i32):
// CHECK-NEXT:    %[[E:.*]] = llvm.sext %i : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %[[B]][%[[E]]]
// CHECK-NEXT:    %x = llvm.load %[[P]]
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %[[P]][4]
// CHECK-NEXT:    llvm.store %x, %[[Q]]
// CHECK-NEXT:    %next
llvm.func @row(%a: !llvm.ptr<1>, %row: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %k = llvm.add %row, %i overflow<nsw> : i32
  %e = llvm.sext %k : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %x, %q : f32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^exit:
  llvm.return
}

// The array's own pointer is live, too: another base needs registers.
// CHECK-LABEL: llvm.func @row_and_array
// CHECK:       ^loop(%i: i32):
// CHECK-NOT:     llvm.add %row
// FEW-LABEL:   llvm.func @row_and_array
// FEW:         ^loop(%i: i32):
// FEW:           llvm.add %row
llvm.func @row_and_array(%a: !llvm.ptr<1>, %row: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %first = llvm.load volatile %a : !llvm.ptr<1> -> i32
  %k = llvm.add %row, %i overflow<nsw> : i32
  %e = llvm.sext %k : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %first, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^exit:
  llvm.return
}

// The sum has other uses and is kept, or it may wrap: no gain.
// CHECK-LABEL: llvm.func @row_needed
// CHECK:       ^loop(%i: i32):
// CHECK-NEXT:    llvm.add
// CHECK-LABEL: llvm.func @row_wraps
// CHECK:       ^loop(%i: i32):
// CHECK-NEXT:    llvm.add
llvm.func @row_needed(%a: !llvm.ptr<1>, %row: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %k = llvm.add %row, %i overflow<nsw> : i32
  %e = llvm.sext %k : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %k, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^exit:
  llvm.return
}
llvm.func @row_wraps(%a: !llvm.ptr<1>, %row: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %k = llvm.add %row, %i : i32
  %e = llvm.sext %k : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %n, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^exit:
  llvm.return
}

// The number of registers is the same: the pointer replaces the array's.
// CHECK-LABEL: llvm.func @kept_base
// CHECK:       ^loop(%i: i32, %{{.*}}: !llvm.ptr<1>):
// STRICT-LABEL: llvm.func @kept_base
// STRICT:      ^loop(%i: i32):
llvm.func @kept_base(%a: !llvm.ptr<1>, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %first = llvm.load volatile %a : !llvm.ptr<1> -> i32
  %e = llvm.sext %i : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %first, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// Steps may be values; their extension is in the preheader. Volatile and atomic accesses are
// kept.
// CHECK-LABEL: llvm.func @column
// CHECK:         %[[S:.*]] = llvm.sext %n : i32 to i64
// CHECK:       ^loop(%i: i32, %[[IV:.*]]: !llvm.ptr<1>):
// CHECK:         llvm.load volatile %[[IV]]
// CHECK-NEXT:    llvm.atomicrmw _and %[[IV]]
// CHECK:         llvm.getelementptr %[[IV]][%[[S]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4 x i8>
llvm.func @column(%a: !llvm.ptr<1>, %j: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %m = llvm.mul %i, %n overflow<nsw> : i32
  %k = llvm.add %m, %j overflow<nsw> : i32
  %e = llvm.sext %k : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %x = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %y = llvm.atomicrmw _and %p, %x monotonic : !llvm.ptr<1>, i32
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// A counter of 32 bits that may wrap is no sum of 64 bits; one of 64 bits is.
// ALL-LABEL:   llvm.func @wraps
// ALL:         ^loop(%i: i32, %j: i64, %{{[^,]*}}: !llvm.ptr<1>):
// ALL:           llvm.getelementptr %a[%e]
llvm.func @wraps(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %s: i32, %n: i64) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c3 = llvm.mlir.constant(3 : i32) : i32
  llvm.br ^loop(%s, %c0 : i32, i64)
^loop(%i: i32, %j: i64):
  %e = llvm.sext %i : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %q = llvm.getelementptr %b[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %q : i32, !llvm.ptr<1>
  %m = llvm.add %i, %c3 : i32
  %next = llvm.add %j, %c1 : i64
  %c = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %c, ^loop(%m, %next : i32, i64), ^exit
^exit:
  llvm.return
}

// Shared memory; nested loops; loops whose exit depends on loaded values.
// NARROW-LABEL: llvm.func @others
// NARROW:        ^inner(%{{[^,]*}}: i64, %{{[^,]*}}: !llvm.ptr<3>):
// SHARED-LABEL: llvm.func @others
// SHARED:        ^inner(%{{[^,]*}}: i64):
// INNER-LABEL:  llvm.func @others
// INNER:         ^outer(%{{[^,]*}}: i64):
// INNER:         ^inner(%{{[^,]*}}: i64, %{{[^,]*}}: !llvm.ptr<3>):
// ALL-LABEL:    llvm.func @others
// ALL:           ^outer(%{{[^,]*}}: i64, %{{[^,]*}}: !llvm.ptr<1>):
// ALL:           ^search(%{{[^,]*}}: i64, %{{[^,]*}}: !llvm.ptr<1>):
// KNOWN-LABEL:  llvm.func @others
// KNOWN:         ^outer(%{{[^,]*}}: i64, %{{[^,]*}}: !llvm.ptr<1>):
// KNOWN:         ^search(%{{[^,]*}}: i64):
llvm.func @others(%a: !llvm.ptr<1>, %t: !llvm.ptr<3>, %n: i64) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %z = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^outer(%c0 : i64)
^outer(%i: i64):
  llvm.br ^inner(%c0 : i64)
^inner(%j: i64):
  %q = llvm.getelementptr %t[%j] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
  llvm.store %z, %q : i32, !llvm.ptr<3>
  %k = llvm.add %j, %c1 : i64
  %more = llvm.icmp "ult" %k, %n : i64
  llvm.cond_br %more, ^inner(%k : i64), ^behind
^behind:
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %z, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 : i64
  %c = llvm.icmp "ult" %next, %n : i64
  llvm.cond_br %c, ^outer(%next : i64), ^found
^found:
  llvm.br ^search(%c0 : i64)
^search(%l: i64):
  %at = llvm.getelementptr %a[%l] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %y = llvm.load %at : !llvm.ptr<1> -> i32
  %m = llvm.add %l, %c1 : i64
  %d = llvm.icmp "ne" %y, %z : i32
  llvm.cond_br %d, ^search(%m : i64), ^exit
^exit:
  llvm.return
}

// A start value is computed from available values; an access beyond the range of offsets has its own pointer.
// CHECK-LABEL: llvm.func @far
// CHECK:         %[[S:.*]] = llvm.sext %first : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %a[%[[S]]] : {{.*}}array<4 x i8>
// CHECK:         %[[Q:.*]] = llvm.getelementptr %{{.*}}[8388608]
// CHECK-NEXT:    llvm.br ^loop(%first, %[[P]], %[[Q]] : i32, !llvm.ptr<1>, !llvm.ptr<1>)
llvm.func @far(%a: !llvm.ptr<1>, %s: i32, %n: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %first = llvm.mul %s, %c32 overflow<nsw> : i32
  llvm.br ^loop(%first : i32)
^loop(%i: i32):
  %e = llvm.sext %i : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %q = llvm.getelementptr %p[8388608] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %x, %q : i32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// An address of an address: without chains only the second computation is considered, which starts in the
// loop. The counter reaches 99.
// ALL-LABEL:       llvm.func @chain
// ALL:             ^loop(%i: i64, %{{.*}}: !llvm.ptr<1>):
// UNCHAINED-LABEL: llvm.func @chain
// UNCHAINED:       ^loop(%i: i64):
// TO99-LABEL:      llvm.func @chain
// TO99:            ^loop(%i: i64, %{{.*}}: !llvm.ptr<1>):
// TO98-LABEL:      llvm.func @chain
// TO98:            ^loop(%i: i64):
llvm.func @chain(%a: !llvm.ptr<1>, %x: f32) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c100 = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<2 x f32>
  llvm.store %x, %q : f32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw, nuw> : i64
  %more = llvm.icmp "ult" %next, %c100 : i64
  llvm.cond_br %more, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}

// An invariant value is subtracted: a + 4 i w + 4 (n - d). The start has -4 d.
// CHECK-LABEL: llvm.func @difference
// CHECK:       ^loop(%i: i32, %[[P:.*]]: !llvm.ptr<1>):
// CHECK-NEXT:    llvm.store %x, %[[P]] : f32, !llvm.ptr<1>
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %[[P]][
// CHECK-NEXT:    llvm.store %x, %[[Q]] : f32, !llvm.ptr<1>
llvm.func @difference(%a: !llvm.ptr<1>, %x: f32, %n: i32, %d: i32, %w: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %last = llvm.sub %n, %d overflow<nsw> : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %m = llvm.mul %i, %w overflow<nsw> : i32
  %k = llvm.add %m, %last overflow<nsw> : i32
  %e = llvm.sext %k : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %x, %p : f32, !llvm.ptr<1>
  %i1 = llvm.add %i, %c1 overflow<nsw> : i32
  %m1 = llvm.mul %i1, %w overflow<nsw> : i32
  %k1 = llvm.add %m1, %last overflow<nsw> : i32
  %e1 = llvm.sext %k1 : i32 to i64
  %q = llvm.getelementptr %a[%e1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %x, %q : f32, !llvm.ptr<1>
  %next = llvm.add %i, %c2 overflow<nsw> : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// The step 4 w h is a product of two extended values: the addresses keep their 32-bit index.
// CHECK-LABEL: llvm.func @difference_with_wide_step
// CHECK:       ^loop(%i: i32):
llvm.func @difference_with_wide_step(%a: !llvm.ptr<1>, %x: f32, %n: i32, %w: i32, %h: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %m = llvm.mul %i, %h overflow<nsw> : i32
  %j = llvm.mul %m, %w overflow<nsw> : i32
  %k = llvm.sub %j, %w overflow<nsw> : i32
  %e = llvm.sext %k : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %x, %p : f32, !llvm.ptr<1>
  %next = llvm.add %i, %c1 overflow<nsw> : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}
