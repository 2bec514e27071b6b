"""Addresses that differ by a constant: one is computed from the other."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, GEPOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @use(ptr)
declare i64 @number()
define void @f(ptr %p, i64 %i, i64 %x, i32 %n, i1 %c) {{
{body}
ret void
}}
"""


def after(body: str, pipeline: str) -> ModuleOp:
    """Runs a pass on a function with a body."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, pipeline)
    module.verify()
    verify_module(module)
    return module


def origins(module: ModuleOp) -> list[int]:
    """Returns the number of the `getelementptr` from which each one starts, or -1."""
    geps = [op for op in module.walk() if isinstance(op, GEPOp)]
    numbers = {op.results[0]: n for n, op in enumerate(geps)}
    return [numbers.get(op.operands[0], -1) for op in geps]


def at(name: str, index: str, base: str = "%p") -> str:
    """Returns an address of a number of words from a pointer."""
    return f"%{name} = getelementptr i32, ptr {base}, i64 {index}\n"


@pytest.mark.parametrize("distance", [2**31 - 4, 2**31, -(2**31) + 4, -(2**31), -(2**31) - 4])
def test_a_distance_that_is_the_mark_of_an_operand(distance: int):
    """-2^31 among the constant indices of a getelementptr would mark an operand."""
    module = after(
        f"""
  %a = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %a
  %k = add i64 %i, {distance}
  %b = getelementptr i8, ptr %p, i64 %k
  store i8 2, ptr %b""",
        "separate-const-offset-from-gep",
    )
    assert origins(module) == ([-1, 0] if abs(distance) < 2**31 else [-1, -1])


def chain(length: int) -> str:
    """Returns an access of the last of a number of addresses, each of which follows another one."""
    text = at("a0", "%i")
    for n in range(1, length):
        text += f"%a{n} = getelementptr i8, ptr %a{n - 1}, i64 1\n"
    return f"{text}store i8 1, ptr %a{length - 1}\n"


NEXT = "%k = add i64 %i, 1\n" + at("b", "%k") + "store i32 2, ptr %b"


@pytest.mark.parametrize(("length", "origin"), [(32, 0), (33, -1)])
def test_an_access_proves_32_operands(length: int, origin: int):
    assert origins(after(chain(length) + NEXT, "slsr"))[-1] == origin


def test_an_access_of_one_of_two_pointers_proves_neither():
    choice = "%s = select i1 %c, ptr %a, ptr %p\nstore i32 1, ptr %s\n"
    assert origins(after(at("a", "%i") + choice + NEXT, "slsr")) == [-1, -1]


def test_an_op_with_two_uses_in_an_index_is_erased_once():
    body = (
        "%d = shl i64 %i, 2\n" + at("a", "%d") + "store i32 1, ptr %a\n"
        "%h = add i64 %i, 1\n%k = add i64 %h, %i\n%e = add i64 %k, %k\n" + at("b", "%e") + "store i32 2, ptr %b"
    )  # fmt: skip
    module = after(body, "slsr")
    assert origins(module) == [-1, 0]
    (function,) = (op for op in module.ops if op.regions[0].blocks)
    assert [use.operation.name for use in function.regions[0].block.args[1].uses] == ["llvm.shl"]


def test_a_call_that_an_index_no_longer_uses_is_kept():
    body = (
        at("a", "%i") + "store i32 1, ptr %a\n%v = call i64 @number()\n%w = sub i64 %i, %v\n"
        "%k = add i64 %w, %v\n%e = add i64 %k, 1\n" + at("b", "%e") + "store i32 2, ptr %b"
    )  # fmt: skip
    module = after(body, "slsr")
    assert origins(module) == [-1, 0]
    assert any(isinstance(op, CallOp) for op in module.walk())


def test_an_address_from_which_others_may_start_is_not_erased():
    """Only `%q` is an offset of a step, and `%r`, the user of `%q`, becomes an offset of `%s`."""
    body = (
        at("a", "%i") + "store i32 1, ptr %a\n%j = sext i32 %n to i64\n%ij = add i64 %i, %j\n%y = shl i64 %x, 1\n"
        "%ijx = add i64 %ij, %y\n" + at("s", "%ijx") + "store i32 1, ptr %s\n%g = add i64 %i, %j\n%k = add i64 %g, 1\n"
        + at("q", "%k") + at("r", "%y", "%q") + "store i32 2, ptr %r\n%h = add i64 %j, %i\n%l = add i64 %h, 2\n"
        + at("t", "%l") + "store i32 3, ptr %t"
    )  # fmt: skip
    assert origins(after(body, "slsr")) == [-1, -1, 0, 1, 2]
