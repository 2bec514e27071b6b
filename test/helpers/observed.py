"""Values of running kernels: the simulator reports every op that it executes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf, Semantics
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.program import LLVMProgram

Lanes = Any

Observer = Callable[[SSAValue, list[int], Lanes, list[int]], None]
"""Receives a value: the block of the grid and its lane for each number, and the numbers."""


class _Watching(Semantics):
    """Semantics that report integers and pointers to an observer."""

    def __init__(self, semantics: Any) -> None:
        self.semantics = semantics
        self.tracking = semantics.tracking
        self.values: list[SSAValue] = []

    def leaf_count(self, type_: Any) -> int:
        return self.semantics.leaf_count(type_)

    def waits(self, op: Operation) -> bool:
        return self.semantics.waits(op)

    def edges(self, terminator: Operation) -> Any:
        return self.semantics.edges(terminator)

    def emit(self, op: Operation, to: FunctionCompiler) -> None:
        block = op.parent
        if block is not None and block.first_op is op:
            for argument in block.args:
                self._tell(argument, to)
        self.semantics.emit(op, to)
        if not fast.successors_of(op) and not self.waits(op):
            for result in op.results:
                self._tell(result, to)

    def _tell(self, value: SSAValue, to: FunctionCompiler) -> None:
        kinds: list[ScalarType] = self.semantics.kinds(value)
        if len(kinds) != 1 or kinds[0].fmt or kinds[0].bits > 64:
            return
        leaf: Leaf = to.leaf(value)
        to.line(f"OBSERVE({len(self.values)}, blk, m, {leaf.name})")
        self.values.append(value)


def observe(module: ModuleOp, launches: Sequence[Launch], observer: Observer) -> None:
    """Runs the launches and reports every computed integer and pointer to the observer.

    Results of ops that wait for other threads are omitted. Raises SimulationError.
    """
    program = LLVMProgram(module)
    watching = _Watching(program.semantics)
    program.semantics = watching  # pyright: ignore[reportAttributeAccessIssue]

    def tell(number: int, blk: Any, m: Any, found: Any) -> None:
        lanes = m.index
        numbers = np.asarray(found)
        if numbers.ndim == 0 or numbers.size == 1:
            picked = [int(numbers.reshape(-1)[0])] * len(lanes)
        else:
            picked = [int(n) for n in numbers[lanes]]
        observer(watching.values[number], blk, lanes, picked)

    program.namespace["OBSERVE"] = tell
    for launch in launches:
        run(program, launch)
