"""Commands in the README, the documentation and --help run and print the output shown there."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import types
from pathlib import Path

import import_graph
import pytest
from helpers import lit_format
from helpers.assembling import needs_ptxas
from lit.ShUtil import ShParser

from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.tools import cc_main, nvvm_view, opt_main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
BLOCKS = [(m.group(1), m.group(2)) for m in _BLOCK.finditer(README)]
SMALL = "define ptx_kernel void @{name}(ptr %p) {{\n  store i32 1, ptr %p\n  ret void\n}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples and the files that the texts mention, as the current folder."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    sources = [text for language, text in BLOCKS if language == "llvm"]
    (tmp_path / "square.ll").write_text(sources[0])
    shown = [text for language, text in _BLOCK.findall(ARCHITECTURE) if language == "llvm"]
    (tmp_path / "scale.ll").write_text(shown[0])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str, folder: Path) -> str:
    """Runs a command line as a RUN line; returns its output."""
    runner = lit_format.Runner(folder, in_process=True)
    status = runner.run(ShParser(line, pipefail=True).parse())
    assert status == 0, "\n".join(runner.log)
    return runner.output


def commands(block: str) -> list[tuple[str, str]]:
    """Returns each command of a console block with the output shown below it."""
    found: list[tuple[str, str]] = []
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        line, _, output = part.partition("\n")
        found.append((line, output))
    return found


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()

CONSOLE = [c for language, text in BLOCKS if language == "console" for c in commands(text)]


def test_the_readme_starts_with_make():
    head = README.split("\n\n")[1]
    assert [line.split("#")[0].strip() for line in head.splitlines()] == [
        "make run",
        "make test",
        "make quick",
    ]
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make (\w+)\b", README):
        assert re.search(rf"^{target}:", makefile, re.M), target


@pytest.mark.slow
@needs_ptxas
def test_console_blocks(folder: Path):
    assert len(CONSOLE) >= 4
    missing: set[str] = set()
    for line, shown in CONSOLE:
        words = shlex.split(line)
        if ".cu " in line and shutil.which("clang-22") is None:
            # The commands after it lack its result.
            missing.add(words[-1])
        # Pictures have a separate test, which needs Graphviz.
        elif not line.startswith("nvvm-view") and not missing & set(words[:-1]):
            assert run(line, folder).strip() == shown.strip(), line
            missing.discard(words[-1])


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz's dot is not installed")
def test_the_picture_is_that_of_nvvm_view(folder: Path):
    (line,) = [line for line, _ in CONSOLE if line.startswith("nvvm-view")]
    name = shlex.split(line)[-1]
    assert f"](docs/images/{name})" in README
    run(line, folder)
    # The positions are Graphviz's choice; the content of the picture is compared.
    drawn, kept = (
        re.findall(r"<text.*?>(.*?)</text>", (path / name).read_text())
        for path in (folder, ROOT / "docs" / "images")
    )
    assert sorted(drawn) == sorted(kept)


def test_stages_in_the_readme_equal_those_of_the_architecture_page():
    stages = re.findall(r'\["[^"]*<br/>(.*?)"\]', README)
    assert len(stages) == 4
    shown = re.sub(r"\s+", " ", ARCHITECTURE)
    assert [stage for stage in stages if stage not in shown] == []


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=str)
def test_links_of_the_first_pages(path: Path):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text()):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        c
        for language, text in _BLOCK.findall(ARCHITECTURE)
        if language == "console"
        for c in commands(text)
    ],
    ids=lambda text: text.split("\n")[0],
)
def test_a_kernel_at_every_stage(line: str, shown: str, folder: Path):
    assert run(line, folder).strip() == shown.strip()


def test_the_picture_of_the_layers_matches_the_imports():
    assert import_graph.with_picture(ARCHITECTURE) == ARCHITECTURE, "run make docs"


@pytest.mark.parametrize("path", re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", ARCHITECTURE))
def test_paths_in_the_documentation_exist(path: str):
    assert (ROOT / "nvvm_xdsl" / path).exists() or (ROOT / path).exists()


@pytest.mark.parametrize(
    "text", [text for language, text in BLOCKS if language == "python"], ids=lambda t: t[:20]
)
@pytest.mark.usefixtures("folder")
def test_python_blocks(text: str):
    names: dict[str, object] = {}
    exec(text, names)
    assert ".entry saxpy" in str(names["ptx"])


CLIENTS = {"integrations.md", "notebooks.md"}
"""Blocks that need optional packages: the tests of `test/integrations` run them."""

GUIDES = [
    path
    for path in sorted((ROOT / "docs").glob("*.md"))
    if "```python" in path.read_text() and path.name not in CLIENTS
]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
@pytest.mark.usefixtures("folder")
def test_python_of_a_guide(path: Path):
    """The blocks of a page depend on each other, and their assertions hold."""
    names: dict[str, object] = {"__name__": path.stem}
    sys.modules[path.stem] = types.ModuleType(path.stem)
    for language, text in _BLOCK.findall(path.read_text()):
        if language == "python":
            exec(text, names)


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_links_of_a_guide(path: Path):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), target


def epilog_commands(epilog: str) -> list[str]:
    """The example lines of a --help text, without comments."""
    return [re.split(r"\s{3,}", line.strip())[0] for line in epilog.splitlines()[1:]]


@pytest.mark.parametrize(
    "line",
    [
        c
        for tool in (cc_main, opt_main, nvvm_view)
        for c in epilog_commands(tool.EPILOG)
        if " serve " not in c and " --watch " not in c
    ],
)
def test_help_examples(line: str, folder: Path):
    """Each example runs.

    `nvvm-view serve` and `--watch` do not end; `test/lab/test_live.py` and `test/tools/test_watch.py` test them.
    """
    import llvmlite.binding as llvm

    for name in ("kernel", "a", "b"):
        text = SMALL.format(name=name)
        (folder / f"{name}.ll").write_text(text)
        (folder / f"{name}.bc").write_bytes(llvm.parse_assembly(text).as_bitcode())
    (folder / "kernels.txt").write_text("a.ll\nb.ll\n")
    if "kernel.cu " in line:
        if shutil.which("clang-22") is None or ("-cubin" in line and find_ptxas() is None):
            pytest.skip("clang or ptxas was not found")
        (folder / "kernel.cu").write_text("__global__ void k(int *p) { *p = 1; }\n")
    # A pipe from a compiler is replaced by a file.
    line = re.sub(r"^clang .*\|", "cat kernel.ll |", line)
    if "kernel.mlir" in line:
        run("nvvm-opt kernel.ll -o kernel.mlir", folder)
    if "kernel.ptx" in line.split(" -o")[0]:
        run("nvvm-cc kernel.ll -o kernel.ptx", folder)
    run(line, folder)
    if "-o" in shlex.split(line):
        assert (folder / shlex.split(line)[shlex.split(line).index("-o") + 1]).stat().st_size > 0
