"""One op class for each PTX mnemonic, created from its row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Final, Self, TypeVar, cast

from xdsl.ir import Attribute, Operation, OpTraits, SSAValue
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.nvptx.flags import PURE, SIDE_EFFECTS, TERMINATOR
from nvvm_xdsl.dialects.nvptx.forms import OperandSpec, Signature, accepts_constant, bits_of
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS, Row
from nvvm_xdsl.dialects.nvptx.interning import InternedAttr
from nvvm_xdsl.dialects.nvptx.operands import (
    ADDRESS_KIND,
    FLOAT_KIND,
    IMMEDIATE_KIND,
    LIST_ADDRESS_KIND,
    NEGATED_KIND,
    REG,
    REGISTER_KIND,
    SINK_KIND,
    SYMBOL_ADDRESS_KIND,
    VECTOR_KIND,
    OperandsAttr,
    Slot,
    elements_of,
    parse_operands,
    print_slot,
    slot_size,
)
from nvvm_xdsl.dialects.nvptx.registers import (
    B32Register,
    B64Register,
    F32Register,
    F64Register,
    PredRegister,
    width,
)
from nvvm_xdsl.dialects.nvptx.target import Requirement
from nvvm_xdsl.ir import fast
from nvvm_xdsl.xdsl_patches.definitions import irdl_attr_definition

for _table in (
    "arithmetic",
    "memory",
    "threads",
    "asynchronous",
    "fabric",
    "matrix",
    "tensor_cores",
    "textures",
    "video",
):
    import_module(f"nvvm_xdsl.dialects.nvptx.tables.{_table}")

MODIFIERS: Final = "mods"
LAYOUT: Final = "layout"
VOLATILE: Final = "volatile"
"""The discardable attribute of an access that must not be removed although its modifiers do not
state it: PTX has no volatile accesses of local memory."""

PTX_COUNT: Final = "ptx_count"
"""The discardable attribute of an op that the PTX reader created: the number of PTX instructions in
the text that it represents, if that differs from the number that the op prints. An instruction that
became several ops is counted at one of them."""

GUARD: Final = "guard"


@irdl_attr_definition
class ModifiersAttr(InternedAttr[str]):
    """The text after the mnemonic: `lt.s32`, `global.v4.f32`, or nothing."""

    name = "nvptx.modifiers"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return parser.parse_str_literal()

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data)


@irdl_attr_definition
class GuardAttr(InternedAttr[bool]):
    """The value of the last operand, a predicate, for which the instruction is executed."""

    name = "nvptx.guard"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> bool:
        with parser.in_angle_brackets():
            return parser.parse_boolean()

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("true" if self.data else "false")


GUARD_TRUE: Final = GuardAttr(True)
"""`@%p`."""

GUARD_FALSE: Final = GuardAttr(False)
"""`@!%p`."""


@cache
def modifiers(text: str) -> ModifiersAttr:
    """The attribute for modifiers such as `lt.s32`, which may be empty."""
    return ModifiersAttr(text)


class MachineOp(Operation):
    """Base of all nvptx ops in a function's body."""

    flags: ClassVar[int] = 0
    """Properties for passes, see `flags.py`; for those of a single op, see `flags_of`."""

    traits = OpTraits(lambda: ())

    def flags_here(self) -> int:
        """The flags of this op with its modifiers."""
        return self.flags

    def requirement(self) -> Requirement | None:
        """The PTX version and target that the op requires."""
        return None


def stated_slots(op: Operation) -> tuple[Slot, ...]:
    """The operands in PTX order, if not all of them are registers; empty otherwise."""
    layout = op.properties.get(LAYOUT)
    return () if layout is None else cast(OperandsAttr, layout).data


