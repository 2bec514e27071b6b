"""Subscripts represent the flat address: both are evaluated on random indices."""

from dataclasses import replace

import pytest
from helpers.programs import parse_function, value_named
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.warp_accesses import WarpAccesses
from nvvm_xdsl.analysis.scev.access_strategies import (
    Coalescing,
    PredicateCollector,
    SharedMemoryBanks,
)
from nvvm_xdsl.analysis.scev.delinearization import collect_parametric_terms, find_array_dimensions
from nvvm_xdsl.analysis.scev.delinearizer import (
    HANDLERS,
    DelinearizationCache,
    DelinearizationContext,
    delinearize,
    delinearize_for_warps,
    delinearize_pair,
    rewrite,
)
from nvvm_xdsl.analysis.scev.evaluation import evaluate
from nvvm_xdsl.analysis.scev.expressions import NSW, Kind
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, using_knobs
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.types import F32, array


def nest(depth: int, body: str, width: int = 32) -> str:
    """Returns loops over i0, i1, ... up to n0, n1, ... around the body."""
    type_ = f"i{width}"
    arguments = ", ".join(f"%n{d}: {type_}" for d in range(depth))
    lines = [
        f"llvm.func @f(%p: !llvm.ptr<1>, {arguments}) {{",
        f"%k0 = llvm.mlir.constant(0 : {type_}) : {type_}",
        f"%k1 = llvm.mlir.constant(1 : {type_}) : {type_}",
        "%x = nvvm.read.ptx.sreg.tid.x : i32\n%y = nvvm.read.ptx.sreg.tid.y : i32",
        "%zero = llvm.mlir.constant(0.0 : f32) : f32",
        f"llvm.br ^l0(%k0 : {type_})",
    ]
    for d in range(depth):
        lines.append(f"^l{d}(%i{d}: {type_}):")
        if d < depth - 1:
            lines.append(f"llvm.br ^l{d + 1}(%k0 : {type_})")
    lines.append(body)
    for d in reversed(range(depth)):
        if d < depth - 1:
            lines.append(f"^e{d}:")
        lines += [
            f"%m{d} = llvm.add %i{d}, %k1 overflow<nsw, nuw> : {type_}",
            f'%c{d} = llvm.icmp "ne" %m{d}, %n{d} : {type_}',
            f"llvm.cond_br %c{d}, ^l{d}(%m{d} : {type_}), ^{f'e{d - 1}' if d else 'exit'}",
        ]
    return "\n".join([*lines, "^exit:", "llvm.return", "}"])


def row_major(depth: int, extension: str = "sext") -> str:
    """`p[i0][i1]...` in 32 bits, then extended."""
    lines = ["%a0 = llvm.add %i0, %k0 : i32"]
    for d in range(1, depth):
        lines += [
            f"%b{d} = llvm.mul %a{d - 1}, %n{d} : i32",
            f"%a{d} = llvm.add %b{d}, %i{d} : i32",
        ]
    return "\n".join(
        [
            *lines,
            f"%o = llvm.{extension} %a{depth - 1} : i32 to i64",
            "%e = llvm.getelementptr %p[%o] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32",
            "llvm.store %zero, %e : f32, !llvm.ptr<1>",
        ]
    )


def nothing_varies(expression) -> bool:
    return False


def analysed(text: str, knobs: ScevKnobs | None = None):
    func = parse_function(text)
    with using_knobs(knobs or ScevKnobs()):
        se = AnalysisManager().get(ScalarEvolution, func)
    return se, func


def offset_of(se: ScalarEvolution, func):
    return se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))


def flat(found, number) -> int:
    total = 0
    sizes = [1, *map(number, found.sizes)]
    for size, subscript in zip(sizes, found.subscripts):
        total = total * size + number(subscript)
    return found.element_size * total % 2**64


