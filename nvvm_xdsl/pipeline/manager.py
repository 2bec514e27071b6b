"""Runs pipelines.

Function passes run one function after the other, all passes of a group on the first function
before the second; loop passes likewise one loop after the other, inner ones first. A pass that
changed nothing on a function, or is idempotent, is not run on it again until the function has
changed: every function has an epoch, which each reported change increments. A pass may be covered
by others, which find everything that it finds. The same applies to module passes, with the changes
of all functions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Protocol, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import Analysis, AnalysisManager
from nvvm_xdsl.analysis.scev.knobs import knobs_from, using_knobs
from nvvm_xdsl.dialects.llvm.accessors import is_direct_call
from nvvm_xdsl.dialects.llvm.symbols import functions_of, walk_function
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.base import LoopPass, NvvmPass, loop_of, loops_innermost_first
from nvvm_xdsl.pipeline.build import (
    AnalysisNode,
    ForeignNode,
    NestNode,
    Node,
    PassNode,
    RepeatNode,
    apply_foreign,
    build_pipeline,
    forms_required_by,
    levels_in,
)
from nvvm_xdsl.pipeline.debug_records import without_debug_ops
from nvvm_xdsl.pipeline.instrumentation import (
    Instruments,
    Watcher,
    ir_text,
    unit_name,
)
from nvvm_xdsl.pipeline.options import PassOptions
from nvvm_xdsl.pipeline.pass_runner import PassRunner, PipelineStopped
from nvvm_xdsl.pipeline.plugins import plugins
from nvvm_xdsl.pipeline.registry import analysis_class

PHASED = frozenset({"nvopt", "default"})
"""Names of pipelines that run in the two-phase model."""


@cache
def _form_node(form: str) -> PassNode:
    """The pass that establishes a form in a function."""
    return PassNode(pass_class(form)())


class _FunctionRunner(Protocol):
    """A pass over functions, of LLVM or of machine code."""

    def run_on_function(self, func: Any, am: AnalysisManager) -> bool:
        """Runs the pass on a function; returns whether it changed."""
        ...


class _WatchedAnalyses(AnalysisManager):
    """Reports analyses as they are computed, for `--debug-pass-manager`."""

    watcher: Watcher

    def get(self, cls: Any, op: Operation) -> Any:
        if self.cached(cls, op) is None:
            self.watcher.say(f"Running analysis: {cls.__name__} on {unit_name(op)}")
        return super().get(cls, op)


_MOST_PIPELINES = 64
_pipelines: dict[Hashable, Sequence[Node]] = {}
"""Cached nodes of pipelines. Nodes have no state, and most compilations run the same few
pipelines."""


def _nodes_of(text: str, options: PassOptions) -> Sequence[Node]:
    """The nodes of pipeline text, reused from an earlier run with the same text and registered
    passes."""
    stated = tuple(options.values.items()), tuple(options.knobs.items())
    key = text, stated, plugins(), tuple(PASSES.items())
    known = _pipelines.get(key)
    if known is None:
        if len(_pipelines) >= _MOST_PIPELINES:
            _pipelines.clear()
        known = _pipelines[key] = build_pipeline(text, options=options)
    return known


class PassManager:
    """Runs a pipeline on modules.

    Arguments:
        pipeline: its text, or nodes created by `build_pipeline`.
        instruments: the instrumentation of the run.
        watcher: prints the results of its own instruments; created from `instruments` if omitted.
        options: the options of `-opt` for passes and analyses.
    """

    nodes: Sequence[Node]
    options: Instruments
    watcher: Watcher
    am: AnalysisManager
    phase: int
    """0 outside of the two-phase model, 1 or 2 within, 3 at its end."""

    def __init__(
        self,
        pipeline: str | Sequence[Node],
        instruments: Instruments | None = None,
        watcher: Watcher | None = None,
        options: PassOptions | None = None,
    ) -> None:
        self.pass_options = options or PassOptions()
        self.nodes = (
            _nodes_of(pipeline, self.pass_options) if isinstance(pipeline, str) else pipeline
        )
        self.watcher = watcher or Watcher(instruments or Instruments())
        self.options = self.watcher.options
        self.am = self._make_analyses()
        self.phase = 0
        self._epochs: dict[Operation, int] = {}
        self._module_epoch = 0
        self._settled: dict[tuple[int | str, Operation | Block], int] = {}
        """By the number or the name of a pass, and a function, loop header or module, the epoch in
        which the pass finds nothing."""
        self._runner = PassRunner(self.watcher, self.am, self.nodes, self.pass_options)
        self._only_phase: int | None = None

    def _make_analyses(self) -> AnalysisManager:
        if self.options.debug_pass_manager:
            watched = _WatchedAnalyses(verify=self.options.verify_each)
            watched.watcher = self.watcher
            return watched
        return AnalysisManager(verify=self.options.verify_each)

    def run(self, module: ModuleOp, *, finish: bool = True, only_phase: int | None = None) -> bool:
        """Runs the pipeline; returns whether a pass reported a change.

        Arguments:
            only_phase: 1 or 2 to run one phase of a pipeline of the two-phase model. If phase 1 is
                requested and the module needs no phases, the whole pipeline runs, and `phase` is 3
                afterwards. Phase 2 may be requested after phase 1 of this or another manager.
            finish: print the tables and write the remarks at the end; with several runs on the same
                watcher the creator of the watcher does this.
        Raises PassFailure if a pass fails, and DiagnosticError if a pass rejects the module.
        """
        self._runner.changes = 0
        self._only_phase = only_phase
        if self.options.crash_reproducer is not None:
            self._runner.first_text = ir_text(module)
        if self.watcher.stopped:
            return False
        try:
            with (
                using_knobs(knobs_from(self.pass_options.knobs)),
                self.watcher.hearing(),
                without_debug_ops(module),
            ):
                self._run_until_stopped(module)
        finally:
            if finish:
                self.watcher.finish()
        return self._runner.changes > 0

    def _run_until_stopped(self, module: ModuleOp) -> None:
        try:
            self._run_nodes(self.nodes, module)
        except PipelineStopped:
            self.watcher.stopped = True

    # Nodes.

    def _run_nodes(self, nodes: Iterable[Node], module: ModuleOp) -> None:
        for node in nodes:
            match node:
                case PassNode() if self._finds_nothing(node, module):
                    pass
                case PassNode():
                    self._run_on_module(node, module)
                case NestNode(level="module", spelling=spelling, children=children):
                    if spelling in PHASED:
                        self._run_phases(children, module)
                    else:
                        self._run_nodes(children, module)
                case NestNode(children=children):
                    for func in self._order(module, node):
                        self._run_on_function_nodes(children, func)
                case RepeatNode(children=children):
                    for _ in _repetitions(node, lambda: functions_of(module)):
                        self._run_nodes(children, module)
                case AnalysisNode():
                    self._analysis(node, module)
                case ForeignNode():
                    self._run_foreign(node, module)

    # The two-phase model.

    def _run_phases(self, nodes: Sequence[Node], module: ModuleOp) -> None:
        """Runs a pipeline twice, each pass in its phases; then sets the phase to 3.

        A module with one function needs no phases: everything runs once.
        """
        only = self._only_phase
        if only != 2:
            if len(list(functions_of(module))) <= 1:
                self._run_nodes(nodes, module)
                self.phase = 3
                return
            self._enter_phase(1, "Phase I")
            self._run_nodes(nodes, module)
        if only != 1:
            self._enter_phase(2, "Phase II")
            for func in list(functions_of(module)):
                self._run_second_phase(nodes, func)
            self.phase = 3

    def _enter_phase(self, phase: int, name: str) -> None:
        self.phase = phase
        if self.options.debug_pass_manager:
            # Observed passes run in this process, one function after the other.
            self.watcher.say(name if phase == 1 else f"{name} Concurrent=No")

    def _run_second_phase(self, nodes: Iterable[Node], func: FuncOp) -> None:
        """Runs the phase-2 passes on one function without reading the bodies of others."""
        for node in nodes:
            match node:
                case NestNode(level="module" | "cgscc", children=children):
                    self._run_second_phase(children, func)
                case NestNode(children=children):
                    self._run_on_function_nodes(children, func)
                case RepeatNode(children=children):
                    for _ in _repetitions(node, lambda: [func]):
                        self._run_second_phase(children, func)
                case AnalysisNode(level="function"):
                    self._analysis(node, func)
                case _:
                    # In phase 1, a module pass may change the whole module.
                    pass

    def _is_out_of_phase(self, instance: NvvmPass) -> bool:
        return self.phase in (1, 2) and self.phase not in instance.phases

    def _order(self, module: ModuleOp, nest: NestNode) -> list[Operation]:
        """The functions that a nested pipeline runs on, in order."""
        functions: list[Operation] = list(functions_of(module))
        if nest.level == "cgscc":
            graph = self.am.get(CallGraph, module)
            functions = [node.func for node in graph.bottom_up(indirect=False)]
        if "machine-function" in levels_in((nest,)):
            from nvvm_xdsl.passes.machine.base import machine_functions

            functions += machine_functions(module)
        return functions

    def _run_on_function_nodes(self, nodes: Iterable[Node], func: Operation) -> None:
        for node in nodes:
            match node:
                case PassNode() if self._finds_nothing(node, func):
                    pass
                case PassNode(instance):
                    # A pass over LLVM functions does not apply to machine functions.
                    if (instance.level == "machine-function") != isinstance(func, FuncOp):
                        if not self._is_out_of_phase(instance):
                            self._establish(instance.requires, func)
                        self._run_on_function(node, func)
                case NestNode(level="loop", children=children):
                    if isinstance(func, FuncOp):
                        self._run_on_loops(children, func)
                case NestNode(children=children):
                    self._run_on_function_nodes(children, func)
                case RepeatNode(children=children):
                    for _ in _repetitions(node, lambda: [func]):
                        self._run_on_function_nodes(children, func)
                case AnalysisNode():
                    self._analysis(node, func)
                case ForeignNode():
                    raise AssertionError("a pass of another package in a function pipeline")

    def _establish(self, forms: Iterable[str], func: Operation) -> None:
        """Establishes the forms that the next passes require."""
        for form in forms:
            self._run_on_function(_form_node(form), func)

    # Loops.

    def _run_on_loops(self, nodes: Sequence[Node], func: FuncOp) -> None:
        """Runs loop passes on the loops of a function: all passes on an inner loop before its
        parent."""
        if not self.am.get(LoopInfo, func).top_level:
            return
        self._establish(forms_required_by(nodes), func)
        if len(nodes) == 1 and isinstance(nodes[0], PassNode):
            instance = nodes[0].instance
            if isinstance(instance, LoopPass) and instance.takes_all_loops:
                self._run_on_function(nodes[0], func)
                return
        for loop in loops_innermost_first(func, self.am):
            self._run_on_loop_nodes(nodes, func, loop.header)

    def _run_on_loop_nodes(self, nodes: Iterable[Node], func: FuncOp, header: Block) -> None:
        for node in nodes:
            match node:
                case PassNode(instance):
                    if loop_of(header, func, self.am) is None:
                        return
                    assert isinstance(instance, LoopPass)
                    self._run_on_function(node, func, header)
                case NestNode(children=children):
                    self._run_on_loop_nodes(children, func, header)
                case RepeatNode(children=children):
                    for _ in _repetitions(node, lambda: [func]):
                        self._run_on_loop_nodes(children, func, header)
                case AnalysisNode():
                    self._analysis(node, func)
                case ForeignNode():
                    raise AssertionError("a pass of another package in a loop pipeline")

    def _analysis(self, node: AnalysisNode, unit: Operation) -> None:
        if node.analysis == "all":
            self.am.clear()
            return
        if node.action == "print":
            from nvvm_xdsl.analysis.printers import print_analysis

            self.watcher.stream.write(print_analysis(node.analysis, unit, self.am))
            return
        cls: type[Analysis] = analysis_class(node.analysis)
        if node.action == "invalidate":
            self.am.drop(cls, unit)
        else:
            self.am.get(cls, unit)

    # Passes.

    def _finds_nothing(self, node: PassNode, unit: Operation) -> bool:
        """Returns whether the IR contains no op that the pass applies to. Always False for observed
        or counted passes.
        """
        if node.need is None or self._runner.watched or self.options.stats:
            return False
        return not node.need.is_met(unit, self.am)

    def _run_on_function(
        self, node: PassNode, func: Operation, header: Block | None = None
    ) -> None:
        """Runs a pass on a function, or a loop pass on the loop with the header."""
        instance = node.instance
        if self._is_out_of_phase(instance):
            return
        key = (node.number, func if header is None else header)
        epoch = self._epochs.get(func, 0) + self._module_epoch
        if self._is_settled(instance, key, epoch) and not self._counts_runs():
            return

        def run() -> bool:
            if header is None:
                return cast(_FunctionRunner, instance).run_on_function(func, self.am)
            loop = loop_of(header, cast(FuncOp, func), self.am)
            assert loop is not None
            return cast(LoopPass, instance).run_on_loop(loop, cast(FuncOp, func), self.am)

        if self._runner.run(instance, func, run, header):
            epoch += 1
            self._epochs[func] = self._epochs.get(func, 0) + 1
            if header is not None or not instance.idempotent:
                return
        self._settled[key] = epoch
        if header is None:
            self._settled[instance.name, func] = epoch

    def _is_settled(
        self, instance: NvvmPass, key: tuple[int, Operation | Block], epoch: int
    ) -> bool:
        """True if the pass, or one that covers it, finds nothing in a function or loop."""
        settled, unit = self._settled, key[1]
        if settled.get(key) == epoch:
            return True
        return any(settled.get((name, unit)) == epoch for name in instance.covered_by)

    def _counts_runs(self) -> bool:
        """Returns True if passes must not be skipped.

        The bisection limit counts runs, and the count must not depend on skipped passes.
        """
        return bool(self.options.stop_before or self.options.stop_after)

    def _run_on_module(self, node: PassNode, module: ModuleOp) -> None:
        instance = node.instance
        if self._is_out_of_phase(instance):
            return
        key = (node.number, module)
        if self._settled.get(key) == self._epoch_of(module) and not self._counts_runs():
            return
        if self._runner.run(instance, module, lambda: instance.run(module, self.am)):
            self._module_epoch += 1
            if not instance.idempotent:
                return
        self._settled[key] = self._epoch_of(module)

    def _epoch_of(self, module: ModuleOp) -> int:
        """The number of changes of the module, or of a function in it."""
        return self._module_epoch + self.am.epoch(module)

    def _run_foreign(self, node: ForeignNode, module: ModuleOp) -> None:
        name = node.instance.name
        started = self.watcher.clock()
        try:
            apply_foreign(node, module)
        except Exception as error:
            raise self._runner.failure(error, name, unit_name(module)) from error
        self.watcher.count_time(name, self.watcher.clock() - started)
        self._runner.changes += 1
        self._module_epoch += 1
        self.am.clear()


def run_pipeline(
    module: ModuleOp,
    pipeline: str | Sequence[Node],
    instruments: Instruments | None = None,
    *,
    watcher: Watcher | None = None,
    options: PassOptions | None = None,
) -> bool:
    """Runs pipeline text on a module; returns whether a pass reported a change.

    Arguments as of `PassManager`. The creator of a given watcher calls its `finish`.
    Raises PipelineError for text that cannot be parsed and PassFailure when a pass fails.
    """
    manager = PassManager(pipeline, instruments, watcher, options)
    return manager.run(module, finish=watcher is None)


def optimize_module(
    module: ModuleOp,
    pipeline: str | Sequence[Node],
    watcher: Watcher,
    options: PassOptions | None = None,
) -> None:
    """Runs the pipeline that optimizes a module; `-opt -dump-nvvmir` shows the result as a remark.

    Arguments and errors as of `run_pipeline`.
    """
    run_pipeline(module, pipeline, watcher=watcher, options=options)
    if options is not None and options.boolean("dump-nvvmir"):
        with watcher.hearing():
            text = f"\n{ir_text(module)}"
            remarks.emit("Analysis", "nvvm-cc", "NVVMIR", "[module]", text, shown=True)


def _repetitions(node: RepeatNode, functions: Callable[[], Iterable[Operation]]) -> Iterator[None]:
    """The runs of `repeat<n>` or `devirt<n>`.

    `devirt<n>` runs once, and up to n more times while indirect calls become direct, as LLVM's
    `DevirtSCCRepeatedPass`.

    Arguments:
        functions: returns the functions that the pipeline runs on.
    """
    if not node.until_stable:
        yield from [None] * node.count
        return
    for _ in range(node.count + 1):
        indirect = _indirect_calls(functions())
        yield
        became = _indirect_calls(functions()) if any(indirect.values()) else {}
        if all(became.get(name, number) >= number for name, number in indirect.items()):
            return


def _indirect_calls(functions: Iterable[Operation]) -> dict[str, int]:
    """The number of indirect calls of each function."""
    return {
        func.sym_name.data: sum(
            1 for op in walk_function(func) if type(op) is CallOp and not is_direct_call(op)
        )
        for func in functions
        if isinstance(func, FuncOp) and CallOp in fast.classes_inside(func)
    }
