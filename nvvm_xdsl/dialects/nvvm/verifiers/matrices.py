"""Verification of ops on matrices: fragments in shared memory, `mma`, tensor memory."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.types import F64, I32
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.dialects.nvvm.verifiers.parts import group_of

_SQUEEZED = ("b8x16.b4x16_p64", "b8x16.b6x16_p32")

LOADS: dict[tuple[int, int], tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]] = {
    (8, 8): ((1, 2, 4), ("b16",), ("row", "col")),
    (8, 16): ((1, 2, 4), _SQUEEZED, ("row",)),
    (16, 16): ((1, 2), ("b8", *_SQUEEZED), ("col",)),
}
STORES: dict[tuple[int, int], tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]] = {
    (8, 8): ((1, 2, 4), ("b16",), ("row", "col")),
    (16, 8): ((1, 2, 4), ("b8",), ("col",)),
}
"""By shape: the possible numbers of matrices, element types and layouts."""


def _shape(op: Operation) -> tuple[int, int]:
    shape = cast(Any, op.properties["shape"])
    return shape.m.data, shape.n.data


def _matrices(
    op: Operation,
    table: dict[tuple[int, int], tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]],
    count: int,
) -> None:
    what = op.name.removeprefix("nvvm.")
    shape = _shape(op)
    if shape not in table:
        known = " or ".join(f"{m}x{n}" for m, n in table)
        raise VerifyException(f"{what} has shape {known}, not {shape[0]}x{shape[1]}")
    counts, elements, layouts = table[shape]
    matrices = f"{what} of {shape[0]}x{shape[1]} matrices"
    for name, found, allowed in (
        ("number", str(count), tuple(map(str, counts))),
        ("element type", keyword_of(op, "eltType"), elements),
        ("layout", keyword_of(op, "layout"), layouts),
    ):
        if found not in allowed:
            raise VerifyException(f"{matrices} has {name} {' or '.join(allowed)}, not {found}")


def load_matrix(op: Operation) -> None:
    """`nvvm.ldmatrix` yields a register for each matrix of 64 elements of 16 bits."""
    count = int_property(op, "num")
    _matrices(op, LOADS, count)
    registers = count * (2 if _shape(op) == (16, 16) else 1)
    wanted: Attribute = I32 if registers == 1 else types.struct((I32,) * registers)
    if op.results[0].type != wanted:
        raise VerifyException(f"ldmatrix of {count} yields {wanted}, not {op.results[0].type}")


def store_matrix(op: Operation) -> None:
    """`nvvm.stmatrix` stores 1, 2 or 4 matrices."""
    _matrices(op, STORES, len(op.operands) - 1)


def wmma_load(op: Operation) -> None:
    """`nvvm.wmma.load` of doubles yields one for a and b."""
    if keyword_of(op, "eltype") == "f64" and keyword_of(op, "frag") in ("a", "b"):
        if op.results[0].type != F64:
            raise VerifyException(f"a fragment of doubles is f64, not {op.results[0].type}")


def mma(op: Operation) -> None:
    """`nvvm.mma.sync` reads A by rows and B by columns; 8x8x4 of halves reads either any way."""
    shape = cast(Any, op.properties["shape"])
    if (shape.m.data, shape.n.data, shape.k.data) == (8, 8, 4) and keyword_of(
        op, "multiplicandAPtxType"
    ) in ("f16", ""):
        return
    for name, wanted in (("layoutA", "row"), ("layoutB", "col")):
        found = keyword_of(op, name)
        if found != wanted:
            raise VerifyException(f"mma of this shape has {name} {wanted}, not {found}")


# Tensor memory

_COPIES: dict[str, tuple[str, ...]] = {
    "shape_64x128b": ("warpx2_01_23", "warpx2_02_13"),
    "shape_32x128b": ("warpx4",),
}


def tensor_copy(op: Operation) -> None:
    """`nvvm.tcgen05.cp` of half and quarter lanes must state the receiving warps."""
    shape, found = keyword_of(op, "shape"), keyword_of(op, "multicast") or "none"
    allowed = _COPIES.get(shape, ("none",))
    if found not in allowed:
        raise VerifyException(
            f"tcgen05.cp of {shape} has multicast {' or '.join(allowed)}, not {found}"
        )


def tensor_memory_load(op: Operation) -> None:
    """`nvvm.tcgen05.ld` and `st` of shape 16x32bx2 require an offset; loads of other shapes have
    none."""
    needed = keyword_of(op, "shape") == "shape_16x32bx2"
    given = len(op.operands) == (2 if op.results else 3)
    if (needed and not given) or (op.results and given and not needed):
        raise VerifyException("an offset is given for shape 16x32bx2 and for no other")


_LANES = {"cta_1": 4, "cta_2": 8}
"""Number of registers of a lane mask."""


def tensor_product(op: Operation) -> None:
    """`nvvm.tcgen05.mma` only shifts A in tensor memory; masks have one bit per lane."""
    sparse = ".sp" in op.name
    masks = group_of(op, 7 if sparse else 6)
    group = keyword_of(op, "ctaGroup")
    if masks:
        type_ = masks[0].type
        length = type_.element_count() if isinstance(type_, VectorType) else 1
        if length != _LANES[group]:
            raise VerifyException(
                f"a mask of lanes of {group} has {_LANES[group]} words, not {length}"
            )
    if not flag_of(op, "aShift"):
        return
    if not isinstance(op.operands[1].type, LLVMPointerType):
        raise VerifyException("matrix A can be shifted in tensor memory only")
    use = keyword_of(op, "collectorOp")
    if use in ("fill", "use"):
        raise VerifyException(f"a shifted matrix A has no collector operation {use}")


def scaled_product(op: Operation) -> None:
    """`nvvm.tcgen05.mma.block_scale`: blocks of 16 exist only for mxf4nvf4, which must state its
    blocks."""
    kind, scale = keyword_of(op, "kind"), keyword_of(op, "blockScale") or "default"
    if kind == "mxf4nvf4" and scale == "default":
        raise VerifyException("mxf4nvf4 needs a block scale")
    if kind != "mxf4nvf4" and scale == "block16":
        raise VerifyException(f"{kind} has no blocks of 16")
