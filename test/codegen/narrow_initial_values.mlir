// RUN: nvvm-cc %s -o - | filecheck %s

// Elements of an array are at multiples of their allocated size: 4 bytes for i24, 8 for i40, 4 for a vector
// of three i8.
// CHECK: .b8 words[12] = {1, 0, 0, 0, 254, 255, 255, 0, 3};
// CHECK: .b8 rows[16] = {1, 0, 0, 0, 254, 255, 255, 0, 3, 0, 0, 0, 4};
// CHECK: .b8 bits[3] = {1, 6, 3};
// CHECK: .b8 same[16] = {254, 255, 255, 255, 255, 0, 0, 0, 254, 255, 255, 255, 255};
// CHECK: .b8 vectors[8] = {1, 254, 3, 0, 4, 5, 6};
llvm.mlir.global external @words(dense<[1, -2, 3]> : tensor<3xi24>) {addr_space = 1 : i32} : !llvm.array<3 x i24>
llvm.mlir.global external @rows(dense<[[1, -2], [3, 4]]> : tensor<2x2xi24>) {addr_space = 1 : i32} : !llvm.array<2 x array<2 x i24>>
llvm.mlir.global external @bits(dense<[1, -2, 3]> : tensor<3xi3>) {addr_space = 1 : i32} : !llvm.array<3 x i3>
llvm.mlir.global external @same(dense<-2> : tensor<2xi40>) {addr_space = 1 : i32} : !llvm.array<2 x i40>
llvm.mlir.global external @vectors(dense<[[1, -2, 3], [4, 5, 6]]> : tensor<2x3xi8>) {addr_space = 1 : i32} : !llvm.array<2 x vector<3xi8>>

// Casts of constants extend with zeros and truncate.
// CHECK: .b8 extended[8] = {255};
// CHECK: .b8 cut[8] = {44};
// CHECK: .b64 address = 4294967295;
// CHECK: .b8 narrow[2] = {255, 15};
llvm.mlir.global external @extended() {addr_space = 1 : i32} : i64 {
  %0 = llvm.mlir.constant(-1 : i8) : i8
  %1 = llvm.zext %0 : i8 to i64
  llvm.return %1 : i64
}
llvm.mlir.global external @cut() {addr_space = 1 : i32} : i64 {
  %0 = llvm.mlir.constant(300 : i64) : i64
  %1 = llvm.trunc %0 : i64 to i8
  %2 = llvm.zext %1 : i8 to i64
  llvm.return %2 : i64
}
llvm.mlir.global external @address() {addr_space = 1 : i32} : !llvm.ptr {
  %0 = llvm.mlir.constant(-1 : i32) : i32
  %1 = llvm.inttoptr %0 : i32 to !llvm.ptr
  llvm.return %1 : !llvm.ptr
}
llvm.mlir.global external @narrow() {addr_space = 1 : i32} : i12 {
  %0 = llvm.mlir.constant(-1 : i12) : i12
  %1 = llvm.mlir.constant(4096 : i64) : i64
  %2 = llvm.trunc %1 : i64 to i12
  %3 = llvm.add %0, %2 : i12
  llvm.return %3 : i12
}

// An index is unsigned.
// CHECK: .b8 placed[4] = {0, 0, 7};
llvm.mlir.global external @placed() {addr_space = 1 : i32} : vector<4xi8> {
  %0 = llvm.mlir.zero : vector<4xi8>
  %1 = llvm.mlir.constant(7 : i8) : i8
  %2 = llvm.mlir.constant(-2 : i2) : i2
  %3 = llvm.insertelement %1, %0[%2 : i2] : vector<4xi8>
  llvm.return %3 : vector<4xi8>
}
