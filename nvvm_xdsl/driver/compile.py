"""The stages of a compilation from source to PTX, in order."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from nvvm_xdsl.dialects.llvm.data_layout import (
    LAYOUT_ATTRIBUTE,
    NVPTX64_LAYOUT,
    NVPTX64_TRIPLE,
    TRIPLE_ATTRIBUTE,
)
from nvvm_xdsl.dialects.llvm.modules import module_assembly
from nvvm_xdsl.dialects.nvvm.attributes import NVVMTargetAttr
from nvvm_xdsl.driver.errors import TimeLimitExceeded, user_errors, with_places
from nvvm_xdsl.driver.files import (
    STDIN_NAME,
    Format,
    decode,
    format_of,
    read_input,
    reject_binary,
)
from nvvm_xdsl.driver.time_limit import time_limit
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.remarks import Remark as PassRemark
from nvvm_xdsl.ir.remarks import listening
from nvvm_xdsl.pipeline.command_line import unread_notes
from nvvm_xdsl.pipeline.compile_options import arch_for
from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher, ir_text
from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module

if TYPE_CHECKING:
    from nvvm_xdsl.driver.cache import Cache, Entry
    from nvvm_xdsl.driver.jobserver import Jobserver
    from nvvm_xdsl.driver.options import CompileOptions, DebugInfo, OutputFormat, ResolvedOptions
    from nvvm_xdsl.driver.workers import WorkerPool

Source: TypeAlias = "str | bytes | os.PathLike[str] | ModuleOp"
"""Text, bitcode or text as bytes, a file, or a module. A string of one word with the suffix of an
input is the name of a file."""

_FILE_NAME = re.compile(r"[^\n;{}]+\.(?:ll|bc|mlir|ptx|cu)")

SOURCE_NAME = "<source>"
"""The file name in errors about text that did not come from a file."""

StageTimes = dict[str, float]
"""Seconds by stage: optimize, select, machine, convert, print. `workers` replaces the stages
between `optimize` and `convert` in a split compilation."""

Remark = Callable[[str], None]


class _Clock:
    """Measures the time of stages."""

    def __init__(self, times: StageTimes | None) -> None:
        self._times = times
        self._last = time.perf_counter()

    def stop(self, stage: str) -> None:
        """Adds the seconds since the last stop to a stage."""
        now = time.perf_counter()
        if self._times is not None:
            self._times[stage] = self._times.get(stage, 0.0) + now - self._last
        self._last = now


def _ignore(_text: str) -> None:
    pass


@cache
def mlir_context() -> Context:
    """xDSL's context with every registered dialect, those of plug-ins included.

    Raises DiagnosticError for a plug-in that cannot be loaded.
    """
    from xdsl.universe import Universe

    from nvvm_xdsl.pipeline.plugins import load_installed

    # xDSL's tools report a plug-in that cannot be loaded as a warning.
    load_installed()
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    return context


def _parse_bytes(
    data: bytes,
    name: str,
    format_: Format | None,
    *,
    locations: bool = False,
    debug: DebugInfo = "none",
    cuda: CompileOptions | None = None,
) -> ModuleOp:
    if not data.strip():
        raise DiagnosticError("the input is empty", file=name)
    kind = format_ or format_of(data, name)
    if kind == "cu":
        reject_binary(data, name)
        return _parse_cuda(data, name, cuda, debug)
    if kind == "bc":
        from nvvm_xdsl.frontend.bitcode import read_bitcode

        return read_bitcode(data, name, locations=locations, debug=debug)
    text = decode(data, name)
    if kind == "ll":
        from nvvm_xdsl.frontend.ll_reader import read_ll

        return read_ll(text, name, locations=locations, debug=debug)
    if kind == "ptx":
        from nvvm_xdsl.frontend.ptx import read_ptx

        return read_ptx(text, name, locations=locations)
    from nvvm_xdsl.frontend.mlir_reader import read_mlir

    return read_mlir(text, name, mlir_context(), locations=locations)


def _parse_cuda(
    data: bytes, name: str, options: CompileOptions | None, debug: DebugInfo
) -> ModuleOp:
    """The module of CUDA C++; clang's warnings are printed to standard error."""
    from nvvm_xdsl.pipeline import run_pipeline
    from nvvm_xdsl.pipeline.compile_options import CompileOptions

    chosen = options or CompileOptions(debug=debug)
    # Lines of the LLVM assembly are no locations, because users do not see it.
    module = _parse_bytes(_translated(data, name, chosen), name + ".ll", "ll", debug=debug)
    if chosen.relaxed_atomics is not False:
        run_pipeline(module, "relax-cuda-atomics")
    return module


