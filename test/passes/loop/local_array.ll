; RUN: nvvm-opt %s -O3 | filecheck %s

; A step of lattice Boltzmann, D3Q19 (`boltzmann` of bench/loop_kernels.cu): 19 distributions in a local array,
; indexed in loops over tables of directions, which the host may fill in. The array is promoted to registers:
; only the loads of the distributions and of the tables remain.
; CHECK-LABEL: llvm.func @boltzmann
; CHECK-NOT:     llvm.alloca
; CHECK-COUNT-19: llvm.load {{.*}}!llvm.ptr<1> -> f32
; CHECK-NOT:     llvm.load {{.*}}f32
; CHECK-COUNT-19: llvm.store {{.*}}f32, !llvm.ptr<1>
; CHECK-NOT:     llvm.store
; CHECK:         llvm.return

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@cx = dso_local addrspace(4) externally_initialized constant [19 x i32] [i32 0, i32 1, i32 -1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 -1, i32 1, i32 -1, i32 1, i32 -1, i32 1, i32 -1, i32 0, i32 0, i32 0, i32 0], align 4
@cy = dso_local addrspace(4) externally_initialized constant [19 x i32] [i32 0, i32 0, i32 0, i32 1, i32 -1, i32 0, i32 0, i32 1, i32 -1, i32 -1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 -1, i32 1, i32 -1], align 4
@cz = dso_local addrspace(4) externally_initialized constant [19 x i32] [i32 0, i32 0, i32 0, i32 0, i32 0, i32 1, i32 -1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 -1, i32 -1, i32 1, i32 1, i32 -1, i32 -1, i32 1], align 4

define dso_local ptx_kernel void @boltzmann(ptr noalias noundef %0, ptr noalias noundef %1, float noundef %2) {
  %4 = alloca [19 x float], align 4
  %5 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = shl nsw i32 %5, 5
  %7 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nuw nsw i32 %6, %7
  %9 = and i32 %8, 63
  br label %10

10:
  %11 = phi i32 [ 0, %3 ], [ %21, %13 ]
  %12 = icmp samesign ult i32 %11, 19
  br i1 %12, label %13, label %22

13:
  %14 = shl nuw nsw i32 %11, 6
  %15 = or disjoint i32 %14, %9
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds nuw float, ptr %0, i64 %16
  %18 = load float, ptr %17, align 4
  %19 = zext nneg i32 %11 to i64
  %20 = getelementptr inbounds nuw float, ptr %4, i64 %19
  store float %18, ptr %20, align 4
  %21 = add nuw nsw i32 %11, 1
  br label %10

22:
  %23 = phi float [ %33, %29 ], [ 0.000000e+00, %10 ]
  %24 = phi float [ %42, %29 ], [ 0.000000e+00, %10 ]
  %25 = phi float [ %51, %29 ], [ 0.000000e+00, %10 ]
  %26 = phi float [ %60, %29 ], [ 0.000000e+00, %10 ]
  %27 = phi i32 [ %61, %29 ], [ 0, %10 ]
  %28 = icmp samesign ult i32 %27, 19
  br i1 %28, label %29, label %62

29:
  %30 = zext nneg i32 %27 to i64
  %31 = getelementptr inbounds nuw float, ptr %4, i64 %30
  %32 = load float, ptr %31, align 4
  %33 = fadd contract float %23, %32
  %34 = zext nneg i32 %27 to i64
  %35 = getelementptr inbounds nuw float, ptr %4, i64 %34
  %36 = load float, ptr %35, align 4
  %37 = zext nneg i32 %27 to i64
  %38 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cx to ptr), i64 %37
  %39 = load i32, ptr %38, align 4
  %40 = sitofp i32 %39 to float
  %41 = fmul contract float %36, %40
  %42 = fadd contract float %24, %41
  %43 = zext nneg i32 %27 to i64
  %44 = getelementptr inbounds nuw float, ptr %4, i64 %43
  %45 = load float, ptr %44, align 4
  %46 = zext nneg i32 %27 to i64
  %47 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cy to ptr), i64 %46
  %48 = load i32, ptr %47, align 4
  %49 = sitofp i32 %48 to float
  %50 = fmul contract float %45, %49
  %51 = fadd contract float %25, %50
  %52 = zext nneg i32 %27 to i64
  %53 = getelementptr inbounds nuw float, ptr %4, i64 %52
  %54 = load float, ptr %53, align 4
  %55 = zext nneg i32 %27 to i64
  %56 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cz to ptr), i64 %55
  %57 = load i32, ptr %56, align 4
  %58 = sitofp i32 %57 to float
  %59 = fmul contract float %54, %58
  %60 = fadd contract float %26, %59
  %61 = add nuw nsw i32 %27, 1
  br label %22

