"""Lattice values, executable edges and rewriting of `SCCPSolver`."""

from __future__ import annotations

import pytest
from helpers.programs import parse_function, parse_module, value_named
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.dialects.llvm.accessors import integer_of
from nvvm_xdsl.dialects.llvm.types import I1, I32, int_attr
from nvvm_xdsl.transforms.constant_propagation import (
    UNDEFINED,
    VARYING,
    SCCPSolver,
    initial_fact,
)
from nvvm_xdsl.verify.verifier import verify_function

CONSTANTS = (
    "".join(f"%c{n} = llvm.mlir.constant({n} : i32) : i32\n" for n in range(4))
    + "%true = llvm.mlir.constant(true) : i1\n%undef = llvm.mlir.undef : i32\n"
)


def prepared(body: str) -> SCCPSolver:
    """The solver of a function with arguments `%b`, `%p`, `%x` and constants `%c0` to `%c3`, `%true` and `%undef`."""
    func = parse_function(f"""
      llvm.func @f(%b: i1, %p: !llvm.ptr, %x: i32) -> i32 {{
      {CONSTANTS}
      {body}
      }}""")
    assert isinstance(func, FuncOp)
    return SCCPSolver(func)


def solved(body: str) -> SCCPSolver:
    """The solver after solving; the arguments of the function vary."""
    solver = prepared(body)
    solver.solve()
    return solver


def fact(solver: SCCPSolver, name: str) -> int | str | None:
    """The lattice value of a value: a number, `undefined`, `varying`, or None if it has none."""
    found = solver.fact(value_named(solver.func, name))
    if found is UNDEFINED:
        return "undefined"
    if found is VARYING:
        return "varying"
    return None if found is None else integer_of(found)  # pyright: ignore[reportArgumentType]


def join(one: str, other: str) -> str:
    """A block whose argument `%v` has one of two values."""
    return f"""
      llvm.cond_br %b, ^one, ^other
    ^one:
      llvm.br ^join(%{one} : i32)
    ^other:
      llvm.br ^join(%{other} : i32)
    ^join(%v: i32):
      %w = llvm.sub %v, %c0 : i32
      llvm.return %w : i32"""


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("c1", "c1", 1),
        ("c1", "c2", "varying"),
        ("c1", "undef", 1),
        ("undef", "c1", 1),
        ("undef", "undef", "undefined"),
        ("c1", "x", "varying"),
        ("x", "c1", "varying"),
        ("x", "undef", "varying"),
    ],
)
def test_values_of_an_argument_are_joined(one: str, other: str, expected: int | str):
    solver = solved(join(one, other))
    assert fact(solver, "v") == expected
    if "undef" not in (one, other):
        assert fact(solver, "w") == expected


OPS = {
    "%v = llvm.add %c1, %c2 : i32": 3,
    "%v = llvm.add %c1, %x : i32": "varying",
    "%v = llvm.add %c1, %undef : i32": "varying",
    # An operand that determines the result.
    "%v = llvm.mul %x, %c0 : i32": 0,
    "%v = llvm.and %c0, %x : i32": 0,
    "%m = llvm.mlir.constant(-1 : i32) : i32\n%v = llvm.or %x, %m : i32": -1,
    # Other numbers and ops.
    "%v = llvm.mul %x, %c1 : i32": "varying",
    "%v = llvm.or %x, %c0 : i32": "varying",
    "%v = llvm.add %x, %c0 : i32": "varying",
    # Division by zero has no result.
    "%v = llvm.udiv %c1, %c0 : i32": "varying",
    "%v = llvm.load %p : !llvm.ptr -> i32": "varying",
    '%v = llvm.call_intrinsic "llvm.nvvm.mulhi.i"(%c1, %x) : (i32, i32) -> i32': "varying",
    "%v = llvm.select %true, %c2, %x : i1, i32": 2,
    "%v = llvm.select %true, %x, %c2 : i1, i32": "varying",
    "%v = llvm.select %b, %c2, %c2 : i1, i32": 2,
    "%v = llvm.select %b, %c2, %c1 : i1, i32": "varying",
    "%v = llvm.select %b, %undef, %undef : i1, i32": "varying",
    "%v = llvm.select %b, %x, %x : i1, i32": "varying",
}


