"""Modules that a tool imports from one file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from nvvm_xdsl.ir.code_files import read_codes
from nvvm_xdsl.tools import module_cache


class Tool:
    """A tool that imports the package `sample` of a folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = folder / "modules"
        self._at_exit: list[Callable[[], None]] = []
        self.package = folder / "sample"
        (self.package / "inner").mkdir(parents=True)
        (self.package / "__init__.py").write_text("")
        (self.package / "one.py").write_text("VALUE = 1\n")
        (self.package / "inner" / "__init__.py").write_text("from sample.one import VALUE\n")
        monkeypatch.setattr(module_cache, "PACKAGES", ("sample.",))
        monkeypatch.setattr(module_cache.atexit, "register", self._at_exit.append)
        monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
        monkeypatch.syspath_prepend(str(folder))

    def run(self, before_exit: Callable[[], object] = bool) -> ModuleType:
        """Imports the modules in a new process, which then ends; returns `inner`.

        Arguments:
            before_exit: is called after the import.
        """
        for name in [name for name in sys.modules if name.partition(".")[0] == "sample"]:
            del sys.modules[name]
        found = list(sys.meta_path)
        module_cache.cache_modules(str(self.path))
        inner = import_module("sample.inner")
        sys.meta_path[:] = found
        before_exit()
        self._at_exit.pop()()
        return inner


@pytest.fixture(name="tool")
def _tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tool]:
    yield Tool(tmp_path, monkeypatch)
    for name in [name for name in sys.modules if name.partition(".")[0] == "sample"]:
        del sys.modules[name]


def is_cached(name: str) -> bool:
    spec = sys.modules[name].__spec__
    return spec is not None and isinstance(spec.loader, module_cache._Loader)


def test_modules_are_imported_from_the_file(tool: Tool) -> None:
    plain = vars(tool.run()).copy()
    assert not is_cached("sample.inner")
    first = tool.path.read_bytes()
    cached = vars(tool.run())
    assert is_cached("sample.inner")
    assert is_cached("sample.one")
    assert not is_cached("sample"), "only modules in packages are cached"
    for name in ("__file__", "__path__", "__package__", "__cached__", "__name__", "VALUE"):
        assert cached[name] == plain[name]
    assert tool.path.read_bytes() == first
    # The code of a module that has run is forgotten, and read again.
    spec = sys.modules["sample.one"].__spec__
    assert spec is not None
    loader = spec.loader
    assert isinstance(loader, module_cache._Loader)
    assert loader._code is None
    assert loader.get_code("sample.one") is not None


@pytest.mark.parametrize("change", ["text", "time", "damage", "missing"])
def test_changed_modules_are_imported_by_python(tool: Tool, change: str) -> None:
    tool.run()
    source = tool.package / "one.py"
    if change == "text":
        source.write_text("VALUE = 22\n")
    elif change == "time":
        os.utime(source, ns=(0, source.stat().st_mtime_ns + 1))
    elif change == "damage":
        tool.path.write_bytes(tool.path.read_bytes()[:-1])
    else:
        (tool.package / "one").mkdir()
        source.rename(tool.package / "one" / "__init__.py")
    assert tool.run().VALUE == (22 if change == "text" else 1)
    assert not is_cached("sample.one")
    assert is_cached("sample.inner") == (change != "damage")
    tool.run()
    assert is_cached("sample.one")


@pytest.mark.parametrize("text", [None, "VALUE =\n", "VALUE = '\0'\n"])
def test_sources_that_are_removed_or_broken_while_the_tool_runs(
    tool: Tool, text: str | None
) -> None:
    source = tool.package / "one.py"
    tool.run(source.unlink if text is None else lambda: source.write_text(text))
    kept = [os.path.relpath(key, tool.package) for key in read_codes(str(tool.path))]
    assert kept == ["inner"]


def test_modules_of_packages_with_several_folders_are_not_cached(
    tool: Tool, tmp_path: Path
) -> None:
    (tool.package / "__init__.py").write_text(f"__path__.append({str(tmp_path)!r})\n")
    tool.run()
    assert not tool.path.exists()


def test_number_of_modules_is_limited(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_cache, "MAX_MODULES", 1)
    tool.run()
    assert read_codes(str(tool.path)) == {}
