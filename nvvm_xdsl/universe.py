"""What a stock `xdsl-opt` learns when this package is installed.

xDSL loads this module at every start, so it imports nothing heavy: dialects, passes and targets
are imported when one is first asked for. `llvm` is xDSL's own dialect with what it lacks added,
hence the change to xDSL's table instead of an entry of our own.
"""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.target import Target


def _llvm() -> Dialect:
    from nvvm_xdsl.dialects.llvm import LLVM

    return LLVM


def _nvvm() -> Dialect:
    from nvvm_xdsl.dialects.nvvm import NVVM

    return NVVM


def _nvptx() -> Dialect:
    from nvvm_xdsl.dialects.nvptx import NVPTX

    return NVPTX


def _ptx() -> Dialect:
    from nvvm_xdsl.dialects.ptx import PTX

    return PTX


def _ptx_target() -> type[Target]:
    from nvvm_xdsl.dialects.ptx.target import PTXTarget

    return PTXTarget


XDSL_UNIVERSE.all_dialects["llvm"] = _llvm

NVVM_XDSL_UNIVERSE = Universe(
    all_dialects={"nvvm": _nvvm, "nvptx": _nvptx, "ptx": _ptx},
    all_passes={},
    all_targets={"ptx": _ptx_target},
)
