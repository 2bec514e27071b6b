"""Startup: imported modules, cached dataclass methods, and the state of a host process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

from nvvm_xdsl.ir.code_files import read_codes
from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.tools.man_pages import TOOLS

HEAVY = {
    *("numpy", "scipy", "networkx", "matplotlib", "rich", "llvmlite", "numba", "triton"),
    *("xdsl", "dataclasses", "inspect", "importlib.metadata", "difflib"),
}
"""Modules that must not be imported at startup without a compilation."""

UNUSED = {
    *("subprocess", "fractions", "decimal", "json", "nvvm_xdsl.codegen.emission.dwarf.lines"),
    *("hashlib", "sqlite3", "multiprocessing", "concurrent", "logging", "traceback", "pickle"),
    *("nvvm_xdsl.simulator", "nvvm_xdsl.lab", "nvvm_xdsl.lab.report", "nvvm_xdsl.export"),
    *("nvvm_xdsl.driver.cache", "nvvm_xdsl.driver.workers", "nvvm_xdsl.frontend.mlir_reader"),
    *("nvvm_xdsl.passes.loop.licm", "nvvm_xdsl.analysis.scev.scalar_evolution"),
    *("nvvm_xdsl.passes.ipo.inline", "nvvm_xdsl.passes.scalar.sroa"),
    *("importlib.resources", "tempfile", "shutil"),
}
"""Modules that a compilation at -O3 without loops, calls, variables and debug information must not import."""

RUN = "import runpy, sys; sys.argv = {}; runpy.run_module('nvvm_xdsl.tools.nvvm_cc', run_name='__main__')"

START = "import sys; sys.argv = ['tool', {1!r}]; from {0} import main; main()"

OPTIONS = ("--help", "--version")

ARGPARSE = "import argparse; argparse.ArgumentParser().format_help()"
"""Since Python 3.14 argparse imports dataclasses."""

LIGHT = [module for name, module in TOOLS.items() if name != "nvvm-opt"]
"""Tools whose command line needs no module of xDSL."""

POINT = """
from nvvm_xdsl.tools.startup_cache import cache_dataclass_methods
cache_dataclass_methods()
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
print(Point(1), Point(1) == Point(1, 2), len({Point(1), Point(1)}), Point(1) == Point(2))
"""

SHOWN = "Point(x=1, y=2) True 1 False\n"


def python(source: str, **variables: str) -> str:
    """Returns the output of a process that runs the source."""
    environment: Mapping[str, str] = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", source], env=environment, capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return done.stdout


@cache
def modules_after(source: str) -> frozenset[str]:
    """Returns the modules that a process has imported at its end."""
    at_exit = "import atexit, sys; atexit.register(lambda: print('\\n@', *sys.modules)); "
    return frozenset(python(at_exit + source).rpartition("@")[2].split())


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
    modules = modules_after(source)
    assert "nvvm_xdsl" in modules
    allowed = needed | modules_after(ARGPARSE)
    if "importlib.metadata" in needed:
        # It imports inspect since Python 3.12.
        allowed |= modules_after("import importlib.metadata")
    assert modules & HEAVY <= allowed


def test_modules_of_a_compilation(tmp_path: Path) -> None:
    kernel = Path(__file__).parents[2] / "examples" / "saxpy.ll"
    arguments = ["nvvm-cc", str(kernel), "-arch", "sm_90", "-o", str(tmp_path / "out.ptx")]
    at_exit = "import atexit, sys; atexit.register(lambda: print('@', *sys.modules)); "
    shown = python(at_exit + RUN.format(arguments), XDG_CACHE_HOME=str(tmp_path))
    modules = set(shown.partition("@")[2].split())
    assert not modules & (HEAVY - {"xdsl", "dataclasses", "inspect"})
    assert "nvvm_xdsl.passes.scalar.gvn" in modules
    assert modules.isdisjoint(UNUSED), modules & UNUSED
    assert ".entry saxpy" in (tmp_path / "out.ptx").read_text()
    kept = sorted(path.name.split(".")[0] for path in tmp_path.glob("nvvm-xdsl/*.marshal"))
    assert kept == ["dataclasses", "nvvm-cc-modules-0", "patterns", "rules"]


def test_cached_rules(tmp_path: Path) -> None:
    kernel = Path(__file__).parents[2] / "examples" / "saxpy.ll"
    source = RUN.format(["nvvm-cc", str(kernel), "-arch", "sm_90"])
    ptx = python(source, XDG_CACHE_HOME=str(tmp_path))
    (kept,) = tmp_path.glob("nvvm-xdsl/rules*")
    first = kept.read_bytes()
    unparsed = "from nvvm_xdsl.rules import table; table.left_of = table.parse = None; "
    assert python(unparsed + source, XDG_CACHE_HOME=str(tmp_path)) == ptx
    assert kept.read_bytes() == first
    kept.write_bytes(first[:-1])
    assert python(source, XDG_CACHE_HOME=str(tmp_path)) == ptx
    assert kept.read_bytes() == first


def test_cached_methods(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert python(POINT, XDG_CACHE_HOME=folder) == SHOWN
    (kept,) = (tmp_path / "nvvm-xdsl").iterdir()
    first = kept.read_bytes()
    assert python(POINT, XDG_CACHE_HOME=folder) == SHOWN
    assert kept.read_bytes() == first
    # A damaged file is replaced.
    for broken in (first[: len(first) // 2], b"", b"no marshal at all"):
        kept.write_bytes(broken)
        assert python(POINT, XDG_CACHE_HOME=folder) == SHOWN
        assert kept.read_bytes() == first
    assert list((tmp_path / "nvvm-xdsl").iterdir()) == [kept]


def test_cached_methods_are_used(tmp_path: Path) -> None:
    python(POINT, XDG_CACHE_HOME=str(tmp_path))
    counted = "import builtins\nbuiltins.compile = None\n" + POINT
    assert python(counted, XDG_CACHE_HOME=str(tmp_path)) == SHOWN


CLASSES = """
import builtins, dataclasses, typing
from nvvm_xdsl.tools.startup_cache import cache_dataclass_methods
cache_dataclass_methods()
builtins.compile = builtins.compile if FIRST else None

