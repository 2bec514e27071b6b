"""Imports point downward: the layers and their allowed imports are listed here, and there are no import
cycles.
"""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from import_graph import imported_names

from nvvm_xdsl.passes import PASSES

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nvvm_xdsl"

ORDER = (
    "ir",
    "xdsl_patches",
    "dialects",
    "verify",
    "analysis",
    "rules",
    "transforms",
    "passes",
    "codegen",
    "frontend",
    "export",
    "pipeline",
    "driver",
    "simulator",
    "lab",
    "integrations",
    "tools",
)
"""The layers, lowest first. A layer imports itself and lower ones."""

INDEPENDENT: dict[str, set[str]] = {
    "codegen": {"passes", "transforms", "rules"},
    "frontend": {"analysis", "rules", "transforms", "passes", "codegen"},
    "pipeline": {"frontend", "export"},
    "simulator": set(ORDER[ORDER.index("analysis") : ORDER.index("simulator")]),
    "integrations": {"transforms", "rules", "passes", "codegen"},
}
"""Lower layers that a layer does not import."""

BELOW: dict[str, set[str]] = {
    layer: set(ORDER[:n]) - INDEPENDENT.get(layer, set()) for n, layer in enumerate(ORDER)
}
"""For each layer, the layers that it may import besides itself."""

MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.parent != PACKAGE)


def import_graph(files: Mapping[str, Path]) -> dict[str, set[str]]:
    """The modules that each module imports directly, anywhere in the file, including imports for types only.

    The `__init__.py` files of enclosing packages, which Python runs, do not count.
    """
    graph: dict[str, set[str]] = {}
    for name, path in files.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        graph[name] = {
            other
            for imported in imported_names(path.read_text(), package)
            for other in (imported, imported.rpartition(".")[0])
            if other in files and other != name
        }
        # `from package import module` imports only the module.
        for other in list(graph[name]):
            inner = {m for m in graph[name] if m.rpartition(".")[0] == other}
            if inner and files[other].name == "__init__.py":
                graph[name].discard(other)
    return graph


def circle_in(graph: Mapping[str, set[str]]) -> list[str]:
    """Returns a cycle of imports, with its first module also at its end, or an empty list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def forbidden_imports(path: Path, source: str) -> list[str]:
    """Returns the imports of the file that its layer does not allow."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    package = ".".join(parts[:-1])
    layer = parts[1]
    found: list[str] = []
    names = imported_names(source, package)
    for name in (*names, *(n.rpartition(".")[0] for n in names)):
        pieces = name.split(".")
        if pieces[0] != "nvvm_xdsl" or len(pieces) < 2:
            continue
        other = pieces[1]
        if other in BELOW and other != layer and other not in BELOW[layer]:
            found.append(name)
        if other == "universe" or (len(pieces) == 2 and other not in BELOW):
            found.append(name)
    return found


@pytest.mark.parametrize("layer", ORDER)
def test_layer_imports(layer: str):
    paths = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] == layer]
    assert paths
    assert {
        path.relative_to(PACKAGE).as_posix(): found
        for path in paths
        if (found := forbidden_imports(path, path.read_text()))
    } == {}


PASS_MODULES = {f"nvvm_xdsl.passes.{place.partition(':')[0]}" for place in PASSES.values()}
"""The modules that define a pass of the registry."""


def imported_passes(path: Path, source: str) -> list[str]:
    """The modules of other passes that a file in `passes/` imports."""
    package = ".".join(path.relative_to(ROOT).with_suffix("").parts[:-1])
    names = imported_names(source, package)
    found = {n for name in names for n in (name, name.rpartition(".")[0])}
    return sorted(found & PASS_MODULES)


def test_no_pass_imports_another():
    """Shared transformations are in `transforms/`, shared facts in `analysis/`."""
    assert {
        path.relative_to(PACKAGE).as_posix(): found
        for path in sorted((PACKAGE / "passes").rglob("*.py"))
        if (found := imported_passes(path, path.read_text()))
    } == {}


@pytest.mark.parametrize(
    "line",
    [
        "from nvvm_xdsl.passes.scalar.mem2reg import Mem2Reg",
        "from nvvm_xdsl.passes.scalar import mem2reg",
        "def f():\n    from ..scalar.mem2reg import Mem2Reg",
    ],
)
def test_an_import_of_a_pass_is_found(line: str):
    assert imported_passes(PACKAGE / "passes" / "ipo" / "x.py", line) != []


def test_every_layer_has_a_rule():
    layers = {path.relative_to(PACKAGE).parts[0] for path in MODULES}
    assert layers <= BELOW.keys()


@pytest.mark.parametrize(
    ("layer", "line"),
    [
        ("ir", "from nvvm_xdsl.dialects import llvm"),
        ("dialects", "import nvvm_xdsl.passes.base"),
        ("frontend", "def f():\n    from ..analysis import cfg"),
        ("analysis", "from nvvm_xdsl import passes"),
        ("codegen", "from nvvm_xdsl.pipeline import registry"),
        ("driver", "import nvvm_xdsl.tools.nvvm_cc"),
        ("driver", "from nvvm_xdsl.no_layer import thing"),
    ],
)
def test_an_upward_import_is_found(layer: str, line: str):
    assert forbidden_imports(PACKAGE / layer / "x.py", line) != []


def modules_of(root: Path) -> dict[str, Path]:
    """The Python files of a package by their dotted names."""
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def test_no_import_cycle():
    assert circle_in(import_graph(modules_of(PACKAGE))) == []


@pytest.mark.parametrize(
    "line",
    [
        "from p import a",
        "import p.a",
        "def f():\n    from p.a import x",
        "if TYPE_CHECKING:\n    from .a import x",
    ],
)
def test_a_cycle_is_found(tmp_path: Path, line: str):
    root = tmp_path / "p"
    root.mkdir()
    for name, text in {"__init__": "", "a": "from p.b import y", "b": "import p.c"}.items():
        (root / f"{name}.py").write_text(text)
    (root / "c.py").write_text("import p.d")
    assert circle_in(import_graph(modules_of(root))) == []
    (root / "c.py").write_text(line)
    assert sorted(circle_in(import_graph(modules_of(root)))[1:]) == ["p.a", "p.b", "p.c"]
