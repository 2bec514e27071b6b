"""`lower-ops`: lowers operations that PTX lacks to calls or arithmetic.

    %q = llvm.udiv %a, %b : i128

becomes

    %q = llvm.call @__nv_udiv128(%a, %b) : (i128, i128) -> i128

Also lowered to calls are the other divisions and remainders of integers of more than 64 bits,
conversions between these and floats, and remainders of floats. Integers of other widths are
extended to 128 bits, and operands of half precision to single precision; results of half precision
are computed in double precision and rounded once; vectors are processed by element. Divisions of wider
integers call a routine for a multiple of 64 bits, which computes one bit in each iteration. The
called functions are linked into the module unless it defines functions of these names. With
`enable-optimization` they are marked as depending only on their arguments, so that calls can be
moved and merged.

Fixed-point products and quotients (`llvm.smul.fix`, `llvm.udiv.fix.sat` ...), funnel shifts of
widths above 64 that are not powers of two, saturating conversions to i1 and to more than 64
bits, and conversions between floats and integers of 129 to 1024 bits are expanded to arithmetic. Fixed-point results are rounded down. Fixed-point quotients of more
than 64 bits are errors.

`soften-fp128` has replaced 128-bit floats by integers before.

000 LLVM Optimizer ("NVIDIA Custom Passes"). The names of the functions are from the sister page on
128-bit emulation. The table of that page swaps the directions of the conversions; here
`cvt_f64_u128_rz` converts from f64 to u128.

Benefit: required: PTX lacks these operations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import IntegerType, ModuleOp, VectorType
from xdsl.dialects.llvm import (
    CallIntrinsicOp,
    FPExtOp,
    FPTruncOp,
    FRemOp,
    FuncOp,
    InsertElementOp,
    SDivOp,
    SelectOp,
    SExtOp,
    SIToFPOp,
    SRemOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import (
    integer_width,
    intrinsic_name,
    scalar_type,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import (
    ExtractElementOp,
    FPToSIOp,
    FPToUIOp,
    FshlOp,
    FshrOp,
    LlrintOp,
    LlroundOp,
    LrintOp,
    LroundOp,
    RintOp,
    RoundOp,
    UIToFPOp,
)
from nvvm_xdsl.dialects.llvm.setters import set_memory_effects
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.llvm.symbols import functions_of, walk_function
from nvvm_xdsl.dialects.llvm.types import (
    BF16,
    F16,
    F32,
    F64,
    I1,
    I8,
    I32,
    I128,
    UNIT,
    integer,
    string,
)
from nvvm_xdsl.dialects.nvvm.calls import intrinsic_call
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.lowering.support_routines.linking import link_routine, signature_of
from nvvm_xdsl.transforms.builder import NE, SLT, Builder
from nvvm_xdsl.transforms.integer_expansions import (
    fixed_product,
    fixed_quotient,
    funnel_shift,
    rounded,
    rounded_to_odd,
    saturated,
    saturated_bit,
    truncated,
)
from nvvm_xdsl.transforms.runtime_calls import call_function
from nvvm_xdsl.verify.verifier import VerifyError

NATIVE_BITS, LIBRARY_BITS = 64, 128
"""The widest integers that PTX divides, and those that the library divides."""

LONGEST_BITS = 1024
"""The widest integers that are converted: all f64 are in their range, and the powers of two are f64."""

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
"""The name in modules of each routine; the names of the remainders are this project's."""

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

LOWERED = remarks.Statistic(
    "lower-ops", "lowered", "Number of operations lowered to calls or arithmetic"
)

Lower: TypeAlias = Callable[["_Lowering", Builder, list[SSAValue], Attribute], SSAValue]


@dataclass(frozen=True)
class LowerOps(NvvmPass):
    """Lowers operations that the device lacks to calls."""

    name = "lower-ops"
    title = "LowerOps"
    phases: ClassVar[frozenset[int]] = frozenset({1, 2})

    enable_optimization: bool = False
    """Whether the called functions are marked as depending only on their arguments."""

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
    """True if an integer type is wider than PTX can divide, and no wider than the library can."""
    return NATIVE_BITS < integer_width(type_) <= LIBRARY_BITS


def _is_convertible(type_: Attribute) -> bool:
    """True if conversions between an integer type and floats are lowered here."""
    return NATIVE_BITS < integer_width(type_) <= LONGEST_BITS


