"""Makes Numba's CUDA target compile with this package instead of libNVVM.

    from nvvm_xdsl.integrations import numba as nvvm_numba
    nvvm_numba.install()

    from numba import cuda, float32, void
    ptx, _ = cuda.compile_ptx(kernel, void(float32[:]), cc=(9, 0))

Numba-cuda calls `cuda.bindings.nvvm`; `install` replaces it by `nvvm_xdsl.integrations.libnvvm`.
Libdevice is still NVIDIA's, from the toolkit or its wheels. A launch needs a GPU; `compile_ptx`
does not.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from nvvm_xdsl.integrations import libnvvm

_saved: dict[str, Any] = {}


def _nvvm_module() -> ModuleType:
    try:
        module = importlib.import_module("numba.cuda.cudadrv.nvvm")
    except ImportError as error:
        raise ImportError(
            f"numba-cuda is not installed (pip install 'nvvm-xdsl[numba]'): {error}"
        ) from None
    if not hasattr(module, "_nvvm"):
        raise ImportError(
            "this numba.cuda does not call cuda.bindings: numba-cuda 0.30 or newer is needed"
        )
    return module


def install() -> None:
    """Makes Numba compile kernels with this package. Raises ImportError without numba-cuda."""
    module = _nvvm_module()
    if _saved:
        return
    replaced = {"_nvvm": libnvvm, "nvvmError": libnvvm.nvvmError, "is_available": lambda: True}
    for name, value in replaced.items():
        _saved[name] = getattr(module, name, None)
        setattr(module, name, value)
    _forget_driver(module)


def uninstall() -> None:
    """Restores libNVVM in Numba."""
    if not _saved:
        return
    module = _nvvm_module()
    for name, value in _saved.items():
        setattr(module, name, value)
    _saved.clear()
    _forget_driver(module)


def _forget_driver(module: ModuleType) -> None:
    """Numba keeps the one object that calls libNVVM in a class; if it is missing, Numba creates it
    again.
    """
    driver = getattr(module, "NVVM", None)
    if driver is not None:
        driver._NVVM__INSTANCE = None
