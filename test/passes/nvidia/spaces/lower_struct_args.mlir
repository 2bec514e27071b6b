// RUN: nvvm-opt %s -p 'lower-struct-args<opt-byval>' | filecheck %s
// RUN: nvvm-opt %s -p 'lower-struct-args<opt-byval>,lower-struct-args<opt-byval>' | filecheck %s
// RUN: nvvm-opt %s -p 'lower-struct-args' | filecheck %s --check-prefix=COPIED

!T = !llvm.struct<(array<8 x f32>, ptr)>

// COPIED-LABEL: llvm.func @dynamic
// COPIED-SAME:    nvvm.grid_constant
// COPIED:         %[[S:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(array<8 x f32>, ptr)> {alignment = 16 : i64}
// COPIED-NEXT:    %[[P:.*]] = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<101>
// COPIED-NEXT:    "llvm.intr.memcpy"(%[[S]], %[[P]], %{{.*}}) <{isVolatile = false, arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}]}> : (!llvm.ptr, !llvm.ptr<101>, i64) -> ()
// COPIED-NEXT:    llvm.getelementptr %[[S]][%i]

// A dynamic index.
// CHECK-LABEL: llvm.func @dynamic
// CHECK-SAME:    (%p: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = {{.*}}, nvvm.grid_constant}, %i: i64)
// CHECK-NEXT:    %[[P:.*]] = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<101>
// CHECK-NEXT:    %q = llvm.getelementptr %[[P]][%i] : (!llvm.ptr<101>, i64) -> !llvm.ptr<101>, f32
// CHECK-NEXT:    llvm.load %q : !llvm.ptr<101> -> f32
// CHECK-NEXT:    llvm.return
llvm.func @dynamic(%p: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = !T}, %i: i64) attributes {nvvm.kernel} {
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %q : !llvm.ptr -> f32
  llvm.return
}

// One of two parameters; a loop-carried pointer into one.
// CHECK-LABEL: llvm.func @joined
// CHECK:         %s = llvm.select %c, %{{.*}}, %{{.*}} : i1, !llvm.ptr<101>
// CHECK-NEXT:    llvm.load %s : !llvm.ptr<101> -> f32
// CHECK:       ^head(%a: !llvm.ptr<101>):
// CHECK-NEXT:    llvm.load %a : !llvm.ptr<101> -> f32
llvm.func @joined(%p: !llvm.ptr {llvm.byval = !T}, %o: !llvm.ptr {llvm.byval = !T}, %c: i1) attributes {nvvm.kernel} {
  %s = llvm.select %c, %p, %o : i1, !llvm.ptr
  %x = llvm.load %s : !llvm.ptr -> f32
  llvm.br ^head(%p : !llvm.ptr)
^head(%a: !llvm.ptr):
  %y = llvm.load %a : !llvm.ptr -> f32
  %n = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.cond_br %c, ^head(%n : !llvm.ptr), ^exit
^exit:
  llvm.return
}

// Together with other memory, the generic address of the parameter is used; before sm_70 there is none.
// CHECK-LABEL: llvm.func @mixed
// CHECK-NEXT:    %s = llvm.select %c, %p, %o : i1, !llvm.ptr
// CHECK-NEXT:    llvm.load %s : !llvm.ptr -> f32
llvm.func @mixed(%p: !llvm.ptr {llvm.byval = !T}, %o: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %s = llvm.select %c, %p, %o : i1, !llvm.ptr
  %x = llvm.load %s : !llvm.ptr -> f32
  llvm.return
}
// CHECK-LABEL: llvm.func @mixed_before_sm_70
// CHECK:         %[[S:.*]] = llvm.alloca
// CHECK:         %s = llvm.select %c, %[[S]], %o : i1, !llvm.ptr
llvm.func @mixed_before_sm_70(%p: !llvm.ptr {llvm.byval = !T}, %o: !llvm.ptr, %c: i1) attributes {nvvm.kernel, passthrough = [["target-cpu", "sm_60"]]} {
  %s = llvm.select %c, %p, %o : i1, !llvm.ptr
  %x = llvm.load %s : !llvm.ptr -> f32
  llvm.return
}

// Functions that only read their arguments, by attribute or by analysis, with recursion.
// CHECK-LABEL: llvm.func @passed_on
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.call @promises(%p)
// CHECK-NEXT:    llvm.call @reads(%p, %i)
llvm.func @promises(!llvm.ptr {llvm.nocapture, llvm.readonly})
llvm.func internal @reads(%p: !llvm.ptr, %i: i64) -> f32 {
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %q : !llvm.ptr -> f32
  %y = llvm.call @reads(%q, %i) : (!llvm.ptr, i64) -> f32
  llvm.return %x : f32
}
llvm.func @passed_on(%p: !llvm.ptr {llvm.byval = !T}, %i: i64) attributes {nvvm.kernel} {
  llvm.call @promises(%p) : (!llvm.ptr) -> ()
  %x = llvm.call @reads(%p, %i) : (!llvm.ptr, i64) -> f32
  llvm.return
}

