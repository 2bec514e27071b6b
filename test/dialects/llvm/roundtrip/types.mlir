llvm.func @f(!llvm.ptr<101>, !llvm.array<2 x array<3 x f16>>, !llvm.struct<()>, !llvm.struct<packed (i8, ptr<3>)>, !llvm.struct<"n", packed (i8)>, !llvm.struct<"o", opaque>, vector<2x!llvm.ptr<1>>, i128, i24, bf16, f128)

// -----

llvm.func @f(!llvm.target<"spirv.Image", !llvm.void, 0, 1>, !llvm.metadata, !llvm.token, !llvm.ppc_fp128, vector<[4]xi32>)

// -----

llvm.func @f(!llvm.ptr) -> !llvm.struct<(vector<2xf16>, struct<"s", (i32, array<4 x ptr>)>)>

// -----

module attributes {t.a = [!llvm.func<void (i32, ...)>, !llvm.func<ptr (struct<(i8)>)>, !llvm.func<i32 ()>]} {
}
