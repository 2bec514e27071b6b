// RUN: nvvm-opt %s -p 'nvptx-mem2reg' | filecheck %s

// A variable that is stored and loaded whole becomes the value; another register class needs a copy.
// CHECK-LABEL: @straight
// CHECK-NOT: nvptx.local
// CHECK: %t = nvptx.mov.sreg "tid.x"
// CHECK-NEXT: %[[F:.*]] = nvptx.mov b32 %t : (!nvptx.b32) -> !nvptx.f32
// CHECK-NEXT: nvptx.st global.b32 [@g], %t
// CHECK-NEXT: nvptx.st global.f32 [@g], %[[F]]
// CHECK-NEXT: nvptx.ret
nvptx.func @straight() {
  nvptx.local @x 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.st local.b32 [@x], %t : (!nvptx.b32) -> ()
  %a = nvptx.ld local.b32 [@x] : () -> !nvptx.b32
  %b = nvptx.ld local.f32 [@x] : () -> !nvptx.f32
  nvptx.st global.b32 [@g], %a : (!nvptx.b32) -> ()
  nvptx.st global.f32 [@g], %b : (!nvptx.f32) -> ()
  nvptx.ret
}

// Joins of stores get an argument, which circulates in the loop. Dead values get none.
// CHECK-LABEL: @merge
// CHECK-NOT: nvptx.local
// CHECK: nvptx.cbra %c : !nvptx.pred, ^then, ^join(%[[ZERO:.*]] : !nvptx.b32)
// CHECK-NEXT: ^then:
// CHECK-NEXT: nvptx.bra ^join(%t : !nvptx.b32)
// CHECK-NEXT: ^join(%[[X:.*]]: !nvptx.b32):
// CHECK-NEXT: nvptx.bra ^loop(%[[X]] : !nvptx.b32)
// CHECK-NEXT: ^loop(%[[Y:.*]]: !nvptx.b32):
// CHECK-NEXT: %next = nvptx.add s32 %[[Y]], 1
// CHECK-NEXT: %d = nvptx.setp lt.s32 %next, 10
// CHECK-NEXT: nvptx.cbra %d : !nvptx.pred, ^loop(%next : !nvptx.b32), ^done
// CHECK-NEXT: ^done:
// CHECK-NEXT: nvptx.st global.b32 [@g], %next
nvptx.func @merge() {
  nvptx.local @x 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.setp lt.s32 %t, 5 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st local.b32 [@x], 0 : () -> ()
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st local.b32 [@x], %t : (!nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.bra ^loop
^loop:
  %i = nvptx.ld local.b32 [@x] : () -> !nvptx.b32
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@x], %next : (!nvptx.b32) -> ()
  %d = nvptx.setp lt.s32 %next, 10 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^loop, ^done
^done:
  %e = nvptx.ld local.b32 [@x] : () -> !nvptx.b32
  nvptx.st global.b32 [@g], %e : (!nvptx.b32) -> ()
  nvptx.ret
}

// Fragments that do not overlap are separate variables; one was never stored to.
// CHECK-LABEL: @pieces
// CHECK-NOT: nvptx.local
// CHECK: %[[U:.*]] = nvptx.undef : !nvptx.b32
// CHECK: nvptx.st global.b64 [@g], %w
// CHECK-NEXT: nvptx.st global.b32 [@g], %[[U]]
nvptx.func @pieces() {
  nvptx.local @x 16 align 8
  %w = nvptx.ld param.b64 [@pieces_param_0] : () -> !nvptx.b64
  nvptx.st local.b64 [@x], %w : (!nvptx.b64) -> ()
  %a = nvptx.ld local.b64 [@x] : () -> !nvptx.b64
  %b = nvptx.ld local.b32 [@x + 8] : () -> !nvptx.b32
  nvptx.st global.b64 [@g], %a : (!nvptx.b64) -> ()
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  nvptx.ret
}

// The address is taken, or stored; a vector; bytes; a guard; overlapping fragments; volatile.
// CHECK-LABEL: @stay
// CHECK: nvptx.local @taken
// CHECK-NEXT: nvptx.local @vector
// CHECK-NEXT: nvptx.local @byte
// CHECK-NEXT: nvptx.local @guarded
// CHECK-NEXT: nvptx.local @overlap
// CHECK-NEXT: nvptx.local @itself
// CHECK-NEXT: nvptx.local @volatile
// CHECK-COUNT-13: {{nvptx.(ld|st) .*local}}
nvptx.func @stay() {
  nvptx.local @taken 4 align 4
  nvptx.local @vector 8 align 8
  nvptx.local @byte 4 align 4
  nvptx.local @guarded 4 align 4
  nvptx.local @overlap 8 align 8
  nvptx.local @itself 8 align 8
  nvptx.local @volatile 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.setp lt.s32 %t, 5 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.mov b64 @taken : () -> !nvptx.b64
  nvptx.st global.b64 [@g], %a : (!nvptx.b64) -> ()
  nvptx.st local.b32 [@taken], %t : (!nvptx.b32) -> ()
  nvptx.st local.v2.b32 [@vector], {%t, %t} : (!nvptx.b32, !nvptx.b32) -> ()
  %l = nvptx.ld local.b32 [@vector] : () -> !nvptx.b32
  nvptx.st global.b32 [@g], %l : (!nvptx.b32) -> ()
  nvptx.st local.b8 [@byte], 1 : () -> ()
  %m = nvptx.ld local.u8 [@byte] : () -> !nvptx.b32
  nvptx.st global.b32 [@g], %m : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@guarded], %t if %c : (!nvptx.b32, !nvptx.pred) -> ()
  %o = nvptx.ld local.b32 [@guarded] : () -> !nvptx.b32
  nvptx.st global.b32 [@g], %o : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@overlap], %t : (!nvptx.b32) -> ()
  %p = nvptx.ld local.b64 [@overlap] : () -> !nvptx.b64
  nvptx.st global.b64 [@g], %p : (!nvptx.b64) -> ()
  nvptx.st local.b64 [@itself], @itself : () -> ()
  nvptx.st local.b32 [@volatile], %t : (!nvptx.b32) -> () attributes {volatile}
  %v = nvptx.ld local.b32 [@volatile] : () -> !nvptx.b32
  nvptx.st global.b32 [@g], %v : (!nvptx.b32) -> ()
  %q = nvptx.ld local.b64 [@itself] : () -> !nvptx.b64
  nvptx.st global.b64 [@g], %q : (!nvptx.b64) -> ()
  nvptx.ret
}
