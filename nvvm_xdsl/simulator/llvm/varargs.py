"""Variable arguments: the caller stores them in a buffer and passes its address, as in PTX."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler
from nvvm_xdsl.simulator.execution.memory import GENERIC
from nvvm_xdsl.simulator.llvm.semantics import Emit, LLVMSemantics
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType

ADDRESS = ScalarType(64, pointer=True)
PARAMETER = "variable_arguments"
"""The name of a variadic function's buffer address in generated source."""


def store_arguments(
    semantics: LLVMSemantics, op: Operation, values: Sequence[SSAValue], to: FunctionCompiler
) -> str:
    """Generates the stores of arguments to a buffer; returns the name of its generic address."""
    layout = semantics.types.layout
    end = 0
    places: list[tuple[SSAValue, int]] = []
    for value in values:
        alignment = layout.alignment(value.type)
        at = -(-end // alignment) * alignment
        places.append((value, at))
        end = at + layout.size(value.type)
    offset = to.frame.allocate(end, 16)
    to.line(f"blk.push_local(sp, {offset}, {max(end, 1)}, 'variable arguments', m)")
    pointer = to.assign(f"blk.local_pointer(sp + {offset}, True)")
    for value, at in places:
        type_ = value.type
        access = _access(semantics, op, f"{pointer} + {to_bytes(at)}", type_, "store", to)
        semantics.store(to, access, type_, to.leaves(value))
    return pointer


def to_bytes(number: int) -> str:
    """An address offset in generated source."""
    return f"u8({number & (1 << 64) - 1})"


def _access(
    semantics: LLVMSemantics,
    op: Operation,
    address: str,
    type_: Attribute,
    kind: str,
    to: FunctionCompiler,
) -> str:
    layout = semantics.types.layout
    size, alignment = layout.store_size(type_), layout.alignment(type_)
    site = to.site(op)
    return to.assign(f"blk.access({site}, m, {address}, {GENERIC}, {size}, {alignment}, '{kind}')")


def _start(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    if PARAMETER not in to.extra_parameters:
        raise to.unsupported(op, "va_start in a function without variable arguments")
    access = semantics.access(op, to, fast.operands_of(op)[0], 8, 8, "store")
    to.line(f"{access}.store({PARAMETER}, 8, 0)")


def _copy(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    target, source = fast.operands_of(op)
    read = semantics.access(op, to, source, 8, 8, "load")
    leaf = semantics.load_scalar(to, read, 0, ADDRESS)
    written = semantics.access(op, to, target, 8, 8, "store")
    to.line(f"{written}.store({leaf.name}, 8, 0)")
    if leaf.undefined:
        to.line(f"{written}.store_undefined({leaf.undefined}, 8, 0)")


def _end(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    del semantics, op, to


def _next(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    """The next argument: the list's pointer is rounded up to its alignment and moved past it."""
    (place,) = fast.operands_of(op)
    type_ = op.results[0].type
    layout = semantics.types.layout
    read = semantics.access(op, to, place, 8, 8, "load")
    leaf = semantics.load_scalar(to, read, 0, ADDRESS)
    if leaf.undefined:
        to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'an address')")
    alignment = layout.alignment(type_)
    at = to.assign(f"({leaf.name} + {to_bytes(alignment - 1)}) & {to_bytes(-alignment)}")
    access = _access(semantics, op, at, type_, "load", to)
    to.define(op.results[0], semantics.load(to, access, type_))
    written = semantics.access(op, to, place, 8, 8, "store")
    to.line(f"{written}.store({at} + {to_bytes(layout.size(type_))}, 8, 0)")


OPS: dict[str, Emit] = {"llvm.va_arg": _next}
INTRINSICS: dict[str, Emit] = {"vastart": _start, "vacopy": _copy, "vaend": _end}
"""MLIR's spelling; LLVM writes `va_start` ..."""
