"""An open NVVM compiler: NVVM IR to PTX as xDSL dialects and passes.

    import nvvm_xdsl
    ptx = nvvm_xdsl.compile(Path("kernel.ll"), arch="sm_90")

`parse` and `emit` are its two halves; between them the module is ordinary xDSL IR.
"""

from __future__ import annotations

from nvvm_xdsl.ir.version import VERSION as __version__

TYPE_CHECKING = False
"""As of `typing`, which the client of `nvvmd` does not import."""

if TYPE_CHECKING:
    from typing import Any

    from nvvm_xdsl.driver.compile import compile, emit, parse
    from nvvm_xdsl.driver.many import compile_many
    from nvvm_xdsl.driver.options import CompileOptions
    from nvvm_xdsl.ir.diagnostics import DiagnosticError

__all__ = [
    "CompileOptions",
    "DiagnosticError",
    "__version__",
    "compile",
    "compile_many",
    "emit",
    "parse",
]

_HOMES = {
    "compile": "nvvm_xdsl.driver.compile",
    "compile_many": "nvvm_xdsl.driver.many",
    "emit": "nvvm_xdsl.driver.compile",
    "parse": "nvvm_xdsl.driver.compile",
    "CompileOptions": "nvvm_xdsl.driver.options",
    "DiagnosticError": "nvvm_xdsl.ir.diagnostics",
}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used, so that importing the package is cheap."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    from nvvm_xdsl.ir.collector import paused_collector

    with paused_collector():
        value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Returns the public names, including those that are not imported yet."""
    return __all__