def verified_slots(op: Operation, count: int) -> tuple[Slot, ...]:
    """The operands in PTX order, `count` of them registers. Raises VerifyException for a layout
    that does not fit."""
    layout = op.properties.get(LAYOUT)
    if layout is None:
        return (REG,) * count
    if not isinstance(layout, OperandsAttr):
        raise VerifyException(f"the layout of {op.name} must be #nvptx.operands")
    if layout.size != count:
        raise VerifyException(
            f"{op.name}: the layout takes {layout.size} registers, there are {count}"
        )
    return layout.data


def parse_slots(
    parser: Parser, unresolved: list[UnresolvedOperand], properties: dict[str, Attribute]
) -> None:
    """Parses operands: registers are added to `unresolved`; others are recorded as the layout."""

    def register() -> bool:
        operand = parser.parse_optional_unresolved_operand()
        if operand is None:
            return False
        unresolved.append(operand)
        return True

    slots = parse_operands(parser, register)
    if any(slot is not REG for slot in slots):
        properties[LAYOUT] = OperandsAttr(slots)


def flags_of(op: Operation) -> int:
    """The flags of an op with its modifiers; 0 for other dialects."""
    return op.flags_here() if isinstance(op, MachineOp) else 0


def is_identifier(text: str) -> bool:
    """Returns True if modifiers can be printed without quotes."""
    return (
        bool(text)
        and (text[0].isalpha() or text[0] == "_")
        and all(c.isalnum() or c in "_.$" for c in text)
        and text.isascii()
    )


OpT = TypeVar("OpT", bound=Operation)


def finish_parsing(
    cls: type[OpT],
    parser: Parser,
    unresolved: Sequence[UnresolvedOperand],
    properties: dict[str, Attribute],
) -> OpT:
    """Parses the types of an op, which follow `:`, and its attributes; creates the op."""
    position = parser.pos
    type_ = parser.parse_function_type()
    operands = parser.resolve_operands(unresolved, type_.inputs.data, position)
    attributes = parser.parse_optional_attr_dict_with_keyword()
    return cls.create(
        operands=operands,
        result_types=type_.outputs.data,
        properties=properties,
        attributes={} if attributes is None else dict(attributes.data),
    )


def finish_printing(op: Operation, printer: Printer) -> None:
    """Prints the syntax of `finish_parsing`."""
    printer.print_string(" : ")
    printer.print_function_type(
        [v.type for v in fast.operands_of(op)], [r.type for r in op.results]
    )
    if op.attributes:
        printer.print_op_attributes(op.attributes, print_keyword=True)


