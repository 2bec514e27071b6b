// The pass also runs in an xdsl-opt without this project's patches.
//
// RUN: xdsl-opt %s -p convert-nvptx-to-ptx | filecheck %s
// RUN: xdsl-opt %s -p convert-nvptx-to-ptx -t ptx | filecheck %s --check-prefix=PTX

// CHECK:      ptx.version "7.8"
// CHECK-NEXT: ptx.target "sm_90"
// CHECK:      ptx.func "store" entry linkage = "visible" params = [".param .b64 store_param_0"] {
// CHECK:      ptx.inst "ld.param.b64" "%rd1, [store_param_0]"
// CHECK-NEXT: ptx.inst "st.global.b32" "[%rd1], 7"
// PTX:        .visible .entry store(
// PTX:        st.global.b32 [%rd1], 7;
builtin.module attributes {nvptx.target = "sm_90", nvptx.ptx = "7.8"} {
  nvptx.func kernel visible @store(#nvptx.param<b64>) {
    %p = nvptx.ld param.b64 [@store_param_0] : () -> !nvptx.b64
    nvptx.st global.b32 [%p], 7 : (!nvptx.b64) -> ()
    nvptx.ret
  }
}
