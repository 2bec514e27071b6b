"""An op of MLIR's main branch while the reader replaces it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.dialects.llvm import ConstantOp
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.str_enum import StrEnum

from nvvm_xdsl.dialects.llvm.types import VOID, int_attr
from nvvm_xdsl.dialects.nvvm.calls import PREFIX, build_call
from nvvm_xdsl.ir import fast

COLLECTORS: Final = ("discard", "lastuse", "fill", "use")
"""Uses of a collector by their numbers."""

SCALE_OF_ONE: Final = 0x7F7F
"""Two factors of one as exponents with a bias of 127."""


class ReplacedOp:
    """An op that is replaced, and the ops before it that compute its result."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.operands = fast.operands_of(op)
        self.results = [result.type for result in op.results]

    def word(self, name: str, default: str = "") -> str:
        """The keyword of an enumeration."""
        attr = cast("EnumAttribute[StrEnum] | None", self.op.properties.get(name))
        return default if attr is None else attr.data.value

    def flag(self, name: str) -> bool:
        """Whether a Boolean property is on."""
        return self.number(name) != 0

    def number(self, name: str) -> int:
        """The value of an integer; 0 if it is not stated."""
        attr = self.op.properties.get(name)
        return attr.value.data if isinstance(attr, IntegerAttr) else 0

    def suffix(self, *names: str) -> str:
        """`.ftz` and others, in this order, of the flags that are on."""
        return "".join(f".{name}" for name in names if self.flag(name))

    def insert(self, made: Operation) -> SSAValue:
        """Inserts an op before the replaced one and returns its result."""
        fast.insert_before(made, self.op)
        return made.results[0]

    def make(
        self, cls: type[Operation], value: SSAValue, type_: Attribute, *others: SSAValue
    ) -> SSAValue:
        """Creates and inserts an op, and returns its result."""
        return self.insert(fast.create(cls, (value, *others), (type_,)))

    def constant(self, value: int, type_: IntegerType) -> SSAValue:
        """Inserts a constant."""
        return self.insert(fast.create(ConstantOp, (), (type_,), {"value": int_attr(value, type_)}))

    def call(
        self, name: str, arguments: Sequence[SSAValue], output: Attribute | None = None
    ) -> SSAValue | None:
        """The result of an intrinsic, by default of the op's type."""
        if output is None:
            output = self.results[0] if self.results else VOID
        made = build_call(f"{PREFIX}{name}", arguments, output, self.insert)
        if isinstance(made, SSAValue):
            return made
        fast.insert_before(made, self.op)
        return made.results[0] if made.results else None
