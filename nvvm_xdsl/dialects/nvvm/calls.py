"""Calls of `llvm.nvvm.*` and the equivalent ops, for spellings of all releases.

`build_call(name, arguments, output, insert)` is the interface for readers of LLVM IR. It accepts

- names of LLVM 22, overloaded ones with any suffixes;
- names and signatures of LLVM's main branch (`main_signatures`);
- names and signatures of older releases, as LLVM's auto-upgrade reads them: `barrier0`,
  `ldg.global.i`, `ptr.gen.to.global`, `max.ui`, `clz.ll`, `rotate.b32`, bf16 as i16 ...;
- NVVM IR's own that LLVM never had: `shfl.sync.i32` and `vote.sync` with their mode operand,
  `match.all.sync.i32`;

and returns an op of the nvvm dialect with the same meaning (`OPS`), an op of the llvm dialect if
LLVM upgrades the call to one, or otherwise `llvm.call_intrinsic` with LLVM 22's name.
`canonical_intrinsic(name)` is that name if only the name has changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, IntegerType, i64
from xdsl.dialects.llvm import (
    BitcastOp,
    CallIntrinsicOp,
    ConstantOp,
    FPExtOp,
    ICmpOp,
    InsertValueOp,
    LLVMPointerType,
    LoadOp,
    TruncOp,
    ZeroOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.defaults import FALSE, NO_FASTMATH
from nvvm_xdsl.dialects.generated import nvvm_enums as enums
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import op_class as llvm_class
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.constants import constant_of
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, AtomicRMWOp, FshlOp
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_ATTRIBUTES, PLAIN
from nvvm_xdsl.dialects.llvm.types import (
    I1,
    I16,
    I32,
    I64,
    UNIT,
    VOID,
    dense_i32,
    int_attr,
    integer,
    string,
)
from nvvm_xdsl.dialects.nvvm import enum_attributes as kinds
from nvvm_xdsl.dialects.nvvm import op_class
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, find_intrinsic
from nvvm_xdsl.dialects.nvvm.main_signatures import (
    earlier_signature,
    has_more_arguments,
    is_renamed,
)
from nvvm_xdsl.dialects.nvvm.op_rows import PREFIX, OpRow, op_rows
from nvvm_xdsl.dialects.nvvm.ops import Barrier0Op, BarrierOp, ShflOp, VoteSyncOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, SHARED, SHARED_CLUSTER

Insert = Callable[[Operation], SSAValue]
"""Inserts an op before the call and returns its result."""

Result = Operation | SSAValue
"""The replacement of a call: an op that is not inserted yet, or an existing value."""


class CallError(ValueError):
    """A call that does not match its intrinsic."""


_RENAMED: Mapping[str, str] = {
    "bar.sync": "barrier.cta.sync.aligned.all",
    "barrier.n": "barrier.cta.sync.aligned.all",
    "barrier": "barrier.cta.sync.aligned.count",
    "barrier.sync": "barrier.cta.sync.all",
    "barrier.sync.cnt": "barrier.cta.sync.count",
    "fabs.f": "fabs.f32",
    "fabs.ftz.f": "fabs.ftz.f32",
    "fabs.d": "fabs.f64",
    "abs.bf16": "fabs.bf16",
    "abs.bf16x2": "fabs.v2bf16",
    "ex2.approx.f": "ex2.approx.f32",
    "ex2.approx.ftz.f": "ex2.approx.ftz.f32",
    "ex2.approx.d": "ex2.approx.f64",
    "ex2.approx.f16x2": "ex2.approx.v2f16",
    "match.all.sync.i32": "match.all.sync.i32p",
    "match.all.sync.i64": "match.all.sync.i64p",
}
"""Changed names of intrinsics with unchanged arguments."""

_TYPED_POINTER = re.compile(r"\.p(\d+)(?:i\d+|f\d+|bf16|v\d+\w+|s_\w+|sl_\w+|p\d+\w*)(?=\.|$)")


@cache
def canonical_intrinsic(name: str) -> str:
    """LLVM 22's name of a renamed intrinsic; `name` itself for any other.

    Suffixes of typed pointers become those of opaque ones: `.p1i32` is `.p1`.
    """
    if not name.startswith(PREFIX):
        return name
    renamed = _RENAMED.get(name[len(PREFIX) :])
    if renamed is not None:
        return PREFIX + renamed
    found = find_intrinsic(name)
    if found is not None and found.name != name:
        return _TYPED_POINTER.sub(r".p\1", name)
    return name


class Call(NamedTuple):
    """A call during its conversion to an op.

    `properties` are additional facts: `range`, or attributes for a `call_intrinsic`.
    """

    name: str
    arguments: Sequence[SSAValue]
    output: Attribute
    insert: Insert
    properties: Mapping[str, Attribute]

    def results(self) -> tuple[Attribute, ...]:
        """The result types of an op for the call."""
        return () if self.output is VOID else (self.output,)

    def constant(self, index: int) -> int:
        """The value of an argument that must be constant."""
        attr = constant_of(self.arguments[index])
        if not isinstance(attr, IntegerAttr):
            raise CallError(f"argument {index + 1} of {self.name} must be a constant integer")
        return attr.value.data


def build_call(
    name: str,
    arguments: Sequence[SSAValue],
    output: Attribute,
    insert: Insert,
    properties: Mapping[str, Attribute] | None = None,
) -> Result:
    """The replacement of a call of the intrinsic `name`.

    `output` is the result type, `VOID` for none; `insert` puts ops before the call.
    `properties` may hold `range` (a constant range for the result), `fastmathFlags`, `arg_attrs`
    and `res_attrs`; those that the op does not support are dropped. Raises CallError for an invalid
    call.
    """
    short = name.removeprefix(PREFIX)
    earlier = earlier_signature(short, len(arguments), lambda index: _integer(arguments[index]))
    if earlier is not None:
        short = earlier.name
        name = PREFIX + short
        arguments = [arguments[index] for index in earlier.arguments]
    call = Call(name, arguments, output, insert, properties or {})
    upgrade = _UPGRADES.get(short) or _upgrade_by_family(short)
    if upgrade is not None:
        try:
            return upgrade(call)
        except CallError:
            raise
        except (IndexError, ValueError):
            # Upgrades decompose arguments without checking their number.
            raise CallError(f"{name} cannot take {len(arguments)} arguments") from None
    return _call(call._replace(name=canonical_intrinsic(name)))


def _integer(value: SSAValue) -> int | None:
    """The value of a constant integer, None for other values."""
    attr = constant_of(value)
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def is_present(name: str) -> bool:
    """Returns True if `build_call` creates a `call_intrinsic` with the same name."""
    short = name.removeprefix(PREFIX)
    if short in _UPGRADES or _upgrade_by_family(short) is not None or is_renamed(short):
        return False
    intrinsic = find_intrinsic(name)
    if intrinsic is not None and intrinsic.name in op_rows():
        return False
    return canonical_intrinsic(name) == name


def _call(call: Call) -> Result:
    """The op of a call with its current name, with arguments converted to current types."""
    intrinsic = find_intrinsic(call.name)
    if intrinsic is None:
        return generic_call(call)
    if len(call.arguments) > len(intrinsic.arguments):
        if has_more_arguments(call.name.removeprefix(PREFIX), len(call.arguments)):
            return generic_call(call)
        raise CallError(
            f"{call.name} takes {len(intrinsic.arguments)} arguments, not {len(call.arguments)}"
        )
    arguments = [
        _converted(value, wanted, call)
        for value, wanted in zip(call.arguments, intrinsic.arguments)
    ]
    for index in range(len(arguments), len(intrinsic.arguments)):
        if index not in intrinsic.immediates:
            raise CallError(
                f"{call.name} takes {len(intrinsic.arguments)} arguments, not {len(call.arguments)}"
            )
        # Flags that a later release appended; 0 is the old behaviour.
        arguments.append(_constant(call, 0, integer(_width(intrinsic.arguments[index]))))
    output = _present_output(call, intrinsic)
    present = call._replace(arguments=arguments, output=output)
    row = op_rows().get(intrinsic.name)
    result = generic_call(present) if row is None else _make_op(row, present)
    return result if output == call.output else _cast(call.insert(result), call.output)


def generic_call(call: Call) -> Operation:
    """`llvm.call_intrinsic` under the call's name."""
    made = intrinsic_call(
        call.name, call.arguments, call.results(), call.properties.get("fastmathFlags", NO_FASTMATH)
    )
    properties = made.properties
    for name in ("arg_attrs", "res_attrs"):
        if name in call.properties:
            properties[name] = call.properties[name]
    if "range" in call.properties and "res_attrs" not in properties:
        from xdsl.dialects.builtin import DictionaryAttr

        bounds = DictionaryAttr({"llvm.range": call.properties["range"]})
        properties["res_attrs"] = ArrayAttr([bounds])
    return made


