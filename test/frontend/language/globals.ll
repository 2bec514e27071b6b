target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tl = external thread_local(initialexec) global i32
@hid = hidden local_unnamed_addr global i32 1, comdat, align 8
$hid = comdat largest
@ud = global i64 undef
@fl = global float 1.0
@po = global i32 poison
@z1 = global [2 x i32] zeroinitializer
@z2 = global {i32,i64} zeroinitializer
@z3 = global i32 zeroinitializer
@z4 = global ptr null
@z5 = global <4 x i32> <i32 1, i32 1, i32 1, i32 1>
@z6 = global [2 x [2 x i32]] [[2 x i32] [i32 1, i32 2], [2 x i32] [i32 3, i32 4]]
@z7 = global [2 x float] [float 1.0, float 2.0]
@z8 = global [2 x ptr] [ptr @z1, ptr null]
@z9 = global i64 ptrtoint (ptr @z1 to i64)
@z10 = global [2 x [2 x i8]] [[2 x i8] c"ab", [2 x i8] c"cd"]
@z11 = global i64 sub (i64 ptrtoint (ptr @z1 to i64), i64 ptrtoint (ptr @z2 to i64))
@z12 = global [2 x i1] [i1 true, i1 false]
@z13 = global <2 x ptr> <ptr @z1, ptr @z2>
@z14 = global [2 x half] [half 1.0, half 2.0]
@z15 = global {i32, [2 x i8]} undef
@z17 = global {} {}
@z18 = global <2 x i32> splat (i32 5)
@z19 = global [2 x {i32,i32}] [{i32,i32} {i32 1, i32 2}, {i32,i32} zeroinitializer]
@z20 = global [3 x i8] c"\FF\00a"
@z21 = global [1 x i8] c"a"
@z22 = global [2 x i16] [i16 1, i16 1]
@z23 = global i128 5
@z25 = global <{i8, i32}> <{i8 1, i32 2}>
@llvm.used = appending global [1 x ptr] [ptr @z1], section "llvm.metadata"
%op = type opaque
@ext = external global %op

@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
define void @start() {
  ret void
}
