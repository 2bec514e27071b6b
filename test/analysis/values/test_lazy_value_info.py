import pytest
from helpers.loop_kernels import loop_kernel
from helpers.nests import loop_nest
from helpers.programs import (
    MASK,
    Undefined,
    all_values,
    block_named,
    loops_and_branches,
    parse_function,
    run,
    value_named,
)  # fmt: skip
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import OpResult

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.dialects.llvm.types import I32, vector
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast


def info_of(body: str):
    func = parse_function(
        "llvm.func @f(%x: i32, %y: i32, %c: i1) {\n%k0 = llvm.mlir.constant(0 : i32) : i32\n"
        "%k5 = llvm.mlir.constant(5 : i32) : i32\n%k10 = llvm.mlir.constant(10 : i32) : i32\n"
        f"{body}\n}}"
    )
    return AnalysisManager().get(LazyValueInfo, func), func


BRANCH = """
{condition}
llvm.cond_br %d, ^yes, ^no
^yes:
%u = llvm.add %x, %k5 : i32
llvm.return
^no:
llvm.return
"""


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ('%d = llvm.icmp "ult" %x, %k10 : i32', "[0, 10)", "[10, 4294967296)"),
        ('%d = llvm.icmp "eq" %x, %k10 : i32', "[10, 11)", None),
        ('%d = llvm.icmp "sgt" %k10, %x : i32', "[-2147483648, 10)", "[10, 2147483648)"),
        ('%a = llvm.add %x, %k5 : i32\n%d = llvm.icmp "ult" %a, %k10 : i32', "[-5, 5)", None),
        ('%a = llvm.icmp "ult" %x, %k10 : i32\n%b = llvm.icmp "ugt" %x, %k5 : i32\n'
         "%d = llvm.and %a, %b : i1", "[6, 10)", None),
        ('%a = llvm.icmp "ult" %x, %k10 : i32\n%b = llvm.icmp "ult" %x, %k5 : i32\n'
         "%d = llvm.or %a, %b : i1", "[0, 10)", "[10, 4294967296)"),
        ('%t = llvm.mlir.constant(true) : i1\n%a = llvm.icmp "ult" %x, %k10 : i32\n'
         "%d = llvm.xor %a, %t : i1", "[10, 4294967296)", "[0, 10)"),
        ('%d = llvm.icmp "ult" %x, %y : i32', "[0, 4294967295)", "full"),
    ],
)  # fmt: skip
def test_branches(condition: str, yes: str, no: str | None):
    info, func = info_of(BRANCH.format(condition=condition))
    x, entry = value_named(func, "x"), block_named(func, "entry")
    then, other = block_named(func, "yes"), block_named(func, "no")
    assert str(info.range_on_edge(x, entry, then)) == yes
    assert str(info.range_in_block(x, then)) == yes
    if no is not None:
        assert str(info.range_in_block(x, other)) == no
    assert info.range_in_block(x, entry).is_full


def test_values_computed_after_a_branch():
    info, func = info_of(BRANCH.format(condition='%d = llvm.icmp "ult" %x, %k10 : i32'))
    yes = block_named(func, "yes")
    assert str(info.range_in_block(value_named(func, "u"), yes)) == "[5, 15)"
    entry = block_named(func, "entry")
    assert info.range_in_block(value_named(func, "d"), yes).value() == 1
    assert info.range_on_edge(value_named(func, "d"), entry, yes).value() == 1
    assert str(info.range_at(value_named(func, "x"), yes.last_op)) == "[0, 10)"
    on_edge = info.range_on_edge(value_named(func, "x"), entry, block_named(func, "no"))
    assert str(on_edge) == "[10, 4294967296)"


def test_joins_and_arguments():
    info, func = info_of(
        "llvm.cond_br %c, ^j(%k5 : i32), ^o\n^o:\nllvm.br ^j(%k10 : i32)\n^j(%a: i32):\nllvm.return"
    )
    assert str(info.range_in_block(value_named(func, "a"), block_named(func, "j"))) == "[5, 11)"


def test_assumptions_hold_after_the_assume_op():
    info, func = info_of(
        '%d = llvm.icmp "ult" %x, %k5 : i32\n"llvm.intr.assume"(%d) '
        "<{op_bundle_sizes = array<i32>}> : (i1) -> ()\n%u = llvm.add %x, %x : i32\nllvm.return"
    )
    x = value_named(func, "x")
    assert str(info.range_at(x, value_named(func, "u").op)) == "[0, 5)"
    assert info.range_at(x, value_named(func, "d").op).is_full


SWITCH = """
"llvm.switch"(%x)[^other, ^one, ^two, ^one] <{case_values = dense<[0, 1, 2]> : vector<3xi32>,
  case_operand_segments = array<i32: 0, 0, 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^other:
llvm.return
^one:
llvm.return
^two:
llvm.return
"""


def test_switches():
    info, func = info_of(SWITCH)
    x = value_named(func, "x")
    assert str(info.range_in_block(x, block_named(func, "one"))) == "[0, 3)"
    assert info.range_in_block(x, block_named(func, "two")).value() == 1
    assert str(info.range_in_block(x, block_named(func, "other"))) == "[3, 4294967296)"


