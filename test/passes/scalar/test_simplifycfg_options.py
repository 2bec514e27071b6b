"""Options of `simplifycfg`, and blocks that it simplifies again after a change."""

from __future__ import annotations

from collections import Counter

import pytest
from helpers.programs import parse_function
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.scalar.simplifycfg import SimplifyCFG
from nvvm_xdsl.verify.verifier import verify_function


def function(body: str) -> FuncOp:
    func = parse_function(f"""
      llvm.func @f(%x: i32, %y: i32, %a: i1, %b: i1, %c: i1, %p: !llvm.ptr) -> i32 {{
        %k1 = llvm.mlir.constant(1 : i32) : i32
        %k2 = llvm.mlir.constant(2 : i32) : i32
        %k3 = llvm.mlir.constant(3 : i32) : i32
        %true = llvm.mlir.constant(true) : i1
        {body}
      }}""")
    assert isinstance(func, FuncOp)
    return func


def counts(body: str, one: SimplifyCFG | None = None) -> Counter[str]:
    """The number of ops of each name after the pass, and of blocks."""
    func = function(body)
    before = str(func)
    changed = (one or SimplifyCFG()).run_on_function(func, AnalysisManager())
    verify_function(func)
    assert changed == (str(func) != before)
    found = Counter(op.name.removeprefix("llvm.") for op in func.walk())
    found["blocks"] = len(func.regions[0].blocks)
    return found


# Options.

DIAMOND = """
  llvm.cond_br %a, ^one, ^two
^one:
  {one}
  llvm.br ^end({first} : i32)
^two:
  {two}
  llvm.br ^end({second} : i32)
^end(%r: i32):
  llvm.return %r : i32"""
STORED = DIAMOND.format(
    one="llvm.store %x, %p : i32, !llvm.ptr\nllvm.store volatile %k1, %p : i32, !llvm.ptr",
    two="llvm.store %x, %p : i32, !llvm.ptr\nllvm.store volatile %k2, %p : i32, !llvm.ptr",
    first="%k1",
    second="%k2",
)
ADDED = DIAMOND.format(
    one="llvm.store volatile %k1, %p : i32, !llvm.ptr\n%s = llvm.add %x, %k1 : i32",
    two="llvm.store volatile %k2, %p : i32, !llvm.ptr\n%t = llvm.add %x, %k2 : i32",
    first="%s",
    second="%t",
)
CHOSEN = DIAMOND.format(one="", two="", first="%k1", second="%k2")
WORKED = DIAMOND.format(
    one="%s = llvm.add %x, %y : i32", two="%t = llvm.sub %x, %y : i32", first="%s", second="%t"
)
NESTED = """
  llvm.cond_br %a, ^inner, ^end
^inner:
  llvm.cond_br %b, ^store, ^end
^store:
  llvm.store volatile %k1, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return %x : i32"""
RANGE = """
  llvm.switch %x : i32, ^two [1: ^one, 2: ^one, 3: ^one]
^one:
  llvm.store volatile %k1, %p : i32, !llvm.ptr
  llvm.return %k1 : i32
^two:
  llvm.return %k2 : i32"""
CASES = """
  %k4 = llvm.mlir.constant(4 : i32) : i32
  llvm.switch %x : i32, ^end(%k4 : i32) [
    0: ^end(%k1 : i32), 1: ^end(%k2 : i32), 2: ^end(%k3 : i32)]
^end(%r: i32):
  llvm.return %r : i32"""


@pytest.mark.parametrize(
    ("body", "op", "options", "present", "absent"),
    [
        (STORED, "store", SimplifyCFG(hoist_common_insts=True), 3, 4),
        (ADDED, "add", SimplifyCFG(sink_common_insts=True), 1, 2),
        (WORKED, "cond_br", SimplifyCFG(speculate_blocks=False), 1, 0),
        (NESTED, "cond_br", SimplifyCFG(simplify_cond_branch=False), 2, 1),
        (RANGE, "switch", SimplifyCFG(switch_range_to_icmp=False), 1, 0),
        (CASES, "switch", SimplifyCFG(switch_to_lookup=False), 1, 0),
    ],
    ids=["hoist", "sink", "speculate", "merge", "range", "lookup"],
)
def test_each_option_has_an_effect(
    body: str, op: str, options: SimplifyCFG, present: int, absent: int
):
    """The number of ops of a name with the option, and with the default."""
    assert counts(body, options)[op] == present
    assert counts(body)[op] == absent


