"""Atomic read-modify-write operations, compare-and-exchange, and fences.

Every operation is at least as strong as its ordering and scope in the IR. No scope is system scope.
NVIDIA's mapping of C++ atomics to PTX (PTX Writer's Guide to Interoperability, "Atomics ABI") is used:

    ordering         atomicrmw and cmpxchg                 fence
    monotonic        atom.relaxed.scope
    acquire          atom.acquire.scope                    fence.acquire.scope
    release          atom.release.scope                    fence.release.scope
    acq_rel          atom.acq_rel.scope                    fence.acq_rel.scope
    seq_cst          fence.sc.scope; atom.acquire.scope    fence.sc.scope

Before sm_90 acquire and release fences are `fence.acq_rel`.
Operations that the target lacks become a loop around `atom.cas` with the same modifiers. Byte
operations use the word that contains the byte. A vector is one access: `atom` updates the elements of
`.f16x2` and `.bf16x2` separately (PTX ISA, "atom"), so it is used only for operations with the attribute
`nvvm.elementwise`. Clang up to version 22 translates CUDA's relaxed
atomic functions to `seq_cst` operations; the pass `relax-cuda-atomics` undoes that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.codegen.rules.addresses import address_register
from nvvm_xdsl.codegen.rules.compare import choose, compare_integers
from nvvm_xdsl.codegen.rules.floats import has_native, narrow, negated, widen
from nvvm_xdsl.codegen.rules.loads_stores import (
    LOCAL_SPACES,
    check_atomic_alignment,
    fence,
    joined_pair,
    load_value,
    scope_of,
    store_value,
)
from nvvm_xdsl.codegen.rules.vectors import repacked
from nvvm_xdsl.codegen.selector import Address, Part, Parts, Selector, selects
from nvvm_xdsl.codegen.shapes import FLOAT, INTEGER, POINTER, VECTOR, Shape, integer_register
from nvvm_xdsl.codegen.vector_elements import elements_of_parts, parts_of_elements
from nvvm_xdsl.codegen.widths import extended_part, resized_part
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.ops import AtomicCmpXchgOp, AtomicRMWOp, FenceOp
from nvvm_xdsl.dialects.llvm.orderings import ACQ_REL, ACQUIRE, ELEMENTWISE, RELEASE, SEQ_CST
from nvvm_xdsl.dialects.llvm.types import integer
from nvvm_xdsl.dialects.nvptx import control_flow as machine
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, B128, F32, F64, PRED, RegisterClass
from nvvm_xdsl.ir.fast import operands_of

OPERATIONS: dict[int, str] = {
    number: name.lstrip("_") for name, number in ENUMS["AtomicBinOp"].items()
}
"""Names of the operations by MLIR's numbers."""

Update = Callable[[Part], Part]
"""Computes the new value from the old one."""


def _order(sel: Selector, op: Operation, *orderings: int) -> str:
    """The modifiers for the strongest of the orderings and the op's scope, with a dot after each.

    Emits the fence of `seq_cst`. The result is empty for the scope of a single thread.
    """
    scope = scope_of(sel, op)
    if not scope:
        return ""
    if SEQ_CST in orderings:
        # The fence makes the operation a release too.
        fence(sel, f"sc.{scope}")
        return f"acquire.{scope}."
    acquires = any(o in (ACQUIRE, ACQ_REL) for o in orderings)
    releases = any(o in (RELEASE, ACQ_REL) for o in orderings)
    if acquires and releases:
        return f"acq_rel.{scope}."
    return f"{'acquire' if acquires else 'release' if releases else 'relaxed'}.{scope}."


def _update_order(sel: Selector, op: Operation) -> str:
    return _order(sel, op, int_property(op, "ordering"))


def _exchange_order(sel: Selector, op: Operation) -> str:
    """`atom.cas` has one ordering for success and failure."""
    return _order(
        sel, op, int_property(op, "success_ordering"), int_property(op, "failure_ordering")
    )


def _space(address: Address) -> str:
    suffix = address.suffix
    return suffix[1:] + "." if suffix else ""


_NATIVE_INTEGER: dict[str, str] = {
    "xchg": "exch.b",
    "add": "add.u",
    "and": "and.b",
    "or": "or.b",
    "xor": "xor.b",
    "max": "max.s",
    "min": "min.s",
    "umax": "max.u",
    "umin": "min.u",
}