// A parameter that is stored to, or passed to a function that may store to it or capture it, is copied.
// CHECK-LABEL: llvm.func @written
// CHECK:         %[[S:.*]] = llvm.alloca
// CHECK:         "llvm.intr.memcpy"(%[[S]]
// CHECK-NEXT:    llvm.store %i, %[[S]]
llvm.func @written(%p: !llvm.ptr {llvm.byval = !T}, %i: i64) attributes {nvvm.kernel} {
  llvm.store %i, %p : i64, !llvm.ptr
  llvm.return
}
// CHECK-LABEL: llvm.func @kept
// CHECK:         %[[S:.*]] = llvm.alloca
// CHECK:         llvm.call @keeps(%[[S]])
llvm.func internal @keeps(%p: !llvm.ptr) -> !llvm.ptr {
  llvm.return %p : !llvm.ptr
}
llvm.func @kept(%p: !llvm.ptr {llvm.byval = !T}) attributes {nvvm.kernel} {
  %q = llvm.call @keeps(%p) : (!llvm.ptr) -> !llvm.ptr
  llvm.return
}
// CHECK-LABEL: llvm.func @replaceable
// CHECK:         llvm.alloca
llvm.func weak @may_be_another(%p: !llvm.ptr) {
  llvm.return
}
llvm.func @replaceable(%p: !llvm.ptr {llvm.byval = !T}) attributes {nvvm.kernel} {
  llvm.call @may_be_another(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// A local copy that is only read is removed.
// CHECK-LABEL: llvm.func @copy
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[P:.*]] = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<101>
// CHECK-NEXT:    %[[F:.*]] = llvm.getelementptr inbounds %[[P]][8] : (!llvm.ptr<101>) -> !llvm.ptr<101>, i8
// CHECK:         %r = llvm.getelementptr %[[F]][%i] : (!llvm.ptr<101>, i64) -> !llvm.ptr<101>, f32
// CHECK-NEXT:    llvm.load %r : !llvm.ptr<101> -> f32
llvm.func @copy(%p: !llvm.ptr {llvm.byval = !T}, %i: i64) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(16 : i64) : i64
  %s = llvm.alloca %one x !llvm.array<4 x f32> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %q = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.intr.lifetime.start %s : !llvm.ptr
  "llvm.intr.memcpy"(%s, %q, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %r = llvm.getelementptr %s[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %r : !llvm.ptr -> f32
  llvm.return
}
// The same if its address is already known to be local.
// CHECK-LABEL: llvm.func @local_copy
// CHECK-NOT:     llvm.alloca
// CHECK-NOT:     llvm.intr.lifetime.start
// CHECK:         %r = llvm.getelementptr %{{.*}}[%i] : (!llvm.ptr<101>, i64) -> !llvm.ptr<101>, f32
// CHECK-NEXT:    llvm.load %r : !llvm.ptr<101> -> f32
llvm.func @local_copy(%p: !llvm.ptr {llvm.byval = !T}, %i: i64) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(16 : i64) : i64
  %s = llvm.alloca %one x !llvm.array<4 x f32> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %l = llvm.addrspacecast %s : !llvm.ptr to !llvm.ptr<5>
  llvm.intr.lifetime.start %l : !llvm.ptr<5>
  "llvm.intr.memcpy"(%l, %p, %n) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr, i64) -> ()
  %r = llvm.getelementptr %l[%i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, f32
  %x = llvm.load %r : !llvm.ptr<5> -> f32
  llvm.return
}
// A copy that is changed, that is larger than the parameter, or that is always to be copied is kept.
// CHECK-LABEL: llvm.func @copies_that_stay
// CHECK:         llvm.alloca
// CHECK-NEXT:    llvm.alloca
// CHECK-NEXT:    llvm.alloca
llvm.func @copies_that_stay(%p: !llvm.ptr {llvm.byval = !llvm.array<4 x f32>}, %x: f32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(16 : i64) : i64
  %a = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr
  %c = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%a, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%b, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%c, %p, %n) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.store %x, %a : f32, !llvm.ptr
  llvm.return
}

// Two copies have two addresses, which must not become equal; a null check is allowed.
// CHECK-LABEL: llvm.func @compared
// CHECK-COUNT-2: llvm.alloca
// CHECK-NOT:     llvm.alloca
llvm.func @compared(%p: !llvm.ptr {llvm.byval = !llvm.array<4 x f32>}, %out: !llvm.ptr) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(16 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %a = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %c = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%a, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%b, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%c, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %same = llvm.icmp "eq" %a, %b : !llvm.ptr
  %none = llvm.icmp "eq" %c, %null : !llvm.ptr
  llvm.store %same, %out : i1, !llvm.ptr
  llvm.store %none, %out : i1, !llvm.ptr
  llvm.return
}

// A device function may write to its parameter.
// CHECK-LABEL: llvm.func @device
// CHECK-SAME:    (%p: !llvm.ptr {llvm.byval = {{[^}]*}}}) -> f32
// CHECK-NEXT:    llvm.load %p : !llvm.ptr -> f32
llvm.func @device(%p: !llvm.ptr {llvm.byval = !T}) -> f32 {
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.return %x : f32
}
