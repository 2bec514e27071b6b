"""Source variables that debug records describe, and their locations.

A description holds from the point of its record on, until the next record of the same variable is
passed. A recording has the passed points of each thread, and the values there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import global_name
from nvvm_xdsl.dialects.llvm.attributes import DIExpressionElemAttr
from nvvm_xdsl.dialects.llvm.debug_fields import (
    constant_bits,
    location_expression,
    size_in_bits,
    text_of,
)
from nvvm_xdsl.dialects.llvm.debug_placement import DebugRecords, Record
from nvvm_xdsl.dialects.llvm.debug_salvage import STACK_BITS
from nvvm_xdsl.dialects.llvm.global_debug import split_fragment
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DILexicalBlockAttr,
    DILexicalBlockFileAttr,
    DILocalVariableAttr,
)
from nvvm_xdsl.ir.locations import call_sites_of, location_of, scope_of
from nvvm_xdsl.simulator.compiler import UNRECORDED

ReadMemory: TypeAlias = "Callable[[int, int], int]"
"""Reads a number of bytes at an address as a little-endian number."""


class Variable(NamedTuple):
    """A variable of a function, or of one inlined call of a function.

    Arguments:
        info: its description.
        calls: the location of each call that it was inlined at, the innermost first.
    """

    info: DILocalVariableAttr
    calls: tuple[Attribute, ...]

    @property
    def name(self) -> str:
        """Its name in the source."""
        return text_of(self.info, "name")

    @property
    def type(self) -> Attribute | None:
        """Its debug type."""
        return self.info.field("type")

    @property
    def bits(self) -> int:
        """Its size; 0 if it is unknown."""
        return size_in_bits(self.type)


@dataclass(eq=False)
class Description:
    """A record with its variable."""

    variable: Variable
    record: Record

    @property
    def fragment(self) -> tuple[int, int] | None:
        """Offset and size in bits of the described part; None for the whole variable."""
        return split_fragment(location_expression(self.record.op))[1]

    @property
    def in_memory(self) -> bool:
        """Whether the value is the address of the variable."""
        return self.record.op.name == "llvm.intr.dbg.declare"

    @property
    def located(self) -> bool:
        """Whether the record has a value."""
        constant = self.record.constant
        return self.record.value is not None or (
            constant is not None and constant_bits(constant) is not None
        )

    @property
    def symbol(self) -> str:
        """The name of the module variable whose address is the value; empty for other values."""
        value = self.record.value
        owner = None if value is None else value.owner
        if isinstance(owner, Operation) and owner.name == "llvm.mlir.addressof":
            return global_name(owner)
        return ""


class SourceVariables:
    """The descriptions of the variables of a module.

    Arguments:
        records: the records, which were removed from the code.
    """

    def __init__(self, records: DebugRecords) -> None:
        self._before: dict[Operation, list[Description]] = {}
        self._of_function: dict[Operation, dict[Variable, bool]] = {}
        for record in records.records:
            info = record.op.properties.get("varInfo")
            function = record.region.parent
            if not isinstance(info, DILocalVariableAttr) or function is None:
                continue
            calls = tuple(call_sites_of(location_of(record.op)))
            description = Description(Variable(info, calls), record)
            for op in record.order[record.index :]:
                # Constants that only records used were erased with them.
                if op.parent is not None and op.name not in UNRECORDED:
                    self._before.setdefault(op, []).append(description)
                    break
            known = self._of_function.setdefault(function, {})
            variable = description.variable
            known[variable] = known.get(variable, False) or description.located

    def before(self, op: Operation) -> Sequence[Description]:
        """The records that are passed immediately before an op executes."""
        return self._before.get(op, ())

    def of(self, function: Operation | None) -> dict[Variable, bool]:
        """The variables of a function, and whether any record of them has a value."""
        return {} if function is None else self._of_function.get(function, {})

    def visible(self, function: Operation | None, location: Attribute) -> Iterator[Variable]:
        """The variables in scope at a location, of the innermost scope first.

        The first of several variables with one name hides the others.
        """
        known = self.of(function)
        names: set[str] = set()
        for scope, calls in _scopes_around(location):
            for variable in known:
                if variable.info.field("scope") == scope and variable.calls == calls:
                    if variable.name not in names:
                        names.add(variable.name)
                        yield variable


def _scopes_around(location: Attribute) -> Iterator[tuple[Attribute, tuple[Attribute, ...]]]:
    """The scopes of a location with the calls that they were inlined at, the innermost first."""
    calls = tuple(call_sites_of(location))
    for depth, inner in enumerate((location, *calls)):
        scope = scope_of(inner)
        while scope is not None:
            yield scope, calls[depth:]
            if not isinstance(scope, DILexicalBlockAttr | DILexicalBlockFileAttr):
                break
            scope = scope.field("scope")


class UnsupportedExpression(Exception):
    """An operation of a debug expression that is not evaluated; the message names it."""


class UnwrittenMemory(Exception):
    """The described local memory has no value yet."""


_BINARY: Final[dict[str, Callable[[int, int], int]]] = {
    "DW_OP_and": lambda a, b: a & b,
    "DW_OP_minus": lambda a, b: a - b,
    "DW_OP_mul": lambda a, b: a * b,
    "DW_OP_or": lambda a, b: a | b,
    "DW_OP_plus": lambda a, b: a + b,
    "DW_OP_shl": lambda a, b: a << min(b, STACK_BITS),
    "DW_OP_xor": lambda a, b: a ^ b,
}


def evaluated(description: Description, value: int, read: ReadMemory) -> int:
    """The bits of a variable or its fragment, given the bits of the value that describes it (DWARF 5,
    section 2.5).

    Raises UnsupportedExpression.
    """
    steps, fragment = split_fragment(location_expression(description.record.op))
    size = description.variable.bits if fragment is None else fragment[1]
    in_memory = description.in_memory
    if not in_memory and steps and steps[-1].opcode.data == "DW_OP_deref":
        # LLVM LangRef, "DIExpression": a final dereference makes the location an address.
        in_memory = True
        steps = steps[:-1]
    stack = [value]
    for step in steps:
        _execute(step, stack, read)
    found = read(stack[-1], (size + 7) // 8) if in_memory else stack[-1]
    return found & (1 << size) - 1 if size else found


def _execute(step: DIExpressionElemAttr, stack: list[int], read: ReadMemory) -> None:
    name = step.opcode.data
    if name in _BINARY:
        right = stack.pop()
        stack.append(_BINARY[name](stack.pop(), right))
    elif name in ("DW_OP_constu", "DW_OP_consts"):
        stack.append(_argument(step))
    elif name == "DW_OP_plus_uconst":
        stack[-1] += _argument(step)
    elif name == "DW_OP_deref":
        stack.append(read(stack.pop(), STACK_BITS // 8))
    elif name != "DW_OP_stack_value":
        raise UnsupportedExpression(name)
    stack[-1] &= (1 << STACK_BITS) - 1


def _argument(step: DIExpressionElemAttr) -> int:
    first = step.arguments.data[0]
    return cast("IntAttr[int]", first).data
