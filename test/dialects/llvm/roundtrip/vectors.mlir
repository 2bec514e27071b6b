llvm.func @f(%arg0: vector<4xf32>, %arg1: i32) {
  %0 = llvm.extractelement %arg0[%arg1 : i32] : vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: vector<4xf32>, %arg2: i64) {
  %0 = llvm.insertelement %arg0, %arg1[%arg2 : i64] : vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>, %arg1: vector<4xf32>) {
  %0 = llvm.shufflevector %arg0, %arg1 [0, 5, -1, 3] : vector<4xf32> 
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>, %arg1: vector<4xf32>) {
  %0 = llvm.shufflevector %arg0, %arg1 [0, 1] : vector<4xf32> 
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.struct<(i32, array<2 x f32>)>) {
  %0 = llvm.extractvalue %arg0[1, 0] : !llvm.struct<(i32, array<2 x f32>)> 
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: !llvm.struct<(i32, array<2 x f32>)>) {
  %0 = llvm.insertvalue %arg0, %arg1[1, 1] : !llvm.struct<(i32, array<2 x f32>)> 
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>) {
  %0 = llvm.intr.vector.extract %arg0[2] : vector<2xf32> from vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>) {
  %0 = "llvm.intr.vector.reduce.add"(%arg0) : (vector<4xi32>) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>) {
  %0 = llvm.intr.vector.reduce.fmaximum(%arg0) : (vector<4xf32>) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: vector<4xf32>) {
  %0 = "llvm.intr.vector.reduce.fadd"(%arg0, %arg1) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: vector<4xi1>, %arg2: vector<4xf32>) {
  %0 = llvm.intr.masked.load %arg0, %arg1, %arg2 {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>, %arg1: !llvm.ptr, %arg2: vector<4xi1>) {
  llvm.intr.masked.store %arg0, %arg1, %arg2 {alignment = 4 : i32} : vector<4xi32>, vector<4xi1> into !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4x!llvm.ptr>, %arg1: vector<4xi1>, %arg2: vector<4xf32>) {
  %0 = llvm.intr.masked.gather %arg0, %arg1, %arg2 {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>, %arg1: vector<4x!llvm.ptr>, %arg2: vector<4xi1>) {
  llvm.intr.masked.scatter %arg0, %arg1, %arg2 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>, %arg1: vector<4xi32>, %arg2: vector<4xi1>, %arg3: i32) {
  %0 = "llvm.intr.vp.add"(%arg0, %arg1, %arg2, %arg3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.intr.stepvector : vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.intr.get.active.lane.mask %arg0, %arg1 : i32, i32 to vector<4xi1>
  llvm.return
}