def _native(sel: Selector, name: str, shape: Shape, value: Part) -> tuple[str, Part] | None:
    """The `atom` operation and type for an op, and its operand; None if there is none."""
    bits = shape.bits
    if shape.kind == FLOAT:
        return _native_float(sel, name, shape, value)
    if shape.kind not in (INTEGER, POINTER) or bits not in (32, 64):
        return None
    if name == "sub":
        cls = integer_register(bits)
        return f"add.u{bits}", sel.emit1("neg", f"s{bits}", (value,), cls)
    if name in ("uinc_wrap", "udec_wrap") and bits == 32:
        return f"{'inc' if name == 'uinc_wrap' else 'dec'}.u32", value
    word = _NATIVE_INTEGER.get(name)
    return None if word is None else (f"{word}{bits}", value)


def _native_float(sel: Selector, name: str, shape: Shape, value: Part) -> tuple[str, Part] | None:
    width = shape.parts[0].width
    if len(shape.parts) > 1:
        return None
    if name == "xchg" and width in (32, 64):
        return f"exch.b{width}", value
    if name not in ("fadd", "fsub"):
        return None
    ptx = shape.ptx
    if shape.packed:
        ptx += "x2"
    if shape.ptx == "bf16" and sel.target.sm < 90:
        return None
    if name == "fsub":
        # atom.add.f32 flushes subnormals in global memory (PTX ISA, "atom"); a loop does not.
        if ptx == "f32" and not sel.ftz:
            return None
        if shape.packed:
            value = sel.emit1("neg", ptx, (sel.materialise(value, B32),), B32)
        else:
            value = negated(sel, value, shape)
    return f"add.{'noftz.' if '16' in ptx else ''}{ptx}", value


def _combined(
    sel: Selector, op: Operation, name: str, shape: Shape, old: Part, value: Part
) -> Part:
    """The new value computed from the old value, for loops."""
    if name == "xchg":
        return value
    if shape.kind == FLOAT:
        return _combined_float(sel, op, name, shape, old, value)
    bits, width = shape.bits, shape.width
    cls = integer_register(width)
    if name in ("add", "sub"):
        return sel.emit1(name, f"s{width}", (old, value), cls)
    if name in ("and", "or", "xor"):
        return sel.emit1(name, f"b{width}", (old, value), cls)
    if name == "nand":
        both = sel.emit1("and", f"b{width}", (old, value), cls)
        return sel.emit1("not", f"b{width}", (both,), cls)
    signed = name in ("max", "min")
    x = extended_part(sel, old, bits, width, signed=signed)
    y = extended_part(sel, value, bits, width, signed=signed)
    if name in ("max", "min", "umax", "umin"):
        return sel.emit1(name.lstrip("u"), f"{'s' if signed else 'u'}{width}", (x, y), cls)
    if name == "uinc_wrap":
        more = sel.emit1("add", f"s{width}", (x, imm(1)), cls)
        wraps = sel.emit1("setp", f"ge.u{width}", (x, y), PRED)
        return sel.emit1("selp", f"b{width}", (imm(0), more, wraps), cls)
    if name == "udec_wrap":
        less = sel.emit1("sub", f"s{width}", (x, imm(1)), cls)
        # old == 0 or old > value: old - 1, unsigned, is not below value.
        wraps = sel.emit1("setp", f"ge.u{width}", (_wrapped(sel, less, shape), y), PRED)
        return sel.emit1("selp", f"b{width}", (y, less, wraps), cls)
    less = sel.emit1("sub", f"s{width}", (x, y), cls)
    enough = sel.emit1("setp", f"ge.u{width}", (x, y), PRED)
    if name == "usub_cond":
        return sel.emit1("selp", f"b{width}", (less, x, enough), cls)
    if name == "usub_sat":
        return sel.emit1("selp", f"b{width}", (less, imm(0), enough), cls)
    raise sel.error(op, f"atomicrmw {name} of {shape.type} is not supported")


def _wrapped(sel: Selector, value: Part, shape: Shape) -> Part:
    return extended_part(sel, value, shape.bits, shape.width, signed=False)


_FLOAT_OPERATIONS: dict[str, tuple[str, bool]] = {
    "fadd": ("add", False),
    "fsub": ("sub", False),
    "fmax": ("max", False),
    "fmin": ("min", False),
    "fmaximum": ("max", True),
    "fminimum": ("min", True),
}


