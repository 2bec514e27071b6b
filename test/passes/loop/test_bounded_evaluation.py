"""No pass evaluates a loop for longer than a fixed number of iterations."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, using_knobs
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.loop import loop_unroll, loop_vectorize
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import launch
from nvvm_xdsl.transforms.loops import LoopCopier


def loop(body: str, count: int, stored: str, annotation: str = "") -> str:
    """A kernel with `for (k = 0; k < count; k++) body` that stores a value afterwards."""
    return f"""
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out, i32 %a) {{
entry:
  br label %l
l:
  %k = phi i32 [0, %entry], [%n, %l]
  %x = phi i32 [1, %entry], [%y, %l]
  {body}
  %n = add nuw nsw i32 %k, 1
  %c = icmp slt i32 %n, {count}
  br i1 %c, label %l, label %e{annotation}
e:
  store i32 {stored}, ptr %out, align 4
  ret void
}}
"""


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of copied loop bodies, in its only element."""
    made = [0]

    stock = LoopCopier.copy

    def copy(self: LoopCopier, after: Block) -> object:
        made[0] += 1
        return stock(self, after)

    monkeypatch.setattr(LoopCopier, "copy", copy)
    return made


def result(module: ModuleOp) -> int:
    out = np.zeros(1, np.int32)
    launch(module, "k", 1, 1, [out, 7])
    return out.tolist()[0]


def has_loop(module: ModuleOp) -> bool:
    return any(op.name == "llvm.cond_br" for op in module.walk())


EMPTY = "%y = add i32 %x, 0"
COUNT = 588_754_944


@pytest.mark.parametrize(
    ("body", "stored", "expected"),
    [
        (EMPTY, "%n", COUNT),
        ("%y = add i32 %x, 3", "%y", 1 + 3 * COUNT),
        ("%y = add i32 %x, %k", "%y", 1 + COUNT * (COUNT - 1) // 2),
        ("%y = add i32 %x, %a", "%x", 1 + 7 * (COUNT - 1)),
    ],
    ids=["counter", "steps", "sum", "steps of an argument"],
)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_values_after_long_loops_are_computed(
    level: int, body: str, stored: str, expected: int, copies: list[int]
):
    module = read_ll(loop(body, COUNT, stored))
    run_pipeline(module, f"nvopt<O{level}>")
    assert not has_loop(module)
    assert result(module) == (expected + (1 << 31)) % (1 << 32) - (1 << 31)
    assert not copies[0]


@pytest.mark.parametrize("count", [150, 151])
def test_a_fully_folded_iteration_costs_one_op(count: int, copies: list[int]):
    module = read_ll(loop(EMPTY, count, "%n"))
    run_pipeline(module, "loop-unroll<no-partial;no-runtime;O2>")
    assert copies[0] == (count if count <= loop_unroll.UNROLL_THRESHOLD_DEFAULT else 0)
    assert result(module) == count


def folding(ops: int) -> str:
    """Returns a body of N ops that fold in each iteration."""
    lines = ["%y0 = add i32 %k, 3"]
    lines += [f"%y{n} = add i32 %y{n - 1}, %k" for n in range(1, ops)]
    return "\n  ".join([*lines, f"%y = add i32 %y{ops - 1}, 1"])


@pytest.mark.parametrize("limit", [40 * 24, 40 * 24 - 1])
def test_copied_ops_have_a_limit(limit: int, copies: list[int], monkeypatch: pytest.MonkeyPatch):
    # 20 ops of `folding`, the last sum, the step, the comparison and the branch.
    monkeypatch.setattr(loop_unroll, "MAX_COPIED_OPS", limit)
    module = read_ll(loop(folding(20), 40, "%y"))
    expected = result(module)
    run_pipeline(module, "loop-unroll<no-partial;no-runtime>")
    assert copies[0] == (40 if limit == 960 else 0)
    assert result(module) == expected


PRAGMA = ', !llvm.loop !0\n!0 = distinct !{!0, !1}\n!1 = !{!"llvm.loop.NAME", i32 COUNT}\n'


def annotated(body: str, count: int, stored: str, name: str, asked: int) -> str:
    head, _, tail = loop(body, count, stored, ", !llvm.loop !0").rpartition("}\n")
    metadata = PRAGMA.partition("\n")[2].replace("NAME", name).replace("COUNT", str(asked))
    return f"{head}}}\n{metadata}{tail}"


@pytest.mark.parametrize("asked", [1 << 30, (1 << 31) - 1])
def test_an_unroll_count_is_reduced_to_the_threshold(asked: int, copies: list[int]):
    """The largest power of two within the threshold is found without trying each number."""
    body = "%y = mul i32 %x, %a"
    text = annotated(body, 1000, "%y", "unroll.count", asked).replace("1000", "%a")
    module = read_ll(text)
    expected = result(module)
    run_pipeline(module, "loop-unroll<pragma-unroll-threshold=40>")
    # Two ops per iteration besides the two that the copies share.
    assert copies[0] == 16
    assert result(module) == expected


def test_evaluation_stops_at_the_knob():
    """`scalar-evolution-max-iterations`: the loop has 12 backedges before `x` is 4096."""
    text = loop("%y = shl i32 %x, 1\n  %odd = icmp ne i32 %y, 8192", 1, "%y")
    text = text.replace("br i1 %c", "br i1 %odd")
    for most, known in ((ScevKnobs().max_iterations, True), (13, True), (12, False)):
        (func,) = functions_of(read_ll(text))
        with using_knobs(ScevKnobs(max_iterations=most)):
            evolution = AnalysisManager().get(ScalarEvolution, func)
            found = evolution.backedge_taken_count(evolution.loops.top_level[0])
        assert (str(found) == "12") is known
    assert ScevKnobs().max_iterations == 100


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("vectorize.width", loop_vectorize.MAX_VECTOR_WIDTH),
        ("interleave.count", loop_vectorize.MAX_INTERLEAVE_FACTOR),
    ],
)
@pytest.mark.parametrize("factor", [1, 2, 1 << 22])
def test_requested_vectorization(name: str, most: int, factor: int):
    body = (
        "%p = getelementptr i8, ptr %out, i32 %k\n  %v = load i8, ptr %p, align 1\n"
        "  %w = add i8 %v, 1\n  store i8 %w, ptr %p, align 1\n  %y = add i32 %x, 1"
    )
    text = annotated(body, 100_000_000, "0", name, most * factor)
    module = read_ll(text)
    found = loop_vectorize.hints_of(
        AnalysisManager().get(ScalarEvolution, next(functions_of(module))).loops.top_level[0]
    )
    wanted = most if factor == 1 else 0
    assert found.width + found.interleave == wanted
    assert found.forced is (True if wanted else None)
