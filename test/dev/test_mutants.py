"""Mutation testing, on generated files and on a small project in another folder."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

from dev import mutants
from dev.mutant_sources import (
    HIT,
    Mutant,
    compile_instrumented,
    compile_mutant,
    mutants_of,
)

ROOT = Path(__file__).parents[2]


def functions_of(source: str, number: int) -> dict[str, object]:
    """Returns the names that a mutant of a file defines."""
    names: dict[str, object] = {}
    exec(compile_mutant(source, "made.py", number), names)
    return names


def found(source: str) -> list[tuple[str, str]]:
    return [(mutant.kind, mutant.text) for mutant in mutants_of(source)]


GUARD = """
def f(x, y):
    if x and y:
        return 1
    return 2
"""


def test_the_mutants_of_a_guard():
    assert found(GUARD) == [
        ("delete guard", "x and y"),
        ("drop operand", "x"),
        ("drop operand", "y"),
        ("change constant", "1"),
        ("change constant", "2"),
    ]
    inputs = [(False, False), (False, True), (True, False), (True, True)]
    results = [[functions_of(GUARD, n)["f"](*i) for i in inputs] for n in range(-1, 5)]  # type: ignore[operator]
    assert results == [
        [2, 2, 2, 1],
        [2, 2, 2, 2],
        [2, 1, 2, 1],
        [2, 2, 1, 1],
        [2, 2, 2, 2],
        [3, 3, 3, 1],
    ]


CLOSURE = """
def make(flag):
    def f(x):
        if x and flag:
            return 1
        return 2
    return f
"""


def test_mutants_of_closures_keep_the_free_variables():
    """The code of a function can only be replaced by code with as many."""
    for mutant in mutants_of(CLOSURE):
        function = functions_of(CLOSURE, mutant.number)["make"](True)  # type: ignore[operator]
        assert function.__code__.co_freevars == ("flag",)


KINDS = {
    "if a:\n  b = c": [("drop condition", "a")],
    "if a:\n  return": [("delete guard", "a")],
    "if a:\n  return\nelse:\n  b = c": [("drop condition", "a")],
    "return [b for b in c if a]": [("drop filter", "a")],
    "return a or b": [("drop operand", "a"), ("drop operand", "b")],
    "return a < b": [("flip", "a < b")],
    "return not a": [("flip", "not a")],
    "return True": [("change constant", "True")],
    "a.add(b)": [("skip update", "a.add(b)")],
    "a += b": [("skip update", "a += b")],
    "SPLIT.add()": [],
    "assert a < 3": [],
    "raise ValueError(3)": [],
    "return f'{a + 1}'": [],
    "b: Literal[3] = a": [],
}


@pytest.mark.parametrize("body", KINDS)
def test_kinds(body: str):
    source = "def f(a, b, c):\n" + "".join(f"  {line}\n" for line in body.splitlines())
    assert found(source) == KINDS[body]


def test_equal_texts_are_numbered():
    source = "def f(a, b):\n    return (a and b, a and b)\n"
    assert [m.text for m in mutants_of(source)] == ["a", "b", "a #2", "b #2"]


def test_a_key_changes_with_its_function_only():
    def keys(source: str) -> list[str]:
        return [mutant.key for mutant in mutants_of(source)]

    other = "def g():\n    return 5\n"
    assert keys(GUARD + other)[:5] == keys(GUARD)
    assert keys(other + GUARD)[1:] == keys(GUARD)
    assert not set(keys(GUARD.replace("return 2", "return 3"))) & set(keys(GUARD))
    assert len(set(keys(GUARD))) == 5


def test_locations_of_mutants():
    source = "N = 3\nclass C:\n    def f(self, n=4):\n        return [\n            5,\n        ]\n"
    assert [(m.function, m.line, m.statement) for m in mutants_of(source)] == [
        ("", 1, 1),
        ("", 3, 3),
        ("C.f", 5, 4),
    ]


def test_executed_statements_are_reported():
    source = (
        GUARD
        + "def g(x):\n    for _ in x:\n        try:\n            f(0, 0)\n        finally:\n            y = 1\n"
    )
    names: dict[str, object] = {HIT: (lines := set()).add}
    exec(compile_instrumented(source, "made.py"), names)
    function = names["f"]
    assert isinstance(function, FunctionType)
    assert function(1, 1) == 1
    assert lines == {3, 4}
    names["g"]([1])  # type: ignore[operator]
    assert lines == {3, 4, 5, 7, 8, 9, 11}


def test_code_of_functions_is_replaced(tmp_path: Path):
    path = tmp_path / "made.py"
    names: dict[str, object] = {}
    exec(compile(GUARD, str(path), "exec"), names)
    # Functions are found although the collector ignores them.
    gc.freeze()
    functions = mutants.live_functions(path)
    assert functions == [names["f"]]
    mutants.replace_code(functions, compile_mutant(GUARD, str(path), 0))
    assert functions[0](1, 1) == 2


def test_a_child_that_hangs_is_a_timeout():
    def hang() -> str:
        while True:
            pass

    assert mutants.run_in_child(hang, 1) == mutants.TIMEOUT
    assert mutants.run_in_child(lambda: "killed", 5) == "killed"
    assert mutants.run_in_child(lambda: "", 5) == mutants.SURVIVED


def test_related_tests():
    path = ROOT / "nvvm_xdsl" / "passes" / "scalar" / "dfa_jump_threading.py"
    related = mutants.related_tests(path)
    assert [test.name for test in related.mirror] == [
        "dfa_jump_threading.mlir",
        "test_dfa_jump_threading.py",
    ]
    assert related.words == {"dfa-jump-threading"}
    assert ROOT / "test" / "passes" / "test_each_pass.py" in related.others
    assert path not in related.files


PASS = """
LIMIT = 8

