"""`nvvm-intrinsic-lowering`: lowers calls of NVVM's intrinsics to plain ops.

    %h = llvm.call_intrinsic "llvm.nvvm.d2i.hi"(%x) : (f64) -> i32
    %y = llvm.call_intrinsic "llvm.nvvm.fma.rn.d"(%x, %x, %x) : (f64, f64, f64) -> f64

becomes

    %v = llvm.bitcast %x : f64 to vector<2xi32>
    %h = llvm.extractelement %v[%one : i32] : vector<2xi32>
    %y = llvm.intr.fma(%x, %x, %x) : (f64, f64, f64) -> f64

Level 0 lowers calls without further information: arithmetic and conversions with an equivalent
plain op (`ARITHMETIC`), words of a double, permutations of bytes, warp shuffles by distance 0,
queries of the kind of a texture handle (`istypep`) whose variable is known, and intrinsics on
vectors that the hardware lacks (one call per element). The result may be lowered again. Level 1 also canonicalizes barriers to `nvvm.barrier0`, the form that passes over barriers
expect.

Legal because each rule preserves every bit of the result. If the intrinsic and the op agree only
with flushed single-precision denormals, or only without, the rule applies only if the function or a
parameter states the mode. Sums, products, quotients and roots with a stated rounding mode are not
lowered, because plain ops may be contracted or approximated later.

The document (000 LLVM Optimizer, "NVVMIntrinsicLowering Repetition") states the levels, the
positions and a limit of 30 iterations of rewriting; two iterations suffice here. The equivalences
are from LLVM's Language Reference and the PTX ISA; queries of handles are LLVM's
NVPTXImageOptimizer.

Benefit: two kernels execute 0.990 of the machine instructions in 0.978 of the registers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import AddressOfOp, BitcastOp, CallIntrinsicOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm import op_class as llvm_class
from nvvm_xdsl.dialects.llvm.accessors import global_name, intrinsic_name, segment_sizes
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import fast_math_attribute
from nvvm_xdsl.dialects.llvm.function_attributes import flushes_denormals
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.symbols import module_of, symbols_of, walk_function
from nvvm_xdsl.dialects.llvm.types import BF16, F16, I1, I32, dense_i32, vector
from nvvm_xdsl.dialects.nvvm import op_class as nvvm_class
from nvvm_xdsl.dialects.nvvm.calls import PREFIX, intrinsic_call
from nvvm_xdsl.dialects.nvvm.handles import HANDLE_ATTRIBUTES, handle_kind
from nvvm_xdsl.dialects.nvvm.kernel import launch_bounds
from nvvm_xdsl.dialects.nvvm.main_signatures import has_more_arguments
from nvvm_xdsl.dialects.nvvm.properties import keyword_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.driver import RewriteDriver
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.passes.base import FunctionPass

ARITHMETIC = """\
fma.rn.d         | llvm.intr.fma       |
fma.rn.f         | llvm.intr.fma       | keep
fma.rn.ftz.f     | llvm.intr.fma       | flush
fma.rn.f16       | llvm.intr.fma       |
fma.rn.f16x2     | llvm.intr.fma       |
fma.rn.bf16      | llvm.intr.fma       |
fma.rn.bf16x2    | llvm.intr.fma       |
fabs.f64         | llvm.intr.fabs      |
fabs.f32         | llvm.intr.fabs      | keep
fabs.ftz.f32     | llvm.intr.fabs      | flush
neg.bf16         | llvm.fneg           |
neg.bf16x2       | llvm.fneg           |
fmin.d           | llvm.intr.minnum    |
fmin.f           | llvm.intr.minnum    | keep
fmin.ftz.f       | llvm.intr.minnum    | flush
fmax.d           | llvm.intr.maxnum    |
fmax.f           | llvm.intr.maxnum    | keep
fmax.ftz.f       | llvm.intr.maxnum    | flush
ceil.d           | llvm.intr.ceil      |
ceil.f           | llvm.intr.ceil      | keep
ceil.ftz.f       | llvm.intr.ceil      | flush
floor.d          | llvm.intr.floor     |
floor.f          | llvm.intr.floor     | keep
floor.ftz.f      | llvm.intr.floor     | flush
trunc.d          | llvm.intr.trunc     |
trunc.f          | llvm.intr.trunc     | keep
trunc.ftz.f      | llvm.intr.trunc     | flush
round.d          | llvm.intr.roundeven |
round.f          | llvm.intr.roundeven | keep
round.ftz.f      | llvm.intr.roundeven | flush
d2f.rn           | llvm.fptrunc        | keep
d2f.rn.ftz       | llvm.fptrunc        | flush
f2bf16.rn        | llvm.fptrunc        |
i2d.rn           | llvm.sitofp         |
i2d.rz           | llvm.sitofp         |
i2d.rm           | llvm.sitofp         |
i2d.rp           | llvm.sitofp         |
ui2d.rn          | llvm.uitofp         |
ui2d.rz          | llvm.uitofp         |
ui2d.rm          | llvm.uitofp         |
ui2d.rp          | llvm.uitofp         |
ll2d.rn          | llvm.sitofp         |
ull2d.rn         | llvm.uitofp         |
i2f.rn           | llvm.sitofp         |
ui2f.rn          | llvm.uitofp         |
ll2f.rn          | llvm.sitofp         |
ull2f.rn         | llvm.uitofp         |
"""
"""Intrinsic, equivalent op, and the required denormal mode of single precision: flushed to zero,
kept, or irrelevant. A conversion of 32-bit integers to double precision is exact in every rounding
mode.
"""


@dataclass(frozen=True)
class _Row:
    cls: type[Operation]
    flush: bool | None

    @cached_property
    def fastmath(self) -> bool:
        """True if the op has fast-math flags."""
        return "fastmathFlags" in cast(Any, self.cls).get_irdl_definition().properties


def _rows() -> dict[str, _Row]:
    found: dict[str, _Row] = {}
    for line in ARITHMETIC.splitlines():
        name, op, mode = (part.strip() for part in line.split("|"))
        cls = llvm_class(op)
        flush = None if not mode else mode == "flush"
        found[PREFIX + name] = _Row(cls, flush)
    return found


_ROWS = _rows()

_ExtractOp = llvm_class("llvm.extractelement")
_InsertOp = llvm_class("llvm.insertelement")
_FPTruncOp = llvm_class("llvm.fptrunc")
_FunnelRightOp = llvm_class("llvm.intr.fshr")
_PermuteOp = nvvm_class("nvvm.prmt")
_ShuffleOp = nvvm_class("nvvm.shfl.sync")
_BarrierOp = nvvm_class("nvvm.barrier")
_Barrier0Op = nvvm_class("nvvm.barrier0")

_WORDS = vector(2, I32)

_ELEMENTWISE = ("fabs.ftz.", "fabs.", "ex2.approx.ftz.", "ex2.approx.")
"""Overloaded intrinsics that process each element independently."""

_FUNNELS = {0x3210 + 0x1111 * n: 8 * n for n in range(5)}
"""The bit offset of each `prmt` selector that selects four adjacent bytes of the eight."""

_HANDLES = frozenset({f"{PREFIX}texsurf.handle", f"{PREFIX}texsurf.handle.internal"})
"""Intrinsics that return the handle of a variable."""

_STILL = frozenset({"up", "down", "bfly"})
"""Kinds of shuffles for which a distance of 0 is the identity."""


@dataclass(frozen=True)
class NVVMIntrinsicLowering(FunctionPass):
    """Lowers NVVM's intrinsics to plain ops."""

    name = "nvvm-intrinsic-lowering"
    title = "NVVMIntrinsicLowering"

    tokens: ClassVar = {"level=0": ("barriers", False), "level=1": ("barriers", True)}

    barriers: bool = False
    """Whether barriers are lowered, too (level 1)."""

    ftz: bool | None = None
    """Whether single-precision denormals are flushed. None: as the function states; if it states
    nothing, rules that depend on the mode do not apply."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        lowering = _Lowering(func, True if flushes_denormals(func) else self.ftz)
        driver = RewriteDriver([Call(lowering), Permute(lowering), Shuffle(lowering)])
        changed = driver.rewrite(func)
        if self.barriers:
            threads = _threads_of_block(func)
            for op in walk_function(func):
                if type(op) is _BarrierOp:
                    changed |= _lower_barrier(op, threads)
        return changed


class _Lowering:
    """The state shared by the patterns: the function's constants and modes.

    Arguments:
        func: the function.
        flush: whether denormals of single precision are flushed; None if unknown.
    """

    def __init__(self, func: FuncOp, flush: bool | None) -> None:
        self._func = func
        self.flush = flush
        self.constants = Constants(func)

    @cached_property
    def symbols(self) -> dict[str, Operation]:
        """The symbols of the function's module."""
        module = module_of(self._func)
        return {} if module is None else symbols_of(module)

    def index(self, number: int) -> SSAValue:
        """A constant index of a vector element."""
        return self.constants.integer(number, I32)