@pytest.mark.parametrize("extension", ["sext", "zext"])
@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_narrow_indices_of_any_dimension(depth: int, extension: str):
    se, func = analysed(nest(depth, row_major(depth, extension)))
    found = delinearize_for_warps(se, offset_of(se, func), 4)
    assert [str(s) for s in found.subscripts.sizes] == [
        f"({extension} i32 %n{d} to i64)" for d in range(1, depth)
    ]
    assert [s.kind for s in found.subscripts.subscripts] == [Kind.ADD_REC] * depth
    assert [s.loop.header.name_hint for s in found.subscripts.subscripts] == [
        f"l{d}" for d in range(depth)
    ]
    assert found.collector.assumed


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_subscripts_and_flat_address_evaluate_to_the_same(data: st.DataObject):
    depth = data.draw(st.integers(1, 4))
    names = [f"i{d}" for d in range(depth)] + ["x", "y"]
    lines, values = [], list(names) + [f"n{d}" for d in range(depth)]
    for place in range(data.draw(st.integers(1, 6))):
        op = data.draw(st.sampled_from(["add", "mul", "add"]))
        a, b = (data.draw(st.sampled_from(values)) for _ in "ab")
        lines.append(f"%v{place} = llvm.{op} %{a}, %{b} : i32")
        values.append(f"v{place}")
    extension = data.draw(st.sampled_from(["sext", "zext"]))
    body = "\n".join(
        [
            *lines,
            f"%o = llvm.{extension} %{values[-1]} : i32 to i64",
            "%e = llvm.getelementptr %p[%o] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32",
        ]
    )
    se, func = analysed(nest(depth, body))
    offset = offset_of(se, func)
    entry = data.draw(st.sampled_from([delinearize, delinearize_for_warps]))
    found = entry(se, offset, 4)
    known = {n: data.draw(st.integers(1, 9)) for n in ("x", "y", *(f"n{d}" for d in range(depth)))}
    at = {loop: data.draw(st.integers(0, 8)) for loop in se.loops.loops()}

    def number(expression) -> int:
        return evaluate(expression, lambda v: known[v.name_hint], at.__getitem__)

    value = number(se.get(value_named(func, values[-1])))
    if any(number(e) >= 2**24 for e in se.get(value_named(func, "o")).walk()) or value >= 2**24:
        return
    assert flat(found.subscripts, number) == number(offset) == number(found.offset)


def test_assumptions_do_not_leak_into_the_analysis():
    se, func = analysed(nest(3, row_major(3)))
    before = {v: (str(e), e.flags) for v, e in se.value_exprs.items()}
    offset = offset_of(se, func)
    flags = {e: e.flags for e in offset.walk()}
    delinearize_for_warps(se, offset, 4)
    assert {e: e.flags for e in offset.walk()} == flags
    assert {v: (str(se.value_exprs[v]), se.value_exprs[v].flags) for v in before} == before
    se.verify(strict=True, maps=True)


def test_the_delinearizer_supports_all_seventeen_kinds():
    assert set(HANDLERS) == set(Kind)
    assert len(HANDLERS) == 17


def test_expressions_without_dimensions_are_returned_unchanged():
    se, func = analysed(nest(2, row_major(2)))
    ex = se.expressions
    n, m = (se.get(value_named(func, f"n{d}")) for d in range(2))
    i = se.get(value_named(func, "i0"))
    wide = ex.zext(n, 64)
    context = DelinearizationContext(se, 4, PredicateCollector(), step_recurrence=m)
    for expression in (
        ex.constant(64, 3), ex.vscale(64), n, i, wide, ex.sext(n, 64), ex.trunc(wide, 16),
        ex.add(n, m), ex.mul(n, m), ex.udiv(n, m), ex.min_max(Kind.UMAX, n, m),
        ex.min_max(Kind.SMAX, n, m), ex.min_max(Kind.UMIN, n, m), ex.min_max(Kind.SMIN, n, m),
        ex.umin_sequential(n, m), ex.ptr_to_int(se.get(value_named(func, "p")), 64),
        ex.could_not_compute,
    ):  # fmt: skip
        assert rewrite(context, expression) is expression
    assert not context.collector.assumed


