// RUN: nvvm-opt %s -p nvvm-annotations | filecheck %s --check-prefixes=CHECK,ATTRIBUTES
// RUN: nvvm-opt %s -p 'nvvm-annotations<strings>' | filecheck %s --check-prefixes=CHECK,STRINGS
// RUN: nvvm-opt %s -p 'nvvm-annotations<strings>,nvvm-annotations<attributes>' | filecheck %s --check-prefixes=CHECK,ATTRIBUTES
// RUN: xdsl-opt %s -p 'nvvm-annotations{strings}' | filecheck %s --check-prefixes=CHECK,STRINGS

// The output of MLIR's importer for LLVM IR. Conflicting attributes are kept.
// ATTRIBUTES:      llvm.func @imported() attributes {
// ATTRIBUTES-SAME:   nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.cluster_max_blocks = 4 : i32, nvvm.kernel
// ATTRIBUTES-SAME:   nvvm.maxnreg = 64 : i32, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 256, 1, 1>
// ATTRIBUTES-SAME:   passthrough = ["noinline", ["other", "value"]]
// STRINGS:         llvm.func ptx_kernelcc @imported() attributes {passthrough = ["noinline", ["other", "value"], ["nvvm.reqntid", "256,1,1"],
// STRINGS-SAME:      ["nvvm.cluster_dim", "2,1,1"], ["nvvm.minctasm", "2"], ["nvvm.maxnreg", "64"], ["nvvm.maxclusterrank", "4"], "nvvm.blocksareclusters"]}
llvm.func ptx_kernelcc @imported() attributes {passthrough = [["nvvm.reqntid", "256,1,1"], "noinline", ["nvvm.minctasm", "2"], ["nvvm.maxnreg", "64"], ["other", "value"], "nvvm.blocksareclusters", ["nvvm.cluster_dim", "2,1,1"], ["nvvm.maxclusterrank", "4"]]} {
  llvm.return
}

// From MLIR.
// ATTRIBUTES: llvm.func @lowered() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>}
// STRINGS:    llvm.func ptx_kernelcc @lowered() attributes {passthrough = [
// STRINGS-SAME: ["nvvm.maxntid", "128"]]}
llvm.func @lowered() attributes {gpu.kernel, nvvm.maxntid = array<i32: 128>} {
  llvm.return
}

// An attribute takes precedence over a string.
// ATTRIBUTES: llvm.func @both() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>}
// STRINGS:    llvm.func ptx_kernelcc @both() attributes {passthrough = [
// STRINGS-SAME: ["nvvm.maxntid", "128"]]}
llvm.func @both() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>, passthrough = [["nvvm.maxntid", "256"]]} {
  llvm.return
}

// Unreadable annotations are kept, and so are those of other functions.
// CHECK:      passthrough = {{.*}}["nvvm.maxnreg", "many"]
llvm.func @unreadable() attributes {nvvm.kernel, passthrough = [["nvvm.maxnreg", "many"]]} {
  llvm.return
}
// CHECK:      llvm.func fastcc @device() attributes {passthrough = ["noinline"]}
llvm.func fastcc @device() attributes {passthrough = ["noinline"]} {
  llvm.return
}
