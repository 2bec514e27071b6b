"""`inline`: replaces calls by the callee's body if the cost is below a threshold.

    %s = llvm.alloca ...                      %s = llvm.alloca ...
    llvm.store %x, %s                     ->  llvm.store %x, %s
    %r = llvm.call @norm(%s)                  %v = llvm.load %s ; ...

LLVM's inliner, with adaptations that NVIDIA describes: calls are expensive on a GPU, because
arguments are passed through param space, registers are saved, pointers to stack slots keep the
slots in local memory, and the effects of the callee are unknown. Callees are processed before
callers.

A call is inlined if the cost of the callee, given the arguments of the call
(`passes/ipo/inline_cost.py`), minus the cost of the call itself is below a threshold. The threshold
is `threshold`, or `hint-threshold` for `inlinehint` and `cold-threshold` for `cold`, times NVPTX's
`multiplier`. It is raised by half for a callee with a single block, and by `local-bonus` if an
argument is the address of a stack slot. If the call is the only reference to a local function,
`last-call-bonus` is subtracted from the cost.

A function is simplified after inlining into it and before it is considered as a callee, as in
LLVM's call-graph pipeline, so that its cost is the cost after inlining. An indirect call that
becomes direct through inlining is considered, too, unless its callee was already inlined on the
path to it.

Not inlined are: `noinline` and `optnone` functions; recursive functions; definitions that the
linker may replace; functions with dynamic allocas; functions whose denormal mode differs from the
caller's (except libdevice's, which are compiled for any mode); and functions with a `noduplicate`
call, except for their last call. Into a recursive caller only functions with at most
`RECURSIVE_LOCAL_BYTES` of stack slots are inlined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddressOfOp, CallOp, FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.float_rounding import MANTISSA_BITS
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    defined_name,
    global_name,
    scalar_type,
)
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.function_attributes import denormal_mode, has_function_attribute
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    LOCAL_LINKAGE,
    calls_in,
    functions_of,
    linkage_of,
    references_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.llvm.types import F32
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes import pass_class
from nvvm_xdsl.passes.base import FunctionPass, NvvmPass
from nvvm_xdsl.passes.ipo.inline_cost import FREE, INSTRUCTION_COST, Analyzer, Callee, call_cost
from nvvm_xdsl.transforms.inline import LIBDEVICE, Inliner, why_not_bound
from nvvm_xdsl.transforms.inline_calls import INLINED
from nvvm_xdsl.transforms.signatures import make_direct

COPIED: Final = Statistic(
    "inline", "copied", "Number of ops copied into callers, by size of the callee"
)

SINGLE_BLOCK_BONUS: Final = 50
"""Percentage by which the threshold is raised for a callee with one block."""

RECURSIVE_LOCAL_BYTES: Final = 1024
"""LLVM's `recursive-inline-max-stacksize`."""

CLEAN_UP: Final = ("sroa", "early-cse", "instcombine", "simplifycfg")
"""The passes that run on a function after inlining, before its cost is computed."""

MOST_COPIED_OFTEN: Final = 50
"""Maximum number of ops of a callee that is inlined before its caller is.

In a chain of functions with one caller each, the callers of larger functions are inlined first:
otherwise each body would be copied into the next and simplified there, which takes quadratic time.
"""

MOST_ROUNDS: Final = 4
"""Maximum number of times that newly direct calls in one caller are examined; LLVM's
`max-devirt-iterations`."""


class Decision(NamedTuple):
    """Whether a call is inlined, the reason if it is not, and its cost and threshold."""

    yes: bool
    reason: str = ""
    cost: int | None = None
    threshold: int | None = None


class Pending(NamedTuple):
    """A call to examine, and the functions from whose inlined bodies it comes."""

    call: CallOp
    history: tuple[FuncOp, ...]


def cost_of(func: FuncOp) -> int:
    """The cost of all ops of a function's current body."""
    return sum(INSTRUCTION_COST for op in walk_function(func) if type(op) not in FREE)


