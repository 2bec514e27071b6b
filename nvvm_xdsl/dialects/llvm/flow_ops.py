"""Terminators and other ops of the llvm dialect whose assembly MLIR writes in C++.

Constructed at speed by `ir.fast.create`. `llvm.switch` needs `operandSegmentSizes` (1, the
operands of the default destination, those of all cases) and, if it has cases, `case_values` and
`case_operand_segments`; `llvm.invoke` needs `operandSegmentSizes` (callee operands, normal, unwind,
bundles).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVM_CALLING_CONVS, CallingConventionAttr, LLVMFunctionType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.assembly import parse_stripped_pointer, print_stripped_pointer
from nvvm_xdsl.dialects.constraints import (
    I1,
    I8_ATTR,
    I32_ARRAY,
    INT_ELEMENTS,
    LLVM_TYPE,
    POINTER,
    SIGNLESS_INT,
)
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    case_segments,
    integers_of,
    is_direct_call,
    segment_sizes,
)
from nvvm_xdsl.dialects.llvm.assembly_helpers import (
    parse_bundles,
    parse_successor,
    print_attr_dict,
    print_bundles,
    print_successor,
    take_properties,
)
from nvvm_xdsl.dialects.llvm.call_assembly import (
    CALL_HIDDEN,
    parse_call_types,
    parse_callee,
    parse_variadic_type,
    print_call_types,
    print_callee,
    print_variadic_type,
)
from nvvm_xdsl.dialects.llvm.types import dense_i32, int_attr, integer, width_of
from nvvm_xdsl.xdsl_patches.definitions import irdl_op_definition


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """`llvm.switch %x : i32, ^default [ 0: ^bb1(%a : i32), 42: ^bb2 ]`."""

    name = "llvm.switch"
    value = operand_def(SIGNLESS_INT)
    defaultOperands = var_operand_def()
    caseOperands = var_operand_def()
    case_values = opt_prop_def(INT_ELEMENTS)
    case_operand_segments = prop_def(I32_ARRAY)
    branch_weights = opt_prop_def(I32_ARRAY)
    defaultDestination = successor_def()
    caseDestinations = var_successor_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())

    @staticmethod
    def make_properties(
        value_type: IntegerType,
        values: Sequence[int],
        default_count: int,
        case_counts: Sequence[int],
        branch_weights: Sequence[int] | None = None,
    ) -> dict[str, Attribute]:
        """The properties of a switch with these case values and operands for each edge."""
        properties: dict[str, Attribute] = {
            "case_operand_segments": dense_i32(case_counts),
            "operandSegmentSizes": dense_i32((1, default_count, sum(case_counts))),
        }
        if values:
            type_ = VectorType(value_type, [len(values)])
            attrs = [int_attr(v, value_type).value.data for v in values]
            properties["case_values"] = DenseIntOrFPElementsAttr.from_list(type_, attrs)
        if branch_weights is not None:
            properties["branch_weights"] = dense_i32(branch_weights)
        return properties

    def edges(self) -> list[tuple[int | None, Block, tuple[SSAValue, ...]]]:
        """Value, destination and operands of each edge, the default one, None, first."""
        _, default_count, _ = segment_sizes(self)
        operands = tuple(self.operands)
        start = 1 + default_count
        default, *cases = self.successors
        found: list[tuple[int | None, Block, tuple[SSAValue, ...]]] = [
            (None, default, operands[1:start])
        ]
        counts = case_segments(self)
        for value, block, count in zip(branches.case_values(self, signed=True), cases, counts):
            found.append((value, block, operands[start : start + count]))
            start += count
        return found

    def verify_(self) -> None:
        values = branches.case_values(self, signed=True)
        counts = case_segments(self)
        if len(self.successors) != len(values) + 1:
            raise VerifyException(
                f"expected as many case destinations as values, got {len(values)} values and "
                f"{len(self.successors) - 1} destinations"
            )
        if len(counts) != len(values):
            raise VerifyException(
                f"expected an operand count for each of {len(values)} cases, got {len(counts)}"
            )
        if len(set(values)) != len(values):
            raise VerifyException("two cases have the same value")
        weights = self.properties.get("branch_weights")
        if weights is not None and len(integers_of(weights)) != len(self.successors):
            raise VerifyException(
                f"expected {len(self.successors)} branch weights, got {len(integers_of(weights))}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        position = parser.pos
        type_ = parser.parse_type()
        width = width_of(type_)
        if not width:
            parser.raise_error("expected an integer type", position)
        type_ = integer(width)
        parser.parse_punctuation(",")
        default, default_operands = parse_successor(parser)

        def case() -> tuple[int, Block, list[SSAValue]]:
            number = parser.parse_integer()
            parser.parse_punctuation(":")
            return number, *parse_successor(parser)

        cases = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, case)
        weights: list[int] | None = None
        if parser.parse_optional_keyword("weights") is not None:
            # The clause of MLIR's main branch.
            with parser.in_parens():
                weights = parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, parser.parse_integer
                )
        attributes = parser.parse_optional_attr_dict()
        properties = cls.make_properties(
            type_,
            [number for number, _, _ in cases],
            len(default_operands),
            [len(operands) for _, _, operands in cases],
            weights,
        )
        properties |= take_properties(cls, attributes)
        return cls.create(
            operands=[
                parser.resolve_operand(value, type_),
                *default_operands,
                *(operand for _, _, operands in cases for operand in operands),
            ],
            successors=[default, *(block for _, block, _ in cases)],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        value = self.operands[0]
        printer.print_string(" ")
        printer.print_ssa_value(value)
        printer.print_string(" : ")
        printer.print_attribute(value.type)
        printer.print_string(", ")
        (_, default, default_operands), *cases = self.edges()
        print_successor(printer, default, default_operands)
        printer.print_string(" [")
        with printer.indented():
            for i, (number, block, operands) in enumerate(cases):
                printer.print_string("," if i else "")
                printer.print_string(f"\n{number}: ")
                print_successor(printer, block, operands)
        printer.print_string("\n]")
        print_attr_dict(printer, self, _SWITCH_HIDDEN)


_SWITCH_HIDDEN = frozenset({"case_values", "case_operand_segments", "operandSegmentSizes"})


@irdl_op_definition
class IndirectBrOp(IRDLOperation):
    """`llvm.indirectbr %p : !llvm.ptr, [ ^bb1(%a : i32), ^bb2 ]`."""

    name = "llvm.indirectbr"
    addr = operand_def(POINTER)
    succOperands = var_operand_def()
    indbr_operand_segments = prop_def(I32_ARRAY)
    successors_ = var_successor_def()
    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        address = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type_ = parse_stripped_pointer(parser)
        parser.parse_punctuation(",")
        found = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_successor(parser)
        )
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=[
                parser.resolve_operand(address, type_),
                *(operand for _, operands in found for operand in operands),
            ],
            successors=[block for block, _ in found],
            properties={"indbr_operand_segments": dense_i32([len(o) for _, o in found])},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        address, *operands = self.operands
        printer.print_string(" ")
        printer.print_ssa_value(address)
        printer.print_string(" : ")
        print_stripped_pointer(printer, address.type)
        printer.print_string(", [")
        start = 0
        counts = integers_of(self.properties["indbr_operand_segments"])
        for i, (block, count) in enumerate(zip(self.successors, counts)):
            printer.print_string(",\n" if i else "\n")
            print_successor(printer, block, operands[start : start + count])
            start += count
        printer.print_string("\n]")
        print_attr_dict(printer, self, frozenset({"indbr_operand_segments"}))


@irdl_op_definition
class InvokeOp(IRDLOperation):
    """`llvm.invoke @f(%a) to ^bb1 unwind ^bb2 : (i32) -> i32`."""

    name = "llvm.invoke"
    callee_operands = var_operand_def(LLVM_TYPE)
    normalDestOperands = var_operand_def(LLVM_TYPE)
    unwindDestOperands = var_operand_def(LLVM_TYPE)
    op_bundle_operands = var_operand_def(LLVM_TYPE)
    var_callee_type = opt_prop_def(LLVMFunctionType)
    callee = opt_prop_def(SymbolRefAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    res_attrs = opt_prop_def(ArrayAttr)
    branch_weights = opt_prop_def(I32_ARRAY)
    CConv = opt_prop_def(CallingConventionAttr, default_value=CallingConventionAttr("ccc"))
    op_bundle_sizes = prop_def(I32_ARRAY)
    op_bundle_tags = opt_prop_def(ArrayAttr)
    result = opt_result_def(LLVM_TYPE)
    normalDest = successor_def()
    unwindDest = successor_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        convention = parser.parse_optional_keyword_in(LLVM_CALLING_CONVS - {"ccc"}) or "ccc"
        properties: dict[str, Attribute] = {"CConv": CallingConventionAttr(convention)}
        callee = parse_callee(parser, properties)
        parser.parse_keyword("to")
        normal, normal_operands = parse_successor(parser)
        parser.parse_keyword("unwind")
        unwind, unwind_operands = parse_successor(parser)
        parse_variadic_type(parser, properties)
        call = parse_call_types(cls, parser, callee, properties)
        groups = (call.operands, normal_operands, unwind_operands, call.bundle_operands)
        properties["operandSegmentSizes"] = dense_i32([len(g) for g in groups])
        return cls.create(
            operands=[operand for group in groups for operand in group],
            result_types=call.results,
            successors=[normal, unwind],
            properties=properties,
            attributes=call.attributes,
        )

    def print(self, printer: Printer) -> None:
        convention = self.properties.get("CConv")
        if isinstance(convention, CallingConventionAttr) and convention.cconv_name != "ccc":
            printer.print_string(f" {convention.cconv_name}")
        count, normal_count, unwind_count, _ = segment_sizes(self)
        operands = tuple(self.operands)
        arguments = operands[:count]
        normal = operands[count : count + normal_count]
        rest = operands[count + normal_count :]
        print_callee(printer, self, arguments)
        printer.print_string(" to ")
        print_successor(printer, self.successors[0], normal)
        printer.print_string(" unwind ")
        print_successor(printer, self.successors[1], rest[:unwind_count])
        print_variadic_type(printer, self)
        print_bundles(printer, self, rest[unwind_count:])
        print_attr_dict(printer, self, CALL_HIDDEN)
        print_call_types(printer, self, arguments, indirect=not is_direct_call(self))


@irdl_op_definition
class LandingpadOp(IRDLOperation):
    """`llvm.landingpad cleanup (catch %p : !llvm.ptr) : !llvm.struct<(ptr, i32)>`."""

    name = "llvm.landingpad"
    clauses = var_operand_def(LLVM_TYPE)
    cleanup = opt_prop_def(UnitAttr)
    res = result_def(LLVM_TYPE)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("cleanup") is not None:
            properties["cleanup"] = UnitAttr()
        operands: list[SSAValue] = []
        while parser.parse_optional_punctuation("(") is not None:
            if parser.parse_optional_keyword_in(("catch", "filter")) is None:
                parser.raise_error("expected 'catch' or 'filter'")
            clause = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            operands.append(parser.resolve_operand(clause, parser.parse_type()))
            parser.parse_punctuation(")")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(
            operands=operands,
            result_types=[parser.parse_type()],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        if "cleanup" in self.properties:
            printer.print_string(" cleanup")
        for clause in self.operands:
            kind = "filter" if clause.type.name == "llvm.array" else "catch"
            printer.print_string(f" ({kind} ")
            printer.print_ssa_value(clause)
            printer.print_string(" : ")
            printer.print_attribute(clause.type)
            printer.print_string(")")
        print_attr_dict(printer, self, frozenset({"cleanup"}))
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)


@irdl_op_definition
class AssumeOp(IRDLOperation):
    """`llvm.intr.assume %c ["align"(%p, %a : !llvm.ptr, i64)] : i1`."""

    name = "llvm.intr.assume"
    cond = operand_def(I1)
    op_bundle_operands = var_operand_def(LLVM_TYPE)
    op_bundle_sizes = opt_prop_def(I32_ARRAY, default_value=dense_i32(()))
    op_bundle_tags = opt_prop_def(ArrayAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.parse_unresolved_operand()
        bundles = parse_bundles(parser)
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=[parser.resolve_operand(condition, type_), *bundles.operands],
            properties=bundles.properties(),
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        condition, *operands = self.operands
        printer.print_string(" ")
        printer.print_ssa_value(condition)
        print_bundles(printer, self, operands)
        printer.print_string(" : ")
        printer.print_attribute(condition.type)
        print_attr_dict(printer, self, frozenset({"op_bundle_sizes", "op_bundle_tags"}))


@irdl_op_definition
class UBSanTrapOp(IRDLOperation):
    """`llvm.intr.ubsantrap <{failureKind = 1 : i8}>`."""

    name = "llvm.intr.ubsantrap"
    failureKind = prop_def(I8_ATTR)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_punctuation("<") is not None:
            properties = parser.parse_optional_attr_dict()
            parser.parse_punctuation(">")
        attributes = parser.parse_optional_attr_dict()
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" <")
        printer.print_attr_dict(self.properties)
        printer.print_string(">")
        print_attr_dict(printer, self, frozenset({"failureKind"}))


OPS: tuple[type[Operation], ...] = (
    AssumeOp,
    IndirectBrOp,
    InvokeOp,
    LandingpadOp,
    SwitchOp,
    UBSanTrapOp,
)
