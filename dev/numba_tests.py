"""Runs numba-cuda's own tests with this compiler, on the simulator.

    python -m dev.numba_tests                         # all tests of kernels
    python -m dev.numba_tests test_atomics --results results.jsonl

Needs numba-cuda, NVIDIA's nvrtc and libdevice (`pip install 'nvvm-xdsl[numba]' nvidia-cuda-nvrtc`) and a
C compiler. Each test compiles kernels with this package, launches them with the simulated driver, and
checks the results with NumPy. Names are modules of `numba.cuda.tests.cudapy`, with or without a class
and a test. Modules that need several devices, processes or CuPy are left out.

With `--results` an interrupted run continues. Tests that need what the driver lacks, such as link-time
code, fail as well; the last line of each failure and the driver's error are printed. The exit status is
1 if a test fails.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

SUITE: Final = "numba.cuda.tests.cudapy"
LEFT_OUT: Final = ("test_multi", "test_ipc", "test_cupy")
"""Prefixes of modules that need several devices, processes or CuPy."""

READY: Final = "NVVM_XDSL_SIMULATED_DRIVER"
"""Set in processes that start with the simulated driver."""

SITE: Final = f"""\
import sys
sys.path[:0] = {[str(Path(__file__).resolve().parents[1])]!r}
from dev.numba_tests import start
start()
"""
"""A `sitecustomize` module: processes that tests start need the driver, too."""


def start() -> None:
    """Installs the driver in this process, and the compiler when Numba is imported."""
    from nvvm_xdsl.integrations import simulated_driver

    simulated_driver.install()
    sys.meta_path.insert(0, _InstallsCompiler())


class _InstallsCompiler:
    """Installs the compiler in Numba at the import of the module that calls it."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name == "numba.cuda.dispatcher":
            sys.meta_path.remove(self)
            from nvvm_xdsl.integrations import numba

            numba.install()


class _Results(unittest.TestResult):
    """Writes the result of each test as a line of JSON, and prints failures."""

    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self.counts = Counter[str]()
        self._path = path
        self._outcome = "passed"
        self._text = ""
        self._start = 0.0

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._outcome, self._text, self._start = "passed", "", time.monotonic()
        _driver().errors.clear()

    def _failed(self, test: unittest.TestCase, err: Any) -> None:
        self._outcome = "failed"
        self._text = "".join(traceback.format_exception(*err))

    addError = addFailure = _failed

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        if err is not None:
            self._failed(test, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._outcome, self._text = "skipped", reason

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self.counts[self._outcome] += 1
        errors = _driver().errors[:3]
        if self._outcome == "failed":
            last = self._text.strip().splitlines()[-1]
            print(f"{test.id().removeprefix(SUITE + '.')}: {last[:300]}", *errors, sep="\n  ")
        if self._path is not None:
            row: dict[str, Any] = {
                "test": test.id(),
                "outcome": self._outcome,
                "text": self._text[-2000:],
                "errors": errors,
                "seconds": round(time.monotonic() - self._start, 2),
            }
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row) + "\n")


def _driver() -> Any:
    from nvvm_xdsl.integrations import simulated_driver

    return simulated_driver.install()


def _single(suite: Iterable[Any]) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _single(item)
        else:
            yield item


def _names(wanted: Sequence[str]) -> list[str]:
    if wanted:
        return [f"{SUITE}.{name}" for name in wanted]
    package = importlib.import_module(SUITE)
    names = sorted(m.name for m in pkgutil.iter_modules(package.__path__))
    return [f"{SUITE}.{n}" for n in names if n.startswith("test_") and not n.startswith(LEFT_OUT)]


def _run(names: Sequence[str], results: Path | None, seconds: int) -> int:
    """Runs the tests one by one; returns the exit status."""
    done: set[str] = set()
    if results is not None and results.exists():
        done = {json.loads(line)["test"] for line in results.read_text().splitlines()}

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} seconds")

    signal.signal(signal.SIGALRM, stop)
    warnings.simplefilter("ignore")
    found = _Results(results)
    for name in _names(names):
        for test in _single(unittest.defaultTestLoader.loadTestsFromName(name)):
            if test.id() not in done:
                signal.alarm(seconds)
                unittest.TestSuite([test]).run(found)
                signal.alarm(0)
    print(", ".join(f"{n} {outcome}" for outcome, n in sorted(found.counts.items())) or "no tests")
    return 1 if found.counts["failed"] else 0


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="modules, classes or tests")
    parser.add_argument("--results", type=Path, help="a file of JSON lines with the outcomes")
    parser.add_argument("--seconds", type=int, default=120, help="time limit of a test")
    args = parser.parse_args(argv)
    if READY in os.environ:
        return _run(args.names, args.results, args.seconds)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(SITE, encoding="utf-8")
        paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
        added = {"PYTHONPATH": os.pathsep.join(paths), READY: "1"}
        call = "import sys; from dev.numba_tests import main; sys.exit(main(sys.argv[1:]))"
        command = [sys.executable, "-c", call, *(sys.argv[1:] if argv is None else argv)]
        return subprocess.run(command, env=os.environ | added, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
