import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import parse_function

from nvvm_xdsl.analysis.dependence import AFTER, BEFORE, SAME, DependenceAnalysis
from nvvm_xdsl.analysis.manager import AnalysisManager

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
    ],
)  # fmt: skip
def test_dependences(first, second, text: str):
    assert str(dependence(first, second)) == text


def test_other_objects_and_reads():
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


def test_a_pointer_that_changes_from_round_to_round():
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
