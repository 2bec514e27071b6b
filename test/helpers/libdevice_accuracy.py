"""Accuracy of libdevice's functions in the simulator.

The bounds are those of the CUDA C++ Programming Guide, "Mathematical Functions", in units in the last place
over the full range; functions without a stated error are exact. References are Python's and NumPy's
double-precision functions; for double-precision functions they are mpmath's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.simulator import launch, prepare
from nvvm_xdsl.simulator.program import Program

Array = np.ndarray[Any, Any]

THREADS = 256

# Name without "f", bound for single, bound for double, arguments; None: the function does not
# exist.
ROWS: tuple[tuple[str, float | None, float | None, int], ...] = (
    ("rsqrt", 2, 1, 1), ("sqrt", 0, 0, 1), ("cbrt", 1, 1, 1), ("rcbrt", 1, 1, 1), ("exp", 2, 1, 1),
    ("exp2", 2, 1, 1), ("exp10", 2, 1, 1), ("expm1", 1, 1, 1), ("log", 1, 1, 1), ("log2", 1, 1, 1),
    ("log10", 2, 1, 1), ("log1p", 1, 1, 1), ("sin", 2, 2, 1), ("cos", 2, 2, 1), ("tan", 4, 2, 1),
    ("sinpi", 1, 2, 1), ("cospi", 1, 2, 1), ("asin", 2, 2, 1), ("acos", 2, 2, 1), ("atan", 2, 2, 1),
    ("sinh", 3, 2, 1), ("cosh", 2, 1, 1), ("tanh", 2, 1, 1), ("asinh", 3, 3, 1), ("acosh", 4, 3, 1),
    ("atanh", 3, 2, 1), ("erf", 2, 2, 1), ("erfc", 4, 5, 1), ("lgamma", 6, 4, 1), ("tgamma", 5, 10, 1),
    ("floor", 0, 0, 1), ("ceil", 0, 0, 1), ("trunc", 0, 0, 1), ("rint", 0, 0, 1), ("nearbyint", 0, 0, 1),
    ("round", 0, 0, 1), ("fabs", 0, 0, 1), ("logb", 0, 0, 1),
    ("hypot", 3, 2, 2), ("rhypot", 2, 1, 2), ("atan2", 3, 2, 2), ("pow", 4, 2, 2), ("fmod", 0, 0, 2),
    ("remainder", 0, 0, 2), ("fdim", 0, 0, 2), ("fmin", 0, 0, 2), ("fmax", 0, 0, 2), ("copysign", 0, 0, 2),
    ("nextafter", 0, 0, 2),
)  # fmt: skip


@dataclass(frozen=True)
class MathFunction:
    """A function of libdevice."""

    name: str
    base: str
    single: bool
    arguments: int
    bound: float

    @property
    def dtype(self) -> Any:
        """NumPy's type of operands and result."""
        return np.float32 if self.single else np.float64


def functions() -> list[MathFunction]:
    """All measured functions."""
    found: list[MathFunction] = []
    for base, single, double, arguments in ROWS:
        if single is not None:
            found.append(MathFunction(f"__nv_{base}f", base, True, arguments, single))
        if double is not None:
            found.append(MathFunction(f"__nv_{base}", base, False, arguments, double))
    return found


def kernel_text(function: MathFunction) -> str:
    """Returns a kernel that applies the function to arrays."""
    type_ = "float" if function.single else "double"
    names = ["a", "b"][: function.arguments]
    loads = "\n".join(
        f"  %p{n} = getelementptr {type_}, ptr %{n}, i64 %i\n  %v{n} = load {type_}, ptr %p{n}"
        for n in names
    )
    operands = ", ".join(f"{type_} %v{n}" for n in names)
    return f"""\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare {type_} @{function.name}({", ".join([type_] * function.arguments)})
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %a, ptr %b, ptr %out) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %cta, {THREADS}
  %at = add i32 %base, %tid
  %i = zext i32 %at to i64
{loads}
  %r = call {type_} @{function.name}({operands})
  %q = getelementptr {type_}, ptr %out, i64 %i
  store {type_} %r, ptr %q
  ret void
}}
"""


