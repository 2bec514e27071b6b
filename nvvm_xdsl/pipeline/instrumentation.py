"""Instrumentation of a pipeline, with the options of LLVM's `opt`."""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TextIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.printer import Printer

from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import STATISTICS, Remark, listening, reset_statistics

if TYPE_CHECKING:
    from nvvm_xdsl.passes.base import NvvmPass


class ChangeChecker(Protocol):
    """Compares changed functions and modules with their earlier versions."""

    def before(self, unit: Operation) -> object:
        """Called before a pass runs on a function or module; returns its earlier version."""
        ...

    def after(self, instance: NvvmPass, unit: Operation, earlier: object) -> None:
        """Called after a pass changed it. Raises DiagnosticError if the change is wrong."""
        ...

    def summary(self) -> Sequence[str]:
        """Lines to be printed at the end of the pipeline."""
        ...


@dataclass(frozen=True)
class Instruments:
    """The options of `nvvm-opt` that observe or control a pipeline.

    Arguments:
        time_passes: print a table of wall time by pass at the end.
        stats: print the passes' counters at the end.
        verify_each: verify the changed IR after each pass.
        print_before, print_after: passes before and after which IR is printed.
        print_before_all, print_after_all: print around every pass.
        print_changed: `""`, `full` or `diff`: print the IR after each pass that changed it.
        filter_print_funcs: print only these functions; empty: all.
        opt_bisect_limit: the maximum number of optional passes that run; None: all.
        stop_before, stop_after: end the pipeline at this pass, `name` or `name,n` for its
            n-th run.
        debug_pass_manager: print each pass and analysis that runs, and its function.
        remarks: file for remarks as YAML, `-` for standard output; None: none.
        shown_remarks: by kind of remark, the names of passes whose remarks are printed.
        crash_reproducer: file for the module and the pipeline that lead to a failing pass.
        checker: checks the changes of each pass.
    """

    time_passes: bool = False
    stats: bool = False
    verify_each: bool = False
    print_before: tuple[str, ...] = ()
    print_after: tuple[str, ...] = ()
    print_before_all: bool = False
    print_after_all: bool = False
    print_changed: str = ""
    filter_print_funcs: tuple[str, ...] = ()
    opt_bisect_limit: int | None = None
    stop_before: str = ""
    stop_after: str = ""
    debug_pass_manager: bool = False
    remarks: str | None = None
    shown_remarks: Mapping[str, re.Pattern[str]] = field(default_factory=dict[str, re.Pattern[str]])
    crash_reproducer: str | None = None
    checker: ChangeChecker | None = None

    @property
    def hears_remarks(self) -> bool:
        """True if remarks are printed or written, so that their locations in the input are
        needed."""
        return self.remarks is not None or bool(self.shown_remarks)

    @property
    def watches_ir(self) -> bool:
        """True if IR is printed around any pass."""
        return bool(
            self.print_before
            or self.print_after
            or self.print_before_all
            or self.print_after_all
            or self.print_changed
        )


REQUIRED_PASSES = frozenset({"nvvm-reflect", "always-inline", "globaldce", "nvptx-phi-elimination"})
"""Passes that bisection never omits, because valid PTX may require them."""


def unit_name(unit: Operation, header: Block | None = None) -> str:
    """The name of a pass's unit in messages: the function's name, a loop of it, or `[module]`."""
    name = symbol_name(unit)
    if name is None:
        return "[module]"
    if header is None:
        return name
    region = header.parent
    number = 0 if region is None else region.get_block_index(header)
    return f"loop %{header.name_hint or f'bb{number}'} in {name}"


def op_count(unit: Operation) -> int:
    """The number of ops in a function or module, without the function or module itself."""
    return sum(1 for _ in unit.walk()) - 1


def ir_text(unit: Operation) -> str:
    """The unit's assembly."""
    stream = io.StringIO()
    Printer(stream).print_op(unit)
    return stream.getvalue() + "\n"


