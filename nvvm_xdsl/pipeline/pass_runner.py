"""Runs single passes with instrumentation, and reports their failures."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import xdsl
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.pipeline.binding import opt_text
from nvvm_xdsl.pipeline.build import Node, print_nodes
from nvvm_xdsl.pipeline.instrumentation import PassRun, Watcher, reproducer_text, unit_name
from nvvm_xdsl.pipeline.options import PassOptions
from nvvm_xdsl.verify.op_verifier import verify_unit

_LIBRARIES = (
    os.path.join(os.path.dirname(os.path.dirname(__file__)), ""),
    os.path.join(os.path.dirname(str(xdsl.__file__)), ""),
)
"""Folders of the packages that passes are written with."""


class PassFailure(DiagnosticError):
    """A pass raised an exception, or left invalid IR.

    The message names the pass, the unit, and the reproducer if one was written. A DiagnosticError
    that a pass raises itself is not changed.
    """


class PipelineStopped(Exception):
    """The pipeline has reached the pass of `--stop-before` or `--stop-after`."""


class PassRunner:
    """Runs single passes with the requested instrumentation.

    Attributes:
        changes: the number of runs that changed the module.
        first_text: the module before the pipeline, for the reproducer of a failure.
    """

    def __init__(
        self,
        watcher: Watcher,
        am: AnalysisManager,
        nodes: Sequence[Node],
        pass_options: PassOptions,
    ) -> None:
        self.watcher = watcher
        self.am = am
        self.nodes = nodes
        self.pass_options = pass_options
        self.watched = self._is_watched()
        self.changes = 0
        self.first_text = ""

    def _is_watched(self) -> bool:
        options = self.watcher.options
        return (
            options.watches_ir
            or options.time_passes
            or options.verify_each
            or options.debug_pass_manager
            or options.opt_bisect_limit is not None
            or bool(options.stop_before or options.stop_after)
            or self.watcher.observer is not None
            or options.checker is not None
        )

    def run(
        self,
        instance: NvvmPass,
        unit: Operation,
        run: Callable[[], bool],
        header: Block | None = None,
    ) -> bool:
        """Runs a pass with the requested instrumentation; returns whether it changed the unit."""
        if self.watched:
            changed = self._watch(instance, unit, run, unit_name(unit, header))
        else:
            try:
                changed = run()
            except Exception as error:
                raise self.failure(error, instance.name, unit_name(unit, header)) from error
        if changed:
            self.changes += 1
            self.am.invalidate(unit, instance.preserved())
        return changed

    def _watch(
        self, instance: NvvmPass, unit: Operation, run: Callable[[], bool], where: str
    ) -> bool:
        watcher, options, name = self.watcher, self.watcher.options, instance.name
        watcher.starts[name] = watcher.starts.get(name, 0) + 1
        if options.stop_before and watcher.stops_at(name, options.stop_before):
            raise PipelineStopped
        if not watcher.should_run(name, where):
            return False
        text = watcher.before(name, unit, where)
        earlier = None if options.checker is None else options.checker.before(unit)
        started = watcher.clock()
        try:
            changed = run()
        except Exception as error:
            raise self.failure(error, name, where) from error
        seconds = watcher.clock() - started
        watcher.count_time(name, seconds)
        watcher.after(name, unit, where, text)
        if watcher.observer is not None:
            watcher.observer(PassRun(instance, unit, changed, seconds))
        if options.verify_each:
            self._verify(instance, unit, where, changed)
        if options.checker is not None and changed:
            options.checker.after(instance, unit, earlier)
        if options.stop_after and watcher.stops_at(name, options.stop_after):
            self.changes += changed
            raise PipelineStopped
        return changed

    def _verify(self, instance: NvvmPass, unit: Operation, where: str, changed: bool) -> None:
        preserved = instance.preserved() if changed else PreservedAnalyses.all()
        if changed:
            self.am.invalidate(unit, preserved)
        try:
            verify_unit(unit)
            self.am.verify()
        except Exception as error:
            raise self.failure(error, instance.name, where, "left invalid IR behind") from error

    def failure(
        self, error: Exception, name: str, where: str, what: str = "failed"
    ) -> DiagnosticError:
        """The error to raise for an exception in a pass on the unit `where`."""
        reason = error.message if isinstance(error, DiagnosticError) else _described(error)
        text = f"pass '{name}' {what} on {where}: {reason}"
        path = self.watcher.options.crash_reproducer
        if path is not None:
            opt = opt_text(self.pass_options)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(reproducer_text(self.first_text, print_nodes(self.nodes), opt, text))
            text += f"; reproducer written to {path}"
        if isinstance(error, DiagnosticError) and what == "failed":
            # The error message of a pass is not changed.
            if path is not None:
                self.watcher.say(f"remark: {text}")
            return error
        if path is None:
            text += "; --crash-reproducer=FILE writes a module and pipeline to reproduce this"
        return PassFailure(text)


def _described(error: Exception) -> str:
    """An exception with its type and the line that raised it, for the author of the pass.

    The line is in the pass if that belongs to another package, even if a function of nvvm-xdsl or
    xDSL that the pass calls raised the exception.
    """
    text = str(error).split("\n", 1)[0][:200]
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    frame = (theirs or frames)[-1]
    return f"{type(error).__name__}{': ' if text else ''}{text} ({frame.filename}:{frame.lineno})"
