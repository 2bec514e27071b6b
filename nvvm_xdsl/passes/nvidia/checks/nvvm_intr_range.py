"""`nvvm-intr-range`: adds the range of possible values to reads of special registers.

    llvm.func @k() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
      %t = nvvm.read.ptx.sreg.tid.x : i32

becomes

      %t = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32

so that every pass that uses ranges, including LLVM's, can derive `tid.x < 128`. The bounds are the
kernel's launch bounds, if stated, and otherwise the limits of the hardware
(`analysis/values/special_registers.py`). An existing range is narrowed, never widened.

The pass corresponds to LLVM's pass of this name. Grids of less than `nvvm-intr-range-sm=30` have at
most 65535 blocks in each dimension, later ones 2^31 - 1 in the first.

Benefit: disabling it changes no kernel's machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import getattr_static

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.special_registers import PREFIX, register_range
from nvvm_xdsl.analysis.values.value_tracking import range_attribute
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.function_attributes import target_sm
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds, launch_bounds
from nvvm_xdsl.passes.base import FunctionPass

REGISTERS: dict[type[Operation], str] = {
    op: op.name.removeprefix(PREFIX)
    for op in NVVM.operations
    # The result of `hasattr` depends on whether the op's definition has been created.
    if op.name.startswith(PREFIX) and getattr_static(op, "range", None) is not None
}
"""Reads that can have a range, and the registers that they read."""

WIDE_GRIDS = 30
"""The first SM whose grids have more than `NARROW_GRID` blocks in the first dimension."""

NARROW_GRID = 0xFFFF


@dataclass(frozen=True)
class NVVMIntrRange(FunctionPass):
    """Adds ranges to reads of special registers."""

    name = "nvvm-intr-range"
    title = "NVVMIntrRange"

    sm: int | None = None
    """The documented knob `nvvm-intr-range-sm`, such as 90; None: the function's own target."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        bounds = launch_bounds(func)
        sm = target_sm(func) if self.sm is None else self.sm
        changed = False
        for op in walk_function(func):
            register = REGISTERS.get(type(op))
            if register is not None:
                changed |= _attach(op, _values(register, bounds, sm, op))
        return changed


def _values(register: str, bounds: LaunchBounds, sm: int | None, op: Operation) -> ConstantRange:
    width = integer_width(op.results[0].type)
    found = register_range(register, bounds, width)
    if sm is not None and sm < WIDE_GRIDS:
        if register == "nctaid.x":
            return found.intersect(ConstantRange.interval(width, 1, NARROW_GRID))
        if register == "ctaid.x":
            return found.intersect(ConstantRange.interval(width, 0, NARROW_GRID - 1))
    return found


def _attach(op: Operation, found: ConstantRange) -> bool:
    """Narrows the range of a read to `found`; returns whether that changed it.

    An empty stated range is kept, because the program defines its meaning.
    """
    stated = range_attribute(op)
    if stated is not None and stated.width == found.width:
        found = found.intersect(stated)
    if found.is_full or found.is_empty or found == stated:
        return False
    op.properties["range"] = ConstantRangeAttr.get(found.width, found.start, found.upper)
    return True
