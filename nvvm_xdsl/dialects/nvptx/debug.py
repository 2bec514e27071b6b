"""Locations of source variables, for debuggers."""

from __future__ import annotations

from typing import Final, Self

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, OpTraits, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr
from nvvm_xdsl.dialects.llvm.debug_placement import DEBUG_OPS, DebugOpClass
from nvvm_xdsl.dialects.llvm.struct_attributes import DILocalVariableAttr
from nvvm_xdsl.dialects.llvm.types import I64, UNIT, int_attr, string
from nvvm_xdsl.dialects.nvptx.instructions import MachineOp, finish_parsing, finish_printing
from nvvm_xdsl.ir import fast

DESCRIBED: Final = "nvptx.debug"
"""The attribute of a module variable with its source description: an array of
`#llvm.di_global_variable_expression`.
"""


class DebugValueOp(MachineOp):
    """A variable has a value, or is in memory, from here on: LLVM's `DBG_VALUE`.

    Properties: `variable`; `expression`, a `#llvm.di_expression` that is applied to the following;
    `address`, a unit: the register contains the variable's address; `symbol`, in whose memory, in
    state space `space`, the variable is; `constant`, its value as an unsigned number. Without
    register, symbol or constant the location is unknown. It emits no code, and passes over machine
    code do not see it (`dialects/llvm/debug_placement.py`).

        nvptx.debug_value %r <{variable = #llvm.di_local_variable<...>}> : (!nvptx.b32) -> ()
        nvptx.debug_value <{variable = ..., symbol = "__local_0", space = "local"}> : () -> ()
    """

    name = "nvptx.debug_value"
    traits = OpTraits(lambda: ())

    @property
    def variable(self) -> DILocalVariableAttr:
        """The variable."""
        found = self.properties["variable"]
        assert isinstance(found, DILocalVariableAttr)
        return found

    @property
    def expression(self) -> DIExpressionAttr | None:
        """The expression applied to the location or value, if there is one."""
        found = self.properties.get("expression")
        return found if isinstance(found, DIExpressionAttr) else None

    @property
    def symbol(self) -> str:
        """The symbol of the variable's memory, or an empty string."""
        found = self.properties.get("symbol")
        return found.data if isinstance(found, StringAttr) else ""

    @property
    def space(self) -> str:
        """The state space of the symbol."""
        found = self.properties.get("space")
        return found.data if isinstance(found, StringAttr) else ""

    @property
    def constant(self) -> int | None:
        """The value, as an unsigned number."""
        found = self.properties.get("constant")
        return found.value.data if isinstance(found, IntegerAttr) else None

    @property
    def is_address(self) -> bool:
        """True if the register contains the variable's address."""
        return "address" in self.properties

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_optional_unresolved_operand()
        properties = dict(parser.parse_optional_properties_dict())
        parser.parse_punctuation(":")
        return finish_parsing(cls, parser, () if operand is None else (operand,), properties)

    def print(self, printer: Printer) -> None:
        operands = fast.operands_of(self)
        for operand in operands:
            printer.print_string(" ")
            printer.print_ssa_value(operand)
        printer.print_string(" <")
        printer.print_attr_dict(DictionaryAttr(self.properties).data)
        printer.print_string(">")
        finish_printing(self, printer)

    def verify_(self) -> None:
        if not isinstance(self.properties.get("variable"), DILocalVariableAttr):
            raise VerifyException(f"{self.name} needs a #llvm.di_local_variable 'variable'")
        sources = len(fast.operands_of(self)) + bool(self.symbol) + (self.constant is not None)
        if sources > 1 or self.results:
            raise VerifyException(f"{self.name} has a register, a symbol or a constant, no results")


def _without_register(op: Operation, _type: Attribute) -> list[Operation]:
    """The description of a variable whose register was removed: its location is unknown."""
    op.properties.pop("address", None)
    return [op]


DEBUG_OPS[DebugValueOp] = DebugOpClass(unknown=_without_register)


def debug_value(
    variable: Attribute,
    expression: Attribute | None,
    register: SSAValue | None = None,
    *,
    address: bool = False,
    symbol: str = "",
    space: str = "",
    constant: int | None = None,
) -> DebugValueOp:
    """A new, detached `nvptx.debug_value`; see there for the arguments."""
    properties: dict[str, Attribute] = {"variable": variable}
    if expression is not None:
        properties["expression"] = expression
    if address:
        properties["address"] = UNIT
    if symbol:
        properties["symbol"] = string(symbol)
        properties["space"] = string(space)
    if constant is not None:
        properties["constant"] = int_attr(constant, I64)
    return fast.create(DebugValueOp, () if register is None else (register,), (), properties)
