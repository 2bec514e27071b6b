"""DWARF for PTX, in the form that LLVM's NVPTX back end writes and ptxas and cuda-gdb read."""

from typing import Final

FIRST_INLINED_LINES: Final = 72
"""The PTX version, times ten, whose `.loc` describes inlined functions."""