class _Lowering:
    """Lowers the functions of a module one after the other."""

    def __init__(self, module: ModuleOp, *, enable_optimization: bool) -> None:
        self.module = module
        self.enable_optimization = enable_optimization
        self._linked: set[str] = set()

    def run(self, func: FuncOp) -> bool:
        """Lowers the ops of a function; returns whether there were any."""
        constants = Constants(func)
        found = [(op, how) for op in walk_function(func) if (how := self._how(op)) is not None]
        for op, how in found:
            builder = Builder(op, constants)
            fast.replace_op(op, (self._lanes(op, how, builder),))
            LOWERED.add()
        return bool(found)

    def _how(self, op: Operation) -> Lower | None:
        """The factory of a call for one element of an op; None for ops that the device supports."""
        cls = type(op)
        if not op.results:
            return None
        type_ = _element(op.results[0].type)
        if cls is CallIntrinsicOp:
            return _intrinsic(op, type_)
        if cls in _FUNNELS:
            width = integer_width(type_)
            wanted = width > NATIVE_BITS and width & (width - 1)
            return _funnel(left=cls is FshlOp) if wanted else None
        if cls in _ROUNDED:
            return _rounded(_ROUNDED[cls]) if _is_wide(type_) else None
        if cls in _DIVISIONS:
            routine, signed = _DIVISIONS[cls]
            if integer_width(type_) > LIBRARY_BITS:
                return _long_division(f"u{routine[1:4]}", signed=signed)
            return _division(routine, signed=signed) if _is_wide(type_) else None
        if cls in _TO_FLOAT:
            source = _element(fast.operands_of(op)[0].type)
            wanted = _is_convertible(source) and type_ in _FLOATS
            return _to_float(signed=_TO_FLOAT[cls]) if wanted else None
        if cls in _TO_INTEGER:
            source = _element(fast.operands_of(op)[0].type)
            wanted = _is_convertible(type_) and source in _FLOATS
            return _to_integer(_TO_INTEGER[cls]) if wanted else None
        return _remainder if cls is FRemOp and type_ in _FLOATS else None

    def _lanes(self, op: Operation, how: Lower, b: Builder) -> SSAValue:
        operands = list(fast.operands_of(op))
        type_ = op.results[0].type
        if not _is_vector(type_):
            return how(self, b, operands, type_)
        whole = b.constants.poison(type_)
        for lane in range(cast("VectorType[Any]", type_).get_shape()[0]):
            index = b.constants.integer(lane, I32)
            parts = [
                b.value(ExtractElementOp, (v, index), _element(v.type)) if _is_vector(v.type) else v
                for v in operands
            ]
            part = how(self, b, parts, _element(type_))
            whole = b.value(InsertElementOp, (whole, part, index), type_)
        return whole

    def call(self, b: Builder, routine: str, arguments: list[SSAValue]) -> SSAValue:
        """Calls a routine."""
        name = LIBRARY.get(routine, f"__nv_{routine}")
        if routine not in self._linked:
            self._linked.add(routine)
            func = link_routine(self.module, routine, name)
            if self.enable_optimization:
                set_memory_effects(func, _NO_MEMORY)
                func.properties["will_return"] = UNIT
                func.properties["no_unwind"] = UNIT
        return call_function(name, arguments, signature_of(routine)[1], b.before).results[0]


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


