"""The default architecture, and the floating-point options with libNVVM's names and defaults.

Importing this module imports no other one, so that command lines are parsed quickly.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

DEFAULT_ARCH = "sm_75"
"""The architecture when none is stated: the lowest that CUDA 13's ptxas assembles."""


class Mode(NamedTuple):
    """One option.

    Arguments:
        default: its value unless stated.
        fast: its value with nvcc's -use_fast_math.
        effect: what code has with the value True.
    """

    default: bool
    fast: bool
    effect: str


def _mode(default: bool, *, fast: bool, effect: str) -> Any:
    return field(default=default, metadata={"mode": Mode(default, fast, effect)})


@dataclass(frozen=True, kw_only=True)
class FloatModes:
    """Rounding and contraction of single-precision operations."""

    ftz: bool = _mode(False, fast=True, effect="flush single-precision denormals to zero")
    prec_div: bool = _mode(True, fast=False, effect="IEEE-rounded single-precision division")
    prec_sqrt: bool = _mode(True, fast=False, effect="IEEE-rounded single-precision square root")
    fmad: bool = _mode(True, fast=True, effect="contract multiplications and additions into fma")


@dataclass(frozen=True, kw_only=True)
class StatedFloatModes:
    """The options of `FloatModes` as far as they are stated; None for the others."""

    ftz: bool | None = None
    prec_div: bool | None = None
    prec_sqrt: bool | None = None
    fmad: bool | None = None


MODES: dict[str, Mode] = {f.name: f.metadata["mode"] for f in fields(FloatModes)}
"""The options by name."""

FAST_MATH: dict[str, bool] = {name: mode.fast for name, mode in MODES.items()}
"""Their values with nvcc's -use_fast_math."""


def modes_of(options: FloatModes | StatedFloatModes) -> dict[str, Any]:
    """The values of the options, by name."""
    return {name: getattr(options, name) for name in MODES}
