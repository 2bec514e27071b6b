import pytest
from helpers.programs import (
    LOOP,
    MASK,
    NEST,
    PREDICATES,
    Undefined,
    all_values,
    block_named,
    compare8,
    loops_and_branches,
    only_loop,
    parse_function,
    run,
    signed8,
    value_named,
)  # fmt: skip
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import OpResult

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.evaluation import evaluate
from nvvm_xdsl.analysis.scev.expressions import Kind
from nvvm_xdsl.analysis.scev.invalidation import PRIMARY, SECONDARY, SHALLOW
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.values.constant_range import SGE, SLE
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.types import I32, int_attr
from nvvm_xdsl.ir import fast


def evolution(text: str) -> tuple[ScalarEvolution, object]:
    func = parse_function(text)
    return AnalysisManager().get(ScalarEvolution, func), func


def simple(body: str) -> tuple[ScalarEvolution, object]:
    return evolution(
        "llvm.func @f(%x: i32, %y: i32, %l: i64, %p: !llvm.ptr, %c: i1) {\n"
        "%k1 = llvm.mlir.constant(1 : i32) : i32\n%k2 = llvm.mlir.constant(2 : i32) : i32\n"
        "%k3 = llvm.mlir.constant(3 : i32) : i32\n%m1 = llvm.mlir.constant(-1 : i32) : i32\n"
        f"%k255 = llvm.mlir.constant(255 : i32) : i32\n{body}\nllvm.return\n}}"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%v = llvm.add %x, %y : i32", "(%x + %y)"),
        ("%v = llvm.add %y, %x : i32", "(%x + %y)"),
        ("%v = llvm.add %x, %x : i32", "(2 * %x)"),
        ("%v = llvm.sub %x, %x : i32", "0"),
        ("%a = llvm.add %x, %k1 : i32\n%v = llvm.add %a, %k2 : i32", "(3 + %x)"),
        ("%a = llvm.sub %x, %y : i32\n%v = llvm.add %a, %y : i32", "%x"),
        ("%a = llvm.add %x, %y : i32\n%v = llvm.mul %a, %k3 : i32", "((3 * %x) + (3 * %y))"),
        ("%v = llvm.shl %x, %k3 : i32", "(8 * %x)"),
        ("%v = llvm.lshr %x, %k2 : i32", "(%x /u 4)"),
        ("%v = llvm.udiv %x, %k1 : i32", "%x"),
        ("%v = llvm.urem %x, %y : i32", "((-1 * (%x /u %y) * %y) + %x)"),
        ("%v = llvm.and %x, %k255 : i32", "(zext i8 (trunc i32 %x to i8) to i32)"),
        ("%v = llvm.xor %x, %m1 : i32", "(-1 + (-1 * %x))"),
        ("%v = llvm.sext %x : i32 to i64", "(sext i32 %x to i64)"),
        ("%a = llvm.add %x, %k1 overflow<nsw> : i32\n%v = llvm.sext %a : i32 to i64",
         "(1 + (sext i32 %x to i64))"),
        ("%a = llvm.add %x, %k1 : i32\n%v = llvm.sext %a : i32 to i64",
         "(sext i32 (1 + %x) to i64)"),
        ("%a = llvm.sext %x : i32 to i64\n%v = llvm.trunc %a : i64 to i32", "%x"),
        ("%t = nvvm.read.ptx.sreg.tid.x : i32\n%v = llvm.sext %t : i32 to i64",
         "(zext i32 %t to i64)"),
        ("%t = nvvm.read.ptx.sreg.tid.x : i32\n%v = llvm.sdiv %t, %k2 : i32", "(%t /u 2)"),
        ("%v = llvm.sdiv %x, %k2 : i32", "%v"),
        ("%v = llvm.getelementptr %p[%l, 1] : (!llvm.ptr, i64) -> !llvm.ptr, "
         "!llvm.struct<(i32, i32)>", "(4 + (8 * %l) + %p)"),
        ("%v = llvm.getelementptr %p[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32",
         "((4 * (sext i32 %x to i64)) + %p)"),
        ('%a = llvm.icmp "slt" %x, %y : i32\n%v = llvm.select %a, %x, %y : i1, i32',
         "(%x smin %y)"),
        ('%a = llvm.icmp "ugt" %y, %x : i32\n%v = llvm.select %a, %x, %y : i1, i32',
         "(%x umin %y)"),
        ("%v = llvm.intr.smax(%x, %x) : (i32, i32) -> i32", "%x"),
        ("%v = llvm.select %c, %x, %y : i1, i32", "%v"),
        ("%v = llvm.ptrtoint %p : !llvm.ptr to i64", "(ptrtoint ptr %p to i64)"),
        ("%v = llvm.ptrtoint %p : !llvm.ptr to i32",
         "(trunc i64 (ptrtoint ptr %p to i64) to i32)"),
        ("%a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32\n"
         "%v = llvm.ptrtoint %a : !llvm.ptr to i64", "((4 * %l) + (ptrtoint ptr %p to i64))"),
        ("%a = llvm.ptrtoint %p : !llvm.ptr to i64\n%b = llvm.add %a, %l : i64\n"
         "%v = llvm.inttoptr %b : i64 to !llvm.ptr", "(%l + %p)"),
    ],
)  # fmt: skip
def test_expressions(body: str, expected: str):
    se, func = simple(body)
    assert str(se.get(value_named(func, "v"))) == expected