class InstructionOp(MachineOp):
    """A PTX instruction."""

    mnemonic: ClassVar[str]
    row: ClassVar[Row]

    @staticmethod
    def by_mnemonic(mnemonic: str) -> type[InstructionOp]:
        """Makes pickle look up a class in a table instead of the module."""
        return INSTRUCTIONS[mnemonic]

    @property
    def mods(self) -> str:
        """The modifiers as text."""
        return cast(ModifiersAttr, self.properties[MODIFIERS]).data

    @property
    def guard(self) -> GuardAttr | None:
        """The value of its last operand for which the instruction is executed; None for always."""
        return cast("GuardAttr | None", self.properties.get(GUARD))

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The operands in PTX, without the guard."""
        if LAYOUT in self.properties:
            return stated_slots(self)
        return (REG,) * (len(fast.operands_of(self)) - self.tied - (GUARD in self.properties))

    @property
    def tied(self) -> int:
        """The number of operands before the printed ones: the old values of the results."""
        return len(self.results) if self.row.tied else 0

    @property
    def signature(self) -> Signature | None:
        """The form that the modifiers match; None if there is none."""
        return self.row.signature(self.mods)

    def flags_here(self) -> int:
        flags = self.row.flags_with(self.mods)
        return flags | SIDE_EFFECTS if VOLATILE in self.attributes else flags

    def requirement(self) -> Requirement:
        slots = self.slots
        vectors = sum(slot[0] == VECTOR_KIND for slot in slots)
        constants = (
            tuple(str(slot[1]) if slot[0] == IMMEDIATE_KIND else None for slot in slots)
            if self.row.has_ranges
            else ()
        )
        return self.row.requirement_with(
            self.mods, len(slots), len(self.results), vectors, constants
        )

    # Assembly

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        text = parser.parse_optional_identifier_or_str_literal() or ""
        properties: dict[str, Attribute] = {MODIFIERS: modifiers(text)}
        unresolved: list[UnresolvedOperand] = []

        if cls.row.tied and parser.parse_optional_keyword("tied") is not None:
            unresolved.extend(
                parser.parse_comma_separated_list(
                    Parser.Delimiter.PAREN, parser.parse_unresolved_operand
                )
            )
        if parser.parse_optional_punctuation(":") is None:
            if parser.parse_optional_keyword("if") is None:
                parse_slots(parser, unresolved, properties)
                guarded = parser.parse_optional_keyword("if") is not None
            else:
                guarded = True
            if guarded:
                negated = parser.parse_optional_keyword("not") is not None
                properties[GUARD] = GUARD_FALSE if negated else GUARD_TRUE
                unresolved.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(":")
        return finish_parsing(cls, parser, unresolved, properties)

    def print(self, printer: Printer) -> None:
        text = self.mods
        printer.print_string(" ")
        if is_identifier(text) and text != "if":
            printer.print_string(text)
        else:
            printer.print_string_literal(text)
        operands = fast.operands_of(self)
        tied = self.tied
        if tied:
            printer.print_string(" tied (")
            printer.print_list(operands[:tied], printer.print_ssa_value)
            printer.print_string(")")
        names = iter(operands[tied:])
        slots = self.slots
        if slots:
            printer.print_string(" ")
            printer.print_list(slots, lambda slot: print_slot(printer, slot, names))
        guard = self.guard
        if guard is not None:
            printer.print_string(" if " if guard.data else " if not ")
            printer.print_ssa_value(operands[-1])
        finish_printing(self, printer)

    # Verification

    def verify_(self) -> None:
        mods = self.properties.get(MODIFIERS)
        if not isinstance(mods, ModifiersAttr):
            raise VerifyException(f"{self.name} needs modifiers as property '{MODIFIERS}'")
        for name in self.properties:
            if name not in (MODIFIERS, LAYOUT, GUARD):
                raise VerifyException(f"{self.name} has no property '{name}'")
        signatures = self.row.signatures(mods.data)
        if not signatures:
            raise VerifyException(f"{self.mnemonic} does not take modifiers '{mods.data}'")
        operands: Sequence[SSAValue] = fast.operands_of(self)
        guard = self.properties.get(GUARD)
        if guard is not None:
            if not isinstance(guard, GuardAttr):
                raise VerifyException(f"the guard of {self.name} must be #nvptx.guard")
            if not operands or not isinstance(operands[-1].type, PredRegister):
                raise VerifyException(f"{self.name}: the guard must be a predicate")
            operands = operands[:-1]
        tied = self.tied
        if tied:
            self._verify_tied(operands[:tied])
            operands = operands[tied:]
        slots = verified_slots(self, len(operands))
        wrong = [
            self._wrong_results(signature) or _wrong_operands(slots, operands, signature)
            for signature in signatures
        ]
        if None not in wrong:
            what = f"{self.mnemonic}.{mods.data}" if mods.data else self.mnemonic
            raise VerifyException(f"{what}: {wrong[0]}")

    def _verify_tied(self, operands: Sequence[SSAValue]) -> None:
        for number, (old, new) in enumerate(zip(operands, self.results)):
            if type(old.type) is not type(new.type):
                raise VerifyException(
                    f"{self.mnemonic}.{self.mods}: result {number} is {new.type}, "
                    f"its old value {old.type}"
                )

    def _wrong_results(self, signature: Signature) -> str | None:
        types = [r.type for r in self.results]
        specs = signature.results
        if len(specs) == 1 and specs[0].kind == "bits":
            wrong = _check_bits(types, specs[0]) if types else "is missing"
            return None if wrong is None else f"the result {wrong}"
        wanted: list[OperandSpec] = []
        for spec in specs:
            wanted.extend([spec] * (spec.count or 1))
        least = signature.required_results
        if not least <= len(types) <= len(wanted):
            return f"has {_count_text(least, len(wanted))} results, not {len(types)}"
        for number, (type_, spec) in enumerate(zip(types, wanted)):
            if type(type_) not in spec.accepted:
                return f"result {number} of type {spec.type_} is {type_}"
        return None


def _count_text(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _wrong_operands(
    slots: Sequence[Slot], operands: Sequence[SSAValue], signature: Signature
) -> str | None:
    specs = signature.operands
    least = signature.required_operands
    if not least <= len(slots) <= len(specs):
        return f"takes {_count_text(least, len(specs))} operands, has {len(slots)}"
    at = 0
    for number, (slot, spec) in enumerate(zip(slots, specs)):
        size = slot_size(slot)
        wrong = check_slot(slot, operands[at : at + size], spec)
        if wrong is not None:
            return f"operand {number} {wrong}"
        at += size
    return None


def check_slot(slot: Slot, values: Sequence[SSAValue], spec: OperandSpec) -> str | None:
    """Returns the error of an operand, or None if it matches the form."""
    kind = slot[0]
    wanted = spec.kind
    if wanted == "any":
        return None
    if wanted in ("mem", "tmem"):
        if kind == ADDRESS_KIND:
            if type(values[0].type) not in (B64Register, B32Register):
                return f"is addressed by {values[0].type}"
            return None
        return None if kind == SYMBOL_ADDRESS_KIND else "must be an address"
    if wanted == "either":
        reasons = [check_slot(slot, values, part) for part in spec.parts]
        return None if None in reasons else reasons[0]
    if wanted == "list":
        return _check_list(slot, values, spec)
    if wanted == "const":
        if kind != IMMEDIATE_KIND:
            return "must be an immediate"
        constant = str(slot[1])
        fits = accepts_constant(spec.type_, constant)
        return None if fits else f"must be {spec.type_}, not {constant}"
    if wanted == "sink":
        return None if kind == SINK_KIND else "must be '_'"
    if wanted == "bits":
        if kind in (REGISTER_KIND, VECTOR_KIND):
            if kind == VECTOR_KIND and any(s is not REG for s in elements_of(slot)):
                return None
            return _check_bits([v.type for v in values], spec)
        return "must not be an address" if kind == ADDRESS_KIND else None
    if spec.count:
        if kind != VECTOR_KIND:
            return f"must be {spec.count} registers in braces"
        elements = elements_of(slot)
        if len(elements) != spec.count:
            return f"must be {spec.count} registers in braces, not {len(elements)}"
        if has_floats(elements, values) and any(e[0] == IMMEDIATE_KIND for e in elements):
            return "has integer immediates beside floating-point elements"
    elif kind in (VECTOR_KIND, LIST_ADDRESS_KIND, ADDRESS_KIND, SYMBOL_ADDRESS_KIND, SINK_KIND):
        return f"must be a plain operand of type {spec.type_}"
    elif kind == NEGATED_KIND and spec.type_ != "pred":
        return "cannot be negated"
    accepted = spec.accepted
    for value in values:
        if type(value.type) not in accepted:
            return f"of type {spec.type_} is {value.type}"
    return None


def has_floats(elements: Sequence[Slot], values: Sequence[SSAValue]) -> bool:
    """True if some operands in braces are floating-point ones; `values` are the registers.

    ptxas accepts integer and floating-point registers together, and floating-point immediates with
    either, but no integer immediate together with a floating-point element.
    """
    return any(e[0] == FLOAT_KIND and e[2] != 16 for e in elements) or any(
        type(v.type) in _FLOATS for v in values
    )


_FLOATS: Final = frozenset({F32Register, F64Register})


def _check_list(slot: Slot, values: Sequence[SSAValue], spec: OperandSpec) -> str | None:
    if slot[0] != LIST_ADDRESS_KIND:
        return "must be a list in brackets"
    elements = elements_of(slot)
    if len(elements) != len(spec.parts):
        return f"must be a list of {len(spec.parts)}, not {len(elements)}"
    at = 0
    for element, part in zip(elements, spec.parts):
        size = slot_size(element)
        wrong = check_slot(element, values[at : at + size], part)
        if wrong is not None:
            return f"{wrong} (in its list)"
        at += size
    return None


def _check_bits(types: Sequence[Attribute], spec: OperandSpec) -> str | None:
    """`mov` packs and unpacks: the registers together have the width of its type."""
    total = sum(width(t) for t in types)
    if total != bits_of(spec.type_):
        return f"is {total} bits wide, not {bits_of(spec.type_)}"
    return None


_TRAITS: Final = {
    PURE: OpTraits(lambda: (Pure(),)),
    TERMINATOR: OpTraits(lambda: (IsTerminator(),)),
}


def _class_name(mnemonic: str) -> str:
    words = mnemonic.replace("::", "_").replace(".", "_").split("_")
    return "".join(w[:1].upper() + w[1:] for w in words) + "Op"


def _make_class(row: Row) -> type[InstructionOp]:
    namespace: dict[str, Any] = {
        "__doc__": f"`{row.mnemonic}` of the PTX ISA.",
        "__module__": __name__,
        "name": f"nvptx.{row.mnemonic}",
        "mnemonic": row.mnemonic,
        "row": row,
        "flags": row.flags,
    }
    for flag, traits in _TRAITS.items():
        if row.flags & flag:
            namespace["traits"] = traits
    return type(_class_name(row.mnemonic), (InstructionOp,), namespace)


INSTRUCTIONS: Final[dict[str, type[InstructionOp]]] = {
    mnemonic: _make_class(row) for mnemonic, row in ROWS.items()
}
"""All instruction classes by mnemonic."""


def split_opcode(opcode: str) -> tuple[str, str]:
    """`shfl.sync.bfly.b32` as mnemonic and modifiers: (`shfl.sync`, `bfly.b32`).

    Raises KeyError if no mnemonic matches.
    """
    end = len(opcode)
    while end > 0:
        mnemonic = opcode[:end]
        if mnemonic in INSTRUCTIONS:
            return mnemonic, opcode[end + 1 :]
        end = opcode.rfind(".", 0, end)
    raise KeyError(opcode)


def build(
    instruction: str | type[InstructionOp],
    mods: str | ModifiersAttr = "",
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    layout: OperandsAttr | None = None,
    location: Any = fast.UNKNOWN_LOC,
) -> InstructionOp:
    """A new, detached instruction; nothing is verified.

    Arguments:
        instruction: a mnemonic, or its class.
        mods: the modifiers.
        operands: the registers of the operands in order.
        result_types: register types of the results.
        layout: the layout of the operands; None if each is a plain register.
    """
    cls = INSTRUCTIONS[instruction] if isinstance(instruction, str) else instruction
    properties: dict[str, Attribute] = {
        MODIFIERS: modifiers(mods) if isinstance(mods, str) else mods
    }
    if layout is not None:
        properties[LAYOUT] = layout
    return fast.create(cls, operands, result_types, properties, (), None, location)


def operand_groups(op: InstructionOp) -> Iterator[tuple[Slot, Sequence[SSAValue]]]:
    """Each slot of the instruction with its registers.

    The guard is omitted, and so are operands that only provide the old values of results.
    """
    values = fast.operands_of(op)
    at = op.tied
    for slot in op.slots:
        size = slot_size(slot)
        yield slot, values[at : at + size]
        at += size
