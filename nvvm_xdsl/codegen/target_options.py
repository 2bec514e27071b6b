"""The default architecture, and the floating-point options with libNVVM's names and defaults.

This module imports no dataclasses, so that command lines are parsed quickly.
"""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_ARCH = "sm_75"
"""The default architecture: the lowest that CUDA 13's ptxas supports."""

JUMP_TABLE_DENSITY = 10
"""The default minimum percentage of a jump table's entries that are cases: LLVM's jump-table-density."""

MAX_JUMP_TABLE_DENSITY = 101
"""The percentage that no table reaches."""


class Mode(NamedTuple):
    """One option.

    Arguments:
        default: its value unless stated.
        fast: its value with nvcc's -use_fast_math.
        effect: the effect of the value True.
    """

    default: bool
    fast: bool
    effect: str


MODES = {
    "ftz": Mode(False, True, "flush single-precision denormals to zero"),
    "prec_div": Mode(True, False, "IEEE-rounded single-precision division"),
    "prec_sqrt": Mode(True, False, "IEEE-rounded single-precision square root"),
    "fmad": Mode(True, True, "contract multiplications and additions into fma"),
}
"""The options by name."""

FAST_MATH: dict[str, bool] = {name: mode.fast for name, mode in MODES.items()}
"""The values with nvcc's -use_fast_math."""
