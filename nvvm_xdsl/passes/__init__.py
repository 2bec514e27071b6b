"""The passes by name. A new pass is a file and a row of `PASSES`; a second name is a row of
`aliases.ALIASES`.

Passes are imported on demand, because a stock `xdsl-opt` loads this module at every start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from nvvm_xdsl.passes.aliases import ALIASES, alias_class

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from nvvm_xdsl.passes.base import NvvmPass

if __name__ != "nvvm_xdsl.passes":
    from nvvm_xdsl.ir.links import follow_link

    follow_link(__name__, "nvvm_xdsl.passes")

PASSES: dict[str, str] = {
    # inter-procedural
    "always-inline": "ipo.always_inline:AlwaysInline",
    "argpromotion": "ipo.argpromotion:ArgumentPromotion",
    "attributor": "ipo.attributor:Attributor",
    "called-value-propagation": "ipo.called_value_propagation:CalledValuePropagation",
    "constmerge": "ipo.constmerge:ConstantMerge",
    "deadargelim": "ipo.deadargelim:DeadArgumentElimination",
    "function-attrs": "ipo.function_attrs:FunctionAttrs",
    "inline": "ipo.inline:Inline",
    "globaldce": "ipo.globaldce:GlobalDCE",
    "globalopt": "ipo.globalopt:GlobalOpt",
    "internalize": "ipo.internalize:Internalize",
    "mergefunc": "ipo.mergefunc:MergeFunctions",
    "ipsccp": "ipo.ipsccp:IPSCCP",
    "strip": "ipo.strip:StripSymbols",
    "strip-dead-prototypes": "ipo.strip:StripDeadPrototypes",
    "strip-nondebug": "ipo.strip:StripNonDebugSymbols",
    "verify": "ipo.verify:Verify",
    # of loops
    "indvars": "loop.indvars:IndVarSimplify",
    "lcssa": "loop.lcssa:LCSSA",
    "licm": "loop.licm:LICM",
    "loop-deletion": "loop.loop_deletion:LoopDeletion",
    "loop-idiom": "loop.loop_idiom:LoopIdiom",
    "loop-index-split": "loop.loop_index_split:LoopIndexSplit",
    "loop-reduce": "loop.loop_reduce:LoopStrengthReduce",
    "loop-rotate": "loop.loop_rotate:LoopRotate",
    "loop-simplify": "loop.loop_simplify:LoopSimplify",
    "loop-vectorize": "loop.loop_vectorize:LoopVectorize",
    "loop-unroll": "loop.loop_unroll:LoopUnroll",
    "simple-loop-unswitch": "loop.simple_loop_unswitch:SimpleLoopUnswitch",
    # of NVIDIA
    "alloca-hoisting": "nvidia.spaces.alloca_hoisting:AllocaHoisting",
    "basic-dbe": "nvidia.barriers.basic_dbe:BasicDeadBarrierElimination",
    "branch-dist": "nvidia.barriers.branch_dist:BranchDist",
    "convergence-remarks": "nvidia.barriers.convergence_remarks:ConvergenceRemarks",
    "dead-sync-elim": "nvidia.barriers.dead_sync_elim:DeadSyncElim",
    "byval-mem2reg": "nvidia.spaces.byval_mem2reg:ByValMem2Reg",
    "bypass-slow-division": "nvidia.lowering.bypass_slow_division:BypassSlowDivision",
    "check-gep-index": "nvidia.checks.check_gep_index:CheckGepIndex",
    "check-kernel-functions": "nvidia.checks.check_kernel_functions:CheckKernelFunctions",
    "generic-to-nvvm": "nvidia.spaces.generic_to_nvvm:GenericToNVVM",
    "lower-aggr-copies": "nvidia.lowering.lower_aggr_copies:LowerAggrCopies",
    "ipmsp": "nvidia.spaces.ipmsp:IPMSP",
    "cnp-launch-check": "nvidia.checks.cnp_launch_check:CNPLaunchCheck",
    "local-memory-remarks": "nvidia.checks.local_memory_remarks:LocalMemoryRemarks",
    "lower-struct-args": "nvidia.spaces.lower_struct_args:LowerStructArgs",
    "lower-ops": "nvidia.lowering.lower_ops:LowerOps",
    "memory-space-opt": "nvidia.spaces.memory_space_opt:MemorySpaceOpt",
    "normalize-gep": "nvidia.lowering.normalize_gep:NormalizeGep",
    "nv-inline-must": "nvidia.lowering.nv_inline_must:InlineMust",
    "nvvm-annotations": "nvidia.checks.nvvm_annotations:NVVMAnnotations",
    "nvvm-barrier-analysis": "nvidia.barriers.nvvm_barrier_analysis:NVVMBarrierAnalysis",
    "nvvm-generic-addr-opt": "nvidia.spaces.nvvm_generic_addr_opt:NVVMGenericAddrOpt",
    "nvvm-lower-barriers": "nvidia.barriers.nvvm_lower_barriers:NVVMLowerBarriers",
    "print-module": "nvidia.checks.print_module:PrintModule",
    "nvvm-lower-alloca": "nvidia.spaces.nvvm_lower_alloca:NVVMLowerAlloca",
    "nvvm-intr-range": "nvidia.checks.nvvm_intr_range:NVVMIntrRange",
    "nvvm-intrinsic-lowering": "nvidia.lowering.nvvm_intrinsic_lowering:NVVMIntrinsicLowering",
    "nvvm-ir-verification": "nvidia.checks.nvvm_ir_verification:NVVMIRVerification",
    "nvptx-assign-valid-global-names": (
        "nvidia.lowering.nvptx_assign_valid_global_names:NVPTXAssignValidGlobalNames"
    ),
    "nvvm-name-blocks": "nvidia.lowering.nvvm_name_blocks:NameBlocks",
    "nvvm-peephole-optimizer": "nvidia.registers.nvvm_peephole_optimizer:NVVMPeepholeOptimizer",
    "nvvm-predicate-opt": "nvidia.registers.nvvm_predicate_opt:NVVMPredicateOpt",
    "nvvm-pretreat": "nvidia.lowering.nvvm_pretreat:Pretreat",
    "nvvm-reduction": "nvidia.barriers.nvvm_reduction:NVVMReduction",
    "nvvm-reflect": "nvidia.lowering.nvvm_reflect:NVVMReflect",
    "nvvm-reflect-pp": "nvidia.lowering.nvvm_reflect_pp:SimplifyConstantConditionals",
    "nvvm-unreachable-block-elim": "nvidia.lowering.nvvm_unreachable_block_elim:UnreachableBlockElim",
    "nvvm-warp-shuffle": "nvidia.barriers.nvvm_warp_shuffle:NVVMWarpShuffle",
    "nvvm-verify": "nvidia.checks.nvvm_verify:NVVMIRVerifier",
    "printf-lowering": "nvidia.lowering.printf_lowering:PrintfLowering",
    "process-restrict": "nvidia.spaces.process_restrict:ProcessRestrict",
    "propagate-alignment": "nvidia.spaces.propagate_alignment:PropagateAlignment",
    "relax-cuda-atomics": "nvidia.lowering.relax_cuda_atomics:RelaxCudaAtomics",
    "remat": "nvidia.registers.remat:Rematerialization",
    "common-base-elim": "nvidia.lowering.common_base_elim:CommonBaseElimination",
    "scev-cgp": "nvidia.lowering.scev_cgp:ScevCodeGenPrepare",
    "select-kernels": "nvidia.lowering.select_kernels:SelectKernels",
    "soften-fp128": "nvidia.lowering.soften_fp128:SoftenFP128",
    "sinking2": "nvidia.registers.sinking2:Sinking2",
    "set-global-array-alignment": (
        "nvidia.spaces.set_global_array_alignment:SetGlobalArrayAlignment"
    ),
    "reuse-local-memory": "nvidia.spaces.reuse_local_memory:ReuseLocalMemory",
    "set-local-array-alignment": "nvidia.spaces.set_local_array_alignment:SetLocalArrayAlignment",
    # scalar
    "adce": "scalar.adce:ADCE",
    "aggressive-instcombine": "scalar.aggressive_instcombine:AggressiveInstCombine",
    "bdce": "scalar.bdce:BDCE",
    "break-crit-edges": "scalar.break_crit_edges:BreakCriticalEdges",
    "correlated-propagation": "scalar.correlated_propagation:CorrelatedPropagation",
    "dce": "scalar.dce:DCE",
    "div-rem-pairs": "scalar.div_rem_pairs:DivRemPairs",
    "dse": "scalar.dse:DSE",
    "early-cse": "scalar.early_cse:EarlyCSE",
    "gvn": "scalar.gvn:GVN",
    "gvn-hoist": "scalar.gvn_hoist:GVNHoist",
    "infer-address-spaces": "scalar.infer_address_spaces:InferAddressSpaces",
    "instcombine": "scalar.instcombine:InstCombine",
    "instsimplify": "scalar.instsimplify:InstSimplify",
    "dfa-jump-threading": "scalar.dfa_jump_threading:DFAJumpThreading",
    "jump-threading": "scalar.jump_threading:JumpThreading",
    "load-store-vectorizer": "scalar.load_store_vectorizer:LoadStoreVectorizer",
    "packed-bytes": "scalar.packed_bytes:PackedBytes",
    "mem2reg": "scalar.mem2reg:Mem2Reg",
    "memcpyopt": "scalar.memcpyopt:MemCpyOpt",
    "tailcallelim": "scalar.tailcallelim:TailCallElim",
    "reassociate": "scalar.reassociate:Reassociate",
    "sccp": "scalar.sccp:SCCP",
    "separate-const-offset-from-gep": (
        "scalar.separate_const_offset_from_gep:SeparateConstOffsetFromGEP"
    ),
    "scalarizer": "scalar.scalarizer:Scalarizer",
    "d2ir-scalarizer": "scalar.scalarizer:D2IRScalarizer",
    "sink": "scalar.sink:Sink",
    "slp-vectorizer": "scalar.slp_vectorizer:SLPVectorizer",
    "slsr": "scalar.slsr:StraightLineStrengthReduce",
    "speculative-execution": "scalar.speculative_execution:SpeculativeExecution",
    "simplifycfg": "scalar.simplifycfg:SimplifyCFG",
    "sroa": "scalar.sroa:SROA",
    # of machine code
    "dead-mi-elimination": "machine.dead_mi_elimination:DeadMachineInstructionElim",
    "early-tailduplication": "machine.early_tailduplication:EarlyTailDuplication",
    "early-ifcvt": "machine.early_ifcvt:EarlyIfConverter",
    "early-machinelicm": "machine.early_machinelicm:EarlyMachineLICM",
    "extra-machineinstr-printer": ("machine.extra_machineinstr_printer:ExtraMachineInstrPrinter"),
    "ldgxform": "machine.ldgxform:LDGXform",
    "machine-cp": "machine.machine_cp:MachineCopyPropagation",
    "machine-cse": "machine.machine_cse:MachineCSE",
    "machine-scheduler": "machine.machine_scheduler:MachineScheduler",
    "machine-sink": "machine.machine_sink:MachineSinking",
    "nvptx-load-store-vectorizer": ("machine.nvptx_load_store_vectorizer:NVPTXLoadStoreVectorizer"),
    "nvptx-loop-condition": "machine.nvptx_loop_condition:NVPTXLoopCondition",
    "nvptx-shared-pointers": "machine.nvptx_shared_pointers:NVPTXSharedPointers",
    "nvptx-mem2reg": "machine.nvptx_mem2reg:NVPTXMem2Reg",
    "nvptx-peephole": "machine.nvptx_peephole:NVPTXPeephole",
    "nvptx-remat-block": "machine.nvptx_remat_block:NVPTXRematBlock",
    "nvptx-ssa-construction": "machine.nvptx_ssa_construction:NVPTXSSAConstruction",
    "nvptx-phi-elimination": "machine.nvptx_phi_elimination:NVPTXPhiElimination",
    "structurize-cfg": "machine.structurize_cfg:StructurizeCFG",
    "block-placement": "machine.block_placement:MachineBlockPlacement",
    "branch-folder": "machine.branch_folder:BranchFolder",
    "opt-phis": "machine.opt_phis:OptimizePHIs",
    "stack-coloring": "machine.stack_coloring:StackColoring",
}
"""Pipeline name to `module:Class` under this package."""

PASSES.update({name: PASSES[alias.target] for name, alias in ALIASES.items()})


@cache
def pass_class(name: str) -> type[NvvmPass]:
    """The class of a pass. Raises KeyError for a name that is not in `PASSES`."""
    if name in _plugin_classes:
        return _plugin_classes[name]
    module, _, cls = PASSES[name].partition(":")
    found = getattr(import_module(f"{__name__}.{module}"), cls)
    return alias_class(name, found) if name in ALIASES else found


_plugin_classes: dict[str, type[NvvmPass]] = {}


def register_pass(cls: type[NvvmPass]) -> None:
    """Registers a pass of a plug-in by its name. Raises ValueError if the name is already used."""
    taken = _plugin_classes.get(cls.name)
    if cls.name in PASSES and taken is not cls:
        raise ValueError(f"the pass name '{cls.name}' is taken")
    _plugin_classes[cls.name] = cls
    PASSES[cls.name] = f"{cls.__module__}:{cls.__qualname__}"


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """A factory of each pass class by name, as xDSL's `Universe.all_passes` requires."""

    def factory(name: str) -> Callable[[], type[ModulePass]]:
        return lambda: pass_class(name)

    return {name: factory(name) for name in PASSES}