def test_expressions_are_unique():
    se, func = simple("%v = llvm.add %x, %y : i32\n%w = llvm.add %y, %x : i32")
    assert se.get(value_named(func, "v")) is se.get(value_named(func, "w"))


def loop(**parts) -> tuple[ScalarEvolution, object]:
    defaults = {
        "type": "i32", "start": 0, "step": 1, "flags": "", "predicate": "slt",
        "tested": "%next", "bound": "%n",
    }  # fmt: skip
    return evolution(LOOP.format(**{**defaults, **parts}))


@pytest.mark.parametrize(
    ("parts", "expression", "count"),
    [
        ({}, "{0,+,1}<%loop>", "(-1 + (1 smax %n))"),
        ({"flags": " overflow<nsw>"}, "{0,+,1}<nsw><%loop>", "(-1 + (1 smax %n))"),
        ({"predicate": "ult"}, "{0,+,1}<%loop>", "(-1 + (1 umax %n))"),
        ({"predicate": "ne"}, "{0,+,1}<%loop>", "(-1 + %n)"),
        ({"tested": "%i", "predicate": "ne"}, "{0,+,1}<%loop>", "%n"),
        ({"step": 2, "flags": " overflow<nsw>"}, "{0,+,2}<nsw><%loop>",
         "((-1 + (2 smax %n)) /u 2)"),
        ({"step": 2}, "{0,+,2}<%loop>", "***COULDNOTCOMPUTE***"),
        ({"step": -1, "start": 100, "predicate": "sgt"}, "{100,+,-1}<%loop>",
         "(99 + (-1 * (99 smin %n)))"),
    ],
)  # fmt: skip
def test_loops(parts: dict[str, object], expression: str, count: str):
    se, func = loop(**parts)
    assert str(se.get(value_named(func, "i"))) == expression
    assert str(se.backedge_taken_count(only_loop(se))) == count


LAST_ROUND = """
llvm.func @f(%p: !llvm.ptr) {{
  %k0 = llvm.mlir.constant(0 : i8) : i8
  %k1 = llvm.mlir.constant(1 : i8) : i8
  %m = llvm.mlir.constant(255 : i8) : i8
  llvm.br ^loop(%k0 : i8)
^loop(%i: i8):
  %next = llvm.add %i, %k1 overflow<nuw> : i8
  {use}
  %j = llvm.add %i, %k1 : i8
  %z = llvm.zext %j : i8 to i32
  %more = llvm.icmp "ne" %i, %m : i8
  llvm.cond_br %more, ^loop(%next : i8), ^exit
^exit:
  llvm.return
}}
"""


