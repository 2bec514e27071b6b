llvm.func internal @__nvvm_xdsl_f64_to_f128(%arg0: f64) -> i128 {
  %0 = llvm.mlir.constant(63 : i64) : i64
  %1 = llvm.mlir.constant(127 : i128) : i128
  %2 = llvm.mlir.constant(4503599627370495 : i64) : i64
  %3 = llvm.mlir.constant(52 : i64) : i64
  %4 = llvm.mlir.constant(2047 : i32) : i32
  %5 = llvm.mlir.constant(0 : i64) : i64
  %6 = llvm.mlir.constant(4294967285 : i64) : i64
  %7 = llvm.mlir.constant(4294967295 : i64) : i64
  %8 = llvm.mlir.constant(12 : i32) : i32
  %9 = llvm.mlir.constant(60 : i128) : i128
  %10 = llvm.mlir.constant(0 : i128) : i128
  %11 = llvm.mlir.constant(2596148429267413814265248164610048 : i128) : i128
  %12 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %13 = llvm.mlir.constant(15360 : i32) : i32
  %14 = llvm.mlir.constant(112 : i128) : i128
  %15 = llvm.bitcast %arg0 : f64 to i64
  %16 = llvm.lshr %15, %0 : i64
  %17 = llvm.zext nneg %16 : i64 to i128
  %18 = llvm.shl %17, %1 overflow<nuw> : i128
  %19 = llvm.and %15, %2 : i64
  %20 = llvm.lshr %15, %3 : i64
  %21 = llvm.trunc %20 overflow<nsw, nuw> : i64 to i32
  %22 = llvm.and %21, %4 : i32
  llvm.switch %22 : i32, ^bb4(%19, %22 : i64, i32) [
    2047: ^bb1,
    0: ^bb2
  ]
^bb1:
  %23 = llvm.zext %15 : i64 to i128
  %24 = llvm.shl %23, %9 overflow<nsw, nuw> : i128
  %25 = llvm.icmp "eq" %19, %5 : i64
  %26 = llvm.select %25, %10, %11 : i1, i128
  %27 = llvm.or %24, %26 : i128
  %28 = llvm.or disjoint %27, %18 : i128
  %29 = llvm.or %28, %12 : i128
  llvm.br ^bb5(%29 : i128)
^bb2:
  %30 = llvm.icmp "eq" %19, %5 : i64
  llvm.cond_br %30, ^bb5(%18 : i128), ^bb3
^bb3:
  %31 = "llvm.intr.ctlz"(%19) <{is_zero_poison = true}> : (i64) -> i64
  %32 = llvm.trunc %31 overflow<nsw, nuw> : i64 to i32
  %33 = llvm.add %31, %6 overflow<nsw, nuw> : i64
  %34 = llvm.and %33, %7 : i64
  %35 = llvm.shl %15, %34 : i64
  %36 = llvm.and %35, %2 : i64
  %37 = llvm.sub %8, %32 overflow<nsw> : i32
  llvm.br ^bb4(%36, %37 : i64, i32)
^bb4(%38: i64, %39: i32):
  %40 = llvm.add %39, %13 overflow<nsw> : i32
  %41 = llvm.zext nneg %40 : i32 to i128
  %42 = llvm.shl %41, %14 overflow<nsw, nuw> : i128
  %43 = llvm.zext nneg %38 : i64 to i128
  %44 = llvm.shl %43, %9 overflow<nsw, nuw> : i128
  %45 = llvm.or disjoint %42, %44 : i128
  %46 = llvm.or disjoint %45, %18 : i128
  llvm.br ^bb5(%46 : i128)
^bb5(%47: i128):
  llvm.return %47 : i128
}
