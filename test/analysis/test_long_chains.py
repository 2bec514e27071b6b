"""Every analysis on 10,000 blocks in a row: nothing recurses along them."""

import pytest
from programs import parse_function

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.printers import PRINTERS, print_analysis

BLOCKS = 10_000


@pytest.fixture(scope="module")
def chain():
    """Blocks that hand one value on, add to it, and now and then store it or leave."""
    lines = ["llvm.func @f(%a: i32, %p: !llvm.ptr<1>, %c: i1) {", "llvm.br ^b0(%a : i32)"]
    for n in range(BLOCKS):
        lines += [f"^b{n}(%v{n}: i32):", f"%s{n} = llvm.add %v{n}, %a : i32"]
        if n % 1000 == 0:
            lines.append(f"llvm.store %s{n}, %p : i32, !llvm.ptr<1>")
        if n == BLOCKS - 1:
            lines.append("llvm.return")
        elif n % 500 == 499:
            lines.append(f"llvm.cond_br %c, ^b{n + 1}(%s{n} : i32), ^b{BLOCKS - 1}(%s{n} : i32)")
        else:
            lines.append(f"llvm.br ^b{n + 1}(%s{n} : i32)")
    return parse_function("\n".join([*lines, "}"]))


@pytest.mark.parametrize("name", sorted(PRINTERS))
def test_ten_thousand_blocks(chain, name: str):
    text = print_analysis(name, chain, AnalysisManager())
    assert text.startswith(PRINTERS[name][0])
    if name in ("domtree", "postdomtree", "cfg", "block-freq", "liveness", "merge-sets"):
        assert text.count("\n") >= BLOCKS
