"""Every analysis on the kernels of examples/: it runs, prints, and agrees with a new one."""

from pathlib import Path

import pytest

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.printers import PRINTERS, print_analysis
from nvvm_xdsl.frontend.ll_reader import read_ll

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ll"))
NAMES = ["matmul.ll", "reduction.ll", "histogram.ll", "switch.ll", "stencil.O0.ll", "nbody.ll"]


@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.name in NAMES], ids=lambda p: p.name)
def test_analyses_of_an_example(path: Path):
    module = read_ll(path.read_text(), path.name)
    am = AnalysisManager(verify=True)
    assert "SCC" in print_analysis("callgraph", module, am)
    for func in module.ops:
        if func.name != "llvm.func" or func.regions[0].first_block is None:
            continue
        for name in PRINTERS:
            text = print_analysis(name, func, am)
            assert text.startswith(PRINTERS[name][0])
        am.verify()


def test_the_examples_exist():
    assert {p.name for p in EXAMPLES} >= set(NAMES)
