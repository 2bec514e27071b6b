llvm.func internal @__nvvm_xdsl_urem128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(64 : i128) : i128
  %2 = llvm.mlir.constant(0 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i32) : i32
  %5 = llvm.mlir.constant(1 : i128) : i128
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = llvm.or %arg1, %arg0 : i128
  %8 = llvm.icmp "ult" %7, %0 : i128
  llvm.cond_br %8, ^bb1, ^bb2
^bb1:
  %9 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %10 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %11 = llvm.urem %9, %10 : i64
  %12 = llvm.zext %11 : i64 to i128
  llvm.br ^bb5(%12 : i128)
^bb2:
  %13 = llvm.icmp "ugt" %arg1, %arg0 : i128
  llvm.cond_br %13, ^bb5(%arg0 : i128), ^bb3
^bb3:
  %14 = llvm.lshr %arg1, %1 : i128
  %15 = llvm.icmp "eq" %14, %2 : i128
  %16 = llvm.trunc %14 overflow<nuw> : i128 to i64
  %17 = "llvm.intr.ctlz"(%16) <{is_zero_poison = true}> : (i64) -> i64
  %18 = llvm.trunc %17 overflow<nsw, nuw> : i64 to i32
  %19 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %20 = "llvm.intr.ctlz"(%19) <{is_zero_poison = true}> : (i64) -> i64
  %21 = llvm.trunc %20 overflow<nsw, nuw> : i64 to i32
  %22 = llvm.or disjoint %21, %3 : i32
  %23 = llvm.select %15, %22, %18 : i1, i32
  %24 = llvm.lshr %arg0, %1 : i128
  %25 = llvm.icmp "eq" %24, %2 : i128
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
  %37 = llvm.icmp "ult" %arg0, %36 : i128
  %38 = llvm.select %37, %2, %36 : i1, i128
  %39 = llvm.sub %arg0, %38 overflow<nuw> : i128
  %40 = llvm.icmp "eq" %34, %4 : i32
  llvm.cond_br %40, ^bb5(%39 : i128), ^bb4(%39, %34, %36 : i128, i32, i128)
^bb4(%41: i128, %42: i32, %43: i128):
  %44 = llvm.lshr %43, %5 : i128
  %45 = llvm.add %42, %6 overflow<nsw> : i32
  %46 = llvm.icmp "ult" %41, %44 : i128
  %47 = llvm.select %46, %2, %44 : i1, i128
  %48 = llvm.sub %41, %47 overflow<nuw> : i128
  %49 = llvm.icmp "eq" %45, %4 : i32
  llvm.cond_br %49, ^bb5(%48 : i128), ^bb4(%48, %45, %44 : i128, i32, i128)
^bb5(%50: i128):
  llvm.return %50 : i128
}
