"""Restrictions of NVVM IR relative to LLVM IR, as tables: the rules of `nvvm-verify`."""
