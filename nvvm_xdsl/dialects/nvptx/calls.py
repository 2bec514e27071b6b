"""Calls and inline assembly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Self, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import int_value, integers_of, name_in, text_property
from nvvm_xdsl.dialects.llvm.types import UNIT, dense_i32, string
from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, PURE, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.functions import ParamAttr, PieceAttr, WithSignature
from nvvm_xdsl.dialects.nvptx.instructions import (
    LAYOUT,
    PTX_COUNT,
    MachineOp,
    finish_parsing,
    finish_printing,
    parse_slots,
    stated_slots,
    verified_slots,
)
from nvvm_xdsl.dialects.nvptx.operands import REG, OperandsAttr, Slot, print_slot
from nvvm_xdsl.ir import fast


class _LaidOutOp(MachineOp):
    """An op with an operand layout; all other data are properties."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The operands in PTX order."""
        return stated_slots(self) or (REG,) * len(fast.operands_of(self))

    @classmethod
    def _parse_rest(cls, parser: Parser, properties: dict[str, Attribute]) -> Self:
        unresolved: list[UnresolvedOperand] = []
        parser.parse_punctuation("(")
        if parser.parse_optional_punctuation(")") is None:
            parse_slots(parser, unresolved, properties)
            parser.parse_punctuation(")")
        properties.update(parser.parse_optional_properties_dict())
        parser.parse_punctuation(":")
        return finish_parsing(cls, parser, unresolved, properties)

    def _print_rest(self, printer: Printer, shown: frozenset[str]) -> None:
        names = iter(fast.operands_of(self))
        with printer.in_parens():
            printer.print_list(self.slots, lambda slot: print_slot(printer, slot, names))
        rest = {k: v for k, v in self.properties.items() if k not in shown}
        if rest:
            printer.print_string(" <")
            printer.print_attr_dict(rest)
            printer.print_string(">")
        finish_printing(self, printer)

    def _verify_layout(self) -> None:
        verified_slots(self, len(fast.operands_of(self)))


def _piece_attributes(op: MachineOp, name: str) -> tuple[PieceAttr, ...]:
    found = op.properties.get(name)
    return cast("ArrayAttr[PieceAttr]", found).data if found is not None else ()


class CallOp(WithSignature, _LaidOutOp):
    """A call with its parameters.

        %r = nvptx.call @f(%a, 5) <{params = [#nvptx.param<b64>, #nvptx.param<b32>],
            stores = [#nvptx.piece<0, 0, "b64">, #nvptx.piece<1, 0, "b32">],
            ret = #nvptx.param<b32>, loads = [#nvptx.piece<0, 0, "b32">]}>
            : (!nvptx.b64) -> !nvptx.b32

    Each operand is stored to a piece of a parameter (`stores`), each result loaded from a piece
    of the returned one (`loads`). Without `callee` the first operand is the function's address,
    which has no entry in `stores`. `uni`: all threads of the warp call the same function.
    """

    name = "nvptx.call"
    flags = CONVERGENT | SIDE_EFFECTS | READS | WRITES

    @property
    def callee(self) -> str | None:
        """The called function; None for an indirect call."""
        found = self.properties.get("callee")
        return None if found is None else name_in(found)

    @property
    def stores(self) -> tuple[PieceAttr, ...]:
        """The parameters that the operands are stored to."""
        return _piece_attributes(self, "stores")

    @property
    def loads(self) -> tuple[PieceAttr, ...]:
        """The parameters that the results are loaded from."""
        return _piece_attributes(self, "loads")

    @property
    def ptx_count(self) -> int:
        """The PTX instructions that the call represents, including stores and loads of
        parameters."""
        return int_value(self.attributes.get(PTX_COUNT), 1 + len(self.stores) + len(self.loads))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("uni") is not None:
            properties["uni"] = UNIT
        callee = parser.parse_optional_symbol_name()
        if callee is not None:
            properties["callee"] = SymbolRefAttr(callee)
        return cls._parse_rest(parser, properties)

    def print(self, printer: Printer) -> None:
        if "uni" in self.properties:
            printer.print_string(" uni")
        printer.print_string(" ")
        if self.callee is not None:
            printer.print_symbol_name(self.callee)
        self._print_rest(printer, _SHOWN_OF_CALL)

    def verify_(self) -> None:
        for name in self.properties:
            if name not in _CALL_PROPERTIES:
                raise VerifyException(f"{self.name} has no property '{name}'")
        self._verify_layout()
        stored = sum(p.size for p in self.stores)
        given = len(self.slots) - (self.callee is None)
        if stored != given:
            raise VerifyException(f"{self.name} stores {stored} values, has {given}")
        loaded = sum(p.size for p in self.loads)
        if loaded != len(self.results):
            raise VerifyException(f"{self.name} loads {loaded} results, has {len(self.results)}")
        for attr in self.stores:
            if attr.param >= len(self.params):
                raise VerifyException(f"{self.name} has no parameter {attr.param}")
        if self.loads and self.ret is None:
            raise VerifyException(f"{self.name} loads results and returns nothing")


