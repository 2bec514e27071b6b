// RUN: nvvm-opt %s -p sinking2 --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'sinking2<fast>' --verify-each | filecheck %s --check-prefix=FAST
// RUN: nvvm-opt %s -p 'sinking2<sink-into-texture=0>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'sinking2<sink-into-texture=2>' | filecheck %s --check-prefix=TWO
// RUN: nvvm-opt %s -p 'sinking2<sink-into-texture=1>' | filecheck %s --check-prefix=ONE
// RUN: nvvm-opt %s -p 'sinking2<sink-limit=1;fast>' | filecheck %s --check-prefix=LIMIT
// RUN: nvvm-opt %s -p 'sinking2<dump-sink2>' 2>&1 | filecheck %s --check-prefix=DUMP

// DUMP: sinking2: fetch: sunk %v to ^use

// A fetch with its operands and its users, over two branches at once.
// CHECK-LABEL: llvm.func @fetch
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^one:
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^use:
// CHECK-NEXT:    %a = llvm.add
// CHECK-NEXT:    %t = llvm.call_intrinsic
// CHECK-NEXT:    %v = llvm.extractvalue
// CHECK-NEXT:    llvm.store %v
// FAST-LABEL: llvm.func @fetch
// FAST-NEXT:    llvm.cond_br
// OFF-LABEL: llvm.func @fetch
// OFF-NEXT:    %a = llvm.add
// OFF-NEXT:    %t = llvm.call_intrinsic
// OFF-NEXT:    %v = llvm.extractvalue
// LIMIT-LABEL: llvm.func @fetch
// LIMIT-NEXT:    %a = llvm.add
// LIMIT-NEXT:    %t = llvm.call_intrinsic
// LIMIT-NEXT:    llvm.cond_br
llvm.func @fetch(%c: i1, %d: i1, %h: i64, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.add %x, %x : i32
  %t = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4f32.s32"(%h, %a) : (i64, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  %v = llvm.extractvalue %t[0] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.cond_br %c, ^one, ^end
^one:
  llvm.cond_br %d, ^use, ^end
^use:
  llvm.store %v, %p : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Slow loads are sunk; those of shared memory are not.
// CHECK-LABEL: llvm.func @load
// CHECK-NEXT:    %s = llvm.load %q
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^use:
// CHECK-NEXT:    %g = llvm.getelementptr
// CHECK-NEXT:    %v = llvm.load %g
llvm.func @load(%c: i1, %i: i64, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v = llvm.load %g : !llvm.ptr<1> -> f32
  %s = llvm.load %q : !llvm.ptr<3> -> f32
  llvm.cond_br %c, ^use, ^end
^use:
  llvm.store %v, %p : f32, !llvm.ptr<1>
  llvm.store %s, %p : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Not past a store, after the load or in a block on the path; a fetch passes a store to shared memory.
// CHECK-LABEL: llvm.func @writes
// CHECK-NEXT:    %v = llvm.load
// CHECK-NEXT:    %w = llvm.load
// CHECK-NEXT:    llvm.store %x, %p
// CHECK-NEXT:    llvm.cond_br
llvm.func @writes(%c: i1, %d: i1, %x: f32, %h: i64, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %r: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %v = llvm.load %p : !llvm.ptr<1> -> f32
  %w = llvm.load %r : !llvm.ptr<1> -> f32
  llvm.store %x, %p : f32, !llvm.ptr<1>
  llvm.cond_br %c, ^one, ^end
^one:
  llvm.cond_br %d, ^write, ^use
^write:
  llvm.store %x, %q : f32, !llvm.ptr<3>
  llvm.store %x, %r : f32, !llvm.ptr<1>
  llvm.br ^use
^use:
  llvm.store %v, %p : f32, !llvm.ptr<1>
  llvm.store %w, %p : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func @shared
// CHECK-NEXT:    %u = llvm.call_intrinsic
// CHECK-NEXT:    llvm.store %x, %p
// CHECK-NEXT:    llvm.store %x, %q
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^use:
// CHECK-NEXT:    %t = llvm.call_intrinsic
llvm.func @shared(%c: i1, %x: f32, %i: i32, %h: i64, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %u = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4f32.s32"(%h, %i) : (i64, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %x, %p : f32, !llvm.ptr<1>
  %t = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4f32.s32"(%h, %i) : (i64, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %x, %q : f32, !llvm.ptr<3>
  llvm.cond_br %c, ^use, ^end
^use:
  %v = llvm.extractvalue %t[0] : !llvm.struct<(f32, f32, f32, f32)>
  %w = llvm.extractvalue %u[0] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %v, %p : f32, !llvm.ptr<1>
  llvm.store %w, %p : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Not past a barrier; nothing convergent, no volatile load, no atomic and no assembly.
// CHECK-LABEL: llvm.func @stays
// CHECK-NEXT:    %v = llvm.load %p
// CHECK-NEXT:    %w = llvm.load volatile
// CHECK-NEXT:    %m = llvm.atomicrmw
// CHECK-NEXT:    %s = llvm.inline_asm
// CHECK-NEXT:    %i = llvm.call_intrinsic "llvm.nvvm.shfl
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.cond_br
llvm.func @stays(%c: i1, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %v = llvm.load %p : !llvm.ptr<1> -> i32
  %w = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %m = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i32
  %s = llvm.inline_asm "add.u32 $0, $1, $1;", "=r,r" %x : (i32) -> i32
  %i = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%x, %x, %x, %x) : (i32, i32, i32, i32) -> i32
  nvvm.barrier0
  llvm.cond_br %c, ^use, ^end
^use:
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.store %w, %p : i32, !llvm.ptr<1>
  llvm.store %m, %p : i32, !llvm.ptr<1>
  llvm.store %s, %p : i32, !llvm.ptr<1>
  llvm.store %i, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Into the loop of a fetch, if its operands are live there anyway; a load stays in the preheader.
// CHECK-LABEL: llvm.func @loop
// CHECK-NEXT:    llvm.mlir.constant
// CHECK-NEXT:    llvm.mlir.constant
// CHECK-NEXT:    %v = llvm.load
// CHECK-NEXT:    %b = llvm.mul
// CHECK-NEXT:    llvm.br
// CHECK-NEXT:  ^loop
// CHECK-NEXT:    %y = llvm.add %n
// CHECK-NEXT:    %a = llvm.add %y
// TWO-LABEL: llvm.func @loop
// TWO:         %y = llvm.add %n
// TWO-NEXT:    llvm.br
// ONE-LABEL: llvm.func @loop
llvm.func @loop(%n: i32, %h: i64, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.load %p : !llvm.ptr<1> -> f32
  %b = llvm.mul %n, %n : i32
  %y = llvm.add %n, %one : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %a = llvm.add %y, %i : i32
  %u = llvm.mul %b, %i : i32
  %f = llvm.sitofp %u : i32 to f32
  %g = llvm.fadd %f, %v : f32
  llvm.store %g, %p : f32, !llvm.ptr<1>
  %t = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4f32.s32"(%h, %a) : (i64, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  %e = llvm.extractvalue %t[0] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %e, %p : f32, !llvm.ptr<1>
  %j = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %more, ^loop(%j : i32), ^end
^end:
  llvm.return
}

// Not out of a loop.
// CHECK-LABEL: llvm.func @out_of_loop
// CHECK:       ^body:
// CHECK-NEXT:    %g = llvm.getelementptr
// CHECK-NEXT:    %v = llvm.load
llvm.func @out_of_loop(%n: i32, %c: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %j = llvm.add %i, %one : i32
  llvm.cond_br %c, ^body, ^end
^body:
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %g : !llvm.ptr<1> -> f32
  %more = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %more, ^loop(%j : i32), ^use
^use:
  llvm.store %v, %p : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Within a block: next to the fetch, from level 2 on.
// CHECK-LABEL: llvm.func @near
// CHECK-NEXT:    %o = llvm.mul
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    %a = llvm.add
// CHECK-NEXT:    llvm.call_intrinsic
// ONE-LABEL: llvm.func @near
// ONE-NEXT:    %a = llvm.add
llvm.func @near(%h: i64, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.add %x, %x : i32
  %o = llvm.mul %x, %x : i32
  llvm.store %o, %p : i32, !llvm.ptr<1>
  %t = llvm.call_intrinsic "llvm.nvvm.tex.unified.1d.v4f32.s32"(%h, %a) : (i64, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  %e = llvm.extractvalue %t[0] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %e, %p : f32, !llvm.ptr<1>
  llvm.return
}
