"""`nvvm-reflect`: replaces calls of `__nvvm_reflect` by constants.

    %name = llvm.mlir.addressof @.str : !llvm.ptr      // "__CUDA_FTZ\\00"
    %ftz = llvm.call @__nvvm_reflect(%name) : (!llvm.ptr) -> i32

becomes

    %ftz = llvm.mlir.constant(0 : i32) : i32

libdevice queries the denormal mode and the target architecture with this function. Users of the
result are folded immediately: comparisons, branches and unreachable blocks, as in LLVM's pass, so
that even without optimization no code for another architecture remains.

The names are those of NVVM IR and of LLVM's NVVMReflect: `__CUDA_ARCH` (ten times the SM),
`__CUDA_FTZ`, `__CUDA_PREC_DIV`, `__CUDA_PREC_SQRT`. Any other name yields 0. The module flag
`nvvm-reflect-ftz` is the value of `__CUDA_FTZ` unless a parameter states it.

Benefit: required: functions of libdevice query the compilation mode with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType, ModuleOp, StringAttr
from xdsl.dialects.llvm import AddressOfOp, CallIntrinsicOp, CallOp, FuncOp, GEPOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    global_name,
    initial_value_of,
    intrinsic_name,
    module_flags_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.function_attributes import target_sm
from nvvm_xdsl.dialects.llvm.gep import is_start
from nvvm_xdsl.dialects.llvm.symbols import functions_of, symbols_of, walk_function
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.conditionals import erase_dead, fold_users

REFLECT_FUNCTIONS = frozenset({"__nvvm_reflect", "__nvvm_reflect_ocl"})
REFLECT_INTRINSIC = "llvm.nvvm.reflect"
FTZ_FLAG = "nvvm-reflect-ftz"

_ADDRESS_OPS = frozenset({"llvm.addrspacecast", "llvm.bitcast"})
_GENERIC_ADDRESS = re.compile(r"llvm\.nvvm\.ptr\.(constant|global)\.to\.gen(\..*)?")


@dataclass(frozen=True)
class NVVMReflect(NvvmPass):
    """Resolves `__nvvm_reflect` calls and folds their users."""

    name = "nvvm-reflect"
    title = "NVVMReflect"

    arch: int | None = None
    """The value of `__CUDA_ARCH`, such as 900; None: from the function's `target_cpu`."""

    ftz: bool | None = None
    """The value of `__CUDA_FTZ`; None: the value of the module flag."""

    prec_div: bool = True
    prec_sqrt: bool = True

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        symbols = symbols_of(module)
        flag = ftz_flag(module)
        changed = False
        for func in functions_of(module):
            calls = [op for op in walk_function(func) if is_reflect_call(op)]
            if calls:
                answered = self._resolve(func, calls, symbols, flag)
                if answered:
                    changed = True
                    am.invalidate(func)
        return changed

    def _answer(self, name: str, func: FuncOp, flag: int) -> int | None:
        if name == "__CUDA_ARCH":
            if self.arch is not None:
                return self.arch
            sm = target_sm(func)
            return None if sm is None else sm * 10
        if name == "__CUDA_FTZ":
            return flag if self.ftz is None else int(self.ftz)
        if name == "__CUDA_PREC_DIV":
            return int(self.prec_div)
        if name == "__CUDA_PREC_SQRT":
            return int(self.prec_sqrt)
        return 0

    def _resolve(
        self, func: FuncOp, calls: list[Operation], symbols: dict[str, Operation], flag: int
    ) -> bool:
        constants = Constants(func)
        changed = False
        for call in calls:
            name = _constant_string(fast.operands_of(call)[0], symbols)
            answer = None if name is None else self._answer(name, func, flag)
            if answer is None:
                continue
            changed = True
            result = call.results[0]
            users = list(fast.users_of(result))
            fast.replace_all_uses(result, constants.integer(answer, result.type))
            address = fast.operands_of(call)[0]
            fast.erase(call)
            erase_dead(address)
            fold_users(users, constants)
        if changed:
            cfg.remove_unreachable_blocks(func.regions[0])
        return changed


def is_reflect_call(op: Operation) -> bool:
    """Returns True if the op is a call of a reflection function with a name as its argument."""
    if type(op) is CallOp:
        if callee_of(op) not in REFLECT_FUNCTIONS:
            return False
    elif type(op) is CallIntrinsicOp:
        if not intrinsic_name(op).startswith(REFLECT_INTRINSIC):
            return False
    elif op.name != "nvvm.reflect":
        return False
    if len(op.results) != 1 or not isinstance(op.results[0].type, IntegerType):
        return False
    return bool(fast.operands_of(op))


def _constant_string(value: SSAValue, symbols: dict[str, Operation]) -> str | None:
    """The text of the constant that a pointer refers to, without its final NUL."""
    owner = value.owner
    while isinstance(owner, Operation):
        if type(owner) is AddressOfOp:
            name = global_name(owner)
            return _text_of(symbols.get(name))
        is_cast = owner.name in _ADDRESS_OPS or (
            type(owner) is CallIntrinsicOp and _GENERIC_ADDRESS.fullmatch(intrinsic_name(owner))
        )
        if not is_cast and not (type(owner) is GEPOp and is_start(owner)):
            return None
        owner = fast.operands_of(owner)[0].owner
    return None


def _text_of(symbol: Operation | None) -> str | None:
    if symbol is None:
        return None
    value = initial_value_of(symbol)
    if isinstance(value, StringAttr):
        return value.data.rstrip("\0")
    get_values = getattr(value, "get_values", None)
    if get_values is not None:
        return bytes(int(v) & 255 for v in get_values()).rstrip(b"\0").decode("utf-8", "replace")
    data = getattr(value, "data", None)
    if isinstance(data, bytes):
        return data.rstrip(b"\0").decode("utf-8", "replace")
    return None


def ftz_flag(module: ModuleOp) -> int:
    """The value of the module flag `nvvm-reflect-ftz`; 0 if it is absent."""
    body = module.regions[0].first_block
    if body is None:
        return 0
    for op in fast.ops_of(body):
        if op.name == "llvm.module_flags":
            for flag in module_flags_of(op):
                parameters: tuple[Attribute, ...] = getattr(flag, "parameters", ())
                if any(isinstance(p, StringAttr) and p.data == FTZ_FLAG for p in parameters):
                    for p in parameters:
                        number = getattr(p, "value", None)
                        if number is not None and hasattr(number, "data"):
                            return int(number.data)
    return 0
