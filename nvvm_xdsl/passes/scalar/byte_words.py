"""32-bit words that contain given bytes, for instructions that process four bytes at once.

    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<4xi8>

is loaded as an `i32` if its word is requested. Only the last passes on IR may use this file: they
treat memory as bits, so that a loaded word is not poison if one of its bytes was poison when it was
stored.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from xdsl.dialects.llvm import BitcastOp, LoadOp, LShrOp, TruncOp, ZExtOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.dialects.llvm.accessors import integer_width, scalar_type, stated_alignment
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_constant
from nvvm_xdsl.dialects.llvm.types import I32, integer, vector
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.byte_parts import Byte, ExtractElementOp, byte_count

BYTES = 4
"""Number of bytes of a word."""


class Word(NamedTuple):
    """A word of a value, counted from the lowest."""

    source: SSAValue
    place: int

    @property
    def size(self) -> int:
        """The number of bytes of the word that belong to the value; the higher bytes are zero."""
        return min(byte_count(self.source.type), BYTES)


def word_of(byte: Byte) -> Word | None:
    """The word that contains a byte of an integer or a loaded vector; None if there is none."""
    size = byte_count(byte.source.type)
    if size not in (1, 2, 4, 8, 16) or is_constant(byte.source):
        return None
    if not integer_width(byte.source.type):
        load = byte.source.owner
        if type(load) is not LoadOp or not is_simple_access(load):
            return None
        if stated_alignment(load) < min(size, BYTES):
            return None
    elif size > 8:
        return None
    return Word(byte.source, byte.place // BYTES)


class Words:
    """The words of values, as integers; `finish` replaces loads of vectors by loads of words.

    Arguments:
        constants: creates constants of the function.
    """

    def __init__(self, constants: Constants) -> None:
        self._constants = constants
        self._loads: dict[LoadOp, Operation] = {}

    def value(self, word: Word, before: Operation) -> SSAValue:
        """A word as an `i32`, computed before an op."""
        source = word.source
        if not integer_width(source.type):
            if scalar_type(source.type) is not I32:
                source = self._loaded(cast(LoadOp, source.owner)).results[0]
            if not integer_width(source.type):
                index = self._constants.integer(word.place, I32)
                return _put(ExtractElementOp, (source, index), before)
        width = integer_width(source.type)
        if width == 32:
            return source
        if width < 32:
            return _put(ZExtOp, (source,), before)
        if word.place:
            amount = self._constants.integer(32 * word.place, source.type)
            shift = fast.create(LShrOp, (source, amount), (source.type,), location=before.location)
            fast.insert_before(shift, before)
            (source,) = shift.results
        return _put(TruncOp, (source,), before)

    def _loaded(self, load: LoadOp) -> Operation:
        """The load of the same bytes as integers."""
        made = self._loads.get(load)
        if made is None:
            size = byte_count(load.results[0].type)
            type_ = integer(8 * size) if size <= BYTES else vector(size // BYTES, I32)
            operands, properties = fast.operands_of(load), dict(load.properties)
            made = fast.create(LoadOp, operands, (type_,), properties, location=load.location)
            fast.set_name(made.results[0], load.results[0].name_hint)
            fast.insert_before(made, load)
            self._loads[load] = made
        return made

    def finish(self) -> None:
        """Erases loads that have been replaced; cached facts about them become invalid."""
        for load, made in self._loads.items():
            (old,) = load.results
            if old.first_use is not None:
                lanes = fast.create(BitcastOp, (made.results[0],), (old.type,))
                fast.insert_before(lanes, load)
                fast.replace_all_uses(old, lanes.results[0])
            fast.erase(load)
        self._loads.clear()


def _put(cls: type[Operation], operands: tuple[SSAValue, ...], before: Operation) -> SSAValue:
    op = fast.create(cls, operands, (I32,), location=before.location)
    fast.insert_before(op, before)
    return op.results[0]