def linked(function: MathFunction, libdevice: Any) -> ModuleOp:
    """Returns the kernel linked with libdevice at a path."""
    from nvvm_xdsl.frontend.libdevice import link_libdevice
    from nvvm_xdsl.frontend.ll_reader import read_ll
    from nvvm_xdsl.pipeline import PassManager

    module = read_ll(kernel_text(function))
    module = link_libdevice(module, libdevice) or module
    # This pass selects the code for each mode, not the simulator.
    PassManager("nvvm-reflect,globaldce").run(module)
    return module


def arguments(function: MathFunction, count: int, seed: int = 1) -> list[Array]:
    """Returns arguments of all sizes: special, subnormal, huge and common values."""
    rng = np.random.default_rng(seed)
    kind = function.dtype
    width = 32 if function.single else 64
    special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        np.inf,
        -np.inf,
        np.nan,
        1e-40 if function.single else 1e-310,
    ]
    tiny, huge = np.finfo(kind).tiny, np.finfo(kind).max
    special += [float(tiny), float(huge), -float(huge), math.pi, 1e5, -1e5]
    columns: list[Array] = []
    for _ in range(function.arguments):
        third = count // 3
        raw = rng.integers(0, 1 << width, third, np.uint64).astype(f"u{width // 8}").view(kind)
        usual = rng.normal(size=third) * 10
        near = 1 + rng.normal(size=count - 2 * third) * 10.0 ** rng.integers(
            -8, 1, count - 2 * third
        )
        column = np.concatenate([raw, usual.astype(kind), near.astype(kind)])
        column[: len(special)] = np.array(special, np.float64).astype(kind)
        columns.append(column)
    if function.arguments == 2:
        columns[1] = rng.permutation(columns[1])
    return columns