@pytest.mark.parametrize("kind", [Kind.UMAX, Kind.SMAX, Kind.UMIN, Kind.SMIN])
def test_operands_are_rewritten_in_every_kind(kind: Kind):
    se, func = analysed(nest(2, row_major(2)))
    ex = se.expressions
    hidden = se.get(value_named(func, "o"))
    assert hidden.kind is Kind.SIGN_EXTEND
    step = hidden.operands[0].step
    other = ex.zext(se.get(value_named(func, "n0")), 64)
    context = DelinearizationContext(se, 4, PredicateCollector(), step_recurrence=step)
    opened = rewrite(context, hidden)
    assert opened.kind is Kind.ADD_REC
    for whole, expected in (
        (ex.min_max(kind, hidden, other), ex.min_max(kind, opened, other)),
        (ex.udiv(hidden, other), ex.udiv(opened, other)),
        (ex.umin_sequential(hidden, other), ex.umin_sequential(opened, other)),
        (ex.trunc(ex.udiv(hidden, other), 32), ex.trunc(ex.udiv(opened, other), 32)),
        (ex.mul(hidden, other), ex.mul(opened, other)),
        (ex.add(hidden, other), ex.add(opened, other)),
    ):
        assert rewrite(context, whole) is expected


def test_without_a_collector_nothing_is_assumed():
    se, func = analysed(nest(2, row_major(2)))
    hidden = se.get(value_named(func, "o"))
    context = DelinearizationContext(se, 4, None, step_recurrence=hidden.operands[0].step)
    assert rewrite(context, hidden) is hidden


def test_a_strategy_may_reject_assumptions():
    class Careful(PredicateCollector):
        def assume(self, flag, expression):
            return False

    se, func = analysed(nest(2, row_major(2)))
    found = delinearize_for_warps(se, offset_of(se, func), 4, collector=Careful())
    assert len(found.subscripts.subscripts) == 1
    assert not found.collector.assumed


def test_the_cache_is_inline_until_two_entries_collide():
    se, _ = analysed(nest(1, row_major(1)))
    numbers = [se.expressions.constant(64, 1000 + n) for n in range(9)]
    cache = DelinearizationCache()
    slots = {}
    for n in numbers:
        slots.setdefault(((n.number << 4 >> 9) ^ n.number) & 3, []).append(n)
    apart = [found[0] for found in slots.values()]
    assert len(apart) == 4
    for n in apart:
        cache.put(n, None, n)
    assert cache.is_inline
    assert all(cache.get(n, None) is n for n in apart)
    assert cache.get(apart[0], apart[1]) is None
    clash = slots[next(iter(slots))][1]
    cache.put(clash, None, apart[0])
    assert not cache.is_inline
    assert cache.get(clash, None) is apart[0]
    assert all(cache.get(n, None) is n for n in apart)
    assert cache.hits == 9


def test_unchanged_operands_are_not_rebuilt():
    se, func = analysed(nest(2, row_major(2)))
    hidden = se.get(value_named(func, "o"))
    context = DelinearizationContext(
        se, 4, PredicateCollector(), step_recurrence=hidden.operands[0].step
    )
    first = rewrite(context, hidden)
    hits = context.cache.hits
    assert rewrite(context, hidden) is first
    assert context.cache.hits == hits + 1


def test_dimensions_are_found_by_iteration():
    se, func = analysed(nest(3, row_major(3)))
    found = delinearize_for_warps(se, offset_of(se, func), 4)
    # The original formula shows no size: the first iteration finds them, and the second finds no
    # new ones.
    assert found.iterations == 2
    se, func = analysed(nest(1, row_major(1)))
    assert delinearize_for_warps(se, offset_of(se, func), 4).iterations == 1


