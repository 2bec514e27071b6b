llvm.func internal @__nvvm_xdsl_f64_to_u128(%arg0: f64) -> i128 {
  %0 = llvm.mlir.constant(52 : i64) : i64
  %1 = llvm.mlir.constant(2047 : i32) : i32
  %2 = llvm.mlir.constant(-1075 : i32) : i32
  %3 = llvm.mlir.constant(4503599627370495 : i64) : i64
  %4 = llvm.mlir.constant(4503599627370496 : i64) : i64
  %5 = llvm.mlir.constant(1022 : i32) : i32
  %6 = llvm.mlir.constant(0 : i128) : i128
  %7 = llvm.mlir.constant(1075 : i32) : i32
  %8 = llvm.mlir.constant(1150 : i32) : i32
  %9 = llvm.bitcast %arg0 : f64 to i64
  %10 = llvm.lshr %9, %0 : i64
  %11 = llvm.trunc %10 overflow<nsw, nuw> : i64 to i32
  %12 = llvm.and %11, %1 : i32
  %13 = llvm.add %12, %2 overflow<nsw> : i32
  %14 = llvm.and %9, %3 : i64
  %15 = llvm.or disjoint %14, %4 : i64
  %16 = llvm.icmp "ult" %12, %5 : i32
  llvm.cond_br %16, ^bb5(%6 : i128), ^bb1
^bb1:
  %17 = llvm.icmp "ult" %12, %7 : i32
  llvm.cond_br %17, ^bb2, ^bb3
^bb2:
  %18 = llvm.sub %7, %12 overflow<nsw, nuw> : i32
  %19 = llvm.zext nneg %18 : i32 to i64
  %20 = llvm.lshr %15, %19 : i64
  %21 = llvm.zext nneg %20 : i64 to i128
  llvm.br ^bb5(%21 : i128)
^bb3:
  %22 = llvm.icmp "ugt" %12, %8 : i32
  llvm.cond_br %22, ^bb5(%6 : i128), ^bb4
^bb4:
  %23 = llvm.zext nneg %15 : i64 to i128
  %24 = llvm.zext nneg %13 : i32 to i128
  %25 = llvm.shl %23, %24 overflow<nuw> : i128
  llvm.br ^bb5(%25 : i128)
^bb5(%26: i128):
  llvm.return %26 : i128
}
