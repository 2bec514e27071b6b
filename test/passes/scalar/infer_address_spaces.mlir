// RUN: nvvm-opt %s -p 'infer-address-spaces' | filecheck %s
// RUN: nvvm-opt %s -p 'infer-address-spaces<no-kernel-pointers-global>' | filecheck %s --check-prefix=KEPT

llvm.mlir.global external @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>

// CHECK-LABEL: llvm.func @kernel
// CHECK:         %[[P:.*]] = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
// CHECK:         %q = llvm.getelementptr %[[P]][%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT:    llvm.load %q : !llvm.ptr<1> -> f32
// KEPT-LABEL:  llvm.func @kernel
// KEPT:          llvm.load %q : !llvm.ptr -> f32
llvm.func @kernel(%p: !llvm.ptr, %i: i64) attributes {nvvm.kernel} {
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %q : !llvm.ptr -> f32
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.return
}

// A device function's parameters may point anywhere.
// CHECK-LABEL: llvm.func @device
// CHECK:         llvm.load %p : !llvm.ptr -> f32
llvm.func @device(%p: !llvm.ptr) -> f32 {
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.return %x : f32
}

// A loop-carried pointer, and a select of two pointers into shared memory.
// CHECK-LABEL: llvm.func @loop
// CHECK:         %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
// CHECK:         %s = llvm.select %c, %t, %u : i1, !llvm.ptr<3>
// CHECK:         llvm.br ^head(%s : !llvm.ptr<3>)
// CHECK:       ^head(%a: !llvm.ptr<3>):
// CHECK-NEXT:    llvm.load %a : !llvm.ptr<3> -> f32
// CHECK-NEXT:    %n = llvm.getelementptr %a[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
// CHECK-NEXT:    llvm.cond_br %c, ^head(%n : !llvm.ptr<3>), ^exit
llvm.func @loop(%c: i1) {
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %u = llvm.getelementptr %g[4] : (!llvm.ptr) -> !llvm.ptr, f32
  %s = llvm.select %c, %g, %u : i1, !llvm.ptr
  llvm.br ^head(%s : !llvm.ptr)
^head(%a: !llvm.ptr):
  %x = llvm.load %a : !llvm.ptr -> f32
  %n = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.cond_br %c, ^head(%n : !llvm.ptr), ^exit
^exit:
  llvm.return
}

// Shared or global: generic. A pointer that is passed on keeps its type by a cast.
// CHECK-LABEL: llvm.func @mixed
// CHECK:         %s = llvm.select %c, %g, %p : i1, !llvm.ptr
// CHECK-NEXT:    llvm.load %s : !llvm.ptr -> f32
// CHECK-NEXT:    %q = llvm.getelementptr %{{.*}}[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
// CHECK-NEXT:    %[[Q:.*]] = llvm.addrspacecast %q : !llvm.ptr<1> to !llvm.ptr
// CHECK-NEXT:    llvm.load %q : !llvm.ptr<1> -> f32
// CHECK-NEXT:    llvm.call @device(%[[Q]])
llvm.func @mixed(%p: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %s = llvm.select %c, %g, %p : i1, !llvm.ptr
  %x = llvm.load %s : !llvm.ptr -> f32
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %y = llvm.load %q : !llvm.ptr -> f32
  %z = llvm.call @device(%q) : (!llvm.ptr) -> f32
  llvm.return
}

// Stack slots are local; a volatile access to one has no local form.
// CHECK-LABEL: llvm.func @local
// CHECK:         %[[L:.*]] = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<5>
// CHECK:         %q = llvm.getelementptr %[[L]][0, %i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<4 x i32>
// CHECK:         llvm.store %x, %q : i32, !llvm.ptr<5>
// CHECK:         llvm.load volatile %a : !llvm.ptr -> i32
llvm.func @local(%i: i64, %x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %q = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %x, %q : i32, !llvm.ptr
  %y = llvm.load volatile %a : !llvm.ptr -> i32
  llvm.return %y : i32
}

// Atomics have no local form either.
// CHECK-LABEL: llvm.func @atomic
// CHECK:         llvm.atomicrmw add %a, %x monotonic : !llvm.ptr, i32
// CHECK:         llvm.atomicrmw add %{{.*}}, %y monotonic : !llvm.ptr<1>, i32
llvm.func @atomic(%p: !llvm.ptr, %x: i32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %a : i32, !llvm.ptr
  %y = llvm.atomicrmw add %a, %x monotonic : !llvm.ptr, i32
  %z = llvm.atomicrmw add %p, %y monotonic : !llvm.ptr, i32
  llvm.return
}

// A pointer in a by-value parameter is global; the parameter itself is not.
// CHECK-LABEL: llvm.func @by_value
// CHECK:         %f = llvm.load %s : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:    %[[F:.*]] = llvm.addrspacecast %f : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:    llvm.load %[[F]] : !llvm.ptr<1> -> f32
llvm.func @by_value(%s: !llvm.ptr {llvm.byval = !llvm.struct<(ptr, i32)>}) attributes {nvvm.kernel} {
  %f = llvm.load %s : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %f : !llvm.ptr -> f32
  llvm.return
}

// Null is compatible: in global memory it is null too.
// CHECK-LABEL: llvm.func @null
// CHECK:         %[[N:.*]] = llvm.mlir.zero : !llvm.ptr<1>
// CHECK:         llvm.br ^join(%[[N]] : !llvm.ptr<1>)
// CHECK:       ^join(%r: !llvm.ptr<1>):
llvm.func @null(%p: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.cond_br %c, ^zero, ^join(%p : !llvm.ptr)
^zero:
  llvm.br ^join(%null : !llvm.ptr)
^join(%r: !llvm.ptr):
  %x = llvm.load %r : !llvm.ptr -> f32
  llvm.return
}