@pytest.mark.parametrize("text", OPS)
def test_results_of_ops(text: str):
    assert fact(solved(f"{text}\nllvm.return %v : i32"), "v") == OPS[text]


WAITING = {
    "%v = llvm.add %x, %c1 : i32": 8,
    "%v = llvm.select %b, %c1, %c2 : i1, i32": 1,
    "%v = llvm.select %true, %x, %c2 : i1, i32": 7,
    "%v = llvm.select %b, %x, %c2 : i1, i32": 7,
    "%v = llvm.select %b, %c2, %x : i1, i32": 2,
    '%y = llvm.icmp "eq" %x, %c1 : i32\n%v = llvm.select %y, %c2, %x : i1, i32': 7,
    "%v = llvm.select %true, %c2, %x : i1, i32": 2,
    "%y = llvm.load %p : !llvm.ptr -> i1\n%v = llvm.select %y, %x, %c2 : i1, i32": "varying",
    "%y = llvm.load %p : !llvm.ptr -> i1\n%v = llvm.select %y, %c2, %x : i1, i32": "varying",
    "llvm.cond_br %b, ^end(%c1 : i32), ^end(%c2 : i32)\n^end(%v: i32):": 1,
}


@pytest.mark.parametrize("text", WAITING)
def test_an_op_waits_for_the_values_of_its_operands(text: str):
    """The arguments get their values later, as those of an internal function whose calls are visited later."""
    solver = prepared(f"{text}\nllvm.return %v : i32")
    entry = solver.region.first_block
    assert entry is not None
    solver.reach(entry)
    waits = "%true, %c2" not in text
    assert fact(solver, "v") == (None if waits else WAITING[text])
    solver.set_fact(value_named(solver.func, "b"), int_attr(1, I1))
    solver.set_fact(value_named(solver.func, "x"), int_attr(7, I32))
    solver.propagate()
    assert fact(solver, "v") == WAITING[text]


def test_setting_an_unchanged_fact_has_no_effect():
    """An unknown fact, the same fact, and any fact after `varying` change nothing."""
    solver = solved("%v = llvm.add %c1, %c2 : i32\nllvm.return %v : i32")
    for name, unchanged in (("v", None), ("v", int_attr(3, I32)), ("x", int_attr(3, I32))):
        before = fact(solver, name)
        solver.set_fact(value_named(solver.func, name), unchanged)
        assert fact(solver, name) == before
        assert not solver.work


def test_values_of_edges_that_are_not_executable_are_ignored():
    solver = solved("""
      llvm.cond_br %true, ^end(%c1 : i32), ^end(%c2 : i32)
    ^end(%v: i32):
      llvm.return %v : i32""")
    assert fact(solver, "v") == 1


TWO_WAY = "llvm.cond_br {}, ^a, ^b"
THREE_WAY = "llvm.switch {} : i32, ^a [1: ^b, 2: ^c]"


@pytest.mark.parametrize(
    ("branch", "reached"),
    [
        (TWO_WAY.format("%true"), "a"),
        (TWO_WAY.format("%b"), "ab"),
        ("%u = llvm.mlir.poison : i1\n" + TWO_WAY.format("%u"), "ab"),
        ('%k = llvm.icmp "eq" %c1, %c2 : i32\n' + TWO_WAY.format("%k"), "b"),
        (THREE_WAY.format("%c1"), "b"),
        (THREE_WAY.format("%c2"), "c"),
        (THREE_WAY.format("%c3"), "a"),
        (THREE_WAY.format("%x"), "abc"),
        (THREE_WAY.format("%undef"), "abc"),
        ("llvm.br ^c", "c"),
    ],
)
def test_executable_successors(branch: str, reached: str):
    solver = solved(f"""
      {branch}
    ^a:
      llvm.return %c1 : i32
    ^b:
      llvm.return %c2 : i32
    ^c:
      llvm.return %c3 : i32""")
    names = {block.name_hint for block in solver.reached} - {None}
    assert names == set(reached)
    assert solver.rewrite() == (reached != "abc")
    verify_function(solver.func)
    assert [b.name_hint for b in solver.region.blocks][1:] == list(reached)


