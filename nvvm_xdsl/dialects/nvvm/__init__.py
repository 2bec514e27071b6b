"""The nvvm dialect: MLIR 22's NVVM dialect, op for op.

Classes are generated from MLIR's definitions (`generate`), except the mma ops (`mma_ops`), whose
assembly MLIR implements in C++. `ops` exports all classes by name; `intrinsics` describes the
intrinsics.
"""

from __future__ import annotations

from functools import cache

from xdsl.ir import Dialect, Operation

# Constraints of the generated ops need the types of the llvm dialect, which must be imported first.
import nvvm_xdsl.dialects.llvm  # noqa: F401  # isort: skip  # pyright: ignore[reportUnusedImport]
from nvvm_xdsl.dialects.generated import nvvm_convert_ops as convert_ops
from nvvm_xdsl.dialects.generated import nvvm_core_ops as core_ops
from nvvm_xdsl.dialects.generated import nvvm_tcgen05_ops as tcgen05_ops
from nvvm_xdsl.dialects.generated import nvvm_tensor_ops as tensor_ops
from nvvm_xdsl.dialects.nvvm import mma_ops, sreg_ops
from nvvm_xdsl.dialects.nvvm.attributes import ATTRIBUTES

NVVM = Dialect(
    "nvvm",
    [
        *core_ops.OPS,
        *sreg_ops.OPS,
        *convert_ops.OPS,
        *tensor_ops.OPS,
        *mma_ops.OPS,
        *tcgen05_ops.OPS,
    ],
    list(ATTRIBUTES),
)


@cache
def _classes() -> dict[str, type[Operation]]:
    return {op.name: op for op in NVVM.operations}


def op_class(name: str) -> type[Operation]:
    """The class of an op by its full name, as in `op_class("nvvm.shfl.sync")`.

    Raises KeyError if the dialect has no such op.
    """
    return _classes()[name]
