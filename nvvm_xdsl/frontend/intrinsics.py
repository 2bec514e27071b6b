"""The ops of intrinsic calls (LLVM Language Reference, "Intrinsic Functions").

A row of the table names an intrinsic without its type suffixes, the op, and the role of each argument: an operand (`_`), nothing (`-`), or a constant that becomes the property `name:type`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, IntegerType
from xdsl.dialects.llvm import BitcastOp, CallIntrinsicOp, FastMathAttr, FNegOp, FPExtOp, FPTruncOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import op_class, types
from nvvm_xdsl.dialects.llvm.accessors import integer_of
from nvvm_xdsl.dialects.llvm.constants import constant_of
from nvvm_xdsl.dialects.llvm.ops import AssumeOp, LifetimeEndOp, LifetimeStartOp, NoAliasScopeDeclOp
from nvvm_xdsl.dialects.llvm.types import (
    F32,
    F64,
    I1,
    I8,
    I32,
    I64,
    VOID,
    dense_i32,
    int_attr,
    string,
)
from nvvm_xdsl.dialects.nvvm.calls import CallError, build_call
from nvvm_xdsl.frontend.builders import NO_FASTMATH, vector_length
from nvvm_xdsl.frontend.expanded_call import ExpandedCall, ExpansionError
from nvvm_xdsl.frontend.float_parts import scaled_elements
from nvvm_xdsl.frontend.main_intrinsics import EXPANDED, REFUSED, expand
from nvvm_xdsl.ir import fast

_PROPERTY_TYPES: dict[str, IntegerType | None] = {
    "i1": I1,
    "i8": I8,
    "i32": I32,
    "i64": I64,
    "own": None,
}


class IntrinsicError(Exception):
    """A call with arguments that its intrinsic does not accept."""


class Context(Protocol):
    """The reader's interface for building ops."""

    def insert(self, op: Operation) -> SSAValue:
        """Inserts an op before the op under construction; returns its result."""
        ...

    def scope_of(self, reference: str) -> Attribute | None:
        """The alias scope that a metadata argument names."""
        ...


@dataclass
class Call:
    """A call of an intrinsic.

    Arguments:
        name: the name in the text; the other fields are the parsed parts.
        metadata: the metadata arguments, strings and names of nodes.
    """

    name: str
    arguments: list[SSAValue]
    attributes: list[DictionaryAttr]
    result_attributes: DictionaryAttr
    output: Attribute
    fastmath: Attribute
    bundles: list[tuple[str, list[SSAValue]]]
    metadata: list[str]


@dataclass(frozen=True)
class Row:
    """The op of an intrinsic, used by the reader and the writer of LLVM IR.

    Arguments:
        arguments: for each argument of the call, its property and that property's type (None for
            the argument's type), or None for an operand. None in place of the list: all arguments
            are operands.
        fastmath: whether the op has fast-math flags.
        keeps_attributes: whether it has attributes of arguments.
    """

    cls: type[Operation]
    arguments: tuple[tuple[str, IntegerType | None] | None, ...] | None
    fastmath: bool
    keeps_attributes: bool


_UNARY_MATH = (
    "acos asin atan ceil cos cosh exp exp2 exp10 fabs floor log log2 log10 nearbyint rint round "
    "roundeven sin sinh sqrt tan tanh trunc"
)
_BINARY_MATH = "atan2 copysign maximum maxnum minimum minnum pow"
_PLAIN = (
    "bitreverse bswap ctpop fshl fshr llrint llround lrint lround sadd.sat scmp smax smin "
    "sshl.sat ssub.sat uadd.sat ucmp umax umin ushl.sat usub.sat sadd.with.overflow "
    "smul.with.overflow ssub.with.overflow uadd.with.overflow umul.with.overflow "
    "usub.with.overflow trap debugtrap ptrmask launder.invariant.group strip.invariant.group "
    "stacksave stackrestore threadlocal.address expect ssa.copy is.constant "
    "vector.reduce.add vector.reduce.and vector.reduce.mul vector.reduce.or vector.reduce.smax "
    "vector.reduce.smin vector.reduce.umax vector.reduce.umin vector.reduce.xor "
    "get.active.lane.mask vector.interleave2 vector.deinterleave2 stepvector"
)
_FAST_PLAIN = (
    "fma fmuladd powi ldexp frexp sincos vector.reduce.fadd vector.reduce.fmul "
    "vector.reduce.fmax vector.reduce.fmin vector.reduce.fmaximum vector.reduce.fminimum"
)