def test_the_fixed_size_heuristic_is_off_by_default():
    type_ = array(8, array(16, F32))
    text = """
        llvm.func @f(%p: !llvm.ptr<3>, %i: i64, %j: i64) {
          %e = llvm.getelementptr %p[0, %i, %j] : (!llvm.ptr<3>, i64, i64) -> !llvm.ptr<3>, !llvm.array<8 x array<16 x f32>>
          llvm.return
        }"""
    se, func = analysed(text)
    offset = se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))
    assert len(delinearize(se, offset, 4, type_).subscripts.subscripts) == 1
    # The entry point for warps always uses the type.
    assert len(delinearize_for_warps(se, offset, 4, type_).subscripts.subscripts) == 2
    se, func = analysed(text, ScevKnobs(delinearize_use_fixed_size_array_heuristic=True))
    offset = se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))
    found = delinearize(se, offset, 4, type_).subscripts
    assert [str(s) for s in found.sizes] == ["16"]
    for i, j in ((0, 0), (3, 5), (7, 15)):
        number = {"i": i, "j": j, "p": 0}
        assert flat(found, lambda e: evaluate(e, lambda v: number[v.name_hint], {}.get)) == (  # noqa: B023
            4 * (16 * i + j)
        )


def test_delinearization_can_be_switched_off():
    se, func = analysed(nest(2, row_major(2)), replace(ScevKnobs(), delinearize=False))
    assert delinearize(se, offset_of(se, func), 4) is None
    assert delinearize_for_warps(se, offset_of(se, func), 4) is None
    se, func = analysed(nest(2, row_major(2)))
    assert delinearize_for_warps(se, offset_of(se, func), 4) is not None


def test_terms_that_are_not_multiples_are_dropped_for_warps():
    body = """
        %a = llvm.mul %i0, %n0 : i64
        %b = llvm.mul %i1, %n1 : i64
        %o = llvm.add %a, %b : i64
        %e = llvm.getelementptr %p[%o] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32"""
    se, func = analysed(nest(2, body, 64))
    offset = offset_of(se, func)
    assert len(delinearize(se, offset, 4).subscripts.subscripts) == 1
    assert len(delinearize_for_warps(se, offset, 4).subscripts.subscripts) == 2
    se, func = analysed(nest(2, body, 64), ScevKnobs(delinearize_partial_terms=False))
    assert len(delinearize_for_warps(se, offset_of(se, func), 4).subscripts.subscripts) == 1


DYNAMIC_TILE = """
llvm.func @f(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %x = nvvm.read.ptx.sreg.tid.x : i32
  %y = nvvm.read.ptx.sreg.tid.y : i32
  %w = nvvm.read.ptx.sreg.ntid.x : i32
  %row = llvm.mul %y, %w overflow<nsw> : i32
  %at = llvm.add %row, %x overflow<nsw> : i32
  %wide = llvm.zext %at : i32 to i64
  %e = llvm.getelementptr %p[%wide] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  llvm.return
}
"""


@pytest.mark.parametrize(
    ("knobs", "count"),
    [
        ({}, 2),
        ({"delinearize_launch_sizes": False}, 1),
        ({"delinearize_max_iterations": 0}, 1),
    ],
)
def test_dynamic_shared_memory_uses_the_size_of_the_block(knobs: dict[str, int], count: int):
    se, func = analysed(DYNAMIC_TILE, ScevKnobs(**knobs))
    offset = se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))
    found = delinearize_for_warps(se, offset, 4, is_shared=True)
    assert len(found.subscripts.subscripts) == count


def test_extended_sums_are_distributed_if_the_knob_allows():
    for expands in (True, False):
        text = DYNAMIC_TILE.replace(" overflow<nsw>", "")
        se, func = analysed(text, ScevKnobs(delinearize_expand_sums=expands))
        offset = se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))
        found = delinearize_for_warps(se, offset, 4, is_shared=True)
        assert (len(found.subscripts.subscripts) == 2) is expands
        assert bool(found.collector.assumed) is expands


