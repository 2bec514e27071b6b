from typing import ClassVar

import pytest
from helpers.modules import function, op_named, parse_module
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.dialects.llvm import AddOp, ConstantOp, MulOp, ReturnOp, SubOp
from xdsl.dialects.test import TestOp as AnOp
from xdsl.ir import Operation, OpResult
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from nvvm_xdsl.dialects.llvm.types import I32, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.driver import RewriteDriver, matched_classes
from nvvm_xdsl.verify.verifier import verify_module

PURE = (AddOp, SubOp, MulOp, ConstantOp)


def is_pure(op: Operation) -> bool:
    return op.__class__ in PURE


def number(value) -> int | None:
    if isinstance(value, OpResult) and isinstance(value.op, ConstantOp):
        return value.op.properties["value"].value.data
    return None


class AddZero(RewritePattern):
    """x + 0 is x."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddOp, rewriter: PatternRewriter):
        a, b = fast.operands_of(op)
        if number(b) == 0:
            rewriter.replace(op, (), [a])


class SubSelf(RewritePattern):
    """x - x is 0."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SubOp, rewriter: PatternRewriter):
        a, b = fast.operands_of(op)
        if a is b:
            new = fast.create(ConstantOp, (), (I32,), {"value": int_attr(0, I32)})
            rewriter.replace(op, new)


class MulTwo(RewritePattern):
    """x * 2 is x + x; 2 * x is x * 2."""

    matches: ClassVar = [MulOp]

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter):
        if not isinstance(op, MulOp):
            return
        a, b = fast.operands_of(op)
        if number(b) == 2:
            rewriter.replace(op, fast.create(AddOp, (a, a), (I32,)))
        elif number(a) == 2:
            fast.set_operands(op, (b, a))
            rewriter.notify_op_modified(op)


class Everything(RewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter):
        pass


class Either(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddOp | SubOp, rewriter: PatternRewriter):
        pass


class SwapForever(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddOp, rewriter: PatternRewriter):
        a, b = fast.operands_of(op)
        rewriter.replace(op, fast.create(AddOp, (b, a), (I32,)))


PATTERNS = [AddZero(), SubSelf(), MulTwo()]

TEXT = """
llvm.func @f(%x: i32) -> i32 {
  %two = llvm.mlir.constant(2 : i32) : i32
  %d = llvm.sub %x, %x : i32
  %s = llvm.add %x, %d : i32
  %m = llvm.mul %two, %s : i32
  llvm.return %m : i32
}
"""


def test_rewrites_enable_each_other():
    module = parse_module(TEXT)
    driver = RewriteDriver(PATTERNS, is_pure=is_pure)
    assert driver.rewrite(module)
    verify_module(module, links=True)
    func = function(module)
    ops = list(func.regions[0].blocks[0].ops)
    assert [op.name for op in ops] == ["llvm.add", "llvm.return"]
    x = func.regions[0].blocks[0].args[0]
    assert tuple(fast.operands_of(ops[0])) == (x, x)
    # The multiplication matches twice: once to swap its operands.
    assert driver.hits == {"SubSelf": 1, "AddZero": 1, "MulTwo": 2, "dead": 2}


def test_a_run_without_changes_is_reported():
    module = parse_module(TEXT)
    driver = RewriteDriver(PATTERNS, is_pure=is_pure)
    driver.rewrite(module)
    assert not driver.rewrite(module)


def test_dead_ops_stay_without_a_purity_test():
    module = parse_module(TEXT)
    RewriteDriver([SubSelf()]).rewrite(module)
    assert len([op for op in module.walk() if op.name == "llvm.mlir.constant"]) == 2


def test_chains_of_dead_ops_are_erased():
    body = "".join(
        f"%v{n} = llvm.add %{'x' if n == 0 else f'v{n - 1}'}, %x : i32\n" for n in range(500)
    )
    module = parse_module(f"llvm.func @f(%x: i32) {{\n{body}llvm.return\n}}")
    driver = RewriteDriver([], is_pure=is_pure)
    assert driver.rewrite(module)
    assert driver.hits == {"dead": 500}
    assert len(list(function(module).regions[0].blocks[0].ops)) == 1


def test_classes_of_patterns():
    assert matched_classes(AddZero()) == (AddOp,)
    assert matched_classes(Either()) == (AddOp, SubOp)
    assert matched_classes(MulTwo()) == (MulOp,)
    assert matched_classes(Everything()) is None


