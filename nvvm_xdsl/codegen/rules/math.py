"""Floating-point intrinsics."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.llvm import (
    FAbsOp,
    FCeilOp,
    FCopySignOp,
    FCosOp,
    FExp2Op,
    FExpOp,
    FFloorOp,
    FLog2Op,
    FLogOp,
    FMAOp,
    FPowOp,
    FSinOp,
    FSqrtOp,
    VectorFMaxOp,
    VectorFMinOp,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.codegen.elementwise import binary, ternary, unary
from nvvm_xdsl.codegen.rules.arith import predicate_operation
from nvvm_xdsl.codegen.rules.convert import float_to_integer
from nvvm_xdsl.codegen.rules.floats import (
    FIRST_BF16_FMA,
    arithmetic_mods,
    can_fuse,
    fast_flags,
    fma_part,
    ftz,
    has_native,
    narrow,
    packed_mods,
    packed_register,
    plain_operand,
    register_of,
    widen,
)
from nvvm_xdsl.codegen.selector import (
    Part,
    Parts,
    Selector,
    immediate_value,
    selects,
    selects_intrinsic,
)
from nvvm_xdsl.codegen.shapes import VECTOR, Shape, integer_register
from nvvm_xdsl.codegen.vector_elements import define_elements, vector_elements
from nvvm_xdsl.codegen.widths import resized_part
from nvvm_xdsl.dialects.llvm.accessors import function_type_of, int_property, scalar_type
from nvvm_xdsl.dialects.llvm.ops import (
    ACosOp,
    ASinOp,
    ATan2Op,
    ATanOp,
    CoshOp,
    Exp10Op,
    FMulAddOp,
    FTruncOp,
    IsFPClassOp,
    LlrintOp,
    LlroundOp,
    LoadExpOp,
    Log10Op,
    LrintOp,
    LroundOp,
    MaximumOp,
    MinimumOp,
    NearbyintOp,
    PowIOp,
    RintOp,
    RoundEvenOp,
    RoundOp,
    SinhOp,
    TanhOp,
    TanOp,
)
from nvvm_xdsl.dialects.llvm.types import F64 as F64_TYPE
from nvvm_xdsl.dialects.nvptx.operands import fimm, imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, F32, F64, PRED
from nvvm_xdsl.ir.fast import operands_of

FIRST_HALF_EXTREMES = 80
"""min and max of halves, and `.NaN`, exist from sm_80 on."""

HALF_F32, HALF_F64 = 0x3F000000, 0x3FE0000000000000
ONE_F32, ONE_F64 = 0x3F800000, 0x3FF0000000000000
QUIET_NAN = {"f32": 0x7FFFFFFF, "f64": 0x7FF8000000000000}


def _through_f32(sel: Selector, a: Part, shape: Shape, function: Any) -> Part:
    """Applies a function on f32 to a half."""
    return narrow(sel, function(widen(sel, a, shape.ptx)), shape.ptx)


# Roots and fused products


def _root(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    ptx = shape.ptx
    if ptx == "f64":
        return (sel.emit1("sqrt", "rn.f64", (a[0],), F64),)
    if shape.bits == 16:
        # f32 has more than twice the digits, so double rounding is exact.
        def root(x: Part) -> Part:
            return sel.emit1("sqrt", "rn.f32", (x,), F32)

        return (_through_f32(sel, a[0], shape, root),)
    approximate = not sel.prec_sqrt or "afn" in fast_flags(op) or sel.unsafe_math
    mode = "approx" if approximate else "rn"
    return (sel.emit1("sqrt", f"{mode}.{ftz(sel)}f32", (a[0],), F32),)


def _fma(sel: Selector, a: Parts, b: Parts, c: Parts, shape: Shape, op: Operation) -> Parts:
    return (fma_part(sel, a[0], b[0], c[0], shape),)


def _packed_fma(sel: Selector, operands: list[Parts], shape: Shape, op: Operation) -> Parts | None:
    if not can_fuse(sel, shape):
        return None
    mods, both = f"rn.{packed_mods(sel, shape)}", packed_register(shape)
    return tuple(
        [
            sel.emit1("fma", mods, [sel.materialise(p, both) for p in group], both)
            for group in zip(*operands)
        ]
    )


def _multiply_add(
    sel: Selector, a: Parts, b: Parts, c: Parts, shape: Shape, op: Operation
) -> Parts:
    if sel.fmad or not has_native(sel, shape.ptx):
        return _fma(sel, a, b, c, shape, op)
    mods = arithmetic_mods(sel, shape)
    operands = [plain_operand(sel, p, shape) for p in (a[0], b[0])]
    product = sel.emit1("mul", mods, operands, register_of(shape))
    return (sel.emit1("add", mods, (product, plain_operand(sel, c[0], shape)), register_of(shape)),)


# Rounding to integral values


def _integral(mode: str) -> Any:
    def emit(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
        ptx = shape.ptx
        if ptx == "bf16":

            def rounded(x: Part) -> Part:
                return sel.emit1("cvt", f"{mode}.f32.f32", (x,), F32)

            return (_through_f32(sel, a[0], shape, rounded),)
        x = sel.materialise(a[0], register_of(shape))
        flush = ftz(sel) if ptx == "f32" else ""
        return (sel.emit1("cvt", f"{mode}.{flush}{ptx}.{ptx}", (x,), register_of(shape)),)

    return emit


def _round_away(sel: Selector, x: Part, ptx: str) -> Part:
    """The nearest integral value of an f32 or f64, halves away from zero.

    The truncated fraction is exact, so it can be compared with one half.
    """
    cls = F32 if ptx == "f32" else F64
    half, one = (HALF_F32, ONE_F32) if ptx == "f32" else (HALF_F64, ONE_F64)
    bits = cls.width
    x = sel.materialise(x, cls)
    size = sel.emit1("abs", ptx, (x,), cls)
    whole = sel.emit1("cvt", f"rzi.{ptx}.{ptx}", (size,), cls)
    fraction = sel.emit1("sub", f"rn.{ptx}", (size, whole), cls)
    up = sel.emit1("setp", f"ge.{ptx}", (fraction, fimm(half, bits)), PRED)
    step = sel.emit1("selp", ptx, (fimm(one, bits), fimm(0, bits), up), cls)
    rounded = sel.emit1("add", f"rn.{ptx}", (whole, step), cls)
    return sel.emit1("copysign", ptx, (x, rounded), cls)


def _round(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    if shape.bits == 16:
        rounded = _round_away(sel, widen(sel, a[0], shape.ptx), "f32")
        return (narrow(sel, rounded, shape.ptx),)
    return (_round_away(sel, a[0], shape.ptx),)


def _round_to_integer(away: bool) -> Any:
    def select(sel: Selector, op: Operation) -> None:
        (value,) = operands_of(op)
        result = op.results[0]
        source, target = sel.shape(value), sel.shape(result)
        if source.kind == VECTOR:
            source, target = source.element, target.element
        lanes: list[Parts] = []
        for (part,) in vector_elements(sel, value):
            if away:
                if source.bits == 16:
                    part = widen(sel, part, source.ptx)
                    kind = "f32"
                else:
                    kind = source.ptx
                part = _round_away(sel, part, kind)
                width = target.width
                mods = f"rzi.s{width}.{kind}"
                lanes.append((sel.emit1("cvt", mods, (part,), integer_register(width)),))
            else:
                lanes.append((float_to_integer(sel, part, source, target, "s", "rni"),))
        define_elements(sel, result, lanes)

    return select


# Signs


def _absolute(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    ptx = shape.ptx
    if ptx == "bf16" and sel.target.sm < FIRST_BF16_FMA:
        return (sel.emit1("and", "b16", (a[0], imm(0x7FFF)), B16),)
    x = plain_operand(sel, a[0], shape)
    mods = f"{ftz(sel) if ptx == 'f32' else ''}{ptx}"
    return (sel.emit1("abs", mods, (x,), register_of(shape)),)


def _packed_absolute(
    sel: Selector, operands: list[Parts], shape: Shape, op: Operation
) -> Parts | None:
    if shape.ptx == "bf16" and sel.target.sm < FIRST_BF16_FMA:
        return tuple([sel.emit1("and", "b32", (x, imm(0x7FFF7FFF)), B32) for x in operands[0]])
    mods = f"{shape.ptx}x2"
    return tuple([sel.emit1("abs", mods, (sel.materialise(x, B32),), B32) for x in operands[0]])


def _copy_sign(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
    ptx = shape.ptx
    if shape.bits == 16:
        size = sel.emit1("and", "b16", (_bits(a[0]), imm(0x7FFF)), B16)
        sign = sel.emit1("and", "b16", (_bits(b[0]), imm(-0x8000)), B16)
        return (sel.emit1("or", "b16", (size, sign), B16),)
    # PTX has the sign's source first.
    return (sel.emit1("copysign", ptx, (b[0], a[0]), register_of(shape)),)


def _bits(part: Part) -> Part:
    value = immediate_value(part)
    return part if value is None else imm(value)


# Extremes


def extreme(name: str, propagate: bool) -> Any:
    """The minimum or maximum of two floats. If one operand is NaN, the result is NaN with
    `propagate`, else the other operand."""

    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        ptx = shape.ptx
        native = sel.target.sm >= FIRST_HALF_EXTREMES
        if shape.bits == 16:
            if native:
                x, y = (sel.materialise(p[0], B16) for p in (a, b))
                mods = f"NaN.{ptx}" if propagate else ptx
                return (sel.emit1(name, mods, (x, y), B16),)
            x, y = widen(sel, a[0], ptx), widen(sel, b[0], ptx)
            return (narrow(sel, _extreme_of(sel, name, x, y, "f32", propagate), ptx),)
        return (_extreme_of(sel, name, a[0], b[0], ptx, propagate),)

    return emit


def _extreme_of(sel: Selector, name: str, x: Part, y: Part, ptx: str, propagate: bool) -> Part:
    cls = F32 if ptx == "f32" else F64
    flush = ftz(sel) if ptx == "f32" else ""
    if not propagate:
        return sel.emit1(name, f"{flush}{ptx}", (x, y), cls)
    if ptx == "f32" and sel.target.sm >= FIRST_HALF_EXTREMES:
        return sel.emit1(name, f"{flush}NaN.f32", (x, y), cls)
    plain = sel.emit1(name, f"{flush}{ptx}", (x, y), cls)
    unordered = sel.emit1("setp", f"nan.{ptx}", (x, y), PRED)
    nan = fimm(QUIET_NAN[ptx], cls.width)
    return sel.emit1("selp", ptx, (nan, plain, unordered), cls)


def _packed_extreme(name: str, propagate: bool) -> Any:
    def emit(sel: Selector, operands: list[Parts], shape: Shape, op: Operation) -> Parts | None:
        if sel.target.sm < FIRST_HALF_EXTREMES:
            return None
        mods = f"{'NaN.' if propagate else ''}{shape.ptx}x2"
        return tuple(
            [
                sel.emit1(name, mods, (sel.materialise(x, B32), sel.materialise(y, B32)), B32)
                for x, y in zip(*operands)
            ]
        )

    return emit


# Functions of the special function unit, or of libdevice

LIBDEVICE: dict[type[Operation], str] = {
    FSinOp: "sin",
    FCosOp: "cos",
    FExpOp: "exp",
    FExp2Op: "exp2",
    FLogOp: "log",
    FLog2Op: "log2",
    FPowOp: "pow",
    Exp10Op: "exp10",
    Log10Op: "log10",
    TanOp: "tan",
    TanhOp: "tanh",
    SinhOp: "sinh",
    CoshOp: "cosh",
    ASinOp: "asin",
    ACosOp: "acos",
    ATanOp: "atan",
    ATan2Op: "atan2",
    PowIOp: "powi",
    LoadExpOp: "ldexp",
}
"""The function of libdevice, without `__nv_`, for each operation."""

APPROXIMATE: dict[type[Operation], str] = {
    FSinOp: "sin.approx",
    FCosOp: "cos.approx",
    FExp2Op: "ex2.approx",
    FLog2Op: "lg2.approx",
}
"""Functions of f32 that the hardware approximates."""

ALWAYS_APPROXIMATE = frozenset({FExp2Op, FLog2Op})
"""Approximations that are always used, with an error of about two ulps."""

LOG2_OF_E = 0x3FB8AA3B
LN_OF_2 = 0x3F317218


def _approximate(sel: Selector, op: Operation, part: Part) -> Part:
    """An f32 function of the special function unit."""
    cls = type(op)
    flush = ftz(sel)
    opcode = APPROXIMATE.get(cls)
    if opcode is not None:
        name, mode = opcode.split(".")
        return sel.emit1(name, f"{mode}.{flush}f32", (part,), F32)
    if cls is FExpOp:
        scaled = sel.emit1("mul", f"{flush}f32", (part, fimm(LOG2_OF_E, 32)), F32)
        return sel.emit1("ex2", f"approx.{flush}f32", (scaled,), F32)
    if cls is FLogOp:
        log = sel.emit1("lg2", f"approx.{flush}f32", (part,), F32)
        return sel.emit1("mul", f"{flush}f32", (log, fimm(LN_OF_2, 32)), F32)
    assert cls is TanhOp
    return sel.emit1("tanh", "approx.f32", (part,), F32)


def has_approximation(op: Operation, element: Attribute, sm: int, *, is_loose: bool) -> bool:
    """Returns whether instructions compute a function of the table `LIBDEVICE`.

    Arguments:
        element: the type of the result, or of its elements.
        is_loose: whether the op permits approximation, which 16-bit floats always do.
    """
    cls = type(op)
    if element == F64_TYPE or not (is_loose or cls in ALWAYS_APPROXIMATE):
        return False
    return cls in APPROXIMATE or cls in (FExpOp, FLogOp) or (cls is TanhOp and sm >= 75)


def select_function(sel: Selector, op: Operation) -> None:
    """A mathematical function: approximated if the op permits that, else libdevice's."""
    result = op.results[0]
    operands = operands_of(op)
    shape = sel.shape(result)
    scalar = shape.element if shape.kind == VECTOR else shape
    is_approximated = has_approximation(
        op, scalar_type(result.type), sel.target.sm,
        is_loose="afn" in fast_flags(op) or sel.unsafe_math or scalar.bits == 16,
    )  # fmt: skip
    lanes: list[Parts] = []
    inputs = [vector_elements(sel, value) for value in operands]
    count = len(inputs[0])
    for index in range(count):
        arguments = [lane[index if len(lane) == count else 0] for lane in inputs]
        first = arguments[0][0]
        if is_approximated:
            x = widen(sel, first, scalar.ptx) if scalar.bits == 16 else first
            made = _approximate(sel, op, x)
            lanes.append((narrow(sel, made, scalar.ptx) if scalar.bits == 16 else made,))
            continue
        lanes.append((_library(sel, op, scalar, arguments),))
    define_elements(sel, result, lanes)