def test_a_condition_created_by_the_pass_counts_as_divergent():
    """The analysis of uniformity does not know the condition that merges the first two branches."""
    body = """
      %t = nvvm.read.ptx.sreg.ctaid.x : i32
      %u = nvvm.read.ptx.sreg.ctaid.y : i32
      %v = nvvm.read.ptx.sreg.ctaid.z : i32
      %d = llvm.icmp "ult" %t, %k3 : i32
      %e = llvm.icmp "ult" %u, %k3 : i32
      %f = llvm.icmp "ult" %v, %k3 : i32
      llvm.cond_br %d, ^second, ^end
    ^second:
      llvm.cond_br %e, ^third, ^end
    ^third:
      llvm.cond_br %f, ^store, ^end
    ^store:
      llvm.store volatile %k1, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return %x : i32"""
    assert counts(body)["cond_br"] == 1
    assert counts(body, SimplifyCFG(fold_with_var_cond=False))["cond_br"] == 2


# Blocks.


def test_a_simple_function_is_unchanged():
    assert counts("llvm.return %x : i32")["blocks"] == 1
    assert counts(STORED)["blocks"] == 4


def test_unreachable_blocks_are_removed():
    assert counts("llvm.return %x : i32\n^never:\nllvm.return %y : i32")["blocks"] == 1


def test_a_block_is_merged_into_its_predecessor():
    assert counts("llvm.br ^b\n^b:\nllvm.return %x : i32")["blocks"] == 1


def test_a_join_of_one_remaining_edge_is_merged():
    """The other edge is from a block that became unreachable."""
    body = DIAMOND.format(
        one="llvm.store volatile %k1, %p : i32, !llvm.ptr",
        two="llvm.store volatile %k2, %p : i32, !llvm.ptr",
        first="%k1",
        second="%k2",
    ).replace("%a", "%true")
    assert counts(body)["blocks"] == 1


def test_an_argument_with_one_value_is_removed():
    body = DIAMOND.format(
        one="llvm.store volatile %k1, %p : i32, !llvm.ptr",
        two="llvm.store volatile %k2, %p : i32, !llvm.ptr",
        first="%x",
        second="%x",
    )
    func = function(body)
    assert SimplifyCFG().run_on_function(func, AnalysisManager())
    assert all(not block.args for block in list(func.regions[0].blocks)[1:])


LOOP = "{loop_annotation = #llvm.loop_annotation<disableNonforced = true>}"


@pytest.mark.parametrize(("annotation", "switches"), [("", 1), (LOOP, 0)])
def test_a_chain_with_an_annotated_backedge_is_no_switch(annotation: str, switches: int):
    body = f"""
      llvm.br ^loop
    ^loop:
      llvm.store volatile %x, %p : i32, !llvm.ptr
      %e = llvm.icmp "eq" %x, %k1 : i32
      llvm.cond_br %e, ^one, ^second
    ^second:
      %f = llvm.icmp "eq" %x, %k2 : i32
      llvm.cond_br %f, ^two, ^third
    ^third:
      %g = llvm.icmp "eq" %x, %k3 : i32
      llvm.cond_br %g, ^three, ^loop {annotation}
    ^one:
      llvm.store volatile %k1, %p : i32, !llvm.ptr
      llvm.return %k1 : i32
    ^two:
      llvm.store volatile %k2, %p : i32, !llvm.ptr
      llvm.return %k2 : i32
    ^three:
      llvm.store volatile %k3, %p : i32, !llvm.ptr
      llvm.return %k3 : i32"""
    found = counts(body)
    assert found["switch"] == switches
    assert found["cond_br"] == 3 * (1 - switches)