def _long_division(routine: str, *, signed: bool) -> Lower:
    """Divisions of more than 128 bits, on magnitudes of a multiple of 64 bits."""

    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        bits = -(-integer_width(type_) // NATIVE_BITS) * NATIVE_BITS
        wide = integer(bits)
        values = [
            v if v.type == wide else b.value(SExtOp if signed else ZExtOp, (v,), wide)
            for v in operands
        ]
        if not signed:
            made = lowering.call(b, f"{routine}{bits}", values)
        else:
            zero = b.constants.integer(0, wide)
            signs = [b.compare(SLT, value, zero) for value in values]
            magnitudes = [_negated_if(b, s, v) for s, v in zip(signs, values, strict=True)]
            made = lowering.call(b, f"{routine}{bits}", magnitudes)
            negative = signs[0]
            if routine == "udiv":
                negative = b.compare(NE, signs[0], signs[1])
            made = _negated_if(b, negative, made)
        return made if type_ == wide else b.value(TruncOp, (made,), type_)

    return lower


def _negated_if(b: Builder, condition: SSAValue, value: SSAValue) -> SSAValue:
    zero = b.constants.integer(0, cast(IntegerType, value.type))
    negated = b.value(SubOp, (zero, value), value.type)
    return b.value(SelectOp, (condition, negated, value), value.type)


def _to_float(*, signed: bool) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        if integer_width(operands[0].type) > LIBRARY_BITS:
            if type_ == F64:
                return rounded(b, operands[0], sign=signed)
            return b.value(FPTruncOp, (rounded_to_odd(b, operands[0], sign=signed),), type_)
        number = _extended(b, operands[0], signed=signed)
        if type_ in _HALVES:
            # Rounding to f32 first might round twice.
            return b.value(FPTruncOp, (rounded_to_odd(b, number, sign=signed),), type_)
        sign = "s" if signed else "u"
        return lowering.call(b, f"{sign}128_to_{'f64' if type_ == F64 else 'f32'}", [number])

    return lower


def _to_integer(routine: str) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        (value,) = operands
        if value.type != F64:
            value = b.value(FPExtOp, (value,), F64)
        if integer_width(type_) > LIBRARY_BITS:
            return truncated(b, value, type_)
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


# Arithmetic

_FIXED = re.compile(r"llvm\.([su])(mul|div)\.fix(\.sat)?(?=\.|$)")
_SATURATING = re.compile(r"llvm\.fpto([su])i\.sat(?=\.|$)")
_FUNNELS = frozenset({FshlOp, FshrOp})
_ROUNDED: dict[type[Operation], type[Operation]] = {
    LrintOp: RintOp,
    LlrintOp: RintOp,
    LroundOp: RoundOp,
    LlroundOp: RoundOp,
}


def _intrinsic(op: Operation, type_: Attribute) -> Lower | None:
    """The factory of the arithmetic for one element of an intrinsic call; None if selection lowers it."""
    name = intrinsic_name(op)
    match = _FIXED.match(name)
    if match is not None:
        width = integer_width(type_)
        sign = match[1] == "s"
        operands = fast.operands_of(op)
        scale = constant_integer(operands[2]) if len(operands) == 3 else None
        if scale is None or not 0 <= scale < width + (not sign):
            raise VerifyError(f"the scale of {name} must be a constant below the width", op)
        if match[2] == "div" and width > NATIVE_BITS:
            raise VerifyError(f"{name} of more than {NATIVE_BITS} bits is not supported", op)
        return _fixed(match[2], scale, sign=sign, saturates=match[3] is not None)
    match = _SATURATING.match(name)
    if match is None or _element(fast.operands_of(op)[0].type) not in _FLOATS:
        return None
    sign = match[1] == "s"
    if type_ == I1:
        return _saturated_bit(sign=sign)
    return _saturated(sign=sign) if _is_convertible(type_) else None


def _fixed(kind: str, scale: int, *, sign: bool, saturates: bool) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        x, y, _ = operands
        if kind == "mul":
            return fixed_product(b, x, y, scale, sign=sign, saturates=saturates)

        def divide(dividend: SSAValue, divisor: SSAValue) -> tuple[SSAValue, SSAValue]:
            found: list[SSAValue] = []
            for cls in (SDivOp, SRemOp) if sign else (UDivOp, URemOp):
                if _is_wide(dividend.type):
                    divided = _division(_DIVISIONS[cls][0], signed=sign)
                    found.append(divided(lowering, b, [dividend, divisor], dividend.type))
                else:
                    found.append(b.value(cls, (dividend, divisor), dividend.type))
            return found[0], found[1]

        return fixed_quotient(b, x, y, scale, divide, sign=sign, saturates=saturates)

    return lower


def _funnel(*, left: bool) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        return funnel_shift(b, *operands, left=left)

    return lower


def _rounded(cls: type[Operation]) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        (value,) = operands
        whole = b.value(cls, (value,), value.type)
        return _to_integer("f64_to_s128")(lowering, b, [whole], type_)

    return lower


def _saturated_bit(*, sign: bool) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        name = f"llvm.fpto{'s' if sign else 'u'}i.sat.i8.{operands[0].type}"
        call = intrinsic_call(name, operands, (I8,))
        fast.insert_before(call, b.before)
        return saturated_bit(b, call.results[0], sign=sign)

    return lower


def _saturated(*, sign: bool) -> Lower:
    def lower(
        lowering: _Lowering, b: Builder, operands: list[SSAValue], type_: Attribute
    ) -> SSAValue:
        (value,) = operands
        if value.type != F64:
            value = b.value(FPExtOp, (value,), F64)
        routine = "f64_to_s128" if sign else "f64_to_u128"
        converted = _to_integer(routine)(lowering, b, [value], type_)
        return saturated(b, value, converted, sign=sign)

    return lower
