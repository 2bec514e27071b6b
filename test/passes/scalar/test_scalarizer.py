"""Conditions of `scalarizer`: each case is the body of a function, and the remaining ops on vectors and extractions."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module
from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import InsertElementOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
llvm.func @f(%v: vector<2xi32>, %h: vector<2xi16>, %s: vector<[2]xi32>, %x: i32, %p: !llvm.ptr) {{
{body}
llvm.return
}}
"""


def ops_after(body: str, pipeline: str) -> list[Operation]:
    """Runs a pass on a function with a body; returns its ops."""
    module = parse_module(TEXT.format(body=body))
    run_pipeline(module, pipeline)
    module.verify()
    return list(module.walk())


def stored(value: str, type_: str) -> str:
    return f"llvm.store {value}, %p : {type_}, !llvm.ptr\n"


SUM = "%a = llvm.add %v, %v : vector<2xi32>\n"
THREE = "%n = llvm.mlir.constant({} : i32) : i32\n"
EXTRACTED = "%e = llvm.extractelement {}[{} : i32] : vector<2xi32>\n" + stored("%e", "i32")

CASES = {
    "not an op on scalars": ("%a = llvm.add %x, %x : i32\n" + stored("%a", "i32"), "scalarizer", ["add"], 0),
    "not a vector of unknown length": (
        "%a = llvm.add %s, %s : vector<[2]xi32>\n" + stored("%a", "vector<[2]xi32>"), "scalarizer", ["add"], 0,
    ),
    "not an unused vector": (SUM, "scalarizer", ["add"], 0),
    "not a vector of small operands": (
        "%a = llvm.zext %h : vector<2xi16> to vector<2xi64>\n" + stored("%a", "vector<2xi64>"),
        "scalarizer<min-bits=32>", ["zext"], 0,
    ),
    "not an element of another vector": (THREE.format(1) + EXTRACTED.format("%v", "%n"), "scalarizer", [], 1),
    "not a variable element": (SUM + EXTRACTED.format("%a", "%x"), "scalarizer", ["add", "add"], 3),
    "not an element beyond the last": (
        SUM + THREE.format(2) + EXTRACTED.format("%a", "%n"), "scalarizer", ["add", "add"], 3,
    ),
    "elements of a constant": (
        "%k = llvm.mlir.constant(dense<[3, 4]> : vector<2xi32>) : vector<2xi32>\n%a = llvm.add %v, %k : vector<2xi32>\n"
        + stored("%a", "vector<2xi32>"),
        "scalarizer", ["add", "add"], 4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_ops(why: str):
    body, pipeline, names, extractions = CASES[why]
    ops = ops_after(body, pipeline)
    assert [op.name[5:] for op in ops if op.name in ("llvm.add", "llvm.zext")] == names
    assert sum(isinstance(op, ExtractElementOp) for op in ops) == extractions


def test_a_vector_without_uses_is_not_rebuilt():
    ops = ops_after(SUM + THREE.format(1) + EXTRACTED.format("%a", "%n"), "scalarizer")
    assert not any(isinstance(op, InsertElementOp) for op in ops)
    assert not any(isinstance(r.type, VectorType) for op in ops for r in op.results)


def test_elements_of_a_constant_follow_all_constants():
    constant = "%{} = llvm.mlir.constant(dense<[3, 4]> : vector<2xi32>) : vector<2xi32>\n"
    body = constant.format("k") + constant.format("l") + "%a = llvm.mul %v, %l : vector<2xi32>\n"
    body += "%b = llvm.mul %a, %k : vector<2xi32>\n" + stored("%b", "vector<2xi32>")
    function = ops_after(body, "scalarizer")[1]
    is_constant = [op.name.startswith("llvm.mlir.") for op in function.regions[0].block.ops]
    assert is_constant == sorted(is_constant, reverse=True)