def _library(sel: Selector, op: Operation, shape: Shape, arguments: list[Parts]) -> Part:
    from nvvm_xdsl.codegen.rules.calls import call_with_parts

    name = LIBDEVICE[type(op)]
    symbol = f"__nv_{name}{'' if shape.ptx == 'f64' else 'f'}"
    function = sel.module.globals.get(symbol)
    if function is None or shape.bits == 16:
        raise sel.error(
            op,
            f"{op.name} of {shape.ptx} has no instruction and needs libdevice's {symbol}, "
            "which is not linked",
        )
    type_ = function_type_of(function)
    parts = [part for argument in arguments for part in argument]
    ptx_name = sel.module.symbol(symbol, op)[0]
    return call_with_parts(sel, ptx_name, type_.inputs.data, parts, type_.output)[0]


# Classes of floats

NAN_CLASSES, INFINITE_CLASSES, FINITE_CLASSES = 0x003, 0x204, 0x1F8
_FLOAT_FIELDS = {"f16": (10, 5), "bf16": (7, 8), "f32": (23, 8), "f64": (52, 11)}


def _class_test(sel: Selector, part: Part, shape: Shape, mask: int) -> Part:
    """Whether a float belongs to one of the classes in LLVM's mask, by its bits."""
    mask &= 0x3FF
    if mask == 0 or mask == 0x3FF:
        return imm(int(mask != 0))
    ptx = shape.ptx
    if ptx in ("f32", "f64"):
        direct = {
            NAN_CLASSES: "notanumber",
            0x3FF ^ NAN_CLASSES: "number",
            INFINITE_CLASSES: "infinite",
            FINITE_CLASSES: "finite",
        }.get(mask)
        if direct is not None:
            return sel.emit1("testp", f"{direct}.{ptx}", (part,), PRED)
    width = shape.bits
    cls = integer_register(width)
    if shape.bits == 16:
        bits: Part = _bits(part)
    else:
        bits = sel.emit1("mov", f"b{width}", (part,), cls)
    mantissa, exponent = _FLOAT_FIELDS[ptx]
    infinity = ((1 << exponent) - 1) << mantissa
    quiet = infinity | 1 << (mantissa - 1)
    size = sel.emit1("and", f"b{width}", (bits, imm((1 << width - 1) - 1)), cls)
    tests: list[Part] = []

    def compare(comparison: str, value: int) -> Part:
        return sel.emit1("setp", f"{comparison}.u{width}", (size, imm(value)), PRED)

    # Ranges of the magnitude: first value, last value, mask bits for negative and positive values.
    least_normal = 1 << mantissa
    ranges = (
        (0, 0, 0x020, 0x040),
        (1, least_normal - 1, 0x010, 0x080),
        (least_normal, infinity - 1, 0x008, 0x100),
        (infinity, infinity, 0x004, 0x200),
        (infinity + 1, quiet - 1, 0x001, 0x001),
        (quiet, (1 << width - 1) - 1, 0x002, 0x002),
    )
    negative: Part | None = None
    for first, last, minus, plus in ranges:
        wants_minus, wants_plus = bool(mask & minus), bool(mask & plus)
        if not wants_minus and not wants_plus:
            continue
        if first == last:
            test = compare("eq", first)
        else:
            test = predicate_operation(sel, "and", compare("ge", first), compare("le", last))
        if wants_minus != wants_plus:
            if negative is None:
                negative = sel.emit1("setp", f"lt.s{width}", (bits, imm(0)), PRED)
            sign: Part = negative
            if wants_plus:
                sign = sel.emit1("not", "pred", (sel.materialise(negative, PRED),), PRED)
            test = predicate_operation(sel, "and", test, sign)
        tests.append(test)
    total = tests[0]
    for test in tests[1:]:
        total = predicate_operation(sel, "or", total, test)
    return total