def intrinsic_call(
    name: str,
    arguments: Sequence[SSAValue],
    results: Sequence[Attribute],
    fastmath: Attribute = NO_FASTMATH,
) -> Operation:
    """`llvm.call_intrinsic` of a full name, with results of these types."""
    properties: dict[str, Attribute] = {
        "intrin": string(name),
        "fastmathFlags": fastmath,
        "op_bundle_sizes": dense_i32(()),
        "operandSegmentSizes": dense_i32((len(arguments), 0)),
    }
    return fast.create(CallIntrinsicOp, arguments, results, properties)


_WANTED: dict[str, Attribute] = {
    "bf16": types.BF16,
    "v2bf16": types.vector(2, types.BF16),
    "f16": types.F16,
    "v2f16": types.vector(2, types.F16),
}

_BITS: dict[str, Attribute] = {"bf16": I16, "v2bf16": I32, "f16": I16, "v2f16": I32}


def _width(letters: str) -> int:
    return int(letters[1:]) if re.fullmatch(r"i\d+", letters) else 32


def _converted(value: SSAValue, wanted: str, call: Call) -> SSAValue:
    """An argument in the form of the current signature."""
    type_ = value.type
    if wanted in _BITS and type_ is _BITS[wanted]:
        return call.insert(_cast(value, _WANTED[wanted]))
    if wanted == "=0" and type_ in (I16, I32) and "bf16" in call.name:
        return call.insert(_cast(value, _bfloat(type_)))
    if wanted == "i64" and type_ is I32 and call.name.startswith(f"{PREFIX}st.bulk"):
        # LLVM's main branch also has sizes of 32 bits.
        return call.insert(fast.create(ZExtOp, (value,), (I64,)))
    if wanted == "i32" and _is_vector_of_one(type_, call):
        return call.insert(_cast(value, I32))
    if wanted.startswith("p") and wanted[1:].isdigit() and isinstance(type_, LLVMPointerType):
        space = int(wanted[1:])
        if types.address_space_of(type_) == SHARED and space == SHARED_CLUSTER:
            return call.insert(_cast(value, types.pointer(SHARED_CLUSTER)))
    return value