def test_strategies_give_the_subscripts_of_the_whole_address():
    func = parse_function(
        nest(
            1,
            """
            %r = llvm.mul %y, %n0 : i32
            %s = llvm.add %r, %x : i32
            %o = llvm.sext %s : i32 to i64
            %e = llvm.getelementptr %p[%o] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
            llvm.store %zero, %e : f32, !llvm.ptr<1>
            %r2 = llvm.mul %x, %n0 : i32
            %s2 = llvm.add %r2, %y : i32
            %o2 = llvm.sext %s2 : i32 to i64
            %e2 = llvm.getelementptr %p[%o2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
            llvm.store %zero, %e2 : f32, !llvm.ptr<1>""",
        ).replace(") {", ") attributes {nvvm.kernel} {", 1)
    )
    rows, columns = AnalysisManager().get(WarpAccesses, func).accesses
    assert rows.varying == [1]
    assert columns.varying == [0]
    for access in (rows, columns):
        assert access.delinearized.collector.stride is access.stride
        assert access.delinearized.collector.transactions == access.transactions
    assert rows.transactions == 4


@pytest.mark.parametrize(
    ("stride", "degree"), [(1, 1), (2, 2), (31, 1), (32, 32), (33, 1), (48, 16)]
)
def test_banks_of_a_column(stride: int, degree: int):
    se, func = analysed(
        f"""
        llvm.func @f(%p: !llvm.ptr<3>) {{
          %x = nvvm.read.ptx.sreg.tid.x : i32
          %xl = llvm.zext %x : i32 to i64
          %e = llvm.getelementptr %p[0, %xl, 0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<8 x array<{stride} x f32>>
          llvm.return
        }}"""
    )
    offset = se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))
    banks = SharedMemoryBanks(nothing_varies)
    type_ = array(8, array(stride, F32))
    delinearize_for_warps(se, offset, 4, type_, banks, is_shared=True)
    assert banks.degree == degree
    assert banks.constant_stride == 4 * stride


def test_standard_strategies_share_the_context():
    se, func = analysed(nest(2, row_major(2)))
    loops = LoopInfo(DominatorTree(func.regions[0])).loops()
    assert len(list(loops)) == 2
    coalescing = Coalescing(nothing_varies)
    found = delinearize_for_warps(se, offset_of(se, func), 4, collector=coalescing)
    assert found.collector is coalescing
    assert coalescing.varying == []
    assert coalescing.transactions == 1


def context_of(se, step, **fields) -> DelinearizationContext:
    return DelinearizationContext(se, 4, PredicateCollector(), step_recurrence=step, **fields)


def test_dimensions_come_from_recurrences_of_the_given_step():
    se, func = analysed(nest(2, row_major(2)))
    hidden = se.get(value_named(func, "o"))
    inner = hidden.operands[0]
    assert inner.is_affine
    other = se.get(value_named(func, "n0"))
    context = context_of(se, other)
    assert rewrite(context, hidden) is hidden
    assert not context.target
    context = context_of(se, inner.step)
    opened = rewrite(context, hidden)
    # The target holds the step as in the address, that is, extended.
    assert list(context.target) == [se.sext(inner.step, 64)]
    assert opened.step is se.sext(inner.step, 64)
    assert [(flag, e) for flag, e in context.collector.assumed] == [(NSW, inner)]


OPAQUE = """
    %io = llvm.sext %i1 : i32 to i64
    %jo = llvm.sext %i0 : i32 to i64
    %b = llvm.mul %jo, %big : i64
    %e = llvm.getelementptr %p[%b, %io] : (!llvm.ptr<1>, i64, i64) -> !llvm.ptr<1>, !llvm.array<8 x f32>"""
OPAQUE = f"%big = llvm.sext %n1 : i32 to i64\n{OPAQUE}"