def _translated(data: bytes, name: str, options: CompileOptions) -> bytes:
    """The LLVM assembly of CUDA C++; clang's warnings are printed to standard error."""
    from nvvm_xdsl.driver.cuda import cuda_options, translate

    text, warnings = translate(data, name, cuda_options(options))
    sys.stderr.write(warnings)
    return text


def named_file(source: Source) -> Source:
    """The file that a string names, or the source unchanged: IR text is never the name of a
    file."""
    if isinstance(source, str) and _FILE_NAME.fullmatch(source):
        return Path(source)
    return source


def parse(
    source: Source,
    *,
    filename: str | None = None,
    format: Format | None = None,
    locations: bool = False,
    debug: DebugInfo = "none",
    cuda: CompileOptions | None = None,
) -> ModuleOp:
    """Reads NVVM IR into a module of the `llvm` and `nvvm` dialects, PTX into one of `ptx`.

    CUDA C++ (.cu) is translated by clang first.

    Arguments:
        source: LLVM assembly, MLIR or PTX text, bitcode, a path to a file of one of these or of CUDA C++, or a
            module, which is returned as it is.
        filename: the name of the source in errors.
        format: `ll`, `bc`, `mlir`, `ptx` or `cu`; by default derived from content and suffix.
        locations: whether ops without debug locations get their location in the text.
        debug: the debug information kept from LLVM assembly and bitcode: `none` for files and lines
            only, `lines` for their scopes as well, `full` for variables too.
        cuda: the options for translating CUDA C++; by default the output of clang's front end is
            not optimized.
    Raises DiagnosticError with the location of the error.
    """
    source = named_file(source)
    if isinstance(source, ModuleOp):
        return source
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        name = filename or path
        data = read_input(path)
    else:
        name = filename or SOURCE_NAME
        data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    with user_errors(name), paused_collector():
        return _parse_bytes(data, name, format, locations=locations, debug=debug, cuda=cuda)


def verify(module: ModuleOp) -> None:
    """Verifies a module that was read: the definition of each op, dominance, control flow and
    types.

    Raises VerifyError, a DiagnosticError, for the first violation.
    """
    verify_ops(module)
    verify_module(module)


def complete(module: ModuleOp, remark: Remark = _ignore) -> None:
    """Sets NVPTX's triple and data layout on a module that states none."""
    for attribute, value, what in (
        (TRIPLE_ATTRIBUTE, NVPTX64_TRIPLE, "target triple"),
        (LAYOUT_ATTRIBUTE, NVPTX64_LAYOUT, "data layout"),
    ):
        stated = module.attributes.get(attribute)
        if not isinstance(stated, StringAttr) or not stated.data:
            module.attributes[attribute] = StringAttr(value)
            remark(f"the module has no {what}; using {value}")


def compile_files(
    names: Sequence[str],
    options: CompileOptions,
    *,
    remark: Remark = _ignore,
    instruments: Instruments | None = None,
    cache: Cache | None = None,
) -> str:
    """Reads the files, of which `-` is standard input, links them and compiles them to PTX.

    Arguments:
        cache: the cache for the result; not used with instruments.
        others: as of `compile_modules`.
    """
    inputs = [(STDIN_NAME if name == "-" else name, read_input(name)) for name in names]
    sources = dict(inputs)
    translated = False
    with_remarks = instruments is not None and instruments.hears_remarks
    said: list[str] = []

    def tell(text: str) -> None:
        said.append(text)
        remark(text)

    def attempt(locations: bool) -> str:
        modules = [
            parse(
                data,
                filename=name,
                locations=not translated and (locations or with_remarks),
                debug=options.debug,
                cuda=options,
            )
            for name, data in inputs
        ]
        told = _ignore if locations or remark is _ignore else tell
        return compile_modules(modules, options, remark=told, instruments=instruments)

    def compiled() -> str:
        with time_limit(options.time_limit):
            return with_places(attempt, sources)

    is_cuda = any(format_of(data, name) == "cu" for name, data in inputs)
    if (
        cache is None
        or (is_cuda and (len(inputs) > 1 or not inputs[0][1].strip()))
        or (instruments is not None and instruments != Instruments())
    ):
        return compiled()
    from nvvm_xdsl.driver.cache import Entry, key_of

    with time_limit(options.time_limit):
        if is_cuda:
            # The key is that of clang's output, which contains the headers that the source includes.
            ((name, data),) = inputs
            inputs = [(name + ".ll", _translated(data, name, options))]
            translated = True
            options = replace(options, relaxed_atomics=options.relaxed_atomics is not False)
        key = key_of(inputs, options)
        entry = cache.get(key)
        if entry is None:
            entry = _compile_by_components(inputs, options, cache)
            if entry is None:
                entry = Entry(compiled(), tuple(said))
                cache.put(key, entry)
                return entry.ptx
            cache.put(key, entry)
        for text in entry.remarks:
            remark(text)
        return entry.ptx


