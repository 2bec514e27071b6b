"""Addresses of pointers, in the form that loads and stores use.

The address of a `getelementptr` is computed at its position, except for constant offsets: these
stay with the address and become part of `[reg+imm]`. Equal variable parts are computed once per
block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    BitcastOp,
    GEPOp,
    IntToPtrOp,
    LLVMPointerType,
    LoadOp,
    MulOp,
    PtrToIntOp,
    SExtOp,
    ShlOp,
    ZExtOp,
)
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.codegen.selector import GENERIC_SYMBOL, Address, Selector, selects
from nvvm_xdsl.codegen.widths import resized
from nvvm_xdsl.dialects.llvm.accessors import global_name
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.ops import (
    AddrSpaceCastOp,
    FreezeOp,
    LaunderInvariantGroupOp,
    StripInvariantGroupOp,
)
from nvvm_xdsl.dialects.nvptx.operands import imm, sym
from nvvm_xdsl.dialects.nvptx.registers import B32, B64, RegisterClass
from nvvm_xdsl.ir.fast import operands_of, producer_of, users_of
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, LOCAL, PARAM, SHARED, SHARED_CLUSTER, STATE_SPACES

FIRST_PARAM_ADDRESS = 77
"""The first PTX version in which a kernel's parameters have generic addresses."""

Finder: TypeAlias = "Callable[[Selector, Operation], Address]"


def find_address(sel: Selector, pointer: SSAValue) -> Address:
    """The address of a pointer without a recorded address."""
    if type(pointer) is OpResult:
        op = producer_of(pointer)
        finder = _FINDERS.get(type(op))
        if finder is not None:
            return finder(sel, op)
    return opaque(sel, pointer)


def opaque(sel: Selector, pointer: SSAValue) -> Address:
    """The address in a pointer with an unknown definition."""
    space = sel.module.pointer_space(pointer.type)
    if space not in STATE_SPACES:
        raise sel.error(None, f"PTX has no state space for address space {space}")
    part = sel.operand(pointer)
    if isinstance(part, tuple):
        part = sel.materialise(part, sel.shape(pointer).parts[0])
    return Address(part, "", 0, space, pointer)


def base_register(sel: Selector, address: Address) -> SSAValue:
    """The address without its constant offset, in a register."""
    if address.base is not None:
        return address.base
    return sel.symbol(address.symbol)


def address_register(sel: Selector, address: Address) -> SSAValue:
    """The address in its own space, in a register."""
    if address.base is None:
        return sel.symbol(address.symbol, address.offset)
    if not address.offset:
        return address.base
    bits = 64 if address.base.type is B64 else 32
    return sel.emit1(
        "add", f"s{bits}", (address.base, imm(address.offset)), _pointer_class(address.base)
    )


def _pointer_class(register: SSAValue) -> RegisterClass:
    return B64 if register.type is B64 else B32


def pointer_register(sel: Selector, address: Address, space: int) -> SSAValue:
    """The address as a pointer into `space`: itself, or converted to a generic address."""
    if space == GENERIC and address.base is not None:
        generic = sel.generic_of(address.base)
        if generic is not None:
            return address_register(sel, Address(generic, "", address.offset, GENERIC))
    register = address_register(sel, address)
    if address.space == space:
        return register
    if space == GENERIC:
        return to_generic(sel, register, address.space)
    return from_generic(sel, to_generic(sel, register, address.space), space)


def to_generic(sel: Selector, register: SSAValue, space: int) -> SSAValue:
    """The generic address of an address in a space."""
    if space == GENERIC:
        return register
    name = STATE_SPACES.get(space)
    if name is None:
        raise sel.error(None, f"address space {space} has no generic addresses")
    if space == PARAM:
        sel.module.require_ptx(FIRST_PARAM_ADDRESS)
    if register.type is not B64:
        register = sel.emit1("cvt", "u64.u32", (register,), B64)
    return sel.emit1("cvta", f"{name}.u64", (register,), B64)


def from_generic(sel: Selector, register: SSAValue, space: int, bits: int = 64) -> SSAValue:
    """The address in a space of a generic address that points there."""
    if space == GENERIC:
        return register
    name = STATE_SPACES.get(space)
    if name is None:
        raise sel.error(None, f"address space {space} has no generic addresses")
    made = sel.emit1("cvta", f"to.{name}.u64", (register,), B64)
    if bits == 32:
        made = sel.emit1("cvt", "u32.u64", (made,), B32)
    return made


# Sources of pointers


def _address_of(sel: Selector, op: Operation) -> Address:
    symbol = global_name(op)
    name, space = sel.module.symbol(symbol, op)
    return Address(None, name, 0, space, op.results[0])


