"""Loads and stores.

A value in memory is a list of pieces (see `shapes`). Adjacent pieces of the same size are accessed
by one vector access if the alignment permits; an unaligned piece is split into several accesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import cast

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.llvm import AddressOfOp, FuncOp, LoadOp, SExtOp, StoreOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.machine.memory_accesses import ALIGN
from nvvm_xdsl.codegen.module_context import is_undefined
from nvvm_xdsl.codegen.rules.addresses import points_to_global
from nvvm_xdsl.codegen.rules.vectors import Bits, as_register, joined, restored, take
from nvvm_xdsl.codegen.selector import Address, Part, Parts, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import AGGREGATE, INTEGER, POINTER, VECTOR, Piece, Shape
from nvvm_xdsl.codegen.widths import boolean, extended_part
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    global_name,
    int_property,
    is_constant_global,
    is_volatile,
    sync_scope_of,
)
from nvvm_xdsl.dialects.llvm.orderings import ACQUIRE, RELEASE, SEQ_CST
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
from nvvm_xdsl.dialects.nvptx.instructions import VOLATILE
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, B128, F32, F64, PRED, RegisterClass
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir.fast import operands_of, producer_of, users_of
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, LOCAL, PARAM, SHARED, SHARED_CLUSTER

SCOPES: dict[str, str] = {
    "": "sys",
    "system": "sys",
    "device": "gpu",
    "cluster": "cluster",
    "block": "cta",
}
"""PTX scopes of LLVM's synchronization scopes for NVPTX; other targets have other names."""

SINGLE_THREAD = "singlethread"
"""The scope within which PTX always orders accesses."""

ORDERED_SPACES = frozenset({GENERIC, GLOBAL, SHARED, SHARED_CLUSTER})
"""Spaces that other threads can access: only there `volatile` and orderings have an effect."""

LOCAL_SPACES = frozenset({LOCAL, PARAM})
"""Spaces that only one thread can access."""

VECTOR_BYTES = 16
WIDE_VECTOR_BYTES = 32
FIRST_WIDE_VECTORS = 100
WIDE_VECTORS_SINCE = 88
"""From sm_100 on, 32 bytes of global memory can be accessed at once."""


def scope_of(sel: Selector, op: Operation) -> str:
    """The PTX scope of an atomic op; empty for that of a single thread."""
    name = sync_scope_of(op)
    if name == SINGLE_THREAD:
        return ""
    scope = SCOPES.get(name)
    if scope is None:
        known = ", ".join((*filter(None, SCOPES), SINGLE_THREAD))
        raise sel.error(op, f"unknown synchronization scope '{name}'; expected one of {known}")
    if scope == "cluster" and sel.target.sm < 90:
        # Without clusters each block is its own cluster.
        return "cta"
    return scope


@dataclass
class Unit:
    """One access, or one element of a vector access."""

    offset: int
    size: int
    register: RegisterClass
    part: int


def _class_of(size: int, piece: Piece) -> RegisterClass:
    if size == piece.size and piece.register in (F32, F64) and piece.shift == 0:
        return piece.register
    return B16 if size <= 2 else B32 if size == 4 else B64


def _units(pieces: Sequence[Piece], alignment: int) -> list[Unit]:
    """Pieces split so that each is aligned."""
    found: list[Unit] = []
    for piece in pieces:
        size = piece.size
        while size > 1 and (piece.offset % size or alignment % size):
            size //= 2
        register = _class_of(size, piece)
        for offset in range(piece.offset, piece.offset + piece.size, size):
            found.append(Unit(offset, size, register, piece.part))
    return found


def _groups(units: Sequence[Unit], alignment: int, most: int) -> list[Sequence[Unit]]:
    """Pieces grouped into vectors of at most `most` bytes."""
    found: list[Sequence[Unit]] = []
    at = 0
    count = len(units)
    while at < count:
        first = units[at]
        size = first.size
        length = 1
        for width in (8, 4, 2):
            total = width * size
            if total > most or (width == 8 and size != 4) or at + width > count:
                continue
            if first.offset % total or alignment % total:
                continue
            run = units[at : at + width]
            if all(
                u.size == size
                and u.register is first.register
                and u.offset == first.offset + i * size
                for i, u in enumerate(run)
            ):
                length = width
                break
        found.append(units[at : at + length])
        at += length
    return found


