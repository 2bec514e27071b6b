"""`print<scalar-evolution>`: in the form of LLVM's `ScalarEvolution::print`."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.llvm import ICmpOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.function_names import FunctionNames
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.expressions import NW, POSITIVE, ZERO, Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.ir import fast

_ASSUMPTIONS = {
    NUW: "does not wrap as unsigned",
    NSW: "does not wrap as signed",
    NW: "does not pass its start again",
    ZERO: "is 0",
    POSITIVE: "is above 0",
}


def disposition(expression: Scev, loop: Loop) -> str:
    """The behaviour of an expression in a loop, as LLVM's `ScalarEvolution::getLoopDisposition`.

    `Invariant`; `Computable`, a function of the iteration; or `Variant`.
    """
    computable = False
    pending = [expression]
    while pending:
        part = pending.pop()
        if part.kind is Kind.COULD_NOT_COMPUTE:
            return "Variant"
        if part.kind is Kind.UNKNOWN:
            if part.value is not None and loop.defines(part.value):
                return "Variant"
        elif part.kind is Kind.ADD_REC and part.loop is loop:
            computable = True
        elif part.kind is Kind.ADD_REC and part.loop is not None and loop.contains_loop(part.loop):
            return "Variant"
        else:
            pending.extend(part.operands)
    return "Computable" if computable else "Invariant"


def print_scalar_evolution(func: Operation, am: AnalysisManager) -> Iterator[str]:
    """Lines for each integer and pointer that the function computes, and for each loop."""
    yield from _Printer(func, am).lines()


class _Printer:
    """Prints one function."""

    def __init__(self, func: Operation, am: AnalysisManager) -> None:
        self.se = am.get(ScalarEvolution, func)
        self.cfg = am.get(CFG, func)
        self.names = FunctionNames(func)

    def lines(self) -> Iterator[str]:
        """The text, line by line."""
        for number in self.cfg.rpo:
            block = self.cfg.blocks[number]
            for argument in block.args if number else ():
                if self.se.width_of(argument.type):
                    where = f"argument of {self.cfg.name(number)}"
                    yield f"  {self.names.of(argument)} = {where}"
                    yield f"  -->  {self._facts(argument, block)}"
            for op in fast.ops_of(block):
                for result in op.results:
                    if self._is_classified(result, op):
                        yield f"  {self.names.op_text(op)}"
                        yield f"  -->  {self._facts(result, block)}"
        for loop in self.se.loops.loops():
            yield from self._loop_lines(loop)

    def _is_classified(self, value: SSAValue, op: Operation) -> bool:
        """Returns whether LLVM lists the value: no constant and no comparison."""
        if not self.se.width_of(value.type) or constant_number(value) is not None:
            return False
        return type(op) is not ICmpOp

    def _text(self, expression: Scev) -> str:
        return expression.text(self.names.of, self._block_name)

    def _block_name(self, block: Block) -> str:
        return self.cfg.name(self.cfg.numbers[block]).removeprefix("^")

    def _facts(self, value: SSAValue, block: Block) -> str:
        se = self.se
        expression = se.get(value)
        ranges = f"U: {se.range(expression)} S: {se.range(expression, signed=True)}"
        text = f"{self._text(expression)} {ranges}"
        loop = se.loops.loop_for(block)
        if loop is None:
            return text
        at_exit = se.at_exit(value, loop)
        known = at_exit is not se.could_not_compute
        text += f"\t\tExits: {self._text(at_exit) if known else '<<Unknown>>'}"
        around: list[str] = []
        at: Loop | None = loop
        while at is not None:
            around.append(f"%{self._block_name(at.header)}: {disposition(expression, at)}")
            at = at.parent
        return f"{text}\t\tLoopDispositions: {{ {', '.join(around)} }}"

    def _loop_lines(self, loop: Loop) -> Iterator[str]:
        se, name = self.se, f"Loop %{self._block_name(loop.header)}"
        count = se.backedge_taken_count(loop)
        if count is se.could_not_compute:
            yield f"{name}: Unpredictable backedge-taken count."
        else:
            yield f"{name}: backedge-taken count is {self._text(count)}"
        most = se.constant_max_backedge_taken_count(loop)
        if most is not None:
            yield f"{name}: constant max backedge-taken count is {most}"
        symbolic = se.symbolic_max_backedge_taken_count(loop)
        if symbolic is not count:
            yield f"{name}: symbolic max backedge-taken count is {self._text(symbolic)}"
        predicated, assumed = se.predicated_backedge_taken_count(loop)
        if assumed:
            yield f"{name}: Predicated backedge-taken count is {self._text(predicated)}"
            for flag, expression in assumed:
                yield f"  where {self._text(expression)} {_ASSUMPTIONS[flag]}"
        yield f"{name}: Trip multiple is {se.trip_multiple(loop)}"