def _address_of_operand(sel: Selector, op: Operation) -> Address:
    (source,) = operands_of(op)
    if not isinstance(source.type, LLVMPointerType):
        return opaque(sel, op.results[0])
    return sel.memory_address(source)


def _addrspacecast(sel: Selector, op: Operation) -> Address:
    (source,) = operands_of(op)
    if not isinstance(source.type, LLVMPointerType):
        return opaque(sel, op.results[0])
    target = sel.module.pointer_space(op.results[0].type)
    found = sel.memory_address(source)
    if target == GENERIC or found.space == target:
        # The pointer is generic; its memory stays where it was.
        return found
    if target == LOCAL and found.space == PARAM and not sel.is_kernel:
        # A by-value argument of a device function is in local memory, and is read in place.
        return found
    if sel.constant(source) == 0:
        return opaque(sel, op.results[0])
    bits = sel.shape(op.results[0]).bits
    if found.space == GENERIC:
        register = from_generic(sel, base_register(sel, found), target, bits)
        return Address(register, "", found.offset, target, found.root)
    if found.space == SHARED and target == SHARED_CLUSTER:
        # The shared window of a block is part of its cluster's.
        return Address(found.base, found.symbol, found.offset, target, found.root)
    generic = to_generic(sel, address_register(sel, found), found.space)
    return Address(from_generic(sel, generic, target, bits), "", 0, target, found.root)


def _inttoptr(sel: Selector, op: Operation) -> Address:
    result = op.results[0]
    (source,) = operands_of(op)
    if sel.shape(source).bits == sel.shape(result).bits == 64:
        found = _integer_address(sel, source, sel.module.pointer_space(result.type))
        if found is not None:
            return found
        inner = producer_of(source) if type(source) is OpResult else op
        if type(inner) is AddOp:
            base, offset = operands_of(inner)
            number = sel.constant(offset)
            if number is not None and _fits(number):
                space = sel.module.pointer_space(result.type)
                return Address(sel.reg(base), "", number, space, result)
    return opaque(sel, result)


def is_launched_with(sel: Selector, number: SSAValue) -> bool:
    """True if an integer is a kernel's parameter, or part of one, and only becomes pointers.

    It is assumed to be an address from the host, as in LLVM's lowering of arguments.
    """
    if not sel.is_kernel or any(type(user) is not IntToPtrOp for user in users_of(number)):
        return False
    if isinstance(number, BlockArgument):
        return number.block is sel.entry
    op = producer_of(number)
    return type(op) is LoadOp and sel.memory_address(operands_of(op)[0]).space == PARAM


MOST_SUMMANDS = 8
"""Maximum depth of sums that are searched for a pointer."""


def is_pointer_sum(value: SSAValue, depth: int = MOST_SUMMANDS) -> bool:
    """Returns True if an integer is converted from a pointer, or is a sum with such an integer."""
    if type(value) is not OpResult or not depth:
        return False
    op = producer_of(value)
    if type(op) is PtrToIntOp:
        return isinstance(operands_of(op)[0].type, LLVMPointerType)
    return type(op) is AddOp and any(is_pointer_sum(v, depth - 1) for v in operands_of(op))


def _integer_address(
    sel: Selector, value: SSAValue, space: int, depth: int = MOST_SUMMANDS
) -> Address | None:
    """The address that an integer represents, if exactly one pointer is part of the sum.

    The address is assumed to be in the known space of the pointer: additions do not change the
    address space (the documented `track-int2ptr` of memory-space-opt).
    """
    if not is_pointer_sum(value, depth):
        return None
    op = producer_of(value)
    if type(op) is PtrToIntOp:
        (pointer,) = operands_of(op)
        if sel.shape(value).bits != 64 or sel.module.pointer_space(pointer.type) != space:
            return None
        found = sel.memory_address(pointer)
        return found if found.base is None or found.base.type is B64 else None
    for summand, other in (operands_of(op), reversed(operands_of(op))):
        if is_pointer_sum(other, depth - 1):
            continue
        found = _integer_address(sel, summand, space, depth - 1)
        if found is None:
            continue
        number = sel.constant(other)
        if number is not None and _fits(found.offset + number):
            return found.plus(number)
        base = sum_with_product(sel, base_register(sel, found), other)
        return Address(base, "", found.offset, found.space, found.root)
    return None


def sum_with_product(sel: Selector, base: SSAValue, value: SSAValue) -> SSAValue:
    """base + value; a product that is deferred for a sum is merged with it."""
    if type(value) is OpResult and not sel.is_defined(value):
        op = producer_of(value)
        if type(op) is MulOp:
            a, b = operands_of(op)
            number = sel.constant(b)
            if number is None or number <= 0 or number & (number - 1):
                return sel.emit1("mad", "lo.s64", (sel.operand(a), sel.operand(b), base), B64)
    return sel.emit1("add", "s64", (base, sel.operand(value)), B64)