def is_small(n, is_volatile):
    if is_volatile:
        return False
    return n < LIMIT

def never_called(n):
    if n:
        return 1
    return 2
"""
TEST = """
from nvvm_xdsl.passes.made import is_small

def test_small():
    assert is_small(3, False)
    assert not is_small(9, False)

def test_last():
    assert not is_small(8, False)
"""
NOT_IF_VOLATILE = """
def test_not_if_volatile():
    assert not is_small(3, True)
"""


def run_tool(root: Path, *arguments: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, "-m", "dev.mutants", "nvvm_xdsl/passes/made.py", "--root", ".",
         "--state", "state.jsonl", *arguments],
        cwd=root, env={**os.environ, "PYTHONPATH": f"{root}:{ROOT}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("nvvm_xdsl")]
    return done.returncode, lines


def test_a_project(tmp_path: Path):
    folder = tmp_path / "nvvm_xdsl" / "passes"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    (folder / "made.py").write_text(PASS)
    tests = tmp_path / "test" / "passes"
    tests.mkdir(parents=True)
    (tests / "test_made.py").write_text(TEST)

    status, lines = run_tool(tmp_path, "--guards")
    assert status == 1
    file = "nvvm_xdsl/passes/made.py"
    assert lines == [
        f"{file}:5: is_small: delete guard: is_volatile",
        f"{file}:10: never_called: delete guard: n  (no test runs the statement)",
        f"{file}: guard mutants: 2, killed 0, equivalent 0, survived 2",
    ]

    # Survivors are tried again after the tests change; killed mutants are not.
    (tests / "test_made.py").write_text(TEST + NOT_IF_VOLATILE)
    status, lines = run_tool(tmp_path)
    assert lines[-1] == (
        f"{file}: guard mutants: 2, killed 1, equivalent 0, survived 1; "
        "other mutants: 5, killed 3, equivalent 0, survived 2"
    )
    known = (tmp_path / "state.jsonl").read_text()
    assert run_tool(tmp_path) == (status, lines)
    assert (tmp_path / "state.jsonl").read_text() == known
    assert (folder / "made.py").read_text() == PASS


def test_equivalent_mutants(tmp_path: Path):
    mutant = Mutant("f", 3, 3, "delete guard", "x", 0, "key")
    summary = mutants.Summary("a.py", {mutant: mutants.SURVIVED}, {mutant})
    assert list(summary.lines()) == ["a.py: guard mutants: 1, killed 0, equivalent 1, survived 0"]
    table = tmp_path / "table.csv"
    table.write_text('file,function,kind,text,reason\na.py,f,delete guard,"x, y",because\n')
    assert mutants.equivalent_mutants(table, "a.py") == {("f", "delete guard", "x, y")}
    assert mutants.equivalent_mutants(table, "b.py") == set()


def test_the_table_has_reasons():
    rows = mutants.read_rows(mutants.EQUIVALENT)
    assert all(row["reason"] and (ROOT / row["file"]).exists() for row in rows)
