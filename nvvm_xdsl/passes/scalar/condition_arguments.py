"""Block arguments that are the condition of a branch above; a part of `instcombine`.

    llvm.cond_br %c, ^then, ^join(%zero : i8)         llvm.cond_br %c, ^then, ^join
  ^then:                                            ^then:
    ...                                               ...
    llvm.br ^join(%one : i8)                  ->      llvm.br ^join
  ^join(%a: i8):                                    ^join:
    %b = llvm.trunc %a : i8 to i1                     llvm.cond_br %c, ...
    llvm.cond_br %b, ...

is legal if the branch dominates the join, and each of its edges dominates the predecessors that pass
one of the numbers. The argument is a variable of type `bool` that is set under a condition. (LLVM's
InstCombine, `simplifyUsingControlFlow`, for arguments of type i1.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.dialects.llvm import CondBrOp, TruncOp, XOrOp, ZExtOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.ir import fast

_TESTED: Final = (0, 1)


def replace_condition_arguments(
    func: Operation, blocks: Sequence[Block], constants: Constants, am: AnalysisManager
) -> bool:
    """Replaces arguments of blocks by conditions; returns whether anything changed."""
    changed = False
    for block in blocks:
        for argument in reversed(block.args):
            if not _is_tested(argument):
                continue
            found = _condition(argument, am.get(DominatorTree, func))
            if found is None:
                continue
            _replace(argument, *found, constants)
            branches.erase_arguments(block, (argument.index,))
            changed = True
    return changed


def _is_tested(argument: BlockArgument) -> bool:
    """Returns True if an argument is a `bool`: it is 0 or 1, and its lowest bit is a condition."""
    width = integer_width(argument.type)
    if width not in (1, 8):
        return False
    if width > 1 and not any(
        type(user) is TruncOp and integer_width(user.results[0].type) == 1
        for user in fast.users_of(argument)
    ):
        return False
    values = branches.incoming_values(argument)
    return bool(values) and all(constant_unsigned(value) in _TESTED for value in values)


def _condition(argument: BlockArgument, tree: DominatorTree) -> tuple[SSAValue, bool] | None:
    """The condition of the branch that decides the value of an argument, and whether the argument
    is its inverse; None if there is no such branch."""
    block = argument.block
    above = tree.immediate_dominator(block)
    assert above is not None
    branch = branches.terminator_of(above)
    if type(branch) is not CondBrOp:
        return None
    numbers: tuple[set[int | None], set[int | None]] = set(), set()
    """The numbers that are passed if the condition is true, and if it is false."""
    edges = branches.edges_of(branch)
    for side, (target, values) in zip(numbers, edges):
        if target is block:
            side.add(constant_unsigned(values[argument.index]))
    for predecessor in dict.fromkeys(fast.predecessors_of(block)):
        if predecessor is above or not tree.contains(predecessor):
            continue
        passed = {
            constant_unsigned(values[argument.index])
            for values in branches.values_to(branches.terminator_of(predecessor), block)
        }
        for side, (target, _) in zip(numbers, edges):
            if _owns(target, predecessor, above, tree):
                side |= passed
                break
        else:
            return None
    if numbers not in (({1}, {0}), ({0}, {1})):
        return None
    return fast.operands_of(branch)[0], numbers[0] == {0}


def _owns(target: Block, block: Block, above: Block, tree: DominatorTree) -> bool:
    """Returns True if the last execution of the branch in `above` before a block goes to `target`."""
    return fast.predecessors_of(target) == [above] and tree.dominates(target, block)


def _replace(
    argument: BlockArgument, condition: SSAValue, is_inverse: bool, constants: Constants
) -> None:
    """Replaces an argument by the condition, extended to its type."""
    start = argument.block.first_op
    assert start is not None
    if is_inverse:
        inverse = fast.create(XOrOp, (condition, constants.boolean(True)), (I1,))
        fast.insert_before(inverse, start)
        condition = inverse.results[0]
    if integer_width(argument.type) > 1:
        wide = fast.create(ZExtOp, (condition,), (argument.type,))
        fast.insert_before(wide, start)
        condition = wide.results[0]
    fast.replace_all_uses(argument, condition)


__all__ = ["replace_condition_arguments"]
