"""Floating-point operations of every type: machine code computes the same as the IR."""

from __future__ import annotations

import pytest
from helpers.differential import check

PREDICATES = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true false".split()
TYPES = ("half", "bfloat", "float", "double")
WIDTH = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
ONE = {"half": "0xH3C00", "bfloat": "0xR3F80", "float": "1.0", "double": "1.0"}
THREE = {"half": "0xH4200", "bfloat": "0xR4040", "float": "3.0", "double": "3.0"}
HUNDRED = {"half": "0xH5640", "bfloat": "0xR42C8", "float": "100.0", "double": "100.0"}
MINUS_HUNDRED = {"half": "0xHD640", "bfloat": "0xRC2C8", "float": "-100.0", "double": "-100.0"}
ZERO = {"half": "0xH0000", "bfloat": "0xR0000", "float": "0.0", "double": "0.0"}
MASKS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 3, 0x204, 0x1F8, 0x3FC, 0x060, 0x108, 0x2F3, 0)


@pytest.mark.parametrize("sm", [75, 80, 90])
@pytest.mark.parametrize("t", TYPES)
def test_arithmetic(t: str, sm: int):
    bodies: list[tuple[str, str]] = [(t, f"%r = fneg {t} %a")]
    for op in ("fadd", "fsub", "fmul", "fdiv", "frem"):
        bodies.append((t, f"%r = {op} {t} %a, %b"))
        bodies.append((t, f"%r = {op} {t} %a, {THREE[t]}"))
        bodies.append((t, f"%r = {op} {t} {ONE[t]}, %b"))
    for p in PREDICATES:
        bodies.append(("i8", f"%x = fcmp {p} {t} %a, %b; %r = zext i1 %x to i8"))
        bodies.append((t, f"%x = fcmp {p} {t} %a, {THREE[t]}; %r = select i1 %x, {t} %a, {t} %b"))
    check([t, t], bodies, sm=sm)