def find_integer_address(sel: Selector, op: Operation) -> bool:
    """Computes the address at the op's position if its base is a known pointer."""
    result = op.results[0]
    if isinstance(result.type, VectorType) or not is_pointer_sum(operands_of(op)[0]):
        return False
    sel.memory_address(result)
    return True


def gep_address(sel: Selector, op: Operation) -> Address:
    """The address of a `getelementptr`, with its variable part computed."""
    operands = operands_of(op)
    address = sel.memory_address(operands[0])
    found = gep_offset(op, sel.module.layout)
    if found is None:
        raise sel.error(op, "the indices do not lead through the type, or are not constant")
    offset = found.constant
    terms = [(value, scale) for value, scale in found.terms if scale]
    if not terms:
        return (
            address.plus(offset) if _fits(address.offset + offset) else _far(sel, address, offset)
        )
    base = base_register(sel, address)
    for value, scale in terms:
        add_term = _add_term if base.type is B64 else _add_term_32
        base, extra = add_term(sel, base, value, scale)
        offset += extra
    moved = Address(base, "", address.offset, address.space, address.root)
    if not _fits(moved.offset + offset):
        return _far(sel, moved, offset)
    return moved.plus(offset)


def _fits(offset: int) -> bool:
    return -(2**31) <= offset < 2**31


