// RUN: nvvm-opt %s -p nvvm-peephole-optimizer | filecheck %s
// RUN: xdsl-opt %s -p nvvm-peephole-optimizer | filecheck %s

llvm.func @use(i1)
llvm.func @use32(i32)

// A cast to generic and back is removed; one into another space is not.
// CHECK-LABEL: llvm.func @spaces
// CHECK-NEXT:    %[[P:.*]] = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:    llvm.store %x, %s : i32, !llvm.ptr<3>
// CHECK-NEXT:    llvm.store %x, %[[P]]
// CHECK-NOT:     addrspacecast
llvm.func @spaces(%s: !llvm.ptr<3>, %x: i32) {
  %p = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
  %q = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  llvm.store %x, %q : i32, !llvm.ptr<3>
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @words_of_words
// CHECK-NEXT:    llvm.return %hi : i32
llvm.func @words_of_words(%lo: i32, %hi: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %u = llvm.mlir.undef : vector<2xi32>
  %a = llvm.insertelement %lo, %u[%zero : i32] : vector<2xi32>
  %b = llvm.insertelement %hi, %a[%one : i32] : vector<2xi32>
  %d = llvm.bitcast %b : vector<2xi32> to f64
  %v = llvm.bitcast %d : f64 to vector<2xi32>
  %x = llvm.extractelement %v[%one : i32] : vector<2xi32>
  llvm.return %x : i32
}

// Only comparisons that the launch bounds or a stated range decide.
// CHECK-LABEL: llvm.func @ranges
// CHECK:         %[[T:.*]] = llvm.mlir.constant(true) : i1
// CHECK:         llvm.call @use(%[[T]])
// CHECK-NEXT:    llvm.call @use(%open)
// CHECK-NEXT:    llvm.call @use(%[[T]])
llvm.func @ranges() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>} {
  %k256 = llvm.mlir.constant(256 : i32) : i32
  %k255 = llvm.mlir.constant(255 : i32) : i32
  %k16 = llvm.mlir.constant(16 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %inside = llvm.icmp "ult" %t, %k256 : i32
  %open = llvm.icmp "ult" %t, %k255 : i32
  %l = nvvm.read.ptx.sreg.laneid range <i32, 0, 16> : i32
  %low = llvm.icmp "slt" %l, %k16 : i32
  llvm.call @use(%inside) : (i1) -> ()
  llvm.call @use(%open) : (i1) -> ()
  llvm.call @use(%low) : (i1) -> ()
  llvm.return
}

// A register with one possible value is a constant; one that the bound does not fix is kept.
// CHECK-LABEL: llvm.func @values
// CHECK-DAG:     %[[S:.*]] = llvm.mlir.constant(32 : i32)
// CHECK-DAG:     %[[N:.*]] = llvm.mlir.constant(64 : i32)
// CHECK:         llvm.call @use32(%[[S]])
// CHECK-NEXT:    llvm.call @use32(%[[N]])
llvm.func @values() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>} {
  %w = nvvm.read.ptx.sreg.warpsize : i32
  %n = nvvm.read.ptx.sreg.ntid.x : i32
  llvm.call @use32(%w) : (i32) -> ()
  llvm.call @use32(%n) : (i32) -> ()
  llvm.return
}
// CHECK-LABEL: llvm.func @open_value
// CHECK:         nvvm.read.ptx.sreg.ntid.x
llvm.func @open_value() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>} {
  %n = nvvm.read.ptx.sreg.ntid.x : i32
  llvm.call @use32(%n) : (i32) -> ()
  llvm.return
}

// Barriers without memory accesses or synchronization between them.
// CHECK-LABEL: llvm.func @barriers
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.add
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.bar.warp.sync %m
// CHECK-NEXT:    nvvm.bar.warp.sync %x
// CHECK-NEXT:    llvm.call @use32
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    nvvm.bar.warp.sync %m
// CHECK-NEXT:    llvm.return
llvm.func @barriers(%p: !llvm.ptr<3>, %x: i32, %m: i32) {
  nvvm.barrier0
  %y = llvm.add %x, %x : i32
  nvvm.barrier0
  llvm.store %y, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  %z = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  llvm.store %z, %p : i32, !llvm.ptr<3>
  nvvm.bar.warp.sync %m : i32
  nvvm.bar.warp.sync %m : i32
  nvvm.bar.warp.sync %x : i32
  llvm.call @use32(%x) : (i32) -> ()
  nvvm.bar.warp.sync %m : i32
  nvvm.barrier0
  nvvm.bar.warp.sync %m : i32
  llvm.return
}

