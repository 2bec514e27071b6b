"""Unrolling that a loop's annotation requests, and that ptxas performs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import int_value, integer_of, loop_annotation_of
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr, LoopUnrollAttr
from nvvm_xdsl.ir import fast

PTXAS_UNROLL_COUNT: Final = 4
"""Number of iterations that ptxas combines when it unrolls a loop."""


PTXAS_UNROLL_THRESHOLD: Final = 48
"""Maximum number of ops of a loop that ptxas unrolls."""


@dataclass(frozen=True)
class UnrollPragma:
    """The unrolling that the loop's annotation requests: none, full, or a number of copies (0 if
    unstated)."""

    never: bool = False
    full: bool = False
    count: int = 0


def unroll_pragma(loop: Loop) -> UnrollPragma:
    """The unrolling that the annotation at the loop's latches requests."""
    for latch in loop.latches():
        annotation = loop_annotation_of(branches.terminator_of(latch))
        if not isinstance(annotation, LoopAnnotationAttr):
            continue
        found = annotation.unroll
        if not isinstance(found, LoopUnrollAttr):
            continue
        count = int_value(found.count)
        # `unroll.enable` is written as disable = false.
        disable = integer_of(found.disable)
        if disable or count == 1:
            return UnrollPragma(never=True)
        is_enabled = disable == 0 and not count
        return UnrollPragma(full=bool(int_value(found.full)) or is_enabled, count=count)
    return UnrollPragma()


def ptxas_unroll_count(loop: Loop, se: ScalarEvolution) -> int:
    """Number of iterations that ptxas probably combines."""
    if loop.subloops or len(loop.exit_edges()) > 1 or unroll_pragma(loop).never:
        return 1
    if se.backedge_taken_count(loop) is se.could_not_compute:
        return 1
    size = sum(1 for block in loop.blocks for _ in fast.ops_of(block))
    return PTXAS_UNROLL_COUNT if size <= PTXAS_UNROLL_THRESHOLD else 1
