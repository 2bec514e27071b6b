"""`cnp-launch-check`: reports pointers to local or shared memory passed to kernels launched from
kernels.

    %buffer = llvm.call @cudaGetParameterBuffer(%alignment, %size) : (i64, i64) -> !llvm.ptr
    llvm.store %slot, %buffer : !llvm.ptr, !llvm.ptr       // %slot = llvm.alloca ...
    remark: A pointer to local memory was stored into the parameter buffer obtained at f.cu(7).
            Dereferencing this within the launch is undefined.

"Check CNP launch calls for legality"; CNP is CUDA's dynamic parallelism. A kernel cannot access the
local and shared memory of the kernel that launched it. As in NVIDIA's compiler, whose wording is
used, a violation is a remark, because an address may be passed without being dereferenced. A launch
of a defined function that is not a kernel is an error.

The pass examines stores to addresses that are computed from a parameter buffer. It reports stored
pointers that are computed from a stack slot or a shared variable, so it should run after `sroa`.
CUDA C++ Programming Guide, "CUDA Dynamic Parallelism".

Benefit: none; it only reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    BitcastOp,
    CallOp,
    FuncOp,
    GEPOp,
    LLVMPointerType,
    StoreOp,
)
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import callee_of, global_name, symbol_name
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.symbols import calls_in, functions_of, symbols_of
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.ir.nvptx import LOCAL, SHARED, STATE_SPACES
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.verify.verifier import VerifyError

BUFFERS = frozenset(
    {
        "cudaGetParameterBuffer",
        "cudaGetParameterBufferV2",
        "__cudaCDP2GetParameterBuffer",
        "__cudaCDP2GetParameterBufferV2",
    }
)
"""Functions of the device runtime that return a parameter buffer of a launch."""

TAKE_KERNELS = frozenset(
    {
        "cudaGetParameterBufferV2",
        "__cudaCDP2GetParameterBufferV2",
        *(
            f"{prefix}LaunchDevice{suffix}"
            for prefix in ("cuda", "__cudaCDP2")
            for suffix in ("", "_ptsz")
        ),
    }
)
"""Functions of the device runtime whose first argument is the kernel to launch."""

PRIVATE = {space: STATE_SPACES[space] for space in (SHARED, LOCAL)}
"""Memory that a launched kernel cannot access, by address space."""

_ADDRESS_OPS = frozenset({GEPOp, BitcastOp, AddrSpaceCastOp})


@dataclass(frozen=True)
class CNPLaunchCheck(NvvmPass):
    """Checks the arguments of kernels launched from kernels."""

    name = "cnp-launch-check"
    title = "CNPLaunchCheck"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        symbols = symbols_of(module)
        for func in functions_of(module):
            for call in calls_in(func):
                name = callee_of(call)
                if name in TAKE_KERNELS:
                    _check_kernel(call, symbols)
                if name in BUFFERS and call.results and remarks.wanted():
                    self._check_buffer(func, call)
        return False

    def _check_buffer(self, func: FuncOp, call: CallOp) -> None:
        file, line, _ = place_of(call)
        place = f"{file}({line})" if file is not None else symbol_name(func) or ""
        for store in _stores_into(call.results[0]):
            space = _private_space(fast.operands_of(store)[0])
            if space is not None:
                remarks.emit(
                    "Analysis",
                    self.name,
                    "PrivatePointer",
                    symbol_name(func) or "",
                    f"A pointer to {PRIVATE[space]} memory was stored into the parameter buffer "
                    f"obtained at {place}. Dereferencing this within the launch is undefined.",
                    op=store,
                )


def _check_kernel(call: CallOp, symbols: dict[str, Operation]) -> None:
    (function, *_) = fast.operands_of(call)
    while type(function.owner) in _ADDRESS_OPS:
        function = fast.operands_of(fast.producer_of(function))[0]
    owner = function.owner
    if type(owner) is not AddressOfOp:
        return
    launched = symbols.get(global_name(owner))
    # The definition of a declared function determines its properties.
    if isinstance(launched, FuncOp) and launched.regions[0].first_block is not None:
        if not is_kernel(launched):
            raise VerifyError(
                f"{callee_of(call)} of @{symbol_name(launched)}, which is not a kernel", call
            )


def _stores_into(buffer: SSAValue) -> Iterator[Operation]:
    """The stores to addresses computed from a pointer."""
    pending = [buffer]
    while pending:
        pointer = pending.pop()
        for user in fast.users_of(pointer):
            if type(user) is StoreOp and fast.operands_of(user)[1] is pointer:
                yield user
            elif type(user) in _ADDRESS_OPS and fast.operands_of(user)[0] is pointer:
                pending.append(user.results[0])


def _private_space(value: SSAValue) -> int | None:
    """The space of a pointer into memory of the thread or block; None for other values."""
    while isinstance(value.type, LLVMPointerType):
        space = address_space_of(value.type)
        if space in PRIVATE:
            return space
        owner = value.owner
        if type(owner) is AllocaOp:
            return 5
        if type(owner) not in _ADDRESS_OPS:
            return None
        value = fast.operands_of(fast.producer_of(value))[0]
    return None
