"""Rules of document 004 that hold at a block: folding, the bonus of a switch, ops that are never copied."""

from __future__ import annotations

import pytest
from helpers.edge_threading import block_named, edges_to, read, run
from helpers.modules import function, parse_module
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.scalar import jump_threading
from nvvm_xdsl.passes.scalar.jump_threading import JumpThreading
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.transforms.thread_edges import Budget
from nvvm_xdsl.verify.verifier import verify_module


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


UNFOLDED = """
      {entry}
      %q = llvm.icmp "slt" %n, %c3 : i32
      llvm.cond_br %q, ^known, ^open
    ^known:
      {select}
      {leave}
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.br ^merge(%v : i32)
    ^merge(%x: i32):
      {before}
      llvm.switch {on} : i32, ^end [1: ^one, 2: ^two]
    ^one:
      {one}
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^end
    ^two:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return"""

SELECT = """%e = llvm.icmp "eq" %n, %c5 : i32
      %s = llvm.select %e, %c1, %n : i1, i32"""


def selecting(
    entry: str = "",
    select: str = SELECT,
    leave: str = "llvm.br ^merge(%s : i32)",
    before: str = "",
    on: str = "%x",
    one: str = "",
) -> ModuleOp:
    """An edge passes a select, one arm of which determines the successor.

    Arguments:
        entry, select, leave, before, one: ops of the entry, of ^known, at the end of ^known, of ^merge and of ^one.
        on: the value of the switch.
    """
    text = UNFOLDED.format(entry=entry, select=select, leave=leave, before=before, on=on, one=one)
    return read(text, "%p: !llvm.ptr, %n: i32", "llvm.func @g()")


UNKNOWN = """%l = llvm.load volatile %p : !llvm.ptr -> i32
      %u = llvm.icmp "eq" %l, %c4 : i32"""
CALL = "llvm.call @g() {no_unwind, nvvm.noconvergent} : () -> ()"
RETURNING_CALL = CALL.replace("no_unwind", "no_unwind, will_return")


def test_a_select_that_decides_the_successor_is_unfolded():
    assert run(selecting())
    assert run(selecting(before=RETURNING_CALL))


@pytest.mark.parametrize(
    "kept",
    [
        selecting(select=f"{SELECT}\nllvm.store %s, %p : i32, !llvm.ptr"),
        selecting(entry=SELECT, select=""),
        selecting(leave=f"{UNKNOWN}\nllvm.cond_br %u, ^merge(%s : i32), ^end"),
        selecting(before="%f = llvm.freeze %x : i32", on="%f"),
        selecting(before=CALL),
        selecting(on="%n"),
        selecting(select="%s = llvm.add %n, %c1 : i32"),
    ],
    ids=[
        "has another use",
        "is in another block",
        "is passed by a conditional branch",
        "is frozen",
        "is not used if a call does not return",
        "does not determine the branch",
        "is another op",
    ],
)
def test_a_select_is_kept(kept: ModuleOp):
    """A poison condition would become a branch on poison, or an edge would be lost."""
    assert not run(kept)


@pytest.mark.parametrize(
    ("arms", "right", "unfolded"),
    [("%c5, %n", "%c4", True), ("%c5, %n", "%n", False), ("%m, %n", "%c4", False)],
)
def test_an_arm_and_the_other_operand_of_the_comparison_are_constants(
    arms: str, right: str, unfolded: bool
):
    """`%n` is less than 3 on the edge, so one arm decides each comparison."""
    module = read(f"""
      %q = llvm.icmp "slt" %n, %c3 : i32
      llvm.cond_br %q, ^known, ^open
    ^known:
      %e = llvm.icmp "eq" %t, %c2 : i32
      %m = llvm.load volatile %p : !llvm.ptr -> i32
      %s = llvm.select %e, {arms} : i1, i32
      llvm.br ^merge(%s : i32)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.br ^merge(%v : i32)
    ^merge(%x: i32):
      %z = llvm.icmp "sgt" %x, {right} : i32
      llvm.cond_br %z, ^match, ^end""")
    assert run(module) is unfolded


def test_a_divergent_select_is_kept_before_a_barrier_although_an_edge_is_threaded():
    """The edge from ^other is uniform, the select is not."""
    text = """
      llvm.switch %n : i32, ^open [5: ^known, 6: ^other]
    ^known:
      %e = llvm.icmp "eq" %t, %c5 : i32
      %s = llvm.select %e, %c1, %n : i1, i32
      llvm.br ^merge(%s : i32)
    ^other:
      llvm.br ^merge(%c1 : i32)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.br ^merge(%v : i32)
    ^merge(%x: i32):
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.switch %x : i32, ^end [1: ^one, 2: ^two]
    ^one:
      nvvm.barrier0
      llvm.br ^end
    ^two:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return"""
    module = read(text)
    assert run(module)
    assert any(op.name == "llvm.select" for op in module.walk())
    assert edges_to(module, "one") == 2


