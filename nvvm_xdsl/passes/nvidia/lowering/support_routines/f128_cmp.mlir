llvm.func internal @__nvvm_xdsl_f128_cmp(%arg0: i128, %arg1: i128) -> i32 {
  %0 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %1 = llvm.mlir.constant(170135991163610696904058773219554885633 : i128) : i128
  %2 = llvm.mlir.constant(false) : i1
  %3 = llvm.mlir.constant(2 : i32) : i32
  %4 = llvm.mlir.constant(0 : i128) : i128
  %5 = llvm.mlir.constant(0 : i32) : i32
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = llvm.mlir.constant(1 : i32) : i32
  %8 = llvm.and %arg0, %0 : i128
  %9 = llvm.icmp "ult" %8, %1 : i128
  %10 = llvm.and %arg1, %0 : i128
  %11 = llvm.icmp "ult" %10, %1 : i128
  %12 = llvm.select %9, %11, %2 : i1, i1
  llvm.cond_br %12, ^bb1, ^bb3(%3 : i32)
^bb1:
  %13 = llvm.or %arg1, %arg0 : i128
  %14 = llvm.and %13, %0 : i128
  %15 = llvm.icmp "eq" %14, %4 : i128
  %16 = llvm.icmp "eq" %arg0, %arg1 : i128
  %17 = llvm.or %16, %15 : i1
  llvm.cond_br %17, ^bb3(%5 : i32), ^bb2
^bb2:
  %18 = llvm.and %arg1, %arg0 : i128
  %19 = llvm.icmp "ugt" %arg0, %arg1 : i128
  %20 = llvm.icmp "slt" %arg0, %arg1 : i128
  %21 = llvm.icmp "slt" %18, %4 : i128
  %22 = llvm.select %21, %19, %20 : i1, i1
  %23 = llvm.select %22, %6, %7 : i1, i32
  llvm.br ^bb3(%23 : i32)
^bb3(%24: i32):
  llvm.return %24 : i32
}