def _compile_by_components(
    inputs: Sequence[tuple[str, bytes]], options: CompileOptions, cache: Cache
) -> Entry | None:
    """The compilation of LLVM assembly with cached parts; None if the module must be compiled as a whole."""
    from nvvm_xdsl.driver.cache import Entry
    from nvvm_xdsl.driver.function_cache import applies_to, compile_components

    (name, data), *others = inputs
    if others or format_of(data, name) != "ll" or not applies_to(options):
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None

    def compile(part: str) -> Entry:
        said: list[str] = []
        module = parse(part, filename=name, format="ll")
        return Entry(compile_modules([module], options, remark=said.append), tuple(said))

    return compile_components(text, options, cache, compile)


def compile_modules(
    modules: Sequence[ModuleOp],
    options: CompileOptions,
    *,
    remark: Remark = _ignore,
    stages: StageTimes | None = None,
    instruments: Instruments | None = None,
    watcher: Watcher | None = None,
) -> str:
    """Verifies the modules, links them and compiles the result to PTX. The modules are changed and
    must not be used afterwards.

    If an instrument stops the pipeline, the current module is returned in place of PTX.

    Arguments:
        remark: is called with each assumption that is made.
        stages: receives the time of each stage.
        instruments: the instrumentation of passes over IR and machine code.
        watcher: observer with its own instruments. It receives the module at the stages `input`,
            `optimized`, `selected` and `machine`.
    """
    with user_errors(), paused_collector(), time_limit(options.time_limit):
        module = _linked(modules)
        chosen = options.for_module(module)
        stage = _stage_of(module)
        if chosen.emit == "llvm" and stage != "llvm":
            raise DiagnosticError(f"-emit-llvm requires LLVM IR as input, got {stage.upper()}")
        if stage == "ptx":
            _note_ignored_in_ptx(module, options, chosen, remark)
        else:
            _complete_target(module, options, remark)
        if stage == "llvm" and chosen.opt_level:
            from nvvm_xdsl.driver.notes import tell_fenced_atomics, tell_unoptimizable

            tell_unoptimizable(module, remark)
            if options.relaxed_atomics is None and remark is not _ignore:
                tell_fenced_atomics(module, remark)
        for note in unread_notes(chosen.stated):
            remark(note)
        clock = _Clock(stages)
        watcher = watcher or Watcher(instruments or Instruments())
        try:
            if stage == "ptx" and chosen.codegen_level:
                module = machine_code(module)
                watcher.stage("selected", module)
            elif stage != "ptx":
                _complete_code(module, chosen)
                watcher.stage("input", module)
                clock = _Clock(stages)
                workers = _workers(module, chosen, watcher) if stage == "llvm" else 1
                if workers > 1:
                    return _compile_split(module, chosen, workers, watcher, remark, stages)
                optimize(module, chosen, watcher, remark)
                _report_calls(module, chosen, remark)
                watcher.stage("optimized", module)
            clock.stop("optimize")
            if watcher.stopped:
                return ir_text(module)
            if chosen.emit == "llvm":
                from nvvm_xdsl.export import write_ll

                return write_ll(module)
            return generate(module, chosen, stages, watcher)
        finally:
            watcher.finish()


def _linked(modules: Sequence[ModuleOp]) -> ModuleOp:
    """Verifies the modules and links them to one."""
    from nvvm_xdsl.frontend.linker import link

    if len(modules) > 1 and any(_stage_of(module) == "ptx" for module in modules):
        raise DiagnosticError("PTX cannot be linked with other inputs: give one file")
    for module in modules:
        verify(module)
    return modules[0] if len(modules) == 1 else link(modules)


