"""Instructions on aggregates and vectors (LLVM Language Reference, "Vector Operations", "Aggregate
Operations").
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import ExtractValueOp, InsertElementOp, InsertValueOp
from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp
from nvvm_xdsl.dialects.llvm.types import dense_i64
from nvvm_xdsl.frontend import builders
from nvvm_xdsl.frontend.arithmetic import ArithmeticReader, Result
from nvvm_xdsl.frontend.builders import element_type, vector_length
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.ir import fast


class AggregateReader(ArithmeticReader):
    """Reads instructions that extract or insert elements of structs, arrays and vectors."""

    def __init__(self, text: str, filename: str, *, debug: DebugLevel = "none") -> None:
        super().__init__(text, filename, debug=debug)
        self.handlers |= {
            "extractvalue": self._extractvalue,
            "insertvalue": self._insertvalue,
            "extractelement": self._extractelement,
            "insertelement": self._insertelement,
            "shufflevector": self._shufflevector,
        }

    def _indices(self) -> list[int]:
        found: list[int] = []
        tokens = self.tokens
        while tokens[self.pos] == "," and tokens[self.pos + 1][:1] != "!":
            self.pos += 1
            self.fill()
            found.append(self.number())
        return found

    def _member(self, type_: Attribute, indices: list[int], place: int) -> Attribute:
        member = builders.member_type(type_, indices)
        if member is None:
            self.fail(f"indices do not fit {self.spell(type_)}", place)
        return member

    def _extractvalue(self, opcode: str) -> Result:
        place = self.pos
        container = self.typed_value()
        indices = self._indices()
        member = self._member(container.type, indices, place)
        return fast.create(
            ExtractValueOp, (container,), (member,), {"position": dense_i64(indices)}
        )

    def _insertvalue(self, opcode: str) -> Result:
        place = self.pos
        container = self.typed_value()
        self.expect(",")
        value_place = self.pos
        value = self.typed_value()
        indices = self._indices()
        member = self._member(container.type, indices, place)
        if value.type is not member:
            self.fail(
                f"inserted value has type {self.spell(value.type)}, expected {self.spell(member)}",
                value_place,
            )
        return fast.create(
            InsertValueOp, (container, value), (container.type,), {"position": dense_i64(indices)}
        )

    def _vector_operand(self) -> SSAValue:
        place = self.pos
        vector = self.typed_value()
        if vector_length(vector.type) is None:
            self.fail(f"expected a vector, found {self.spell(vector.type)}", place)
        return vector

    def _position(self) -> SSAValue:
        place = self.pos
        position = self.typed_value()
        if type(position.type) is not IntegerType:
            self.fail("the position of an element must be an integer", place)
        return position

    def _extractelement(self, opcode: str) -> Result:
        vector = self._vector_operand()
        self.expect(",")
        operands = (vector, self._position())
        return fast.create(ExtractElementOp, operands, (element_type(vector.type),))

    def _insertelement(self, opcode: str) -> Result:
        vector = self._vector_operand()
        self.expect(",")
        place = self.pos
        value = self.typed_value()
        if value.type is not element_type(vector.type):
            self.fail(
                f"{self.spell(value.type)} is not an element of {self.spell(vector.type)}", place
            )
        self.expect(",")
        return fast.create(InsertElementOp, (vector, value, self._position()), (vector.type,))

    def _shufflevector(self, opcode: str) -> Result:
        first = self._vector_operand()
        self.expect(",")
        place = self.pos
        second = self._vector_operand()
        if second.type is not first.type:
            self.fail("operands of shufflevector differ in type", place)
        self.expect(",")
        place = self.pos
        mask = self.mask_of(self.typed_constant(), place)
        limit = 2 * (vector_length(first.type) or 0)
        if any(index >= limit for index in mask):
            self.fail("the mask of shufflevector is out of range", place)
        return builders.shuffle(first, second, mask)