@dataclass(frozen=True)
class Inline(NvvmPass):
    """Inlines calls to functions that are small enough or called only once."""

    name = "inline"
    title = "Inliner"

    threshold: int = 225
    """LLVM's `inline-threshold`."""

    multiplier: int = 11
    """NVPTX's factor of the threshold (`getInliningThresholdMultiplier`)."""

    hint_threshold: int = 325
    """LLVM's `inlinehint-threshold`."""

    cold_threshold: int = 45
    """LLVM's `inlinecold-threshold`."""

    local_bonus: int = 4000
    """Increase of the threshold for an argument that is the address of a stack slot. LLVM's AMDGPU
    target has 4000 (`amdgpu-inline-arg-alloca-cost`); NVIDIA's number is unknown."""

    last_call_bonus: int = 15_000
    """LLVM's `LastCallToStaticBonus`."""

    clean_up: bool = True
    """Whether functions are simplified before their cost as callees is computed."""

    caller_limit: int = 100_000
    """Maximum cost of a caller after inlining, to bound compile time."""

    total_limit: int = 100_000
    """Maximum number of ops that one run of the pass copies, to bound compile time."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return _Inliner(self, module, am).run()


class _Inliner:
    """Inlines the calls of one module."""

    def __init__(self, options: Inline, module: ModuleOp, am: AnalysisManager) -> None:
        self.options = options
        self.module = module
        self.am = am
        self.symbols = symbols_of(module)
        self.layout = data_layout_of(module)
        self.callees: dict[FuncOp, Callee] = {}
        self.sizes: dict[FuncOp, int] = {}
        self.costs: dict[FuncOp, int] = {}
        self.left = options.total_limit
        self.references = self._references()
        self.recursive: set[FuncOp] = set()
        self.waiting: dict[FuncOp, None] = {}
        """Functions with deferred calls, in order."""
        self.may_wait = True

    def _references(self) -> dict[str, int]:
        """The number of calls of each function, and twice the number of other references."""
        found: dict[str, int] = {}
        for func in functions_of(self.module):
            for op in walk_function(func):
                name = callee_of(op)
                if name is not None:
                    found[name] = found.get(name, 0) + 1
                elif type(op) is AddressOfOp:
                    name = global_name(op)
                    found[name] = found.get(name, 0) + 2
        for symbol in self.symbols.values():
            if not isinstance(symbol, FuncOp):
                for name in references_of(symbol):
                    found[name] = found.get(name, 0) + 2
        return found

    def run(self) -> bool:
        """Inlines calls bottom-up over the call graph; returns whether anything changed."""
        graph = CallGraph(self.module)
        order = [node.func for node in graph.bottom_up(indirect=False)]
        self.recursive = {node.func for node in graph.recursive(indirect=False)}
        changed = False
        for caller in order:
            if has_function_attribute(caller, "optimize_none"):
                continue
            if self._visit(caller):
                changed = True
            # The caller is final: cached facts about its old body are invalid.
            self._forget(caller)
        self.may_wait = False
        for caller in self.waiting:
            if self.references.get(defined_name(caller)):
                # The call was not inlined after all.
                changed |= self._visit(caller)
                self._forget(caller)
        return changed

    def _forget(self, func: FuncOp) -> None:
        self.callees.pop(func, None)
        self.sizes.pop(func, None)
        self.costs.pop(func, None)

    def _is_last(self, func: FuncOp) -> bool:
        """Whether the function's only reference is one call."""
        is_local = linkage_of(func) in LOCAL_LINKAGE
        return is_local and self.references.get(defined_name(func), 0) == 1

    def _waits(self, caller: FuncOp, callee: FuncOp) -> bool:
        """Whether a call is deferred until its caller has been inlined."""
        return (
            self.may_wait
            and self._size(callee) > MOST_COPIED_OFTEN
            and self._is_last(callee)
            and self._is_last(caller)
        )

    def _visit(self, caller: FuncOp) -> bool:
        pending = [Pending(call, ()) for call in calls_in(caller)]
        pending.reverse()
        changed = False
        for _ in range(MOST_ROUNDS):
            inlined, indirect = self._inline_all(caller, pending)
            if not inlined:
                break
            changed = True
            self.am.invalidate(caller)
            is_called = self.references.get(defined_name(caller))
            if self.options.clean_up and (is_called or indirect):
                self._clean(caller)
            pending = self._new_direct_calls(caller) if indirect else []
        return changed

    def _inline_all(self, caller: FuncOp, pending: list[Pending]) -> tuple[bool, bool]:
        """Inlines profitable calls; returns whether any was inlined, and whether the inlined code
        has indirect calls."""
        inliner: Inliner | None = None
        indirect = False
        while pending:
            call, history = pending.pop()
            if call.parent is None:
                continue
            name = callee_of(call) or ""
            callee = self.symbols.get(name)
            if not isinstance(callee, FuncOp):
                continue
            decision = self._decide(call, caller, callee, history)
            if decision.yes and self._waits(caller, callee):
                self.waiting[caller] = None
                continue
            if remarks.wanted():
                _report(call, caller, callee, decision)
            if not decision.yes:
                continue
            INLINED.add()
            known = self._callee_of(callee)
            indirect |= known.indirect
            self.left -= self._size(callee)
            COPIED.add(self._size(callee))
            self.costs[caller] = self._cost(caller) + self._cost(callee)
            if inliner is None:
                inliner = Inliner(caller)
            history = (*history, callee)
            was_last = self._is_last(callee)
            came = inliner.inline(call, callee)
            self.references[name] = self.references.get(name, 1) - 1
            for one in came:
                inner = callee_of(one) or ""
                # If the inlined call was the last one, the callee is dead, and its references do
                # not count.
                self.references[inner] = self.references.get(inner, 0) + (not was_last)
            pending.extend(Pending(one, history) for one in reversed(came))
        return inliner is not None, indirect

    def _clean(self, func: FuncOp) -> None:
        for name in CLEAN_UP:
            instance = cast(FunctionPass, pass_class(name)())
            if instance.run_on_function(func, self.am):
                self.am.invalidate(func, instance.preserved())

    def _new_direct_calls(self, caller: FuncOp) -> list[Pending]:
        found: list[Pending] = []
        for op in walk_function(caller):
            if type(op) is CallOp and make_direct(op, self.symbols):
                name = callee_of(op) or ""
                self.references[name] = self.references.get(name, 0) + 1
                # The origin of the call is unknown: its callee may have been inlined here before.
                found.append(Pending(op, (caller,)))
        found.reverse()
        return found

    # Facts about functions.

    def _callee_of(self, func: FuncOp) -> Callee:
        found = self.callees.get(func)
        if found is None:
            found = self.callees[func] = Callee.of(func, self.symbols, self.layout)
        return found

    def _size(self, func: FuncOp) -> int:
        found = self.sizes.get(func)
        if found is None:
            found = self.sizes[func] = sum(1 for _ in walk_function(func))
        return found

    def _cost(self, func: FuncOp) -> int:
        found = self.costs.get(func)
        if found is None:
            found = self.costs[func] = cost_of(func)
        return found

    # Decisions.

    def _decide(
        self, call: CallOp, caller: FuncOp, callee: FuncOp, history: tuple[FuncOp, ...]
    ) -> Decision:
        if callee.regions[0].first_block is None:
            return Decision(False, "its definition is unavailable")
        if callee is caller or callee in self.recursive or callee in history:
            return Decision(False, "recursive")
        if has_function_attribute(call, "no_inline"):
            return Decision(False, "noinline call site attribute")
        if linkage_of(callee) in INTERPOSABLE_LINKAGE:
            return Decision(False, "interposable")
        for attribute, word in (("no_inline", "noinline"), ("optimize_none", "optnone")):
            if has_function_attribute(callee, attribute):
                return Decision(False, f"{word} function attribute")
        known = self._callee_of(callee)
        reason = why_not_bound(call, callee) or known.unclonable
        if reason is not None:
            return Decision(False, reason)
        if self._size(callee) > self.left:
            return Decision(False, f"more than {self.options.total_limit} ops would be copied")
        if has_function_attribute(callee, "always_inline") or (
            has_function_attribute(call, "always_inline")
        ):
            return Decision(True, "always inline attribute")
        if _denormals_differ(caller, callee):
            return Decision(False, "conflicting attributes: denormals")
        if known.dynamic:
            return Decision(False, "dynamic alloca")
        last = self._is_last(callee)
        if not known.duplicable and not last:
            return Decision(False, "noduplicate")
        if caller in self.recursive and known.local_bytes > RECURSIVE_LOCAL_BYTES:
            return Decision(False, "recursive and allocates too much stack space")
        return self._by_cost(call, caller, callee, known, last)

    def _by_cost(
        self, call: CallOp, caller: FuncOp, callee: FuncOp, known: Callee, last: bool
    ) -> Decision:
        options = self.options
        threshold = options.threshold
        if has_function_attribute(callee, "inline_hint"):
            threshold = max(threshold, options.hint_threshold)
        if has_function_attribute(callee, "cold") or has_function_attribute(call, "cold"):
            threshold = min(threshold, options.cold_threshold)
        threshold *= options.multiplier
        if known.is_single:
            threshold += threshold * SINGLE_BLOCK_BONUS // 100
        saved = call_cost(call, callee, self.layout)
        if last:
            saved += options.last_call_bonus
        analyzer = Analyzer(call, callee, known, 0)
        if analyzer.takes_local and threshold:
            threshold += options.local_bonus
        # Remarks state the full cost, as in LLVM.
        analyzer.limit = 1 << 40 if remarks.wanted() else threshold + saved
        cost = known.cost(analyzer) - saved
        if cost >= max(threshold, 1):
            return Decision(False, "too costly", cost, threshold)
        if self._cost(caller) + self._cost(callee) > options.caller_limit:
            return Decision(False, "the caller would cost too much", cost, threshold)
        return Decision(True, "", cost, threshold)