@pytest.mark.parametrize("sm", [75, 90])
@pytest.mark.parametrize("t", TYPES)
def test_intrinsics(t: str, sm: int):
    bodies: list[tuple[str, str]] = []
    head: list[str] = [f"declare i1 @llvm.is.fpclass.{t}({t}, i32 immarg)"]

    def declare(name: str, count: int) -> None:
        head.append(f"declare {t} @llvm.{name}.{t}({', '.join([t] * count)})")

    for name in ("minnum", "maxnum", "minimum", "maximum", "copysign"):
        declare(name, 2)
        bodies.append((t, f"%r = call {t} @llvm.{name}.{t}({t} %a, {t} %b)"))
    for name in ("fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "roundeven", "sqrt"):
        declare(name, 1)
        bodies.append((t, f"%r = call {t} @llvm.{name}.{t}({t} %a)"))
    declare("fma", 3)
    bodies.append((t, f"%r = call {t} @llvm.fma.{t}({t} %a, {t} %b, {t} %c)"))
    for mask in MASKS:
        call = f"%x = call i1 @llvm.is.fpclass.{t}({t} %a, i32 {mask})"
        bodies.append(("i8", f"{call}; %r = zext i1 %x to i8"))
    check([t, t, t], bodies, head="\n".join(head), sm=sm)


@pytest.mark.parametrize("t", TYPES)
def test_rounding_away_from_zero(t: str):
    # Infinities are excluded: their fraction is not a number.
    limit = f"%x = call {t} @llvm.maxnum.{t}({t} %a, {t} {MINUS_HUNDRED[t]})"
    limit += f"; %y = call {t} @llvm.minnum.{t}({t} %x, {t} {HUNDRED[t]})"
    head = "\n".join(
        [
            f"declare {t} @llvm.maxnum.{t}({t}, {t})",
            f"declare {t} @llvm.minnum.{t}({t}, {t})",
            f"declare {t} @llvm.round.{t}({t})",
            f"declare i32 @llvm.lround.i32.{t}({t})",
            f"declare i64 @llvm.lrint.i64.{t}({t})",
        ]
    )
    check(
        [t],
        [
            (t, f"{limit}; %r = call {t} @llvm.round.{t}({t} %y)"),
            ("i32", f"{limit}; %r = call i32 @llvm.lround.i32.{t}({t} %y)"),
            ("i64", f"{limit}; %r = call i64 @llvm.lrint.i64.{t}({t} %y)"),
        ],
        head=head,
    )


@pytest.mark.parametrize("sm", [75, 90])
@pytest.mark.parametrize("t", TYPES)
def test_conversions(t: str, sm: int):
    bodies: list[tuple[str, str]] = [(f"i{WIDTH[t]}", f"%r = bitcast {t} %a to i{WIDTH[t]}")]
    head = [f"declare {t} @llvm.maxnum.{t}({t}, {t})", f"declare {t} @llvm.minnum.{t}({t}, {t})"]
    high = f"%y = call {t} @llvm.minnum.{t}({t} %x, {t} {HUNDRED[t]})"
    for bits in (8, 13, 16, 32, 40, 64, 128):
        low = f"%x = call {t} @llvm.maxnum.{t}({t} %a, {t} {MINUS_HUNDRED[t]})"
        bodies.append((f"i{bits}", f"{low}; {high}; %r = fptosi {t} %y to i{bits}"))
        low = f"%x = call {t} @llvm.maxnum.{t}({t} %a, {t} {ZERO[t]})"
        bodies.append((f"i{bits}", f"{low}; {high}; %r = fptoui {t} %y to i{bits}"))
    for bits in (8, 16, 32, 64):
        for sign in ("si", "ui"):
            head.append(f"declare i{bits} @llvm.fpto{sign}.sat.i{bits}.{t}({t})")
            call = f"%r = call i{bits} @llvm.fpto{sign}.sat.i{bits}.{t}({t} %a)"
            bodies.append((f"i{bits}", call))
    for other in TYPES:
        if WIDTH[other] > WIDTH[t]:
            bodies.append((other, f"%r = fpext {t} %a to {other}"))
        elif WIDTH[other] < WIDTH[t]:
            bodies.append((other, f"%r = fptrunc {t} %a to {other}"))
    check([t], bodies, head="\n".join(head), sm=sm)


@pytest.mark.parametrize("t", ["half", "float", "double"])
def test_contraction_rounds_once(t: str):
    """With -fmad, a product and a sum compute `llvm.fma`."""
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.codegen.select import select_module
    from nvvm_xdsl.frontend.ll_reader import read_ll

    text = f"""
    define {t} @f({t} %a, {t} %b, {t} %c) {{
      %x = fmul {t} %a, %b
      %y = fadd {t} %x, %c
      %z = fmul {t} %a, %y
      %r = fsub {t} %c, %z
      ret {t} %r
    }}"""
    for fmad in (False, True):
        made = select_module(read_ll(text), CodegenOptions.for_arch("sm_80", fmad=fmad))
        names = [op.name.removeprefix("nvptx.") for op in made.walk()]
        assert names.count("fma") == (2 if fmad else 0)
        assert names.count("mul") == (0 if fmad else 2)
        products = [op for op in made.walk() if op.name in ("nvptx.mul", "nvptx.add", "nvptx.sub")]
        assert all("rn" in op.mods.split(".") for op in products)  # pyright: ignore


@pytest.mark.parametrize("ftz", [False, True])
def test_flushing_marks_f32_only(ftz: bool):
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.codegen.select import select_module
    from nvvm_xdsl.frontend.ll_reader import read_ll

    text = """
    define double @f(float %a, float %b, half %c, double %d) {
      %x = fmul float %a, %b
      %y = fdiv float %x, %b
      %z = fmul half %c, %c
      %w = fpext half %z to double
      %v = fpext float %y to double
      %u = fadd double %v, %w
      %t = fadd double %u, %d
      ret double %t
    }"""
    made = select_module(read_ll(text), CodegenOptions.for_arch("sm_80", ftz=ftz))
    for op in made.walk():
        if op.name in ("nvptx.mul", "nvptx.div", "nvptx.add"):
            words = op.mods.split(".")  # pyright: ignore
            assert ("ftz" in words) == (ftz and "f32" in words)
