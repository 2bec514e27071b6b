"""Number of machine instructions for PTX instructions that ptxas expands."""

from __future__ import annotations

from typing import Final

from xdsl.ir import Operation

from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp

_EXPANSIONS: Final[dict[tuple[str, str], int]] = {
    ("div", "u16"): 23,
    ("div", "s16"): 31,
    ("div", "u32"): 19,
    ("div", "s32"): 25,
    ("div", "u64"): 74,
    ("div", "s64"): 90,
    ("rem", "u16"): 23,
    ("rem", "s16"): 31,
    ("rem", "u32"): 18,
    ("rem", "s32"): 23,
    ("rem", "u64"): 70,
    ("rem", "s64"): 84,
    ("div", "f32"): 112,
    ("div", "f64"): 111,
    ("sqrt", "f32"): 36,
    ("sqrt", "f64"): 60,
    ("rcp", "f32"): 64,
    ("rcp", "f64"): 54,
    ("mul.hi", "s64"): 18,
    ("mul.hi", "u64"): 18,
}
"""Machine instructions that ptxas 13.0 adds to a kernel for sm_90 with the first such instruction."""

_SHORT: Final = {"approx": 4, "full": 9}
"""The same for instructions that may be inexact."""


def machine_instructions(op: Operation) -> int:
    """Approximate number of machine instructions of an instruction."""
    if not isinstance(op, InstructionOp):
        return 1
    modifiers = op.mods.split(".")
    name = op.mnemonic
    if name == "mul" and modifiers[0] == "hi":
        name = "mul.hi"
    found = _EXPANSIONS.get((name, modifiers[-1]), 1)
    if found > 1:
        found = min([found, *(_SHORT[m] for m in modifiers if m in _SHORT)])
    return found
