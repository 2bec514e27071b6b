"""DWARF for PTX, in the form that LLVM's NVPTX back end writes and ptxas and cuda-gdb read."""
