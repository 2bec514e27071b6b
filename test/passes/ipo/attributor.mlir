// RUN: nvvm-opt %s -p 'attributor' | filecheck %s
// RUN: nvvm-opt %s -p 'attributor,function(propagate-alignment)' | filecheck %s --check-prefix=ACCESS

llvm.mlir.global internal @a() {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<8 x f32>
llvm.mlir.global internal @b() {addr_space = 1 : i32, alignment = 64 : i64} : !llvm.array<8 x f32>

// The least alignment, at most 32 bytes, and the union of all arguments, 7 and 0 to 31. The facts propagate to the callees
// of the function.
// CHECK: llvm.func internal @outer(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i32 {llvm.range = #llvm.constant_range<i32, 0, 32>}, %m: i32)
// CHECK: llvm.func internal @inner(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i32 {llvm.range = #llvm.constant_range<i32, 1, 33>})
// ACCESS: llvm.func internal @inner(
// ACCESS: llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> f32
llvm.func internal @outer(%p: !llvm.ptr<1>, %n: i32, %m: i32) attributes {no_inline} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %more = llvm.add %n, %one : i32
  llvm.call @inner(%p, %more) : (!llvm.ptr<1>, i32) -> ()
  llvm.return
}
llvm.func internal @inner(%p: !llvm.ptr<1>, %n: i32) attributes {no_inline} {
  %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  llvm.store %v, %p {alignment = 4 : i64} : f32, !llvm.ptr<1>
  llvm.return
}
// The callee passes on its own argument.
// CHECK: llvm.func internal @again(%p: !llvm.ptr<1> {llvm.align = 32 : i64}, %n: i32)
llvm.func internal @again(%p: !llvm.ptr<1>, %n: i32) attributes {no_inline} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %less = llvm.sub %n, %one : i32
  llvm.call @again(%p, %less) : (!llvm.ptr<1>, i32) -> ()
  llvm.return
}
// Other modules may call it, directly or by its address.
// CHECK: llvm.func @visible(%p: !llvm.ptr<1>)
llvm.func @visible(%p: !llvm.ptr<1>) {
  llvm.return
}
// CHECK: llvm.func internal @taken(%p: !llvm.ptr<1>)
llvm.func internal @taken(%p: !llvm.ptr<1>) {
  llvm.return
}
llvm.func @kernel(%q: !llvm.ptr<1>, %x: i32, %to: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.mlir.addressof @a : !llvm.ptr<1>
  %b = llvm.mlir.addressof @b : !llvm.ptr<1>
  %seven = llvm.mlir.constant(7 : i32) : i32
  %mask = llvm.mlir.constant(31 : i32) : i32
  %low = llvm.and %x, %mask : i32
  llvm.call @outer(%a, %low, %x) : (!llvm.ptr<1>, i32, i32) -> ()
  llvm.call @outer(%b, %seven, %low) : (!llvm.ptr<1>, i32, i32) -> ()
  llvm.call @again(%b, %seven) : (!llvm.ptr<1>, i32) -> ()
  llvm.call @visible(%a) : (!llvm.ptr<1>) -> ()
  llvm.call @taken(%a) : (!llvm.ptr<1>) -> ()
  %address = llvm.mlir.addressof @taken : !llvm.ptr
  llvm.store %address, %to : !llvm.ptr, !llvm.ptr<1>
  llvm.return
}
