"""Properties of instructions for passes, as bits: `op.flags & PURE`."""

from __future__ import annotations

from typing import Final

PURE: Final = 1
"""The results depend only on the operands: may be removed, duplicated, moved and speculated."""

READS: Final = 2
"""Reads memory."""

WRITES: Final = 4
"""Writes memory."""

CONVERGENT: Final = 8
"""Depends on the threads that execute it together: must not get other control dependences."""

SIDE_EFFECTS: Final = 16
"""Keeps its order among all instructions with effects and is never removed."""

COMMUTATIVE: Final = 32
"""The first two operands commute."""

TERMINATOR: Final = 64
"""Ends a block."""

REMATERIALIZABLE: Final = 128
"""As cheap to recompute as to keep in a register."""

INVARIANT: Final = 256
"""Reads only memory that is not written while the kernel runs."""

RESERVED: Final = 512
"""Reads a special register."""

CARRY: Final = 1024
"""Reads or writes the condition code register: keeps its order among such instructions."""

EFFECTS: Final = READS | WRITES | SIDE_EFFECTS | CARRY | TERMINATOR
"""Any of these: must not be moved without further checks."""
