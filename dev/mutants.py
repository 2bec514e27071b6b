"""Mutation testing: finds small changes of a file that no test detects.

    python -m dev.mutants nvvm_xdsl/passes/scalar/gvn.py [--guards] [--tests PATH ...]

Each mutant (`dev/mutant_sources.py`) is tried with the quick tests of the file: those in the mirror folder,
those of the modules that import the file, and those whose text names the pass or the module. The tests are
collected and run once, with a record of the executed statements. For each mutant a forked child gets the
changed code in memory and runs the tests that execute the changed statement, the fastest first, until one
fails. The working tree is never written to. A mutant costs a fraction of a second if a test fails, and at most
`--budget` seconds of tests if none does. Tests that start processes see the unchanged file there.

Changes of constants at module or class level take effect when the module is imported: such a mutant gets a
process that imports the changed module, and all tests of the mirror folder.

Results are kept in `--state` and found again: a killed mutant while its function is unchanged, a survivor
while the tests are unchanged too. `dev/equivalent_mutants.csv` lists mutants that no test can kill, with the
reason; they are counted separately. The exit status is 1 if a guard mutant survives.

cosmic-ray 8 and mutmut 3 do not replace this tool. Neither deletes guards or operands of conditions, which
are the mutants of interest. cosmic-ray writes each mutant into the working tree and starts the tests again for
each: 4 seconds instead of 0.2. mutmut replaces functions by trampolines in a copy of the project, which
hides them from dataclasses and from tests that read sources.
"""

from __future__ import annotations

import argparse
import csv
import functools
import gc
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

from dev.mutant_sources import (
    HIT,
    Mutant,
    compile_instrumented,
    compile_mutant,
    functions_in,
    mutants_of,
)

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = "nvvm_xdsl"
EQUIVALENT: Final = Path(__file__).parent / "equivalent_mutants.csv"
STATE: Final = ROOT / "build" / "mutants.jsonl"

SURVIVED: Final = ""
NOT_RUN: Final = "no test runs the statement"
TIMEOUT: Final = "timeout"

_MEMORY: Final = 4 << 30
"""Bytes of memory that a mutant may use in addition to those of its parent."""

_TEST_SUFFIXES: Final = (".py", ".mlir", ".ll", ".ptx")


# The related tests


@dataclass(frozen=True)
class Related:
    """The test files of a source file.

    Arguments:
        mirror: tests of the same subject, which also run for changes at module level.
        others: tests of its importers, and tests that refer to it by name.
        words: the names in the tests; of a file that is parametrized over all passes, only the
            cases with these names run.
    """

    mirror: tuple[Path, ...]
    others: tuple[Path, ...] = ()
    words: frozenset[str] = frozenset()

    @property
    def files(self) -> tuple[Path, ...]:
        """All test files, each once."""
        return tuple(dict.fromkeys((*self.mirror, *self.others)))

    def fingerprint(self) -> str:
        """A hash of the text of the tests."""
        content = hashlib.sha256()
        for path in self.files:
            content.update(path.read_bytes())
        return content.hexdigest()[:16]


def _module_name(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts)


def _mirror_of(path: Path, root: Path) -> Iterator[Path]:
    try:
        folder = root / "test" / path.relative_to(root / PACKAGE).parent
    except ValueError:
        return
    for found in sorted(folder.glob("*")):
        stem = found.stem.removeprefix("test_")
        if found.suffix in _TEST_SUFFIXES and (
            stem == path.stem or stem.startswith(f"{path.stem}_")
        ):
            yield found


def related_tests(path: Path, extra: Iterable[Path] = (), root: Path = ROOT) -> Related:
    """The tests of a file: its mirror, those of its importers, and those that name it.

    Arguments:
        path: the file, in the package of `root`.
        extra: additional test files that belong to it.
    """
    module = _module_name(path, root)
    words = set(re.findall(r'^ {4}name = "([\w-]+)"', path.read_text(), re.M))
    imports = re.compile(rf"\bfrom {re.escape(module)} import|\bimport {re.escape(module)}\b")
    mirror = list(_mirror_of(path, root))
    others: list[Path] = []
    for importer in sorted((root / PACKAGE).rglob("*.py")):
        text = importer.read_text()
        if imports.search(text):
            others += _mirror_of(importer, root)
    named = re.compile(
        "|".join(rf"(?<![\w-]){re.escape(w)}(?![\w-])" for w in sorted(words)) or "$^"
    )
    for found in sorted((root / "test").rglob("*")):
        if found.suffix not in _TEST_SUFFIXES or found.name == "conftest.py":
            continue
        text = found.read_text(errors="replace")
        if named.search(text) or (found.suffix == ".py" and imports.search(text)):
            others.append(found)
    each = root / "test" / "passes" / "test_each_pass.py"
    if words and each.exists():
        others.append(each)
    return Related((*mirror, *extra), tuple(others), frozenset(words))


