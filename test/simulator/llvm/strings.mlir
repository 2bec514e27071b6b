// RUN: nvvm-run %s --arg 'u8[8]' --arg 1 --print 0 | filecheck %s
// RUN: nvvm-run %s --select --arg 'u8[8]' --arg 1 --print 0 | filecheck %s
// RUN: nvvm-run %s --passes 'nvopt<O3>' --select --arg 'u8[8]' --arg 1 --print 0 | filecheck %s

// A string is its UTF-8 bytes, in characters or in escapes; other bytes are escapes.
// 169 is the second byte of U+00E9, 195 the first.

// CHECK: [169, 169, 195, 255, 169, 0, 0, 0]

llvm.mlir.global internal constant @text("f\C3\A9\00") {addr_space = 1 : i32}
llvm.mlir.global internal constant @bytes("x\FF\00") {addr_space = 1 : i32}

llvm.func @k(%out: !llvm.ptr<1> {llvm.noalias}, %i: i64) attributes {nvvm.kernel} {
  %characters = llvm.mlir.constant("é€") : !llvm.array<5 x i8>
  %escapes = llvm.mlir.constant("\C3\A9\E2\82\AC") : !llvm.array<5 x i8>
  %binary = llvm.mlir.constant("\FF\A9\E2\82\AC") : !llvm.array<5 x i8>
  %0 = llvm.extractvalue %characters[1] : !llvm.array<5 x i8>
  %1 = llvm.extractvalue %escapes[1] : !llvm.array<5 x i8>
  %2 = llvm.mlir.addressof @text : !llvm.ptr<1>
  %3 = llvm.getelementptr %2[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %4 = llvm.load %3 : !llvm.ptr<1> -> i8
  %5 = llvm.mlir.addressof @bytes : !llvm.ptr<1>
  %6 = llvm.getelementptr %5[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %7 = llvm.load %6 : !llvm.ptr<1> -> i8
  %8 = llvm.extractvalue %binary[1] : !llvm.array<5 x i8>
  llvm.store %0, %out : i8, !llvm.ptr<1>
  %9 = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %1, %9 : i8, !llvm.ptr<1>
  %10 = llvm.getelementptr %out[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %4, %10 : i8, !llvm.ptr<1>
  %11 = llvm.getelementptr %out[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %7, %11 : i8, !llvm.ptr<1>
  %12 = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %8, %12 : i8, !llvm.ptr<1>
  llvm.return
}
