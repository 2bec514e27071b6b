"""`spcompress` and `spdecompress`: each thread compresses and expands structured sparse vectors.

The elements of a vector, and the indices of kept elements, are packed into registers of 32 bits, the first one in the
lowest bits (PTX ISA 9.4, 9.7.10.30 and 9.7.10.31).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import Lanes, Mask
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.ptx.source_operands import (
    Context,
    Group,
    Operand,
    Register,
    Results,
    as_register,
)

_WORD: Final = 32

Registers = Sequence[Lanes]
Function = Callable[[Block, int, Mask, Registers, Registers], tuple[Lanes, ...]]
"""Computes the results from the registers of two operands."""


@dataclass(frozen=True)
class Form:
    """The modifiers of an instruction.

    Attributes:
        times: the number of registers of kept elements (`spcompress`), or of groups (`spdecompress`).
        kept: the number of elements of a group that are kept.
        expanded: the number of elements of a group.
        bits: the width of an element.
        index_bits: the width of an index.
    """

    times: int
    kept: int
    expanded: int
    bits: int
    index_bits: int

    @staticmethod
    def of(mods: Sequence[str]) -> Form:
        """The form with these modifiers, such as `x2 sp::2:4 b8 b4`, in any order."""
        sizes = [int(m[1:]) for m in mods if m[0] == "b"]
        ratio = next(m for m in mods if m.startswith("sp::"))
        kept, _, expanded = ratio.removeprefix("sp::").partition(":")
        times = next(int(m[1:]) for m in mods if m[0] == "x")
        return Form(times, int(kept), int(expanded), sizes[0], sizes[1])


def _unpacked(registers: Registers, bits: int, lanes: int) -> Lanes:
    """The fields of all registers: an array of lanes and fields."""
    words = np.stack([np.broadcast_to(r, (lanes,)).astype(np.uint32) for r in registers], axis=1)
    shifts = np.arange(0, _WORD, bits, dtype=np.uint32)
    fields = (words[:, :, None] >> shifts) & np.uint32((1 << bits) - 1)
    return fields.reshape(lanes, -1)


def _packed(fields: Lanes, bits: int) -> tuple[Lanes, ...]:
    """Registers with these fields; the rest of the last one is zero."""
    missing = -fields.shape[1] % (_WORD // bits)
    whole = np.pad(fields.astype(np.uint32), ((0, 0), (0, missing)))
    parts = whole.reshape(len(whole), -1, _WORD // bits)
    shifts = np.arange(0, _WORD, bits, dtype=np.uint32)
    words = np.bitwise_or.reduce(parts << shifts, axis=2)
    return tuple(np.ascontiguousarray(words[:, i]) for i in range(words.shape[1]))


def expansion(form: Form) -> Function:
    """`spdecompress`: kept elements at their indices, and zeros elsewhere.

    Of several elements with one index the last is used.
    """

    def run(
        block: Block, site: int, mask: Mask, metadata: Registers, data: Registers
    ) -> tuple[Lanes, ...]:
        count = form.times * form.kept
        lanes = block.lanes
        indices = _unpacked(metadata, form.index_bits, lanes)[:, :count].astype(np.int64)
        values = _unpacked(data, form.bits, lanes)[:, :count]
        outside: Lanes = indices[mask.index].max(axis=1) >= form.expanded
        if outside.any():
            lane = int(mask.index[np.flatnonzero(outside)[0]])
            message = f"an index of spdecompress is not below {form.expanded} in"
            raise block.lane_error("memory", message, lane, site)
        out = np.zeros((lanes, form.times * form.expanded), np.uint32)
        every = np.arange(lanes)
        for number in range(count):
            first = number // form.kept * form.expanded
            # Lanes that do not execute the instruction may hold any index.
            place = first + np.minimum(indices[:, number], form.expanded - 1)
            out[every, place] = values[:, number]
        return _packed(out, form.bits)

    return run


_SMALL: Final = {2: (5, 2), 3: (4, 3), 4: (3, 2), 5: (2, 3)}
"""Exponent and mantissa bits by the number of the type: e5m2, e4m3, e3m2, e2m3."""


def _numbers(fields: Lanes, bits: int, type_: int) -> Lanes:
    """The values of elements of the type with this number in the descriptor."""
    if bits == 16:
        fmt = ("f16", "bf16")[type_]
        return F.widen(F.from_bits(fields.astype(np.uint16), fmt), fmt)
    if type_ < 2:
        return fields.astype(np.uint8).view(np.int8 if type_ else np.uint8).astype(np.float64)
    return F.small_float(fields, *_SMALL[type_])


def _ranked(values: Lanes, operation: int) -> Lanes:
    """The indices of the two elements of each group of four that are kept, in order.

    A NaN is kept before numbers. The instruction may choose among equal elements; the first are chosen here.
    """
    if operation & 1:
        values = np.abs(values)
    nan = np.isnan(values)
    key = np.where(nan, 0.0, values if operation & 2 else -values)
    order = np.lexsort((key, ~nan), axis=-1)
    return np.sort(order[..., :2], axis=-1)


def compression(form: Form) -> Function:
    """`spcompress`: two elements of each four, and their indices.

    The descriptor selects the largest or smallest elements (bit 1) or magnitudes (bit 0), and the type of the
    elements (bits 2 to 4).
    """

    def run(
        block: Block, site: int, mask: Mask, data: Registers, descriptor: Registers
    ) -> tuple[Lanes, ...]:
        lanes = block.lanes
        fields = _unpacked(data, form.bits, lanes)
        groups = fields.reshape(lanes, -1, form.expanded)
        chosen = np.broadcast_to(descriptor[0], (lanes,)).astype(np.int64)
        kept = np.zeros((*groups.shape[:2], form.kept), np.int64)
        for value in np.unique(chosen[mask.index]):
            type_ = int(value) >> 2
            if type_ > (1 if form.bits == 16 else 5):
                lane = int(mask.index[np.flatnonzero(chosen[mask.index] == value)[0]])
                message = f"{int(value)} is no descriptor of spcompress on {form.bits} bits in"
                raise block.lane_error("memory", message, lane, site)
            own = chosen == value
            numbers = _numbers(groups[own].reshape(-1), form.bits, type_)
            kept[own] = _ranked(numbers.reshape(groups[own].shape), int(value) & 3)
        values = np.take_along_axis(groups, kept, axis=2)
        return (
            *_packed(kept.reshape(lanes, -1), form.index_bits),
            *_packed(values.reshape(lanes, -1), form.bits),
        )

    return run


def _registers(operand: Operand) -> tuple[Register, ...]:
    return operand.parts if isinstance(operand, Group) else (as_register(operand),)


def _emitter(make: Callable[[Form], Function]) -> Callable[..., Results]:
    def emit(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
        groups = [_registers(operand) for operand in operands]
        listed = ", ".join(f"({''.join(f'{r.name}, ' for r in group)})" for group in groups)
        function = at.to.constant(make(Form.of(mods)))
        made = at.to.assign(f"{function}(blk, {at.site()}, {at.mask}, {listed})")
        shadows = [r.undefined for group in groups for r in group if r.undefined]
        undefined = f"L.spread({_WORD}, {', '.join(shadows)})" if shadows else None
        return [Leaf(f"{made}[{i}]", undefined) for i in range(len(at.op.results))]

    return emit


EMITTERS: Final = {"spcompress": _emitter(compression), "spdecompress": _emitter(expansion)}
"""Generators of the instructions by name."""
