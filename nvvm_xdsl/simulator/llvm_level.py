"""The meaning of the llvm dialect's ops (LLVM Language Reference, MLIR's LLVM dialect)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import float_bits
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.branches import edges_of
from nvvm_xdsl.ir.types import address_space_of
from nvvm_xdsl.simulator import globals as placing
from nvvm_xdsl.simulator import intrinsics
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf, Level
from nvvm_xdsl.simulator.kinds import Kind, TypeMap
from nvvm_xdsl.simulator.memory import CODE, GENERIC, GLOBAL, SHARED, WINDOW_OF_SPACE, WINDOW_SHIFT

ICMP = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
FCMP = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true")  # fmt: skip
ATOMIC = (
    "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax",
    "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat", "fmaximum", "fminimum",
)  # fmt: skip
NSW, NUW = 1, 2

Emit = Callable[["LLVMLevel", Operation, FunctionCompiler], None]
Leaves = list[Leaf]


def integer_of(attribute: Attribute | None, default: int = 0) -> int:
    """The number of an integer attribute."""
    if isinstance(attribute, IntegerAttr):
        return attribute.value.data
    return default


def flags_of(op: Operation) -> int:
    """An op's overflow flags: bit 0 `nsw`, bit 1 `nuw`."""
    attribute = op.properties.get("overflowFlags")
    if attribute is None:
        return 0
    if isinstance(attribute, IntegerAttr):
        return cast("IntegerAttr[IntegerType]", attribute).value.data
    text = str(attribute)
    return (NSW if "nsw" in text else 0) | (NUW if "nuw" in text else 0)


class LLVMLevel(Level):
    """The IR."""

    def __init__(self, program: Any, types: TypeMap, tracking: bool) -> None:
        self.program = program
        self.types = types
        self.tracking = tracking
        self._flushing: dict[Operation, bool] = {}

    def leaf_count(self, type_: Attribute) -> int:
        return len(self.types.placed(type_))

    def kinds(self, value: SSAValue) -> list[Kind]:
        """The scalars of a value."""
        return self.types.kinds(value.type)

    def kind(self, value: SSAValue) -> Kind:
        """The kind of a value's scalars, which are all of one kind."""
        return self.types.kinds(value.type)[0]

    def edges(self, terminator: Operation) -> list[tuple[Block, tuple[SSAValue, ...]]]:
        return edges_of(terminator)

    def flushes(self, op: Operation, kind: Kind) -> bool:
        """Whether the function asks for subnormal f32 numbers to be flushed."""
        if kind.fmt != "f32":
            return False
        function = op.parent_op()
        while function is not None and function.name != "llvm.func":
            function = function.parent_op()
        if function is None:
            return False
        known = self._flushing.get(function)
        if known is None:
            known = self._flushing[function] = placing.flushes_denormals(function)
        return known

    def waits(self, op: Operation) -> bool:
        name = op.name
        if name == "llvm.call":
            return self.program.call_waits(op)
        if name == "llvm.call_intrinsic":
            return intrinsics.waits(cast(StringAttr, op.properties["intrin"]).data)
        if name == "llvm.inline_asm":
            return intrinsics.asm_waits(op)
        return name in intrinsics.WAITING_OPS

    def emit(self, op: Operation, to: FunctionCompiler) -> None:
        emit = EMIT.get(op.name)
        if emit is None:
            if not intrinsics.emit_op(self, op, to):
                raise to.unsupported(op)
            return
        emit(self, op, to)

    # Shared by several ops

    def window(self, pointer: SSAValue) -> int:
        """The window that a pointer's type names."""
        space = address_space_of(cast(LLVMPointerType, pointer.type))
        return WINDOW_OF_SPACE.get(space, GENERIC)

    def spread(self, kind: Kind, leaves: Sequence[Leaf]) -> str | None:
        """The undefined bits of a result that depends on all bits of its operands."""
        if not self.tracking:
            return None
        names = [leaf.undefined for leaf in leaves if leaf.undefined]
        return f"L.spread({kind.bits}, {', '.join(names)})" if names else None

    def access(
        self,
        op: Operation,
        to: FunctionCompiler,
        pointer: SSAValue,
        size: int,
        alignment: int,
        kind: str,
    ) -> str:
        """A variable that holds the checked access."""
        leaf = to.leaf(pointer)
        site = to.site(op)
        if leaf.undefined:
            to.line(f"blk.check_defined(m, {leaf.undefined}, {site}, 'an address')")
        return to.assign(
            f"blk.access({site}, m, {leaf.name}, {self.window(pointer)}, {size}, {alignment}, '{kind}')"
        )

    def load(self, to: FunctionCompiler, access: str, type_: Attribute) -> Leaves:
        """The scalars of a type read from memory."""
        return [
            self.load_scalar(to, access, offset, kind) for offset, kind in self.types.placed(type_)
        ]

    def load_scalar(self, to: FunctionCompiler, access: str, offset: int, kind: Kind) -> Leaf:
        """One scalar read from memory."""
        parts = _pieces(kind.size)
        undefined = None
        if self.tracking:
            reads = [f"{access}.load_undefined({size}, {offset + at})" for at, size in parts]
            undefined = to.assign(reads[0] if len(parts) == 1 else _joined(reads, parts, kind))
        if len(parts) == 1:
            raw = to.assign(f"{access}.load({parts[0][1]}, {offset})")
            if kind.is_bool:
                return Leaf(f"({raw} & u1(1)) != 0", undefined)
            if not kind.fmt and kind.bits < parts[0][1] * 8:
                return Leaf(f"L.wrap({raw}, {kind.bits})", undefined)
            return Leaf(kind.from_bits(raw), undefined)
        wide = "object" if kind.bits > 64 else kind.unsigned
        terms = [
            f"({access}.load({size}, {offset + at}).astype({wide}) << {8 * at if kind.bits > 64 else f'{wide}({8 * at})'})"
            for at, size in parts
        ]
        return Leaf(f"L.wrap({' | '.join(terms)}, {kind.bits})", undefined)

    def store(
        self, to: FunctionCompiler, access: str, type_: Attribute, leaves: Sequence[Leaf]
    ) -> None:
        """Writes the scalars of a type."""
        for (offset, kind), leaf in zip(self.types.placed(type_), leaves):
            raw = to.assign(kind.to_bits(leaf.name))
            for at, size in _pieces(kind.size):
                if at or size * 8 < kind.bits:
                    if kind.bits > 64:
                        part = f"L.resize(L.lshr({raw}, np.array([{8 * at}], object), {kind.bits}), {kind.bits}, {8 * size}, False)"
                    else:
                        part = f"L.resize({raw} >> {kind.unsigned}({8 * at}), {kind.bits}, {8 * size}, False)"
                else:
                    part = raw
                to.line(f"{access}.store({part}, {size}, {offset + at})")
                if leaf.undefined:
                    shadow = leaf.undefined
                    if len(_pieces(kind.size)) > 1:
                        shadow = f"L.undefined_extract({shadow}, {kind.bits}, {8 * size}, {8 * at})"
                    to.line(f"{access}.store_undefined({shadow}, {size}, {offset + at})")


