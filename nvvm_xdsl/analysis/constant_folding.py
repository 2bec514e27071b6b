"""Constant folding of ops with constant operands.

Results equal those of LLVM's constant folder. Ops are not folded if their result depends on the
target's rounding or on its treatment of NaNs and denormals: NaN results remain, and float ops on
denormals remain, because the kernel may be compiled to flush them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.dialects.llvm import (
    FAbsOp,
    FCeilOp,
    FCopySignOp,
    FFloorOp,
    FMAOp,
    FSqrtOp,
    VectorFMaxOp,
    VectorFMinOp,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.analysis.float_rounding import MANTISSA_BITS, as_fraction, is_denormal, round_to
from nvvm_xdsl.analysis.intrinsic_folding import fold_intrinsic
from nvvm_xdsl.dialects.llvm import float_bits, float_from_bits
from nvvm_xdsl.dialects.llvm.accessors import (
    int_value,
    integer_width,
    intrinsic_name,
    number_of,
    predicate_of,
)
from nvvm_xdsl.dialects.llvm.constants import elements_of, vector_constant
from nvvm_xdsl.dialects.llvm.flags import (
    NSW,
    NUW,
    is_disjoint,
    is_exact,
    is_non_negative,
    overflow_flags,
)
from nvvm_xdsl.dialects.llvm.integers import number_and_width, signed, unsigned
from nvvm_xdsl.dialects.llvm.ops import (
    AbsOp,
    BitReverseOp,
    ByteSwapOp,
    CountLeadingZerosOp,
    CountTrailingZerosOp,
    CtPopOp,
    FPToSIOp,
    FPToUIOp,
    FshlOp,
    FshrOp,
    FTruncOp,
    IsConstantOp,
    MaximumOp,
    MinimumOp,
    NearbyintOp,
    RintOp,
    RoundEvenOp,
    SAddSatOp,
    SMaxOp,
    SMinOp,
    SSubSatOp,
    UAddSatOp,
    UIToFPOp,
    UMaxOp,
    UMinOp,
    USubSatOp,
)
from nvvm_xdsl.dialects.llvm.types import I1, float_attr, int_attr, integer

if TYPE_CHECKING:
    from fractions import Fraction

IntegerFolder: TypeAlias = Callable[[Operation, int, int, int], "int | None"]
"""Computes a result from the op, both operands as unsigned numbers, and the width; None: not
foldable."""


def _wrapping(compute: Callable[[int, int], int]) -> IntegerFolder:
    """An op with nsw and nuw flags: poison, and not folded, if it wraps contrary to a flag."""

    def fold(op: Operation, a: int, b: int, width: int) -> int | None:
        result = compute(a, b)
        flags = overflow_flags(op)
        if flags:
            if flags & NUW and result != unsigned(result, width):
                return None
            if flags & NSW:
                exact = compute(signed(a, width), signed(b, width))
                if exact != signed(unsigned(exact, width), width):
                    return None
        return result

    return fold


def _shl(op: Operation, a: int, b: int, width: int) -> int | None:
    if b >= width:
        return None
    result = a << b
    flags = overflow_flags(op)
    if flags & NUW and result != unsigned(result, width):
        return None
    if flags & NSW:
        exact = signed(a, width) << b
        if exact != signed(unsigned(exact, width), width):
            return None
    return result


def _lshr(op: Operation, a: int, b: int, width: int) -> int | None:
    if b >= width or (is_exact(op) and a & ((1 << b) - 1)):
        return None
    return a >> b


def _ashr(op: Operation, a: int, b: int, width: int) -> int | None:
    if b >= width or (is_exact(op) and a & ((1 << b) - 1)):
        return None
    return signed(a, width) >> b


def _udiv(op: Operation, a: int, b: int, width: int) -> int | None:
    if b == 0 or (is_exact(op) and a % b):
        return None
    return a // b


def _urem(op: Operation, a: int, b: int, width: int) -> int | None:
    return None if b == 0 else a % b


def _sdiv(op: Operation, a: int, b: int, width: int) -> int | None:
    x, y = signed(a, width), signed(b, width)
    if y == 0 or (y == -1 and x == -(1 << (width - 1))) or (is_exact(op) and x % y):
        return None
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _srem(op: Operation, a: int, b: int, width: int) -> int | None:
    x, y = signed(a, width), signed(b, width)
    if y == 0 or (y == -1 and x == -(1 << (width - 1))):
        return None
    remainder = abs(x) % abs(y)
    return -remainder if x < 0 else remainder


def _or(op: Operation, a: int, b: int, width: int) -> int | None:
    if is_disjoint(op) and a & b:
        return None
    return a | b


def _clamped(number: int, width: int) -> int:
    """The nearest number in the signed range of a width."""
    return max(-(1 << (width - 1)), min(number, (1 << (width - 1)) - 1))


INTEGER_BINARY: dict[type[Operation], IntegerFolder] = {
    llvm.AddOp: _wrapping(lambda a, b: a + b),
    llvm.SubOp: _wrapping(lambda a, b: a - b),
    llvm.MulOp: _wrapping(lambda a, b: a * b),
    llvm.ShlOp: _shl,
    llvm.LShrOp: _lshr,
    llvm.AShrOp: _ashr,
    llvm.UDivOp: _udiv,
    llvm.URemOp: _urem,
    llvm.SDivOp: _sdiv,
    llvm.SRemOp: _srem,
    llvm.AndOp: lambda op, a, b, width: a & b,
    llvm.OrOp: _or,
    llvm.XOrOp: lambda op, a, b, width: a ^ b,
    SMaxOp: lambda op, a, b, w: max(signed(a, w), signed(b, w)),
    SMinOp: lambda op, a, b, w: min(signed(a, w), signed(b, w)),
    UMaxOp: lambda op, a, b, w: max(a, b),
    UMinOp: lambda op, a, b, w: min(a, b),
    UAddSatOp: lambda op, a, b, w: min(a + b, (1 << w) - 1),
    USubSatOp: lambda op, a, b, w: max(a - b, 0),
    SAddSatOp: lambda op, a, b, w: _clamped(signed(a, w) + signed(b, w), w),
    SSubSatOp: lambda op, a, b, w: _clamped(signed(a, w) - signed(b, w), w),
}

INTEGER_COMPARE: tuple[Callable[[int, int, int], bool], ...] = (
    lambda a, b, w: a == b,
    lambda a, b, w: a != b,
    lambda a, b, w: signed(a, w) < signed(b, w),
    lambda a, b, w: signed(a, w) <= signed(b, w),
    lambda a, b, w: signed(a, w) > signed(b, w),
    lambda a, b, w: signed(a, w) >= signed(b, w),
    lambda a, b, w: a < b,
    lambda a, b, w: a <= b,
    lambda a, b, w: a > b,
    lambda a, b, w: a >= b,
)
"""By predicate number of `icmp`."""

FLOAT_COMPARE: tuple[tuple[bool, Callable[[float, float], bool]], ...] = (
    (False, lambda a, b: False),
    (False, lambda a, b: a == b),
    (False, lambda a, b: a > b),
    (False, lambda a, b: a >= b),
    (False, lambda a, b: a < b),
    (False, lambda a, b: a <= b),
    (False, lambda a, b: a != b),
    (False, lambda a, b: True),
    (True, lambda a, b: a == b),
    (True, lambda a, b: a > b),
    (True, lambda a, b: a >= b),
    (True, lambda a, b: a < b),
    (True, lambda a, b: a <= b),
    (True, lambda a, b: a != b),
    (True, lambda a, b: False),
    (True, lambda a, b: True),
)
"""By predicate number of `fcmp`: the result for NaN operands, and the comparison."""


def _exact_float(compute: Callable[[Fraction, Fraction], Fraction]) -> Any:
    def fold(a: float, b: float, type_: Attribute) -> float | None:
        if not (math.isfinite(a) and math.isfinite(b)):
            return None
        result = round_to(compute(as_fraction(a), as_fraction(b)), type_)
        # A zero sum of non-zero terms is +0.0; the sign of sums of zeros is not known to exact
        # numbers.
        return None if result == 0.0 and a == 0.0 else result

    return fold


def _fmul(a: float, b: float, type_: Attribute) -> float | None:
    if not (math.isfinite(a) and math.isfinite(b)):
        return None
    if a == 0.0 or b == 0.0:
        return math.copysign(0.0, math.copysign(1.0, a) * math.copysign(1.0, b))
    return round_to(as_fraction(a) * as_fraction(b), type_)


def _fdiv(a: float, b: float, type_: Attribute) -> float | None:
    if not (math.isfinite(a) and math.isfinite(b)) or b == 0.0:
        return None
    if a == 0.0:
        return math.copysign(0.0, math.copysign(1.0, a) * math.copysign(1.0, b))
    return round_to(as_fraction(a) / as_fraction(b), type_)


def _chosen(choose: Callable[[float, float], float]) -> Any:
    """The minimum or maximum; for two zeros and for NaNs the result depends on the target."""

    def fold(a: float, b: float, type_: Attribute) -> float | None:
        return None if a == b or math.isnan(a) or math.isnan(b) else choose(a, b)

    return fold


FLOAT_BINARY: dict[type[Operation], Callable[[float, float, Attribute], float | None]] = {
    llvm.FAddOp: _exact_float(lambda a, b: a + b),
    llvm.FSubOp: _exact_float(lambda a, b: a - b),
    llvm.FMulOp: _fmul,
    llvm.FDivOp: _fdiv,
    FCopySignOp: lambda a, b, type_: math.copysign(a, b),
    VectorFMinOp: _chosen(min),
    VectorFMaxOp: _chosen(max),
    MinimumOp: _chosen(min),
    MaximumOp: _chosen(max),
}


def _resize(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
    """trunc, zext and sext."""
    constant = number_and_width(value)
    to = integer_width(target)
    if constant is None or not to:
        return None
    number, width = constant
    if type(op) is llvm.SExtOp:
        number = signed(number, width)
    elif type(op) is llvm.TruncOp:
        flags = overflow_flags(op)
        narrow = unsigned(number, to)
        if flags & NUW and narrow != number:
            return None
        if flags & NSW and signed(narrow, to) != signed(number, width):
            return None
    elif is_non_negative(op) and signed(number, width) < 0:
        return None
    return int_attr(number, integer(to))


def _to_float(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
    """sitofp and uitofp."""
    constant = number_and_width(value)
    if constant is None or target not in MANTISSA_BITS:
        return None
    number, width = constant
    if type(op) is llvm.SIToFPOp:
        number = signed(number, width)
    rounded = round_to(as_fraction(number), target)
    return None if rounded is None else float_attr(rounded, target)


def _to_integer(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
    """fptosi and fptoui; poison, and not folded, if out of range."""
    width = integer_width(target)
    if type(value) is not FloatAttr or not width:
        return None
    number = value.value.data
    if not math.isfinite(number):
        return None
    whole = int(number)
    low, high = (
        (-(1 << (width - 1)), 1 << (width - 1)) if op.name == "llvm.fptosi" else (0, 1 << width)
    )
    return int_attr(whole, integer(width)) if low <= whole < high else None


def _float_resize(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
    """fpext and fptrunc."""
    if type(value) is not FloatAttr or target not in MANTISSA_BITS:
        return None
    number = value.value.data
    if value.type not in MANTISSA_BITS or math.isnan(number):
        return None
    if number == 0.0 or math.isinf(number):
        return float_attr(number, target)
    if is_denormal(number, value.type):
        return None
    rounded = round_to(as_fraction(number), target)
    return None if rounded is None else float_attr(rounded, target)


CASTS: dict[type[Operation], Callable[[Operation, Attribute, Attribute], Attribute | None]] = {
    llvm.TruncOp: _resize,
    llvm.ZExtOp: _resize,
    llvm.SExtOp: _resize,
    llvm.SIToFPOp: _to_float,
    UIToFPOp: _to_float,
    FPToSIOp: _to_integer,
    FPToUIOp: _to_integer,
    llvm.FPExtOp: _float_resize,
    llvm.FPTruncOp: _float_resize,
}


def _bits(count: Callable[[int, int], int]) -> Any:
    def fold(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
        constant = number_and_width(value)
        if constant is None:
            return None
        number, width = constant
        if number == 0 and _truth(op.properties.get("is_zero_poison")):
            return None
        return int_attr(count(number, width), integer(width))

    return fold


def _truth(attribute: Attribute | None) -> bool:
    return attribute is not None and bool(number_of(attribute))


def _reverse(number: int, width: int) -> int:
    return int(f"{number:0{width}b}"[::-1], 2)


CASTS[CtPopOp] = _bits(lambda n, w: n.bit_count())
CASTS[CountLeadingZerosOp] = _bits(lambda n, w: w - n.bit_length())
CASTS[CountTrailingZerosOp] = _bits(lambda n, w: (n & -n).bit_length() - 1 if n else w)
CASTS[BitReverseOp] = _bits(_reverse)
CASTS[IsConstantOp] = lambda _op, _value, _target: int_attr(1, I1)
CASTS[ByteSwapOp] = _bits(lambda n, w: int.from_bytes(n.to_bytes(w // 8, "little"), "big"))


def _abs(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
    constant = number_and_width(value)
    if constant is None:
        return None
    width = constant[1]
    number = signed(*constant)
    if number == -(1 << (width - 1)) and _truth(op.properties.get("is_int_min_poison")):
        return None
    return int_attr(abs(number), integer(width))


CASTS[AbsOp] = _abs


def _float_unary(compute: Callable[[float], float]) -> Any:
    """A function of numbers, including infinities; not of NaNs and denormals."""

    def fold(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
        if type(value) is not FloatAttr or target not in MANTISSA_BITS:
            return None
        number = value.value.data
        if math.isnan(number) or is_denormal(number, target):
            return None
        return float_attr(compute(number), target)

    return fold


def _rounding(compute: Callable[[float], int]) -> Any:
    """Rounding to an integer, which keeps the sign of a zero result."""
    return _float_unary(lambda x: math.copysign(float(compute(x)), x) if math.isfinite(x) else x)


def _sqrt(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
    if type(value) is not FloatAttr or target not in MANTISSA_BITS:
        return None
    number = value.value.data
    if not 0.0 < number < math.inf or is_denormal(number, target):
        return None
    # Rounding twice is harmless here: a double has more than twice the digits of the others.
    rounded = round_to(as_fraction(math.sqrt(number)), target)
    return None if rounded is None else float_attr(rounded, target)


CASTS[llvm.FNegOp] = _float_unary(lambda x: -x)
CASTS[FAbsOp] = _float_unary(abs)
CASTS[FFloorOp] = _rounding(math.floor)
CASTS[FCeilOp] = _rounding(math.ceil)
CASTS[FTruncOp] = _rounding(math.trunc)
CASTS[RintOp] = _rounding(round)
CASTS[NearbyintOp] = _rounding(round)
CASTS[RoundEvenOp] = _rounding(round)
CASTS[FSqrtOp] = _sqrt


def constant_bits(value: Attribute) -> int | None:
    """The bits of a constant, the first element of a vector lowest. The bits of NaNs are unknown:
    scalar attributes lose their payloads."""
    constant = number_and_width(value)
    if constant is not None:
        return constant[0]
    if type(value) is FloatAttr:
        return None if math.isnan(value.value.data) else float_bits(value)
    if type(value) is DenseIntOrFPElementsAttr:
        width = _element_width(cast(Attribute, value.get_element_type()))
        return sum(n << i * width for i, n in enumerate(elements_of(value))) if width else None
    return None


def _element_width(type_: Attribute) -> int:
    """The width of an integer of whole bytes or of a float; 0 for other types."""
    width = type_.bitwidth if isinstance(type_, FixedBitwidthType) else 0
    return width if width % 8 == 0 else 0


def _bitcast(op: Operation, value: Attribute, target: Attribute) -> Attribute | None:
    """The bits of a scalar or vector reinterpreted as another type."""
    bits = constant_bits(value)
    if bits is None:
        return None
    if type(target) is VectorType:
        width = _element_width(target.element_type)
        count = prod(target.get_shape())
        mask = (1 << width) - 1
        return (
            vector_constant([bits >> i * width & mask for i in range(count)], target)
            if width
            else None
        )
    if target in MANTISSA_BITS:
        found = float_from_bits(bits, target)
        return None if math.isnan(found.value.data) else found
    width = integer_width(target)
    return int_attr(bits, integer(width)) if width else None


CASTS[llvm.BitcastOp] = _bitcast


def _funnel(left: bool) -> Callable[[int, int, int, int], int]:
    def compute(a: int, b: int, amount: int, width: int) -> int:
        both = a << width | b
        amount %= width
        return both >> (width - amount) if left else both >> amount

    return compute


FUNNELS: dict[type[Operation], Callable[[int, int, int, int], int]] = {
    FshlOp: _funnel(True),
    FshrOp: _funnel(False),
}


def _fold_three(op: Operation, values: Sequence[Attribute], target: Attribute) -> Attribute | None:
    """Funnel shifts and fma."""
    funnel = FUNNELS.get(type(op))
    if funnel is not None:
        if any(type(value) is not IntegerAttr for value in values):
            return None
        width = integer_width(target)
        numbers = [unsigned(int_value(value), width) for value in values]
        return int_attr(funnel(numbers[0], numbers[1], numbers[2], width), integer(width))
    if type(op) is not FMAOp or target not in MANTISSA_BITS:
        return None
    numbers = [value.value.data for value in values if type(value) is FloatAttr]
    if len(numbers) != 3:
        return None
    a, b, c = numbers
    if any(not math.isfinite(x) or is_denormal(x, target) for x in (a, b, c)):
        return None
    if c == 0.0 and 0.0 in (a, b):
        # Exact, and with the sign of IEEE 754-2019, 6.3.
        return float_attr(a * b + c, target)
    rounded = round_to(as_fraction(a) * as_fraction(b) + as_fraction(c), target)
    return None if rounded is None else float_attr(rounded, target)


def _fold_integers(
    op: Operation, a: Attribute, b: Attribute, target: Attribute
) -> Attribute | None:
    first, second = number_and_width(a), number_and_width(b)
    if first is None or second is None:
        return None
    (left, width), (right, _) = first, second
    if type(op) is llvm.ICmpOp:
        predicate = predicate_of(op)
        return int_attr(int(INTEGER_COMPARE[predicate](left, right, width)), I1)
    folder = INTEGER_BINARY.get(type(op))
    if folder is None:
        return None
    number = folder(op, left, right, width)
    return None if number is None else int_attr(number, integer(integer_width(target)))


def _fold_floats(op: Operation, x: FloatAttr, y: FloatAttr) -> Attribute | None:
    type_ = x.type
    if type_ not in MANTISSA_BITS:
        return None
    left, right = x.value.data, y.value.data
    if is_denormal(left, type_) or is_denormal(right, type_):
        return None
    if type(op) is llvm.FCmpOp:
        predicate = predicate_of(op)
        unordered, compare = FLOAT_COMPARE[predicate]
        nan = math.isnan(left) or math.isnan(right)
        if nan and predicate not in (0, 15):
            answer = unordered
        else:
            answer = compare(left, right)
        return int_attr(int(answer), I1)
    folder = FLOAT_BINARY.get(type(op))
    if folder is None:
        return None
    number = folder(left, right, type_)
    return None if number is None or math.isnan(number) else float_attr(number, type_)


def fold(op: Operation, values: Sequence[Attribute]) -> Attribute | None:
    """The constant result of the op for constant operands.

    Arguments:
        op: an op of a class in `FOLDABLE`.
        values: the `value` attribute of each operand's `llvm.mlir.constant`.
    Returns None when the result is not known, is poison, or must be left to the target.
    """
    if len(op.results) != 1:
        return None
    target = op.results[0].type
    if type(op) is llvm.CallIntrinsicOp:
        return fold_intrinsic(intrinsic_name(op), values, target)
    if len(values) == 2:
        a, b = values
        if type(a) is FloatAttr and type(b) is FloatAttr:
            return _fold_floats(op, a, b)
        return _fold_integers(op, a, b, target)
    if len(values) == 3:
        return _fold_three(op, values, target)
    if len(values) == 1:
        folder = CASTS.get(type(op))
        return None if folder is None else folder(op, values[0], target)
    return None


FOLDABLE: frozenset[type[Operation]] = frozenset(
    {
        *INTEGER_BINARY,
        *FLOAT_BINARY,
        *CASTS,
        *FUNNELS,
        FMAOp,
        llvm.ICmpOp,
        llvm.FCmpOp,
        llvm.CallIntrinsicOp,
    }
)
"""The op classes that `fold` may fold, except for intrinsics."""
