"""The output in docs/analyses.md is that of the printers."""

from pathlib import Path

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.printers import PRINTERS, print_analysis
from nvvm_xdsl.frontend.ll_reader import read_ll

PAGE = Path(__file__).parents[2] / "docs" / "analyses.md"


def blocks() -> list[str]:
    """Returns the indented blocks of the page."""
    found: list[list[str]] = [[]]
    for line in PAGE.read_text().splitlines():
        if line.startswith("    ") or (not line and found[-1]):
            found[-1].append(line[4:])
        elif found[-1]:
            found.append([])
    return ["\n".join(lines).strip() + "\n" for lines in found if lines]


def test_every_printer_is_on_the_page():
    text = PAGE.read_text()
    assert [n for n in PRINTERS if f"print<{n}>" not in text] == []


def test_the_output_on_the_page_is_current():
    shown = blocks()
    kernel = next(b for b in shown if b.startswith("@tile"))
    triple = 'target triple = "nvptx64-nvidia-cuda"\n'
    module = read_ll(triple + kernel, "transpose.ll")
    func = next(op for op in module.ops if op.name == "llvm.func" and op.regions[0].blocks)
    am = AnalysisManager()
    expected = "".join(print_analysis(n, func, am) for n in ("coalescing", "bank-conflicts"))
    assert expected in shown
