"""The launches that a proof covers: sizes of blocks and grids, and conditions on arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.races import terms
from nvvm_xdsl.lab.races.operations import Machine
from nvvm_xdsl.lab.races.terms import Term, both, either, negate

WIDTH: Final = 128
"""Bits of the numbers in conditions, so that they do not wrap."""

MOST_THREADS: Final = 1024
"""Threads of a block (CUDA Programming Guide, "Compute Capabilities")."""

AXES: Final = ("x", "y", "z")

_POSITIONS: Final = {
    "threadIdx": "tid",
    "blockIdx": "ctaid",
    "blockDim": "ntid",
    "gridDim": "nctaid",
}


@dataclass(frozen=True)
class Launches:
    """The launches of a kernel that are verified.

    Attributes:
        block: threads of a block in each dimension; None for all sizes.
        grid: blocks in each dimension; None for all sizes.
        conditions: conditions on the arguments and sizes, in C syntax.
    """

    block: tuple[int, ...] | None = None
    grid: tuple[int, ...] | None = None
    conditions: tuple[str, ...] = ()

    def sizes(self) -> dict[str, int]:
        """The known sizes by the names of their special registers."""
        found: dict[str, int] = {}
        for name, given in (("ntid", self.block), ("nctaid", self.grid)):
            if given is not None:
                padded = (*given, 1, 1)
                found |= {f"{name}.{axis}": padded[at] for at, axis in enumerate(AXES)}
        return found


def read_condition(text: str, machine: Machine, parameters: Mapping[str, Term]) -> Term:
    """A condition on a launch as a term.

    Numbers are integers without a limit. The names are those of the parameters, `blockDim.x` and the
    like, and `pow2(n)` for powers of two. Raises DiagnosticError.
    """
    source = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise DiagnosticError(f"'{text}' is not a condition") from None
    found = _Reader(text, machine, parameters).read(tree)
    if found.width != 1:
        raise DiagnosticError(f"'{text}' is a number, not a condition")
    return found


def definition(condition: Term, parameters: Mapping[str, Term]) -> tuple[str, Term] | None:
    """The parameter that a condition defines by an equation, and its value; None for others."""
    if condition.op != "eq":
        return None
    for left, right in (condition.args, condition.args[::-1]):
        for name, symbol in parameters.items():
            if left.op == "sext" and left.args[0] is symbol and symbol.op == "sym":
                if symbol not in terms.post_order(right, {}):
                    return name, terms.truncate(right, symbol.width, exact=True)
    return None


_OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "sdiv",
    ast.FloorDiv: "sdiv",
    ast.Mod: "srem",
    ast.BitAnd: "and",
    ast.BitOr: "or",
}

_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}


class _Reader:
    def __init__(self, text: str, machine: Machine, parameters: Mapping[str, Term]) -> None:
        self.text = text
        self.machine = machine
        self.parameters = parameters

    def fail(self, node: ast.AST) -> DiagnosticError:
        """The error for an unsupported part of the condition."""
        part = ast.unparse(node)
        names = ", ".join(self.parameters) or "none"
        return DiagnosticError(
            f"unknown name '{part}' in the condition '{self.text}'; parameters: {names}"
        )

    def read(self, node: ast.expr) -> Term:
        """The term of an expression. Raises DiagnosticError."""
        match node:
            case ast.BoolOp(op=op, values=values):
                found = [self.condition(value) for value in values]
                return both(*found) if isinstance(op, ast.And) else either(found)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negate(self.condition(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return terms.binary("sub", terms.const(0, WIDTH), self.number(operand), exact=True)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                name = _OPERATORS[type(op)]
                return terms.binary(name, self.number(left), self.number(right), exact=True)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self.compare([left, *comparators], ops)
            case ast.Constant(value=int(value)):
                return terms.const(value, WIDTH)
            case ast.Attribute(value=ast.Name(id=kind), attr=axis) if (
                kind in _POSITIONS and axis in AXES
            ):
                return self.widened(self.machine.position(f"{_POSITIONS[kind]}.{axis}"))
            case ast.Name(id=name) if name in self.parameters:
                return self.widened(self.parameters[name])
            case ast.Call(func=ast.Name(id="pow2"), args=[argument]):
                value = self.number(argument)
                return either(
                    [terms.compare("eq", value, terms.const(1 << at, WIDTH)) for at in range(63)]
                )
            case _:
                raise self.fail(node)

    def widened(self, term: Term) -> Term:
        """The term as a number of WIDTH bits."""
        return terms.extend(term, WIDTH, is_signed=True)

    def number(self, node: ast.expr) -> Term:
        """The term of a number. Raises DiagnosticError."""
        found = self.read(node)
        if found.width == 1:
            raise self.fail(node)
        return found

    def condition(self, node: ast.expr) -> Term:
        """The term of a condition; a number is one if it is not 0."""
        found = self.read(node)
        if found.width == 1:
            return found
        return negate(terms.compare("eq", found, terms.const(0, WIDTH)))

    def compare(self, operands: list[ast.expr], ops: list[ast.cmpop]) -> Term:
        """The conjunction of a chain of comparisons."""
        found: list[Term] = []
        for left, right, op in zip(operands, operands[1:], ops):
            if type(op) not in _COMPARISONS:
                raise self.fail(left)
            a, b = self.number(left), self.number(right)
            found.append(terms.compare(_COMPARISONS[type(op)], a, b))
        return both(*found)
