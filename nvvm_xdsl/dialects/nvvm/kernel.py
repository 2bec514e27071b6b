"""Kernels and their launch bounds, in all representations.

MLIR represents both by attributes (`nvvm.kernel`, `nvvm.maxntid = array<i32: 256, 1, 1>`), its
importer of LLVM IR by the calling convention `ptx_kernelcc` and strings in `passthrough`
(`["nvvm.maxntid", "256,1,1"]`). These functions hide the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import calling_convention_of, integers_of
from nvvm_xdsl.dialects.llvm.function_attributes import passthrough_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError

KERNEL_ATTRIBUTES = ("nvvm.kernel", "gpu.kernel")
"""Attributes that mark a function as a kernel."""


@dataclass(frozen=True)
class LaunchBounds:
    """The launch bounds of a kernel; None for unstated ones.

    The fields are named like the attributes; `cluster_max_blocks` is LLVM's `nvvm.maxclusterrank`.
    """

    maxntid: tuple[int, ...] | None = None
    reqntid: tuple[int, ...] | None = None
    cluster_dim: tuple[int, ...] | None = None
    minctasm: int | None = None
    maxnreg: int | None = None
    cluster_max_blocks: int | None = None
    blocksareclusters: bool = False

    @property
    def max_threads(self) -> int | None:
        """Maximum number of threads of a block; None if it is unbounded."""
        bound = self.reqntid or self.maxntid
        return prod(bound) if bound else None

    def max_threads_in(self, dimension: int) -> int | None:
        """Maximum number of threads in dimension 0, 1 or 2; omitted dimensions of a bound are 1."""
        bound = self.reqntid or self.maxntid
        if not bound:
            return None
        if self.reqntid:
            return bound[dimension] if dimension < len(bound) else 1
        return self.max_threads


MAX_BOUND = (1 << 31) - 1
"""The maximum of a launch bound, which is an `i32`."""

_BOUNDS = frozenset(
    f"nvvm.{name}"
    for name in (
        *("maxntid", "reqntid", "cluster_dim", "minctasm", "maxnreg"),
        *("cluster_max_blocks", "maxclusterrank"),
    )
)


def is_kernel(func: Operation) -> bool:
    """Returns True if an `llvm.func` is a kernel."""
    attributes = func.attributes
    if "nvvm.kernel" in attributes or "gpu.kernel" in attributes:
        return True
    return calling_convention_of(func) == "ptx_kernelcc"


def launch_bounds(func: Operation) -> LaunchBounds:
    """The launch bounds of a kernel, from its attributes or its `passthrough` strings."""
    found = {
        name: _parsed(text or "")
        for name, text in passthrough_of(func).items()
        if name.startswith("nvvm.")
    }
    for name, value in func.attributes.items():
        if name.startswith("nvvm."):
            numbers = _numbers(value)
            if numbers is not None:
                found[name] = numbers

    def dimensions(name: str) -> tuple[int, ...] | None:
        return found.get(name) or None

    def number(*names: str) -> int | None:
        for name in names:
            if values := found.get(name):
                return values[0]
        return None

    for name, numbers in found.items():
        if name in _BOUNDS and any(not 0 <= number <= MAX_BOUND for number in numbers):
            raise DiagnosticError(
                f"{name} of {', '.join(map(str, numbers))}: a bound lies between 0 and {MAX_BOUND}"
            )
    return LaunchBounds(
        maxntid=dimensions("nvvm.maxntid"),
        reqntid=dimensions("nvvm.reqntid"),
        cluster_dim=dimensions("nvvm.cluster_dim"),
        minctasm=number("nvvm.minctasm"),
        maxnreg=number("nvvm.maxnreg"),
        cluster_max_blocks=number("nvvm.cluster_max_blocks", "nvvm.maxclusterrank"),
        blocksareclusters="nvvm.blocksareclusters" in func.attributes
        or "nvvm.blocksareclusters" in found,
    )


def _parsed(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        return ()


def _numbers(value: Attribute) -> tuple[int, ...] | None:
    match value:
        case IntegerAttr():
            return (value.value.data,)
        case DenseArrayBase():
            return integers_of(value)
        case ArrayAttr():
            inner = [_numbers(v) for v in value.data]
            return tuple(n for ns in inner if ns for n in ns)
        case StringAttr():
            return _parsed(value.data)
        case _:
            return None
