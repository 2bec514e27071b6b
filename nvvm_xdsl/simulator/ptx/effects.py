"""PTX instructions with effects: memory, synchronization, special registers.

`emit` generates one instruction, given by its PTX opcode, for machine code, inline assembly and
intrinsics. Registers are expressions for arrays of bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nvvm_xdsl.dialects.memory_semantics import (
    MemorySemantics,
    Order,
    semantics_of_modifiers,
)
from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.copies import instructions
from nvvm_xdsl.simulator.execution.memory import GLOBAL, SHARED
from nvvm_xdsl.simulator.matrix import ldmatrix, mma, tcgen05, wgmma, wmma
from nvvm_xdsl.simulator.ptx import loads_stores, sparse, warp_ops
from nvvm_xdsl.simulator.ptx.pure_instructions import carry, pure
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Instruction,
    Operand,
    Register,
    Results,
    Wait,
    as_register,
    constant_of,
    last_type,
    whole_address,
)
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS, has_semantics
from nvvm_xdsl.simulator.textures import surface_ops, texture_ops


def _nothing(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    return []


def _memory_fence(at: Context, mods: list[str], order: Order) -> Results:
    semantics = semantics_of_modifiers(mods, MemorySemantics(order))
    at.to.line(f"blk.fence({at.mask}, {at.to.constant(semantics)})")
    return []


def _membar(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    return _memory_fence(at, mods, Order.SC)


def _fence(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    if mods[0] == "proxy":
        if mods[1].startswith("async"):
            at.to.line(f"blk.fence_proxy({at.mask})")
        return []
    # The simulator checks no order of the initialization of a barrier object.
    return [] if mods[0] == "mbarrier_init" else _memory_fence(at, mods, Order.ACQ_REL)


def _exit(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    at.to.line(f"blk.exit({at.mask})")
    return []


def _trap(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    at.to.line(
        f"raise blk.lane_error('trap', 'the kernel traps in', int({at.mask}.index[0]), {at.site()})"
    )
    return []


def _active_mask(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    return [Leaf(f"blk.warp_words({at.mask}.bits)[blk.warp_of_lane]")]


def _copy_async(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    if mods[0] in ("commit_group", "wait_group", "wait_all"):
        return []
    target, source, *rest = operands
    size = constant_of(at, as_register(rest[0]))
    writing = loads_stores.access(at, _with_window(target, SHARED), mods, size, "store")
    if len(rest) > 1:
        count = as_register(rest[1])
        whole = whole_address(at, source)
        at.to.line(
            f"blk.copy_some({at.site()}, {at.mask}, {whole}, {GLOBAL}, {writing}, {size}, "
            f"L.fit({count.name}, 32))"
        )
        return []
    reading = loads_stores.access(at, _with_window(source, GLOBAL), mods, size, "load")
    at.to.line(f"L_copy({reading}, {writing}, {size})")
    return []


def _with_window(operand: Operand, window: int) -> Address:
    if isinstance(operand, Register):
        return Address(operand.name, 0, window)
    assert isinstance(operand, Address)
    return Address(operand.base, operand.offset, window)


def _mbarrier_access(at: Context, mods: Sequence[str], address: Operand) -> str:
    return loads_stores.access(
        at, address, [m for m in mods if m not in ("cta", "cluster")], 8, "atomic"
    )


def _mbarrier(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    action = mods[0]
    if action == "check_layout":
        raise at.to.unsupported(at.op, "the instruction mbarrier.check_layout")
    if action == "pending_count":
        return [Leaf(f"B.pending_count({as_register(operands[0]).name})")]
    access = _mbarrier_access(at, mods, operands[0])
    values = [f"L.fit({as_register(o).name}, 64)" for o in operands[1:]]
    first = values[0] if values else at.array(1, 64)
    where = f"blk, {at.site()}, {at.mask}, {access}"
    if action == "init":
        at.to.line(f"B.initialize({where}, {first})")
        return []
    if action == "inval":
        at.to.line(f"B.invalidate({where})")
        return []
    expect = at.array(0, 64)
    count = first
    if action == "expect_tx":
        expect, count = first, at.array(0, 64)
    elif action == "complete_tx":
        expect, count = f"-({first})", at.array(0, 64)
    elif "expect_tx" in mods:
        expect, count = first, at.array(1, 64)
    drop = action == "arrive_drop"
    return [Leaf(at.to.assign(f"B.arrive({where}, {count}, {expect}, {drop})"))]


def mbarrier_wait(
    at: Context, mods: list[str], operands: Sequence[Operand], patient: bool = False
) -> Wait:
    """Generates `mbarrier.test_wait` or `try_wait`; with `patient`, lanes wait until the phase is
    complete."""
    access = _mbarrier_access(at, mods, operands[0])
    token = f"L.fit({as_register(operands[1]).name}, 64)"
    site = at.site()
    return Wait(
        f"B.wait(blk, {site}, {at.mask}, {access}, {token}, {'parity' in mods}, {patient})",
        lambda: [Leaf(f"blk.slot[{site}]")],
    )


def _stack_allocate(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    size, *rest = (as_register(o) for o in operands)
    alignment = constant_of(at, rest[0]) if rest else 8
    amount = f"L.fit({size.name}, 64)"
    if size.undefined:
        at.to.line(f"blk.check_defined({at.mask}, {size.undefined}, {at.site()}, 'a size')")
    at.to.frame.grows = True
    call = f"blk.push_dynamic({at.site()}, top, {at.mask}, {amount}, 1, {alignment}, False)"
    return [Leaf(f"L.fit({at.to.assign(call)}, {mods[0][1:]})")]


def _stack_save(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    return [Leaf(at.to.assign(f"blk.dynamic.astype(u{int(mods[0][1:]) // 8})"))]


def _stack_restore(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    at.to.line(f"blk.release_dynamic(L.fit({as_register(operands[0]).name}, 64), {at.mask})")
    return []


_POLICIES = {
    "L2::evict_normal": 0x1000000000000000,
    "L2::evict_first": 0x12F0000000000000,
    "L2::evict_last": 0x14F0000000000000,
}
"""Cache policies with the encodings of CUTLASS; they are opaque to kernels."""


def _create_policy(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    if mods[0] == "cvt":
        source = as_register(operands[0])
        return [Leaf(f"L.fit({source.name}, 64)", source.undefined)]
    primary = next(m for m in mods if m.startswith("L2::"))
    return [Leaf(at.array(_POLICIES.get(primary, _POLICIES["L2::evict_normal"]), 64))]


EFFECTS: dict[str, Instruction] = {
    **loads_stores.EFFECTS,
    "alloca": _stack_allocate,
    "stacksave": _stack_save,
    "stackrestore": _stack_restore,
    "membar": _membar,
    "fence": _fence,
    "nanosleep": _nothing,
    "prefetch": _nothing,
    "prefetchu": _nothing,
    "discard": _nothing,
    "applypriority": _nothing,
    "pmevent": _nothing,
    "griddepcontrol": _nothing,
    "setmaxnreg": _nothing,
    "brkpt": _nothing,
    "exit": _exit,
    "trap": _trap,
    "activemask": _active_mask,
    "mbarrier": _mbarrier,
    "wgmma": wgmma.order,
    "createpolicy": _create_policy,
    "tex": texture_ops.emit_tex,
    "tld4": texture_ops.emit_tld4,
    "txq": texture_ops.emit_txq,
    "istypep": texture_ops.emit_istypep,
    "suld": surface_ops.emit_suld,
    "sust": surface_ops.emit_sust,
    "sured": surface_ops.emit_sured,
    "suq": texture_ops.emit_suq,
    **sparse.EMITTERS,
}


# Wait conditions


def waits(opcode: str) -> bool:
    """Whether lanes may have to wait at an instruction."""
    if not has_semantics(opcode):
        return False
    name, *mods = opcode.split(".")
    if name in ("bar", "barrier"):
        return (
            mods[0] != "arrive"
            and not ("cluster" in mods and "arrive" in mods)
            and "arrive" not in mods
        )
    if name == "tcgen05":
        return tcgen05.waits(mods)
    if name == "mbarrier":
        return mods[0] in ("test_wait", "try_wait")
    if name == "wgmma":
        return mods[0] == "mma_async"
    return name in (
        "shfl",
        "vote",
        "match",
        "redux",
        "elect",
        "mma",
        "ldmatrix",
        "stmatrix",
        "movmatrix",
        "wmma",
    ) and ("sync" in mods or name in ("mma", "wmma"))


def wait(at: Context, opcode: str, operands: Sequence[Operand]) -> Wait:
    """Generates an instruction at which lanes may wait."""
    name, *mods = opcode.split(".")
    if name in ("bar", "barrier"):
        return _barrier_wait(at, mods, operands)
    if name == "mbarrier":
        return mbarrier_wait(at, mods, operands)
    site = at.site()
    registers = [o for o in operands if isinstance(o, Register)]
    names = [register.name for register in registers]
    slot = f"blk.slot[{site}]"

    def gather(members: str, function: Any, values: Sequence[str]) -> str:
        packed = "".join(f"{v}, " for v in values)
        return f"blk.gather({site}, {at.mask}, L.fit({members}, 32), {at.to.constant(function)}, ({packed}))"

    if name == "wgmma":
        return wgmma.wait(at, mods, operands, site)
    if name == "tcgen05":
        return tcgen05.wait(at, mods, operands, gather, site)
    if name == "shfl":
        mode = next(m for m in mods if m in ("up", "down", "bfly", "idx"))
        value, b, c, members = operands[:4]
        _check_defined(at, [as_register(o) for o in (b, c, members)])
        source = as_register(value)
        values = [as_register(b).name, as_register(c).name, f"L.fit({source.name}, 32)"]
        tracked = at.to.tracking and source.undefined is not None
        if tracked:
            values.append(f"L.undefined_lanes({source.undefined}, u4)")
        condition = gather(as_register(members).name, warp_ops.shuffle(mode, site), values)

        def shuffled() -> Results:
            undefined = f"L.undefined_or_none({slot}[1])" if tracked else None
            return [Leaf(f"{slot}[0]", undefined), Leaf(f"{slot}[-1]")]

        return Wait(condition, shuffled)
    if name in ("vote", "match", "redux"):
        value, members = registers[:2]
        _check_defined(at, [members])
        function, bits, result_bits = _warp_function(name, mods)
        values = [f"L.fit({value.name}, {bits})" if bits > 1 else value.name]
        tracked = at.to.tracking and value.undefined is not None
        if tracked:
            function = warp_ops.tracking(function, bitwise="ballot" in mods)
            values.append(f"L.undefined_words({value.undefined})")
        condition = gather(members.name, function, values)

        def combined() -> Results:
            several = tracked or len(result_bits) > 1
            return [
                Leaf(
                    f"{slot}[{i}]" if several else slot,
                    f"L.undefined_or_none(L.fit({slot}[-1], {bits}))" if tracked else None,
                )
                for i, bits in enumerate(result_bits)
            ]

        return Wait(condition, combined)
    if name == "elect":
        return Wait(
            gather(names[0], warp_ops.elect, []), lambda: [Leaf(f"{slot}[0]"), Leaf(f"{slot}[1]")]
        )
    if name == "mma":
        return mma.wait(at, mods, operands, gather, slot)
    if name == "wmma":
        return wmma.wait(at, mods, operands, gather, slot)
    return ldmatrix.wait(at, name, mods, operands, gather, slot)


def _check_defined(at: Context, registers: Sequence[Register]) -> None:
    """Reports undefined bits of member masks, lanes, barriers and counts of threads."""
    for register in registers:
        if register.undefined is not None:
            at.to.line(
                f"blk.check_defined({at.mask}, {register.undefined}, {at.site()}, 'synchronization')"
            )


def _warp_function(name: str, mods: list[str]) -> tuple[Callable[..., Any], int, list[int]]:
    """The function of a vote, match or reduction, the width of its value, and those of its
    results."""
    if name == "vote":
        kind = next(m for m in mods if m in ("all", "any", "uni", "ballot"))
        return warp_ops.vote(kind), 1, [32 if kind == "ballot" else 1]
    type_ = last_type(mods)
    if name == "match":
        if "all" in mods:
            return warp_ops.match_all, TYPE_BITS[type_], [32, 1]
        return warp_ops.match_any, TYPE_BITS[type_], [32]
    operation = next(m for m in mods if m in ("add", "min", "max", "and", "or", "xor"))
    return warp_ops.reduce(operation, type_, "NaN" in mods, "abs" in mods), 32, [32]


def _barrier_wait(at: Context, mods: list[str], operands: Sequence[Operand]) -> Wait:
    registers = [as_register(o) for o in operands]
    names = [register.name for register in registers]
    if "cluster" in mods:
        return Wait(f"blk.cluster_wait({at.mask})", lambda: [])
    if "warp" in mods:
        site = at.site()
        function = at.to.constant(warp_ops.synchronize)
        return Wait(
            f"blk.gather({site}, {at.mask}, L.fit({names[0]}, 32), {function}, ())", lambda: []
        )
    if "red" in mods:
        predicate = registers.pop()
        _check_defined(at, registers)
        count = names[1] if len(registers) > 1 else "None"
        kind = next(m for m in mods if m in ("popc", "and", "or"))
        undefined = ""
        if at.to.tracking and predicate.undefined is not None:
            undefined = f", undefined=L.undefined_words({predicate.undefined}) != 0"
        condition = (
            f"blk.barrier({at.site()}, {at.mask}, {names[0]}, {count}, {predicate.name}{undefined})"
        )
        # The threads of one barrier may arrive at several instructions.
        bits = 32 if kind == "popc" else 1
        after = f"L.poison({bits}, blk.barrier_undefined)" if at.to.tracking else None
        return Wait(condition, lambda: [Leaf(f"blk.barrier_result('{kind}')", after)])
    _check_defined(at, registers)
    count = names[1] if len(names) > 1 else "None"
    return Wait(f"blk.barrier({at.site()}, {at.mask}, {names[0]}, {count})", lambda: [])


# One instruction


def emit(at: Context, opcode: str, operands: Sequence[Operand]) -> Results | None:
    """Generates an instruction that does not wait; None for an unknown opcode."""
    if not has_semantics(opcode):
        return None
    function = pure(opcode)
    to = at.to
    if function is not None:
        return _compute(at, opcode, function, operands)
    with_carry = carry(opcode)
    if with_carry is not None:
        return _carry(at, opcode, with_carry, operands)
    copied = instructions.emit(at, opcode, operands)
    if copied is not None:
        return copied
    name, *mods = opcode.split(".")
    if name in ("bar", "barrier"):
        if "cluster" in mods:
            to.line(f"blk.cluster_arrive({at.mask}, {'relaxed' in mods})")
            return []
        names = [as_register(o).name for o in operands]
        to.line(f"blk.barrier({at.site()}, {at.mask}, {names[0]}, {names[1]}, None, True)")
        return []
    if name == "cp" and mods[0] == "async":
        return _copy_async(at, mods[1:], operands)
    if name == "tcgen05":
        return tcgen05.emit(at, mods, operands)
    effect = EFFECTS.get(name)
    return None if effect is None else effect(at, mods, operands)


def _carry(at: Context, opcode: str, function: Any, operands: Sequence[Operand]) -> Results:
    to = at.to
    if "cc = np.zeros(1, bool)" not in to.prologue:
        to.prologue.append("cc = np.zeros(1, bool)")
    registers = [as_register(o) for o in operands]
    pair = to.assign(f"{to.constant(function)}({', '.join(r.name for r in registers)}, cc)")
    if ".cc" in opcode:
        to.line(f"cc = {pair}[1]")
    shadows = [r.undefined for r in registers if r.undefined]
    bits = TYPE_BITS[last_type(opcode.split("."))]
    return [Leaf(f"{pair}[0]", f"L.spread({bits}, {', '.join(shadows)})" if shadows else None)]


def _compute(at: Context, opcode: str, function: Any, operands: Sequence[Operand]) -> Results:
    registers = [as_register(o) for o in operands]
    call = f"{at.to.constant(function)}({', '.join(r.name for r in registers)})"
    name, *mods = opcode.split(".")
    undefined = _undefined(at, name, mods, registers, function)
    if name == "setp" or (name == "lop3" and mods[0] in ("or", "and")):
        pair = at.to.assign(call)
        return [Leaf(f"{pair}[0]", undefined), Leaf(f"{pair}[1]", undefined)]
    return [Leaf(call, undefined)]


def _undefined(
    at: Context, name: str, mods: Sequence[str], registers: Sequence[Register], function: Any
) -> str | None:
    """The undefined bits of a result: exact if the instruction only moves bits, else all bits."""
    if not at.to.tracking or all(r.undefined is None for r in registers):
        return None
    if name == "mov":
        return registers[0].undefined
    type_ = mods[0] if name == "cvt" else last_type(mods)
    if name == "cvt" and mods[0] == "pack":
        type_ = "b32"
    elif name == "cvt":
        types = [m for m in mods if m in TYPE_BITS]
        type_ = types[0]
        if (
            types[0][0] in "sub"
            and types[-1][0] in "sub"
            and "x2" not in types[-1]
            and "sat" not in mods
        ):
            source, target = TYPE_BITS[types[-1]], TYPE_BITS[types[0]]
            return f"L.undefined_resize(L.undefined_fit({registers[0].undefined}, {source}), {source}, {target}, {types[-1][0] == 's'})"
    if name in ("add", "sub", "mul", "fma"):
        # Mixed precision: the first type is that of the result.
        type_ = next(m for m in mods if m in TYPE_BITS)
    bits = TYPE_BITS.get(type_, 32)
    if name in ("set", "setp", "testp"):
        bits = 1 if name != "set" else TYPE_BITS[next(m for m in mods if m in TYPE_BITS)]
    if (name == "mul" and "wide" in mods) or (name == "mad" and "wide" in mods):
        bits *= 2
    if name in ("popc", "clz", "bfind"):
        bits = 32
    if name in ("and", "or"):
        a, b = registers
        x, y = (r.name if bits == 1 else f"L.fit({r.name}, {bits})" for r in registers)
        return f"L.undefined_{name}({x}, {y}, {a.undefined or 0}, {b.undefined or 0})"
    if name in ("xor", "not"):
        return f"L.either({', '.join(r.undefined for r in registers if r.undefined)})"
    if name in ("shl", "shr"):
        a, b = registers
        kind = "shl" if name == "shl" else "ashr" if mods[-1][0] == "s" else "lshr"
        return (
            f"L.undefined_shift('{kind}', {a.undefined or 0}, {b.name}, {b.undefined or 0}, {bits})"
        )
    if name in ("prmt", "shf", "bfe", "bfi"):
        count = 1 if name == "bfe" else 2
        values, places = registers[:count], registers[count:]
        masks, others = ([r.undefined or 0 for r in group] for group in (values, places))
        return (
            f"L.undefined_moved({at.to.constant(function)}, {bits}, ({', '.join(map(str, masks))},), "
            f"({', '.join(r.name for r in places)},), ({', '.join(map(str, others))},))"
        )
    if name == "selp":
        a, b, p = registers
        chosen = f"L.choose_undefined({p.name}, {a.undefined or 0}, {b.undefined or 0})"
        return f"L.either({chosen}, L.spread({bits}, {p.undefined}))" if p.undefined else chosen
    names = ", ".join(r.undefined for r in registers if r.undefined)
    return f"L.spread({bits}, {names})"
