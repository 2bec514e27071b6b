// RUN: not nvvm-opt %s 2>&1 | filecheck %s

// CHECK: error_address_bytes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: error: an address has 1 to 8 bytes, not 9
nvptx.global @long "global" "b8" x 9 <{init = array<i8: 0, 0, 0, 0, 0, 0, 0, 0, 0>, relocs = [#nvptx.reloc<0, low 9 @small>]}>
