"""How PTX writes asynchronous copies and their relatives: modifiers and operands in order.

What they do is in `bulk_copies`, `tensor_copies`, `multimem` and `cluster_launches`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nvvm_xdsl.simulator import bulk_copies
from nvvm_xdsl.simulator.bulk_copies import BulkCopy, Reduction
from nvvm_xdsl.simulator.memory import GLOBAL, SHARED
from nvvm_xdsl.simulator.ptx_operands import (
    Address,
    Context,
    Group,
    Operand,
    Register,
    Results,
    as_register,
    constant_of,
    last_type,
    whole_address,
    window_of,
)
from nvvm_xdsl.simulator.ptx_types import TYPE_BITS, atomic_name

Emit = Callable[[Context, list[str], Sequence[Operand]], Results]

_OPERATIONS = frozenset("add min max inc dec and or xor".split())


def _call(at: Context, function: Any, *arguments: str) -> str:
    """The text of a call on behalf of the active lanes."""
    listed = "".join(f", {a}" for a in arguments)
    return f"{at.to.constant(function)}(blk, {at.site()}, {at.mask}{listed})"


def _value(operand: Operand, bits: int) -> str:
    return f"L.fit({as_register(operand).name}, {bits})"


def _window(operand: Operand, mods: Sequence[str]) -> int:
    if isinstance(operand, Address) and operand.window is not None:
        return operand.window
    return window_of(mods)


def reduction_of(mods: Sequence[str]) -> Reduction | None:
    """The operation among the modifiers, on the elements of the type among them."""
    operation = next((m for m in mods if m in _OPERATIONS), None)
    if operation is None:
        return None
    type_ = last_type(mods)
    name, fmt = atomic_name(operation, type_)
    return Reduction(name, TYPE_BITS[type_], fmt)


def _bulk(name: str) -> Emit:
    def emit(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
        spaces = [m for m in mods if m in ("global", "shared::cta", "shared::cluster")]
        to, source_window = (GLOBAL if s == "global" else SHARED for s in spaces)
        own = spaces[0] == "shared::cta"
        copy = BulkCopy(name, to, source_window, own, reduction_of(mods))
        target, source, size, *rest = operands
        arguments = [whole_address(at, target), whole_address(at, source), _value(size, 32)]
        if to == SHARED:
            arguments.append(f"barrier={whole_address(at, rest.pop(0))}")
            if "multicast::cluster" in mods:
                arguments.append(f"blocks={_value(rest.pop(0), 16)}")
        if "cp_mask" in mods:
            arguments.append(f"byte_mask={_value(rest[-1], 16)}")
        at.to.line(_call(at, copy, *arguments))
        return []

    return emit


def _bulk_prefetch(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    source, size = operands[:2]
    at.to.line(_call(at, bulk_copies.prefetch, whole_address(at, source), _value(size, 32)))
    return []


def _commit(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    at.to.line(f"{at.to.constant(bulk_copies.commit_groups)}(blk, {at.mask})")
    return []


def _wait(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    pending = constant_of(at, as_register(operands[0]))
    at.to.line(f"{at.to.constant(bulk_copies.wait_for_groups)}(blk, {at.mask}, {pending})")
    return []


def _arrive_after_copies(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """The thread's `cp.async` are done: what is left is an arrival, which others counted or not."""
    window = _window(operands[0], mods)
    arguments = (whole_address(at, operands[0]), str(window), str("noinc" in mods))
    at.to.line(_call(at, bulk_copies.arrive_after_copies, *arguments))
    return []


def _parts(operand: Operand) -> tuple[Register, ...]:
    return operand.parts if isinstance(operand, Group) else (as_register(operand),)


def _store_async(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    type_ = last_type(mods)
    bits = TYPE_BITS[type_]
    target, value, *barrier = operands
    reduction = reduction_of(mods)
    if not barrier:
        return _remote_store(at, mods, target, as_register(value), reduction)
    parts = _parts(value)
    values = "".join(f"L.fit({p.name}, {bits}), " for p in parts)
    marks = "".join(
        f"L.undefined_fit({p.undefined}, {bits}), " if p.undefined else "0, " for p in parts
    )
    where = (whole_address(at, target), whole_address(at, barrier[0]), str(bits // 8))
    call = _call(
        at, bulk_copies.store_async, *where, f"({values})", f"({marks})", at.to.constant(reduction)
    )
    at.to.line(call)
    return []


def _remote_store(
    at: Context,
    mods: Sequence[str],
    target: Operand,
    value: Register,
    reduction: Reduction | None,
) -> Results:
    """`.mmio.release`: visible at once, as an atomic store or operation."""
    bits = TYPE_BITS[last_type(mods)]
    size = bits // 8
    kind = "atomic store" if reduction is None else "atomic"
    access = at.to.assign(
        f"blk.access({at.site()}, {at.mask}, {whole_address(at, target)}, {_window(target, mods)}, "
        f"{size}, {size}, '{kind}')"
    )
    if reduction is not None:
        at.to.line(
            f"A.rmw({access}, {at.mask}, '{reduction.name}', {bits}, '', L.fit({value.name}, {bits}))"
        )
        return []
    at.to.line(f"{access}.store(L.fit({value.name}, {bits}), {size})")
    if value.undefined:
        at.to.line(f"{access}.store_undefined(L.undefined_fit({value.undefined}, {bits}), {size})")
    return []


def _store_bulk(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    target, size, value = operands
    if constant_of(at, as_register(value)):
        raise at.to.unsupported(at.op, "st.bulk of another value than 0")
    arguments = (whole_address(at, target), str(_window(target, mods)), _value(size, 64))
    at.to.line(_call(at, bulk_copies.store_bulk, *arguments))
    return []


_INSTRUCTIONS: dict[str, Emit] = {
    "cp.async.bulk.commit_group": _commit,
    "cp.async.bulk.wait_group": _wait,
    "cp.async.bulk.prefetch": _bulk_prefetch,
    "cp.async.bulk": _bulk("cp.async.bulk"),
    "cp.reduce.async.bulk": _bulk("cp.reduce.async.bulk"),
    "cp.async.mbarrier.arrive": _arrive_after_copies,
    "st.async": _store_async,
    "red.async": _store_async,
    "st.bulk": _store_bulk,
}
"""By mnemonic; the longest that begins an opcode counts."""


def emit(at: Context, opcode: str, operands: Sequence[Operand]) -> Results | None:
    """Writes an instruction of this family; None for any other."""
    words = opcode.split(".")
    for end in range(min(len(words), 5), 1, -1):
        found = _INSTRUCTIONS.get(".".join(words[:end]))
        if found is not None:
            return found(at, words[end:], operands)
    return None