def _is_vector_of_one(type_: Attribute, call: Call) -> bool:
    """Returns True for the type of one register in `tcgen05.ld` and `st` on LLVM's main branch."""
    return type_ == types.vector(1, I32) and call.name.startswith(
        (f"{PREFIX}tcgen05.ld.", f"{PREFIX}tcgen05.st.")
    )


def _present_output(call: Call, intrinsic: Intrinsic) -> Attribute:
    """The result type in the current signature."""
    if len(intrinsic.results) == 1:
        wanted = intrinsic.results[0]
        if wanted in _BITS and call.output is _BITS[wanted]:
            return _WANTED[wanted]
        if wanted == "p7" and call.output == types.pointer(SHARED):
            return types.pointer(SHARED_CLUSTER)
        if wanted == "i32" and _is_vector_of_one(call.output, call):
            return I32
        if wanted == "anyfloat" and call.output in (I16, I32) and "bf16" in call.name:
            return _bfloat(call.output)
    return call.output


def _bfloat(integer: Attribute) -> Attribute:
    """The type of the numbers that an older signature passes as an integer of 16 or 32 bits."""
    return _WANTED["bf16" if integer is I16 else "v2bf16"]


def _cast(value: SSAValue, type_: Attribute) -> Operation:
    pointers = isinstance(type_, LLVMPointerType)
    cls = AddrSpaceCastOp if pointers else BitcastOp
    return fast.create(cls, (value,), (type_,))


def _constant(call: Call, value: int, type_: IntegerType) -> SSAValue:
    attr = int_attr(value, type_)
    return call.insert(fast.create(ConstantOp, (), (type_,), {"value": attr}))


def _unary(op: str, flag: str | None = None) -> Callable[[Call], Result]:
    properties: dict[str, Attribute] = {} if flag is None else {flag: FALSE}

    def make(call: Call) -> Result:
        cls = llvm_class(f"llvm.intr.{op}")
        wide = call.arguments[0].type
        made = fast.create(cls, call.arguments, (wide,), dict(properties))
        if wide == call.output:
            return made
        return fast.create(
            TruncOp, (call.insert(made),), (call.output,), {"overflowFlags": int_attr(0, I32)}
        )

    return make


def _binary(op: str) -> Callable[[Call], Result]:
    return lambda call: fast.create(
        llvm_class(f"llvm.intr.{op}"), call.arguments, call.results(), {}
    )


def _bitcast(call: Call) -> Result:
    return fast.create(BitcastOp, call.arguments, call.results())


def _pointer_cast(call: Call) -> Result:
    return fast.create(AddrSpaceCastOp, call.arguments[:1], call.results())