def _far(sel: Selector, address: Address, offset: int) -> Address:
    base = base_register(sel, address)
    total = address.offset + offset
    register = _pointer_class(base)
    bits = 64 if register is B64 else 32
    total = (total + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
    moved = sel.emit1("add", f"s{bits}", (base, imm(total)), register)
    return Address(moved, "", 0, address.space, address.root)


def _strip_extension(value: SSAValue, sel: Selector) -> tuple[SSAValue, str] | None:
    """The i32 that a 64-bit index is extended from, and the extension: `s` or `u`."""
    if type(value) is not OpResult or sel.is_defined(value):
        return None
    op = producer_of(value)
    cls = type(op)
    if cls is not SExtOp and cls is not ZExtOp:
        return None
    (source,) = operands_of(op)
    if sel.shape(source).bits != 32:
        return None
    signed = cls is SExtOp
    return source, "s" if signed else "u"


def _split_sum(sel: Selector, value: SSAValue, need: int) -> tuple[SSAValue, int]:
    """A value as another one plus a constant, if the sum has the no-wrap flag `need` (0: any)."""
    total = 0
    while type(value) is OpResult:
        op = producer_of(value)
        if type(op) is not AddOp or (need and not overflow_flags(op) & need):
            break
        left, right = operands_of(op)
        number = sel.constant(right)
        if number is None or not -(2**24) < total + number < 2**24:
            break
        total += number
        value = left
        if need:
            # A no-wrap flag of each step does not hold for several steps.
            break
    return value, total


def points_to_global(sel: Selector, pointer: SSAValue) -> None:
    """Records that a generic pointer points to global memory; it is converted here if necessary."""

    def convert() -> Address:
        generic = sel.reg(pointer)
        register = from_generic(sel, generic, GLOBAL)
        sel.note_generic(register, generic)
        return Address(register, "", 0, GLOBAL, pointer)

    sel.defer_address(pointer, convert)


def _add_term(sel: Selector, base: SSAValue, value: SSAValue, scale: int) -> tuple[SSAValue, int]:
    """base + value * scale for 64-bit pointers, and the remaining constant."""
    bits = sel.shape(value).bits
    source: tuple[SSAValue, str] | None = (value, "s") if bits == 32 else None
    offset = 0
    if bits == 64:
        source = _strip_extension(value, sel)
        if source is None:
            value, offset = _split_sum(sel, value, 0)
            if offset:
                source = _strip_extension(value, sel)
    if source is not None:
        narrow, sign = source
        flag = NSW if sign == "s" else NUW
        narrow, inner = _split_sum(sel, narrow, flag)
        if sign == "u" and inner < 0:
            narrow, inner = source[0], 0
        offset = (offset + inner) * scale
        register = sel.reg(narrow)
        key = (base, register, scale, sign)
        found = sel.in_block_of_use(key)
        if found is not None:
            return found, offset
        if scale < 2**31 and scale != 1:
            made = sel.emit1("add", "s64", (base, _wide_product(sel, register, scale, sign)), B64)
        else:
            extended = sel.emit1("cvt", f"{sign}64.{sign}32", (register,), B64)
            made = _scaled_sum(sel, base, extended, scale)
        return sel.remember(key, made), offset
    if bits != 64:
        index = sel.materialise(resized(sel, value, 64, signed=True), B64)
    else:
        index = sel.reg(value)
        shifted = _strip_shift(sel, value)
        if shifted is not None:
            value, scale = shifted[0], scale << shifted[1]
            index = sel.reg(value)
    key = (base, index, scale, "")
    found = sel.in_block_of_use(key)
    if found is None:
        found = sel.remember(key, _scaled_sum(sel, base, index, scale))
    return found, offset * scale


def _wide_product(sel: Selector, register: SSAValue, scale: int, sign: str) -> SSAValue:
    """A 32-bit index times the size of an element, in 64 bits, computed once per block.

    Not `mad.wide`: ptxas makes one IMAD.WIDE of `mul.wide` and `add`, but four instructions
    of a `mad.wide` whose addend is a parameter.
    """
    key = (register, scale, sign)
    found = sel.in_block_of_use(key)
    if found is None:
        found = sel.emit1("mul", f"wide.{sign}32", (register, imm(scale)), B64)
        sel.remember(key, found)
    return found


def _strip_shift(sel: Selector, value: SSAValue) -> tuple[SSAValue, int] | None:
    if type(value) is not OpResult or sel.is_defined(value):
        return None
    op = producer_of(value)
    if type(op) is not ShlOp:
        return None
    left, right = operands_of(op)
    number = sel.constant(right)
    return (left, number) if number is not None and 0 <= number < 32 else None


def _scaled_sum(sel: Selector, base: SSAValue, index: SSAValue, scale: int) -> SSAValue:
    if scale == 1:
        return sel.emit1("add", "s64", (base, index), B64)
    if scale & (scale - 1) == 0:
        product = sel.emit1("shl", "b64", (index, imm(scale.bit_length() - 1)), B64)
        return sel.emit1("add", "s64", (base, product), B64)
    return sel.emit1("mad", "lo.s64", (index, imm(scale), base), B64)


def _add_term_32(
    sel: Selector, base: SSAValue, value: SSAValue, scale: int
) -> tuple[SSAValue, int]:
    """base + value * scale for 32-bit pointers."""
    index = sel.materialise(resized(sel, value, 32, signed=True), B32)
    if scale == 1:
        return sel.emit1("add", "s32", (base, index), B32), 0
    return sel.emit1("mad", "lo.s32", (index, imm(scale), base), B32), 0


_FINDERS: dict[type[Operation], Finder] = {
    AddressOfOp: _address_of,
    GEPOp: gep_address,
    BitcastOp: _address_of_operand,
    FreezeOp: _address_of_operand,
    LaunderInvariantGroupOp: _address_of_operand,
    StripInvariantGroupOp: _address_of_operand,
    AddrSpaceCastOp: _addrspacecast,
    IntToPtrOp: _inttoptr,
}


def _pointer_value(sel: Selector, op: Operation) -> None:
    """Records the address of a pointer."""
    result = op.results[0]
    address = sel.memory_address(result)
    space = sel.module.pointer_space(result.type)
    if address.base is None:
        # Symbols are not kept in registers: each use computes the address again.
        if address.space == space:
            sel.define(result, sym(address.symbol, address.offset))
            return
        if space == GENERIC:
            slot = (GENERIC_SYMBOL, address.symbol, address.offset, address.space)
            sel.define(result, slot)
            return
    sel.define(result, pointer_register(sel, address, space))


def find_now(sel: Selector, op: Operation) -> bool:
    """Computes the address at the op; the pointer itself only if it is needed."""
    result = op.results[0]
    if isinstance(result.type, VectorType):
        return False
    if type(op) is not AddrSpaceCastOp or sel.constant(operands_of(op)[0]) != 0:
        sel.memory_address(result)
    return True


@selects(GEPOp, AddressOfOp, deferred=find_now)
def select_gep(sel: Selector, op: Operation) -> None:
    """Pointer arithmetic and symbols: an address, materialized in a register on demand."""
    _pointer_value(sel, op)


@selects(AddrSpaceCastOp, deferred=find_now)
def select_addrspacecast(sel: Selector, op: Operation) -> None:
    """Conversion of a pointer to another space.

    A null pointer of generic or global space is 0 in every space. One of another space is that
    space's address 0, whose generic address is not null (docs/deviations.md, "Address spaces").
    """
    (source,) = operands_of(op)
    if sel.module.pointer_space(source.type) in (GENERIC, GLOBAL) and sel.constant(source) == 0:
        sel.define(op.results[0], imm(0))
        return
    _pointer_value(sel, op)
