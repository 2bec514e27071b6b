llvm.func @f(%arg0: i32, %arg1: i1) {
  llvm.cond_br %arg1, ^bb1(%arg0 : i32), ^bb2
^bb1(%0: i32):  // pred: ^bb0
  llvm.br ^bb2
^bb2:  // 2 preds: ^bb0, ^bb1
  llvm.return
}

// -----

llvm.func @f(%arg0: i1) {
  llvm.cond_br %arg0 weights([3, 97]), ^bb1, ^bb2
^bb1:  // pred: ^bb0
  llvm.return
^bb2:  // pred: ^bb0
  llvm.unreachable
}

// -----

llvm.func @f(%arg0: i1) {
  llvm.br ^bb1
^bb1:  // 2 preds: ^bb0, ^bb1
  llvm.cond_br %arg0, ^bb1, ^bb2 {loop_annotation = #llvm.loop_annotation<disableNonforced = false, vectorize = <disable = true, width = 4 : i32>, interleave = <count = 2 : i32>, unroll = <disable = true, count = 8 : i32, full = false>, mustProgress = true, parallelAccesses = <id = distinct[0]<>>>}
^bb2:  // pred: ^bb1
  llvm.return
}

// -----

llvm.func @f(%arg0: i1) {
  llvm.br ^bb1
^bb1:  // 2 preds: ^bb0, ^bb1
  llvm.br ^bb1 {loop_annotation = #llvm.loop_annotation<unrollAndJam = <count = 3 : i32>, licm = <disable = true>, distribute = <disable = true>, pipeline = <disable = true, initiationinterval = 2 : i32>, peeled = <count = 5 : i32>, unswitch = <partialDisable = true>>}
}

// -----

llvm.func @f(%arg0: i32) {
  llvm.switch %arg0 : i32, ^bb1 [
    0: ^bb2,
    -5: ^bb3(%arg0, %arg0 : i32, i32)
  ] {branch_weights = array<i32: 1, 2, 3>}
^bb1:  // pred: ^bb0
  llvm.return
^bb2:  // pred: ^bb0
  llvm.return
^bb3(%0: i32, %1: i32):  // pred: ^bb0
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  llvm.switch %arg0 : i64, ^bb1(%arg0 : i64) [
  ]
^bb1(%0: i64):  // pred: ^bb0
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  llvm.indirectbr %arg0 : !llvm.ptr, [
  ^bb1(%arg1 : i32),
  ^bb2
  ]
^bb1(%0: i32):  // pred: ^bb0
  llvm.return
^bb2:  // pred: ^bb0
  llvm.return
}

// -----

llvm.func @f() -> !llvm.ptr {
  %0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
  llvm.br ^bb1
^bb1:  // pred: ^bb0
  llvm.blocktag <id = 1>
  llvm.return %0 : !llvm.ptr
}

// -----

llvm.func @g(i32) -> i32
llvm.func @p(...) -> i32
llvm.func @f(%arg0: i32) -> i32 attributes {personality = @p} {
  %0 = llvm.invoke @g(%arg0) to ^bb1 unwind ^bb2 : (i32) -> i32
^bb1:  // pred: ^bb0
  llvm.return %0 : i32
^bb2:  // pred: ^bb0
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %1 : !llvm.struct<(ptr, i32)>
}