def _half_to_float(call: Call) -> Result:
    half = call.insert(fast.create(BitcastOp, call.arguments, (types.F16,)))
    return fast.create(FPExtOp, (half,), call.results())


def _rotate(op: str) -> Callable[[Call], Result]:
    def make(call: Call) -> Result:
        value, amount = call.arguments
        if amount.type != value.type:
            amount = call.insert(fast.create(ZExtOp, (amount,), (value.type,)))
        cls = llvm_class(f"llvm.intr.{op}")
        return fast.create(cls, (value, value, amount), call.results())

    return make


def _swap_halves(call: Call) -> Result:
    (value,) = call.arguments
    amount = _constant(call, 32, I64)
    return fast.create(FshlOp, (value, value, amount), call.results())


def _constant_load(call: Call) -> Result:
    """`ldg.global`: a load of memory that is not written while the kernel runs."""
    pointer = call.arguments[0]
    type_ = pointer.type
    if isinstance(type_, LLVMPointerType) and types.address_space_of(type_) == GENERIC:
        pointer = call.insert(_cast(pointer, types.pointer(GLOBAL)))
    properties: dict[str, Attribute] = {"ordering": PLAIN, "invariant": UNIT}
    if len(call.arguments) > 1:
        properties["alignment"] = int_attr(call.constant(1), I64)
    return fast.create(LoadOp, (pointer,), call.results(), properties)


def _atomic(operation: str) -> Callable[[Call], Result]:
    """A relaxed update: these intrinsics are CUDA's atomic functions (llvm/llvm-project#187140)."""

    def make(call: Call) -> Result:
        size = 8 if call.output in (I64, types.F64) else 4
        return fast.create(
            AtomicRMWOp,
            call.arguments,
            call.results(),
            {
                "bin_op": int_attr(ENUMS["AtomicBinOp"][operation], I64),
                "ordering": ORDERING_ATTRIBUTES["monotonic"],
                "alignment": int_attr(size, I64),
            },
        )

    return make


def _barrier0(call: Call) -> Result:
    return fast.create(Barrier0Op, (), ())


def _reducing_barrier0(kind: str) -> Callable[[Call], Result]:
    def make(call: Call) -> Result:
        zero = _constant(call, 0, I32)
        compared = fast.create(
            ICmpOp, (call.arguments[0], zero), (I1,), {"predicate": IntegerAttr(1, i64)}
        )
        name = f"{PREFIX}barrier.cta.red.{kind}.aligned.all"
        output = call.output if kind == "popc" else I1
        reduced = generic_call(
            call._replace(
                name=name, arguments=(zero, call.insert(compared)), output=output, properties={}
            )
        )
        if kind == "popc":
            return reduced
        return fast.create(ZExtOp, (call.insert(reduced),), (call.output,))

    return make


_SHUFFLE_MODES = (enums.ShflKind.IDX, enums.ShflKind.UP, enums.ShflKind.DOWN, enums.ShflKind.BFLY)
_VOTE_MODES = (
    enums.VoteSyncKind.ALL,
    enums.VoteSyncKind.ANY,
    enums.VoteSyncKind.UNI,
    enums.VoteSyncKind.BALLOT,
)


def _mode(call: Call, count: int) -> int:
    mode = call.constant(1)
    if not 0 <= mode < count:
        raise CallError(f"{call.name} has no mode {mode}")
    return mode


def _shuffle_with_mode(call: Call) -> Result:
    """NVVM IR's `shfl.sync.i32(mask, mode, value, offset, clamp)`."""
    if len(call.arguments) != 5:
        raise CallError(f"{call.name} takes 5 arguments, not {len(call.arguments)}")
    kind = kinds.ShflKindAttr(_SHUFFLE_MODES[_mode(call, 4)])
    mask, _, *rest = call.arguments
    properties: dict[str, Attribute] = {"kind": kind, "return_value_and_is_valid": UNIT}
    return fast.create(ShflOp, (mask, *rest), call.results(), properties)


def _vote_with_mode(call: Call) -> Result:
    """NVVM IR's `vote.sync(mask, mode, predicate)`, which yields a mask and a predicate."""
    if len(call.arguments) != 3:
        raise CallError(f"{call.name} takes 3 arguments, not {len(call.arguments)}")
    kind = _VOTE_MODES[_mode(call, 4)]
    ballot = kind is enums.VoteSyncKind.BALLOT
    mask, _, predicate = call.arguments
    vote = fast.create(
        VoteSyncOp,
        (mask, predicate),
        (I32 if ballot else I1,),
        {"kind": kinds.VoteSyncKindAttr(kind)},
    )
    value = call.insert(vote)
    both = call.insert(fast.create(ZeroOp, (), call.results()))
    position = DenseArrayBase.from_list(i64, [0 if ballot else 1])
    return fast.create(InsertValueOp, (both, value), call.results(), {"position": position})


