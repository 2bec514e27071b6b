llvm.func internal @__nvvm_xdsl_f128_sqrt(%arg0: i128) -> i128 {
  %0 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %1 = llvm.mlir.constant(170135991163610696904058773219554885633 : i128) : i128
  %2 = llvm.mlir.constant(2596148429267413814265248164610048 : i128) : i128
  %3 = llvm.mlir.constant(0 : i128) : i128
  %4 = llvm.mlir.constant(-1 : i128) : i128
  %5 = llvm.mlir.constant(170138587312039964317873038467719495680 : i128) : i128
  %6 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %7 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %8 = llvm.mlir.constant(112 : i128) : i128
  %9 = llvm.mlir.constant(5192296858534827628530496329220096 : i128) : i128
  %10 = llvm.mlir.constant(64 : i128) : i128
  %11 = llvm.mlir.constant(64 : i32) : i32
  %12 = llvm.mlir.constant(-15 : i32) : i32
  %13 = llvm.mlir.constant(16 : i32) : i32
  %14 = llvm.mlir.constant(-16383 : i32) : i32
  %15 = llvm.mlir.constant(1 : i32) : i32
  %16 = llvm.mlir.constant(115 : i32) : i32
  %17 = llvm.mlir.constant(58 : i32) : i32
  %18 = llvm.mlir.constant(0 : i32) : i32
  %19 = llvm.mlir.constant(-118 : i32) : i32
  %20 = llvm.mlir.constant(3 : i32) : i32
  %21 = llvm.mlir.constant(2 : i128) : i128
  %22 = llvm.mlir.constant(1 : i128) : i128
  %23 = llvm.mlir.constant(-1 : i32) : i32
  %24 = llvm.mlir.constant(-16384 : i32) : i32
  %25 = llvm.mlir.constant(2 : i32) : i32
  %26 = llvm.mlir.constant(16383 : i32) : i32
  %27 = llvm.mlir.constant(7 : i32) : i32
  %28 = llvm.mlir.constant(3 : i128) : i128
  %29 = llvm.mlir.constant(4 : i32) : i32
  %30 = llvm.mlir.constant(8 : i128) : i128
  %31 = llvm.and %arg0, %0 : i128
  %32 = llvm.icmp "ult" %31, %1 : i128
  llvm.cond_br %32, ^bb2, ^bb1
^bb1:
  %33 = llvm.or %arg0, %2 : i128
  llvm.br ^bb17(%33 : i128)
^bb2:
  %34 = llvm.icmp "eq" %31, %3 : i128
  llvm.cond_br %34, ^bb17(%arg0 : i128), ^bb3
^bb3:
  %35 = llvm.icmp "sgt" %arg0, %4 : i128
  llvm.cond_br %35, ^bb4, ^bb17(%5 : i128)
^bb4:
  %36 = llvm.icmp "eq" %arg0, %6 : i128
  llvm.cond_br %36, ^bb17(%6 : i128), ^bb5
^bb5:
  %37 = llvm.and %arg0, %7 : i128
  %38 = llvm.lshr %arg0, %8 : i128
  %39 = llvm.icmp "eq" %38, %3 : i128
  llvm.cond_br %39, ^bb7, ^bb6
^bb6:
  %40 = llvm.trunc %38 overflow<nsw, nuw> : i128 to i32
  %41 = llvm.or disjoint %37, %9 : i128
  llvm.br ^bb8(%40, %41 : i32, i128)
^bb7:
  %42 = llvm.lshr %arg0, %10 : i128
  %43 = llvm.icmp "eq" %42, %3 : i128
  %44 = llvm.trunc %42 overflow<nsw, nuw> : i128 to i64
  %45 = "llvm.intr.ctlz"(%44) <{is_zero_poison = true}> : (i64) -> i64
  %46 = llvm.trunc %45 overflow<nsw, nuw> : i64 to i32
  %47 = llvm.trunc %arg0 : i128 to i64
  %48 = "llvm.intr.ctlz"(%47) <{is_zero_poison = true}> : (i64) -> i64
  %49 = llvm.trunc %48 overflow<nsw, nuw> : i64 to i32
  %50 = llvm.or disjoint %49, %11 : i32
  %51 = llvm.select %43, %50, %46 : i1, i32
  %52 = llvm.add %51, %12 overflow<nsw> : i32
  %53 = llvm.sub %13, %51 overflow<nsw> : i32
  %54 = llvm.zext nneg %52 : i32 to i128
  %55 = llvm.shl %37, %54 : i128
  llvm.br ^bb8(%53, %55 : i32, i128)
^bb8(%56: i32, %57: i128):
  %58 = llvm.add %56, %14 overflow<nsw> : i32
  %59 = llvm.and %58, %15 : i32
  %60 = llvm.zext nneg %59 : i32 to i128
  %61 = llvm.shl %57, %60 : i128
  llvm.br ^bb12(%3, %16, %3 : i128, i32, i128)
^bb9:
  %62 = llvm.icmp "ne" %103, %3 : i128
  %63 = llvm.zext %62 : i1 to i128
  %64 = llvm.or %104, %63 : i128
  %65 = llvm.icmp "eq" %59, %18 : i32
  %66 = llvm.add %56, %24 overflow<nsw> : i32
  %67 = llvm.select %65, %58, %66 : i1, i32
  %68 = llvm.sdiv %67, %25 : i32
  %69 = llvm.add %68, %26 overflow<nsw> : i32
  %70 = llvm.trunc %64 : i128 to i32
  %71 = llvm.and %70, %27 : i32
  %72 = llvm.lshr %104, %28 : i128
  %73 = llvm.intr.usub.sat(%69, %15) : (i32, i32) -> i32
  %74 = llvm.zext nneg %73 : i32 to i128
  %75 = llvm.shl %74, %8 overflow<nsw, nuw> : i128
  %76 = llvm.add %75, %72 overflow<nsw, nuw> : i128
  %77 = llvm.icmp "ugt" %71, %29 : i32
  llvm.cond_br %77, ^bb11, ^bb10
^bb10:
  %78 = llvm.icmp "ne" %71, %29 : i32
  %79 = llvm.and %104, %30 : i128
  %80 = llvm.icmp "eq" %79, %3 : i128
  %81 = llvm.or %80, %78 : i1
  llvm.cond_br %81, ^bb17(%76 : i128), ^bb11
^bb11:
  %82 = llvm.add %76, %22 overflow<nsw, nuw> : i128
  llvm.br ^bb17(%82 : i128)
^bb12(%83: i128, %84: i32, %85: i128):
  %86 = llvm.icmp "ugt" %84, %17 : i32
  llvm.cond_br %86, ^bb13, ^bb14(%18 : i32)
^bb13:
  %87 = llvm.shl %84, %15 overflow<nsw, nuw> : i32
  %88 = llvm.add %87, %19 overflow<nsw> : i32
  %89 = llvm.zext nneg %88 : i32 to i128
  %90 = llvm.lshr %61, %89 : i128
  %91 = llvm.trunc %90 : i128 to i32
  %92 = llvm.and %91, %20 : i32
  llvm.br ^bb14(%92 : i32)
^bb14(%93: i32):
  %94 = llvm.shl %85, %21 : i128
  %95 = llvm.zext nneg %93 : i32 to i128
  %96 = llvm.or disjoint %94, %95 : i128
  %97 = llvm.shl %83, %21 : i128
  %98 = llvm.shl %83, %22 : i128
  %99 = llvm.icmp "ugt" %96, %97 : i128
  llvm.cond_br %99, ^bb15, ^bb16(%96, %98 : i128, i128)
^bb15:
  %100 = llvm.xor %97, %4 : i128
  %101 = llvm.add %96, %100 : i128
  %102 = llvm.or disjoint %98, %22 : i128
  llvm.br ^bb16(%101, %102 : i128, i128)
^bb16(%103: i128, %104: i128):
  %105 = llvm.add %84, %23 overflow<nsw> : i32
  %106 = llvm.icmp "eq" %84, %18 : i32
  llvm.cond_br %106, ^bb9, ^bb12(%104, %105, %103 : i128, i32, i128)
^bb17(%107: i128):
  llvm.return %107 : i128
}
