"""Attributes of the nvvm dialect in struct form, their fields in MLIR's order."""

from xdsl.dialects.builtin import IntAttr

from nvvm_xdsl.dialects.attributes import StructAttr, required
from nvvm_xdsl.dialects.op_rows import defined_in


class LdStMatrixShapeAttr(StructAttr, mnemonic="nvvm.ld_st_matrix_shape"):
    """The shape of one matrix of `ldmatrix` or `stmatrix`, in elements."""

    m: IntAttr = required("int")
    n: IntAttr = required("int")


class MMAShapeAttr(StructAttr, mnemonic="nvvm.shape"):
    """The shape of a matrix multiplication: m x n results, k products each."""

    m: IntAttr = required("int")
    n: IntAttr = required("int")
    k: IntAttr = required("int")


STRUCT_ATTRIBUTES = defined_in(globals(), StructAttr)
