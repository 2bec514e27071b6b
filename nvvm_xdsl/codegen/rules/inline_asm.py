"""Inline assembly: PTX text with operands chosen by LLVM's constraint letters."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.asm_text import require_of_text
from nvvm_xdsl.codegen.rules.vectors import Bits, bits_of, sizes_of, take
from nvvm_xdsl.codegen.selector import Part, Parts, Selector
from nvvm_xdsl.codegen.shapes import INTEGER, POINTER, Shape
from nvvm_xdsl.codegen.widths import boolean, resized_part
from nvvm_xdsl.dialects.effects import NODUPLICATE, is_noduplicate
from nvvm_xdsl.dialects.llvm.accessors import has_assembly_effects
from nvvm_xdsl.dialects.llvm.asm_operands import with_addresses
from nvvm_xdsl.dialects.llvm.types import UNIT
from nvvm_xdsl.dialects.nvptx.calls import inline_asm
from nvvm_xdsl.dialects.nvptx.operands import REG, Slot, layout
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, B128, F32, F64, PRED, RegisterClass
from nvvm_xdsl.ir.fast import operands_of

LETTERS: dict[str, RegisterClass] = {
    "b": PRED,
    "c": B16,
    "h": B16,
    "r": B32,
    "l": B64,
    "N": B64,
    "q": B128,
    "f": F32,
    "d": F64,
}
"""Register classes of the constraint letters (LLVM's language reference, NVPTX)."""

IMMEDIATE_LETTERS = frozenset("niEFsX")

CONVERGENT_TEXT = re.compile(
    r"\b(?:bar|barrier|shfl|vote|match|mma|wmma|wgmma|elect|redux|activemask|ldmatrix|stmatrix"
    r"|tcgen05|griddepcontrol|setmaxnreg|movmatrix|exit|brx?|call|ret)\b"
    r"|\.aligned\b"
)
"""Instructions whose effect depends on the threads that execute them together."""

_REFERENCE = re.compile(r"\$(?:(\$)|\{([^}]*)\}|(\d+))")


@dataclass(frozen=True)
class Constraint:
    """One item of a constraint string with an operand.

    Arguments:
        letter: its register class or kind of immediate.
        output: whether it is a result.
        tied: the number of the result that an input shares its register with.
    """

    letter: str
    output: bool
    tied: int | None = None


@dataclass(frozen=True)
class Constraints:
    """A parsed constraint string."""

    operands: tuple[Constraint, ...]
    memory: bool


def parse_constraints(text: str) -> Constraints:
    """Parses LLVM's constraint string. Raises ValueError with a message."""
    operands: list[Constraint] = []
    memory = False
    for item in filter(None, (part.strip() for part in text.split(","))):
        if item.startswith("~"):
            memory = memory or item == "~{memory}"
            continue
        output = item.startswith("=")
        letter = item.lstrip("=&%")
        if letter == "m":
            raise ValueError(f"the memory constraint '{item}' is not supported")
        if letter.isdecimal() and len(letter) < 5:
            operands.append(Constraint("", False, int(letter)))
            continue
        # Of alternatives such as `ri`, the first register class is used.
        chosen = next((c for c in letter if c in LETTERS), letter[:1])
        if chosen not in LETTERS and chosen not in IMMEDIATE_LETTERS:
            raise ValueError(f"unknown constraint '{item}'")
        operands.append(Constraint(chosen, output))
    return Constraints(tuple(operands), memory)


def _output_types(result: Attribute) -> list[Attribute]:
    return list(result.types.data) if isinstance(result, LLVMStructType) else [result]


def _input(sel: Selector, value: SSAValue, register: RegisterClass, op: Operation) -> Part:
    """A value in a register of the class of a constraint."""
    shape = sel.shape(value)
    parts = sel.parts(value)
    if len(parts) == 1 and shape.parts[0] is register:
        return sel.materialise(parts[0], register)
    if register is B128:
        low, high = sel.regs(value)
        return sel.emit1("mov", "b128", ([low, high],), B128)
    if register is PRED:
        return sel.materialise(boolean(sel, parts[0], min(shape.bits, 64)), PRED)
    if shape.kind in (INTEGER, POINTER) and not shape.wide and not register.is_float:
        part = resized_part(sel, parts[0], shape.bits, register.width, signed=False)
        return sel.materialise(part, register)
    pool = bits_of(sel, parts, shape)
    size = sum(b.size for b in pool)
    if size != register.width:
        raise sel.error(op, _misfit("value", shape, size, register))
    return sel.materialise(take(sel, pool, register.width, register), register)


def _output(sel: Selector, register: SSAValue, shape: Shape, op: Operation) -> Parts:
    """A register written by the text, as a value of a type."""
    cls = register.type
    if len(shape.parts) == 1 and shape.parts[0] is cls:
        return (register,)
    if cls is B128:
        return sel.emit("mov", "b128", (register,), (B64, B64))
    assert isinstance(cls, RegisterClass)
    if shape.kind == INTEGER and not shape.wide and not cls.is_float and cls is not PRED:
        if shape.bits == 1:
            return (boolean(sel, register, cls.width),)
        return (resized_part(sel, register, cls.width, shape.width, signed=False),)
    if cls is PRED and shape.kind == INTEGER:
        return (resized_part(sel, register, 1, shape.width, signed=False),)
    pool = [Bits(register, cls.width, cls)]
    made: list[Part] = []
    sizes = sizes_of(shape)
    bits = sum(size for size, _ in sizes)
    if bits > cls.width:
        raise sel.error(op, _misfit("result", shape, bits, cls))
    for size, part in sizes:
        made.append(take(sel, pool, size, part))
    return tuple(made)


def _misfit(role: str, shape: Shape, bits: int, register: RegisterClass) -> str:
    """The message for an operand whose type has another size than its register."""
    fitting = next((c for c, cls in LETTERS.items() if (cls,) == tuple(shape.parts)), "")
    hint = f"; the constraint '{fitting}' fits" if fitting else ""
    return (
        f"a {role} of type {shape.type} has {bits} bits, the register of its constraint"
        f" {register.width}{hint}"
    )


def select_inline_asm(sel: Selector, op: Operation) -> None:
    """PTX text."""
    template, stated = with_addresses(_text(op, "asm_string"), _text(op, "constraints"))
    require_of_text(sel.module, template, "inline assembly", op)
    try:
        constraints = parse_constraints(stated)
    except ValueError as error:
        raise sel.error(op, f"inline assembly: {error}") from None
    results = [c for c in constraints.operands if c.output]
    inputs = [c for c in constraints.operands if not c.output]
    values = operands_of(op)
    shapes = [sel.shape_of(t) for t in _output_types(op.results[0].type)] if op.results else []
    shapes = [s for s in shapes if s.parts]
    if len(inputs) != len(values) or len(results) != len(shapes):
        raise sel.error(op, "inline assembly: the constraints do not fit the operands")
    classes = [LETTERS[c.letter] for c in results]
    registers: list[SSAValue] = []
    slots: list[Slot] = []
    ties: list[int] = []
    for number, (constraint, value) in enumerate(zip(inputs, values), len(results)):
        if constraint.tied is not None:
            if constraint.tied >= len(results):
                raise sel.error(
                    op,
                    f"inline assembly: constraint '{constraint.tied}' names no result in a register",
                )
            register = classes[constraint.tied]
        elif constraint.letter in IMMEDIATE_LETTERS:
            part = sel.parts(value)[0]
            if isinstance(part, tuple):
                slots.append(part)
                continue
            if constraint.letter in "ni":
                raise sel.error(op, f"inline assembly: operand {number} must be a constant")
            register = sel.shape(value).parts[0]
        else:
            register = LETTERS[constraint.letter]
        part = _input(sel, value, register, op)
        registers.append(sel.materialise(part, register))
        slots.append(REG)
        ties.append(-1 if constraint.tied is None else constraint.tied)
    effects = has_assembly_effects(op)
    made = inline_asm(
        _references(template, sel),
        registers,
        classes,
        layout=None if all(s is REG for s in slots) else layout(*slots),
        constraints=stated,
        side_effects=effects or not classes,
        memory=constraints.memory,
        convergent=_is_convergent(op, template),
        tied=ties,
        location=sel.location,
    )
    if is_noduplicate(op):
        made.attributes[NODUPLICATE] = UNIT
    sel.append(made)
    if op.results:
        parts: list[Part] = []
        for register, shape in zip(made.results, shapes):
            parts.extend(_output(sel, register, shape, op))
        sel.define(op.results[0], *parts)


def _text(op: Operation, name: str) -> str:
    attr = op.properties.get(name)
    return attr.data if isinstance(attr, StringAttr) else ""


def _is_convergent(op: Operation, template: str) -> bool:
    return (
        "convergent" in op.properties
        or "convergent" in op.attributes
        or CONVERGENT_TEXT.search(template) is not None
    )


def _references(template: str, sel: Selector) -> str:
    """LLVM's `${0:x}` and `${:uid}` in the plain form; all `${:uid}` of a text are the same
    number."""
    unique = ""

    def plain(match: re.Match[str]) -> str:
        nonlocal unique
        dollar, braced, number = match.groups()
        if dollar:
            return "$$"
        if number is not None:
            return f"${number}"
        inner, _, modifier = braced.partition(":")
        if not inner:
            if modifier != "uid":
                return ""
            unique = unique or str(sel.module.unique_number())
            return unique
        return f"${inner}"

    return _REFERENCE.sub(plain, template)
