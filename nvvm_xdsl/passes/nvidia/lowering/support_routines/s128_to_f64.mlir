llvm.func internal @__nvvm_xdsl_s128_to_f64(%arg0: i128) -> f64 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(0.000000e+00 : f64) : f64
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(1087 : i32) : i32
  %6 = llvm.mlir.constant(52 : i64) : i64
  %7 = llvm.icmp "eq" %arg0, %0 : i128
  llvm.cond_br %7, ^bb2(%1 : f64), ^bb1
^bb1:
  %8 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %9 = llvm.lshr %8, %2 : i128
  %10 = llvm.icmp "eq" %9, %0 : i128
  %11 = llvm.trunc %9 overflow<nuw> : i128 to i64
  %12 = "llvm.intr.ctlz"(%11) <{is_zero_poison = true}> : (i64) -> i64
  %13 = llvm.trunc %12 overflow<nsw, nuw> : i64 to i32
  %14 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %15 = "llvm.intr.ctlz"(%14) <{is_zero_poison = true}> : (i64) -> i64
  %16 = llvm.trunc %15 overflow<nsw, nuw> : i64 to i32
  %17 = llvm.or disjoint %16, %3 : i32
  %18 = llvm.select %10, %17, %13 : i1, i32
  %19 = llvm.zext nneg %18 : i32 to i128
  %20 = llvm.shl %8, %19 : i128
  %21 = llvm.lshr %20, %2 : i128
  %22 = llvm.trunc %21 overflow<nuw> : i128 to i64
  %23 = llvm.trunc %20 : i128 to i64
  %24 = llvm.icmp "ne" %23, %4 : i64
  %25 = llvm.zext %24 : i1 to i64
  %26 = llvm.or %25, %22 : i64
  %27 = llvm.sub %5, %18 overflow<nsw, nuw> : i32
  %28 = llvm.zext nneg %27 : i32 to i64
  %29 = llvm.shl %28, %6 overflow<nsw, nuw> : i64
  %30 = llvm.bitcast %29 : i64 to f64
  %31 = llvm.uitofp %26 : i64 to f64
  %32 = llvm.fmul %30, %31 : f64
  llvm.br ^bb2(%32 : f64)
^bb2(%33: f64):
  %34 = llvm.icmp "slt" %arg0, %0 : i128
  %35 = llvm.fneg %33 : f64
  %36 = llvm.select %34, %35, %33 : i1, f64
  llvm.return %36 : f64
}
