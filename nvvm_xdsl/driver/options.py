"""What one compilation is told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nvvm_xdsl.ir.diagnostics import DiagnosticError

DEFAULT_ARCH = "sm_75"
"""The architecture when none is stated: the lowest that CUDA 13 supports, as libNVVM has it."""

SM_NUMBERS: tuple[int, ...] = (70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121)
ARCHITECTURE_SPECIFIC_FROM = 90
FAMILY_SPECIFIC_FROM = 100

_ARCH = re.compile(r"(?:sm|compute)_(\d{1,3})([af]?)")

DebugInfo = Literal["none", "lines", "full"]


def parse_arch(text: str) -> str:
    """`sm_90` for `sm_90` and `compute_90`, with the suffix `a` or `f` where one is allowed.

    Raises DiagnosticError for any other text.
    """
    match = _ARCH.fullmatch(text)
    if match is not None:
        number, suffix = int(match.group(1)), match.group(2)
        first = {"": 0, "a": ARCHITECTURE_SPECIFIC_FROM, "f": FAMILY_SPECIFIC_FROM}[suffix]
        if number in SM_NUMBERS and number >= first:
            return f"sm_{number}{suffix}"
    known = ", ".join(f"sm_{number}" for number in SM_NUMBERS)
    raise DiagnosticError(
        f"unknown architecture '{text}': known are {known}, with suffix a from "
        f"sm_{ARCHITECTURE_SPECIFIC_FROM} and f from sm_{FAMILY_SPECIFIC_FROM} on"
    )


@dataclass(frozen=True)
class CompileOptions:
    """The options of `nvvm-cc`; the floating-point ones have libNVVM's names and defaults.

    Arguments:
        arch: `sm_90`, `compute_90`; None takes what the module asks for, else `DEFAULT_ARCH`.
        opt_level: 0 to 3.
        ftz: flush single-precision denormals to zero.
        prec_div, prec_sqrt: IEEE-rounded single-precision division and square root.
        fmad: contract a multiplication and an addition into one fma.
        libdevice: the bitcode to take `__nv_` functions from; None looks for the toolkit's.
        debug: `lines` for line tables, `full` for all debug information that is kept.
    """

    arch: str | None = None
    opt_level: int = 3
    ftz: bool = False
    prec_div: bool = True
    prec_sqrt: bool = True
    fmad: bool = True
    libdevice: Path | None = None
    debug: DebugInfo = "none"

    def __post_init__(self) -> None:
        if self.opt_level not in range(4):
            raise DiagnosticError(f"optimization level {self.opt_level} is not 0, 1, 2 or 3")
        if self.arch is not None:
            object.__setattr__(self, "arch", parse_arch(self.arch))
