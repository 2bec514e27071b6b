"""What PTX instructions do, in machine code, inline assembly and intrinsics."""
