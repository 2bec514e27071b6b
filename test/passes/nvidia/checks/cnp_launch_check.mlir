// RUN: nvvm-opt %s -p cnp-launch-check --remarks %t.yaml | filecheck %s --check-prefix=IR
// RUN: cat %t.yaml | filecheck %s
// RUN: xdsl-opt %s -p cnp-launch-check | filecheck %s --check-prefix=IR

// IR: llvm.func @child
llvm.func @child(!llvm.ptr) attributes {nvvm.kernel}
llvm.func @cudaGetParameterBuffer(i64, i64) -> !llvm.ptr
llvm.func @__cudaCDP2GetParameterBufferV2(!llvm.ptr, !llvm.struct<(i32, i32, i32)>, !llvm.struct<(i32, i32, i32)>, i32) -> !llvm.ptr
llvm.func @cudaLaunchDevice(!llvm.ptr, !llvm.ptr, !llvm.struct<(i32, i32, i32)>, !llvm.struct<(i32, i32, i32)>, i32, !llvm.ptr) -> i32
llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<4 x i32>

// A slot's address, at an offset into the buffer, and one within a shared variable.
// CHECK:      Name:            PrivatePointer
// CHECK:      Function:        parent
// CHECK:      A pointer to local memory was stored into the parameter buffer obtained at f.cu(7).
// CHECK-SAME: Dereferencing this within the launch is undefined.
// CHECK:      Function:        parent
// CHECK:      A pointer to shared memory was stored into the parameter buffer obtained at {{.*}}cnp_launch_check.mlir({{[0-9]+}}).
// Pointers to other memory, numbers, and stores to other memory are allowed.
// CHECK-NOT:  Function:
llvm.func @parent(%p: !llvm.ptr, %n: i64, %x: i32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %buffer = llvm.call @cudaGetParameterBuffer(%n, %n) : (i64, i64) -> !llvm.ptr loc("f.cu":7:3)
  %second = llvm.getelementptr %buffer[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %element = llvm.getelementptr %slot[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %p, %buffer : !llvm.ptr, !llvm.ptr
  llvm.store %x, %buffer : i32, !llvm.ptr
  llvm.store %element, %second : !llvm.ptr, !llvm.ptr
  llvm.store %slot, %p : !llvm.ptr, !llvm.ptr
  %kernel = llvm.mlir.addressof @child : !llvm.ptr
  %dim = llvm.mlir.undef : !llvm.struct<(i32, i32, i32)>
  %other = llvm.call @__cudaCDP2GetParameterBufferV2(%kernel, %dim, %dim, %x) : (!llvm.ptr, !llvm.struct<(i32, i32, i32)>, !llvm.struct<(i32, i32, i32)>, i32) -> !llvm.ptr
  %variable = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %generic = llvm.addrspacecast %variable : !llvm.ptr<3> to !llvm.ptr
  llvm.store %generic, %other : !llvm.ptr, !llvm.ptr
  %0 = llvm.call @cudaLaunchDevice(%kernel, %other, %dim, %dim, %x, %p) : (!llvm.ptr, !llvm.ptr, !llvm.struct<(i32, i32, i32)>, !llvm.struct<(i32, i32, i32)>, i32, !llvm.ptr) -> i32
  llvm.return
}
