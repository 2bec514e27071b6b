"""Results of functions of integers, computed op by op."""

from __future__ import annotations

from xdsl.dialects.builtin import Attribute
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.constant_folding import fold
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_of, integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import constant_attribute
from nvvm_xdsl.dialects.llvm.types import int_attr, integer


def returned(func: Operation, number: int) -> object:
    """The value that the function returns for its first argument, or the value that it is."""
    entry = func.regions[0].blocks[0]
    first = entry.args[0]
    known: dict[SSAValue, Attribute | SSAValue | None] = {v: v for v in entry.args}
    known[first] = int_attr(number, integer(integer_width(first.type)))

    def get(value: SSAValue) -> Attribute | SSAValue | None:
        constant = constant_attribute(value)
        return known.get(value) if constant is None else constant

    def truth(op: Operation) -> int:
        """The value of the first operand, which must be known."""
        return integer_of(get(op.operands[0]))  # pyright: ignore[reportArgumentType, reportReturnType]

    block = entry
    while True:
        for op in block.ops:
            if op.name == "llvm.return":
                return get(op.operands[0])
            if op.successors:
                index = 0
                if op.name == "llvm.cond_br":
                    index = 0 if truth(op) else 1
                elif op.name == "llvm.switch":
                    cases = branches.case_values(op, signed=True)
                    index = 1 + cases.index(truth(op)) if truth(op) in cases else 0
                block, sent = branches.edges_of(op)[index]
                known.update(zip(block.args, [get(v) for v in sent]))
                break
            if op.name == "llvm.select":
                known[op.results[0]] = get(op.operands[1 if truth(op) else 2])
            elif op.results and op.operands:
                values = [get(v) for v in op.operands]
                folded = all(isinstance(v, Attribute) for v in values)
                known[op.results[0]] = fold(op, values) if folded else None  # pyright: ignore[reportArgumentType]


def results(func: Operation) -> list[object]:
    """What the function returns for each value of its first argument, of at most 9 bits."""
    width = min(integer_width(func.regions[0].blocks[0].args[0].type), 9)
    return [returned(func, number) for number in range(1 << width)]
