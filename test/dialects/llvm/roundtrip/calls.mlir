llvm.func @g(i32) -> i32
llvm.func @f(%arg0: i32) {
  %0 = llvm.call @g(%arg0) : (i32) -> i32
  llvm.return
}

// -----

llvm.func @g(i32)
llvm.func @f(%arg0: i32) {
  llvm.call fastcc musttail @g(%arg0) : (i32) -> ()
  llvm.return
}

// -----

llvm.func @g(i32, f32) -> f32
llvm.func @f(%arg0: i32, %arg1: f32) {
  %0 = llvm.call @g(%arg0, %arg1) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (i32 {llvm.signext}, f32) -> (f32 {llvm.noundef})
  llvm.return
}

// -----

llvm.func @g(!llvm.ptr)
llvm.func @f(%arg0: !llvm.ptr) {
  llvm.call @g(%arg0) : (!llvm.ptr {llvm.align = 4 : i64, llvm.byval = !llvm.struct<(i32, i32)>}) -> ()
  llvm.return
}

// -----

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = llvm.call @printf(%arg0, %arg1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
  %0 = llvm.call %arg0(%arg1) : !llvm.ptr, (i32) -> f32
  llvm.return
}

// -----

llvm.func @g()
llvm.func @f() {
  llvm.call @g() {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_inline, no_unwind, will_return} : () -> ()
  llvm.return
}

// -----

llvm.func @g()
llvm.func @f(%arg0: i32) {
  llvm.call @g() ["tag"(%arg0 : i32), "other"()] : () -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=r,r" %arg0 : (i32) -> i32
  llvm.inline_asm has_side_effects is_align_stack tail_call_kind = <tail> asm_dialect = intel operand_attrs = [] "bar.sync 0;", "~{memory}"  : () -> ()
  llvm.return
}

// -----

llvm.func @f(%arg0: i32) {
  %0 = llvm.inline_asm {convergent} "vote $0, $1;", "=r,r" %arg0 : (i32) -> !llvm.struct<(i32, i32)>
  llvm.return
}