_FLOAT_WORK: Final = (
    *("llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.fdiv", "llvm.frem", "llvm.fcmp"),
    *("llvm.fpext", "llvm.fptrunc", "llvm.intr.", "llvm.call_intrinsic", "nvvm."),
)
"""Prefixes of the names of ops that may compute with floats."""


def _denormals_differ(caller: FuncOp, callee: FuncOp) -> bool:
    """True if the callee has float ops whose denormal mode differs from the caller's."""
    if defined_name(callee).startswith(LIBDEVICE):
        return False
    differs = {
        single: _conflict(
            denormal_mode(caller, single=single), denormal_mode(callee, single=single)
        )
        for single in (True, False)
    }
    if not any(differs.values()):
        return False
    return any(differs[single] for op in walk_function(callee) for single in _precisions(op))


def _conflict(caller: tuple[str, str], callee: tuple[str, str]) -> bool:
    return any(theirs not in (ours, "dynamic") for ours, theirs in zip(caller, callee))


def _precisions(op: Operation) -> set[bool]:
    """The kinds of float types that an op computes with: True for f32, False for others."""
    if not op.name.startswith(_FLOAT_WORK):
        return set()
    types = [scalar_type(value.type) for value in (*fast.operands_of(op), *op.results)]
    return {type_ == F32 for type_ in types if type_ in MANTISSA_BITS}


def _report(call: CallOp, caller: FuncOp, callee: FuncOp, decision: Decision) -> None:
    """Emits LLVM's remark for an inlined call."""
    names = (("Callee", defined_name(callee)), ("Caller", defined_name(caller)))
    numbers = ""
    if decision.cost is not None:
        numbers = f" (cost={decision.cost}, threshold={decision.threshold})"
    if decision.yes:
        said = f": {decision.reason}" if decision.reason else f" with{numbers}"
        kind, name, how = "Passed", "Inlined", " inlined into "
    else:
        said = f": {decision.reason}{numbers}"
        kind, name, how = "Missed", "TooCostly" if numbers else "NeverInline", " not inlined into "
    remarks.emit(kind, "inline", name, defined_name(caller), names[0], how, names[1], said, op=call)


__all__ = ["Inline", "cost_of"]