def _joined(reads: Sequence[str], parts: Sequence[tuple[int, int]], kind: Kind) -> str:
    """The undefined bits of a scalar that is read in pieces."""
    width = 8 * kind.size
    terms = [
        f"L.undefined_place({r}, {8 * n}, {width}, {8 * at})" for r, (at, n) in zip(reads, parts)
    ]
    return f"L.either({', '.join(terms)})"


def _pieces(size: int) -> list[tuple[int, int]]:
    """How `size` bytes are read: offsets and powers of two."""
    out: list[tuple[int, int]] = []
    at = 0
    while size:
        piece = 8 if size >= 8 else 1 << (size.bit_length() - 1)
        out.append((at, piece))
        at += piece
        size -= piece
    return out


# Arithmetic


def _pairs(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> list[tuple[Leaf, Leaf]]:
    a, b = fast.operands_of(op)
    return list(zip(to.leaves(a), to.leaves(b)))


def _overflow(name: str, a: Leaf, b: Leaf, kind: Kind, flags: int) -> list[str]:
    found: list[str] = []
    for flag, signed in ((NSW, True), (NUW, False)):
        if flags & flag:
            found.append(
                f"L.poison({kind.bits}, L.overflows('{name}', {a.name}, {b.name}, {kind.bits}, {signed}))"
            )
    return found


def _union(parts: Sequence[str | None]) -> str | None:
    real = [p for p in parts if p]
    if not real:
        return None
    return real[0] if len(real) == 1 else f"L.either({', '.join(real)})"


def _integer_arithmetic(name: str, symbol: str) -> Emit:
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        kind = level.kind(op.results[0])
        flags = flags_of(op)
        out: list[Leaf | str] = []
        for a, b in _pairs(level, op, to):
            undefined = level.spread(kind, (a, b))
            if kind.is_bool:
                # One bit: a sum or difference is the exclusive or, a product the conjunction.
                value = f"{a.name} {'&' if name == 'mul' else '^'} {b.name}"
            elif kind.bits in (8, 16, 32, 64):
                value = f"{a.name} {symbol} {b.name}"
            else:
                value = f"L.wrap({a.name} {symbol} {b.name}, {kind.bits})"
            if level.tracking and flags and not kind.is_bool:
                undefined = _union([undefined, *_overflow(name, a, b, kind, flags)])
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _division(function: str) -> Emit:
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        kind = level.kind(op.results[0])
        out: list[Leaf | str] = []
        for a, b in _pairs(level, op, to):
            undefined = level.spread(kind, (a, b))
            if level.tracking:
                site = to.site(op)
                if b.undefined:
                    to.line(f"blk.check_defined(m, {b.undefined}, {site}, 'a divisor')")
                to.line(f"blk.check_divisor(m, {b.name}, {site})")
                if "isExact" in op.properties:
                    signed = "srem" if function[0] == "s" else "urem"
                    undefined = _union(
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
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        kind = level.kind(op.results[0])
        bits = kind.bits
        flags = flags_of(op)
        out: list[Leaf | str] = []
        for a, b in _pairs(level, op, to):
            undefined = None
            if kind.is_bool:
                out.append(
                    Leaf(
                        f"{a.name} & ~{b.name}" if name != "ashr" else a.name,
                        level.spread(kind, (a, b)),
                    )
                )
                continue
            if level.tracking:
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
                if "isExact" in op.properties:
                    shifted = f"L.{name}({a.name}, {b.name}, {bits})"
                    parts.append(
                        f"L.poison({bits}, L.shl({shifted}, {b.name}, {bits}) != {a.name})"
                    )
                undefined = _union(parts)
            out.append(Leaf(f"L.{name}({a.name}, {b.name}, {bits})", undefined))
        to.define(op.results[0], out)

    return emit


def _bitwise(name: str, symbol: str) -> Emit:
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        kind = level.kind(op.results[0])
        out: list[Leaf | str] = []
        for a, b in _pairs(level, op, to):
            undefined = None
            if level.tracking:
                parts: list[str | None] = []
                if a.undefined or b.undefined:
                    if name == "xor" or kind.bits > 64:
                        parts.append(_union([a.undefined, b.undefined]))
                    else:
                        parts.append(
                            f"L.undefined_{name}({a.name}, {b.name}, {a.undefined or 0}, {b.undefined or 0})"
                        )
                if "isDisjoint" in op.properties:
                    parts.append(f"L.poison({kind.bits}, ({a.name} & {b.name}) != 0)")
                undefined = _union(parts)
            out.append(Leaf(f"{a.name} {symbol} {b.name}", undefined))
        to.define(op.results[0], out)

    return emit


def _icmp(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    predicate = integer_of(op.properties["predicate"])
    kind = level.kind(fast.operands_of(op)[0])
    signed = 2 <= predicate <= 5
    out: list[Leaf | str] = []
    for a, b in _pairs(level, op, to):
        x, y = a.name, b.name
        if kind.is_bool:
            x, y = f"{x}.view(u1)", f"{y}.view(u1)"
        if signed:
            x, y = (f"L.signed({v}, {kind.bits})" for v in (x, y))
        value = f"{x} {ICMP[predicate]} {y}"
        if kind.bits > 64:
            value = f"({value}).astype(bool)"
        undefined = level.spread(Kind(1), (a, b))
        if level.tracking and "samesign" in op.properties:
            differ = f"(L.signed({x}, {kind.bits}) < 0) != (L.signed({y}, {kind.bits}) < 0)"
            undefined = _union([undefined, f"L.poison(1, {differ})"])
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


def _fcmp(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    name = FCMP[integer_of(op.properties["predicate"])]
    kind = level.kind(fast.operands_of(op)[0])
    ftz = level.flushes(op, kind)
    out: list[Leaf | str] = []
    for a, b in _pairs(level, op, to):
        x, y = a.name, b.name
        if kind.fmt == "bf16":
            x, y = (to.assign(f"F.widen({v}, 'bf16')") for v in (x, y))
        elif ftz:
            x, y = (to.assign(f"F.flush({v}, 'f32')") for v in (x, y))
        out.append(Leaf(float_comparison(name, x, y), level.spread(Kind(1), (a, b))))
    to.define(op.results[0], out)


def _float_arithmetic(function: str) -> Emit:
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        kind = level.kind(op.results[0])
        ftz = ", 'rn', True" if level.flushes(op, kind) and function != "remainder" else ""
        to.define(
            op.results[0],
            [
                Leaf(
                    f"F.{function}({a.name}, {b.name}, '{kind.fmt}'{ftz})",
                    level.spread(kind, (a, b)),
                )
                for a, b in _pairs(level, op, to)
            ],
        )

    return emit


def _fneg(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    kind = level.kind(a)
    to.define(
        op.results[0],
        [
            Leaf(f"F.negate({leaf.name}, '{kind.fmt}')", level.spread(kind, (leaf,)))
            for leaf in to.leaves(a)
        ],
    )


# Conversions


def _resize(sign: bool) -> Emit:
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        (a,) = fast.operands_of(op)
        source, target = level.kind(a), level.kind(op.results[0])
        flags = flags_of(op)
        out: list[Leaf | str] = []
        for leaf in to.leaves(a):
            undefined = None
            if level.tracking:
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
                if "nonNeg" in op.properties and not source.is_bool:
                    parts.append(
                        f"L.poison({target.bits}, L.signed({leaf.name}, {source.bits}) < 0)"
                    )
                undefined = _union(parts)
            if source.is_bool and not sign:
                value = f"L.from_bool({leaf.name}, {target.bits})"
            else:
                value = f"L.resize({leaf.name}, {source.bits}, {target.bits}, {sign})"
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _float_resize(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    source, target = level.kind(a), level.kind(op.results[0])
    ftz = level.flushes(op, source) or level.flushes(op, target)
    to.define(
        op.results[0],
        [
            Leaf(
                f"F.convert({leaf.name}, '{source.fmt}', '{target.fmt}', 'rn', {ftz})",
                level.spread(target, (leaf,)),
            )
            for leaf in to.leaves(a)
        ],
    )


def _float_to_integer(signed: bool) -> Emit:
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        (a,) = fast.operands_of(op)
        source, target = level.kind(a), level.kind(op.results[0])
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
            undefined = level.spread(target, (leaf,))
            if level.tracking and not target.is_bool:
                outside = f"L.float_outside(F.widen({leaf.name}, '{source.fmt}'), {target.bits}, {signed})"
                undefined = _union([undefined, f"L.poison({target.bits}, {outside})"])
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _integer_to_float(signed: bool) -> Emit:
    def emit(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
        (a,) = fast.operands_of(op)
        source, target = level.kind(a), level.kind(op.results[0])
        out: list[Leaf | str] = []
        for leaf in to.leaves(a):
            if source.bits > 64:
                value = f"L.big_to_float({leaf.name}, {source.bits}, {signed}, '{target.fmt}')"
            else:
                container = {"u1": 8, "u2": 16, "u4": 32, "u8": 64}[source.unsigned]
                raw = f"L.resize({leaf.name}, {source.bits}, {container}, {signed})"
                value = f"F.from_integer({raw if source.bits != container else leaf.name}, {signed}, '{target.fmt}')"
            undefined = level.spread(target, (leaf,))
            if level.tracking and "nonNeg" in op.properties and not source.is_bool:
                undefined = _union(
                    [
                        undefined,
                        f"L.poison({target.bits}, L.signed({leaf.name}, {source.bits}) < 0)",
                    ]
                )
            out.append(Leaf(value, undefined))
        to.define(op.results[0], out)

    return emit


def _bitcast(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    source, target = level.kinds(a), level.kinds(op.results[0])
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
    total = source[0].bits * len(source)
    container = "object" if total > 64 else Kind(total).unsigned
    pieces: list[str] = []
    shadows: list[str] = []
    for i, (kind, leaf) in enumerate(zip(source, leaves)):
        shift = i * kind.bits
        raw = to.assign(kind.to_bits(leaf.name))
        amount = str(shift) if total > 64 else f"{container}({shift})"
        pieces.append(f"(L.resize({raw}, {max(kind.bits, 2)}, {total}, False) << {amount})")
        if leaf.undefined:
            shadows.append(f"L.undefined_place({leaf.undefined}, {kind.bits}, {total}, {shift})")
    whole = to.assign(f"L.wrap({' | '.join(pieces)}, {total})")
    undefined = to.assign(f"L.either({', '.join(shadows)})") if shadows else None
    out: list[Leaf | str] = []
    for i, kind in enumerate(target):
        shift = i * kind.bits
        if total > 64:
            amount = f"np.array([{shift}], object)"
        else:
            amount = f"np.array([{shift}], {container})"
        raw = to.assign(
            f"L.resize(L.lshr({whole}, {amount}, {total}), {total}, {max(kind.bits, 2)}, False)"
        )
        shadow = None
        if undefined:
            shadow = f"L.undefined_extract({undefined}, {total}, {kind.bits}, {shift})"
        if kind.is_bool:
            out.append(Leaf(f"({raw} & u1(1)) != 0", shadow))
        else:
            out.append(Leaf(kind.from_bits(f"L.wrap({raw}, {kind.bits})"), shadow))
    to.define(op.results[0], out)


def _pointer_integer(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    source, target = level.kind(a), level.kind(op.results[0])
    to.define(
        op.results[0],
        [
            Leaf(
                f"L.resize({leaf.name}, {source.bits}, {target.bits}, False)",
                level.spread(target, (leaf,)),
            )
            for leaf in to.leaves(a)
        ],
    )


def _address_space_cast(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    source = WINDOW_OF_SPACE.get(_space(a.type), GENERIC)
    target = WINDOW_OF_SPACE.get(_space(op.results[0].type), GENERIC)
    out: list[Leaf | str] = []
    for leaf in to.leaves(a):
        name = leaf.name
        if source == target or {source, target} <= {GENERIC, GLOBAL}:
            value = name
        elif target == GENERIC:
            value = f"{name} | {to.array(source << WINDOW_SHIFT, np.uint64)}"
        elif source == GENERIC:
            value = f"{name} & {to.array((1 << WINDOW_SHIFT) - 1, np.uint64)}"
        else:
            raise to.unsupported(op, "a cast between two specific address spaces")
        out.append(Leaf(value, leaf.undefined))
    to.define(op.results[0], out)


def _space(type_: Attribute) -> int:
    if isinstance(type_, VectorType):
        type_ = cast("VectorType[Attribute]", type_).element_type
    return address_space_of(cast(LLVMPointerType, type_))


# Selection, constants, aggregates


def _select(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    condition, a, b = fast.operands_of(op)
    kinds = level.kinds(op.results[0])
    choices = to.leaves(condition)
    if len(choices) == 1:
        choices = choices * len(kinds)
    out: list[Leaf | str] = []
    for kind, c, x, y in zip(kinds, choices, to.leaves(a), to.leaves(b)):
        undefined = None
        if level.tracking:
            parts: list[str | None] = []
            if x.undefined or y.undefined:
                parts.append(
                    f"L.choose_undefined({c.name}, {x.undefined or 0}, {y.undefined or 0})"
                )
            if c.undefined:
                parts.append(f"L.spread({kind.bits}, {c.undefined})")
            undefined = _union(parts)
        out.append(Leaf(f"L.choose({c.name}, {x.name}, {y.name})", undefined))
    to.define(op.results[0], out)


def scalars_of(attribute: Attribute, type_: Attribute, types: TypeMap) -> list[int | None]:
    """The bits of the scalars of a constant; None for an undefined one.

    Raises ValueError for attributes that are no constants.
    """
    count = len(types.placed(type_))
    name = attribute.name
    if name == "llvm.zero":
        return [0] * count
    if name in ("llvm.undef", "llvm.poison"):
        return [None] * count
    if isinstance(attribute, IntegerAttr):
        return [attribute.value.data & ((1 << types.kinds(type_)[0].bits) - 1)]
    if isinstance(attribute, StringAttr):
        return list(attribute.data.encode("latin-1", "surrogateescape")[:count]) + [0] * max(
            0, count - len(attribute.data)
        )
    if isinstance(attribute, ArrayAttr):
        out: list[int | None] = []
        for i, element in enumerate(cast("ArrayAttr[Attribute]", attribute).data):
            out += scalars_of(element, types.part(type_, i)[1], types)
        return out
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        kind = types.kinds(type_)[0]
        data = np.frombuffer(attribute.data.data, np.uint8)
        if kind.is_bool:
            values = [int(v) & 1 for v in attribute.get_values()]
        elif kind.bits in (8, 16, 32, 64):
            values = [int(v) for v in data.view(f"u{kind.size}")]
        else:
            mask = (1 << kind.bits) - 1
            values = [int(cast(Any, v)) & mask for v in attribute.get_values()]
        return cast(
            "list[int | None]", values * count if len(values) == 1 and count > 1 else values
        )
    return [float_bits(attribute)]


def constant_leaf(to: FunctionCompiler, bits: int, kind: Kind) -> str:
    """The name of the constant that has these bits."""
    if kind.bits > 64:
        return to.constant(np.array([bits], object))
    raw = np.array([bits], np.uint8 if kind.is_bool else f"u{np.dtype(kind.dtype).itemsize}")
    return to.constant(raw != 0 if kind.is_bool else raw.view(kind.dtype))


def undefined_leaf(to: FunctionCompiler, kind: Kind) -> Leaf:
    """An undefined scalar."""
    shadow = object if kind.bits > 64 else f"u{np.dtype(kind.dtype).itemsize}"
    ones = np.array([(1 << kind.bits) - 1], shadow)
    return Leaf(constant_leaf(to, 0, kind), to.constant(ones) if to.tracking else None)


def _constant(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    value = op.properties["value"]
    type_ = op.results[0].type
    if isinstance(value, SymbolRefAttr):
        to.define(
            op.results[0],
            [to.array(level.program.function_address(value.root_reference.data), np.uint64)],
        )
        return
    kinds = level.kinds(op.results[0])
    try:
        scalars = scalars_of(value, type_, level.types)
    except (ValueError, TypeError) as error:
        raise to.unsupported(op, str(error)) from error
    to.define(
        op.results[0],
        [
            undefined_leaf(to, k) if s is None else constant_leaf(to, s, k)
            for s, k in zip(scalars, kinds)
        ],
    )


def _zero(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], [constant_leaf(to, 0, k) for k in level.kinds(op.results[0])])


def _undefined(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], [undefined_leaf(to, k) for k in level.kinds(op.results[0])])


def _freeze(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], [Leaf(leaf.name) for leaf in to.leaves(fast.operands_of(op)[0])])


def _address_of(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    name = cast(SymbolRefAttr, op.properties["global_name"]).root_reference.data
    window, address = level.program.symbol(name, op)
    if window == CODE:
        address |= CODE << WINDOW_SHIFT
    if window == SHARED:
        value = f"np.array([blk.shared_base + {address}], u8)"
        variable = to.temporary()
        to.prologue.append(f"{variable} = {value}")
        to.define(op.results[0], [variable])
        return
    if window not in (GLOBAL, CODE) and _space(op.results[0].type) == 0:
        address |= window << WINDOW_SHIFT
    to.define(op.results[0], [to.array(address, np.uint64)])


def _position(op: Operation) -> list[int]:
    return [int(i) for i in cast("DenseArrayBase[Any]", op.properties["position"]).get_values()]


def _extract_value(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (container,) = fast.operands_of(op)
    start, type_ = 0, container.type
    for index in _position(op):
        offset, type_ = level.types.part(type_, index)
        start += offset
    to.define(op.results[0], to.leaves(container)[start : start + level.leaf_count(type_)])


def _insert_value(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    a, b = fast.operands_of(op)
    # MLIR gives the container first; which operand it is shows in the type of the result.
    container, value = (a, b) if a.type == op.results[0].type else (b, a)
    start, type_ = 0, container.type
    for index in _position(op):
        offset, type_ = level.types.part(type_, index)
        start += offset
    leaves = list(to.leaves(container))
    leaves[start : start + level.leaf_count(type_)] = to.leaves(value)
    to.define(op.results[0], leaves)


def _extract_element(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    vector, position = fast.operands_of(op)
    leaves = to.leaves(vector)
    at = to.leaf(position)
    index = _known_index(position)
    kind = level.kind(op.results[0])
    if index is not None:
        to.define(
            op.results[0], [leaves[index] if index < len(leaves) else undefined_leaf(to, kind)]
        )
        return
    names = ", ".join(leaf.name for leaf in leaves)
    undefined = None
    if level.tracking:
        shadows = ", ".join(leaf.undefined or "0" for leaf in leaves)
        undefined = f"L.pick_undefined({at.name}, {kind.bits}, {shadows})"
        if at.undefined:
            undefined = f"L.either({undefined}, L.spread({kind.bits}, {at.undefined}))"
    to.define(op.results[0], [Leaf(f"L.pick({at.name}, {names})", undefined)])


def _known_index(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "llvm.mlir.constant":
        attribute = owner.properties["value"]
        if isinstance(attribute, IntegerAttr):
            return cast("IntegerAttr[IntegerType]", attribute).value.data
    return None


def _insert_element(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    operands = fast.operands_of(op)
    vector = next(o for o in operands if o.type == op.results[0].type)
    position = operands[-1]
    value = (
        next(o for o in operands if o is not vector and o is not position)
        if len(set(operands)) > 2
        else operands[0 if vector is operands[1] else 1]
    )
    leaves = list(to.leaves(vector))
    new = to.leaf(value)
    index = _known_index(position)
    if index is not None:
        if index < len(leaves):
            leaves[index] = new
        to.define(op.results[0], leaves)
        return
    at = to.leaf(position)
    out: list[Leaf | str] = []
    for i, old in enumerate(leaves):
        undefined = None
        if level.tracking and (old.undefined or new.undefined):
            undefined = (
                f"L.choose_undefined({at.name} == {i}, {new.undefined or 0}, {old.undefined or 0})"
            )
        out.append(Leaf(f"L.choose({at.name} == {i}, {new.name}, {old.name})", undefined))
    to.define(op.results[0], out)


def _shuffle_vector(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    a, b = fast.operands_of(op)
    both = [*to.leaves(a), *to.leaves(b)]
    kind = level.kind(op.results[0])
    mask = cast("DenseArrayBase[Any]", op.properties["mask"]).get_values()
    to.define(
        op.results[0], [undefined_leaf(to, kind) if int(i) < 0 else both[int(i)] for i in mask]
    )


# Memory


def _alignment(level: LLVMLevel, op: Operation, type_: Attribute) -> int:
    return integer_of(op.properties.get("alignment")) or level.types.layout.alignment(type_)


def _load(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (pointer,) = fast.operands_of(op)
    type_ = op.results[0].type
    how = (
        "atomic load"
        if integer_of(op.properties.get("ordering")) or "volatile_" in op.properties
        else "load"
    )
    access = level.access(
        op, to, pointer, level.types.layout.store_size(type_), _alignment(level, op, type_), how
    )
    to.define(op.results[0], level.load(to, access, type_))


def _store(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    value, pointer = fast.operands_of(op)
    type_ = value.type
    how = (
        "atomic store"
        if integer_of(op.properties.get("ordering")) or "volatile_" in op.properties
        else "store"
    )
    access = level.access(
        op, to, pointer, level.types.layout.store_size(type_), _alignment(level, op, type_), how
    )
    level.store(to, access, type_, to.leaves(value))


def _alloca(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    (count,) = fast.operands_of(op)
    type_ = op.properties["elem_type"]
    alignment = max(integer_of(op.properties.get("alignment")), level.types.layout.alignment(type_))
    known = _known_index(count)
    entry = op.parent_block()
    name = op.results[0].name_hint or "alloca"
    if known is None:
        raise to.unsupported(op, "an alloca of unknown size")
    size = max(known * level.types.layout.size(type_), 1)
    offset = to.allocate(size, alignment)
    to.line(f"blk.push_local(sp, {offset}, {size}, {name!r}, m)")
    del entry
    space = _space(op.results[0].type)
    window = WINDOW_OF_SPACE.get(space, GENERIC)
    to.define(op.results[0], [f"blk.local_pointer(sp + {offset}, {window == GENERIC})"])


def _gep(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    base, *dynamic = fast.operands_of(op)
    layout = level.types.layout
    indices = [
        int(i)
        for i in cast("DenseArrayBase[Any]", op.properties["rawConstantIndices"]).get_values()
    ]
    type_ = op.properties["elem_type"]
    dynamic_index = iter(dynamic)
    offset = 0
    terms: list[tuple[SSAValue, int]] = []
    current: Attribute = type_
    for depth, index in enumerate(indices):
        value = next(dynamic_index) if index == -(1 << 31) else None
        if depth == 0:
            scale = layout.size(type_)
        elif isinstance(current, LLVMStructType):
            if value is not None:
                index = _known_index(value) or 0
                value = None
            offset += layout.field_offsets(current)[index]
            current = current.types.data[index]
            continue
        else:
            element = (
                current.type
                if isinstance(current, LLVMArrayType)
                else cast("VectorType[Attribute]", current).element_type
            )
            scale = layout.size(element)
            current = element
        if value is None:
            offset += index * scale
        else:
            terms.append((value, scale))
    bases = to.leaves(base)
    count = level.leaf_count(op.results[0].type)
    if len(bases) == 1:
        bases = bases * count
    bits = layout.pointer_bits(_space(op.results[0].type))
    out: list[Leaf | str] = []
    for lane in range(count):
        parts = [bases[lane].name]
        shadows = [bases[lane]]
        for value, scale in terms:
            leaves = to.leaves(value)
            leaf = leaves[lane if len(leaves) > 1 else 0]
            width = level.kind(value).bits
            term = leaf.name if width == 64 else f"L.resize({leaf.name}, {width}, 64, True)"
            parts.append(
                term if scale == 1 else f"{term} * {to.array(scale & (1 << 64) - 1, np.uint64)}"
            )
            shadows.append(leaf)
        if offset:
            parts.append(to.array(offset & (1 << 64) - 1, np.uint64))
        value_ = " + ".join(parts)
        if bits < 64 and len(parts) > 1:
            value_ = f"({value_}) & {to.array((1 << bits) - 1, np.uint64)}"
        out.append(Leaf(value_, level.spread(Kind(64), shadows)))
    to.define(op.results[0], out)


def _atomic_rmw(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    pointer, value = fast.operands_of(op)
    type_ = value.type
    name = ATOMIC[integer_of(op.properties["bin_op"])]
    access = level.access(
        op,
        to,
        pointer,
        level.types.layout.store_size(type_),
        level.types.layout.alignment(type_),
        "atomic",
    )
    kinds = level.kinds(value)
    out: list[Leaf | str] = []
    if len(kinds) > 1:
        # A vector of two halves is updated element by element, as PTX says of packed atomics.
        for (offset, kind), leaf in zip(level.types.placed(type_), to.leaves(value)):
            raw = f"A.rmw({access}, m, '{name}', {kind.bits}, '{kind.fmt}', {kind.to_bits(leaf.name)}, {offset})"
            out.append(Leaf(kind.from_bits(to.assign(raw))))
        to.define(op.results[0], out)
        return
    kind = kinds[0]
    leaf = to.leaf(value)
    if kind.bits > 64:
        raise to.unsupported(op, "an atomic operation on more than 64 bits")
    if leaf.undefined:
        to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'an atomic operand')")
    raw = to.assign(
        f"A.rmw({access}, m, '{name}', {kind.bits}, '{kind.fmt}', {kind.to_bits(leaf.name)})"
    )
    to.define(op.results[0], [kind.from_bits(raw)])


def _cmpxchg(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    pointer, expected, new = fast.operands_of(op)
    kind = level.kind(expected)
    access = level.access(op, to, pointer, kind.size, kind.size, "atomic")
    for leaf in (to.leaf(expected), to.leaf(new)):
        if leaf.undefined:
            to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'an atomic operand')")
    wanted = to.assign(kind.to_bits(to.leaf(expected).name))
    raw = to.assign(f"A.cas({access}, m, {kind.bits}, {wanted}, {kind.to_bits(to.leaf(new).name)})")
    to.define(op.results[0], [kind.from_bits(raw), f"{raw} == {wanted}"])


def _fence(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    del level, op, to


# Control


def _branch(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    to.jump(level.edges(op)[0])


def _conditional_branch(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    then, other = level.edges(op)
    condition = to.leaf(fast.operands_of(op)[0])
    if condition.undefined:
        to.line(f"blk.check_defined(m, {condition.undefined}, {to.site(op)}, 'a branch')")
    to.branch(condition.name, then, other)


def _switch(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    default, *others = level.edges(op)
    value = fast.operands_of(op)[0]
    kind = level.kind(value)
    leaf = to.leaf(value)
    if leaf.undefined:
        to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'a switch')")
    attribute = op.properties.get("case_values")
    cases: list[int] = []
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        cases = [int(cast(Any, v)) for v in attribute.get_values()]
    conditions: list[tuple[str, tuple[Block, tuple[SSAValue, ...]]]] = []
    for case, edge in zip(cases, others):
        conditions.append(
            (f"{leaf.name} == {constant_leaf(to, case & ((1 << kind.bits) - 1), kind)}", edge)
        )
    to.switch(conditions, default)


def _return(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    leaves = [leaf for value in fast.operands_of(op) for leaf in to.leaves(value)]
    to.returns(leaves)


def _unreachable(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    to.line(
        f"raise blk.error('poison', 'the kernel reaches code that is declared unreachable', {to.site(op)})"
    )


def _call(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    callee = op.properties.get("callee")
    operands = list(fast.operands_of(op))
    sizes = op.properties.get("operandSegmentSizes")
    if sizes is not None:
        operands = operands[: int(cast("DenseArrayBase[Any]", sizes).get_values()[0])]
    if callee is None:
        level.program.emit_indirect_call(op, operands[0], operands[1:], to)
        return
    name = cast(SymbolRefAttr, callee).root_reference.data
    level.program.emit_call(op, name, operands, to)


def _nothing(level: LLVMLevel, op: Operation, to: FunctionCompiler) -> None:
    del level, op, to


EMIT: dict[str, Emit] = {
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
    "llvm.select": _select,
    "llvm.freeze": _freeze,
    "llvm.mlir.constant": _constant,
    "llvm.mlir.zero": _zero,
    "llvm.mlir.undef": _undefined,
    "llvm.mlir.poison": _undefined,
    "llvm.mlir.addressof": _address_of,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.extractelement": _extract_element,
    "llvm.insertelement": _insert_element,
    "llvm.shufflevector": _shuffle_vector,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.alloca": _alloca,
    "llvm.getelementptr": _gep,
    "llvm.atomicrmw": _atomic_rmw,
    "llvm.cmpxchg": _cmpxchg,
    "llvm.fence": _fence,
    "llvm.br": _branch,
    "llvm.cond_br": _conditional_branch,
    "llvm.switch": _switch,
    "llvm.return": _return,
    "llvm.unreachable": _unreachable,
    "llvm.call": _call,
}


def function_type(op: Operation) -> LLVMFunctionType:
    """The type of an `llvm.func`."""
    return cast(LLVMFunctionType, op.properties["function_type"])
