llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr<1>) {
  nvvm.cp.async.shared.global %arg0, %arg1, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr<1>, %arg2: i32) {
  nvvm.cp.async.shared.global %arg0, %arg1, 4, cache =  ca, %arg2 : !llvm.ptr<3>, !llvm.ptr<1>, i32
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cp.async.commit.group
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cp.async.wait.group 2
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>) {
  nvvm.cp.async.mbarrier.arrive %arg0 {noinc = true} : !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  nvvm.cp.async.mbarrier.arrive %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cp.async.bulk.commit.group
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cp.async.bulk.wait_group 1 {read}
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>, %arg1: i32) {
  nvvm.cp.async.bulk.prefetch %arg0, %arg1 : <1>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: i64) {
  nvvm.cp.async.bulk.prefetch %arg0, %arg1 l2_cache_hint = %arg2 : <1>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i64, %arg4: i16) {
  nvvm.cp.async.bulk.global.shared.cta %arg0, %arg1, %arg2 l2_cache_hint = %arg3 byte_mask = %arg4 : <1>, <3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<7>, %arg1: !llvm.ptr<1>, %arg2: !llvm.ptr<3>, %arg3: i32, %arg4: i16, %arg5: i64) {
  nvvm.cp.async.bulk.shared.cluster.global %arg0, %arg1, %arg2, %arg3 multicast_mask = %arg4 l2_cache_hint = %arg5 : !llvm.ptr<7>, <1>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr<1>, %arg2: i32) {
  nvvm.cp.async.bulk.shared.cluster.global %arg0, %arg1, %arg0, %arg2 : !llvm.ptr<3>, <1>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<7>, %arg1: !llvm.ptr<3>, %arg2: i32) {
  nvvm.cp.async.bulk.shared.cluster.shared.cta %arg0, %arg1, %arg1, %arg2 : <7>, <3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i32) {
  nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2, %arg3] : !llvm.ptr, <3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i32, %arg4: i64) {
  nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2, %arg3, %arg2] l2_cache_hint = %arg4 {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, <3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i1) {
  nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2], predicate = %arg3 : !llvm.ptr, <3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32) {
  nvvm.cp.async.bulk.tensor.prefetch %arg0, box[%arg1, %arg2] : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32, %arg3: i16, %arg4: i64) {
  nvvm.cp.async.bulk.tensor.prefetch %arg0, box[%arg1, %arg2, %arg1] im2col[%arg3] l2_cache_hint = %arg4 {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i32) {
  nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg3] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, <3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<7>, %arg1: !llvm.ptr, %arg2: !llvm.ptr<3>, %arg3: i32, %arg4: i32) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %arg0, %arg1, %arg2, box[%arg3, %arg4] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<7>, %arg1: !llvm.ptr, %arg2: !llvm.ptr<3>, %arg3: i32, %arg4: i32, %arg5: i16, %arg6: i64) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %arg0, %arg1, %arg2, box[%arg3, %arg4, %arg3] im2col[%arg5] multicast_mask = %arg5 l2_cache_hint = %arg6 {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr, %arg2: i32) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %arg0, %arg1, %arg0, box[%arg2] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  nvvm.prefetch level =  L1, %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  nvvm.prefetch level =  L1 uniform, %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>) {
  nvvm.prefetch level =  L2, evict_priority =  evict_last, %arg0 : !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  nvvm.prefetch tensormap, %arg0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
  nvvm.st.bulk %arg0, size = %arg1 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i64) {
  nvvm.st.bulk %arg0, size = %arg1 : !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.inline_ptx "bar.sync 0;"
  llvm.return
}

// -----

llvm.func @f(%arg0: f32) {
  %0 = nvvm.inline_ptx "ex2.approx.ftz.f32 $0, $1;" ro(%arg0 : f32) -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32, %arg2: i1) {
  nvvm.inline_ptx "mov.u32 {$r}, {$rw};" ro(%arg0 : i32) rw(%arg1 : i32), predicate = %arg2
  llvm.return
}
