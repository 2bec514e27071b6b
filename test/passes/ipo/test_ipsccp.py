"""`ipsccp`: analyses of changed functions."""

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.memory_ssa import MemorySSA
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.ipo.ipsccp import IPSCCP


def test_a_caller_changes_with_the_memory_effects_of_its_call():
    """Nothing else changes in the caller, but the call writes other memory than before."""
    module = read_ll(
        """
target triple = "nvptx64-nvidia-cuda"
@variable = internal global i32 0
define internal void @write(ptr %p) memory(argmem: write) {
  store i32 1, ptr %p
  ret void
}
define void @caller() {
  call void @write(ptr @variable) memory(argmem: write)
  ret void
}
define void @other() {
  ret void
}
""",
        "effects.ll",
    )
    am = AnalysisManager()
    _, caller, other = functions_of(module)
    for func in (caller, other):
        am.get(MemorySSA, func)
    assert IPSCCP().run(module, am)
    assert am.cached(MemorySSA, caller) is None
    assert am.cached(MemorySSA, other) is not None
