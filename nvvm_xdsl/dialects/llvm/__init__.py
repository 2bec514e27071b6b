"""The llvm dialect: xDSL's own, completed to MLIR 22's.

`LLVM` is xDSL's dialect object with the missing definitions added, so that a stock `xdsl-opt` and
stock passes use the same dialect and op classes. Classes of xDSL are augmented in place (`compat`);
the others are generated from MLIR's definitions (`generate`) or written by hand. `ops` exports all
classes by name.
"""

from __future__ import annotations

from functools import cache

from xdsl.dialects.llvm import LLVM as LLVM
from xdsl.ir import Operation

from nvvm_xdsl.dialects.assembly import register_keywords
from nvvm_xdsl.dialects.generated import llvm_core_ops as core_ops
from nvvm_xdsl.dialects.generated import llvm_intrinsic_ops as intrinsic_ops
from nvvm_xdsl.dialects.generated import llvm_math_ops as math_ops
from nvvm_xdsl.dialects.generated import llvm_tooling_ops as tooling_ops
from nvvm_xdsl.dialects.generated import llvm_vector_ops as vector_ops
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import flow_ops, symbol_ops, vp_ops
from nvvm_xdsl.dialects.llvm.attributes import ATTRIBUTES
from nvvm_xdsl.dialects.llvm.compat import augment
from nvvm_xdsl.dialects.llvm.constants import float_bits as float_bits
from nvvm_xdsl.dialects.llvm.constants import float_from_bits as float_from_bits
from nvvm_xdsl.dialects.llvm.debug_records import register as register_debug_ops
from nvvm_xdsl.xdsl_patches.op_classes import add_to_dialect

register_keywords(ENUMS)
augment()
add_to_dialect(
    LLVM,
    (
        *core_ops.OPS,
        *flow_ops.OPS,
        *symbol_ops.OPS,
        *intrinsic_ops.OPS,
        *math_ops.OPS,
        *tooling_ops.OPS,
        *vector_ops.OPS,
        *vp_ops.OPS,
    ),
    ATTRIBUTES,
)


register_debug_ops(
    tooling_ops.DbgDeclareOp, tooling_ops.DbgValueOp, tooling_ops.DbgLabelOp, core_ops.PoisonOp
)


@cache
def _classes() -> dict[str, type[Operation]]:
    return {op.name: op for op in LLVM.operations}


def op_class(name: str) -> type[Operation]:
    """The class of an op by its full name, as in `op_class("llvm.atomicrmw")`.

    Raises KeyError if the dialect has no such op.
    """
    return _classes()[name]
