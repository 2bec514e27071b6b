// RUN: nvvm-cc %s -arch sm_90 -O3 | filecheck %s

// PTX in the text of MLIR: registers by name or number, after the predicate.
// CHECK-LABEL: .entry k(
// CHECK: setp.{{[a-z.0-9]+}} [[PREDICATE:%p[0-9]+]],
// CHECK: ex2.approx.ftz.f32 [[POWER:%[rf][0-9]+]], %{{[rf][0-9]+}};
// CHECK: @[[PREDICATE]] st.global.f32 [%rd{{[0-9]+}}], [[POWER]];
// CHECK: add.cc.u32 [[LOW:%r[0-9]+]], [[N:%r[0-9]+]], [[N]]; addc.u32 [[HIGH:%r[0-9]+]], [[N]], 0;
// CHECK: st{{.*}}.v2.b32 [{{.*}}], {[[LOW]], [[HIGH]]};
// CHECK: bar.sync 0;
llvm.func @k(%p: !llvm.ptr<1> {llvm.align = 16 : i32}, %x: f32, %n: i32) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %q = llvm.icmp "sgt" %n, %zero : i32
  %e = nvvm.inline_ptx "ex2.approx.ftz.f32 $0, $1;" ro(%x : f32) -> f32
  nvvm.inline_ptx "st.global.f32 [{$r0}], {$r1};" ro(%p, %e : !llvm.ptr<1>, f32), predicate = %q
  %s:2 = nvvm.inline_ptx "add.cc.u32 {$w0}, {$r0}, {$r0}; addc.u32 {$w1}, {$r0}, 0;" ro(%n : i32) -> i32, i32
  %a = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %s#0, %a {alignment = 8 : i64} : i32, !llvm.ptr<1>
  %b = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %s#1, %b {alignment = 4 : i64} : i32, !llvm.ptr<1>
  nvvm.inline_ptx "bar.sync 0;"
  llvm.return
}