def run(program: ModuleOp | Program, function: MathFunction, columns: Sequence[Array]) -> Array:
    """Returns the simulator's results."""
    count = columns[0].size
    blocks = -(-count // THREADS)
    padded = [np.zeros(blocks * THREADS, function.dtype) for _ in range(2)]
    for target, column in zip(padded, columns):
        target[:count] = column
    out = np.zeros(blocks * THREADS, function.dtype)
    launch(
        program if isinstance(program, Program) else prepare(program),
        "k",
        blocks,
        THREADS,
        [*padded, out],
    )
    return out[:count]


def _safely(function: Callable[..., float]) -> Callable[..., float]:
    """Wraps a Python function; returns the IEEE results where it raises."""

    def run(*values: float) -> float:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    return run


def _tgamma(x: float) -> float:
    if x == 0:
        return math.copysign(math.inf, x)
    if math.isinf(x):
        return math.inf if x > 0 else math.nan
    return math.nan if x < 0 and x == math.floor(x) else _safely(math.gamma)(x)


def _lgamma(x: float) -> float:
    return math.inf if math.isinf(x) or (x <= 0 and x == math.floor(x)) else _safely(math.lgamma)(x)


def _sin_of_half_turns(r: Array) -> Array:
    """The sine of pi times r, for r from 0 to 1: the difference from one half is exact."""
    r = np.where(r > 0.5, 1.0 - r, r)
    return np.where(r < 0.25, np.sin(np.pi * r), np.cos(np.pi * (0.5 - r)))


def _sinpi(x: Array) -> Array:
    r = np.fmod(np.abs(x), 2.0)
    value = np.where(r > 1.0, -_sin_of_half_turns(r - 1.0), _sin_of_half_turns(r))
    return np.copysign(1.0, x) * value


def _cospi(x: Array) -> Array:
    r = np.fmod(np.abs(x), 2.0)
    r = np.where(r > 1.0, 2.0 - r, r)
    return np.where(r > 0.5, -_sin_of_half_turns(r - 0.5), _sin_of_half_turns(0.5 - r))


def _cbrt(x: Array) -> Array:
    """The cube root, computed in extended precision: glibc's `cbrt` is off by up to 4 ulp."""
    return np.cbrt(x.astype(np.longdouble)).astype(np.float64)


_NUMPY: dict[str, Callable[..., Any]] = {
    "rsqrt": lambda x: 1.0 / np.sqrt(x), "sqrt": np.sqrt, "cbrt": _cbrt, "rcbrt": lambda x: 1.0 / _cbrt(x),
    "exp": np.exp, "exp2": np.exp2, "exp10": lambda x: np.power(10.0, x), "expm1": np.expm1, "log": np.log,
    "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "sinpi": _sinpi, "cospi": _cospi, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "erf": np.vectorize(math.erf, otypes=[float]),
    "erfc": np.vectorize(math.erfc, otypes=[float]), "lgamma": np.vectorize(_lgamma, otypes=[float]),
    "tgamma": np.vectorize(_tgamma, otypes=[float]), "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "rint": np.rint, "nearbyint": np.rint, "round": lambda x: np.trunc(x + np.copysign(np.nextafter(0.5, 0.0), x)),
    "fabs": np.abs, "logb": lambda x: np.where(np.isinf(x), np.inf, np.where(x == 0, -np.inf, np.frexp(x)[1] - 1.0)),
    "hypot": np.hypot, "rhypot": lambda x, y: 1.0 / np.hypot(x, y), "atan2": np.arctan2, "pow": np.power,
    "fmod": np.fmod, "remainder": np.vectorize(_safely(math.remainder), otypes=[float]),
    "fdim": lambda x, y: np.where(x > y, x - y, np.where(np.isnan(x) | np.isnan(y), np.nan, 0.0)), "fmin": np.fmin,
    "fmax": np.fmax, "copysign": np.copysign, "nextafter": np.nextafter,
}  # fmt: skip


def reference(function: MathFunction, columns: Sequence[Array]) -> Array:
    """The results in double precision, correct to about one unit in its last place."""
    with np.errstate(all="ignore"):
        if function.base == "nextafter":
            return np.nextafter(*columns).astype(np.float64)
        wide = [c.astype(np.float64) for c in columns]
        out = np.asarray(_NUMPY[function.base](*wide), np.float64)
        return np.where(np.isnan(columns[0]) & (function.base == "logb"), np.nan, out)


def exact_reference(function: MathFunction, columns: Sequence[Array]) -> list[Any] | None:
    """The results as mpmath's numbers; None for a function that mpmath lacks or that is exact."""
    import mpmath

    # More digits than the reduction of the largest argument of a sine needs.
    mpmath.mp.prec = 1200
    table: dict[str, Callable[..., Any]] = {
        "rsqrt": lambda x: 1 / mpmath.sqrt(x), "cbrt": mpmath.cbrt, "rcbrt": lambda x: 1 / mpmath.cbrt(x),
        "exp": mpmath.exp, "exp2": lambda x: mpmath.power(2, x), "exp10": lambda x: mpmath.power(10, x),
        "expm1": lambda x: mpmath.exp(x) - 1, "log": mpmath.log, "log2": lambda x: mpmath.log(x) / mpmath.log(2),
        "log10": mpmath.log10, "log1p": lambda x: mpmath.log(1 + x), "sin": mpmath.sin, "cos": mpmath.cos,
        "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos, "atan": mpmath.atan, "sinh": mpmath.sinh,
        "cosh": mpmath.cosh, "tanh": mpmath.tanh, "asinh": mpmath.asinh, "acosh": mpmath.acosh,
        "atanh": mpmath.atanh, "hypot": mpmath.hypot, "rhypot": lambda x, y: 1 / mpmath.hypot(x, y),
        "atan2": mpmath.atan2, "pow": mpmath.power, "sinpi": mpmath.sinpi, "cospi": mpmath.cospi,
        "erf": mpmath.erf, "erfc": mpmath.erfc, "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
        "tgamma": mpmath.gamma,
    }  # fmt: skip
    call = table.get(function.base)
    if call is None:
        return None
    found: list[Any] = []
    for values in zip(*columns):
        numbers = [mpmath.mpf(float(v)) for v in values]
        try:
            result = call(*numbers)
        except (ValueError, ZeroDivisionError, OverflowError):
            result = None
        found.append(None if result is None or isinstance(result, mpmath.mpc) else result)
    return found


def errors(function: MathFunction, got: Array, wanted: Array) -> Array:
    """The distance of each result from the correctly rounded one in units in the last place.

    This is how the guide counts. Infinite if exactly one of both is a NaN.
    """
    kind = function.dtype
    info = np.finfo(kind)
    with np.errstate(all="ignore"):
        rounded = wanted.astype(kind)
        exact = rounded.astype(np.float64)
        size = np.maximum(np.abs(exact), float(info.tiny))
        unit = np.exp2(np.floor(np.log2(size)) - info.nmant)
        error = np.abs(got.astype(np.float64) - exact) / unit
        # An overflow is right if the result is nearly one.
        same = (np.isnan(got) & np.isnan(wanted)) | (got == rounded)
        edge = np.isinf(got) & (np.abs(wanted) > float(info.max) * (1 - 2.0**-20))
        error = np.where(same | edge, 0.0, error)
        odd = np.isnan(got) != np.isnan(wanted)
        return np.where(odd, np.inf, error)


def _excepted(function: MathFunction, columns: Sequence[Array]) -> Array:
    """Arguments without a bound: the guide excepts the interval in which lgamma has zeros."""
    x = columns[0]
    return (x > -11.0) & (x < 0.0) & (function.base == "lgamma")


def _doubtful(function: MathFunction, columns: Sequence[Array]) -> Array:
    """Arguments for which the reference in double precision is too inexact: around lgamma's zeros at 1 and 2."""
    x = columns[0]
    return (x > 0.5) & (x < 8.0) & (function.base == "lgamma") & (not function.single)


def worst(
    program: ModuleOp | Program, function: MathFunction, count: int
) -> tuple[float, tuple[float, ...], float, float]:
    """Returns the largest error, its arguments, the result and the exact result."""
    columns = arguments(function, count)
    got = run(program, function, columns)
    wanted = reference(function, columns)
    left_out = _excepted(function, columns) | _doubtful(function, columns)
    found = np.where(left_out, 0.0, errors(function, got, wanted))
    at = int(np.argmax(found))
    return float(found[at]), tuple(float(c[at]) for c in columns), float(got[at]), float(wanted[at])


def exact_worst(program: ModuleOp | Program, function: MathFunction, count: int) -> float | None:
    """The largest error against mpmath; None for a function that it lacks."""
    import mpmath

    columns = arguments(function, count, seed=2)
    finite = np.isfinite(columns[0])
    for column in columns[1:]:
        finite &= np.isfinite(column)
    columns = [c[finite & ~_excepted(function, columns)] for c in columns]
    wanted = exact_reference(function, columns)
    if wanted is None:
        return None
    got = run(program, function, columns)
    info = np.finfo(function.dtype)
    largest = 0.0
    for value, exact in zip(got, wanted):
        if exact is None or not mpmath.isfinite(exact) or not np.isfinite(value):
            continue
        rounded = function.dtype(float(exact))
        if not np.isfinite(rounded):
            continue
        unit = float(np.spacing(np.maximum(np.abs(rounded), info.tiny)))
        largest = max(largest, abs(float(value) - float(rounded)) / unit)
    return largest
