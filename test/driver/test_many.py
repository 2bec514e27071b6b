"""Many modules at once: no result is lost or duplicated, whatever fails."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from helpers.faults import Broken, deadly, dies_once

import nvvm_xdsl
from nvvm_xdsl.driver import many, workers
from nvvm_xdsl.driver.cache import Cache
from nvvm_xdsl.driver.many import Compilation, compile_many
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools import nvvm_cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def kernel(number: int) -> str:
    return (
        f"define ptx_kernel void @k{number}(ptr %p) {{\n  store i32 {number}, ptr %p\n"
        "  ret void\n}\n"
    )


WRONG = "define void @wrong( {\n"
DEADLY = "; deadly\n" + kernel(99)


@pytest.fixture(autouse=True)
def _processors(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "processors", lambda: 2)


def numbers_of(results: list[Compilation]) -> list[int | None]:
    found: list[int | None] = []
    for result in results:
        _, _, rest = (result.ptx or "").partition(".entry k")
        found.append(int(rest.partition("(")[0]) if rest else None)
    return found


def test_results_of_workers_are_in_order():
    printed: list[Compilation] = []
    sources = [kernel(n) for n in range(5)]
    results = nvvm_xdsl.compile_many(sources, arch="sm_90", opt_level=1, done=printed.append)
    assert numbers_of(results) == [0, 1, 2, 3, 4]
    assert sorted(printed, key=results.index) == results
    assert results[3].unwrap() == nvvm_xdsl.compile(kernel(3), arch="sm_90", opt_level=1)


def test_every_kind_of_source():
    path = EXAMPLES / "saxpy.ll"
    sources = [path, path.read_text(), path.read_bytes(), nvvm_xdsl.parse(path)]
    results = compile_many(sources)
    assert {result.ptx for result in results} == {nvvm_xdsl.compile(path)}
    assert [result.name for result in results] == [str(path), *["<source>"] * 3]


def test_an_error_belongs_to_one_source(tmp_path: Path):
    missing = tmp_path / "missing.ll"
    results = compile_many([kernel(0), WRONG, missing, kernel(1)])
    assert numbers_of(results) == [0, None, None, 1]
    with pytest.raises(DiagnosticError) as caught:
        results[1].unwrap()
    with pytest.raises(DiagnosticError) as alone:
        nvvm_xdsl.compile(WRONG)
    assert caught.value.render() == alone.value.render()
    assert "no such file" in str(results[2].error)


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_worker_or_several(jobs: int):
    assert numbers_of(compile_many(iter([kernel(0), kernel(1)]), jobs=jobs)) == [0, 1]
    assert compile_many([], jobs=jobs) == []


def test_any_executor():
    with ThreadPoolExecutor(1) as executor:
        results = compile_many([kernel(0), WRONG, kernel(1)], executor=executor)
    assert numbers_of(results) == [0, None, 1]


def test_an_executor_that_fails():
    results = compile_many([kernel(n) for n in range(4)], executor=Broken())
    assert numbers_of(results) == [0, None, 2, None]
    assert "the machine has gone" in str(results[1].error)


def test_a_killed_worker_is_an_error_of_one_source(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(many, "compile_one", deadly)
    sources = [kernel(0), kernel(1), DEADLY, kernel(3), kernel(4)]
    results = compile_many(sources, jobs=2)
    assert numbers_of(results) == [0, 1, None, 3, 4]
    assert "killed" in str(results[2].error)


def refuse(*_: Any, **__: Any) -> str:
    raise MemoryError


def test_no_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(many, "compile_modules", refuse)
    (result,) = compile_many([kernel(0)], jobs=1)
    assert "out of memory" in str(result.error)


def endless(*_: Any, **__: Any) -> str:
    while True:
        pass


def test_an_endless_compilation(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(many, "compile_modules", endless)
    (result,) = compile_many([kernel(0)], jobs=1, options=CompileOptions(time_limit=0.05))
    assert "longer than its limit of 0.05 s" in str(result.error)


def test_the_cache(tmp_path: Path):
    cache = Cache(tmp_path)
    first = compile_many([kernel(0), WRONG], jobs=1, cache=cache)
    again = compile_many([kernel(0), WRONG], jobs=1, cache=cache)
    assert [r.cached for r in first] == [False, False]
    assert [r.cached for r in again] == [True, False]
    assert [r.ptx for r in first] == [r.ptx for r in again]
    assert cache.statistics()["entries"] == 1


def test_dask():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        with distributed.Client(cluster) as client:
            results = compile_many([kernel(0), WRONG], executor=client.get_executor())
    assert numbers_of(results) == [0, None]


@pytest.mark.slow
def test_a_killed_worker_of_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One of two worker processes is killed during a run: no result is lost or duplicated."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(many, "compile_one", dies_once)
    monkeypatch.setenv("DIES_ONCE", str(tmp_path / "died"))
    printed: list[Compilation] = []
    sources = [kernel(n) for n in range(12)]
    sources[5] = f"; deadly\n{sources[5]}"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        with distributed.Client(cluster) as client:
            executor = client.get_executor()
            results = compile_many(sources, executor=executor, done=printed.append)
    assert (tmp_path / "died").exists()
    assert numbers_of(results) == list(range(12))
    assert len(printed) == 12


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for number in range(3):
        (tmp_path / f"k{number}.ll").write_text(kernel(number))
    (tmp_path / "wrong.ll").write_text(WRONG)
    names = [str(tmp_path / f"{stem}.ll") for stem in ("k0", "k1", "k2")]
    (tmp_path / "list").write_text("\n".join([*names[1:], ""]))
    out = tmp_path / "out"
    assert nvvm_cc.main([names[0], f"@{tmp_path}/list", "-j", "2", "-o", str(out)]) == 0
    assert sorted(p.name for p in out.iterdir()) == ["k0.ptx", "k1.ptx", "k2.ptx"]
    assert nvvm_cc.main([names[1]]) == 0
    assert capsys.readouterr().out == (out / "k1.ptx").read_text()
    # Without -j they are linked.
    assert nvvm_cc.main([f"@{tmp_path}/list"]) == 0
    assert capsys.readouterr().out.count(".entry") == 2
    # A failing file does not prevent the others from being written.
    words = [str(tmp_path / "wrong.ll"), names[0], "-j1", "-o", str(tmp_path / "other")]
    assert nvvm_cc.main(words) == 1
    reported = capsys.readouterr().err
    assert "wrong.ll:2:1: error:" in reported
    assert [p.name for p in (tmp_path / "other").iterdir()] == ["k0.ptx"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.ll", "-j2"], "names a directory"),
        (["a.ll", "b/a.ll", "-j2", "-o", "out"], "would both be written to"),
        (["a.ll", "-j", "-1", "-o", "out"], "expected a number of processes"),
        (["@missing"], "no such file"),
        (["@empty"], "no input files"),
    ],
)
def test_wrong_command_lines(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text("\n")
    assert nvvm_cc.main(words) == 1
    reported = capsys.readouterr().err
    assert message in reported
    assert len(reported.splitlines()) == 1


@pytest.mark.parametrize(
    ("jobs", "count"), [("1", 40), pytest.param("2", 1000, marks=pytest.mark.slow)]
)
def test_many_files_and_an_invalid_one(
    jobs: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Remarks come once, then the errors, and the summary last; a pipe shows no progress."""
    names: list[str] = []
    for number in range(count):
        path = tmp_path / f"k{number}.ll"
        path.write_text(f"define ptx_kernel void @k{number}(ptr %p) {{\n  ret void\n}}\n")
        names.append(str(path))
    Path(names[7]).write_text("define ptx_kernel void @k7(ptr %p) {\n  rte void\n}\n")
    (tmp_path / "list").write_text("\n".join(names))
    out = tmp_path / "out"
    assert nvvm_cc.main([f"@{tmp_path / 'list'}", "-j", jobs, "-o", str(out)]) == 1
    reported = capsys.readouterr().err
    lines = reported.splitlines()
    assert reported.count("has no target triple") == 1
    assert lines[0].startswith(f"remark: {names[0]} and {count - 2} more files: the module has no ")
    assert f"{names[7]}:2:3: error: " in reported
    assert lines[-1] == f"{count - 1} of {count} files compiled; failed: {names[7]}"
    assert len(list(out.glob("*.ptx"))) == count - 1
    assert "\x1b" not in reported
