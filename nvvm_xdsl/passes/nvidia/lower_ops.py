"""`lower-ops`: operations that the device has no instructions for become calls of functions.

    %q = llvm.udiv %a, %b : i128

becomes

    %q = llvm.call @__nv_udiv128(%a, %b) : (i128, i128) -> i128

and so do the other divisions and remainders of integers of more than 64 bits, their conversions
from and to floats, and remainders of floats. Numbers of other widths are extended to 128 bits,
those of half precision to single precision; vectors are done one element after the other. The
functions are linked into the module, unless it brings its own of that name. With
`enable-optimization` they are said to depend on their arguments alone, so that calls of them can
be moved and merged.

128-bit floats are integers by now (`soften-fp128`).

000 LLVM Optimizer ("NVIDIA Custom Passes"). The names are those of the sister page on 128-bit
emulation, which swaps the directions of the conversions in its table: `cvt_f64_u128_rz` here goes
from f64 to u128, as it reads.

Worth: needed: PTX has no such operations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.dialects.llvm import (
    FPExtOp,
    FPTruncOp,
    FRemOp,
    FuncOp,
    InsertElementOp,
    SDivOp,
    SExtOp,
    SIToFPOp,
    SRemOp,
    TruncOp,
    UDivOp,
    URemOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.attributes import integer_width, scalar_type, symbol_name
from nvvm_xdsl.ir.types import BF16, F16, F32, F64, I32, I128, UNIT, string
from nvvm_xdsl.passes.base import NvvmPass, functions_of
from nvvm_xdsl.passes.nvidia.support_routines.linking import SIGNATURES, link_routine
from nvvm_xdsl.passes.utils.builder import Builder
from nvvm_xdsl.passes.utils.constants import Constants
from nvvm_xdsl.passes.utils.runtime_calls import call_function

UIToFPOp = op_class("llvm.uitofp")
FPToUIOp = op_class("llvm.fptoui")
FPToSIOp = op_class("llvm.fptosi")
ExtractElementOp = op_class("llvm.extractelement")

NATIVE_BITS, LIBRARY_BITS = 64, 128
"""The widest integers that PTX divides, and those that the library divides."""

LIBRARY: dict[str, str] = {
    "udiv128": "__nv_udiv128",
    "urem128": "__nv_urem128",
    "sdiv128": "__nv_idiv128",
    "srem128": "__nv_irem128",
    "u128_to_f32": "__nv_cvt_u128_f32_rn",
    "u128_to_f64": "__nv_cvt_u128_f64_rn",
    "s128_to_f32": "__nv_cvt_i128_f32_rn",
    "s128_to_f64": "__nv_cvt_i128_f64_rn",
    "f64_to_u128": "__nv_cvt_f64_u128_rz",
    "f64_to_s128": "__nv_cvt_f64_i128_rz",
    "fmod32": "__nvvm_xdsl_fmod32",
    "fmod64": "__nvvm_xdsl_fmod64",
}
"""By routine, the name that it has in modules; those of remainders are ours."""

_DIVISIONS: dict[type[Operation], tuple[str, bool]] = {
    UDivOp: ("udiv128", False),
    URemOp: ("urem128", False),
    SDivOp: ("sdiv128", True),
    SRemOp: ("srem128", True),
}
_TO_FLOAT: dict[type[Operation], bool] = {UIToFPOp: False, SIToFPOp: True}
_TO_INTEGER: dict[type[Operation], str] = {FPToUIOp: "f64_to_u128", FPToSIOp: "f64_to_s128"}
_HALVES = frozenset({F16, BF16})
_FLOATS = _HALVES | {F32, F64}

LOWERED = remarks.Statistic("lower-ops", "lowered", "Number of operations made calls")

Lower: TypeAlias = Callable[["_Lowering", Builder, list[SSAValue], Attribute], SSAValue]


@dataclass(frozen=True)
class LowerOps(NvvmPass):
    """Makes calls of operations that the device lacks."""

    name = "lower-ops"
    title = "LowerOps"
    phases: ClassVar[frozenset[int]] = frozenset({1, 2})

    enable_optimization: bool = False
    """Tell what calls of the functions depend on, for passes that follow."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        lowering = _Lowering(module, enable_optimization=self.enable_optimization)
        changed = False
        for func in list(functions_of(module)):
            if symbol_name(func) in LIBRARY.values():
                continue
            if lowering.run(func):
                changed = True
                am.invalidate(func, self.preserved())
        return changed


def _element(type_: Attribute) -> Attribute:
    return scalar_type(type_) if _is_vector(type_) else type_


def _is_vector(type_: Attribute) -> bool:
    return isinstance(type_, VectorType)


