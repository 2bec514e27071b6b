"""Addresses as polynomials: equal to the index, the same for equal sums, and limited in size."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.llvm import GEPOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.values.address_polynomials import (
    MOST_PARTS,
    AddressPolynomials,
    PolynomialAddress,
)
from nvvm_xdsl.analysis.values.linear_expressions import Leaf
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from test.helpers.random_index import INTERESTING, Expression, Poison, signed


def geps_of(text: str) -> list[Operation]:
    return [op for op in read_ll(text).walk() if op.__class__ is GEPOp]


def polynomials_of(geps: list[Operation]) -> AddressPolynomials:
    found = AddressPolynomials(data_layout_of(geps[0]))
    for gep in geps:
        found.add(gep)
    return found


def addresses_of(body: str) -> list[PolynomialAddress | None]:
    """The polynomials of the addresses in a kernel's body, None for those without."""
    geps = geps_of(
        "define ptx_kernel void @k(ptr %p, ptr %q, ptr addrspace(3) %s, i32 %a, i32 %b, i32 %c,"
        f" i64 %n, i128 %h) {{\n{body}\nret void\n}}"
    )
    found = polynomials_of(geps).addresses()
    return [found.get(gep.results[0]) for gep in geps]


def value_of(found: PolynomialAddress, names: dict[SSAValue, int]) -> int | None:
    """The offset for values of the leaves; None if a leaf is not an argument."""
    total = found.constant
    for monomial, number in found.terms:
        for leaf in monomial:
            if leaf.value not in names:
                return None
            value = names[leaf.value]
            number *= value % 2**32 if leaf.extension == "u" else value
        total += number
    return signed(total, 64)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 40))
def test_the_polynomial_equals_the_index_unless_it_is_poison(seed):
    expression = Expression(seed, products=True)
    (gep,) = geps_of(expression.kernel())
    block = gep.parent
    assert block is not None
    arguments = dict(zip("abc", block.args[1:]))
    found = polynomials_of([gep]).addresses().get(gep.results[0])
    for _ in range(20):
        at = {name: expression.rng.choice(INTERESTING) for name in "abc"}
        names: dict[SSAValue, int] = {value: at[name] for name, value in arguments.items()}
        try:
            number = expression.value(at)
        except Poison:
            continue
        if found is not None:
            assert value_of(found, names) in (None, signed(4 * number, 64))


ROW = """
  %r = add {add} i32 %a, 1
  %m = mul {mul} i32 %r, %b
  %e = {extension} i32 %m to i64
  %x = getelementptr float, ptr %p, i64 %e
"""


@pytest.mark.parametrize(
    ("extension", "add", "mul", "expands"),
    [
        ("sext", "nsw", "nsw", True),
        ("sext", "nsw", "nuw", False),
        ("sext", "nuw", "nsw", False),
        ("zext", "nuw", "nuw", True),
        ("zext", "nuw", "nsw", False),
        ("zext nneg", "nsw", "nsw", True),
        ("zext nneg", "nuw", "nuw", True),
        ("zext nneg", "nsw", "nuw", False),
    ],
)
def test_a_product_is_expanded_below_an_extension_if_it_does_not_wrap(extension, add, mul, expands):
    (found,) = addresses_of(ROW.format(extension=extension, add=add, mul=mul))
    assert found is not None
    assert (len(found.terms) == 2) == expands


def test_products_of_the_same_factors_are_equal():
    first, second = addresses_of("""
  %x = mul nsw i32 %a, %b
  %y = mul nsw i32 %x, %c
  %ey = sext i32 %y to i64
  %g = getelementptr float, ptr %p, i64 %ey
  %u = mul nsw i32 %c, %b
  %v = mul nsw i32 %a, %u
  %ev = sext i32 %v to i64
  %k = getelementptr float, ptr %p, i64 %ev
""")
    assert first is not None
    assert second is not None
    assert first.terms == second.terms


def test_an_address_includes_that_of_its_base():
    first, second, third = addresses_of("""
  %e = sext i32 %a to i64
  %x = getelementptr float, ptr %p, i64 %e
  %y = getelementptr i8, ptr %x, i64 12
  %z = getelementptr float, ptr %y, i64 %n
""")
    assert first is not None
    assert third is not None
    assert second is None  # no variable index of its own
    assert third.root is first.root
    assert third.terms > first.terms
    assert third.constant == 12


def test_a_zero_extension_becomes_a_sign_extension_that_another_address_has():
    first, second = addresses_of("""
  %e = sext i32 %a to i64
  %x = getelementptr float, ptr %p, i64 %e
  %z = zext nneg i32 %a to i64
  %y = getelementptr float, ptr %p, i64 %z
""")
    assert first is not None
    assert second is not None
    assert first.terms == second.terms


@pytest.mark.parametrize("address", ["i128 %h", "i64 0", "<2 x i64> zeroinitializer"])
def test_no_polynomial_of_wide_constant_and_vector_indices(address):
    assert addresses_of(f"  %x = getelementptr float, ptr %p, {address}\n") == [None]


