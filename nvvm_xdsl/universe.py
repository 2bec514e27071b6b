"""What a stock `xdsl-opt` learns when this package is installed.

xDSL loads this module at every start of every tool, so it imports nothing heavy: dialects,
passes and targets are imported when one is first asked for. `llvm` is xDSL's own dialect and
must stay one, hence the change to xDSL's table instead of an entry of our own: the factory
completes that dialect object and returns it.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
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


def _gpu() -> Dialect:
    from nvvm_xdsl.dialects.gpu import GPU

    return GPU


def _ptx_target() -> type[Target]:
    from nvvm_xdsl.driver.target import PTXTarget

    return PTXTarget


def _llvm_target() -> type[Target]:
    from nvvm_xdsl.driver.target import LLVMTarget

    return LLVMTarget


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "gpu": _gpu,
    "llvm": _llvm,
    "nvvm": _nvvm,
    "nvptx": _nvptx,
    "ptx": _ptx,
}
"""The dialects of this package by name."""


def _new_dialects() -> dict[str, Callable[[], Dialect]]:
    """Those that xDSL has not; each other one replaces xDSL's factory of its name."""
    own: dict[str, Callable[[], Dialect]] = {}
    theirs = XDSL_UNIVERSE.all_dialects
    for name, factory in DIALECTS.items():
        (theirs if name in theirs else own)[name] = factory
    return own


def _nvopt() -> type[ModulePass]:
    from nvvm_xdsl.pipeline.nvopt import NvOpt

    return NvOpt


def _convert_llvm_to_nvptx() -> type[ModulePass]:
    from nvvm_xdsl.codegen.convert_llvm_to_nvptx import ConvertLLVMToNVPTX

    return ConvertLLVMToNVPTX


def _convert_nvptx_to_ptx() -> type[ModulePass]:
    from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import ConvertNVPTXToPTX

    return ConvertNVPTXToPTX


def _convert_ptx_to_nvptx() -> type[ModulePass]:
    from nvvm_xdsl.codegen.from_ptx import ConvertPTXToNVPTX

    return ConvertPTXToNVPTX


def _llvm_passes() -> type[ModulePass]:
    from nvvm_xdsl.export.llvm_passes import LLVMPasses

    return LLVMPasses


def _new_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Those that xDSL has not; each other one, which does what xDSL's does too, replaces it."""
    from nvvm_xdsl.passes import get_all_passes

    own: dict[str, Callable[[], type[ModulePass]]] = {
        "nvopt": _nvopt,
        "convert-llvm-to-nvptx": _convert_llvm_to_nvptx,
        "convert-nvptx-to-ptx": _convert_nvptx_to_ptx,
        "convert-ptx-to-nvptx": _convert_ptx_to_nvptx,
        "llvm": _llvm_passes,
    }
    theirs = XDSL_UNIVERSE.all_passes
    for name, factory in get_all_passes().items():
        (theirs if name in theirs else own)[name] = factory
    return own


def _new_targets() -> dict[str, Callable[[], type[Target]]]:
    """`ptx`, and `llvm` in place of xDSL's, which knows fewer ops."""
    own: dict[str, Callable[[], type[Target]]] = {}
    theirs = XDSL_UNIVERSE.all_targets
    for name, factory in {"llvm": _llvm_target, "ptx": _ptx_target}.items():
        (theirs if name in theirs else own)[name] = factory
    return own


def _teach_angle_brackets() -> None:
    """Lets xDSL's pipeline text have `pass<a;b>` for `pass{a b}`.

    The rules are private to xDSL: where they are not as they were, only this is lost.
    """
    try:
        import re

        from xdsl.utils import arg_spec

        rules = arg_spec._lexer_rules  # pyright: ignore[reportPrivateUsage]
        kinds = arg_spec.SpecTokenKind
        if not any(pattern.pattern == "<" for pattern, _ in rules):
            rules[:0] = [
                (re.compile("<"), kinds.L_BRACE),
                (re.compile(">"), kinds.R_BRACE),
                (re.compile(";"), kinds.SPACE),
            ]
    except (ImportError, AttributeError, TypeError):
        pass


_teach_angle_brackets()

NVVM_XDSL_UNIVERSE = Universe(
    all_dialects=_new_dialects(),
    all_passes=_new_passes(),
    all_targets=_new_targets(),
)