class Pair(typing.NamedTuple):
    left: "int"
    right: "list[Pair]" = []

@dataclasses.dataclass(frozen=True)
class Node:
    value: object
    hidden: int = dataclasses.field(default=1, repr=False)

class Leaf(Node):
    extra = 0

@dataclasses.dataclass
class Open:
    value: object = None

def tried(change):
    try:
        change()
    except AttributeError as error:
        print(type(error).__name__, error)

around = Open()
around.value = [around, Node("x")]
print(Pair(1), Pair(1, [Pair(2)])._replace(left=3), typing.get_type_hints(Pair))
print(around, around, Leaf(2), Leaf.__repr__.__qualname__)
leaf = Leaf(3)
tried(lambda: setattr(leaf, "value", 4))
tried(lambda: delattr(leaf, "hidden"))
tried(lambda: setattr(Node(1), "other", 4))
tried(lambda: delattr(Node(1), "other"))
leaf.extra = 5
print(leaf.extra)
del leaf.extra
print(leaf.extra)
"""


def test_classes_behave_as_without_cache(tmp_path: Path) -> None:
    plain = python(CLASSES.replace("FIRST", "True").replace("cache_dataclass_methods()", ""))
    assert "Open(value=[..., Node(value='x')])" in plain
    for first in ("True", "False"):
        shown = python(CLASSES.replace("FIRST", first), XDG_CACHE_HOME=str(tmp_path))
        assert shown == plain


def test_modules_of_the_client(tmp_path: Path) -> None:
    """The client of `nvvmd` imports nothing that it does not need."""
    at_exit = "import atexit, sys; atexit.register(lambda: print('@', *sys.modules)); "
    arguments = ["nvvm-cc", "--server", "missing.ll"]
    refused = "from nvvm_xdsl.tools import server_client; server_client.request = lambda words: 3; "
    source = at_exit + refused + RUN.format(arguments)
    done = subprocess.run(
        [sys.executable, "-S", "-c", source],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    modules = set(done.stdout.partition("@")[2].split())
    assert done.returncode == 3
    assert modules.isdisjoint({"typing", "threading", "nvvm_xdsl.tools.cc_main"})


END = """
import atexit, os, sys, threading, time
from nvvm_xdsl.tools.process_end import end_process
leave = os._exit
os._exit = lambda status: [print("left"), sys.stdout.flush(), leave(status)]
atexit.register(print, "at exit")
START
sys.exit(end_process(3))
"""

THREAD = "threading.Thread(target=lambda: [time.sleep(0.2), print('thread')]).start()"


@pytest.mark.parametrize(
    ("start", "shown"),
    [
        ("", "at exit\nleft\n"),
        ("sys.setprofile(lambda *_: None)", "at exit\n"),
        ("sys.settrace(lambda *_: None)", "at exit\n"),
        (THREAD, "thread\nat exit\n"),
    ],
)
def test_end_of_a_process(start: str, shown: str) -> None:
    command = [sys.executable, "-c", END.replace("START", start)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, shown, "")


def test_end_with_unwritable_output() -> None:
    """Python reports the error, with its own status."""
    command = [sys.executable, "-c", END.replace("START", "os._exit = leave")]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False
        )
    assert done.returncode == 120
    assert "No space left on device" in done.stderr


IRDL = """\
builtin.module {
  irdl.dialect @tiny {
    irdl.type @box {
    }
  }
}
"""


def test_deferred_dialect_finder(tmp_path: Path) -> None:
    (tmp_path / "tiny.irdl").write_text(IRDL)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "tiny.irdl").rename(tmp_path / "package" / "tiny.irdl")
    source = f"""
