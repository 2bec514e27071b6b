"""Remainders of powers of two that `instcombine` replaces, and the conditions for that."""

import pytest
from helpers.modules import function

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

POWER = "%s = shl i32 2, %y\n"
TEST = "%e = icmp eq i32 %r, 0\nstore i1 %e, ptr %p"
USE = "store i32 %r, ptr %p"
CASES = {
    "unsigned": (f"{POWER}%r = urem i32 %x, %s\n{USE}", True),
    "not of another divisor": (f"%r = urem i32 %x, %y\n{USE}", False),
    "not signed": (f"{POWER}%r = srem i32 %x, %s\n{USE}", False),
    "signed and not negative": (f"{POWER}%h = lshr i32 %x, 1\n%r = srem i32 %h, %s\n{USE}", True),
    "signed and tested": (f"{POWER}%r = srem i32 %x, %s\n{TEST}", True),
    "not signed, tested and used": (f"{POWER}%r = srem i32 %x, %s\n{TEST}\n{USE}", False),
    "not signed and ordered": (f"{POWER}%r = srem i32 %x, %s\n{TEST.replace('eq', 'slt')}", False),
    "not signed and compared": (f"{POWER}%r = srem i32 %x, %s\n{TEST.replace('0', '1')}", False),
    "not signed and chosen": (
        f"{POWER}%r = srem i32 %x, %s\n%c = icmp eq i32 %y, 3\n"
        "%a = select i1 %c, i32 0, i32 %r\nstore i32 %a, ptr %p", False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_remainders(why: str):
    body, replaced = CASES[why]
    module = read_ll(f"define void @f(i32 %x, i32 %y, ptr %p) {{\n{body}\nret void\n}}")
    run_pipeline(module, "instcombine")
    names = {op.name for op in function(module).walk()}
    assert ("llvm.and" in names) is replaced
    assert bool(names & {"llvm.urem", "llvm.srem"}) is not replaced
