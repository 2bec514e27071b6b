"""Erases counters that only feed their own next value, for `indvars`."""

from __future__ import annotations

from typing import Final

from xdsl.ir import BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.loop.indvars_state import InductionVariables
from nvvm_xdsl.transforms.conditionals import erase_dead

MAX_CYCLE: Final = 64
"""Maximum number of ops between a header argument and its next value; with more ops the argument is
kept.
"""


ERASED = Statistic("indvars", "erased", "Number of dead induction variables erased")


def erase_dead_counters(ivs: InductionVariables) -> bool:
    """Erases header arguments that only feed their own next value."""
    header = ivs.loop.header
    again = ivs.next_values()
    readers = {
        argument.index: found
        for argument in header.args
        if (found := _dead_readers(ivs, argument)) is not None
    }
    if not readers:
        return False
    doomed = list(readers)
    behind = [again[index] for index in doomed]
    # All ops that use the counters are dead and erased, too: a remaining load would read from a
    # poison address.
    dead = [op for found in readers.values() for op in found]
    for index in doomed:
        argument = header.args[index]
        fast.replace_all_uses(argument, ivs.constants.poison(argument.type))
    branches.erase_arguments(header, doomed)
    for op in reversed(dead):
        for result in op.results:
            erase_dead(result)
    for value in behind:
        erase_dead(value)
    ERASED.add(len(doomed))
    return True


def _dead_readers(ivs: InductionVariables, argument: BlockArgument) -> list[Operation] | None:
    """The ops between an argument and its next value, if all are removable and have no other
    users; else None."""
    latch = branches.terminator_of(ivs.latch)
    work: list[SSAValue] = [argument]
    seen: set[SSAValue] = {argument}
    readers: list[Operation] = []
    while work:
        value = work.pop()
        for user, index in fast.uses_of(value):
            if user is latch:
                place = branches.argument_behind(latch, index)
                if place is not argument:
                    return None
            elif not is_removable(user) or len(seen) > MAX_CYCLE:
                return None
            else:
                readers.append(user)
                for result in user.results:
                    if result not in seen:
                        seen.add(result)
                        work.append(result)
    return readers
