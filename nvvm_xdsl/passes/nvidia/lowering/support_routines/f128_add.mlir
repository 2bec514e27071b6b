llvm.func internal @__nvvm_xdsl_f128_add(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %1 = llvm.mlir.constant(170135991163610696904058773219554885633 : i128) : i128
  %2 = llvm.mlir.constant(2596148429267413814265248164610048 : i128) : i128
  %3 = llvm.mlir.constant(-170141183460469231731687303715884105728 : i128) : i128
  %4 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %5 = llvm.mlir.constant(0 : i128) : i128
  %6 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %7 = llvm.mlir.constant(112 : i128) : i128
  %8 = llvm.mlir.constant(5192296858534827628530496329220096 : i128) : i128
  %9 = llvm.mlir.constant(64 : i128) : i128
  %10 = llvm.mlir.constant(64 : i32) : i32
  %11 = llvm.mlir.constant(-15 : i32) : i32
  %12 = llvm.mlir.constant(16 : i32) : i32
  %13 = llvm.mlir.constant(3 : i128) : i128
  %14 = llvm.mlir.constant(127 : i32) : i32
  %15 = llvm.mlir.constant(128 : i32) : i32
  %16 = llvm.mlir.constant(-1 : i128) : i128
  %17 = llvm.mlir.constant(-12 : i32) : i32
  %18 = llvm.mlir.constant(83076749736557242056487941267521536 : i128) : i128
  %19 = llvm.mlir.constant(1 : i128) : i128
  %20 = llvm.mlir.constant(1 : i32) : i32
  %21 = llvm.mlir.constant(32766 : i32) : i32
  %22 = llvm.mlir.constant(-126 : i32) : i32
  %23 = llvm.mlir.constant(0 : i32) : i32
  %24 = llvm.mlir.constant(7 : i32) : i32
  %25 = llvm.mlir.constant(4 : i32) : i32
  %26 = llvm.mlir.constant(8 : i128) : i128
  %27 = llvm.mlir.constant(170138587312039964317873038467719495680 : i128) : i128
  %28 = llvm.and %arg0, %0 : i128
  %29 = llvm.icmp "ult" %28, %1 : i128
  llvm.cond_br %29, ^bb2, ^bb1
^bb1:
  %30 = llvm.or %arg0, %2 : i128
  llvm.br ^bb33(%30 : i128)
^bb2:
  %31 = llvm.and %arg1, %0 : i128
  %32 = llvm.icmp "ult" %31, %1 : i128
  llvm.cond_br %32, ^bb4, ^bb3
^bb3:
  %33 = llvm.or %arg1, %2 : i128
  llvm.br ^bb33(%33 : i128)
^bb4:
  %34 = llvm.icmp "ult" %28, %31 : i128
  %35 = llvm.intr.umax(%28, %31) : (i128, i128) -> i128
  %36 = llvm.intr.umin(%28, %31) : (i128, i128) -> i128
  %37 = llvm.select %34, %arg1, %arg0 : i1, i128
  %38 = llvm.and %37, %3 : i128
  %39 = llvm.icmp "eq" %35, %4 : i128
  llvm.cond_br %39, ^bb5, ^bb6
^bb5:
  %40 = llvm.icmp "ne" %36, %4 : i128
  %41 = llvm.icmp "eq" %arg1, %arg0 : i128
  %42 = llvm.or %41, %40 : i1
  %43 = llvm.select %42, %37, %27 : i1, i128
  llvm.br ^bb33(%43 : i128)
^bb6:
  %44 = llvm.icmp "eq" %36, %5 : i128
  llvm.cond_br %44, ^bb7, ^bb8
^bb7:
  %45 = llvm.icmp "eq" %35, %5 : i128
  %46 = llvm.and %arg1, %arg0 : i128
  %47 = llvm.select %45, %46, %37 : i1, i128
  llvm.br ^bb33(%47 : i128)
^bb8:
  %48 = llvm.and %35, %6 : i128
  %49 = llvm.lshr %35, %7 : i128
  %50 = llvm.icmp "eq" %49, %5 : i128
  llvm.cond_br %50, ^bb10, ^bb9
^bb9:
  %51 = llvm.trunc %49 overflow<nsw, nuw> : i128 to i32
  %52 = llvm.or disjoint %48, %8 : i128
  llvm.br ^bb11(%51, %52 : i32, i128)
^bb10:
  %53 = llvm.lshr %35, %9 : i128
  %54 = llvm.icmp "eq" %53, %5 : i128
  %55 = llvm.trunc %53 overflow<nsw, nuw> : i128 to i64
  %56 = "llvm.intr.ctlz"(%55) <{is_zero_poison = true}> : (i64) -> i64
  %57 = llvm.trunc %56 overflow<nsw, nuw> : i64 to i32
  %58 = llvm.trunc %35 : i128 to i64
  %59 = "llvm.intr.ctlz"(%58) <{is_zero_poison = true}> : (i64) -> i64
  %60 = llvm.trunc %59 overflow<nsw, nuw> : i64 to i32
  %61 = llvm.or disjoint %60, %10 : i32
  %62 = llvm.select %54, %61, %57 : i1, i32
  %63 = llvm.add %62, %11 overflow<nsw> : i32
  %64 = llvm.sub %12, %62 overflow<nsw> : i32
  %65 = llvm.zext nneg %63 : i32 to i128
  %66 = llvm.shl %48, %65 : i128
  llvm.br ^bb11(%64, %66 : i32, i128)
^bb11(%67: i32, %68: i128):
  %69 = llvm.shl %68, %13 : i128
  %70 = llvm.and %36, %6 : i128
  %71 = llvm.lshr %36, %7 : i128
  %72 = llvm.icmp "eq" %71, %5 : i128
  llvm.cond_br %72, ^bb13, ^bb12
^bb12:
  %73 = llvm.trunc %71 overflow<nsw, nuw> : i128 to i32
  %74 = llvm.or disjoint %70, %8 : i128
  llvm.br ^bb14(%73, %74 : i32, i128)
^bb13:
  %75 = llvm.lshr %36, %9 : i128
  %76 = llvm.icmp "eq" %75, %5 : i128
  %77 = llvm.trunc %75 overflow<nsw, nuw> : i128 to i64
  %78 = "llvm.intr.ctlz"(%77) <{is_zero_poison = true}> : (i64) -> i64
  %79 = llvm.trunc %78 overflow<nsw, nuw> : i64 to i32
  %80 = llvm.trunc %36 : i128 to i64
  %81 = "llvm.intr.ctlz"(%80) <{is_zero_poison = true}> : (i64) -> i64
  %82 = llvm.trunc %81 overflow<nsw, nuw> : i64 to i32
  %83 = llvm.or disjoint %82, %10 : i32
  %84 = llvm.select %76, %83, %79 : i1, i32
  %85 = llvm.add %84, %11 overflow<nsw> : i32
  %86 = llvm.sub %12, %84 overflow<nsw> : i32
  %87 = llvm.zext nneg %85 : i32 to i128
  %88 = llvm.shl %70, %87 : i128
  llvm.br ^bb14(%86, %88 : i32, i128)
^bb14(%89: i32, %90: i128):
  %91 = llvm.shl %90, %13 : i128
  %92 = llvm.sub %67, %89 overflow<nsw> : i32
  %93 = llvm.icmp "eq" %67, %89 : i32
  llvm.cond_br %93, ^bb18(%91 : i128), ^bb15
^bb15:
  %94 = llvm.icmp "sgt" %92, %14 : i32
  llvm.cond_br %94, ^bb16, ^bb17
^bb16:
  %95 = llvm.icmp "ne" %91, %5 : i128
  %96 = llvm.zext %95 : i1 to i128
  llvm.br ^bb18(%96 : i128)
^bb17:
  %97 = llvm.zext nneg %92 : i32 to i128
  %98 = llvm.lshr %91, %97 : i128
  %99 = llvm.sub %15, %92 overflow<nsw> : i32
  %100 = llvm.zext nneg %99 : i32 to i128
  %101 = llvm.shl %91, %100 : i128
  %102 = llvm.icmp "ne" %101, %5 : i128
  %103 = llvm.zext %102 : i1 to i128
  %104 = llvm.or %98, %103 : i128
  llvm.br ^bb18(%104 : i128)
^bb18(%105: i128):
  %106 = llvm.xor %arg1, %arg0 : i128
  %107 = llvm.icmp "sgt" %106, %16 : i128
  llvm.cond_br %107, ^bb21, ^bb19
^bb19:
  %108 = llvm.icmp "eq" %69, %105 : i128
  llvm.cond_br %108, ^bb33(%5 : i128), ^bb20
^bb20:
  %109 = llvm.sub %69, %105 : i128
  %110 = llvm.lshr %109, %9 : i128
  %111 = llvm.icmp "eq" %110, %5 : i128
  %112 = llvm.trunc %110 overflow<nuw> : i128 to i64
  %113 = "llvm.intr.ctlz"(%112) <{is_zero_poison = true}> : (i64) -> i64
  %114 = llvm.trunc %113 overflow<nsw, nuw> : i64 to i32
  %115 = llvm.trunc %109 overflow<nuw> : i128 to i64
  %116 = "llvm.intr.ctlz"(%115) <{is_zero_poison = true}> : (i64) -> i64
  %117 = llvm.trunc %116 overflow<nsw, nuw> : i64 to i32
  %118 = llvm.or disjoint %117, %10 : i32
  %119 = llvm.select %111, %118, %114 : i1, i32
  %120 = llvm.add %119, %17 overflow<nsw> : i32
  %121 = llvm.zext nneg %120 : i32 to i128
  %122 = llvm.shl %109, %121 : i128
  %123 = llvm.sub %67, %120 overflow<nsw> : i32
  llvm.br ^bb23(%123, %122 : i32, i128)
^bb21:
  %124 = llvm.add %105, %69 : i128
  %125 = llvm.icmp "ult" %124, %18 : i128
  llvm.cond_br %125, ^bb23(%67, %124 : i32, i128), ^bb22
^bb22:
  %126 = llvm.lshr %124, %19 : i128
  %127 = llvm.and %105, %19 : i128
  %128 = llvm.or %126, %127 : i128
  %129 = llvm.add %67, %20 overflow<nsw> : i32
  llvm.br ^bb23(%129, %128 : i32, i128)
^bb23(%130: i32, %131: i128):
  %132 = llvm.icmp "sgt" %130, %21 : i32
  llvm.cond_br %132, ^bb24, ^bb25
^bb24:
  %133 = llvm.or disjoint %38, %4 : i128
  llvm.br ^bb33(%133 : i128)
^bb25:
  %134 = llvm.icmp "slt" %130, %20 : i32
  llvm.cond_br %134, ^bb26, ^bb29(%130, %131 : i32, i128)
^bb26:
  %135 = llvm.icmp "slt" %130, %22 : i32
  llvm.cond_br %135, ^bb27, ^bb28
^bb27:
  %136 = llvm.icmp "ne" %131, %5 : i128
  %137 = llvm.zext %136 : i1 to i128
  llvm.br ^bb29(%23, %137 : i32, i128)
^bb28:
  %138 = llvm.sub %20, %130 overflow<nsw> : i32
  %139 = llvm.zext nneg %138 : i32 to i128
  %140 = llvm.lshr %131, %139 : i128
  %141 = llvm.add %130, %14 overflow<nsw> : i32
  %142 = llvm.zext nneg %141 : i32 to i128
  %143 = llvm.shl %131, %142 : i128
  %144 = llvm.icmp "ne" %143, %5 : i128
  %145 = llvm.zext %144 : i1 to i128
  %146 = llvm.or %140, %145 : i128
  llvm.br ^bb29(%23, %146 : i32, i128)
^bb29(%147: i32, %148: i128):
  %149 = llvm.trunc %148 : i128 to i32
  %150 = llvm.and %149, %24 : i32
  %151 = llvm.lshr %148, %13 : i128
  %152 = llvm.intr.usub.sat(%147, %20) : (i32, i32) -> i32
  %153 = llvm.zext nneg %152 : i32 to i128
  %154 = llvm.shl %153, %7 overflow<nsw, nuw> : i128
  %155 = llvm.add %154, %151 overflow<nuw> : i128
  %156 = llvm.icmp "ugt" %150, %25 : i32
  llvm.cond_br %156, ^bb31, ^bb30
^bb30:
  %157 = llvm.icmp "ne" %150, %25 : i32
  %158 = llvm.and %148, %26 : i128
  %159 = llvm.icmp "eq" %158, %5 : i128
  %160 = llvm.or %159, %157 : i1
  llvm.cond_br %160, ^bb32(%155 : i128), ^bb31
^bb31:
  %161 = llvm.add %155, %19 overflow<nuw> : i128
  llvm.br ^bb32(%161 : i128)
^bb32(%162: i128):
  %163 = llvm.or %162, %38 : i128
  llvm.br ^bb33(%163 : i128)
^bb33(%164: i128):
  llvm.return %164 : i128
}
