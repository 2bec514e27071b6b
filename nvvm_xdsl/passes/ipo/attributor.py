"""`attributor`: adds attributes to arguments that the arguments of all calls satisfy.

    define internal float @f(ptr %p, i32 %n)          define internal float @f(ptr align 16 %p, i32 range(i32 0, 32) %n)
    call float @f(ptr align 16 %a, i32 %lane)     ->  call float @f(ptr align 16 %a, i32 %lane)     ; %lane is below 32
    call float @f(ptr align 32 %b, i32 7)             call float @f(ptr align 32 %b, i32 7)

The pass infers those attributes of LLVM's Attributor that other passes here use: `align` of
pointers, which `propagate-alignment` and the load-store-vectorizer use for wide accesses, and
`range` of integers, which known bits, divisions and the widths of counters use. The functions must
be internal, and their addresses must not be taken. Callers are processed before callees, so that
facts propagate down the call graph; a recursive call that passes on an argument unchanged is
ignored. `nonnull` and `dereferenceable` have no users, because there are no null checks to remove
and loads are not speculated based on dereferenceability. `noalias` of an argument requires that
nothing else in the function accesses the object, which alias analysis finds after inlining.
`function-attrs` infers memory effects, termination, recursion and synchronization.

Benefit: functions that are not inlined. A function that adds four adjacent elements of an aligned
variable and divides a thread index by 8 (signed) then uses one wide load instead of four loads, and
a shift instead of the division. In examples/ and test/corpus only the slow paths of libdevice and
functions marked `noinline` are not inlined; the pass changes none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph, CallGraphNode
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alignment import WIDEST_ACCESS, MergedAlignments
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking, argument_range
from nvvm_xdsl.dialects.llvm.accessors import (
    add_argument_attribute,
    argument_attributes,
    integer_of,
    integer_width,
)
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.symbols import entry_of
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass

ALIGNED: Final = Statistic("attributor", "align", "Number of alignments inferred")
BOUNDED: Final = Statistic("attributor", "range", "Number of ranges inferred")


@dataclass(frozen=True)
class Attributor(NvvmPass):
    """Infers alignments and ranges of arguments from all calls."""

    name = "attributor"
    title = "Attributor"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        graph = am.get(CallGraph, module)
        layout = data_layout_of(module)
        changed = False
        for component in reversed(graph.components()):
            for node in component:
                if not _calls_are_known(node, graph):
                    continue
                if _Arguments(node, layout, am).state():
                    am.invalidate(node.func)
                    changed = True
        return changed


def _calls_are_known(node: CallGraphNode, graph: CallGraph) -> bool:
    return not node.is_declaration and not graph.is_root(node)


class _Arguments:
    """The arguments of one function and the values that its calls pass."""

    def __init__(self, node: CallGraphNode, layout: DataLayout, am: AnalysisManager) -> None:
        self.func = node.func
        self.arguments = entry_of(node.func).args
        self.callers = node.callers
        self.layout = layout
        self.am = am
        self.alignments: dict[Operation, MergedAlignments] = {}

    def state(self) -> bool:
        """Adds the inferred attributes; returns whether any is new."""
        changed = False
        for argument in self.arguments:
            given = self._arguments_of_calls(argument)
            if not given:
                continue
            if isinstance(argument.type, LLVMPointerType):
                changed |= self._state_alignment(argument, given)
            elif isinstance(argument.type, IntegerType):
                changed |= self._state_range(argument, given)
        return changed

    def _arguments_of_calls(self, argument: BlockArgument) -> list[tuple[Operation, SSAValue]]:
        """The values that calls pass for an argument, each with the calling function. Recursive
        calls that pass the argument itself are skipped."""
        found: list[tuple[Operation, SSAValue]] = []
        for call, caller in self.callers.items():
            value = fast.operands_of(call)[argument.index]
            if value is not argument:
                found.append((caller.func, value))
        return found

    def _state_alignment(
        self, argument: BlockArgument, given: list[tuple[Operation, SSAValue]]
    ) -> bool:
        attributes = argument_attributes(self.func, argument.index)
        if "llvm.byval" in attributes:
            return False
        least = WIDEST_ACCESS
        for func, value in given:
            least = min(least, self._alignments(func).of(value))
        if least <= (integer_of(attributes.get("llvm.align")) or 1):
            return False
        ALIGNED.add()
        self._add(argument, "llvm.align", int_attr(least, I64))
        return True

    def _alignments(self, func: Operation) -> MergedAlignments:
        found = self.alignments.get(func)
        if found is None:
            graph = self.am.get(CFG, func)
            found = self.alignments[func] = MergedAlignments(func, self.layout, graph)
        return found

    def _state_range(
        self, argument: BlockArgument, given: list[tuple[Operation, SSAValue]]
    ) -> bool:
        width = integer_width(argument.type)
        union = ConstantRange(width, 0, 0)
        for func, value in given:
            union = union.union(self.am.get(ValueTracking, func).range(value))
            if union.is_full:
                return False
        known = argument_range(self.func, argument)
        if not union.size or (known is not None and known.size <= union.size):
            return False
        BOUNDED.add()
        end = union.start + union.size & (1 << width) - 1
        self._add(argument, "llvm.range", ConstantRangeAttr.get(width, union.start, end))
        return True

    def _add(self, argument: BlockArgument, name: str, value: Attribute) -> None:
        add_argument_attribute(self.func, argument.index, name, value, len(self.arguments))


__all__ = ["Attributor"]