// Extended and truncated again.
// CHECK-LABEL: llvm.func @conversions
// CHECK:         %[[H:.*]] = llvm.fpext %h : f16 to f32
// CHECK-NEXT:    %[[B:.*]] = llvm.fptrunc %[[H]] : f32 to bf16
// CHECK-NEXT:    %[[I:.*]] = llvm.bitcast %i : i16 to bf16
// CHECK-NEXT:    %[[T:.*]] = nvvm.convert.float.to.tf32 %f
// CHECK-NEXT:    %[[S:.*]] = llvm.call_intrinsic "llvm.nvvm.saturate.f"(%f)
// CHECK-NEXT:    llvm.call @halves(%h, %[[B]], %[[I]], %f, %[[T]], %[[S]])
llvm.func @halves(f16, bf16, bf16, f32, i32, f32)
llvm.func @conversions(%h: f16, %i: i16, %f: f32) {
  %k16 = llvm.mlir.constant(16 : i32) : i32
  %0 = llvm.fpext %h : f16 to f32
  %1 = llvm.fptrunc %0 : f32 to f16
  %2 = llvm.fptrunc %0 : f32 to bf16
  %3 = llvm.zext %i : i16 to i32
  %4 = llvm.shl %3, %k16 : i32
  %5 = llvm.bitcast %4 : i32 to f32
  %6 = llvm.fptrunc %5 : f32 to bf16
  %7 = llvm.fpext %f : f32 to f64
  %8 = llvm.fptrunc %7 : f64 to f32
  %9 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
  %10 = llvm.bitcast %9 : i32 to f32
  %11 = nvvm.convert.float.to.tf32 %10 {rnd = #nvvm.fp_rnd_mode<rna>}
  %12 = llvm.call_intrinsic "llvm.nvvm.saturate.f"(%f) : (f32) -> f32
  %13 = llvm.call_intrinsic "llvm.nvvm.saturate.f"(%12) : (f32) -> f32
  llvm.call @halves(%1, %2, %6, %8, %11, %13) : (f16, bf16, bf16, f32, i32, f32) -> ()
  llvm.return
}

// Flushing changes denormals to zeros on the way; a value that is rounded once more changes.
// CHECK-LABEL: llvm.func @lossy
// CHECK:         %[[D:.*]] = llvm.fpext %f : f32 to f64
// CHECK-NEXT:    %[[F:.*]] = llvm.fptrunc %[[D]] : f64 to f32
// CHECK-NEXT:    %[[N:.*]] = llvm.fptrunc %f : f32 to f16
// CHECK-NEXT:    %[[W:.*]] = llvm.fpext %[[N]] : f16 to f32
// CHECK-NEXT:    %[[T:.*]] = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>}
// CHECK:         nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
llvm.func @more(f32, f32, i32)
llvm.func @lossy(%f: f32) attributes {denormal_fp_math_f32 = "preserve-sign,preserve-sign"} {
  %0 = llvm.fpext %f : f32 to f64
  %1 = llvm.fptrunc %0 : f64 to f32
  %2 = llvm.fptrunc %f : f32 to f16
  %3 = llvm.fpext %2 : f16 to f32
  %4 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>}
  %5 = llvm.bitcast %4 : i32 to f32
  %6 = nvvm.convert.float.to.tf32 %5 {rnd = #nvvm.fp_rnd_mode<rna>}
  llvm.call @more(%1, %3, %6) : (f32, f32, i32) -> ()
  llvm.return
}

// Votes on a constant. A ballot on true is the active mask.
// CHECK-LABEL: llvm.func @votes
// CHECK-DAG:     %[[Z:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG:     %yes = llvm.mlir.constant(true)
// CHECK-DAG:     %no = llvm.mlir.constant(false)
// CHECK:         %[[B:.*]] = nvvm.vote.sync ballot %m, %yes -> i32
// CHECK-NEXT:    %[[O:.*]] = nvvm.vote.sync all %m, %c -> i1
// CHECK-NEXT:    llvm.call @votes_of(%yes, %no, %yes, %[[O]], %[[Z]], %[[B]])
llvm.func @votes_of(i1, i1, i1, i1, i32, i32)
llvm.func @votes(%m: i32, %c: i1) {
  %yes = llvm.mlir.constant(true) : i1
  %no = llvm.mlir.constant(false) : i1
  %0 = nvvm.vote.sync all %m, %yes -> i1
  %1 = nvvm.vote.sync any %m, %no -> i1
  %2 = nvvm.vote.sync uni %m, %no -> i1
  %4 = nvvm.vote.sync ballot %m, %no -> i32
  %5 = nvvm.vote.sync ballot %m, %yes -> i32
  %3 = nvvm.vote.sync all %m, %c -> i1
  llvm.call @votes_of(%0, %1, %2, %3, %4, %5) : (i1, i1, i1, i1, i32, i32) -> ()
  llvm.return
}

// Dead code and single-valued arguments, as reflection leaves them.
// CHECK-LABEL: llvm.func @dead
// CHECK-NEXT:    llvm.br ^[[A:.*]]
// CHECK-NEXT:  ^[[A]]:
// CHECK-NEXT:    llvm.return %x : i32
llvm.func @dead(%x: i32) -> i32 {
  %unused = llvm.mul %x, %x : i32
  llvm.br ^a(%x, %unused : i32, i32)
^a(%y: i32, %z: i32):
  llvm.return %y : i32
}
