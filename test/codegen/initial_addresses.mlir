// RUN: nvvm-cc %s -arch sm_90 -O0 -o - | filecheck %s
// RUN: nvvm-run %s --arg 'i64[2]' --print 0 --select | filecheck %s --check-prefix=VALUES

// A member that was an address and then a number is the number, and inversely.
// CHECK-DAG: .global .align 8 .b8 overwritten[16] = {7};
// CHECK-DAG: .global .align 8 .u64 inserted[2] = {0, target};
// Zeros and the zero bits of an extended address replace earlier bytes, too.
// CHECK-DAG: .global .align 4 .b8 zeros[16] = {0, 0, 0, 0, 0, 0, 0, 0, 7};
// CHECK-DAG: .global .align 8 .b8 vector[16];
// CHECK-DAG: .global .align 8 .u8 extended[8] = {0xFF(target), 0xFF00(target), 0xFF0000(target), 0xFF000000(target)};
// A cast of a generic address back to constant memory is the address in constant memory.
// CHECK-DAG: .global .align 8 .u64 constant = table+4;
// VALUES: [7, 6]

module attributes {llvm.target_triple = "nvptx64-nvidia-cuda", llvm.data_layout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"} {
  llvm.mlir.global external @target(3 : i32) {addr_space = 1 : i32} : i32
  llvm.mlir.global external constant @table(dense<[5, 6]> : tensor<2xi32>) {addr_space = 4 : i32} : !llvm.array<2 x i32>
  llvm.mlir.global external @overwritten() {addr_space = 1 : i32} : !llvm.array<2 x i64> {
    %0 = llvm.mlir.zero : !llvm.array<2 x i64>
    %a = llvm.mlir.addressof @target : !llvm.ptr<1>
    %b = llvm.ptrtoint %a : !llvm.ptr<1> to i64
    %1 = llvm.insertvalue %b, %0[0] : !llvm.array<2 x i64>
    %c = llvm.mlir.constant(7 : i64) : i64
    %2 = llvm.insertvalue %c, %1[0] : !llvm.array<2 x i64>
    llvm.return %2 : !llvm.array<2 x i64>
  }
  llvm.mlir.global external @inserted() {addr_space = 1 : i32} : !llvm.array<2 x i64> {
    %0 = llvm.mlir.constant(dense<0> : tensor<2xi64>) : !llvm.array<2 x i64>
    %c = llvm.mlir.constant(7 : i64) : i64
    %a = llvm.mlir.addressof @target : !llvm.ptr<1>
    %b = llvm.ptrtoint %a : !llvm.ptr<1> to i64
    %1 = llvm.insertvalue %c, %0[1] : !llvm.array<2 x i64>
    %2 = llvm.insertvalue %b, %1[1] : !llvm.array<2 x i64>
    llvm.return %2 : !llvm.array<2 x i64>
  }
  llvm.mlir.global external @zeros() {addr_space = 1 : i32} : !llvm.array<2 x struct<(i32, i32)>> {
    %0 = llvm.mlir.undef : !llvm.array<2 x struct<(i32, i32)>>
    %c = llvm.mlir.constant([5 : i32, 6 : i32]) : !llvm.struct<(i32, i32)>
    %1 = llvm.insertvalue %c, %0[0] : !llvm.array<2 x struct<(i32, i32)>>
    %2 = llvm.insertvalue %c, %1[1] : !llvm.array<2 x struct<(i32, i32)>>
    %d = llvm.mlir.constant([#llvm.zero, #llvm.undef]) : !llvm.struct<(i32, i32)>
    %3 = llvm.insertvalue %d, %2[0] : !llvm.array<2 x struct<(i32, i32)>>
    %n = llvm.mlir.constant(7 : i32) : i32
    %4 = llvm.insertvalue %n, %3[1, 0] : !llvm.array<2 x struct<(i32, i32)>>
    %z = llvm.mlir.zero : i32
    %5 = llvm.insertvalue %z, %4[1, 1] : !llvm.array<2 x struct<(i32, i32)>>
    llvm.return %5 : !llvm.array<2 x struct<(i32, i32)>>
  }
  llvm.mlir.global external @vector() {addr_space = 1 : i32} : !llvm.array<1 x struct<(vector<2xi32>, i32)>> {
    %0 = llvm.mlir.undef : !llvm.array<1 x struct<(vector<2xi32>, i32)>>
    %c = llvm.mlir.constant(dense<5> : vector<2xi32>) : vector<2xi32>
    %1 = llvm.insertvalue %c, %0[0, 0] : !llvm.array<1 x struct<(vector<2xi32>, i32)>>
    %d = llvm.mlir.constant([0 : i32, 0 : i32]) : !llvm.struct<(vector<2xi32>, i32)>
    %2 = llvm.insertvalue %d, %1[0] : !llvm.array<1 x struct<(vector<2xi32>, i32)>>
    llvm.return %2 : !llvm.array<1 x struct<(vector<2xi32>, i32)>>
  }
  llvm.mlir.global external @extended() {addr_space = 1 : i32} : !llvm.array<1 x i64> {
    %0 = llvm.mlir.constant(dense<-1> : tensor<1xi64>) : !llvm.array<1 x i64>
    %a = llvm.mlir.addressof @target : !llvm.ptr<1>
    %b = llvm.ptrtoint %a : !llvm.ptr<1> to i32
    %c = llvm.zext %b : i32 to i64
    %1 = llvm.insertvalue %c, %0[0] : !llvm.array<1 x i64>
    llvm.return %1 : !llvm.array<1 x i64>
  }
  llvm.mlir.global external @constant() {addr_space = 1 : i32} : !llvm.ptr<4> {
    %a = llvm.mlir.addressof @table : !llvm.ptr<4>
    %b = llvm.addrspacecast %a : !llvm.ptr<4> to !llvm.ptr
    %c = llvm.getelementptr %b[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %d = llvm.addrspacecast %c : !llvm.ptr to !llvm.ptr<4>
    llvm.return %d : !llvm.ptr<4>
  }
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @overwritten : !llvm.ptr<1>
    %x = llvm.load %a : !llvm.ptr<1> -> i64
    llvm.store %x, %p : i64, !llvm.ptr<1>
    %b = llvm.mlir.addressof @constant : !llvm.ptr<1>
    %c = llvm.load %b : !llvm.ptr<1> -> !llvm.ptr<4>
    %y = llvm.load %c : !llvm.ptr<4> -> i32
    %z = llvm.zext %y : i32 to i64
    %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
    llvm.store %z, %q : i64, !llvm.ptr<1>
    llvm.return
  }
}