_SHOWN_OF_CALL: Final = frozenset({"callee", "uni", LAYOUT})
_CALL_PROPERTIES: Final = frozenset({"callee", "params", "stores", "ret", "loads", "uni", LAYOUT})


def call(
    callee: str | None,
    operands: Sequence[SSAValue],
    params: Sequence[ParamAttr],
    stores: Sequence[PieceAttr],
    ret: ParamAttr | None = None,
    loads: Sequence[PieceAttr] = (),
    result_types: Sequence[Attribute] = (),
    *,
    layout: OperandsAttr | None = None,
    uniform: bool = True,
    location: Any = fast.UNKNOWN_LOC,
) -> CallOp:
    """A new, detached call; see `CallOp`."""
    properties: dict[str, Attribute] = {}
    if callee is not None:
        properties["callee"] = SymbolRefAttr(callee)
    if uniform:
        properties["uni"] = UNIT
    if params:
        properties["params"] = ArrayAttr(params)
    if stores:
        properties["stores"] = ArrayAttr(stores)
    if ret is not None:
        properties["ret"] = ret
    if loads:
        properties["loads"] = ArrayAttr(loads)
    if layout is not None:
        properties[LAYOUT] = layout
    return fast.create(CallOp, operands, result_types, properties, (), None, location)


class InlineAsmOp(_LaidOutOp):
    """PTX text of the user.

        %r = nvptx.inline_asm "add.s32 $0, $1, $2;" (%a, 5) : (!nvptx.b32) -> !nvptx.b32

    `$0`, `$1` ... are the results, then the operands; `$$` is a dollar sign. Properties:
    `template`, `constraints` (LLVM's, for information), `side_effects`, `memory` (reads and
    writes memory), `convergent`, and `tied` (`array<i32: ...>`: for each SSA operand the
    result whose register must contain it at the start of the text, -1 for none).
    """

    name = "nvptx.inline_asm"
    flags = CONVERGENT | SIDE_EFFECTS | READS | WRITES

    @property
    def template(self) -> str:
        """The text."""
        return text_property(self, "template")

    @property
    def tied(self) -> list[tuple[int, int]]:
        """The indices of operands and of the results that they are tied to."""
        found = self.properties.get("tied")
        if found is None:
            return []
        results = integers_of(found)
        return [(at, result) for at, result in enumerate(results) if result >= 0]

    def flags_here(self) -> int:
        properties = self.properties
        flags = 0
        if "side_effects" in properties:
            flags |= SIDE_EFFECTS
        if "memory" in properties:
            flags |= READS | WRITES
        if "convergent" in properties:
            flags |= CONVERGENT
        return flags or PURE

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        template = parser.parse_str_literal("PTX text")
        return cls._parse_rest(parser, {"template": string(template)})

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.template)
        printer.print_string(" ")
        self._print_rest(printer, frozenset({"template", LAYOUT}))

    def verify_(self) -> None:
        if not isinstance(self.properties.get("template"), StringAttr):
            raise VerifyException(f"{self.name} needs a string property 'template'")
        for name in self.properties:
            if name not in _ASM_PROPERTIES:
                raise VerifyException(f"{self.name} has no property '{name}'")
        self._verify_layout()
        for at, result in self.tied:
            operands = fast.operands_of(self)
            if at >= len(operands) or result >= len(self.results):
                raise VerifyException(f"{self.name} has no operand {at} or no result {result}")
            if type(operands[at].type) is not type(self.results[result].type):
                raise VerifyException(
                    f"operand {at} of {self.name} is tied to a result of another class"
                )


_ASM_PROPERTIES: Final = frozenset(
    {"template", "constraints", "side_effects", "memory", "convergent", "tied", LAYOUT}
)


def inline_asm(
    template: str,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    *,
    layout: OperandsAttr | None = None,
    constraints: str = "",
    side_effects: bool = False,
    memory: bool = False,
    convergent: bool = False,
    tied: Sequence[int] = (),
    location: Any = fast.UNKNOWN_LOC,
) -> InlineAsmOp:
    """A new, detached `nvptx.inline_asm`."""
    properties: dict[str, Attribute] = {"template": string(template)}
    if constraints:
        properties["constraints"] = string(constraints)
    for name, given in (
        ("side_effects", side_effects),
        ("memory", memory),
        ("convergent", convergent),
    ):
        if given:
            properties[name] = UNIT
    if any(result >= 0 for result in tied):
        properties["tied"] = dense_i32(tied)
    if layout is not None:
        properties[LAYOUT] = layout
    return fast.create(InlineAsmOp, operands, result_types, properties, (), None, location)
