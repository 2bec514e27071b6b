"""Evaluates straight-line ops of the llvm dialect on arrays with one element per lane.

Single ops and expressions can be tested on thousands of inputs at once, without a kernel or memory.
The semantics of the ops is that of the simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.simulator.compiler import FunctionCompiler, FunctionInfo, Leaf, namespace
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.llvm.dispatch import LLVMDispatch
from nvvm_xdsl.simulator.numerics.scalar_types import TypeMap

Lanes = np.ndarray[Any, Any]

TYPES = TypeMap(DataLayout())


class Defined(NamedTuple):
    """Values of lanes, and whether each is poison or has undefined bits."""

    values: Lanes
    undefined: Lanes


class _UndefinedLanes:
    """Collects the lanes in which a division is undefined; replaces the block of threads."""

    def __init__(self) -> None:
        self.lanes: Any = np.zeros(1, bool)

    def check_divisor(self, mask: Any, divisor: Lanes, site: int) -> None:
        """Records division by zero."""
        self.lanes = self.lanes | (divisor == 0)

    def check_quotient(self, mask: Any, overflows: Lanes, site: int) -> None:
        """Records division of the minimum by -1."""
        self.lanes = self.lanes | overflows

    def check_defined(self, mask: Any, undefined: Lanes, site: int, what: str) -> None:
        """Records the values that must not be undefined."""
        self.lanes = self.lanes | (undefined != 0)


class _NoLaunch:
    """Replaces the block, the mask and the program for an op outside of a kernel."""

    def __getattr__(self, name: str) -> Any:
        raise SimulationError("unsupported", "the simulator runs this op only in a kernel")


_NO_LAUNCH: Final = _NoLaunch()


class _Writer(FunctionCompiler):
    """Generates a sequence of ops; its inputs are the parameters of the generated function."""

    def __init__(
        self, ops: Sequence[Operation], inputs: Sequence[SSAValue], tracking: bool
    ) -> None:
        semantics = LLVMDispatch(_NO_LAUNCH, TYPES, tracking)
        self.scope = namespace()
        super().__init__(
            FunctionInfo("ops", ops[0], Region(Block()), "ops", False), semantics, self.scope, []
        )
        self.parameters: list[str] = []
        self._given: dict[SSAValue, list[Leaf]] = {}
        for number, value in enumerate(inputs):
            names = [f"p{number}_{i}" for i in range(semantics.leaf_count(value.type))]
            self._given.setdefault(value, [Leaf(name) for name in names])
            self.parameters += names
        for op in ops:
            semantics.emit(op, self)

    def leaves(self, value: SSAValue) -> list[Leaf]:
        return self._given[value]

    def define(self, value: SSAValue, leaves: Sequence[Leaf | str]) -> None:
        named = [Leaf(leaf) if isinstance(leaf, str) else leaf for leaf in leaves]
        self._given[value] = [
            Leaf(
                self.assign(leaf.name),
                self.assign(leaf.undefined) if leaf.undefined not in (None, "0") else None,
            )
            for leaf in named
        ]

    def function(self, outputs: Sequence[str]) -> Callable[..., Any]:
        """A function from the block, the mask and the scalars of the inputs to the outputs."""
        body = "".join(f"  {line}\n" for line in self.lines)
        source = (
            f"def ops(blk, m, {', '.join(self.parameters)}):\n{body}"
            f"  return [{', '.join(outputs)}]\n"
        )
        exec(source, self.scope)
        return self.scope["ops"]


def compile_op(op: Operation) -> Callable[..., list[Lanes]]:
    """A function from the scalars of an op's operands to those of its result.

    It and the returned function raise SimulationError for an op that needs a kernel or is
    unsupported, and ValueError for types that the simulator does not support.
    """
    writer = _Writer([op], list(op.operands), tracking=False)
    function = writer.function([leaf.name for leaf in writer.leaves(op.results[0])])
    return lambda *lanes: function(_NO_LAUNCH, _NO_LAUNCH, *lanes)


def evaluate(
    ops: Sequence[Operation], inputs: dict[SSAValue, Lanes], outputs: Sequence[SSAValue]
) -> list[Defined]:
    """Evaluates ops on inputs, for values with one scalar each.

    Arguments:
        ops: the ops in order; operands are results of earlier ops or inputs.
        inputs: an array for each input value, of the container type of its scalar, all of the same
            length.
        outputs: the values to return.
    """
    writer = _Writer(ops, list(inputs), tracking=True)
    leaves = [writer.leaves(value)[0] for value in outputs]
    names = [text for leaf in leaves for text in (leaf.name, leaf.undefined or "0")]
    block = _UndefinedLanes()
    count = max((len(lanes) for lanes in inputs.values()), default=1)
    with np.errstate(all="ignore"):
        found = writer.function(names)(block, None, *inputs.values())
    return [
        Defined(
            np.broadcast_to(values, (count,)),
            np.broadcast_to((np.asarray(undefined) != 0) | block.lanes, (count,)),
        )
        for values, undefined in zip(found[::2], found[1::2])
    ]
