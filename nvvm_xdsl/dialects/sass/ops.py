"""The contents of a cubin: functions with their instructions, variables and constant banks.

sass.function "saxpy" arch = 90 entry params = ["0:4", "4:4", "8:8"] param_base = 528 {
  sass.instruction "ISETP.GE.AND" ["P0", "PT", "R7", "UR4", "PT"] address = 96 stall = 13 wait = 4
  sass.instruction "EXIT" [] address = 112 guard = "P0" stall = 5
  ...
}
"""

from __future__ import annotations

from functools import cached_property

from xdsl.ir import OpTraits
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.fields import FieldOp
from nvvm_xdsl.dialects.sass.control_information import Control
from nvvm_xdsl.dialects.sass.operands import Operand, OperandError, parse_operand


class FunctionOp(FieldOp):
    """A section of code: a kernel (`entry`) or a device function.

    `params` has offset and size of each parameter of a kernel, from the base `param_base` in
    constant bank 0. `frame` is the stack size of a thread, `shared` the bytes of static shared
    memory, the first `reserved` of which belong to the system.
    """

    name = "sass.function"
    REQUIRED = ("symbol",)
    OPTIONAL = ("arch", "params", "param_base", "frame", "registers", "shared", "reserved")
    UNITS = ("entry",)
    HAS_BODY = True
    traits = OpTraits(lambda: (NoTerminator(),))


class LabelOp(FieldOp):
    """A target that instructions name: `sass.label ".L_x_1"`."""

    name = "sass.label"
    REQUIRED = ("label",)


class InstructionOp(FieldOp):
    """An instruction with its operands, predicate (`guard`), address and control information.

    `write`, `read` and `wait` are the scoreboard barriers, `reuse` the operand slots whose registers
    are kept (see `control.Control`). `immediate` contains the bits of a NaN literal, because its
    text does not determine them.
    """

    name = "sass.instruction"
    REQUIRED = ("opcode", "operands")
    OPTIONAL = ("address", "guard", "stall", "write", "read", "wait", "reuse", "immediate")
    UNITS = ("yield",)

    @property
    def opcode(self) -> str:
        """The mnemonic with its modifiers: `IMAD.WIDE.U32`."""
        return self.text("opcode")

    @property
    def mnemonic(self) -> str:
        """The opcode without modifiers."""
        return self.opcode.partition(".")[0]

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The modifiers of the opcode, in order."""
        return tuple(self.opcode.split(".")[1:])

    @property
    def address(self) -> int:
        """In bytes, from the start of the function."""
        return self.number("address") or 0

    @property
    def guard(self) -> Operand | None:
        """The predicate under which it executes."""
        text = self.text("guard")
        return parse_operand(text) if text else None

    @property
    def control(self) -> Control:
        """Its control information."""
        return Control(
            self.number("stall") or 0,
            "yield" in self.properties,
            self.number("write"),
            self.number("read"),
            self.number("wait") or 0,
            self.number("reuse") or 0,
        )

    @cached_property
    def parsed(self) -> tuple[Operand, ...]:
        """The operands. Raises OperandError."""
        return tuple(parse_operand(text) for text in self.texts("operands"))

    def source_text(self) -> str:
        """The instruction as nvdisasm prints it."""
        guard = self.text("guard")
        head = f"@{guard} {self.opcode}" if guard else self.opcode
        return f"{head} {', '.join(self.texts('operands'))}".rstrip()

    def verify_(self) -> None:
        super().verify_()
        try:
            _ = self.parsed, self.guard
        except OperandError as error:
            raise VerifyException(f"{self.name}: {error}") from None


class DataOp(FieldOp):
    """A section of data: a constant bank (`constant3`), variables (`global`), or shared memory.

    `bytes` is its initial content in hexadecimal, absent if it is all zero; `relocations` has
    entries `offset:kind:symbol:addend`.
    """

    name = "sass.data"
    REQUIRED = ("section", "size")
    OPTIONAL = ("align", "bytes", "relocations")


class SymbolOp(FieldOp):
    """A named object in a data section."""

    name = "sass.symbol"
    REQUIRED = ("symbol", "section", "offset", "size")


OPS: tuple[type[FieldOp], ...] = (FunctionOp, LabelOp, InstructionOp, DataOp, SymbolOp)