@pytest.mark.parametrize(
    ("use", "expression"),
    [
        # The increment of the last iteration, which overflows, is unused.
        ("", "(zext i8 {1,+,1}<%loop> to i32)"),
        ("%q = llvm.getelementptr %p[%next] : (!llvm.ptr, i8) -> !llvm.ptr, i8\n"
         "  %l = llvm.load %q : !llvm.ptr -> i8", "{1,+,1}<nuw><nsw><%loop>"),
        # The call may not return.
        ("llvm.call @g() : () -> ()\n"
         "  %q = llvm.getelementptr %p[%next] : (!llvm.ptr, i8) -> !llvm.ptr, i8\n"
         "  %l = llvm.load %q : !llvm.ptr -> i8", "(zext i8 {1,+,1}<%loop> to i32)"),
        ("%d = llvm.udiv %k1, %next : i8", "{1,+,1}<nuw><nsw><%loop>"),
        ("%d = llvm.udiv %next, %k1 : i8", "(zext i8 {1,+,1}<%loop> to i32)"),
        ("%s = llvm.freeze %next : i8\n  %d = llvm.udiv %k1, %s : i8",
         "(zext i8 {1,+,1}<%loop> to i32)"),
    ],
)  # fmt: skip
def test_flags_of_an_increment_apply_to_others_only_if_poison_is_undefined_behaviour(
    use, expression
):
    se, func = evolution("llvm.func @g()\n" + LAST_ROUND.format(use=use))
    found = se.get(value_named(func, "z"))
    assert str(found) == expression
    counter = "{0,+,1}<%loop>" if "call" in use else "{0,+,1}<nuw><%loop>"
    assert str(se.get(value_named(func, "i"))) == counter
    if "zext" in expression:
        assert se.range(found).contains(0)


LEFT_BEFORE_THE_INCREMENT = """
llvm.func @g()
llvm.func @f(%p: !llvm.ptr, %s: i8, %n: i8) {{
  %k1 = llvm.mlir.constant(1 : i8) : i8
  llvm.br ^loop(%s : i8)
^loop(%i: i8):
  %j = llvm.add %i, %k1 : i8
  %z = llvm.sext %j : i8 to i32
  {before}
  %next = llvm.add %i, %k1 overflow<nsw> : i8
  %q = llvm.getelementptr %p[%next] : (!llvm.ptr, i8) -> !llvm.ptr, i8
  %l = llvm.load %q : !llvm.ptr -> i8
  llvm.cond_br %more, ^loop(%next : i8), ^exit
^exit:
  llvm.return
}}
"""


@pytest.mark.parametrize(
    ("before", "is_known"),
    [
        ("{test}", True),
        ("{test}\n  llvm.br ^rest\n^rest:", True),
        # The first exit, the call or the inner loop may end the last iteration before the increment.
        ("{test}\n  llvm.cond_br %more, ^rest, ^exit\n^rest:", False),
        ("{test}\n  llvm.call @g() : () -> ()", False),
        ("{test}\n  llvm.call @g() : () -> ()\n  llvm.br ^rest\n^rest:", False),
        ("llvm.br ^inner\n^inner:\n  {test}\n  llvm.cond_br %more, ^rest, ^inner\n^rest:", False),
    ],
)
def test_flags_of_an_increment_that_the_last_iteration_may_not_reach(before, is_known):
    """Other values with the expression of the increment may then wrap."""
    test = '%more = llvm.icmp "ne" %i, %n : i8'
    se, func = evolution(LEFT_BEFORE_THE_INCREMENT.format(before=before.format(test=test)))
    start = "(1 + %s)"
    wide = f"{{(sext i8 {start} to i32),+,1}}<nsw><%loop>"
    assert str(se.get(value_named(func, "z"))) == (
        wide if is_known else f"(sext i8 {{{start},+,1}}<%loop> to i32)"
    )


def test_loops_with_different_values_on_two_edges_are_not_evaluated():
    se, _ = evolution(
        """
        llvm.func @f(%c: i1) {
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %k9 = llvm.mlir.constant(9 : i32) : i32
          llvm.br ^loop(%k1 : i32)
        ^loop(%i: i32):
          %double = llvm.mul %i, %i : i32
          %more = llvm.icmp "ult" %double, %k9 : i32
          llvm.cond_br %more, ^again, ^exit
        ^again:
          llvm.cond_br %c, ^loop(%k9 : i32), ^loop(%k1 : i32)
        ^exit:
          llvm.return
        }
        """
    )
    assert se.backedge_taken_count(only_loop(se)) is se.could_not_compute


