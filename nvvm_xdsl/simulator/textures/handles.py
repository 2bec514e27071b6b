"""The 64-bit handles of textures, samplers and surfaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.memory import CODE, WINDOW_SHIFT, Mask
from nvvm_xdsl.simulator.textures.objects import Handle, HandleObject, Unbound, kind_of

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

Lanes = np.ndarray[Any, Any]

FIRST_HANDLE = (CODE + 1) << WINDOW_SHIFT | 1
"""The lowest handle; handles are in an address window without memory."""

NAMES = {"texref": "a texture", "samplerref": "a sampler", "surfref": "a surface"}


class ActiveLanes:
    """The lanes that execute an instruction on handles, numbered from 0.

    Arguments:
        operands: if all operands are uniform, one lane represents all lanes.
    """

    def __init__(
        self, block: Block, site: int, mask: Mask, operands: Sequence[Lanes] | None = None
    ) -> None:
        self.block = block
        self.site = site
        self.uniform = operands is not None and all(o.size == 1 for o in operands)
        self.index = mask.index[:1] if self.uniform else mask.index

    def take(self, values: Lanes) -> Lanes:
        """An operand of these lanes."""
        if values.size == 1:
            return np.broadcast_to(values, self.index.shape)
        return values[self.index]

    def spread(self, values: Lanes) -> Lanes:
        """A result of these lanes as one of the block."""
        if self.uniform or self.index.size == self.block.lanes:
            return values
        out = np.zeros(self.block.lanes, values.dtype)
        out[self.index] = values
        return out

    def error(self, kind: str, message: str, lane: int) -> SimulationError:
        """Makes an error of a lane; the text of `message` continues with the thread."""
        return self.block.lane_error(kind, message, int(self.index[lane]), self.site)

    def report(self, wrong: Lanes, kind: str, message: str) -> None:
        """Raises an error for the first lane in `wrong`."""
        if wrong.any():
            raise self.error(kind, message, int(np.flatnonzero(wrong)[0]))

    def objects(self, handles: Lanes, kind: str) -> Iterator[tuple[Handle, Lanes]]:
        """The objects of the lanes' handles, each with the lanes that have its handle.

        Arguments:
            kind: the required object: `texref`, `samplerref` or `surfref`. A texture is a sampler.
        """
        taken = self.take(handles)
        for number in np.unique(taken):
            chosen = taken == number
            found = self.block.grid.handles.get(int(number))
            if found is None or not _fits(found.value, kind):
                what = f"{number:#x} is not a handle of {NAMES[kind]}"
                if found is not None and isinstance(found.value, Unbound):
                    what = (
                        f"@{found.value.name} is not bound: bind it with 'variables' of the launch"
                    )
                elif found is not None:
                    what = f"expected a handle of {NAMES[kind]}, got a handle of {NAMES[kind_of(found.value)]}"
                raise self.error("memory", f"{what}, in", int(np.flatnonzero(chosen)[0]))
            yield found, chosen


def _fits(value: HandleObject, kind: str) -> bool:
    if isinstance(value, Unbound):
        return False
    return kind_of(value) == kind or (kind == "samplerref" and kind_of(value) == "texref")


def is_type(kind: str) -> Any:
    """`istypep`: whether handles refer to an object of `kind` (PTX ISA 9.7.10.6)."""

    def run(block: Block, handles: Lanes) -> Lanes:
        known = block.grid.handles
        kinds = [known[int(h)] if int(h) in known else None for h in handles]
        return np.array([k is not None and kind_of(k.value) == kind for k in kinds])

    return run
