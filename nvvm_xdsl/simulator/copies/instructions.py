"""PTX instructions of asynchronous copies: modifiers and operands in order.

Their effects are in `bulk_copies`, `tensor_copies`, `multimem` and `cluster_launches`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.copies import bulk_copies, multimem, tensor_copies
from nvvm_xdsl.simulator.copies.bulk_copies import BulkCopy, Reduction
from nvvm_xdsl.simulator.copies.multimem import MultimemCopy
from nvvm_xdsl.simulator.copies.tensor_copies import TensorLoad, TensorStore
from nvvm_xdsl.simulator.execution.memory import GLOBAL, SHARED, WINDOW_SHIFT
from nvvm_xdsl.simulator.ptx import cluster_launches
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    ListAddress,
    Operand,
    Register,
    Results,
    as_register,
    constant_of,
    last_type,
    vector_size,
    whole_address,
    window_of,
)
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS, atomic_name

Emit = Callable[[Context, list[str], Sequence[Operand]], Results]

_OPERATIONS = frozenset("add min max inc dec and or xor".split())


def _call(at: Context, function: Any, *arguments: str) -> str:
    """The source of a call for the active lanes."""
    listed = "".join(f", {a}" for a in arguments)
    return f"{at.to.constant(function)}(blk, {at.site()}, {at.mask}{listed})"


def _value(operand: Operand, bits: int) -> str:
    return f"L.fit({as_register(operand).name}, {bits})"


def _window(operand: Operand, mods: Sequence[str]) -> int:
    if isinstance(operand, Address) and operand.window is not None:
        return operand.window
    return window_of(mods)


def reduction_of(mods: Sequence[str]) -> Reduction | None:
    """The operation in the modifiers, on elements of the type in the modifiers."""
    operation = next((m for m in mods if m in _OPERATIONS), None)
    if operation is None:
        return None
    type_ = last_type(mods)
    name, fmt = atomic_name(operation, type_)
    return Reduction(name, TYPE_BITS[type_], fmt)


def _bulk(name: str, kind: type[BulkCopy] = BulkCopy) -> Emit:
    def emit(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
        spaces = [m for m in mods if m in ("global", "shared::cta", "shared::cluster")]
        to, source_window = (GLOBAL if s == "global" else SHARED for s in spaces)
        own = spaces[0] == "shared::cta"
        copy = kind(name, to, source_window, own, reduction_of(mods))
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
    """`cp.async.mbarrier.arrive`: the copies are complete already, so only the arrival remains."""
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
    at: Context, mods: Sequence[str], target: Operand, value: Register, reduction: Reduction | None
) -> Results:
    """`.mmio.release`: visible immediately, like an atomic store or operation."""
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


def _tensor_operands(
    at: Context, mods: Sequence[str], operands: Sequence[Operand]
) -> tuple[str, str, list[Operand]]:
    """The address of the tensor map, the coordinates, and the operands after `[map, {...}]`."""
    where = next(i for i, o in enumerate(operands) if isinstance(o, ListAddress))
    listed = operands[where]
    assert isinstance(listed, ListAddress)
    base, coordinates = listed.parts
    address = whole_address(at, base)
    if isinstance(base, Address) and base.window is not None:
        address = f"({address} | u8({base.window << WINDOW_SHIFT}))"
    rest = [*operands[:where], *operands[where + 1 :]]
    return address, _tuple_of(coordinates, 32), rest


def _tuple_of(operand: Operand, bits: int) -> str:
    return f"({''.join(f'L.fit({p.name}, {bits}), ' for p in _parts(operand))})"


_MODES = ("tile::gather4", "tile::scatter4", "im2col", "im2col_no_offs")


def _mode_of(at: Context, mods: Sequence[str]) -> str:
    if any(m.startswith("im2col::w") for m in mods):
        raise at.to.unsupported(at.op, "a tensor copy in a mode .im2col::w")
    return next((m for m in mods if m in _MODES), "tile")


def _dimension_of(mods: Sequence[str]) -> int:
    return next(int(m[0]) for m in mods if m in ("1d", "2d", "3d", "4d", "5d"))


def _tensor_load(name: str) -> Emit:
    def emit(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
        own = "shared::cta" in mods
        mode = _mode_of(at, mods)
        load = TensorLoad(name, _dimension_of(mods), mode, own, "cta_group::2" in mods)
        address, coordinates, rest = _tensor_operands(at, mods, operands)
        arguments: list[str] = []
        if name.endswith("prefetch.tensor"):
            offsets = rest[:1]
        else:
            target, barrier, *rest = rest
            offsets = rest[:1]
            arguments += [
                f"target={whole_address(at, target)}",
                f"barrier={whole_address(at, barrier)}",
            ]
            if "multicast::cluster" in mods:
                arguments.append(f"blocks={_value(rest[1 if mode == 'im2col' else 0], 16)}")
        shifts = _tuple_of(offsets[0], 16) if mode == "im2col" else "()"
        at.to.line(_call(at, load, address, coordinates, shifts, *arguments))
        return []

    return emit


def _tensor_store(name: str) -> Emit:
    def emit(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
        operation = next((m for m in mods if m in _OPERATIONS), "")
        store = TensorStore(name, _dimension_of(mods), _mode_of(at, mods), operation)
        address, coordinates, rest = _tensor_operands(at, mods, operands)
        at.to.line(_call(at, store, address, coordinates, whole_address(at, rest[0])))
        return []

    return emit


def _tensor(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    name = "cp.async.bulk.tensor"
    spaces = [m for m in mods if m in ("global", "shared::cta", "shared::cluster")]
    make = _tensor_store if spaces[0] == "global" else _tensor_load
    return make(name)(at, mods, operands)


def _replace(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    field = mods[1]
    *ordinal, value = operands[1:]
    number = constant_of(at, as_register(ordinal[0])) if ordinal else 0
    arguments = (
        whole_address(at, operands[0]),
        str(_window(operands[0], mods)),
        repr(field),
        str(number),
        _value(value, 64),
    )
    at.to.line(_call(at, tensor_copies.replace_field, *arguments))
    return []


def _copy_map(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    target, source, size = operands
    count = str(constant_of(at, as_register(size)))
    where = (whole_address(at, target), whole_address(at, source))
    at.to.line(_call(at, tensor_copies.copy_map, *where, count))
    return []


def _store_bulk(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    target, size, value = operands
    if constant_of(at, as_register(value)):
        raise at.to.unsupported(at.op, "st.bulk of a value other than 0")
    arguments = (whole_address(at, target), str(_window(target, mods)), _value(size, 64))
    at.to.line(_call(at, bulk_copies.store_bulk, *arguments))
    return []


def _multimem_accesses(at: Context, address: Operand, size: int, kind: str) -> str:
    return at.to.assign(
        _call(at, multimem.accesses, whole_address(at, address), str(size), repr(kind))
    )


def _element_type(at: Context, mods: Sequence[str]) -> str:
    type_ = mods[-1]
    if type_ not in TYPE_BITS:
        raise at.to.unsupported(at.op, f"multimem of elements of type .{type_}")
    return type_


def _multimem_load(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    type_, count = _element_type(at, mods), vector_size(mods)
    size = TYPE_BITS[type_] // 8
    name, fmt = atomic_name(next(m for m in mods if m in _OPERATIONS), type_)
    bits = TYPE_BITS[type_.removesuffix("x2")]
    reduction = at.to.constant(Reduction(name, bits, fmt))
    found = _multimem_accesses(at, operands[0], size * count, "atomic load")
    function = at.to.constant(multimem.reduced)
    wide = "acc::f32" in mods
    return [
        Leaf(at.to.assign(f"{function}({found}, {size}, {i * size}, {reduction}, {wide})"))
        for i in range(count)
    ]


def _multimem_store(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    bits = TYPE_BITS[_element_type(at, mods)]
    parts = _parts(operands[1])
    found = _multimem_accesses(at, operands[0], bits // 8 * len(parts), "atomic store")
    for i, part in enumerate(parts):
        offset = i * bits // 8
        at.to.line(
            f"for one in {found}: one.store(L.fit({part.name}, {bits}), {bits // 8}, {offset})"
        )
        if part.undefined:
            marks = f"L.undefined_fit({part.undefined}, {bits})"
            at.to.line(f"for one in {found}: one.store_undefined({marks}, {bits // 8}, {offset})")
    return []


def _multimem_reduce(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    type_ = _element_type(at, mods)
    width = TYPE_BITS[type_]
    bits = TYPE_BITS[type_.removesuffix("x2")]
    name, fmt = atomic_name(next(m for m in mods if m in _OPERATIONS), type_)
    parts = _parts(operands[1])
    found = _multimem_accesses(at, operands[0], width // 8 * len(parts), "atomic")
    for i, part in enumerate(parts):
        for low in range(0, width, bits):
            value = f"L.fit(L.lshr(L.fit({part.name}, {width}), {at.array(low, width)}, {width}), {bits})"
            offset = (i * width + low) // 8
            at.to.line(
                f"for one in {found}: A.rmw(one, {at.mask}, '{name}', {bits}, '{fmt}', {value}, {offset})"
            )
    return []


def _try_cancel(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    where = [whole_address(at, o) for o in operands]
    everywhere = str("multicast::cluster::all" in mods)
    at.to.line(_call(at, cluster_launches.try_cancel, *where, everywhere))
    return []


def _query_cancel(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    response = as_register(operands[0]).name
    if mods[0] == "is_canceled":
        return [Leaf(f"{at.to.constant(cluster_launches.is_canceled)}({response})")]
    function = at.to.constant(cluster_launches.first_block)
    if mods[0] == "get_first_ctaid":
        return [Leaf(f"{function}({response}, {i})") for i in range(4)]
    return [Leaf(f"{function}({response}, {'xyz'.index(mods[0][-1])})")]


_INSTRUCTIONS: dict[str, Emit] = {
    "multimem.ld_reduce": _multimem_load,
    "multimem.st": _multimem_store,
    "multimem.red": _multimem_reduce,
    "multimem.cp.async.bulk": _bulk("multimem.cp.async.bulk", MultimemCopy),
    "multimem.cp.reduce.async.bulk": _bulk("multimem.cp.reduce.async.bulk", MultimemCopy),
    "clusterlaunchcontrol.try_cancel": _try_cancel,
    "clusterlaunchcontrol.query_cancel": _query_cancel,
    "cp.async.bulk.commit_group": _commit,
    "cp.async.bulk.wait_group": _wait,
    "cp.async.bulk.prefetch": _bulk_prefetch,
    "cp.async.bulk.tensor": _tensor,
    "cp.reduce.async.bulk.tensor": _tensor_store("cp.reduce.async.bulk.tensor"),
    "cp.async.bulk.prefetch.tensor": _tensor_load("cp.async.bulk.prefetch.tensor"),
    "tensormap.replace": _replace,
    "tensormap.cp_fenceproxy": _copy_map,
    "cp.async.bulk": _bulk("cp.async.bulk"),
    "cp.reduce.async.bulk": _bulk("cp.reduce.async.bulk"),
    "cp.async.mbarrier.arrive": _arrive_after_copies,
    "st.async": _store_async,
    "red.async": _store_async,
    "st.bulk": _store_bulk,
}
"""The functions that generate instructions, by mnemonic; the longest matching prefix of an opcode
is used."""


def emit(at: Context, opcode: str, operands: Sequence[Operand]) -> Results | None:
    """Generates an instruction of this family; None for any other."""
    words = opcode.split(".")
    for end in range(min(len(words), 5), 1, -1):
        found = _INSTRUCTIONS.get(".".join(words[:end]))
        if found is not None:
            return found(at, words[end:], operands)
    return None
