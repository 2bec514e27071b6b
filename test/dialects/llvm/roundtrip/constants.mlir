llvm.func @f() {
  %0 = llvm.mlir.constant(42 : i32) : i32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(-1 : i8) : i8
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(true) : i1
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(1.500000e+00 : f32) : f32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(0x7FC00001 : f32) : f32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(0x7F800001 : f32) : f32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(0xFF800000 : f32) : f32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(0x7FF8000000000123 : f64) : f64
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(0x7E01 : f16) : f16
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(0x7FC1 : bf16) : bf16
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(-0.000000e+00 : f64) : f64
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(3.1415926535897931 : f64) : f64
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi32>) : vector<4xi32>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(dense<1.000000e+00> : vector<2xf16>) : vector<2xf16>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(dense<[0x7FC00000, 1.000000e+00]> : vector<2xf32>) : vector<2xf32>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant("text\00") : !llvm.array<5 x i8>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant([1 : i32, 2.000000e+00 : f32]) : !llvm.struct<(i32, f32)>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(1 : i32) {keep} : i32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.zero : !llvm.struct<packed (i8, i32)>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.zero : vector<4xi32>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.undef : !llvm.struct<"s", (i32, ptr<3>)>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.poison : f32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.mlir.none : !llvm.token
  llvm.return
}

// -----

llvm.mlir.global internal constant @wide(dense<[1, -2]> : tensor<2xi128>) {addr_space = 4 : i32} : !llvm.array<2 x i128>

// -----

llvm.mlir.global internal constant @odd(dense<[1, -2, 3]> : tensor<3xi24>) {addr_space = 0 : i32} : !llvm.array<3 x i24>

// -----

llvm.func @f() {
  %0 = llvm.mlir.constant(dense<[1, -170141183460469231731687303715884105728]> : vector<2xi128>) : vector<2xi128>
  %1 = llvm.mlir.constant(dense<-5> : vector<2xi65>) : vector<2xi65>
  %2 = llvm.mlir.constant(dense<[1.500000e+00, -2.000000e+00]> : vector<2xf80>) : vector<2xf80>
  %3 = llvm.mlir.constant(dense<[1.500000e+00, -2.000000e+00]> : vector<2xf128>) : vector<2xf128>
  llvm.return
}