class _Lowered(RewritePattern):
    """A pattern that replaces the op's result by a value, which it may create."""

    matches: tuple[type[Operation], ...]

    def __init__(self, lowering: _Lowering) -> None:
        self.lowering = lowering

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        value = self.value_for(op, _Maker(rewriter, self.lowering))
        if value is None:
            return
        if value.name_hint is None and isinstance(value.owner, Operation):
            fast.set_name(value, op.results[0].name_hint)
        rewriter.replace(op, (), (value,))

    def value_for(self, op: Operation, maker: _Maker) -> SSAValue | None:
        """The replacement of the op's result; None if the op is kept."""
        raise NotImplementedError


class _Maker:
    """Creates ops before the matched op."""

    def __init__(self, rewriter: PatternRewriter, lowering: _Lowering) -> None:
        self._rewriter = rewriter
        self._lowering = lowering
        self.constants = lowering.constants
        self.index = lowering.index

    def variable(self, name: str) -> Operation | None:
        """The variable or function of this name in the module."""
        return self._lowering.symbols.get(name)

    def make(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        properties: dict[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result of a new op."""
        return self.put(fast.create(cls, operands, (type_,), properties))

    def put(self, op: Operation) -> SSAValue:
        """Inserts a new op; returns its result."""
        return self._rewriter.insert(op).results[0]


CallLowering = Callable[[_Maker, Operation], "SSAValue | None"]
"""The replacement of an intrinsic's result, or None to keep the call."""


class Call(_Lowered):
    """Lowers a call of an intrinsic that has no op of its own."""

    matches = (CallIntrinsicOp,)

    def value_for(self, op: Operation, maker: _Maker) -> SSAValue | None:
        name = intrinsic_name(op)
        if has_more_arguments(name.removeprefix(PREFIX), len(fast.operands_of(op))):
            return None
        row = _ROWS.get(name)
        if row is not None:
            if row.flush is not None and row.flush is not self.lowering.flush:
                return None
            properties: dict[str, Attribute] = {}
            if row.fastmath:
                properties["fastmathFlags"] = fast_math_attribute(op)
            return maker.make(row.cls, fast.operands_of(op), op.results[0].type, properties)
        short = name.removeprefix(PREFIX)
        lowering = _CALLS.get(short)
        if lowering is not None:
            return lowering(maker, op)
        if short.startswith("move."):
            return fast.operands_of(op)[0]
        if short.startswith(_ELEMENTWISE):
            return _by_element(maker, op, name)
        return None


def _word(number: int) -> CallLowering:
    """`d2i.lo` and `d2i.hi`: a word of a double."""

    def rule(maker: _Maker, op: Operation) -> SSAValue:
        words = maker.make(BitcastOp, fast.operands_of(op), _WORDS)
        return maker.make(_ExtractOp, (words, maker.index(number)), I32)

    return rule


def _double_of_words(maker: _Maker, op: Operation) -> SSAValue:
    """`lohi.i2d`: a double from two words."""
    words = maker.constants.poison(_WORDS)
    for number, word in enumerate(fast.operands_of(op)):
        words = maker.make(_InsertOp, (words, word, maker.index(number)), _WORDS)
    return maker.make(BitcastOp, (words,), op.results[0].type)


def _half_bits(maker: _Maker, op: Operation) -> SSAValue:
    """`f2h.rn`: the bits of a half. Denormal floats round to zero as a half, so flushing them first
    makes no difference."""
    half = maker.make(_FPTruncOp, fast.operands_of(op), F16)
    return maker.make(BitcastOp, (half,), op.results[0].type)


def _is_object(kind: str) -> CallLowering:
    """`istypep`: whether a handle has this type of PTX. It is known for the handle of a variable."""

    def rule(maker: _Maker, op: Operation) -> SSAValue | None:
        handle = fast.operands_of(op)[0].owner
        if type(handle) is not CallIntrinsicOp or intrinsic_name(handle) not in _HANDLES:
            return None
        address = fast.operands_of(handle)[-1].owner
        if type(address) is not AddressOfOp:
            return None
        variable = maker.variable(global_name(address))
        known = None if variable is None else handle_kind(variable)
        return None if known is None else maker.constants.integer(known == kind, I1)

    return rule


_CALLS: Mapping[str, CallLowering] = {
    **{
        f"istypep.{attribute.removeprefix('nvvm.')}": _is_object(kind)
        for attribute, kind in HANDLE_ATTRIBUTES.items()
    },
    "d2i.lo": _word(0),
    "d2i.hi": _word(1),
    "lohi.i2d": _double_of_words,
    "f2h.rn": _half_bits,
    "f2h.rn.ftz": _half_bits,
}


def _by_element(maker: _Maker, op: Operation, name: str) -> SSAValue | None:
    """Replaces a call on a vector by calls on its elements, except for pairs of 16-bit floats, for
    which there are instructions."""
    type_ = op.results[0].type
    if type(type_) is not VectorType:
        return None
    element = type_.element_type
    (count,) = type_.get_shape()
    if count == 2 and element in (F16, BF16):
        return None
    family = name[: name.rindex(".") + 1]
    fastmath = fast_math_attribute(op)
    (whole,) = fast.operands_of(op)
    made = maker.constants.poison(type_)
    for number in range(count):
        index = maker.index(number)
        part = maker.make(_ExtractOp, (whole, index), element)
        call = intrinsic_call(f"{family}{element}", (part,), (element,), fastmath)
        result = maker.put(call)
        made = maker.make(_InsertOp, (made, result, index), type_)
    return made


class Permute(_Lowered):
    """Replaces a permutation that selects four adjacent bytes of eight by a word or a funnel
    shift.
    """

    matches = (_PermuteOp,)

    def value_for(self, op: Operation, maker: _Maker) -> SSAValue | None:
        operands = fast.operands_of(op)
        if keyword_of(op, "mode") != "default" or len(operands) != 3:
            return None
        low, high, selector = operands
        chosen = constant_integer(selector)
        amount = None if chosen is None else _FUNNELS.get(chosen & 0xFFFF)
        if amount is None:
            return None
        if amount in (0, 32):
            return high if amount else low
        return maker.make(_FunnelRightOp, (high, low, maker.index(amount)), I32)


class Shuffle(_Lowered):
    """Replaces a shuffle by distance 0 by the thread's own value."""

    matches = (_ShuffleOp,)

    def value_for(self, op: Operation, maker: _Maker) -> SSAValue | None:
        _, value, distance, _ = fast.operands_of(op)
        if keyword_of(op, "kind") not in _STILL or constant_integer(distance) != 0:
            return None
        return None if "return_value_and_is_valid" in op.properties else value


def _threads_of_block(func: FuncOp) -> int | None:
    """The block size rounded up to whole warps, which is the number of threads of a block-wide
    barrier; None if the function does not state the block size."""
    required = launch_bounds(func).reqntid
    return -(-prod(required) // WARP_SIZE) * WARP_SIZE if required else None


def _lower_barrier(op: Operation, threads: int | None) -> bool:
    """Replaces barrier 0 of all threads by `nvvm.barrier0`, and omits a thread count that is the
    block size; returns whether the op changed."""
    sizes: tuple[int, ...] = segment_sizes(op)
    barrier, counted, reduced = sizes
    operands = fast.operands_of(op)
    if reduced:
        return False
    counts_all = counted and threads is not None and constant_integer(operands[barrier]) == threads
    if counted and not counts_all:
        return False
    if not barrier or constant_integer(operands[0]) == 0:
        new = fast.create(_Barrier0Op, location=op.location)
    elif counted:
        properties: dict[str, Attribute] = {"operandSegmentSizes": dense_i32((1, 0, 0))}
        new = fast.create(_BarrierOp, operands[:1], (), properties, location=op.location)
    else:
        return False
    fast.insert_before(new, op)
    fast.erase(op)
    return True