_SPECIAL = """
abs                     intr.abs                _ is_int_min_poison:i1
ctlz                    intr.ctlz               _ is_zero_poison:i1
cttz                    intr.cttz               _ is_zero_poison:i1
is.fpclass              intr.is.fpclass         _ bit:i32
expect.with.probability intr.expect.with.probability _ _ prob:own
memcpy                  intr.memcpy             _ _ _ isVolatile:i1
memcpy.inline           intr.memcpy.inline      _ _ len:own isVolatile:i1
memmove                 intr.memmove            _ _ _ isVolatile:i1
memset                  intr.memset             _ _ _ isVolatile:i1
memset.inline           intr.memset.inline      _ _ len:own isVolatile:i1
prefetch                intr.prefetch           _ rw:i32 hint:i32 cache:i32
invariant.start         intr.invariant.start    size:i64 _
invariant.end           intr.invariant.end      _ size:i64 _
ubsantrap               intr.ubsantrap          failureKind:i8
masked.load             intr.masked.load        _ alignment:i32 _ _
masked.store            intr.masked.store       _ _ alignment:i32 _
masked.gather           intr.masked.gather      _ alignment:i32 _ _
masked.scatter          intr.masked.scatter     _ _ alignment:i32 _
masked.expandload       intr.masked.expandload  _ _ _
masked.compressstore    intr.masked.compressstore _ _ _
vector.insert           intr.vector.insert      _ _ pos:i64
vector.extract          intr.vector.extract     _ pos:i64
va_start                intr.vastart            _
va_end                  intr.vaend              _
va_copy                 intr.vacopy             _ _
"""

_KEEP_ATTRIBUTES = frozenset(
    "memcpy memcpy.inline memmove memset memset.inline masked.expandload masked.compressstore".split()
)


def _parse(word: str) -> tuple[str, IntegerType | None] | None:
    if word == "_":
        return None
    name, type_ = word.split(":")
    return name, _PROPERTY_TYPES[type_]


@cache
def intrinsic_ops() -> dict[str, Row]:
    """The op of each target-independent intrinsic with an op, by the name without types."""
    rows: dict[str, Row] = {}

    def add(name: str, op: str, arguments: str | None, fastmath: bool) -> None:
        parsed = None if arguments is None else tuple(_parse(w) for w in arguments.split())
        cls = op_class(f"llvm.{op}")
        rows[f"llvm.{name}"] = Row(cls, parsed, fastmath, name in _KEEP_ATTRIBUTES)

    for name in _UNARY_MATH.split() + _BINARY_MATH.split() + _FAST_PLAIN.split():
        add(name, f"intr.{name}", None, True)
    for name in _PLAIN.split():
        add(name, f"intr.{name}", None, False)
    for line in _SPECIAL.strip().splitlines():
        name, op, arguments = line.split(maxsplit=2)
        add(name, op, arguments, False)
    return rows


_NO_TYPES = frozenset(("elts", "element"))
"""Words in longer names, such as `llvm.cttz.elts`, that are not spellings of types."""


@cache
def base_name(name: str) -> str | None:
    """The table's name of a core intrinsic: without the types of overloading."""
    table = intrinsic_ops()
    while name not in table and name not in _BUILDERS:
        cut = name.rfind(".")
        if cut < 6 or name[cut + 1 :] in _NO_TYPES:
            return None
        name = name[:cut]
    return name


_OLD_REDUCTION = "llvm.experimental.vector.reduce."
_OLD_REDUCTIONS = frozenset(
    "add mul and or xor smax smin umax umin fmax fmin v2.fadd v2.fmul".split()
)
"""The names before LLVM 12; LLVM upgrades no others."""


def _without_old_name(call: Call) -> Call:
    """The call with the present name of a reduction."""
    if not call.name.startswith(_OLD_REDUCTION):
        return call
    rest = call.name.removeprefix(_OLD_REDUCTION)
    kind = ".".join(rest.split(".")[: 2 if rest.startswith("v2.") else 1])
    if kind not in _OLD_REDUCTIONS:
        raise IntrinsicError(f"{call.name} is not supported")
    return replace(call, name=f"llvm.vector.reduce.{rest.removeprefix('v2.')}")


