// nvvm-fuzz --seed 7 --count 1 --size 40 --arch sm_90 --pipeline 'loop-reduce' --shapes core,finite-loops=20 --no-machine
// nvvm-reduce FILE --match ": difference:" --test "nvvm-fuzz --seed 7 --file {} --arch sm_90 --pipeline 'loop-reduce' --shapes core,finite-loops=20 --no-machine"
// difference:
// @fuzz, grid 1, block 64: out of bounds: store of 1 bytes at local address 0x62c (0 bytes past the end of 'line40' (256 bytes)), by thread (0, 0, 0) of block (0, 0, 0): llvm.store in @fuzz (pipeline after (3) loop-reduce on fuzz)
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
  llvm.func internal @device0(%a0: f64, %a1: f32, %a2: i64, %a3: vector<2xf16>) -> i64 attributes {dso_local, no_inline} {
    %0 = llvm.mlir.constant(5 : i64) : i64
    %1 = llvm.mlir.constant(7 : i32) : i32
    %2 = llvm.mlir.addressof @table : !llvm.ptr<4>
    %3 = llvm.mlir.constant(0 : i32) : i32
    %4 = llvm.mlir.constant(9 : i8) : i8
    %5 = llvm.mlir.constant(126 : i8) : i8
    %6 = llvm.mlir.constant(1 : i8) : i8
    %v1 = llvm.urem %a2, %0 : i64
    %v2 = llvm.mul %v1, %a2 : i64
    %v3 = llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"(%a1) : (f32) -> i32
    %v4 = llvm.intr.smax(%v3, %v3) : (i32, i32) -> i32
    %v5 = llvm.and %v4, %1 : i32
    %p6 = llvm.getelementptr inbounds %2[%3, %v5] : (!llvm.ptr<4>, i32, i32) -> !llvm.ptr<4>, !llvm.array<8 x i32>
    %v7 = llvm.load %p6 {alignment = 4 : i64} : !llvm.ptr<4> -> i32
    %v8 = llvm.or %4, %5 : i8
    %v9 = llvm.shl %v8, %6 : i8
    llvm.return %a2 : i64
  }
  llvm.func @fuzz(%in_i: !llvm.ptr, %in_f: !llvm.ptr {llvm.noalias}, %in_l: !llvm.ptr {llvm.noalias}, %in_d: !llvm.ptr {llvm.noalias}, %in_h: !llvm.ptr {llvm.noalias}, %out_l: !llvm.ptr, %out_f: !llvm.ptr, %out_d: !llvm.ptr, %counters: !llvm.ptr, %n: i32, %x: f32, %shape: !llvm.ptr {llvm.align = 4 : i64, llvm.byval = !llvm.struct<(i32, array<2 x f32>)>}) attributes {nvvm.kernel} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.mlir.constant(16 : i32) : i32
    %2 = llvm.mlir.constant(4605670955822938035 : i64) : i64
    %3 = llvm.mlir.constant(7 : i8) : i8
    %4 = llvm.mlir.constant(3 : i8) : i8
    %5 = llvm.mlir.constant(-1 : i8) : i8
    %6 = llvm.mlir.constant(1 : i8) : i8
    %7 = llvm.mlir.constant(1.000000e+00 : f32) : f32
    %8 = llvm.mlir.constant(3 : i32) : i32
    %9 = llvm.mlir.constant(2.000000e+00 : f32) : f32
    %10 = llvm.mlir.constant(false) : i1
    %11 = llvm.mlir.constant(8 : i64) : i64
    %12 = llvm.mlir.constant(2 : i32) : i32
    %13 = llvm.mlir.constant(127 : i8) : i8
    %14 = llvm.mlir.constant(2147483647 : i32) : i32
    %15 = llvm.mlir.constant(128 : i64) : i64
    %16 = llvm.mlir.constant(3.200000e+01 : f32) : f32
    %17 = llvm.mlir.constant(9 : i64) : i64
    %18 = llvm.mlir.constant(10 : i64) : i64
    %19 = llvm.mlir.constant(11 : i64) : i64
    %20 = llvm.mlir.constant(12 : i64) : i64
    %21 = llvm.mlir.constant(13 : i64) : i64
    %22 = llvm.mlir.constant(14 : i64) : i64
    %line14 = llvm.alloca %0 x !llvm.array<256 x i8> {alignment = 1 : i64} : (i32) -> !llvm.ptr
    %line40 = llvm.alloca %0 x !llvm.array<256 x i8> {alignment = 1 : i64} : (i32) -> !llvm.ptr
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
    %v10 = llvm.intr.bswap(%2) : (i64) -> i64
    %v11 = llvm.call_intrinsic "llvm.fptoui.sat.i8.f32"(%x) : (f32) -> i8
    %v12 = llvm.and %v11, %3 : i8
    %v13 = llvm.shl %v11, %v12 : i8
    %v15 = llvm.and %v12, %4 : i8
    %v16 = llvm.sub %5, %v15 : i8
    %v17 = llvm.and %v15, %6 : i8
    %v18 = llvm.sub %5, %v17 : i8
    llvm.br ^finite19(%v16, %7, %n : i8, f32, i32)
  ^finite19(%v20: i8, %v21: f32, %v22: i32):
    %v25 = llvm.zext %v20 : i8 to i64
    %p26 = llvm.getelementptr inbounds|nuw %line14[%v25] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %v13, %p26 {alignment = 1 : i64} : i8, !llvm.ptr
    %v27 = llvm.mul %v22, %8 : i32
    %v28 = llvm.add %v20, %6 : i8
    %v29 = llvm.fmul %v21, %9 : f32
    %v30 = llvm.icmp "ule" %v20, %v18 : i8
    %v31 = llvm.fcmp "olt" %v21, %9 : f32
    %v32 = llvm.select %v30, %v31, %10 : i1, i1
    llvm.cond_br %v32, ^forward33, ^forward34
  ^forward33:
    llvm.br ^again23
  ^forward34:
    llvm.br ^out24
  ^again23:
    llvm.br ^finite19(%v28, %v29, %v27 : i8, f32, i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  ^out24:
    %v35 = llvm.zext %v16 : i8 to i64
    %p36 = llvm.getelementptr inbounds|nuw %line14[%v35] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v37 = llvm.load %p36 {alignment = 1 : i64} : !llvm.ptr -> i8
    %v38 = llvm.urem %v10, %11 : i64
    %v39 = llvm.icmp "uge" %12, %n : i32
    %v41 = llvm.and %v37, %4 : i8
    %v42 = llvm.sub %13, %v41 : i8
    %v43 = llvm.and %v37, %6 : i8
    %v44 = llvm.sub %13, %v43 : i8
    llvm.br ^finite45(%v42, %7, %14 : i8, f32, i32)
  ^finite45(%v46: i8, %v47: f32, %v48: i32):
    %v51 = llvm.sext %v46 : i8 to i64
    %v52 = llvm.add %v51, %15 overflow<nsw> : i64
    %p53 = llvm.getelementptr inbounds %line40[%v52] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %v41, %p53 {alignment = 1 : i64} : i8, !llvm.ptr
    %v54 = llvm.mul %v48, %8 : i32
    %v55 = llvm.add %v46, %6 : i8
    %v56 = llvm.fmul %v47, %9 : f32
    %v57 = llvm.icmp "sle" %v46, %v44 : i8
    %v58 = llvm.fcmp "olt" %v47, %16 : f32
    %v59 = llvm.and %v57, %v58 : i1
    llvm.cond_br %v59, ^forward60, ^forward61
  ^forward60:
    llvm.br ^again49
  ^forward61:
    llvm.br ^out50
  ^again49:
    llvm.br ^finite45(%v55, %v56, %v54 : i8, f32, i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  ^out50:
    %v62 = llvm.sext %v42 : i8 to i64
    %v63 = llvm.add %v62, %15 overflow<nsw> : i64
    %p64 = llvm.getelementptr inbounds|nuw %line40[%v63] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v65 = llvm.load %p64 {alignment = 1 : i64} : !llvm.ptr -> i8
    %v66 = llvm.zext %v39 : i1 to i64
    %p67 = llvm.getelementptr inbounds %own_l[%11] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v66, %p67 {alignment = 8 : i64} : i64, !llvm.ptr
    %v68 = llvm.zext %v43 : i8 to i64
    %p69 = llvm.getelementptr inbounds %own_l[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v68, %p69 {alignment = 8 : i64} : i64, !llvm.ptr
    %v70 = llvm.zext %v65 : i8 to i64
    %p71 = llvm.getelementptr inbounds %own_l[%18] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v70, %p71 {alignment = 8 : i64} : i64, !llvm.ptr
    %v72 = llvm.zext %v27 : i32 to i64
    %p73 = llvm.getelementptr inbounds %own_l[%19] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v72, %p73 {alignment = 8 : i64} : i64, !llvm.ptr
    %v74 = llvm.zext %v54 : i32 to i64
    %p75 = llvm.getelementptr inbounds %own_l[%20] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v74, %p75 {alignment = 8 : i64} : i64, !llvm.ptr
    %p76 = llvm.getelementptr inbounds %own_l[%21] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v72, %p76 {alignment = 8 : i64} : i64, !llvm.ptr
    %p77 = llvm.getelementptr inbounds %own_l[%22] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v74, %p77 {alignment = 8 : i64} : i64, !llvm.ptr
    %p78 = llvm.getelementptr inbounds %own_f[%11] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %p78 {alignment = 4 : i64} : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @other() attributes {nvvm.kernel} {
    llvm.return
  }
}