@selects(IsFPClassOp, pure=True)
def select_is_fpclass(sel: Selector, op: Operation) -> None:
    """Whether floats are of given classes."""
    (value,) = operands_of(op)
    mask = int_property(op, "bit")
    shape = sel.shape(value)
    scalar = shape.element if shape.kind == VECTOR else shape
    lanes = [(_class_test(sel, lane[0], scalar, mask),) for lane in vector_elements(sel, value)]
    define_elements(sel, op.results[0], lanes)


# Intrinsics without ops


@selects_intrinsic("llvm.canonicalize", pure=True)
def select_canonicalize(sel: Selector, op: Operation, name: str) -> None:
    """The value with every NaN made quiet: a product with one."""
    (value,) = operands_of(op)
    shape = sel.shape(value)
    scalar = shape.element if shape.kind == VECTOR else shape
    ptx = scalar.ptx
    lanes: list[Parts] = []
    for (part,) in vector_elements(sel, value):
        if scalar.bits == 16:

            def once(x: Part) -> Part:
                return sel.emit1("mul", "rn.f32", (x, fimm(ONE_F32, 32)), F32)

            lanes.append((_through_f32(sel, part, scalar, once),))
            continue
        one = fimm(ONE_F32, 32) if ptx == "f32" else fimm(ONE_F64, 64)
        mods = f"rn.{ftz(sel) if ptx == 'f32' else ''}{ptx}"
        lanes.append((sel.emit1("mul", mods, (part, one), register_of(scalar)),))
    define_elements(sel, op.results[0], lanes)


