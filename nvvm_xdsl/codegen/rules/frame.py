"""Local variables: each alloca of known size is an array in the thread's local memory."""

from __future__ import annotations

from xdsl.dialects.llvm import AllocaOp, StackRestoreOp, StackSaveOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.codegen.limits import check_variable
from nvvm_xdsl.codegen.rules.addresses import to_generic
from nvvm_xdsl.codegen.selector import GENERIC_SYMBOL, Address, Selector, selects, selects_intrinsic
from nvvm_xdsl.codegen.widths import resized
from nvvm_xdsl.dialects.llvm.accessors import element_type_of, int_property
from nvvm_xdsl.dialects.llvm.types import pointer
from nvvm_xdsl.dialects.nvptx.functions import local_variable
from nvvm_xdsl.dialects.nvptx.operands import imm, sym
from nvvm_xdsl.dialects.nvptx.registers import B32, B64
from nvvm_xdsl.ir.fast import operands_of
from nvvm_xdsl.ir.nvptx import GENERIC, LOCAL


def local_array(sel: Selector, size: int, alignment: int) -> str:
    """A new array of bytes in local memory; returns its name."""
    name = sel.module.local_name(sel.locals)
    sel.locals += 1
    if sel.shape_of(pointer(LOCAL)).parts[0] is B32:
        sel.module.narrow_symbols.add(name)
    sel.append_entry(local_variable(name, max(size, 1), max(alignment, 1)))
    if sel.module.layout.pointer_bits(LOCAL) == 32:
        sel.module.narrow_symbols.add(name)
    return name


def _own_width(sel: Selector, address: SSAValue) -> SSAValue:
    """A 64-bit address in local memory, in the width of the module's local pointers."""
    if sel.module.layout.pointer_bits(LOCAL) == 32:
        return sel.emit1("cvt", "u32.u64", (address,), B32)
    return address


@selects(AllocaOp, pure=True)
def select_alloca(sel: Selector, op: Operation) -> None:
    """Memory of the thread: an array if the size is known, otherwise `alloca`."""
    (count,) = operands_of(op)
    result = op.results[0]
    layout = sel.module.layout
    type_ = element_type_of(op)
    element = layout.size(type_)
    alignment = int_property(op, "alignment") or layout.alignment(type_)
    space = sel.module.pointer_space(result.type)
    if space not in (GENERIC, LOCAL):
        raise sel.error(op, f"an alloca in address space {space} is not supported")
    number = sel.constant(count)
    if number is not None:
        number &= (1 << sel.shape(count).bits) - 1
    check_variable(op, "local", (number or 0) * element, alignment)
    if number is not None and sel.in_entry(op):
        name = local_array(sel, number * element, alignment)
        sel.set_address(result, Address(None, name, 0, LOCAL, result))
        if space == LOCAL:
            sel.define(result, sym(name))
        else:
            sel.define(result, (GENERIC_SYMBOL, name, 0, LOCAL))
        return
    if number is not None:
        size = imm(number * element)
        amount = sel.materialise(size, B64)
    else:
        amount = sel.materialise(resized(sel, count, 64, signed=False), B64)
        if element != 1:
            amount = sel.emit1("mul", "lo.s64", (amount, imm(element)), B64)
    made = _own_width(sel, sel.emit1("alloca", "u64", (amount, imm(alignment)), B64))
    sel.set_address(result, Address(made, "", 0, LOCAL, result))
    sel.define(result, made if space == LOCAL else to_generic(sel, made, LOCAL))


@selects(StackSaveOp)
def select_stacksave(sel: Selector, op: Operation) -> None:
    """The stack pointer, as a local address."""
    result = op.results[0]
    made = _own_width(sel, sel.emit1("stacksave", "u64", (), B64))
    sel.set_address(result, Address(made, "", 0, LOCAL, result))
    space = sel.module.pointer_space(result.type)
    sel.define(result, made if space == LOCAL else to_generic(sel, made, LOCAL))


@selects_intrinsic("llvm.stackaddress")
def select_stackaddress(sel: Selector, op: Operation, name: str) -> None:
    """The end of the frame: the address of the next `alloca`, which is the stack pointer."""
    select_stacksave(sel, op)


@selects(StackRestoreOp)
def select_stackrestore(sel: Selector, op: Operation) -> None:
    """Restores the stack pointer to a result of `stacksave`."""
    address = sel.memory_address(operands_of(op)[0])
    register = address.base
    if register is None or address.space != LOCAL:
        generic = sel.reg(operands_of(op)[0])
        register = sel.emit1("cvta", "to.local.u64", (generic,), B64)
    elif register.type is not B64:
        register = sel.emit1("cvt", "u64.u32", (register,), B64)
    sel.emit("stackrestore", "u64", (register,))
