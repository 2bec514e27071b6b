"""`scalarizer`: replaces ops on vectors by ops on their elements.

    %s = llvm.add %v, %w : vector<2xi32>            %v0 = llvm.extractelement %v[0]
    %x = llvm.extractelement %s[0]                  %w0 = llvm.extractelement %w[0]
                                            ->      %s0 = llvm.add %v0, %w0 : i32
                                                    ...
                                                    // %x is %s0

Elementwise ops are scalarized: arithmetic, bits, comparisons, casts between vectors with as many
elements, `select` and such intrinsics. Elements of scalarized vectors are used directly; a vector
is rebuilt only for an op that needs it, such as a store or a block argument. Loads and stores are
unchanged: the machine has wide accesses. With `min-bits` vectors of at most as many bits are kept;
`min-bits=32` keeps those that fit one register, whose instructions process two halves at once.

LLVM's Scalarizer; NVIDIA also registers it as `d2ir-scalarizer`. No sequence runs it: selection
scalarizes vectors, too, and the pass does not change the code of the examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    FAbsOp,
    FAddOp,
    FCmpOp,
    FCopySignOp,
    FDivOp,
    FMAOp,
    FMulOp,
    FNegOp,
    FPExtOp,
    FPTruncOp,
    FRemOp,
    FSqrtOp,
    FSubOp,
    FuncOp,
    ICmpOp,
    InsertElementOp,
    LShrOp,
    MulOp,
    OrOp,
    SDivOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SIToFPOp,
    SRemOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    VectorFMaxOp,
    VectorFMinOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import vector_type
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants, after_constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import (
    ExtractElementOp,
    FMulAddOp,
    FPToSIOp,
    FPToUIOp,
    SMaxOp,
    SMinOp,
    UIToFPOp,
    UMaxOp,
    UMinOp,
)
from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass

BY_ELEMENT: frozenset[type[Operation]] = frozenset(
    {
        *(AddOp, SubOp, MulOp, SDivOp, UDivOp, SRemOp, URemOp, ShlOp, LShrOp, AShrOp),
        *(AndOp, OrOp, XOrOp, ICmpOp, FCmpOp, SelectOp),
        *(FAddOp, FSubOp, FMulOp, FDivOp, FNegOp),
        *(SExtOp, ZExtOp, TruncOp, FPExtOp, FPTruncOp, SIToFPOp),
        *(UIToFPOp, FPToSIOp, FPToUIOp, FRemOp),
        *(
            SMinOp,
            SMaxOp,
            UMinOp,
            UMaxOp,
            VectorFMinOp,
            VectorFMaxOp,
            FMAOp,
            FMulAddOp,
            FAbsOp,
            FSqrtOp,
            FCopySignOp,
        ),
    }
)
"""Ops that process each element independently."""


@dataclass(frozen=True)
class Scalarizer(FunctionPass):
    """Scalarizes vector ops.

    Arguments:
        min_bits: maximum number of bits of vectors that are not scalarized.
    """

    name = "scalarizer"
    title = "Scalarizer"

    min_bits: int = 0

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        parts = _Parts(func, self.min_bits)
        changed = False
        for block in am.get(CFG, func).rpo_blocks():
            for op in list(fast.ops_of(block)):
                if type(op) in BY_ELEMENT:
                    changed |= parts.take_apart(op)
                elif type(op) is ExtractElementOp:
                    changed |= parts.use_element(op)
        parts.put_together()
        return changed


@dataclass(frozen=True)
class D2IRScalarizer(Scalarizer):
    """Scalarizes vector ops; the pass under NVIDIA's name."""

    name = "d2ir-scalarizer"
    title = "Scalarizer"


def is_vector(value: SSAValue) -> bool:
    """Returns True if the value is a vector."""
    return isinstance(value.type, VectorType)


class _Parts:
    """The elements of the vectors of a function."""

    def __init__(self, func: FuncOp, min_bits: int) -> None:
        self.constants = Constants(func)
        self.layout = data_layout_of(func)
        self.min_bits = min_bits
        self.elements: dict[SSAValue, list[SSAValue]] = {}
        self.taken: list[Operation] = []
        """Ops on vectors whose elements were computed, in order."""

    def shape(self, type_: Attribute) -> int | None:
        """The number of elements of a vector that may be scalarized."""
        vector = vector_type(type_)
        if vector is None:
            return None
        sizes = vector.get_shape()
        bits = self.layout.bits(vector.element_type)
        if len(sizes) != 1 or not bits or bits * sizes[0] <= self.min_bits:
            return None
        if any(bool(flag) for flag in vector.scalable_dims):
            return None
        return sizes[0]

    def take_apart(self, op: Operation) -> bool:
        """Computes each element of an op's result separately; returns whether that was possible."""
        (result,) = op.results
        count = self.shape(result.type)
        if count is None or result.first_use is None:
            return False
        operands = fast.operands_of(op)
        for operand in operands:
            if is_vector(operand) and self.shape(operand.type) != count:
                return False
        element = cast("VectorType[Attribute]", result.type).element_type
        split = [self.of(v) if isinstance(v.type, VectorType) else [v] * count for v in operands]
        made: list[SSAValue] = []
        for values in zip(*split):
            one = fast.create(
                type(op), values, (element,), dict(op.properties), (), dict(op.attributes)
            )
            fast.insert_before(one, op)
            made.append(one.results[0])
        self.elements[result] = made
        self.taken.append(op)
        return True

    def of(self, vector: SSAValue) -> list[SSAValue]:
        """The elements of a vector, extracted if they are not available."""
        known = self.elements.get(vector)
        if known is not None:
            return known
        type_ = cast("VectorType[Attribute]", vector.type)
        found: list[SSAValue] = []
        place = _first_use_position(vector)
        for index in range(type_.get_shape()[0]):
            at = self.constants.integer(index, I32)
            taken = fast.create(ExtractElementOp, (vector, at), (type_.element_type,))
            fast.insert_before(taken, place)
            found.append(taken.results[0])
        self.elements[vector] = found
        return found

    def use_element(self, op: Operation) -> bool:
        """Replaces the extraction of an element from a scalarized vector by the element."""
        vector, position = fast.operands_of(op)
        known = self.elements.get(vector)
        number = constant_unsigned(position)
        if known is None or number is None or number >= len(known):
            return False
        if op is known[number].owner:
            return False
        fast.replace_op(op, (known[number],))
        return True

    def put_together(self) -> None:
        """Rebuilds vectors that still have uses, and erases the others."""
        for op in reversed(self.taken):
            (result,) = op.results
            if result.first_use is not None:
                whole = self.constants.poison(result.type)
                for index, value in enumerate(self.elements[result]):
                    at = self.constants.integer(index, I32)
                    insertion = fast.create(InsertElementOp, (whole, value, at), (result.type,))
                    fast.insert_before(insertion, op)
                    whole = insertion.results[0]
                fast.replace_all_uses(result, whole)
            fast.erase(op)


def _first_use_position(value: SSAValue) -> Operation:
    """The position at which an op on a single value dominates all its uses."""
    block: Block | None
    if isinstance(value, OpResult):
        following = value.op.next_op
        block = value.op.parent
        if type(value.op) not in CONSTANT_CLASSES and following is not None:
            return following
    else:
        block = cast(BlockArgument, value).block
    assert block is not None
    return after_constants(block)