def test_a_changed_switch_is_read_again():
    info, func = info_of(SWITCH)
    x, entry = value_named(func, "x"), func.regions[0].first_block
    one, two, other = (block_named(func, name) for name in ("one", "two", "other"))
    assert info.range_on_edge(x, entry, two).value() == 1
    switch = entry.last_op
    fast.set_successors(switch, [other, two, one, two])
    assert str(info.range_on_edge(x, entry, two)) == "[0, 3)"
    assert info.range_on_edge(x, entry, one).value() == 1
    switch.properties["case_values"] = DenseIntOrFPElementsAttr.from_list(vector(3, I32), [0, 7, 2])
    assert info.range_on_edge(x, entry, one).value() == 7


def test_loop_values_are_widened_but_exits_narrow_them():
    info, func = info_of(
        "llvm.br ^l(%k0 : i32)\n^l(%i: i32):\n%n = llvm.add %i, %k5 : i32\n"
        '%m = llvm.icmp "ult" %i, %k10 : i32\nllvm.cond_br %m, ^l(%n : i32), ^e\n^e:\nllvm.return'
    )
    i = value_named(func, "i")
    assert str(info.range_in_block(i, block_named(func, "e"))) == "[10, 15)"
    assert info.range_in_block(i, block_named(func, "l")).contains(14)


def test_verify_finds_a_stale_range():
    info, func = info_of(BRANCH.format(condition='%d = llvm.icmp "ult" %x, %k10 : i32'))
    x, yes = value_named(func, "x"), block_named(func, "yes")
    info.range_in_block(x, yes)
    info.verify()
    fast.set_operand(value_named(func, "d").op, 1, value_named(func, "y"))
    with pytest.raises(AssertionError, match=r"was \[0, 10\)"):
        info.verify()


def test_a_long_chain_stops_at_the_budget_without_recursion():
    size = 3000
    lines = ["llvm.br ^b0"]
    for n in range(size):
        lines += [f"^b{n}:", f"llvm.br ^b{n + 1}"]
    info, func = info_of("\n".join(lines) + f"\n^b{size}:\nllvm.return")
    assert info.range_in_block(value_named(func, "x"), block_named(func, f"b{size}")).is_full
    assert info.computed < 600


@settings(max_examples=80)
@given(
    loops_and_branches(constants=(0, 1, 5, 9, -1)),
    st.integers(0, 12),
    st.integers(0, MASK),
    st.data(),
)
def test_values_of_execution_are_in_range(text: str, a: int, b: int, data: st.DataObject):
    func = parse_function(text)
    info = AnalysisManager().get(LazyValueInfo, func)
    reachable = set(DominatorTree(func.regions[0]).preorder())
    values = [v for v in all_values(func) if integer_width(v.type)]
    try:
        trace = run(func, [a, b], limit=30)
    except Undefined:
        return
    state: dict[object, int] = {}
    before = None
    order = data.draw(st.randoms(use_true_random=False))
    for value, number in trace:
        block = value.op.parent if isinstance(value, OpResult) else value.block
        state[value] = number
        assert info.range_in_block(value, block).contains(number)
        for _ in range(2):
            other = order.choice(values)
            home = other.op.parent if isinstance(other, OpResult) else other.block
            if other in state and home is not block and info.tree.dominates(home, block):
                assert info.range_in_block(other, block).contains(state[other])
                for pred in fast.predecessors_of(block):
                    if (
                        pred is before
                        and pred in reachable
                        and len(fast.predecessors_of(block)) == 1
                    ):
                        assert info.range_on_edge(other, pred, block).contains(state[other])
        before = block
    info.verify()


def test_signed_predicates():
    info, func = info_of(BRANCH.format(condition='%d = llvm.icmp "slt" %x, %k0 : i32'))
    yes = block_named(func, "yes")
    assert info.range_in_block(value_named(func, "x"), yes) == ConstantRange.interval(
        32, -(2**31), -1
    )


@pytest.mark.parametrize("seed", range(12))
def test_skipping_blocks_gives_the_same_result(seed: int):
    module = read_ll(loop_kernel(seed), "k.ll")
    for func in functions_of(module):
        am = AnalysisManager()
        facts, tree = am.get(ValueTracking, func), am.get(DominatorTree, func)
        for value in all_values(func):
            for block in {user.parent for user in fast.users_of(value)}:
                if block is None or not integer_width(value.type) or not tree.contains(block):
                    continue
                without = LazyValueInfo(facts, tree)
                fast_one = LazyValueInfo(facts, tree, am.get(LoopInfo, func))
                expected = without.range_in_block(value, block)
                assert fast_one.range_in_block(value, block) == expected


def test_a_loop_nest_is_walked_once():
    def computed(depth: int) -> int:
        func = parse_function(loop_nest(depth))
        info = AnalysisManager().get(LazyValueInfo, func)
        for i in range(depth):
            value = value_named(func, f"i{i}")
            assert info.range_in_block(value, block_named(func, f"latch{i}")).smin() < 0
        return info.computed

    assert computed(40) <= 2.2 * computed(20)