def build(call: Call, context: Context) -> Operation | SSAValue | None:
    """The op for the call, not yet in a block; None for a call without effect.

    Raises IntrinsicError if the arguments are invalid.
    """
    call = _without_old_name(call)
    name = call.name
    if name.startswith("llvm.nvvm."):
        return _build_nvvm(call, context)
    base = base_name(name)
    if base is None:
        return _generic_call(call)
    special = _BUILDERS.get(base)
    if special is not None:
        try:
            return special(call, context)
        except (IndexError, ValueError):
            # The number of arguments is not checked for intrinsics that split their arguments.
            raise IntrinsicError(f"{name} cannot take {len(call.arguments)} arguments") from None
    if base == "llvm.ldexp" and vector_length(call.output) is not None:
        return _scaled_elements(call, context)
    row = intrinsic_ops()[base]
    if base in _ALIGNED_BY_ARGUMENT and len(call.arguments) == 5:
        call = _without_alignment(call)
    properties: dict[str, Attribute] = {}
    operands = call.arguments
    if row.arguments is not None and _ALIGNMENT in row.arguments:
        row = _aligned_by_attribute(call, row, properties)
    if row.arguments is not None:
        operands = _split(call, row, properties)
    if row.fastmath:
        properties["fastmathFlags"] = call.fastmath
    if row.keeps_attributes:
        _keep_attributes(call, row, properties)
    results = () if call.output is VOID else (call.output,)
    return fast.create(row.cls, operands, results, properties)


_ALIGNED_BY_ARGUMENT = frozenset({"llvm.memcpy", "llvm.memmove", "llvm.memset"})


def _without_alignment(call: Call) -> Call:
    """A copy in the form before LLVM 7, with the alignment as the second last argument."""
    value = constant_of(call.arguments[3])
    if not isinstance(value, IntegerAttr):
        raise IntrinsicError(f"the alignment of {call.name} must be a constant")
    attributes = list(call.attributes)
    del attributes[3]
    bytes_ = value.value.data
    if bytes_ > 0:
        aligned = int_attr(bytes_, I64)
        for index in range(1 if call.name.startswith("llvm.memset") else 2):
            attributes[index] = DictionaryAttr({**attributes[index].data, "llvm.align": aligned})
    arguments = [*call.arguments[:3], call.arguments[4]]
    return replace(call, arguments=arguments, attributes=attributes)


_ALIGNMENT = ("alignment", I32)
"""The argument of masked accesses that LLVM 22 replaced by an attribute of the pointer."""


def _aligned_by_attribute(call: Call, row: Row, properties: dict[str, Attribute]) -> Row:
    """The row for a call without an alignment argument."""
    assert row.arguments is not None
    if len(call.arguments) != len(row.arguments) - 1:
        return row
    stated = (integer_of(entries.data.get("llvm.align")) for entries in call.attributes)
    properties["alignment"] = int_attr(max((n for n in stated if n is not None), default=1), I32)
    return replace(row, arguments=tuple(spec for spec in row.arguments if spec != _ALIGNMENT))


def _split(call: Call, row: Row, properties: dict[str, Attribute]) -> list[SSAValue]:
    assert row.arguments is not None
    if len(call.arguments) != len(row.arguments):
        # Older releases had fewer arguments; the others have default values.
        if len(call.arguments) > len(row.arguments) or any(
            spec is None for spec in row.arguments[len(call.arguments) :]
        ):
            raise IntrinsicError(f"{call.name} needs {len(row.arguments)} arguments")
    operands: list[SSAValue] = []
    for argument, spec in zip(call.arguments, row.arguments):
        if spec is None:
            operands.append(argument)
            continue
        name, type_ = spec
        value = constant_of(argument)
        if value is None:
            raise IntrinsicError(f"argument '{name}' of {call.name} must be a constant")
        if isinstance(value, IntegerAttr) and type_ is not None:
            value = int_attr(value.value.data, type_)
        properties[name] = value
    for spec in row.arguments[len(call.arguments) :]:
        if spec is not None and spec[1] is not None:
            properties[spec[0]] = int_attr(0, spec[1])
    return operands


