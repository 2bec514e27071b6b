"""The patterns of `nvptx-peephole` are proved for all inputs, and the encoding finds faults."""

from __future__ import annotations

import pytest
from helpers.machine_functions import module_of, values_of

from dev.machine_proofs import Unencodable, counterexample
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.ir.driver import RewriteDriver
from nvvm_xdsl.passes.machine.nvptx_peephole import PATTERNS
from nvvm_xdsl.passes.machine.peephole_wide import WIDE_PATTERNS

z3 = pytest.importorskip("z3")

WIDE_NUMBERS = (0, 1, 5, 64, 2**31, 2**32 - 1, -1, -2, -(2**31), -(2**32), 2**32, 2**40, -(2**40))
"""Numbers for which a 64-bit comparison becomes a test of one word, and neighbours."""

WINDOWS: list[list[str]] = [
    *(
        [f"%a = cvt {s}64.{s}32 %x -> b64", f"%b = {op} %a, %w -> b64"]
        for s in "su"
        for op in ("add s64", "sub s64", "add u64")
    ),
    ["%a = cvt s64.s32 %x -> b64", "%b = sub s64 %w, %a -> b64"],
    *(
        [f"%a = mul wide.s32 %x, {c} -> b64", "%b = sub s64 %w, %a -> b64"]
        for c in (1, 8, -3, 2**31 - 1, -(2**31) + 1, -(2**31), 2**31, 2**32 - 8)
    ),
    *(
        [f"%a = cvt {s}64.{s}32 %x -> b64", f"%b = shl b64 %a, {k} -> b64"]
        for s in "su"
        for k in (0, 1, 3, 30)
    ),
    *(
        [
            "%p = setp lt.s32 %x, 7 -> pred",
            f"%a = selp b32 {a}, %p -> b32",
            f"%b = {op} -> b32",
        ]
        for a in ("1, 0", "0, -4", "%z, 0")
        for op in ("add s32 %y, %a", "sub u32 %y, %a", "or b32 %a, %y", "xor b32 %y, %a")
    ),
    *(
        [f"%p = setp {compare} %w, {n} -> pred"]
        for n in WIDE_NUMBERS
        for compare in ("eq.b64", "ne.s64", "lt.s64", "le.s64", "gt.s64", "ge.s64")
    ),
    *(
        [f"%p = setp {compare}.u64 %w, {n} -> pred"]
        for n in (*WIDE_NUMBERS, 2**63 - 1, 63, 3)
        for compare in ("lt", "le", "gt", "ge")
    ),
    *(
        [
            f"%p = setp {c}.s32 %x, {y} -> pred",
            f"%r = setp {c}.b32 %z, 0 -> pred",
            f"%s = {join} pred %p, %r -> pred",
        ]
        for c, join in (("eq", "and"), ("ne", "or"))
        for y in ("%y", "7", "0")
    ),
    *(
        [f"%a = and b32 %x, {m} -> b32", f"%p = setp {c}.b32 %a, {m} -> pred"]
        for m in (12, 1, -8, -1)
        for c in ("eq", "ne")
    ),
    *(
        [
            "%a = shl b32 1, %y -> b32",
            "%b = and b32 %a, %x -> b32",
            f"%p = setp {c}.s32 %b, 0 -> pred",
        ]
        for c in ("eq", "ne")
    ),
    *(
        ["%a = max s32 %x, 0 -> b32", f"%b = min {s}32 %a, {c} -> b32"]
        for s in "su"
        for c in (0, 1, 255, 2**31 - 1)
    ),
    *([f"%a = sad {s}32 %x, %y, 0 -> b32", "%b = add s32 %a, %z -> b32"] for s in "su"),
    ["%a = shr s32 %x, 24 -> b32", "%b = cvt rn.f32.s32 %a -> f32"],
    *(
        [
            f"%a = shl b64 %w, {k} -> b64",
            f"%b = shr u64 %w, {32 - k} -> b64",
            f"%c = and b64 %b, {(1 << k) - 1} -> b64",
            "%d = or b64 %a, %c -> b64",
        ]
        for k in range(1, 32)
    ),
    *(
        [
            "%m = mul lo.s64 %v, 5 -> b64",
            f"%a = shl b64 %m, {k} -> b64",
            f"%b = add {first} -> b64",
            f"%c = shl b64 %v, {k} -> b64",
            "%d = add s64 %b, %c -> b64",
        ]
        for k in (0, 2, 63)
        for first in ("s64 %w, %a", "u64 %a, %w")
    ),
]


def test_patterns_are_proved():
    hits: set[str] = set()
    for window in WINDOWS:
        module = module_of(window)
        before = values_of(module)
        driver = RewriteDriver(PATTERNS)
        (func,) = (op for op in module.walk() if isinstance(op, FuncOp))
        driver.rewrite(func)
        hits |= driver.hits.keys()
        assert not counterexample(before, values_of(module), z3, 20), window
    assert hits >= {type(pattern).__name__ for pattern in WIDE_PATTERNS}
    assert hits >= {
        "AbsoluteDifference",
        "ClampFromZero",
        "ConditionalStep",
        "ConvertedTopByte",
        "JoinedEqualities",
        "MaskTest",
        "RotatedHalf",
        "WideComparison",
    }


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (["%a = cvt s64.s32 %x -> b64"], ["%a = cvt u64.u32 %x -> b64"]),
        (["%a = mul wide.s32 %x, 3 -> b64"], ["%a = mul wide.u32 %x, 3 -> b64"]),
        (["%a = min s32 %x, 7 -> b32"], ["%a = min u32 %x, 7 -> b32"]),
        (["%a = max s32 %x, %y -> b32"], ["%a = max u32 %x, %y -> b32"]),
        (["%a = sad s32 %x, %y, 0 -> b32"], ["%a = sad u32 %x, %y, 0 -> b32"]),
        (["%a = shr s32 %x, %y -> b32"], ["%a = shr u32 %x, %y -> b32"]),
        (
            ["%a = shl b32 %x, %y -> b32"],
            ["%b = and b32 %y, 31 -> b32", "%a = shl b32 %x, %b -> b32"],
        ),
        (["%p = setp lt.s64 %w, %v -> pred"], ["%p = setp le.s64 %w, %v -> pred"]),
        (["%p = setp gt.s64 %w, %v -> pred"], ["%p = setp gt.u64 %w, %v -> pred"]),
        (["%a = shf l.wrap.b32 %x, %y, 5 -> b32"], ["%a = shf l.wrap.b32 %y, %x, 5 -> b32"]),
        (["%a = bfe s32 %x, 3, 4 -> b32"], ["%a = bfe u32 %x, 3, 4 -> b32"]),
        (["%a = sub s32 %x, %y -> b32"], ["%a = sub s32 %y, %x -> b32"]),
    ],
)
def test_different_code_has_a_counterexample(left: list[str], right: list[str]):
    first, second = values_of(module_of(left)), values_of(module_of(right))
    assert counterexample(first, second, z3, 20)
    assert not counterexample(first, first, z3, 20)


def test_instructions_without_a_term_are_refused():
    for line in ("%a = popc b32 %x -> b32", "%a = cvt u32.f32 %x -> b32"):
        with pytest.raises(Unencodable):
            values_of(module_of([line]))
