llvm.func internal @__nvvm_xdsl_f128_div(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(-170141183460469231731687303715884105728 : i128) : i128
  %1 = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %2 = llvm.mlir.constant(170135991163610696904058773219554885633 : i128) : i128
  %3 = llvm.mlir.constant(2596148429267413814265248164610048 : i128) : i128
  %4 = llvm.mlir.constant(170135991163610696904058773219554885632 : i128) : i128
  %5 = llvm.mlir.constant(0 : i128) : i128
  %6 = llvm.mlir.constant(170138587312039964317873038467719495680 : i128) : i128
  %7 = llvm.mlir.constant(5192296858534827628530496329220095 : i128) : i128
  %8 = llvm.mlir.constant(112 : i128) : i128
  %9 = llvm.mlir.constant(32767 : i32) : i32
  %10 = llvm.mlir.constant(0 : i32) : i32
  %11 = llvm.mlir.constant(5192296858534827628530496329220096 : i128) : i128
  %12 = llvm.mlir.constant(64 : i128) : i128
  %13 = llvm.mlir.constant(64 : i32) : i32
  %14 = llvm.mlir.constant(-15 : i32) : i32
  %15 = llvm.mlir.constant(16 : i32) : i32
  %16 = llvm.mlir.constant(1 : i128) : i128
  %17 = llvm.mlir.constant(1 : i32) : i32
  %18 = llvm.mlir.constant(116 : i32) : i32
  %19 = llvm.mlir.constant(16382 : i32) : i32
  %20 = llvm.mlir.constant(16383 : i32) : i32
  %21 = llvm.mlir.constant(32766 : i32) : i32
  %22 = llvm.mlir.constant(-126 : i32) : i32
  %23 = llvm.mlir.constant(127 : i32) : i32
  %24 = llvm.mlir.constant(7 : i32) : i32
  %25 = llvm.mlir.constant(3 : i128) : i128
  %26 = llvm.mlir.constant(4 : i32) : i32
  %27 = llvm.mlir.constant(8 : i128) : i128
  %28 = llvm.xor %arg1, %arg0 : i128
  %29 = llvm.and %28, %0 : i128
  %30 = llvm.and %arg0, %1 : i128
  %31 = llvm.and %arg1, %1 : i128
  %32 = llvm.icmp "ult" %30, %2 : i128
  llvm.cond_br %32, ^bb2, ^bb1
^bb1:
  %33 = llvm.or %arg0, %3 : i128
  llvm.br ^bb29(%33 : i128)
^bb2:
  %34 = llvm.icmp "ult" %31, %2 : i128
  llvm.cond_br %34, ^bb4, ^bb3
^bb3:
  %35 = llvm.or %arg1, %3 : i128
  llvm.br ^bb29(%35 : i128)
^bb4:
  %36 = llvm.icmp "eq" %30, %4 : i128
  llvm.cond_br %36, ^bb5, ^bb6
^bb5:
  %37 = llvm.icmp "eq" %31, %4 : i128
  %38 = llvm.or disjoint %29, %4 : i128
  %39 = llvm.select %37, %6, %38 : i1, i128
  llvm.br ^bb29(%39 : i128)
^bb6:
  %40 = llvm.trunc %arg1 : i128 to i127
  llvm.switch %40 : i127, ^bb8 [
    -5192296858534827628530496329220096: ^bb29(%29 : i128),
    0: ^bb7
  ]
^bb7:
  %41 = llvm.icmp "eq" %30, %5 : i128
  %42 = llvm.or disjoint %29, %4 : i128
  %43 = llvm.select %41, %6, %42 : i1, i128
  llvm.br ^bb29(%43 : i128)
^bb8:
  %44 = llvm.icmp "eq" %30, %5 : i128
  llvm.cond_br %44, ^bb29(%29 : i128), ^bb9
^bb9:
  %45 = llvm.and %arg0, %7 : i128
  %46 = llvm.lshr %arg0, %8 : i128
  %47 = llvm.trunc %46 overflow<nsw, nuw> : i128 to i32
  %48 = llvm.and %47, %9 : i32
  %49 = llvm.icmp "eq" %48, %10 : i32
  llvm.cond_br %49, ^bb11, ^bb10
^bb10:
  %50 = llvm.or disjoint %45, %11 : i128
  llvm.br ^bb12(%48, %50 : i32, i128)
^bb11:
  %51 = llvm.lshr %45, %12 : i128
  %52 = llvm.icmp "eq" %51, %5 : i128
  %53 = llvm.trunc %51 overflow<nsw, nuw> : i128 to i64
  %54 = "llvm.intr.ctlz"(%53) <{is_zero_poison = true}> : (i64) -> i64
  %55 = llvm.trunc %54 overflow<nsw, nuw> : i64 to i32
  %56 = llvm.trunc %arg0 : i128 to i64
  %57 = "llvm.intr.ctlz"(%56) <{is_zero_poison = true}> : (i64) -> i64
  %58 = llvm.trunc %57 overflow<nsw, nuw> : i64 to i32
  %59 = llvm.or disjoint %58, %13 : i32
  %60 = llvm.select %52, %59, %55 : i1, i32
  %61 = llvm.add %60, %14 overflow<nsw> : i32
  %62 = llvm.sub %15, %60 overflow<nsw> : i32
  %63 = llvm.zext nneg %61 : i32 to i128
  %64 = llvm.shl %45, %63 : i128
  llvm.br ^bb12(%62, %64 : i32, i128)
^bb12(%65: i32, %66: i128):
  %67 = llvm.and %arg1, %7 : i128
  %68 = llvm.lshr %arg1, %8 : i128
  %69 = llvm.trunc %68 overflow<nsw, nuw> : i128 to i32
  %70 = llvm.and %69, %9 : i32
  %71 = llvm.icmp "eq" %70, %10 : i32
  llvm.cond_br %71, ^bb14, ^bb13
^bb13:
  %72 = llvm.or disjoint %67, %11 : i128
  llvm.br ^bb15(%70, %72 : i32, i128)
^bb14:
  %73 = llvm.lshr %67, %12 : i128
  %74 = llvm.icmp "eq" %73, %5 : i128
  %75 = llvm.trunc %73 overflow<nsw, nuw> : i128 to i64
  %76 = "llvm.intr.ctlz"(%75) <{is_zero_poison = true}> : (i64) -> i64
  %77 = llvm.trunc %76 overflow<nsw, nuw> : i64 to i32
  %78 = llvm.trunc %arg1 : i128 to i64
  %79 = "llvm.intr.ctlz"(%78) <{is_zero_poison = true}> : (i64) -> i64
  %80 = llvm.trunc %79 overflow<nsw, nuw> : i64 to i32
  %81 = llvm.or disjoint %80, %13 : i32
  %82 = llvm.select %74, %81, %77 : i1, i32
  %83 = llvm.add %82, %14 overflow<nsw> : i32
  %84 = llvm.sub %15, %82 overflow<nsw> : i32
  %85 = llvm.zext nneg %83 : i32 to i128
  %86 = llvm.shl %67, %85 : i128
  llvm.br ^bb15(%84, %86 : i32, i128)
^bb15(%87: i32, %88: i128):
  %89 = llvm.icmp "ult" %66, %88 : i128
  %90 = llvm.zext %89 : i1 to i128
  %91 = llvm.shl %66, %90 : i128
  llvm.br ^bb26(%10, %5, %91 : i32, i128, i128)
^bb16:
  %92 = llvm.sub %65, %87 overflow<nsw> : i32
  %93 = llvm.select %89, %19, %20 : i1, i32
  %94 = llvm.add %93, %92 overflow<nsw> : i32
  %95 = llvm.icmp "ne" %139, %5 : i128
  %96 = llvm.zext %95 : i1 to i128
  %97 = llvm.or %138, %96 : i128
  %98 = llvm.icmp "sgt" %94, %21 : i32
  llvm.cond_br %98, ^bb17, ^bb18
^bb17:
  %99 = llvm.or disjoint %29, %4 : i128
  llvm.br ^bb29(%99 : i128)
^bb18:
  %100 = llvm.icmp "slt" %94, %17 : i32
  llvm.cond_br %100, ^bb19, ^bb22(%94, %97 : i32, i128)
^bb19:
  %101 = llvm.icmp "slt" %94, %22 : i32
  llvm.cond_br %101, ^bb20, ^bb21
^bb20:
  %102 = llvm.icmp "ne" %97, %5 : i128
  %103 = llvm.zext %102 : i1 to i128
  llvm.br ^bb22(%10, %103 : i32, i128)
^bb21:
  %104 = llvm.sub %17, %94 overflow<nsw> : i32
  %105 = llvm.zext nneg %104 : i32 to i128
  %106 = llvm.lshr %97, %105 : i128
  %107 = llvm.add %94, %23 overflow<nsw> : i32
  %108 = llvm.zext nneg %107 : i32 to i128
  %109 = llvm.shl %97, %108 : i128
  %110 = llvm.icmp "ne" %109, %5 : i128
  %111 = llvm.zext %110 : i1 to i128
  %112 = llvm.or %106, %111 : i128
  llvm.br ^bb22(%10, %112 : i32, i128)
^bb22(%113: i32, %114: i128):
  %115 = llvm.trunc %114 : i128 to i32
  %116 = llvm.and %115, %24 : i32
  %117 = llvm.lshr %114, %25 : i128
  %118 = llvm.intr.usub.sat(%113, %17) : (i32, i32) -> i32
  %119 = llvm.zext nneg %118 : i32 to i128
  %120 = llvm.shl %119, %8 overflow<nsw, nuw> : i128
  %121 = llvm.add %120, %117 overflow<nuw> : i128
  %122 = llvm.icmp "ugt" %116, %26 : i32
  llvm.cond_br %122, ^bb24, ^bb23
^bb23:
  %123 = llvm.icmp "ne" %116, %26 : i32
  %124 = llvm.and %114, %27 : i128
  %125 = llvm.icmp "eq" %124, %5 : i128
  %126 = llvm.or %125, %123 : i1
  llvm.cond_br %126, ^bb25(%121 : i128), ^bb24
^bb24:
  %127 = llvm.add %121, %16 overflow<nuw> : i128
  llvm.br ^bb25(%127 : i128)
^bb25(%128: i128):
  %129 = llvm.or %128, %29 : i128
  llvm.br ^bb29(%129 : i128)
^bb26(%130: i32, %131: i128, %132: i128):
  %133 = llvm.shl %131, %16 : i128
  %134 = llvm.icmp "ult" %132, %88 : i128
  llvm.cond_br %134, ^bb28(%132, %133 : i128, i128), ^bb27
^bb27:
  %135 = llvm.sub %132, %88 overflow<nuw> : i128
  %136 = llvm.or disjoint %133, %16 : i128
  llvm.br ^bb28(%135, %136 : i128, i128)
^bb28(%137: i128, %138: i128):
  %139 = llvm.shl %137, %16 : i128
  %140 = llvm.add %130, %17 overflow<nsw, nuw> : i32
  %141 = llvm.icmp "eq" %140, %18 : i32
  llvm.cond_br %141, ^bb16, ^bb26(%140, %138, %139 : i32, i128, i128)
^bb29(%142: i128):
  llvm.return %142 : i128
}
