"""Compiles the `tcgen05` instructions to calls of their implementations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution import mbarriers
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import (
    GENERIC,
    GLOBAL_BASE,
    SHARED,
    SHARED_SHIFT,
    WINDOW_MASK,
    WINDOW_SHIFT,
    Lanes,
    Mask,
)
from nvvm_xdsl.simulator.matrix import tensor_core, tensor_memory_moves
from nvvm_xdsl.simulator.matrix.tensor_core import Operands
from nvvm_xdsl.simulator.matrix.tensor_core_shapes import Form
from nvvm_xdsl.simulator.matrix.tensor_memory import TensorMemory
from nvvm_xdsl.simulator.matrix.tensor_memory_moves import REGISTERS, SPLIT
from nvvm_xdsl.simulator.ptx import warp_ops
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    Operand,
    Register,
    Results,
    Wait,
)

_COLLECTIVE = frozenset(
    {"alloc", "dealloc", "relinquish_alloc_permit", "ld", "st", "wait::ld", "wait::st"}
)
"""Instructions that a whole warp issues together (PTX ISA 9.7.16.5)."""

MOST_BLOCKS = 16
"""Number of bits of a multicast mask."""

Gather = Callable[[str, Any, Sequence[str]], str]


def waits(mods: Sequence[str]) -> bool:
    """Whether lanes may have to wait at an instruction, at least for the other lanes of their
    warp."""
    return mods[0] in _COLLECTIVE


def gives(mods: Sequence[str]) -> bool:
    """Whether an instruction has results."""
    return mods[0] == "ld"


def _group(mods: Sequence[str]) -> int:
    return 2 if "cta_group::2" in mods else 1


def _register(operand: Operand) -> Register:
    assert isinstance(operand, Register), "a register is expected"
    return operand


def _place(at: Context, operand: Operand) -> str:
    """An address of tensor memory."""
    if not isinstance(operand, Address):
        return f"L.fit({_register(operand).name}, 32)"
    base = f"L.fit({operand.base}, 32)"
    return f"({base} + {at.array(operand.offset, 32)})" if operand.offset else base


def _shared(at: Context, operand: Operand, mods: Sequence[str]) -> tuple[str, int]:
    """An address of shared memory and its window."""
    window = SHARED if any(m.startswith("shared") for m in mods) else GENERIC
    if not isinstance(operand, Address):
        return f"L.fit({_register(operand).name}, 64)", window
    base = f"L.fit({operand.base}, 64)"
    address = f"({base} + {at.array(operand.offset, 64)})" if operand.offset else base
    return address, window if operand.window is None else operand.window


# Collective instructions


def wait(
    at: Context, mods: Sequence[str], operands: Sequence[Operand], gather: Gather, site: int
) -> Wait:
    """Generates an instruction that a whole warp issues together.

    `gather(members, function, values)` is the wait condition of a warp-wide op; its results are in
    the slot of `site`.
    """
    action = mods[0]
    if action == "alloc":
        address, window = _shared(at, operands[0], mods)
        count = f"L.fit({_register(operands[1]).name}, 32)"
        return Wait(
            f"blk.unit({at.to.constant(TensorMemory)}).allocate("
            f"{site}, {at.mask}, {address}, {count}, {window}, {_group(mods)})",
            list,
        )
    if action == "dealloc":
        start = _place(at, operands[0])
        count = f"L.fit({_register(operands[1]).name}, 32)"
        return Wait(
            f"blk.unit({at.to.constant(TensorMemory)}).release("
            f"{site}, {at.mask}, {start}, {count}, {_group(mods)})",
            list,
        )
    if action == "relinquish_alloc_permit":
        group = _group(mods)

        def relinquish(block: Block, lanes: Lanes, members: Lanes) -> Lanes:
            block.unit(TensorMemory).relinquish(site, group)
            return members

        return Wait(gather(at_all(at), relinquish, []), list)
    if action in ("ld", "st"):
        return _move(at, mods, operands, gather, site)
    return Wait(gather(at_all(at), warp_ops.synchronize, []), list)


def at_all(at: Context) -> str:
    """The member mask of a whole warp."""
    return at.array(0xFFFFFFFF)


def _move(
    at: Context, mods: Sequence[str], operands: Sequence[Operand], gather: Gather, site: int
) -> Wait:
    shape = next(m for m in mods if m in REGISTERS)
    times = next(int(m[1:]) for m in mods if re.fullmatch(r"x\d+", m))
    count = times * REGISTERS[shape]
    packed = "pack::16b" in mods or "unpack::16b" in mods
    place, *rest = operands
    offset = _constant(at, rest.pop(0)) if shape == SPLIT else 0
    if mods[0] == "st":
        values = rest[0].parts if isinstance(rest[0], Group) else (_register(rest[0]),)
        names = [f"L.fit({v.name}, 32)" for v in values]
        if at.to.tracking:
            names += [
                f"L.undefined_lanes({v.undefined}, u4)" if v.undefined else "np.zeros(1, u4)"
                for v in values
            ]
        function = tensor_memory_moves.store(shape, times, packed, offset, site, count)
        return Wait(gather(at_all(at), function, [_place(at, place), *names]), list)
    reduction = None
    if "red" in mods:
        operation = "min" if "min" in mods else "max"
        if shape == SPLIT:
            raise at.to.unsupported(
                at.op,
                "tcgen05.ld.red.16x32bx2: the PTX ISA does not specify whether a thread's reduction "
                "includes the other half of its lane",
            )
        reduction = tensor_memory_moves.reduction(operation, mods[-1], "abs" in mods, "NaN" in mods)
    function = tensor_memory_moves.load(shape, times, packed, offset, site, reduction)
    slot = f"blk.slot[{site}]"

    def results() -> Results:
        tracked = at.to.tracking
        found = [
            Leaf(f"{slot}[{i}]", f"L.undefined_or_none({slot}[{count + i}])" if tracked else None)
            for i in range(count)
        ]
        if reduction is not None:
            undefined = None
            if tracked:
                undefined = f"L.either({', '.join(str(f.undefined) for f in found)})"
            found.append(Leaf(f"{slot}[-1]", undefined))
        return found

    return Wait(gather(at_all(at), function, [_place(at, place)]), results)


def _constant(at: Context, operand: Operand) -> int:
    value = at.to.constants.get(_register(operand).name)
    if value is None:
        raise at.to.unsupported(at.op, "an operand that must be a constant")
    return int(value[0])


# Instructions of one thread


def emit(at: Context, mods: Sequence[str], operands: Sequence[Operand]) -> Results | None:
    """Generates an instruction that one thread issues; None for an unknown opcode."""
    action, site = mods[0], at.site()
    if action.startswith("fence::"):
        return []
    if action == "mma":
        form, registers, read = _product(at, mods, operands)
        _call(at, tensor_core.multiply(form, site, read), registers)
        return []
    if action == "cp":
        shape = next(m for m in mods if re.fullmatch(r"\d+x\d+b", m))
        multicast = next((m for m in mods if m.startswith("warpx")), "")
        source = next((m for m in mods if m in ("b6x16_p32", "b4x16_p64")), "")
        function = tensor_memory_moves.copy(shape, multicast, source, _group(mods), site)
        descriptor = f"L.fit({_register(operands[1]).name}, 64)"
        _call(at, function, [_place(at, operands[0]), descriptor])
        return []
    if action == "shift":
        _call(at, tensor_memory_moves.shift(_group(mods), site), [_place(at, operands[0])])
        return []
    if action == "commit":
        address, window = _shared(at, operands[0], mods)
        registers = [address]
        if "multicast::cluster" in mods:
            registers.append(f"L.fit({_register(operands[1]).name}, 32)")
        _call(at, _commit(site, window, _group(mods)), registers)
        return []
    return None


def _call(at: Context, function: Any, registers: Sequence[str]) -> None:
    packed = ", ".join(registers)
    at.to.line(f"{at.to.constant(function)}(blk, {at.mask}, {packed})")


def _commit(site: int, window: int, group: int) -> Callable[..., None]:
    """`tcgen05.commit`: arrives at the barriers immediately, because all issued instructions are
    complete.

    A generic address must be in the shared window; addresses within the window are also accepted,
    because Triton passes them and the hardware accepts them.
    """

    def arrive(block: Block, mask: Mask, address: Lanes) -> None:
        access = block.access(site, mask, address, SHARED, 8, 8, "atomic")
        one, none = np.ones(1, np.uint64), np.zeros(1, np.uint64)
        mbarriers.arrive(block, site, mask, access, one, none, False)

    def run(block: Block, mask: Mask, address: Lanes, blocks: Lanes | None = None) -> None:
        block.unit(TensorMemory).use_group(group, site)
        wide = np.broadcast_to(address, (block.lanes,))
        if window == GENERIC:
            tag = wide >> np.uint64(WINDOW_SHIFT)
            outside = mask.bits & (tag != SHARED) & (wide >= GLOBAL_BASE)
            if outside.any():
                lane = int(np.flatnonzero(outside)[0])
                message = f"tcgen05.commit to {int(wide[lane]):#x}, outside shared memory, by"
                raise block.lane_error("memory", message, lane, site)
        wide = wide & np.uint64(WINDOW_MASK)
        if blocks is None:
            arrive(block, mask, wide)
            return
        wanted = np.broadcast_to(blocks, (block.lanes,))
        offset = wide & np.uint64((1 << SHARED_SHIFT) - 1)
        for rank in range(MOST_BLOCKS):
            chosen = mask.bits & (wanted >> np.uint32(rank) & np.uint32(1) != 0)
            if chosen.any():
                if rank >= len(block.peers):
                    lane = int(np.flatnonzero(chosen)[0])
                    message = f"a commit to block {rank} of a cluster of {len(block.peers)}, by"
                    raise block.lane_error("sync", message, lane, site)
                arrive(block, Mask(chosen), offset | np.uint64(rank << SHARED_SHIFT))

    return run


_SCALES = {"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4, "block16": 4}


def _product(
    at: Context, mods: Sequence[str], operands: Sequence[Operand]
) -> tuple[Form, list[str], Callable[[list[int]], Operands]]:
    """The fields of the opcode, the registers, and a function that returns the operands of one
    thread."""
    kind = next(m for m in mods if m.startswith("kind::")).removeprefix("kind::")
    scales = 0
    if "block_scale" in mods:
        scales = next((_SCALES[m] for m in mods if m in _SCALES), 1 if kind == "mxf8f6f4" else 2)
    stationary, sparse = "ws" in mods, "sp" in mods
    form = Form(kind, _group(mods), stationary, sparse, "ashift" in mods, scales)
    in_memory = isinstance(operands[1], Address)
    rest = list(operands)
    names: list[str] = []
    registers: list[str] = []

    def take(name: str, bits: int = 32) -> None:
        operand = rest.pop(0)
        names.append(name)
        if bits == 1:
            registers.append(f"({_register(operand).name} != 0)")
        elif isinstance(operand, Address) or bits == 32:
            registers.append(_place(at, operand))
        else:
            registers.append(f"L.fit({_register(operand).name}, {bits})")

    take("d")
    take("a", 64)
    take("b", 64)
    if sparse:
        take("metadata")
    take("descriptor")
    disabled = 0
    if scales:
        take("scale_a")
        take("scale_b")
    elif isinstance(rest[0], Group):
        parts = rest.pop(0)
        assert isinstance(parts, Group)
        disabled = len(parts.parts)
        names += ["disabled"] * disabled
        registers += [f"L.fit({p.name}, 32)" for p in parts.parts]
    take("accumulate", 1)
    if rest:
        take("zero_columns" if stationary else "scale_d", 64 if stationary else 32)

    def read(values: list[int]) -> Operands:
        given: dict[str, Any] = dict(zip(names, values))
        given["accumulate"] = bool(given["accumulate"])
        if disabled:
            given["disabled"] = tuple(v for n, v in zip(names, values) if n == "disabled")
        return Operands(a_in_tensor_memory=in_memory, **given)

    return form, registers, read
