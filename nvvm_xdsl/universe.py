"""The plug-in entry point: dialects, passes and targets for a stock `xdsl-opt`.

Imported at every start of every xDSL tool, so nothing is imported here that is not needed to
list names. The llvm dialect is xDSL's own and must stay one; the table of xDSL's universe is
pointed at our factory, which completes the same dialect object before it returns it.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.target import Target


def _get_llvm() -> Dialect:
    from nvvm_xdsl.dialects.llvm import LLVM

    return LLVM


def _get_nvvm() -> Dialect:
    from nvvm_xdsl.dialects.nvvm import NVVM

    return NVVM


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "llvm": _get_llvm,
    "nvvm": _get_nvvm,
}
"""Our dialects by name."""


def _new_dialects() -> dict[str, Callable[[], Dialect]]:
    """Those that xDSL has not; the others replace xDSL's factory of the same name."""
    own: dict[str, Callable[[], Dialect]] = {}
    for name, factory in DIALECTS.items():
        table = XDSL_UNIVERSE.all_dialects if name in XDSL_UNIVERSE.all_dialects else own
        table[name] = factory
    return own


def _passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Our passes that no pass of xDSL's hides."""
    try:
        from nvvm_xdsl.passes import get_all_passes  # pyright: ignore
    except ImportError:
        return {}
    return {
        name: factory
        for name, factory in get_all_passes().items()
        if name not in XDSL_UNIVERSE.all_passes
    }


def _get_ptx_target() -> type[Target]:
    from nvvm_xdsl.codegen.target import PTXTarget

    return PTXTarget


NVVM_XDSL_UNIVERSE = Universe(
    all_dialects=_new_dialects(),
    all_passes=_passes(),
    all_targets={"ptx": _get_ptx_target},
)
