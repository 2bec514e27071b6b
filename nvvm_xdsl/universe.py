"""What a stock `xdsl-opt` learns when this package is installed.

xDSL loads this module at every start of every tool, so it imports nothing heavy: dialects,
passes and targets are imported when one is first asked for. `llvm` is xDSL's own dialect and
must stay one, hence the change to xDSL's table instead of an entry of our own: the factory
completes that dialect object and returns it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.target import Target

from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.xdsl_patches.pipeline_text import accept_angle_brackets
from nvvm_xdsl.xdsl_patches.stock_passes import STOCK_PASSES


def _at(location: str) -> Callable[[], Any]:
    """Returns a factory that imports a dialect, pass or target.

    Arguments:
        location: `module:name`, the module relative to this package.
    """
    module, _, name = location.partition(":")

    @cache
    def make() -> Any:
        with paused_collector():
            return getattr(import_module(f"nvvm_xdsl.{module}"), name)

    return make


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "gpu": _at("dialects.gpu:GPU"),
    "llvm": _at("dialects.llvm:LLVM"),
    "nvvm": _at("dialects.nvvm:NVVM"),
    "nvptx": _at("dialects.nvptx:NVPTX"),
    "ptx": _at("dialects.ptx:PTX"),
    "sass": _at("dialects.sass:SASS"),
}
"""The dialects of this package by name."""


def _new_dialects() -> dict[str, Callable[[], Dialect]]:
    """Returns the dialects that xDSL lacks. Dialects of xDSL's names replace xDSL's factories."""
    own: dict[str, Callable[[], Dialect]] = {}
    theirs = XDSL_UNIVERSE.all_dialects
    for name, factory in DIALECTS.items():
        (theirs if name in theirs else own)[name] = factory
    return own


def _new_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Returns the passes that xDSL lacks, those of plug-ins among them.

    Passes of xDSL's names extend xDSL's and replace their factories.
    """
    from nvvm_xdsl.ir.diagnostics import DiagnosticError
    from nvvm_xdsl.passes import get_all_passes
    from nvvm_xdsl.pipeline.plugins import load_installed

    try:
        load_installed()
    except DiagnosticError as error:
        # A broken plug-in must not disable xDSL's tools.
        print(f"warning: {error.message}", file=sys.stderr)
    own: dict[str, Callable[[], type[ModulePass]]] = {
        "nvopt": _at("pipeline.nvopt:NvOpt"),
        "convert-llvm-to-nvptx": _at("codegen.convert_llvm_to_nvptx:ConvertLLVMToNVPTX"),
        "convert-nvptx-to-ptx": _at("codegen.emission.convert_nvptx_to_ptx:ConvertNVPTXToPTX"),
        "convert-ptx-to-nvptx": _at("codegen.from_ptx:ConvertPTXToNVPTX"),
        "llvm": _at("export.llvm_passes:LLVMPasses"),
    }
    theirs = XDSL_UNIVERSE.all_passes
    for name, factory in get_all_passes().items():
        (theirs if name in STOCK_PASSES else own)[name] = factory
    return own


def _new_targets() -> dict[str, Callable[[], type[Target]]]:
    """`ptx`, and `llvm` in place of xDSL's, which knows fewer ops."""
    own: dict[str, Callable[[], type[Target]]] = {}
    theirs = XDSL_UNIVERSE.all_targets
    places = {"llvm": "driver.target:LLVMTarget", "ptx": "driver.target:PTXTarget"}
    for name, place in places.items():
        (theirs if name in theirs else own)[name] = _at(place)
    return own


accept_angle_brackets()

NVVM_XDSL_UNIVERSE = Universe(
    all_dialects=_new_dialects(), all_passes=_new_passes(), all_targets=_new_targets()
)
