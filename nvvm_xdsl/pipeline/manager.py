"""Runs pipelines.

Function passes run one function after the other, all passes of a group on the first function
before the second. A pass that changed nothing on a function is not run on it again until the
function has changed: every function has an epoch, which each reported change moves on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import Analysis, AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.remarks import listening, reset_statistics
from nvvm_xdsl.ir.verifier import verify_function, verify_module
from nvvm_xdsl.passes.base import FunctionPass, NvvmPass, functions_of
from nvvm_xdsl.pipeline.build import (
    AnalysisNode,
    ForeignNode,
    NestNode,
    Node,
    PassNode,
    RepeatNode,
    apply_foreign,
    build_pipeline,
    print_nodes,
)
from nvvm_xdsl.pipeline.instrumentation import (
    Instruments,
    Watcher,
    ir_text,
    reproducer_text,
    unit_name,
)
from nvvm_xdsl.pipeline.registry import analysis_class

PHASED = frozenset({"nvopt", "default"})
"""Pipelines that run by the two-phase model."""


class PassFailure(DiagnosticError):
    """A pass that failed, or left IR behind that does not verify.

    The message names the pass, what it ran on, and the reproducer where one was written.
    """


class _Stop(Exception):
    """The pipeline has come to where `--stop-before` or `--stop-after` ends it."""


class _WatchedAnalyses(AnalysisManager):
    """Says which analyses are built, for `--debug-pass-manager`."""

    watcher: Watcher

    def get(self, cls: Any, op: Operation) -> Any:
        if self.cached(cls, op) is None:
            self.watcher.say(f"Running analysis: {cls.__name__} on {unit_name(op)}")
        return super().get(cls, op)


class PassManager:
    """Runs a pipeline on modules.

    Arguments:
        pipeline: its text, or nodes that `build_pipeline` made.
        instruments: what to watch.
        watcher: where to print it; made from the instruments when left out.
    """

    nodes: Sequence[Node]
    options: Instruments
    watcher: Watcher
    am: AnalysisManager
    phase: int
    """0 outside of the two-phase model, 1 or 2 within, 3 when it is done."""

    def __init__(
        self,
        pipeline: str | Sequence[Node],
        instruments: Instruments | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        self.nodes = build_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
        self.options = instruments or Instruments()
        self.watcher = watcher or Watcher(self.options)
        self.am = self._make_analyses()
        self.phase = 0
        self._numbers: dict[int, int] = {}
        self._by_pass: dict[NvvmPass, int] = {}
        self._epochs: dict[FuncOp, int] = {}
        self._module_epoch = 0
        self._settled: dict[tuple[int, FuncOp], int] = {}
        self._watched = self._is_watched()
        self._changes = 0
        self._first_text = ""

    def _make_analyses(self) -> AnalysisManager:
        if self.options.debug_pass_manager:
            watched = _WatchedAnalyses(verify=self.options.verify_each)
            watched.watcher = self.watcher
            return watched
        return AnalysisManager(verify=self.options.verify_each)

    def _is_watched(self) -> bool:
        options = self.options
        return (
            options.watches_ir
            or options.time_passes
            or options.verify_each
            or options.debug_pass_manager
            or options.opt_bisect_limit is not None
            or bool(options.stop_before or options.stop_after)
        )

    def run(self, module: ModuleOp) -> bool:
        """Runs the pipeline; returns whether a pass reported a change.

        Raises PassFailure when a pass fails, and DiagnosticError for what a pass refuses.
        """
        self._changes = 0
        if self.options.crash_reproducer is not None:
            self._first_text = ir_text(module)
        if self.options.stats:
            reset_statistics()
        try:
            if self.options.remarks is not None:
                with listening(self.watcher.remarks.append):
                    self._run_nodes(self.nodes, module)
            else:
                self._run_nodes(self.nodes, module)
        except _Stop:
            pass
        finally:
            self.watcher.finish()
        return self._changes > 0

    # Nodes.

    def _run_nodes(self, nodes: Iterable[Node], module: ModuleOp) -> None:
        for node in nodes:
            match node:
                case PassNode(instance):
                    self._run_on_module(instance, module)
                case NestNode(level="module", spelling=spelling, children=children):
                    if spelling in PHASED:
                        self._run_phases(children, module)
                    else:
                        self._run_nodes(children, module)
                case NestNode(level=level, children=children):
                    for func in self._order(module, level):
                        self._run_on_function_nodes(children, func)
                case RepeatNode(count, children, until_stable):
                    for _ in range(count):
                        before = self._changes
                        self._run_nodes(children, module)
                        if until_stable and self._changes == before:
                            break
                case AnalysisNode():
                    self._analysis(node, module)
                case ForeignNode():
                    self._run_foreign(node, module)

    # The two-phase model.

    def _run_phases(self, nodes: Sequence[Node], module: ModuleOp) -> None:
        """Runs a pipeline twice, each pass in the phases that it states; then the phase is 3.

        A module with one function needs no phases: everything runs once.
        """
        if len(list(functions_of(module))) <= 1:
            self._run_nodes(nodes, module)
        else:
            self.phase = 1
            self._run_nodes(nodes, module)
            self.phase = 2
            for func in list(functions_of(module)):
                self._run_second_phase(nodes, func)
        self.phase = 3

    def _run_second_phase(self, nodes: Iterable[Node], func: FuncOp) -> None:
        """Runs what states phase 2 on one function; no other function's body is looked at."""
        for node in nodes:
            match node:
                case NestNode(level="module" | "cgscc", children=children):
                    self._run_second_phase(children, func)
                case NestNode(children=children):
                    self._run_on_function_nodes(children, func)
                case RepeatNode(count, children, until_stable):
                    for _ in range(count):
                        before = self._changes
                        self._run_second_phase(children, func)
                        if until_stable and self._changes == before:
                            break
                case AnalysisNode(level="function"):
                    self._analysis(node, func)
                case _:
                    # A module pass has the whole module to itself in phase 1.
                    pass

    def _is_out_of_phase(self, instance: NvvmPass) -> bool:
        return self.phase in (1, 2) and self.phase not in instance.phases

    def _order(self, module: ModuleOp, level: str) -> list[FuncOp]:
        functions = list(functions_of(module))
        if level != "cgscc":
            return functions
        from nvvm_xdsl.passes.ipo.always_inline import bottom_up
        from nvvm_xdsl.passes.utils.symbols import symbol_name

        return bottom_up({symbol_name(f) or "": f for f in functions})[0]

    def _run_on_function_nodes(self, nodes: Iterable[Node], func: FuncOp) -> None:
        for node in nodes:
            match node:
                case PassNode(instance):
                    assert isinstance(instance, FunctionPass)
                    self._run_on_function(node, instance, func)
                case NestNode(children=children):
                    self._run_on_function_nodes(children, func)
                case RepeatNode(count, children, until_stable):
                    for _ in range(count):
                        before = self._changes
                        self._run_on_function_nodes(children, func)
                        if until_stable and self._changes == before:
                            break
                case AnalysisNode():
                    self._analysis(node, func)
                case ForeignNode():
                    raise AssertionError("a pass of another package in a function pipeline")

    def _analysis(self, node: AnalysisNode, unit: ModuleOp | FuncOp) -> None:
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

    def _number(self, node: PassNode, instance: NvvmPass) -> int:
        number = self._numbers.get(id(node))
        if number is None:
            number = self._by_pass.setdefault(instance, len(self._by_pass))
            self._numbers[id(node)] = number
        return number

    def _run_on_function(self, node: PassNode, instance: FunctionPass, func: FuncOp) -> None:
        if self._is_out_of_phase(instance):
            return
        key = (self._number(node, instance), func)
        epoch = self._epochs.get(func, 0) + self._module_epoch
        if self._settled.get(key) == epoch and not self._watched_start(instance, func):
            return
        if not self._watched:
            try:
                changed = instance.run_on_function(func, self.am)
            except Exception as error:
                raise self._failure(error, instance.name, func) from error
        else:
            changed = self._watch(instance, func)
        if changed:
            self._changes += 1
            self._epochs[func] = self._epochs.get(func, 0) + 1
            self.am.invalidate(func, instance.preserved())
        else:
            self._settled[key] = epoch

    def _watched_start(self, instance: FunctionPass, func: FuncOp) -> bool:
        """Whether a pass that would find nothing new is to be run all the same.

        Bisection and stopping count runs, which must not depend on what was left out.
        """
        return bool(self.options.stop_before or self.options.stop_after)

    def _run_on_module(self, instance: NvvmPass, module: ModuleOp) -> None:
        if self._is_out_of_phase(instance):
            return
        if not self._watched:
            try:
                changed = instance.run(module, self.am)
            except Exception as error:
                raise self._failure(error, instance.name, module) from error
        else:
            changed = self._watch(instance, module)
        if changed:
            self._changes += 1
            self._module_epoch += 1
            self.am.invalidate(module, instance.preserved())

    def _run_foreign(self, node: ForeignNode, module: ModuleOp) -> None:
        name = node.instance.name
        started = self.watcher.clock()
        try:
            apply_foreign(node, module)
        except Exception as error:
            raise self._failure(error, name, module) from error
        self.watcher.count_time(name, self.watcher.clock() - started)
        self._changes += 1
        self._module_epoch += 1
        self.am.clear()

    def _watch(self, instance: NvvmPass, unit: ModuleOp | FuncOp) -> bool:
        """Runs a pass with everything around it that was asked for."""
        watcher, options, name = self.watcher, self.options, instance.name
        watcher.starts[name] = watcher.starts.get(name, 0) + 1
        if options.stop_before and watcher.stops_at(name, options.stop_before):
            raise _Stop
        if not watcher.should_run(name, unit):
            return False
        text = watcher.before(name, unit)
        started = time.perf_counter()
        try:
            if isinstance(unit, FuncOp):
                assert isinstance(instance, FunctionPass)
                changed = instance.run_on_function(unit, self.am)
            else:
                changed = instance.run(unit, self.am)
        except Exception as error:
            raise self._failure(error, name, unit) from error
        watcher.count_time(name, time.perf_counter() - started)
        watcher.after(name, unit, changed, text)
        if options.verify_each:
            self._verify(instance, unit, changed)
        if options.stop_after and watcher.stops_at(name, options.stop_after):
            self._changes += changed
            raise _Stop
        return changed

    def _verify(self, instance: NvvmPass, unit: ModuleOp | FuncOp, changed: bool) -> None:
        preserved = instance.preserved() if changed else PreservedAnalyses.all()
        if changed:
            self.am.invalidate(unit, preserved)
        try:
            unit.verify()
            if isinstance(unit, FuncOp):
                verify_function(unit, links=True)
            else:
                verify_module(unit, links=True)
            self.am.verify()
        except Exception as error:
            raise self._failure(error, instance.name, unit, "left invalid IR behind") from error

    def _failure(
        self, error: Exception, name: str, unit: ModuleOp | FuncOp, what: str = "failed"
    ) -> DiagnosticError:
        if isinstance(error, DiagnosticError) and what == "failed":
            return error
        reason = error.message if isinstance(error, DiagnosticError) else str(error)
        text = f"pass '{name}' {what} on {unit_name(unit)}: {reason or type(error).__name__}"
        path = self.options.crash_reproducer
        if path is not None:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(reproducer_text(self._first_text, print_nodes(self.nodes), text))
            text += f"; reproducer written to {path}"
        else:
            text += "; --crash-reproducer=FILE writes a module and pipeline to reproduce this"
        return PassFailure(text)


def run_pipeline(
    module: ModuleOp, pipeline: str | Sequence[Node], instruments: Instruments | None = None
) -> bool:
    """Runs pipeline text on a module; returns whether a pass reported a change.

    Raises PipelineError for text that cannot be parsed and PassFailure when a pass fails.
    """
    return PassManager(pipeline, instruments).run(module)
