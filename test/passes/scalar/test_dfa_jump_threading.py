"""The state machines that `dfa-jump-threading` threads; each of its conditions is necessary."""

from __future__ import annotations

import pytest
from helpers.edge_threading import (
    BARRIER,
    block_named,
    edges_to,
    keep_behaviour,
    read,
    run,
)
from helpers.modules import function, parse_module
from helpers.scale import SCALE
from helpers.warp_model import random_machine
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integers_of
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.remarks import Remark
from nvvm_xdsl.passes.scalar import dfa_jump_threading
from nvvm_xdsl.passes.scalar.dfa_jump_threading import DFAJumpThreading
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.transforms.cfg import replace_terminator
from nvvm_xdsl.transforms.thread_edges import Budget

EAGER = DFAJumpThreading(dfa_early_exit_heuristic=False)


def machine(
    *,
    start: str = "%c0",
    test: str = "llvm.cond_br %e, ^body, ^out",
    body: str = "",
    cases: str = "0: ^a, 1: ^b",
    default: str = "^out",
    a: str = "llvm.br ^next(%c1 : i32)",
    b: str = "llvm.br ^next(%c0 : i32)",
    following: str = "",
    onward: str = "llvm.br ^loop(%to, %j : i32, i32)",
    out: str = "",
    more: str = "",
    before: str = "",
    others: str = "",
) -> ModuleOp:
    """A machine with two states, each of which sets the other one and starts with the first."""
    return read(
        f"""
      {before}
      llvm.br ^loop({start}, %c0 : i32, i32)
    ^loop(%state: i32, %i: i32):
      %e = llvm.icmp "slt" %i, %c7 : i32
      {test}
    ^body:
      {body}
      llvm.switch %state : i32, {default} [{cases}]
    ^a:
      llvm.store %i, %p : i32, !llvm.ptr
      {a}
    ^b:
      llvm.store %n, %p : i32, !llvm.ptr
      {b}
    ^next(%to: i32):
      {following}
      %j = llvm.add %i, %c1 : i32
      {onward}
    {more}
    ^out:
      {out}
      llvm.store %c9, %p : i32, !llvm.ptr
      llvm.return""",
        others=others,
    )


def ops(module: ModuleOp, name: str) -> int:
    """Returns the number of ops of this name in the kernel."""
    return sum(op.name == name for op in function(module).walk())


def is_threaded(module: ModuleOp, one: DFAJumpThreading | None = None) -> bool:
    """Runs the pass; a warp must compute the same afterwards. Returns whether no switch is left."""
    changed = keep_behaviour(module, one or DFAJumpThreading())
    left = ops(module, "llvm.switch")
    assert changed or left
    return not left


# States.


def test_each_state_branches_to_the_next():
    module = machine()
    before = dfa_jump_threading.THREADED.value
    assert is_threaded(module)
    assert dfa_jump_threading.THREADED.value - before == 3


@pytest.mark.parametrize("place", [0, 1])
def test_the_edge_to_the_switch_may_be_either_of_a_branch(place: int):
    targets = ["^out", "^out"]
    targets[place] = "^body"
    assert is_threaded(machine(test=f"llvm.cond_br %e, {', '.join(targets)}"))


def test_states_without_a_case_take_the_default():
    assert is_threaded(machine(default="^b", cases="0: ^a"))