def _memory_type(unit: Unit) -> str:
    if unit.size == 1:
        return "b8"
    return unit.register.ptx_type


def access_alignment(sel: Selector, op: Operation, shape: Shape) -> int:
    """The alignment of an access: the stated one, or the type's."""
    return int_property(op, "alignment") or sel.module.layout.alignment(shape.type)


def _most_bytes(sel: Selector, space: int) -> int:
    if space == GLOBAL and sel.target.sm >= FIRST_WIDE_VECTORS:
        return WIDE_VECTOR_BYTES
    return VECTOR_BYTES


def load_value(
    sel: Selector,
    address: Address,
    shape: Shape,
    alignment: int,
    mods: str,
    *,
    mnemonic: str = "ld",
    vectors: bool = True,
    signed: bool = False,
    volatile: bool = False,
) -> Parts:
    """Loads a value.

    Arguments:
        mods: modifiers before the type, including the state space, such as `volatile.global`.
        vectors: whether pieces may be loaded together.
        signed: whether bytes are sign-extended.
        volatile: whether the load must be kept, also in spaces without PTX's modifier `volatile`.
    """
    stored = sel.module.shapes.stored(shape)
    if stored is not shape:
        loaded = load_value(
            sel,
            address,
            stored,
            alignment,
            mods,
            mnemonic=mnemonic,
            vectors=vectors,
            volatile=volatile,
        )
        return restored(sel, loaded, stored, shape)
    pieces = sel.module.shapes.pieces(shape)
    units = _units(pieces, alignment)
    dot = "." if mods else ""
    pool: list[list[Bits]] = [[] for _ in shape.parts]
    most = _most_bytes(sel, address.space) if vectors else 0
    for group in _groups(units, alignment, most):
        first = group[0]
        type_ = _memory_type(first)
        if first.size == 1:
            type_ = "s8" if signed else "u8"
        width = len(group)
        if width * first.size == WIDE_VECTOR_BYTES:
            sel.module.require_ptx(WIDE_VECTORS_SINCE)
        vector = f"v{width}." if width > 1 else ""
        made = sel.emit(
            mnemonic,
            f"{mods}{dot}{vector}{type_}",
            (address.plus(first.offset),),
            (first.register,) * width,
        )
        _state_facts(sel, alignment, first, width, volatile)
        for unit, register in zip(group, made):
            if unit.size == 1:
                sel.known_bits[register] = (signed, 8)
            pool[unit.part].append(Bits(register, 8 * unit.size, unit.register))
    parts: list[Part] = []
    for bits, register in zip(pool, shape.parts):
        if len(bits) == 1:
            whole = bits[0]
        else:
            whole = joined(sel, bits, sum(b.size for b in bits))
        if register is PRED:
            parts.append(boolean(sel, whole.part, 8))
        elif whole.register.width == register.width:
            parts.append(as_register(sel, whole, register))
        else:
            parts.append(take(sel, [whole], whole.size, register))
    return tuple(parts)


