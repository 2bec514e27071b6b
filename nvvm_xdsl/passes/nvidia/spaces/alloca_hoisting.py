"""`alloca-hoisting`: moves allocas to the entry block.

      llvm.cond_br %c, ^then, ^done                 %p = llvm.alloca %one x i64
    ^then:                                          llvm.cond_br %c, ^then, ^done
      %p = llvm.alloca %one x i64             ->  ^then:
      llvm.store %x, %p                             llvm.store %x, %p

PTX's local variables exist for the whole function, so an alloca of constant size is moved to the
entry block ("Hoisting alloca instructions in non-entry blocks to the entry block"). An alloca in a
loop creates new memory in each iteration: it is moved only if its address is not captured, so that
no iteration can access the memory of another.

Benefit: none in speed; PTX could not express the variables at their original position. Disabling it
changes no kernel's machine code.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import AllocaOp, ConstantOp, FuncOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import strongly_connected_components
from nvvm_xdsl.passes.base import FunctionPass


@dataclass(frozen=True)
class AllocaHoisting(FunctionPass):
    """Moves allocas of constant size to the entry block."""

    name = "alloca-hoisting"
    title = "NVPTXAllocaHoisting"
    phases = frozenset({1, 2})

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        entry = func.regions[0].first_block
        assert entry is not None
        found = [
            op
            for block in fast.blocks_of(func.regions[0])
            if block is not entry
            for op in fast.ops_of(block)
            if type(op) is AllocaOp and constant_integer(fast.operands_of(op)[0]) is not None
        ]
        if not found:
            return False
        repeated = _repeated_blocks(am.get(CFG, func))
        aliases = am.get(AliasAnalysis, func)
        moved = [
            op
            for op in found
            if op.parent not in repeated or not aliases.is_captured(op.results[0])
        ]
        leading: set[Operation] = set()
        for first in fast.ops_of(entry):
            if type(first) not in (AllocaOp, ConstantOp):
                break
            leading.add(first)
        else:
            raise AssertionError("a block ends in a terminator")
        for op in moved:
            _move(op, first, leading)
        return bool(moved)

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()


def _repeated_blocks(cfg: CFG) -> set[Block]:
    """The blocks that may be executed more than once."""
    found: set[Block] = set()
    for component in strongly_connected_components(list(range(len(cfg.blocks))), cfg.successors):
        if len(component) > 1 or component[0] in cfg.successors[component[0]]:
            found.update(cfg.blocks[number] for number in component)
    return found


def _move(op: Operation, first: Operation, leading: set[Operation]) -> None:
    """Moves an alloca before an op of the entry block, together with its size if necessary."""
    (size,) = fast.operands_of(op)
    constant = size.owner
    assert isinstance(constant, Operation)
    fast.detach(op)
    if constant not in leading:
        copy = fast.copy_op(constant, {})
        fast.insert_before(copy, first)
        leading.add(copy)
        fast.set_operand(op, 0, copy.results[0])
        if constant.results[0].first_use is None:
            fast.erase(constant)
    fast.insert_before(op, first)
