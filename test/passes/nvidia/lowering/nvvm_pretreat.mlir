// RUN: nvvm-opt %s -p nvvm-pretreat | filecheck %s
// RUN: xdsl-opt %s -p nvvm-pretreat | filecheck %s

// Unused declarations are removed; one whose address is taken is kept, and so are other
// functions.
// CHECK-NOT:   @llvm.nvvm.{{[^u]}}
// CHECK:       llvm.func @llvm.nvvm.unknown(i32) -> i32
// CHECK-NEXT:  llvm.func @device(i32)
llvm.func @llvm.nvvm.barrier0()
llvm.func @llvm.nvvm.read.ptx.sreg.tid.x() -> i32
llvm.func @llvm.nvvm.popc.i(i32) -> i32
llvm.func @llvm.nvvm.fma.rn.d(f64, f64, f64) -> f64
llvm.func @llvm.nvvm.unknown(i32) -> i32
llvm.func @device(i32)

// Calls of declarations, and of intrinsics by old names, become the ops that the LLVM IR reader creates. One
// without an op is a call of an intrinsic.
// CHECK:       llvm.func @kernel(%x: i32, %d: f64) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>}
// CHECK-NEXT:    %t = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    %n = llvm.intr.ctpop(%t) : (i32) -> i32
// CHECK-NEXT:    %f = llvm.call_intrinsic "llvm.nvvm.fma.rn.d"(%d, %d, %d) : (f64, f64, f64) -> f64
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.fabs.f64"(%f) : (f64) -> f64
// CHECK-NEXT:    "llvm.intr.ctlz"(%x) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT:    nvvm.read.ptx.sreg.ntid.x range <i32, 1, 65> : i32
// CHECK-NEXT:    %[[Z:.*]] = llvm.mlir.constant
// CHECK:         nvvm.prmt <default> %x, %x, %x : i32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.fma.rn.d"(%d, %d, %d) : (f64, f64, f64) -> f64
// CHECK-NEXT:    llvm.call_intrinsic "llvm.bitreverse.i32"(%x) : (i32) -> i32
// CHECK-NEXT:    llvm.call @device(%x)
llvm.func ptx_kernelcc @kernel(%x: i32, %d: f64) attributes {passthrough = [["nvvm.maxntid", "128"]]} {
  %t = llvm.call @llvm.nvvm.read.ptx.sreg.tid.x() : () -> i32
  llvm.call @llvm.nvvm.barrier0() : () -> ()
  %n = llvm.call @llvm.nvvm.popc.i(%t) : (i32) -> i32
  %f = llvm.call @llvm.nvvm.fma.rn.d(%d, %d, %d) : (f64, f64, f64) -> f64
  %a = llvm.call_intrinsic "llvm.nvvm.fabs.d"(%f) : (f64) -> f64
  %z = llvm.call_intrinsic "llvm.nvvm.clz.i"(%x) : (i32) -> i32
  %b = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ntid.x"() : () -> (i32 {llvm.range = #llvm.constant_range<i32, 1, 65>})
  %r = llvm.call_intrinsic "llvm.nvvm.barrier0.or"(%x) : (i32) -> i32
  %p = llvm.call_intrinsic "llvm.nvvm.prmt"(%x, %x, %x) : (i32, i32, i32) -> i32
  %k = llvm.call_intrinsic "llvm.nvvm.fma.rn.d"(%d, %d, %d) : (f64, f64, f64) -> f64
  %o = llvm.call_intrinsic "llvm.bitreverse.i32"(%x) : (i32) -> i32
  llvm.call @device(%x) : (i32) -> ()
  llvm.return
}
// CHECK:       llvm.call_intrinsic "llvm.nvvm.unknown"(%x) : (i32) -> i32
llvm.func @user(%x: i32) -> !llvm.ptr {
  %u = llvm.call @llvm.nvvm.unknown(%x) : (i32) -> i32
  %a = llvm.mlir.addressof @llvm.nvvm.unknown : !llvm.ptr
  llvm.return %a : !llvm.ptr
}
