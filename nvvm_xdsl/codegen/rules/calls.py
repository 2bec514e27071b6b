"""Calls of functions: direct, indirect and with variable arguments.

Variable arguments are stored consecutively in a buffer in the caller's local memory, each with the
alignment of its type. The buffer's generic address is an additional argument. clang's `va_arg` code
for NVPTX and `vprintf` use this convention.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.dialects.llvm import CallIntrinsicOp, CallOp, InlineAsmOp, LLVMFunctionType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.intrinsics.nvvm_ops import mbarrier_wait_loop
from nvvm_xdsl.codegen.module_context import is_undefined
from nvvm_xdsl.codegen.rules.abi import Passed, chunk_shape, passed, passed_by_value, return_passed
from nvvm_xdsl.codegen.rules.frame import local_array
from nvvm_xdsl.codegen.rules.inline_asm import select_inline_asm
from nvvm_xdsl.codegen.rules.loads_stores import load_value, store_value
from nvvm_xdsl.codegen.rules.nvvm import nvvm_intrinsic
from nvvm_xdsl.codegen.rules.vectors import Bits, as_register, joined, restored, take
from nvvm_xdsl.codegen.selector import (
    GENERIC_SYMBOL,
    INTRINSICS,
    Address,
    Part,
    Parts,
    Selector,
    immediate_value,
    selects,
)
from nvvm_xdsl.codegen.shapes import INTEGER, Shape
from nvvm_xdsl.codegen.widths import boolean, resized_part
from nvvm_xdsl.dialects.effects import NODUPLICATE, is_noduplicate
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    function_type_of,
    intrinsic_name,
    segment_sizes,
    variadic_type_of,
)
from nvvm_xdsl.dialects.llvm.function_attributes import by_value_type_in
from nvvm_xdsl.dialects.llvm.ops import VaArgOp, VaCopyOp, VaEndOp, VaStartOp
from nvvm_xdsl.dialects.llvm.types import UNIT, VOID
from nvvm_xdsl.dialects.nvptx.calls import call, inline_asm
from nvvm_xdsl.dialects.nvptx.functions import ParamAttr, PieceAttr, param, piece
from nvvm_xdsl.dialects.nvptx.operands import REG, Slot, imm, layout
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, PRED, RegisterClass, register_class
from nvvm_xdsl.dialects.nvvm.ops import MBarrierTryWaitParityOp
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.fast import operands_of
from nvvm_xdsl.ir.nvptx import GENERIC, LOCAL


class _Call:
    """The parameters of one call."""

    def __init__(self) -> None:
        self.values: list[tuple[Part, RegisterClass]] = []
        self.params: list[ParamAttr] = []
        self.stores: list[PieceAttr] = []
        self.is_noduplicate = False

    def scalar(self, part: Part, register: RegisterClass, type_: str) -> None:
        """Adds a parameter in one register."""
        self.stores.append(piece(len(self.params), 0, type_))
        self.values.append((part, register))
        self.params.append(param(type_))

    def array(self, sel: Selector, parts: Parts, passing: Passed) -> None:
        """Adds a parameter that is passed as a byte array."""
        index = len(self.params)
        shape = sel.module.shapes.stored(passing.shape)
        parts = restored(sel, parts, passing.shape, shape)
        for offset, type_, part, register in _array_pieces(sel, parts, shape, passing.alignment):
            self.stores.append(piece(index, offset, type_))
            self.values.append((part, register))
        self.params.append(passing.declaration())


def _array_pieces(
    sel: Selector, parts: Parts, shape: Shape, alignment: int
) -> list[tuple[int, str, Part, RegisterClass]]:
    """The stores of a value to a byte array: offset, type, value."""
    found: list[tuple[int, str, Part, RegisterClass]] = []
    pools: dict[int, list[Bits]] = {}
    pieces = sel.module.shapes.pieces(shape)
    for at in pieces:
        if is_undefined(parts[at.part]):
            continue
        pool = pools.get(at.part)
        register = shape.parts[at.part]
        if pool is None:
            part = parts[at.part]
            size = register.width
            if register is PRED:
                part = resized_part(sel, part, 1, 16, signed=False)
                register, size = B16, 8
            elif size == 16 or shape.parts[at.part].width == size:
                size = 8 * sum(p.size for p in pieces if p.part == at.part)
            pool = pools[at.part] = [Bits(part, size, register)]
        elif register is PRED:
            register = B16
        step = at.size
        while step > 1 and (at.offset % step or alignment % step):
            step //= 2
        for offset in range(at.offset, at.offset + at.size, step):
            if (
                len(pool) == 1
                and pool[0].size == 8 * step
                and immediate_value(pool[0].part) is None
            ):
                whole = pool.pop()
                value, cls = whole.part, whole.register
            else:
                cls = B16 if step <= 2 else B32 if step == 4 else B64
                value = take(sel, pool, 8 * step, cls)
            type_ = "b8" if step == 1 else f"b{8 * step}"
            found.append((offset, type_, value, cls))
    return found


def _argument(sel: Selector, made: _Call, value: SSAValue, attrs: dict[str, Any]) -> None:
    pointee = by_value_type_in(attrs)
    if pointee is not None:
        passing = passed_by_value(sel.module, pointee, attrs)
        source = sel.memory_address(value)
        shape = chunk_shape(sel, passing.size, passing.alignment)
        parts = load_value(sel, source, shape, passing.alignment, source.suffix[1:])
        chunk = Passed(shape, passing.size, passing.alignment, True)
        made.array(sel, parts, chunk)
        return
    passing = passed(sel.module, value.type, kernel=False)
    parts = sel.parts(value)
    if passing.is_array:
        made.array(sel, parts, passing)
        return
    shape = passing.shape
    if shape.kind == INTEGER and passing.size == 4:
        signed = "llvm.signext" in attrs
        part = resized_part(sel, parts[0], shape.bits, 32, signed=signed)
        made.scalar(part, B32, "b32")
        return
    made.scalar(parts[0], shape.parts[0], f"b{8 * passing.size}")


def emit_call(
    sel: Selector, callee: str | None, target: SSAValue | None, made: _Call, result_type: Attribute
) -> Parts:
    """Emits a call, of a symbol or of an address in a register, and returns its result."""
    operands: list[SSAValue] = []
    slots: list[Slot] = []
    if target is not None:
        operands.append(target)
        slots.append(REG)
    for part, register in made.values:
        if isinstance(part, tuple) and immediate_value(part) is not None and register is not PRED:
            slots.append(part)
        else:
            operands.append(sel.materialise(part, register))
            slots.append(REG)
    passing = return_passed(sel.module, result_type)
    loads: list[PieceAttr] = []
    classes: list[RegisterClass] = []
    ret: ParamAttr | None = None
    if passing is not None:
        ret = passing.declaration()
        if passing.is_array:
            for at in sel.module.shapes.pieces(sel.module.shapes.stored(passing.shape)):
                size = at.size
                while size > 1 and (at.offset % size or passing.alignment % size):
                    size //= 2
                for offset in range(at.offset, at.offset + at.size, size):
                    whole = size == at.size and at.register.width == 8 * size
                    cls = at.register if whole else B16 if size <= 2 else B32 if size == 4 else B64
                    loads.append(piece(0, offset, "b8" if size == 1 else f"b{8 * size}"))
                    classes.append(cls)
        else:
            loads.append(piece(0, 0, f"b{8 * passing.size}"))
            classes.append(
                B32
                if passing.size == 4 and passing.shape.kind == INTEGER
                else passing.shape.parts[0]
            )
    op = call(
        callee,
        operands,
        made.params,
        made.stores,
        ret,
        loads,
        classes,
        layout=None if all(s is REG for s in slots) else layout(*slots),
        location=sel.location,
    )
    if made.is_noduplicate:
        op.attributes[NODUPLICATE] = UNIT
    sel.append(op)
    if passing is None:
        return ()
    return _result_parts(sel, op.results, loads, passing)


def _result_parts(
    sel: Selector, results: Sequence[SSAValue], loads: Sequence[PieceAttr], passing: Passed
) -> Parts:
    shape = passing.shape
    if not passing.is_array:
        register = results[0]
        if shape.kind != INTEGER or shape.width == register.type.width:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
            return (register,)
        if shape.bits == 1:
            low = sel.emit1("and", "b32", (register, imm(1)), B32)
            return (sel.emit1("setp", "ne.b32", (low, imm(0)), PRED),)
        return (sel.emit1("cvt", "u16.u32", (register,), B16),)
    shape = sel.module.shapes.stored(shape)
    bits: list[list[Bits]] = [[] for _ in shape.parts]
    pieces = iter(zip(results, loads))
    for at in sel.module.shapes.pieces(shape):
        end = at.offset + at.size
        offset = at.offset
        while offset < end:
            register, load = next(pieces)
            size = int(load.type_[1:])
            if size == 8:
                sel.known_bits[register] = (False, 8)
            bits[at.part].append(Bits(register, size, register_class(register)))
            offset += size // 8
    parts: list[Part] = []
    for pool, register in zip(bits, shape.parts):
        whole = pool[0] if len(pool) == 1 else joined(sel, pool, sum(b.size for b in pool))
        if register is PRED:
            parts.append(boolean(sel, whole.part, 8))
        elif whole.register.width == register.width:
            parts.append(as_register(sel, whole, register))
        else:
            parts.append(take(sel, [whole], whole.size, register))
    return restored(sel, tuple(parts), shape, passing.shape)


# Variable arguments


def variable_arguments(sel: Selector, values: Sequence[SSAValue]) -> Part:
    """Stores arguments to a buffer in local memory; returns its generic address."""
    if not values:
        return imm(0)
    data = sel.module.layout
    offset = 0
    most = 1
    places: list[tuple[SSAValue, int, int]] = []
    for value in values:
        alignment = data.alignment(value.type)
        most = max(most, alignment)
        offset = (offset + alignment - 1) // alignment * alignment
        places.append((value, offset, alignment))
        offset += data.size(value.type)
    name = local_array(sel, offset, max(most, 8))
    buffer = Address(None, name, 0, LOCAL)
    for value, at, alignment in places:
        parts = sel.parts(value)
        store_value(sel, buffer.plus(at), parts, sel.shape(value), alignment, "local")
    return (GENERIC_SYMBOL, name, 0, LOCAL)


@selects(VaStartOp)
def select_va_start(sel: Selector, op: Operation) -> None:
    """Stores the pointer to the variable arguments."""
    if sel.variadic is None:
        raise sel.error(op, "va_start in a function without variable arguments")
    place = sel.memory_address(operands_of(op)[0])
    sel.emit("st", f"{place.suffix[1:]}.b64".lstrip("."), (place, sel.variadic))


@selects(VaCopyOp)
def select_va_copy(sel: Selector, op: Operation) -> None:
    """Copies a `va_list`, which is one pointer."""
    target, source = (sel.memory_address(v) for v in operands_of(op))
    value = sel.emit1("ld", f"{source.suffix[1:]}.b64".lstrip("."), (source,), B64)
    sel.emit("st", f"{target.suffix[1:]}.b64".lstrip("."), (target, value))


@selects(VaEndOp)
def select_va_end(sel: Selector, op: Operation) -> None:
    """Emits nothing: the buffer belongs to the caller."""


@selects(VaArgOp)
def select_va_arg(sel: Selector, op: Operation) -> None:
    """The next variable argument."""
    place = sel.memory_address(operands_of(op)[0])
    result = op.results[0]
    shape = sel.shape(result)
    alignment = sel.module.layout.alignment(result.type)
    word = f"{place.suffix[1:]}.b64".lstrip(".")
    at = sel.emit1("ld", word, (place,), B64)
    if alignment > 1:
        up = sel.emit1("add", "s64", (at, imm(alignment - 1)), B64)
        at = sel.emit1("and", "b64", (up, imm(-alignment)), B64)
    value = load_value(sel, Address(at, "", 0, GENERIC), shape, alignment, "")
    after = sel.emit1("add", "s64", (at, imm(sel.module.layout.size(result.type))), B64)
    sel.emit("st", word, (place, after))
    sel.define(result, *value)


# The ops


def _call_attributes(op: Operation) -> list[dict[str, Any]]:
    listed = op.properties.get("arg_attrs", op.attributes.get("arg_attrs"))
    return [
        cast("dict[str, Any]", entry.data) if isinstance(entry, DictionaryAttr) else {}
        for entry in items_of(listed)
    ]


@selects(CallOp)
def select_call(sel: Selector, op: Operation) -> None:
    """A call with arguments by the `.param` convention."""
    count = segment_sizes(op)[0]
    arguments = list(operands_of(op)[:count])
    symbol = callee_of(op)
    name: str | None = None
    target: SSAValue | None = None
    declared: LLVMFunctionType | None = None
    declaration: Operation | None = None
    if symbol is not None:
        declaration = sel.module.resolve(symbol)
        if declaration is None or declaration.name != "llvm.func":
            raise sel.error(op, f"there is no function '{symbol}'")
        if sel.module.is_kernel(declaration):
            raise sel.error(op, f"the kernel '{symbol}' is called like a function")
        name = sel.module.symbol(symbol, op)[0]
        declared = function_type_of(declaration)
    else:
        pointer = arguments.pop(0)
        target = sel.reg(pointer)
        sel.module.has_indirect_calls = True
    declared = variadic_type_of(op) or declared
    attrs = _call_attributes(op)
    fixed = len(arguments)
    variadic = declared is not None and declared.is_variadic
    if variadic and declared is not None:
        fixed = len(declared.inputs.data)
    made = _Call()
    made.is_noduplicate = is_noduplicate(op)
    listed = _declared_attributes(declaration)
    for index, value in enumerate(arguments[:fixed]):
        given = attrs[index] if index < len(attrs) else {}
        if index < len(listed) and listed[index]:
            given = {**listed[index], **given}
        _argument(sel, made, value, given)
    if variadic:
        made.scalar(variable_arguments(sel, arguments[fixed:]), B64, "b64")
    results = op.results
    result_type = results[0].type if results else VOID
    parts = emit_call(sel, name, target, made, result_type)
    if results:
        sel.define(results[0], *parts)


def _declared_attributes(declaration: Operation | None) -> list[dict[str, Any]]:
    """Argument attributes that the callee's declaration states, byval among them."""
    return [] if declaration is None else _call_attributes(declaration)


