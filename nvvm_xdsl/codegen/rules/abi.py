"""The `.param` convention: how functions get their arguments and return their results.

Scalars are passed as `.b8` to `.b64` (in device functions and results with at least 32 bits);
aggregates, vectors, f16, bf16 and wide integers as aligned arrays of bytes, as in LLVM and NVIDIA's
compilers. PTX ISA 9.1, section 7.1; CUDA's PTX interoperability guide.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.llvm import BitcastOp, GEPOp, LLVMPointerType, LoadOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.errors import error_at
from nvvm_xdsl.codegen.module_context import ModuleContext
from nvvm_xdsl.codegen.rules.addresses import FIRST_PARAM_ADDRESS, points_to_global
from nvvm_xdsl.codegen.rules.frame import local_array
from nvvm_xdsl.codegen.rules.loads_stores import load_value, store_value
from nvvm_xdsl.codegen.selector import GENERIC_SYMBOL, Address, Selector, selects
from nvvm_xdsl.codegen.shapes import AGGREGATE, FLOAT, INTEGER, POINTER, VECTOR, VOID, Shape
from nvvm_xdsl.codegen.widths import resized_part
from nvvm_xdsl.dialects.llvm.accessors import argument_attributes, function_type_of, int_value
from nvvm_xdsl.dialects.llvm.function_attributes import by_value_type_in
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, LifetimeEndOp, LifetimeStartOp
from nvvm_xdsl.dialects.llvm.types import I8, array, integer, struct
from nvvm_xdsl.dialects.nvptx.control_flow import RetOp
from nvvm_xdsl.dialects.nvptx.functions import ParamAttr, param
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import operands_of
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL, LOCAL, PARAM, SHARED, STATE_SPACES

MAX_PARAMETER_ALIGNMENT = 128
"""Maximum alignment in bytes of a parameter in ptxas; `.align` of PTX ISA 9.1, section 5.1.6,
states none."""

RETURN_NAME = "func_retval0"
_POINTER_SPACES = {space: STATE_SPACES[space] for space in (GLOBAL, SHARED, CONSTANT, LOCAL)}


@dataclass(frozen=True)
class Passed:
    """The passing convention of one value.

    Arguments:
        shape: the value's shape; of an argument passed by value in memory, that of the memory.
        size, alignment: size and alignment of the value in bytes. The alignment is at most PTX's
            maximum.
        is_array: whether it is an array of bytes instead of a scalar.
        by_value: whether the argument is a pointer to memory that is passed by value.
    """

    shape: Shape
    size: int
    alignment: int
    is_array: bool
    by_value: bool = False

    def declaration(self, name: str = "", space: str = "", pointee: int = 0) -> ParamAttr:
        """The parameter's attribute."""
        if self.is_array:
            alignment = min(self.alignment, MAX_PARAMETER_ALIGNMENT)
            return param("b8", max(self.size, 1), alignment, name)
        return param(f"b{8 * self.size}", 0, 0, name, space, pointee)


def _is_array(shape: Shape) -> bool:
    return (
        shape.kind in (AGGREGATE, VECTOR)
        or (shape.kind == INTEGER and shape.bits > 64)
        or (shape.kind == FLOAT and shape.bits == 16)
    )


def passed(module: ModuleContext, type_: Attribute, *, kernel: bool) -> Passed:
    """The passing convention of an argument or result of a type."""
    shape = module.shapes.of(type_)
    layout = module.layout
    if _is_array(shape):
        return Passed(shape, layout.size(type_), layout.alignment(type_), True)
    size = layout.store_size(type_)
    size = 1 << max(size - 1, 0).bit_length()
    if not kernel and shape.kind == INTEGER:
        size = max(size, 4)
    return Passed(shape, size, size, False)


def passed_by_value(
    module: ModuleContext, type_: Attribute, attrs: Mapping[str, Attribute]
) -> Passed:
    """The passing convention of by-value memory of a type."""
    layout = module.layout
    size = layout.size(type_)
    alignment = layout.alignment(type_)
    alignment = max(alignment, int_value(attrs.get("llvm.align")))
    return Passed(module.shapes.of(array(size, I8)), size, alignment, True, True)


