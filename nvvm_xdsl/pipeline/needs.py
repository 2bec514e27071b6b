"""The kinds of ops that passes work on: a pass is neither imported nor run on units without them.

`NEEDS` maps the name of a pass to these kinds and to the pass's level, so that pipelines can be
built without importing the pass. A pass that is not listed always runs.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.names_inside import NamesInside
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes import pass_class

LOOPS = "loops"


@dataclass(frozen=True)
class Need:
    """The kinds of ops that a pass works on.

    Arguments:
        level: the level of the pass.
        names: names of ops and of attributes of arguments, or `LOOPS`. The pass has no effect on a
            unit that contains none of these.
    """

    level: str
    names: frozenset[str]

    def is_met(self, unit: Operation, am: AnalysisManager) -> bool:
        """True if a module or function contains something that the pass works on."""
        if isinstance(unit, ModuleOp):
            at_top = {op.name for op in fast.ops_of(unit.body.block)}
            return not self.names.isdisjoint(at_top) or any(
                self.is_met(func, am) for func in functions_of(unit)
            )
        if not isinstance(unit, FuncOp):
            return True
        if LOOPS in self.names:
            return bool(am.get(LoopInfo, unit).top_level)
        return not self.names.isdisjoint(am.get(NamesInside, unit).names)


_ROWS = """\
loop     | loops                                       | indvars licm loop-deletion loop-idiom loop-index-split
loop     | loops                                       | loop-reduce loop-rotate simple-loop-unswitch
function | loops                                       | lcssa loop-simplify loop-unroll loop-vectorize
function | llvm.alloca                                 | alloca-hoisting mem2reg reuse-local-memory set-local-array-alignment sroa
function | llvm.byval                                  | byval-mem2reg lower-struct-args
function | llvm.call                                   | tailcallelim
function | llvm.intr.memcpy llvm.intr.memmove llvm.intr.memset | memcpyopt
function | llvm.mlir.addressof                         | nvvm-warp-shuffle
function | nvvm.barrier0                               | branch-dist dead-sync-elim
function | nvvm.barrier0 nvvm.barrier llvm.call_intrinsic | nvvm-barrier-analysis
function | nvvm.barrier0 nvvm.barrier llvm.call_intrinsic nvvm.bar.warp.sync | nvvm-lower-barriers
function | llvm.call_intrinsic nvvm.barrier nvvm.prmt nvvm.shfl.sync | nvvm-intrinsic-lowering
function | nvvm.shfl.sync                              | nvvm-reduction
function | llvm.sdiv llvm.udiv llvm.srem llvm.urem     | bypass-slow-division div-rem-pairs
module   | llvm.call                                   | always-inline called-value-propagation cnp-launch-check
module   | llvm.call                                   | inline printf-lowering
module   | llvm.call llvm.call_intrinsic               | nvvm-reflect
module   | llvm.mlir.global                            | constmerge generic-to-nvvm set-global-array-alignment
"""


def _needs() -> dict[str, Need]:
    found: dict[str, Need] = {}
    for line in _ROWS.splitlines():
        level, names, passes = line.split("|")
        need = Need(level.strip(), frozenset(names.split()))
        found.update((name, need) for name in passes.split())
    return found


NEEDS = _needs()


def level_of(name: str) -> str:
    """The level of a pass. Raises KeyError for a name that is not in `PASSES`."""
    need = NEEDS.get(name)
    return pass_class(name).level if need is None else need.level
