"""References of a function to symbols."""

from __future__ import annotations

from pathlib import Path

import pytest

from nvvm_xdsl import parse
from nvvm_xdsl.dialects.llvm import symbols
from nvvm_xdsl.dialects.llvm.symbols import references_of, symbols_of
from nvvm_xdsl.ir import fast

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.ll"))


def test_skipped_ops_refer_to_no_symbols(monkeypatch: pytest.MonkeyPatch):
    for path in EXAMPLES:
        module = parse(path.read_text())
        found = {name: references_of(op) for name, op in symbols_of(module).items()}
        with monkeypatch.context() as patch:
            patch.setattr(symbols, "_WITHOUT_SYMBOLS", frozenset())
            assert found == {name: references_of(op) for name, op in symbols_of(module).items()}


def test_a_name_in_an_attribute_of_any_op():
    module = parse(
        "llvm.func @g()\n"
        "llvm.func @f(%x: i32) -> i32 {\n"
        "  %y = llvm.add %x, %x {other = @g} : i32\n"
        "  llvm.return %y : i32\n"
        "}",
        format="mlir",
    )
    assert references_of(symbols_of(module)["f"]) == {"g"}


def test_nested_ops_while_they_are_erased():
    module = parse(EXAMPLES[0].read_text())
    for func in symbols_of(module).values():
        plain = [op for region in func.regions for block in region.blocks for op in block.ops]
        assert list(fast.ops_inside(func)) == plain
        seen = 0
        for op in fast.ops_inside(func):
            seen += 1
            if not op.results:
                fast.erase(op)
        assert seen == len(plain)
