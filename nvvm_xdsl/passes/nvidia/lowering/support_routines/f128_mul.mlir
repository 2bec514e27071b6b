llvm.func internal @__nvvm_xdsl_f128_mul(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(-170141183460469231731687303715884105728 : i128) : i128
  %1 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %2 = llvm.mlir.constant(170135991163610696904058773219554885633 : i128) : i128
  %3 = llvm.mlir.constant(2596148429267413814265248164610048 : i128) : i128
  %4 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %5 = llvm.mlir.constant(0 : i128) : i128
  %6 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %7 = llvm.mlir.constant(112 : i128) : i128
  %8 = llvm.mlir.constant(32767 : i32) : i32
  %9 = llvm.mlir.constant(0 : i32) : i32
  %10 = llvm.mlir.constant(5192296858534827628530496329220096 : i128) : i128
  %11 = llvm.mlir.constant(64 : i128) : i128
  %12 = llvm.mlir.constant(64 : i32) : i32
  %13 = llvm.mlir.constant(-15 : i32) : i32
  %14 = llvm.mlir.constant(16 : i32) : i32
  %15 = llvm.mlir.constant(18446744073709551615 : i128) : i128
  %16 = llvm.mlir.constant(19 : i128) : i128
  %17 = llvm.mlir.constant(649037107316835006822238331600896 : i128) : i128
  %18 = llvm.mlir.constant(-16383 : i32) : i32
  %19 = llvm.mlir.constant(83076749736557242056487941267521536 : i128) : i128
  %20 = llvm.mlir.constant(1 : i128) : i128
  %21 = llvm.mlir.constant(-16382 : i32) : i32
  %22 = llvm.mlir.constant(32766 : i32) : i32
  %23 = llvm.mlir.constant(1 : i32) : i32
  %24 = llvm.mlir.constant(-126 : i32) : i32
  %25 = llvm.mlir.constant(127 : i32) : i32
  %26 = llvm.mlir.constant(7 : i32) : i32
  %27 = llvm.mlir.constant(3 : i128) : i128
  %28 = llvm.mlir.constant(4 : i32) : i32
  %29 = llvm.mlir.constant(8 : i128) : i128
  %30 = llvm.mlir.constant(170138587312039964317873038467719495680 : i128) : i128
  %31 = llvm.xor %arg1, %arg0 : i128
  %32 = llvm.and %31, %0 : i128
  %33 = llvm.and %arg0, %1 : i128
  %34 = llvm.and %arg1, %1 : i128
  %35 = llvm.icmp "ult" %33, %2 : i128
  llvm.cond_br %35, ^bb2, ^bb1
^bb1:
  %36 = llvm.or %arg0, %3 : i128
  llvm.br ^bb25(%36 : i128)
^bb2:
  %37 = llvm.icmp "ult" %34, %2 : i128
  llvm.cond_br %37, ^bb4, ^bb3
^bb3:
  %38 = llvm.or %arg1, %3 : i128
  llvm.br ^bb25(%38 : i128)
^bb4:
  %39 = llvm.icmp "eq" %33, %4 : i128
  %40 = llvm.icmp "eq" %34, %4 : i128
  %41 = llvm.or %39, %40 : i1
  llvm.cond_br %41, ^bb5, ^bb6
^bb5:
  %42 = llvm.icmp "ne" %33, %5 : i128
  %43 = llvm.icmp "ne" %34, %5 : i128
  %44 = llvm.and %42, %43 : i1
  %45 = llvm.or disjoint %32, %4 : i128
  %46 = llvm.select %44, %45, %30 : i1, i128
  llvm.br ^bb25(%46 : i128)
^bb6:
  %47 = llvm.icmp "eq" %33, %5 : i128
  %48 = llvm.icmp "eq" %34, %5 : i128
  %49 = llvm.or %47, %48 : i1
  llvm.cond_br %49, ^bb25(%32 : i128), ^bb7
^bb7:
  %50 = llvm.and %arg0, %6 : i128
  %51 = llvm.lshr %arg0, %7 : i128
  %52 = llvm.trunc %51 overflow<nsw, nuw> : i128 to i32
  %53 = llvm.and %52, %8 : i32
  %54 = llvm.icmp "eq" %53, %9 : i32
  llvm.cond_br %54, ^bb9, ^bb8
^bb8:
  %55 = llvm.or disjoint %50, %10 : i128
  llvm.br ^bb10(%53, %55 : i32, i128)
^bb9:
  %56 = llvm.lshr %50, %11 : i128
  %57 = llvm.icmp "eq" %56, %5 : i128
  %58 = llvm.trunc %56 overflow<nsw, nuw> : i128 to i64
  %59 = "llvm.intr.ctlz"(%58) <{is_zero_poison = true}> : (i64) -> i64
  %60 = llvm.trunc %59 overflow<nsw, nuw> : i64 to i32
  %61 = llvm.trunc %arg0 : i128 to i64
  %62 = "llvm.intr.ctlz"(%61) <{is_zero_poison = true}> : (i64) -> i64
  %63 = llvm.trunc %62 overflow<nsw, nuw> : i64 to i32
  %64 = llvm.or disjoint %63, %12 : i32
  %65 = llvm.select %57, %64, %60 : i1, i32
  %66 = llvm.add %65, %13 overflow<nsw> : i32
  %67 = llvm.sub %14, %65 overflow<nsw> : i32
  %68 = llvm.zext nneg %66 : i32 to i128
  %69 = llvm.shl %50, %68 : i128
  llvm.br ^bb10(%67, %69 : i32, i128)
^bb10(%70: i32, %71: i128):
  %72 = llvm.and %arg1, %6 : i128
  %73 = llvm.lshr %arg1, %7 : i128
  %74 = llvm.trunc %73 overflow<nsw, nuw> : i128 to i32
  %75 = llvm.and %74, %8 : i32
  %76 = llvm.icmp "eq" %75, %9 : i32
  llvm.cond_br %76, ^bb12, ^bb11
^bb11:
  %77 = llvm.or disjoint %72, %10 : i128
  llvm.br ^bb13(%75, %77 : i32, i128)
^bb12:
  %78 = llvm.lshr %72, %11 : i128
  %79 = llvm.icmp "eq" %78, %5 : i128
  %80 = llvm.trunc %78 overflow<nsw, nuw> : i128 to i64
  %81 = "llvm.intr.ctlz"(%80) <{is_zero_poison = true}> : (i64) -> i64
  %82 = llvm.trunc %81 overflow<nsw, nuw> : i64 to i32
  %83 = llvm.trunc %arg1 : i128 to i64
  %84 = "llvm.intr.ctlz"(%83) <{is_zero_poison = true}> : (i64) -> i64
  %85 = llvm.trunc %84 overflow<nsw, nuw> : i64 to i32
  %86 = llvm.or disjoint %85, %12 : i32
  %87 = llvm.select %79, %86, %82 : i1, i32
  %88 = llvm.add %87, %13 overflow<nsw> : i32
  %89 = llvm.sub %14, %87 overflow<nsw> : i32
  %90 = llvm.zext nneg %88 : i32 to i128
  %91 = llvm.shl %72, %90 : i128
  llvm.br ^bb13(%89, %91 : i32, i128)
^bb13(%92: i32, %93: i128):
  %94 = llvm.lshr %71, %11 : i128
  %95 = llvm.lshr %93, %11 : i128
  %96 = llvm.and %71, %15 : i128
  %97 = llvm.and %93, %15 : i128
  %98 = llvm.mul %97, %96 overflow<nuw> : i128
  %99 = llvm.mul %97, %94 overflow<nuw> : i128
  %100 = llvm.mul %95, %96 overflow<nuw> : i128
  %101 = llvm.mul %95, %94 overflow<nuw> : i128
  %102 = llvm.lshr %98, %11 : i128
  %103 = llvm.and %99, %15 : i128
  %104 = llvm.add %102, %103 overflow<nsw, nuw> : i128
  %105 = llvm.and %100, %15 : i128
  %106 = llvm.add %104, %105 overflow<nsw, nuw> : i128
  %107 = llvm.lshr %99, %11 : i128
  %108 = llvm.lshr %100, %11 : i128
  %109 = llvm.lshr %106, %11 : i128
  %110 = llvm.add %108, %101 overflow<nuw> : i128
  %111 = llvm.add %110, %107 overflow<nuw> : i128
  %112 = llvm.add %111, %109 overflow<nuw> : i128
  %113 = llvm.shl %106, %11 : i128
  %114 = llvm.and %98, %15 : i128
  %115 = llvm.intr.fshl(%112, %113, %16) : (i128, i128, i128) -> i128
  %116 = llvm.and %113, %17 : i128
  %117 = llvm.or disjoint %116, %114 : i128
  %118 = llvm.icmp "ne" %117, %5 : i128
  %119 = llvm.zext %118 : i1 to i128
  %120 = llvm.or %115, %119 : i128
  %121 = llvm.add %92, %70 overflow<nsw> : i32
  %122 = llvm.add %121, %18 overflow<nsw> : i32
  %123 = llvm.icmp "ult" %115, %19 : i128
  llvm.cond_br %123, ^bb15(%120, %122 : i128, i32), ^bb14
^bb14:
  %124 = llvm.lshr %115, %20 : i128
  %125 = llvm.and %120, %20 : i128
  %126 = llvm.or %125, %124 : i128
  %127 = llvm.add %121, %21 overflow<nsw> : i32
  llvm.br ^bb15(%126, %127 : i128, i32)
^bb15(%128: i128, %129: i32):
  %130 = llvm.icmp "sgt" %129, %22 : i32
  llvm.cond_br %130, ^bb16, ^bb17
^bb16:
  %131 = llvm.or disjoint %32, %4 : i128
  llvm.br ^bb25(%131 : i128)
^bb17:
  %132 = llvm.icmp "slt" %129, %23 : i32
  llvm.cond_br %132, ^bb18, ^bb21(%129, %128 : i32, i128)
^bb18:
  %133 = llvm.icmp "slt" %129, %24 : i32
  llvm.cond_br %133, ^bb19, ^bb20
^bb19:
  %134 = llvm.icmp "ne" %128, %5 : i128
  %135 = llvm.zext %134 : i1 to i128
  llvm.br ^bb21(%9, %135 : i32, i128)
^bb20:
  %136 = llvm.sub %23, %129 overflow<nsw> : i32
  %137 = llvm.zext nneg %136 : i32 to i128
  %138 = llvm.lshr %128, %137 : i128
  %139 = llvm.add %129, %25 overflow<nsw> : i32
  %140 = llvm.zext nneg %139 : i32 to i128
  %141 = llvm.shl %128, %140 : i128
  %142 = llvm.icmp "ne" %141, %5 : i128
  %143 = llvm.zext %142 : i1 to i128
  %144 = llvm.or %138, %143 : i128
  llvm.br ^bb21(%9, %144 : i32, i128)
^bb21(%145: i32, %146: i128):
  %147 = llvm.trunc %146 : i128 to i32
  %148 = llvm.and %147, %26 : i32
  %149 = llvm.lshr %146, %27 : i128
  %150 = llvm.intr.usub.sat(%145, %23) : (i32, i32) -> i32
  %151 = llvm.zext nneg %150 : i32 to i128
  %152 = llvm.shl %151, %7 overflow<nsw, nuw> : i128
  %153 = llvm.add %152, %149 overflow<nuw> : i128
  %154 = llvm.icmp "ugt" %148, %28 : i32
  llvm.cond_br %154, ^bb23, ^bb22
^bb22:
  %155 = llvm.icmp "ne" %148, %28 : i32
  %156 = llvm.and %146, %29 : i128
  %157 = llvm.icmp "eq" %156, %5 : i128
  %158 = llvm.or %157, %155 : i1
  llvm.cond_br %158, ^bb24(%153 : i128), ^bb23
^bb23:
  %159 = llvm.add %153, %20 overflow<nuw> : i128
  llvm.br ^bb24(%159 : i128)
^bb24(%160: i128):
  %161 = llvm.or %160, %32 : i128
  llvm.br ^bb25(%161 : i128)
^bb25(%162: i128):
  llvm.return %162 : i128
}
