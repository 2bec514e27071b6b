"""Arithmetic, comparisons and casts (LLVM Language Reference, "Binary Operations", "Conversion
Operations").

Each opcode has a reader method. At its start the current token is the one after the opcode; at its
end it is the comma before the instruction's metadata, if any.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    BitcastOp,
    FAddOp,
    FDivOp,
    FMulOp,
    FNegOp,
    FPExtOp,
    FPTruncOp,
    FRemOp,
    FSubOp,
    IntToPtrOp,
    LLVMPointerType,
    LShrOp,
    MulOp,
    OrOp,
    PtrToIntOp,
    SDivOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SIToFPOp,
    SRemOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, FPToSIOp, FPToUIOp, FreezeOp, UIToFPOp
from nvvm_xdsl.dialects.llvm.types import UNIT
from nvvm_xdsl.frontend import builders
from nvvm_xdsl.frontend.builders import (
    FCMP_PREDICATES,
    ICMP_PREDICATES,
    element_type,
    vector_length,
)
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.operands import OperandReader
from nvvm_xdsl.ir import fast

Result = SSAValue | Operation | None
"""The op that an instruction creates, or the value that replaces its result."""

_NO_FLAGS = builders.arithmetic_properties("add", ())["overflowFlags"]

_WRAP_FLAGS: dict[tuple[bool, bool], Attribute] = {
    (nuw, nsw): builders.arithmetic_properties(
        "add", (("nuw",) if nuw else ()) + (("nsw",) if nsw else ())
    )["overflowFlags"]
    for nuw in (False, True)
    for nsw in (False, True)
}


def _by_opcode(*classes: type[Operation]) -> dict[str, type[Operation]]:
    """Op classes by the keyword of their instruction."""
    return {cls.name.removeprefix("llvm."): cls for cls in classes}


_CAST_CLASSES = _by_opcode(
    TruncOp,
    ZExtOp,
    SExtOp,
    FPTruncOp,
    FPExtOp,
    FPToUIOp,
    FPToSIOp,
    UIToFPOp,
    SIToFPOp,
    PtrToIntOp,
    IntToPtrOp,
    BitcastOp,
    AddrSpaceCastOp,
)

_INT_CLASSES = _by_opcode(
    AddOp, SubOp, MulOp, ShlOp, UDivOp, SDivOp, LShrOp, AShrOp, URemOp, SRemOp, AndOp, OrOp, XOrOp
)

_FLOAT_CLASSES = _by_opcode(FAddOp, FSubOp, FMulOp, FDivOp, FRemOp)

_WRAPPING = frozenset({"add", "sub", "mul", "shl"})

_EXACT = frozenset({"udiv", "sdiv", "lshr", "ashr"})


class ArithmeticReader(OperandReader):
    """Reads instructions that compute a value from scalars and vectors."""

    handlers: dict[str, Callable[[str], Result]]
    """The reader method of each opcode."""

    def __init__(self, text: str, filename: str, *, debug: DebugLevel = "none") -> None:
        super().__init__(text, filename, debug=debug)
        self.handlers = {
            **dict.fromkeys(_INT_CLASSES, self._int_binary),
            **dict.fromkeys(_FLOAT_CLASSES, self._float_binary),
            **dict.fromkeys(_CAST_CLASSES, self._cast_instruction),
            "ptrtoaddr": self._cast_instruction,
            "fneg": self._fneg,
            "icmp": self._icmp,
            "fcmp": self._fcmp,
            "select": self._select,
            "freeze": self._freeze,
        }

    def _int_binary(self, opcode: str) -> Result:
        tokens = self.tokens
        properties: dict[str, Attribute] = {}
        if opcode in _WRAPPING:
            token = tokens[self.pos]
            flags = _NO_FLAGS
            if token in ("nuw", "nsw"):
                self.pos += 1
                other = tokens[self.pos]
                nuw = nsw = False
                if other in ("nuw", "nsw"):
                    self.pos += 1
                    nuw = nsw = token != other
                flags = _WRAP_FLAGS[nuw or token == "nuw", nsw or token == "nsw"]
            properties["overflowFlags"] = flags
        elif tokens[self.pos] == "exact" and opcode in _EXACT:
            self.pos += 1
            properties["isExact"] = UNIT
        elif tokens[self.pos] == "disjoint" and opcode == "or":
            self.pos += 1
            properties["isDisjoint"] = UNIT
        return self._two_operands(opcode, _INT_CLASSES[opcode], properties)

    def _float_binary(self, opcode: str) -> Result:
        properties: dict[str, Attribute] = {"fastmathFlags": self.fastmath()}
        return self._two_operands(opcode, _FLOAT_CLASSES[opcode], properties)

    def _two_operands(
        self, opcode: str, cls: type[Operation], properties: dict[str, Attribute]
    ) -> Operation:
        place = self.pos
        type_ = self.type_()
        message = builders.check_arithmetic(opcode, type_)
        if message is not None:
            self.fail(message, place)
        lhs = self.value(type_)
        self.expect(",")
        rhs = self.value(type_)
        return fast.create(cls, (lhs, rhs), (type_,), properties)

    def _fneg(self, opcode: str) -> Result:
        flags = self.fastmath()
        place = self.pos
        type_ = self.type_()
        message = builders.check_arithmetic(opcode, type_)
        if message is not None:
            self.fail(message, place)
        return fast.create(FNegOp, (self.value(type_),), (type_,), {"fastmathFlags": flags})

    def _compare_operands(self, opcode: str) -> tuple[SSAValue, SSAValue]:
        place = self.pos
        type_ = self.type_()
        message = builders.check_compare(opcode, type_)
        if message is not None:
            self.fail(message, place)
        lhs = self.value(type_)
        self.expect(",")
        return lhs, self.value(type_)

    def _icmp(self, opcode: str) -> Result:
        self.accept("samesign")
        predicate = self.tokens[self.pos]
        if predicate not in ICMP_PREDICATES:
            self.fail_expected("a predicate of icmp")
        self.pos += 1
        lhs, rhs = self._compare_operands(opcode)
        return builders.icmp(predicate, lhs, rhs)

    def _fcmp(self, opcode: str) -> Result:
        flags = self.fastmath()
        predicate = self.tokens[self.pos]
        if predicate not in FCMP_PREDICATES:
            self.fail_expected("a predicate of fcmp")
        self.pos += 1
        lhs, rhs = self._compare_operands(opcode)
        return builders.fcmp(predicate, lhs, rhs, flags)

    def _select(self, opcode: str) -> Result:
        flags = self.fastmath()
        place = self.pos
        condition = self.typed_value()
        self.expect(",")
        true = self.typed_value()
        self.expect(",")
        false = self.typed_value()
        type_ = true.type
        message = builders.check_select(condition.type, type_, false.type)
        if message is not None:
            self.fail(message, place)
        return fast.create(SelectOp, (condition, true, false), (type_,), {"fastmathFlags": flags})

    def _cast_instruction(self, opcode: str) -> Result:
        tokens = self.tokens
        properties: dict[str, Attribute] = {}
        flags: list[str] = []
        while tokens[self.pos] in ("nneg", "nuw", "nsw"):
            flags.append(self.next_token())
        if opcode in ("fptrunc", "fpext", "sitofp", "uitofp", "fptoui", "fptosi"):
            self.fastmath()
        place = self.pos
        operand = self.typed_value()
        self.expect("to")
        target = self.value_type()
        source = operand.type
        if opcode == "bitcast" and source is target:
            return operand
        if opcode == "ptrtoaddr":
            opcode = "ptrtoint"
        message = builders.check_cast(opcode, source, target)
        if message is not None and opcode == "bitcast" and self.names_bytes(place):
            made = self._bytes_and_pointers(operand, target)
            if made is not None:
                return made
        if message is not None:
            self.fail(message, place)
        if flags or opcode == "trunc":
            properties = builders.arithmetic_properties(opcode, flags)
        return fast.create(_CAST_CLASSES[opcode], (operand,), (target,), properties)

    def _bytes_and_pointers(self, operand: SSAValue, target: Attribute) -> Operation | None:
        """The conversion of pointers to bytes, or of bytes to pointers; None if the sizes differ."""
        source = operand.type
        pointers = source if type(element_type(source)) is LLVMPointerType else target
        if type(element_type(pointers)) is not LLVMPointerType:
            return None
        numbers: Attribute = types.integer(8 * self.layout.size(element_type(pointers)))
        count = vector_length(pointers)
        if count is not None:
            numbers = types.vector(count, numbers)
        before, after = (numbers, target) if pointers is source else (source, numbers)
        if before is not after and builders.check_cast("bitcast", before, after) is not None:
            return None
        opcodes = ("ptrtoint", "bitcast") if pointers is source else ("bitcast", "inttoptr")
        ends = (numbers, target)
        for opcode, type_ in zip(opcodes, ends):
            if operand.type is type_:
                continue
            made = fast.create(_CAST_CLASSES[opcode], (operand,), (type_,))
            if type_ is target:
                return made
            fast.append(self.block, made)
            operand = made.results[0]
        return None

    def _freeze(self, opcode: str) -> Result:
        value = self.typed_value()
        return fast.create(FreezeOp, (value,), (value.type,))