def test_constant_trip_counts():
    text = LOOP.format(
        type="i32", start=0, step=4, flags="", predicate="slt", tested="%next", bound="%c"
    )
    constant = "  %c = llvm.mlir.constant(10 : i32) : i32\n"
    se, func = evolution(text.replace("  llvm.br ^loop", f"{constant}  llvm.br ^loop", 1))
    found = only_loop(se)
    assert se.trip_count(found) == 3
    assert se.constant_max_backedge_taken_count(found) == 2
    assert str(se.range(se.get(value_named(func, "i")))) == "[0, 9)"
    assert str(se.at_exit(value_named(func, "next"), found)) == "12"


def test_predicated_counts():
    se, _ = loop(step=2)
    count, assumed = se.predicated_backedge_taken_count(only_loop(se))
    assert str(count) == "((-1 + (2 smax %n)) /u 2)"
    assert [str(e) for _, e in assumed] == ["{2,+,2}<%loop>"]


def test_guards_simplify_counts():
    se, _ = evolution(
        """
        llvm.func @f(%n: i32) {
          %k0 = llvm.mlir.constant(0 : i32) : i32
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %some = llvm.icmp "sgt" %n, %k0 : i32
          llvm.cond_br %some, ^pre, ^exit
        ^pre:
          llvm.br ^loop(%k0 : i32)
        ^loop(%i: i32):
          %next = llvm.add %i, %k1 : i32
          %more = llvm.icmp "slt" %next, %n : i32
          llvm.cond_br %more, ^loop(%next : i32), ^exit
        ^exit:
          llvm.return
        }
        """
    )
    # 0 < n is 1 <= n: the count needs no maximum.
    assert str(se.backedge_taken_count(only_loop(se))) == "(-1 + %n)"


@pytest.mark.parametrize("guard", ['"slt" %t, %n', '"sgt" %n, %t'])
def test_a_guard_bounds_either_operand(guard: str):
    """The lower bound of one operand is a lower bound of the other."""
    se, func = evolution(
        f"""
        llvm.func @f(%x: i32, %n: i32) {{
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %t = llvm.lshr %x, %k1 : i32
          %some = llvm.icmp {guard} : i32
          llvm.cond_br %some, ^pre, ^exit
        ^pre:
          llvm.br ^loop(%t : i32)
        ^loop(%i: i32):
          %next = llvm.add %i, %k1 : i32
          %more = llvm.icmp "slt" %next, %n : i32
          llvm.cond_br %more, ^loop(%next : i32), ^exit
        ^exit:
          llvm.return
        }}
        """
    )
    n = se.get(func.body.blocks[0].args[1])
    one, two = (se.expressions.constant(32, k) for k in (1, 2))
    # 0 <= t < n
    assert se.is_guarded(only_loop(se), SGE, n, one)
    assert se.is_guarded(only_loop(se), SLE, one, n)
    assert not se.is_guarded(only_loop(se), SGE, n, two)


def test_sums_of_counters_are_quadratic():
    se, func = evolution(
        """
        llvm.func @f(%n: i32) {
          %k0 = llvm.mlir.constant(0 : i32) : i32
          %k1 = llvm.mlir.constant(1 : i32) : i32
          llvm.br ^loop(%k0, %k0 : i32, i32)
        ^loop(%i: i32, %sum: i32):
          %next = llvm.add %i, %k1 : i32
          %total = llvm.add %sum, %i : i32
          %square = llvm.mul %i, %i : i32
          %more = llvm.icmp "slt" %next, %n : i32
          llvm.cond_br %more, ^loop(%next, %total : i32, i32), ^exit
        ^exit:
          llvm.return
        }
        """
    )
    assert str(se.get(value_named(func, "sum"))) == "{0,+,0,+,1}<%loop>"
    assert str(se.get(value_named(func, "square"))) == "{0,+,1,+,2}<%loop>"
    at = se.get(value_named(func, "square"))
    assert [evaluate(at, lambda v: 0, lambda l: n) for n in range(6)] == [0, 1, 4, 9, 16, 25]  # noqa: B023, E741