@pytest.mark.parametrize("width", [8, 12])
def test_states_are_compared_by_their_bits(width: int):
    """A constant and a case of equal bits may be written with and without a sign."""
    ones = (1 << width) - 1
    module = read(f"""
      %first = llvm.mlir.constant({ones} : i{width}) : i{width}
      %second = llvm.mlir.constant(-2 : i{width}) : i{width}
      llvm.br ^loop(%first, %c0 : i{width}, i32)
    ^loop(%state: i{width}, %i: i32):
      %j = llvm.add %i, %c1 : i32
      llvm.switch %state : i{width}, ^out [-1: ^a, {ones - 1}: ^b]
    ^a:
      llvm.store %i, %p : i32, !llvm.ptr
      llvm.br ^loop(%second, %j : i{width}, i32)
    ^b:
      llvm.store %n, %p : i32, !llvm.ptr
      %e = llvm.icmp "slt" %j, %c5 : i32
      llvm.cond_br %e, ^loop(%first, %j : i{width}, i32), ^out
    ^out:
      llvm.return""")
    # The builder stores cases without their signs, unlike the parser.
    old = block_named(module, "loop").last_op
    edges = branches.edges_of(old)
    new = make_switch(old.operands[0], edges[0], list(zip((ones, ones - 1), edges[1:])))
    replace_terminator(old, new)
    run(module, DFAJumpThreading())
    assert ops(module, "llvm.switch") == 0
    # No state takes the default.
    assert [edges_to(module, name) for name in ("a", "b", "out")] == [1, 1, 1]


def test_both_edges_of_a_branch_may_set_states():
    assert is_threaded(
        machine(
            a='%q = llvm.icmp "slt" %t, %n : i32\n'
            "llvm.cond_br %q, ^next(%c1 : i32), ^next(%c2 : i32)"
        )
    )


def test_only_the_edge_that_carries_the_state_is_redirected():
    """The other edge of ^next into ^loop sets an unknown state."""
    module = machine(
        following='%v = llvm.icmp "eq" %i, %c3 : i32',
        onward="llvm.cond_br %v, ^loop(%n, %j : i32, i32), ^loop(%to, %j : i32, i32)",
        b="llvm.br ^next(%c1 : i32)",
        start="%c1",
    )
    assert keep_behaviour(module, EAGER, range(4))
    assert ops(module, "llvm.switch") == 1


def test_the_other_edge_of_a_copied_branch_sets_its_own_state():
    module = machine(
        following='%v = llvm.icmp "eq" %i, %c3 : i32',
        onward="llvm.cond_br %v, ^loop(%c5, %j : i32, i32), ^loop(%to, %j : i32, i32)",
    )
    assert keep_behaviour(module, DFAJumpThreading(), range(4))


def test_all_edges_that_carry_the_state_are_redirected():
    module = machine(
        following='%v = llvm.icmp "eq" %t, %c3 : i32\n%k = llvm.add %i, %c2 : i32',
        onward="llvm.cond_br %v, ^loop(%to, %k : i32, i32), ^loop(%to, %j : i32, i32)",
    )
    assert is_threaded(module)


def test_a_value_that_is_no_argument_is_not_a_state():
    """It is computed in the loop, from the state."""
    module = machine(
        following="%next = llvm.add %to, %c0 : i32",
        onward="llvm.br ^loop(%next, %j : i32, i32)",
    )
    assert not run(module, DFAJumpThreading())
    assert not run(module, EAGER)


def test_a_switch_outside_of_loops_is_left_alone():
    module = read("""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^one, ^two
    ^one:
      llvm.br ^pick(%c0 : i32)
    ^two:
      llvm.br ^pick(%c1 : i32)
    ^pick(%state: i32):
      llvm.switch %state : i32, ^end [0: ^match]""")
    assert not run(module, EAGER)


def test_a_branch_is_not_the_switch_of_a_machine():
    module = read("""
      llvm.br ^loop(%true, %c0 : i1, i32)
    ^loop(%state: i1, %i: i32):
      llvm.cond_br %state, ^a, ^out
    ^a:
      %j = llvm.add %i, %c1 : i32
      %e = llvm.icmp "slt" %j, %c5 : i32
      llvm.switch %i : i32, ^loop(%e, %j : i1, i32) [0: ^loop(%true, %j : i1, i32)]
    ^out:
      llvm.return""")
    assert not run(module, EAGER)


def test_states_from_outside_of_the_loop_alone_are_not_threaded():
    module = machine(a="llvm.br ^next(%n : i32)", b="llvm.br ^next(%i : i32)")
    assert not run(module, EAGER)


# Selects.

SELECT = '%q = llvm.icmp "eq" %n, %c2 : i32\n%s = llvm.select %q, {one}, {other} : i1, i32\n{end}'
NEXT = "llvm.br ^next(%s : i32)"


