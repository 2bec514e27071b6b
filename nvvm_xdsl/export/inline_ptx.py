"""Inline assembly for nvvm ops without an intrinsic.

The text is code generation's (`codegen.intrinsics.nvvm_ops`); here its operands get LLVM's numbers
and constraints.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.intrinsics.nvvm_ops import mbarrier_wait_loop, op_instruction
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import vector_type
from nvvm_xdsl.dialects.llvm.asm_operands import register_bits, register_letter
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.nvptx.instruction_text import (
    Address,
    AddressList,
    Argument,
    Constant,
    Integer,
    Operand,
    Sink,
    Vector,
    parse_instruction_text,
)
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import STATE_SPACES


class InlinePTX(NamedTuple):
    """Inline assembly.

    Arguments:
        arguments: the value of each input, and the index of its member; None for the whole value.
        results: the types of the registers that it writes.
    """

    text: str
    constraints: str
    arguments: list[tuple[SSAValue, int | None]]
    results: list[Attribute]


_PLACEHOLDER = re.compile(r"<(\w+)(?: (\d+))?>")
_SPACES = {space: f".{name}" if name else "" for space, name in STATE_SPACES.items()}


def parts_of(type_: Attribute) -> list[Attribute] | None:
    """The register types of the fields of a struct or wide vector; None for a single register."""
    if isinstance(type_, LLVMStructType):
        return list(type_.types.data)
    vector = vector_type(type_)
    if vector is None or register_bits(type_) <= _PACKED_BITS:
        return None
    return [vector.element_type] * vector.get_shape()[0]


_PACKED_BITS = 32
"""The width in bits of vectors in one register, such as two halves."""


class _Assembly:
    """The inputs of an instruction in order of occurrence."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.operands = fast.operands_of(op)
        self.results: list[Attribute] = []
        if op.results:
            type_ = op.results[0].type
            self.results = parts_of(type_) or [type_]
        self.constraints: list[str] = []
        self.arguments: list[tuple[SSAValue, int | None]] = []
        self._known: dict[int, list[str]] = {}

    def inputs(self, index: int) -> list[str]:
        """The registers of an operand."""
        if index not in self._known:
            value = self.operands[index]
            parts = parts_of(value.type)
            if parts is None:
                self._known[index] = [self._input(value, value.type, None)]
            else:
                self._known[index] = [self._input(value, t, n) for n, t in enumerate(parts)]
        return self._known[index]

    def _input(self, value: SSAValue, type_: Attribute, path: int | None) -> str:
        self.constraints.append(register_letter(type_))
        self.arguments.append((value, path))
        return f"${len(self.results) + len(self.arguments) - 1}"

    def tie(self, index: int) -> None:
        """Ties the operand to the result registers."""
        value = self.operands[index]
        for path in range(len(self.results)):
            self.constraints.append(str(path))
            self.arguments.append((value, path))

    def operand(self, operand: Operand) -> str:
        """An operand of the instruction as text."""
        match operand:
            case Argument(index):
                return ", ".join(self.inputs(index))
            case Address(index):
                return f"[{self.inputs(index)[0]}]"
            case Constant(index):
                number = constant_integer(self.operands[index])
                if number is None:
                    raise write_error(self.op, f"operand {index} must be a constant")
                return str(number)
            case Integer(value):
                return str(value)
            case Sink():
                return "_"
            case Vector(elements):
                return "{" + ", ".join(self.operand(e) for e in elements) + "}"
            case AddressList(elements):
                return "[" + ", ".join(self.operand(e) for e in elements) + "]"


_TIED = ("wgmma.mma_async",)
"""Instructions that read and write one operand, the first operand of the op."""


def inline_ptx(op: Operation) -> InlinePTX:
    """The assembly of an op of the nvvm dialect. Raises WriteError."""
    if op.name == "nvvm.mbarrier.try_wait.parity":
        return _wait_loop(op)
    text = op_instruction(op)
    if text is None:
        raise write_error(op, "it is neither an intrinsic nor one instruction")
    parsed = parse_instruction_text(text)
    assembly = _Assembly(op)
    opcode = _PLACEHOLDER.sub(lambda match: _type_word(op, match), parsed.opcode)
    results = [f"${number}" for number in range(len(assembly.results))]
    if opcode.startswith(_TIED):
        assembly.tie(0)
    operands = [assembly.operand(operand) for operand in parsed.operands]
    if len(results) > 1:
        operands.insert(0, _results_text(op, opcode, results))
    elif results:
        operands.insert(0, f"{{{results[0]}}}" if _is_matrix(opcode) else results[0])
    guard = "" if parsed.guard is None else f"@{assembly.inputs(parsed.guard)[0]} "
    outputs = [f"={register_letter(type_)}" for type_ in assembly.results]
    constraints = [*outputs, *assembly.constraints, "~{memory}"]
    return InlinePTX(
        f"{guard}{opcode} {', '.join(operands)}".rstrip() + ";",
        ",".join(constraints),
        assembly.arguments,
        assembly.results,
    )


def _wait_loop(op: Operation) -> InlinePTX:
    values = fast.operands_of(op)
    constraints = [*(register_letter(value.type) for value in values), "~{memory}"]
    return InlinePTX(
        mbarrier_wait_loop(op), ",".join(constraints), [(value, None) for value in values], []
    )


def _is_matrix(opcode: str) -> bool:
    return opcode.startswith(("ldmatrix", "tcgen05.ld"))


def _results_text(op: Operation, opcode: str, results: list[str]) -> str:
    if opcode.startswith(("shfl", "match")):
        return "|".join(results)
    return "{" + ", ".join(results) + "}"


def _type_word(op: Operation, match: re.Match[str]) -> str:
    value = op.results[0] if match[2] is None else fast.operands_of(op)[int(match[2])]
    kind = match[1]
    if kind in ("space", "shared"):
        if not isinstance(value.type, LLVMPointerType):
            return ""
        return _SPACES.get(types.address_space_of(value.type), "")
    letters = {"type": "b", "signed": "s", "unsigned": "u"}
    if kind not in letters:
        raise write_error(op, f"its instruction depends on the type {value.type}")
    return letters[kind] + str(register_bits(value.type))