@selects_intrinsic("llvm.minimumnum", "llvm.maximumnum", pure=True)
def select_number_extreme(sel: Selector, op: Operation, name: str) -> None:
    """The minimum or maximum of two numbers, ignoring NaNs."""
    word = "min" if ".minimumnum" in name else "max"
    binary(extreme(word, False), _packed_extreme(word, False))(sel, op)


@selects_intrinsic("llvm.fptosi.sat", "llvm.fptoui.sat", pure=True)
def select_saturating_conversion(sel: Selector, op: Operation, name: str) -> None:
    """Floats to the nearest integer in range; `cvt` clamps."""
    sign = "s" if "fptosi" in name else "u"
    (value,) = operands_of(op)
    result = op.results[0]
    source, target = sel.shape(value), sel.shape(result)
    if source.kind == VECTOR:
        source, target = source.element, target.element
    if target.wide or target.bits == 1:
        raise sel.error(op, f"a saturating conversion to i{target.bits} is not supported")
    bits = target.bits
    lanes: list[Parts] = []
    for (part,) in vector_elements(sel, value):
        ptx = source.ptx
        if source.bits == 16:
            part, ptx = widen(sel, part, ptx), "f32"
        part = sel.materialise(part, F32 if ptx == "f32" else F64)
        width = 32 if bits <= 32 else 64
        cls = B32 if width == 32 else B64
        made: Part = sel.emit1("cvt", f"rzi.{sign}{width}.{ptx}", (part,), cls)
        if width == 64 or ptx == "f64":
            # If either side has 64 bits, a NaN is converted to the top bit alone.
            unordered = sel.emit1("setp", f"nan.{ptx}", (part, part), PRED)
            made = sel.emit1("selp", f"b{width}", (imm(0), made, unordered), cls)
        if bits < width:
            if sign == "s":
                made = sel.emit1("max", f"s{width}", (made, imm(-(1 << bits - 1))), cls)
                made = sel.emit1("min", f"s{width}", (made, imm((1 << bits - 1) - 1)), cls)
            else:
                made = sel.emit1("min", f"u{width}", (made, imm((1 << bits) - 1)), cls)
        lanes.append((resized_part(sel, made, width, target.width, signed=False),))
    define_elements(sel, result, lanes)