def _note_ignored_in_ptx(
    module: ModuleOp, options: CompileOptions, chosen: ResolvedOptions, remark: Remark
) -> None:
    """Reports the options and the debug information that have no effect on a module of PTX."""
    if options.arch is not None:
        remark("-arch has no effect on PTX: its .target directive determines the architecture")
    if chosen.codegen_level and _is_for_debugging(module):
        remark("warning: the debug information of the PTX is dropped, because the PTX is optimized")


def _complete_target(module: ModuleOp, options: CompileOptions, remark: Remark) -> None:
    """Sets the target, triple and data layout that an LLVM module lacks, and checks its pointers."""
    from nvvm_xdsl.codegen.limits import check_pointers

    if NVVMTargetAttr.name not in module.attributes:
        arch_for(module, options.arch, remark)
    complete(module, remark)
    check_pointers(module)


def _complete_code(module: ModuleOp, chosen: ResolvedOptions) -> None:
    """Links libdevice, and changes that the options request before the passes of the level run."""
    from nvvm_xdsl.dialects.nvptx.target import Target
    from nvvm_xdsl.driver.aliases import lower_aliases
    from nvvm_xdsl.driver.math_functions import call_math_functions
    from nvvm_xdsl.frontend.libdevice import link_libdevice
    from nvvm_xdsl.pipeline.manager import run_pipeline

    lower_aliases(module, rdc=chosen.rdc)
    call_math_functions(module, Target.parse(chosen.arch))
    link_libdevice(module, chosen.libdevice or find_libdevice())
    if not chosen.rdc:
        drop_unreached(module)
    if chosen.relaxed_atomics:
        run_pipeline(module, "relax-cuda-atomics")


def drop_unreached(module: ModuleOp) -> None:
    """Makes the device functions of a program with kernels internal, and removes those that are
    unreachable from kernels, as nvcc does without -rdc. Members of `llvm.used` are kept. A module
    without kernels is a library and is not changed."""
    from nvvm_xdsl.dialects.llvm.symbols import functions_of
    from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
    from nvvm_xdsl.pipeline.manager import run_pipeline

    functions = list(functions_of(module))
    if len(functions) > 1 and any(map(is_kernel, functions)):
        run_pipeline(module, "internalize<functions-only>,globaldce")


def _report_calls(module: ModuleOp, options: ResolvedOptions, remark: Remark) -> None:
    """Notes about an optimized module's calls that concern the launch or the linker."""
    if remark is _ignore:
        return
    from nvvm_xdsl.driver.notes import tell_recursion, tell_unresolved

    tell_recursion(module, remark)
    if not options.rdc:
        tell_unresolved(module, remark)


def _is_for_debugging(module: ModuleOp) -> bool:
    """True if PTX was compiled with `-G`: it has the target option `debug` or debug sections."""
    from nvvm_xdsl.dialects.ptx import ops as ptx

    return any(
        (isinstance(op, ptx.TargetOp) and "debug" in op.text("target").split(", "))
        or (isinstance(op, ptx.DirectiveOp) and op.text("text").startswith(".section"))
        for op in fast.ops_of(module.body.block)
    )


TOLD = frozenset({"local-memory-remarks"})
"""The passes whose remarks a compilation shows by default."""


@contextmanager
def _telling(watcher: Watcher | None, remark: Remark) -> Generator[None]:
    """At the end, shows the remarks of the passes in `TOLD` that were made inside the block."""
    heard: list[PassRemark] = []
    with nullcontext() if remark is _ignore else listening(heard.append, TOLD):
        yield
    if watcher is not None:
        heard += watcher.remarks
    for told in heard:
        if told.pass_name in TOLD:
            place = f"{told.file}:{told.line}:{told.column}: " if told.file else ""
            remark(f"{place}in @{told.function}: {told.message}")


def optimize(
    module: ModuleOp,
    options: ResolvedOptions,
    watcher: Watcher | None = None,
    remark: Remark = _ignore,
) -> None:
    """Runs the passes of the optimization level.

    Arguments:
        remark: is called with remarks of passes of the kinds in `TOLD`.
    """
    from nvvm_xdsl.driver.stages import pipeline_of
    from nvvm_xdsl.pipeline.manager import optimize_module

    watcher = watcher or Watcher(Instruments())
    with _telling(watcher, remark):
        optimize_module(module, pipeline_of(options), watcher, options.settings)