@selects(CallIntrinsicOp)
def select_call_intrinsic(sel: Selector, op: Operation) -> None:
    """The call of an intrinsic without an op."""
    name = intrinsic_name(op)
    rule = INTRINSICS.get(name)
    if rule is None and name.startswith("llvm."):
        # Overloaded intrinsics have their types as suffixes.
        stem = name
        while rule is None and "." in stem[len("llvm.") :]:
            stem = stem[: stem.rindex(".")]
            rule = INTRINSICS.get(stem)
    if rule is None:
        if not name.startswith("llvm.nvvm."):
            raise sel.error(op, f"the intrinsic {name} is not supported by code generation")
        rule = nvvm_intrinsic
    rule(sel, op, name)


selects(InlineAsmOp)(select_inline_asm)


@selects(MBarrierTryWaitParityOp)
def select_mbarrier_wait(sel: Selector, op: Operation) -> None:
    """A loop that waits until the phase is complete, as in MLIR, in inline assembly."""
    pointer, phase, ticks = operands_of(op)
    text = mbarrier_wait_loop(op)
    registers = [sel.reg(pointer), sel.reg(phase), sel.reg(ticks)]
    letter = "l" if registers[0].type is B64 else "r"
    sel.append(
        inline_asm(
            text,
            registers,
            constraints=f"{letter},r,r",
            side_effects=True,
            memory=True,
            convergent=True,
            location=sel.location,
        )
    )


def call_with_parts(
    sel: Selector,
    name: str,
    inputs: Sequence[Attribute],
    arguments: Sequence[Part],
    output: Attribute,
) -> Parts:
    """Calls a PTX function with arguments given by their parts."""
    made = _Call()
    at = 0
    for type_ in inputs:
        passing = passed(sel.module, type_, kernel=False)
        shape = passing.shape
        parts = tuple(arguments[at : at + len(shape.parts)])
        at += len(shape.parts)
        if passing.is_array:
            made.array(sel, parts, passing)
        else:
            made.scalar(parts[0], shape.parts[0], f"b{8 * passing.size}")
    return emit_call(sel, name, None, made, output)
