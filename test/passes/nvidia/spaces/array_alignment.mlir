// RUN: nvvm-opt %s -p 'set-global-array-alignment,set-local-array-alignment' | filecheck %s --check-prefixes=CHECK,BOTH
// RUN: nvvm-opt %s -p 'set-global-array-alignment<skip-shared-mem;modify-global-mem>,set-local-array-alignment' | filecheck %s --check-prefixes=CHECK,GLOBAL
// RUN: nvvm-opt %s -p 'set-global-array-alignment<skip-global-mem;modify-shared-mem>' | filecheck %s --check-prefix=SHARED
// RUN: xdsl-opt %s -p 'set-global-array-alignment{skip-global-mem},set-local-array-alignment' | filecheck %s --check-prefix=SHARED

// RUN: nvvm-opt %s -p 'set-global-array-alignment<whole-program-visibility>,set-local-array-alignment' | filecheck %s --check-prefixes=BOTH,WHOLE
// RUN: nvvm-opt %s -p 'set-global-array-alignment<whole-program-visibility;skip-shared-mem>,set-local-array-alignment' | filecheck %s --check-prefixes=CHECK

// BOTH:   @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>
// SHARED: @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>
// GLOBAL: @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>
llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>

// BOTH:   @table(dense<1> {{.*}}) {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.array<6 x i32>
// GLOBAL: @table(dense<1> {{.*}}) {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.array<6 x i32>
// SHARED: @table(dense<1> {{.*}}) {addr_space = 1 : i32} : !llvm.array<6 x i32>
llvm.mlir.global external @table(dense<1> : tensor<6xi32>) {addr_space = 1 : i32} : !llvm.array<6 x i32>

// Larger alignments, a scalar, variables that others define or replace, constants, variables with a section.
// CHECK: @more() {addr_space = 3 : i32, alignment = 128 : i64}
// CHECK: @scalar(0 : i64) {addr_space = 1 : i32} : i64
// CHECK: @declared() {addr_space = 1 : i32} : !llvm.array<8 x i32>
// CHECK: @dynamic() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<0 x i32>
// CHECK: @weak(dense<1> : {{.*}}) {addr_space = 1 : i32} : !llvm.array<4 x i32>
// CHECK: @constants(dense<1> : {{.*}}) {addr_space = 4 : i32} : !llvm.array<4 x i32>
// CHECK: @placed(dense<1> : {{.*}}) {addr_space = 1 : i32, section = "s"} : !llvm.array<4 x i32>
// A whole program has the only declaration of dynamic shared memory. Arrays with a size are others.
// WHOLE: @declared() {addr_space = 1 : i32} : !llvm.array<8 x i32>
// WHOLE: @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i32>
// WHOLE: @sized() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<8 x i32>
// WHOLE: @empty() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<0 x i32>
// WHOLE: @elsewhere() {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<0 x i32>
llvm.mlir.global internal @more() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
llvm.mlir.global external @scalar(0 : i64) {addr_space = 1 : i32} : i64
llvm.mlir.global external @declared() {addr_space = 1 : i32} : !llvm.array<8 x i32>
llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<0 x i32>
llvm.mlir.global external @sized() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<8 x i32>
llvm.mlir.global weak @empty() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<0 x i32>
llvm.mlir.global external @elsewhere() {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<0 x i32>
llvm.mlir.global weak @weak(dense<1> : tensor<4xi32>) {addr_space = 1 : i32} : !llvm.array<4 x i32>
llvm.mlir.global internal constant @constants(dense<1> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
llvm.mlir.global internal @placed(dense<1> : tensor<4xi32>) {addr_space = 1 : i32, section = "s"} : !llvm.array<4 x i32>

// CHECK-LABEL: llvm.func @locals
// CHECK:         %a = llvm.alloca %one x !llvm.array<8 x f32> {alignment = 16 : i64}
// CHECK:         %b = llvm.alloca %one x !llvm.struct<(i32, i32)> {alignment = 8 : i64}
// CHECK:         %c = llvm.alloca %six x i8 {alignment = 2 : i64}
// CHECK:         %d = llvm.alloca %one x i32 : (i32)
// CHECK:         %e = llvm.alloca %one x !llvm.array<2 x i8> {alignment = 32 : i64}
// CHECK:         %f = llvm.alloca %n x i32 : (i32)
llvm.func @locals(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %six = llvm.mlir.constant(6 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>
  %b = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
  %c = llvm.alloca %six x i8 : (i32) -> !llvm.ptr
  %d = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %e = llvm.alloca %one x !llvm.array<2 x i8> {alignment = 32 : i64} : (i32) -> !llvm.ptr
  %f = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  llvm.return
}

llvm.func @take(!llvm.ptr {llvm.byval = !llvm.array<2 x i32>, llvm.align = 4 : i64})

// A copy of memory of lower alignment, and by-value arguments, do not get a higher alignment.
// CHECK-LABEL: llvm.func @copies
// CHECK:         %a = llvm.alloca %one x !llvm.array<2 x i32> : (i32)
// CHECK:         %b = llvm.alloca %one x !llvm.array<2 x i32> : (i32)
// CHECK:         %c = llvm.alloca %one x !llvm.array<4 x i32> {alignment = 16 : i64}
// CHECK:         %d = llvm.alloca %one x !llvm.array<4 x i32> {alignment = 8 : i64}
llvm.func @copies(%p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(8 : i64) : i64
  %a = llvm.alloca %one x !llvm.array<2 x i32> : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x !llvm.array<2 x i32> : (i32) -> !llvm.ptr
  %c = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %d = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr<5>
  %d0 = llvm.addrspacecast %d : !llvm.ptr<5> to !llvm.ptr
  "llvm.intr.memcpy"(%a, %p, %n) <{arg_attrs = [{llvm.align = 4 : i64}, {llvm.align = 4 : i64}, {}, {}], isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.call @take(%b) : (!llvm.ptr {llvm.byval = !llvm.array<2 x i32>, llvm.align = 4 : i64}) -> ()
  "llvm.intr.memcpy"(%p, %c, %n) <{arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 4 : i64}, {}, {}], isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%p, %d0, %n) <{arg_attrs = [{llvm.align = 8 : i64}, {llvm.align = 4 : i64}, {}, {}], isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}
