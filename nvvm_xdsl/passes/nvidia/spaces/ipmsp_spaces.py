"""Address spaces of generic arguments and results of functions, over all calls.

The spaces are an optimistic fixed point over the call graph, including recursion: an argument is in
a space unless some call passes a pointer that is not. Functions with unknown callers keep generic
arguments.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import reduce

from xdsl.dialects.llvm import FuncOp, LLVMFunctionType, ReturnOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph, CallGraphNode
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import argument_attribute, function_type_of, is_must_tail
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, entry_of, linkage_of, walk_function
from nvvm_xdsl.dialects.llvm.types import PTR, VOID
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, PARAM
from nvvm_xdsl.transforms.address_spaces import AddressSpaceInference, SpaceAssumptions

Spaces = list["int | None"]
"""A space for each argument of a function: GENERIC if it is unknown, for other types, and for
by-value arguments; None while no call is known.
"""


def function_type(func: Operation) -> LLVMFunctionType:
    """The type of an `llvm.func`."""
    return function_type_of(func)


def generic_arguments(func: FuncOp) -> list[int]:
    """The arguments that are generic pointers to memory of the caller."""
    return [
        argument.index
        for argument in entry_of(func).args
        if argument.type is PTR and argument_attribute(func, argument.index, "llvm.byval") is None
    ]


def fits(call: Operation, func: FuncOp) -> bool:
    """True if a call matches the function's type, and is not a `musttail` call."""
    type_ = function_type(func)
    results: Sequence[object] = () if type_.output is VOID else (type_.output,)
    return (
        not type_.is_variadic
        and [v.type for v in fast.operands_of(call)] == list(type_.inputs.data)
        and (not call.results or [v.type for v in call.results] == list(results))
        and not is_must_tail(call)
    )


def may_be_specialized(node: CallGraphNode) -> bool:
    """True if a function has a body, is not a kernel, and its type may be changed."""
    func = node.func
    if node.is_declaration or is_kernel(func) or function_type(func).is_variadic:
        return False
    return not any(is_must_tail(call) for call in node.calls)


def has_known_callers(node: CallGraphNode) -> bool:
    """Returns True if all calls of a function are in the module."""
    return linkage_of(node.func) in LOCAL_LINKAGE and not node.address_taken


class CallSpaces:
    """The fixed point for a module.

    A null pointer is compatible only with pointers into global memory: for other spaces, a cast of
    null to the space and back does not yield null.

    Arguments:
        graph: the call graph of a module.
        options: the assumptions for each function.
        am: provides the control flow graphs.
    """

    arguments: dict[CallGraphNode, Spaces]
    """The spaces of the arguments of each function with a body."""
    results: dict[CallGraphNode, int | None]
    """The space of the result of each changeable function that returns a generic pointer; None
    while unknown."""
    passed: dict[Operation, Spaces]
    """The spaces that each call passes."""

    def __init__(self, graph: CallGraph, options: SpaceAssumptions, am: AnalysisManager) -> None:
        self.graph = graph
        self.options = options
        self._am = am
        self.arguments = {}
        self.results = {}
        self.passed = {}
        self._open: set[CallGraphNode] = set()
        self._returned: dict[CallGraphNode, Spaces] = {}
        for node in graph.nodes.values():
            if not node.is_declaration:
                self._start(node)
        self._solve()

    def changeable(self, node: CallGraphNode) -> bool:
        """Returns True if a function's type may be changed, along with all calls of it."""
        return node in self._open

    def _start(self, node: CallGraphNode) -> None:
        func = node.func
        count = len(entry_of(func).args)
        self.arguments[node] = [GENERIC] * count
        if (
            may_be_specialized(node)
            and has_known_callers(node)
            and all(fits(call, func) for call in node.callers)
        ):
            self._open.add(node)
            for index in generic_arguments(func):
                self.arguments[node][index] = None
            if function_type(func).output is PTR:
                self.results[node] = None

    def _solve(self) -> None:
        # Callers first: most arguments are then known when a function is visited.
        affected = list(self.graph.bottom_up())[::-1]
        while affected:
            pending = deque(affected)
            queued = set(affected)
            while pending:
                node = pending.popleft()
                queued.discard(node)
                for other in self._visit(node):
                    if other not in queued:
                        queued.add(other)
                        pending.append(other)
            affected = self._open_nulls()

    def _open_nulls(self) -> list[CallGraphNode]:
        """Makes spaces other than global unknown for pointers that may be null."""
        affected: list[CallGraphNode] = []
        for node in self._open:
            known = self.arguments[node]
            for call in node.callers:
                for index, space in enumerate(self.passed[call]):
                    if space is None and known[index] not in (None, GLOBAL, GENERIC):
                        known[index] = GENERIC
                        affected.append(node)
            if (
                self.results.get(node) not in (None, GLOBAL, GENERIC)
                and None in self._returned[node]
            ):
                self.results[node] = GENERIC
                affected += node.callers.values()
        return list(dict.fromkeys(affected))

    def _known_spaces(self, node: CallGraphNode) -> dict[SSAValue, int | None]:
        given: dict[SSAValue, int | None] = {}
        if self.changeable(node):
            arguments = entry_of(node.func).args
            for index in generic_arguments(node.func):
                given[arguments[index]] = self.arguments[node][index]
        for call, callee in node.calls.items():
            if callee in self.results and call.results:
                given[call.results[0]] = self.results[callee]
        return given

    def _visit(self, node: CallGraphNode) -> list[CallGraphNode]:
        """Joins the spaces that a function passes and returns; returns the affected functions."""
        func = node.func
        inference = AddressSpaceInference(
            self.options, func, self._am.get(CFG, func), self._known_spaces(node)
        )
        inference.analyse()

        def space_of(value: SSAValue) -> int | None:
            space = inference.space_of(value)
            # The address of a by-value parameter is passed as a generic pointer.
            return GENERIC if space == PARAM else space

        affected: list[CallGraphNode] = []
        for call, callee in node.calls.items():
            if callee is None or callee.is_declaration:
                continue
            operands = fast.operands_of(call)
            wanted = generic_arguments(callee.func)
            passed: Spaces = [GENERIC] * len(self.arguments[callee])
            for index in wanted:
                if index < len(operands) and operands[index].type is PTR:
                    passed[index] = space_of(operands[index])
            self.passed[call] = passed
            if callee in self._open:
                lowered = [_met(have, space) for have, space in zip(self.arguments[callee], passed)]
                if lowered != self.arguments[callee]:
                    self.arguments[callee] = lowered
                    affected.append(callee)
        if node in self.results:
            found = [
                space_of(fast.operands_of(op)[0])
                for op in walk_function(func)
                if type(op) is ReturnOp
            ]
            self._returned[node] = found
            result = reduce(_met, found, self.results[node])
            if result != self.results[node]:
                self.results[node] = result
                affected += node.callers.values()
        return affected


def _met(have: int | None, space: int | None) -> int | None:
    """The common space of two pointers; None while no source is known."""
    if have is None or space is None:
        return space if have is None else have
    return have if have == space else GENERIC
