// RUN: nvvm-opt %s -p 'ipmsp' | filecheck %s --check-prefixes=CHECK,CLONED
// RUN: nvvm-opt %s -p 'ipmsp<no-do-clone-for-ip-msp>' | filecheck %s --check-prefixes=CHECK,KEPT
// RUN: nvvm-opt %s -p 'ipmsp<clone-limit=0>' | filecheck %s --check-prefixes=CHECK,KEPT
// RUN: nvvm-opt %s -p 'ipmsp,memory-space-opt<second-time>' | filecheck %s --check-prefix=RESOLVED

llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>

// All calls agree: the function and its calls are changed in place. `nonnull` does not hold for a pointer
// into shared memory, nor `returned` for one of another type.
// CHECK-LABEL: llvm.func internal @agreed
// CHECK-SAME:    (%p: !llvm.ptr<3> {llvm.noundef}, %n: i32)
// CHECK-NEXT:    %[[G:.*]] = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:    llvm.load %[[G]] : !llvm.ptr -> f32
// RESOLVED-LABEL: llvm.func internal @agreed
// RESOLVED-NEXT:    llvm.load %p : !llvm.ptr<3> -> f32
llvm.func internal @agreed(%p: !llvm.ptr {llvm.nonnull, llvm.noundef, llvm.returned}, %n: i32) -> f32 {
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.return %x : f32
}

// A by-value argument is the callee's own; a function that other modules call is unchanged.
// CHECK-LABEL: llvm.func internal @by_value
// CHECK-SAME:    (%p: !llvm.ptr {llvm.byval = i32})
llvm.func internal @by_value(%p: !llvm.ptr {llvm.byval = i32}) {
  llvm.return
}

// Recursion passes its arguments on.
// CHECK-LABEL: llvm.func internal @recursive(%p: !llvm.ptr<1>, %n: i32)
// CHECK:         %[[Q:.*]] = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<1>
// CHECK:         llvm.call @recursive(%[[Q]], %n) : (!llvm.ptr<1>, i32) -> ()
llvm.func internal @recursive(%p: !llvm.ptr, %n: i32) {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.call @recursive(%q, %n) : (!llvm.ptr, i32) -> ()
  llvm.return
}

