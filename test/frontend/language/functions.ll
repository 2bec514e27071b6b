target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @a1() memory(read) nocallback nofree nosync norecurse noreturn cold hot noinline returns_twice speculatable nosanitize_bounds ssp uwtable naked nonlazybind noduplicate strictfp nomerge null_pointer_is_valid noimplicitfloat alignstack(8) willreturn inlinehint
declare void @a2(ptr noundef nonnull align 8 dereferenceable(8) dereferenceable_or_null(4) writeonly nocapture nofree  captures(none) %x, ptr sret(i32) %z, i8 zeroext inreg %y, ptr nest %w, float nofpclass(nan inf) %f, i32 range(i32 0, 10) %r)
declare void @a3() memory(argmem: readwrite, inaccessiblemem: write) "denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="ieee,ieee" "no-nans-fp-math"="true" "unsafe-fp-math"="true" "no-infs-fp-math"="false" "nvvm.minctasm"="3" "frame-pointer"="none" "tune-cpu"="foo" "foo" "instrument-function-entry"="x" "uniform-work-group-size"="true" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "approx-func-fp-math"="true" "no-signed-zeros-fp-math"="true" "prefer-vector-width"="256" "no-builtins" "no-builtin-foo" "probe-stack"="abc"
define linkonce_odr hidden fastcc void @a4() unnamed_addr section "ss" comdat align 32 gc "abc" { ret void }
$a4 = comdat any
define weak void @a5() convergent readnone argmemonly inaccessiblememonly writeonly { ret void }
define protected void @a6(...) personality ptr @a5 { unreachable }
declare noundef nonnull align 16 dereferenceable(8) ptr @a2b(ptr returned)
declare void @b1() mustprogress minsize  nocf_check nosanitize_coverage presplitcoroutine fn_ret_thunk_extern hybrid_patchable disable_sanitizer_instrumentation
declare void @b2() noinline optnone nounwind
declare void @b3(ptr allocptr %a, i32 allocalign %b, ptr dead_on_unwind writable %c, ptr %d, ptr byref(i32) %e, ptr %f, ptr alignstack(16) %g, ptr captures(address) %h, i32 range(i32 -5, 10) %i, ptr initializes((0,4)) %j, ptr swiftself %k, ptr readnone %l, float nofpclass(nan) %m, ptr %n)
define void @f(ptr %p, i1 %c) "no-jump-tables"="true" "fp-contract"="fast" {
  call void @f(ptr null, i1 true) #0
  ret void
}
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
attributes #0 = { noreturn nomerge cold strictfp "x"="y" builtin noduplicate convergent inlinehint alwaysinline }
