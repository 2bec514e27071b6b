"""Launch control of clusters (PTX ISA 9.7.13.17, 9.7.13.18).

A request cancels the next cluster that has not started, and succeeds if there is one. The
128 bits of a response are opaque; here they hold the first block's three numbers, 32 bits each,
and in the highest bit whether the request succeeded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nvvm_xdsl.simulator.copies.bulk_copies import Transfer, places
from nvvm_xdsl.simulator.copies.ranges import in_block, lanes_of, locate, numbers
from nvvm_xdsl.simulator.execution.memory import SHARED, Lanes, Mask

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

SIZE = 16
_CANCELED = 127


def try_cancel(
    blk: Block, site: int, mask: Mask, response: Lanes, barrier: Lanes, everywhere: bool
) -> None:
    """`clusterlaunchcontrol.try_cancel`.

    Arguments:
        response, barrier: shared addresses.
        everywhere: whether all blocks of the cluster receive the response, at the same address in
            their shared memory.
    """
    responses, barriers = numbers(blk, response, barrier)
    name = "clusterlaunchcontrol.try_cancel writes"
    for lane in lanes_of(mask):
        transfer = Transfer(blk, site, lane)
        word = 0
        if blk.grid.pending:
            first = blk.grid.pending.popleft()[0]
            word = 1 << _CANCELED | sum(n << 32 * i for i, n in enumerate(first))
        data = np.frombuffer(word.to_bytes(SIZE, "little"), np.uint8)
        targets, signals = [responses[lane]], [barriers[lane]]
        if everywhere:
            ranks = range(max(len(blk.peers), 1))
            targets = [in_block(responses[lane], rank) for rank in ranks]
            signals = [in_block(barriers[lane], rank) for rank in ranks]
        transfer.begin()
        for target in targets:
            at = locate(blk, site, lane, target, SHARED, SIZE, SIZE, name)
            transfer.write(places(at, SIZE), data, np.zeros(SIZE, np.uint8))
        for signal in signals:
            transfer.complete(signal, SIZE)


def is_canceled(response: Lanes) -> Lanes:
    """`query_cancel.is_canceled`."""
    return np.array([int(r) >> _CANCELED == 1 for r in response])


def first_block(response: Lanes, dimension: int) -> Lanes:
    """`query_cancel.get_first_ctaid`: a coordinate of the canceled cluster's first block."""
    return np.array([int(r) >> 32 * dimension & 0x7FFFFFFF for r in response], np.uint32)