def test_large_addresses_are_split_once():
    se, func = analysed(nest(2, OPAQUE), ScevKnobs(max_expr_size=6))
    value = value_named(func, "e")
    address = se.get(value)
    assert address.kind is Kind.UNKNOWN
    # The step of the index is the wanted dimension; other steps belong to the collector.
    ex = se.expressions
    four = ex.constant(64, 4)
    row = ex.mul(ex.constant(64, 32), se.sext(se.get(value_named(func, "n1")), 64))
    context = context_of(se, four)
    found = rewrite(context, address)
    assert {p.step for p in found.walk() if p.is_affine} == {four, row}
    assert list(context.target) == [four]
    assert list(context.collector.terms) == [row]
    assert context.collector.index_entries == {value: found}
    # Without a step neither is named.
    context = context_of(se, None)
    assert rewrite(context, address) is found
    assert not context.target
    assert not context.collector.terms
    # Without a collector nothing is split.
    alone = DelinearizationContext(se, 4, None, step_recurrence=four)
    assert rewrite(alone, address) is address


def test_a_recurrence_keeps_its_flags_unless_something_was_assumed():
    """A sum of a counter and a hidden row: rewriting the start must not attach flags to an assumption."""
    for flags, kept in (("overflow<nsw>", NSW), ("", 0)):
        text = nest(2, row_major(2)).replace("%i0, %k0", f"%i0, %k0 {flags}").replace(
            "%a0, %n1 :", f"%a0, %n1 {flags} :"
        ).replace("%b1, %i1 :", f"%b1, %i1 {flags} :")  # fmt: skip
        se, func = analysed(text)
        hidden = se.get(value_named(func, "o"))
        inner = hidden if hidden.is_affine else hidden.operands[0]
        loop = se.loops.loop_for(next(b for b in func.regions[0].blocks if b.name_hint == "l0"))
        assert loop is not None
        outer = se.expressions.add_rec([hidden, se.expressions.one(64)], loop, NSW)
        collector = PredicateCollector()
        context = DelinearizationContext(se, 4, collector, step_recurrence=inner.step)
        found = rewrite(context, outer)
        assert bool(collector.assumed) is not bool(kept)
        assert found.flags & NSW == kept


def test_recorded_facts_about_an_address_are_used():
    se, func = analysed(nest(2, OPAQUE), ScevKnobs(max_expr_size=6))
    context = context_of(se, None)
    known = se.expressions.constant(64, 7)
    context.collector.index_entries[value_named(func, "e")] = known
    assert rewrite(context, se.get(value_named(func, "e"))) is known


def test_the_hash_of_the_cache_is_the_documented_one():
    """(key >> 9) ^ (key >> 4), where the lowest four bits of an address are 0."""
    se, _ = analysed(nest(1, row_major(1)))
    made = {}
    for n in range(100):
        expression = se.expressions.constant(64, 5000 + n)
        made[expression.number] = expression
    cache = DelinearizationCache()
    expected = {32: 1, 33: 0, 34: 3, 35: 2, 64: 2, 65: 3, 66: 0, 67: 1}
    numbered = {n: made[n] for n in expected if n in made}
    assert len(numbered) >= 4
    assert {n: cache._slot(e) for n, e in numbered.items()} == {n: expected[n] for n in numbered}


def test_collected_terms_are_the_symbolic_steps_of_recurrences():
    """Document 003, "SCEV Term Collection": `a[i][j][k]` has the terms n1 * n2 and n2."""
    body = """
        %r = llvm.mul %i0, %n1 : i64
        %s = llvm.add %r, %i1 : i64
        %t = llvm.mul %s, %n2 : i64
        %o = llvm.add %t, %i2 : i64
        %e = llvm.getelementptr %p[%o] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32"""
    se, func = analysed(nest(3, body, 64))
    ex = se.expressions
    n1, n2 = (se.get(value_named(func, f"n{d}")) for d in (1, 2))
    terms = collect_parametric_terms(ex, offset_of(se, func))
    assert set(terms) == {n2, ex.mul(n1, n2)}
    assert find_array_dimensions(ex, terms) == [n1, n2]
    # Terms that do not divide one another are not the terms of one array.
    assert find_array_dimensions(ex, [n1, n2]) is None
    assert find_array_dimensions(ex, [n1, n2], partial=True) in ([n1], [n2])


