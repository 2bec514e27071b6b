llvm.func @f() {
  nvvm.barrier0
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.barrier
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  nvvm.barrier id = %arg0
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  nvvm.barrier id = %arg0 number_of_threads = %arg1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = nvvm.barrier #nvvm.reduction<popc> %arg0 -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  nvvm.barrier.arrive number_of_threads = %arg0
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i32) {
  nvvm.barrier.arrive id = %arg0 number_of_threads = %arg1
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  nvvm.bar.warp.sync %arg0 : i32
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cluster.arrive
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cluster.arrive {aligned}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cluster.arrive.relaxed {aligned}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cluster.wait
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.cluster.wait {aligned}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.memory.barrier <cta>
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.memory.barrier <gpu>
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.memory.barrier <sys>
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.memory.barrier <cluster>
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.sc.cluster
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.mbarrier.init
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.mlir.constant(128 : i32) : i32
  nvvm.fence.proxy.acquire <gpu> %arg0, %0
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.proxy.release <sys>
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.griddepcontrol  wait
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.griddepcontrol  launch_dependents
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.setmaxregister  increase 40
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.exit
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.breakpoint
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  nvvm.nanosleep %arg0
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.pmevent id = 10
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.pmevent mask = 5
  llvm.return
}