def test_a_select_of_states_becomes_a_branch():
    module = machine(a=SELECT.format(one="%c1", other="%c2", end=NEXT))
    assert is_threaded(module)
    assert ops(module, "llvm.select") == 0


@pytest.mark.parametrize("arms", [("%c1", "%i"), ("%i", "%c1")])
def test_a_select_with_an_unknown_arm_is_unknown(arms: tuple[str, str]):
    def module() -> ModuleOp:
        return machine(
            a=SELECT.format(one=arms[0], other=arms[1], end=NEXT),
            b="llvm.br ^next(%c1 : i32)",
            start="%c1",
        )

    assert not run(module(), DFAJumpThreading())
    # Without the heuristic the other arm is threaded, and the unknown one keeps the switch.
    assert keep_behaviour(module(), EAGER)


@pytest.mark.parametrize(
    ("a", "before"),
    [
        # Used twice.
        (
            SELECT.format(
                one="%c1", other="%c2", end=f"llvm.store %s, %p : i32, !llvm.ptr\n{NEXT}"
            ),
            "",
        ),
        # Selected in another block.
        (NEXT, SELECT.format(one="%c1", other="%c2", end="")),
        # Passed by one of two edges.
        (
            SELECT.format(
                one="%c1", other="%c2", end="llvm.cond_br %q, ^next(%s : i32), ^next(%c1 : i32)"
            ),
            "",
        ),
    ],
    ids=["used-twice", "other-block", "conditional"],
)
def test_a_select_that_does_not_belong_to_its_edge_is_unknown(a: str, before: str):
    assert not run(machine(a=a, before=before), DFAJumpThreading())


def test_other_ops_are_no_selects():
    add = "%s = llvm.add %c1, %c0 : i32\nllvm.br ^next(%s : i32)"
    assert not run(machine(a=add), DFAJumpThreading())


def test_a_condition_that_may_be_poison_is_frozen():
    """The path to the switch may leave the loop, where a poison state has no effect."""
    argument = '%q = llvm.icmp "eq" %n, %c2 : i32\n'
    register = argument.replace("%n", "%t")
    rest = f"%s = llvm.select %q, %c1, %c2 : i1, i32\n{NEXT}"
    module = machine(a=argument + rest)
    assert is_threaded(module)
    assert ops(module, "llvm.freeze") == 1
    module = machine(a=register + rest)
    assert is_threaded(module)
    assert ops(module, "llvm.freeze") == 0


def test_the_branch_of_a_select_keeps_the_annotation_of_its_loop():
    annotation = "{loop_annotation = #llvm.loop_annotation<disableNonforced = true>}"
    onward = (
        f"%s = llvm.select %e, %c0, %c2 : i1, i32\nllvm.br ^loop(%s, %j : i32, i32) {annotation}"
    )
    module = machine(a="llvm.br ^next(%i : i32)", b="llvm.br ^next(%i : i32)", onward=onward)
    assert is_threaded(module)
    (branch,) = [op for op in module.walk() if "loop_annotation" in op.properties]
    assert branch.name == "llvm.cond_br"


# Paths.


def chain(count: int, *, arguments: bool) -> str:
    """Returns the blocks from ^next to ^loop, which pass the state on as arguments or use it below ^next."""
    if not arguments:
        parts = [f"^p{k}:\nllvm.br ^p{k + 1}" for k in range(count - 1)]
        return "\n".join([*parts, f"^p{count - 1}:\nllvm.br ^loop(%to, %j : i32, i32)"])
    parts = [f"^p{k}(%s{k}: i32):\nllvm.br ^p{k + 1}(%s{k} : i32)" for k in range(count - 1)]
    last = f"^p{count - 1}(%s{count - 1}: i32):\nllvm.br ^loop(%s{count - 1}, %j : i32, i32)"
    return "\n".join([*parts, last])


