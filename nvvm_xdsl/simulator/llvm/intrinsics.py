"""Semantics of LLVM's own intrinsics (LLVM Language Reference, "Intrinsic Functions")."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.constant_ops import is_constant
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.llvm import varargs
from nvvm_xdsl.simulator.llvm.semantics import Emit, LLVMSemantics
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType

_IGNORED = frozenset(
    "assume lifetime.start lifetime.end invariant.start invariant.end prefetch dbg.value dbg.declare dbg.label "
    "experimental.noalias.scope.decl var.annotation donothing sideeffect debugtrap".split()
)


def _elementwise(template: str, count: int) -> Emit:
    """Applies a template expression with `{0}`, `{1}` ..., `{bits}` and `{fmt}` to each element."""

    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        operands = fast.operands_of(op)[:count]
        kind = semantics.kind(op.results[0])
        out: list[Leaf | str] = []
        for leaves in zip(*(to.leaves(o) for o in operands)):
            names = [leaf.name for leaf in leaves]
            out.append(
                Leaf(
                    template.format(
                        *names, bits=kind.bits, fmt=kind.fmt, ftz=semantics.flushes(op, kind)
                    ),
                    semantics.spread(kind, leaves),
                )
            )
        to.define(op.results[0], out)

    return emit


def _minmax(symbol: str, sign: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        a, b = fast.operands_of(op)
        kind = semantics.kind(a)
        out: list[Leaf | str] = []
        for x, y in zip(to.leaves(a), to.leaves(b)):
            p, q = (f"{v.name}.view(u1)" if kind.is_bool else v.name for v in (x, y))
            left, right = (f"L.signed({v}, {kind.bits})" for v in (p, q)) if sign else (p, q)
            out.append(
                Leaf(
                    f"np.where({left} {symbol} {right}, {x.name}, {y.name})",
                    semantics.spread(kind, (x, y)),
                )
            )
        to.define(op.results[0], out)

    return emit


def _with_overflow(name: str, sign: bool) -> Emit:
    symbol = {"add": "+", "sub": "-", "mul": "*"}[name]

    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        a, b = fast.operands_of(op)
        kind = semantics.kind(a)
        values: list[Leaf | str] = []
        flags: list[Leaf | str] = []
        for x, y in zip(to.leaves(a), to.leaves(b)):
            # NumPy neither adds nor subtracts truth values as numbers.
            one, other = (f"{v.name}.view(u1)" if kind.is_bool else v.name for v in (x, y))
            whole = f"L.wrap({one} {symbol} {other}, {kind.bits})"
            undefined = semantics.spread(kind, (x, y))
            values.append(Leaf(f"{whole} != 0" if kind.is_bool else whole, undefined))
            over = f"L.overflows('{name}', {one}, {other}, {kind.bits}, {sign})"
            flags.append(Leaf(over, semantics.spread(ScalarType(1), (x, y))))
        to.define(op.results[0], [*values, *flags])

    return emit


def _count_zeros(function: str) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        a = fast.operands_of(op)[0]
        kind = semantics.kind(a)
        poison = int_property(op, "is_zero_poison") != 0
        out: list[Leaf | str] = []
        for leaf in to.leaves(a):
            undefined = semantics.spread(kind, (leaf,))
            if semantics.tracking and poison:
                zero = f"L.poison({kind.bits}, {leaf.name} == 0)"
                undefined = f"L.either({undefined}, {zero})" if undefined else zero
            if kind.is_bool:
                out.append(Leaf(f"~{leaf.name}", undefined))
            else:
                out.append(Leaf(f"L.{function}({leaf.name}, {kind.bits})", undefined))
        to.define(op.results[0], out)

    return emit


def _copy(move: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        target, source, *rest = fast.operands_of(op)
        length = to.leaf(rest[0]).name if rest else _length(op, to)
        for pointer in (target, source):
            leaf = to.leaf(pointer)
            if leaf.undefined:
                to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'an address')")
        to.line(
            f"blk.copy_memory({to.site(op)}, m, {to.leaf(target).name}, {semantics.window(target)}, "
            f"{to.leaf(source).name}, {semantics.window(source)}, {length})"
        )

    return emit


def _length(op: Operation, to: FunctionCompiler) -> str:
    return to.array(int_property(op, "len"), np.uint64)


def _set(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    target, value, *rest = fast.operands_of(op)
    length = to.leaf(rest[0]).name if rest else _length(op, to)
    leaf = to.leaf(value)
    to.line(
        f"blk.set_memory({to.site(op)}, m, {to.leaf(target).name}, {semantics.window(target)}, {leaf.name}, "
        f"{leaf.undefined or 0}, {length})"
    )


def _expect(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], to.leaves(fast.operands_of(op)[0]))


def _known_constant(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    """True for a constant, as LLVM lowers `llvm.is.constant` without other knowledge."""
    known = is_constant(fast.operands_of(op)[0])
    to.define(op.results[0], [to.constant(np.array([known]))])


def _trap(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.line(f"raise blk.lane_error('trap', 'the kernel traps in', int(m.index[0]), {to.site(op)})")


def _power_integer(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    a, b = fast.operands_of(op)
    kind = semantics.kind(a)
    exponent = to.leaf(b)
    out: list[Leaf | str] = [
        Leaf(
            f"F.compute(lambda x: np.power(x, L.signed({exponent.name}, 32).astype(f8)), '{kind.fmt}', {leaf.name})",
            semantics.spread(kind, (leaf, exponent)),
        )
        for leaf in to.leaves(a)
    ]
    to.define(op.results[0], out)


def _scale(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    a, b = fast.operands_of(op)
    kind, width = semantics.kind(a), semantics.kind(b).bits
    out: list[Leaf | str] = []
    for leaf, power in zip(to.leaves(a), to.leaves(b) * len(to.leaves(a))):
        exponent = f"np.clip(L.signed({power.name}, {width}), -5000, 5000).astype(i4)"
        out.append(
            Leaf(
                f"F.round_to(np.ldexp(F.widen({leaf.name}, '{kind.fmt}'), {exponent}), '{kind.fmt}')",
                semantics.spread(kind, (leaf, power)),
            )
        )
    to.define(op.results[0], out)


def _to_rounded_integer(mode: str) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        (a,) = fast.operands_of(op)
        source, target = semantics.kind(a), semantics.kind(op.results[0])
        template = f"F.to_integer({{0}}, '{source.fmt}', {target.bits}, True, '{mode}')"
        if target.bits > 64:
            whole = f"F.round_integral({{0}}, '{source.fmt}', '{mode}')"
            template = f"L.float_to_big({whole}, '{source.fmt}', {target.bits}, True)"
        to.define(
            op.results[0],
            [
                Leaf(template.format(leaf.name), semantics.spread(target, (leaf,)))
                for leaf in to.leaves(a)
            ],
        )

    return emit


def _saturating(signed: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        a = fast.operands_of(op)[0]
        source, target = semantics.kind(a), semantics.kind(op.results[0])
        out: list[Leaf | str] = []
        for leaf in to.leaves(a):
            value = f"L.saturating_integer({leaf.name}, '{source.fmt}', {target.bits}, {signed})"
            out.append(Leaf(value, semantics.spread(target, (leaf,))))
        to.define(op.results[0], out)

    return emit


def _fixed_point(kind: str, sign: bool, clamps: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        a, b, scale = fast.operands_of(op)
        number = constant_integer(scale)
        result = semantics.kind(op.results[0])
        if number is None or not 0 <= number < result.bits + (not sign):
            raise to.unsupported(op, "a scale that is not a constant below the width")
        arguments = f"{number}, {result.bits}, {sign}, {clamps}"
        out: list[Leaf | str] = []
        for x, y in zip(to.leaves(a), to.leaves(b)):
            value = f"L.fixed_point('{kind}', {x.name}, {y.name}, {arguments})"
            out.append(Leaf(value, semantics.spread(result, (x, y))))
        to.define(op.results[0], out)

    return emit


def _float_class(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (a,) = fast.operands_of(op)
    kind = semantics.kind(a)
    mask = int_property(op, "bit") & 0x3FF
    to.define(
        op.results[0],
        [
            Leaf(
                f"F.is_class({leaf.name}, '{kind.fmt}', {mask})",
                semantics.spread(ScalarType(1), (leaf,)),
            )
            for leaf in to.leaves(a)
        ],
    )


def _reduce(combine: str, start: bool = False, of_bits: str | None = None) -> Emit:
    """A vector reduction in order from the first element, as ordered reductions require.

    Arguments:
        start: whether the first operand is an initial value.
        of_bits: the combination of truth values, if NumPy's operator differs for them.
    """

    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        operands = fast.operands_of(op)
        leaves = list(to.leaves(operands[-1]))
        kind = semantics.kind(operands[-1])
        if start:
            leaves.insert(0, to.leaf(operands[0]))
        total = leaves[0].name
        formula = of_bits if kind.is_bool and of_bits is not None else combine
        for leaf in leaves[1:]:
            total = to.assign(formula.format(total, leaf.name, bits=kind.bits, fmt=kind.fmt))
        to.define(op.results[0], [Leaf(total, semantics.spread(kind, leaves))])

    return emit


def _three_way(sign: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        a, b = fast.operands_of(op)
        kind, result = semantics.kind(a), semantics.kind(op.results[0])
        out: list[Leaf | str] = []
        for x, y in zip(to.leaves(a), to.leaves(b)):
            p, q = (f"L.signed({v.name}, {kind.bits})" if sign else v.name for v in (x, y))
            value = f"(({p} > {q}).astype(i1) - ({p} < {q}).astype(i1))"
            out.append(
                Leaf(
                    f"L.resize({value}.view(u1), 8, {result.bits}, True)",
                    semantics.spread(result, (x, y)),
                )
            )
        to.define(op.results[0], out)

    return emit


def _masked_load(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    pointer, mask, *rest = fast.operands_of(op)
    choices = to.leaves(mask)
    old = to.leaves(rest[0]) if rest else None
    type_ = op.results[0].type
    out: list[Leaf | str] = []
    for i, ((offset, kind), choice) in enumerate(zip(semantics.types.placed(type_), choices)):
        name = to.temporary()
        to.line(f"{name} = {old[i].name if old else f'np.zeros(1, {np.dtype(kind.dtype).name!r})'}")
        guard = to.assign(f"split(m, {choice.name})[0]")
        to.line(f"if {guard} is not None:")
        address = f"{to.leaf(pointer).name} + {to.array(offset, np.uint64)}"
        to.line(
            f"  q = blk.access({to.site(op)}, {guard}, {address}, {semantics.window(pointer)}, {kind.size}, 1, 'load')"
        )
        to.line(f"  {name} = select({guard}, {kind.from_bits(f'q.load({kind.size})')}, {name})")
        out.append(Leaf(name))
    to.define(op.results[0], out)


def _masked_store(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    value, pointer, mask = fast.operands_of(op)
    for (offset, kind), leaf, choice in zip(
        semantics.types.placed(value.type), to.leaves(value), to.leaves(mask)
    ):
        guard = to.assign(f"split(m, {choice.name})[0]")
        raw = to.assign(kind.to_bits(leaf.name))
        to.line(f"if {guard} is not None:")
        address = f"{to.leaf(pointer).name} + {to.array(offset, np.uint64)}"
        to.line(
            f"  q = blk.access({to.site(op)}, {guard}, {address}, {semantics.window(pointer)}, {kind.size}, 1, 'store')"
        )
        to.line(f"  q.store({raw}, {kind.size})")


def _pointer_mask(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    pointer, mask = (to.leaf(v) for v in fast.operands_of(op))
    to.define(op.results[0], [Leaf(f"{pointer.name} & L.fit({mask.name}, 64)", pointer.undefined)])


def _stack_save(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], ["blk.dynamic.astype(u8)"])


def _stack_restore(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.line(f"blk.release_dynamic({to.leaf(fast.operands_of(op)[0]).name}, m)")


def _vector_extract(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (vector,) = fast.operands_of(op)
    at = int_property(op, "pos")
    count = semantics.leaf_count(op.results[0].type)
    to.define(op.results[0], to.leaves(vector)[at : at + count])


def _vector_insert(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    operands: list[SSAValue] = list(fast.operands_of(op))
    whole = next(o for o in operands if o.type == op.results[0].type)
    part = next(o for o in operands if o is not whole)
    at = int_property(op, "pos")
    leaves = list(to.leaves(whole))
    new = to.leaves(part)
    leaves[at : at + len(new)] = new
    to.define(op.results[0], leaves)


def _function(numpy_expression: str) -> Emit:
    return _elementwise(f"F.compute({numpy_expression}, '{{fmt}}', {{0}})", 1)


def _function2(numpy_expression: str) -> Emit:
    return _elementwise(f"F.compute({numpy_expression}, '{{fmt}}', {{0}}, {{1}})", 2)


INTRINSICS: dict[str, Emit] = {
    "abs": _elementwise("L.absolute({0}, {bits})", 1),
    "smax": _minmax(">", True),
    "smin": _minmax("<", True),
    "umax": _minmax(">", False),
    "umin": _minmax("<", False),
    "ctpop": _elementwise("L.popcount({0}, {bits})", 1),
    "ctlz": _count_zeros("leading_zeros"),
    "cttz": _count_zeros("trailing_zeros"),
    "bswap": _elementwise("L.swap_bytes({0}, {bits})", 1),
    "bitreverse": _elementwise("L.reverse_bits({0}, {bits})", 1),
    "fshl": _elementwise("L.funnel_left({0}, {1}, {2}, {bits})", 3),
    "fshr": _elementwise("L.funnel_right({0}, {1}, {2}, {bits})", 3),
    **{
        f"{letter}{name}.with.overflow": _with_overflow(name, letter == "s")
        for letter in "su"
        for name in ("add", "sub", "mul")
    },
    **{
        f"{letter}{name}.sat": _elementwise(f"L.saturating('{name}', {{0}}, {{1}}, {{bits}}, {letter == 's'})", 2)
        for letter in "su"
        for name in ("add", "sub", "shl")
    },
    **{
        f"{letter}{kind}.fix{suffix}": _fixed_point(kind, letter == "s", suffix == ".sat")
        for letter in "su"
        for kind in ("mul", "div")
        for suffix in ("", ".sat")
    },
    "scmp": _three_way(True),
    "ucmp": _three_way(False),
    "fma": _elementwise("F.fma({0}, {1}, {2}, '{fmt}', 'rn', {ftz})", 3),
    "fmuladd": _elementwise("F.fma({0}, {1}, {2}, '{fmt}', 'rn', {ftz})", 3),
    "fabs": _elementwise("F.absolute({0}, '{fmt}')", 1),
    "copysign": _elementwise("F.copysign({0}, {1}, '{fmt}')", 2),
    "minnum": _elementwise("F.minimum({0}, {1}, '{fmt}', {ftz})", 2),
    "maxnum": _elementwise("F.maximum({0}, {1}, '{fmt}', {ftz})", 2),
    "minimumnum": _elementwise("F.minimum({0}, {1}, '{fmt}', {ftz})", 2),
    "maximumnum": _elementwise("F.maximum({0}, {1}, '{fmt}', {ftz})", 2),
    "minimum": _elementwise("F.minimum({0}, {1}, '{fmt}', {ftz}, True)", 2),
    "maximum": _elementwise("F.maximum({0}, {1}, '{fmt}', {ftz}, True)", 2),
    "sqrt": _elementwise("F.sqrt({0}, '{fmt}', 'rn', {ftz})", 1),
    "floor": _elementwise("F.round_integral({0}, '{fmt}', 'rmi')", 1),
    "ceil": _elementwise("F.round_integral({0}, '{fmt}', 'rpi')", 1),
    "trunc": _elementwise("F.round_integral({0}, '{fmt}', 'rzi')", 1),
    "rint": _elementwise("F.round_integral({0}, '{fmt}', 'rni')", 1),
    "nearbyint": _elementwise("F.round_integral({0}, '{fmt}', 'rni')", 1),
    "roundeven": _elementwise("F.round_integral({0}, '{fmt}', 'rni')", 1),
    "round": _elementwise("F.round_integral({0}, '{fmt}', 'rnai')", 1),
    "canonicalize": _elementwise("F.convert({0}, '{fmt}', '{fmt}', 'rn', {ftz})", 1),
    "lrint": _to_rounded_integer("rni"),
    "llrint": _to_rounded_integer("rni"),
    "lround": _to_rounded_integer("rnai"),
    "llround": _to_rounded_integer("rnai"),
    "sin": _function("np.sin"),
    "cos": _function("np.cos"),
    "tan": _function("np.tan"),
    "tanh": _function("np.tanh"),
    "exp": _function("np.exp"),
    "exp2": _function("np.exp2"),
    "exp10": _function("lambda x: np.power(10.0, x)"),
    "log": _function("np.log"),
    "log2": _function("np.log2"),
    "log10": _function("np.log10"),
    "pow": _function2("np.power"),
    "powi": _power_integer,
    "ldexp": _scale,
    "fptosi.sat": _saturating(True),
    "fptoui.sat": _saturating(False),
    "is.fpclass": _float_class,
    "is.constant": _known_constant,
    "expect": _expect,
    "expect.with.probability": _expect,
    "launder.invariant.group": _expect,
    "strip.invariant.group": _expect,
    "ssa.copy": _expect,
    "ptr.annotation": _expect,
    "annotation": _expect,
    "threadlocal.address": _expect,
    "ptrmask": _pointer_mask,
    "stacksave": _stack_save,
    "stackrestore": _stack_restore,
    **varargs.INTRINSICS,
    "memcpy": _copy(False),
    "memcpy.inline": _copy(False),
    "memmove": _copy(True),
    "memset": _set,
    "memset.inline": _set,
    "trap": _trap,
    "ubsantrap": _trap,
    "masked.load": _masked_load,
    "masked.store": _masked_store,
    "vector.extract": _vector_extract,
    "vector.insert": _vector_insert,
    "vector.reduce.add": _reduce("L.wrap({0} + {1}, {bits})", of_bits="{0} ^ {1}"),
    "vector.reduce.mul": _reduce("L.wrap({0} * {1}, {bits})"),
    "vector.reduce.and": _reduce("{0} & {1}"),
    "vector.reduce.or": _reduce("{0} | {1}"),
    "vector.reduce.xor": _reduce("{0} ^ {1}"),
    "vector.reduce.smax": _reduce("np.where(L.signed({0}, {bits}) > L.signed({1}, {bits}), {0}, {1})"),
    "vector.reduce.smin": _reduce("np.where(L.signed({0}, {bits}) < L.signed({1}, {bits}), {0}, {1})"),
    "vector.reduce.umax": _reduce("np.maximum({0}, {1})"),
    "vector.reduce.umin": _reduce("np.minimum({0}, {1})"),
    "vector.reduce.fadd": _reduce("F.add({0}, {1}, '{fmt}')", True),
    "vector.reduce.fmul": _reduce("F.mul({0}, {1}, '{fmt}')", True),
    "vector.reduce.fmax": _reduce("F.maximum({0}, {1}, '{fmt}')"),
    "vector.reduce.fmin": _reduce("F.minimum({0}, {1}, '{fmt}')"),
    "vector.reduce.fmaximum": _reduce("F.maximum({0}, {1}, '{fmt}', nan=True)"),
    "vector.reduce.fminimum": _reduce("F.minimum({0}, {1}, '{fmt}', nan=True)"),
}  # fmt: skip


def emit_op(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    """Generates an `llvm.intr.*` op; returns False if it is unsupported."""
    name = op.name.removeprefix("llvm.intr.")
    if name in _IGNORED:
        if op.results:
            to.define(op.results[0], ["np.array([0], u8)"])
        return True
    emit = INTRINSICS.get(name)
    if emit is None:
        return False
    emit(semantics, op, to)
    return True


def emit_call(semantics: LLVMSemantics, op: Operation, name: str, to: FunctionCompiler) -> bool:
    """Generates an `llvm.call_intrinsic` of a target-independent intrinsic, by its mangled name."""
    parts = name.removeprefix("llvm.").split(".")
    for end in range(len(parts), 0, -1):
        base = ".".join(parts[:end])
        if base in _IGNORED:
            return True
        emit = INTRINSICS.get(base)
        if emit is not None:
            emit(semantics, op, to)
            return True
    return False
