"""xDSL's own passes, before `universe` replaces those whose names this project's passes have too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE

STOCK_PASSES: Final[Mapping[str, Callable[[], type[ModulePass]]]] = dict(XDSL_UNIVERSE.all_passes)
"""Factories of xDSL's passes by name."""
