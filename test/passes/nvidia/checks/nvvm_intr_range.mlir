// RUN: nvvm-opt %s -p nvvm-intr-range | filecheck %s --check-prefixes=CHECK,WIDE,TARGET
// RUN: nvvm-opt %s -p 'nvvm-intr-range<sm=29>' | filecheck %s --check-prefixes=CHECK,NARROW
// RUN: nvvm-opt %s -p 'nvvm-intr-range<sm=30>' | filecheck %s --check-prefixes=CHECK,WIDE
// RUN: xdsl-opt %s -p 'nvvm-intr-range{sm=29}' | filecheck %s --check-prefixes=CHECK,NARROW

// Without launch bounds the hardware limits hold: a block has at most 1024 threads, at most 64 of them in
// z.
// CHECK-LABEL: llvm.func @hardware
// CHECK:         tid.x range <i32, 0, 1024>
// CHECK-NEXT:    tid.y range <i32, 0, 1024>
// CHECK-NEXT:    tid.z range <i32, 0, 64>
// CHECK-NEXT:    ntid.x range <i32, 1, 1025>
// CHECK-NEXT:    ntid.y range <i32, 1, 1025>
// CHECK-NEXT:    ntid.z range <i32, 1, 65>
// WIDE-NEXT:     ctaid.x range <i32, 0, 2147483647>
// NARROW-NEXT:   ctaid.x range <i32, 0, 65535>
// CHECK-NEXT:    ctaid.y range <i32, 0, 65535>
// CHECK-NEXT:    ctaid.z range <i32, 0, 65535>
// WIDE-NEXT:     nctaid.x range <i32, 1, -2147483648>
// NARROW-NEXT:   nctaid.x range <i32, 1, 65536>
// CHECK-NEXT:    nctaid.y range <i32, 1, 65536>
// CHECK-NEXT:    nctaid.z range <i32, 1, 65536>
// CHECK-NEXT:    warpsize range <i32, 32, 33>
// CHECK-NEXT:    laneid range <i32, 0, 32>
llvm.func @hardware() {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  %1 = nvvm.read.ptx.sreg.tid.y : i32
  %2 = nvvm.read.ptx.sreg.tid.z : i32
  %3 = nvvm.read.ptx.sreg.ntid.x : i32
  %4 = nvvm.read.ptx.sreg.ntid.y : i32
  %5 = nvvm.read.ptx.sreg.ntid.z : i32
  %6 = nvvm.read.ptx.sreg.ctaid.x : i32
  %7 = nvvm.read.ptx.sreg.ctaid.y : i32
  %8 = nvvm.read.ptx.sreg.ctaid.z : i32
  %9 = nvvm.read.ptx.sreg.nctaid.x : i32
  %10 = nvvm.read.ptx.sreg.nctaid.y : i32
  %11 = nvvm.read.ptx.sreg.nctaid.z : i32
  %12 = nvvm.read.ptx.sreg.warpsize : i32
  %13 = nvvm.read.ptx.sreg.laneid : i32
  llvm.return
}

// maxntid bounds the number of threads of a block, not each dimension: 64 x 4 x 1 allows blocks of
// 256 x 1 x 1.
// CHECK-LABEL: llvm.func @at_most
// CHECK:         tid.x range <i32, 0, 256>
// CHECK-NEXT:    tid.y range <i32, 0, 256>
// CHECK-NEXT:    tid.z range <i32, 0, 64>
// CHECK-NEXT:    ntid.x range <i32, 1, 257>
llvm.func @at_most() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 4, 1>} {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  %1 = nvvm.read.ptx.sreg.tid.y : i32
  %2 = nvvm.read.ptx.sreg.tid.z : i32
  %3 = nvvm.read.ptx.sreg.ntid.x : i32
  llvm.return
}

// reqntid is the size of the block; missing dimensions are 1.
// CHECK-LABEL: llvm.func @exactly
// CHECK:         tid.x range <i32, 0, 64>
// CHECK-NEXT:    tid.y range <i32, 0, 4>
// CHECK-NEXT:    tid.z range <i32, 0, 1>
// CHECK-NEXT:    ntid.x range <i32, 64, 65>
// CHECK-NEXT:    ntid.y range <i32, 4, 5>
// CHECK-NEXT:    ntid.z range <i32, 1, 2>
llvm.func @exactly() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 4>} {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  %1 = nvvm.read.ptx.sreg.tid.y : i32
  %2 = nvvm.read.ptx.sreg.tid.z : i32
  %3 = nvvm.read.ptx.sreg.ntid.x : i32
  %4 = nvvm.read.ptx.sreg.ntid.y : i32
  %5 = nvvm.read.ptx.sreg.ntid.z : i32
  llvm.return
}

// Blocks of a cluster: as many as the kernel states, 16 by default.
// CHECK-LABEL: llvm.func @cluster
// CHECK:         cluster.ctaid.x range <i32, 0, 2>
// CHECK-NEXT:    cluster.nctaid.y range <i32, 4, 5>
// CHECK-NEXT:    cluster.ctarank range <i32, 0, 8>
llvm.func @cluster() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 4, 1>} {
  %0 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
  %1 = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
  %2 = nvvm.read.ptx.sreg.cluster.ctarank : i32
  llvm.return
}
// CHECK-LABEL: llvm.func @any_cluster
// CHECK:         cluster.ctarank range <i32, 0, 16>
// CHECK-NEXT:    cluster.nctarank range <i32, 1, 17>
llvm.func @any_cluster() attributes {nvvm.kernel} {
  %0 = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %1 = nvvm.read.ptx.sreg.cluster.nctarank : i32
  llvm.return
}

// An existing range is narrowed, not widened, and kept if the intersection would be empty.
// CHECK-LABEL: llvm.func @stated
// CHECK:         tid.x range <i32, 0, 32>
// CHECK-NEXT:    tid.y range <i32, 16, 64>
// CHECK-NEXT:    laneid range <i32, 64, 65>
llvm.func @stated() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>} {
  %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
  %1 = nvvm.read.ptx.sreg.tid.y range <i32, 16, 128> : i32
  %2 = nvvm.read.ptx.sreg.laneid range <i32, 64, 65> : i32
  llvm.return
}

// The number of a multiprocessor is unknown, and a clock has no range.
// CHECK-LABEL: llvm.func @open
// CHECK-NOT:     range
// CHECK:         llvm.return
llvm.func @open() {
  %0 = nvvm.read.ptx.sreg.smid : i32
  %1 = nvvm.read.ptx.sreg.clock : i32
  %2 = nvvm.read.ptx.sreg.gridid : i32
  llvm.return
}

// Without a parameter, the SM of the function is used.
// CHECK-LABEL: llvm.func @old
// TARGET:        nctaid.x range <i32, 1, 65536>
llvm.func @old() attributes {target_cpu = "sm_20"} {
  %0 = nvvm.read.ptx.sreg.nctaid.x : i32
  llvm.return
}