def generate(
    module: ModuleOp,
    options: ResolvedOptions,
    stages: StageTimes | None = None,
    watcher: Watcher | None = None,
) -> str:
    """The PTX of a module in any of the three dialects of code generation."""
    clock = _Clock(stages)
    stage = _stage_of(module)
    if stage == "llvm":
        from nvvm_xdsl.driver.stages import codegen_options
        from nvvm_xdsl.pipeline.selection import select

        module = select(module, codegen_options(options), options.settings, watcher)
        _raise_version(module, options.ptx_version)
        clock.stop("select")
        if watcher is not None:
            watcher.stage("selected", module)
    if stage != "ptx":
        from nvvm_xdsl.driver.stages import machine_pipeline_of
        from nvvm_xdsl.pipeline.machine import run_machine_passes

        run_machine_passes(module, machine_pipeline_of(options), options.settings, watcher)
        clock.stop("machine")
        if watcher is not None:
            watcher.stage("machine", module)
            if watcher.stopped:
                return ir_text(module)
        module = _converted(module, clock)
    return _printed(module, clock)


def _converted(module: ModuleOp, clock: _Clock) -> ModuleOp:
    from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert

    converted = convert(module)
    text = module_assembly(module)
    if text:
        from nvvm_xdsl.driver.module_assembly import add_module_assembly

        add_module_assembly(converted, text)
    clock.stop("convert")
    return converted


def _printed(module: ModuleOp, clock: _Clock) -> str:
    from nvvm_xdsl.dialects.ptx.printer import print_ptx

    text = print_ptx(module)
    clock.stop("print")
    return text


# Split compilation


def generate_from_machine(
    module: ModuleOp, options: ResolvedOptions, stages: StageTimes | None = None
) -> str:
    """The PTX of machine code whose passes have run."""
    clock = _Clock(stages)
    _raise_version(module, options.ptx_version)
    return _printed(_converted(module, clock), clock)


def _workers(module: ModuleOp, options: ResolvedOptions, watcher: Watcher) -> int:
    """The number of processes of a compilation.

    One worker if passes are watched or dump IR, because their output is ordered.
    """
    if options.split_compile == 1 or options.emit != "ptx" or "dump" in options.pass_options:
        return 1
    if watcher.observer is not None or watcher.at_stage is not None:
        return 1
    if replace(watcher.options, debug_pass_manager=False) != Instruments():
        return 1
    from nvvm_xdsl.dialects.llvm.symbols import functions_of
    from nvvm_xdsl.driver.workers import worker_count

    return worker_count(options.split_compile, len(list(functions_of(module))))


def _compile_split(
    module: ModuleOp,
    options: ResolvedOptions,
    workers: int,
    watcher: Watcher,
    remark: Remark,
    stages: StageTimes | None,
) -> str:
    """PTX of a module: phase 1 in this process, phase 2 and machine code in workers.

    If functions depend on each other, or a worker fails, this process compiles all functions, so
    that an error has the message and position of a compilation in one process.
    """
    from nvvm_xdsl.driver.signals import signals_raise
    from nvvm_xdsl.driver.stages import pipeline_of
    from nvvm_xdsl.driver.workers import shared_pool
    from nvvm_xdsl.pipeline.manager import PassManager

    clock = _Clock(stages)
    manager = PassManager(pipeline_of(options), watcher=watcher, options=options.settings)
    found = None
    with signals_raise(), ExitStack() as stack:
        # The jobserver is opened first, because the pipes of the pool may get the numbers of
        # descriptors that make closed.
        limit = _jobserver(options, remark)
        if limit is not None:
            stack.enter_context(limit)
        pool = shared_pool(workers)
        if limit is None:
            pool.warm()
        with _telling(watcher, remark):
            manager.run(module, finish=False, only_phase=1)
        clock.stop("optimize")
        if manager.phase == 1:
            found = _in_workers(pool, module, options, workers, limit, watcher, remark)
    if manager.phase == 1 and not isinstance(found, ModuleOp):
        manager.run(module, finish=False, only_phase=2)
        clock.stop("optimize")
    _report_calls(module, options, remark)
    if isinstance(found, ModuleOp):
        clock.stop("workers")
        return generate_from_machine(found, options, stages)
    ptx = generate(module, options, stages, watcher)
    if found is not None:
        remark(
            f"warning: a worker process rejected the module ({found.message}); this process has compiled it"
        )
    return ptx


