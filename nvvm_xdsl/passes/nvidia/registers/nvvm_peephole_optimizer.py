"""`nvvm-peephole-optimizer`: simplifications that use the semantics of NVVM's ops.

    %p = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
    %q = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
    %c = llvm.icmp "ult" %t, %k256 : i32
    nvvm.barrier0
    nvvm.barrier0

becomes uses of `%s` and of `true`, and one barrier. The pass runs after `nvvm-reflect` and
`nvvm-intrinsic-lowering`. According to the page on the pass, it simplifies:

- casts to another address space and back, and similar casts of bits and vector elements that
  lowered intrinsics contain;
- comparisons that the ranges of special registers decide (launch bounds, `nvvm-intr-range`), and
  special registers with a single possible value;
- consecutive barriers without a memory access or synchronization in between;
- lossless conversions to another type and back;
- votes on a constant.

Ops that become dead, and block arguments with a single incoming value, are removed.

Legal because values are replaced by equal ones. A vote, like a shuffle, orders no memory: if its
result is known, the threads need not execute it (PTX ISA, "vote.sync").

Benefit: the documents list the pass in the language paths, not in the tiers. In `nvopt<Ofcmid>`,
which runs such a path, disabling it changes no kernel's machine code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.llvm import (
    BitcastOp,
    CallIntrinsicOp,
    FPExtOp,
    FPTruncOp,
    FuncOp,
    ICmpOp,
    ShlOp,
    ZExtOp,
)
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.analysis.barriers import Meetings
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm import op_class as llvm_class
from nvvm_xdsl.dialects.llvm.accessors import integer_width, intrinsic_name
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.function_attributes import flushes_denormals
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import BF16, F32, I16
from nvvm_xdsl.dialects.nvvm import op_class as nvvm_class
from nvvm_xdsl.dialects.nvvm.properties import keyword_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.driver import RewriteDriver
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.rules.simplify import simplify
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.barriers import merge_barriers

CASTS: tuple[type[Operation], ...] = (
    llvm_class("llvm.addrspacecast"),
    BitcastOp,
    llvm_class("llvm.extractelement"),
)
"""Ops in chains of casts and lowered intrinsics."""

_Tf32Op = nvvm_class("nvvm.convert.float.to.tf32")
_VoteOp = nvvm_class("nvvm.vote.sync")

_TWICE_IS_ONCE = ("llvm.nvvm.saturate.", "llvm.nvvm.f2tf32.")
"""Conversions that are idempotent."""


@dataclass(frozen=True)
class NVVMPeepholeOptimizer(FunctionPass):
    """Simplifies expressions of NVVM's ops."""

    name = "nvvm-peephole-optimizer"
    title = "NVVMPeepholeOptimizer"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        constants = Constants(func)
        changed = _fold_by_ranges(func, am, constants)
        patterns: Sequence[RewritePattern] = (
            Cast(constants),
            WidenedAndNarrowed(flushes_denormals(func)),
            ConvertedTwice(),
            ConstantVote(constants),
        )
        driver = RewriteDriver(patterns, is_pure=is_removable)
        changed |= driver.rewrite(func)
        blocks = list(am.get(CFG, func).rpo_blocks())
        while any([cfg.simplify_arguments(block) for block in blocks]):
            changed = True
            driver.rewrite(func)
        meetings = Meetings(func, am)
        for block in blocks:
            changed |= merge_barriers(block, meetings)
        return changed


def _fold_by_ranges(func: FuncOp, am: AnalysisManager, constants: Constants) -> bool:
    """Folds comparisons and special registers with one possible value, in functions that read
    special registers."""
    registers = [op for op in walk_function(func) if special_register(op) is not None]
    if not registers:
        return False
    facts = am.get(ValueTracking, func)
    comparisons = [op for op in walk_function(func) if type(op) is ICmpOp]
    changed = False
    for op in (*registers, *comparisons):
        (result,) = op.results
        if result.first_use is None or not integer_width(result.type):
            continue
        value = facts.fact(result).value()
        if value is not None:
            fast.replace_all_uses(result, constants.integer(value, result.type))
            changed = True
    return changed