@pytest.mark.parametrize("arguments", [True, False])
@pytest.mark.parametrize(("count", "threaded"), [(17, True), (18, False)])
def test_a_path_has_20_blocks(count: int, threaded: bool, arguments: bool):
    """Three blocks of the machine and those of a chain."""
    onward = "llvm.br ^p0(%to : i32)" if arguments else "llvm.br ^p0"
    module = machine(onward=onward, more=chain(count, arguments=arguments))
    assert run(module, DFAJumpThreading()) is threaded


def test_a_switch_has_20_blocks_below_its_state():
    def of(count: int) -> ModuleOp:
        parts = [f"^p{k}:\nllvm.br ^p{k + 1}" for k in range(count - 1)]
        last = f"^p{count - 1}:\nllvm.switch %state : i32, ^end [0: ^a]"
        return read(f"""
          llvm.br ^loop(%c0 : i32)
        ^loop(%state: i32):
          llvm.br ^p0
        {chr(10).join(parts)}
        {last}
        ^a:
          %l = llvm.load volatile %p : !llvm.ptr -> i32
          %q = llvm.icmp "eq" %l, %c1 : i32
          llvm.cond_br %q, ^loop(%c0 : i32), ^loop(%c1 : i32)
        ^end:
          llvm.return""")

    assert run(of(19), DFAJumpThreading())
    assert not run(of(20), DFAJumpThreading())


@pytest.mark.parametrize(("limit", "threaded"), [(3, True), (2, False)])
def test_the_number_of_edges_is_limited(
    limit: int, threaded: bool, monkeypatch: pytest.MonkeyPatch
):
    assert dfa_jump_threading.MAX_PATHS == 200
    monkeypatch.setattr(dfa_jump_threading, "MAX_PATHS", limit)
    assert run(machine(), DFAJumpThreading()) is threaded


@pytest.mark.parametrize(("limit", "threaded"), [(6, True), (5, False)])
def test_the_number_of_copied_instructions_is_limited(
    limit: int, threaded: bool, monkeypatch: pytest.MonkeyPatch
):
    """The header's comparison for each of three states, and the addition and a store for two."""
    assert dfa_jump_threading.COST_THRESHOLD == 100
    monkeypatch.setattr(dfa_jump_threading, "COST_THRESHOLD", limit + 1)
    module = machine(following="llvm.store %i, %p : i32, !llvm.ptr")
    assert run(module, DFAJumpThreading()) is threaded


@pytest.mark.parametrize(("limit", "left"), [(2, 0), (1, 1)])
def test_the_number_of_switches_is_limited(limit: int, left: int, monkeypatch: pytest.MonkeyPatch):
    assert dfa_jump_threading.MAX_SWITCHES == 16
    monkeypatch.setattr(dfa_jump_threading, "MAX_SWITCHES", limit)
    again = """
      llvm.br ^loop2(%c0, %c0 : i32, i32)
    ^loop2(%state2: i32, %i2: i32):
      %j2 = llvm.add %i2, %c1 : i32
      llvm.switch %state2 : i32, ^end [0: ^a2, 1: ^b2]
    ^a2:
      llvm.store %i2, %p : i32, !llvm.ptr
      llvm.br ^loop2(%c1, %j2 : i32, i32)
    ^b2:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^loop2(%c2, %j2 : i32, i32)
    ^end:
    """
    module = machine(out=again)
    assert run(module, DFAJumpThreading())
    assert ops(module, "llvm.switch") == left


def test_a_machine_may_start_after_the_copies_of_another():
    """The copy of ^body branches to the next machine."""
    module = machine(
        b="llvm.br ^next(%c5 : i32)",
        default="^loop2(%c0, %i : i32, i32)",
        more="""^loop2(%state2: i32, %i2: i32):
      llvm.store %i2, %p : i32, !llvm.ptr
      %j2 = llvm.add %i2, %c1 : i32
      llvm.switch %state2 : i32, ^out [0: ^a2, 1: ^b2]
    ^a2:
      llvm.store %c5, %p : i32, !llvm.ptr
      llvm.br ^loop2(%c1, %j2 : i32, i32)
    ^b2:
      llvm.store %c6, %p : i32, !llvm.ptr
      llvm.br ^loop2(%c2, %j2 : i32, i32)""",
    )
    assert is_threaded(module)


