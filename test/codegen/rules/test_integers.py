"""Integer operations of every width: machine code computes the same as the IR."""

from __future__ import annotations

import pytest
from helpers.differential import check
from helpers.scale import slow_but

PREDICATES = "eq ne ugt uge ult ule sgt sge slt sle".split()
DIVISORS = (
    *(2, 3, 5, 6, 7, 9, 10, 12, 13, 25, 28, 60, 64, 100, 125, 127, 255, 641, 1000, 10000, 65535),
    *(7 << 10, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 10**12, 2**63 - 1, 2**64 - 59),
)
WIDTHS = (1, 2, 7, 8, 13, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 128)


def modulo(width: int, name: str) -> str:
    """`%x`: a shift amount below the width, from `%b`."""
    if width & (width - 1) == 0:
        return f"%x = and {name} %b, {width - 1}"
    return f"%x = urem {name} %b, {width}"


def arithmetic(width: int) -> list[tuple[str, str]]:
    t = f"i{width}"
    found: list[tuple[str, str]] = []
    names = ["add", "mul", "and", "or", "xor"] + (["sub"] if width > 1 else [])
    for op in names:
        found.append((t, f"%r = {op} {t} %a, %b"))
        found.append((t, f"%r = {op} {t} %a, {5 if width > 3 else 1}"))
    if width == 1:
        return found
    found.append((t, f"%x = sub {t} 0, %a; %r = mul {t} %x, %b"))
    found.append((t, f"%x = mul {t} %a, %b; %r = add {t} %x, %a"))
    positive = f"%x = and {t} %b, {(1 << width - 1) - 1}; %y = or {t} %x, 1"
    for op in ("udiv", "urem"):
        found.append((t, f"%x = or {t} %b, 1; %r = {op} {t} %a, %x"))
    for op in ("sdiv", "srem"):
        found.append((t, f"{positive}; %r = {op} {t} %a, %y"))
    for op in ("shl", "lshr", "ashr"):
        found.append((t, f"{modulo(width, t)}; %r = {op} {t} %a, %x"))
        found.append((t, f"%r = {op} {t} %a, {width // 2}"))
        found.append((t, f"%r = {op} {t} %a, {width - 1}"))
    return found


def comparisons(width: int) -> list[tuple[str, str]]:
    t = f"i{width}"
    found: list[tuple[str, str]] = []
    for p in PREDICATES:
        found.append(("i8", f"%x = icmp {p} {t} %a, %b; %r = zext i1 %x to i8"))
        found.append(
            ("i8", f"%x = icmp {p} {t} %a, {1 if width < 4 else -3}; %r = sext i1 %x to i8")
        )
        found.append((t, f"%x = icmp {p} {t} %a, %b; %r = select i1 %x, {t} %a, {t} %b"))
    return found


def conversions(width: int) -> list[tuple[str, str]]:
    t = f"i{width}"
    found: list[tuple[str, str]] = []
    for other in (1, 8, 16, 17, 32, 33, 64, 65, 128):
        if other < width:
            found.append((f"i{other}", f"%r = trunc {t} %a to i{other}"))
        elif other > width:
            found.append((f"i{other}", f"%r = zext {t} %a to i{other}"))
            found.append((f"i{other}", f"%r = sext {t} %a to i{other}"))
    for f in ("half", "bfloat", "float", "double"):
        found.append((f, f"%r = sitofp {t} %a to {f}"))
        found.append((f, f"%r = uitofp {t} %a to {f}"))
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_arithmetic(width: int):
    check([f"i{width}"] * 2, [*arithmetic(width), *comparisons(width)])


@pytest.mark.parametrize("width", [65, 96, 128])
def test_shifts_by_partly_known_amounts(width: int):
    t = f"i{width}"
    bodies: list[tuple[str, str]] = []
    for low, base in ((63, 0), (31, 0), (7, 64), (0, 64), (31, 32), (64, 7), (63, 64)):
        if low + base < width:
            amount = f"%x = and {t} %b, {low}; %y = or {t} %x, {base}"
            bodies += [(t, f"{amount}; %r = {op} {t} %a, %y") for op in ("shl", "lshr", "ashr")]
    check([t] * 2, bodies)


@pytest.mark.parametrize("sm", [75, 90])
@pytest.mark.parametrize("width", [1, 8, 13, 16, 32, 33, 64, 128])
def test_conversions(width: int, sm: int):
    check([f"i{width}"], conversions(width), sm=sm)


