"""Limits of modules: widths of pointers, sizes and alignments of variables.

PTX's address spaces are windows of the 64-bit generic one: all but the global one have addresses
of 32 bits (PTX ISA 9.1, section 4.1; ptxas 13.0 wraps larger sizes without a message). ptxas ends
in a crash, or not at all, for alignments far above `MAX_ALIGNMENT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from nvvm_xdsl.codegen.errors import SelectionError, error_at
from nvvm_xdsl.dialects.llvm.data_layout import LAYOUT_ATTRIBUTE, TRIPLE_ATTRIBUTE, DataLayout
from nvvm_xdsl.dialects.nvptx.functions import MAX_ALIGNMENT

GENERIC_WIDTH: Final = 64
SPACE_WIDTHS: Final = frozenset({32, 64})

MAX_SIZES: Final[Mapping[str, int]] = {
    "global": (1 << 63) - 1,
    "shared": (1 << 32) - 1,
    "const": (1 << 32) - 1,
    "local": (1 << 32) - 1,
}
"""Maximum size of a variable in bytes, by state space."""


def check_pointers(module: ModuleOp) -> None:
    """Raises SelectionError for a triple or data layout with pointer widths that PTX does not
    support.

    Generic pointers have 64 bits: CUDA 12 removed 32-bit PTX. Pointers into one space may have 32
    bits, as with `-nvptx-short-ptr`.
    """
    triple = module.attributes.get(TRIPLE_ATTRIBUTE)
    if isinstance(triple, StringAttr) and triple.data.startswith("nvptx-"):
        raise SelectionError(
            f"the target triple {triple.data} has pointers of 32 bits, which are not supported: "
            "use nvptx64-nvidia-cuda"
        )
    layout = DataLayout.of(module)
    for space, width in layout.pointer_widths().items():
        if width == GENERIC_WIDTH or (space and width in SPACE_WIDTHS):
            continue
        allowed = "32 or 64" if space else "64"
        raise SelectionError(
            f"{LAYOUT_ATTRIBUTE} declares pointers of {width} bits in address space {space}; "
            f"only {allowed} bits are supported"
        )


def check_variable(op: Operation, space: str, size: int, alignment: int) -> None:
    """Raises SelectionError for a variable that its state space cannot hold."""
    most = MAX_SIZES[space]
    if size > most:
        raise error_at(
            op, f"a variable of {size} bytes in {space} memory exceeds the limit of {most} bytes"
        )
    if alignment > MAX_ALIGNMENT or alignment & (alignment - 1):
        raise error_at(
            op,
            f"the alignment {alignment} is not a power of two of at most {MAX_ALIGNMENT}",
        )


__all__ = ["MAX_SIZES", "check_pointers", "check_variable"]
