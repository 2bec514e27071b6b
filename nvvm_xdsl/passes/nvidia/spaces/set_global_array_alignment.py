"""`set-global-array-alignment`: aligns module variables for vector accesses.

    llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>

becomes

    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : ...

Arrays, structs and vectors get the alignment of the widest accesses that they divide into, at most
16 bytes. `skip-shared-mem` and `skip-global-mem` exclude the variables of that memory; variables of
the generic space count as global memory.

Declarations of arrays in shared memory without a size, which are the start of dynamic shared
memory, get 16 bytes in a whole program (`whole-program-visibility`), as from nvcc without `-rdc`.
The declarations of other modules may have lower alignments.

A variable defined, or possibly replaced, by another module keeps its alignment. So does a variable
with a section, because its distance from its neighbours may matter (LLVM,
`GlobalObject::canIncreaseAlignment`).

000 LLVM Optimizer ("NVIDIA Custom Passes") lists the pass.

Benefit: members of structs in dynamic shared memory are accessed together. Without the alignment of
dynamic shared memory the pass changes no kernel's machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import GlobalOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import global_space, global_type_of, stated_alignment
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.symbols import STRONG_LINKAGE, is_declaration, linkage_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, SHARED
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.spaces.array_alignment import (
    VECTOR_BYTES,
    array_alignment,
    is_array,
    raise_alignment,
)


@dataclass(frozen=True)
class SetGlobalArrayAlignment(NvvmPass):
    """Aligns arrays in shared and global memory."""

    name = "set-global-array-alignment"
    title = "SetGlobalArrayAlignment"
    tokens: ClassVar = {
        "modify-shared-mem": ("modify_shared_mem", True),
        "skip-shared-mem": ("modify_shared_mem", False),
        "modify-global-mem": ("modify_global_mem", True),
        "skip-global-mem": ("modify_global_mem", False),
    }

    modify_shared_mem: bool = True
    """Whether variables in shared memory are aligned."""

    modify_global_mem: bool = True
    """Whether variables in global memory are aligned."""

    whole_program_visibility: bool = False
    """Whether the module is the whole program, so that no other declares dynamic shared memory."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        spaces: set[int] = set()
        if self.modify_shared_mem:
            spaces.add(SHARED)
        if self.modify_global_mem:
            spaces |= {GENERIC, GLOBAL}
        layout = DataLayout.of(module)
        body = module.regions[0].first_block
        changed = False
        for op in fast.ops_of(body) if body is not None else ():
            if not isinstance(op, GlobalOp):
                continue
            type_, space = global_type_of(op), global_space(op)
            if space not in spaces or not is_array(type_):
                continue
            try:
                have, size = stated_alignment(op) or layout.alignment(type_), layout.size(type_)
                if _may_be_aligned(op):
                    changed |= raise_alignment(op, have, array_alignment(size))
                elif self.whole_program_visibility and space == SHARED and not size:
                    changed |= is_declaration(op) and raise_alignment(op, have, VECTOR_BYTES)
            except UnsizedTypeError:
                continue
        return changed


def _may_be_aligned(op: GlobalOp) -> bool:
    """Returns True if the definition is final and has no stated location."""
    linkage = linkage_of(op)
    if linkage not in STRONG_LINKAGE or "section" in op.properties:
        return False
    has_value = "value" in op.properties or op.regions[0].first_block is not None
    return has_value or linkage != "external"
