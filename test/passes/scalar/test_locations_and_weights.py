"""Locations of ops that passes move and merge, and weights of branches that they change.

The rules are LLVM's ("How to Update Debug Info"): an op that executes where its line does not loses the line;
an op that replaces two has their common location; an op that only moves down keeps its location. Weights
follow the edges.
"""

from __future__ import annotations

import pytest
from helpers.modules import parse_module
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr

from nvvm_xdsl.dialects.llvm.accessors import integers_of
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.ir.locations import place_of, without_line
from nvvm_xdsl.pipeline import run_pipeline

FILE = StringAttr("k.cu")
START = """
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %t = nvvm.read.ptx.sreg.tid.x : i32
"""
MUL = "llvm.mul %n, %t : i32"
STORE = "llvm.store {}, %p : i32, !llvm.ptr<1>"


def kernel(body: str) -> ModuleOp:
    """A kernel whose ops have separate lines, except for those named `at7`, which have line 7."""
    arguments = "%n: i32, %m: i32, %c: i1, %d: i1, %p: !llvm.ptr<1>"
    module = parse_module(
        f"llvm.func @f({arguments}) attributes {{nvvm.kernel}} {{\n{START}{body}\n}}"
    )
    intern_types(module)
    for line, op in enumerate(module.walk(), 100):
        own = any((r.name_hint or "").startswith("at7") for r in op.results)
        op.location = FileLineColLoc(FILE, IntAttr(7 if own else line), IntAttr(3))
    return module


LOOP = f"""
  llvm.br ^loop(%c1 : i32)
^loop(%i: i32):
  %at7 = {MUL}
  %x = llvm.add %at7, %i : i32
  {STORE.format("%x")}
  %j = llvm.add %i, %c1 : i32
  %e = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %e, ^loop(%j : i32), ^out
^out:
  llvm.return"""

ONE_WAY = f"""
  llvm.cond_br %c, ^then, ^end(%n : i32)
^then:
  %at7 = {MUL}
  llvm.br ^end(%at7 : i32)
^end(%x: i32):
  {STORE.format("%x")}
  llvm.return"""

TWO_TESTS = f"""
  llvm.cond_br %c, ^then, ^out
^then:
  %at7 = llvm.icmp "slt" %n, %m : i32
  llvm.cond_br %at7, ^in, ^out
^in:
  {STORE.format("%n")}
  llvm.br ^out
^out:
  llvm.return"""

BOTH = f"""
  llvm.cond_br %c, ^then, ^else
^then:
  %a = {MUL}
  {STORE.format("%a")}
  llvm.br ^end
^else:
  %at7 = {MUL}
  %b = llvm.xor %at7, %n : i32
  {STORE.format("%b")}
  llvm.br ^end
^end:
  llvm.return"""

BOTH_ENDS = f"""
  llvm.cond_br %c, ^then, ^else
^then:
  {STORE.format("%n")}
  %a = {MUL}
  llvm.br ^end(%a : i32)
^else:
  {STORE.format("%m")}
  %at7 = {MUL}
  llvm.br ^end(%at7 : i32)
^end(%x: i32):
  {STORE.format("%x")}
  llvm.return"""

USED_BELOW = f"""
  %at7 = {MUL}
  llvm.cond_br %c, ^then, ^end
^then:
  {STORE.format("%at7")}
  llvm.br ^end
^end:
  llvm.return"""

TWICE = f"""
  %at7 = {MUL}
  {STORE.format("%at7")}
  %b = {MUL}
  {STORE.format("%b")}
  llvm.return"""

COMBINED = f"""
  %a = llvm.add %n, %c1 : i32
  %at7 = llvm.add %a, %c4 : i32
  {STORE.format("%at7")}
  llvm.return"""


