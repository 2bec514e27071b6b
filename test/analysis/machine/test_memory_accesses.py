"""Alignments of symbols."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from helpers.modules import op_named
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.machine.memory_accesses import Alignments
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast

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
