llvm.func internal @__nvvm_xdsl_u128_to_f32(%arg0: i128) -> f32 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(23 : i32) : i32
  %6 = llvm.mlir.constant(1602224128 : i32) : i32
  %7 = llvm.icmp "eq" %arg0, %0 : i128
  llvm.cond_br %7, ^bb2(%1 : f32), ^bb1
^bb1:
  %8 = llvm.lshr %arg0, %2 : i128
  %9 = llvm.icmp "eq" %8, %0 : i128
  %10 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %11 = "llvm.intr.ctlz"(%10) <{is_zero_poison = true}> : (i64) -> i64
  %12 = llvm.trunc %11 overflow<nsw, nuw> : i64 to i32
  %13 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %14 = "llvm.intr.ctlz"(%13) <{is_zero_poison = true}> : (i64) -> i64
  %15 = llvm.trunc %14 overflow<nsw, nuw> : i64 to i32
  %16 = llvm.or disjoint %15, %3 : i32
  %17 = llvm.select %9, %16, %12 : i1, i32
  %18 = llvm.zext nneg %17 : i32 to i128
  %19 = llvm.shl %arg0, %18 : i128
  %20 = llvm.lshr %19, %2 : i128
  %21 = llvm.trunc %20 overflow<nuw> : i128 to i64
  %22 = llvm.trunc %19 : i128 to i64
  %23 = llvm.icmp "ne" %22, %4 : i64
  %24 = llvm.zext %23 : i1 to i64
  %25 = llvm.or %24, %21 : i64
  %26 = llvm.shl %17, %5 overflow<nsw, nuw> : i32
  %27 = llvm.sub %6, %26 overflow<nsw, nuw> : i32
  %28 = llvm.bitcast %27 : i32 to f32
  %29 = llvm.uitofp %25 : i64 to f32
  %30 = llvm.fmul %28, %29 : f32
  llvm.br ^bb2(%30 : f32)
^bb2(%31: f32):
  llvm.return %31 : f32
}