import sys
from nvvm_xdsl.tools.startup_cache import defer_dialect_loader
defer_dialect_loader()
import xdsl.dialects
print("tempfile" in sys.modules)
sys.path.insert(0, {str(tmp_path)!r})
from package import tiny
from xdsl.utils.dialect_loader import IRDLDialectFinder
print(tiny.Tiny.name, IRDLDialectFinder.__module__)
try:
    import package.missing
except ImportError as error:
    print(error)
"""
    assert (
        python(source)
        == "False\ntiny xdsl.utils.dialect_loader\nNo module named 'package.missing'\n"
    )


@pytest.mark.parametrize("folder", ["/dev/null/there", "relative", "/proc/self"])
def test_no_folder_for_methods(folder: str) -> None:
    assert python(POINT, XDG_CACHE_HOME=folder, HOME="/dev/null") == SHOWN


def test_no_cache_without_bytecode(tmp_path: Path) -> None:
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
    assert metadata.version("nvvm-xdsl") == VERSION


HOST = """
import builtins, collections, dataclasses, gc, re, sys, types
from pathlib import Path
import xdsl.dialects  # xDSL installs an import finder of its own
re.compile("a"), dataclasses.make_dataclass("C", ["x"]), collections.Counter("a").most_common(1)

def state():
    modules = (builtins, collections, dataclasses, re, re._compiler, types)
    tables = [{k: v for k, v in vars(m).items() if k != "__warningregistry__"} for m in modules]
    return tables, list(sys.meta_path), list(sys.path_hooks), gc.isenabled(), gc.get_freeze_count(), sys.getrecursionlimit()

before = state()
import nvvm_xdsl
module = nvvm_xdsl.parse("define void @f() {\\n  ret void\\n}")
nvvm_xdsl.emit(module)
assert ".entry" in nvvm_xdsl.compile(Path(sys.argv[1]), arch="sm_90", opt_level=3)
after = state()
print([a == b for a, b in zip(before, after)])
"""


def test_a_host_process_is_unchanged(tmp_path: Path) -> None:
    """Parsing and compiling change nothing of Python's modules, import hooks and collector, and write no cache."""
    kernel = str(Path(__file__).parents[2] / "examples" / "saxpy.ll")
    source = HOST.replace("sys.argv[1]", repr(kernel))
    assert python(source, XDG_CACHE_HOME=str(tmp_path)) == f"{[True] * 6}\n"
    assert not list(tmp_path.iterdir())


PATTERNS = """
import re
from nvvm_xdsl.tools.startup_cache import cache_patterns
cache_patterns()
if FAIL:
    re._compiler._parser.parse = None
for pattern, flags in ((r"(?P<a>x+)|(?P<b>[0-9a-f]{2,3})(?=é)", re.I), (rb"(y)\\1", 0), (".", re.S), (".", 0)):
    made = re.compile(pattern, flags)
    text = b"zyyz" if isinstance(pattern, bytes) else "\\n1F\\u00c9XX"
    print(made, made.groups, dict(made.groupindex), made.findall(text))
try:
    re.compile("(")
except re.error as error:
    print(error)
except TypeError:
    print("missing ), unterminated subpattern at position 0")
"""


def test_cached_patterns(tmp_path: Path) -> None:
    folder = str(tmp_path)
    plain = python(PATTERNS.replace("FAIL", "False").replace("cache_patterns()", ""))
    assert python(PATTERNS.replace("FAIL", "False"), XDG_CACHE_HOME=folder) == plain
    (kept,) = (tmp_path / "nvvm-xdsl").iterdir()
    first = kept.read_bytes()
    # No pattern is parsed again.
    assert python(PATTERNS.replace("FAIL", "True"), XDG_CACHE_HOME=folder) == plain
    assert kept.read_bytes() == first
    kept.write_bytes(first[:-1])
    assert python(PATTERNS.replace("FAIL", "False"), XDG_CACHE_HOME=folder) == plain
    assert kept.read_bytes() == first


UNCACHED = """
import re
from nvvm_xdsl.tools import startup_cache
startup_cache.MAX_PATTERNS = LIMIT
startup_cache.cache_patterns()
re.compile("x", re.DEBUG)
class Text(str):
    pass
re.compile(Text("z"))
print(re.Scanner([("x", None)]).scan("xx"), re.findall("y", "yy"))
"""


def test_patterns_that_are_not_cached(tmp_path: Path) -> None:
    folder = str(tmp_path)
    shown = python(UNCACHED.replace("LIMIT", "0"), XDG_CACHE_HOME=folder)
    assert "LITERAL 120" in shown, "the debug output of a pattern"
    (kept,) = (tmp_path / "nvvm-xdsl").iterdir()
    assert read_codes(str(kept)) == {}
    for _ in range(2):
        assert python(UNCACHED.replace("LIMIT", "9"), XDG_CACHE_HOME=folder) == shown
    assert ("y", 0) in read_codes(str(kept))