def test_factors_of_thread_indices_are_candidate_strides():
    """The step of a row index that no loop counts is the factor of a thread index."""
    body = """
        %xl = llvm.zext %x : i32 to i64
        %o = llvm.mul %xl, %n0 : i64
        %e = llvm.getelementptr %p[%o] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32"""
    se, func = analysed(nest(1, body, 64))
    n0 = se.get(value_named(func, "n0"))
    assert collect_parametric_terms(se.expressions, offset_of(se, func)) == [n0]


def test_a_rewritten_recurrence_keeps_its_flags_without_an_assumption():
    """The extension of a row that does not wrap is kept only because of the limit of its depth."""
    flags = "overflow<nsw>"
    text = nest(2, row_major(2)).replace("%i0, %k0", f"%i0, %k0 {flags}").replace(
        "%a0, %n1 :", f"%a0, %n1 {flags} :"
    ).replace("%b1, %i1 :", f"%b1, %i1 {flags} :")  # fmt: skip
    se, func = analysed(text, ScevKnobs(max_ext_depth=0))
    inner = se.get(value_named(func, "a1"))
    assert inner.is_affine
    assert inner.flags & NSW
    hidden = se.expressions.sext(inner, 64)
    assert hidden.kind is Kind.SIGN_EXTEND
    assert inner.loop is not None
    outer = se.expressions.add_rec([hidden, se.expressions.one(64)], inner.loop.parent, NSW)
    context = context_of(se, inner.step)
    found = rewrite(context, outer)
    assert found is not outer
    assert not context.collector.assumed
    assert found.flags & NSW


@pytest.mark.parametrize(
    ("extension", "step", "opens"),
    [("sext", "%k1", True), ("zext", "%k1", True), ("sext", "%m1", True), ("zext", "%m1", False)],
)
def test_a_falling_counter_is_not_assumed_to_rise(extension: str, step: str, opens: bool):
    """As unsigned, it wraps in each iteration."""
    se, func = analysed(f"""
      llvm.func @f(%n: i32, %c: i1) {{
        %k1 = llvm.mlir.constant(1 : i32) : i32
        %m1 = llvm.mlir.constant(-1 : i32) : i32
        llvm.br ^loop(%n : i32)
      ^loop(%i: i32):
        %in = llvm.add %i, {step} : i32
        %o = llvm.{extension} %i : i32 to i64
        llvm.cond_br %c, ^loop(%in : i32), ^exit
      ^exit:
        llvm.return
      }}""")
    hidden = se.get(value_named(func, "o"))
    context = context_of(se, hidden.operands[0].step)
    assert rewrite(context, hidden).is_affine is opens
    assert bool(context.collector.assumed) is opens


def test_only_products_are_terms():
    se, func = analysed(nest(1, """
      %sum = llvm.add %x, %n0 : i32
      %product = llvm.mul %x, %n0 : i32
      %so = llvm.sext %sum : i32 to i64
      %po = llvm.sext %product : i32 to i64"""))  # fmt: skip
    for name, terms in (("so", 0), ("po", 1)):
        context = context_of(se, None, expands_sums=True)
        hidden = se.get(value_named(func, name))
        assert rewrite(context, hidden) is not hidden
        assert len(context.collector.terms) == terms


def test_an_address_that_is_no_gep_is_kept():
    se, func = analysed("""
      llvm.func @f(%p: !llvm.ptr) {
        %e = llvm.load %p : !llvm.ptr -> !llvm.ptr
        llvm.return
      }""")
    address = se.get(value_named(func, "e"))
    context = context_of(se, None)
    assert rewrite(context, address) is address
    assert not context.collector.index_entries