def _is_related(item: pytest.Item, related: Related) -> bool:
    """Whether a collected test is fast, and, if parametrized over all passes, a case of the
    pass."""
    if item.get_closest_marker("slow") is not None:
        return False
    cases = item.name.partition("[")[2]
    if item.path.name == "test_each_pass.py":
        return any(re.search(rf"(?<![\w-]){re.escape(w)}(?![\w-])", cases) for w in related.words)
    return True


# Code in memory


def live_functions(path: Path) -> list[FunctionType]:
    """The functions of this process whose code is that of a file."""
    name = str(path)
    # get_objects omits objects that were frozen by code that pauses the collector.
    gc.unfreeze()
    return [
        found
        for found in gc.get_objects()
        if isinstance(found, FunctionType) and found.__code__.co_filename == name
    ]


def replace_code(functions: Iterable[FunctionType], code: CodeType) -> None:
    """Replaces the code of functions by the code of the same name and line in another version of
    their file."""
    new = functions_in(code)
    for function in functions:
        old = function.__code__
        found = new.get((old.co_qualname, old.co_firstlineno))
        if found is not None and len(found.co_freevars) == len(old.co_freevars):
            function.__code__ = found


class _ChangedModule(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with other code."""

    def __init__(self, module: str, path: Path, code: CodeType) -> None:
        self._module = module
        self._path = path
        self._code = code

    def find_spec(self, fullname: str, path: object, target: object = None) -> Any:
        if fullname != self._module:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=str(self._path))

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self._path)
        exec(self._code, module.__dict__)


def _clear_caches_of_tests() -> None:
    """Clears the caches of tests, which hold results of the unchanged code."""
    gc.unfreeze()
    cache: Any = functools._lru_cache_wrapper  # type: ignore[attr-defined]
    for found in gc.get_objects():
        if isinstance(found, cache):
            module = getattr(found, "__module__", "") or ""
            if module.partition(".")[0] in ("test", "helpers"):
                found.cache_clear()


# Processes


def run_in_child(task: Callable[[], str], seconds: int) -> str:
    """Runs a task in a forked process and returns its result, or `TIMEOUT` if there is none.

    Arguments:
        seconds: processor time after which the child is ended.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _limit(seconds)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            os.write(writing, b"=" + task().encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        text = stream.read().decode()
    os.waitpid(child, 0)
    return text.removeprefix("=") if text else TIMEOUT


def _limit(seconds: int) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    memory = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


@dataclass
class _Test:
    """A collected test: whether it is of the mirror, its seconds of processor time, and the lines that it
    executes."""

    item: pytest.Item
    is_mirror: bool
    seconds: float = 0.0
    lines: set[int] = field(default_factory=set[int])

    def passes(self) -> bool:
        """Runs the test once more."""
        if hasattr(self.item, "_initrequest"):
            self.item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(self.item, log=False, nextitem=None)
        return not any(report.failed for report in reports)


class _Trials:
    """A pytest plugin that runs the collected tests once, and then those of each mutant.

    Arguments:
        root, path, source: the mutated file in its project.
        mutants: the mutants to test, all of them in functions.
        keep: called with each mutant and its result.
        budget: seconds of tests per mutant.
    """

    def __init__(
        self,
        root: Path,
        path: Path,
        source: str,
        mutants: Sequence[Mutant],
        related: Related,
        keep: Callable[[Mutant, str], None],
        budget: float,
    ) -> None:
        self._root = root
        self._path = path
        self._source = source
        self._mutants = mutants
        self._related = related
        self._keep = keep
        self._budget = budget

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if _is_related(item, self._related)]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        tests = [_Test(item, item.path in self._related.mirror) for item in session.items]
        # A pass is imported when it first runs.
        importlib.import_module(_module_name(self._path, self._root))
        functions = live_functions(self._path)
        original = [(function, function.__code__) for function in functions]
        tests = self._first_run(tests, functions)
        for function, code in original:
            function.__code__ = code
        # A test that fails when repeated without a mutant cannot be used.
        failing = run_in_child(
            lambda: " ".join(str(n) for n, test in enumerate(tests) if not test.passes()), 3600
        )
        again = set(failing.split())
        tests = [test for n, test in enumerate(tests) if str(n) not in again]
        seconds = sum(test.seconds for test in tests)
        print(f"{len(tests)} tests, {seconds:.0f} s", flush=True)
        for mutant in self._mutants:
            self._keep(mutant, self._try(mutant, tests, functions))
        return True

    def _first_run(self, tests: list[_Test], functions: list[FunctionType]) -> list[_Test]:
        """Runs the tests on code that records lines; returns those that pass."""
        lines: set[int] = set()
        replace_code(functions, compile_instrumented(self._source, str(self._path)))
        for function in functions:
            function.__globals__[HIT] = lines.add
        passed: list[_Test] = []
        for test, following in zip(tests, [*tests[1:], None]):
            lines.clear()
            start = time.process_time()
            item = None if following is None else following.item
            reports = runtestprotocol(test.item, log=False, nextitem=item)
            test.seconds = time.process_time() - start
            test.lines = set(lines)
            if any(report.failed for report in reports):
                print(f"fails without a change: {test.item.nodeid}", flush=True)
            else:
                passed.append(test)
        return passed

    def _try(self, mutant: Mutant, tests: list[_Test], functions: list[FunctionType]) -> str:
        is_recorded = not mutant.function.startswith("<lambda>")
        covering = [t for t in tests if not is_recorded or mutant.statement in t.lines]
        if not covering:
            return NOT_RUN
        covering.sort(key=lambda test: (not test.is_mirror, test.seconds))
        chosen: list[_Test] = []
        seconds = 0.0
        for test in covering:
            seconds += test.seconds
            if chosen and seconds > self._budget:
                break
            chosen.append(test)

        def attempt() -> str:
            replace_code(functions, compile_mutant(self._source, str(self._path), mutant.number))
            _clear_caches_of_tests()
            for test in chosen:
                if not test.passes():
                    return f"killed by {test.item.nodeid}"
            return SURVIVED

        return run_in_child(attempt, int(3 + 3 * seconds))


def _pytest_arguments(root: Path, files: Iterable[Path]) -> list[str]:
    quiet = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={root}"]
    return [*quiet, *map(str, files)]


def _try_import(path: Path, source: str, mutant: Mutant, related: Related, root: Path) -> str:
    """Runs the tests of the mirror folder in a process that imports the changed module."""
    module = _module_name(path, root)
    files = related.mirror or related.files

    def attempt() -> str:
        code = compile_mutant(source, str(path), mutant.number)
        sys.meta_path.insert(0, _ChangedModule(module, path, code))
        arguments = [*_pytest_arguments(root, files), "-x", "-m", "not slow"]
        return SURVIVED if pytest.main(arguments) == pytest.ExitCode.OK else "killed"

    return run_in_child(attempt, 120) if files else NOT_RUN


# Results


class State:
    """Results of earlier runs, one per line of a file.

    Arguments:
        path: path of the file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, tuple[str, str]] = {}
        self.read()

    def read(self) -> None:
        """Reads results that another process has kept."""
        if self._path.exists():
            for line in self._path.read_text().splitlines():
                key, tests, result = json.loads(line)
                self._found[key] = tests, result

    def get(self, mutant: Mutant, tests: str) -> str | None:
        """The result for a mutant; None if it has to be tried (again)."""
        tried_with, result = self._found.get(mutant.key, ("", None))
        if result in (SURVIVED, NOT_RUN) and tried_with != tests:
            return None
        return result

    def keep(self, mutant: Mutant, tests: str, result: str) -> None:
        """Adds the result for a mutant."""
        self._found[mutant.key] = tests, result
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a") as file:
            file.write(json.dumps([mutant.key, tests, result]) + "\n")


@dataclass
class Summary:
    """The results of a file by mutant."""

    file: str
    results: dict[Mutant, str]
    equivalent: set[Mutant]

    def survivors(self) -> list[Mutant]:
        """The mutants that no test has killed and that are not listed as equivalent."""
        return [
            mutant
            for mutant, result in self.results.items()
            if result in (SURVIVED, NOT_RUN) and mutant not in self.equivalent
        ]

    def lines(self) -> Iterator[str]:
        """The survivors and a summary."""
        survivors = self.survivors()
        for mutant in survivors:
            note = f"  ({NOT_RUN})" if self.results[mutant] == NOT_RUN else ""
            yield f"{self.file}:{mutant.line}: {mutant.function}: {mutant.kind}: {mutant.text}{note}"
        counts: list[str] = []
        for name, is_guard in (("guard", True), ("other", False)):
            tried = [m for m in self.results if m.is_guard == is_guard]
            if tried:
                alive = sum(m.is_guard == is_guard for m in survivors)
                equivalent = sum(m in self.equivalent for m in tried)
                killed = len(tried) - alive - equivalent
                counts.append(
                    f"{name} mutants: {len(tried)}, killed {killed}, equivalent {equivalent}, "
                    f"survived {alive}"
                )
        yield f"{self.file}: " + "; ".join(counts)


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table of equivalent mutants."""
    if not path.exists():
        return []
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def equivalent_mutants(path: Path, file: str) -> set[tuple[str, str, str]]:
    """The function, kind and text of the listed mutants of a file."""
    return {
        (row["function"], row["kind"], row["text"])
        for row in read_rows(path)
        if row["file"] == file
    }


def run_file(
    path: Path,
    *,
    root: Path = ROOT,
    guards: bool = False,
    extra: Sequence[Path] = (),
    state: State,
    equivalent: Path = EQUIVALENT,
    budget: float = 20,
    mirror_only: bool = False,
) -> Summary:
    """Tries the mutants of a file that have no result yet, and returns the results of all.

    Arguments:
        guards: whether only guard mutants are tried.
        extra: additional test files that belong to the mirror.
        budget: seconds of tests per mutant.
        mirror_only: whether to run only the tests of the mirror folder.
    """
    source = path.read_text()
    mutants = [m for m in mutants_of(source) if m.is_guard or not guards]
    related = related_tests(path, extra, root)
    if mirror_only:
        related = Related(related.mirror)
    fingerprint = related.fingerprint()
    name = str(path.relative_to(root))
    listed = equivalent_mutants(equivalent, name)
    known = {m for m in mutants if (m.function, m.kind, m.text) in listed}
    todo = [m for m in mutants if m not in known and state.get(m, fingerprint) is None]

    def keep(mutant: Mutant, result: str) -> None:
        state.keep(mutant, fingerprint, result)

    inner = [m for m in todo if m.function]
    if inner and related.files:
        child = os.fork()
        if child == 0:
            status: int = pytest.ExitCode.INTERNAL_ERROR
            try:
                trials = _Trials(root, path, source, inner, related, keep, budget)
                status = pytest.main(_pytest_arguments(root, related.files), [trials])
            finally:
                sys.stdout.flush()
                os._exit(status)
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError(f"{name}: the tests cannot be run")
        state.read()
    elif inner:
        for mutant in inner:
            keep(mutant, NOT_RUN)
    for mutant in todo:
        if not mutant.function:
            keep(mutant, _try_import(path, source, mutant, related, root))
    results = {m: state.get(m, fingerprint) or SURVIVED for m in mutants}
    missing = listed - {(m.function, m.kind, m.text) for m in mutants}
    for function, kind, text in sorted(missing) if not guards else ():
        print(f"{name}: no such mutant: {function}: {kind}: {text}", flush=True)
    return Summary(name, results, known)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="dev.mutants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--guards", action="store_true", help="only mutants of guards")
    parser.add_argument("--tests", nargs="*", type=Path, default=[], help="more tests of the files")
    parser.add_argument("--mirror", action="store_true", help="only tests of the mirror folder")
    parser.add_argument("--state", type=Path, default=STATE, help="where results are kept")
    parser.add_argument("--budget", type=float, default=20, help="seconds of tests per mutant")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder of the project")
    options = parser.parse_args(arguments)
    state = State(options.state)
    survived = False
    for file in options.files:
        summary = run_file(
            file.resolve(),
            root=options.root.resolve(),
            guards=options.guards,
            extra=[test.resolve() for test in options.tests],
            state=state,
            budget=options.budget,
            mirror_only=options.mirror,
        )
        for line in summary.lines():
            print(line, flush=True)
        survived |= any(mutant.is_guard for mutant in summary.survivors())
    return int(survived)


if __name__ == "__main__":
    sys.exit(main())
