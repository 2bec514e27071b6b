"""Graphs show the results of analyses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.pictures import cfg_graph, functions, pressure_plot
from nvvm_xdsl.tools import nvvm_view

EXAMPLES = Path(__file__).parents[2] / "examples"
LOOP = """
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %head, label %done
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add i32 %i, 1
  store i32 %i, ptr addrspace(1) %p
  %again = icmp slt i32 %next, %n
  br i1 %again, label %head, label %done
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    path = tmp_path / "loop.ll"
    path.write_text(LOOP)
    return path


def view(*arguments: str | Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert nvvm_view.main([str(a) for a in arguments]) == 0
    return capsys.readouterr().out


def test_cfg(loop: Path, capsys: pytest.CaptureFixture[str]):
    text = view(loop, "cfg", capsys=capsys)
    assert "subgraph cluster_1" in text
    assert 'label="loop, depth 1"' in text
    assert "%next = llvm.add %i" in text
    # The branch on tid.x is red, that on %n alone is not.
    assert text.count("#c00000") == 2
    assert '0 -> 1 [label="' in text
    colours = [
        line.split('fillcolor="')[1][:7] for line in text.splitlines() if "fillcolor" in line
    ]
    assert len(set(colours)) == 2


UNNAMED = """
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %2 = icmp slt i32 %1, %n
  br i1 %2, label %5, label %3
3:
  %4 = icmp slt i32 %n, 7
  br i1 %4, label %5, label %6
5:
  %x = phi i32 [ %1, %0 ], [ 3, %3 ]
  store i32 %x, ptr addrspace(1) %p
  br label %6
6:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


@pytest.mark.parametrize("machine", [False, True])
def test_labels_are_those_of_branches(
    machine: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "unnamed.ll"
    path.write_text(UNNAMED)
    text = view(path, "cfg", *(["--select"] if machine else []), capsys=capsys)
    labels = dict(re.findall(r'^\t(\d+) \[label="(\^\w+)(?:\([^)]*\))?:', text, re.M))
    assert len(set(labels.values())) == 4
    for number, label in labels.items():
        (node,) = re.findall(rf'^\t{number} \[label="(.*)" fillcolor', text, re.M)
        targets = re.findall(rf"^\t{number} -> (\d+)", text, re.M)
        named = re.findall(r"\^\w+", node.split("\\l")[-2])
        assert label not in named
        assert sorted(named) == sorted(labels[target] for target in targets)
    # The argument is in the label of its block only.
    assert len(re.findall(r'label="\^\w+\(%\w+ : [^)]+\):', text)) == 1
    # Threads diverge at the branch on tid.x, and not at that on %n.
    assert text.count("#c00000") == 2
    first = re.findall(r"^\t0 -> \d+ .*#c00000", text, re.M)
    assert len(first) == 2


def test_instructions_are_truncated(loop: Path, capsys: pytest.CaptureFixture[str]):
    assert "llvm.add" not in view(loop, "cfg", "--instructions", "0", capsys=capsys)
    assert "... 4 more" in view(loop, "cfg", "--instructions", "1", capsys=capsys)


def test_values_have_one_name_throughout():
    module = parse(EXAMPLES / "scan.ll")
    text = cfg_graph(functions(module)[0], AnalysisManager(), 1000).source
    assert "%0 = " in text
    assert text.count("%0 = ") == 1


def test_dominator_trees(loop: Path, capsys: pytest.CaptureFixture[str]):
    tree = view(loop, "domtree", capsys=capsys)
    assert "0 -> 1" in tree
    assert "0 -> 2" in tree
    assert "1 -> 2" not in tree
    assert "exit" in view(loop, "postdomtree", capsys=capsys)


def test_callgraph(capsys: pytest.CaptureFixture[str]):
    text = view(EXAMPLES / "device_function.O0.ll", "callgraph", capsys=capsys)
    assert "evaluate [label=evaluate peripheries=2" in text
    assert "_Z6hornerPKfif [label=_Z6hornerPKfif peripheries=1" in text
    assert "evaluate -> _Z6hornerPKfif" in text


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_pressure(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / f"p.{suffix}"
    view(EXAMPLES / "saxpy.ll", "pressure", "--select", "-o", out, capsys=capsys)
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert out.read_bytes().startswith(start)


def test_points_are_the_live_values_after_each_op():
    module = parse(EXAMPLES / "matmul.ll")
    func = functions(module)[0]
    pressure = AnalysisManager().get(RegisterPressure, func)
    for block in pressure.cfg.blocks:
        for op, point in zip(block.ops, pressure.points(block), strict=True):
            assert point == pressure.at(op)
    title = pressure_plot(func, AnalysisManager()).axes[0].get_title()
    assert title.startswith("Register pressure of matmul")


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz's dot is not installed")
def test_drawn_by_graphviz(loop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    view(loop, "cfg", "-o", tmp_path / "cfg.svg", capsys=capsys)
    assert "<svg" in (tmp_path / "cfg.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["scan.ll", "cfg"],
            "--function: choose a function with a body; the module has @scan, @compact",
        ),
        (
            ["scan.ll", "cfg", "--function", "x"],
            "the module has no function with a body @x; it has @scan, @compact",
        ),
        (["saxpy.ll", "pressure"], "a plot is not a graph"),
        (["saxpy.ll", "pressure", "-o", "p.foo"], "Format 'foo' is not supported"),
        (["none.ll", "cfg"], "no such file"),
        (["saxpy.ll", "cfg", "--counts", "p.json"], "--counts requires history"),
        (["saxpy.ll", "history", "--counts", "none.json"], "none.json: error: no such file"),
    ],
)
def test_errors(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    assert nvvm_view.main([str(EXAMPLES / arguments[0]), *arguments[1:]]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
