"""Control information of a machine instruction: stalls, scoreboards and register reuse.

From sm_70 on an instruction has 128 bits, of which bits 105 to 125 are instructions to the scheduler
(Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture via
Microbenchmarking", 2018, section 2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_FIRST_BIT: Final = 105
NO_BARRIER: Final = 7
"""The barrier number that represents no barrier; there are six barriers."""


@dataclass(frozen=True)
class Control:
    """The scheduling fields of one instruction.

    Attributes:
        stall: cycles until the warp may issue its next instruction.
        yield_: whether the scheduler prefers another warp next.
        write: the barrier that is released when the result is written, or None.
        read: the barrier that is released when the operands have been read, or None.
        wait: the mask of barriers to wait for.
        reuse: the mask of operand slots whose register is kept for the next instruction.
    """

    stall: int = 0
    yield_: bool = False
    write: int | None = None
    read: int | None = None
    wait: int = 0
    reuse: int = 0

    @staticmethod
    def decoded(encoding: int) -> Control:
        """The control information in the 128 bits of an instruction."""
        bits = encoding >> _FIRST_BIT
        write, read = bits >> 5 & 7, bits >> 8 & 7
        return Control(
            bits & 15,
            not bits >> 4 & 1,
            None if write == NO_BARRIER else write,
            None if read == NO_BARRIER else read,
            bits >> 11 & 63,
            bits >> 17 & 15,
        )
