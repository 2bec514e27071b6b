"""Alignments of symbols and registers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from helpers.modules import op_named
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.machine.memory_accesses import Alignments, access_of, may_alias
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline import run_pipeline

MODULE = """
nvptx.global @g "global" "b8" x 64 <{align = 32 : i32}>
nvptx.global @h "global" "b32"
nvptx.func kernel @k() {
  nvptx.local @l 16 align 8
  nvptx.ret
}
"""


def test_the_module_is_searched_once_and_only_for_its_variables(monkeypatch: pytest.MonkeyPatch):
    """Every function has alignments; a search for each would take quadratic time."""
    module = parse(MODULE, format="mlir")
    func = op_named(module, "nvptx.func")
    assert isinstance(func, FuncOp)
    searched: list[Block] = []
    ops_of = fast.ops_of

    def noted(block: Block) -> Iterator[Operation]:
        searched.append(block)
        return ops_of(block)

    monkeypatch.setattr(fast, "ops_of", noted)
    alignments = Alignments(func)
    assert alignments.of_symbol("l") == 8
    assert func.parent not in searched
    assert [alignments.of_symbol(name) for name in ("g", "h", "none", "g")] == [32, 4, 1, 32]
    assert searched.count(module.body.block) == 1


def test_arrays_of_dynamic_shared_memory_start_at_the_same_address():
    text = """
.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 a[];
.extern .shared .align 4 .b8 b[];
.global .align 4 .b8 g[4];
.global .align 4 .b8 h[4];
.visible .entry k()
{
  .reg .b32 %r<5>;
  ld.shared.u32 %r1, [a];
  ld.shared.u32 %r2, [b];
  ld.global.u32 %r3, [g];
  ld.global.u32 %r4, [h];
  ret;
}
"""
    accesses = [access for op in convert(read_ptx(text)).walk() if (access := access_of(op))]
    a, b, g, h = accesses
    assert may_alias(a, b)
    assert not may_alias(g, h)
    assert not may_alias(a, g)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [("{4, %r2}", 1), ("{%r2, 0}", 1), ("{%r2, %r1}", 1), ("%rd2", 128), ("{%r1, %r2}", 1)],
)
def test_the_upper_half_of_a_pair_aligns_nothing(source: str, wanted: int):
    """`{4, %r2}` is a multiple of 4 only, although `%r2` is a multiple of 128."""
    text = f"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 k_param_0)
{{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u32 %r1, [k_param_0];
  shl.b32 %r2, %r1, 7;
  cvt.u64.u32 %rd2, %r2;
  mov.b64 %rd1, {source};
  st.global.u32 [%rd1], %r1;
  ret;
}}
"""
    module = convert(read_ptx(text))
    run_pipeline(module, "nvptx-ssa-construction")
    func = op_named(module, "nvptx.func")
    assert isinstance(func, FuncOp)
    (store,) = [op for op in func.walk() if op.name == "nvptx.st"]
    assert Alignments(func).of(fast.operands_of(store)[0]) == wanted
