"""Compiles many modules independently, in worker processes or in an executor of the caller."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import count

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.cache import Cache, Entry, key_of
from nvvm_xdsl.driver.compile import SOURCE_NAME, Source, compile_modules, parse
from nvvm_xdsl.driver.errors import as_diagnostic, with_places
from nvvm_xdsl.driver.files import STDIN_NAME, format_of, read_input
from nvvm_xdsl.driver.jobserver import PIPE_WARNING, Jobserver, PipeProblem, find
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.serialization import pack, unpack
from nvvm_xdsl.driver.signals import signals_raise
from nvvm_xdsl.driver.tasks import WINDOW, Lost, run_elsewhere, run_here
from nvvm_xdsl.driver.time_limit import time_limit
from nvvm_xdsl.driver.workers import worker_count
from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.ir.diagnostics import DiagnosticError


@dataclass(frozen=True)
class Compilation:
    """The outcome of compiling one source.

    Arguments:
        name: the name of the file, or `<source>`.
        ptx: the result; None if there was an error.
        error: the error, or None.
        remarks: the messages of the compilation.
        cached: whether the result is from the cache.
    """

    name: str
    ptx: str | None
    error: DiagnosticError | None = None
    remarks: tuple[str, ...] = ()
    cached: bool = False

    def unwrap(self) -> str:
        """The PTX. Raises the error if the compilation failed."""
        if self.ptx is None:
            raise self.error or DiagnosticError("nothing was compiled", file=self.name)
        return self.ptx


@dataclass(frozen=True)
class _Task:
    """One source with its options, ready to be sent to any process.

    Arguments:
        packed: whether the bytes are serialized IR, not text or bitcode.
    """

    name: str
    data: bytes
    packed: bool


def compile_one(task: _Task, options: CompileOptions) -> Compilation:
    """Compiles one source in the current process; errors are part of the result."""
    remarks: list[str] = []

    def attempt(locations: bool) -> str:
        if task.packed:
            (module,), _ = unpack(task.data)
            assert isinstance(module, ModuleOp)
        else:
            module = parse(
                task.data,
                filename=task.name,
                locations=locations,
                debug=options.debug,
                cuda=options,
            )
        remarks.clear()
        return compile_modules([module], options, remark=remarks.append)

    try:
        with time_limit(options.time_limit), paused_collector():
            ptx = with_places(attempt, {task.name: b"" if task.packed else task.data})
    except Exception as error:
        return Compilation(task.name, None, _portable(error, task.name))
    return Compilation(task.name, ptx, None, tuple(remarks))


def _portable(error: Exception, name: str) -> DiagnosticError:
    """The error with only its text, which any process can unpickle."""
    found = as_diagnostic(error, name)
    if found is None:
        return DiagnosticError(str(error), file=name)
    if found.complete:
        return found
    return DiagnosticError(
        found.message,
        file=found.file or name,
        line=found.line,
        column=found.column,
        source_line=found.source_line,
    )


def compile_many(
    sources: Iterable[Source],
    *,
    arch: str | None = None,
    opt_level: int | None = None,
    options: CompileOptions | None = None,
    executor: Executor | None = None,
    jobs: int = 0,
    cache: Cache | None = None,
    done: Callable[[Compilation], None] | None = None,
) -> list[Compilation]:
    """Compiles each source separately; an error in one source does not affect the others.

    Arguments:
        sources: as of `parse`; read on demand.
        arch, opt_level, options: as of `compile`.
        executor: runs the compilations: any executor of `concurrent.futures`, or Dask's
            `client.get_executor()`. Its processes must have the same version of this package. None
            starts worker processes, which are reused by the next call.
        jobs: the number of worker processes; 0 for one per processor.
        cache: the cache for results.
        done: is called with each compilation when it ends, in any order.
    Returns the compilations in the order of the sources. Raises DiagnosticError for invalid
    options.
    """
    chosen = options or CompileOptions(arch=arch, opt_level=opt_level)
    alone = replace(chosen, split_compile=1, jobserver=False)
    work = _BatchResults(alone, cache, done)
    tasks = work.missing(sources)
    function = partial(compile_one, options=alone)
    if executor is not None:
        work.finish_all(run_elsewhere(function, tasks, executor))
        return work.in_order()
    wanted = worker_count(jobs, WINDOW)
    if wanted == 1:
        work.finish_all((place, function(task)) for place, task in tasks)
        return work.in_order()
    with signals_raise(), ExitStack() as stack:
        limit = _jobserver() if chosen.jobserver else None
        if limit is not None:
            stack.enter_context(limit)
        work.finish_all(run_here(function, tasks, wanted, limit))
    return work.in_order()


_Place = tuple[int, str]
"""A source's number and name."""


class _BatchResults:
    """Results by the number of their source, and the lookups in the cache."""

    def __init__(
        self,
        options: CompileOptions,
        cache: Cache | None,
        done: Callable[[Compilation], None] | None,
    ) -> None:
        self.options = options
        self.cache = cache
        self.done = done
        self.results: dict[int, Compilation] = {}
        self._keys: dict[int, str] = {}

    def missing(self, sources: Iterable[Source]) -> Iterator[tuple[_Place, _Task]]:
        """The sources to compile; cached and unreadable ones are finished."""
        for number, source in zip(count(), sources):
            try:
                task = _task_of(source)
            except DiagnosticError as error:
                self.finish(number, Compilation(_name_of(source), None, error))
                continue
            # The cache key does not contain the headers that a CUDA C++ file includes.
            if (
                self.cache is not None
                and not task.packed
                and format_of(task.data, task.name) != "cu"
            ):
                key = self._keys[number] = key_of([(task.name, task.data)], self.options)
                entry = self.cache.get(key)
                if entry is not None:
                    found = Compilation(task.name, entry.ptx, None, entry.remarks, cached=True)
                    self.finish(number, found)
                    continue
            yield (number, task.name), task

    def finish_all(self, results: Iterable[tuple[_Place, Compilation | Lost]]) -> None:
        """Records results as they arrive."""
        for (number, name), result in results:
            if isinstance(result, Lost):
                result = Compilation(name, None, DiagnosticError(result.why, file=name))
            self.finish(number, result)

    def finish(self, number: int, result: Compilation) -> None:
        """Records a result."""
        self.results[number] = result
        key = self._keys.pop(number, None)
        if self.cache is not None and key and result.ptx is not None and not result.cached:
            self.cache.put(key, Entry(result.ptx, result.remarks))
        if self.done is not None:
            self.done(result)

    def in_order(self) -> list[Compilation]:
        """All results."""
        return [self.results[number] for number in sorted(self.results)]


def _name_of(source: Source) -> str:
    return os.fspath(source) if isinstance(source, os.PathLike) else SOURCE_NAME


def _task_of(source: Source) -> _Task:
    if isinstance(source, ModuleOp):
        return _Task(SOURCE_NAME, pack([source]), True)
    if isinstance(source, os.PathLike):
        name = os.fspath(source)
        return _Task(STDIN_NAME if name == "-" else name, read_input(name), False)
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return _Task(SOURCE_NAME, data, False)


def _jobserver() -> Jobserver | None:
    try:
        return find()
    except PipeProblem:
        # Context variables of the caller of `compile_many`.
        warnings.warn(PIPE_WARNING, RuntimeWarning, stacklevel=3)
        return None