def test_a_block_whose_values_cannot_be_repaired_is_not_copied(monkeypatch: pytest.MonkeyPatch):
    """^merge.x is used in ^one, and the budget for repairs is empty."""
    module = selecting(one="llvm.store %x, %p : i32, !llvm.ptr")
    assert run(selecting(one="llvm.store %x, %p : i32, !llvm.ptr"))
    monkeypatch.setattr(jump_threading, "Budget", lambda _: Budget(0))
    assert not run(module)


THREE_EDGES = """
      llvm.switch %n : i32, ^open [0: ^a, 1: ^b]
    ^a:
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^merge({a})
    ^b:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^merge({b})
    ^open:
      llvm.br ^merge({c})
    ^merge({arguments}):
      {work}
      llvm.cond_br %z, ^match, ^{other}"""

OTHER = """
    ^other:
      llvm.store %c3, %p : i32, !llvm.ptr
      llvm.br ^end"""

UNKNOWN_FLAG = """%v = llvm.load volatile %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32"""


def three_edges(
    a: str, b: str, c: str = "%r", *, work: str = "", other: str = "other", extra: str = ""
) -> ModuleOp:
    """Edges that pass `a`, `b` and `c` as the condition; `%r` is unknown, `%u` is undef.

    Arguments:
        work: ops of ^merge.
        other: the block that is entered if the condition is false.
        extra: a value that each edge passes, too.
    """
    types = " : i1, i32" if extra else " : i1"
    sent = f", {extra}" if extra else ""
    text = THREE_EDGES.format(
        a=a + sent + types,
        b=b + sent + types,
        c=c + sent + types,
        arguments="%z: i1, %y: i32" if extra else "%z: i1",
        work=work,
        other=other,
    )
    entry = f"%u = llvm.mlir.undef : i1\n{UNKNOWN_FLAG}\n"
    return read(entry + text + (OTHER if other == "other" else ""))


@pytest.mark.parametrize(
    ("sent", "folded", "to_match", "to_other"),
    [
        (("%true", "%true", "%true"), True, 1, 0),
        (("%false", "%false", "%false"), True, 0, 1),
        (("%true", "%u", "%true"), True, 1, 0),
        (("%true", "%true", "%false"), False, 2, 1),
        # undef follows the successor of most edges.
        (("%true", "%u", "%false"), False, 2, 1),
        (("%true", "%u", "%r"), False, 3, 1),
        (("%false", "%u", "%r"), False, 1, 3),
        (("%true", "%false", "%r"), False, 2, 2),
    ],
)
def test_edges_are_folded_only_if_all_agree(
    sent: tuple[str, str, str], folded: bool, to_match: int, to_other: int
):
    before = jump_threading.FOLDED.value
    module = three_edges(*sent)
    assert run(module)
    assert jump_threading.FOLDED.value - before == folded
    names = {b.name_hint for b in CFG(function(module).regions[0]).blocks}
    found = [edges_to(module, name) if name in names else 0 for name in ("match", "other")]
    assert found == [to_match, to_other]


LARGE = "\n".join(["llvm.store %c1, %p : i32, !llvm.ptr"] * 7)


@pytest.mark.parametrize(
    "kept",
    [
        three_edges("%r", "%true", other="match"),
        three_edges("%r", "%true", work=LARGE, extra="%n"),
        three_edges("%r", "%r"),
        three_edges("%r", "%true", work="llvm.store volatile %n, %p : i32, !llvm.ptr"),
        three_edges("%r", "%true", work="%w = llvm.alloca %n x i32 : (i32) -> !llvm.ptr"),
    ],
    ids=[
        "has one successor",
        "is too large; its argument stays",
        "is not decided",
        "has a volatile access",
        "has an allocation",
    ],
)
def test_a_block_with_two_unknown_edges_is_kept(kept: ModuleOp):
    assert not run(kept)


@pytest.mark.parametrize(
    ("searched", "queries", "threaded"), [(3, 0, True), (2, 0, False), (2, 3, True)]
)
def test_edges_into_blocks_with_many_predecessors_are_queried_within_the_limit(
    searched: int, queries: int, threaded: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jump_threading, "MAX_IMPLICATION_EDGES", searched)
    monkeypatch.setattr(jump_threading, "FEWEST_ASKED", queries)
    monkeypatch.setattr(jump_threading, "EDGES_ASKED", 0)
    assert run(three_edges("%true", "%r")) is threaded


SELF = """
      %u = llvm.mlir.undef : i1
      %q = llvm.icmp "slt" %t, %n : i32
      {unknown}
      llvm.cond_br %q, ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^again({known} : i1)
    ^open:
      llvm.br ^again(%r : i1)
    ^again(%z: i1):
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.cond_br %z, ^match, ^again({again} : i1)"""


@pytest.mark.parametrize(
    ("known", "again", "threaded"),
    [("%r", "%true", False), ("%true", "%r", True), ("%true", "%u", True)],
)
def test_the_edge_of_a_block_to_itself_is_not_threaded(known: str, again: str, threaded: bool):
    module = read(SELF.format(unknown=UNKNOWN_FLAG, known=known, again=again))
    assert run(module, JumpThreading(jump_threading_across_loop_headers=True)) is threaded
    again_block = block_named(module, "again")
    assert again_block in again_block.last_op.successors


