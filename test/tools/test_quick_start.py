"""What a start imports, and the methods of dataclasses that are kept on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.tools.man_pages import TOOLS

HEAVY = {
    *("numpy", "scipy", "networkx", "matplotlib", "rich", "llvmlite", "numba", "triton"),
    *("xdsl", "dataclasses", "inspect", "importlib.metadata", "difflib"),
}
"""What a start without a compilation must not import."""

UNUSED = {
    *("subprocess", "fractions", "decimal", "json", "nvvm_xdsl.codegen.emission.dwarf.lines"),
    *("hashlib", "sqlite3", "multiprocessing", "concurrent", "logging", "traceback", "pickle"),
    *("nvvm_xdsl.simulator", "nvvm_xdsl.testing", "nvvm_xdsl.report", "nvvm_xdsl.export"),
    *("nvvm_xdsl.driver.cache", "nvvm_xdsl.driver.workers", "nvvm_xdsl.frontend.mlir_reader"),
    *("nvvm_xdsl.passes.loop.licm", "nvvm_xdsl.analysis.scev.scalar_evolution"),
    *("nvvm_xdsl.passes.ipo.inline", "nvvm_xdsl.passes.scalar.sroa"),
}
"""What a compilation at -O3 must not import that has no loops, calls, variables and debug information."""

RUN = "import runpy, sys; sys.argv = {}; runpy.run_module('nvvm_xdsl.tools.nvvm_cc', run_name='__main__')"

START = "import sys; sys.argv = ['tool', {1!r}]; from {0} import main; main()"

OPTIONS = ("--help", "--version")

LIGHT = [module for name, module in TOOLS.items() if name != "nvvm-opt"]
"""The tools whose command line needs nothing of xDSL's."""

POINT = """
from nvvm_xdsl.tools.quick_start import remember
remember()
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
print(Point(1), Point(1) == Point(1, 2), len({Point(1), Point(1)}), Point(1) == Point(2))
"""

PAIR = """
from nvvm_xdsl.tools.quick_start import remember
remember()
from collections import namedtuple
from typing import NamedTuple
class Pair(NamedTuple):
    left: int
    right: int = 2
print(Pair(1), Pair(1) == (1, 2), Pair(1)._replace(left=3), namedtuple("Other", "a b")(b=1, a=2))
"""

PATTERN = """
from nvvm_xdsl.tools.quick_start import remember
remember()
import re
{then}
found = re.compile(r"(?P<word>[a-z]+)(?:=(\\d+))?", re.IGNORECASE)
print(found.flags, found.groups, dict(found.groupindex), found.pattern)
print(found.fullmatch("Ab=12").groupdict(), found.match("x").groups(), found.sub(r"<\\g<word>>", "a b=1"))
print(re.split(b"[,;]", b"a;b"), bool(re.compile(r"ß", re.ASCII | re.VERBOSE)))
"""

SHOWN = "Point(x=1, y=2) True 1 False\n"


def python(source: str, **variables: str) -> str:
    """What a process prints that runs the source."""
    environment: Mapping[str, str] = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", source], env=environment, capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        ("import nvvm_xdsl", set[str]()),
        *((START.format(module, option), set[str]()) for module in LIGHT for option in OPTIONS),
        (START.format("nvvm_xdsl.tools.nvvm_opt", "--version"), {"importlib.metadata"}),
        (
            START.format("nvvm_xdsl.tools.nvvm_opt", "--help"),
            {"xdsl", "dataclasses", "inspect", "importlib.metadata"},
        ),
    ],
)
def test_modules_of_a_start(source: str, needed: set[str]) -> None:
    at_exit = "import atexit, sys; atexit.register(lambda: print('\\n@', *sys.modules)); "
    modules = set(python(at_exit + source).rpartition("@")[2].split())
    assert "nvvm_xdsl" in modules
    assert modules & HEAVY <= needed


def test_modules_of_a_compilation(tmp_path: Path) -> None:
    kernel = Path(__file__).parents[2] / "examples" / "saxpy.ll"
    arguments = ["nvvm-cc", str(kernel), "-o", str(tmp_path / "out.ptx")]
    at_exit = "import atexit, sys; atexit.register(lambda: print('@', *sys.modules)); "
    shown = python(at_exit + RUN.format(arguments), XDG_CACHE_HOME=str(tmp_path))
    modules = set(shown.partition("@")[2].split())
    assert not modules & (HEAVY - {"xdsl", "dataclasses", "inspect"})
    assert "nvvm_xdsl.passes.scalar.gvn" in modules
    assert not modules & UNUSED
    assert ".entry saxpy" in (tmp_path / "out.ptx").read_text()
    assert len(list(tmp_path.glob("nvvm-xdsl/*.marshal"))) == 1