def test_a_path_does_not_leave_the_loop():
    """The blocks before the loop pass a state on, but are not copied."""
    module = read("""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^pre(%c0 : i32), ^pre(%c1 : i32)
    ^pre(%first: i32):
      llvm.store %first, %p : i32, !llvm.ptr
      llvm.br ^loop(%first, %c0 : i32, i32)
    ^loop(%state: i32, %i: i32):
      %j = llvm.add %i, %c1 : i32
      llvm.switch %state : i32, ^out [0: ^a]
    ^a:
      llvm.store %i, %p : i32, !llvm.ptr
      llvm.br ^loop(%c2, %j : i32, i32)
    ^out:
      llvm.return""")
    assert keep_behaviour(module, DFAJumpThreading())
    assert ops(module, "llvm.switch") == 1
    assert edges_to(module, "pre") == 2


def test_a_block_is_on_one_path():
    """From ^next the state reaches ^loop directly and through ^between."""

    def module() -> ModuleOp:
        return machine(
            a="llvm.br ^next(%c2 : i32)",
            b="llvm.br ^next(%c2 : i32)",
            following='%v = llvm.icmp "eq" %n, %c2 : i32',
            onward="llvm.cond_br %v, ^loop(%to, %j : i32, i32), ^between(%to : i32)",
            more="^between(%w: i32):\nllvm.br ^loop(%w, %j : i32, i32)",
        )

    assert not run(module(), DFAJumpThreading())
    assert keep_behaviour(module(), EAGER)


def test_an_edge_from_a_path_to_its_start_is_unknown():
    """The switch itself sets the next state."""
    module = read("""
      llvm.br ^loop(%c0, %c0 : i32, i32)
    ^loop(%state: i32, %i: i32):
      %j = llvm.add %i, %c1 : i32
      llvm.store %i, %p : i32, !llvm.ptr
      llvm.switch %state : i32, ^out [0: ^loop(%c1, %j : i32, i32), 1: ^loop(%c2, %j : i32, i32)]
    ^out:
      llvm.return""")
    assert not run(module, DFAJumpThreading())
    assert not run(module, EAGER)


ADDRESS = "%at = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr"


def test_an_edge_of_an_indirect_branch_is_unknown():
    jump = "llvm.indirectbr %at : !llvm.ptr, [^next(%c1 : i32), ^out]"
    module = machine(before=ADDRESS, a=jump)
    assert not DFAJumpThreading().run(module, AnalysisManager())


def test_an_indirect_branch_is_not_copied():
    jump = "llvm.indirectbr %at : !llvm.ptr, [^body, ^out]"
    module = machine(before=ADDRESS, test=jump)
    assert not DFAJumpThreading().run(module, AnalysisManager())


@pytest.mark.parametrize(
    "op",
    [
        "llvm.store volatile %i, %p : i32, !llvm.ptr",
        "%l = llvm.load volatile %p : !llvm.ptr -> i32",
        "%l = llvm.atomicrmw add %p, %i monotonic : !llvm.ptr, i32",
        'llvm.inline_asm has_side_effects "bar: ;", "" : () -> ()',
        BARRIER,
        "llvm.call @g() : () -> ()",
    ],
)
@pytest.mark.parametrize("place", ["body", "following"])
def test_ops_with_effects_are_not_copied(op: str, place: str):
    others = "llvm.func @g()\n"
    assert run(machine(others=others), DFAJumpThreading())
    assert not run(machine(others=others, **{place: op}), DFAJumpThreading())


def test_repairs_of_uses_are_limited(monkeypatch: pytest.MonkeyPatch):
    """The pass finds before the first copy whether the limit is enough for all."""
    monkeypatch.setattr(dfa_jump_threading, "Budget", lambda count: Budget(min(count, 5)))
    assert not run(machine(), DFAJumpThreading())