def parameter_name(function: str, index: int) -> str:
    """The name of a function's parameter."""
    return f"{function}_param_{index}"


def return_passed(module: ModuleContext, type_: Attribute) -> Passed | None:
    """The convention for a result of a type; None for `void` and empty structs."""
    shape = module.shapes.of(type_)
    if shape.kind == VOID or not shape.parts:
        return None
    return passed(module, type_, kernel=False)


MOST_OLD_PARAMETERS = 4352
"""Maximum size in bytes of a kernel's parameters before PTX 8.1: PTX ISA 5.1.6.1."""

FIRST_LARGE_PARAMETERS = 81
"""The first PTX version with 32,764 bytes of kernel parameters, for sm_70 and later."""


def parameters(
    module: ModuleContext, func: Operation, name: str, *, kernel: bool
) -> tuple[list[Passed], list[ParamAttr]]:
    """The conventions of a function's arguments, and its parameter list."""
    passings: list[Passed] = []
    attrs: list[ParamAttr] = []
    type_ = function_type_of(func)
    for index, input_ in enumerate(type_.inputs.data):
        listed = argument_attributes(func, index)
        pointee = by_value_type_in(listed)
        space = ""
        pointee_alignment = 0
        if pointee is not None:
            passing = passed_by_value(module, pointee, listed)
        else:
            passing = passed(module, input_, kernel=kernel)
            if kernel and isinstance(input_, LLVMPointerType):
                space = _POINTER_SPACES.get(module.pointer_space(input_), "")
                pointee_alignment = int_value(listed.get("llvm.align"), 1 if space else 0)
        passings.append(passing)
        declared = passing.declaration(parameter_name(name, index), space, pointee_alignment)
        attrs.append(declared)
    if kernel and sum(passing.size for passing in passings) > MOST_OLD_PARAMETERS:
        module.require_ptx(FIRST_LARGE_PARAMETERS)
    if type_.is_variadic:
        passings.append(Passed(module.shapes.of(module.pointer), 8, 8, False))
        attrs.append(param("b64", 0, 0, parameter_name(name, len(type_.inputs.data))))
    return passings, attrs


# Arguments


def select_arguments(
    sel: Selector,
    func: Operation,
    name: str,
    passings: list[Passed],
    needed: Container[SSAValue],
    *,
    kernel: bool,
) -> None:
    """Reads the used parameters of a function and defines its arguments."""
    entry = func.regions[0].first_block
    assert entry is not None
    for argument, passing in zip(entry.args, passings):
        if argument not in needed:
            continue
        place = Address(None, parameter_name(name, argument.index), 0, PARAM, argument)
        if passing.by_value:
            _by_value(sel, func, argument, passing, place, kernel=kernel)
            continue
        parts = load_value(sel, place, passing.shape, passing.alignment, "param")
        sel.define(argument, *parts)
        if (
            kernel
            and passing.shape.kind == POINTER
            and sel.module.pointer_space(argument.type) == 0
        ):
            # Pointer parameters of kernels point to global memory.
            points_to_global(sel, argument)
    if function_type_of(func).is_variadic:
        index = len(entry.args)
        place = Address(None, parameter_name(name, index), 0, PARAM)
        passing = passings[index]
        sel.variadic = load_value(sel, place, passing.shape, 8, "param")[0]


_ADDRESSES = frozenset({GEPOp, BitcastOp, AddrSpaceCastOp})


_READERS = frozenset({LoadOp, LifetimeStartOp, LifetimeEndOp})