@pytest.mark.parametrize(
    ("pipeline", "body", "op", "line"),
    [
        ("licm", LOOP, "llvm.mul", 0),
        ("speculative-execution", ONE_WAY, "llvm.mul", 0),
        ("simplifycfg", ONE_WAY, "llvm.mul", "branch"),
        ("simplifycfg<fold-with-var-cond>", TWO_TESTS, "llvm.icmp", 0),
        ("simplifycfg<hoist-common-insts>", BOTH, "llvm.mul", 0),
        ("gvn-hoist", BOTH, "llvm.mul", 0),
        ("simplifycfg<sink-common-insts>", BOTH_ENDS, "llvm.mul", 0),
        ("sink", USED_BELOW, "llvm.mul", 7),
        ("early-cse", TWICE, "llvm.mul", 7),
        ("gvn", TWICE, "llvm.mul", 7),
        ("instcombine", COMBINED, "llvm.add", 7),
    ],
)
def test_moved_ops_have_the_documented_location(pipeline: str, body: str, op: str, line: int | str):
    module = kernel(body)
    if line == "branch":
        (line,) = [place_of(o).line or 0 for o in module.walk() if o.name == "llvm.cond_br"]
    before = {id(o): o.parent for o in module.walk()}
    run_pipeline(module, pipeline)
    (found,) = [o for o in module.walk() if o.name == op]
    moved = before.get(id(found)) is not found.parent
    assert moved or pipeline in ("early-cse", "gvn"), "the pass does nothing here"
    assert place_of(found).line == (line or None)
    assert isinstance(found.location, FileLineColLoc)
    assert found.location.filename == FILE


def test_an_op_without_a_line_keeps_file_and_scope():
    location = FileLineColLoc(FILE, IntAttr(4), IntAttr(2))
    assert without_line(location) == FileLineColLoc(FILE, IntAttr(0), IntAttr(0))


def leaving(weights: str, inner: str = "") -> str:
    """A branch on a negated condition, or one before another."""
    return f"""
  llvm.cond_br %c weights([{weights}]), ^then, ^out
^then:
  llvm.cond_br %d {inner}, ^out, ^in
^in:
  {STORE.format("%n")}
  llvm.br ^out
^out:
  llvm.return"""


NEGATED = f"""
  %q = llvm.xor %c, %true : i1
  llvm.cond_br %q weights([3, 9]), ^in, ^out
^in:
  {STORE.format("%n")}
  {STORE.format("%m")}
  llvm.br ^out
^out:
  llvm.return"""

RANGE = f"""
  llvm.switch %n : i32, ^out [
    4: ^in,
    5: ^in,
    6: ^in
  ] {{branch_weights = array<i32: 10, 1, 2, 4>}}
^in:
  {STORE.format("%n")}
  {STORE.format("%m")}
  llvm.br ^out
^out:
  llvm.return"""

CASES = f"""
  %k = llvm.urem %n, %c4 : i32
  llvm.switch %k : i32, ^out [
    0: ^in,
    4: ^in,
    2: ^other
  ] {{branch_weights = array<i32: 10, 1, 2, 5>}}
^in:
  {STORE.format("%n")}
  llvm.br ^out
^other:
  {STORE.format("%m")}
  llvm.br ^out
^out:
  llvm.return"""


@pytest.mark.parametrize(
    ("pipeline", "body", "op", "weights"),
    [
        ("simplifycfg", NEGATED, "llvm.cond_br", [9, 3]),
        # To ^in with weight 6/8 * 4/5, to ^out with 2/8 + 6/8 * 1/5.
        (
            "simplifycfg<fold-with-var-cond>",
            leaving("6, 2", "weights([1, 4])"),
            "llvm.cond_br",
            [24, 16],
        ),
        ("simplifycfg<fold-with-var-cond>", leaving("6, 2"), "llvm.cond_br", [6, 10]),
        (
            "simplifycfg<fold-with-var-cond>",
            leaving("2147483647, 1", "weights([0, 2147483647])"),
            "llvm.cond_br",
            [2147483646, 0],
        ),
        ("simplifycfg<switch-range-to-icmp>", RANGE, "llvm.cond_br", [7, 10]),
        ("correlated-propagation", CASES, "llvm.switch", [10, 1, 5]),
    ],
)
def test_weights_follow_the_edges(pipeline: str, body: str, op: str, weights: list[int]):
    module = kernel(body)
    run_pipeline(module, pipeline)
    (found,) = [o for o in module.walk() if o.name == op]
    assert list(integers_of(found.properties["branch_weights"])) == weights
