"""Peephole optimization of machine code: replaces short sequences by one instruction or none.

    %g = nvptx.cvta local.u64 @depot
    %v = nvptx.ld b32 [%g + 4]          ->      %v = nvptx.ld local.b32 [@depot + 4]

The pass simplifies sequences that address conversion, legalization and selection create, in SSA
form. The patterns are those of the document (redundant `cvta`, predicates, moves, masks of narrow
registers) and some that ptxas does not perform: folding of offsets into addresses, extraction of
whole bytes, insertion of bits, sign extension by shifts. Others choose the form for which ptxas emits
fewest instructions: 64-bit sums with extended terms, conditional steps, comparisons of 64-bit
integers with constants, tests of masks, clamps, and rotations of 32 bits in 64. A multiplication and
an addition are not merged, because ptxas computes addresses better from `mul.wide.s32` and `add.s64`
than from `mad.wide.s32`.

Knob: enable-nvvm-peephole, default true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir.driver import RewriteDriver
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.passes.machine.peephole_addresses import ADDRESS_PATTERNS
from nvvm_xdsl.passes.machine.peephole_bits import BIT_PATTERNS
from nvvm_xdsl.passes.machine.peephole_predicates import PREDICATE_PATTERNS
from nvvm_xdsl.passes.machine.peephole_wide import WIDE_PATTERNS

PATTERNS = (*ADDRESS_PATTERNS, *BIT_PATTERNS, *PREDICATE_PATTERNS, *WIDE_PATTERNS)

_KEEPS_USES: Final = frozenset({"ConditionalStep", *(type(p).__name__ for p in WIDE_PATTERNS)})
"""Patterns after which no value has the single use that a pattern requires unless it had it before."""


@dataclass(frozen=True)
class NVPTXPeephole(MachineFunctionPass):
    """Applies the peephole patterns until none matches."""

    name = "nvptx-peephole"
    title: ClassVar[str] = "NVPTXPeephole"

    enable_nvvm_peephole: bool = True
    """Enables the pass."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not self.enable_nvvm_peephole:
            return False
        driver = RewriteDriver(PATTERNS, is_pure=_is_pure)
        changed = False
        # A value that lost a use may now have the single use that a pattern requires.
        while driver.rewrite(func):
            changed = True
            if driver.hits.keys() <= _KEEPS_USES:
                break
            driver.hits.clear()
        return changed


def _is_pure(op: Operation) -> bool:
    """Returns True if an op without uses may be erased; ops that write shared registers may not."""
    return bool(flags_of(op) & PURE) and all(
        register_class(result).number is None for result in op.results
    )
