; RUN: nvvm-opt %s | filecheck %s
; Handwritten text: missing line breaks, quoted names, uses before definitions, blocks in any order, unknown
; attributes.

; CHECK: llvm.func @"a b"(%x: i32) -> !llvm.struct<"later", (i32, struct<"even later", packed (i8)>)>
define %later @"a b" ( i32 %"x" ) frobnicated nounwind future(thing(1)) { br label %second

third: ; blocks need not be in the order of control flow
  ; CHECK: ^[[third:.*]]:
  ; CHECK-NEXT: %z = llvm.add %y, %x : i32
  ; CHECK-NEXT: llvm.switch %z : i32, ^[[last:.*]] [
  ; CHECK-NEXT: 1: ^[[second:.*]],
  ; CHECK-NEXT: -1: ^[[third]]
  %z = add i32 %y, %x switch i32 %z, label %"last one"
  [ i32 1, label %second i32 -1,
    label %third ]
second:
  ; CHECK: ^[[second]]:
  %y2 = add i32 %x, 1 br label %third2
third2:
  %y = add i32 %y2, 1
  br label %third
"last one":
  ; CHECK: ^[[last]]:
  %r = insertvalue %later undef, i32 %z, 0 ret %later %r
}

%later = type { i32, %"even later" } %"even later" = type <{ i8 }>

; Unnamed values get LLVM's numbers, so that LLVM's output is reproduced.
; CHECK-LABEL: llvm.func @numbers(%0: i32, %1: i32)
define i32 @numbers(i32, i32) {
  ; CHECK: %[[sum:.*]] = llvm.add %0, %1
  %3 = add i32 %0, %1
  br label %4
4:
  ; CHECK: llvm.mul %[[sum]], %[[sum]]
  %5 = mul i32 %3, %3
  br label %6

6:                                                ; preds = %4
  ret i32 %5
}

; An unreachable block is dropped, together with its entries in PHIs.
; CHECK-LABEL: llvm.func @unreachable_block(
; CHECK-NEXT: llvm.br ^[[end:.*]](%x : i32)
; CHECK-NEXT: ^[[end]](%p: i32):
; CHECK-NEXT: llvm.return %p
define i32 @unreachable_block(i32 %x) {
  br label %end
dead:
  %a = add i32 %a, %x
  br label %end
end:
  %p = phi i32 [ %x, %0 ], [ %a, %dead ]
  ret i32 %p
}

; Constants are created once for each function, and constant expressions from them.
; CHECK-LABEL: llvm.func @constants(
; CHECK-DAG: %[[seven:.*]] = llvm.mlir.constant(7 : i32) : i32
; CHECK-DAG: %[[table:.*]] = llvm.mlir.addressof @table : !llvm.ptr<4>
; CHECK-DAG: %[[cast:.*]] = llvm.addrspacecast %[[table]] : !llvm.ptr<4> to !llvm.ptr
; CHECK: llvm.store %[[seven]], %[[cast]]
; CHECK: llvm.store %[[seven]], %[[cast]]
; CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr
define void @constants() {
  store i32 7, ptr addrspacecast (ptr addrspace(4) @table to ptr)
  store i32 7, ptr addrspacecast (ptr addrspace(4) @table to ptr)
  store <2 x float> splat (float 0x7FF8000000000000), ptr addrspacecast (ptr addrspace(4) @table to ptr)
  ret void
}
@table = addrspace(4) global [4 x i32] [i32 u0xFF, i32 s0xFF, i32 -1, i32 0]

/* Comments of C's kind, which LLVM takes from 22 on: * / /* and
   over lines **/ @aligned /**/ = external global ptr align 16
; CHECK: llvm.mlir.global external @aligned() {addr_space = 0 : i32, alignment = 16 : i64} : !llvm.ptr

; A space after a pointee, hexadecimal arguments, and an undefined attribute group.
; CHECK-LABEL: llvm.func @glued(%p: !llvm.ptr<3>)
; CHECK: llvm.call @numbers({{.*}}, {{.*}}) : (i32, i32) -> i32
define void @glued(i8addrspace(3)* %p) #99 {
  call i32 @numbers(i32 u0xffffffff, /* the second */ i32 s0x7F)
  ret void
}
