"""Rules of document 004 that hold at a block: folding, the bonus of a switch, ops that are never copied."""

from __future__ import annotations

import pytest
from helpers.edge_threading import edges_to, read, run
from helpers.modules import function
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.scalar import jump_threading
from nvvm_xdsl.passes.scalar.jump_threading import JumpThreading


def agreeing(annotation: str = "", ops: int = 9) -> ModuleOp:
    """Two edges on which the branch of ^merge takes one successor; ^merge is too large to be copied."""
    stores = "\n".join(f"llvm.store %c{k % 5}, %p : i32, !llvm.ptr" for k in range(ops))
    return read(f"""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^a, ^b
    ^a:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%c1 : i32)
    ^b:
      llvm.store %t, %p : i32, !llvm.ptr
      llvm.br ^merge(%c2 : i32)
    ^merge(%x: i32):
      {stores}
      %z = llvm.icmp "ult" %x, %c3 : i32
      llvm.cond_br %z, ^match, ^nomatch {annotation}
    ^match:
      llvm.store %x, %p : i32, !llvm.ptr
      llvm.br ^end
    ^nomatch:
      llvm.store %c5, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return""")


def test_a_branch_that_all_edges_decide_alike_is_folded_without_a_copy():
    module = agreeing()
    before = jump_threading.FOLDED.value
    assert run(module)
    assert jump_threading.FOLDED.value == before + 1
    names = {b.name_hint for b in CFG(function(module).regions[0]).blocks}
    assert "nomatch" not in names
    assert "merge.thread" not in names
    assert edges_to(module, "merge") == 2


def test_a_folded_branch_keeps_the_annotation_of_its_loop():
    annotation = "{loop_annotation = #llvm.loop_annotation<disableNonforced = true>}"
    module = agreeing(annotation)
    assert run(module)
    (kept,) = [op for op in module.walk() if "loop_annotation" in op.properties]
    assert kept.name == "llvm.br"


def switch(ops: int) -> ModuleOp:
    """A switch after `ops` ops; one edge passes the number of a case."""
    stores = "\n".join(f"llvm.store %c{k % 5}, %p : i32, !llvm.ptr" for k in range(ops))
    return read(f"""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%c1 : i32)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.br ^merge(%v : i32)
    ^merge(%x: i32):
      {stores}
      llvm.switch %x : i32, ^end [1: ^one, 2: ^two]
    ^one:
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^end
    ^two:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return""")


@pytest.mark.parametrize(("ops", "threaded"), [(12, True), (13, False)])
def test_a_block_that_ends_in_a_switch_may_have_6_more_instructions(ops: int, threaded: bool):
    assert run(switch(ops)) is threaded


@pytest.mark.parametrize(("budget", "threaded"), [(12, True), (11, False)])
def test_the_bonus_of_a_switch_is_charged_to_the_budget(
    budget: int, threaded: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jump_threading, "BUDGET", budget)
    assert run(switch(12)) is threaded


def test_an_irreducible_function_is_left_alone():
    """A cycle of ^x and ^y is entered at both; an edge into ^x decides its branch."""
    text = """
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^x(%{} : i1), ^y
    ^x(%z: i1):
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.cond_br %z, ^y, ^end
    ^y:
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.cond_br %r, ^x(%r : i1), ^end
    ^end:
      llvm.return"""
    for options in (JumpThreading(), JumpThreading(jump_threading_across_loop_headers=True)):
        assert not options.run(read(text.format("true")), AnalysisManager())


@pytest.mark.parametrize("limit", ["6", "76", "budget"])
def test_a_block_must_satisfy_every_limit(limit: str, monkeypatch: pytest.MonkeyPatch):
    """Each limit alone rejects a block that meets the others."""
    assert run(switch(2))
    options = JumpThreading()
    if limit == "6":
        monkeypatch.setattr(jump_threading, "SWITCH_BONUS", 0)
        options = JumpThreading(jump_threading_threshold=1)
    elif limit == "76":
        options = JumpThreading(jump_threading_phi_threshold=0)
    else:
        monkeypatch.setattr(jump_threading, "BUDGET", 1)
    assert not run(switch(2), options)


def test_a_block_that_is_its_own_successor_is_not_copied():
    """One edge into ^again passes its condition for another run, which a copy would take out of the loop."""
    module = read("""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^again(%true : i1)
    ^open:
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.br ^again(%r : i1)
    ^again(%z: i1):
      llvm.store %c1, %p : i32, !llvm.ptr
      %w = llvm.load %p : !llvm.ptr -> i32
      %s = llvm.icmp "eq" %w, %c4 : i32
      llvm.cond_br %z, ^again(%s : i1), ^end
    ^end:
      llvm.return""")
    assert not run(module, JumpThreading(jump_threading_across_loop_headers=True))


def test_a_function_without_branches_is_left_alone():
    assert not run(read("llvm.br ^end\n^nowhere:\nllvm.br ^end\n^end:\nllvm.return"))