def test_nested_recurrences():
    se, func = evolution(NEST)
    found = str(se.get(value_named(func, "a")))
    assert found == "{{%p,+,(4 * %m)}<%outer>,+,4}<%inner>"
    inner = se.loops.loop_for(block_named(func, "inner"))
    outer = se.loops.loop_for(block_named(func, "outer"))
    assert str(se.backedge_taken_count(inner)) == "(-1 + %m)"
    assert str(se.backedge_taken_count(outer)) == "(-1 + %n)"


def test_loops_of_constants_are_evaluated():
    se, _ = evolution(
        """
        llvm.func @f() {
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %k2 = llvm.mlir.constant(3 : i32) : i32
          %k100 = llvm.mlir.constant(1000 : i32) : i32
          llvm.br ^loop(%k1 : i32)
        ^loop(%i: i32):
          %next = llvm.mul %i, %k2 : i32
          %more = llvm.icmp "ult" %next, %k100 : i32
          llvm.cond_br %more, ^loop(%next : i32), ^exit
        ^exit:
          llvm.return
        }
        """
    )
    # 3, 9, 27, 81, 243, 729 are below 1000.
    assert se.trip_count(only_loop(se)) == 7


@settings(max_examples=150)
@given(
    st.integers(-128, 127), st.sampled_from([1, 2, 3, 5, -1, -2, -3, 64]), st.sampled_from(PREDICATES),
    st.booleans(), st.sampled_from(["", " overflow<nsw>", " overflow<nuw>"]),
    st.sampled_from(["%n", "%s"]), st.data(),
)  # fmt: skip
def test_counts_equal_those_of_execution(start, step, predicate, after, flags, bound, data):
    constant = bound == "%s"
    text = LOOP.format(
        type="i8", start=start, step=step, flags=flags, predicate=predicate,
        tested="%next" if after else "%i", bound="%b" if constant else "%n",
    )  # fmt: skip
    number = data.draw(st.integers(-128, 127))
    if constant:
        text = text.replace(
            "  llvm.br ^loop", f"  %b = llvm.mlir.constant({number} : i8) : i8\n  llvm.br ^loop", 1
        )
    se, func = evolution(text)
    found = only_loop(se)
    count = se.backedge_taken_count(found)
    value, rounds = start & 255, 0
    while rounds < 300:
        following = (value + step) & 255
        if "nsw" in flags and signed8(value) + step != signed8(following):
            return
        if "nuw" in flags and value + (step & 255) > 255:
            return
        i = se.get(value_named(func, "i"))
        assert evaluate(i, lambda v: number, lambda l: rounds) == value  # noqa: B023, E741
        if not compare8(predicate, following if after else value, number):
            break
        value = following
        rounds += 1
    if count is not se.could_not_compute:
        assert evaluate(count, lambda v: number, lambda l: 0) == rounds  # noqa: E741
    most = se.constant_max_backedge_taken_count(found)
    if most is not None and rounds < 300:
        assert rounds <= most
    assert se.range(se.get(value_named(func, "i"))).contains(value)


@settings(max_examples=80)
@given(loops_and_branches(constants=(0, 1, 2, 7, -1)), st.integers(0, MASK), st.integers(0, 9))
def test_expressions_equal_the_values_of_execution(text: str, a: int, b: int):
    func = parse_function(text)
    am = AnalysisManager()
    se = am.get(ScalarEvolution, func)
    loops = am.get(LoopInfo, func)
    try:
        trace = run(func, [a, b], limit=40)
    except Undefined:
        return
    state: dict[object, int] = {}
    rounds: dict[object, int] = {}
    visited: set[object] = set()
    before: object = None
    for value, number in trace:
        block = value.op.parent if isinstance(value, OpResult) else value.block
        state[value] = number
        if value is (block.args[0] if block.args else None):
            for found in loops.loops():
                if not found.contains(block):
                    visited.discard(found)
                elif found.header is block:
                    rounds[found] = rounds[found] + 1 if found in visited else 0
                    visited.add(found)
        before = value
        expression = se.get(value)
        if expression is se.could_not_compute or not integer_width(value.type):
            continue
        inner = loops.loop_for(block)
        mentioned = {p.loop for p in expression.walk() if p.loop is not None}
        if all(l.contains_loop(inner) for l in mentioned):  # noqa: E741
            got = evaluate(expression, lambda v: state[v], lambda l: rounds[l])  # noqa: E741
            assert got == number, (value.name_hint, str(expression))
        assert se.range(expression).contains(number), (value.name_hint, str(expression))
        assert se.range(expression, signed=True).contains(number)
    assert before is not None


