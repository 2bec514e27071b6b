llvm.func internal @__nvvm_xdsl_u128_to_f128(%arg0: i128) -> i128 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(64 : i128) : i128
  %2 = llvm.mlir.constant(64 : i32) : i32
  %3 = llvm.mlir.constant(11 : i32) : i32
  %4 = llvm.mlir.constant(12 : i32) : i32
  %5 = llvm.mlir.constant(116 : i32) : i32
  %6 = llvm.mlir.constant(-12 : i32) : i32
  %7 = llvm.mlir.constant(7 : i32) : i32
  %8 = llvm.mlir.constant(3 : i128) : i128
  %9 = llvm.mlir.constant(16509 : i32) : i32
  %10 = llvm.mlir.constant(112 : i128) : i128
  %11 = llvm.mlir.constant(4 : i32) : i32
  %12 = llvm.mlir.constant(8 : i128) : i128
  %13 = llvm.mlir.constant(1 : i128) : i128
  %14 = llvm.icmp "eq" %arg0, %0 : i128
  llvm.cond_br %14, ^bb7(%0 : i128), ^bb1
^bb1:
  %15 = llvm.lshr %arg0, %1 : i128
  %16 = llvm.icmp "eq" %15, %0 : i128
  %17 = llvm.trunc %15 overflow<nuw> : i128 to i64
  %18 = "llvm.intr.ctlz"(%17) <{is_zero_poison = true}> : (i64) -> i64
  %19 = llvm.trunc %18 overflow<nsw, nuw> : i64 to i32
  %20 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %21 = "llvm.intr.ctlz"(%20) <{is_zero_poison = true}> : (i64) -> i64
  %22 = llvm.trunc %21 overflow<nsw, nuw> : i64 to i32
  %23 = llvm.or disjoint %22, %2 : i32
  %24 = llvm.select %16, %23, %19 : i1, i32
  %25 = llvm.icmp "ugt" %24, %3 : i32
  llvm.cond_br %25, ^bb2, ^bb3
^bb2:
  %26 = llvm.add %24, %6 overflow<nsw> : i32
  %27 = llvm.zext nneg %26 : i32 to i128
  %28 = llvm.shl %arg0, %27 : i128
  llvm.br ^bb4(%28 : i128)
^bb3:
  %29 = llvm.sub %4, %24 overflow<nsw, nuw> : i32
  %30 = llvm.zext nneg %29 : i32 to i128
  %31 = llvm.lshr %arg0, %30 : i128
  %32 = llvm.add %24, %5 overflow<nsw, nuw> : i32
  %33 = llvm.zext nneg %32 : i32 to i128
  %34 = llvm.shl %arg0, %33 : i128
  %35 = llvm.icmp "ne" %34, %0 : i128
  %36 = llvm.zext %35 : i1 to i128
  %37 = llvm.or %31, %36 : i128
  llvm.br ^bb4(%37 : i128)
^bb4(%38: i128):
  %39 = llvm.trunc %38 : i128 to i32
  %40 = llvm.and %39, %7 : i32
  %41 = llvm.lshr %38, %8 : i128
  %42 = llvm.sub %9, %24 overflow<nsw, nuw> : i32
  %43 = llvm.zext nneg %42 : i32 to i128
  %44 = llvm.shl %43, %10 overflow<nsw, nuw> : i128
  %45 = llvm.add %41, %44 overflow<nsw, nuw> : i128
  %46 = llvm.icmp "ugt" %40, %11 : i32
  llvm.cond_br %46, ^bb6, ^bb5
^bb5:
  %47 = llvm.icmp "ne" %40, %11 : i32
  %48 = llvm.and %38, %12 : i128
  %49 = llvm.icmp "eq" %48, %0 : i128
  %50 = llvm.or %49, %47 : i1
  llvm.cond_br %50, ^bb7(%45 : i128), ^bb6
^bb6:
  %51 = llvm.add %45, %13 overflow<nsw, nuw> : i128
  llvm.br ^bb7(%51 : i128)
^bb7(%52: i128):
  llvm.return %52 : i128
}
