import pytest
from helpers.programs import parse_function, value_named
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.warp_accesses import WarpAccess, WarpAccesses
from nvvm_xdsl.analysis.scev.access_strategies import conflict_degree, sectors
from nvvm_xdsl.analysis.scev.delinearization import divide, subscripts_of
from nvvm_xdsl.analysis.scev.evaluation import evaluate
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.ir.nvptx import SHARED


@pytest.mark.parametrize(
    ("stride", "size", "count"),
    [(4, 4, 4), (8, 8, 8), (16, 16, 16), (0, 4, 1), (8, 4, 8), (32, 4, 32), (4096, 4, 32), (-4, 4, 5), (1, 1, 1), (2, 4, 3)],
)  # fmt: skip
def test_sectors(stride: int, size: int, count: int):
    assert sectors(stride, size) == count


@pytest.mark.parametrize(
    ("stride", "size", "degree"),
    [(4, 4, 1), (0, 4, 1), (8, 4, 2), (16, 4, 4), (128, 4, 32), (132, 4, 1), (12, 4, 1), (1, 1, 1),
     (8, 8, 1), (16, 8, 2), (16, 16, 1), (32, 16, 2), (256, 4, 32)],
)  # fmt: skip
def test_conflicts(stride: int, size: int, degree: int):
    assert conflict_degree(stride, size) == degree


HEAD = """
llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<32 x array<32 x f32>>
llvm.mlir.global internal @padded() {addr_space = 3 : i32} : !llvm.array<32 x array<33 x f32>>
llvm.func @kernel(%p: !llvm.ptr<1>, %n: i32, %m: i64) attributes {nvvm.kernel} {
  %x = nvvm.read.ptx.sreg.tid.x : i32
  %y = nvvm.read.ptx.sreg.tid.y : i32
  %b = nvvm.read.ptx.sreg.ctaid.x : i32
  %w = nvvm.read.ptx.sreg.ntid.x : i32
  %xl = llvm.zext %x : i32 to i64
  %yl = llvm.zext %y : i32 to i64
  %f = llvm.mlir.constant(0.0 : f32) : f32
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %q = llvm.mlir.addressof @padded : !llvm.ptr<3>
"""


def access(body: str) -> WarpAccess:
    func = parse_function(HEAD + body + "\nllvm.return\n}")
    (found,) = AnalysisManager().get(WarpAccesses, func).accesses
    return found


GLOBAL_STORE = "%a = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\nllvm.store %f, %a : f32, !llvm.ptr<1>"


@pytest.mark.parametrize(
    ("index", "stride", "count", "coalesced"),
    [
        ("%g = llvm.mul %b, %w : i32\n%s = llvm.add %g, %x : i32\n%i = llvm.sext %s : i32 to i64",
         "4", 4, True),
        ("%k = llvm.mlir.constant(2 : i64) : i64\n%i = llvm.mul %xl, %k : i64", "8", 8, False),
        ("%i = llvm.mul %xl, %m : i64", "(4 * %m)", None, False),
        ("%r = llvm.mul %yl, %m : i64\n%i = llvm.add %r, %xl : i64", "4", 4, True),
        ("%i = llvm.mul %yl, %m : i64", "0", 1, True),
        ("%k = llvm.mlir.constant(3 : i64) : i64\n%i = llvm.udiv %xl, %k : i64", "None", 2, True),
        # 44 bytes from 0 to 10; the first four elements repeatedly; an index of four bits wraps,
        # one of five does not.
        ("%k = llvm.mlir.constant(3 : i64) : i64\n%i = llvm.and %xl, %k : i64", "None", 1, True),
        ("%s = llvm.trunc %x : i32 to i4\n%i = llvm.zext %s : i4 to i64", "None", 2, True),
        ("%s = llvm.trunc %x : i32 to i5\n%i = llvm.zext %s : i5 to i64", "4", 4, True),
        ("%s = llvm.add %x, %n : i32\n%u = llvm.trunc %s : i32 to i4\n%i = llvm.zext %u : i4 to i64", "None", None, False),
    ],
)  # fmt: skip
def test_coalescing(index: str, stride: str, count: int | None, coalesced: bool):
    found = access(f"{index}\n{GLOBAL_STORE}")
    assert str(found.stride) == stride
    assert found.transactions == count
    assert found.is_coalesced == coalesced


