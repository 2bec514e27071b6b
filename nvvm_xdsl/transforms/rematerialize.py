"""Common code of rematerialization passes: candidates, their clones, and the register target.

`remat` rematerializes on IR and `nvptx-remat-block` on machine code. Each pass decides itself which
values are profitable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.nvvm.kernel import is_kernel, launch_bounds
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import WARP_SIZE

REGISTERS_OF_SM: Final = 65_536
REGISTER_GRAIN: Final = 8
"""Granularity of register allocation, in registers per thread."""

FEWEST_REGISTERS: Final = 16


def registers_left(
    maxnreg: int | None, threads: Sequence[int] | None, blocks: int | None
) -> int | None:
    """The register limit per thread of a kernel's launch bounds; None if they state none.

    Arguments:
        maxnreg: `.maxnreg`, which is the limit if it is stated.
        threads: maximum number of threads of a block, by dimension.
        blocks: minimum number of resident blocks of a multiprocessor, `.minnctapersm`.
    """
    if maxnreg:
        return maxnreg
    if not threads or not blocks:
        return None
    warps = -(-prod(threads) // WARP_SIZE) * blocks
    each = REGISTERS_OF_SM // (warps * WARP_SIZE)
    return max(each // REGISTER_GRAIN * REGISTER_GRAIN, FEWEST_REGISTERS)


def stated_registers(func: FuncOp) -> int | None:
    """The register limit per thread of a kernel's attributes; None if they state none."""
    if not is_kernel(func):
        return None
    bounds = launch_bounds(func)
    return registers_left(bounds.maxnreg, bounds.reqntid or bounds.maxntid, bounds.minctasm)


@dataclass
class Candidate:
    """A value that can be recomputed.

    Arguments:
        value: the value.
        chain: the ops to clone, operands first.
        needs: the operands of the chain that are not cloned.
        blocks: the blocks into which the ops are cloned: all that use the value, except its own.
        cost: the cost of the clones, in the pass's unit.
        saved: the number of saved registers.
    """

    value: OpResult
    chain: list[Operation]
    needs: list[SSAValue]
    blocks: list[Block]
    cost: int = 0
    saved: int = 0


def blocks_elsewhere(value: OpResult) -> list[Block]:
    """The other blocks that use a value."""
    users = fast.users_of(value)
    home = value.op.parent
    return list(dict.fromkeys(fast.block_of(user) for user in users if user.parent is not home))


def candidate_of(
    value: OpResult, blocks: list[Block], is_pulled_in: Callable[[OpResult], bool], most: int
) -> Candidate | None:
    """The candidate for a value, with the ops to clone; None if there are more than `most`.

    Arguments:
        is_pulled_in: returns whether an operand is recomputed, too; otherwise it must be available.
    """
    chain: dict[Operation, None] = {}
    needs: dict[SSAValue, None] = {}
    pending = [value.op]
    while pending:
        op = pending.pop()
        # An op that is visited again is moved to the end of the reversed chain, so that it precedes
        # all its users.
        chain.pop(op, None)
        chain[op] = None
        if len(chain) > most:
            return None
        for operand in fast.operands_of(op):
            if isinstance(operand, OpResult) and is_pulled_in(operand):
                pending.append(operand.op)
            else:
                needs[operand] = None
    return Candidate(value, list(reversed(chain)), list(needs), blocks)


def pull_in(candidate: Candidate, prefix: str = "") -> None:
    """Clones the ops of a candidate before the first use in each block.

    Arguments:
        prefix: prefix of the names of the clones; if empty, they have no names.
    """
    value = candidate.value
    users_in: dict[Block, set[Operation]] = {}
    for user in fast.users_of(value):
        users_in.setdefault(fast.block_of(user), set()).add(user)
    for block in candidate.blocks:
        users = users_in.get(block)
        if users is None:
            continue
        first = next(op for op in fast.ops_of(block) if op in users)
        copies: dict[SSAValue, SSAValue] = {}
        for op in candidate.chain:
            copy = fast.copy_op(op, copies)
            fast.insert_before(copy, first)
            result = copy.results[0]
            if prefix and op.results[0].name_hint is not None:
                fast.set_name(result, prefix + op.results[0].name_hint)
            copies[op.results[0]] = result
        for user in users:
            for index, operand in enumerate(fast.operands_of(user)):
                if operand is value:
                    fast.set_operand(user, index, copies[value])