@pytest.mark.parametrize("width", slow_but([8, 13, 16, 24, 32, 33, 64, 65, 128], ["8", "24", "33"]))
def test_division_by_constants(width: int):
    t = f"i{width}"
    bodies: list[tuple[str, str]] = []
    for d in DIVISORS:
        if d < 1 << width:
            bodies += [(t, f"%r = {op} {t} %a, {d}") for op in ("udiv", "urem")]
        if d < 1 << width - 1:
            bodies += [(t, f"%r = {op} {t} %a, {s}") for op in ("sdiv", "srem") for s in (d, -d)]
    check([t], bodies, seed=width)


def intrinsics(width: int) -> tuple[list[tuple[str, str]], str]:
    t = f"i{width}"
    found: list[tuple[str, str]] = []
    head: list[str] = []

    def declare(name: str, count: int, result: str = t, extra: str = "") -> None:
        head.append(f"declare {result} @llvm.{name}.{t}({', '.join([t] * count)}{extra})")

    for name in ("smax", "smin", "umax", "umin"):
        declare(name, 2)
        found.append((t, f"%r = call {t} @llvm.{name}.{t}({t} %a, {t} %b)"))
    for name in ("ctpop", "bitreverse", *(("bswap",) if width % 16 == 0 else ())):
        declare(name, 1)
        found.append((t, f"%r = call {t} @llvm.{name}.{t}({t} %a)"))
    for name in ("ctlz", "cttz", "abs"):
        declare(name, 1, extra=", i1")
        found.append((t, f"%r = call {t} @llvm.{name}.{t}({t} %a, i1 false)"))
    if width <= 64 or width & (width - 1) == 0:
        for name in ("fshl", "fshr"):
            declare(name, 3)
            call = f"%r = call {t} @llvm.{name}.{t}({t} %a, {t} %b, {t} "
            found.append((t, call + "%c)"))
            for amount in (0, 1, width // 2, width // 2 + 1, width - 1):
                found.append((t, call + f"{amount})"))
    if 1 < width <= 64:
        for name in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
            pair = f"{{{t}, i1}}"
            declare(f"{name}.with.overflow", 2, pair)
            call = f"%x = call {pair} @llvm.{name}.with.overflow.{t}({t} %a, {t} %b)"
            found.append((t, f"{call}; %r = extractvalue {pair} %x, 0"))
            found.append(("i8", f"{call}; %y = extractvalue {pair} %x, 1; %r = zext i1 %y to i8"))
        for name in ("sadd", "uadd", "ssub", "usub"):
            declare(f"{name}.sat", 2)
            found.append((t, f"%r = call {t} @llvm.{name}.sat.{t}({t} %a, {t} %b)"))
        for name in ("sshl", "ushl"):
            declare(f"{name}.sat", 2)
            call = f"%r = call {t} @llvm.{name}.sat.{t}({t} %a, {t} %x)"
            found.append((t, f"{modulo(width, t)}; {call}"))
    return found, "\n".join(head)


@pytest.mark.parametrize("width", [2, 7, 8, 13, 16, 24, 32, 33, 48, 64, 65, 128])
def test_intrinsics(width: int):
    bodies, head = intrinsics(width)
    check([f"i{width}"] * 3, bodies, head=head)


def test_widening_products_and_sums_of_products():
    check(
        ["i32", "i32", "i64"],
        [
            ("i64", "%x = sext i32 %a to i64; %y = sext i32 %b to i64; %r = mul i64 %x, %y"),
            ("i64", "%x = zext i32 %a to i64; %y = zext i32 %b to i64; %r = mul i64 %x, %y"),
            ("i64", "%x = sext i32 %a to i64; %y = zext i32 %b to i64; %r = mul i64 %x, %y"),
            ("i64", "%x = sext i32 %a to i64; %y = mul i64 %x, -5; %r = add i64 %y, %c"),
            ("i64", "%x = zext i32 %a to i64; %y = mul i64 %x, 4294967295; %r = add i64 %c, %y"),
            ("i64", "%x = sext i32 %a to i64; %y = mul i64 %x, 4294967295; %r = add i64 %c, %y"),
            ("i32", "%x = mul i32 %a, %b; %r = add i32 %x, %x"),
            ("i32", "%x = mul i32 %a, %b; %y = add i32 %x, 3; %r = add i32 %y, %x"),
            ("i32", "%x = mul i32 %a, 8; %r = add i32 %x, %b"),
        ],
    )