def test_forget_loop_drops_dependent_facts_and_no_others():
    se, func = evolution(NEST)
    inner = se.loops.loop_for(block_named(func, "inner"))
    outer = se.loops.loop_for(block_named(func, "outer"))
    for value in all_values(func):
        se.get(value)
    se.backedge_taken_count(inner)
    se.backedge_taken_count(outer)
    se.verify(maps=True)
    before = dict(se.value_exprs)
    se.forget_loop(inner)
    assert inner not in se.backedge_taken_counts
    assert outer in se.backedge_taken_counts
    for name in ("i", "in", "n", "m", "p"):
        assert se.value_exprs.get(value_named(func, name)) is before[value_named(func, name)]
    for name in ("j", "at", "a", "jn"):
        assert value_named(func, name) not in se.value_exprs
    assert se.evictions["backedge_taken_counts"] == 1
    assert se.forgotten_loops == {inner: PRIMARY | SECONDARY}
    assert str(se.get(value_named(func, "a"))) == "{{%p,+,(4 * %m)}<%outer>,+,4}<%inner>"
    se.verify(strict=True, maps=True)


def test_changes_are_visible_after_forgetting_and_not_before():
    se, func = evolution(NEST)
    inner = se.loops.loop_for(block_named(func, "inner"))
    assert str(se.backedge_taken_count(inner)) == "(-1 + %m)"
    bound = value_named(func, "jm").op
    fast.set_operand(bound, 1, value_named(func, "n"))
    with pytest.raises(AssertionError, match=r"was \(-1 \+ %m\), is \(-1 \+ %n\)"):
        se.verify()
    se.forget_loop(inner)
    assert str(se.backedge_taken_count(inner)) == "(-1 + %n)"
    se.verify(strict=True, maps=True)


def test_forget_value():
    se, func = evolution(NEST)
    inner = se.loops.loop_for(block_named(func, "inner"))
    outer = se.loops.loop_for(block_named(func, "outer"))
    for value in all_values(func):
        se.get(value)
    counts = se.backedge_taken_count(inner), se.backedge_taken_count(outer)
    se.forget_value(value_named(func, "jn"))
    assert inner not in se.backedge_taken_counts
    assert se.backedge_taken_count(outer) is counts[1]
    assert value_named(func, "row") in se.value_exprs
    assert value_named(func, "j") not in se.value_exprs
    fresh = value_named(func, "k1").op
    fresh.properties["value"] = int_attr(2, I32)
    se.forget_value(value_named(func, "k1"))
    se.verify(maps=True)


def test_forget_all_loops_and_depths():
    se, func = evolution(NEST)
    for value in all_values(func):
        se.get(value)
    for found in se.loops.loops():
        se.backedge_taken_count(found)
    inner = se.loops.loop_for(block_named(func, "inner"))
    se.forget_loop(inner, SHALLOW)
    assert value_named(func, "j") not in se.value_exprs
    se.forget_all_loops()
    assert se.backedge_taken_counts == {}
    assert value_named(func, "i") not in se.value_exprs
    assert value_named(func, "n") in se.value_exprs
    assert set(se.forgotten_loops) == set(se.loops.loops())


def test_long_chains_of_ops_need_no_recursion():
    size = 5000
    body = "%v0 = llvm.mul %x, %y : i32\n" + "".join(
        f"%v{n} = llvm.{'add' if n % 2 else 'mul'} %v{n - 1}, %y : i32\n" for n in range(1, size)
    )
    se, func = simple(body)
    found = se.get(value_named(func, f"v{size - 1}"))
    assert found.kind in (Kind.MUL, Kind.UNKNOWN, Kind.ADD)
    assert se.range(found).is_full
