"""The options of `target_options.MODES` as fields of option classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nvvm_xdsl.codegen.target_options import MODES


@dataclass(frozen=True, kw_only=True)
class FloatModes:
    """Rounding and contraction of single-precision operations."""

    ftz: bool = MODES["ftz"].default
    prec_div: bool = MODES["prec_div"].default
    prec_sqrt: bool = MODES["prec_sqrt"].default
    fmad: bool = MODES["fmad"].default


@dataclass(frozen=True, kw_only=True)
class StatedFloatModes:
    """The stated options of `FloatModes`; None for the others."""

    ftz: bool | None = None
    prec_div: bool | None = None
    prec_sqrt: bool | None = None
    fmad: bool | None = None


def modes_of(options: FloatModes | StatedFloatModes) -> dict[str, Any]:
    """The values of the options, by name."""
    return {name: getattr(options, name) for name in MODES}
