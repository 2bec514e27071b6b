llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.shfl.sync  bfly %arg0, %arg1, %arg0, %arg1 : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: f32, %arg2: i32) {
  %0 = nvvm.shfl.sync  up %arg0, %arg1, %arg0, %arg2 : f32 -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.shfl.sync  down %arg0, %arg1, %arg0, %arg1 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: f32, %arg2: i32) {
  %0 = nvvm.shfl.sync  idx %arg0, %arg1, %arg0, %arg2 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i1) {
  %0 = nvvm.vote.sync  any %arg0, %arg1 -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i1) {
  %0 = nvvm.vote.sync  all %arg0, %arg1 -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i1) {
  %0 = nvvm.vote.sync  uni %arg0, %arg1 -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i1) {
  %0 = nvvm.vote.sync  ballot %arg0, %arg1 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.match.sync  any %arg0, %arg1 : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i64) {
  %0 = nvvm.match.sync  any %arg0, %arg1 : i64 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i64) {
  %0 = nvvm.match.sync  all %arg0, %arg1 : i64 -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.redux.sync  add %arg0, %arg1 : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.redux.sync  umax %arg0, %arg1 : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.redux.sync  xor %arg0, %arg1 : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: i32) {
  %0 = nvvm.redux.sync  fmin %arg0, %arg1 {abs = true, nan = true} : f32 -> f32
  llvm.return
}

// -----

llvm.func @f() {
  %0 = nvvm.elect.sync -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = nvvm.elect.sync %arg0 -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.prmt <default> %arg0, %arg1, %arg0 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.prmt <f4e> %arg0, %arg1, %arg0 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = nvvm.prmt <rc8> %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = nvvm.rcp.approx.ftz.f %arg0 : f32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi8>, %arg1: i32) {
  %0 = nvvm.dot.accumulate.4way %arg0 <signed>, %arg0 <unsigned>, %arg1 : vector<4xi8>, vector<4xi8>
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<2xi16>, %arg1: vector<4xi8>, %arg2: i32) {
  %0 = nvvm.dot.accumulate.2way %arg0 <signed>, %arg1 <unsigned>, %arg2 {b_hi = true} : vector<2xi16>, vector<4xi8>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = nvvm.mapa %arg0, %arg1 : !llvm.ptr -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  %0 = nvvm.mapa %arg0, %arg1 : !llvm.ptr<3> -> !llvm.ptr<7>
  llvm.return
}
