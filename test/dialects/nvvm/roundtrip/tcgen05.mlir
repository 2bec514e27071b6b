llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  nvvm.tcgen05.alloc %arg0, %arg1 : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32) {
  nvvm.tcgen05.alloc %arg0, %arg1 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i32) {
  nvvm.tcgen05.dealloc %arg0, %arg1 : !llvm.ptr<6>, i32
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.tcgen05.fence <before>
  llvm.return
}

// -----

llvm.func @f() {
  nvvm.tcgen05.wait <load>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>) {
  nvvm.tcgen05.commit %arg0 : !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i16) {
  nvvm.tcgen05.commit %arg0, multicast_mask = %arg1 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr, i16
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>) {
  nvvm.tcgen05.shift %arg0 : !llvm.ptr<6>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64) {
  nvvm.tcgen05.cp %arg0, %arg1 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64) {
  nvvm.tcgen05.cp %arg0, %arg1 {multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>) {
  %0 = nvvm.tcgen05.ld %arg0 {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64) {
  %0 = nvvm.tcgen05.ld %arg0, %arg1 pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: vector<4xi32>) {
  nvvm.tcgen05.st %arg0, %arg1 unpack {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: i8, %arg2: i1) {
  %0 = nvvm.tcgen05.mma_smem_desc(%arg0, %arg0, %arg0, %arg1, %arg2, %arg1) : (i32, i32, i32, i8, i1, i8) -> i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: i1) {
  nvvm.tcgen05.mma %arg0, %arg0, %arg1, %arg2, %arg3 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: i1, %arg4: vector<4xi32>) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  nvvm.tcgen05.mma %arg0, %arg1, %arg1, %arg2, %arg3 scale = %0 mask = %arg4 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64, vector<4xi32>)
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: i1) {
  nvvm.tcgen05.mma.sp %arg0, %arg1, %arg1, %arg2, %arg3, %arg0 {ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: i1) {
  nvvm.tcgen05.mma.block_scale %arg0, %arg1, %arg1, %arg2, %arg3, %arg0, %arg0 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: i1) {
  nvvm.tcgen05.mma.sp.block_scale %arg0, %arg1, %arg1, %arg2, %arg3, %arg0, %arg0, %arg0 {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: i1) {
  nvvm.tcgen05.mma.ws %arg0, %arg1, %arg1, %arg2, %arg3, %arg1 {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: i1) {
  nvvm.tcgen05.mma.ws.sp %arg0, %arg0, %arg1, %arg2, %arg3, %arg0 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>) {
  nvvm.clusterlaunchcontrol.try.cancel %arg0, %arg0
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<3>) {
  nvvm.clusterlaunchcontrol.try.cancel multicast, %arg0, %arg0
  llvm.return
}

// -----

llvm.func @f(%arg0: i128) {
  %0 = nvvm.clusterlaunchcontrol.query.cancel query =  is_canceled, %arg0 : i1
  llvm.return
}

// -----

llvm.func @f(%arg0: i128) {
  %0 = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_x, %arg0 : i32
  llvm.return
}
