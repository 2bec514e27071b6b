// nvvm-fuzz --seed 1 --count 1 --size 40 --arch sm_90 --pipeline 'loop-reduce' --shapes core,finite-loops=20 --no-machine
// nvvm-reduce FILE --match ": difference:" --test "nvvm-fuzz --seed 1 --file {} --arch sm_90 --pipeline 'loop-reduce' --shapes core,finite-loops=20 --no-machine"
// difference:
// @fuzz, grid 1, block 64: out of bounds: store of 1 bytes at local address 0x51c (0 bytes past the end of 'line5' (256 bytes)), by thread (0, 0, 0) of block (0, 0, 0): llvm.store in @fuzz (pipeline after (3) loop-reduce on fuzz)
builtin.module attributes {llvm.data_layout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64", llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.mlir.global internal @shared_i() {addr_space = 3 : i32, alignment = 4 : i64, dso_local} : !llvm.array<64 x i32> {
    %0 = llvm.mlir.undef : !llvm.array<64 x i32>
    llvm.return %0 : !llvm.array<64 x i32>
  }
  llvm.mlir.global internal @shared_f() {addr_space = 3 : i32, alignment = 4 : i64, dso_local} : !llvm.array<64 x f32> {
    %0 = llvm.mlir.undef : !llvm.array<64 x f32>
    llvm.return %0 : !llvm.array<64 x f32>
  }
  llvm.mlir.global internal constant @table(dense<[3, -1, 0, 65536, 7, -2147483648, 100, 1]> : tensor<8xi32>) {addr_space = 4 : i32, alignment = 4 : i64, dso_local} : !llvm.array<8 x i32>
  llvm.func @fuzz(%in_i: !llvm.ptr, %in_f: !llvm.ptr {llvm.noalias}, %in_l: !llvm.ptr {llvm.noalias}, %in_d: !llvm.ptr {llvm.noalias}, %in_h: !llvm.ptr {llvm.noalias}, %out_l: !llvm.ptr, %out_f: !llvm.ptr, %out_d: !llvm.ptr, %counters: !llvm.ptr, %n: i32, %x: f32, %shape: !llvm.ptr {llvm.align = 4 : i64, llvm.byval = !llvm.struct<(i32, array<2 x f32>)>}) attributes {nvvm.kernel} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.mlir.constant(16 : i32) : i32
    %2 = llvm.mlir.constant(2 : i64) : i64
    %3 = llvm.mlir.constant(3 : i8) : i8
    %4 = llvm.mlir.constant(127 : i8) : i8
    %5 = llvm.mlir.constant(1 : i8) : i8
    %6 = llvm.mlir.constant(1.000000e+00 : f32) : f32
    %7 = llvm.mlir.constant(-255 : i32) : i32
    %8 = llvm.mlir.constant(128 : i64) : i64
    %9 = llvm.mlir.constant(3 : i32) : i32
    %10 = llvm.mlir.constant(2.000000e+00 : f32) : f32
    %11 = llvm.mlir.constant(8.000000e+00 : f32) : f32
    %12 = llvm.mlir.constant(false) : i1
    %13 = llvm.mlir.constant(2 : i32) : i32
    %14 = llvm.mlir.constant(870270116 : i32) : i32
    %15 = llvm.mlir.constant(127 : i32) : i32
    %16 = llvm.mlir.constant(-1 : i8) : i8
    %17 = llvm.mlir.constant(1.600000e+01 : f32) : f32
    %18 = llvm.mlir.constant(8 : i64) : i64
    %19 = llvm.mlir.constant(9 : i64) : i64
    %20 = llvm.mlir.constant(10 : i64) : i64
    %21 = llvm.mlir.constant(11 : i64) : i64
    %22 = llvm.mlir.constant(12 : i64) : i64
    %23 = llvm.mlir.constant(13 : i64) : i64
    %24 = llvm.mlir.constant(14 : i64) : i64
    %25 = llvm.mlir.constant(15 : i64) : i64
    %line5 = llvm.alloca %0 x !llvm.array<256 x i8> {alignment = 1 : i64} : (i32) -> !llvm.ptr
    %line38 = llvm.alloca %0 x !llvm.array<256 x i8> {alignment = 1 : i64} : (i32) -> !llvm.ptr
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %cta = nvvm.read.ptx.sreg.ctaid.x : i32
    %ntid = nvvm.read.ptx.sreg.ntid.x : i32
    %base = llvm.mul %cta, %ntid : i32
    %gid = llvm.add %base, %tid : i32
    %first = llvm.mul %gid, %1 : i32
    %at = llvm.zext %first : i32 to i64
    %own_l = llvm.getelementptr %out_l[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %own_f = llvm.getelementptr %out_f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %own_d = llvm.getelementptr %out_d[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %v1 = llvm.fpext %x : f32 to f64
    %p2 = llvm.getelementptr inbounds %own_d[%2] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %v1, %p2 {alignment = 8 : i64} : f64, !llvm.ptr
    %v3 = llvm.call_intrinsic "llvm.fptosi.sat.i16.f64"(%v1) : (f64) -> i16
    %v4 = llvm.add %v3, %v3 : i16
    %v6 = llvm.call_intrinsic "llvm.fptosi.sat.i8.f32"(%x) : (f32) -> i8
    %v7 = llvm.and %v6, %3 : i8
    %v8 = llvm.sub %4, %v7 : i8
    %v9 = llvm.and %v7, %5 : i8
    %v10 = llvm.sub %4, %v9 : i8
    llvm.br ^finite11(%v8, %6, %7 : i8, f32, i32)
  ^finite11(%v12: i8, %v13: f32, %v14: i32):
    %v17 = llvm.sext %v12 : i8 to i64
    %v18 = llvm.add %v17, %8 overflow<nsw> : i64
    %p19 = llvm.getelementptr %line5[%v18] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %v7, %p19 {alignment = 1 : i64} : i8, !llvm.ptr
    %v20 = llvm.mul %v14, %9 : i32
    %v21 = llvm.add %v12, %5 : i8
    %v22 = llvm.fmul %v13, %10 : f32
    %v23 = llvm.icmp "sle" %v12, %v10 : i8
    %v24 = llvm.fcmp "olt" %v13, %11 : f32
    %v25 = llvm.select %v23, %v24, %12 : i1, i1
    llvm.cond_br %v25, ^forward26, ^forward27
  ^forward26:
    llvm.br ^again15
  ^forward27:
    llvm.br ^out16
  ^again15:
    llvm.br ^finite11(%v21, %v22, %v20 : i8, f32, i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  ^out16:
    %v28 = llvm.sext %v8 : i8 to i64
    %v29 = llvm.add %v28, %8 overflow<nsw> : i64
    %p30 = llvm.getelementptr %line5[%v29] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v31 = llvm.load %p30 {alignment = 1 : i64} : !llvm.ptr -> i8
    %v32 = llvm.icmp "uge" %tid, %gid : i32
    %v33 = llvm.sub %13, %v20 : i32
    %v34 = llvm.mul %n, %14 : i32
    %v35 = llvm.and %n, %15 : i32
    %v36 = llvm.or %v35, %0 : i32
    %v37 = llvm.srem %v34, %v36 : i32
    %v39 = llvm.and %v31, %3 : i8
    %v40 = llvm.sub %16, %v39 : i8
    %v41 = llvm.and %v9, %5 : i8
    %v42 = llvm.sub %16, %v41 : i8
    llvm.br ^finite43(%v40, %6, %v37 : i8, f32, i32)
  ^finite43(%v44: i8, %v45: f32, %v46: i32):
    %v49 = llvm.zext %v44 : i8 to i64
    %p50 = llvm.getelementptr %line38[%v49] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %v31, %p50 {alignment = 1 : i64} : i8, !llvm.ptr
    %v51 = llvm.mul %v46, %9 : i32
    %v52 = llvm.add %v44, %5 : i8
    %v53 = llvm.fmul %v45, %10 : f32
    %v54 = llvm.icmp "ule" %v44, %v42 : i8
    %v55 = llvm.fcmp "olt" %v45, %17 : f32
    %v56 = llvm.and %v54, %v55 : i1
    llvm.cond_br %v56, ^forward57, ^forward58
  ^forward57:
    llvm.br ^again47
  ^forward58:
    llvm.br ^out48
  ^again47:
    llvm.br ^finite43(%v52, %v53, %v51 : i8, f32, i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  ^out48:
    %v59 = llvm.zext %v40 : i8 to i64
    %p60 = llvm.getelementptr %line38[%v59] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v61 = llvm.load %p60 {alignment = 1 : i64} : !llvm.ptr -> i8
    %v62 = llvm.zext %v32 : i1 to i64
    %p63 = llvm.getelementptr inbounds %own_l[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v62, %p63 {alignment = 8 : i64} : i64, !llvm.ptr
    %v64 = llvm.zext %v41 : i8 to i64
    %p65 = llvm.getelementptr inbounds %own_l[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v64, %p65 {alignment = 8 : i64} : i64, !llvm.ptr
    %v66 = llvm.zext %v61 : i8 to i64
    %p67 = llvm.getelementptr inbounds %own_l[%20] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v66, %p67 {alignment = 8 : i64} : i64, !llvm.ptr
    %v68 = llvm.zext %v3 : i16 to i64
    %p69 = llvm.getelementptr inbounds %own_l[%21] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v68, %p69 {alignment = 8 : i64} : i64, !llvm.ptr
    %v70 = llvm.zext %v4 : i16 to i64
    %p71 = llvm.getelementptr inbounds %own_l[%22] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v70, %p71 {alignment = 8 : i64} : i64, !llvm.ptr
    %v72 = llvm.zext %v37 : i32 to i64
    %p73 = llvm.getelementptr inbounds %own_l[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v72, %p73 {alignment = 8 : i64} : i64, !llvm.ptr
    %v74 = llvm.zext %v51 : i32 to i64
    %p75 = llvm.getelementptr inbounds %own_l[%24] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v74, %p75 {alignment = 8 : i64} : i64, !llvm.ptr
    %p76 = llvm.getelementptr inbounds %own_l[%25] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v72, %p76 {alignment = 8 : i64} : i64, !llvm.ptr
    %p77 = llvm.getelementptr inbounds %own_f[%18] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %p77 {alignment = 4 : i64} : f32, !llvm.ptr
    %p78 = llvm.getelementptr inbounds %own_d[%18] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %v1, %p78 {alignment = 8 : i64} : f64, !llvm.ptr
    llvm.return
  }
}