DATA = """
%la = llvm.getelementptr %p[%xl] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
%loaded = llvm.load %la : !llvm.ptr<1> -> i64
%ua = llvm.getelementptr %p[%m] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
%uniform = llvm.load %ua : !llvm.ptr<1> -> i64
%k0 = llvm.mlir.constant(0 : i64) : i64
%k5 = llvm.mlir.constant(5 : i64) : i64
"""


@pytest.mark.parametrize(
    ("index", "stride"),
    [
        ("%i = llvm.add %loaded, %k0 : i64", "None"),
        ("%i = llvm.add %loaded, %xl : i64", "None"),
        ("%i = llvm.add %uniform, %xl : i64", "4"),
        ("%i = llvm.xor %xl, %m : i64", "None"),
        ("%i = llvm.xor %m, %k5 : i64", "0"),
        ('%c = llvm.icmp "slt" %xl, %m : i64\n%i = llvm.select %c, %xl, %k0 : i1, i64', "None"),
        # The index of a thread is not negative: an access that wraps around to the end is not
        # considered.
        ('%c = llvm.icmp "slt" %xl, %k0 : i64\n%e = llvm.add %xl, %m : i64\n'
         "%i = llvm.select %c, %e, %xl : i1, i64", "4"),
        ("%lane = nvvm.read.ptx.sreg.laneid : i32\n%i = llvm.zext %lane : i32 to i64", "4"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("space", ["global", "shared"])
def test_data_dependent_addresses_are_unknown(index: str, stride: str, space: str):
    store = GLOBAL_STORE if space == "global" else (
        "%a = llvm.getelementptr %t[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32\n"
        "llvm.store %f, %a : f32, !llvm.ptr<3>"
    )  # fmt: skip
    func = parse_function(HEAD + DATA + index + "\n" + store + "\nllvm.return\n}")
    found = AnalysisManager().get(WarpAccesses, func).accesses[-1]
    assert str(found.stride) == stride
    if stride == "None":
        assert (found.transactions, found.degree) == (None, None)
        assert not found.is_coalesced
        collector = found.delinearized.collector
        assert collector.stride is None


LEFT_IN_DIFFERENT_ROUNDS = """
  %k0 = llvm.mlir.constant(0 : i64) : i64
  %k1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%k0 : i64)
^loop(%i: i64):
  %n1 = llvm.add %i, %k1 : i64
  %in = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %f, %in : f32, !llvm.ptr<1>
  %c = llvm.icmp "ult" %n1, {bound} : i64
  llvm.cond_br %c, ^loop(%n1 : i64), ^exit
^exit:
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store %f, %a : f32, !llvm.ptr<1>
  llvm.return
}}
"""


@pytest.mark.parametrize(("bound", "stride"), [("%xl", "None"), ("%m", "0")])
def test_counters_differ_after_loops_with_divergent_exits(bound, stride):
    func = parse_function(HEAD + LEFT_IN_DIFFERENT_ROUNDS.format(bound=bound))
    inside, outside = AnalysisManager().get(WarpAccesses, func).accesses
    assert str(inside.stride) == "0"
    assert str(outside.stride) == stride


def test_a_pointer_argument_of_a_device_function_may_differ_between_threads():
    text = HEAD.replace(" attributes {nvvm.kernel}", "") + "%i = llvm.mul %xl, %xl : i64\n"
    func = parse_function(text + GLOBAL_STORE.replace("%i]", "%xl]") + "\nllvm.return\n}")
    (found,) = AnalysisManager().get(WarpAccesses, func).accesses
    assert found.stride is None


@pytest.mark.parametrize(
    ("array", "columns", "first", "second", "degree"),
    [("t", 32, "%yl", "%xl", 1), ("t", 32, "%xl", "%yl", 32), ("q", 33, "%xl", "%yl", 1)],
)
def test_bank_conflicts_of_a_transposition(array, columns, first, second, degree):
    found = access(
        f"%a = llvm.getelementptr %{array}[0, {first}, {second}] : (!llvm.ptr<3>, i64, i64) -> "
        f"!llvm.ptr<3>, !llvm.array<32 x array<{columns} x f32>>\n"
        "llvm.store %f, %a : f32, !llvm.ptr<3>"
    )
    assert found.space == SHARED
    assert found.degree == degree
    names = {"%xl": "(zext i32 %x to i64)", "%yl": "(zext i32 %y to i64)"}
    assert [str(s) for s in found.subscripts.subscripts] == [names[first], names[second]]


def test_subscripts_of_a_parametric_array():
    found = access(f"%r = llvm.mul %yl, %m : i64\n%i = llvm.add %r, %xl : i64\n{GLOBAL_STORE}")
    assert [str(s) for s in found.subscripts.sizes] == ["%m"]
    assert [str(s) for s in found.subscripts.subscripts] == [
        "(zext i32 %y to i64)", "(zext i32 %x to i64)",
    ]  # fmt: skip


def test_subscripts_in_a_nest():
    func = parse_function(
        """
        llvm.func @kernel(%p: !llvm.ptr<1>, %n: i64, %m: i64, %o: i64) attributes {nvvm.kernel} {
          %k0 = llvm.mlir.constant(0 : i64) : i64
          %k1 = llvm.mlir.constant(1 : i64) : i64
          %f = llvm.mlir.constant(0.0 : f32) : f32
          llvm.br ^i(%k0 : i64)
        ^i(%i: i64):
          llvm.br ^j(%k0 : i64)
        ^j(%j: i64):
          llvm.br ^k(%k0 : i64)
        ^k(%k: i64):
          %a = llvm.mul %i, %m : i64
          %b = llvm.add %a, %j : i64
          %c = llvm.mul %b, %o : i64
          %d = llvm.add %c, %k : i64
          %e = llvm.getelementptr %p[%d] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          llvm.store %f, %e : f32, !llvm.ptr<1>
          %kn = llvm.add %k, %k1 : i64
          %kc = llvm.icmp "ne" %kn, %o : i64
          llvm.cond_br %kc, ^k(%kn : i64), ^jl
        ^jl:
          %jn = llvm.add %j, %k1 : i64
          %jc = llvm.icmp "ne" %jn, %m : i64
          llvm.cond_br %jc, ^j(%jn : i64), ^il
        ^il:
          %in = llvm.add %i, %k1 : i64
          %ic = llvm.icmp "ne" %in, %n : i64
          llvm.cond_br %ic, ^i(%in : i64), ^x
        ^x:
          llvm.return
        }
        """
    )
    am = AnalysisManager()
    (found,) = am.get(WarpAccesses, func).accesses
    assert [str(s) for s in found.subscripts.subscripts] == [
        "{0,+,1}<%i>", "{0,+,1}<%j>", "{0,+,1}<%k>",
    ]  # fmt: skip
    assert [str(s) for s in found.subscripts.sizes] == ["%m", "%o"]
    se = am.get(ScalarEvolution, func)
    offset = se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))
    sizes = dict(zip(("n", "m", "o"), (3, 4, 5)))
    loops = {loop.header.name_hint: loop for loop in se.loops.loops()}
    for i in range(3):
        for j in range(4):
            for k in range(5):
                at = {loops["i"]: i, loops["j"]: j, loops["k"]: k}
                flat = evaluate(offset, lambda v: sizes[v.name_hint], at.__getitem__)
                parts = [
                    evaluate(s, lambda v: sizes[v.name_hint], at.__getitem__)
                    for s in found.subscripts.subscripts
                ]
                assert parts == [i, j, k]
                assert flat == 4 * ((parts[0] * 4 + parts[1]) * 5 + parts[2])


@given(st.data())
def test_division_and_subscripts_evaluate_to_the_address(data: st.DataObject):
    func = parse_function("llvm.func @f(%a: i64, %b: i64, %c: i64, %d: i64) {\nllvm.return\n}")
    se = AnalysisManager().get(ScalarEvolution, func)
    ex = se.expressions
    unknowns = [se.get(v) for v in func.regions[0].blocks[0].args]

    def monomial():
        factors = data.draw(st.lists(st.sampled_from(unknowns), max_size=3))
        return ex.mul(ex.constant(64, data.draw(st.integers(-8, 8))), *factors)

    total = ex.add(*(monomial() for _ in range(data.draw(st.integers(1, 4)))), ex.zero(64))
    divisor = data.draw(st.sampled_from(unknowns))
    values = {u.value: data.draw(st.integers(0, 1000)) for u in unknowns}

    def number(expression) -> int:
        return evaluate(expression, values.__getitem__, lambda loop: 0)

    quotient, remainder = divide(ex, total, divisor)
    assert number(total) == (number(quotient) * number(divisor) + number(remainder)) % 2**64
    offset = ex.mul(ex.constant(64, 4), total)
    found = subscripts_of(ex, offset, [divisor], 4)
    assert found is not None
    outer, inner = (number(s) for s in found.subscripts)
    assert number(offset) == 4 * (outer * number(divisor) + inner) % 2**64
