"""Merges variables of the stack frame that are never live at the same time.

    nvptx.local @a 400 align 4                       nvptx.local @a 400 align 8
    nvptx.local @b 320 align 8
    ... only @a is used ...                  ->      ...
    ... only @b is used ...                          ... @a is used instead ...

`analysis.slot_liveness` determines the variables with disjoint live ranges. LLVM's StackColoring uses
lifetime markers, which are no longer available here. The resulting frames equal cicc 13.0's for arrays
in separate scopes, consecutive in one scope, and on the two sides of a branch. The pass runs after
frame layout, when no later pass moves an access. `reuse-local-memory` does the same on IR.

Knobs: LLVM's no-stack-coloring and cicc's disable-reuse-local-memory both set the parameter
`no-stack-coloring`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.machine.memory_accesses import access_of
from nvvm_xdsl.analysis.machine.pointers import origins_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.slot_liveness import SlotUse, interferences, shared_slots
from nvvm_xdsl.dialects.nvptx.calls import CallOp
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.functions import FuncOp, LocalOp, local_variable
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.dialects.nvptx.registers import PredRegister
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import (
    MachineFunctionPass,
    rename_symbols,
    shares_registers,
    symbols_of,
)
from nvvm_xdsl.transforms.runtime_calls import VPRINTF


@dataclass(frozen=True)
class StackColoring(MachineFunctionPass):
    """Merges variables of the stack frame that are never live at the same time."""

    name = "stack-coloring"
    title: ClassVar[str] = "StackColoring"
    knobs: ClassVar[Mapping[str, str]] = {"disable-reuse-local-memory": "no-stack-coloring"}

    stack_coloring: bool = True
    """Enables the pass."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        variables = [op for op in fast.ops_of(func.body.blocks[0]) if isinstance(op, LocalOp)]
        if not self.stack_coloring or len(variables) < 2 or shares_registers(func):
            return False
        cfg = CFG(func.body)
        uses = _find_uses(func, variables)
        steps = [[uses[op] for op in fast.ops_of(block) if op in uses] for block in cfg.blocks]
        found = interferences(steps, cfg.predecessors, cfg.successors, len(variables))
        groups = shared_slots([op.size for op in variables], found)
        if len(groups) == len(variables):
            return False
        _share(func, [[variables[number] for number in group] for group in groups])
        return True


def _find_uses(func: FuncOp, variables: list[LocalOp]) -> dict[Operation, SlotUse]:
    """The uses of the variables, by name or by a computed address, for each op."""
    bits = {op.symbol: 1 << number for number, op in enumerate(variables)}
    found: dict[Operation, SlotUse] = {}
    sources: dict[SSAValue, int] = {}
    copies = not _defines(func, VPRINTF)

    def note(op: Operation, touched: int, kept: int) -> None:
        before = found.get(op, SlotUse(0, 0))
        found[op] = SlotUse(before.touched | touched, before.kept | kept)

    for block in fast.blocks_of(func.body):
        for op in fast.ops_of(block):
            named = [name for name in symbols_of(op) if name in bits]
            if not named:
                continue
            mask = 0
            for name in named:
                mask |= bits[name]
            access = access_of(op)
            if flags_of(op) & PURE:
                for result in op.results:
                    sources[result] = sources.get(result, 0) | mask
            elif access is not None and len(named) == 1 and access.base == named[0]:
                note(op, mask, 0)
            else:
                note(op, mask, mask)
    for value, mask in origins_of(sources).items():
        for op in fast.users_of(value):
            if isinstance(op, TerminatorOp):
                continue
            if flags_of(op) & PURE:
                # Variables whose addresses are compared must have different addresses.
                if any(isinstance(result.type, PredRegister) for result in op.results):
                    note(op, mask, mask)
                continue
            access = access_of(op)
            addresses = access is not None and access.base is value
            alone = fast.operands_of(op).count(value) == 1
            is_copied = copies and type(op) is CallOp and op.callee == VPRINTF
            note(op, mask, 0 if (addresses and alone) or is_copied else mask)
    return found


def _defines(func: FuncOp, name: str) -> bool:
    """Whether the module of a function defines another function with a name."""
    return any(
        isinstance(op, FuncOp) and op.symbol == name and op.body.first_block is not None
        for op in fast.ops_of(fast.block_of(func))
    )


def _share(func: FuncOp, groups: list[list[LocalOp]]) -> None:
    """Merges the variables of each slot."""
    names: dict[str, str] = {}
    for group in groups:
        first = group[0]
        if len(group) == 1:
            continue
        size, align = max(v.size for v in group), max(v.align for v in group)
        fast.insert_before(local_variable(first.symbol, size, align), first)
        for variable in group:
            names[variable.symbol] = first.symbol
            fast.erase(variable)
    for block in fast.blocks_of(func.body):
        for op in fast.ops_of(block):
            rename_symbols(op, names)
