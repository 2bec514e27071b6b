llvm.func internal @__nvvm_xdsl_fmod32(%arg0: f32, %arg1: f32) -> f32 {
  %0 = llvm.mlir.constant(-2147483648 : i32) : i32
  %1 = llvm.mlir.constant(0 : i32) : i32
  %2 = llvm.mlir.constant(2139095039 : i32) : i32
  %3 = llvm.mlir.constant(true) : i1
  %4 = llvm.mlir.constant(2139095040 : i32) : i32
  %5 = llvm.mlir.constant(2147483647 : i32) : i32
  %6 = llvm.mlir.constant(23 : i32) : i32
  %7 = llvm.mlir.constant(8388607 : i32) : i32
  %8 = llvm.mlir.constant(8388608 : i32) : i32
  %9 = llvm.mlir.constant(1 : i32) : i32
  %10 = llvm.mlir.constant(false) : i1
  %11 = llvm.mlir.constant(8 : i32) : i32
  %12 = llvm.mlir.constant(-8 : i32) : i32
  %13 = llvm.mlir.constant(-1 : i32) : i32
  %14 = llvm.bitcast %arg0 : f32 to i32
  %15 = llvm.and %14, %0 : i32
  %16 = llvm.intr.fabs(%arg0) : (f32) -> f32
  %17 = llvm.bitcast %16 : f32 to i32
  %18 = llvm.intr.fabs(%arg1) : (f32) -> f32
  %19 = llvm.bitcast %18 : f32 to i32
  %20 = llvm.icmp "eq" %19, %1 : i32
  %21 = llvm.icmp "ugt" %17, %2 : i32
  %22 = llvm.select %20, %3, %21 : i1, i1
  %23 = llvm.icmp "ugt" %19, %4 : i32
  %24 = llvm.select %22, %3, %23 : i1, i1
  llvm.cond_br %24, ^bb6(%5, %1 : i32, i32), ^bb1
^bb1:
  %25 = llvm.icmp "ult" %17, %19 : i32
  llvm.cond_br %25, ^bb6(%17, %15 : i32, i32), ^bb2
^bb2:
  %26 = llvm.lshr %17, %6 : i32
  %27 = llvm.lshr %19, %6 : i32
  %28 = llvm.and %17, %7 : i32
  %29 = llvm.and %19, %7 : i32
  %30 = llvm.icmp "eq" %26, %1 : i32
  %31 = llvm.or disjoint %28, %8 : i32
  %32 = llvm.intr.umax(%26, %9) : (i32, i32) -> i32
  %33 = llvm.select %30, %28, %31 : i1, i32
  %34 = llvm.icmp "eq" %27, %1 : i32
  %35 = llvm.or disjoint %29, %8 : i32
  %36 = llvm.intr.umax(%27, %9) : (i32, i32) -> i32
  %37 = llvm.select %34, %29, %35 : i1, i32
  %38 = llvm.sub %32, %36 overflow<nsw> : i32
  %39 = llvm.urem %33, %37 : i32
  %40 = llvm.icmp "sgt" %38, %1 : i32
  %41 = llvm.icmp "ne" %39, %1 : i32
  %42 = llvm.select %40, %41, %10 : i1, i1
  llvm.cond_br %42, ^bb3(%39, %38 : i32, i32), ^bb4(%39, %41 : i32, i1)
^bb3(%43: i32, %44: i32):
  %45 = llvm.intr.smin(%44, %11) : (i32, i32) -> i32
  %46 = llvm.shl %43, %45 overflow<nuw> : i32
  %47 = llvm.sub %44, %45 overflow<nsw> : i32
  %48 = llvm.urem %46, %37 : i32
  %49 = llvm.icmp "sgt" %47, %1 : i32
  %50 = llvm.icmp "ne" %48, %1 : i32
  %51 = llvm.select %49, %50, %10 : i1, i1
  llvm.cond_br %51, ^bb3(%48, %47 : i32, i32), ^bb4(%48, %50 : i32, i1)
^bb4(%52: i32, %53: i1):
  llvm.cond_br %53, ^bb5, ^bb6(%1, %15 : i32, i32)
^bb5:
  %54 = "llvm.intr.ctlz"(%52) <{is_zero_poison = true}> : (i32) -> i32
  %55 = llvm.add %54, %12 overflow<nsw> : i32
  %56 = llvm.add %36, %13 overflow<nsw> : i32
  %57 = llvm.intr.smin(%55, %56) : (i32, i32) -> i32
  %58 = llvm.shl %52, %57 : i32
  %59 = llvm.and %58, %8 : i32
  %60 = llvm.icmp "eq" %59, %1 : i32
  %61 = llvm.sub %36, %57 overflow<nsw> : i32
  %62 = llvm.and %58, %7 : i32
  %63 = llvm.shl %61, %6 overflow<nsw> : i32
  %64 = llvm.or disjoint %62, %63 : i32
  %65 = llvm.select %60, %58, %64 : i1, i32
  llvm.br ^bb6(%65, %15 : i32, i32)
^bb6(%66: i32, %67: i32):
  %68 = llvm.or %67, %66 : i32
  %69 = llvm.bitcast %68 : i32 to f32
  llvm.return %69 : f32
}
