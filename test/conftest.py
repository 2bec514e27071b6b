"""Collects the lit tests beside the Python tests, so that one summary counts both."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from helpers import lit_format
from hypothesis import settings

# Every run tries the same examples; `--hypothesis-profile=default` tries new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# Without a bytecode cache, workers and command lines would compile all modules: seconds each.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# IR consists of cycles that live as long as a test: frequent collections find nothing.
gc.set_threshold(50_000, 20, 20)
# No test uses the compilation cache of another run.
os.environ.pop("NVVM_XDSL_CACHE_DIR", None)
# A shell's background job ignores interrupts, and processes that the tests start would inherit
# that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Excludes the objects of collection from garbage collections.

    They exist until the end. Each full collection would traverse all of them.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


class LitFailure(Exception):
    """A RUN line failed."""


class LitItem(pytest.Item):
    """All RUN lines of one file."""

    def runtest(self) -> None:
        outcome = lit_format.run_test(self.path)
        if outcome.status == "skip":
            pytest.skip(outcome.message)
        if outcome.status == "fail":
            raise LitFailure(outcome.message)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, LitFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"lit: {self.path.relative_to(lit_format.ROOT)}"


class LitFile(pytest.File):
    """A `.mlir` or `.ll` file with RUN lines."""

    def collect(self) -> Iterator[LitItem]:
        yield LitItem.from_parent(self, name="lit")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LitFile | None:
    if file_path.suffix in lit_format.SUFFIXES and lit_format.read_script(file_path) is not None:
        return LitFile.from_parent(parent, path=file_path)
    return None