# The heuristic.


def test_an_unknown_state_from_the_loop_ends_the_machine():
    def module() -> ModuleOp:
        return machine(a="llvm.br ^next(%n : i32)", b="llvm.br ^next(%c1 : i32)", start="%c1")

    assert not run(module(), DFAJumpThreading())
    assert keep_behaviour(module(), EAGER)


def test_an_unknown_state_from_outside_the_loop_is_not_threaded():
    module = machine(start="%n", a="llvm.br ^next(%c0 : i32)", b="llvm.br ^next(%c2 : i32)")
    assert keep_behaviour(module, DFAJumpThreading())
    assert ops(module, "llvm.switch") == 1
    # One edge is left, so the header needs no arguments.
    assert not block_named(module, "loop").args


# The form of the graph.


def test_the_graph_stays_reducible():
    """Two states that set each other are entered at either one."""
    assert not run(machine(start="%n"), DFAJumpThreading())
    assert run(machine(start="%n", b="llvm.br ^next(%c2 : i32)"), DFAJumpThreading())


def test_the_graph_stays_reducible_with_a_branch_for_a_select():
    """One arm of the select before the loop is unknown, so ^a and ^b are entered from the switch."""
    before = '%q = llvm.icmp "eq" %n, %c2 : i32\n%s = llvm.select %q, {one}, {two} : i1, i32'
    known = machine(before=before.format(one="%c0", two="%c3"), start="%s")
    assert is_threaded(known)
    unknown = machine(before=before.format(one="%c0", two="%n"), start="%s")
    assert not run(unknown, DFAJumpThreading())


def test_an_irreducible_function_is_left_alone():
    text = """
      %q = llvm.icmp "slt" %t, %n : i32
      {}
    ^x:
      %l = llvm.load volatile %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %l, %c1 : i32
      llvm.cond_br %r, ^y, ^start
    ^y:
      llvm.store volatile %c1, %p : i32, !llvm.ptr
      llvm.br ^x
    ^start:
    """
    irreducible = machine(before=text.format("llvm.cond_br %q, ^x, ^y"))
    before = ir_text(irreducible)
    assert not DFAJumpThreading().run(irreducible, AnalysisManager())
    assert ir_text(irreducible) == before
    assert run(machine(before=text.format("llvm.br ^x")), DFAJumpThreading())


# Convergence.

DIVERGENT = '%q = llvm.icmp "eq" %t, %c2 : i32\n'
UNIFORM = '%q = llvm.icmp "eq" %n, %c2 : i32\n'
CHOICE = "llvm.cond_br %q, ^next(%c1 : i32), ^next(%c2 : i32)"


@pytest.mark.parametrize(
    ("condition", "barrier", "threaded"),
    [(DIVERGENT, "", True), (DIVERGENT, BARRIER, False), (UNIFORM, BARRIER, True)],
)
def test_divergent_states_keep_a_barrier(condition: str, barrier: str, threaded: bool):
    """Threads reconverge at ^next, and later at the barrier in ^b."""
    end = "llvm.br ^next(%c0 : i32)"
    module = machine(a=condition + CHOICE, b=f"{barrier}\n{end}")
    assert keep_behaviour(module, DFAJumpThreading()) is threaded


@pytest.mark.parametrize(("condition", "threaded"), [(DIVERGENT, False), (UNIFORM, True)])
def test_a_divergent_select_of_states_keeps_a_barrier(condition: str, threaded: bool):
    select = f"{condition}%s = llvm.select %q, %c1, %c0 : i1, i32\n{NEXT}"
    module = machine(a=select, b=f"{BARRIER}\nllvm.br ^next(%c2 : i32)")
    assert keep_behaviour(module, DFAJumpThreading()) is threaded


