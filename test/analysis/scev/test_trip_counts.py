"""Trip counts that LLVM's analysis finds; each loop is clang's output for the C code beside it."""

import pytest
from helpers.nests import loops_in_a_row
from helpers.programs import parse_function, value_named

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.dependence_analysis import DependenceAnalysis
from nvvm_xdsl.analysis.scev.evaluation import evaluate
from nvvm_xdsl.analysis.scev.expressions import NW, POSITIVE, ZERO
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, using_knobs
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW

PROGRESS = 'passthrough = ["mustprogress"]'


def loop(
    *, type_: str = "i32", start: str = "%k0", step: str = "%k1", flags: str = "",
    condition: str = '%c = llvm.icmp "slt" %i, %n : i32', before: str = "", body: str = "",
    attributes: str = "", following: str = "", arguments: str = "",
    branch: str = "llvm.cond_br %c, ^body, ^exit",
) -> tuple[ScalarEvolution, object]:  # fmt: skip
    """`for (i = start; condition; i += step)`, tested at the top."""
    following = following or f"%next = llvm.add %i, {step}{flags} : {type_}"
    func = parse_function(
        f"""
        llvm.func @maybe()
        llvm.func @f(%n: i32, %m: i32, %l: i64, %p: !llvm.ptr, %b: i1{arguments})
            attributes {{{attributes}}} {{
          %k0 = llvm.mlir.constant(0 : i32) : i32
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %k4 = llvm.mlir.constant(4 : i32) : i32
          %z = llvm.mlir.constant(0 : i8) : i8
          %false = llvm.mlir.constant(0 : i1) : i1
          %true = llvm.mlir.constant(1 : i1) : i1
          {before}
          llvm.br ^loop({start} : {type_})
        ^loop(%i: {type_}):
          {condition}
          {branch}
        ^body:
          {body}
          {following}
          llvm.br ^loop(%next : {type_})
        ^exit:
          llvm.return
        }}
        """
    )
    return AnalysisManager().get(ScalarEvolution, func), func


def count_of(se: ScalarEvolution) -> str:
    found = se.backedge_taken_count(se.loops.top_level[0])
    return "unknown" if found is se.could_not_compute else str(found)


def most_of(se: ScalarEvolution) -> str:
    """Returns the assumptions of the counted exits: `unknown` if none is counted."""
    found = se.symbolic_max_backedge_taken_count(se.loops.top_level[0])
    return "unknown" if found is se.could_not_compute else str(found)


NO_MEMORY = (
    "{memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, "
    "errnoMem = none, targetMem0 = none, targetMem1 = none>%s}"
)
CALL = f"llvm.call @maybe() {NO_MEMORY % ''} : () -> ()"
RETURNING = f"llvm.call @maybe() {NO_MEMORY % ', will_return'} : () -> ()"
STORE = "llvm.store %z, %p : i8, !llvm.ptr"

GRID = """
%t = nvvm.read.ptx.sreg.tid.x : i32
%ct = nvvm.read.ptx.sreg.ctaid.x : i32
%nt = nvvm.read.ptx.sreg.ntid.x : i32
%nct = nvvm.read.ptx.sreg.nctaid.x : i32
%first = llvm.mul %ct, %nt : i32
%start = llvm.add %first, %t : i32
%stride = llvm.mul %nt, %nct : i32
"""
GRID_STRIDE = {
    "before": GRID, "start": "%start", "step": "%stride", "flags": " overflow<nsw>",
    "body": STORE, "attributes": PROGRESS,
}  # fmt: skip


def test_grid_stride_loops_are_counted():
    se, _ = loop(**GRID_STRIDE)
    only = se.loops.top_level[0]
    count = se.backedge_taken_count(only)
    assert count is not se.could_not_compute
    for tid, ctaid, ntid, nctaid, n in (
        (0, 0, 128, 4, 1000), (5, 1, 128, 4, 1000), (127, 3, 128, 4, 1000), (3, 2, 32, 7, 64),
        (0, 0, 1, 1, 9), (1, 0, 2, 1, -4), (0, 0, 1024, 1, 1024), (0, 0, 1024, 1, 1025),
        # The product is 0 in 32 bits, and the test fails at first.
        (5, 0, 1024, 1 << 22, 3),
    ):  # fmt: skip
        known = {"t": tid, "ct": ctaid, "nt": ntid, "nct": nctaid, "n": n}
        rounds = len(range(ctaid * ntid + tid, n, ntid * nctaid))
        assert evaluate(count, lambda v: known[v.name_hint], lambda _: 0) == rounds  # noqa: B023


