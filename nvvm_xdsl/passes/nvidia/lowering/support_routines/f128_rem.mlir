llvm.func internal @__nvvm_xdsl_f128_rem(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(-170141183460469231731687303715884105728 : i128) : i128
  %1 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %2 = llvm.mlir.constant(170135991163610696904058773219554885633 : i128) : i128
  %3 = llvm.mlir.constant(2596148429267413814265248164610048 : i128) : i128
  %4 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %5 = llvm.mlir.constant(0 : i128) : i128
  %6 = llvm.mlir.constant(170138587312039964317873038467719495680 : i128) : i128
  %7 = llvm.mlir.constant(true) : i1
  %8 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %9 = llvm.mlir.constant(112 : i128) : i128
  %10 = llvm.mlir.constant(32767 : i32) : i32
  %11 = llvm.mlir.constant(0 : i32) : i32
  %12 = llvm.mlir.constant(5192296858534827628530496329220096 : i128) : i128
  %13 = llvm.mlir.constant(64 : i128) : i128
  %14 = llvm.mlir.constant(64 : i32) : i32
  %15 = llvm.mlir.constant(-15 : i32) : i32
  %16 = llvm.mlir.constant(16 : i32) : i32
  %17 = llvm.mlir.constant(1 : i128) : i128
  %18 = llvm.mlir.constant(-1 : i32) : i32
  %19 = llvm.mlir.constant(1 : i32) : i32
  %20 = llvm.mlir.constant(3 : i128) : i128
  %21 = llvm.mlir.constant(32766 : i32) : i32
  %22 = llvm.mlir.constant(-126 : i32) : i32
  %23 = llvm.mlir.constant(127 : i32) : i32
  %24 = llvm.mlir.constant(7 : i32) : i32
  %25 = llvm.mlir.constant(4 : i32) : i32
  %26 = llvm.mlir.constant(8 : i128) : i128
  %27 = llvm.and %arg0, %0 : i128
  %28 = llvm.and %arg0, %1 : i128
  %29 = llvm.and %arg1, %1 : i128
  %30 = llvm.icmp "ult" %28, %2 : i128
  llvm.cond_br %30, ^bb2, ^bb1
^bb1:
  %31 = llvm.or %arg0, %3 : i128
  llvm.br ^bb25(%31 : i128)
^bb2:
  %32 = llvm.icmp "ult" %29, %2 : i128
  llvm.cond_br %32, ^bb4, ^bb3
^bb3:
  %33 = llvm.or %arg1, %3 : i128
  llvm.br ^bb25(%33 : i128)
^bb4:
  %34 = llvm.icmp "eq" %28, %4 : i128
  %35 = llvm.icmp "eq" %29, %5 : i128
  %36 = llvm.or %34, %35 : i1
  llvm.cond_br %36, ^bb25(%6 : i128), ^bb5
^bb5:
  %37 = llvm.icmp "eq" %29, %4 : i128
  %38 = llvm.icmp "ult" %28, %29 : i128
  %39 = llvm.select %37, %7, %38 : i1, i1
  llvm.cond_br %39, ^bb25(%arg0 : i128), ^bb6
^bb6:
  %40 = llvm.and %arg0, %8 : i128
  %41 = llvm.lshr %arg0, %9 : i128
  %42 = llvm.trunc %41 overflow<nsw, nuw> : i128 to i32
  %43 = llvm.and %42, %10 : i32
  %44 = llvm.icmp "eq" %43, %11 : i32
  llvm.cond_br %44, ^bb8, ^bb7
^bb7:
  %45 = llvm.or disjoint %40, %12 : i128
  llvm.br ^bb9(%43, %45 : i32, i128)
^bb8:
  %46 = llvm.lshr %40, %13 : i128
  %47 = llvm.icmp "eq" %46, %5 : i128
  %48 = llvm.trunc %46 overflow<nsw, nuw> : i128 to i64
  %49 = "llvm.intr.ctlz"(%48) <{is_zero_poison = true}> : (i64) -> i64
  %50 = llvm.trunc %49 overflow<nsw, nuw> : i64 to i32
  %51 = llvm.trunc %arg0 : i128 to i64
  %52 = "llvm.intr.ctlz"(%51) <{is_zero_poison = true}> : (i64) -> i64
  %53 = llvm.trunc %52 overflow<nsw, nuw> : i64 to i32
  %54 = llvm.or disjoint %53, %14 : i32
  %55 = llvm.select %47, %54, %50 : i1, i32
  %56 = llvm.add %55, %15 overflow<nsw> : i32
  %57 = llvm.sub %16, %55 overflow<nsw> : i32
  %58 = llvm.zext nneg %56 : i32 to i128
  %59 = llvm.shl %40, %58 : i128
  llvm.br ^bb9(%57, %59 : i32, i128)
^bb9(%60: i32, %61: i128):
  %62 = llvm.and %arg1, %8 : i128
  %63 = llvm.lshr %arg1, %9 : i128
  %64 = llvm.trunc %63 overflow<nsw, nuw> : i128 to i32
  %65 = llvm.and %64, %10 : i32
  %66 = llvm.icmp "eq" %65, %11 : i32
  llvm.cond_br %66, ^bb11, ^bb10
^bb10:
  %67 = llvm.or disjoint %62, %12 : i128
  llvm.br ^bb12(%65, %67 : i32, i128)
^bb11:
  %68 = llvm.lshr %62, %13 : i128
  %69 = llvm.icmp "eq" %68, %5 : i128
  %70 = llvm.trunc %68 overflow<nsw, nuw> : i128 to i64
  %71 = "llvm.intr.ctlz"(%70) <{is_zero_poison = true}> : (i64) -> i64
  %72 = llvm.trunc %71 overflow<nsw, nuw> : i64 to i32
  %73 = llvm.trunc %arg1 : i128 to i64
  %74 = "llvm.intr.ctlz"(%73) <{is_zero_poison = true}> : (i64) -> i64
  %75 = llvm.trunc %74 overflow<nsw, nuw> : i64 to i32
  %76 = llvm.or disjoint %75, %14 : i32
  %77 = llvm.select %69, %76, %72 : i1, i32
  %78 = llvm.add %77, %15 overflow<nsw> : i32
  %79 = llvm.sub %16, %77 overflow<nsw> : i32
  %80 = llvm.zext nneg %78 : i32 to i128
  %81 = llvm.shl %62, %80 : i128
  llvm.br ^bb12(%79, %81 : i32, i128)
^bb12(%82: i32, %83: i128):
  %84 = llvm.sub %60, %82 overflow<nsw> : i32
  %85 = llvm.icmp "sgt" %84, %11 : i32
  llvm.cond_br %85, ^bb14(%84, %61 : i32, i128), ^bb13(%61 : i128)
^bb13(%86: i128):
  %87 = llvm.icmp "ult" %86, %83 : i128
  %88 = llvm.select %87, %5, %83 : i1, i128
  %89 = llvm.icmp "eq" %86, %88 : i128
  llvm.cond_br %89, ^bb25(%27 : i128), ^bb15
^bb14(%90: i32, %91: i128):
  %92 = llvm.icmp "ult" %91, %83 : i128
  %93 = llvm.select %92, %5, %83 : i1, i128
  %94 = llvm.sub %91, %93 overflow<nuw> : i128
  %95 = llvm.shl %94, %17 : i128
  %96 = llvm.add %90, %18 overflow<nsw> : i32
  %97 = llvm.icmp "sgt" %90, %19 : i32
  llvm.cond_br %97, ^bb14(%96, %95 : i32, i128), ^bb13(%95 : i128)
^bb15:
  %98 = llvm.sub %86, %88 overflow<nuw> : i128
  %99 = llvm.lshr %98, %13 : i128
  %100 = llvm.icmp "eq" %99, %5 : i128
  %101 = llvm.trunc %99 overflow<nuw> : i128 to i64
  %102 = "llvm.intr.ctlz"(%101) <{is_zero_poison = true}> : (i64) -> i64
  %103 = llvm.trunc %102 overflow<nsw, nuw> : i64 to i32
  %104 = llvm.trunc %98 overflow<nuw> : i128 to i64
  %105 = "llvm.intr.ctlz"(%104) <{is_zero_poison = true}> : (i64) -> i64
  %106 = llvm.trunc %105 overflow<nsw, nuw> : i64 to i32
  %107 = llvm.or disjoint %106, %14 : i32
  %108 = llvm.select %100, %107, %103 : i1, i32
  %109 = llvm.add %108, %15 overflow<nsw> : i32
  %110 = llvm.sub %82, %109 overflow<nsw> : i32
  %111 = llvm.zext nneg %109 : i32 to i128
  %112 = llvm.shl %98, %111 : i128
  %113 = llvm.shl %112, %20 : i128
  %114 = llvm.icmp "sgt" %110, %21 : i32
  llvm.cond_br %114, ^bb16, ^bb17
^bb16:
  %115 = llvm.or disjoint %27, %4 : i128
  llvm.br ^bb25(%115 : i128)
^bb17:
  %116 = llvm.icmp "slt" %110, %19 : i32
  llvm.cond_br %116, ^bb18, ^bb21(%110, %113 : i32, i128)
^bb18:
  %117 = llvm.icmp "slt" %110, %22 : i32
  llvm.cond_br %117, ^bb19, ^bb20
^bb19:
  %118 = llvm.icmp "ne" %113, %5 : i128
  %119 = llvm.zext %118 : i1 to i128
  llvm.br ^bb21(%11, %119 : i32, i128)
^bb20:
  %120 = llvm.sub %19, %110 overflow<nsw> : i32
  %121 = llvm.zext nneg %120 : i32 to i128
  %122 = llvm.lshr %113, %121 : i128
  %123 = llvm.add %110, %23 overflow<nsw> : i32
  %124 = llvm.zext nneg %123 : i32 to i128
  %125 = llvm.shl %113, %124 : i128
  %126 = llvm.icmp "ne" %125, %5 : i128
  %127 = llvm.zext %126 : i1 to i128
  %128 = llvm.or %122, %127 : i128
  llvm.br ^bb21(%11, %128 : i32, i128)
^bb21(%129: i32, %130: i128):
  %131 = llvm.trunc %130 : i128 to i32
  %132 = llvm.and %131, %24 : i32
  %133 = llvm.lshr %130, %20 : i128
  %134 = llvm.intr.usub.sat(%129, %19) : (i32, i32) -> i32
  %135 = llvm.zext nneg %134 : i32 to i128
  %136 = llvm.shl %135, %9 overflow<nsw, nuw> : i128
  %137 = llvm.add %136, %133 overflow<nuw> : i128
  %138 = llvm.icmp "ugt" %132, %25 : i32
  llvm.cond_br %138, ^bb23, ^bb22
^bb22:
  %139 = llvm.icmp "ne" %132, %25 : i32
  %140 = llvm.and %130, %26 : i128
  %141 = llvm.icmp "eq" %140, %5 : i128
  %142 = llvm.or %141, %139 : i1
  llvm.cond_br %142, ^bb24(%137 : i128), ^bb23
^bb23:
  %143 = llvm.add %137, %17 overflow<nuw> : i128
  llvm.br ^bb24(%143 : i128)
^bb24(%144: i128):
  %145 = llvm.or %144, %27 : i128
  llvm.br ^bb25(%145 : i128)
^bb25(%146: i128):
  llvm.return %146 : i128
}