def store_value(
    sel: Selector,
    address: Address,
    parts: Parts,
    shape: Shape,
    alignment: int,
    mods: str,
    *,
    vectors: bool = True,
    volatile: bool = False,
) -> None:
    """Stores a value; arguments as for `load_value`."""
    stored = sel.module.shapes.stored(shape)
    if stored is not shape:
        whole = restored(sel, parts, shape, stored)
        store_value(
            sel, address, whole, stored, alignment, mods, vectors=vectors, volatile=volatile
        )
        return
    pieces = sel.module.shapes.pieces(shape)
    units = _units([p for p in pieces if not is_undefined(parts[p.part])], alignment)
    pools: dict[int, list[Bits]] = {}
    dot = "." if mods else ""
    most = _most_bytes(sel, address.space) if vectors else 0
    scalar = shape.kind == INTEGER
    for group in _groups(units, alignment, most):
        values: list[Part] = []
        for unit in group:
            index = unit.part
            pool = pools.get(index)
            if pool is None:
                register = shape.parts[index]
                part = parts[index]
                size = register.width
                if register is PRED:
                    part, register = _byte_of(sel, part), B16
                    size = 8
                elif scalar:
                    size = 8 * sum(p.size for p in pieces if p.part == index)
                    bits = min(shape.bits - 64 * index, 64)
                    if bits % 8:
                        part = extended_part(sel, part, bits, register.width, signed=False)
                elif size == 16:
                    size = 8 * sum(p.size for p in pieces if p.part == index)
                pool = pools[index] = [Bits(part, size, register)]
            if (
                len(pool) == 1
                and pool[0].size == 8 * unit.size
                and (unit.size == 1 or pool[0].register.width == unit.register.width)
            ):
                whole = pool.pop()
                value = whole.part
                if immediate_value(value) is None and unit.size > 1:
                    value = as_register(sel, whole, unit.register)
            else:
                value = take(sel, pool, 8 * unit.size, unit.register)
            values.append(value)
        first = group[0]
        type_ = _memory_type(first)
        place = address.plus(first.offset)
        if len(values) == 1:
            sel.emit("st", f"{mods}{dot}{type_}", (place, values[0]))
        else:
            if len(values) * first.size == WIDE_VECTOR_BYTES:
                sel.module.require_ptx(WIDE_VECTORS_SINCE)
            sel.emit("st", f"{mods}{dot}v{len(values)}.{type_}", (place, values))
        _state_facts(sel, alignment, first, len(values), volatile)


def _state_facts(sel: Selector, alignment: int, first: Unit, width: int, volatile: bool) -> None:
    """Records a higher alignment of the last emitted access, and that it must not be removed."""
    if volatile:
        sel.last_emitted().attributes[VOLATILE] = UnitAttr()
    known = gcd(alignment, first.offset) if first.offset else alignment
    if known > width * first.size:
        sel.last_emitted().attributes[ALIGN] = int_attr(known, I64)


def _byte_of(sel: Selector, part: Part) -> Part:
    """A predicate as a byte in a 16-bit register."""
    value = immediate_value(part)
    if value is not None:
        return imm(value & 1)
    return sel.emit1("selp", "b16", (imm(1), imm(0), part), B16)


# The ops


def is_read_only(sel: Selector, address: Address) -> bool:
    """Returns whether the memory is constant while the kernel runs, according to its root."""
    root = address.root
    if root is None:
        return False
    if type(root) is OpResult:
        op = producer_of(root)
        if type(op) is not AddressOfOp:
            return False
        target = sel.module.globals.get(global_name(op))
        return target is not None and is_constant_global(target)
    block = cast(BlockArgument, root).block
    func = block.parent_op()
    if func is None or type(func) is not FuncOp or not is_kernel(func):
        return False
    region = block.parent
    if region is None or region.first_block is not block:
        return False
    attrs = argument_attributes(func, cast(BlockArgument, root).index)
    return "llvm.noalias" in attrs and ("llvm.readonly" in attrs or "llvm.readnone" in attrs)


def _with_space(mods: str, address: Address) -> str:
    suffix = address.suffix
    return mods + suffix if mods else suffix[1:]


def fence(sel: Selector, mods: str) -> None:
    """A memory fence: `sc.sys`, `acq_rel.gpu`."""
    sel.emit("fence", mods)