def _is_wide(type_: Attribute) -> bool:
    """Whether an integer type is wider than PTX divides, and no wider than the library does."""
    return NATIVE_BITS < integer_width(type_) <= LIBRARY_BITS


class _Lowering:
    """The operations of a module, function after function."""

    def __init__(self, module: ModuleOp, *, enable_optimization: bool) -> None:
        self.module = module
        self.enable_optimization = enable_optimization
        self._linked: set[str] = set()

    def run(self, func: FuncOp) -> bool:
        """Lowers what is in a function; returns whether there was anything."""
        constants = Constants(func)
        found = [(op, how) for op in walk_function(func) if (how := self._how(op)) is not None]
        for op, how in found:
            builder = Builder(op, constants)
            fast.replace_op(op, (self._lanes(op, how, builder),))
            LOWERED.add()
        return bool(found)

    def _how(self, op: Operation) -> Lower | None:
        """What makes a call of one element of an op; None for what the device does itself."""
        cls = op.__class__
        if not op.results:
            return None
        type_ = _element(op.results[0].type)
        if cls in _DIVISIONS:
            routine, signed = _DIVISIONS[cls]
            return _division(routine, signed=signed) if _is_wide(type_) else None
        if cls in _TO_FLOAT:
            source = _element(fast.operands_of(op)[0].type)
            wanted = _is_wide(source) and type_ in _FLOATS
            return _to_float(signed=_TO_FLOAT[cls]) if wanted else None
        if cls in _TO_INTEGER:
            source = _element(fast.operands_of(op)[0].type)
            return _to_integer(_TO_INTEGER[cls]) if _is_wide(type_) and source in _FLOATS else None
        return _remainder if cls is FRemOp and type_ in _FLOATS else None

    def _lanes(self, op: Operation, how: Lower, b: Builder) -> SSAValue:
        operands = list(fast.operands_of(op))
        type_ = op.results[0].type
        if not _is_vector(type_):
            return how(self, b, operands, type_)
        whole = b.constants.poison(type_)
        for lane in range(cast("VectorType[Any]", type_).get_shape()[0]):
            index = b.constants.integer(lane, I32)
            parts = [b.value(ExtractElementOp, (v, index), _element(v.type)) for v in operands]
            part = how(self, b, parts, _element(type_))
            whole = b.value(InsertElementOp, (whole, part, index), type_)
        return whole

    def call(self, b: Builder, routine: str, arguments: list[SSAValue]) -> SSAValue:
        """Calls a routine."""
        name = LIBRARY[routine]
        if routine not in self._linked:
            self._linked.add(routine)
            func = link_routine(self.module, routine, name)
            if self.enable_optimization:
                func.properties["memory_effects"] = _NO_MEMORY
                func.properties["will_return"] = UNIT
                func.properties["no_unwind"] = UNIT
        return call_function(name, arguments, SIGNATURES[routine][1], b.before).results[0]


_NO_MEMORY = MemoryEffectsAttr.of(
    **dict.fromkeys(
        ("other", "argMem", "inaccessibleMem", "errnoMem", "targetMem0", "targetMem1"),
        string("none"),
    )
)


def _extended(b: Builder, value: SSAValue, *, signed: bool) -> SSAValue:
    if value.type == I128:
        return value
    return b.value(SExtOp if signed else ZExtOp, (value,), I128)


def _division(routine: str, *, signed: bool) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        wide = [_extended(b, value, signed=signed) for value in operands]
        made = lowering.call(b, routine, wide)
        return made if type_ == I128 else b.value(TruncOp, (made,), type_)

    return lower


def _to_float(*, signed: bool) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        number = _extended(b, operands[0], signed=signed)
        sign = "s" if signed else "u"
        made = lowering.call(b, f"{sign}128_to_{'f64' if type_ == F64 else 'f32'}", [number])
        return b.value(FPTruncOp, (made,), type_) if type_ in _HALVES else made

    return lower


def _to_integer(routine: str) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        (value,) = operands
        if value.type != F64:
            value = b.value(FPExtOp, (value,), F64)
        made = lowering.call(b, routine, [value])
        return made if type_ == I128 else b.value(TruncOp, (made,), type_)

    return lower


def _remainder(
    lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
) -> SSAValue:
    if type_ not in _HALVES:
        return lowering.call(b, "fmod64" if type_ == F64 else "fmod32", operands)
    # The remainder of two halves is exact in f32.
    wide = [b.value(FPExtOp, (value,), F32) for value in operands]
    return b.value(FPTruncOp, (lowering.call(b, "fmod32", wide),), type_)
