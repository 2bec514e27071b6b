// RUN: nvvm-opt %s -p simplifycfg --verify-each | filecheck %s
// RUN: nvvm-opt %s -p simplifycfg,dse | filecheck %s --check-prefix=DSE

#root = #llvm.tbaa_root<id = "root">
#int = #llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>
#long = #llvm.tbaa_type_desc<id = "long", members = {<#root, 0>}>
#i = #llvm.tbaa_tag<base_type = #int, access_type = #int, offset = 0>
#l = #llvm.tbaa_tag<base_type = #long, access_type = #long, offset = 0>

llvm.func @call()

// A store of a select in place of a branch around a store; the first store is dead.
// CHECK-LABEL: llvm.func @then
// CHECK:         llvm.store %a, %p {alignment = 4 : i64} : i32
// CHECK-NEXT:    %x = llvm.xor %a, %b : i32
// CHECK-NEXT:    %[[V:.*]] = llvm.select %c, %x, %a : i1, i32
// CHECK-NEXT:    llvm.store %[[V]], %p {alignment = 4 : i64} : i32
// CHECK-NEXT:    llvm.return
// DSE-LABEL:   llvm.func @then
// DSE-COUNT-1: llvm.store
// DSE-NOT:     llvm.store
// DSE:         llvm.return
llvm.func @then(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store is on the other side.
// CHECK-LABEL: llvm.func @else
// CHECK:         %[[V:.*]] = llvm.select %c, %a, %x : i1, i32
// CHECK-NEXT:    llvm.store %[[V]], %p
// CHECK-NEXT:    llvm.return
llvm.func @else(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^join, ^then
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The alignments of both stores hold, and tags that both have.
// CHECK-LABEL: llvm.func @alignment
// CHECK:         llvm.select
// CHECK-NEXT:    llvm.store %{{.*}}, %p {tbaa = [{{.*}}], alignment = 4 : i64} : i32
// CHECK-NEXT:    llvm.return
llvm.func @alignment(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64, tbaa = [#i]} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 8 : i64, tbaa = [#i]} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// Tags that differ are dropped.
// CHECK-LABEL: llvm.func @tags
// CHECK:         llvm.select
// CHECK-NEXT:    llvm.store %{{.*}}, %p {alignment = 4 : i64} : i32
// CHECK-NEXT:    llvm.return
llvm.func @tags(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 8 : i64, tbaa = [#i]} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64, tbaa = [#l]} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A store without a stated alignment has that of its type.
// CHECK-LABEL: llvm.func @natural
// CHECK:         llvm.select
// CHECK-NEXT:    llvm.store %{{.*}}, %p {alignment = 4 : i64} : i32
// CHECK-NEXT:    llvm.return
llvm.func @natural(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// Stores to the bytes after and before it are between.
// CHECK-LABEL: llvm.func @apart
// CHECK:         llvm.select
// CHECK-NEXT:    llvm.store %{{.*}}, %p
// CHECK-NEXT:    llvm.return
llvm.func @apart(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %r = llvm.getelementptr %p[-4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store %a, %q : i32, !llvm.ptr
  llvm.store %a, %r : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A store to its last bytes is between.
// CHECK-LABEL: llvm.func @overlap_after
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @overlap_after(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  %q = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store %a, %q : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A store to its first bytes is between.
// CHECK-LABEL: llvm.func @overlap_before
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @overlap_before(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  %q = llvm.getelementptr %p[-3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store %a, %q : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A store at a variable distance is between.
// CHECK-LABEL: llvm.func @variable
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @variable(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  %q = llvm.getelementptr %p[%a, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<9 x i32>
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store %a, %q : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A store through another pointer is between.
// CHECK-LABEL: llvm.func @other_object
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @other_object(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  %q = llvm.getelementptr %o[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %a, %q : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A barrier is between.
// CHECK-LABEL: llvm.func @barrier
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @barrier(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  nvvm.barrier0
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A call is between.
// CHECK-LABEL: llvm.func @called
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @called(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.call @call() : () -> ()
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// A load is between, for which the first store would remain.
// CHECK-LABEL: llvm.func @loaded
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @loaded(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  %y = llvm.load %o : !llvm.ptr -> i32
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.store volatile %y, %o : i32, !llvm.ptr
  llvm.return
}

// There is no store before.
// CHECK-LABEL: llvm.func @none
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @none(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store before is to another address.
// CHECK-LABEL: llvm.func @other_address
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @other_address(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %a, %q {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store before has another type.
// CHECK-LABEL: llvm.func @other_type
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @other_type(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr, %f: f32) {
  llvm.store %f, %p : f32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store before is volatile.
// CHECK-LABEL: llvm.func @volatile_before
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @volatile_before(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store volatile %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store is volatile.
// CHECK-LABEL: llvm.func @volatile_arm
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @volatile_arm(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store volatile %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store is atomic.
// CHECK-LABEL: llvm.func @atomic
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @atomic(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// There are two stores.
// CHECK-LABEL: llvm.func @two
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @two(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The arm is not short.
// CHECK-LABEL: llvm.func @costly
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @costly(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  %u = llvm.xor %a, %b : i32
  %v = llvm.mul %u, %a : i32
  %w = llvm.add %v, %b : i32
  %x = llvm.xor %w, %a : i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store before is the sixteenth op.
// CHECK-LABEL: llvm.func @near
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.return
llvm.func @near(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  %m0 = llvm.add %a, %b : i32
  %m1 = llvm.add %m0, %b : i32
  %m2 = llvm.add %m1, %b : i32
  %m3 = llvm.add %m2, %b : i32
  %m4 = llvm.add %m3, %b : i32
  %m5 = llvm.add %m4, %b : i32
  %m6 = llvm.add %m5, %b : i32
  %m7 = llvm.add %m6, %b : i32
  %m8 = llvm.add %m7, %b : i32
  %m9 = llvm.add %m8, %b : i32
  %m10 = llvm.add %m9, %b : i32
  %m11 = llvm.add %m10, %b : i32
  %m12 = llvm.add %m11, %b : i32
  %m13 = llvm.add %m12, %b : i32
  %m14 = llvm.add %m13, %b : i32
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %m14, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// The store before is the seventeenth op.
// CHECK-LABEL: llvm.func @far
// CHECK:         llvm.cond_br
// CHECK:       ^then:
llvm.func @far(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) {
  llvm.store %a, %p {alignment = 4 : i64} : i32, !llvm.ptr
  %m0 = llvm.add %a, %b : i32
  %m1 = llvm.add %m0, %b : i32
  %m2 = llvm.add %m1, %b : i32
  %m3 = llvm.add %m2, %b : i32
  %m4 = llvm.add %m3, %b : i32
  %m5 = llvm.add %m4, %b : i32
  %m6 = llvm.add %m5, %b : i32
  %m7 = llvm.add %m6, %b : i32
  %m8 = llvm.add %m7, %b : i32
  %m9 = llvm.add %m8, %b : i32
  %m10 = llvm.add %m9, %b : i32
  %m11 = llvm.add %m10, %b : i32
  %m12 = llvm.add %m11, %b : i32
  %m13 = llvm.add %m12, %b : i32
  %m14 = llvm.add %m13, %b : i32
  %m15 = llvm.add %m14, %b : i32
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %m15, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}

// Both sides are short, and one of them ends with a store.
// CHECK-LABEL: llvm.func @one_of_two
// CHECK-NOT:     llvm.cond_br
// CHECK:         %[[V:.*]] = llvm.select %c, %a, %x : i1, i32
// CHECK-NEXT:    llvm.store %[[V]], %p
// CHECK-NEXT:    %[[R:.*]] = llvm.select %c, %y, %x : i1, i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @one_of_two(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr) -> i32 {
  llvm.store %a, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^other, ^then
^other:
  %y = llvm.add %a, %b : i32
  llvm.br ^join(%y : i32)
^then:
  %x = llvm.xor %a, %b : i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^join(%x : i32)
^join(%r: i32):
  llvm.return %r : i32
}

// Both sides end with a store.
// CHECK-LABEL: llvm.func @two_of_two
// CHECK:         llvm.cond_br
llvm.func @two_of_two(%c: i1, %a: i32, %b: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  llvm.store %a, %p : i32, !llvm.ptr
  llvm.cond_br %c, ^other, ^then
^other:
  llvm.store %a, %o : i32, !llvm.ptr
  llvm.br ^join
^then:
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.br ^join
^join:
  llvm.return
}
