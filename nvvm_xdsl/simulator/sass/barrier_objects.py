"""Barrier objects in shared memory (`mbarrier`) and bulk copies.

sm_90 and later have instructions for every operation. The simulator keeps the state of such an object in its
own form (`execution/mbarriers.py`); only the words that machine code computes are converted. `SYNCS.EXCH`
initializes an object with the negated count in bits 1 to 20, and again in bits 43 to 62, where it is
the number of pending arrivals. Bit 63 is the parity of the phase, and the state that an arrival returns has
the same fields.

sm_80 has one instruction, `ATOMS.ARRIVE`. Its object has the negated count in its lower word, biased by
2^30, and the negated number of pending arrivals in bits 0 to 30 of its upper word, whose bit 31 is the parity.

The layouts are those of ptxas's code for `mbarrier.init`, `mbarrier.pending_count` and `mbarrier.test_wait`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.copies.bulk_copies import BulkCopy, arrive_after_copies
from nvvm_xdsl.simulator.execution import mbarriers
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import GLOBAL, SHARED, Access, Lanes, Mask
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError, register_operand
from nvvm_xdsl.simulator.sass.integer_instructions import allow

_COUNT: Final = (1 << 20) - 1
_PENDING_SHIFT: Final = 43
_SIZE: Final = 8
"""Bytes of a barrier object."""


# Execution


def initialize(blk: Block, site: int, mask: Mask, access: Access, word: Lanes) -> None:
    """`SYNCS.EXCH`: `mbarrier.init` with the word that ptxas computes from the count."""
    negated = (word >> np.uint64(1)).astype(np.uint32) & np.uint32(_COUNT)
    mbarriers.initialize(blk, site, mask, access, np.uint32(_COUNT + 1) - negated)


def arrive(
    blk: Block,
    site: int,
    mask: Mask,
    access: Access,
    count: Lanes,
    expect: Lanes,
    drop: bool,
) -> Lanes:
    """`SYNCS.ARRIVE`; returns the state before each arrival as machine code reads it.

    Arguments:
        count: arrivals of each lane.
        expect: bytes to add to the pending bytes, negative for completed ones.
        drop: whether the threads leave the following phases.
    """
    words = mbarriers.arrive(blk, site, mask, access, count, expect, drop)
    pending = np.uint64(_COUNT + 1) - (words & np.uint64(_COUNT))
    parity = words & np.uint64(1 << 63)
    return (pending & np.uint64(_COUNT)) << np.uint64(_PENDING_SHIFT) | parity


def arrive_sm_80(access: Access, mask: Mask) -> Lanes:
    """`ATOMS.ARRIVE`: one arrival of each lane; returns the words before."""
    words = access.memory.views[_SIZE]
    positions = np.broadcast_to(access.position, mask.index.shape)
    found = np.zeros(mask.bits.size, np.uint64)
    for lane, position in zip(mask.index.tolist(), positions.tolist()):
        word = int(words[position // _SIZE])
        found[lane] = word
        low, high = word & 0xFFFFFFFF, word >> 32
        following = high + 1 & 0xFFFFFFFF
        if following & 0x7FFFFFFF == 0:
            # The addition has inverted the parity.
            following |= low + (1 << 30) & 0x7FFFFFFF
        words[position // _SIZE] = low | following << 32
    return found


# Rows


def _address(operand: Operand, emitter: Emitter) -> str:
    """The address in the shared memory of a block of the cluster, in the simulator's window."""
    if operand.kind != "memory":
        raise UnknownInstructionError(operand.text)
    terms = [
        emitter.u4(o)
        for o in (operand.base, operand.uniform)
        if o is not None and o.number is not None
    ]
    terms.append(emitter.number(operand.number or 0))
    return _in_cluster(" + ".join(terms), emitter)


def _in_cluster(address: str, emitter: Emitter) -> str:
    return emitter.assign(f"code.in_cluster(({address}).astype(u8), shift)")


def _access(place: Operand, mask: str, emitter: Emitter) -> str:
    """The variable with the checked access to a barrier object."""
    call = (
        f"blk.access({emitter.site}, {mask}, {_address(place, emitter)}, {SHARED}, {_SIZE}, {_SIZE}, "
        "'atomic')"
    )
    return emitter.assign(call if mask == "m" else f"None if {mask} is None else {call}")


