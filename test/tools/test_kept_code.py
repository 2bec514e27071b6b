"""What is kept in a file between processes, and modules found without Python's finder."""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType

import pytest
import xdsl
from hypothesis import given
from hypothesis import strategies as st

import nvvm_xdsl
from nvvm_xdsl.tools import kept_code
from nvvm_xdsl.tools.kept_code import KeptCode
from nvvm_xdsl.tools.quick_imports import QuickFinder

TABLES = st.dictionaries(
    st.sampled_from("abcd"), st.dictionaries(st.text(max_size=5), st.integers(), max_size=4)
)


@given(rounds=st.lists(TABLES, max_size=4))
def test_tables_of_several_processes(
    rounds: list[dict[str, dict[str, int]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = str(tmp_path_factory.mktemp("kept") / "folder" / "file")
    known: dict[str, dict[str, int]] = {}
    for tables in rounds:
        kept = KeptCode(path)
        for module, table in tables.items():
            for key, value in table.items():
                kept.keep(module, key, value)
                known.setdefault(module, {})[key] = value
        kept.store()
        again = KeptCode(path)
        assert {module: again.table(module) for module in "abcd" if again.table(module)} == known


def test_a_process_that_knew_less(tmp_path: Path) -> None:
    """The one that writes last has what it read and what it found."""
    path = str(tmp_path / "file")
    first = KeptCode(path)
    first.keep("a", 1, "one")
    first.store()
    early, late = KeptCode(path), KeptCode(path)
    early.keep("b", 2, "two")
    early.store()
    late.keep("c", 3, "three")
    late.store()
    kept = KeptCode(path)
    assert [kept.table(module) for module in "abc"] == [{1: "one"}, {}, {3: "three"}]
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    kept = KeptCode(str(path))
    kept.keep("a", "key", "value" * 10)
    kept.store()
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert KeptCode(str(path)).table("a") == {}
    path.write_bytes(whole + b"x")
    assert KeptCode(str(path)).table("a") == {}
    start = whole.index(b"value") - 20
    path.write_bytes(whole[:start] + bytes(len(whole) - start))
    assert KeptCode(str(path)).table("a") == {}


def test_a_large_file_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "file")
    first = KeptCode(path)
    first.keep("old", "key", "value")
    first.store()
    monkeypatch.setattr(kept_code, "MOST_BYTES", 5)
    second = KeptCode(path)
    second.keep("new", "key", "value")
    second.store()
    assert (KeptCode(path).table("old"), KeptCode(path).table("new")) == ({}, {"key": "value"})


def modules_below(package: object) -> list[tuple[str, str]]:
    """The modules of a package and their folders."""
    root = Path(str(getattr(package, "__file__", ""))).parent
    found: list[tuple[str, str]] = []
    for path in sorted(root.rglob("*.py")):
        inside = path.parent if path.name == "__init__.py" else path.with_suffix("")
        name = ".".join((root.name, *inside.relative_to(root).parts))
        if inside != root:
            found.append((name, str(inside.parent)))
    return found


def attributes(spec: ModuleSpec) -> tuple[object, ...]:
    return (
        *(spec.name, spec.origin, spec.cached, spec.has_location),
        *(spec.submodule_search_locations, spec.parent),
    )


@pytest.mark.parametrize("package", [nvvm_xdsl, xdsl], ids=["nvvm_xdsl", "xdsl"])
def test_modules_are_where_python_finds_them(package: object) -> None:
    finder = QuickFinder(("nvvm_xdsl.", "xdsl."))
    modules = modules_below(package)
    assert len(modules) > 100
    for name, folder in modules:
        quick, stock = finder.find_spec(name, [folder]), PathFinder.find_spec(name, [folder])
        assert quick is not None
        assert stock is not None
        assert attributes(quick) == attributes(stock)
        assert isinstance(quick.loader, SourceFileLoader)


def code_of(folder: Path, name: str) -> CodeType | None:
    spec = QuickFinder(("p.",)).find_spec(name, [str(folder)])
    assert spec is not None
    assert isinstance(spec.loader, SourceFileLoader)
    return spec.loader.get_code(name)


def test_bytecode_of_another_source_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    source = tmp_path / "m.py"
    for text, time in (("x = 1", 10**9), ("x = 23", 10**9), ("y = 23", 10**9 + 1)):
        source.write_text(text)
        os.utime(source, (time, time))
        for _ in range(2):
            code = code_of(tmp_path, "p.m")
            assert code is not None
            assert code.co_names + code.co_consts[:1] == (text[0], int(text[4:]))
    # The folder is elsewhere: tracebacks would name files that are not there.
    moved = tmp_path.with_name("moved")
    tmp_path.rename(moved)
    code = code_of(moved, "p.m")
    assert code is not None
    assert code.co_filename == str(moved / "m.py")
    (bytecode,) = (moved / "__pycache__").iterdir()
    for broken in (b"", bytecode.read_bytes()[:20]):
        stated = moved / "m.py"
        bytecode.write_bytes(broken)
        stated.write_text("z = 5")
        code = code_of(moved, "p.m")
        assert code is not None
        assert code.co_names == ("z",)


def test_what_is_left_to_python(tmp_path: Path) -> None:
    finder = QuickFinder(("p.",))
    for name in ("a.py", f"a{EXTENSION_SUFFIXES[0]}", "b.py", "c.pyc", "other.py"):
        (tmp_path / name).touch()
    for folder in ("b", "d"):
        (tmp_path / folder).mkdir()
    (tmp_path / "b" / "there.py").touch()
    folder = str(tmp_path)
    for name, path in (
        *((f"p.{last}", [folder]) for last in "abcde"),
        ("q.other", [folder]),
        ("p.other", [folder, folder]),
        ("p.other", None),
        ("p.other", [str(tmp_path / "nowhere")]),
    ):
        assert finder.find_spec(name, path) is None
    assert finder.find_spec("p.other", [folder]) is not None


def test_a_module_that_is_written_later(tmp_path: Path) -> None:
    finder = QuickFinder(("p.",))
    folder = str(tmp_path)
    assert finder.find_spec("p.new", [folder]) is None
    (tmp_path / "new.py").touch()
    sys.meta_path.append(finder)
    try:
        importlib.invalidate_caches()
        assert finder.find_spec("p.new", [folder]) is not None
    finally:
        sys.meta_path.remove(finder)