def test_new_ops_get_the_location_and_the_name():
    module = parse_module(TEXT)
    place = FileLineColLoc(StringAttr("a.cu"), IntAttr(4), IntAttr(2))
    op_named(module, "llvm.mul").location = place
    RewriteDriver(PATTERNS).rewrite(module)
    add = op_named(module, "llvm.add")
    assert add.location is place
    assert add.results[0].name_hint == "m"


def test_nonterminating_patterns_are_an_error():
    with pytest.raises(DiagnosticError, match="rewriting does not terminate: SwapForever matched"):
        RewriteDriver([SwapForever()]).rewrite(parse_module(TEXT))


def test_the_first_matching_pattern_is_applied():
    class Other(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(self, op: SubOp, rewriter: PatternRewriter):
            rewriter.replace(op, (), [fast.operands_of(op)[0]])

    driver = RewriteDriver([Other(), SubSelf()])
    driver.rewrite(parse_module(TEXT))
    assert driver.hits["Other"] == 1
    assert driver.hits["SubSelf"] == 0


def test_ops_erased_with_their_parent_are_skipped():
    class EraseOuter(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(self, op: AnOp, rewriter: PatternRewriter):
            if op.regions:
                rewriter.erase(op)

    text = (
        'llvm.func @f(%x: i32) {\n"test.op"() ({\n"test.op"() : () -> ()\n}) : () -> ()\n'
        "llvm.return\n}"
    )
    module = parse_module(text)
    driver = RewriteDriver([EraseOuter(), Everything()])
    assert driver.rewrite(module)
    assert [op.name for op in function(module).regions[0].blocks[0].ops] == ["llvm.return"]


def test_unreachable_blocks_are_rewritten_too():
    module = parse_module(
        "llvm.func @f(%x: i32) -> i32 {\nllvm.return %x : i32\n^dead:\n"
        "%d = llvm.sub %x, %x : i32\nllvm.return %d : i32\n}"
    )
    driver = RewriteDriver(PATTERNS)
    assert driver.rewrite(module)
    assert driver.hits == {"SubSelf": 1}


@st.composite
def programs(draw: st.DrawFn) -> str:
    lines = ["%c0 = llvm.mlir.constant(0 : i32) : i32", "%c2 = llvm.mlir.constant(2 : i32) : i32"]
    names = ["x", "y", "c0", "c2"]
    for n in range(draw(st.integers(1, 12))):
        op = draw(st.sampled_from(["add", "sub", "mul"]))
        a, b = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        lines.append(f"%v{n} = llvm.{op} %{a}, %{b} : i32")
        names.append(f"v{n}")
    lines.append(f"llvm.return %{names[-1]} : i32")
    return "llvm.func @f(%x: i32, %y: i32) -> i32 {\n" + "\n".join(lines) + "\n}"


def expression(value, depth: int = 0) -> object:
    if not isinstance(value, OpResult):
        return value.index
    constant = number(value)
    if constant is not None:
        return ("const", constant)
    return (value.op.name, *(expression(v) for v in value.op.operands))


@settings(deadline=None)
@given(programs())
def test_the_result_equals_that_of_the_xdsl_walker(text: str):
    fast_module, slow_module = parse_module(text), parse_module(text)
    RewriteDriver(PATTERNS, is_pure=is_pure).rewrite(fast_module)
    PatternRewriteWalker(GreedyRewritePatternApplier(PATTERNS, dce_enabled=False)).rewrite_module(
        slow_module
    )
    verify_module(fast_module, links=True)
    found = [
        expression(next(op for op in m.walk() if isinstance(op, ReturnOp)).operands[0])
        for m in (fast_module, slow_module)
    ]
    assert found[0] == found[1]


class AtTheStart(RewritePattern):
    """x - y is y + y, inserted at the pattern's insertion point, and a constant before the op."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SubOp, rewriter: PatternRewriter):
        rewriter.insert(fast.create(ConstantOp, (), (I32,), {"value": int_attr(7, I32)}))
        rewriter.insertion_point = InsertPoint.at_start(op.parent)
        y = op.operands[1]
        made = rewriter.insert(fast.create(AddOp, (y, y), (I32,)))
        rewriter.replace(op, (), made.results)


def test_insertion_points_of_patterns_are_independent():
    module = parse_module(
        "llvm.func @f(%a: i32, %b: i32) -> i32 {\n%m = llvm.mul %a, %b : i32\n"
        "%s = llvm.sub %a, %b : i32\n%t = llvm.sub %s, %a : i32\nllvm.return %t : i32\n}"
    )
    assert RewriteDriver([AtTheStart()]).rewrite(module)
    ops = [op.name for op in function(module).body.blocks[0].ops]
    added, constant = "llvm.add", "llvm.mlir.constant"
    assert ops == [added, added, "llvm.mul", constant, constant, "llvm.return"]
