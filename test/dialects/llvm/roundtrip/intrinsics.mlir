llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.sqrt(%arg0) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.exp2(%arg0) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.intr.fma(%arg0, %arg1, %arg0) : (f32, f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f64) {
  %0 = llvm.intr.fmuladd(%arg0, %arg0, %arg0) : (f64, f64, f64) -> f64
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.intr.pow(%arg0, %arg1) : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: i32) {
  %0 = llvm.intr.powi(%arg0, %arg1) : (f32, i32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: i32) {
  %0 = llvm.intr.ldexp(%arg0, %arg1) : (f32, i32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.frexp(%arg0) : (f32) -> !llvm.struct<(f32, i32)>
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.fabs(%arg0) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.intr.copysign(%arg0, %arg1) : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.intr.minnum(%arg0, %arg1) : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.intr.maximum(%arg0, %arg1) : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.rint(%arg0) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.roundeven(%arg0) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.lrint(%arg0) : (f32) -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = llvm.intr.tanh(%arg0) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = "llvm.intr.is.fpclass"(%arg0) <{bit = 3 : i32}> : (f32) -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = "llvm.intr.ctlz"(%arg0) <{is_zero_poison = true}> : (i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  %0 = "llvm.intr.cttz"(%arg0) <{is_zero_poison = false}> : (i64) -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.intr.ctpop(%arg0) : (i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.intr.bswap(%arg0) : (i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  %0 = llvm.intr.bitreverse(%arg0) : (i64) -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.intr.fshl(%arg0, %arg1, %arg0) : (i32, i32, i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.intr.smax(%arg0, %arg1) : (i32, i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>, %arg1: vector<4xi32>) {
  %0 = llvm.intr.umin(%arg0, %arg1) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.intr.scmp(%arg0, %arg1) : (i32, i32) -> i8
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.intr.sadd.sat(%arg0, %arg1) : (i32, i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = "llvm.intr.uadd.with.overflow"(%arg0, %arg1) : (i32, i32) -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @f(%arg0: vector<4xi32>, %arg1: vector<4xi32>) {
  %0 = "llvm.intr.smul.with.overflow"(%arg0, %arg1) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.intr.expect %arg0, %arg1 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  %0 = llvm.intr.expect.with.probability %arg0, %arg1, 9.000000e-01 : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr<1>, %arg2: i64) {
  "llvm.intr.memcpy"(%arg0, %arg1, %arg2) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr<1>, %arg2: i64) {
  "llvm.intr.memcpy"(%arg0, %arg1, %arg2) <{arg_attrs = [{llvm.align = 4 : i64}, {llvm.align = 8 : i64}, {}], isVolatile = true}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr<1>) {
  "llvm.intr.memcpy.inline"(%arg0, %arg1) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr<1>) -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  "llvm.intr.memmove"(%arg0, %arg0, %arg1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i8, %arg2: i64) {
  "llvm.intr.memset"(%arg0, %arg1, %arg2) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  llvm.intr.lifetime.start %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<5>) {
  llvm.intr.lifetime.end %arg0 : !llvm.ptr<5>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.intr.invariant.start 4, %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: i1) {
  llvm.intr.assume %arg0 : i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i1, %arg1: !llvm.ptr, %arg2: i64) {
  llvm.intr.assume %arg0 ["align"(%arg1, %arg2 : !llvm.ptr, i64), "nonnull"(%arg1 : !llvm.ptr)] : i1
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  "llvm.intr.prefetch"(%arg0) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f() {
  llvm.intr.trap
  llvm.return
}

// -----

llvm.func @f() {
  llvm.intr.debugtrap
  llvm.return
}

// -----

llvm.func @f() {
  llvm.intr.ubsantrap <{failureKind = 1 : i8}>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = "llvm.intr.is.constant"(%arg0) : (i32) -> i1
  llvm.return
}

// -----

llvm.func @f() {
  %0 = llvm.intr.stacksave : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  llvm.intr.stackrestore %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
  %0 = llvm.intr.ptrmask %arg0, %arg1 : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = "llvm.intr.threadlocal.address"(%arg0) : (!llvm.ptr) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @f() {
  llvm.intr.experimental.noalias.scope.decl <id = distinct[0]<>, domain = <id = distinct[1]<>>>
  llvm.return
}

// -----

llvm.func @f(%arg0: f64) {
  %0 = llvm.intr.experimental.constrained.fptrunc %arg0 towardzero ignore : f64 to f32
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: f32) {
  %0 = llvm.call_intrinsic "llvm.nvvm.fma.rn.f"(%arg0, %arg1, %arg0) : (f32, f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"(%arg0) : (i32) -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>) {
  %0 = llvm.mlir.constant(128 : i32) : i32
  %1 = llvm.call_intrinsic "llvm.nvvm.ldu.global.i.i32.p1"(%arg0, %0) : (!llvm.ptr<1> {llvm.align = 4 : i64}, i32) -> (i32 {llvm.noundef})
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  llvm.intr.vastart %arg0 : !llvm.ptr
  llvm.return
}