class PassRun(NamedTuple):
    """One run of a pass.

    Arguments:
        instance: the pass; each position of a pipeline has its own instance.
        unit: the function or module that it ran on.
        changed: whether it changed the unit.
        seconds: its wall time.
    """

    instance: NvvmPass
    unit: Operation
    changed: bool
    seconds: float


@dataclass
class Watcher:
    """Applies the instruments to one run of a pipeline.

    Arguments:
        options: the requested instrumentation.
        stream: the output; standard error by default.
    """

    options: Instruments
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    runs: dict[str, int] = field(default_factory=dict[str, int])
    bisect_count: int = 0
    starts: dict[str, int] = field(default_factory=dict[str, int])
    remarks: list[Remark] = field(default_factory=list[Remark])
    clock: Callable[[], float] = time.perf_counter
    stopped: bool = False
    """Whether the pipeline has reached the pass of `--stop-before` or `--stop-after`."""
    observer: Callable[[PassRun], None] | None = None
    """Is called after each run of a pass."""
    listener: Callable[[Remark], None] | None = None
    """Is called with each remark of the passes."""
    at_stage: Callable[[str, ModuleOp], None] | None = None
    """Is called at each stage of a compilation with its name and the current module."""

    def __post_init__(self) -> None:
        if self.options.stats:
            reset_statistics()

    def hearing(self) -> AbstractContextManager[None]:
        """Collects the remarks emitted in the context, if they are to be written."""
        if not self.options.hears_remarks and self.listener is None:
            return nullcontext()
        return listening(self._hear)

    def _hear(self, remark: Remark) -> None:
        self.remarks.append(remark)
        if self.listener is not None:
            self.listener(remark)
        pattern = self.options.shown_remarks.get(remark.kind)
        asked = pattern is not None and pattern.search(remark.pass_name) is not None
        if asked or (remark.shown and self.options.remarks is None):
            self.say(remark.line_of_text())

    def stage(self, name: str, module: ModuleOp) -> None:
        """Reports a stage of the compilation to the observer."""
        if self.at_stage is not None:
            self.at_stage(name, module)

    def beside(self) -> Watcher:
        """A watcher without options, with the same observer."""
        return Watcher(Instruments(), observer=self.observer, listener=self.listener)

    def should_run(self, name: str, where: str) -> bool:
        """Returns True if bisection permits the pass to run; prints the decision."""
        limit = self.options.opt_bisect_limit
        if limit is None or name in REQUIRED_PASSES:
            return True
        self.bisect_count += 1
        runs = limit < 0 or self.bisect_count <= limit
        verb = "running" if runs else "NOT running"
        self.say(f"BISECT: {verb} pass ({self.bisect_count}) {name} on {where}")
        return runs

    def say(self, text: str) -> None:
        """Prints a line."""
        print(text, file=self.stream)

    def stops_at(self, name: str, option: str) -> bool:
        """True if `--stop-before` or `--stop-after`, given as `option`, selects this run of the
        pass."""
        wanted, _, number = option.partition(",")
        return wanted == name and self.starts.get(name, 0) == int(number or "1")

    def _prints(self, unit: Operation) -> bool:
        names = self.options.filter_print_funcs
        return not names or "*" in names or symbol_name(unit) in names

    def _dump(self, heading: str, unit: Operation, where: str) -> None:
        if self._prints(unit):
            self.say(f"// *** {heading} on {where} ***")
            self.stream.write(ir_text(unit))
        elif isinstance(unit, ModuleOp):
            block = unit.body.first_block
            for op in fast.ops_of(block) if block is not None else ():
                if symbol_name(op) in self.options.filter_print_funcs:
                    self._dump(heading, op, unit_name(op))

    def before(self, name: str, unit: Operation, where: str) -> str | None:
        """Is called before a pass runs; returns the IR if changes are to be printed."""
        options = self.options
        if options.debug_pass_manager:
            self.say(f"Running pass: {name} on {where} ({op_count(unit)} ops)")
        if options.print_before_all or name in options.print_before:
            self._dump(f"IR Dump Before {name}", unit, where)
        return ir_text(unit) if options.print_changed else None

    def after(self, name: str, unit: Operation, where: str, text: str | None) -> None:
        """Is called after a pass ran; `text` is the result of `before`."""
        options = self.options
        if options.print_after_all or name in options.print_after:
            self._dump(f"IR Dump After {name}", unit, where)
        if text is not None and (self._prints(unit) or isinstance(unit, ModuleOp)):
            self._show_change(name, unit, where, text)

    def _show_change(self, name: str, unit: Operation, where: str, text: str) -> None:
        now = ir_text(unit)
        if now == text:
            self.say(f"// *** IR Dump After {name} on {where} omitted because no change ***")
            return
        self.say(f"// *** IR Dump After {name} on {where} ***")
        if self.options.print_changed == "diff":
            import difflib

            lines = difflib.unified_diff(text.splitlines(), now.splitlines(), lineterm="", n=3)
            for line in list(lines)[2:]:
                self.say(line)
        else:
            self.stream.write(now)

    def count_time(self, name: str, seconds: float) -> None:
        """Adds to the time of a pass."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds
        self.runs[name] = self.runs.get(name, 0) + 1

    def finish(self) -> None:
        """Prints the requested tables and writes the remarks."""
        if self.options.time_passes:
            self.stream.write(self.time_table())
        if self.options.stats:
            self.stream.write(statistics_table())
        if self.options.checker is not None:
            for line in self.options.checker.summary():
                self.say(line)
        options = self.options
        for name, text in (
            ("stop-before", options.stop_before),
            ("stop-after", options.stop_after),
        ):
            if text and not self.stopped:
                self.say(f"remark: --{name}: the pipeline does not run '{text}'")
        if self.options.remarks is not None:
            from nvvm_xdsl.pipeline.yaml_remarks import write_remarks

            write_remarks(self.options.remarks, self.remarks)

    def time_table(self) -> str:
        """The table of `--time-passes`, sorted by descending time."""
        total = sum(self.seconds.values())
        lines = [
            "===" + "-" * 61 + "===",
            "                      Pass execution timing report",
            "===" + "-" * 61 + "===",
            f"  Total Execution Time: {total:.4f} seconds (wall clock)",
            "",
            "   ---Wall Time---   --Runs--  --- Name ---",
        ]
        for name, seconds in sorted(self.seconds.items(), key=lambda item: -item[1]):
            share = 100 * seconds / total if total else 0.0
            lines.append(f"   {seconds:8.4f} ({share:5.1f}%)  {self.runs[name]:8d}  {name}")
        lines.append(f"   {total:8.4f} (100.0%)  {sum(self.runs.values()):8d}  Total")
        return "\n".join(lines) + "\n\n"


def statistics_table() -> str:
    """The table of `--stats`: the counters that are not 0."""
    rows = sorted(
        ((s.value, s.pass_name, s.description) for s in STATISTICS if s.value),
        key=lambda row: (row[1], row[2]),
    )
    lines = [
        "===" + "-" * 61 + "===",
        "                          ... Statistics Collected ...",
        "===" + "-" * 61 + "===",
        "",
    ]
    width = max((len(str(value)) for value, _, _ in rows), default=1)
    name_width = max((len(name) for _, name, _ in rows), default=1)
    lines += [f"{value:{width}d} {name:{name_width}s} - {text}" for value, name, text in rows]
    return "\n".join(lines) + "\n\n"


def reproducer_text(module_text: str, pipeline: str, opt: str, failure: str) -> str:
    """The output of `--crash-reproducer`: a module whose first line is the command that repeats the
    failure.

    Arguments:
        opt: the text of `-opt`, empty for none.
    """
    comment = "\n".join(f"// {line}" for line in failure.splitlines())
    options = f' -opt "{opt}"' if opt else ""
    return f"// RUN: nvvm-opt %s -p '{pipeline}'{options}\n{comment}\n{module_text}"