def _if(mask: str, text: str, default: str) -> str:
    return text if mask == "m" else f"{default} if {mask} is None else {text}"


ARRIVALS: Final[dict[tuple[str, ...], tuple[str, str]]] = {
    (): ("1", "{value}"),
    ("A1T0",): ("1", "0"),
    ("ART0",): ("{value}", "0"),
    ("A0TR",): ("0", "{value}"),
    ("A0TX",): ("0", "-{value}"),
}
"""Arrivals and expected bytes of `SYNCS.ARRIVE.TRANS64`, from the register operand."""


def _arrive(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = [m for m in op.modifiers[2:] if m not in ("RED", "OPTOUT")]
    forms = ARRIVALS.get(tuple(modifiers))
    if op.modifiers[:2] != ("ARRIVE", "TRANS64") or forms is None:
        raise UnknownInstructionError(op.opcode)
    result, place, operand = op.parsed
    mask = emitter.executing_mask()
    access = _access(place, mask, emitter)
    value = emitter.assign(f"{emitter.u4(operand)}.astype(i8)")
    count, expect = (
        emitter.assign(form.format(value=value)) if "{" in form else emitter.number(int(form), "i8")
        for form in forms
    )
    function = emitter.constant(arrive)
    call = (
        f"{function}(blk, {emitter.site}, {mask}, {access}, {count}, {expect}, "
        f"{'OPTOUT' in op.modifiers})"
    )
    state = emitter.assign(_if(mask, call, emitter.number(0, "u8")))
    if result.number is not None:
        emitter.set_wide(result, state)


def phase_is_complete(op: InstructionOp, emitter: Emitter) -> None:
    """`SYNCS.PHASECHK`: whether the phase of a state, or of a parity, is complete."""
    predicate, place, state = op.parsed
    mask = emitter.executing_mask()
    access = _access(place, mask, emitter)
    function = emitter.constant(mbarriers.test)
    token = emitter.assign(f"{emitter.u4(state)}.astype(u8) << {emitter.number(32, 'u8')}")
    call = f"{function}(blk, {emitter.site}, {mask}, {access}, {token}, False)"
    emitter.set_predicate(predicate, _if(mask, call, emitter.number(0, "b")))


def waits(op: InstructionOp) -> bool:
    """Whether an instruction suspends lanes until a phase is complete."""
    return op.modifiers == ("PHASECHK", "TRANS64", "TRYWAIT")


def wait(op: InstructionOp, mask: str, emitter: Emitter) -> str:
    """The expression of `SYNCS.PHASECHK.TRYWAIT`: whether all lanes continue immediately.

    Lanes continue when the phase is complete, so that the result is always true.
    """
    predicate, place, state = op.parsed
    emitter.set_predicate(predicate, emitter.number(1, "b"))
    address = _address(place, emitter)
    token = emitter.assign(f"{emitter.u4(state)}.astype(u8) << {emitter.number(32, 'u8')}")
    function = emitter.constant(mbarriers.wait)
    access = f"blk.access({emitter.site}, {mask}, {address}, {SHARED}, {_SIZE}, {_SIZE}, 'atomic')"
    return f"{function}(blk, {emitter.site}, {mask}, {access}, {token}, False, True)"


def _syncs(op: InstructionOp, emitter: Emitter) -> None:
    action = op.modifiers[0] if op.modifiers else ""
    if action == "ARRIVE":
        _arrive(op, emitter)
    elif op.modifiers in (("PHASECHK", "TRANS64"), ("PHASECHK", "TRANS64", "TRYWAIT")):
        phase_is_complete(op, emitter)
    elif op.modifiers == ("EXCH", "64"):
        result, place, word = op.parsed
        if result.number is not None:
            raise UnknownInstructionError(op.opcode)
        mask = emitter.executing_mask()
        access = _access(place, mask, emitter)
        call = f"{emitter.constant(initialize)}(blk, {emitter.site}, {mask}, {access}, {emitter.u8(word)})"
        emitter.line(_if(mask, call, "None"))
    elif op.modifiers == ("CCTL", "IV"):
        mask = emitter.executing_mask()
        access = _access(op.parsed[0], mask, emitter)
        function = emitter.constant(mbarriers.invalidate)
        call = f"{function}(blk, {emitter.site}, {mask}, {access})"
        emitter.line(_if(mask, call, "None"))
    else:
        raise UnknownInstructionError(op.opcode)


_COUNTED: Final[dict[tuple[str, ...], bool]] = {("ARVCNT",): True, ("TRANSCNT",): False}
"""Whether the expected count of the barrier object includes the arrival."""


def _arrive_after_copies(op: InstructionOp, emitter: Emitter) -> None:
    """`ARRIVES.LDGSTSBAR`: an arrival when the lane's copies are complete, which is immediately."""
    (place,) = op.parsed
    mask = emitter.executing_mask()
    if op.modifiers == ("LDGSTSBAR", "64"):
        access = _access(place, mask, emitter)
        call = f"{emitter.constant(arrive_sm_80)}({access}, {mask})"
    else:
        if op.modifiers[:2] != ("LDGSTSBAR", "64") or op.modifiers[2:] not in _COUNTED:
            raise UnknownInstructionError(op.opcode)
        counted = _COUNTED[op.modifiers[2:]]
        address = _address(place, emitter)
        function = emitter.constant(arrive_after_copies)
        call = f"{function}(blk, {emitter.site}, {mask}, {address}, {SHARED}, {counted})"
    emitter.line(_if(mask, call, "None"))


def emit_arrive_sm_80(op: InstructionOp, emitter: Emitter) -> None:
    """`ATOMS.ARRIVE.64`."""
    result, place = op.parsed
    mask = emitter.executing_mask()
    call = f"{emitter.constant(arrive_sm_80)}({_access(place, mask, emitter)}, {mask})"
    state = emitter.assign(_if(mask, call, emitter.number(0, "u8")))
    if result.number is not None:
        emitter.set_wide(result, state)


_UNITS: Final = 16
"""Bytes of a unit of a bulk copy's size, which is in the lower half of a register."""

_LOAD: Final = BulkCopy("cp.async.bulk", SHARED, GLOBAL)
_STORE: Final = BulkCopy("cp.async.bulk", GLOBAL, SHARED)


def _bulk_copy(op: InstructionOp, emitter: Emitter) -> None:
    """`UBLKCP`: one copy of each warp."""
    loads = op.modifiers[:2] == ("S", "G")
    modifiers = allow(op, "S", "G", "MULTICAST")
    if not loads and op.modifiers != ("G", "S"):
        raise UnknownInstructionError(op.opcode)
    target, source, size, *hints = op.parsed
    if any(not o.text.startswith("desc[") for o in hints):
        raise UnknownInstructionError(op.opcode)
    shared, place = (target, source) if loads else (source, target)
    first, address = shared.uniform, place.uniform
    if first is None or first.number is None or address is None or shared.number or place.number:
        raise UnknownInstructionError(op.opcode)
    inside = _in_cluster(emitter.u4(first), emitter)
    outside = emitter.u8(address)
    word = emitter.u4(size)
    length = emitter.assign(f"({word} & {emitter.number(0xFFFF)}) * {emitter.number(_UNITS)}")
    mask = emitter.executing_mask()
    leaders = f"w.leaders({mask})"
    if loads:
        # The address of the barrier object is in the register after that of the destination.
        barrier = _in_cluster(emitter.u4(register_operand(first.file, first.number + 1)), emitter)
        more = f", barrier={barrier}"
        if "MULTICAST" in modifiers:
            more += f", blocks={emitter.assign(f'{word} >> {emitter.number(16)}')}"
        call = f"{emitter.constant(_LOAD)}(blk, {emitter.site}, {leaders}, {inside}, {outside}, {length}{more})"
    else:
        call = f"{emitter.constant(_STORE)}(blk, {emitter.site}, {leaders}, {outside}, {inside}, {length})"
    emitter.line(_if(mask, call, "None"))


ROWS: Final = {"SYNCS": _syncs, "ARRIVES": _arrive_after_copies, "UBLKCP": _bulk_copy}
