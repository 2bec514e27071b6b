"""Steps whose cost would be quadratic or exponential in the input have limits or are done at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType

import pytest
from xdsl.ir import Operation

import nvvm_xdsl
from nvvm_xdsl.dialects.llvm.branches import Edge
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.scalar import simplifycfg
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import Limits, launch

DOUBLING = (
    "define void @f0(ptr %p) alwaysinline {\n  store volatile i32 0, ptr %p\n  ret void\n}\n"
    + "".join(
        f"define void @f{i}(ptr %p) alwaysinline {{\n"
        + f"  call void @f{i - 1}(ptr %p)\n" * 2
        + "  ret void\n}\n"
        for i in range(1, 40)
    )
)


def test_a_chain_of_doubling_calls_is_an_error():
    module = nvvm_xdsl.parse(DOUBLING)
    with pytest.raises(DiagnosticError, match=r"into @f16 copies more than 1000000 ops"):
        run_pipeline(module, "always-inline")
    assert ir_text(module).count("volatile") == 1
    with pytest.raises(DiagnosticError, match="copies more than 500 ops"):
        run_pipeline(module, "always-inline{limit=500}")


def test_calls_within_the_limit_are_inlined():
    chain = "".join(DOUBLING.partition("define void @f4(")[:1])
    module = nvvm_xdsl.parse(chain)
    size = sum(1 for _ in module.walk())
    assert size < 20
    # f1 takes in 2 * 2 ops, f2 2 * 6, f3 2 * 14: returns are not copied, but counted.
    run_pipeline(module, "always-inline{limit=100}")
    assert ir_text(module).count("volatile") == 1 + 2 + 4 + 8


def test_inlining_by_cost_stops_at_its_limit():
    module = nvvm_xdsl.parse(DOUBLING.replace("alwaysinline", ""))
    run_pipeline(module, "inline{total-limit=500}")
    text = ir_text(module)
    assert 1 < text.count("volatile") <= 1 + 500


def sparse_switch(cases: int) -> str:
    constants = "".join(f"  %c{i} = llvm.mlir.constant({i} : i32) : i32\n" for i in range(cases))
    targets = ",\n".join(f"    {7 * i * i}: ^m(%c{i} : i32)" for i in range(cases))
    return (
        "llvm.func @f(%x: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {\n"
        f"{constants}  llvm.switch %x : i32, ^d [\n{targets}\n  ]\n"
        "^m(%v: i32):\n  llvm.store %v, %p : i32, !llvm.ptr\n  llvm.br ^d\n"
        "^d:\n  llvm.return\n}\n"
    )


@pytest.mark.parametrize("level", [0, 3])
def test_the_edges_of_a_switch_are_set_a_few_times(level: int, monkeypatch: pytest.MonkeyPatch):
    """All edges of a switch are set at once; one update per edge would take quadratic time."""
    edges = 0
    stock = TerminatorOp.set_edges

    def counting(self: TerminatorOp, new: object) -> None:
        nonlocal edges
        edges += len(self.successors)
        stock(self, new)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(TerminatorOp, "set_edges", counting)
    seen: list[int] = []
    for cases in (20, 80):
        edges = 0
        nvvm_xdsl.compile(sparse_switch(cases), opt_level=level)
        seen.append(edges)
    assert seen[0]
    assert seen[1] < 8 * seen[0]


def nested_conditions(depth: int) -> str:
    """Nested conditions, whose joins are a chain of empty blocks."""
    down = "".join(
        f"  %c{i} = icmp sgt i32 %n, {3 * i}\n  br i1 %c{i}, label %t{i}, label %j{i}\nt{i}:\n"
        f"  store volatile i32 {i}, ptr %p\n"
        for i in range(depth)
    )
    up = "".join(f"  br label %j{i}\nj{i}:\n" for i in reversed(range(depth)))
    return f"define ptx_kernel void @f(ptr %p, i32 %n) {{\n{down}{up}  ret void\n}}\n"


def test_edges_to_a_chain_of_empty_blocks_move_to_its_end(monkeypatch: pytest.MonkeyPatch):
    """An edge moves to the end of a chain at once; a step per block would take quadratic time."""
    edges = 0
    stock = simplifycfg.branches.set_edges

    def counting(terminator: Operation, new: Sequence[Edge]) -> None:
        nonlocal edges
        edges += len(new)
        stock(terminator, new)

    monkeypatch.setattr(simplifycfg.branches, "set_edges", counting)
    seen: list[int] = []
    for depth in (100, 400):
        edges = 0
        module = nvvm_xdsl.parse(nested_conditions(depth))
        run_pipeline(module, "simplifycfg")
        assert len(list(module.walk_blocks())) == depth + 2 + 1
        seen.append(edges)
    assert seen[0]
    assert seen[1] < 6 * seen[0]


def sums_of_one_base(count: int) -> str:
    terms = "".join(
        f"  %e{i} = nvptx.cvt u64.u32 %r{i} : (!nvptx.b32) -> !nvptx.b64\n"
        f"  %s{i} = nvptx.add s64 %b, %e{i} : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64\n"
        f"  nvptx.st global.b64 [%s{i}], %s{i} : (!nvptx.b64, !nvptx.b64) -> ()\n"
        for i in range(count)
    )
    loads = "".join(
        f"  %r{i} = nvptx.ld global.b32 [%b + {4 * i}] : (!nvptx.b64) -> !nvptx.b32\n"
        for i in range(count)
    )
    return (
        "nvptx.func @f(#nvptx.param<b64>) {\n"
        "  %b = nvptx.ld param.b64 [@f_param_0] : () -> !nvptx.b64\n"
        f"{loads}{terms}  nvptx.ret\n}}\n"
    )


def test_the_users_of_a_common_base_are_not_searched_for_each_sum():
    """All sums have the same term; a search of its users for each sum would take quadratic time."""
    seen: list[int] = []
    for count in (20, 160):
        module = nvvm_xdsl.parse(sums_of_one_base(count))
        calls = 0

        def counting(_frame: FrameType, _event: str, _argument: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(counting)
        try:
            run_pipeline(module, "nvptx-peephole")
        finally:
            sys.setprofile(None)
        assert ir_text(module).count("nvptx.mul wide.u32") == count
        seen.append(calls)
    assert seen[1] < 9 * seen[0]


def test_an_infinite_loop_is_reported():
    module = nvvm_xdsl.parse(
        "define ptx_kernel void @k() {\n  br label %l\nl:\n  br label %l\n}\n", locations=True
    )
    with pytest.raises(DiagnosticError, match=r"more than 1000 steps.*llvm\.br") as caught:
        launch(module, "k", 1, 1, [], limits=Limits(steps=1000))
    assert caught.value.line == 4
