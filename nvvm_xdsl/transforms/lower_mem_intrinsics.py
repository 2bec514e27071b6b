"""memcpy, memmove and memset as loads and stores.

Each access is as wide as the alignment allows, up to 16 bytes. Short blocks of known length are
expanded to single accesses. Other blocks are processed by a loop with the widest accesses and, if
the length is unknown, a loop over the remaining bytes. A copy between memory that may overlap loads
all bytes before it stores any, or runs in the direction in which it reads no byte that it has
written: upwards if the target is below the source, otherwise downwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.dialects.llvm import FuncOp, InsertElementOp, LLVMArrayType, MulOp, TruncOp, ZExtOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.memory.accesses import argument_alignment, common_alignment
from nvvm_xdsl.analysis.memory.addresses import is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import (
    AliasAnalysis,
    AliasResult,
    Location,
    spaces_may_overlap,
)
from nvvm_xdsl.analysis.memory.alignment import Alignments
from nvvm_xdsl.dialects.llvm.accessors import (
    element_type_of,
    int_property,
    integer_width,
    number_of,
    vector_type,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned, signed
from nvvm_xdsl.dialects.llvm.ops import (
    AddrSpaceCastOp,
    MemcpyInlineOp,
    MemcpyOp,
    MemmoveOp,
    MemsetInlineOp,
    MemsetOp,
)
from nvvm_xdsl.dialects.llvm.types import I8, I16, I32, I64, PTR, UNIT, pointer_space, vector
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import CONSTANT, PARAM
from nvvm_xdsl.transforms.builder import ULT, Builder, hoist_static_allocas

COPIES = frozenset({MemcpyOp, MemcpyInlineOp, MemmoveOp})
BLOCK_OPS = COPIES | {MemsetOp, MemsetInlineOp}
"""The ops that `BlockLowering` lowers."""

WIDEST = 16
"""Size in bytes of the widest access that PTX has on all targets (PTX ISA, "Vectors")."""

BATCH = 64
"""Number of bytes that a copy without overlap loads before it stores them."""

_TYPES: dict[int, Attribute] = {1: I8, 2: I16, 4: I32, 8: I64, 16: vector(4, I32)}

_TYPES_OF_WORDS = {**_TYPES, 8: vector(2, I32)}
"""For local arrays of 4-byte elements: ptxas keeps such an array in registers only if each access is to
elements of one size."""

_KEPT = ("alias_scopes", "noalias_scopes", "access_groups")
"""Metadata of a block access that also holds for its loads and stores."""

SOURCE_NAME = "src.memmove.gep.unroll"
TARGET_NAME = "dst.memmove.gep.unroll"
"""The document's names of the addresses in an unrolled copy, with the misprint of the second
corrected."""

Visit = Callable[[SSAValue | int, int, int], None]
"""Emits the accesses at an offset: position, number of bytes, and alignment."""


@dataclass(frozen=True)
class Limits:
    """Limits for blocks that are copied or filled without a loop.

    Arguments:
        size: maximum number of bytes of a block without a loop.
        stores: maximum number of stores of a block without a loop.
    """

    size: int = 128
    stores: int = 16


def chunks(size: int, alignment: int) -> list[tuple[int, int]]:
    """Offset and width of the accesses for `size` bytes at an address with that alignment."""
    found: list[tuple[int, int]] = []
    at = 0
    width = min(alignment, WIDEST)
    while at < size:
        while width > size - at:
            width //= 2
        found.append((at, width))
        at += width
    return found


class BlockLowering:
    """Lowers the block accesses of one function.

    Arguments:
        func: the function.
        layout: the data layout of the module.
        limits: sizes up to which accesses are emitted instead of a loop.
    """

    def __init__(self, func: FuncOp, layout: DataLayout, limits: Limits) -> None:
        self.func = func
        self.layout = layout
        self.limits = limits
        self.constants = Constants(func)
        self.alignments = Alignments(func, layout)
        self._hoisted = False

    def builder(self, op: Operation) -> Builder:
        """Emits accesses before an op whose block has been split."""
        if not self._hoisted:
            hoist_static_allocas(self.func, self.constants)
            self._hoisted = True
        builder = Builder(op, self.constants)
        builder.split()
        return builder

    def lower(self, op: Operation) -> None:
        """Replaces one of `BLOCK_OPS`."""
        known = _known_length(op)
        if known != 0:
            if type(op) in COPIES:
                _Copy(self, op, known).emit()
            else:
                _Set(self, op, known).emit()
        fast.erase(op)

    def alignment(self, op: Operation, index: int) -> int:
        """The alignment of a pointer operand: the stated one, or a known one."""
        pointer = fast.operands_of(op)[index]
        return max(argument_alignment(op, index), self.alignments.of(pointer))

    def has_words(self, pointer: SSAValue) -> bool:
        """Returns True if the pointer is to an alloca of 4-byte elements."""
        base = self.alignments.addresses.address(pointer).base
        if not (isinstance(base, OpResult) and is_alloca(base)):
            return False
        type_ = element_type_of(base.op)
        while isinstance(type_, LLVMArrayType):
            type_ = type_.type
        return self.layout.bits(type_) == 32


def _known_length(op: Operation) -> int | None:
    attribute = op.properties.get("len")
    if attribute is not None:
        number = number_of(attribute)
        return number & ((1 << 64) - 1)
    return constant_unsigned(fast.operands_of(op)[2])


def _space(pointer: SSAValue) -> int:
    return pointer_space(pointer.type)


class _BlockAccess:
    """Common code of copies and fills."""

    def __init__(self, lowering: BlockLowering, op: Operation, known: int | None) -> None:
        self.lowering = lowering
        self.op = op
        self.known = known
        self.builder = Builder(op, lowering.constants)
        self.target = fast.operands_of(op)[0]
        self.alignment = lowering.alignment(op, 0)
        self.types = _TYPES_OF_WORDS if lowering.has_words(self.target) else _TYPES
        self.extra: dict[str, Attribute] = {
            name: op.properties[name] for name in _KEPT if name in op.properties
        }
        if int_property(op, "isVolatile"):
            self.extra["volatile_"] = UNIT

    @property
    def step(self) -> int:
        """The width of the widest access."""
        return min(self.alignment, WIDEST)

    @property
    def known_rest(self) -> int:
        """The number of bytes that the widest accesses do not cover, for a block of known
        length.
        """
        return 0 if self.known is None else self.known % self.step

    def written_out(self) -> bool:
        """Returns True if no loop is needed."""
        known, limits = self.known, self.lowering.limits
        if known is None or known > limits.size:
            return False
        return len(chunks(known, self.alignment)) <= limits.stores

    def length(self) -> SSAValue:
        """The length as a 64-bit number."""
        if self.known is not None:
            return self.lowering.constants.integer(self.known, I64)
        value = fast.operands_of(self.op)[2]
        if value.type == I64:
            return value
        # The size of an object fits 64 bits.
        cls = ZExtOp if integer_width(value.type) < 64 else TruncOp
        return self.builder.value(cls, (value,), I64)

    def sweep(self, length: SSAValue, visit: Visit, name: str, *, down: bool = False) -> None:
        """Visits all bytes in loops, in ascending order, or in descending order with `down`."""
        b, step = self.builder, self.step
        known, left = self.known, self.known_rest
        if known is not None:
            count = self.lowering.constants.integer(known - left, I64)
        else:
            count = length if step == 1 else b.mask(length, -step)

        def rest() -> None:
            if known is not None:
                if left:
                    whole = known - left
                    visit(whole, left, common_alignment(self.alignment, whole))
            elif step > 1:
                more = b.mask(length, step - 1)
                b.loop(more, 1, lambda at: visit(b.add(count, at), 1, 1), name, down=down)

        if down:
            rest()
        b.loop(count, step, lambda at: visit(at, step, step), name, down=down)
        if not down:
            rest()


class _Copy(_BlockAccess):
    """memcpy or memmove."""

    def __init__(self, lowering: BlockLowering, op: Operation, known: int | None) -> None:
        super().__init__(lowering, op, known)
        self.source = fast.operands_of(op)[1]
        self.alignment = min(self.alignment, lowering.alignment(op, 1))
        if lowering.has_words(self.source):
            self.types = _TYPES_OF_WORDS

    def emit(self) -> None:
        """Emits the accesses before the op."""
        overlap = self._may_overlap()
        if self.written_out():
            self._move(0, cast(int, self.known), self.alignment, self.known if overlap else BATCH)
            return
        direction = self._known_direction() if overlap else "up"
        b = self.builder = self.lowering.builder(self.op)
        length = self.length()
        if direction is not None:
            self._sweep(length, down=direction == "down")
        else:
            forward, reverse, done = (
                b.new_block(name) for name in ("forward.for", "reverse.for", "nonzerotrip")
            )
            b.conditional_branch(self._target_is_below(), forward, reverse)
            b.start(forward)
            self._sweep(length, down=False)
            b.branch(done)
            b.start(reverse)
            self._sweep(length, down=True)
            b.branch(done)
            b.start(done)
        b.finish()

    def _sweep(self, length: SSAValue, *, down: bool) -> None:
        name = "reverse.for" if down else "forward.for"
        self.sweep(
            length, lambda at, size, alignment: self._move(at, size, alignment), name, down=down
        )

    def _move(
        self, at: SSAValue | int, size: int, alignment: int, batch: int | None = None
    ) -> None:
        """Copies bytes at an offset, loading `batch` of them, or all, before storing any."""
        b = self.builder
        source, target = b.offset(self.source, at), b.offset(self.target, at)
        loaded: list[tuple[int, SSAValue]] = []
        pending = 0
        for offset, width in chunks(size, alignment):
            address = b.offset(source, offset, SOURCE_NAME)
            known = common_alignment(alignment, offset)
            loaded.append((offset, b.load(address, self.types[width], known, self.extra)))
            pending += width
            if batch is not None and pending >= batch:
                self._store(target, loaded, alignment)
                loaded, pending = [], 0
        self._store(target, loaded, alignment)

    def _store(self, target: SSAValue, values: list[tuple[int, SSAValue]], alignment: int) -> None:
        b = self.builder
        for offset, value in values:
            address = b.offset(target, offset, TARGET_NAME)
            b.store(value, address, common_alignment(alignment, offset), self.extra)

    def _may_overlap(self) -> bool:
        if type(self.op) is not MemmoveOp:
            return False
        source, target = _space(self.source), _space(self.target)
        if source in (PARAM, CONSTANT) or not spaces_may_overlap(source, target):
            return False
        aliases = AliasAnalysis(self.lowering.func, self.lowering.layout)
        places = Location(self.target, self.known), Location(self.source, self.known)
        return aliases.alias(*places) is not AliasResult.NO

    def _known_direction(self) -> str | None:
        addresses = self.lowering.alignments.addresses
        to, origin = addresses.address(self.target), addresses.address(self.source)
        if to.base != origin.base or to.terms != origin.terms:
            return None
        width = self.lowering.layout.pointer_bits(_space(self.target))
        # Offsets may wrap.
        return "up" if signed(to.offset - origin.offset, width) <= 0 else "down"

    def _target_is_below(self) -> SSAValue:
        b = self.builder
        places = [self.target, self.source]
        if places[0].type != places[1].type:
            places = [p if _space(p) == 0 else b.value(AddrSpaceCastOp, (p,), PTR) for p in places]
        return b.compare(ULT, *places)


class _Set(_BlockAccess):
    """memset."""

    def __init__(self, lowering: BlockLowering, op: Operation, known: int | None) -> None:
        super().__init__(lowering, op, known)
        self.byte = fast.operands_of(op)[1]
        self._values: dict[int, SSAValue] = {}

    def emit(self) -> None:
        """Emits the accesses before the op."""
        if self.written_out():
            self._fill(0, cast(int, self.known), self.alignment)
            return
        b = self.builder = self.lowering.builder(self.op)
        # The stored value is computed before the loops, so that it dominates all uses.
        self._value(self.step)
        left = chunks(self.known_rest, self.step) if self.known is not None else [(0, 1)]
        for _, width in left:
            self._value(width)
        self.sweep(self.length(), self._fill, "memset.for")
        b.finish()

    def _fill(self, at: SSAValue | int, size: int, alignment: int) -> None:
        b = self.builder
        place = b.offset(self.target, at)
        for offset, width in chunks(size, alignment):
            known = common_alignment(alignment, offset)
            b.store(self._value(width), b.offset(place, offset), known, self.extra)

    def _value(self, width: int) -> SSAValue:
        found = self._values.get(width)
        if found is None:
            found = self._values[width] = self._make_value(width)
        return found

    def _make_value(self, width: int) -> SSAValue:
        """The byte repeated to fill an access."""
        b, constants = self.builder, self.lowering.constants
        type_ = self.types[width]
        words = width // 4 if vector_type(type_) else 0
        number = constant_integer(self.byte)
        if number is not None:
            byte = number & 0xFF
            if not words:
                return constants.integer(int.from_bytes(bytes([byte]) * width), type_)
            if byte == 0:
                return constants.zero(type_)
            word = int.from_bytes(bytes([byte]) * 4, signed=True)
            typed = cast("VectorType[Any]", type_)
            return constants.attribute(
                DenseIntOrFPElementsAttr.from_list(typed, [word] * words), type_
            )
        if width == 1:
            return self.byte
        if words:
            whole = constants.poison(type_)
            word = self._value(4)
            for lane in range(words):
                index = constants.integer(lane, I32)
                whole = b.value(InsertElementOp, (whole, word, index), type_)
            return whole
        if width == 2:
            return b.value(TruncOp, (self._value(4),), type_)
        ones = constants.integer(int.from_bytes(b"\x01" * width), type_)
        return b.value(MulOp, (b.value(ZExtOp, (self.byte,), type_), ones), type_)