def test_kept_methods(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert python(POINT, XDG_CACHE_HOME=folder) == SHOWN
    (kept,) = (tmp_path / "nvvm-xdsl").iterdir()
    first = kept.read_bytes()
    assert python(POINT, XDG_CACHE_HOME=folder) == SHOWN
    assert kept.read_bytes() == first
    # What was cut off, or is something else, is made anew.
    for broken in (first[: len(first) // 2], b"", b"no marshal at all"):
        kept.write_bytes(broken)
        assert python(POINT, XDG_CACHE_HOME=folder) == SHOWN
        assert kept.read_bytes() == first
    assert list((tmp_path / "nvvm-xdsl").iterdir()) == [kept]


def test_kept_named_tuples(tmp_path: Path) -> None:
    shown = "Pair(left=1, right=2) True Pair(left=3, right=2) Other(a=2, b=1)\n"
    for _ in range(2):
        assert python(PAIR, XDG_CACHE_HOME=str(tmp_path)) == shown
    counted = "import builtins\nbuiltins.compile = None\n" + PAIR
    assert python(counted, XDG_CACHE_HOME=str(tmp_path)) == shown


def test_kept_methods_are_used(tmp_path: Path) -> None:
    python(POINT, XDG_CACHE_HOME=str(tmp_path))
    counted = "import builtins\nbuiltins.compile = None\n" + POINT
    assert python(counted, XDG_CACHE_HOME=str(tmp_path)) == SHOWN


def test_kept_patterns(tmp_path: Path) -> None:
    folder = str(tmp_path)
    first = python(PATTERN.format(then=""), XDG_CACHE_HOME=folder)
    assert first == python(PATTERN.format(then=""), PYTHONDONTWRITEBYTECODE="1")
    assert python(PATTERN.format(then=""), XDG_CACHE_HOME=folder) == first
    # Those of bytes alone are compiled again.
    parser = "stock = re._parser.parse\nre._parser.parse = lambda text, *a: stock(text, *a) if isinstance(text, bytes) else None"
    assert python(PATTERN.format(then=parser), XDG_CACHE_HOME=folder) == first


SCRIPT = """
import re
import gc
from dataclasses import dataclass
{before}
import nvvm_xdsl
@dataclass
class Point:
    x: int
assert nvvm_xdsl.compile("define void @f() {{\\n  ret void\\n}}").count("f()") == 1
@dataclass(order=True)
class Other:
    unlikely_name_of_a_field: int
assert "unlikely_name_of_a_field: int" in Other.__doc__
assert re.match("unlikely_(pattern)", "unlikely_pattern")
print(gc.isenabled(), gc.get_freeze_count() > 10_000)
"""


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("", "True True\n"),
        ("gc.disable()", "False True\n"),
        ("others = [[] for _ in range(100_000)]", "True False\n"),
    ],
    ids=["as usual", "no collections", "many objects"],
)
def test_a_script(tmp_path: Path, before: str, shown: str) -> None:
    """Its collector stays as it was, and its own classes are not kept."""
    assert python(SCRIPT.format(before=before), XDG_CACHE_HOME=str(tmp_path)) == shown
    (kept,) = (tmp_path / "nvvm-xdsl").iterdir()
    assert len(kept.read_bytes()) > 100_000
    assert b"unlikely" not in kept.read_bytes()


IMPORTING = """
import gc
from nvvm_xdsl.tools.quick_start import importing
with importing():
    pass
before = gc.get_freeze_count()
with importing():
    import nvvm_xdsl.dialects.llvm
between = gc.get_freeze_count()
objects = [[] for _ in range(10)]
with importing():
    import nvvm_xdsl.dialects.llvm
print(before, between > 10_000, gc.get_freeze_count() - between)
"""


def test_what_is_exempt_from_collections(tmp_path: Path) -> None:
    """What an import makes, and nothing where nothing is imported."""
    assert python(IMPORTING, XDG_CACHE_HOME=str(tmp_path)) == "0 True 0\n"


@pytest.mark.parametrize("folder", ["/dev/null/there", "relative", "/proc/self"])
def test_no_folder_for_methods(folder: str) -> None:
    assert python(POINT, XDG_CACHE_HOME=folder, HOME="/dev/null") == SHOWN


def test_nothing_is_kept_where_no_bytecode_is(tmp_path: Path) -> None:
    assert python(POINT, XDG_CACHE_HOME=str(tmp_path), PYTHONDONTWRITEBYTECODE="1") == SHOWN
    assert not list(tmp_path.iterdir())


def test_processes_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    running = [
        subprocess.Popen([sys.executable, "-c", POINT], env=environment, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [process.communicate()[0].decode() for process in running] == [SHOWN] * 4
    assert len(list((tmp_path / "nvvm-xdsl").iterdir())) == 1


def test_version() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION
