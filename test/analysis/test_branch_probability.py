import numpy as np
import pytest
from helpers.graphs import graphs, region_of
from helpers.programs import block_named, parse_function
from hypothesis import given

from nvvm_xdsl.analysis.branch_probability import MAX_SCALE, BlockFrequency, BranchProbability
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager


def of_graph(edges: list[list[int]]) -> BlockFrequency:
    cfg = CFG(region_of(edges))
    return BlockFrequency(BranchProbability(cfg, LoopInfo(cfg)))


BRANCH = """
llvm.func @f(%x: i32, %y: f32, %c: i1) {{
  %zero = llvm.mlir.constant(0 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  {}
^yes:
  llvm.return
^no:
  {}
}}
"""


@pytest.mark.parametrize(
    ("branch", "end", "probability"),
    [
        ("llvm.cond_br %c, ^yes, ^no", "llvm.return", 0.5),
        ("llvm.cond_br %c weights([3, 1]), ^yes, ^no", "llvm.return", 0.75),
        ("llvm.cond_br %c weights([0, 0]), ^yes, ^no", "llvm.return", 0.5),
        ('%d = llvm.icmp "eq" %x, %zero : i32\nllvm.cond_br %d, ^yes, ^no', "llvm.return", 12 / 32),
        ('%d = llvm.icmp "ne" %x, %zero : i32\nllvm.cond_br %d, ^yes, ^no', "llvm.return", 20 / 32),
        (
            '%d = llvm.icmp "slt" %x, %zero : i32\nllvm.cond_br %d, ^yes, ^no',
            "llvm.return",
            12 / 32,
        ),
        (
            '%d = llvm.icmp "sgt" %x, %minus : i32\nllvm.cond_br %d, ^yes, ^no',
            "llvm.return",
            20 / 32,
        ),
        ('%d = llvm.icmp "ult" %x, %x : i32\nllvm.cond_br %d, ^yes, ^no', "llvm.return", 0.5),
        ('%d = llvm.fcmp "oeq" %y, %y : f32\nllvm.cond_br %d, ^yes, ^no', "llvm.return", 12 / 32),
        ("llvm.cond_br %c, ^yes, ^no", "llvm.unreachable", 1 - 2**-20),
    ],
)
def test_branches(branch: str, end: str, probability: float):
    func = parse_function(BRANCH.format(branch, end))
    found = AnalysisManager().get(BranchProbability, func)
    assert found.edge(block_named(func, "entry"), 0) == pytest.approx(probability)
    assert found.to(block_named(func, "entry"), block_named(func, "no")) == pytest.approx(
        1 - probability
    )
    found.verify()


def test_loops():
    frequency = of_graph([[1], [2, 3], [1], []])
    assert frequency.probability.probabilities[1] == pytest.approx([124 / 128, 4 / 128])
    assert frequency.frequencies == pytest.approx([1, 32, 31, 1])


def test_nested_loops():
    frequency = of_graph([[1], [2], [2, 3], [1, 4], []])
    assert frequency.frequencies == pytest.approx([1, 32, 32 * 32, 32, 1])


def test_a_diamond_and_repeated_edges():
    assert of_graph([[1, 2], [3], [3], []]).frequencies == pytest.approx([1, 0.5, 0.5, 1])
    assert of_graph([[1, 1, 2], [2], []]).frequencies == pytest.approx([1, 2 / 3, 1])


def test_an_infinite_loop_has_finite_frequency():
    frequency = of_graph([[1, 2], [1], []])
    assert frequency.frequencies == pytest.approx([1, MAX_SCALE / 2, 0.5])


def test_unreachable_blocks_have_frequency_zero():
    assert of_graph([[1], [], [1]]).frequencies == [1, 1, 0]


def test_an_irreducible_cycle():
    frequency = of_graph([[1, 2], [2, 3], [1, 3], []])
    # f1 = 1/2 + f2/2 and f2 = 1/2 + f1/2.
    assert frequency.frequencies == pytest.approx([1, 1, 1, 1], abs=1e-4)


def test_a_long_chain():
    size = 5000
    frequency = of_graph([[n + 1] for n in range(size - 1)] + [[]])
    assert frequency.frequencies == [1.0] * size


@given(graphs(max_size=9))
def test_inflow_equals_outflow(edges: list[list[int]]):
    frequency = of_graph(edges)
    cfg = frequency.cfg
    size = len(edges)
    matrix = np.eye(size)
    for source in cfg.rpo:
        for target, p in zip(cfg.successors[source], frequency.probability.probabilities[source]):
            matrix[target, source] -= p
    if abs(np.linalg.det(matrix)) < 1e-6:
        return
    start = np.zeros(size)
    start[0] = 1
    exact = np.linalg.solve(matrix, start)
    if exact.max() < MAX_SCALE / 2 and frequency.loops.is_reducible:
        assert frequency.frequencies == pytest.approx(list(exact), rel=1e-6, abs=1e-9)
