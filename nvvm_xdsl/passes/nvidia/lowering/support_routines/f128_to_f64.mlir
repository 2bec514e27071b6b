llvm.func internal @__nvvm_xdsl_f128_to_f64(%arg0: i128) -> f64 {
  %0 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %1 = llvm.mlir.constant(112 : i128) : i128
  %2 = llvm.mlir.constant(32767 : i32) : i32
  %3 = llvm.mlir.constant(-15360 : i32) : i32
  %4 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %5 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %6 = llvm.mlir.constant(17406 : i32) : i32
  %7 = llvm.mlir.constant(true) : i1
  %8 = llvm.mlir.constant(9218868437227405312 : i64) : i64
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
  %20 = llvm.mlir.constant(576460752303423488 : i64) : i64
  %21 = llvm.mlir.constant(1 : i64) : i64
  %22 = llvm.mlir.constant(9221120237041090560 : i64) : i64
  %23 = llvm.mlir.constant(64 : i128) : i128
  %24 = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %25 = llvm.and %arg0, %0 : i128
  %26 = llvm.lshr %arg0, %1 : i128
  %27 = llvm.trunc %26 overflow<nsw, nuw> : i128 to i32
  %28 = llvm.and %27, %2 : i32
  %29 = llvm.add %28, %3 overflow<nsw> : i32
  %30 = llvm.and %arg0, %4 : i128
  %31 = llvm.icmp "ugt" %25, %5 : i128
  llvm.cond_br %31, ^bb1, ^bb2
^bb1:
  %32 = llvm.lshr %30, %12 : i128
  %33 = llvm.trunc %32 overflow<nsw, nuw> : i128 to i64
  %34 = llvm.or %33, %22 : i64
  llvm.br ^bb10(%34 : i64)
^bb2:
  %35 = llvm.icmp "eq" %25, %5 : i128
  %36 = llvm.icmp "ugt" %28, %6 : i32
  %37 = llvm.select %35, %7, %36 : i1, i1
  llvm.cond_br %37, ^bb10(%8 : i64), ^bb3
^bb3:
  %38 = llvm.icmp "eq" %28, %9 : i32
  %39 = llvm.or disjoint %30, %10 : i128
  %40 = llvm.select %38, %30, %39 : i1, i128
  %41 = llvm.icmp "ult" %28, %11 : i32
  %42 = llvm.trunc %40 : i128 to i64
  %43 = llvm.lshr %40, %12 : i128
  %44 = llvm.trunc %43 overflow<nsw, nuw> : i128 to i64
  llvm.cond_br %41, ^bb4, ^bb7(%42, %44, %29 : i64, i64, i32)
^bb4:
  %45 = llvm.icmp "ult" %28, %13 : i32
  llvm.cond_br %45, ^bb5, ^bb6
^bb5:
  %46 = llvm.icmp "ne" %40, %15 : i128
  %47 = llvm.zext %46 : i1 to i64
  llvm.br ^bb7(%47, %16, %9 : i64, i64, i32)
^bb6:
  %48 = llvm.sub %11, %28 overflow<nsw, nuw> : i32
  %49 = llvm.zext nneg %48 : i32 to i128
  %50 = llvm.lshr %40, %49 : i128
  %51 = llvm.add %28, %14 overflow<nsw> : i32
  %52 = llvm.zext nneg %51 : i32 to i128
  %53 = llvm.shl %40, %52 : i128
  %54 = llvm.icmp "ne" %53, %15 : i128
  %55 = llvm.zext %54 : i1 to i128
  %56 = llvm.or %50, %55 : i128
  %57 = llvm.trunc %56 : i128 to i64
  %58 = llvm.lshr %50, %12 : i128
  %59 = llvm.trunc %58 overflow<nsw, nuw> : i128 to i64
  llvm.br ^bb7(%57, %59, %9 : i64, i64, i32)
^bb7(%60: i64, %61: i64, %62: i32):
  %63 = llvm.and %60, %17 : i64
  %64 = llvm.intr.usub.sat(%62, %18) : (i32, i32) -> i32
  %65 = llvm.sext %64 : i32 to i64
  %66 = llvm.shl %65, %19 overflow<nsw> : i64
  %67 = llvm.add %66, %61 : i64
  %68 = llvm.icmp "ugt" %63, %20 : i64
  llvm.cond_br %68, ^bb9, ^bb8
^bb8:
  %69 = llvm.icmp "ne" %63, %20 : i64
  %70 = llvm.and %61, %21 : i64
  %71 = llvm.icmp "eq" %70, %16 : i64
  %72 = llvm.select %69, %7, %71 : i1, i1
  llvm.cond_br %72, ^bb10(%67 : i64), ^bb9
^bb9:
  %73 = llvm.add %67, %21 : i64
  llvm.br ^bb10(%73 : i64)
^bb10(%74: i64):
  %75 = llvm.lshr %arg0, %23 : i128
  %76 = llvm.trunc %75 overflow<nuw> : i128 to i64
  %77 = llvm.and %76, %24 : i64
  %78 = llvm.or %74, %77 : i64
  %79 = llvm.bitcast %78 : i64 to f64
  llvm.return %79 : f64
}
