"""Branches, returns, and the values passed along each edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, TypeAlias, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, Operation, OpTraits, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import integers_of, text_property
from nvvm_xdsl.dialects.llvm.branches import segment_bounds
from nvvm_xdsl.dialects.llvm.types import UNIT, dense_i32, string
from nvvm_xdsl.dialects.nvptx.flags import SIDE_EFFECTS, TERMINATOR
from nvvm_xdsl.dialects.nvptx.instructions import MachineOp
from nvvm_xdsl.dialects.nvptx.registers import B32Register, PredRegister
from nvvm_xdsl.ir import fast

SEGMENTS = "operandSegmentSizes"
UNIFORM = "uni"

Edge: TypeAlias = tuple[Block, tuple[SSAValue, ...]]
"""A successor and the values for its arguments."""


def segments_of(op: Operation) -> tuple[int, ...]:
    """The sizes of a terminator's operand groups."""
    return integers_of(op.properties[SEGMENTS])


class TerminatorOp(MachineOp):
    """Base of terminators; exits have no successors."""

    flags = TERMINATOR | SIDE_EFFECTS
    traits = OpTraits(lambda: (IsTerminator(),))

    own_operands = 0
    """The number of operands before those for the successors."""

    has_successors = True

    @property
    def edges(self) -> list[Edge]:
        """The successors with the values passed to their arguments."""
        successors = fast.successors_of(self)
        if not successors:
            return []
        operands = tuple(fast.operands_of(self))
        at = self.own_operands
        if len(successors) == 1 and SEGMENTS not in self.properties:
            return [(successors[0], operands[at:])]
        found: list[Edge] = []
        for block, size in zip(successors, segments_of(self)[1:]):
            found.append((block, operands[at : at + size]))
            at += size
        return found

    def values_on(self, number: int) -> tuple[SSAValue, ...]:
        """The values passed to the arguments of one successor."""
        if SEGMENTS not in self.properties:
            return self.edges[number][1]
        bounds = segment_bounds(self.properties[SEGMENTS])
        return tuple(fast.operands_of(self)[bounds[number + 1] : bounds[number + 2]])

    def edges_to(self, block: Block) -> list[int]:
        """The indices of the edges to a block."""
        return sorted(place for op, place in fast.edges_to(block) if op is self)

    def set_edges(self, edges: Sequence[Edge]) -> None:
        """Sets the terminator's edges; their number is unchanged."""
        own = fast.operands_of(self)[: self.own_operands]
        values = [*own]
        for _, operands in edges:
            values.extend(operands)
        fast.set_operands(self, values)
        fast.set_successors(self, [block for block, _ in edges])
        if SEGMENTS in self.properties:
            self.properties[SEGMENTS] = dense_i32([len(own), *(len(v) for _, v in edges)])

    # Assembly

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword(UNIFORM) is not None:
            properties[UNIFORM] = UNIT
        operands: list[SSAValue] = []
        if cls.own_operands:
            condition = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            operands.append(parser.resolve_operand(condition, parser.parse_type()))
            parser.parse_punctuation(",")
        successors: list[Block] = []
        sizes = [len(operands)]
        # The label of the next block may follow an op that leaves the function.
        block = parser.parse_successor() if cls.has_successors else None
        while block is not None:
            successors.append(block)
            values = _parse_edge_values(parser)
            operands.extend(values)
            sizes.append(len(values))
            if parser.parse_optional_punctuation(",") is None:
                break
            block = parser.parse_successor()
        if cls.own_operands:
            properties[SEGMENTS] = dense_i32(sizes)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls.create(
            operands=operands,
            successors=successors,
            properties=properties,
            attributes={} if attributes is None else dict(attributes.data),
        )

    def print(self, printer: Printer) -> None:
        if UNIFORM in self.properties:
            printer.print_string(f" {UNIFORM}")
        if self.own_operands:
            condition = fast.operands_of(self)[0]
            printer.print_string(" ")
            printer.print_ssa_value(condition)
            printer.print_string(" : ")
            printer.print_attribute(condition.type)
            printer.print_string(",")
        for number, (block, values) in enumerate(self.edges):
            printer.print_string(", " if number else " ")
            printer.print_block_name(block)
            if values:
                with printer.in_parens():
                    printer.print_list(values, printer.print_ssa_value)
                    printer.print_string(" : ")
                    printer.print_list([v.type for v in values], printer.print_attribute)
        if self.attributes:
            printer.print_op_attributes(self.attributes, print_keyword=True)

    def verify_(self) -> None:
        operands = fast.operands_of(self)
        if not self.has_successors and (operands or fast.successors_of(self)):
            raise VerifyException(f"{self.name} has neither operands nor successors")
        if self.own_operands:
            if SEGMENTS not in self.properties:
                raise VerifyException(f"{self.name} needs '{SEGMENTS}'")
            sizes = segments_of(self)
            successors = len(fast.successors_of(self))
            if len(sizes) != successors + 1 or sum(sizes) != len(operands):
                raise VerifyException(
                    f"{self.name}: '{SEGMENTS}' does not fit its operands and successors"
                )
            if sizes[0] != self.own_operands:
                raise VerifyException(f"{self.name} takes {self.own_operands} operand of its own")
        for block, values in self.edges:
            args = block.args
            if len(args) != len(values):
                raise VerifyException(
                    f"{self.name} passes {len(values)} values to a block with {len(args)} arguments"
                )
            for arg, value in zip(args, values):
                if type(arg.type) is not type(value.type):
                    raise VerifyException(
                        f"{self.name} passes {value.type} to an argument of type {arg.type}"
                    )