// So does a pair of mutually recursive functions.
// CHECK-LABEL: llvm.func internal @even(%p: !llvm.ptr<1>)
// CHECK-LABEL: llvm.func internal @odd(%p: !llvm.ptr<1>)
llvm.func internal @even(%p: !llvm.ptr) {
  llvm.call @odd(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @odd(%p: !llvm.ptr) {
  llvm.call @even(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// Calls disagree: a clone for each combination but the first, and clones of the callees.
// CLONED-LABEL: llvm.func internal @outer(%p: !llvm.ptr<1>)
// CLONED:         llvm.call @inner(%{{.*}}) : (!llvm.ptr<1>) -> f32
// CLONED-LABEL: llvm.func internal @outer__msp_3(%p: !llvm.ptr<3>)
// CLONED:         llvm.call @inner__msp_3(%{{.*}}) : (!llvm.ptr<3>) -> f32
// CLONED-LABEL: llvm.func internal @inner(%p: !llvm.ptr<1>)
// CLONED-LABEL: llvm.func internal @inner__msp_3(%p: !llvm.ptr<3>)
// KEPT-LABEL:   llvm.func internal @outer(%p: !llvm.ptr)
// KEPT-LABEL:   llvm.func internal @inner(%p: !llvm.ptr)
// RESOLVED-LABEL: llvm.func internal @inner(
// RESOLVED-NEXT:    llvm.load %p : !llvm.ptr<1> -> f32
// RESOLVED-LABEL: llvm.func internal @inner__msp_3(
// RESOLVED-NEXT:    llvm.load %p : !llvm.ptr<3> -> f32
llvm.func internal @outer(%p: !llvm.ptr) -> f32 {
  %x = llvm.call @inner(%p) : (!llvm.ptr) -> f32
  llvm.return %x : f32
}
llvm.func internal @inner(%p: !llvm.ptr) -> f32 {
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.return %x : f32
}

// A clone of a recursive function calls itself.
// CLONED-LABEL: llvm.func internal @walk(%p: !llvm.ptr<1>)
// CLONED:         llvm.call @walk(%{{.*}}) : (!llvm.ptr<1>) -> ()
// CLONED-LABEL: llvm.func internal @walk__msp_3(%p: !llvm.ptr<3>)
// CLONED:         llvm.call @walk__msp_3(%{{.*}}) : (!llvm.ptr<3>) -> ()
// KEPT-LABEL:   llvm.func internal @walk(%p: !llvm.ptr)
llvm.func internal @walk(%p: !llvm.ptr) {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.call @walk(%q) : (!llvm.ptr) -> ()
  llvm.return
}

// Other modules may call it: it is unchanged, and the calls here go to a clone.
// CHECK-LABEL:  llvm.func @visible(%p: !llvm.ptr)
// CLONED-LABEL: llvm.func internal @visible__msp_1(%p: !llvm.ptr<1>)
llvm.func @visible(%p: !llvm.ptr) {
  llvm.return
}
// Its address is taken: the same.
// CHECK-LABEL:  llvm.func internal @pointed_to(%p: !llvm.ptr)
// CLONED-LABEL: llvm.func internal @pointed_to__msp_1(%p: !llvm.ptr<1>)
llvm.func internal @pointed_to(%p: !llvm.ptr) {
  llvm.return
}
// The linker may use another definition.
// CHECK-LABEL: llvm.func weak @replaceable(%p: !llvm.ptr)
// CHECK-NOT:   @replaceable__msp
// CHECK-LABEL: llvm.func @nowhere(!llvm.ptr)
llvm.func weak @replaceable(%p: !llvm.ptr) {
  llvm.return
}
llvm.func @nowhere(!llvm.ptr)

// The returned pointer.
// CHECK-LABEL: llvm.func internal @returns(%n: i64) -> !llvm.ptr<3>
// CHECK:         %[[S:.*]] = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:    llvm.return %[[S]] : !llvm.ptr<3>
llvm.func internal @returns(%n: i64) -> !llvm.ptr {
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %q = llvm.getelementptr %g[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.return %q : !llvm.ptr
}

// Null is also global memory's null, but not that of shared memory.
// CHECK-LABEL: llvm.func internal @optional_global(%p: !llvm.ptr<1>)
// CHECK-LABEL: llvm.func internal @optional_shared(%p: !llvm.ptr)
llvm.func internal @optional_global(%p: !llvm.ptr) {
  llvm.return
}
llvm.func internal @optional_shared(%p: !llvm.ptr) {
  llvm.return
}

// CHECK-LABEL:  llvm.func @kernel(%p: !llvm.ptr, %n: i64)
// CHECK:          %[[A:.*]] = llvm.addrspacecast %g : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:     llvm.call @agreed(%[[A]], %{{.*}}) : (!llvm.ptr<3> {llvm.noundef}, i32) -> f32
// CLONED:         llvm.call @walk(%{{.*}}) : (!llvm.ptr<1>) -> ()
// CLONED:         llvm.call @walk__msp_3(%{{.*}}) : (!llvm.ptr<3>) -> ()
// CLONED:         llvm.call @visible__msp_1
// CLONED:         llvm.call @pointed_to__msp_1
// CHECK:          llvm.call @replaceable(%p) : (!llvm.ptr) -> ()
// CHECK:          llvm.call @nowhere(%p) : (!llvm.ptr) -> ()
// CHECK:          %[[R:.*]] = llvm.call @returns(%n) : (i64) -> !llvm.ptr<3>
// CHECK-NEXT:     llvm.addrspacecast %[[R]] : !llvm.ptr<3> to !llvm.ptr
// RESOLVED-LABEL: llvm.func @kernel(
// RESOLVED:         %[[R:.*]] = llvm.call @returns(%n) : (i64) -> !llvm.ptr<3>
// RESOLVED:         llvm.load %[[R]] : !llvm.ptr<3> -> f32
llvm.func @kernel(%p: !llvm.ptr, %n: i64) attributes {nvvm.kernel} {
  %null = llvm.mlir.zero : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %f = llvm.mlir.addressof @pointed_to : !llvm.ptr
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %a = llvm.call @agreed(%g, %one) : (!llvm.ptr {llvm.nonnull, llvm.noundef}, i32) -> f32
  llvm.call @by_value(%p) : (!llvm.ptr {llvm.byval = i32}) -> ()
  llvm.call @recursive(%p, %one) : (!llvm.ptr, i32) -> ()
  llvm.call @even(%p) : (!llvm.ptr) -> ()
  %b = llvm.call @outer(%p) : (!llvm.ptr) -> f32
  %c = llvm.call @outer(%g) : (!llvm.ptr) -> f32
  llvm.call @walk(%p) : (!llvm.ptr) -> ()
  llvm.call @walk(%g) : (!llvm.ptr) -> ()
  llvm.call @visible(%p) : (!llvm.ptr) -> ()
  llvm.call @pointed_to(%p) : (!llvm.ptr) -> ()
  llvm.call @replaceable(%p) : (!llvm.ptr) -> ()
  llvm.call @nowhere(%p) : (!llvm.ptr) -> ()
  %r = llvm.call @returns(%n) : (i64) -> !llvm.ptr
  %x = llvm.load %r : !llvm.ptr -> f32
  llvm.call @optional_global(%p) : (!llvm.ptr) -> ()
  llvm.call @optional_global(%null) : (!llvm.ptr) -> ()
  llvm.call @optional_shared(%g) : (!llvm.ptr) -> ()
  llvm.call @optional_shared(%null) : (!llvm.ptr) -> ()
  llvm.store %f, %p : !llvm.ptr, !llvm.ptr
  llvm.return
}