selects(FSqrtOp, pure=True)(unary(_root))
selects(FMAOp, pure=True)(ternary(_fma, _packed_fma, takes_f32=True))
selects(FMulAddOp, pure=True)(ternary(_multiply_add))
selects(FFloorOp, pure=True)(unary(_integral("rmi")))
selects(FCeilOp, pure=True)(unary(_integral("rpi")))
selects(FTruncOp, pure=True)(unary(_integral("rzi")))
selects(RintOp, NearbyintOp, RoundEvenOp, pure=True)(unary(_integral("rni")))
selects(RoundOp, pure=True)(unary(_round))
selects(LrintOp, LlrintOp, pure=True)(_round_to_integer(False))
selects(LroundOp, LlroundOp, pure=True)(_round_to_integer(True))
selects(FAbsOp, pure=True)(unary(_absolute, _packed_absolute))
selects(FCopySignOp, pure=True)(binary(_copy_sign))
selects(VectorFMinOp, pure=True)(binary(extreme("min", False), _packed_extreme("min", False)))
selects(VectorFMaxOp, pure=True)(binary(extreme("max", False), _packed_extreme("max", False)))
selects(MinimumOp, pure=True)(binary(extreme("min", True), _packed_extreme("min", True)))
selects(MaximumOp, pure=True)(binary(extreme("max", True), _packed_extreme("max", True)))
selects(*LIBDEVICE, pure=True)(select_function)
