llvm.func internal @__nvvm_xdsl_f128_to_f64_odd(%arg0: i128) -> f64 {
  %0 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %1 = llvm.mlir.constant(112 : i128) : i128
  %2 = llvm.mlir.constant(32767 : i32) : i32
  %3 = llvm.mlir.constant(-15360 : i32) : i32
  %4 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %5 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %6 = llvm.mlir.constant(9218868437227405312 : i64) : i64
  %7 = llvm.mlir.constant(17406 : i32) : i32
  %8 = llvm.mlir.constant(9218868437227405311 : i64) : i64
  %9 = llvm.mlir.constant(0 : i32) : i32
  %10 = llvm.mlir.constant(5192296858534827628530496329220096 : i128) : i128
  %11 = llvm.mlir.constant(15361 : i32) : i32
  %12 = llvm.mlir.constant(60 : i128) : i128
  %13 = llvm.mlir.constant(15234 : i32) : i32
  %14 = llvm.mlir.constant(-15233 : i32) : i32
  %15 = llvm.mlir.constant(0 : i128) : i128
  %16 = llvm.mlir.constant(0 : i64) : i64
  %17 = llvm.mlir.constant(1152921504606846975 : i64) : i64
  %18 = llvm.mlir.constant(1 : i32) : i32
  %19 = llvm.mlir.constant(52 : i64) : i64
  %20 = llvm.mlir.constant(9221120237041090560 : i64) : i64
  %21 = llvm.mlir.constant(64 : i128) : i128
  %22 = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %23 = llvm.and %arg0, %0 : i128
  %24 = llvm.lshr %arg0, %1 : i128
  %25 = llvm.trunc %24 overflow<nsw, nuw> : i128 to i32
  %26 = llvm.and %25, %2 : i32
  %27 = llvm.add %26, %3 overflow<nsw> : i32
  %28 = llvm.and %arg0, %4 : i128
  %29 = llvm.icmp "ugt" %23, %5 : i128
  llvm.cond_br %29, ^bb1, ^bb2
^bb1:
  %30 = llvm.lshr %28, %12 : i128
  %31 = llvm.trunc %30 overflow<nsw, nuw> : i128 to i64
  %32 = llvm.or %31, %20 : i64
  llvm.br ^bb9(%32 : i64)
^bb2:
  %33 = llvm.icmp "eq" %23, %5 : i128
  llvm.cond_br %33, ^bb9(%6 : i64), ^bb3
^bb3:
  %34 = llvm.icmp "ugt" %26, %7 : i32
  llvm.cond_br %34, ^bb9(%8 : i64), ^bb4
^bb4:
  %35 = llvm.icmp "eq" %26, %9 : i32
  %36 = llvm.or disjoint %28, %10 : i128
  %37 = llvm.select %35, %28, %36 : i1, i128
  %38 = llvm.icmp "ult" %26, %11 : i32
  %39 = llvm.trunc %37 : i128 to i64
  %40 = llvm.lshr %37, %12 : i128
  %41 = llvm.trunc %40 overflow<nsw, nuw> : i128 to i64
  llvm.cond_br %38, ^bb5, ^bb8(%39, %41, %27 : i64, i64, i32)
^bb5:
  %42 = llvm.icmp "ult" %26, %13 : i32
  llvm.cond_br %42, ^bb6, ^bb7
^bb6:
  %43 = llvm.icmp "ne" %37, %15 : i128
  %44 = llvm.zext %43 : i1 to i64
  llvm.br ^bb8(%44, %16, %9 : i64, i64, i32)
^bb7:
  %45 = llvm.sub %11, %26 overflow<nsw, nuw> : i32
  %46 = llvm.zext nneg %45 : i32 to i128
  %47 = llvm.lshr %37, %46 : i128
  %48 = llvm.add %26, %14 overflow<nsw> : i32
  %49 = llvm.zext nneg %48 : i32 to i128
  %50 = llvm.shl %37, %49 : i128
  %51 = llvm.icmp "ne" %50, %15 : i128
  %52 = llvm.zext %51 : i1 to i128
  %53 = llvm.or %47, %52 : i128
  %54 = llvm.trunc %53 : i128 to i64
  %55 = llvm.lshr %47, %12 : i128
  %56 = llvm.trunc %55 overflow<nsw, nuw> : i128 to i64
  llvm.br ^bb8(%54, %56, %9 : i64, i64, i32)
^bb8(%57: i64, %58: i64, %59: i32):
  %60 = llvm.and %57, %17 : i64
  %61 = llvm.intr.usub.sat(%59, %18) : (i32, i32) -> i32
  %62 = llvm.sext %61 : i32 to i64
  %63 = llvm.shl %62, %19 overflow<nsw> : i64
  %64 = llvm.add %63, %58 : i64
  %65 = llvm.icmp "ne" %60, %16 : i64
  %66 = llvm.zext %65 : i1 to i64
  %67 = llvm.or %64, %66 : i64
  llvm.br ^bb9(%67 : i64)
^bb9(%68: i64):
  %69 = llvm.lshr %arg0, %21 : i128
  %70 = llvm.trunc %69 overflow<nuw> : i128 to i64
  %71 = llvm.and %70, %22 : i64
  %72 = llvm.or %68, %71 : i64
  %73 = llvm.bitcast %72 : i64 to f64
  llvm.return %73 : f64
}