def _combined_float(
    sel: Selector, op: Operation, name: str, shape: Shape, old: Part, value: Part
) -> Part:
    found = _FLOAT_OPERATIONS.get(name)
    if found is None:
        raise sel.error(op, f"atomicrmw {name} of {shape.type} is not supported")
    word, propagate = found
    if shape.bits == 16 and (not has_native(sel, shape.ptx) or word in ("max", "min")):
        x, y = widen(sel, old, shape.ptx), widen(sel, value, shape.ptx)
        return narrow(sel, _float_operation(sel, word, propagate, "f32", x, y), shape.ptx)
    return _float_operation(sel, word, propagate, shape.ptx, old, value)


def _float_operation(sel: Selector, word: str, propagate: bool, ptx: str, x: Part, y: Part) -> Part:
    cls: RegisterClass = {"f32": F32, "f64": F64}.get(ptx, B16)
    if cls is B16:
        x, y = sel.materialise(x, B16), sel.materialise(y, B16)
    mods = f"rn.{ptx}" if word in ("add", "sub") else ptx
    made: Part = sel.emit1(word, mods, (x, y), cls)
    if propagate:
        unordered = sel.emit1("setp", f"nan.{ptx}", (x, y), PRED)
        total = sel.emit1("add", f"rn.{ptx}", (x, y), cls)
        made = choose(sel, unordered, False, total, made, cls)
    return made


# Loops around compare-and-swap


def _swap_loop(
    sel: Selector, address: Address, shape: Shape, order: str, update: Update
) -> SSAValue:
    """Replaces the value in memory by `update` of it; returns the old value."""
    bits = shape.bits
    register = shape.parts[0]
    carrier = integer_register(bits)

    def moved(value: SSAValue, target: RegisterClass) -> SSAValue:
        return value if register is carrier else sel.emit1("mov", f"b{bits}", (value,), target)

    def replaced(old: SSAValue) -> SSAValue:
        new = update(moved(old, register))
        return moved(sel.materialise(new, register), carrier)

    return moved(_cas_loop(sel, address, bits, order, replaced), register)


def _cas_loop(
    sel: Selector,
    address: Address,
    bits: int,
    order: str,
    replaced: Callable[[SSAValue], SSAValue],
) -> SSAValue:
    """Repeats `atom.cas` until it stores the replacement of the value in memory; returns the old
    value."""
    carrier = integer_register(bits)
    space = _space(address)
    first = sel.emit1("ld", f"volatile.{space}b{bits}", (address,), carrier)
    head = sel.new_block((carrier,))
    done = sel.new_block()
    sel.append(machine.branch(head, (first,)))
    sel.start_block(head)
    old = head.args[0]
    new = replaced(old)
    got = sel.emit1("atom", f"{order}{space}cas.b{bits}", (address, old, new), carrier)
    changed = sel.emit1("setp", f"ne.b{bits}", (got, old), PRED)
    sel.append(machine.conditional_branch(changed, head, done, (got,), ()))
    sel.start_block(done)
    return got


class _Byte:
    """The word that contains a byte in memory, and the position of the byte."""

    def __init__(self, sel: Selector, address: Address) -> None:
        register = address_register(sel, address)
        if register.type is not B64:
            register = sel.emit1("cvt", "u64.u32", (register,), B64)
        base = sel.emit1("and", "b64", (register, imm(-4)), B64)
        low = sel.emit1("cvt", "u32.u64", (register,), B32)
        place = sel.emit1("and", "b32", (low, imm(3)), B32)
        self.word = Address(base, "", 0, address.space, address.root)
        self.shift = sel.emit1("shl", "b32", (place, imm(3)), B32)
        mask = sel.emit1("shl", "b32", (imm(0xFF), self.shift), B32)
        self.others = sel.emit1("not", "b32", (mask,), B32)

    def taken(self, sel: Selector, word: Part) -> SSAValue:
        """Extracts the byte from the word."""
        moved = sel.emit1("shr", "u32", (word, self.shift), B32)
        byte = sel.emit1("cvt", "u16.u32", (moved,), B16)
        return sel.emit1("and", "b16", (byte, imm(0xFF)), B16)

    def put(self, sel: Selector, word: Part, byte: Part) -> SSAValue:
        """The word with the byte replaced."""
        wide = resized_part(sel, byte, 8, 32, signed=False)
        moved = sel.emit1("shl", "b32", (wide, self.shift), B32)
        rest = sel.emit1("and", "b32", (word, self.others), B32)
        return sel.emit1("or", "b32", (rest, moved), B32)


def _byte_loop(sel: Selector, address: Address, order: str, update: Update) -> SSAValue:
    place = _Byte(sel, address)

    def replaced(old: SSAValue) -> SSAValue:
        return place.put(sel, old, update(place.taken(sel, old)))

    return place.taken(sel, _cas_loop(sel, place.word, 32, order, replaced))


