llvm.func internal @__nvvm_xdsl_fmod64(%arg0: f64, %arg1: f64) -> f64 {
  %0 = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %1 = llvm.mlir.constant(0 : i64) : i64
  %2 = llvm.mlir.constant(9218868437227405311 : i64) : i64
  %3 = llvm.mlir.constant(true) : i1
  %4 = llvm.mlir.constant(9218868437227405312 : i64) : i64
  %5 = llvm.mlir.constant(9221120237041090560 : i64) : i64
  %6 = llvm.mlir.constant(52 : i64) : i64
  %7 = llvm.mlir.constant(4503599627370495 : i64) : i64
  %8 = llvm.mlir.constant(4503599627370496 : i64) : i64
  %9 = llvm.mlir.constant(1 : i32) : i32
  %10 = llvm.mlir.constant(0 : i32) : i32
  %11 = llvm.mlir.constant(false) : i1
  %12 = llvm.mlir.constant(11 : i32) : i32
  %13 = llvm.mlir.constant(-11 : i32) : i32
  %14 = llvm.mlir.constant(-1 : i32) : i32
  %15 = llvm.bitcast %arg0 : f64 to i64
  %16 = llvm.and %15, %0 : i64
  %17 = llvm.intr.fabs(%arg0) : (f64) -> f64
  %18 = llvm.bitcast %17 : f64 to i64
  %19 = llvm.intr.fabs(%arg1) : (f64) -> f64
  %20 = llvm.bitcast %19 : f64 to i64
  %21 = llvm.icmp "eq" %20, %1 : i64
  %22 = llvm.icmp "ugt" %18, %2 : i64
  %23 = llvm.select %21, %3, %22 : i1, i1
  %24 = llvm.icmp "ugt" %20, %4 : i64
  %25 = llvm.select %23, %3, %24 : i1, i1
  llvm.cond_br %25, ^bb7(%5, %1 : i64, i64), ^bb1
^bb1:
  %26 = llvm.icmp "ult" %18, %20 : i64
  llvm.cond_br %26, ^bb7(%18, %16 : i64, i64), ^bb2
^bb2:
  %27 = llvm.lshr %18, %6 : i64
  %28 = llvm.lshr %20, %6 : i64
  %29 = llvm.trunc %28 overflow<nsw, nuw> : i64 to i32
  %30 = llvm.and %18, %7 : i64
  %31 = llvm.and %20, %7 : i64
  %32 = llvm.icmp "eq" %27, %1 : i64
  %33 = llvm.trunc %27 overflow<nsw, nuw> : i64 to i32
  %34 = llvm.or disjoint %30, %8 : i64
  %35 = llvm.select %32, %9, %33 : i1, i32
  %36 = llvm.select %32, %30, %34 : i1, i64
  %37 = llvm.icmp "eq" %28, %1 : i64
  %38 = llvm.or disjoint %31, %8 : i64
  %39 = llvm.select %37, %9, %29 : i1, i32
  %40 = llvm.select %37, %31, %38 : i1, i64
  %41 = llvm.sub %35, %39 overflow<nsw> : i32
  %42 = llvm.urem %36, %40 : i64
  %43 = llvm.icmp "sgt" %41, %10 : i32
  %44 = llvm.icmp "ne" %42, %1 : i64
  %45 = llvm.select %43, %44, %11 : i1, i1
  llvm.cond_br %45, ^bb3(%42, %41 : i64, i32), ^bb4(%42, %44 : i64, i1)
^bb3(%46: i64, %47: i32):
  %48 = llvm.intr.smin(%47, %12) : (i32, i32) -> i32
  %49 = llvm.zext nneg %48 : i32 to i64
  %50 = llvm.shl %46, %49 : i64
  %51 = llvm.sub %47, %48 overflow<nsw> : i32
  %52 = llvm.urem %50, %40 : i64
  %53 = llvm.icmp "sgt" %51, %10 : i32
  %54 = llvm.icmp "ne" %52, %1 : i64
  %55 = llvm.select %53, %54, %11 : i1, i1
  llvm.cond_br %55, ^bb3(%52, %51 : i64, i32), ^bb4(%52, %54 : i64, i1)
^bb4(%56: i64, %57: i1):
  llvm.cond_br %57, ^bb5, ^bb7(%1, %16 : i64, i64)
^bb5:
  %58 = "llvm.intr.ctlz"(%56) <{is_zero_poison = true}> : (i64) -> i64
  %59 = llvm.trunc %58 overflow<nsw, nuw> : i64 to i32
  %60 = llvm.add %59, %13 overflow<nsw> : i32
  %61 = llvm.add %39, %14 overflow<nsw> : i32
  %62 = llvm.intr.smin(%60, %61) : (i32, i32) -> i32
  %63 = llvm.zext nneg %62 : i32 to i64
  %64 = llvm.shl %56, %63 : i64
  %65 = llvm.and %64, %8 : i64
  %66 = llvm.icmp "eq" %65, %1 : i64
  llvm.cond_br %66, ^bb7(%64, %16 : i64, i64), ^bb6
^bb6:
  %67 = llvm.sub %39, %62 overflow<nsw> : i32
  %68 = llvm.and %64, %7 : i64
  %69 = llvm.sext %67 : i32 to i64
  %70 = llvm.shl %69, %6 overflow<nsw> : i64
  %71 = llvm.or disjoint %68, %70 : i64
  llvm.br ^bb7(%71, %16 : i64, i64)
^bb7(%72: i64, %73: i64):
  %74 = llvm.or %73, %72 : i64
  %75 = llvm.bitcast %74 : i64 to f64
  llvm.return %75 : f64
}
