"""Conditions of `slp-vectorizer`: each case has the ops of a function, and those afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import function
from xdsl.dialects.builtin import VectorType

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare float @llvm.fma.f32(float, float, float)
declare half @llvm.fabs.f16(half)
declare {{ float, i1 }} @two()
declare void @call()
define void @f(ptr %p, <2 x float> %x, <2 x float> %y, <2 x half> %h, <2 x half> %g, <2 x bfloat> %z, float %a, float %b, half %c, half %d, i1 %t, i32 %i) {{
%x0 = extractelement <2 x float> %x, i32 0
%x1 = extractelement <2 x float> %x, i32 1
%y0 = extractelement <2 x float> %y, i32 0
%y1 = extractelement <2 x float> %y, i32 1
%h0 = extractelement <2 x half> %h, i32 0
%h1 = extractelement <2 x half> %h, i32 1
%g0 = extractelement <2 x half> %g, i32 0
%g1 = extractelement <2 x half> %g, i32 1
%z0 = extractelement <2 x bfloat> %z, i32 0
%z1 = extractelement <2 x bfloat> %z, i32 1
{body}
ret void
}}
"""
HIDDEN = {"llvm.extractelement", "llvm.return", "llvm.func", "llvm.store"}


def after(body: str, options: str = "arch=100") -> str:
    """Returns the ops afterwards except constants, lanes and stores; those on pairs with a 2."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, f"slp-vectorizer<{options}>")
    module.verify()
    names: list[str] = []
    for op in function(module).walk():
        if op.name not in HIDDEN and "mlir" not in op.name:
            is_pair = op.results and isinstance(op.results[0].type, VectorType)
            name = op.name.removeprefix("llvm.").removeprefix("intr.")
            put = name == "insertelement"
            names.append("put" if put else f"{name}2" if is_pair else name)
    return " ".join(names)


def both(op: str, *operands: str, type_: str = "float", names: str = "uv") -> str:
    """Returns an op on each lane of operands such as `x`, or on `%x, %y` if there is a comma."""
    text = ""
    for lane, name in enumerate(names):
        listed = ", ".join(f"%{v}{lane}" for v in operands)
        text += f"%{name} = {op} {type_} {listed}\n"
    return text


def kept(*names: str, type_: str = "float") -> str:
    return "".join(f"store volatile {type_} %{name}, ptr %p\n" for name in names)


def vector(x: str, y: str, type_: str = "half") -> str:
    """Returns a vector of two values."""
    return (
        f"%w0 = insertelement <2 x {type_}> poison, {type_} %{x}, i32 0\n"
        f"%w1 = insertelement <2 x {type_}> %w0, {type_} %{y}, i32 1\n"
        f"store volatile <2 x {type_}> %w1, ptr %p\n"
    )


def wide(name: str) -> str:
    """Returns a vector of four values, which is stored."""
    text, last = "", "poison"
    for n in range(4):
        text += f"%w{n} = insertelement <4 x float> {last}, float %{name}{n}, i32 {n}\n"
        last = f"%w{n}"
    return f"{text}store volatile <4 x float> %w3, ptr %p\n"


def loop(body: str) -> str:
    """Returns a loop that ptxas unrolls if it has no pairs of f32."""
    return (
        "br label %loop\nloop:\n%n = phi i32 [0, %0], [%n1, %loop]\n"
        f"{body}%n1 = add i32 %n, 1\n%e = icmp eq i32 %n1, 16\nbr i1 %e, label %end, label %loop\nend:\n"
    )


LOADS = "%l = load float, ptr %p\n%k = load float, ptr %p\n"
HALVES = "%l = load half, ptr %p\n%k = load half, ptr %p\n"
MIXED = "%l = load float, ptr %p\n%k = sitofp i32 %i to float\n"
UV = kept("u", "v")
FOUR = "".join(f"%l{n} = load float, ptr %p\n" for n in range(4))
PRODUCTS = both("fmul", "x", "y", names="mn")
SUMS = both("fadd", "x", "y", names="mn")
A = "arch=100"


def two(first: str, second: str) -> str:
    """Returns the values `%u` and `%v`, which are stored."""
    return f"%u = {first}\n%v = {second}\n{UV}"


def chained(op: str, first: str, second: str) -> str:
    """Returns two values and their products with two lanes, which are stored."""
    return f"%m = {op} {first}\n%n = {op} {second}\n" + two(
        "fmul float %m, %x0", "fmul float %n, %x1"
    )


def threes(first: str, last: str) -> str:
    """Returns three sums, and products of which two need the second sum."""
    return f"{SUMS}%o = fadd float %x0, %y1\n" + two(f"fmul float {first}", f"fmul float {last}")


def homes(first: str, second: str) -> str:
    """Returns two sums with a load each, and a pair of products with the operands `first` and `second`."""
    return (
        LOADS
        + two("fadd float %x0, %l", "fadd float %x1, %k")
        + f"%m = fmul float {first}\n%n = fmul float {second}\n%r = fmul float %m, %y0\n%s = fmul float %n, %y1\n"
        + kept("r", "s")
    )


CASES = {
    "two sums": (both("fadd", "x", "y") + UV, A, "fadd2"),
    "of sums that another sum adds": (
        both("fadd", "x", "y") + "%w = fadd float %u, %v\n" + kept("w"),
        A,
        "fadd2 fadd",
    ),
    "a pair that is used twice": (
        SUMS + both("fmul", "m", "m").replace("m0", "m").replace("m1", "n") + UV,
        A,
        "fadd2 fmul2",
    ),
    "not with other flags": (
        two("fadd float %x0, %y0", "fadd nnan float %x1, %y1"),
        A,
        "fadd fadd",
    ),
    "products of sums in another block": (
        f"{PRODUCTS}br label %next\nnext:\n" + two("fadd float %m, %x0", "fadd float %n, %x1"),
        A,
        "fmul2 br fadd2",
    ),
    "not products of one sum in another block": (
        f"{PRODUCTS}br label %next\nnext:\n%u = fadd float %m, %n\n" + kept("u"),
        A,
        "fmul fmul br fadd",
    ),
    "negated products": (PRODUCTS + two("fneg float %m", "fneg float %n"), A, "fmul2 fneg2"),
    "not sums without their products": (
        PRODUCTS.replace("%n = fmul", "%n = fmul nnan")
        + two("fadd float %m, %x0", "fadd float %n, %x1"),
        A,
        "fmul fmul fadd fadd",
    ),
    "not of a product of no sum and one of a sum": (
        "%m = fmul float %x0, %y0\n%n = fmul float %x1, %y1\n%v = fadd float %n, %x1\n"
        + kept("m", "v"),
        A,
        "fmul fmul fadd",
    ),
    "of a second product that is used twice": (
        PRODUCTS
        + "%o = fmul float %x0, %x0\n%q = fmul float %x1, %y1\n"
        + two("fadd float %m, %o", "fadd float %n, %q")
        + kept("q"),
        A,
        "fmul2 fmul fmul put put fadd2",
    ),
    "products at different operands": (
        "%m = fmul float %x0, %y0\n%o = fmul float %x0, %y0\n%q = fmul float %x1, %y1\n%n = fmul float %x1, %y1\n"
        + two("fadd float %m, %o", "fadd float %q, %n")
        + kept("q"),
        A,
        "fmul2 fmul2 put put fadd2",
    ),
    "not a sum of a load and one of a product": (
        f"{LOADS}%n = fmul float %x1, %y1\n" + two("fadd float %l, %y0", "fadd float %n, %y1"),
        A,
        "load load fmul fadd fadd",
    ),
    "not if a difference subtracts a product": (
        PRODUCTS + two("fsub float %x0, %m", "fadd float %x1, %n"),
        A,
        "fmul fmul fsub fadd",
    ),
    "not for a fused product": (
        f"{LOADS}{PRODUCTS}" + two("fadd float %m, %a", "fadd float %n, %l"),
        A,
        "load load fmul fmul fadd fadd",
    ),
    "not of bfloat before sm_80": (
        both("fadd", "z", "z", type_="bfloat") + vector("u", "v", "bfloat"),
        "arch=75",
        "fadd fadd put put",
    ),
    "of bfloat": (
        both("fadd", "z", "z", type_="bfloat") + vector("u", "v", "bfloat"),
        "arch=80",
        "fadd2 put put",
    ),
    "of an op before many merged ones": (
        "%u = fadd float %x1, %y1\n%b0 = fadd float %a, %a\n%b1 = fadd float %b, %b\n%c0 = fadd float %b0, %a\n"
        "%c1 = fadd float %b1, %b\n%d0 = fadd float %c0, %a\n%d1 = fadd float %c1, %b\n%v = fadd float %x0, %y0\n"
        + kept("d0", "d1", "u", "v"),
        A,
        "put put put put fadd2 put put fadd2 put put fadd2 put put put put fadd2",
    ),
    "halves in a loop": (
        loop(both("fadd", "h", "g", type_="half") + vector("u", "v")),
        A,
        "br fadd2 put put add icmp cond_br",
    ),
    "not 3 pairs in a loop": (
        loop("".join(both("fadd", "x", "y", names=n) + kept(*n) for n in ("uv", "mo", "rs"))),
        A,
        "br " + "fadd " * 6 + "add icmp cond_br",
    ),
    "4 pairs in a loop": (
        loop("".join(both("fadd", "x", "y", names=n) + kept(*n) for n in ("uv", "mo", "rs", "qw"))),
        A,
        "br " + "fadd2 " * 4 + "add icmp cond_br",
    ),
    "2 levels": (
        SUMS
        + "%o = fadd float %m, %x0\n%q = fadd float %n, %x1\n"
        + two("fadd float %o, %x0", "fadd float %q, %x1"),
        f"{A};slp-recursion-max-depth=2",
        "fadd2 put put fadd2 fadd2",
    ),
    "a repeated sum": (
        "%m = fadd float %a, %b\n" + two("fmul float %m, %x0", "fmul float %m, %x1"),
        A,
        "fadd put put fmul2",
    ),
    "not of a parameter and a load": (
        LOADS + two("fadd float %x0, %a", "fadd float %x1, %l"),
        A,
        "load load fadd fadd",
    ),
    "not of a load and a parameter": (
        LOADS + two("fadd float %x0, %l", "fadd float %x1, %a"),
        A,
        "load load fadd fadd",
    ),
    "not of a lane and a load": (
        LOADS + two("fsub float %x0, %y0", "fsub float %x1, %l"),
        A,
        "load load fsub fsub",
    ),
    "not of a constant and a load": (
        LOADS + two("fadd float %x0, 2.0", "fadd float %x1, %l"),
        A,
        "load load fadd fadd",
    ),
    "of arguments of a block": (
        f"{LOADS}br i1 %t, label %one, label %two\none:\nbr label %two\ntwo:\n%q = phi float [%l, %0], [%k, %one]\n"
        "%r = phi float [%k, %0], [%l, %one]\n" + two("fadd float %x0, %q", "fadd float %x1, %r"),
        A,
        "load load cond_br br put put fadd2",
    ),
    "a sum of another block first": (
        "%m = fadd float %x0, %y0\nbr label %next\nnext:\n%n = fadd float %x1, %y1\n"
        + two("fadd float %m, %x0", "fadd float %n, %x1"),
        A,
        "fadd br fadd put put fadd2",
    ),
    "a sum of another block last": (
        "%n = fadd float %x1, %y1\nbr label %next\nnext:\n%m = fadd float %x0, %y0\n"
        + two("fadd float %m, %x0", "fadd float %n, %x1"),
        A,
        "fadd br fadd put put fadd2",
    ),
    "a sum in two pairs, first of the second": (
        threes("%m, %n", "%n, %o"),
        A,
        "fadd2 fadd put put fmul2",
    ),
    "a sum in two pairs, last of the second": (
        threes("%m, %o", "%n, %n"),
        A,
        "fadd2 fadd put put fmul2",
    ),
    "not a sum and a product": (
        "%m = fadd float %x0, %y0\n%n = fmul float %x1, %y1\n"
        + two("fmul float %m, %x0", "fmul float %n, %x1"),
        A,
        "fadd fmul put put fmul2",
    ),
    "not conversions of f64 and f32": (
        "%e = fpext float %a to double\n%m = fptrunc double %e to half\n%n = fptrunc float %b to half\n"
        "%u = fadd half %m, %m\n%v = fadd half %n, %n\n" + vector("u", "v"),
        "arch=90",
        "fpext fptrunc fptrunc fadd fadd put put",
    ),
    "not fused products alone": (
        SUMS
        + "%o = fmul float %m, %x0\n%q = fmul float %n, %x1\n"
        + two("fadd float %o, %x0", "fadd nnan float %q, %x1"),
        A,
        "fadd2 fmul fmul fadd fadd",
    ),
    "of a first product that is used twice": (
        PRODUCTS
        + "%o = fmul float %x0, %x0\n%q = fmul float %x1, %y1\n"
        + two("fadd float %m, %o", "fadd float %n, %q")
        + kept("o"),
        A,
        "fmul2 fmul fmul put put fadd2",
    ),
    "an element alone": (
        both("fadd", "x", "y")
        + "%w = insertelement <2 x float> %y, float %u, i32 0\nstore <2 x float> %w, ptr %p\n"
        + kept("v"),
        A,
        "fadd2 put",
    ),
    "operands that are near": (
        "%m = fadd float %x0, %y0\n%o = add i32 %i, 1\n%q = add i32 %i, 2\n%n = fadd float %x1, %y1\n"
        + two("fmul float %m, %x0", "fmul float %n, %x1"),
        f"{A};slp-schedule-budget=2",
        "fadd add add fadd put put fmul2",
    ),
    "not a tree that is too long": (
        SUMS
        + "%o = fadd float %m, %x0\n%q = fadd float %n, %x1\n"
        + two("fadd float %o, %x0", "fadd float %q, %x1"),
        f"{A};slp-schedule-budget=1",
        "fadd2 fadd fadd fadd fadd",
    ),
    "not of differences with exchanged operands": (
        two("fsub float %x0, %y0", "fsub float %y1, %x1"),
        A,
        "fsub fsub",
    ),
    "sums with exchanged operands": (two("fadd float %x0, %y0", "fadd float %y1, %x1"), A, "fadd2"),
    "products of exchanged parameters": (
        two("fmul float %a, %b", "fmul float %b, %a"),
        A,
        "put put put put fmul2",
    ),
    "exchanged lanes": (
        two("fsub float %x1, %y1", "fsub float %x0, %y0"),
        A,
        "put put put put fsub2",
    ),
    "not lanes of the same number": (
        two("fsub float %x0, %y1", "fsub float %y0, %x1"),
        A,
        "fsub fsub",
    ),
    "two differences": (both("fsub", "x", "y") + UV, A, "fsub2"),
    "a sum and a difference": (
        two("fadd float %x0, %y0", "fsub float %x1, %y1"),
        A,
        "fneg put fadd2",
    ),
    "not a sum and a difference of halves": (
        "%u = fadd half %h0, %g0\n%v = fsub half %h1, %g1\n" + vector("u", "v"),
        A,
        "fadd fsub put put",
    ),
    "a repeated value at exchanged operands": (
        two("fmul float %a, %x0", "fmul float %x1, %a"),
        A,
        "put put fmul2",
    ),
    "constants at exchanged operands": (
        MIXED + chained("fadd", "float %l, 2.0", "float 3.0, %k"),
        A,
        "load sitofp put put put put fadd2 fmul2",
    ),
    "not a lane and a constant": (
        chained("fadd", "float %x0, %y0", "float %x1, 2.0"),
        A,
        "fadd fadd fmul fmul",
    ),
    "not a constant and a lane": (
        chained("fadd", "float %x0, 2.0", "float %x1, %y1"),
        A,
        "fadd fadd fmul fmul",
    ),
    "two constants": (
        chained("fadd", "float %x0, 2.0", "float %x1, 3.0"),
        A,
        "put put fadd2 fmul2",
    ),
    "sums at exchanged operands": (
        LOADS + SUMS + two("fmul float %m, %l", "fmul float %k, %n"),
        A,
        "load load fadd2 put put fmul2",
    ),
    "a sum and a difference at exchanged operands": (
        f"{MIXED}%m = fadd float %x0, %y0\n%n = fsub float %x1, %y1\n"
        + two("fmul float %m, %l", "fmul float %k, %n"),
        A,
        "load sitofp fneg put fadd2 put put fmul2",
    ),
    "halves whose upper lanes are used in the tree": (
        both("fadd", "h", "g", type_="half", names="mn")
        + both("fmul", "m", "h", type_="half").replace("m0", "m").replace("m1", "n")
        + vector("u", "v"),
        "arch=90;slp-threshold=1",
        "fadd2 fmul2 put put",
    ),
    "not of separate halves": (
        HALVES + "%u = fadd half %l, %l\n%v = fadd half %k, %k\n" + vector("u", "v"),
        A,
        "load load fadd fadd put put",
    ),
    "conversions of parameters": (
        "%u = fptrunc float %a to half\n%v = fptrunc float %b to half\n" + vector("u", "v"),
        "arch=90",
        "put put fptrunc2 put put",
    ),
    "not conversions of parameters if f32 are pairs": (
        "%u = fptrunc float %a to half\n%v = fptrunc float %b to half\n" + vector("u", "v"),
        A,
        "fptrunc fptrunc put put",
    ),
    "a lane of unknown number": (
        f"{LOADS}%e = extractelement <2 x float> %y, i32 %i\n"
        + two("fadd float %x0, %e", "fadd float %x1, %l"),
        A,
        "load load put put fadd2",
    ),
    "lanes of a vector of four": (
        "%f = load <4 x float>, ptr %p\n%f0 = extractelement <4 x float> %f, i32 0\n%f1 = extractelement <4 x float> %f, i32 1\n"
        + both("fadd", "x", "f")
        + UV,
        A,
        "load2 put put fadd2",
    ),
    "a value that a pair repeats": (
        homes("%x0, %l", "%x1, %l"),
        A,
        "load load put put fadd2 put put fmul2 fmul2",
    ),
    "a value beside a constant": (
        homes("%x0, %l", "%x1, 2.0"),
        A,
        "load load put put fadd2 put put fmul2 fmul2",
    ),
    "a value behind a constant": (
        homes("%x0, 2.0", "%x1, %l"),
        A,
        "load load put put fadd2 put put fmul2 fmul2",
    ),
    "elements of a vector with an element of unknown number": (
        both("fadd", "x", "y")
        + "%w0 = insertelement <2 x float> %y, float %u, i32 %i\n%w1 = insertelement <2 x float> %w0, float %v, i32 1\n"
        "store volatile <2 x float> %w1, ptr %p\n",
        A,
        "fadd2 put put",
    ),
    "elements that are inserted first": (
        f"{FOUR}%e0 = fadd float %l0, 2.0\n%e2 = fadd float %l2, 2.0\n%o = add i32 %i, 1\n"
        "%e1 = fadd float %l1, 2.0\n%e3 = fadd float %l3, 2.0\n" + wide("e"),
        A,
        "load load load load add put put put put fadd2 put put put put fadd2 put put put put",
    ),
    "the inserted elements": (
        "%e = fadd float %x0, %y0\n%u = fadd float %x1, %y1\n%o = add i32 %i, 1\n%v = fadd float %x0, %y1\n"
        "%w0 = insertelement <2 x float> poison, float %e, i32 0\n%w1 = insertelement <2 x float> %w0, float %u, i32 1\n"
        "%w2 = insertelement <2 x float> %w1, float %v, i32 0\nstore volatile <2 x float> %w2, ptr %p\n",
        A,
        "fadd add put put fadd2 put put put",
    ),
    "inserted neighbours": (
        FOUR + wide("l") + two("fadd float %x0, %l2", "fadd float %x1, %l3"),
        A,
        "load load load load put put put put put put fadd2",
    ),
    "not inserted elements of two pairs": (
        FOUR + wide("l") + two("fadd float %x0, %l1", "fadd float %x1, %l2"),
        A,
        "load load load load put put put put fadd fadd",
    ),
    "a vector with two uses": (
        both("fadd", "x", "y")
        + vector("u", "v", "float")
        + "store volatile <2 x float> %w1, ptr %p\n",
        A,
        "fadd2 put put",
    ),
    "not across a load that a store precedes": (
        "%l = load float, ptr %p\n%u = fadd float %x0, %l\nstore float %u, ptr %p\n%k = load float, ptr %p\n"
        "%v = fadd float %x1, %k\nstore float %v, ptr %p\n",
        A,
        "load fadd load fadd",
    ),
    "across users of the first lanes": (
        "%m = fadd float %x0, %y0\n%u = fmul float %m, %x0\n%d0 = fpext float %u to double\n%n = fadd float %x1, %y1\n"
        "%v = fmul float %n, %x1\nstore double %d0, ptr %p\n" + UV,
        A,
        "fadd2 fmul2 fpext",
    ),
    "elements of a parameter": (
        both("fadd", "x", "y")
        + "%w0 = insertelement <2 x float> %y, float %u, i32 0\n%w1 = insertelement <2 x float> %w0, float %v, i32 1\n"
        "store volatile <2 x float> %w1, ptr %p\n",
        A,
        "fadd2 put put",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_ops_afterwards(name: str):
    body, options, expected = CASES[name]
    assert after(body, options) == expected


def test_remark_names_the_function():
    found: list[remarks.Remark] = []
    with remarks.listening(found.append):
        after(both("fadd", "x", "y") + UV)
    assert [remark.function for remark in found] == ["f"]