@pytest.mark.parametrize(
    "change",
    [
        # Each loop may be infinite, or its counter may wrap.
        {"attributes": ""},
        {"flags": ""},
        {"body": CALL},
        {"body": "llvm.fence seq_cst"},
        {"body": "llvm.store volatile %z, %p : i8, !llvm.ptr"},
        {"body": "llvm.cond_br %b, ^rest, ^exit\n^rest:"},
        {"condition": '%c0 = llvm.icmp "slt" %i, %n : i32\n%c = llvm.and %c0, %b : i1'},
    ],
)
def test_grid_stride_loops_that_may_be_infinite_are_not_counted(change: dict[str, str]):
    se, _ = loop(**{**GRID_STRIDE, **change})
    assert most_of(se) == "unknown"


def test_grid_stride_loops_are_counted_assuming_a_stride_of_one():
    se, _ = loop(**{**GRID_STRIDE, "flags": ""})
    count, assumed = se.predicated_backedge_taken_count(se.loops.top_level[0])
    assert count is not se.could_not_compute
    assert [(f, str(e)) for f, e in assumed] == [
        (POSITIVE, "(%nct * %nt)"),
        (NSW, "{((%ct * %nt) + %t),+,(%nct * %nt)}<%loop>"),
    ]
    with using_knobs(ScevKnobs(aggressive_positive_stride_analysis=True)):
        se, _ = loop(**{**GRID_STRIDE, "attributes": ""})
    assert count_of(se) != "unknown"


def test_positive_strides_need_no_assumption():
    se, _ = loop(**{**GRID_STRIDE, "attributes": "", "step": "%nt"})
    assert count_of(se) != "unknown"
    se, _ = loop(**{**GRID_STRIDE, "attributes": "", "step": "%m"})
    assert count_of(se) == "unknown"


@pytest.mark.parametrize("body", ["", STORE, RETURNING])
@pytest.mark.parametrize("flags", ["", " overflow<nsw>"])
def test_inclusive_upper_bounds(flags: str, body: str):
    """`for (int i = 0; i <= n; i++)`: with n the greatest integer, i would overflow."""
    se, _ = loop(condition='%c = llvm.icmp "sle" %i, %n : i32', flags=flags, body=body)
    assert count_of(se) == ("(0 smax (1 + %n))" if flags else "unknown")


@pytest.mark.parametrize(
    "change",
    [
        {"body": CALL},
        {"body": "llvm.cond_br %b, ^rest, ^exit\n^rest:"},
        {"branch": "%d = llvm.and %c, %b : i1\nllvm.cond_br %d, ^body, ^exit"},
    ],
)
def test_inclusive_bounds_with_an_earlier_exit(change):
    se, _ = loop(condition='%c = llvm.icmp "sle" %i, %n : i32', flags=" overflow<nsw>", **change)
    assert most_of(se) == "unknown"


def test_inclusive_lower_bounds():
    for flags, expected in (
        ("", "unknown"),
        (" overflow<nsw>", "((-1 * ((-1 + %n) smin %m)) + %m)"),
    ):
        se, _ = loop(
            condition='%c = llvm.icmp "sge" %i, %n : i32', flags=flags, start="%m",
            step="%minus", before="%minus = llvm.mlir.constant(-1 : i32) : i32",
        )  # fmt: skip
        assert count_of(se) == expected


NE4 = {"condition": '%c = llvm.icmp "ne" %i, %n : i32', "step": "%k4", "flags": " overflow<nsw>"}


def test_a_bound_that_the_counter_reaches_exactly():
    se, _ = loop(**NE4)
    assert count_of(se) == "(%n /u 4)"
    se, _ = loop(**NE4, body=RETURNING)
    assert count_of(se) == "(%n /u 4)"


