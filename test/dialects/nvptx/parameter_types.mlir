// RUN: not nvvm-opt %s 2>&1 | filecheck %s

// CHECK: parameter_types.mlir:5:36: error: 'b1.5' is not a PTX type
nvptx.func @good(#nvptx.param<b64>) { nvptx.ret }
nvptx.func @not_good(#nvptx.param< b1.5>) { nvptx.ret }
