// RUN: nvvm-opt %s -p 'stack-coloring' | filecheck %s

// The module defines the function, which may keep the addresses.
// CHECK-LABEL: @printed
// CHECK-NEXT: nvptx.local @a
// CHECK-NEXT: nvptx.local @b
nvptx.func visible @vprintf(#nvptx.param<b64, name = "p">, #nvptx.param<b64, name = "q">) {
  nvptx.ret
}
nvptx.func @printed() {
  nvptx.local @a 4 align 4
  nvptx.local @b 4 align 4
  %f = nvptx.mov b64 0 : () -> !nvptx.b64
  nvptx.st local.b32 [@a], 1 : () -> ()
  %a = nvptx.mov b64 @a : () -> !nvptx.b64
  nvptx.call uni @vprintf(%f, %a) <{params = [#nvptx.param<b64>, #nvptx.param<b64>], stores = [#nvptx.piece<0, 0, "b64">, #nvptx.piece<1, 0, "b64">]}> : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st local.b32 [@b], 2 : () -> ()
  %b = nvptx.mov b64 @b : () -> !nvptx.b64
  nvptx.call uni @vprintf(%f, %b) <{params = [#nvptx.param<b64>, #nvptx.param<b64>], stores = [#nvptx.piece<0, 0, "b64">, #nvptx.piece<1, 0, "b64">]}> : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}
