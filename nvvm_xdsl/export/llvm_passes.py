"""`llvm<"default<O3>">`: LLVM's own passes in the middle of a pipeline.

The module is written as LLVM IR, LLVM runs in this process through llvmlite, and the result is read
again. No level runs this pass: it serves comparisons with LLVM's passes, and hand-written
pipelines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.passes import ModulePass

from nvvm_xdsl.dialects.llvm.data_layout import NVPTX64_TRIPLE
from nvvm_xdsl.dialects.llvm.function_attributes import string_attribute
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.dialects.llvm.modules import take_contents
from nvvm_xdsl.export.bitcode import llvmlite_binding, parse_with_llvm
from nvvm_xdsl.export.module import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean

DEFAULT_CPU: Final = "sm_90"
"""The target of LLVM's cost model if no function states one."""

_LEVEL: Final = re.compile(r"default<O([0-3])>")

METHODS: Final = {
    "adce": "add_aggressive_dce_pass",
    "aggressive-instcombine": "add_aggressive_instcombine_pass",
    "always-inline": "add_always_inliner_pass",
    "argpromotion": "add_argument_promotion_pass",
    "break-crit-edges": "add_break_critical_edges_pass",
    "constmerge": "add_constant_merge_pass",
    "dce": "add_dead_code_elimination_pass",
    "deadargelim": "add_dead_arg_elimination_pass",
    "dse": "add_dead_store_elimination_pass",
    "function-attrs": "add_post_order_function_attributes_pass",
    "globaldce": "add_global_dead_code_eliminate_pass",
    "globalopt": "add_global_opt_pass",
    "instcombine": "add_instruction_combine_pass",
    "ipsccp": "add_ipsccp_pass",
    "jump-threading": "add_jump_threading_pass",
    "lcssa": "add_lcssa_pass",
    "loop-deletion": "add_loop_deletion_pass",
    "loop-reduce": "add_loop_strength_reduce_pass",
    "loop-rotate": "add_loop_rotate_pass",
    "loop-simplify": "add_loop_simplify_pass",
    "loop-unroll": "add_loop_unroll_pass",
    "memcpyopt": "add_mem_copy_opt_pass",
    "mergefunc": "add_merge_functions_pass",
    "newgvn": "add_new_gvn_pass",
    "reassociate": "add_reassociate_pass",
    "reg2mem": "add_register_to_memory_pass",
    "sccp": "add_sccp_pass",
    "simplifycfg": "add_simplify_cfg_pass",
    "sink": "add_sinking_pass",
    "sroa": "add_sroa_pass",
    "tailcallelim": "add_tail_call_elimination_pass",
}
"""LLVM's passes that llvmlite supports: its method by the name in `opt -passes=`."""


@dataclass(frozen=True)
class LLVMPasses(ModulePass):
    """Runs LLVM's passes on the module.

    Arguments:
        passes: `default<O0>` to `default<O3>`, and names of `METHODS`, in order.
        cpu: the target of LLVM's cost model; by default that of the first function that states one.
    Raises DiagnosticError for names that llvmlite does not support, if it is not installed, and if
    its LLVM rejects the module.
    """

    name = "llvm"

    passes: tuple[str, ...] = ("default<O3>",)
    cpu: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Writes the module, runs the passes and reads the result."""
        steps = [_step(text.strip()) for text in self.passes]
        llvm = llvmlite_binding()
        text = write_ll(op, for_nvptx=True)
        module: Any = parse_with_llvm(text)
        machine = _machine(llvm, self.cpu or _cpu_of(op))
        for level, methods in steps:
            options = llvm.create_pipeline_tuning_options(speed_level=level or 0)
            builder = llvm.create_pass_builder(machine, options)
            if level is None:
                manager = llvm.create_new_module_pass_manager()
                for method in methods:
                    getattr(manager, method)()
            else:
                manager = builder.getModulePassManager()
            manager.run(module, builder)
        made = read_ll(str(module), "<LLVM's passes>")
        intern_types(made)
        take_contents(op, made)


def _step(text: str) -> tuple[int | None, tuple[str, ...]]:
    """A level, or the method of a pass."""
    level = _LEVEL.fullmatch(text)
    if level is not None:
        return int(level[1]), ()
    method = METHODS.get(text)
    if method is None:
        known = [*METHODS, *(f"default<O{n}>" for n in range(4))]
        raise DiagnosticError(
            f"llvmlite does not offer the pass '{text}'{did_you_mean(text, known)}"
        )
    return None, (method,)


def _cpu_of(module: ModuleOp) -> str:
    for op in fast.ops_of(module.body.block):
        stated = string_attribute(op, "target-cpu") if isinstance(op, FuncOp) else None
        if stated:
            return stated
    return DEFAULT_CPU


def _machine(llvm: Any, cpu: str) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(NVPTX64_TRIPLE)
    except RuntimeError:
        raise DiagnosticError("the LLVM of llvmlite has no NVPTX target") from None
    return target.create_target_machine(cpu=cpu, opt=3)