def _keep_attributes(call: Call, row: Row, properties: dict[str, Attribute]) -> None:
    if all(not attributes.data for attributes in call.attributes):
        return
    assert row.arguments is not None
    kept = [a for a, spec in zip(call.attributes, row.arguments) if spec is None]
    properties["arg_attrs"] = ArrayAttr(kept)


_NO_BUNDLES = dense_i32(())


def generic(
    name: str,
    arguments: list[SSAValue],
    output: Attribute,
    fastmath: Attribute = NO_FASTMATH,
    attributes: list[DictionaryAttr] | None = None,
    result_attributes: DictionaryAttr | None = None,
) -> Operation:
    """`llvm.call_intrinsic "name"(...)`."""
    properties: dict[str, Attribute] = {
        "intrin": string(name),
        "fastmathFlags": fastmath,
        "op_bundle_sizes": _NO_BUNDLES,
        "operandSegmentSizes": dense_i32((len(arguments), 0)),
    }
    if attributes is not None and any(a.data for a in attributes):
        properties["arg_attrs"] = ArrayAttr(attributes)
    if result_attributes is not None and result_attributes.data:
        properties["res_attrs"] = ArrayAttr([result_attributes])
    results = () if output is VOID else (output,)
    return fast.create(CallIntrinsicOp, arguments, results, properties)


def _generic_call(call: Call) -> Operation:
    if call.metadata:
        raise IntrinsicError(f"{call.name} takes metadata, which is not supported")
    return generic(
        call.name,
        call.arguments,
        call.output,
        call.fastmath,
        call.attributes,
        call.result_attributes,
    )


def _lifetime(call: Call, _context: Context) -> Operation:
    cls = LifetimeStartOp if ".start" in call.name else LifetimeEndOp
    return fast.create(cls, call.arguments[-1:])


def _assume(call: Call, _context: Context) -> Operation:
    operands = [call.arguments[0]]
    for _, values in call.bundles:
        operands += values
    properties: dict[str, Attribute] = {
        "op_bundle_sizes": dense_i32([len(values) for _, values in call.bundles])
    }
    if call.bundles:
        properties["op_bundle_tags"] = ArrayAttr([string(tag) for tag, _ in call.bundles])
    return fast.create(AssumeOp, operands, (), properties)


def _scope_declaration(call: Call, context: Context) -> Operation | None:
    scope = context.scope_of(call.metadata[0]) if call.metadata and call.metadata[0] else None
    if scope is None:
        return None
    cls = NoAliasScopeDeclOp
    return fast.create(cls, (), (), {"scope": scope})


def _nothing(call: Call, _context: Context) -> SSAValue | None:
    return call.arguments[0] if call.output is not VOID else None


_CONSTRAINED = frozenset(
    "fadd fsub fmul fdiv frem fpext fptrunc sitofp uitofp fptosi fptoui".split()
)
_NEAREST = ("round.tonearest", "round.dynamic", "")
_ROUNDINGS = {
    **dict.fromkeys(_NEAREST, "rn"),
    "round.towardzero": "rz",
    "round.downward": "rm",
    "round.upward": "rp",
}
"""PTX's rounding modes. A GPU has no dynamic rounding mode, so that `dynamic` is to nearest."""

_ROUNDED = {
    "fadd": "add",
    "fsub": "add",
    "fmul": "mul",
    "fdiv": "div",
    "fma": "fma",
    "sqrt": "sqrt",
}
"""Operations, by the corresponding part of the names of NVVM's intrinsics with a rounding mode."""