LOOP = """
      llvm.br ^loop(%c0, %c1 : i32, i32)
    ^loop(%i: i32, %k: i32):
      %j = llvm.add %i, %c1 : i32
      %m = llvm.mul %k, %c1 : i32
      %d = llvm.icmp "eq" %k, %c2 : i32
      llvm.cond_br %d, ^never, ^next
    ^never:
      %w = llvm.add %m, %c1 : i32
      llvm.br ^latch(%w : i32)
    ^next:
      llvm.br ^latch(%m : i32)
    ^latch(%n: i32):
      %q = llvm.icmp "ult" %j, %x : i32
      llvm.cond_br %q, ^loop(%j, %n : i32, i32), ^end
    ^end:
      %s = llvm.add %n, %c2 : i32
      llvm.return %s : i32"""


def test_values_that_prove_each_other_in_a_loop():
    solver = solved(LOOP)
    facts = {name: fact(solver, name) for name in "ijkmdwns"}
    assert facts == {
        "i": "varying", "j": "varying", "k": 1, "m": 1, "d": 0, "w": None, "n": 1, "s": 3,
    }  # fmt: skip
    assert len(solver.taken) == 5


def test_a_value_that_stops_being_constant_is_visited_with_its_users():
    """`%k` is 1 in the first iteration and 2 in the second, so ^never is executable."""
    solver = solved(LOOP.replace("^latch(%m : i32)", "^latch(%c2 : i32)"))
    facts = {name: fact(solver, name) for name in "kmdwns"}
    assert facts == dict.fromkeys("kmdwns", "varying")


def rewritten(body: str) -> tuple[bool, str]:
    """Whether rewriting changed the function, and its text after the constants of `solved`."""
    solver = solved(body)
    before = str(solver.func)
    changed = solver.rewrite()
    verify_function(solver.func)
    after = str(solver.func)
    assert changed == (before != after)
    return changed, after


def test_arguments_and_results_are_replaced_and_the_branch_folded():
    _, text = rewritten(LOOP)
    assert "^never" not in text
    assert not any(f"%{name} " in text for name in "kms")
    assert "^loop(%i: i32):" in text


def test_nothing_changes_without_constants():
    changed, _ = rewritten("""
      %k = llvm.add %c1, %c2 : i32
      %v = llvm.add %x, %c1 : i32
      %u = llvm.add %undef, %x : i32
      llvm.return %v : i32""")
    assert not changed


def test_a_float_keeps_its_sign():
    _, text = rewritten("""
      %g = llvm.mlir.constant(-0.0 : f32) : f32
      %v = llvm.select %true, %g, %g : i1, f32
      llvm.store %v, %p : f32, !llvm.ptr
      llvm.return %x : i32""")
    assert "llvm.store %g, %p" in text


VARIABLES = {
    "@g(5 : i32) : i32": 5,
    # No scalar of the type of the variable.
    "@g(dense<1> : tensor<2xi32>) : !llvm.array<2 x i32>": None,
    "@g(dense<1> : vector<2xi32>) : vector<2xi32>": None,
    "@g(5 : i8) : i32": None,
    "@g() : i32": None,
    "@g() : i32 {\n%u = llvm.mlir.undef : i32\nllvm.return %u : i32\n}": UNDEFINED,
    "@g() : i32 {\n%u = llvm.mlir.constant(5 : i32) : i32\nllvm.return %u : i32\n}": None,
    """@g() : !llvm.array<1 x i32> {
      %u = llvm.mlir.undef : !llvm.array<1 x i32>
      %c = llvm.mlir.constant(5 : i32) : i32
      %v = llvm.insertvalue %c, %u[0] : !llvm.array<1 x i32>
      llvm.return %v : !llvm.array<1 x i32>
    }""": None,
}


@pytest.mark.parametrize("text", VARIABLES)
def test_initial_facts(text: str):
    (variable,) = parse_module(f"llvm.mlir.global internal {text}").ops
    found = initial_fact(variable)
    assert (integer_of(found) if isinstance(found, IntegerAttr) else found) == VARIABLES[text]


def test_undefined_values_stay_undefined():
    """An argument that is undef on all edges keeps it, although it could be any constant."""
    solver = solved(join("undef", "undef"))
    assert not solver.rewrite()
    (value,) = {op.operands[0] for op in solver.func.walk() if op.name == "llvm.return"}
    assert value.name_hint == "w"
