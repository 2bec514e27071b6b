"""Arithmetic, comparisons and conversions in the llvm dialect."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.llvm import AddressOfOp, GlobalOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.llvm.flags import (
    NSW,
    NUW,
    is_disjoint,
    is_exact,
    is_non_negative,
    overflow_flags,
)
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.execution.memory import GENERIC, GLOBAL, WINDOW_OF_SPACE, WINDOW_SHIFT
from nvvm_xdsl.simulator.llvm.semantics import Emit, LLVMSemantics
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.ptx.packing import join, split

ICMP = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
FCMP = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true")  # fmt: skip


def _pairs(
    semantics: LLVMSemantics, op: Operation, to: FunctionCompiler
) -> list[tuple[Leaf, Leaf]]:
    a, b = fast.operands_of(op)
    return list(zip(to.leaves(a), to.leaves(b)))


def _overflow(name: str, a: Leaf, b: Leaf, kind: ScalarType, flags: int) -> list[str]:
    found: list[str] = []
    for flag, signed in ((NSW, True), (NUW, False)):
        if flags & flag:
            found.append(
                f"L.poison({kind.bits}, L.overflows('{name}', {a.name}, {b.name}, {kind.bits}, {signed}))"
            )
    return found


def union(parts: Sequence[str | None]) -> str | None:
    """The expression for lanes undefined in any part; None if no part has such lanes."""
    real = [p for p in parts if p]
    if not real:
        return None
    return real[0] if len(real) == 1 else f"L.either({', '.join(real)})"


def _integer_arithmetic(name: str, symbol: str) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        kind = semantics.kind(op.results[0])
        flags = overflow_flags(op)
        out: list[Leaf | str] = []
        for a, b in _pairs(semantics, op, to):
            undefined = semantics.spread(kind, (a, b))
            if kind.is_bool:
                # For i1 a sum or difference is an exclusive or, and a product is a conjunction.
                value = f"{a.name} {'&' if name == 'mul' else '^'} {b.name}"
            elif kind.bits in (8, 16, 32, 64):
                value = f"{a.name} {symbol} {b.name}"
            else:
                value = f"L.wrap({a.name} {symbol} {b.name}, {kind.bits})"
            if semantics.tracking and flags and not kind.is_bool:
                undefined = union([undefined, *_overflow(name, a, b, kind, flags)])
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _division(function: str) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        kind = semantics.kind(op.results[0])
        out: list[Leaf | str] = []
        for a, b in _pairs(semantics, op, to):
            undefined = semantics.spread(kind, (a, b))
            if semantics.tracking:
                site = to.site(op)
                if b.undefined:
                    to.line(f"blk.check_defined(m, {b.undefined}, {site}, 'a divisor')")
                to.line(f"blk.check_divisor(m, {b.name}, {site})")
                if function[0] == "s":
                    x, y = (f"{v.name}.view(u1)" if kind.is_bool else v.name for v in (a, b))
                    over = f"L.quotient_overflows({x}, {y}, {kind.bits})"
                    to.line(f"blk.check_quotient(m, {over}, {site})")
                if is_exact(op):
                    signed = "srem" if function[0] == "s" else "urem"
                    undefined = union(
                        [
                            undefined,
                            f"L.poison({kind.bits}, L.{signed}({a.name}, {b.name}, {kind.bits}) != 0)",
                        ]
                    )
            if kind.is_bool:
                value = f"(L.{function}({a.name}.view(u1), {b.name}.view(u1), 1) & u1(1)) != 0"
            else:
                value = f"L.{function}({a.name}, {b.name}, {kind.bits})"
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _shift(name: str) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        kind = semantics.kind(op.results[0])
        bits = kind.bits
        flags = overflow_flags(op)
        out: list[Leaf | str] = []
        for a, b in _pairs(semantics, op, to):
            undefined = None
            if kind.is_bool:
                out.append(
                    Leaf(
                        f"{a.name} & ~{b.name}" if name != "ashr" else a.name,
                        semantics.spread(kind, (a, b)),
                    )
                )
                continue
            if semantics.tracking:
                parts: list[str | None] = [f"L.poison({bits}, {b.name} >= {bits})"]
                if a.undefined or b.undefined:
                    parts.append(
                        f"L.undefined_shift('{name}', {a.undefined or 0}, {b.name}, {b.undefined or 0}, {bits})"
                    )
                back = f"L.shl({a.name}, {b.name}, {bits})"
                if flags & NSW:
                    parts.append(f"L.poison({bits}, L.ashr({back}, {b.name}, {bits}) != {a.name})")
                if flags & NUW:
                    parts.append(f"L.poison({bits}, L.lshr({back}, {b.name}, {bits}) != {a.name})")
                if is_exact(op):
                    shifted = f"L.{name}({a.name}, {b.name}, {bits})"
                    parts.append(
                        f"L.poison({bits}, L.shl({shifted}, {b.name}, {bits}) != {a.name})"
                    )
                undefined = union(parts)
            out.append(Leaf(f"L.{name}({a.name}, {b.name}, {bits})", undefined))
        to.define(op.results[0], out)

    return emit


def _bitwise(name: str, symbol: str) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        kind = semantics.kind(op.results[0])
        out: list[Leaf | str] = []
        for a, b in _pairs(semantics, op, to):
            undefined = None
            if semantics.tracking:
                parts: list[str | None] = []
                if a.undefined or b.undefined:
                    if name == "xor" or kind.bits > 64:
                        parts.append(union([a.undefined, b.undefined]))
                    else:
                        parts.append(
                            f"L.undefined_{name}({a.name}, {b.name}, {a.undefined or 0}, {b.undefined or 0})"
                        )
                if is_disjoint(op):
                    parts.append(f"L.poison({kind.bits}, ({a.name} & {b.name}) != 0)")
                undefined = union(parts)
            out.append(Leaf(f"{a.name} {symbol} {b.name}", undefined))
        to.define(op.results[0], out)

    return emit


def _icmp(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    predicate = predicate_of(op)
    kind = semantics.kind(fast.operands_of(op)[0])
    signed = 2 <= predicate <= 5
    out: list[Leaf | str] = []
    for a, b in _pairs(semantics, op, to):
        x, y = a.name, b.name
        if kind.is_bool:
            x, y = f"{x}.view(u1)", f"{y}.view(u1)"
        if signed:
            x, y = (f"L.signed({v}, {kind.bits})" for v in (x, y))
        value = f"{x} {ICMP[predicate]} {y}"
        if kind.bits > 64:
            value = f"({value}).astype(bool)"
        undefined = semantics.spread(ScalarType(1), (a, b))
        if semantics.tracking and "samesign" in op.properties:
            differ = f"(L.signed({x}, {kind.bits}) < 0) != (L.signed({y}, {kind.bits}) < 0)"
            undefined = union([undefined, f"L.poison(1, {differ})"])
        out.append(Leaf(value, undefined))
    to.define(op.results[0], out)


def float_comparison(name: str, x: str, y: str) -> str:
    """The expression of an `fcmp` on NumPy floats."""
    simple = {"eq": "==", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}
    unordered = f"(({x} != {x}) | ({y} != {y}))"
    if name == "ord":
        return f"~{unordered}"
    if name == "uno":
        return unordered
    if name == "one":
        return f"({x} < {y}) | ({x} > {y})"
    if name == "ueq":
        return f"~(({x} < {y}) | ({x} > {y}))"
    if name == "une":
        return f"{x} != {y}"
    if name in ("true", "false"):
        return f"({x} == {x}) {'|' if name == 'true' else '&'} ({x} != {x})"
    compare = f"({x} {simple[name[1:]]} {y})"
    return compare if name[0] == "o" else f"{compare} | {unordered}"


def _fcmp(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    name = FCMP[predicate_of(op)]
    kind = semantics.kind(fast.operands_of(op)[0])
    ftz = semantics.flushes(op, kind)
    out: list[Leaf | str] = []
    for a, b in _pairs(semantics, op, to):
        x, y = a.name, b.name
        if kind.fmt == "bf16":
            x, y = (to.assign(f"F.widen({v}, 'bf16')") for v in (x, y))
        elif ftz:
            x, y = (to.assign(f"F.flush({v}, 'f32')") for v in (x, y))
        out.append(Leaf(float_comparison(name, x, y), semantics.spread(ScalarType(1), (a, b))))
    to.define(op.results[0], out)


def _float_arithmetic(function: str) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        kind = semantics.kind(op.results[0])
        ftz = ", 'rn', True" if semantics.flushes(op, kind) and function != "remainder" else ""
        to.define(
            op.results[0],
            [
                Leaf(
                    f"F.{function}({a.name}, {b.name}, '{kind.fmt}'{ftz})",
                    semantics.spread(kind, (a, b)),
                )
                for a, b in _pairs(semantics, op, to)
            ],
        )

    return emit


def _fneg(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    kind = semantics.kind(a)
    to.define(
        op.results[0],
        [
            Leaf(f"F.negate({leaf.name}, '{kind.fmt}')", semantics.spread(kind, (leaf,)))
            for leaf in to.leaves(a)
        ],
    )


# Conversions


def _resize(sign: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        (a,) = fast.operands_of(op)
        source, target = semantics.kind(a), semantics.kind(op.results[0])
        flags = overflow_flags(op)
        out: list[Leaf | str] = []
        for leaf in to.leaves(a):
            undefined = None
            if semantics.tracking:
                parts: list[str | None] = []
                if leaf.undefined:
                    parts.append(
                        f"L.undefined_resize({leaf.undefined}, {source.bits}, {target.bits}, {sign})"
                    )
                cut = f"L.resize({leaf.name}, {source.bits}, {target.bits}, False)"
                if target.is_bool:
                    cut += ".view(u1)"
                for flag, kept in ((NSW, True), (NUW, False)):
                    if flags & flag:
                        width = max(target.bits, 1)
                        parts.append(
                            f"L.poison({target.bits}, L.resize({cut}, {width}, {source.bits}, {kept}) != {leaf.name})"
                        )
                if is_non_negative(op) and not source.is_bool:
                    parts.append(
                        f"L.poison({target.bits}, L.signed({leaf.name}, {source.bits}) < 0)"
                    )
                undefined = union(parts)
            if source.is_bool and not sign:
                value = f"L.from_bool({leaf.name}, {target.bits})"
            else:
                value = f"L.resize({leaf.name}, {source.bits}, {target.bits}, {sign})"
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _float_resize(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    source, target = semantics.kind(a), semantics.kind(op.results[0])
    ftz = semantics.flushes(op, source) or semantics.flushes(op, target)
    to.define(
        op.results[0],
        [
            Leaf(
                f"F.convert({leaf.name}, '{source.fmt}', '{target.fmt}', 'rn', {ftz})",
                semantics.spread(target, (leaf,)),
            )
            for leaf in to.leaves(a)
        ],
    )


def _float_to_integer(signed: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        (a,) = fast.operands_of(op)
        source, target = semantics.kind(a), semantics.kind(op.results[0])
        out: list[Leaf | str] = []
        for leaf in to.leaves(a):
            if target.is_bool:
                value = f"(F.to_integer({leaf.name}, '{source.fmt}', 8, {signed}) & u1(1)) != 0"
            elif target.bits > 64:
                value = f"L.float_to_big({leaf.name}, '{source.fmt}', {target.bits}, {signed})"
            else:
                value = f"F.to_integer({leaf.name}, '{source.fmt}', {target.bits}, {signed})"
                if target.bits not in (8, 16, 32, 64):
                    value = f"L.wrap({value}, {target.bits})"
            undefined = semantics.spread(target, (leaf,))
            if semantics.tracking and not target.is_bool:
                outside = f"L.float_outside(F.widen({leaf.name}, '{source.fmt}'), {target.bits}, {signed})"
                undefined = union([undefined, f"L.poison({target.bits}, {outside})"])
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _integer_to_float(signed: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        (a,) = fast.operands_of(op)
        source, target = semantics.kind(a), semantics.kind(op.results[0])
        out: list[Leaf | str] = []
        for leaf in to.leaves(a):
            if source.bits > 64:
                value = f"L.big_to_float({leaf.name}, {source.bits}, {signed}, '{target.fmt}')"
            else:
                container = {"u1": 8, "u2": 16, "u4": 32, "u8": 64}[source.unsigned]
                raw = f"L.resize({leaf.name}, {source.bits}, {container}, {signed})"
                value = f"F.from_integer({raw if source.bits != container else leaf.name}, {signed}, '{target.fmt}')"
            undefined = semantics.spread(target, (leaf,))
            if semantics.tracking and is_non_negative(op) and not source.is_bool:
                undefined = union(
                    [
                        undefined,
                        f"L.poison({target.bits}, L.signed({leaf.name}, {source.bits}) < 0)",
                    ]
                )
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _bitcast(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    source, target = semantics.kinds(a), semantics.kinds(op.results[0])
    leaves = to.leaves(a)
    if len(source) == len(target):
        to.define(
            op.results[0],
            [
                Leaf(
                    t.from_bits(to.assign(s.to_bits(leaf.name))) if not t.is_bool else leaf.name,
                    leaf.undefined,
                )
                for s, t, leaf in zip(source, target, leaves)
            ],
        )
        return
    to.define(op.results[0], split(to, join(to, source, leaves), target))


def _pointer_integer(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    source, target = semantics.kind(a), semantics.kind(op.results[0])
    to.define(
        op.results[0],
        [
            Leaf(
                f"L.resize({leaf.name}, {source.bits}, {target.bits}, False)",
                semantics.spread(target, (leaf,)),
            )
            for leaf in to.leaves(a)
        ],
    )


def _address_space_cast(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    """Adds or removes the window of a state space, also for a null pointer, as `cvta` does.

    In an initializer a number that is not based on a variable is unchanged, because PTX has no
    expression for the start of a window.
    """
    (a,) = fast.operands_of(op)
    source = WINDOW_OF_SPACE.get(pointer_space(a.type), GENERIC)
    target = WINDOW_OF_SPACE.get(pointer_space(op.results[0].type), GENERIC)
    same = source == target or {source, target} <= {GENERIC, GLOBAL}
    if type(to.info.op) is GlobalOp and not _names_variable(a):
        same = True
    out: list[Leaf | str] = []
    for leaf in to.leaves(a):
        name = leaf.name
        if same:
            value = name
        elif target == GENERIC:
            value = f"{name} + {to.array(source << WINDOW_SHIFT, np.uint64)}"
        elif source == GENERIC:
            value = f"{name} & {to.array((1 << WINDOW_SHIFT) - 1, np.uint64)}"
        else:
            raise to.unsupported(op, "a cast between two specific address spaces")
        out.append(Leaf(value, leaf.undefined))
    to.define(op.results[0], out)


def _names_variable(value: SSAValue) -> bool:
    """Whether a value of an initializer depends on the address of a variable or function."""
    pending = [value]
    while pending:
        op = fast.producer_of(pending.pop())
        if type(op) is AddressOfOp:
            return True
        pending += fast.operands_of(op)
    return False


ARITHMETIC: dict[str, Emit] = {
    "llvm.add": _integer_arithmetic("add", "+"),
    "llvm.sub": _integer_arithmetic("sub", "-"),
    "llvm.mul": _integer_arithmetic("mul", "*"),
    "llvm.sdiv": _division("sdiv"),
    "llvm.udiv": _division("udiv"),
    "llvm.srem": _division("srem"),
    "llvm.urem": _division("urem"),
    "llvm.shl": _shift("shl"),
    "llvm.lshr": _shift("lshr"),
    "llvm.ashr": _shift("ashr"),
    "llvm.and": _bitwise("and", "&"),
    "llvm.or": _bitwise("or", "|"),
    "llvm.xor": _bitwise("xor", "^"),
    "llvm.icmp": _icmp,
    "llvm.fcmp": _fcmp,
    "llvm.fadd": _float_arithmetic("add"),
    "llvm.fsub": _float_arithmetic("sub"),
    "llvm.fmul": _float_arithmetic("mul"),
    "llvm.fdiv": _float_arithmetic("div"),
    "llvm.frem": _float_arithmetic("remainder"),
    "llvm.fneg": _fneg,
    "llvm.trunc": _resize(False),
    "llvm.zext": _resize(False),
    "llvm.sext": _resize(True),
    "llvm.fpext": _float_resize,
    "llvm.fptrunc": _float_resize,
    "llvm.fptosi": _float_to_integer(True),
    "llvm.fptoui": _float_to_integer(False),
    "llvm.sitofp": _integer_to_float(True),
    "llvm.uitofp": _integer_to_float(False),
    "llvm.bitcast": _bitcast,
    "llvm.ptrtoint": _pointer_integer,
    "llvm.inttoptr": _pointer_integer,
    "llvm.addrspacecast": _address_space_cast,
}
