llvm.func internal @__nvvm_xdsl_f128_to_s128(%arg0: i128) -> i128 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(112 : i128) : i128
  %2 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %3 = llvm.mlir.constant(5192296858534827628530496329220096 : i128) : i128
  %4 = llvm.mlir.constant(16494 : i32) : i32
  %5 = llvm.mlir.constant(16383 : i32) : i32
  %6 = llvm.mlir.constant(16495 : i32) : i32
  %7 = llvm.mlir.constant(-16495 : i32) : i32
  %8 = llvm.mlir.constant(16511 : i32) : i32
  %9 = llvm.mlir.constant(32767 : i32) : i32
  %10 = llvm.icmp "slt" %arg0, %0 : i128
  %11 = llvm.lshr %arg0, %1 : i128
  %12 = llvm.trunc %11 overflow<nsw, nuw> : i128 to i32
  llvm.cond_br %10, ^bb1, ^bb5
^bb1:
  %13 = llvm.and %12, %9 : i32
  %14 = llvm.and %arg0, %2 : i128
  %15 = llvm.or disjoint %14, %3 : i128
  %16 = llvm.icmp "ugt" %13, %4 : i32
  llvm.cond_br %16, ^bb2, ^bb3
^bb2:
  %17 = llvm.add %13, %7 overflow<nsw> : i32
  %18 = llvm.icmp "ult" %13, %8 : i32
  %19 = llvm.zext nneg %17 : i32 to i128
  %20 = llvm.shl %15, %19 overflow<nuw> : i128
  %21 = llvm.select %18, %20, %0 : i1, i128
  llvm.br ^bb4(%21 : i128)
^bb3:
  %22 = llvm.icmp "ult" %13, %5 : i32
  %23 = llvm.sub %6, %13 overflow<nsw, nuw> : i32
  %24 = llvm.zext nneg %23 : i32 to i128
  %25 = llvm.lshr %15, %24 : i128
  %26 = llvm.select %22, %0, %25 : i1, i128
  llvm.br ^bb4(%26 : i128)
^bb4(%27: i128):
  %28 = llvm.sub %0, %27 : i128
  llvm.br ^bb8(%28 : i128)
^bb5:
  %29 = llvm.and %arg0, %2 : i128
  %30 = llvm.or disjoint %29, %3 : i128
  %31 = llvm.icmp "ugt" %12, %4 : i32
  llvm.cond_br %31, ^bb6, ^bb7
^bb6:
  %32 = llvm.add %12, %7 overflow<nsw> : i32
  %33 = llvm.icmp "ult" %12, %8 : i32
  %34 = llvm.zext nneg %32 : i32 to i128
  %35 = llvm.shl %30, %34 overflow<nuw> : i128
  %36 = llvm.select %33, %35, %0 : i1, i128
  llvm.br ^bb8(%36 : i128)
^bb7:
  %37 = llvm.icmp "ult" %12, %5 : i32
  %38 = llvm.sub %6, %12 overflow<nsw, nuw> : i32
  %39 = llvm.zext nneg %38 : i32 to i128
  %40 = llvm.lshr %30, %39 : i128
  %41 = llvm.select %37, %0, %40 : i1, i128
  llvm.br ^bb8(%41 : i128)
^bb8(%42: i128):
  llvm.return %42 : i128
}
