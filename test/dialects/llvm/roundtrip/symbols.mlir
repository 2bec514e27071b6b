llvm.func @f()

// -----

llvm.func extern_weak @f(i32, !llvm.ptr {llvm.nocapture, llvm.readonly}, ...) -> (i32 {llvm.zeroext})

// -----

llvm.func internal hidden local_unnamed_addr ptx_kernelcc @k(%arg0: i32 {llvm.noundef}, %arg1: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(i32)>, nvvm.grid_constant}) attributes {dso_local, nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
  llvm.return
}

// -----

llvm.func @k() attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.cluster_max_blocks = 8 : i32, nvvm.kernel, nvvm.maxnreg = 64 : i32, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 128>} {
  llvm.return
}

// -----

llvm.func weak_odr protected unnamed_addr fastcc @f() comdat(@__c::@f) attributes {alignment = 16 : i64, always_inline, convergent, no_unwind, passthrough = ["a", ["nvvm.maxntid", "256,1,1"]], section = ".s", will_return} {
  llvm.return
}
llvm.comdat @__c {
  llvm.comdat_selector @f any
}

// -----

llvm.func @f() vscale_range(1, 16) attributes {denormal_fp_math = "preserve-sign", denormal_fp_math_f32 = "ieee", frame_pointer = #llvm.framePointerKind<all>, function_entry_count = 7 : i64, garbageCollector = "x", memory_effects = #llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, errnoMem = read, targetMem0 = read, targetMem1 = read>, no_nans_fp_math = true, reqd_work_group_size = array<i32: 1, 2, 3>, target_cpu = "sm_90", target_features = #llvm.target_features<["+ptx87"]>, tune_cpu = "generic", uwtable_kind = #llvm.uwtableKind<async>, vec_type_hint = #llvm.vec_type_hint<hint = i32, is_signed = true>}

// -----

llvm.mlir.global internal constant @g(1 : i32) {addr_space = 4 : i32} : i32

// -----

llvm.mlir.global private unnamed_addr constant @g("hi\0A\00") {addr_space = 1 : i32, alignment = 1 : i64, dso_local}

// -----

llvm.mlir.global external @g() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x f32>

// -----

llvm.mlir.global external hidden thread_local local_unnamed_addr @g(dense<[1, 2]> : tensor<2xi16>) comdat(@__c::@g) {addr_space = 0 : i32, section = "s"} : !llvm.array<2 x i16>
llvm.comdat @__c {
  llvm.comdat_selector @g largest
}

// -----

llvm.mlir.global linkonce_odr protected @g(0x7FC00001 : f32) {addr_space = 0 : i32, externally_initialized} : f32

// -----

llvm.mlir.global external @g([1 : i8, [dense<0> : tensor<3xi8>, #llvm.zero, #llvm.undef, #llvm.poison]]) {addr_space = 0 : i32} : !llvm.struct<packed (i8, struct<(array<3 x i8>, ptr, i32, f32)>)>

// -----

llvm.mlir.global external @a() {addr_space = 0 : i32} : i32
llvm.mlir.global internal @g() {addr_space = 1 : i32} : !llvm.struct<(ptr, i64)> {
  %0 = llvm.mlir.addressof @a : !llvm.ptr
  %1 = llvm.mlir.undef : !llvm.struct<(ptr, i64)>
  %2 = llvm.insertvalue %0, %1[0] : !llvm.struct<(ptr, i64)> 
  llvm.return %2 : !llvm.struct<(ptr, i64)>
}

// -----

llvm.mlir.global common @g(0 : i64) {addr_space = 0 : i32} : i64

// -----

llvm.mlir.global external @g() {addr_space = 0 : i32} : i32
llvm.mlir.alias weak hidden thread_local unnamed_addr @a {dso_local} : i32 {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----

llvm.func @r() -> !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.ifunc internal hidden local_unnamed_addr @i : !llvm.func<f32 (i64)>, !llvm.ptr @r {dso_local}

// -----

llvm.func @c() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@c], priorities = [1 : i32], data = [#llvm.zero]
llvm.mlir.global_dtors dtors = [@c], priorities = [65535 : i32], data = [#llvm.zero]

// -----

llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<override, "nvvm-reflect-ftz", 1 : i32>, #llvm.mlir.module_flag<append_unique, "s", "text">]

// -----

llvm.linker_options ["a", "b"]

// -----

llvm.func @f(i32)
llvm.func @g() {
  %0 = llvm.dso_local_equivalent @f : !llvm.ptr
  llvm.return
}

// -----

module attributes {llvm.data_layout = "e-i64:64", llvm.target_triple = "nvptx64-nvidia-cuda"} {
}

// -----

module attributes {t.a = #nvvm.target, t.b = #nvvm.target<O = 3, chip = "sm_90a", features = "+ptx85", flags = {fast, ftz}>, t.c = #llvm.target<triple = "t", chip = "c", features = <["+x", "-y"]>>} {
}
