// RUN: nvvm-opt %s -p 'printf-lowering' | filecheck %s
// RUN: xdsl-opt %s -p 'printf-lowering' | filecheck %s

// CHECK: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NOT: llvm.func @printf
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global private constant @format("%f %d %p %c\00") {addr_space = 0 : i32}
llvm.mlir.global private constant @plain("done\0A\00") {addr_space = 4 : i32}

// Promoted as in C, each at a multiple of its alignment, in one buffer for all calls.
// CHECK-LABEL: llvm.func @values
// CHECK:         %vprintfBuffer.local = llvm.alloca %{{.*}} x !llvm.array<28 x i8> {alignment = 8 : i64}
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[D:.*]] = llvm.fpext %x : f32 to f64
// CHECK:         %[[P:.*]] = llvm.addrspacecast %q : !llvm.ptr<1> to !llvm.ptr
// CHECK:         %[[C:.*]] = llvm.sext %c : i8 to i32
// CHECK:         llvm.store %[[D]], %vprintfBuffer.local {alignment = 8 : i64} : f64
// CHECK-NEXT:    %bufIndexed = llvm.getelementptr inbounds %vprintfBuffer.local[8]
// CHECK-NEXT:    llvm.store %i, %bufIndexed {alignment = 4 : i64} : i32
// CHECK-NEXT:    %bufIndexed_1 = llvm.getelementptr inbounds %vprintfBuffer.local[16]
// CHECK-NEXT:    llvm.store %[[P]], %bufIndexed_1 {alignment = 8 : i64} : !llvm.ptr
// CHECK-NEXT:    %bufIndexed_2 = llvm.getelementptr inbounds %vprintfBuffer.local[24]
// CHECK-NEXT:    llvm.store %[[C]], %bufIndexed_2 {alignment = 4 : i64} : i32
// CHECK:         %n = llvm.call @vprintf(%f, %vprintfBuffer.local) : (!llvm.ptr, !llvm.ptr) -> i32
// CHECK:         llvm.call @vprintf(%h, %vprintfBuffer.local)
// CHECK:         llvm.return %n
llvm.func @values(%x: f32, %i: i32, %q: !llvm.ptr<1>, %c: i8) -> i32 {
  %f = llvm.mlir.addressof @format : !llvm.ptr
  %n = llvm.call @printf(%f, %x, %i, %q, %c) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f32, i32, !llvm.ptr<1>, i8) -> i32
  %g = llvm.mlir.addressof @plain : !llvm.ptr<4>
  %h = llvm.addrspacecast %g : !llvm.ptr<4> to !llvm.ptr
  %m = llvm.call @printf(%h, %i) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  llvm.return %n : i32
}

// Without arguments there is no buffer; a part of a literal is accepted.
// CHECK-LABEL: llvm.func @text
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[N:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         llvm.call @vprintf(%p, %[[N]])
llvm.func @text() {
  %f = llvm.mlir.addressof @format : !llvm.ptr
  %p = llvm.getelementptr %f[9] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.call @printf(%p) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
  llvm.return
}