class _Simplification(RewritePattern):
    """A pattern that replaces the op's result by an existing value."""

    matches: tuple[type[Operation], ...]

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        value = self.value_for(op, rewriter)
        if value is not None and value is not op.results[0]:
            rewriter.replace(op, (), (value,))

    def value_for(self, op: Operation, rewriter: PatternRewriter) -> SSAValue | None:
        """The replacement of the op's result; None if the op is kept."""
        raise NotImplementedError


class Cast(_Simplification):
    """Removes casts that cancel each other, and extractions of elements that were just inserted."""

    matches = CASTS

    def __init__(self, constants: Constants) -> None:
        self.constants = constants

    def value_for(self, op: Operation, rewriter: PatternRewriter) -> SSAValue | None:
        return simplify(op, self.constants)


class WidenedAndNarrowed(_Simplification):
    """Removes a lossless extension and truncation of a float.

    bf16 may also be extended by a shift of its bits to the upper half of an f32."""

    matches = (FPTruncOp,)

    def __init__(self, flush: bool) -> None:
        self.flush = flush

    def value_for(self, op: Operation, rewriter: PatternRewriter) -> SSAValue | None:
        (wide,) = fast.operands_of(op)
        source = wide.owner
        type_ = op.results[0].type
        if type(source) is FPExtOp:
            (value,) = fast.operands_of(source)
            # Conversions from and to f32 flush denormals if the function does.
            if value.type == type_ and not (self.flush and type_ is F32):
                return value
        elif type(source) is BitcastOp and type_ is BF16 and wide.type is F32:
            bits = _shifted_up(fast.operands_of(source)[0])
            if bits is not None:
                return rewriter.insert(fast.create(BitcastOp, (bits,), (BF16,))).results[0]
        return None


def _shifted_up(value: SSAValue) -> SSAValue | None:
    """The 16-bit integer that is the upper half of a word whose lower half is zero."""
    if type(value.owner) is not ShlOp:
        return None
    low, amount = fast.operands_of(fast.producer_of(value))
    if constant_integer(amount) != 16 or type(low.owner) is not ZExtOp:
        return None
    (bits,) = fast.operands_of(fast.producer_of(low))
    return bits if bits.type is I16 else None


class ConvertedTwice(_Simplification):
    """Removes an idempotent conversion of the result of the same conversion."""

    matches = (_Tf32Op, CallIntrinsicOp)

    def value_for(self, op: Operation, rewriter: PatternRewriter) -> SSAValue | None:
        if type(op) is CallIntrinsicOp:
            name = intrinsic_name(op)
            if not name.startswith(_TWICE_IS_ONCE):
                return None
        (value,) = fast.operands_of(op)
        inner = value.owner
        if type(inner) is BitcastOp:
            # Numbers in tf32 are represented as words.
            (value,) = fast.operands_of(fast.producer_of(value))
            inner = value.owner
        same = (
            type(inner) is type(op)
            and fast.producer_of(value).properties == op.properties
            and value.type == op.results[0].type
        )
        return value if same else None


class ConstantVote(_Simplification):
    """Folds a vote on a constant, or one with a uniform result.

    The executing thread takes part in the vote. Only the result of a ballot depends on which other
    threads do."""

    matches = (_VoteOp,)

    def __init__(self, constants: Constants) -> None:
        self.constants = constants

    def value_for(self, op: Operation, rewriter: PatternRewriter) -> SSAValue | None:
        vote = constant_integer(fast.operands_of(op)[1])
        if vote is None:
            return None
        kind = keyword_of(op, "kind")
        if kind == "ballot":
            return None if vote else self.constants.integer(0, op.results[0].type)
        return self.constants.boolean(kind == "uni" or bool(vote))
