"""Loads, stores, atomics and addresses (PTX ISA, 9.7.9, 9.7.13)."""

from __future__ import annotations

from collections.abc import Sequence

from nvvm_xdsl.dialects.memory_semantics import (
    MemorySemantics,
    Order,
    Scope,
    semantics_of_modifiers,
)
from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution.memory import GLOBAL, SHARED, WINDOW_SHIFT
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    Instruction,
    Operand,
    Register,
    Results,
    as_register,
    last_type,
    vector_size,
    window_of,
)
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS, atomic_name

_RELAXED_GPU = MemorySemantics(Order.RELAXED, Scope.GPU)
"""The semantics of `atom` and `red` without ordering and scope."""


def access(
    at: Context,
    address: Operand,
    mods: Sequence[str],
    size: int,
    kind: str,
    alignment: int | None = None,
) -> str:
    """Generates a checked access; returns the variable that holds it.

    Arguments:
        mods: the instruction's modifiers, including the state space.
        size, alignment: in bytes.
        kind: the kind of access, for errors.
    """
    stated = ""
    if kind.startswith("atomic"):
        stated = at.to.stated(semantics_of_modifiers(mods, _RELAXED_GPU))
    if isinstance(address, Register):
        address = Address(address.name)
    assert isinstance(address, Address)
    base = address.base if address.base.startswith("K") else f"L.fit({address.base}, 64)"
    if address.offset:
        base = f"{base} + {at.array(address.offset, 64)}"
    window = address.window if address.window is not None else window_of(mods)
    return at.to.assign(
        f"blk.access({at.site()}, {at.mask}, {base}, {window}, {size}, {alignment or size}, '{kind}'{stated})"
    )


def _load_part(at: Context, place: str, offset: int, type_: str) -> Leaf:
    bits = TYPE_BITS[type_]
    undefined = None
    if bits == 128:
        low = at.to.assign(f"{place}.load(8, {offset}).astype(object)")
        return Leaf(f"{low} | ({place}.load(8, {offset + 8}).astype(object) << 64)")
    if at.to.tracking:
        undefined = at.to.assign(f"{place}.load_undefined({bits // 8}, {offset})")
    return Leaf(f"{place}.load({bits // 8}, {offset})", undefined)


def _load(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    type_, count = last_type(mods), vector_size(mods)
    size = TYPE_BITS[type_] // 8
    kind = "atomic load" if {"volatile", "relaxed", "acquire", "mmio"} & set(mods) else "load"
    place = access(at, operands[0], mods, size * count, kind)
    if "nc" in mods:
        at.to.line(f"blk.read_only({at.site()}, {at.mask}, {place}, {size * count})")
    out: Results = []
    for i in range(count):
        leaf = _load_part(at, place, i * size, type_)
        # A register wider than the loaded type is zero- or sign-extended.
        out.append(Leaf(leaf.name, leaf.undefined))
    return out


def _store(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    type_ = last_type(mods)
    bits = TYPE_BITS[type_]
    parts = operands[1].parts if isinstance(operands[1], Group) else (as_register(operands[1]),)
    kind = "atomic store" if {"volatile", "relaxed", "release", "mmio"} & set(mods) else "store"
    place = access(at, operands[0], mods, bits // 8 * len(parts), kind)
    for i, part in enumerate(parts):
        offset = i * bits // 8
        if bits == 128:
            at.to.line(f"{place}.store(L.resize({part.name}, 128, 64, False), 8, {offset})")
            high = f"L.lshr({part.name}, np.array([64], object), 128)"
            at.to.line(f"{place}.store(L.resize({high}, 128, 64, False), 8, {offset + 8})")
            continue
        at.to.line(f"{place}.store(L.fit({part.name}, {bits}), {bits // 8}, {offset})")
        if part.undefined:
            at.to.line(
                f"{place}.store_undefined(L.undefined_fit({part.undefined}, {bits}), {bits // 8}, {offset})"
            )
    return []


def _atomic(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    type_ = last_type(mods)
    bits = TYPE_BITS[type_]
    count = vector_size(mods)
    operation = next(
        m
        for m in mods
        if m in ("exch", "add", "and", "or", "xor", "inc", "dec", "min", "max", "cas")
    )
    place = access(at, operands[0], mods, bits // 8 * count, "atomic")
    if operation == "cas":
        wanted, new = as_register(operands[1]), as_register(operands[2])
        if bits == 128:
            return [Leaf(at.to.assign(f"A.wide({place}, {at.mask}, {new.name}, {wanted.name})"))]
        return [
            Leaf(
                f"A.cas({place}, {at.mask}, {bits}, L.fit({wanted.name}, {bits}), L.fit({new.name}, {bits}))"
            )
        ]
    if bits == 128:
        return [Leaf(at.to.assign(f"A.wide({place}, {at.mask}, {as_register(operands[1]).name})"))]
    name, fmt = atomic_name(operation, type_)
    value = operands[1]
    parts = value.parts if isinstance(value, Group) else (as_register(value),)
    out: Results = []
    for i, part in enumerate(parts):
        offset = i * bits // 8
        if type_.endswith("x2"):
            halves: list[str] = []
            for half in range(2):
                raw = f"L.resize({part.name} >> u4({16 * half}), 32, 16, False)"
                halves.append(
                    at.to.assign(
                        f"A.rmw({place}, {at.mask}, '{name}', 16, '{fmt}', {raw}, {offset + 2 * half})"
                    )
                )
            out.append(Leaf(f"{halves[0]}.astype(u4) | ({halves[1]}.astype(u4) << u4(16))"))
            continue
        out.append(
            Leaf(
                at.to.assign(
                    f"A.rmw({place}, {at.mask}, '{name}', {bits}, '{fmt}', L.fit({part.name}, {bits}), {offset})"
                )
            )
        )
    return out


def _reduction(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    _atomic(at, mods, operands)
    return []


def _convert_address(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    window = window_of(mods)
    value = as_register(operands[0])
    wide = f"L.fit({value.name}, 64)"
    if window == GLOBAL:
        return [Leaf(wide, value.undefined)]
    if "to" in mods:
        return [Leaf(f"{wide} & {at.array((1 << WINDOW_SHIFT) - 1, 64)}", value.undefined)]
    return [Leaf(f"{wide} + {at.array(window << WINDOW_SHIFT, 64)}", value.undefined)]


def _is_space(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    value = as_register(operands[0])
    window = window_of(mods)
    tag = f"({value.name} >> u8({WINDOW_SHIFT}))"
    if mods[0] == "shared" or mods[0] == "shared::cta":
        return [
            Leaf(
                f"({tag} == {SHARED}) & ((({value.name} & u8({(1 << WINDOW_SHIFT) - 1})) >> u8(18)) == blk.rank)"
            )
        ]
    return [Leaf(f"{tag} == {window}")]


def _map_address(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    address, rank = as_register(operands[0]), as_register(operands[1])
    low = f"(L.fit({address.name}, 64) & {at.array(~(((1 << 22) - 1) << 18), 64)})"
    return [Leaf(f"{low} | (L.fit({rank.name}, 64) << u8(18))")]


def _block_rank(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    address = as_register(operands[0])
    return [
        Leaf(
            f"((L.fit({address.name}, 64) & {at.array((1 << WINDOW_SHIFT) - 1, 64)}) >> u8(18)).astype(u4)"
        )
    ]


EFFECTS: dict[str, Instruction] = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "atom": _atomic,
    "red": _reduction,
    "cvta": _convert_address,
    "isspacep": _is_space,
    "mapa": _map_address,
    "getctarank": _block_rank,
}
