"""Selection of `spcompress` and `spdecompress`, whose vectors of small integers are words of 32 bits.

Source: PTX ISA 9.4; IntrinsicsNVVM.td of LLVM's main branch, October 2026.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.codegen.rules.nvvm import special_intrinsic
from nvvm_xdsl.codegen.rules.vectors import repacked
from nvvm_xdsl.codegen.selector import EmitOperand, Part, Parts, Selector
from nvvm_xdsl.codegen.shapes import Shape
from nvvm_xdsl.dialects.llvm.types import I32, integer, vector
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B32
from nvvm_xdsl.ir.fast import operands_of

_WORD = 32


def _bits(shape: Shape) -> tuple[int, int]:
    """The number of elements of a vector, and the bits of one."""
    return shape.count, shape.element.bits


def _of_words(sel: Selector, count: int) -> Shape:
    return sel.shape_of(vector(count, I32))


def _words(sel: Selector, value: SSAValue) -> list[Part]:
    """The registers of a vector; the rest of the last one is zero."""
    shape = sel.shape(value)
    count, bits = _bits(shape)
    missing = -count * bits % _WORD // bits
    parts = sel.parts(value)
    if missing:
        parts = (*parts, *[imm(0)] * missing)
        shape = sel.shape_of(vector(count + missing, integer(bits)))
    whole = _of_words(sel, (count + missing) * bits // _WORD)
    return [sel.materialise(part, B32) for part in repacked(sel, parts, shape, whole)]


def _emit(
    sel: Selector, op: Operation, opcode: str, operands: Sequence[EmitOperand], results: int
) -> Parts:
    """The registers of the results; operands that do not fit the instruction are an error."""
    mnemonic, _, words = opcode.partition(".")
    made = sel.emit(mnemonic, words, operands, (B32,) * results)
    try:
        sel.last_emitted().verify_()
    except VerifyException as error:
        raise sel.error(op, f"the types of {mnemonic} do not fit: {error}") from None
    return made


def _check(sel: Selector, op: Operation, indices: Shape, *data: Shape) -> None:
    """Checks the registers of indices, and that all elements have the same size."""
    if set(indices.parts) != {B32} or len({_bits(shape)[1] for shape in data}) != 1:
        raise sel.error(op, "indices must be i32, and all elements must have the same size")


@special_intrinsic("spcompress")
def _compress(sel: Selector, op: Operation, name: str) -> None:
    """Results are the indices, and two of each four elements."""
    data, descriptor, index, targets = operands_of(op)
    indices, compressed = (field for field, _ in sel.shape(op.results[0]).fields)
    _check(sel, op, indices, compressed, sel.shape(data))
    count, bits = _bits(compressed)
    times = count * bits // _WORD
    opcode = f"spcompress.x{times}.sp::2:{sel.constant(targets)}.b{bits}.b{sel.constant(index)}"
    registers = len(indices.parts)
    operands: list[EmitOperand] = [_words(sel, data), sel.reg(descriptor)]
    found = _emit(sel, op, opcode, operands, registers + times)
    kept = repacked(sel, found[registers:], _of_words(sel, times), compressed)
    sel.define(op.results[0], *found[:registers], *kept)


@special_intrinsic("spdecompress")
def _decompress(sel: Selector, op: Operation, name: str) -> None:
    """The result has all elements of each group, of which the operand has the stored ones."""
    indices, data, index, targets = operands_of(op)
    result = sel.shape(op.results[0])
    _check(sel, op, sel.shape(indices), result, sel.shape(data))
    count, bits = _bits(result)
    times = count // (sel.constant(targets) or 1)
    stored = _bits(sel.shape(data))[0] // (times or 1)
    opcode = (
        f"spdecompress.x{times}.sp::{stored}:{sel.constant(targets)}.b{bits}.b{sel.constant(index)}"
    )
    registers = count * bits // _WORD
    operands: list[EmitOperand] = [list(sel.regs(indices)), _words(sel, data)]
    found = _emit(sel, op, opcode, operands, registers)
    sel.define(op.results[0], *repacked(sel, found, _of_words(sel, registers), result))
