import pytest
from helpers.programs import (
    all_values,
    block_named,
    loops_and_branches,
    parse_function,
    value_named,
)
from hypothesis import given
from hypothesis import strategies as st
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import Liveness, defining_block
from nvvm_xdsl.analysis.machine.register_pressure import (
    CLASSES,
    RegisterCosts,
    RegisterPressure,
    registers_at_most,
    registers_of,
)
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.dialects.llvm.types import (  # fmt: skip
    BF16,
    F16,
    F32,
    F64,
    I1,
    I8,
    I32,
    I64,
    I128,
    PTR,
    array,
    integer,
    pointer,
    struct,
    vector,
)
from nvvm_xdsl.ir import fast

LOOP = """
llvm.func @f(%n: i32, %step: i32, %p: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^loop(%zero, %zero : i32, i32)
^loop(%i: i32, %sum: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  %next = llvm.add %i, %step : i32
  %total = llvm.add %sum, %i : i32
  llvm.br ^loop(%next, %total : i32, i32)
^exit:
  llvm.store %sum, %p : i32, !llvm.ptr
  llvm.return %sum : i32
}
"""


def names(values) -> set[str]:
    return {v.name_hint for v in values}


def test_a_loop():
    func = parse_function(LOOP)
    live = Liveness(func.regions[0])
    assert names(live.live_in(block_named(func, "loop"))) == {"n", "step", "p"}
    assert names(live.live_out(block_named(func, "loop"))) == {"n", "step", "p", "i", "sum"}
    assert names(live.live_in(block_named(func, "body"))) == {"n", "step", "p", "i", "sum"}
    assert names(live.live_out(block_named(func, "body"))) == {"n", "step", "p"}
    assert names(live.live_in(block_named(func, "exit"))) == {"p", "sum"}
    assert live.live_out(block_named(func, "exit")) == []
    assert live.is_live_in(value_named(func, "i"), block_named(func, "body"))
    assert not live.is_live_out(value_named(func, "i"), block_named(func, "body"))
    assert "total" not in names(live.values)


def test_the_live_set_after_an_op():
    func = parse_function(LOOP)
    live = Liveness(func.regions[0])
    total = value_named(func, "total")
    assert names(live.live_after(total.op)) == {"n", "step", "p", "next", "total"}
    nxt = value_named(func, "next")
    assert names(live.live_after(nxt.op)) == {"n", "step", "p", "next", "sum", "i"}


def test_verify_and_update():
    func = parse_function(LOOP)
    pressure = AnalysisManager().get(RegisterPressure, func)
    pressure.verify()
    nxt = value_named(func, "next").op
    first = block_named(func, "loop").first_op
    fast.move_before(nxt, first)
    with pytest.raises(AssertionError, match=r"out of \^loop are stale"):
        pressure.verify()
    pressure.update(
        [*fast.operands_of(nxt), *nxt.results],
        [block_named(func, "loop"), block_named(func, "body")],
    )
    pressure.verify()


def test_pressure_of_a_loop():
    func = parse_function(LOOP)
    pressure = RegisterPressure(Liveness(func.regions[0]))
    body = pressure.of_block(block_named(func, "body"))
    # n, step, i, sum and next are 32 bits wide, p is 64.
    assert body.maximum == (0, 0, 5, 1, 0)
    assert body.registers == 7
    loop = pressure.of_block(block_named(func, "loop"))
    assert loop.maximum == (1, 0, 4, 1, 0)
    assert pressure.registers == 7
    # In the body, six live-in values and two results are assumed to be live at once.
    assert registers_at_most(pressure.liveness, DataLayout()) == 8
    assert pressure.at(value_named(func, "more").op) == (1, 0, 4, 1, 0)


def test_constants_need_no_register_and_dead_results_do():
    func = parse_function(
        "llvm.func @f(%a: i32) {\n%c = llvm.mlir.constant(1 : i32) : i32\n"
        "%d = llvm.add %a, %c : i32\nllvm.return\n}"
    )
    pressure = RegisterPressure(Liveness(func.regions[0]))
    assert pressure.maximum == (0, 0, 1, 0, 0)
    assert pressure.blocks[0].at_exit == (0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("type_", "cost"),
    [
        (I1, {"pred": 1}), (I8, {"b16": 1}), (F16, {"b16": 1}), (BF16, {"b16": 1}),
        (I32, {"b32": 1}), (F32, {"b32": 1}), (I64, {"b64": 1}), (F64, {"b64": 1}),
        (PTR, {"b64": 1}), (pointer(3), {"b64": 1}), (I128, {"b128": 1}),
        (pointer(6), {"b32": 1}), (integer(24), {"b32": 1}), (integer(200), {"b128": 2}),
        (vector(2, F16), {"b32": 1}), (vector(4, I8), {"b32": 1}), (vector(3, F16), {"b32": 2}),
        (vector(4, F32), {"b32": 4}), (vector(4, I1), {"pred": 4}),
        (struct([I32, F64, I1]), {"pred": 1, "b32": 1, "b64": 1}), (array(3, I64), {"b64": 3}),
    ],
)  # fmt: skip
def test_registers_of_a_type(type_, cost):
    found = RegisterCosts(DataLayout()).of(type_)
    assert dict(zip(CLASSES, found)) == {**dict.fromkeys(CLASSES, 0), **cost}


