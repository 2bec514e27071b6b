llvm.func internal @__nvvm_xdsl_sdiv128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(0 : i128) : i128
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(1 : i128) : i128
  %5 = llvm.mlir.constant(0 : i32) : i32
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %8 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i128) -> i128
  %9 = llvm.or %8, %7 : i128
  %10 = llvm.icmp "ult" %9, %0 : i128
  llvm.cond_br %10, ^bb1, ^bb2
^bb1:
  %11 = llvm.trunc %7 overflow<nuw> : i128 to i64
  %12 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %13 = llvm.udiv %11, %12 : i64
  %14 = llvm.zext %13 : i64 to i128
  llvm.br ^bb8(%14 : i128)
^bb2:
  %15 = llvm.icmp "ugt" %8, %7 : i128
  llvm.cond_br %15, ^bb8(%1 : i128), ^bb3
^bb3:
  %16 = llvm.lshr %8, %2 : i128
  %17 = llvm.icmp "eq" %16, %1 : i128
  %18 = llvm.trunc %16 overflow<nuw> : i128 to i64
  %19 = "llvm.intr.ctlz"(%18) <{is_zero_poison = true}> : (i64) -> i64
  %20 = llvm.trunc %19 overflow<nsw, nuw> : i64 to i32
  %21 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %22 = "llvm.intr.ctlz"(%21) <{is_zero_poison = true}> : (i64) -> i64
  %23 = llvm.trunc %22 overflow<nsw, nuw> : i64 to i32
  %24 = llvm.or disjoint %23, %3 : i32
  %25 = llvm.select %17, %24, %20 : i1, i32
  %26 = llvm.lshr %7, %2 : i128
  %27 = llvm.icmp "eq" %26, %1 : i128
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
  llvm.br ^bb4(%38, %7, %36, %1 : i128, i128, i32, i128)
^bb4(%39: i128, %40: i128, %41: i32, %42: i128):
  %43 = llvm.shl %42, %4 : i128
  %44 = llvm.icmp "ult" %40, %39 : i128
  llvm.cond_br %44, ^bb6(%40, %43 : i128, i128), ^bb5
^bb5:
  %45 = llvm.sub %40, %39 overflow<nuw> : i128
  %46 = llvm.or disjoint %43, %4 : i128
  llvm.br ^bb6(%45, %46 : i128, i128)
^bb6(%47: i128, %48: i128):
  %49 = llvm.icmp "eq" %41, %5 : i32
  llvm.cond_br %49, ^bb8(%48 : i128), ^bb7
^bb7:
  %50 = llvm.lshr %39, %4 : i128
  %51 = llvm.add %41, %6 overflow<nsw> : i32
  llvm.br ^bb4(%50, %47, %51, %48 : i128, i128, i32, i128)
^bb8(%52: i128):
  %53 = llvm.xor %arg1, %arg0 : i128
  %54 = llvm.icmp "slt" %53, %1 : i128
  %55 = llvm.sub %1, %52 : i128
  %56 = llvm.select %54, %55, %52 : i1, i128
  llvm.return %56 : i128
}
