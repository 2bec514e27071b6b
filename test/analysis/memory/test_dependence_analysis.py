import pytest
from helpers.programs import parse_function
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.dependence_analysis import (
    AFTER,
    BEFORE,
    SAME,
    DependenceAnalysis,
    _reach,
    _single_counter,
)
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, using_knobs

NEST = """
llvm.func @f(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %m: i64, %n: i64) attributes {{nvvm.kernel}} {{
  %k0 = llvm.mlir.constant(0 : i64) : i64
  %k1 = llvm.mlir.constant(1 : i64) : i64
  %ib = llvm.mlir.constant({outer} : i64) : i64
  %jb = llvm.mlir.constant({inner} : i64) : i64
  {constants}
  %f = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^i(%k0 : i64)
^i(%i: i64):
  llvm.br ^j(%k0 : i64)
^j(%j: i64):
  {body}
  %jn = llvm.add %j, %k1 : i64
  %jc = llvm.icmp "ne" %jn, {columns} : i64
  llvm.cond_br %jc, ^j(%jn : i64), ^il
^il:
  %in = llvm.add %i, %k1 : i64
  %ic = llvm.icmp "ne" %in, %ib : i64
  llvm.cond_br %ic, ^i(%in : i64), ^x
^x:
  llvm.return
}}
"""


def index(name: str, i: int, j: int, constant: int) -> tuple[str, str]:
    constants = "".join(
        f"%{name}{part} = llvm.mlir.constant({value} : i64) : i64\n"
        for part, value in (("a", i), ("b", j), ("c", constant))
    )
    body = (
        f"%{name}x = llvm.mul %i, %{name}a : i64\n%{name}y = llvm.mul %j, %{name}b : i64\n"
        f"%{name}s = llvm.add %{name}x, %{name}y : i64\n%{name} = llvm.add %{name}s, %{name}c : i64\n"
    )
    return constants, body


def dependence(first, second, outer: int = 4, inner: int = 5):
    one, two = index("u", *first), index("v", *second)
    body = (
        f"{one[1]}{two[1]}%up = llvm.getelementptr %p[%u] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
        "%vp = llvm.getelementptr %p[%v] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
        "llvm.store %f, %up : f32, !llvm.ptr<1>\n%l = llvm.load %vp : !llvm.ptr<1> -> f32"
    )
    func = parse_function(
        NEST.format(outer=outer, inner=inner, constants=one[0] + two[0], body=body, columns="%jb")
    )
    ops = {op.name: op for op in func.walk()}
    found = AnalysisManager().get(DependenceAnalysis, func)
    return found.depends(ops["llvm.store"], ops["llvm.load"])


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ((0, 1, 0), (0, 1, 0), "flow [* 0]!"),
        ((0, 1, 2), (0, 1, 0), "flow [* 2]!"),
        ((0, 1, 0), (0, 1, 2), "flow [* -2]!"),
        ((0, 1, 9), (0, 1, 0), "None"),
        ((0, 2, 0), (0, 2, 1), "None"),
        ((1, 0, 1), (1, 0, 0), "flow [1 *]!"),
        ((0, 0, 3), (0, 0, 3), "flow [* *]!"),
        ((0, 0, 3), (0, 0, 4), "None"),
        ((2, 4, 0), (2, 4, 1), "None"),
        ((1, 1, 0), (1, 1, 100), "None"),
        ((1, 1, 0), (1, 1, 2), "flow [* *]!"),
        # Weak-zero: the address of one access is loop-invariant.
        ((0, 1, 0), (0, 0, 0), "flow [* <=]!"),
        ((0, 1, 0), (0, 0, 4), "flow [* =>]!"),
        ((0, 1, 0), (0, 0, 5), "None"),
        # Weak-crossing: the addresses move in opposite directions and cross in the middle.
        ((0, 1, 0), (0, -1, 4), "flow [* *]!"),
        ((0, 1, 0), (0, -1, 9), "None"),
        ((0, 1, 0), (0, -1, 1), "flow [* <>]!"),
        ((0, 2, 0), (0, 3, 8), "flow [* -4]!"),
        # Rows that do not overlap: the direction of the outer loop decides.
        ((10, 1, 0), (10, 1, 10), "flow [> <=]!"),
        ((10, 1, 5), (10, 1, 0), "None"),
    ],
)  # fmt: skip
def test_dependences(first, second, text: str):
    assert str(dependence(first, second)) == text


