llvm.func internal @__nvvm_xdsl_srem128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(64 : i128) : i128
  %2 = llvm.mlir.constant(0 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i32) : i32
  %5 = llvm.mlir.constant(1 : i128) : i128
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %8 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i128) -> i128
  %9 = llvm.or %8, %7 : i128
  %10 = llvm.icmp "ult" %9, %0 : i128
  llvm.cond_br %10, ^bb1, ^bb2
^bb1:
  %11 = llvm.trunc %7 overflow<nuw> : i128 to i64
  %12 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %13 = llvm.urem %11, %12 : i64
  %14 = llvm.zext %13 : i64 to i128
  llvm.br ^bb5(%14 : i128)
^bb2:
  %15 = llvm.icmp "ugt" %8, %7 : i128
  llvm.cond_br %15, ^bb5(%7 : i128), ^bb3
^bb3:
  %16 = llvm.lshr %8, %1 : i128
  %17 = llvm.icmp "eq" %16, %2 : i128
  %18 = llvm.trunc %16 overflow<nuw> : i128 to i64
  %19 = "llvm.intr.ctlz"(%18) <{is_zero_poison = true}> : (i64) -> i64
  %20 = llvm.trunc %19 overflow<nsw, nuw> : i64 to i32
  %21 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %22 = "llvm.intr.ctlz"(%21) <{is_zero_poison = true}> : (i64) -> i64
  %23 = llvm.trunc %22 overflow<nsw, nuw> : i64 to i32
  %24 = llvm.or disjoint %23, %3 : i32
  %25 = llvm.select %17, %24, %20 : i1, i32
  %26 = llvm.lshr %7, %1 : i128
  %27 = llvm.icmp "eq" %26, %2 : i128
  %28 = llvm.trunc %26 overflow<nuw> : i128 to i64
  %29 = "llvm.intr.ctlz"(%28) <{is_zero_poison = true}> : (i64) -> i64
  %30 = llvm.trunc %29 overflow<nsw, nuw> : i64 to i32
  %31 = llvm.trunc %7 overflow<nuw> : i128 to i64
  %32 = "llvm.intr.ctlz"(%31) <{is_zero_poison = true}> : (i64) -> i64
  %33 = llvm.trunc %32 overflow<nsw, nuw> : i64 to i32
  %34 = llvm.or disjoint %33, %3 : i32
  %35 = llvm.select %27, %34, %30 : i1, i32
  %36 = llvm.sub %25, %35 overflow<nsw> : i32
  %37 = llvm.zext nneg %36 : i32 to i128
  %38 = llvm.shl %8, %37 : i128
  %39 = llvm.icmp "ult" %7, %38 : i128
  %40 = llvm.select %39, %2, %38 : i1, i128
  %41 = llvm.sub %7, %40 overflow<nuw> : i128
  %42 = llvm.icmp "eq" %36, %4 : i32
  llvm.cond_br %42, ^bb5(%41 : i128), ^bb4(%41, %36, %38 : i128, i32, i128)
^bb4(%43: i128, %44: i32, %45: i128):
  %46 = llvm.lshr %45, %5 : i128
  %47 = llvm.add %44, %6 overflow<nsw> : i32
  %48 = llvm.icmp "ult" %43, %46 : i128
  %49 = llvm.select %48, %2, %46 : i1, i128
  %50 = llvm.sub %43, %49 overflow<nuw> : i128
  %51 = llvm.icmp "eq" %47, %4 : i32
  llvm.cond_br %51, ^bb5(%50 : i128), ^bb4(%50, %47, %46 : i128, i32, i128)
^bb5(%52: i128):
  %53 = llvm.icmp "slt" %arg0, %2 : i128
  %54 = llvm.sub %2, %52 : i128
  %55 = llvm.select %53, %54, %52 : i1, i128
  llvm.return %55 : i128
}
