llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.add %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.add %arg0, %arg1 overflow<nsw, nuw> : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>, %arg1: vector<4xi32>) {
  %0 = llvm.sub %arg0, %arg1 overflow<nuw> : vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%arg0: i64, %arg1: i64) {
  %0 = llvm.mul %arg0, %arg1 overflow<nsw> : i64
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.udiv exact %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.sdiv %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.urem %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.srem %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.and %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.or disjoint %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.xor %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.shl %arg0, %arg1 overflow<nuw> : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.lshr exact %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.ashr %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.add %arg0, %arg1 {tag = "x"} : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.fadd %arg0, %arg1 : f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.fadd %arg0, %arg1 {fastmathFlags = #llvm.fastmath<fast>} : f32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>, %arg1: vector<4xf32>) {
  %0 = llvm.fmul %arg0, %arg1 {fastmathFlags = #llvm.fastmath<contract, reassoc>} : vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: f16) {
  %0 = llvm.fsub %arg0, %arg0 : f16
  llvm.return
}

// -----

llvm.func @f(%arg0: f64) {
  %0 = llvm.fdiv %arg0, %arg0 : f64
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.frem %arg0, %arg1 : f32
  llvm.return
}

// -----

llvm.func @f(%arg0: bf16) {
  %0 = llvm.fneg %arg0 : bf16
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.icmp "slt" %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>, %arg1: vector<4xi32>) {
  %0 = llvm.icmp "uge" %arg0, %arg1 : vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.icmp "eq" %arg0, %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.fcmp "oeq" %arg0, %arg1 : f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.fcmp "_true" %arg0, %arg1 {fastmathFlags = #llvm.fastmath<nnan>} : f32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>, %arg1: vector<4xf32>) {
  %0 = llvm.fcmp "uno" %arg0, %arg1 : vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: i1, %arg1: i32, %arg2: i32) {
  %0 = llvm.select %arg0, %arg1, %arg2 : i1, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi1>, %arg1: vector<4xf32>, %arg2: vector<4xf32>) {
  %0 = llvm.select %arg0, %arg1, %arg2 : vector<4xi1>, vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: i1, %arg1: f32, %arg2: f32) {
  %0 = llvm.select %arg0, %arg1, %arg2 {fastmathFlags = #llvm.fastmath<nnan>} : i1, f32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.freeze %arg0 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  %0 = llvm.trunc %arg0 : i64 to i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  %0 = llvm.trunc %arg0 overflow<nsw, nuw> : i64 to i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.zext %arg0 : i32 to i64
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.zext nneg %arg0 : i32 to i64
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>) {
  %0 = llvm.sext %arg0 : vector<4xi32> to vector<4xi64>
  llvm.return
}

// -----

llvm.func @f(%arg0: f64) {
  %0 = llvm.fptrunc %arg0 : f64 to f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f16) {
  %0 = llvm.fpext %arg0 : f16 to f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.fptosi %arg0 : f32 to i32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xf32>) {
  %0 = llvm.fptoui %arg0 : vector<4xf32> to vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.sitofp %arg0 : i32 to f32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.uitofp %arg0 : i32 to f32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.uitofp nneg %arg0 : i32 to f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.bitcast %arg0 : f32 to i32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi8>) {
  %0 = llvm.bitcast %arg0 : vector<4xi8> to i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>) {
  %0 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<2x!llvm.ptr>) {
  %0 = llvm.addrspacecast %arg0 : vector<2x!llvm.ptr> to vector<2x!llvm.ptr<1>>
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  %0 = llvm.inttoptr %arg0 : i64 to !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  %0 = llvm.inttoptr %arg0 dereferenceable<bytes = 8> : i64 to !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.ptrtoint %arg0 : !llvm.ptr to i64
  llvm.return
}
