"""Verification of ops against their definitions, once per distinct shape of an op.

xDSL verifies each op against its definition: types of operands and results, properties, attributes,
traits. That takes a third of a compilation, but a module has few shapes of `llvm.add`. The result
for an op of ours without regions depends only on its types, properties, attributes and the argument
types of its successors. An op of the same shape as an earlier one needs no check. `verify_module`
checks properties that depend on the rest of the module: terminators, symbols, values of other
regions. Verifiers of other dialects may inspect anything, as `func.return` inspects its function:
these ops are always checked.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import ConstantOp, LLVMArrayType, LLVMFunctionType, LLVMStructType
from xdsl.ir import Attribute, Region, TypeAttribute
from xdsl.ir.core import Operation, OpTraits
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsolatedFromAbove, SymbolTable
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    dictionaries_of,
    initial_value_of,
    integer_of,
    integer_width,
    scalar_type,
)
from nvvm_xdsl.dialects.llvm.types import WIDEST_INTEGER
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.verifier import VerifyError, verify_function, verify_module

_WALKS = (IsolatedFromAbove, SymbolTable)
"""Traits whose verifiers visit all nested ops; `verify_module` checks the same."""

_checks: dict[type[Operation], Callable[[Operation], None]] = {}


def _check_of(cls: type[Operation]) -> Callable[[Operation], None]:
    """The verifier of an op with regions, without the traits that visit their contents."""
    found = _checks.get(cls)
    if found is None:
        found = _checks[cls] = _without_walks(cls)
    return found


def _without_walks(cls: type[Operation]) -> Callable[[Operation], None]:
    if not issubclass(cls, IRDLOperation):
        return cls.verify_
    definition = cls.get_irdl_definition()
    kept = frozenset(t for t in definition.traits if not isinstance(t, _WALKS))
    check = replace(definition, traits=OpTraits(lambda: tuple(kept))).verify
    # xDSL combines the definition's verifier and the class's own in one function.
    function = cast(Any, cls.verify_)
    if "custom_verify" not in function.__code__.co_freevars:
        return check
    own = function.__closure__[function.__code__.co_freevars.index("custom_verify")].cell_contents

    def both(op: Operation) -> None:
        check(cast(IRDLOperation, op))
        own(op)

    return both


def _shape(attribute: Attribute) -> int:
    """One number for all symbol references, because no definition distinguishes them."""
    cls = attribute.__class__
    return id(cls) if cls is SymbolRefAttr else id(attribute)


def _check(op: Operation, check: Callable[[Any], None]) -> None:
    try:
        check(op)
    except VerifyException as error:
        raise VerifyError(str(error), op) from None
    if op.name.startswith("llvm."):
        wrong = _wrong_alignment(op) or _wrong_type(op)
        if wrong is not None:
            raise VerifyError(wrong, op)


_ALIGNMENT = "alignment"
_ALIGNMENTS = ("llvm.align", "llvm.alignstack")


def _wrong_alignment(op: Operation) -> str | None:
    """The error for an alignment of the op, an argument or a result that is not a power of two."""
    properties = op.properties
    stated: list[tuple[str, Attribute | None]] = []
    if _ALIGNMENT in properties:
        stated.append((_ALIGNMENT, properties[_ALIGNMENT]))
    for name in ("arg_attrs", "res_attrs"):
        for entries in dictionaries_of(properties.get(name)):
            stated += [(key, entries.data[key]) for key in _ALIGNMENTS if key in entries.data]
    for name, attribute in stated:
        number = integer_of(attribute)
        if number is None or number < 0 or number & (number - 1):
            return f"{name} must be a power of two, is {attribute}"
    return None


def _wrong_type(op: Operation) -> str | None:
    """The error for a value or type of the op that contains an integer of width 0 or of too large a
    width."""
    types = [value._type for value in (*op._operands, *op.results)]
    types += [value._type for block in op._successors for value in block._args]
    types += [found for found in op.properties.values() if isinstance(found, TypeAttribute)]
    for type_ in types:
        width = _wrong_width(type_)
        if width == 0:
            return f"there are no integers of 0 bits: {type_}"
        if width is not None:
            return f"i{width} is not supported: integers have at most {WIDEST_INTEGER} bits"
    return None


def _wrong_width(type_: Attribute) -> int | None:
    """The width of an integer in the type that is 0 or too large; None if there is none."""
    inner: Sequence[Attribute]
    if isinstance(type_, LLVMStructType):
        inner = type_.types.data
    elif isinstance(type_, LLVMArrayType):
        inner = (type_.type,)
    elif isinstance(type_, LLVMFunctionType):
        inner = (*type_.inputs.data, type_.output)
    else:
        element = scalar_type(type_)
        if element.__class__ is not IntegerType:
            return None
        width = integer_width(element)
        return None if 0 < width <= WIDEST_INTEGER else width
    return next((width for width in map(_wrong_width, inner) if width is not None), None)


def verify_op(op: Operation) -> None:
    """Checks one op against its definition, without its nested ops. Raises VerifyError."""
    _check(op, _check_of(op.__class__) if op.regions else op.__class__.verify_)


_LEVELS = ("llvm", "nvvm", "nvptx", "ptx")


def _check_place(op: Operation, outer: Operation) -> None:
    """Checks that an op belongs to the same stage of code generation as its parent op."""
    dialect = op.name.partition(".")[0]
    if dialect not in _LEVELS:
        return
    around = outer.name.partition(".")[0]
    if around == "builtin":
        if op._operands or op.results:
            raise VerifyError("must be inside of a function", op)
    elif around in _LEVELS and (dialect in _LEVELS[2:] or around in _LEVELS[2:]):
        if dialect != around:
            raise VerifyError(f"cannot be inside of '{outer.name}'", op)


_MOST_SHAPES = 1 << 13
"""Number of shapes to cache before the cache is cleared."""

_fitting: dict[tuple[Any, ...], tuple[Any, ...]] = {}
"""Valid shapes of ops, with the types and attributes whose ids identify them, which must stay
alive."""


def verify_ops(module: Operation) -> None:
    """Checks all ops in a module against their definitions, and that they are of one level.

    Raises VerifyError for the first error.
    """
    for region in module.regions:
        if region._first_block is not region._last_block:
            raise VerifyError("a module has one block", module)
    verify_ops_inside(module)


def _shape_of_constant(op: Operation, outer: Operation) -> tuple[Any, ...]:
    """The shape of a constant, which includes the type of its value but not the value."""
    value: Any = constant_value_of(op)
    (result,) = op.results
    return op.__class__, outer.__class__, value.__class__, id(value.type), id(result._type)


def _is_plain_constant(op: Operation) -> bool:
    """Returns True if an op is a constant with a numeric value and nothing else."""
    return (
        op.__class__ is ConstantOp
        and len(op.properties) == len(op.results) == 1
        and initial_value_of(op).__class__ in (IntegerAttr, FloatAttr)
        and not (op.attributes or op._operands or op._successors)
    )


@cache
def _is_ours(cls: type[Operation]) -> bool:
    """Returns True if the definitions of the op's dialect depend only on its shape."""
    return cls.name.partition(".")[0] in _LEVELS


