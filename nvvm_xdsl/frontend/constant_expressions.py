"""Constant expressions (LLVM Language Reference, "Constant Expressions")."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.llvm import LLVMPointerType

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.flags import GEP_FLAG_BITS
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX
from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.frontend import builders
from nvvm_xdsl.frontend.constants import (
    BINARY_OPCODES,
    CAST_OPCODES,
    Constant,
    ConstantReader,
    constant_element_type,
    elements_of,
    outer_count,
)
from nvvm_xdsl.frontend.types import is_first_class, is_vector

_FLAGS = frozenset({"nuw", "nsw", "exact", "disjoint", "nneg"})
_GEP_FLAGS = {word: GEP_FLAG_BITS[word] for word in ("inbounds", "nusw", "nuw")}


class ConstantExpressionReader(ConstantReader):
    """Reads constant expressions at the current token."""

    def constant_expression(self, opcode: str) -> Constant:
        """The constant expression at the current token; its value has any type."""
        place = self.pos
        self.pos += 1
        self.fill()
        if opcode in CAST_OPCODES:
            return self._cast(opcode, place)
        if opcode == "getelementptr":
            return self._gep(place)
        flags: list[str] = []
        while self.tokens[self.pos] in _FLAGS:
            flags.append(self.next_token())
        predicate = ""
        if opcode in ("icmp", "fcmp"):
            predicate = self.next_token()
            known = builders.ICMP_PREDICATES if opcode == "icmp" else builders.FCMP_PREDICATES
            if predicate not in known:
                self.fail(f"unknown predicate of {opcode}", self.pos - 1)
        self.expect("(")
        operands = [self.typed_constant()]
        indices: list[int] = []
        while self.accept(","):
            self.fill()
            if opcode in ("extractvalue", "insertvalue") and self.tokens[self.pos].isdecimal():
                indices.append(self.number())
            else:
                operands.append(self.typed_constant())
        self.expect(")")
        return self._operation(opcode, operands, flags, predicate, indices, place)

    def _operation(
        self,
        opcode: str,
        operands: list[Constant],
        flags: list[str],
        predicate: str,
        indices: list[int],
        place: int,
    ) -> Constant:
        wanted = {"fneg": 1, "extractvalue": 1, "select": 3, "insertelement": 3, "shufflevector": 3}
        if len(operands) != wanted.get(opcode, 2):
            self.fail(f"wrong number of operands of {opcode}", place)
        first = operands[0]
        type_ = first.type
        extra: Any = tuple(flags)
        message: str | None = None
        if opcode in BINARY_OPCODES or opcode in ("icmp", "fcmp"):
            if operands[1].type is not type_:
                message = f"operands of {opcode} differ in type"
            elif opcode in BINARY_OPCODES:
                message = builders.check_arithmetic(opcode, type_)
            else:
                message = builders.check_compare(opcode, type_)
            if opcode in ("icmp", "fcmp") and message is None:
                extra = predicate
                type_ = builders.compare_type(type_)
        elif opcode == "fneg":
            message = builders.check_arithmetic("fadd", type_)
        elif opcode == "select":
            type_ = operands[1].type
            message = builders.check_select(first.type, type_, operands[2].type)
        elif opcode == "extractelement":
            if not is_vector(type_):
                message = f"extractelement needs a vector, not {self.spell(type_)}"
            else:
                type_ = constant_element_type(type_)
        elif opcode == "insertelement":
            if not is_vector(type_) or constant_element_type(type_) is not operands[1].type:
                message = "operands of insertelement do not fit"
        elif opcode == "shufflevector":
            mask = self.mask_of(operands.pop(), place)
            extra = mask
            if not is_vector(type_) or operands[1].type is not type_:
                message = "operands of shufflevector do not fit"
            else:
                type_ = types.vector(len(mask), constant_element_type(type_))
        else:
            extra = tuple(indices)
            member = builders.member_type(type_, indices)
            if member is None:
                message = f"indices of {opcode} do not fit {self.spell(type_)}"
            elif opcode == "extractvalue":
                type_ = member
            elif operands[1].type is not member:
                message = "operands of insertvalue do not fit"
        if message is not None:
            self.fail(message, place)
        return Constant("expression", type_, (opcode, operands, extra))

    def mask_of(self, constant: Constant, place: int) -> tuple[int, ...]:
        """The mask of a shufflevector: -1 for an undefined element."""
        type_ = constant.type
        if not is_vector(type_) or constant_element_type(type_) is not I32:
            self.fail("the mask of shufflevector must be a vector of i32", place)
        count = outer_count(type_)
        if constant.kind == "zero":
            return (0,) * count
        if constant.kind in ("undef", "poison"):
            return (-1,) * count
        mask: list[int] = []
        for element in elements_of(constant):
            if element.kind in ("undef", "poison"):
                mask.append(-1)
            elif element.kind in ("int", "zero"):
                mask.append(element.payload or 0)
            else:
                self.fail("the mask of shufflevector must be constant", place)
        return tuple(mask)

    def _cast(self, opcode: str, place: int) -> Constant:
        while self.tokens[self.pos] in _FLAGS:
            self.pos += 1
        self.expect("(")
        operand = self.typed_constant()
        self.expect("to")
        target = self.value_type()
        self.expect(")")
        source = operand.type
        if opcode == "ptrtoaddr":
            opcode = "ptrtoint"
        if opcode == "bitcast" and source is target:
            return operand
        message = builders.check_cast(opcode, source, target)
        if message is not None and opcode == "bitcast" and self.names_bytes(place):
            opcode = "ptrtoint" if type(source) is LLVMPointerType else "inttoptr"
            message = builders.check_cast(opcode, source, target)
        if message is not None:
            self.fail(message, place)
        return Constant("expression", target, (opcode, [operand], ()))

    def _gep(self, place: int) -> Constant:
        flags = self.gep_flags()
        self.expect("(")
        element = self.type_()
        pointee = self.pointee
        if self.accept(","):
            base_type = self.value_type()
        else:
            # Before LLVM 3.7 the element type was the pointer's.
            base_type = element
            if pointee is None:
                self.fail_expected("','")
            element = pointee
        if not is_first_class(element):
            self.fail(f"getelementptr into {self.spell(element)}", place)
        base = self.constant(base_type)
        operands = [base]
        while self.accept(","):
            self.fill()
            if self.tokens[self.pos] == "inrange":
                self.pos += 1
            operands.append(self.typed_constant())
        self.expect(")")
        constants = [o.payload if o.kind == "int" else None for o in operands[1:]]
        if all(o.is_zero_index() for o in operands[1:]) and isinstance(base_type, LLVMPointerType):
            return base
        types_ = [o.type for o in operands[1:]]
        shape = builders.gep_shape(base_type, element, types_, constants)
        if isinstance(shape, str):
            self.fail(shape, place)
        result, raw = shape
        dynamic = [o for o, r in zip(operands[1:], raw) if r == DYNAMIC_INDEX]
        return Constant(
            "expression", result, ("getelementptr", [base, *dynamic], (element, flags, tuple(raw)))
        )

    def gep_flags(self) -> int:
        """`inbounds`, `nusw`, `nuw` as MLIR's bits; `inrange` is dropped."""
        flags = 0
        while True:
            token = self.tokens[self.pos]
            bits = _GEP_FLAGS.get(token)
            if bits is not None:
                flags |= bits
                self.pos += 1
            elif token == "inrange":
                self.pos += 1
                self.expect("(")
                self.number()
                self.expect(",")
                self.number()
                self.expect(")")
            else:
                return flags
