"""Conditions of `separate-const-offset-from-gep`: each case is the body of a function, and the origin of each
`getelementptr` afterwards: the number of another one, or -1."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import GEPOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare void @use(ptr)
declare void @vector(<2 x ptr>)
define void @f(ptr %p, ptr %q, i64 %i, i64 %j, i32 %n, <2 x i64> %v) {{
{body}
ret void
}}
"""


def after(body: str):
    """Runs the pass on a function with a body."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, "separate-const-offset-from-gep")
    module.verify()
    return module


def origins(body: str) -> list[int]:
    """Returns the number of the `getelementptr` from which each one starts, or -1."""
    geps = [op for op in after(body).walk() if isinstance(op, GEPOp)]
    numbers = {op.results[0]: n for n, op in enumerate(geps)}
    return [numbers.get(op.operands[0], -1) for op in geps]


def at(name: str, index: str, *, base: str = "%p", type_: str = "i32", stored: bool = True) -> str:
    """Returns an address of a number of elements from a pointer, and an access of it or a call with it."""
    use = f"store i32 7, ptr %{name}" if stored else f"call void @use(ptr %{name})"
    return f"%{name} = getelementptr {type_}, ptr {base}, {index}\n{use}\n"


NEXT = "%k = add i64 %i, 1\n"
SUM = "%s = add i64 %i, %j\n"

CASES = {
    "not a vector of addresses": (
        "%a = getelementptr i32, ptr %p, <2 x i64> %v\ncall void @vector(<2 x ptr> %a)\n", [-1],
    ),
    "not addresses with constants alone": (at("a", "i64 1") + at("b", "i64 2"), [-1, -1]),
    "two variable indices": (at("a", "i64 %i, i64 %j", type_="[8 x i32]"), [-1]),
    "a sum with a constant, accessed at once": (
        SUM + "%k = add i64 %s, 1\n" + at("a", "i64 %k") + "%l = add i64 %s, 2\n" + at("b", "i64 %l"), [-1, 0, 0],
    ),
    "a sum that is not accessed at once": (
        SUM + at("a", "i64 %s", stored=False) + "%k = add i64 %s, 1\n" + at("b", "i64 %k", stored=False), [-1, 0],
    ),
    "an index that was accessed with another pointer": (
        SUM + at("a", "i64 %s") + "%k = add i64 %s, 1\n" + at("b", "i64 %k", base="%q"), [-1, -1, 1],
    ),
    "not from the index itself": (
        SUM + "%k = add i64 %s, 1\n" + at("a", "i64 %k") + at("b", "i64 %k", base="%q", type_="i64"), [-1, -1],
    ),
    "two variable indices, one with a constant": (
        NEXT + at("a", "i64 %k, i64 %j", type_="[8 x i32]"), [-1],
    ),
    "not from an index with a constant": (
        SUM + "%k = add i64 %s, 1\n" + at("a", "i64 %k") + at("b", "i64 %s", base="%q"), [-1, -1],
    ),
    "in two branches": (
        "switch i32 %n, label %one [i32 1, label %other]\none:\n" + NEXT + at("a", "i64 %k")
        + "ret void\nother:\n%l = add i64 %i, 2\n" + at("b", "i64 %l"),
        [-1, 0, -1, 2],
    ),
    "an access behind the next address": (
        SUM + "%a = getelementptr i32, ptr %p, i64 %s\n%k = add i64 %s, 1\n" + at("b", "i64 %k") + "store i32 1, ptr %a\n",
        [-1, 0],
    ),
    "not by a negative factor": (
        "%m = sub i64 0, %i\n%k = add i64 %m, 1\n" + at("a", "i64 %k"), [-1],
    ),
    "not by a factor of 2^31": (NEXT + at("a", "i64 %k", type_="[536870912 x i32]"), [-1]),
    "by a factor below 2^31": (NEXT + at("a", "i64 %k", type_="[536870911 x i32]"), [-1, 0]),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_origins(why: str):
    body, expected = CASES[why]
    assert origins(body) == expected


def test_a_step_by_one_leaf_replaces_a_shift():
    body = "%s = shl i64 %i, 2\n" + at("a", "i64 %s", type_="i8") + NEXT + at("b", "i64 %k")
    assert "llvm.shl" not in str(after(body))


def test_a_store_of_an_address_is_no_access_of_it():
    store = "store ptr %a, ptr %q\n"
    body = SUM + at("a", "i64 %s", stored=False).replace("call void @use(ptr %a)\n", store)
    assert origins(body + "%k = add i64 %s, 1\n" + at("b", "i64 %k", stored=False)) == [-1, 0]


def test_an_index_of_32_bits_is_extended():
    body = at("a", "i32 %n") + "%m = add nsw i32 %n, 1\n" + at("b", "i32 %m", base="%q")
    assert origins(body) == [-1, -1, 1]
    assert "llvm.sext" in str(after(body))


def test_an_address_with_an_accessed_index_is_not_replaced():
    body = (
        SUM + "%k = add i64 %s, 1\n" + at("a", "i64 %k") + at("b", "i64 %k", base="%q", type_="i64")
    )
    assert "x i8>" not in str(after(body))
