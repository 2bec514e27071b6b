"""Output of notebooks, through IPython's own formatters and magics."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.cuda import CLANGS
from nvvm_xdsl.integrations import cuda, notebook
from nvvm_xdsl.integrations.notebook import Launched, Ptx, html
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import Result, launch

EXAMPLES = Path(__file__).parents[2] / "examples"
KERNEL = """
define ptx_kernel void @twice(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp slt i32 %t, 6
  br i1 %small, label %work, label %done
work:
  %at = getelementptr i32, ptr %p, i32 %t
  %old = load i32, ptr %at
  %new = shl i32 %old, 1
  store i32 %new, ptr %at
  br label %done
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
CUDA = """
extern "C" __global__ void fill(int *out) { out[threadIdx.x] = VALUE; }
"""

needs_clang = pytest.mark.skipif(not any(map(shutil.which, CLANGS)), reason="clang was not found")


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """IPython with the extension loaded, as by `%load_ext`, and without the user's files."""
    interactive = pytest.importorskip(
        "IPython.core.interactiveshell", reason="IPython is not installed (extra `notebook`)"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        shell = interactive.InteractiveShell.instance()
        shell.run_line_magic("load_ext", "nvvm_xdsl.integrations.notebook")
        yield shell
        interactive.InteractiveShell.clear_instance()


def shown(shell: Any, value: object) -> str | None:
    data, _ = shell.display_formatter.format(value)
    return data.get("text/html")


def test_a_module_is_shown_with_colours(shell: Any):
    pytest.importorskip("pygments", reason="Pygments is not installed (extra `notebook`)")
    found = shown(shell, parse(KERNEL))
    assert found is not None
    # Names of values and of ops differ in colour; no text is interpreted as markup.
    styles = [found.split(f">{name}</span>") for name in ("%old", "llvm.load")]
    assert all(len(parts) > 1 for parts in styles)
    old, load = (parts[0].rpartition("style=")[2] for parts in styles)
    assert old != load
    assert "error" not in found
    assert "&lt;" in html(parse(EXAMPLES / "saxpy.ll"))


def test_long_text_is_truncated():
    found = notebook.highlighted("ret;\n" * (notebook.MOST_LINES + 2), "ptx")
    assert found.count("ret") == notebook.MOST_LINES
    assert "2 more lines" in found


def test_text_without_pygments(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "pygments", None)
    assert "setp.lt &lt;a&gt;</pre>" in notebook.highlighted("setp.lt <a>", "ptx")


def test_a_function_is_displayed_as_its_control_flow_graph(shell: Any):
    pytest.importorskip("graphviz", reason="graphviz is not installed (extra `view`)")
    if shutil.which("dot") is None:
        pytest.skip("dot was not found")
    module = parse(KERNEL + "declare void @elsewhere()")
    twice, declaration = module.ops
    found = shown(shell, twice)
    assert found is not None
    assert "<svg" in found
    assert "<?xml" not in found
    assert "%new = llvm.shl" in found
    # A declaration has no graph.
    assert "<svg" not in (shown(shell, declaration) or "")
    machine = selected()
    assert "nvptx.shl" in machine
    assert "<svg" in machine


def selected() -> str:
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.driver.compile import complete
    from nvvm_xdsl.pipeline.selection import select

    module = parse(KERNEL)
    complete(module)
    func = select(module, CodegenOptions.for_arch("sm_90")).body.block.first_op
    return html(func)


def test_a_function_without_dot_is_text(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    found = html(next(iter(parse(KERNEL).ops)))
    assert "<svg" not in found
    assert "llvm.shl" in found


def test_the_graph_of_a_large_function_is_not_drawn(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(notebook, "MOST_BLOCKS", 2)
    assert "<svg" not in html(next(iter(parse(KERNEL).ops)))


def test_ptx_and_a_launch(shell: Any):
    module = parse(KERNEL)
    before = str(module)
    ptx = notebook.compile(module)
    assert str(module) == before
    assert isinstance(ptx, Ptx)
    assert ptx.startswith(".version")
    assert "shl" in (shown(shell, ptx) or "")
    given = np.arange(8, dtype=np.int32)
    for code in (module, ptx):
        left = notebook.launch(code, "twice", 1, 8, [given])
        assert isinstance(left, Launched)
        assert left.arrays[0].tolist() == [0, 2, 4, 6, 8, 10, 6, 7]
        found = shown(shell, left)
        assert found is not None
        assert "int32[8]" in found
        assert "[ 0  2  4  6  8 10  6  7]" in found
        assert f"<p>{left.steps:,} steps</p>" in found
        assert "<th>warps</th>" in found
    assert given.tolist() == list(range(8))


def test_errors_of_a_launch(shell: Any):
    result = launch(parse(KERNEL), None, 1, 8, [np.zeros(5, np.int32)], sanitize=True)
    found = shown(shell, result)
    assert found is not None
    assert "Invalid __global__ read" in found
    assert "a &lt;b&gt;" in html(Result(output="a <b>"))


def test_other_objects_have_no_html():
    with pytest.raises(TypeError, match="no HTML is known for a int"):
        html(3)


@needs_clang
def test_cuda_in_a_cell(shell: Any):
    assert shell.run_cell_magic("cuda", "fill -D VALUE=7", CUDA) is None
    left = notebook.launch(shell.user_ns["fill"], "fill", 1, 4, [np.zeros(4, np.int32)])
    assert left.arrays[0].tolist() == [7] * 4
    # Without a name it is the cell's value.
    assert "@fill" in str(shell.run_cell_magic("cuda", "-D VALUE=1", CUDA))


@needs_clang
def test_the_page_runs(capsys: pytest.CaptureFixture[str]):
    page = (EXAMPLES.parent / "docs" / "notebooks.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    exec(block, {})
    total, warps = capsys.readouterr().out.split()
    assert float(total) == 100
    assert int(warps) > 0


@needs_clang
def test_messages_of_clang_are_shown(shell: Any):
    usage = pytest.importorskip("IPython.core.error").UsageError
    with pytest.raises(usage, match=r"(?s)<stdin>:2:\d+: error: .*'VALUE'"):
        shell.run_cell_magic("cuda", "", CUDA)
    with pytest.raises(usage, match="3x is not a name"):
        shell.run_cell_magic("cuda", "3x", CUDA)


def test_a_missing_clang_is_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DiagnosticError, match="needs clang, and clang was not found"):
        cuda.parse_cuda(CUDA)


def test_the_extension_is_unloaded(shell: Any):
    shell.run_line_magic("unload_ext", "nvvm_xdsl.integrations.notebook")
    try:
        assert shown(shell, parse(KERNEL)) is None
        assert "cuda" not in shell.magics_manager.magics["cell"]
    finally:
        shell.run_line_magic("load_ext", "nvvm_xdsl.integrations.notebook")