def test_other_objects_and_loads():
    func = parse_function(
        "llvm.func @f(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %x: i32) attributes {nvvm.kernel} {\n"
        "llvm.store %x, %p : i32, !llvm.ptr<1>\nllvm.store %x, %s : i32, !llvm.ptr<3>\n"
        "%a = llvm.load %p : !llvm.ptr<1> -> i32\n%b = llvm.load %p : !llvm.ptr<1> -> i32\n"
        "llvm.store %x, %p : i32, !llvm.ptr<1>\nllvm.return\n}"
    )
    store, shared, load, again, last, _ = func.regions[0].blocks[0].ops
    found = AnalysisManager().get(DependenceAnalysis, func)
    assert found.depends(shared, load) is None
    assert found.depends(store, load).kind == "flow"
    assert found.depends(load, last).kind == "anti"
    assert found.depends(load, again).kind == "input"
    assert found.depends(store, last).kind == "output"


def test_rows_of_a_parametric_array():
    body = (
        "%r = llvm.mul %i, %m : i64\n%a = llvm.add %r, %j : i64\n%i1 = llvm.add %i, %k1 : i64\n"
        "%r1 = llvm.mul %i1, %m : i64\n%b = llvm.add %r1, %j : i64\n"
        "%up = llvm.getelementptr %p[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
        "%vp = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
        "llvm.store %f, %up : f32, !llvm.ptr<1>\n%l = llvm.load %vp : !llvm.ptr<1> -> f32"
    )
    for columns, text in (("%m", "flow [1 0]!"), ("%n", "confused!")):
        func = parse_function(
            NEST.format(outer=4, inner=5, constants="", body=body, columns=columns)
        )
        ops = {op.name: op for op in func.walk()}
        found = AnalysisManager().get(DependenceAnalysis, func)
        assert str(found.depends(ops["llvm.store"], ops["llvm.load"])) == text


def test_rows_of_a_parametric_array_indexed_in_32_bits():
    text = """
    llvm.func @f(%p: !llvm.ptr<1>, %m: i32, %n: i32, %f: f32) attributes {nvvm.kernel} {
      %k0 = llvm.mlir.constant(0 : i32) : i32
      %k1 = llvm.mlir.constant(1 : i32) : i32
      llvm.br ^i(%k0 : i32)
    ^i(%i: i32):
      %row = llvm.mul %i, %m overflow<nsw> : i32
      llvm.br ^j(%k0 : i32)
    ^j(%j: i32):
      %a = llvm.add %row, %j overflow<nsw> : i32
      %l = llvm.sext %a : i32 to i64
      %b = llvm.add %a, %m overflow<nsw> : i32
      %s = llvm.sext %b : i32 to i64
      %lp = llvm.getelementptr %p[%l] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %sp = llvm.getelementptr %p[%s] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v = llvm.load %lp : !llvm.ptr<1> -> f32
      llvm.store %v, %sp : f32, !llvm.ptr<1>
      %jn = llvm.add %j, %k1 overflow<nsw, nuw> : i32
      %jc = llvm.icmp "ne" %jn, %m : i32
      llvm.cond_br %jc, ^j(%jn : i32), ^il
    ^il:
      %in = llvm.add %i, %k1 overflow<nsw, nuw> : i32
      %ic = llvm.icmp "ne" %in, %n : i32
      llvm.cond_br %ic, ^i(%in : i32), ^x
    ^x:
      llvm.return
    }
    """
    func = parse_function(text)
    ops = {op.name: op for op in func.walk()}
    found = AnalysisManager().get(DependenceAnalysis, func)
    assert str(found.depends(ops["llvm.store"], ops["llvm.load"])) == "flow [1 0]!"
    # Without flags the sum may wrap between rows, and this analysis makes no assumptions.
    func = parse_function(
        text.replace("%m overflow<nsw> : i32\n      llvm.br", "%m : i32\n      llvm.br")
    )
    ops = {op.name: op for op in func.walk()}
    found = AnalysisManager().get(DependenceAnalysis, func)
    assert found.depends(ops["llvm.store"], ops["llvm.load"]).confused


ROWS = (
    "%r = llvm.mul %i, %m : i64\n%a = llvm.add %r, %j : i64\n%i1 = llvm.add %i, %k1 : i64\n"
    "%r1 = llvm.mul %i1, %m : i64\n%b = llvm.add %r1, %j : i64\n"
    "%up = llvm.getelementptr %p[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
    "%vp = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
    "llvm.store %f, %up : f32, !llvm.ptr<1>\n%l = llvm.load %vp : !llvm.ptr<1> -> f32"
)


