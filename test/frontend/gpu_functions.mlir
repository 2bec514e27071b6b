// RUN: nvvm-cc %s -O0 -rdc=true | filecheck %s
// RUN: nvvm-opt %s | nvvm-cc -O0 -rdc=true - | filecheck %s

// CHECK-LABEL: .func (.param .b32 func_retval0) helper(
// CHECK: .visible .entry k(
// CHECK-NEXT: .param .b64
// CHECK: .reqntid 64, 1, 1
// CHECK: bar.sync 0;
// CHECK: st.global.b32
// CHECK: ret;
gpu.module @m [#nvvm.target<chip = "sm_90", O = 0>] {
  gpu.func @helper(%x: i32) -> i32 {
    gpu.return %x : i32
  }
  gpu.func @k(%p: !llvm.ptr {llvm.noalias}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    gpu.barrier
    llvm.store %t, %p : i32, !llvm.ptr
    gpu.return
  }
}