def _jobserver(options: ResolvedOptions, remark: Remark) -> Jobserver | None:
    """The jobserver of make, if the options request it; None, with a warning, if its pipe is not
    open."""
    if not options.jobserver:
        return None
    from nvvm_xdsl.driver.jobserver import PIPE_WARNING, PipeProblem, find

    try:
        return find()
    except PipeProblem:
        remark(f"warning: {PIPE_WARNING}")
        return None


def _in_workers(
    pool: WorkerPool,
    module: ModuleOp,
    options: ResolvedOptions,
    workers: int,
    limit: Jobserver | None,
    watcher: Watcher,
    remark: Remark,
) -> ModuleOp | DiagnosticError | None:
    """The module's machine code, or the error that a worker reported for the input.

    None if functions depend on each other, or if a worker fails.
    """
    from nvvm_xdsl.driver import split
    from nvvm_xdsl.driver.workers import WorkerLost

    count = min(workers, len(split.split_functions(module)))
    if count <= 1 or not split.can_split(module):
        return None
    if watcher.options.debug_pass_manager:
        watcher.say("Phase II Concurrent=Yes")
    batches = split.split(module, count)
    tasks = [(batch.data, split.portable(options)) for batch in batches]
    try:
        results = pool.run(split.compile_batch, tasks, count, limit)
    except TimeLimitExceeded:
        raise
    except WorkerLost as error:
        remark(f"warning: {error.message}; its functions are compiled in this process")
        return None
    except DiagnosticError as error:
        return error
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        remark(f"warning: a worker failed ({text}); its functions are compiled in this process")
        return None
    return split.join(module, batches, results, options)


def machine_code(module: ModuleOp) -> ModuleOp:
    """A module of the ptx dialect as machine code in SSA form.

    Raises DiagnosticError for PTX that the nvptx dialect cannot express.
    """
    from nvvm_xdsl.codegen.from_ptx import convert
    from nvvm_xdsl.pipeline.manager import run_pipeline

    made = convert(module)
    run_pipeline(made, "nvptx-ssa-construction")
    return made


def _raise_version(module: ModuleOp, wanted: int) -> None:
    """Sets the PTX version of selected code to at least the requested one (times ten)."""
    from nvvm_xdsl.codegen.select import VERSION_ATTRIBUTE
    from nvvm_xdsl.dialects.nvptx.target import version_text

    stated = module.attributes.get(VERSION_ATTRIBUTE)
    needed = stated.data if isinstance(stated, StringAttr) else "0.0"
    major, _, minor = needed.partition(".")
    if wanted > int(major) * 10 + int(minor):
        module.attributes[VERSION_ATTRIBUTE] = StringAttr(version_text(wanted))


def _stage_of(module: ModuleOp) -> str:
    """`ptx` or `nvptx` for a module with ops of that dialect at its top, else `llvm`."""
    for op in module.body.ops:
        dialect = op.name.partition(".")[0]
        if dialect in ("ptx", "nvptx"):
            return dialect
    return "llvm"


def emit(
    module: ModuleOp,
    *,
    arch: str | None = None,
    opt_level: int | None = None,
    format: OutputFormat = "ptx",
    options: CompileOptions | None = None,
) -> str:
    """PTX, or LLVM assembly, for a module of the `llvm` and `nvvm` dialects, which is changed and
    must not be used afterwards.

    Arguments:
        arch, opt_level: as in `CompileOptions`.
        format: `ptx`, or `llvm` for the optimized module as LLVM assembly.
        options: all options, in place of the other arguments.
    Raises DiagnosticError.
    """
    from nvvm_xdsl.driver.options import CompileOptions

    chosen = options or CompileOptions(arch=arch, opt_level=opt_level, emit=format)
    return compile_modules([module], chosen)


def compile(
    source: Source,
    *,
    arch: str | None = None,
    opt_level: int | None = None,
    format: OutputFormat = "ptx",
    options: CompileOptions | None = None,
) -> str:
    """PTX, or LLVM assembly, for NVVM IR in any form that `parse` reads. Arguments as of `emit`."""
    source = named_file(source)

    def attempt(locations: bool) -> str:
        debug: DebugInfo = "none" if options is None else options.debug
        module = parse(source, locations=locations, debug=debug)
        return emit(module, arch=arch, opt_level=opt_level, format=format, options=options)

    if isinstance(source, ModuleOp):
        return attempt(False)
    limit = None if options is None else options.time_limit
    with paused_collector(), time_limit(limit):
        return with_places(
            attempt, {} if isinstance(source, os.PathLike) else {SOURCE_NAME: source}
        )
