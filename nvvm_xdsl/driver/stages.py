"""Parameters of the stages of a compilation, derived from its options."""

from __future__ import annotations

from nvvm_xdsl.codegen.float_modes import modes_of
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.driver.options import ResolvedOptions
from nvvm_xdsl.pipeline.levels import TargetFacts, default_pipeline, with_target
from nvvm_xdsl.pipeline.machine import machine_pipeline


def pipeline_of(options: ResolvedOptions) -> str:
    """The given pipeline text, else that of the optimization level."""
    facts = TargetFacts(
        Target.parse(options.arch).sm, options.ftz, options.prec_div, options.prec_sqrt
    )
    if options.passes is not None:
        return with_target(options.passes, facts)
    return default_pipeline(options.opt_level, facts, fast_compile=options.fast_compile)


def machine_pipeline_of(options: ResolvedOptions) -> str:
    """The pipeline text of the passes over machine code."""
    if options.machine_passes is not None:
        return options.machine_passes
    return machine_pipeline(options.codegen_level, keep_loops=options.opt_level == 0)


def codegen_options(options: ResolvedOptions) -> CodegenOptions:
    """The options of selection."""
    return CodegenOptions.for_arch(
        options.arch,
        line_info=options.debug != "none",
        debug_info=options.debug == "full",
        jump_table_density=options.jump_table_density,
        **modes_of(options),
    )