def _shape_of(op: Any, outer: Operation) -> tuple[Any, ...]:
    """The properties that determine whether an op satisfies its definition, by the ids of types and
    attributes."""
    if _is_plain_constant(op):
        return _shape_of_constant(op, outer)
    return (
        op.__class__,
        outer.__class__,
        *[tuple([id(value._type) for value in block._args]) for block in op._successors],
        None,
        *[id(value._type) for value in op._operands],
        None,
        *[id(value._type) for value in op.results],
        None,
        *op.properties,
        *map(_shape, op.properties.values()),
        *op.attributes,
        *map(_shape, op.attributes.values()),
    )


def verify_unit(unit: Operation) -> None:
    """Verifies a module or function with the links between its objects. Raises VerifyError."""
    if isinstance(unit, ModuleOp):
        verify_ops(unit)
        verify_module(unit, links=True)
    else:
        verify_ops_inside(unit)
        verify_function(unit, links=True)


def verify_ops_inside(outermost: Operation) -> None:
    """Checks an op with regions and its nested ops, like `verify_ops`."""
    if len(_fitting) > _MOST_SHAPES:
        _fitting.clear()
    _check(outermost, _check_of(outermost.__class__))
    pending: list[tuple[Region, Operation]] = [(region, outermost) for region in outermost.regions]
    while pending:
        inside, outer = pending.pop()
        for block in fast.blocks_of(inside):
            # Untyped: this runs for every op.
            op: Any = block._first_op
            while op is not None:
                if op.regions:
                    pending += [(region, op) for region in op.regions]
                    _check_place(op, outer)
                    _check(op, _check_of(op.__class__))
                elif not _is_ours(op.__class__):
                    _check_place(op, outer)
                    _check(op, op.__class__.verify_)
                else:
                    key = _shape_of(op, outer)
                    if key not in _fitting:
                        _check_place(op, outer)
                        _check(op, op.__class__.verify_)
                        _fitting[key] = (
                            *(value._type for value in (*op._operands, *op.results)),
                            *(value._type for block in op._successors for value in block._args),
                            *op.properties.values(),
                            *op.attributes.values(),
                        )
                op = op._next_op