def test_terms_of_another_width_are_no_sizes():
    se, func = analysed(nest(2, row_major(2)))
    offset = offset_of(se, func)
    collector = PredicateCollector()
    collector.found(
        se.expressions.mul(se.get(value_named(func, "n0")), se.get(value_named(func, "x")))
    )
    found = delinearize(se, offset, 4, collector=collector)
    usual = delinearize(se, offset, 4)
    assert found.subscripts == usual.subscripts


def test_a_second_iteration_follows_if_steps_are_hidden():
    """Without assumptions the dimensions never change."""

    class Careful(PredicateCollector):
        def assume(self, flag, expression):
            return False

    se, func = analysed(nest(2, row_major(2)))
    assert delinearize(se, offset_of(se, func), 4, collector=Careful()).iterations == 2


def test_sizes_of_launches_are_for_shared_memory():
    se, func = analysed(DYNAMIC_TILE)
    offset = se.expressions.sub(se.get(value_named(func, "e")), se.get(value_named(func, "p")))
    assert len(delinearize_for_warps(se, offset, 4).subscripts.subscripts) == 1


def test_the_type_of_the_array_is_used_only_without_other_sizes():
    se, func = analysed(nest(2, row_major(2)))
    offset = offset_of(se, func)
    found = delinearize_for_warps(se, offset, 4, array(8, array(16, F32)))
    assert found.subscripts == delinearize_for_warps(se, offset, 4).subscripts
    assert "16" not in [str(size) for size in found.subscripts.sizes]


def test_an_offset_of_parts_of_elements_has_no_subscripts():
    se, func = analysed(nest(2, row_major(2)))
    assert delinearize(se, offset_of(se, func), 12) is None


PAIR = """
  llvm.func @f(%p: !llvm.ptr, %i: i64, %j: i64, %n: i64) {
    %k1 = llvm.mlir.constant(1 : i64) : i64
    %row = llvm.mul %i, %n : i64
    %a = llvm.getelementptr %p[0, %i, %j] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<8 x array<16 x f32>>
    %b = llvm.getelementptr %p[0, %j, %i] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<8 x array<16 x f32>>
    %odd = llvm.getelementptr %p[%k1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.return
  }"""
TYPE = array(8, array(16, F32))


def pair(first: str, second: str, type_: object, **knobs: bool):
    se, func = analysed(PAIR, ScevKnobs(**knobs))
    base = se.get(value_named(func, "p"))
    one, two = (se.expressions.sub(se.get(value_named(func, n)), base) for n in (first, second))
    return delinearize_pair(se, one, two, 4, type_)


def test_two_offsets_into_an_array_of_known_type():
    heuristic = "delinearize_use_fixed_size_array_heuristic"
    found = pair("a", "b", TYPE, **{heuristic: True})
    assert [[str(s) for s in at.subscripts] for at in found] == [["%i", "%j"], ["%j", "%i"]]
    # The heuristic is off, there is no type, or delinearization is off.
    assert pair("a", "b", TYPE) is None
    assert pair("a", "b", None, **{heuristic: True}) is None
    assert pair("a", "b", TYPE, **{heuristic: True}, delinearize=False) is None
    # One of the offsets is not a whole number of elements.
    assert pair("a", "odd", TYPE, **{heuristic: True}) is None
    assert pair("odd", "a", TYPE, **{heuristic: True}) is None


def test_the_formulas_of_two_offsets_precede_the_type():
    body = row_major(2).replace("sext", "zext").replace("i32", "i64").replace(
        "%o = llvm.zext %a1 : i64 to i64", "%o = llvm.add %a1, %k0 : i64"
    )  # fmt: skip
    se, func = analysed(
        nest(2, body, 64), ScevKnobs(delinearize_use_fixed_size_array_heuristic=True)
    )
    offset = offset_of(se, func)
    found = delinearize_pair(se, offset, offset, 4, TYPE)
    assert found is not None
    assert [str(size) for size in found[0].sizes] == ["%n1"]
