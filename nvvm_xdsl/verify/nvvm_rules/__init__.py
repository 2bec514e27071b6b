"""What NVVM IR forbids of LLVM IR, as tables: the rules of `nvvm-verify`."""
