"""Execution counts of the optimized ops of modules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from dev.foreign.launches import found_launches
from dev.foreign.runs import TARGET
from dev.made_up_launches import launched_kernels
from dev.superopt.windows import Shape, windows_of
from nvvm_xdsl.analysis.branch_probability import BlockFrequency
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.behaviour import ALL_CHECKS
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher
from nvvm_xdsl.simulator import SimulationError, prepare

OPTIONS = CompileOptions("sm_90", opt_level=3, rdc=True, relaxed_atomics=True)


def windows_in(path: Path, *, static: bool) -> dict[Shape, float]:
    """The windows of a module after the passes of -O3, with the runs of each as a share of the runs
    of all ops.

    Arguments:
        path: LLVM IR.
        static: whether to estimate the runs instead of running the kernels.
    Raises DiagnosticError for IR that cannot be compiled.
    """
    text = TARGET.sub("", path.read_text())
    launches = [] if static else launches_of(parse(text, format="ll"))
    found: dict[Shape, float] = {}

    def at_stage(name: str, module: ModuleOp) -> None:
        if name == "optimized":
            runs = estimated(module) if static else counted(module, launches)
            total = sum(runs.values())
            for func in module.walk():
                if isinstance(func, FuncOp) and func.body.blocks:
                    for shape, count in windows_of(func, runs):
                        found[shape] = found.get(shape, 0.0) + count / total

    watcher = Watcher(Instruments(), at_stage=at_stage)
    compile_modules([parse(text, format="ll")], OPTIONS, watcher=watcher)
    return found


def launches_of(module: ModuleOp) -> list[Launch]:
    """Launches of the module's kernels that succeed."""
    try:
        program = prepare(module, ALL_CHECKS)
    except SimulationError:
        return []
    kernels = launched_kernels(module)
    return [t.launch for f in kernels for t in found_launches(module, f, program)[0]]


def counted(module: ModuleOp, launches: list[Launch]) -> Mapping[Operation, float]:
    """The number of executions of each op by a warp."""
    program = prepare(module, (), None, counting=True)
    total: Counter[Operation] = Counter()
    for launch in launches:
        profile = run(program, launch).profile
        assert profile is not None
        for op, executed in profile.op_runs().items():
            total[op] += executed.warps
    return total


def estimated(module: ModuleOp) -> Mapping[Operation, float]:
    """The estimated number of executions of each op in one call of its function."""
    am = AnalysisManager()
    found: dict[Operation, float] = {}
    for func in module.walk():
        if isinstance(func, FuncOp) and func.body.blocks:
            frequency = am.get(BlockFrequency, func)
            for block, runs in zip(frequency.cfg.blocks, frequency.frequencies):
                for op in fast.ops_of(block):
                    found[op] = runs
    return found
