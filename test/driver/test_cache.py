"""The cache on disk returns the stored results, and its faults are not reported as errors."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nvvm_xdsl.driver import cache as module
from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.driver.cache import Cache, Entry, cache_from, key_of
from nvvm_xdsl.driver.files import CACHE_VARIABLE
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.tools import nvvm_cc

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "define ptx_kernel void @k(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n"
ENTRY = Entry("ptx\udcff", ("one", "two"))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    path = tmp_path / "k.ll"
    path.write_text(KERNEL)
    return str(path)


def test_stored_results_are_found(cache: Cache):
    assert cache.get("a") is None
    cache.put("a", ENTRY)
    assert cache.get("a") == ENTRY
    assert cache.get("b") is None
    # At first there was no cache to count in.
    found = cache.statistics()
    assert (found["entries"], found["hits"], found["misses"], found["stored"]) == (1, 1, 1, 1)
    cache.clear()
    assert cache.get("a") is None


def test_fields_of_the_key():
    options = CompileOptions(arch="sm_90")
    inputs = [("a.ll", b"text")]
    key = key_of(inputs, options)
    assert key == key_of([("b.ll", b"text")], options)
    assert key == key_of(inputs, CompileOptions(arch="sm_90", split_compile=4, time_limit=9.0))
    others = [
        key_of([("a.mlir", b"text")], options),
        key_of([("a.ll", b"text2")], options),
        key_of([("a.ll", b"te"), ("b.ll", b"xt")], options),
        key_of(inputs, CompileOptions(arch="sm_80")),
        key_of(inputs, CompileOptions(arch="sm_90", opt_level=1)),
        key_of(inputs, CompileOptions(arch="sm_90", pass_options="-do-licm=0")),
        key_of(inputs, CompileOptions(arch="sm_90", libdevice=Path(__file__))),
    ]
    assert len({key, *others}) == 1 + len(others)


def test_a_new_compiler_ignores_old_entries(monkeypatch: pytest.MonkeyPatch):
    key = key_of([("a.ll", b"")], CompileOptions())
    monkeypatch.setattr(module, "compiler", lambda: "another")
    assert key_of([("a.ll", b"")], CompileOptions()) != key


def test_the_least_used_entries_are_evicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    clock = iter(range(1000))
    monkeypatch.setattr(module.time, "time", lambda: next(clock))
    cache = Cache(tmp_path, size=1000)
    for name in "abc":
        cache.put(name, Entry(name * 300))
    assert cache.get("a") is not None
    cache.put("d", Entry("d" * 300))
    assert cache.get("b") is None
    assert all(cache.get(name) for name in "acd")
    cache.put("large", Entry("x" * 2000))
    assert cache.get("large") is None
    found = cache.statistics()
    assert found["evicted"] == 1
    assert found["bytes"] <= 1000


def test_a_clock_that_is_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    clock = iter([500.0, 501.0, 3.0, 4.0, 5.0])
    monkeypatch.setattr(module.time, "time", lambda: next(clock))
    cache = Cache(tmp_path, size=1000)
    for name in "ab":
        cache.put(name, Entry(name * 300))
    assert cache.get("a") is not None
    cache.put("c", Entry("c" * 300))
    cache.put("d", Entry("d" * 300))
    monkeypatch.undo()
    assert {name for name in "abcd" if cache.get(name)} == set("acd")


def test_a_broken_entry_is_a_miss(cache: Cache):
    cache.put("a", ENTRY)
    with sqlite3.connect(cache.path) as base:
        base.execute("UPDATE entries SET data = ?", (b'["other", []]',))
    base.close()
    assert cache.get("a") is None
    assert cache.statistics()["broken"] == 1
    cache.put("a", ENTRY)
    assert cache.get("a") == ENTRY


@pytest.mark.parametrize("content", [b"not a database" * 100, b""])
def test_a_broken_file_is_replaced(cache: Cache, content: bytes):
    cache.path.parent.mkdir()
    cache.path.write_bytes(content)
    assert cache.get("a") is None
    cache.put("a", ENTRY)
    assert cache.get("a") == ENTRY


def test_a_truncated_file(cache: Cache):
    for number in range(50):
        cache.put(str(number), Entry("x" * 1000))
    data = cache.path.read_bytes()
    cache.path.write_bytes(data[: len(data) // 2])
    for number in range(50):
        assert cache.get(str(number)) in (None, Entry("x" * 1000))
        cache.put(str(number), Entry("y" * 1000))
    cache.put("last", ENTRY)
    assert cache.get("last") == ENTRY


def test_an_unwritable_cache(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    cache.put("a", ENTRY)
    # The superuser can write to all files.
    monkeypatch.setattr(module.os, "access", lambda *_: False)
    before = cache.path.read_bytes()
    assert cache.get("a") == ENTRY
    cache.put("b", ENTRY)
    assert cache.get("b") is None
    assert cache.path.read_bytes() == before


def test_a_directory_that_cannot_be_created(tmp_path: Path):
    (tmp_path / "file").touch()
    cache = Cache(tmp_path / "file" / "below")
    cache.put("a", ENTRY)
    assert cache.get("a") is None
    assert cache.statistics()["entries"] == 0


def test_a_full_disk(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    cache.put("a", ENTRY)
    connect = sqlite3.connect

    def small(*arguments: Any, **options: Any) -> sqlite3.Connection:
        base = connect(*arguments, **options)
        base.execute("PRAGMA max_page_count = 8")
        return base

    monkeypatch.setattr(module.sqlite3, "connect", small)
    cache.put("large", Entry("x" * 100_000))
    monkeypatch.undo()
    assert cache.get("large") is None
    assert cache.get("a") == ENTRY


def test_a_locked_cache_is_a_miss(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    cache.put("a", ENTRY)
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.01)
    other = sqlite3.connect(cache.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert cache.get("a") is None
    cache.put("b", ENTRY)
    other.execute("ROLLBACK")
    other.close()
    assert cache.get("a") == ENTRY
    assert cache.get("b") is None


def _fill(directory: str, first: int) -> None:
    cache = Cache(directory)
    for number in range(first, first + 20):
        cache.put(str(number % 30), Entry(str(number % 30) * 100))


def test_many_writers(tmp_path: Path):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_fill, args=(str(tmp_path), n * 10)) for n in range(3)]
    for process in writers:
        process.start()
    for process in writers:
        process.join(60)
        assert process.exitcode == 0
    cache = Cache(tmp_path)
    for number in range(30):
        assert cache.get(str(number)) == Entry(str(number) * 100)
    assert cache.statistics()["stored"] == 60


def test_a_compilation(
    cache: Cache, kernel: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    words = [kernel, "--cache-dir", str(cache.path.parent)]
    assert nvvm_cc.main(words) == 0
    first = capsys.readouterr()
    assert "remark" in first.err
    assert nvvm_cc.main([*words, "--time-passes"]) == 0
    capsys.readouterr()
    assert cache.statistics()["hits"] == 0

    def never(*_: object, **__: object) -> str:
        raise AssertionError

    monkeypatch.setattr(driver, "compile_modules", never)
    assert nvvm_cc.main(words) == 0
    second = capsys.readouterr()
    assert second == first
    assert cache.statistics()["hits"] == 1


@pytest.fixture
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (CACHE_VARIABLE, module.SIZE_VARIABLE):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("_no_variables")
def test_default_location(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert cache_from() is None
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    found = cache_from()
    assert found is not None
    assert found.path.parent == tmp_path
    assert found.size == module.DEFAULT_SIZE
    monkeypatch.setenv(module.SIZE_VARIABLE, "1000")
    other = cache_from(tmp_path / "other")
    assert other is not None
    assert (other.path.parent, other.size) == (tmp_path / "other", 1000)
    monkeypatch.setenv(module.SIZE_VARIABLE, "much")
    assert cache_from() is not None


def test_statistics_are_printed(cache: Cache):
    cache.put("a", ENTRY)
    command = [sys.executable, "-m", "nvvm_xdsl.driver.cache", str(cache.path.parent)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "entries  1" in done.stdout
    assert module.main([str(cache.path.parent), "--clear"]) == 0
    assert cache.statistics()["entries"] == 0
