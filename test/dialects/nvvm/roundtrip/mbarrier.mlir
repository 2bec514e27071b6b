llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  nvvm.mbarrier.init %arg0, %arg1 : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32, %arg2: i1) {
  nvvm.mbarrier.init %arg0, %arg1, predicate = %arg2 : !llvm.ptr<3>, i32, i1
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  nvvm.mbarrier.inval %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>) {
  %0 = nvvm.mbarrier.arrive %arg0 : !llvm.ptr<3> -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  %0 = nvvm.mbarrier.arrive %arg0, %arg1 {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<7>) {
  nvvm.mbarrier.arrive %arg0 : !llvm.ptr<7>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  %0 = nvvm.mbarrier.arrive.nocomplete %arg0, %arg1 : !llvm.ptr<3>, i32 -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>) {
  %0 = nvvm.mbarrier.arrive_drop %arg0 : !llvm.ptr<3> -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = nvvm.mbarrier.arrive_drop.nocomplete %arg0, %arg1 : !llvm.ptr, i32 -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  %0 = nvvm.mbarrier.arrive_drop.expect_tx %arg0, %arg1 : !llvm.ptr<3>, i32 -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32, %arg2: i1) {
  nvvm.mbarrier.arrive.expect_tx %arg0, %arg1, predicate = %arg2 : !llvm.ptr<3>, i32, i1
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  nvvm.mbarrier.arrive.expect_tx %arg0, %arg1 : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<7>, %arg1: i32) {
  nvvm.mbarrier.expect_tx %arg0, %arg1 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  nvvm.mbarrier.complete_tx %arg0, %arg1 : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i64) {
  %0 = nvvm.mbarrier.test.wait %arg0, %arg1 : !llvm.ptr<3>, i64 -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  %0 = nvvm.mbarrier.test.wait %arg0, %arg1 {relaxed = true} : !llvm.ptr<3>, i32 -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i64, %arg2: i32) {
  %0 = nvvm.mbarrier.try_wait %arg0, %arg1, %arg2 : !llvm.ptr<3>, i64, i32 -> i1
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32, %arg2: i32) {
  nvvm.mbarrier.try_wait.parity %arg0, %arg1, %arg2 : !llvm.ptr<3>, i32, i32
  llvm.return
}