def _constrained(call: Call, context: Context) -> Operation:
    """A constrained operation; a GPU has no floating-point exceptions.

    A stated rounding mode requires that the result is rounded separately: the operation is not
    contracted with another one unless its flags permit it.
    """
    name = call.name.removeprefix("llvm.experimental.constrained.").split(".")[0]
    rounding = next((m for m in call.metadata if m.startswith("round.")), "")
    if rounding not in _ROUNDINGS:
        raise IntrinsicError(f"{call.name}: unknown rounding mode '{rounding}'")
    suffix = "f" if call.output is F32 else "d" if call.output is F64 else ""
    contracts = FastMathFlag.ALLOW_CONTRACT in cast(FastMathAttr, call.fastmath).data
    if name in _ROUNDED and suffix and not (contracts and rounding in _NEAREST):
        operands = call.arguments
        if name == "fsub":
            flags: dict[str, Attribute] = {"fastmathFlags": NO_FASTMATH}
            negated = fast.create(FNegOp, operands[1:], (call.output,), flags)
            operands = [operands[0], context.insert(negated)]
        intrinsic = f"llvm.nvvm.{_ROUNDED[name]}.{_ROUNDINGS[rounding]}.{suffix}"
        return generic(intrinsic, operands, call.output)
    if rounding not in _NEAREST:
        raise IntrinsicError(f"{call.name} with {rounding} is not supported")
    properties: dict[str, Attribute] = {}
    if name in ("fma", "fmuladd", "sqrt"):
        cls = op_class(f"llvm.intr.{name}")
        properties["fastmathFlags"] = call.fastmath
    elif name in _CONSTRAINED:
        cls = op_class(f"llvm.{name}")
        if name in ("fadd", "fsub", "fmul", "fdiv", "frem"):
            properties["fastmathFlags"] = call.fastmath
    else:
        raise IntrinsicError(f"{call.name} is not supported")
    return fast.create(cls, call.arguments, (call.output,), properties)


def _convert_fp16(call: Call, context: Context) -> Operation:
    """`llvm.convert.to.fp16` and `from`, which LLVM replaced by casts."""
    value = call.arguments[0]
    if ".to." in call.name:
        half = context.insert(fast.create(FPTruncOp, (value,), (types.F16,)))
        return fast.create(BitcastOp, (half,), (call.output,))
    half = context.insert(fast.create(BitcastOp, (value,), (types.F16,)))
    return fast.create(FPExtOp, (half,), (call.output,))


def _expanded(call: Call, context: Context) -> SSAValue:
    """An intrinsic of LLVM's main branch as other ops."""
    name = base_name(call.name)
    assert name is not None
    try:
        return expand(name, call.arguments, call.output, context.insert)
    except ExpansionError as error:
        raise IntrinsicError(str(error)) from None


def _scaled_elements(call: Call, context: Context) -> SSAValue:
    try:
        expanded = ExpandedCall("llvm.ldexp", call.arguments, call.output, context.insert)
        return scaled_elements(expanded, call.fastmath)
    except ExpansionError as error:
        raise IntrinsicError(str(error)) from None


def _refused(call: Call, context: Context) -> None:
    raise IntrinsicError(f"{call.name} is not supported: {REFUSED[base_name(call.name) or '']}")


Builder = Callable[[Call, Context], "Operation | SSAValue | None"]

_BUILDERS: dict[str, Builder] = {
    "llvm.lifetime.start": _lifetime,
    "llvm.lifetime.end": _lifetime,
    "llvm.assume": _assume,
    "llvm.experimental.noalias.scope.decl": _scope_declaration,
    "llvm.experimental.constrained": _constrained,
    "llvm.convert.to.fp16": _convert_fp16,
    "llvm.convert.from.fp16": _convert_fp16,
    "llvm.donothing": _nothing,
    "llvm.var.annotation": _nothing,
    "llvm.ptr.annotation": _nothing,
    "llvm.annotation": _nothing,
    "llvm.pseudoprobe": _nothing,
    "llvm.instrprof": _nothing,
    "llvm.fake.use": _nothing,
    **dict.fromkeys(EXPANDED, _expanded),
    **dict.fromkeys(REFUSED, _refused),
}


def _build_nvvm(call: Call, context: Context) -> Operation | SSAValue:
    if call.metadata:
        raise IntrinsicError(f"{call.name} takes no metadata")
    properties: dict[str, Attribute] = {"fastmathFlags": call.fastmath}
    if any(attributes.data for attributes in call.attributes):
        properties["arg_attrs"] = ArrayAttr(call.attributes)
    if call.result_attributes.data:
        properties["res_attrs"] = ArrayAttr([call.result_attributes])
        range_ = call.result_attributes.data.get("llvm.range")
        if range_ is not None:
            properties["range"] = range_
    try:
        return build_call(call.name, call.arguments, call.output, context.insert, properties)
    except CallError as error:
        raise IntrinsicError(str(error)) from None
