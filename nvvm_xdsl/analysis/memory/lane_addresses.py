"""Addresses of a warp's accesses that are not linear in the thread index.

An address computed from `tid.x` and constants by exclusive or, masks, shifts or divisions, as in
swizzled tiles, has a computable offset for each thread of a warp. Values are evaluated for the 32
threads of a block's first warp; a sum may contain an unknown term that is uniform in the warp.
Other warps are assumed to access memory like the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    GEPOp,
    ICmpOp,
    LShrOp,
    MulOp,
    OrOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed, unsigned
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import WARP_SIZE

MAX_DEPTH = 40
"""Maximum length of a chain of ops in an address."""


class Lanes(NamedTuple):
    """The value of each thread: the known terms, and whether there is an unknown uniform term."""

    parts: tuple[int, ...]
    shared: bool = False


_KNOWN: dict[type[Operation], Callable[[int, int, int], int | None]] = {
    XOrOp: lambda a, b, _: a ^ b,
    AndOp: lambda a, b, _: a & b,
    OrOp: lambda a, b, _: a | b,
    LShrOp: lambda a, b, width: a >> b if b < width else None,
    AShrOp: lambda a, b, width: signed(a, width) >> b if b < width else None,
    UDivOp: lambda a, b, _: a // b if b else None,
    URemOp: lambda a, b, _: a % b if b else None,
}
"""Ops that are evaluated if both operands are known, on unsigned numbers of a width."""

_SAME = frozenset({"llvm.addrspacecast", "llvm.bitcast", "llvm.freeze"})

_COMPARED: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)
_FIRST_UNSIGNED = 6
"""The last four of the ten predicates of `icmp` are unsigned, in the order of the signed ones."""


class LaneAddresses:
    """The addresses in one function, cached by value."""

    def __init__(self, func: Operation, uniformity: Uniformity) -> None:
        module = func.parent_op()
        self._layout = DataLayout.of(module) if isinstance(module, ModuleOp) else DataLayout()
        self._uniformity = uniformity
        self._known: dict[SSAValue, Lanes | None] = {}

    def offsets(self, pointer: SSAValue) -> tuple[int, ...] | None:
        """Each thread's address as an offset in bytes from the uniform part; None if it is
        unknown."""
        found = self._of(pointer, 0)
        return None if found is None else found.parts

    def _of(self, value: SSAValue, depth: int) -> Lanes | None:
        if value in self._known:
            return self._known[value]
        found = None if depth > MAX_DEPTH else self._compute(value, depth + 1)
        self._known[value] = found
        return found

    def _compute(self, value: SSAValue, depth: int) -> Lanes | None:
        constant = constant_integer(value)
        if constant is not None:
            return Lanes((constant,) * WARP_SIZE)
        if self._uniformity.is_uniform(value):
            return Lanes((0,) * WARP_SIZE, shared=True)
        if not isinstance(value, OpResult):
            return None
        op = value.op
        register = special_register(op)
        if register in ("tid.x", "laneid"):
            return Lanes(tuple(range(WARP_SIZE)))
        if register in ("tid.y", "tid.z"):
            # The threads of a warp are assumed to differ in tid.x only, as in `thread_slope`.
            return Lanes((0,) * WARP_SIZE, shared=True)
        if type(op) is GEPOp:
            return self._of_gep(op, depth)
        found = [self._of(operand, depth) for operand in fast.operands_of(op)]
        operands = [lanes for lanes in found if lanes is not None]
        if len(operands) < len(found):
            return None
        return self._of_op(op, operands, integer_width(value.type))

    def _of_gep(self, gep: Operation, depth: int) -> Lanes | None:
        try:
            offset = gep_offset(gep, self._layout)
        except UnsizedTypeError:
            return None
        total = self._of(fast.operands_of(gep)[0], depth)
        for index, scale in offset.terms if offset is not None else ():
            lanes = self._of(index, depth)
            if total is None or lanes is None:
                return None
            width = integer_width(index.type)
            parts = lanes.parts if lanes.shared else [signed(p, width) for p in lanes.parts]
            total = _sum(total, Lanes(tuple(p * scale for p in parts), lanes.shared))
        return None if offset is None else total

    def _of_op(self, op: Operation, operands: list[Lanes], width: int) -> Lanes | None:
        cls = type(op)
        if op.name in _SAME:
            return operands[0]
        if cls is AddOp:
            return _sum(*operands)
        if cls is SubOp:
            return _sum(operands[0], _times(operands[1], -1))
        if cls in (MulOp, ShlOp):
            return _product(cls, *operands)
        if cls in (ZExtOp, SExtOp, TruncOp):
            return self._extended(op, operands[0], width)
        if any(lanes.shared for lanes in operands):
            return None
        if cls is ICmpOp:
            return _compared(op, *operands)
        if cls is SelectOp:
            condition, yes, no = (lanes.parts for lanes in operands)
            return Lanes(tuple(a if c & 1 else b for c, a, b in zip(condition, yes, no)))
        compute = _KNOWN.get(cls)
        if compute is None or not width:
            return None
        parts = [
            compute(unsigned(a, width), unsigned(b, width), width)
            for a, b in zip(operands[0].parts, operands[1].parts)
        ]
        known = [part for part in parts if part is not None]
        return Lanes(tuple(known)) if len(known) == WARP_SIZE else None

    @staticmethod
    def _extended(op: Operation, lanes: Lanes, width: int) -> Lanes | None:
        narrow = integer_width(fast.operands_of(op)[0].type)
        if lanes.shared:
            # Sums with unknown terms are assumed not to wrap within a warp if that is possible.
            spread = max(lanes.parts) - min(lanes.parts)
            return lanes if spread < 1 << min(width, narrow) else None
        if type(op) is ZExtOp:
            return Lanes(tuple(unsigned(part, narrow) for part in lanes.parts))
        low = min(width, narrow)
        return Lanes(tuple(signed(part, low) for part in lanes.parts))


def _sum(a: Lanes, b: Lanes) -> Lanes:
    return Lanes(tuple(x + y for x, y in zip(a.parts, b.parts)), a.shared or b.shared)


def _times(lanes: Lanes, factor: int) -> Lanes:
    return Lanes(tuple(part * factor for part in lanes.parts), lanes.shared)


def _product(cls: type[Operation], a: Lanes, b: Lanes) -> Lanes | None:
    """A product or left shift by a constant."""
    if cls is MulOp and not _is_constant(b):
        a, b = b, a
    if not _is_constant(b) or not -1 << 32 < b.parts[0] < 1 << 32:
        return None
    if cls is ShlOp:
        return _times(a, 1 << b.parts[0]) if 0 <= b.parts[0] < 64 else None
    return _times(a, b.parts[0])


def _is_constant(lanes: Lanes) -> bool:
    return not lanes.shared and len(set(lanes.parts)) == 1


def _compared(op: Operation, a: Lanes, b: Lanes) -> Lanes:
    predicate = predicate_of(op)
    width = integer_width(fast.operands_of(op)[0].type)
    number = unsigned if predicate >= _FIRST_UNSIGNED else signed
    test = _COMPARED[predicate - 4 if predicate >= _FIRST_UNSIGNED else predicate]
    return Lanes(
        tuple(int(test(number(x, width), number(y, width))) for x, y in zip(a.parts, b.parts))
    )
