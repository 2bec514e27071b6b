llvm.func internal @__nvvm_xdsl_s128_to_f128(%arg0: i128) -> i128 {
  %0 = llvm.mlir.constant(-170141183460469231731687303715884105728 : i128) : i128
  %1 = llvm.mlir.constant(0 : i128) : i128
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(11 : i32) : i32
  %5 = llvm.mlir.constant(12 : i32) : i32
  %6 = llvm.mlir.constant(116 : i32) : i32
  %7 = llvm.mlir.constant(-12 : i32) : i32
  %8 = llvm.mlir.constant(7 : i32) : i32
  %9 = llvm.mlir.constant(3 : i128) : i128
  %10 = llvm.mlir.constant(16509 : i32) : i32
  %11 = llvm.mlir.constant(112 : i128) : i128
  %12 = llvm.mlir.constant(4 : i32) : i32
  %13 = llvm.mlir.constant(8 : i128) : i128
  %14 = llvm.mlir.constant(1 : i128) : i128
  %15 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %16 = llvm.and %arg0, %0 : i128
  %17 = llvm.icmp "eq" %arg0, %1 : i128
  llvm.cond_br %17, ^bb8(%1 : i128), ^bb1
^bb1:
  %18 = llvm.lshr %15, %2 : i128
  %19 = llvm.icmp "eq" %18, %1 : i128
  %20 = llvm.trunc %18 overflow<nuw> : i128 to i64
  %21 = "llvm.intr.ctlz"(%20) <{is_zero_poison = true}> : (i64) -> i64
  %22 = llvm.trunc %21 overflow<nsw, nuw> : i64 to i32
  %23 = llvm.trunc %15 overflow<nuw> : i128 to i64
  %24 = "llvm.intr.ctlz"(%23) <{is_zero_poison = true}> : (i64) -> i64
  %25 = llvm.trunc %24 overflow<nsw, nuw> : i64 to i32
  %26 = llvm.or disjoint %25, %3 : i32
  %27 = llvm.select %19, %26, %22 : i1, i32
  %28 = llvm.icmp "ugt" %27, %4 : i32
  llvm.cond_br %28, ^bb2, ^bb3
^bb2:
  %29 = llvm.add %27, %7 overflow<nsw> : i32
  %30 = llvm.zext nneg %29 : i32 to i128
  %31 = llvm.shl %15, %30 : i128
  llvm.br ^bb4(%31 : i128)
^bb3:
  %32 = llvm.sub %5, %27 overflow<nsw, nuw> : i32
  %33 = llvm.zext nneg %32 : i32 to i128
  %34 = llvm.lshr %15, %33 : i128
  %35 = llvm.add %27, %6 overflow<nsw, nuw> : i32
  %36 = llvm.zext nneg %35 : i32 to i128
  %37 = llvm.shl %15, %36 : i128
  %38 = llvm.icmp "ne" %37, %1 : i128
  %39 = llvm.zext %38 : i1 to i128
  %40 = llvm.or %34, %39 : i128
  llvm.br ^bb4(%40 : i128)
^bb4(%41: i128):
  %42 = llvm.trunc %41 : i128 to i32
  %43 = llvm.and %42, %8 : i32
  %44 = llvm.lshr %41, %9 : i128
  %45 = llvm.sub %10, %27 overflow<nsw, nuw> : i32
  %46 = llvm.zext nneg %45 : i32 to i128
  %47 = llvm.shl %46, %11 overflow<nsw, nuw> : i128
  %48 = llvm.add %44, %47 overflow<nsw, nuw> : i128
  %49 = llvm.icmp "ugt" %43, %12 : i32
  llvm.cond_br %49, ^bb6, ^bb5
^bb5:
  %50 = llvm.icmp "ne" %43, %12 : i32
  %51 = llvm.and %41, %13 : i128
  %52 = llvm.icmp "eq" %51, %1 : i128
  %53 = llvm.or %52, %50 : i1
  llvm.cond_br %53, ^bb7(%48 : i128), ^bb6
^bb6:
  %54 = llvm.add %48, %14 overflow<nsw, nuw> : i128
  llvm.br ^bb7(%54 : i128)
^bb7(%55: i128):
  %56 = llvm.or %55, %16 : i128
  llvm.br ^bb8(%56 : i128)
^bb8(%57: i128):
  llvm.return %57 : i128
}