def dependence_with(body: str, columns: str, **knobs: int) -> str:
    func = parse_function(NEST.format(outer=4, inner=5, constants="", body=body, columns=columns))
    ops = {op.name: op for op in func.walk()}
    with using_knobs(ScevKnobs(**knobs)):
        found = AnalysisManager().get(DependenceAnalysis, func)
    return str(found.depends(ops["llvm.store"], ops["llvm.load"]))


def test_da_delinearize_recovers_the_rows():
    assert dependence_with(ROWS, "%m") == "flow [1 0]!"
    assert dependence_with(ROWS, "%m", da_delinearize=0) == "confused!"


def test_da_miv_max_level_threshold_limits_the_counters_of_a_subscript():
    """`p[2 i + 4 j]` and `p[2 i + 4 j + 1]` are apart, as their counters have even steps."""
    body = (
        "%k2 = llvm.mlir.constant(2 : i64) : i64\n%i2 = llvm.mul %i, %k2 : i64\n"
        "%j2 = llvm.add %j, %j : i64\n%j4 = llvm.add %j2, %j2 : i64\n"
        "%a = llvm.add %i2, %j4 : i64\n%b = llvm.add %a, %k1 : i64\n"
        "%up = llvm.getelementptr %p[%b] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
        "%vp = llvm.getelementptr %p[%a] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
        "llvm.store %f, %up : f32, !llvm.ptr<1>\n%l = llvm.load %vp : !llvm.ptr<1> -> f32"
    )
    assert dependence_with(body, "%jb", da_miv_max_level_threshold=2) == "None"
    assert dependence_with(body, "%jb", da_miv_max_level_threshold=1) != "None"


def test_a_pointer_that_changes_in_each_iteration():
    body = (
        "%row = llvm.load %q : !llvm.ptr<1> -> !llvm.ptr<1>\nllvm.store %f, %row : f32, "
        "!llvm.ptr<1>\n%l = llvm.load %row : !llvm.ptr<1> -> f32"
    )
    func = parse_function(NEST.format(outer=4, inner=5, constants="", body=body, columns="%jb"))
    store = next(op for op in func.walk() if op.name == "llvm.store")
    found = AnalysisManager().get(DependenceAnalysis, func)
    assert found.depends(store, store.next_op).confused


COEFFICIENTS = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-6, 6))


@settings(max_examples=150)
@given(COEFFICIENTS, COEFFICIENTS, st.integers(1, 4), st.integers(1, 4))
def test_no_dependence_is_missed(first, second, outer: int, inner: int):
    found = dependence(first, second, outer, inner)
    meets = [
        (i2 - i1, j2 - j1)
        for i1 in range(outer) for j1 in range(inner) for i2 in range(outer) for j2 in range(inner)
        if first[0] * i1 + first[1] * j1 + first[2] == second[0] * i2 + second[1] * j2 + second[2]
    ]  # fmt: skip
    if found is None:
        assert meets == []
        return
    for steps in meets:
        for level, step in zip(found.levels, steps, strict=True):
            direction = BEFORE if step > 0 else AFTER if step < 0 else SAME
            assert level.directions & direction
            assert level.distance in (None, step)


def brute(a: int, b: int, gap: int, most: int) -> set[int]:
    rounds = range(most + 1)
    return {j - i for i in rounds for j in rounds if a * i + gap == b * j}


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-40, 40), st.integers(0, 12))
def test_one_counter_is_solved_exactly(a: int, b: int, gap: int, most: int):
    found = _single_counter(a, b, gap, most)
    distances = brute(a, b, gap, most)
    if a == b == 0:
        assert (found is None) == (gap != 0)
        return
    if found is None:
        assert not distances
        return
    expected = sum(
        flag for flag, holds in ((BEFORE, 1), (SAME, 0), (AFTER, -1))
        if any((d > 0) - (d < 0) == holds for d in distances)
    )  # fmt: skip
    assert found.directions == expected
    assert found.distance == (distances.pop() if len(distances) == 1 else None)


@given(
    st.integers(-5, 5),
    st.integers(-5, 5),
    st.integers(0, 6),
    st.sampled_from([BEFORE, SAME, AFTER]),
)
def test_bounds_in_a_direction_are_tight(a: int, b: int, most: int, direction: int):
    holds = {BEFORE: 1, SAME: 0, AFTER: -1}[direction]
    values = [
        a * i - b * j
        for i in range(most + 1) for j in range(most + 1) if (j > i) - (j < i) == holds
    ]  # fmt: skip
    assert _reach(a, b, most, direction) == ((min(values), max(values)) if values else None)
