"""Loop annotations in `break-crit-edges`: each case is a function and the branches that have an annotation afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module

from nvvm_xdsl.pipeline import run_pipeline

ANNOTATION = "{loop_annotation = #llvm.loop_annotation<mustProgress = true>}"

CASES = {
    "not moved to an edge within the loop": (
        "llvm.br ^head\n^head:\nllvm.cond_br %c, ^mid, ^latch\n"
        f"^mid:\nllvm.cond_br %d, ^latch, ^head {ANNOTATION}\n^latch:\nllvm.cond_br %c, ^head, ^end\n^end:\nllvm.return",
        ["^head"],
    ),
    "not moved to the entry of another loop": (
        f"llvm.br ^one\n^one:\nllvm.cond_br %c, ^other, ^one {ANNOTATION}\n"
        "^other:\nllvm.cond_br %d, ^other, ^end\n^end:\nllvm.return",
        ["^one"],
    ),
    "not moved to an exit": (
        f"llvm.cond_br %c, ^one, ^end\n^one:\nllvm.cond_br %c, ^end, ^one {ANNOTATION}\n^end:\nllvm.return",
        ["^one"],
    ),
    "moved to the first of two back edges": (
        f"llvm.br ^one\n^one:\nllvm.cond_br %c, ^one, ^one {ANNOTATION}", ["^one"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_annotated_branches(why: str):
    body, expected = CASES[why]
    module = parse_module(f"llvm.func @f(%c: i1, %d: i1) {{\n{body}\n}}")
    run_pipeline(module, "break-crit-edges")
    module.verify()
    annotated = [line.split() for line in str(module).splitlines() if "loop_annotation" in line]
    assert [words[1] for words in annotated] == expected
    assert all(words[0] == "llvm.br" for words in annotated)
