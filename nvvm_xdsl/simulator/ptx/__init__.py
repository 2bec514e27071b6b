"""Semantics of PTX instructions in machine code, inline assembly and intrinsics."""
