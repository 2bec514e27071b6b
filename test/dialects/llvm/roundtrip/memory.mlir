llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>) {
  %0 = llvm.load %arg0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load volatile %arg0 : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 invariant : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 invariant_group : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 {nontemporal} : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load volatile %arg0 atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 dereferenceable<bytes = 4, mayBeNull = true> : !llvm.ptr -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 {tbaa = [#llvm.tbaa_tag<base_type = <id = "int", members = {<#llvm.tbaa_root<id = "root">, 0>}>, access_type = <id = "int", members = {<#llvm.tbaa_root<id = "root">, 0>}>, offset = 0>]} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 {alias_scopes = [#llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[1]<>>>], noalias_scopes = [#llvm.alias_scope<id = distinct[2]<>, domain = <id = distinct[1]<>, description = "d">>]} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 {access_groups = [#llvm.access_group<id = distinct[0]<>>]} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 {llvm.mmra = #llvm.mmra_tag<"amdgpu-as":"local">} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: !llvm.ptr) {
  llvm.store %arg0, %arg1 : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: f32, %arg1: !llvm.ptr<3>) {
  llvm.store volatile %arg0, %arg1 {alignment = 4 : i64, nontemporal} : f32, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: !llvm.ptr) {
  llvm.store %arg0, %arg1 atomic seq_cst {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: !llvm.ptr) {
  llvm.store %arg0, %arg1 atomic syncscope("block") release {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: i32, %arg1: !llvm.ptr) {
  llvm.store %arg0, %arg1 invariant_group : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%arg0: i64) {
  %0 = llvm.alloca %arg0 x !llvm.array<4 x i8> {alignment = 16 : i64} : (i64) -> !llvm.ptr<5>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
  %0 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
  %0 = llvm.getelementptr inbounds %arg0[%arg1, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i32>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.getelementptr inbounds|nuw %arg0[0, 1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, array<4 x i8>)>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>) {
  %0 = llvm.getelementptr nusw %arg0[-1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.getelementptr nusw|nuw %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.getelementptr inbounds_flag|nuw %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: vector<4xi64>) {
  %0 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = llvm.atomicrmw add %arg0, %arg1 monotonic : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr<1>, %arg1: i32) {
  %0 = llvm.atomicrmw volatile xchg %arg0, %arg1 syncscope("agent") acq_rel {alignment = 4 : i64} : !llvm.ptr<1>, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: f32) {
  %0 = llvm.atomicrmw fadd %arg0, %arg1 seq_cst : !llvm.ptr, f32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = llvm.atomicrmw _and %arg0, %arg1 acquire : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = llvm.atomicrmw uinc_wrap %arg0, %arg1 release : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: vector<2xf16>) {
  %0 = llvm.atomicrmw fmax %arg0, %arg1 monotonic : !llvm.ptr, vector<2xf16>
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32) {
  %0 = llvm.cmpxchg %arg0, %arg1, %arg2 acq_rel monotonic : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64) {
  %0 = llvm.cmpxchg weak volatile %arg0, %arg1, %arg2 syncscope("s") seq_cst acquire {alignment = 8 : i64} : !llvm.ptr, i64
  llvm.return
}

// -----

llvm.func @f() {
  llvm.fence acquire
  llvm.return
}

// -----

llvm.func @f() {
  llvm.fence syncscope("device") seq_cst
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr) {
  %0 = llvm.va_arg %arg0 : (!llvm.ptr) -> i32
  llvm.return
}
