"""Makes Triton compile LLVM IR to PTX with this package instead of LLVM.

    from nvvm_xdsl.integrations import triton as nvvm_triton
    nvvm_triton.install()

    import triton
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32))
    compiled.asm["ptx"]

`install` replaces `make_ptx` of Triton's NVIDIA backend, and its hash, so that Triton's cache does
not return code of another compiler. A launch needs a GPU; compiling does not.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.version import VERSION

_ENTRY = re.compile(r"^\.visible \.entry ([\w$]+)\(", re.MULTILINE)

_FIRST_WITH_FEATURES = 90
"""The first architecture for which Triton uses the target with architecture-specific features,
`sm_90a`."""

_saved: dict[str, Any] = {}


def _backend() -> Any:
    try:
        return importlib.import_module("triton.backends.nvidia.compiler").CUDABackend
    except ImportError as error:
        raise ImportError(
            f"Triton is not installed (pip install 'nvvm-xdsl[triton]'): {error}"
        ) from None


def install() -> None:
    """Makes Triton compile kernels with this package. Raises ImportError without Triton."""
    backend = _backend()
    if _saved:
        return
    _saved.update(make_ptx=backend.make_ptx, hash=backend.hash)
    theirs = backend.hash

    def hash_(self: Any) -> str:
        return f"{theirs(self)}-nvvm-xdsl-{VERSION}"

    backend.make_ptx = _make_ptx
    backend.hash = hash_


def uninstall() -> None:
    """Restores Triton's own stage."""
    backend = _backend()
    for name, value in _saved.items():
        setattr(backend, name, value)
    _saved.clear()


def _make_ptx(self: Any, src: str, metadata: dict[str, Any], opt: Any, capability: int) -> str:
    """The stage: translates the text of the kernel's LLVM IR to PTX; stores the kernel's name in
    the metadata.

    Arguments:
        opt: Triton's options, of which only `enable_fp_fusion` is used.
        capability: the compute capability times ten.
    """
    suffix = "a" if capability >= _FIRST_WITH_FEATURES else ""
    options = CompileOptions(
        arch=f"sm_{capability}{suffix}", fmad=bool(opt.enable_fp_fusion), debug="lines"
    )
    ptx = compile_modules([parse(src, filename="<triton>", debug=options.debug)], options)
    names = _ENTRY.findall(ptx)
    if len(names) != 1:
        raise DiagnosticError(f"Triton's module has {len(names)} kernels, not one", file="<triton>")
    metadata["name"] = names[0]
    return ptx