INNER = """
llvm.br ^inner
^inner:
llvm.cond_br %b, ^inner, ^rest
^rest:
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"body": CALL}, "unknown"),
        # The inner loop may be infinite unless it must make progress.
        ({"body": INNER}, "unknown"),
        ({"body": INNER, "attributes": PROGRESS}, "(%n /u 4)"),
        ({"flags": ""}, "unknown"),
        ({"body": "llvm.cond_br %b, ^rest, ^exit\n^rest:"}, "unknown"),
        ({"branch": "%d = llvm.and %c, %b : i1\nllvm.cond_br %d, ^body, ^exit"}, "unknown"),
    ],
)
def test_a_bound_that_the_counter_may_skip(change: dict[str, str], expected: str):
    se, _ = loop(**{**NE4, **change})
    assert most_of(se) == expected


def test_dependences_of_a_loop_left_by_a_call():
    """With n = 6 the counter goes 0, 4, 8, ...: the store of iteration 2 depends on the load of iteration 0."""
    body = f"""
      %x = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      %v = llvm.load %x : !llvm.ptr -> i8
      %y = llvm.getelementptr %p[%i, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<1 x i8>
      %e = llvm.getelementptr %y[-8] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %z, %e : i8, !llvm.ptr
      {CALL}
    """
    bound = f"#llvm.constant_range<i32, 0, 7>"  # noqa: F541
    _, func = loop(
        **{**NE4, "condition": '%c = llvm.icmp "ne" %i, %q : i32'},
        body=body, arguments=f", %q: i32 {{llvm.range = {bound}}}",
    )  # fmt: skip
    ops = [op for block in func.regions[0].blocks for op in block.ops]
    (load,) = [op for op in ops if op.name == "llvm.load"]
    (store,) = [op for op in ops if op.name == "llvm.store"]
    assert AnalysisManager().get(DependenceAnalysis, func).depends(load, store) is not None


def test_an_exit_that_is_not_executed_in_every_iteration_is_not_counted():
    body = """
      llvm.cond_br %b, ^arm, ^rest
    ^arm:
      %e = llvm.icmp "ult" %i, %m : i32
      llvm.cond_br %e, ^rest, ^exit
    ^rest:
    """
    se, func = loop(body=body, condition='%c = llvm.icmp "ne" %i, %n : i32')
    only = se.loops.top_level[0]
    assert count_of(se) == "unknown"
    assert [str(se.exit_count(only, b)) for b in only.exiting_blocks()] == [
        "%n", "***COULDNOTCOMPUTE***",
    ]  # fmt: skip
    # The symbolic maximum is the count of the counted exit.
    assert str(se.symbolic_max_backedge_taken_count(only)) == "%n"
    assert value_named(func, "e") is not None


@pytest.mark.parametrize(
    ("bound", "step", "expected"),
    [
        ("llvm.and %n, %mask : i32", 4, "(%n /u 4)"),
        ("llvm.and %n, %mask : i32", 1, "(4 * (%n /u 4))"),
        ("llvm.shl %n, %k4 : i32", 8, "((16 * %n) /u 8)"),
        ("llvm.add %n, %k1 : i32", 4, "unknown"),
    ],
)
def test_bounds_that_are_multiples(bound: str, step: int, expected: str):
    """`for (i = 0; i != (n & ~3); i += 4)`."""
    se, _ = loop(**_to_bound(bound, step))
    assert count_of(se) == expected


def _to_bound(bound: str, step: int) -> dict[str, str]:
    return {
        "before": "%mask = llvm.mlir.constant(-4 : i32) : i32\n"
        f"%s = llvm.mlir.constant({step} : i32) : i32\n%bound = {bound}",
        "condition": '%c = llvm.icmp "ne" %i, %bound : i32',
        "step": "%s",
    }


def test_odd_steps_reach_every_bound():
    """3 * k = 16 * n modulo 2^32 has a solution for every n, after a wrap or two."""
    se, _ = loop(**_to_bound("llvm.shl %n, %k4 : i32", 3))
    count = se.backedge_taken_count(se.loops.top_level[0])
    for n in (0, 3, 6, 1000):
        rounds = evaluate(count, lambda v: n, lambda _: 0)  # noqa: B023
        assert 3 * rounds % 2**32 == 16 * n


@pytest.mark.parametrize(
    ("body", "multiple"),
    [
        ("%v = llvm.and %n, %mask : i32", 4),
        ("%v = llvm.shl %n, %k4 : i32", 16),
        ("%t = llvm.trunc %n : i32 to i16\n%w = llvm.zext %t : i16 to i32\n"
         "%v = llvm.mul %w, %k12 : i32", 12),
        # The product may wrap, and is then not divisible by 12.
        ("%v = llvm.mul %n, %k12 : i32", 4),
        ("%t = llvm.mul %n, %k12 : i32\n%v = llvm.add %t, %mask : i32", 4),
        ("%t = llvm.mul %n, %k12 : i32\n%u = llvm.and %m, %mask : i32\n"
         "%v = llvm.intr.umin(%t, %u) : (i32, i32) -> i32", 4),
        ("%t = llvm.mul %n, %k12 : i32\n%v = llvm.trunc %t : i32 to i1", 0),
        ("%v = llvm.udiv %n, %k4 : i32", 1),
    ],
)  # fmt: skip
def test_multiples(body: str, multiple: int):
    func = parse_function(
        f"""llvm.func @f(%n: i32, %m: i32) {{
          %k4 = llvm.mlir.constant(4 : i32) : i32
          %k12 = llvm.mlir.constant(12 : i32) : i32
          %mask = llvm.mlir.constant(-4 : i32) : i32
          {body}
          llvm.return
        }}"""
    )
    se = AnalysisManager().get(ScalarEvolution, func)
    assert se.multiple_of(se.get(value_named(func, "v"))) == multiple


def test_the_trip_multiple_of_a_masked_bound():
    """`i = 0; do { ... } while (++i != (n & ~3))`."""
    func = parse_function(
        """
        llvm.func @f(%n: i32) {
          %k0 = llvm.mlir.constant(0 : i32) : i32
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %mask = llvm.mlir.constant(-4 : i32) : i32
          %bound = llvm.and %n, %mask : i32
          llvm.br ^loop(%k0 : i32)
        ^loop(%i: i32):
          %next = llvm.add %i, %k1 : i32
          %c = llvm.icmp "ne" %next, %bound : i32
          llvm.cond_br %c, ^loop(%next : i32), ^exit
        ^exit:
          llvm.return
        }
        """
    )
    se = AnalysisManager().get(ScalarEvolution, func)
    assert se.trip_multiple(se.loops.top_level[0]) == 4


def test_a_reached_bound_assumes_a_multiple():
    se, _ = loop(**{**NE4, "flags": ""})
    count, assumed = se.predicated_backedge_taken_count(se.loops.top_level[0])
    assert str(count) == "(%n /u 4)"
    ((flag, rest),) = assumed
    assert flag == ZERO
    for n in (0, 6, 8, -4):
        assert evaluate(rest, lambda v: n, lambda _: 0) == n % 4  # noqa: B023


@pytest.mark.parametrize(
    ("connective", "expected"),
    [
        ("%c = llvm.and %c1, %c2 : i1", "((0 smax %m) umin %n)"),
        ("%c = llvm.select %c1, %c2, %false : i1, i1", "(%n umin_seq (0 smax %m))"),
        ("%d1 = llvm.xor %c1, %true : i1\n%d2 = llvm.xor %c2, %true : i1\n"
         "%d = llvm.select %d1, %true, %d2 : i1, i1\n%c = llvm.xor %d, %true : i1",
         "(%n umin_seq (0 smax %m))"),
        ("%c = llvm.or %c1, %c2 : i1", "unknown"),
        ("%c = llvm.select %c1, %true, %c2 : i1, i1", "unknown"),
        ("%c = llvm.select %b, %c1, %c2 : i1, i1", "unknown"),
    ],
)  # fmt: skip
def test_exits_on_two_conditions(connective: str, expected: str):
    se, _ = loop(
        condition='%c1 = llvm.icmp "ne" %i, %n : i32\n%c2 = llvm.icmp "slt" %i, %m : i32\n'
        + connective
    )
    assert count_of(se) == expected


def test_exits_on_an_uncounted_condition_leave_a_symbolic_maximum():
    se, _ = loop(
        condition='%c1 = llvm.icmp "ne" %i, %n : i32\n%c = llvm.and %c1, %b : i1',
    )
    assert count_of(se) == "unknown"
    only = se.loops.top_level[0]
    assert str(se.symbolic_max_backedge_taken_count(only)) == "%n"


@pytest.mark.parametrize(
    ("switch", "expected", "most"),
    [
        ("llvm.switch %i : i32, ^body [7: ^exit]", "7", 7),
        ("llvm.switch %i : i32, ^body [7: ^exit, 5: ^exit]", "5", 5),
        ("llvm.switch %i : i32, ^body [7: ^exit, 5: ^body]", "7", 7),
        ("%d = llvm.sub %n, %i : i32\nllvm.switch %d : i32, ^body [1: ^exit]", "(-1 + %n)", None),
        # The default edge exits: after iteration 3 no case matches.
        ("llvm.switch %i : i32, ^exit [0: ^body, 1: ^body, 2: ^body]", "3", 3),
    ],
)
def test_exits_by_a_switch(switch: str, expected: str, most: int | None):
    se, _ = loop(branch=switch)
    assert count_of(se) == expected
    if most is not None:
        assert se.constant_max_backedge_taken_count(se.loops.top_level[0]) == most


@pytest.mark.parametrize(
    ("cases", "expected"),
    [("8: ^exit", "((8 + (-1 * %m)) /u 4)"), ("8: ^exit, 6: ^exit", "unknown")],
)
def test_maximum_trip_count_of_a_switch_with_two_exit_cases(cases: str, expected: str):
    se, _ = loop(
        branch=f"llvm.switch %i : i32, ^body [{cases}]", start="%m", step="%k4",
        flags=" overflow<nsw>", condition="",
    )  # fmt: skip
    assert most_of(se) == expected


def test_two_conditions_that_must_both_fail_give_no_bound():
    """i == 5 fails at once, but the loop continues while the other condition holds."""
    se, _ = loop(
        condition='%five = llvm.mlir.constant(5 : i32) : i32\n'
        '%e = llvm.icmp "eq" %i, %five : i32\n%c = llvm.or %e, %b : i1'
    )  # fmt: skip
    assert most_of(se) == "unknown"


WIDE = "%w = llvm.{} %i : i32 to i64"


@pytest.mark.parametrize(
    ("extension", "change", "expected"),
    [
        # Below a bound of its own width the counter does not wrap, for any start.
        ("zext", {"condition": '%c = llvm.icmp "ult" %i, %n : i32', "start": "%m"},
         "{(zext i32 %m to i64),+,1}<nuw><nsw><%loop>"),
        ("sext", {"condition": '%c = llvm.icmp "slt" %i, %n : i32', "start": "%m"},
         "{(sext i32 %m to i64),+,1}<nsw><%loop>"),
        ("sext", {"condition": '%c = llvm.icmp "slt" %i, %n : i32', "start": "%m", "step": "%k4"},
         "(sext i32 {%m,+,4}<%loop> to i64)"),
        ("sext", {"condition": '%c = llvm.icmp "slt" %i, %h : i32', "start": "%m", "step": "%k4",
                  "before": "%h = llvm.lshr %n, %k4 : i32"},
         "{(sext i32 %m to i64),+,4}<nsw><%loop>"),
        ("sext", {"condition": '%c = llvm.icmp "ult" %i, %n : i32', "start": "%m"},
         "(sext i32 {%m,+,1}<nuw><%loop> to i64)"),
        # The test is on the extended counter.
        ("zext", {"condition": '%w = llvm.zext %i : i32 to i64\n%h = llvm.zext %n : i32 to i64\n'
                  '%c = llvm.icmp "ult" %w, %h : i64', "start": "%m"},
         "{(zext i32 %m to i64),+,1}<nuw><nsw><%loop>"),
        ("zext", {"condition": '%w = llvm.zext %i : i32 to i64\n%c = llvm.icmp "ult" %w, %l : i64',
                  "start": "%m"}, "(zext i32 {%m,+,1}<%loop> to i64)"),
        # With a bound beyond its width the loop would be infinite.
        ("zext", {"condition": '%w = llvm.zext %i : i32 to i64\n%c = llvm.icmp "ult" %w, %l : i64',
                  "start": "%m", "attributes": PROGRESS},
         "{(zext i32 %m to i64),+,1}<nuw><nsw><%loop>"),
        ("sext", {"condition": '%w = llvm.sext %i : i32 to i64\n%c = llvm.icmp "slt" %w, %l : i64',
                  "start": "%m", "attributes": PROGRESS},
         "{(sext i32 %m to i64),+,1}<nsw><%loop>"),
        ("sext", {"condition": '%c = llvm.icmp "sgt" %i, %n : i32', "start": "%m",
                  "before": "%minus = llvm.mlir.constant(-1 : i32) : i32", "step": "%minus"},
         "{(sext i32 %m to i64),+,-1}<nsw><%loop>"),
        # The counter need not start below the bound.
        ("sext", {"condition": '%c = llvm.icmp "ne" %i, %n : i32', "start": "%m"},
         "(sext i32 {%m,+,1}<%loop> to i64)"),
        # Values computed before the test are one step further, also in the last iteration.
        ("sext", {"condition": '%j = llvm.add %i, %k1 : i32\n%w = llvm.sext %j : i32 to i64\n'
                  '%c = llvm.icmp "slt" %i, %n : i32', "start": "%m"},
         "(sext i32 {(1 + %m),+,1}<%loop> to i64)"),
        ("sext", {"condition": '%j = llvm.add %i, %k1 : i32\n%w = llvm.sext %j : i32 to i64\n'
                  '%c = llvm.icmp "slt" %i, %h : i32', "start": "%m",
                  "before": "%h = llvm.lshr %n, %k4 : i32"},
         "{(sext i32 (1 + %m) to i64),+,1}<nsw><%loop>"),
    ],
)  # fmt: skip
def test_extensions_of_narrow_counters(extension: str, change: dict[str, str], expected: str):
    condition = change.get("condition", "")
    body = "" if "%w" in condition else WIDE.format(extension)
    se, func = loop(**change, body=body)
    assert str(se.get(value_named(func, "w"))) == expected


def test_a_counter_tested_after_its_step_may_wrap_in_the_first_iteration():
    text = """
        llvm.func @f(%n: i32, %m: i32) {{
          %k1 = llvm.mlir.constant(1 : i32) : i32
          {guard}
        ^pre:
          llvm.br ^loop(%m : i32)
        ^loop(%i: i32):
          %w = llvm.sext %i : i32 to i64
          %next = llvm.add %i, %k1 : i32
          %v = llvm.sext %next : i32 to i64
          %c = llvm.icmp "{predicate}" %next, %n : i32
          llvm.cond_br %c, ^loop(%next : i32), ^exit
        ^exit:
          llvm.return
        }}
        """
    guarded = '%g = llvm.icmp "slt" %m, %n : i32\nllvm.cond_br %g, ^pre, ^exit'
    for guard, predicate, expected in (
        ("llvm.br ^pre", "slt", "(sext i32 {%m,+,1}<%loop> to i64)"),
        (guarded, "slt", "{(sext i32 %m to i64),+,1}<nsw><%loop>"),
        ("llvm.br ^pre", "ne", "(sext i32 {%m,+,1}<%loop> to i64)"),
        (guarded, "ne", "{(sext i32 %m to i64),+,1}<nsw><%loop>"),
    ):
        func = parse_function(text.format(guard=guard, predicate=predicate))
        se = AnalysisManager().get(ScalarEvolution, func)
        assert str(se.get(value_named(func, "w"))) == expected
    # The order of queries for the extension and for the count makes no difference.
    other = AnalysisManager().get(ScalarEvolution, func)
    other.backedge_taken_count(other.loops.top_level[0])
    assert str(other.get(value_named(func, "w"))) == expected


def test_extended_counters_in_tests_are_counted():
    """`for (int i = 0; i < l; i++)` with a bound of 64 bits."""
    se, _ = loop(
        condition='%w = llvm.sext %i : i32 to i64\n%c = llvm.icmp "slt" %w, %l : i64',
        attributes=PROGRESS,
    )
    assert count_of(se) == "(0 smax %l)"


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        ("%next = llvm.getelementptr %i[%m] : (!llvm.ptr, i32) -> !llvm.ptr, f64",
         "{%p,+,(8 * (sext i32 %m to i64))}<%loop>"),
        ("%g = llvm.getelementptr %i[%l, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>\n"
         "%next = llvm.getelementptr %g[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i8",
         "{%p,+,(4 + (17 * %l))}<%loop>"),
        ("%next = llvm.getelementptr %i[3] : (!llvm.ptr) -> !llvm.ptr, i32", "{%p,+,12}<%loop>"),
    ],
)  # fmt: skip
def test_pointers_that_move_by_variable_steps(following: str, expected: str):
    se, func = loop(type_="!llvm.ptr", start="%p", following=following, branch="llvm.cond_br %b, ^body, ^exit", condition="")  # fmt: skip
    assert str(se.get(value_named(func, "i"))) == expected


@pytest.mark.parametrize(
    ("op", "most"),
    [
        ("%next = llvm.lshr %i, %k1 : i32", 32),
        ("%next = llvm.lshr %i, %k4 : i32", 8),
        ("%next = llvm.shl %i, %k1 : i32", 32),
        # 4,294,967,295 has ten decimal digits.
        ("%ten = llvm.mlir.constant(10 : i32) : i32\n%next = llvm.udiv %i, %ten : i32", 10),
        ("%next = llvm.ashr %i, %k1 : i32", None),
        ("%next = llvm.lshr %i, %m : i32", None),
        ("%next = llvm.mul %i, %k4 : i32", None),
    ],
)
def test_values_that_shrink(op: str, most: int | None):
    """`for (x = n; x; x >>= 1)`: x is 0 after 32 iterations."""
    if "mul" in op:
        op = "%three = llvm.mlir.constant(3 : i32) : i32\n" + op.replace("%k4", "%three")
    if "shl" in op and most == 32:
        # Ranges of products wrap, so bits that are shifted out are not visible.
        most = None
    se, _ = loop(start="%n", following=op, condition='%c = llvm.icmp "ne" %i, %k0 : i32')
    only = se.loops.top_level[0]
    assert count_of(se) == "unknown"
    assert se.constant_max_backedge_taken_count(only) == most


def test_values_that_shrink_from_a_range():
    bound = "#llvm.constant_range<i32, 0, 100>"
    se, _ = loop(
        start="%q", following="%next = llvm.ashr %i, %k1 : i32",
        condition='%c = llvm.icmp "sgt" %i, %k0 : i32',
        arguments=f", %q: i32 {{llvm.range = {bound}}}",
    )  # fmt: skip
    # 99 has seven bits.
    assert se.constant_max_backedge_taken_count(se.loops.top_level[0]) == 7


def test_ranges_of_arguments():
    bound = "#llvm.constant_range<i32, 0, 100>"
    se, func = loop(
        condition='%c = llvm.icmp "slt" %i, %q : i32',
        body="%w = llvm.zext %i : i32 to i64",
        arguments=f", %q: i32 {{llvm.range = {bound}}}",
    )
    assert count_of(se) == "%q"
    assert se.constant_max_backedge_taken_count(se.loops.top_level[0]) == 99
    assert str(se.range(se.get(value_named(func, "q")))) == "[0, 100)"
    assert str(se.range(se.get(value_named(func, "w")))) == "[0, 100)"


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_sums_at_the_exit(degree: int):
    """`for (i = 0; i != n; i++) s += i`, and sums of such sums."""
    names = [f"%s{d}" for d in range(1, degree)]
    types = ", ".join(["i8"] * degree)
    arguments = ", ".join(["%i: i8", *(f"{n}: i8" for n in names)])
    lines = [
        f"%n{d} = llvm.add %s{d}, %{'i' if d == 1 else f's{d - 1}'} : i8" for d in range(1, degree)
    ]
    brought = ", ".join(["%next", *(f"%n{d}" for d in range(1, degree))])
    func = parse_function(
        f"""
        llvm.func @f(%n: i8) {{
          %k0 = llvm.mlir.constant(0 : i8) : i8
          %k1 = llvm.mlir.constant(1 : i8) : i8
          llvm.br ^loop({", ".join(["%k0"] * degree)} : {types})
        ^loop({arguments}):
          %c = llvm.icmp "ne" %i, %n : i8
          llvm.cond_br %c, ^body, ^exit
        ^body:
          %next = llvm.add %i, %k1 : i8
          {chr(10).join(lines)}
          llvm.br ^loop({brought} : {types})
        ^exit:
          llvm.return
        }}
        """
    )
    se = AnalysisManager().get(ScalarEvolution, func)
    last = value_named(func, f"s{degree - 1}")
    found = se.at_exit(last, se.loops.top_level[0])
    assert found is not se.could_not_compute
    for n in range(256):
        sums = [0] * degree
        for i in range(n):
            sums[0] = i
            for d in range(degree - 1, 0, -1):
                sums[d] = (sums[d] + sums[d - 1]) & 255
        assert evaluate(found, lambda v: n, lambda _: 0) == (sums[-1] if n else 0)  # noqa: B023


def test_guards_of_two_conditions():
    func = parse_function(
        """
        llvm.func @f(%n: i32, %b: i1) {
          %k0 = llvm.mlir.constant(0 : i32) : i32
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %some = llvm.icmp "sgt" %n, %k0 : i32
          %both = llvm.and %some, %b : i1
          llvm.cond_br %both, ^pre, ^exit
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
    se = AnalysisManager().get(ScalarEvolution, func)
    assert count_of(se) == "(-1 + %n)"
    # A fact about the loop depends on the guard: without it the count needs a maximum.
    some = value_named(func, "some").op
    some.operands[0] = value_named(func, "k0")
    se.forget_value(value_named(func, "some"))
    assert count_of(se) == "(-1 + (1 smax %n))"


def test_flags_of_assumptions():
    assert len({NUW, NSW, NW, ZERO, POSITIVE}) == 5
    assert NUW | NSW | NW | ZERO | POSITIVE == 31


@pytest.mark.parametrize(("other", "count"), [(1, 3), (2, None)])
def test_a_counter_that_steps_on_each_path_through_the_loop(other: int, count: int | None):
    """for (s = 4; s > 0; s >>= 1) if (n < s) *p = 0; with the step on both paths: 4, 2, 1."""
    func = parse_function(
        f"""
        llvm.func @f(%n: i32, %p: !llvm.ptr) {{
          %k0 = llvm.mlir.constant(0 : i32) : i32
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %by = llvm.mlir.constant({other} : i32) : i32
          %k4 = llvm.mlir.constant(4 : i32) : i32
          llvm.br ^loop(%k4 : i32)
        ^loop(%s: i32):
          %c = llvm.icmp "slt" %n, %s : i32
          llvm.cond_br %c, ^then, ^else
        ^then:
          llvm.store %k0, %p : i32, !llvm.ptr
          %x = llvm.lshr %s, %k1 : i32
          llvm.br ^latch(%x : i32)
        ^else:
          %y = llvm.lshr %s, %by : i32
          llvm.br ^latch(%y : i32)
        ^latch(%v: i32):
          %more = llvm.icmp "sgt" %v, %k0 : i32
          llvm.cond_br %more, ^loop(%v : i32), ^exit
        ^exit:
          llvm.return
        }}
        """
    )
    se = AnalysisManager().get(ScalarEvolution, func)
    assert se.trip_count(se.loops.top_level[0]) == count


def test_guards_that_bound_the_other_side_give_no_count():
    """The end of the previous loop implies that n is not above its counter, but not that n is above 0."""
    func = parse_function(loops_in_a_row(8))
    se = AnalysisManager().get(ScalarEvolution, func)
    loop = se.loops.top_level[-1]
    assert str(se.backedge_taken_count(loop)) == "(-1 + (1 smax %n))"
    assert {counted for counted, _ in se.exit_counts} == {loop}


def test_expressions_found_while_a_loop_is_counted_are_cached():
    func = parse_function(loops_in_a_row(8))
    se = AnalysisManager().get(ScalarEvolution, func)
    se.backedge_taken_count(se.loops.top_level[-1])
    assert all(value_named(func, f"next{i}") in se.value_exprs for i in range(8))


def test_expressions_based_on_a_provisional_count_are_computed_again():
    """An extension that is evaluated while the loop is counted cannot yet use that the counter does not wrap."""
    se, func = loop(
        flags=" overflow<nsw>", condition='%w = llvm.sext %i : i32 to i64\n%c = llvm.icmp "slt" %w, %l : i64',
    )  # fmt: skip
    se.backedge_taken_count(se.loops.top_level[0])
    wide = value_named(func, "w")
    assert wide not in se.value_exprs
    assert str(se.get(wide)) == "{0,+,1}<nsw><%loop>"


SUMS = """
%km1 = llvm.mlir.constant(-1 : i32) : i32
%s = llvm.add %n, %km1 overflow<nsw> : i32
%e = llvm.add %n, %k4 overflow<nsw> : i32
"""
UP, DOWN = "%k1", "%km1"


def between(
    start: str, predicate: str, end: str, step: str = UP, *, flags: str = " overflow<nsw>",
    before: str = SUMS, left: str = "%i",
) -> str:  # fmt: skip
    """The count of a loop whose counter starts at and is compared with sums of one value."""
    order = f"{left}, {end}" if left != end else f"{end}, %i"
    condition = f'%c = llvm.icmp "{predicate}" {order} : i32'
    if left == "%j":
        condition = f"%j = llvm.add %i, %k1 overflow<nsw> : i32\n{condition}"
    return count_of(
        loop(start=start, step=step, flags=flags, condition=condition, before=before, body=STORE)[0]
    )


@pytest.mark.parametrize(
    ("start", "predicate", "end", "step", "count"),
    [
        ("%s", "sle", "%e", UP, 6),
        ("%s", "slt", "%e", UP, 5),
        ("%n", "slt", "%e", UP, 4),
        ("%s", "slt", "%n", UP, 1),
        ("%s", "sle", "%s", UP, 1),
        ("%e", "slt", "%s", UP, 0),
        ("%s", "slt", "%e", "%k4", 2),
        ("%s", "sle", "%e", "%k4", 2),
        ("%n", "slt", "%e", "%k4", 1),
        ("%n", "sle", "%e", "%k4", 2),
        ("%e", "sgt", "%s", DOWN, 5),
        ("%e", "sge", "%s", DOWN, 6),
        ("%s", "sgt", "%e", DOWN, 0),
    ],
)
def test_counters_between_sums_of_one_value(
    start: str, predicate: str, end: str, step: str, count: int
):
    assert between(start, predicate, end, step) == str(count)


def test_the_bound_may_be_the_first_operand():
    assert between("%s", "sge", "%e", left="%e") == "6"


def test_the_next_value_of_the_counter_may_be_tested():
    assert between("%s", "sle", "%e", left="%j") == "5"


@pytest.mark.parametrize(
    "change",
    [
        {"before": SUMS.replace("%km1 overflow<nsw>", "%km1")},
        {"before": SUMS.replace("%k4 overflow<nsw>", "%k4 overflow<nuw>")},
        {"before": SUMS.replace("add %n, %k4", "add %m, %k4")},
        {"before": SUMS.replace("add %n, %k4", "add %n, %m")},
        {"flags": ""},
        {"flags": " overflow<nuw>"},
        {"predicate": "ult"},
        {"step": "%m"},
        {"step": DOWN},
    ],
)
def test_other_counters_between_sums(change: dict[str, str]):
    assert not between(**{"start": "%s", "predicate": "slt", "end": "%e", **change}).isdigit()


@pytest.mark.parametrize(("other", "count"), [("%s", "2"), ("%n", "unknown")])
def test_a_counter_with_several_starts(other: str, count: str):
    func = parse_function(
        f"""
        llvm.func @f(%n: i32, %b: i1, %p: !llvm.ptr) {{
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %km1 = llvm.mlir.constant(-1 : i32) : i32
          %z = llvm.mlir.constant(0 : i8) : i8
          %s = llvm.add %n, %km1 overflow<nsw> : i32
          %e = llvm.add %n, %k1 overflow<nsw> : i32
          llvm.cond_br %b, ^one, ^loop(%s : i32)
        ^one:
          llvm.br ^loop({other} : i32)
        ^loop(%i: i32):
          {STORE}
          %next = llvm.add %i, %k1 overflow<nsw> : i32
          %c = llvm.icmp "slt" %i, %e : i32
          llvm.cond_br %c, ^loop(%next : i32), ^exit
        ^exit:
          llvm.return
        }}
        """
    )
    assert count_of(AnalysisManager().get(ScalarEvolution, func)) == count


def test_bounds_between_sums_that_advance_with_the_counter():
    """The test of a sum against a larger sum of the same changing value never fails."""
    condition = """
      %v = llvm.shl %i, %k1 overflow<nsw> : i32
      %s = llvm.add %v, %k1 overflow<nsw> : i32
      %e = llvm.add %v, %k4 overflow<nsw> : i32
      %c = llvm.icmp "slt" %s, %e : i32
    """
    se, _ = loop(flags=" overflow<nsw>", condition=condition, body=STORE)
    assert count_of(se) == "unknown"
    assert most_of(se) == "unknown"
