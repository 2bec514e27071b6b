// nvvm-fuzz --seed 6 --count 1 --size 40 --arch sm_90 --pipeline 'loop-reduce' --shapes core,finite-loops=20 --no-machine
// nvvm-reduce FILE --match ": difference:" --test "nvvm-fuzz --seed 6 --file {} --arch sm_90 --pipeline 'loop-reduce' --shapes core,finite-loops=20 --no-machine"
// difference:
// @fuzz, grid 1, block 64: out of bounds: store of 1 bytes at local address 0x62c (0 bytes past the end of 'line46' (256 bytes)), by thread (0, 0, 0) of block (0, 0, 0): llvm.store in @fuzz (pipeline after (3) loop-reduce on fuzz)
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
  llvm.func internal @device0(%a0: vector<2xi64>, %a1: vector<2xi64>, %a2: i64) -> f32 attributes {always_inline, dso_local} {
    %0 = llvm.mlir.constant(-1.000000e+00 : f64) : f64
    %1 = llvm.mlir.addressof @table : !llvm.ptr<4>
    %2 = llvm.mlir.constant(7 : i32) : i32
    %3 = llvm.mlir.constant(7 : i8) : i8
    %4 = llvm.mlir.constant(63 : i64) : i64
    %5 = llvm.mlir.constant(32767 : i16) : i16
    %6 = llvm.mlir.constant(-32768 : i16) : i16
    %v1 = llvm.uitofp %a2 : i64 to f64
    %v2 = llvm.fcmp "ueq" %0, %v1 : f64
    %v3 = llvm.addrspacecast %1 : !llvm.ptr<4> to !llvm.ptr
    %v4 = llvm.call_intrinsic "llvm.fptoui.sat.i32.f64"(%v1) : (f64) -> i32
    %v5 = llvm.and %v4, %2 : i32
    %p6 = llvm.getelementptr %v3[%v5] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v7 = llvm.load %p6 {alignment = 4 : i64} : !llvm.ptr -> i32
    %v8 = "llvm.intr.ctlz"(%v7) <{is_zero_poison = false}> : (i32) -> i32
    %v9 = llvm.trunc %v7 : i32 to i8
    %v10 = llvm.and %v9, %3 : i8
    %v11 = llvm.ashr %v9, %v10 : i8
    %v12 = llvm.and %a2, %4 : i64
    %v13 = llvm.ashr %a2, %v12 : i64
    %v14 = llvm.trunc %v5 overflow<nsw, nuw> : i32 to i16
    %v15 = llvm.and %v14, %5 : i16
    %v16 = llvm.and %v15, %6 : i16
    %v17 = llvm.or disjoint %v15, %v16 : i16
    %v18 = llvm.sitofp %v15 : i16 to f32
    llvm.return %v18 : f32
  }
  llvm.func @fuzz(%in_i: !llvm.ptr {llvm.noalias}, %in_f: !llvm.ptr {llvm.noalias}, %in_l: !llvm.ptr {llvm.noalias}, %in_d: !llvm.ptr, %in_h: !llvm.ptr {llvm.noalias}, %out_l: !llvm.ptr, %out_f: !llvm.ptr, %out_d: !llvm.ptr, %counters: !llvm.ptr, %n: i32, %x: f32, %shape: !llvm.ptr {llvm.align = 4 : i64, llvm.byval = !llvm.struct<(i32, array<2 x f32>)>}) attributes {nvvm.kernel} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.mlir.constant(16 : i32) : i32
    %2 = llvm.mlir.constant(3 : i8) : i8
    %3 = llvm.mlir.constant(127 : i8) : i8
    %4 = llvm.mlir.constant(1 : i8) : i8
    %5 = llvm.mlir.constant(1.000000e+00 : f32) : f32
    %6 = llvm.mlir.constant(-2147483647 : i32) : i32
    %7 = llvm.mlir.constant(128 : i64) : i64
    %8 = llvm.mlir.constant(3 : i32) : i32
    %9 = llvm.mlir.constant(2.000000e+00 : f32) : f32
    %10 = llvm.mlir.constant(false) : i1
    %11 = llvm.mlir.constant(8.000000e+00 : f32) : f32
    %12 = llvm.mlir.constant(8 : i64) : i64
    %13 = llvm.mlir.constant(9 : i64) : i64
    %14 = llvm.mlir.constant(10 : i64) : i64
    %15 = llvm.mlir.constant(11 : i64) : i64
    %16 = llvm.mlir.constant(12 : i64) : i64
    %17 = llvm.mlir.constant(13 : i64) : i64
    %line19 = llvm.alloca %0 x !llvm.array<256 x i8> {alignment = 1 : i64} : (i32) -> !llvm.ptr
    %line46 = llvm.alloca %0 x !llvm.array<256 x i8> {alignment = 1 : i64} : (i32) -> !llvm.ptr
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
    %v20 = llvm.trunc %tid overflow<nsw> : i32 to i8
    %v21 = llvm.and %v20, %2 : i8
    %v22 = llvm.sub %3, %v21 : i8
    %v23 = llvm.and %v20, %4 : i8
    %v24 = llvm.sub %3, %v23 : i8
    llvm.br ^finite25(%v22, %5, %6 : i8, f32, i32)
  ^finite25(%v26: i8, %v27: f32, %v28: i32):
    %v31 = llvm.sext %v26 : i8 to i64
    %v32 = llvm.add %v31, %7 overflow<nsw> : i64
    %p33 = llvm.getelementptr inbounds %line19[%v32] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %4, %p33 {alignment = 1 : i64} : i8, !llvm.ptr
    %v34 = llvm.mul %v28, %8 : i32
    %v35 = llvm.add %v26, %4 : i8
    %v36 = llvm.fmul %v27, %9 : f32
    %v37 = llvm.icmp "sle" %v26, %v24 : i8
    %v38 = llvm.fcmp "olt" %v27, %5 : f32
    %v39 = llvm.select %v37, %v38, %10 : i1, i1
    llvm.cond_br %v39, ^forward40, ^forward41
  ^forward40:
    llvm.br ^again29
  ^forward41:
    llvm.br ^out30
  ^again29:
    llvm.br ^finite25(%v35, %v36, %v34 : i8, f32, i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  ^out30:
    %v42 = llvm.sext %v22 : i8 to i64
    %v43 = llvm.add %v42, %7 overflow<nsw> : i64
    %p44 = llvm.getelementptr %line19[%v43] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v45 = llvm.load %p44 {alignment = 1 : i64} : !llvm.ptr -> i8
    %v47 = llvm.and %v23, %2 : i8
    %v48 = llvm.sub %3, %v47 : i8
    %v49 = llvm.and %v47, %4 : i8
    %v50 = llvm.sub %3, %v49 : i8
    llvm.br ^finite51(%v48, %5, %v34 : i8, f32, i32)
  ^finite51(%v52: i8, %v53: f32, %v54: i32):
    %v57 = llvm.sext %v52 : i8 to i64
    %v58 = llvm.add %v57, %7 overflow<nsw> : i64
    %p59 = llvm.getelementptr %line46[%v58] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %v49, %p59 {alignment = 1 : i64} : i8, !llvm.ptr
    %v60 = llvm.mul %v54, %8 : i32
    %v61 = llvm.add %v52, %4 : i8
    %v62 = llvm.fmul %v53, %9 : f32
    %v63 = llvm.icmp "sle" %v52, %v50 : i8
    %v64 = llvm.fcmp "olt" %v53, %11 : f32
    %v65 = llvm.and %v63, %v64 : i1
    llvm.cond_br %v65, ^forward66, ^forward67
  ^forward66:
    llvm.br ^again55
  ^forward67:
    llvm.br ^out56
  ^again55:
    llvm.br ^finite51(%v61, %v62, %v60 : i8, f32, i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  ^out56:
    %v68 = llvm.sext %v48 : i8 to i64
    %v69 = llvm.add %v68, %7 overflow<nsw> : i64
    %p70 = llvm.getelementptr inbounds|nuw %line46[%v69] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v71 = llvm.load %p70 {alignment = 1 : i64} : !llvm.ptr -> i8
    %v72 = llvm.zext %v49 : i8 to i64
    %p73 = llvm.getelementptr inbounds %own_l[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v72, %p73 {alignment = 8 : i64} : i64, !llvm.ptr
    %v74 = llvm.zext %v71 : i8 to i64
    %p75 = llvm.getelementptr inbounds %own_l[%13] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v74, %p75 {alignment = 8 : i64} : i64, !llvm.ptr
    %v76 = llvm.zext %v34 : i32 to i64
    %p77 = llvm.getelementptr inbounds %own_l[%14] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v76, %p77 {alignment = 8 : i64} : i64, !llvm.ptr
    %v78 = llvm.zext %v60 : i32 to i64
    %p79 = llvm.getelementptr inbounds %own_l[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v78, %p79 {alignment = 8 : i64} : i64, !llvm.ptr
    %p80 = llvm.getelementptr inbounds %own_l[%16] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v76, %p80 {alignment = 8 : i64} : i64, !llvm.ptr
    %p81 = llvm.getelementptr inbounds %own_l[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v78, %p81 {alignment = 8 : i64} : i64, !llvm.ptr
    %p82 = llvm.getelementptr inbounds %own_f[%12] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %p82 {alignment = 4 : i64} : f32, !llvm.ptr
    llvm.return
  }
}