@pytest.mark.parametrize(("condition", "threaded"), [(DIVERGENT, False), (UNIFORM, True)])
def test_arms_of_a_divergent_select_that_take_one_successor_keep_a_barrier(
    condition: str, threaded: bool
):
    """The unknown arm may be the state 0, too: all threads then run the barrier together."""
    module = read(f"""
      llvm.br ^loop(%c0 : i32)
    ^loop(%i: i32):
      {condition}
      %s = llvm.select %q, %c0, %n : i1, i32
      llvm.br ^pick(%s : i32)
    ^pick(%state: i32):
      llvm.switch %state : i32, ^next [0: ^a]
    ^a:
      {BARRIER}
      llvm.br ^next
    ^next:
      %j = llvm.add %i, %c1 : i32
      %e = llvm.icmp "slt" %j, %c4 : i32
      llvm.cond_br %e, ^loop(%j : i32), ^out
    ^out:
      llvm.return""")
    assert keep_behaviour(module, EAGER, (0, 1, 2)) is threaded


@pytest.mark.parametrize(("selector", "threaded"), [("%t", False), ("%n", True)])
def test_edges_of_one_divergent_branch_are_not_separated_before_a_barrier(
    selector: str, threaded: bool
):
    """The states lead to ^sync together, and there is no barrier between the machine and ^sync."""
    module = read(f"""
      llvm.switch {selector} : i32, ^end [
        0: ^loop(%c0, %c0 : i32, i32), 1: ^loop(%c1, %c0 : i32, i32)]
    ^loop(%state: i32, %i: i32):
      %j = llvm.add %i, %c1 : i32
      llvm.switch %state : i32, ^sync [0: ^a]
    ^a:
      llvm.store %i, %p : i32, !llvm.ptr
      llvm.br ^loop(%c2, %j : i32, i32)
    ^sync:
      {BARRIER}
      llvm.br ^end
    ^end:
      llvm.return""")
    assert keep_behaviour(module, DFAJumpThreading(), (0, 1, 2)) is threaded


# Knobs and the rest.


def test_the_graph_is_printed_on_demand():
    found: list[Remark] = []
    with remarks.listening(found.append):
        run(machine(), DFAJumpThreading())
        assert not [r for r in found if r.name == "CFG"]
        run(machine(), DFAJumpThreading(dfa_jump_view_cfg_before=True))
    (remark,) = [r for r in found if r.name == "CFG"]
    assert remark.function == "f"
    assert "^body" in remark.message
    assert "thread" not in remark.message


def test_a_function_without_a_switch_is_left_alone():
    module = read("llvm.br ^end\n^nowhere:\nllvm.br ^end\n^end:\nllvm.return")
    assert not run(module, EAGER)


def test_unreachable_blocks_are_removed():
    module = machine(a="llvm.br ^next(%n : i32)", more="^nowhere:\nllvm.br ^out")
    assert run(module, DFAJumpThreading())
    assert ops(module, "llvm.switch") == 1


def test_weights_of_the_switch_follow_the_threaded_edges():
    """The first arm of the select is 1 of 2 executions of ^loop from outside."""
    module = read("""
      %q = llvm.icmp "eq" %n, %c2 : i32
      llvm.cond_br %q weights([60, 40]), ^loop(%c0 : i32), ^open
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.br ^loop(%v : i32)
    ^loop(%state: i32):
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.switch %state : i32, ^out [0: ^a] {branch_weights = array<i32: 30, 70>}
    ^a:
      llvm.cond_br %q weights([0, 1]), ^loop(%c1 : i32), ^out
    ^out:
      llvm.return""")
    assert run(module, DFAJumpThreading())
    weights = integers_of(block_named(module, "loop").last_op.properties["branch_weights"])
    assert weights[1] / sum(weights) == pytest.approx(0.25)


@pytest.mark.parametrize("one", [DFAJumpThreading(), EAGER], ids=["default", "eager"])
@pytest.mark.parametrize(
    "seed",
    [
        # Machines whose copied branches have several edges into one block.
        *(26, 27, 42, 71, 123, 135, 145, 178, 230, 253),
        *range(20 * SCALE),
    ],
)
def test_random_machines_preserve_convergence(one: DFAJumpThreading, seed: int):
    module = parse_module(random_machine(seed))
    intern_types(module)
    keep_behaviour(module, one)