_UPGRADES: dict[str, Callable[[Call], Result]] = {
    "barrier0": _barrier0,
    "barrier0.popc": _reducing_barrier0("popc"),
    "barrier0.and": _reducing_barrier0("and"),
    "barrier0.or": _reducing_barrier0("or"),
    "brev32": _unary("bitreverse"),
    "brev64": _unary("bitreverse"),
    "clz.i": _unary("ctlz", "is_zero_poison"),
    "clz.ll": _unary("ctlz", "is_zero_poison"),
    "popc.i": _unary("ctpop"),
    "popc.ll": _unary("ctpop"),
    "abs.i": _unary("abs", "is_int_min_poison"),
    "abs.ll": _unary("abs", "is_int_min_poison"),
    **{
        f"{op}.{suffix}": _binary(f"{'u' if suffix[0] == 'u' else 's'}{op}")
        for op in ("max", "min")
        for suffix in ("s", "i", "ll", "us", "ui", "ull")
    },
    "bitcast.f2i": _bitcast,
    "bitcast.i2f": _bitcast,
    "bitcast.ll2d": _bitcast,
    "bitcast.d2ll": _bitcast,
    "h2f": _half_to_float,
    "rotate.b32": _rotate("fshl"),
    "rotate.b64": _rotate("fshl"),
    "rotate.right.b64": _rotate("fshr"),
    "swap.lo.hi.b64": _swap_halves,
    "shfl.sync.i32": _shuffle_with_mode,
    "shfl.sync.f32": _shuffle_with_mode,
    "vote.sync": _vote_with_mode,
}
"""Intrinsics that LLVM no longer has, or never had, and their replacements."""

_FAMILIES: tuple[tuple[re.Pattern[str], Callable[[Call], Result]], ...] = (
    (re.compile(r"ptr\.gen\.to\.(global|shared|local|constant|param)\b"), _pointer_cast),
    (re.compile(r"ptr\.(global|shared|local|constant|param)\.to\.gen\b"), _pointer_cast),
    (re.compile(r"ldg\.global\.[ifp]\b"), _constant_load),
    (re.compile(r"atomic\.load\.add\.f(32|64)\b"), _atomic("fadd")),
    (re.compile(r"atomic\.load\.inc\.32\b"), _atomic("uinc_wrap")),
    (re.compile(r"atomic\.load\.dec\.32\b"), _atomic("udec_wrap")),
)


def _upgrade_by_family(short: str) -> Callable[[Call], Result] | None:
    if not short.startswith(("ptr.", "ldg.", "atomic.load.")):
        return None
    return next((make for pattern, make in _FAMILIES if pattern.match(short)), None)


def _make_op(row: OpRow, call: Call) -> Operation:
    """The op of a row for a call."""
    if row.op == "nvvm.barrier":
        return _barrier(call)
    cls = op_class(row.op)
    if row.op.startswith(_SPECIAL_REGISTER):
        return _special_register(cls, call)
    if row.immediate is None:
        return fast.create(cls, call.arguments, call.results(), dict(row.properties))
    name, type_ = row.immediate
    value = int_attr(call.constant(0), type_)
    return fast.create(cls, (), call.results(), {name: value, **row.properties})


_SPECIAL_REGISTER = "nvvm.read.ptx.sreg."


def _special_register(cls: type[Operation], call: Call) -> Operation:
    if call.output not in (I32, I64):
        raise CallError(f"{call.name} does not return {call.output}")
    bounds = call.properties.get("range")
    has_range = "range" in cls.get_irdl_definition().properties  # pyright: ignore
    properties = {"range": bounds} if bounds is not None and has_range else {}
    return fast.create(cls, (), call.results(), properties)


def _barrier(call: Call) -> Operation:
    """A barrier for all threads: `nvvm.barrier0` for barrier 0, else with its number."""
    if len(call.arguments) == 1:
        attr = constant_of(call.arguments[0])
        if isinstance(attr, IntegerAttr) and attr.value.data == 0:
            return fast.create(Barrier0Op)
    sizes = dense_i32((1, len(call.arguments) - 1, 0))
    return fast.create(BarrierOp, call.arguments, (), {"operandSegmentSizes": sizes})


@cache
def intrinsics_with_ops() -> frozenset[str]:
    """The LLVM 22 names of intrinsics that become an op of the nvvm dialect."""
    return frozenset(op_rows())