@selects(LoadOp)
def select_load(sel: Selector, op: Operation) -> None:
    """Loads of every space: plain, volatile, atomic, and through the read-only cache."""
    (pointer,) = operands_of(op)
    result = op.results[0]
    shape = sel.shape(result)
    address = sel.memory_address(pointer)
    alignment = access_alignment(sel, op, shape)
    properties = op.properties
    ordering = int_property(op, "ordering")
    shared = address.space in ORDERED_SPACES
    scope = scope_of(sel, op) if ordering and shared else ""
    if scope:
        _atomic_load(sel, op, address, shape, alignment, ordering, scope)
        return
    if "volatile_" in properties and shared:
        parts = load_value(sel, address, shape, alignment, _with_space("volatile", address))
    elif address.space == GLOBAL and ("invariant" in properties or is_read_only(sel, address)):
        parts = load_value(sel, address, shape, alignment, "", mnemonic="ld.global.nc")
    else:
        signed = shape.bits == 8 and shape.kind == INTEGER and _only_sign_extended(result)
        mods = address.suffix[1:]
        volatile = "volatile_" in properties
        parts = load_value(sel, address, shape, alignment, mods, signed=signed, volatile=volatile)
    sel.define(result, *parts)
    if (
        sel.is_kernel
        and address.space == PARAM
        and shape.kind == POINTER
        and sel.module.pointer_space(result.type) == GENERIC
    ):
        # Pointers in a struct parameter of a kernel point to global memory, too.
        points_to_global(sel, result)


def _only_sign_extended(value: SSAValue) -> bool:
    return all(type(user) is SExtOp for user in users_of(value))


def _atomic_load(
    sel: Selector,
    op: Operation,
    address: Address,
    shape: Shape,
    alignment: int,
    ordering: int,
    scope: str,
) -> None:
    _check_atomic(sel, op, shape, alignment)
    if ordering == SEQ_CST:
        fence(sel, f"sc.{scope}")
    word = "acquire" if ordering in (ACQUIRE, SEQ_CST) else "relaxed"
    if is_volatile(op) and word == "relaxed":
        mods = _with_space("volatile", address)
    else:
        mods = _with_space(f"{word}.{scope}", address)
    if shape.bits == 128:
        pair = sel.emit1("ld", f"{mods}.b128", (address,), B128)
        sel.define(op.results[0], *sel.emit("mov", "b128", (pair,), (B64, B64)))
        return
    sel.define(op.results[0], *load_value(sel, address, shape, alignment, mods, vectors=False))


def joined_pair(sel: Selector, halves: Sequence[SSAValue]) -> SSAValue:
    """A 128-bit register with two 64-bit halves, the low one first."""
    return sel.emit1("mov", "b128", (list(halves),), B128)


def _check_atomic(sel: Selector, op: Operation, shape: Shape, alignment: int) -> None:
    size = sel.module.layout.store_size(shape.type)
    wide = shape.kind == INTEGER and shape.bits == 128
    if shape.kind in (VECTOR, AGGREGATE) or (size > 8 and not wide) or size & (size - 1):
        raise sel.error(op, f"an atomic access of type {shape.type} is not supported")
    check_atomic_alignment(sel, op, size, alignment)


def check_atomic_alignment(sel: Selector, op: Operation, size: int, alignment: int) -> None:
    """Reports an atomic access with an alignment below its size."""
    if alignment % size:
        raise sel.error(op, f"an atomic access of {size} bytes must be aligned to {size}")


@selects(StoreOp)
def select_store(sel: Selector, op: Operation) -> None:
    """Stores to every space: plain, volatile and atomic."""
    value, pointer = operands_of(op)
    shape = sel.shape(value)
    address = sel.memory_address(pointer)
    alignment = access_alignment(sel, op, shape)
    parts = sel.parts(value)
    ordering = int_property(op, "ordering")
    shared = address.space in ORDERED_SPACES
    mods = address.suffix[1:]
    vectors = True
    scope = scope_of(sel, op) if ordering and shared else ""
    if scope:
        _check_atomic(sel, op, shape, alignment)
        vectors = False
        if ordering == SEQ_CST:
            fence(sel, f"sc.{scope}")
        word = "release" if ordering == RELEASE else "relaxed"
        if is_volatile(op) and word == "relaxed":
            mods = _with_space("volatile", address)
        else:
            mods = _with_space(f"{word}.{scope}", address)
        if shape.bits == 128:
            sel.emit("st", f"{mods}.b128", (address, joined_pair(sel, sel.regs(value))))
            return
    elif is_volatile(op) and shared:
        mods = _with_space("volatile", address)
    volatile = is_volatile(op) and not shared
    store_value(sel, address, parts, shape, alignment, mods, vectors=vectors, volatile=volatile)
