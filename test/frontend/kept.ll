; RUN: nvvm-opt %s | filecheck %s
; RUN: nvvm-opt %s --print-debuginfo | filecheck %s --check-prefix=LOC
; Information that mlir-translate drops and the reader keeps: ranges and pointer facts on loads and calls,
; branch weights on selects, grid constants, names, the NVVM IR version, source locations.

; CHECK: llvm.nvvm_ir_version = array<i32: 2, 0, 3, 2>

; CHECK: llvm.mlir.global external @flag(0 : i32) {{.*}}llvm.externally_initialized
@flag = addrspace(1) externally_initialized global i32 0, align 4
; CHECK: llvm.mlir.global {{.*}}@tex{{.*}}nvvm.texture
@tex = internal addrspace(1) global i64 0, align 8

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @external(ptr)

; CHECK-LABEL: llvm.func @kernel(
; CHECK-SAME: %arg: !llvm.ptr {llvm.byval = i64, nvvm.grid_constant}
; CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
; CHECK-SAME: nvvm.cluster_max_blocks = 8 : i32
; CHECK-SAME: nvvm.kernel
; CHECK-SAME: nvvm.maxntid = array<i32: 256>
; LOC-LABEL: llvm.func @kernel(
define ptx_kernel void @kernel(ptr byval(i64) "nvvm.grid_constant" %arg, ptr %data) #0 !dbg !20 {
entry.block:
  ; CHECK: %tid = nvvm.read.ptx.sreg.tid.x range <i32, 0, 256> : i32
  ; LOC: loc(callsite("/src/k.cuh":3:5 at "/src/k.cu":12:7))
  %tid = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !23
  ; CHECK: %value = llvm.load %data
  ; CHECK-SAME: llvm.range = #llvm.constant_range<i32, -1, 7>, llvm.noundef
  %value = load i32, ptr %data, align 4, !range !10, !noundef !11
  ; CHECK: %link = llvm.load %data dereferenceable<bytes = 16>
  ; CHECK-SAME: llvm.nonnull, llvm.align = 32 : i64
  %link = load ptr, ptr %data, align 8, !nonnull !11, !align !12, !dereferenceable !13
  ; CHECK: llvm.call @external(%link) {llvm.range = #llvm.constant_range<i32, -1, 7>
  %called = call i32 @external(ptr %link), !range !10
  %c = icmp eq i32 %value, %called
  ; CHECK: %picked = llvm.select {{.*}}{llvm.prof = array<i32: 1, 2000>}
  %picked = select i1 %c, i32 %value, i32 %tid, !prof !14
  ; CHECK: llvm.inline_asm has_side_effects {{.*}}llvm.convergent
  call void asm sideeffect "bar.sync 0;", ""() #1
  ; CHECK: llvm.cond_br %c weights([1, 2000]), ^[[loop:.*]](%picked : i32), ^[[done:.*]]
  ; LOC: llvm.cond_br {{.*}} loc("/src/k.cu":12:7)
  br i1 %c, label %loop, label %done, !prof !14, !dbg !24

; CHECK: ^[[loop]](%i: i32):
loop:
  %i = phi i32 [ %picked, %entry.block ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 10
  ; CHECK: llvm.cond_br %more, {{.*}}loop_annotation = #llvm.loop_annotation<unroll = <disable = false, count = 4 : i32>, mustProgress = true>
  br i1 %more, label %loop, label %done, !llvm.loop !15

done:
  store i32 %tid, ptr addrspace(1) @flag
  ret void
}

attributes #0 = { "nvvm.maxntid"="256" "nvvm.cluster_dim"="2,1,1" "nvvm.maxclusterrank"="8" }
attributes #1 = { convergent nounwind }

!nvvmir.version = !{!0}
!nvvm.annotations = !{!1}
!0 = !{i32 2, i32 0, i32 3, i32 2}
!1 = !{ptr addrspace(1) @tex, !"texture", i32 1}
!10 = !{i32 -1, i32 7}
!11 = !{}
!12 = !{i64 32}
!13 = !{i64 16}
!14 = !{!"branch_weights", i32 1, i32 2000}
!15 = distinct !{!15, !16, !17, !18}
!16 = !{!"llvm.loop.mustprogress"}
!17 = !{!"llvm.loop.unroll.enable"}
!18 = !{!"llvm.loop.unroll.count", i32 4}
!20 = distinct !DISubprogram(name: "kernel", scope: !21, file: !21, line: 10, unit: !25)
!21 = !DIFile(filename: "k.cu", directory: "/src")
!22 = !DIFile(filename: "k.cuh", directory: "/src/")
!23 = !DILocation(line: 3, column: 5, scope: !26, inlinedAt: !24)
!24 = distinct !DILocation(line: 12, column: 7, scope: !20)
!25 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !21, emissionKind: FullDebug)
!26 = distinct !DISubprogram(name: "id", scope: !22, file: !22, line: 2, flags: DIFlagPrototyped | DIFlagArtificial, unit: !25)