def test_sums_and_products_with_too_many_terms_are_leaves():
    sums = "".join(f"  %s{i} = add i64 %s{i - 1}, %n{i}\n" for i in range(1, 9))
    geps = geps_of(
        f"define ptx_kernel void @k(ptr %p, i64 %s0, {', '.join(f'i64 %n{i}' for i in range(1, 9))}) {{\n"
        f"{sums}  %m = mul i64 %s4, %s4\n"
        "  %x = getelementptr i8, ptr %p, i64 %m\n"
        "  %y = getelementptr i8, ptr %p, i64 %s7\n"
        "  %z = getelementptr i8, ptr %p, i64 %s8\n"
        "  %c = sub i64 %n1, %n8\n"
        "  %w = getelementptr i8, ptr %y, i64 %c\nret void\n}"
    )
    found = polynomials_of(geps).addresses()
    product, most, too_many, after = (found[gep.results[0]] for gep in geps)
    assert [len(a.terms) for a in (product, most, too_many, after)] == [1, 8, 1, 2]
    assert most.root is product.root
    assert after.root is geps[1].results[0]


def test_no_polynomial_of_a_pointer_of_32_bits():
    (gep,) = geps_of("""
target datalayout = "p3:32:32"
define ptx_kernel void @k(ptr addrspace(3) %s, i32 %a) {
  %x = getelementptr float, ptr addrspace(3) %s, i32 %a
  ret void
}""")
    assert not polynomials_of([gep]).addresses()


def test_values_whose_multiple_is_a_polynomial():
    geps = geps_of("""define ptx_kernel void @k(ptr %p, i32 %a, i32 %b) {
  %w = mul nsw i32 %a, %b
  %w4 = shl nsw i32 %w, 2
  %e = sext i32 %w4 to i64
  %x = getelementptr float, ptr %p, i64 %e
  ret void
}""")
    polynomials = polynomials_of(geps)
    ((monomial, factor),) = polynomials.addresses()[geps[0].results[0]].terms
    assert factor == 16
    block = geps[0].parent
    assert block is not None
    product, shifted, _ = (op.results[0] for op in list(fast.ops_of(block))[1:4])
    all_parts = {Leaf(product, "s"), Leaf(shifted, "s")}
    assert all_parts < polynomials.parts(geps[0].results[0])
    for number, value, times in ((16, shifted, 4), (-8, product, -8), (6, product, 6)):
        part = Leaf(value, "s")
        assert polynomials.multiple({monomial: number}, {part}) == (part, times)
    assert polynomials.multiple({monomial: 2}, {Leaf(shifted, "s")}) is None
    assert polynomials.multiple({monomial: 2}, set()) is None
    assert polynomials.multiple({monomial: 2, (): 1}, all_parts) is None


def test_a_value_is_non_negative_only_at_addresses_that_require_it():
    geps = geps_of("""define ptx_kernel void @k(ptr %p, i32 %a, i32 %b) {
  %w = mul nuw nsw i32 %a, %b
  %z = zext nneg i32 %w to i64
  %x = getelementptr float, ptr %p, i64 %z
  %s = sext i32 %w to i64
  %y = getelementptr float, ptr %p, i64 %s
  %v = getelementptr float, ptr %y, i64 1
  ret void
}""")
    polynomials = polynomials_of(geps)
    product = geps[0].operands[1].owner.operands[0]
    extensions = [
        {leaf.extension for leaf in polynomials.parts(gep.results[0]) if leaf.value is product}
        for gep in geps
    ]
    assert extensions == [{"n"}, {"s"}, {"s"}]
    for gep, extension in zip(geps, ("u", "s")):
        terms = dict(polynomials.addresses()[gep.results[0]].terms)
        parts = {p for p in polynomials.parts(gep.results[0]) if p.value is product}
        assert polynomials.multiple(terms, parts) == (Leaf(product, extension), 4)


def test_parts_of_a_long_chain_are_those_near_its_end():
    count = MOST_PARTS + 10
    lines = [
        f"  %x{n} = getelementptr float, ptr {f'%x{n - 1}' if n else '%p'}, i32 %a{n}"
        for n in range(count)
    ]
    arguments = ", ".join(f"i32 %a{n}" for n in range(count))
    text = "\n".join(
        [f"define ptx_kernel void @k(ptr %p, {arguments}) {{", *lines, "  ret void", "}"]
    )
    geps = geps_of(text)
    polynomials = polynomials_of(geps)
    # In any order of the queries.
    last = polynomials.parts(geps[-1].results[0])
    assert Leaf(geps[-1].operands[1], "s") in last
    assert Leaf(geps[0].operands[1], "s") not in last
    assert len(last) <= MOST_PARTS
    tenth = {Leaf(gep.operands[1], "s") for gep in geps[:10]}
    assert polynomials.parts(geps[9].results[0]) == tenth