# The ops


def _check_alignment(sel: Selector, op: Operation, shape: Shape) -> None:
    """The alignment is that of the type unless it is stated."""
    size = sel.module.layout.store_size(shape.type)
    check_atomic_alignment(sel, op, size, int_property(op, "alignment") or size)


@selects(AtomicRMWOp)
def select_atomicrmw(sel: Selector, op: Operation) -> None:
    """Read-modify-write: `atom` if the target has the operation, otherwise a loop."""
    pointer, operand = operands_of(op)
    result = op.results[0]
    shape = sel.shape(operand)
    name = OPERATIONS.get(int_property(op, "bin_op"), "?")
    address = sel.memory_address(pointer)
    _check_alignment(sel, op, shape)
    if shape.kind == VECTOR:
        sel.define(result, *_vector_update(sel, op, name, shape, address))
        return
    if shape.kind == INTEGER and shape.bits == 128:
        update_wide = _wide_local_update if address.space in LOCAL_SPACES else _wide_update
        sel.define(result, *update_wide(sel, op, name, address))
        return
    if len(shape.parts) != 1 or (shape.kind == INTEGER and shape.bits not in (8, 16, 32, 64)):
        raise sel.error(op, f"atomicrmw of {shape.type} is not supported")
    value = sel.operand(operand)
    if address.space in LOCAL_SPACES:
        # No other thread sees the memory.
        (old,) = load_value(sel, address, shape, shape.bits // 8, address.suffix[1:])
        new = _combined(sel, op, name, shape, old, value)
        store_value(sel, address, (new,), shape, shape.bits // 8, address.suffix[1:])
        sel.define(result, old)
        return
    native = _native(sel, name, shape, value)
    order = _update_order(sel, op)
    if native is not None:
        word, part = native
        register = shape.parts[0]
        if register is B16:
            part = sel.materialise(part, register)
        mods = f"{order}{_space(address)}{word}"
        sel.define(result, sel.emit1("atom", mods, (address, part), register))
        return

    def update(old: Part) -> Part:
        return _combined(sel, op, name, shape, old, value)

    if shape.bits == 8:
        sel.define(result, _byte_loop(sel, address, order, update))
    else:
        sel.define(result, _swap_loop(sel, address, shape, order, update))


def _vector_update(
    sel: Selector, op: Operation, name: str, shape: Shape, address: Address
) -> Parts:
    """A vector: one access for all elements, unless the op is elementwise."""
    operand = sel.parts(operands_of(op)[1])
    values = elements_of_parts(sel, operand, shape)

    def update(old: Parts) -> Parts:
        pairs = zip(elements_of_parts(sel, old, shape), values)
        lanes = [(_combined(sel, op, name, shape.element, x, y),) for (x,), (y,) in pairs]
        return parts_of_elements(sel, lanes, shape)

    if address.space in LOCAL_SPACES:
        size = shape.bits // 8
        old = load_value(sel, address, shape, size, address.suffix[1:])
        store_value(sel, address, update(old), shape, size, address.suffix[1:])
        return old
    if shape.bits not in (16, 32, 64, 128):
        raise sel.error(op, f"atomicrmw of {shape.type} is not supported")
    order = _update_order(sel, op)
    if shape.packed and ELEMENTWISE in op.attributes:
        native = _native_float(sel, name, shape, operand[0])
        if native is not None:
            word, part = native
            mods = f"{order}{_space(address)}{word}"
            return (sel.emit1("atom", mods, (address, sel.materialise(part, B32)), B32),)
    whole = sel.module.shapes.of(integer(shape.bits))

    def replaced(old: Parts) -> Parts:
        return repacked(sel, update(repacked(sel, old, whole, shape)), shape, whole)

    if shape.bits == 128:
        return repacked(sel, _wide_loop(sel, address, order, replaced), whole, shape)

    def replaced_word(old: SSAValue) -> SSAValue:
        (new,) = replaced((old,))
        return sel.materialise(new, whole.parts[0])

    return repacked(sel, (_cas_loop(sel, address, shape.bits, order, replaced_word),), whole, shape)


def _wide_update(sel: Selector, op: Operation, name: str, address: Address) -> Parts:
    """128 bits: `atom.exch`, or a loop around `atom.cas` that computes in 64-bit halves."""
    value = sel.regs(operands_of(op)[1])
    order = _update_order(sel, op)
    if name == "xchg":
        mods = f"{order}{_space(address)}exch.b128"
        old = sel.emit1("atom", mods, (address, joined_pair(sel, value)), B128)
        return sel.emit("mov", "b128", (old,), (B64, B64))

    def replaced(old: Parts) -> Parts:
        low, high = (sel.materialise(half, B64) for half in old)
        return _wide_combined(sel, op, name, (low, high), value)

    return _wide_loop(sel, address, order, replaced)


def _wide_local_update(sel: Selector, op: Operation, name: str, address: Address) -> Parts:
    """128 bits that no other thread sees."""
    value = sel.regs(operands_of(op)[1])
    shape, mods = sel.shape(op.results[0]), address.suffix[1:]
    old = load_value(sel, address, shape, shape.bits // 8, mods)
    halves = [sel.materialise(half, B64) for half in old]
    new = value if name == "xchg" else _wide_combined(sel, op, name, halves, value)
    store_value(sel, address, tuple(new), shape, shape.bits // 8, mods)
    return old


def _wide_loop(
    sel: Selector, address: Address, order: str, replaced: Callable[[Parts], Parts]
) -> Parts:
    """`_cas_loop` for 128 bits, in two halves."""
    # A value read in two halves may be inconsistent: then the first exchange only returns the
    # current value.
    space = _space(address)
    sides = [sel.emit1("ld", f"volatile.{space}b64", (part,), B64) for part in _halves(address)]
    head = sel.new_block((B64, B64))
    done = sel.new_block()
    sel.append(machine.branch(head, tuple(sides)))
    sel.start_block(head)
    low, high = head.args
    new = [sel.materialise(half, B64) for half in replaced((low, high))]
    operands = (address, joined_pair(sel, (low, high)), joined_pair(sel, new))
    got = sel.emit1("atom", f"{order}{space}cas.b128", operands, B128)
    first, second = sel.emit("mov", "b128", (got,), (B64, B64))
    changed = sel.emit1("setp", "ne.b64", (first, low), PRED)
    changed = sel.emit1("setp", "ne.or.b64", (second, high, changed), PRED)
    sel.append(machine.conditional_branch(changed, head, done, (first, second), ()))
    sel.start_block(done)
    return (first, second)


def _halves(address: Address) -> tuple[Address, Address]:
    high = Address(address.base, address.symbol, address.offset + 8, address.space, address.root)
    return address, high


def _wide_combined(
    sel: Selector, op: Operation, name: str, old: Sequence[SSAValue], value: Sequence[SSAValue]
) -> tuple[SSAValue, SSAValue]:
    """The new value of 128 bits, low half first."""
    if name in ("and", "or", "xor", "nand"):
        word = "and" if name == "nand" else name
        low, high = (sel.emit1(word, "b64", pair, B64) for pair in zip(old, value))
        if name == "nand":
            low, high = (sel.emit1("not", "b64", (half,), B64) for half in (low, high))
        return low, high
    if name in ("add", "sub"):
        return _with_carry(sel, name, old, value)
    signed = {"max": "s", "min": "s", "umax": "u", "umin": "u"}.get(name)
    if signed is None:
        raise sel.error(op, f"atomicrmw {name} of i128 is not supported")
    lower = sel.emit1("setp", "lt.u64", (old[0], value[0]), PRED)
    lower = sel.emit1("setp", "eq.and.b64", (old[1], value[1], lower), PRED)
    less = sel.emit1("setp", f"lt.or.{signed}64", (old[1], value[1], lower), PRED)
    first, second = (old, value) if name.endswith("min") else (value, old)
    low, high = (sel.emit1("selp", "b64", (x, y, less), B64) for x, y in zip(first, second))
    return low, high


def _with_carry(
    sel: Selector, name: str, old: Sequence[SSAValue], value: Sequence[SSAValue]
) -> tuple[SSAValue, SSAValue]:
    low = sel.emit1(name, "s64", (old[0], value[0]), B64)
    # A sum wraps if it is less than an addend, a difference if the minuend is less than the subtrahend.
    pair = (low, old[0]) if name == "add" else (old[0], value[0])
    carry = sel.emit1("setp", "lt.u64", pair, PRED)
    one = sel.emit1("selp", "b64", (imm(1), imm(0), carry), B64)
    high = sel.emit1(name, "s64", (old[1], value[1]), B64)
    return low, sel.emit1(name, "s64", (high, one), B64)


@selects(AtomicCmpXchgOp)
def select_cmpxchg(sel: Selector, op: Operation) -> None:
    """Compare and exchange: the old value, and whether it equals the expected one."""
    pointer, expected, new = operands_of(op)
    result = op.results[0]
    shape = sel.shape(expected)
    address = sel.memory_address(pointer)
    _check_alignment(sel, op, shape)
    bits = shape.bits
    if address.space in LOCAL_SPACES:
        _local_exchange(sel, op, address, shape)
        return
    if bits == 128:
        _wide_exchange(sel, op, address)
        return
    if bits not in (8, 16, 32, 64):
        raise sel.error(op, f"cmpxchg of {shape.type} is not supported")
    order = _exchange_order(sel, op)
    if bits == 8:
        _byte_exchange(sel, op, address, order)
        return
    register = shape.parts[0]
    wanted = sel.operand(expected)
    operands = (address, wanted, sel.operand(new))
    old = sel.emit1("atom", f"{order}{_space(address)}cas.b{bits}", operands, register)
    sel.define(result, old, sel.emit1("setp", f"eq.b{bits}", (old, wanted), PRED))


def _local_exchange(sel: Selector, op: Operation, address: Address, shape: Shape) -> None:
    _, expected, new = operands_of(op)
    size = max(shape.bits // 8, 1)
    mods = address.suffix[1:]
    old = load_value(sel, address, shape, size, mods)
    same = compare_integers(sel, "eq", "b", old, sel.parts(expected), shape)
    chosen = [
        choose(sel, same, False, x, y, register)
        for x, y, register in zip(sel.parts(new), old, shape.parts)
    ]
    store_value(sel, address, tuple(chosen), shape, size, mods)
    sel.define(op.results[0], *old, same)


def _wide_exchange(sel: Selector, op: Operation, address: Address) -> None:
    _, expected, new = operands_of(op)
    order = _exchange_order(sel, op)
    wanted = joined_pair(sel, sel.regs(expected))
    value = joined_pair(sel, sel.regs(new))
    mods = f"{order}{_space(address)}cas.b128"
    old = sel.emit1("atom", mods, (address, wanted, value), B128)
    low, high = sel.emit("mov", "b128", (old,), (B64, B64))
    first, second = sel.parts(expected)
    same = sel.emit1("setp", "eq.b64", (low, first), PRED)
    same = sel.emit1("setp", "eq.and.b64", (high, second, same), PRED)
    sel.define(op.results[0], low, high, same)


def _byte_exchange(sel: Selector, op: Operation, address: Address, order: str) -> None:
    """Repeats until the byte differs from the expected one, or the whole word was replaced.

    The first read can end the operation: it is as strong as `atom.cas` on failure.
    """
    _, expected, new = operands_of(op)
    place = _Byte(sel, address)
    word = place.word
    space = _space(word)
    wanted = extended_part(sel, sel.operand(expected), 8, 16, signed=False)
    value = sel.operand(new)
    strength = order.replace("acq_rel", "acquire").replace("release", "relaxed") or "volatile."
    first = sel.emit1("ld", f"{strength}{space}b32", (word,), B32)
    head = sel.new_block((B32,))
    attempt = sel.new_block()
    done = sel.new_block((B16, PRED))
    sel.append(machine.branch(head, (first,)))
    sel.start_block(head)
    old = head.args[0]
    byte = place.taken(sel, old)
    same = sel.emit1("setp", "eq.b16", (byte, wanted), PRED)
    sel.append(machine.conditional_branch(same, attempt, done, (), (byte, same)))
    sel.start_block(attempt)
    replaced = place.put(sel, old, value)
    got = sel.emit1("atom", f"{order}{space}cas.b32", (word, old, replaced), B32)
    won = sel.emit1("setp", "eq.b32", (got, old), PRED)
    sel.append(machine.conditional_branch(won, done, head, (byte, won), (got,)))
    sel.start_block(done)
    sel.define(op.results[0], done.args[0], done.args[1])


@selects(FenceOp)
def select_fence(sel: Selector, op: Operation) -> None:
    """A fence of the stated scope and ordering."""
    scope = scope_of(sel, op)
    if scope:
        fence(sel, f"{_fence_semantics(sel, int_property(op, 'ordering'))}.{scope}")


def _fence_semantics(sel: Selector, ordering: int) -> str:
    if ordering == SEQ_CST:
        return "sc"
    if sel.target.sm >= 90:
        # ptxas emits no MEMBAR for an acquire fence, and no invalidation for a release fence.
        if ordering == ACQUIRE:
            return "acquire"
        if ordering == RELEASE:
            return "release"
    return "acq_rel"