62:
  %63 = fdiv contract float %24, %23
  %64 = fdiv contract float %25, %23
  %65 = fdiv contract float %26, %23
  br label %66

66:
  %67 = phi i32 [ 0, %62 ], [ %116, %91 ]
  %68 = icmp samesign ult i32 %67, 19
  br i1 %68, label %69, label %117

69:
  %70 = zext nneg i32 %67 to i64
  %71 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cx to ptr), i64 %70
  %72 = load i32, ptr %71, align 4
  %73 = sitofp i32 %72 to float
  %74 = fmul contract float %63, %73
  %75 = zext nneg i32 %67 to i64
  %76 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cy to ptr), i64 %75
  %77 = load i32, ptr %76, align 4
  %78 = sitofp i32 %77 to float
  %79 = fmul contract float %64, %78
  %80 = fadd contract float %74, %79
  %81 = zext nneg i32 %67 to i64
  %82 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cz to ptr), i64 %81
  %83 = load i32, ptr %82, align 4
  %84 = sitofp i32 %83 to float
  %85 = fmul contract float %65, %84
  %86 = fadd contract float %80, %85
  %87 = icmp eq i32 %67, 0
  br i1 %87, label %91, label %88

88:
  %89 = icmp samesign ult i32 %67, 7
  %90 = select contract i1 %89, float 0x3FAC71C720000000, float 0x3F9C71C720000000
  br label %91

91:
  %92 = phi contract float [ %90, %88 ], [ 0x3FD5555560000000, %69 ]
  %93 = zext nneg i32 %67 to i64
  %94 = getelementptr inbounds nuw float, ptr %4, i64 %93
  %95 = load float, ptr %94, align 4
  %96 = fmul contract float %92, %23
  %97 = fmul contract float %86, 3.000000e+00
  %98 = fadd contract float %97, 1.000000e+00
  %99 = fmul contract float %86, 4.500000e+00
  %100 = fmul contract float %99, %86
  %101 = fadd contract float %98, %100
  %102 = fmul contract float %63, %63
  %103 = fmul contract float %64, %64
  %104 = fadd contract float %102, %103
  %105 = fmul contract float %65, %65
  %106 = fadd contract float %104, %105
  %107 = fmul contract float %106, 1.500000e+00
  %108 = fsub contract float %101, %107
  %109 = fmul contract float %96, %108
  %110 = fsub contract float %95, %109
  %111 = fmul contract float %2, %110
  %112 = zext nneg i32 %67 to i64
  %113 = getelementptr inbounds nuw float, ptr %4, i64 %112
  %114 = load float, ptr %113, align 4
  %115 = fsub contract float %114, %111
  store float %115, ptr %113, align 4
  %116 = add nuw nsw i32 %67, 1
  br label %66

117:
  %118 = phi i32 [ %147, %120 ], [ 0, %66 ]
  %119 = icmp samesign ult i32 %118, 19
  br i1 %119, label %120, label %148

120:
  %121 = zext nneg i32 %118 to i64
  %122 = getelementptr inbounds nuw float, ptr %4, i64 %121
  %123 = load float, ptr %122, align 4
  %124 = shl nuw nsw i32 %118, 6
  %125 = zext nneg i32 %118 to i64
  %126 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cz to ptr), i64 %125
  %127 = load i32, ptr %126, align 4
  %128 = shl i32 %127, 4
  %129 = add i32 %8, %128
  %130 = and i32 %129, 48
  %131 = or disjoint i32 %124, %130
  %132 = zext nneg i32 %118 to i64
  %133 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cy to ptr), i64 %132
  %134 = load i32, ptr %133, align 4
  %135 = shl i32 %134, 2
  %136 = add i32 %7, %135
  %137 = and i32 %136, 12
  %138 = or disjoint i32 %131, %137
  %139 = zext nneg i32 %118 to i64
  %140 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(4) @cx to ptr), i64 %139
  %141 = load i32, ptr %140, align 4
  %142 = add i32 %7, %141
  %143 = and i32 %142, 3
  %144 = or disjoint i32 %138, %143
  %145 = zext nneg i32 %144 to i64
  %146 = getelementptr inbounds nuw float, ptr %1, i64 %145
  store float %123, ptr %146, align 4
  %147 = add nuw nsw i32 %118, 1
  br label %117

148:
  ret void
}

declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()

