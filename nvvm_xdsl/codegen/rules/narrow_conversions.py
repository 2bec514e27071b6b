"""Conversions from and to packed floats of 8, 6 and 4 bits, and with random bits: PTX ISA 9.1, 9.7.9.21.

Two or four narrow floats are one register, of 16 or 32 bits; vectors of bytes are packed and
unpacked here. Arguments have PTX's order: of `a, b` the first becomes the upper half.
"""

from __future__ import annotations

from typing import Final

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.codegen.rules.nvvm import packed_bytes, special_intrinsic, split_opcode
from nvvm_xdsl.codegen.selector import EmitOperand, Part, Selector, selects
from nvvm_xdsl.codegen.shapes import VECTOR
from nvvm_xdsl.codegen.vector_elements import define_elements, vector_elements
from nvvm_xdsl.codegen.widths import resized_part
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, RegisterClass
from nvvm_xdsl.dialects.nvvm import op_class
from nvvm_xdsl.dialects.nvvm.ops import ConvertF32x2ToBF16x2Op, ConvertF32x2ToF16x2Op
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.dialects.nvvm.verifiers.conversions import TYPES
from nvvm_xdsl.ir.fast import operands_of

FORMATS: Final = {
    "f8E4M3FN": "e4m3",
    "f8E5M2": "e5m2",
    "f8E8M0FNU": "ue8m0",
    "f6E2M3FN": "e2m3",
    "f6E3M2FN": "e3m2",
    "f4E2M1FN": "e2m1",
}
"""PTX's names of the narrow types."""


def _is_bytes(sel: Selector, value: SSAValue) -> bool:
    shape = sel.shape(value)
    return shape.kind == VECTOR and not shape.packed and shape.element.bits == 8


def _packed(sel: Selector, value: SSAValue) -> Part:
    """Two or four bytes in a register of 16 or 32 bits; other values unchanged."""
    if not _is_bytes(sel, value):
        return sel.reg(value)
    lanes = vector_elements(sel, value)
    if len(lanes) > 2:
        return packed_bytes(sel, value)
    low = resized_part(sel, lanes[0][0], 8, 16, signed=False)
    high = sel.emit1("shl", "b16", (sel.materialise(lanes[1][0], B16), imm(8)), B16)
    return sel.emit1("or", "b16", (low, high), B16)


def _unpacked(sel: Selector, register: SSAValue, count: int) -> list[tuple[Part, ...]]:
    """The bytes of a register, the lowest first."""
    halves = [register] if count == 2 else sel.emit("mov", "b32", (register,), (B16, B16))
    return [
        (byte,) for half in halves for byte in (half, sel.emit1("shr", "u16", (half, imm(8)), B16))
    ]


def convert(sel: Selector, op: Operation, opcode: str, operands: list[EmitOperand]) -> None:
    """Emits a conversion and defines the result of `op`."""
    result = op.results[0]
    mnemonic, mods = split_opcode(opcode)
    if not _is_bytes(sel, result):
        sel.define(result, sel.emit1(mnemonic, mods, operands, sel.shape(result).parts[0]))
        return
    count = len(sel.shape(result).parts)
    register: RegisterClass = B16 if count == 2 else B32
    made = sel.emit1(mnemonic, mods, operands, register)
    define_elements(sel, result, _unpacked(sel, made, count))


def _four_and_bits(sel: Selector, op: Operation) -> list[EmitOperand]:
    floats, random = operands_of(op)
    return [[lane[0] for lane in vector_elements(sel, floats)], sel.reg(random)]


def _select_narrow(sel: Selector, op: Operation) -> None:
    what = op.name.removeprefix("nvvm.convert.")
    narrow = FORMATS[str(op.properties[TYPES[what][0]])]
    relu = ".relu" if flag_of(op, "relu") else ""
    source, _, target = what.partition(".to.")
    count = target[-1]
    if source == "f32x4":
        opcode = f"cvt.rs{relu}.satfinite.{narrow}x4.f32"
        convert(sel, op, opcode, _four_and_bits(sel, op))
        return
    operands: list[EmitOperand] = [_packed(sel, value) for value in operands_of(op)]
    if TYPES[what][0] == "srcType":
        opcode = f"cvt.rn{relu}.{target}.{narrow}x{count}"
    elif narrow == "ue8m0":
        finite = ".satfinite" if keyword_of(op, "sat") == "satfinite" else ""
        opcode = f"cvt.{keyword_of(op, 'rnd')}{finite}.ue8m0x2.{source}"
    else:
        opcode = f"cvt.rn.satfinite{relu}.{narrow}x{count}.{source}"
    convert(sel, op, opcode.removesuffix("x2") if opcode.endswith(".f32x2") else opcode, operands)


for _what in TYPES:
    selects(op_class(f"nvvm.convert.{_what}"))(_select_narrow)


@selects(ConvertF32x2ToF16x2Op)
@selects(ConvertF32x2ToBF16x2Op)
def _select_halves(sel: Selector, op: Operation) -> None:
    """Two floats as two halves, rounded to nearest, to zero, or by random bits."""
    relu = ".relu" if flag_of(op, "relu") else ""
    finite = ".satfinite" if keyword_of(op, "sat") == "satfinite" else ""
    target = op.name.rpartition(".")[2]
    opcode = f"cvt.{keyword_of(op, 'rnd')}{relu}{finite}.{target}.f32"
    convert(sel, op, opcode, [sel.reg(value) for value in operands_of(op)])


_STOCHASTIC = ("e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4", "e2m1x4")


@special_intrinsic(
    *(f"f32x4.to.{narrow}.rs{relu}.satfinite" for narrow in _STOCHASTIC for relu in ("", ".relu"))
)
def _select_four(sel: Selector, op: Operation, name: str) -> None:
    """Four floats by random bits."""
    narrow = next(n for n in _STOCHASTIC if n in name)
    relu = ".relu" if ".relu" in name else ""
    convert(sel, op, f"cvt.rs{relu}.satfinite.{narrow}.f32", _four_and_bits(sel, op))