def _is_only_read(sel: Selector, argument: SSAValue, *, kernel: bool) -> bool:
    """Returns True if the memory that an argument points to is only loaded from, in place.

    A device function reads its parameter in place only at known offsets: the address of the
    parameter in a register is an address in local memory (PTX ISA, "Device Function Parameters").
    """
    pending = [argument]
    while pending:
        value = pending.pop()
        for user in fast.users_of(value):
            cls = type(user)
            if cls in _ADDRESSES:
                if cls is GEPOp and not kernel and len(operands_of(user)) > 1:
                    return False
                if sel.module.pointer_space(user.results[0].type) != PARAM:
                    pending.append(user.results[0])
            elif cls not in _READERS:
                return False
    return True


def _by_value(
    sel: Selector,
    func: Operation,
    argument: SSAValue,
    passing: Passed,
    place: Address,
    *,
    kernel: bool,
) -> None:
    """A by-value argument: read in place, or copied to local memory to be modified."""
    index = cast(Any, argument).index
    space = sel.module.pointer_space(argument.type)
    if space == PARAM:
        sel.set_address(argument, place)
        sel.define(argument, sel.symbol(place.symbol))
        return
    if _is_only_read(sel, argument, kernel=kernel):
        sel.set_address(argument, place)
        return
    in_place = not kernel or "nvvm.grid_constant" in argument_attributes(func, index)
    if in_place and passing.alignment > MAX_PARAMETER_ALIGNMENT:
        raise error_at(
            func,
            f"argument {index} is passed by value with alignment {passing.alignment} and its address "
            f"is used, but the alignment of a parameter is at most {MAX_PARAMETER_ALIGNMENT}",
        )
    if not kernel:
        # The address of a device function's parameter is one in local memory.
        register = sel.symbol(place.symbol)
        sel.set_address(argument, Address(register, "", 0, LOCAL, argument))
        sel.define(argument, (GENERIC_SYMBOL, place.symbol, 0, LOCAL))
        return
    if in_place:
        sel.module.require_ptx(FIRST_PARAM_ADDRESS)
        sel.set_address(argument, place)
        sel.define(argument, (GENERIC_SYMBOL, place.symbol, 0, PARAM))
        return
    name = local_array(sel, passing.size, passing.alignment)
    local = Address(None, name, 0, LOCAL, argument)
    copy_bytes(sel, local, place, passing.size, passing.alignment)
    sel.set_address(argument, local)
    sel.define(argument, (GENERIC_SYMBOL, name, 0, LOCAL) if space == GENERIC else sel.symbol(name))


def chunk_shape(sel: Selector, size: int, alignment: int) -> Shape:
    """A shape of `size` bytes made of the largest integers that the alignment allows."""
    fields: list[Attribute] = []
    left = size
    at = 0
    while left:
        step = min(alignment, 8)
        while step > left or at % step:
            step //= 2
        fields.append(integer(8 * step))
        at += step
        left -= step
    return sel.shape_of(struct(fields, packed=True))


def copy_bytes(sel: Selector, target: Address, source: Address, size: int, alignment: int) -> None:
    """Copies a known number of bytes in straight-line code."""
    step = 64
    at = 0
    while at < size:
        count = min(step, size - at)
        shape = chunk_shape(sel, count, alignment)
        parts = load_value(sel, source.plus(at), shape, alignment, source.suffix[1:])
        store_value(sel, target.plus(at), parts, shape, alignment, target.suffix[1:])
        at += count


# Results


@selects(ReturnOp)
def select_return(sel: Selector, op: Operation) -> None:
    """Stores the result and returns."""
    operands = operands_of(op)
    if operands and not sel.is_kernel:
        value = operands[0]
        passing = return_passed(sel.module, value.type)
        if passing is not None:
            shape = passing.shape
            parts = sel.parts(value)
            place = Address(None, RETURN_NAME, 0, PARAM)
            if not passing.is_array and shape.kind == INTEGER and passing.size == 4:
                signed = sel.returns_signed
                part = resized_part(sel, parts[0], shape.bits, 32, signed=signed)
                sel.emit("st", "param.b32", (place, part))
            else:
                store_value(sel, place, parts, shape, passing.alignment, "param")
    sel.append(fast.create(RetOp, (), (), None, (), None, sel.location))