def branch_of(block: Block) -> TerminatorOp:
    """The terminator of a block of machine code."""
    return cast(TerminatorOp, block.last_op)


def incoming_edges(block: Block) -> list[tuple[TerminatorOp, int]]:
    """The incoming edges of a block: the branch, and the index of the successor."""
    return [(cast(TerminatorOp, op), place) for op, place in fast.edges_to(block)]


def _parse_edge_values(parser: Parser) -> Sequence[SSAValue]:
    if parser.parse_optional_punctuation("(") is None:
        return ()
    names: list[UnresolvedOperand] = [parser.parse_unresolved_operand()]
    while parser.parse_optional_punctuation(",") is not None:
        names.append(parser.parse_unresolved_operand())
    parser.parse_punctuation(":")
    position = parser.pos
    types = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    parser.parse_punctuation(")")
    return parser.resolve_operands(names, types, position)


class BraOp(TerminatorOp):
    """`nvptx.bra ^bb1(%x : !nvptx.b32)`; with `uni` all threads of the warp take it."""

    name = "nvptx.bra"

    def verify_(self) -> None:
        if len(fast.successors_of(self)) != 1:
            raise VerifyException(f"{self.name} has one successor")
        super().verify_()


class CbraOp(TerminatorOp):
    """`nvptx.cbra %p : !nvptx.pred, ^then, ^else`: a conditional branch."""

    name = "nvptx.cbra"
    own_operands = 1

    def verify_(self) -> None:
        if len(fast.successors_of(self)) != 2:
            raise VerifyException(f"{self.name} has two successors")
        super().verify_()
        if not isinstance(fast.operands_of(self)[0].type, PredRegister):
            raise VerifyException(f"the condition of {self.name} must be a predicate")


class BrxOp(TerminatorOp):
    """`nvptx.brx %i : !nvptx.b32, ^bb0, ^bb1`: `brx.idx`, a jump through a table of blocks."""

    name = "nvptx.brx"
    own_operands = 1

    def verify_(self) -> None:
        if not fast.successors_of(self):
            raise VerifyException(f"{self.name} has at least one successor")
        super().verify_()
        if not isinstance(fast.operands_of(self)[0].type, B32Register):
            raise VerifyException(f"the index of {self.name} must be !nvptx.b32")


class RetOp(TerminatorOp):
    """`nvptx.ret`; the result was stored to `func_retval0` before."""

    name = "nvptx.ret"
    has_successors = False


class UnreachableOp(TerminatorOp):
    """The end of an unreachable block; printed as `trap` and `exit`."""

    name = "nvptx.unreachable"
    has_successors = False


class PragmaOp(MachineOp):
    """`nvptx.pragma "nounroll"`: emits `.pragma` at its position; PTX ISA 12."""

    name = "nvptx.pragma"
    flags = SIDE_EFFECTS

    @property
    def text(self) -> str:
        """The text of the pragma."""
        return text_property(self, "text")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return cls.create(properties={"text": string(parser.parse_str_literal("pragma"))})

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.text)

    def verify_(self) -> None:
        if not isinstance(self.properties.get("text"), StringAttr):
            raise VerifyException(f"{self.name} needs a string property 'text'")
        if self.results or fast.operands_of(self):
            raise VerifyException(f"{self.name} has neither operands nor results")


def pragma(text: str) -> PragmaOp:
    """A new, detached `nvptx.pragma`."""
    return fast.create(PragmaOp, (), (), {"text": string(text)})


def _properties(uniform: bool) -> dict[str, Attribute]:
    return {UNIFORM: UNIT} if uniform else {}


def branch(block: Block, values: Sequence[SSAValue] = (), *, uniform: bool = False) -> BraOp:
    """A new, detached `nvptx.bra`."""
    return fast.create(BraOp, values, (), _properties(uniform), (block,))


def conditional_branch(
    condition: SSAValue,
    then_block: Block,
    else_block: Block,
    then_values: Sequence[SSAValue] = (),
    else_values: Sequence[SSAValue] = (),
    *,
    uniform: bool = False,
) -> CbraOp:
    """A new, detached `nvptx.cbra`."""
    properties = _properties(uniform)
    properties[SEGMENTS] = dense_i32((1, len(then_values), len(else_values)))
    return fast.create(
        CbraOp, [condition, *then_values, *else_values], (), properties, (then_block, else_block)
    )


def indexed_branch(index: SSAValue, edges: Sequence[Edge], *, uniform: bool = False) -> BrxOp:
    """A new, detached `nvptx.brx`."""
    properties = _properties(uniform)
    properties[SEGMENTS] = dense_i32([1, *(len(values) for _, values in edges)])
    operands = [index, *(v for _, values in edges for v in values)]
    return fast.create(BrxOp, operands, (), properties, [block for block, _ in edges])


def edges_of(terminator: Operation) -> list[Edge]:
    """The edges of a block's last op; empty for ops that leave the function."""
    return terminator.edges if isinstance(terminator, TerminatorOp) else []
