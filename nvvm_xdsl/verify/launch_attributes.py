"""Verification of `nvvm.` attributes of functions: launch bounds and grid constants.

MLIR 22's NVVM dialect checks the same of operations and arguments that have them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import calling_convention_of
from nvvm_xdsl.ir.arrays import items_of

DIMENSIONS: Final = ("nvvm.maxntid", "nvvm.reqntid", "nvvm.cluster_dim")
NUMBERS: Final = ("nvvm.minctasm", "nvvm.maxnreg", "nvvm.cluster_max_blocks")
MOST_DIMENSIONS: Final = 3

GRID_CONSTANT: Final = "nvvm.grid_constant"
CLUSTERS: Final = "nvvm.blocksareclusters"


def launch_errors(func: Operation) -> Iterator[str]:
    """Verification of a function's launch bounds and argument attributes."""
    attributes = func.attributes
    for name in DIMENSIONS:
        value = attributes.get(name)
        if value is not None and not _is_dimensions(value):
            yield f"'{name}' must be an array of 1 to {MOST_DIMENSIONS} numbers of 32 bits"
    for name in NUMBERS:
        value = attributes.get(name)
        if value is not None and not isinstance(value, IntegerAttr):
            yield f"'{name}' must be a number"
    if CLUSTERS in attributes:
        missing = [n for n in ("nvvm.reqntid", "nvvm.cluster_dim") if n not in attributes]
        if missing:
            yield f"'{CLUSTERS}' needs {' and '.join(missing)}"
    for number, item in enumerate(items_of(func.properties.get("arg_attrs"))):
        stated = item.data.get(GRID_CONSTANT) if isinstance(item, DictionaryAttr) else None
        if stated is None:
            continue
        if not isinstance(stated, UnitAttr):
            yield f"'{GRID_CONSTANT}' of argument #{number} must be a unit attribute"
        elif not _is_kernel(func):
            yield f"'{GRID_CONSTANT}' of argument #{number} requires a kernel"
        elif "llvm.byval" not in cast(DictionaryAttr, item).data:
            yield f"'{GRID_CONSTANT}' of argument #{number} requires llvm.byval"


def _is_dimensions(value: Attribute) -> bool:
    if isinstance(value, StringAttr):
        # As LLVM writes them.
        return True
    if not isinstance(value, DenseArrayBase):
        return False
    numbers = cast("DenseArrayBase[Any]", value)
    return numbers.elt_type == i32 and 0 < len(numbers) <= MOST_DIMENSIONS


def _is_kernel(func: Operation) -> bool:
    return any(name in func.attributes for name in ("nvvm.kernel", "gpu.kernel")) or (
        calling_convention_of(func) == "ptx_kernelcc"
    )