def test_an_edge_of_an_indirect_branch_is_not_threaded():
    module = read("""
      %q = llvm.icmp "slt" %n, %c3 : i32
      llvm.switch %t : i32, ^open [0: ^known]
    ^known:
      llvm.cond_br %q, ^jump, ^end
    ^jump:
      llvm.indirectbr %p : !llvm.ptr, [
      ^merge,
      ^end
      ]
    ^open:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^merge
    ^merge:
      llvm.store %c3, %p : i32, !llvm.ptr
      llvm.cond_br %q, ^match, ^end""")
    assert not run(module)


def test_a_loop_that_became_unreachable_dominates_nothing():
    """The first walk removes the loop; the second examines ^merge, which is too large, again."""
    loop = """
      llvm.br ^loop
    ^loop:
      llvm.store volatile %n, %p : i32, !llvm.ptr
      %w = llvm.icmp "slt" %n, %c5 : i32
      llvm.cond_br %w, ^loop, ^start"""
    module = read(f"""
      llvm.br ^choose(%true : i1)
    ^choose(%k: i1):
      llvm.cond_br %k, ^start, ^before
    ^before:
      {loop}
    ^start:
      {UNKNOWN_FLAG}
      llvm.switch %n : i32, ^a [0: ^b]
    ^a:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^merge(%true : i1)
    ^b:
      llvm.br ^merge(%r : i1)
    ^merge(%z: i1):
      {LARGE}
      llvm.cond_br %z, ^match, ^end""")
    assert run(module, JumpThreading(dominated_threshold=6))
    assert not any(b.name_hint == "loop" for b in CFG(function(module).regions[0]).blocks)
    assert edges_to(module, "merge") == 2


def test_dominated_threshold_applies_only_in_dominated_blocks():
    module = three_edges("%true", "%r", work="llvm.store %n, %p : i32, !llvm.ptr")
    assert run(module, JumpThreading(dominated_threshold=0))


@pytest.mark.parametrize("work", ["", "llvm.store %n, %p : i32, !llvm.ptr"])
def test_the_dominator_tree_is_that_of_the_new_edges(work: str):
    """With an op to copy, ^match is dominated by the copy that ^a leads to."""
    func = function(three_edges("%true", "%false", "%false", work=work))
    runner = jump_threading._JumpThreader(JumpThreading(), func, AnalysisManager())  # pyright: ignore[reportPrivateUsage, reportArgumentType]
    assert runner.run()
    runner.tree.verify()


def test_ranges_are_printed_by_block():
    """Blocks without a name are described; ^gone, which the pass removes, is omitted."""
    module = read(f"""
      {UNKNOWN_FLAG}
      %s = llvm.icmp "eq" %v, %c3 : i32
      llvm.br ^merge(%true : i1)
    ^merge(%z: i1):
      llvm.cond_br %z, ^kept, ^gone
    ^gone:
      llvm.br ^last(%r : i1)
    ^kept:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^last(%s : i1)
    ^last(%y: i1):
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.cond_br %y, ^match, ^end""")
    found: list[str] = []
    with remarks.listening(lambda r: found.append(r.message) if r.name == "LVI" else None):
        run(module, JumpThreading(print_lvi_after_jump_threading=True))
    places = {message.partition(" in ")[2].partition(":")[0] for message in found}
    assert places == {"an unnamed block", "kept"}


SECOND_REDIRECTION = """
llvm.func @f(%u: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %divergent = llvm.icmp "eq" %tid, %zero : i32
  %both = llvm.and %divergent, %u : i1
  llvm.cond_br %both, ^a, ^b
^second(%again: i1):
  llvm.cond_br %again, ^wait, ^end
^a:
  llvm.store volatile %tid, %p : i32, !llvm.ptr<1>
  llvm.br ^first
^b:
  llvm.br ^first
^first:
  llvm.cond_br %u, ^yes, ^no
^yes:
  llvm.store volatile %zero, %p : i32, !llvm.ptr<1>
  llvm.br ^second(%true : i1)
^no:
  llvm.br ^second(%false : i1)
^wait:
  BARRIER
  llvm.br ^end
^end:
  llvm.return
}
"""


@pytest.mark.parametrize(("barrier", "edges"), [("", 1), ("nvvm.barrier0", 2)])
def test_an_edge_is_kept_if_an_earlier_redirection_moved_reconvergence_past_a_barrier(
    barrier: str, edges: int
):
    """The edges into `second` are redirected first. Then `first` reconverges after the barrier."""
    module = parse_module(SECOND_REDIRECTION.replace("BARRIER", barrier))
    run_pipeline(module, "jump-threading")
    verify_module(module)
    (first,) = (b for b in fast.blocks_of(function(module).body) if b.name_hint == "first")
    assert len(list(fast.predecessors_of(first))) == edges