def test_registers_of_classes():
    assert registers_of((9, 2, 3, 4, 5)) == 2 + 3 + 8 + 20


def slow_live_in(func: Operation, value: SSAValue) -> set[int]:
    """Returns the blocks from whose start a use is reachable without the definition."""
    blocks = list(func.regions[0].blocks)
    number = {b: n for n, b in enumerate(blocks)}
    home = defining_block(value)
    live: set[int] = set()
    changed = True
    while changed:
        changed = False
        for n, block in enumerate(blocks):
            if n in live or block is home:
                continue
            used = any(value in op.operands for op in block.ops)
            onwards = any(number[s] in live for s in fast.successors_of(block.last_op))
            if used or onwards:
                live.add(n)
                changed = True
    return live


@given(loops_and_branches())
def test_liveness_equals_the_definition(text: str):
    func = parse_function(text)
    live = Liveness(func.regions[0])
    for value in all_values(func):
        expected = slow_live_in(func, value)
        found = {n for n, b in enumerate(func.regions[0].blocks) if live.is_live_in(value, b)}
        assert found == expected
    pressure = RegisterPressure(live)
    assert pressure.registers <= registers_at_most(live, DataLayout())
    for n, block in enumerate(func.regions[0].blocks):
        most = 0
        for op, alive in live.points(block):
            alive = alive | set(op.results)
            most = max(most, sum(1 for v in alive if v.type == I32))
        entry = [v for v in [*live.live_in(block), *block.args] if v.type == I32]
        assert pressure.blocks[n].maximum[2] >= max(most, len(entry))
        for here, alive in (
            (pressure.blocks[n].at_entry, [*live.live_in(block), *block.args]),
            (pressure.blocks[n].at_exit, live.live_out(block)),
        ):
            assert here[2] == sum(pressure.costs.of_value(v)[2] for v in alive)
        some = all_values(func)[::2]
        assert live.live_out_among(block, some) == {v for v in some if live.is_live_out(v, block)}


@given(loops_and_branches(), st.data())
def test_an_added_use_gives_the_result_of_a_new_analysis(text: str, data: st.DataObject):
    """Adds a use of an entry value at the start of any other block."""
    func = parse_function(text)
    live = Liveness(func.regions[0])
    entry, *others = func.regions[0].blocks
    values = [*entry.args, *(v for op in entry.ops for v in op.results)]
    if not values or not others:
        return
    value, block = data.draw(st.sampled_from(values)), data.draw(st.sampled_from(others))
    use = fast.create(FreezeOp, (value,), (value.type,))
    fast.insert_before(use, block.first_op)
    live.extend(value, block)
    live.verify()


@given(loops_and_branches())
def test_updates_of_all_values_give_the_result_of_a_new_analysis(text: str):
    func = parse_function(text)
    pressure = RegisterPressure(Liveness(func.regions[0]))
    for block in func.regions[0].blocks:
        for op in block.ops:
            if len(op.operands) == 2 and op.results:
                fast.set_operand(op, 1, fast.operands_of(op)[0])
    pressure.update(all_values(func), list(func.regions[0].blocks))
    pressure.verify()


@given(loops_and_branches(constants=(0, 1, 3)), st.data())
def test_sinking_and_rematerialization_update_only_affected_values(text: str, data: st.DataObject):
    func = parse_function(text)
    pressure = RegisterPressure(Liveness(func.regions[0]))
    tree = DominatorTree(func.regions[0])
    for _ in range(3):
        candidates = [
            (op, user)
            for block in func.regions[0].blocks
            for op in block.ops
            if len(op.results) == 1 and not op.successors
            for user in fast.users_of(op.results[0])
            if tree.contains(block) and user.parent is not None and tree.contains(user.parent)
        ]
        if not candidates:
            return
        op, user = data.draw(st.sampled_from(candidates))
        (value,) = op.results
        home, target = op.parent, user.parent
        assert home is not None
        assert target is not None
        users = list(fast.users_of(value))
        if len(users) == 1:
            # Sinking moves the op to its only user; its operands are live up to there.
            fast.move_before(op, user)
            pressure.update([value, *op.operands], [home, target])
        else:
            # Rematerialization gives the user its own copy.
            copy = fast.copy_op(op, {})
            fast.insert_before(copy, user)
            for place, operand in enumerate(fast.operands_of(user)):
                if operand is value:
                    fast.set_operand(user, place, copy.results[0])
            pressure.update([value, copy.results[0], *op.operands], [home, target])
        pressure.verify()


def test_a_long_chain():
    size = 3000
    lines = ["llvm.func @f(%a: i32) -> i32 {", "llvm.br ^b0"]
    for n in range(size):
        lines += [f"^b{n}:", f"%v{n} = llvm.add %a, %a : i32", f"llvm.br ^b{n + 1}"]
    lines += [f"^b{size}:", "%r = llvm.add %v0, %a : i32", "llvm.return %r : i32", "}"]
    func = parse_function("\n".join(lines))
    live = Liveness(func.regions[0])
    assert len(live.values) == 2
    assert names(live.live_in(block_named(func, f"b{size - 1}"))) == {"a", "v0"}
