llvm.func internal @__nvvm_xdsl_f64_to_s128(%arg0: f64) -> i128 {
  %0 = llvm.mlir.constant(52 : i64) : i64
  %1 = llvm.mlir.constant(2047 : i32) : i32
  %2 = llvm.mlir.constant(-1075 : i32) : i32
  %3 = llvm.mlir.constant(4503599627370495 : i64) : i64
  %4 = llvm.mlir.constant(4503599627370496 : i64) : i64
  %5 = llvm.mlir.constant(1022 : i32) : i32
  %6 = llvm.mlir.constant(0 : i128) : i128
  %7 = llvm.mlir.constant(1075 : i32) : i32
  %8 = llvm.mlir.constant(1150 : i32) : i32
  %9 = llvm.mlir.constant(0.000000e+00 : f64) : f64
  %10 = llvm.bitcast %arg0 : f64 to i64
  %11 = llvm.lshr %10, %0 : i64
  %12 = llvm.trunc %11 overflow<nsw, nuw> : i64 to i32
  %13 = llvm.and %12, %1 : i32
  %14 = llvm.add %13, %2 overflow<nsw> : i32
  %15 = llvm.and %10, %3 : i64
  %16 = llvm.or disjoint %15, %4 : i64
  %17 = llvm.icmp "ult" %13, %5 : i32
  llvm.cond_br %17, ^bb5(%6 : i128), ^bb1
^bb1:
  %18 = llvm.icmp "ult" %13, %7 : i32
  llvm.cond_br %18, ^bb2, ^bb3
^bb2:
  %19 = llvm.sub %7, %13 overflow<nsw, nuw> : i32
  %20 = llvm.zext nneg %19 : i32 to i64
  %21 = llvm.lshr %16, %20 : i64
  %22 = llvm.zext nneg %21 : i64 to i128
  llvm.br ^bb5(%22 : i128)
^bb3:
  %23 = llvm.icmp "ugt" %13, %8 : i32
  llvm.cond_br %23, ^bb5(%6 : i128), ^bb4
^bb4:
  %24 = llvm.zext nneg %16 : i64 to i128
  %25 = llvm.zext nneg %14 : i32 to i128
  %26 = llvm.shl %24, %25 overflow<nuw> : i128
  llvm.br ^bb5(%26 : i128)
^bb5(%27: i128):
  %28 = llvm.fcmp "olt" %arg0, %9 : f64
  %29 = llvm.sub %6, %27 : i128
  %30 = llvm.select %28, %29, %27 : i1, i128
  llvm.return %30 : i128
}
