llvm.func internal @__nvvm_xdsl_udiv128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(0 : i128) : i128
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(1 : i128) : i128
  %5 = llvm.mlir.constant(0 : i32) : i32
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = llvm.or %arg1, %arg0 : i128
  %8 = llvm.icmp "ult" %7, %0 : i128
  llvm.cond_br %8, ^bb1, ^bb2
^bb1:
  %9 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %10 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %11 = llvm.udiv %9, %10 : i64
  %12 = llvm.zext %11 : i64 to i128
  llvm.br ^bb8(%12 : i128)
^bb2:
  %13 = llvm.icmp "ugt" %arg1, %arg0 : i128
  llvm.cond_br %13, ^bb8(%1 : i128), ^bb3
^bb3:
  %14 = llvm.lshr %arg1, %2 : i128
  %15 = llvm.icmp "eq" %14, %1 : i128
  %16 = llvm.trunc %14 overflow<nuw> : i128 to i64
  %17 = "llvm.intr.ctlz"(%16) <{is_zero_poison = true}> : (i64) -> i64
  %18 = llvm.trunc %17 overflow<nsw, nuw> : i64 to i32
  %19 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %20 = "llvm.intr.ctlz"(%19) <{is_zero_poison = true}> : (i64) -> i64
  %21 = llvm.trunc %20 overflow<nsw, nuw> : i64 to i32
  %22 = llvm.or disjoint %21, %3 : i32
  %23 = llvm.select %15, %22, %18 : i1, i32
  %24 = llvm.lshr %arg0, %2 : i128
  %25 = llvm.icmp "eq" %24, %1 : i128
  %26 = llvm.trunc %24 overflow<nuw> : i128 to i64
  %27 = "llvm.intr.ctlz"(%26) <{is_zero_poison = true}> : (i64) -> i64
  %28 = llvm.trunc %27 overflow<nsw, nuw> : i64 to i32
  %29 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %30 = "llvm.intr.ctlz"(%29) <{is_zero_poison = true}> : (i64) -> i64
  %31 = llvm.trunc %30 overflow<nsw, nuw> : i64 to i32
  %32 = llvm.or disjoint %31, %3 : i32
  %33 = llvm.select %25, %32, %28 : i1, i32
  %34 = llvm.sub %23, %33 overflow<nsw> : i32
  %35 = llvm.zext nneg %34 : i32 to i128
  %36 = llvm.shl %arg1, %35 : i128
  llvm.br ^bb4(%36, %arg0, %34, %1 : i128, i128, i32, i128)
^bb4(%37: i128, %38: i128, %39: i32, %40: i128):
  %41 = llvm.shl %40, %4 : i128
  %42 = llvm.icmp "ult" %38, %37 : i128
  llvm.cond_br %42, ^bb6(%38, %41 : i128, i128), ^bb5
^bb5:
  %43 = llvm.sub %38, %37 overflow<nuw> : i128
  %44 = llvm.or disjoint %41, %4 : i128
  llvm.br ^bb6(%43, %44 : i128, i128)
^bb6(%45: i128, %46: i128):
  %47 = llvm.icmp "eq" %39, %5 : i32
  llvm.cond_br %47, ^bb8(%46 : i128), ^bb7
^bb7:
  %48 = llvm.lshr %37, %4 : i128
  %49 = llvm.add %39, %6 overflow<nsw> : i32
  llvm.br ^bb4(%48, %45, %49, %46 : i128, i128, i32, i128)
^bb8(%50: i128):
  llvm.return %50 : i128
}
