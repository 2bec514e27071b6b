"""Encoders of ops that are not encoded scalar by scalar: constants, aggregates, memory, calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, READS, STATE, UNSPECULATABLE, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    callee_of,
    dictionaries_of,
    int_property,
    integer_of,
    integers_of,
    intrinsic_name,
    position_of,
    stated_alignment,
    vector_type,
)
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC
from nvvm_xdsl.lab.validation.floats import float_encoder, is_loose
from nvvm_xdsl.lab.validation.integers import (
    OVERFLOWS,
    SCALAR_INTRINSICS,
    SCALAR_OPS,
    Encoder,
    Scalar,
    with_overflow,
)
from nvvm_xdsl.lab.validation.memory import (
    ADDRESS_BITS,
    MEMORY,
    MOST_BYTES,
    Accessor,
    Memory,
    cast_address,
    generic_address,
    load,
    same_object,
    space_of,
    store,
    within,
)
from nvvm_xdsl.lab.validation.objects import LocalObjects, Symbols
from nvvm_xdsl.lab.validation.scope import Scope, all_undef, any_poison
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import (
    ALWAYS,
    NEVER,
    Leaf,
    Term,
    UnsupportedError,
    Value,
    choose,
    choose_leaf,
    constant_leaves,
    either,
    inverse,
    leaf_range,
    number,
    scalars_of,
    width_of_scalar,
)


@dataclass
class Shared:
    """What both functions share beyond their inputs.

    Arguments:
        symbols: the globals.
        memories: arrays that stand for unknown contents of main memory.
        facts: ignored facts of the original by op: the optimized function may have these too.
    """

    symbols: Symbols
    memories: list[Term] = field(default_factory=list[Any])
    facts: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])


@dataclass
class Frame:
    """A function while a path through it is encoded.

    Arguments:
        scope, accessor, local_objects, shared, module: of the function.
        values: the values of SSA values on this path.
        memory: the contents of memory.
        stops: the conditions under which calls did not return, and memory there.
    """

    scope: Scope
    accessor: Accessor
    local_objects: LocalObjects
    shared: Shared
    module: ModuleOp
    values: dict[SSAValue, Value]
    memory: Memory
    stops: list[tuple[Term, Memory]] = field(default_factory=list[Any])

    def use(self, value: SSAValue) -> Value:
        """The value as one operand sees it."""
        scope = self.scope
        return tuple(scope.use(leaf) for leaf in self.values[value])

    def operands(self, op: Operation) -> list[Value]:
        """The values of all operands."""
        return [self.use(operand) for operand in op.operands]

    def ignore(self, op: Operation, fact: str, text: str) -> None:
        """A fact of an op is ignored. The optimized function may have it if the original has it."""
        key = (callee_of(op) or op.name, fact, text)
        if self.scope.is_target and key not in self.shared.facts:
            raise UnsupportedError(f"{fact} of {op.name}")
        self.shared.facts.add(key)
        self.scope.approximate(f"{fact} of {op.name}")

    def width(self, type_: Attribute) -> int:
        """The width of a scalar type."""
        return width_of_scalar(type_, self.scope.layout)


Statement = Callable[[Frame, Operation], Sequence[Value]]


def encode_op(frame: Frame, op: Operation) -> None:
    """Encodes an op that is no terminator. Raises UnsupportedError."""
    statement = STATEMENTS.get(op.name)
    if statement is not None:
        results = statement(frame, op)
    elif op.name in OVERFLOWS:
        results = [_with_overflow(frame, op)]
    else:
        results = _scalar_op(frame, op)
    for result, value in zip(op.results, results):
        frame.values[result] = value


# Scalars and unknown ops


def _scalar_op(frame: Frame, op: Operation) -> Sequence[Value]:
    encoder: Encoder | None = SCALAR_OPS.get(op.name) or SCALAR_INTRINSICS.get(intrinsic_name(op))
    result = op.results[0].type if op.results else None
    if result is not None and op.operands and len(op.results) == 1:
        rows = _rows(frame, op)
        if rows:
            found = float_encoder(rows[0]) or encoder
            if found is not None and not is_loose(rows[0]):
                return [tuple(found(row) for row in rows)]
    return _unknown(frame, op)


def _rows(frame: Frame, op: Operation) -> list[Scalar]:
    """The op scalar by scalar; nothing if the operands do not have as many scalars."""
    try:
        results = scalars_of(op.results[0].type)
        source = scalars_of(op.operands[0].type)[0]
        values = frame.operands(op)
    except UnsupportedError:
        if effects(op):
            return []
        raise
    count = len(results)
    if op.name == "llvm.select":
        source = results[0]
    if any(len(value) not in (1, count) for value in values):
        return []
    return [
        Scalar(
            frame.scope,
            op,
            [value[i if len(value) == count else 0] for value in values],
            source,
            results[i],
            frame.width(results[i]),
        )
        for i in range(count)
    ]


def _with_overflow(frame: Frame, op: Operation) -> Value:
    a, b = frame.operands(op)
    type_ = scalars_of(op.operands[0].type)[0]
    pairs = [
        with_overflow(Scalar(frame.scope, op, [x, y], type_, type_, frame.width(type_)))
        for x, y in zip(a, b)
    ]
    return (*(pair[0] for pair in pairs), *(pair[1] for pair in pairs))


_NO_PART_OF_KEY = frozenset({"arg_attrs", "res_attrs", "branch_weights", "TailCallKind"})


def _key(op: Operation) -> str:
    properties = sorted((k, str(v)) for k, v in op.properties.items() if k not in _NO_PART_OF_KEY)
    return f"{op.name} {properties}"


def _argument(frame: Frame, leaf: Leaf) -> list[Term]:
    """An operand of an unknown op: its bits, and whether it is poison or undef."""
    zero = z3.BitVecVal(0, leaf.bits.size())
    if any(leaf.bits.eq(u) for u in leaf.undef):
        if not frame.scope.is_target:
            frame.scope.approximate("undef operand of an unknown op")
        return [zero, leaf.poison, ALWAYS]
    if leaf.undef and frame.scope.is_target:
        raise UnsupportedError("partly undef operand of an unknown op")
    return [choose(leaf.poison, zero, leaf.bits), leaf.poison, NEVER]


def _unknown(frame: Frame, op: Operation) -> Sequence[Value]:
    """An op that is not modelled: a function of its operands, and an event if it has effects."""
    if op.regions:
        raise UnsupportedError(op.name)
    flags = effects(op)
    if flags & UNSPECULATABLE and not flags & (READS | WRITES | STATE | MAY_NOT_RETURN):
        raise UnsupportedError(op.name)
    arguments: list[Term] = []
    for value in frame.operands(op):
        for leaf in value:
            arguments += _argument(frame, leaf)
    is_event = bool(flags & (WRITES | STATE | MAY_NOT_RETURN))
    if not is_event:
        frame.scope.approximate(f"{intrinsic_name(op) or callee_of(op) or op.name}")
    if flags & READS:
        arguments.append(frame.memory.main)
    if is_event:
        arguments.append(frame.memory.trace)
    return Unknown(frame, op, arguments).encode(flags, is_event)


class Unknown:
    """An op as an unknown function of its operands.

    Arguments:
        frame: of the function.
        op: the op.
        arguments: the terms that its results depend on.
    """

    def __init__(self, frame: Frame, op: Operation, arguments: list[Term]) -> None:
        self._frame = frame
        self._op = op
        self._arguments = arguments
        self._key = _key(op)

    def _apply(self, suffix: str, sort: Term) -> Term:
        if not self._arguments:
            return z3.Const(f"{self._key} {suffix}", sort)
        sorts = [a.sort() for a in self._arguments]
        return z3.Function(f"{self._key} {suffix}", *sorts, sort)(*self._arguments)

    def encode(self, flags: int, is_event: bool) -> Sequence[Value]:
        """The results; changes memory, the trace and the path."""
        frame = self._frame
        results = [self._result(index) for index in range(len(self._op.results))]
        if is_event:
            main = frame.memory.main
            if flags & WRITES:
                main = self._apply("memory", MEMORY)
                frame.shared.memories.append(main)
            trace = self._apply("trace", z3.BitVecSort(ADDRESS_BITS))
            frame.memory = replace(frame.memory, main=main, trace=trace)
        if flags & MAY_NOT_RETURN:
            self._stop()
        return results

    def _result(self, index: int) -> Value:
        type_ = self._op.results[index].type
        leaves: list[Leaf] = []
        for n, scalar in enumerate(scalars_of(type_)):
            width = self._frame.width(scalar)
            leaves.append(
                Leaf(
                    self._apply(f"result {index}.{n}", z3.BitVecSort(width)),
                    self._apply(f"poison {index}.{n}", z3.BoolSort()),
                    wild=isinstance(scalar, LLVMPointerType),
                )
            )
        return tuple(leaves)

    def _stop(self) -> None:
        frame = self._frame
        returns = self._apply("returns", z3.BoolSort())
        if has_function_attribute(self._op, "no_return"):
            returns = NEVER
        path = frame.scope.path
        frame.stops.append((z3.And(path, inverse(returns)), frame.memory))
        frame.scope.path = z3.And(path, returns)


# Constants


def _constant(frame: Frame, op: Operation) -> Sequence[Value]:
    return [constant_leaves(op.properties["value"], op.results[0].type, frame.scope.layout)]


def _filled(make: Callable[[Frame, int], Leaf]) -> Statement:
    def encode(frame: Frame, op: Operation) -> Sequence[Value]:
        widths = [frame.width(scalar) for scalar in scalars_of(op.results[0].type)]
        return [tuple(make(frame, width) for width in widths)]

    return encode


def _poison(frame: Frame, width: int) -> Leaf:
    return Leaf(z3.BitVecVal(0, width), ALWAYS)


def _address_of(frame: Frame, op: Operation) -> Sequence[Value]:
    return [(frame.shared.symbols.leaf(op, frame.module),)]


def _nothing(frame: Frame, op: Operation) -> Sequence[Value]:
    return []


# Vectors and aggregates


def _extract_value(frame: Frame, op: Operation) -> Sequence[Value]:
    start, end = leaf_range(op.operands[0].type, position_of(op))
    return [frame.values[op.operands[0]][start:end]]


def _insert_value(frame: Frame, op: Operation) -> Sequence[Value]:
    start, end = leaf_range(op.operands[0].type, position_of(op))
    whole, part = frame.values[op.operands[0]], frame.values[op.operands[1]]
    return [(*whole[:start], *part, *whole[end:])]


def _out_of_range(index: Leaf, count: int) -> Term:
    if count >= 1 << index.bits.size():
        return index.poison
    return either(index.poison, z3.UGE(index.bits, count))


def _extract_element(frame: Frame, op: Operation) -> Sequence[Value]:
    vector, known = frame.values[op.operands[0]], constant_unsigned(op.operands[1])
    if known is not None and known < len(vector):
        return [(vector[known],)]
    (index,) = frame.use(op.operands[1])
    found = vector[0]
    for n, leaf in enumerate(vector[1:], 1):
        found = choose_leaf(index.bits == n, leaf, found)
    poison = either(found.poison, _out_of_range(index, len(vector)))
    undef = (*found.undef, *index.undef)
    return [(Leaf(found.bits, poison, undef, found.objects, found.wild),)]


def _insert_element(frame: Frame, op: Operation) -> Sequence[Value]:
    vector = frame.values[op.operands[0]]
    (element,) = frame.values[op.operands[1]]
    known = constant_unsigned(op.operands[2])
    if known is not None and known < len(vector):
        return [(*vector[:known], element, *vector[known + 1 :])]
    (index,) = frame.use(op.operands[2])
    found: list[Leaf] = []
    for n, leaf in enumerate(vector):
        chosen = choose_leaf(index.bits == n, element, leaf)
        poison = either(chosen.poison, _out_of_range(index, len(vector)))
        undef = (*chosen.undef, *index.undef)
        found.append(Leaf(chosen.bits, poison, undef, chosen.objects, chosen.wild))
    return [tuple(found)]


def _shuffle(frame: Frame, op: Operation) -> Sequence[Value]:
    lanes = (*frame.values[op.operands[0]], *frame.values[op.operands[1]])
    width = lanes[0].bits.size()
    mask = integers_of(op.properties["mask"])
    return [tuple(_poison(frame, width) if n < 0 else lanes[n] for n in mask)]


def _bitcast(frame: Frame, op: Operation) -> Sequence[Value]:
    (value,) = frame.operands(op)
    widths = [frame.width(scalar) for scalar in scalars_of(op.results[0].type)]
    if [leaf.bits.size() for leaf in value] == widths:
        return [value]
    # The first element is in the least significant bits.
    bits = [leaf.bits for leaf in reversed(value)]
    whole = z3.Concat(*bits) if len(bits) > 1 else bits[0]
    undef = all_undef(value)
    found: list[Leaf] = []
    start = 0
    for width in widths:
        overlapping = [
            leaf
            for n, leaf in enumerate(value)
            if n * leaf.bits.size() < start + width and start < (n + 1) * leaf.bits.size()
        ]
        part = z3.Extract(start + width - 1, start, whole)
        found.append(Leaf(part, any_poison(overlapping), undef))
        start += width
    return [tuple(found)]


# Pointers


def _cast_space(frame: Frame, op: Operation) -> Sequence[Value]:
    source, target = scalars_of(op.operands[0].type)[0], scalars_of(op.results[0].type)[0]
    inputs, width = frame.scope.inputs, frame.width(target)
    return [
        tuple(
            replace(leaf, bits=cast_address(inputs, leaf.bits, space_of(source), space_of(target), width))
            for leaf in frame.operands(op)[0]
        )
    ]  # fmt: skip


_GEP_INBOUNDS, _GEP_NUSW, _GEP_NUW = 1, 2, 4


def _gep(frame: Frame, op: Operation) -> Sequence[Value]:
    type_ = op.results[0].type
    if vector_type(type_) is not None or any(vector_type(o.type) for o in op.operands):
        raise UnsupportedError("getelementptr of vectors")
    offset = gep_offset(op, frame.scope.layout)
    if offset is None:
        raise UnsupportedError("getelementptr through this type")
    (base,) = frame.use(op.operands[0])
    width = base.bits.size()
    flags = int_property(op, "noWrapFlags")
    leaves = [base]
    total: Term = z3.BitVecVal(offset.constant, width)
    wraps = NEVER
    for value, scale in offset.terms:
        (index,) = frame.use(value)
        leaves.append(index)
        bits = index.bits
        if bits.size() < width:
            bits = z3.SignExt(width - bits.size(), bits)
        elif bits.size() > width:
            cut = z3.Extract(width - 1, 0, bits)
            if flags & _GEP_NUSW:
                wraps = either(wraps, z3.SignExt(bits.size() - width, cut) != bits)
            bits = cut
        product = bits * scale
        if flags & _GEP_NUSW:
            wraps = either(wraps, _product_wraps(bits, scale, True))
            wraps = either(wraps, z3.Not(z3.And(z3.BVAddNoOverflow(total, product, True), z3.BVAddNoUnderflow(total, product))))  # fmt: skip
        if flags & _GEP_NUW:
            wraps = either(wraps, _product_wraps(bits, scale, False))
            wraps = either(wraps, z3.Not(z3.BVAddNoOverflow(total, product, False)))
        total = total + product
    address = base.bits + total
    if flags & _GEP_NUW:
        wraps = either(wraps, z3.ULT(address, base.bits))
    if flags & _GEP_NUSW:
        wraps = either(
            wraps, z3.If(total < 0, z3.UGE(address, base.bits), z3.ULT(address, base.bits))
        )
    if flags & _GEP_INBOUNDS:
        wraps = either(wraps, _leaves_object(frame, base, address, space_of(type_)))
    poison = either(any_poison(leaves), wraps)
    return [(Leaf(address, poison, all_undef(leaves), base.objects, base.wild),)]


def _product_wraps(bits: Term, scale: int, signed: bool) -> Term:
    """Whether the product of an index and the size of an element wraps."""
    if scale == 1:
        return NEVER
    width = bits.size()
    if not signed:
        return z3.UGT(bits, ((1 << width) - 1) // scale) if scale else NEVER
    most = ((1 << (width - 1)) - 1) // scale if scale else 0
    least = -((1 << (width - 1)) // scale) if scale else 0
    return z3.Or(bits > most, bits < least) if scale else NEVER


def _leaves_object(frame: Frame, base: Leaf, address: Term, space: int) -> Term:
    """Whether an `inbounds` address is outside of the object of its base."""
    if base.bits.eq(address):
        return NEVER
    inputs = frame.scope.inputs
    start = generic_address(inputs, base.bits, space)
    end = generic_address(inputs, address, space)
    outside = z3.Not(same_object(start, end))
    for known, size in frame.shared.symbols.sizes():
        for point in (start, end):
            inputs.assumptions.append(same_object(point, known) == z3.ULE(point - known, size))
    if space == GENERIC:
        outside = either(outside, z3.And(start != end, z3.Or(start == 0, end == 0)))
    for key, condition in base.objects.items():
        item = frame.accessor.object(key)
        local = z3.Not(z3.And(within(start, item), within(end, item)))
        outside = z3.If(condition, local, outside)
    return outside


# Memory


def _alloca(frame: Frame, op: Operation) -> Sequence[Value]:
    item = frame.local_objects.of_alloca[op]
    type_ = op.results[0].type
    width = frame.width(type_)
    address = cast_address(frame.scope.inputs, item.base, 0, space_of(type_), width)
    frame.memory = frame.accessor.allocate(frame.memory, item)
    if not item.escapes and any(
        user.name == "llvm.intr.lifetime.start" for user in fast.users_of(op.results[0])
    ):
        frame.memory = replace(frame.memory, alive={**frame.memory.alive, item.number: NEVER})
    return [(Leaf(address, NEVER, (), {item.number: ALWAYS}),)]


_FACTS_OF_ACCESSES = ("tbaa", "alias_scopes", "noalias_scopes", "invariant", "invariantGroup")


def _check_access(frame: Frame, op: Operation) -> bool:
    """Notes ignored facts of an access; returns whether it is an event."""
    for name in _FACTS_OF_ACCESSES:
        if name in op.properties:
            frame.ignore(op, name, str(op.properties[name]))
    if int_property(op, "ordering"):
        frame.scope.approximate("atomic access")
        return True
    return False


def _observed(frame: Frame, op: Operation, arguments: list[Term]) -> Unknown:
    """A volatile access as an event."""
    return Unknown(frame, op, [*arguments, frame.memory.trace])


def _load(frame: Frame, op: Operation) -> Sequence[Value]:
    if _check_access(frame, op):
        return _unknown(frame, op)
    (pointer,) = frame.use(op.operands[0])
    space = space_of(op.operands[0].type)
    type_ = op.results[0].type
    align = stated_alignment(op, 1)
    value = load(frame.accessor, pointer, space, type_, align, frame.memory, frame.scope)
    if "volatile_" in op.properties:
        return _observed(frame, op, [pointer.bits]).encode(STATE, True)
    return [with_facts(frame, op, value, {**op.attributes, **op.properties})]


def with_facts(frame: Frame, op: Operation, value: Value, facts: Any) -> Value:
    """A loaded or returned value with its metadata."""
    for name, fact in facts.items():
        if name == "llvm.range":
            width = value[0].bits.size()
            low, high = fact.lower.data, fact.upper.data
            inside = z3.ULT(value[0].bits - low, z3.BitVecVal(high - low, width))
            value = (replace(value[0], poison=either(value[0].poison, z3.Not(inside))),)
        elif name == "llvm.nonnull":
            value = (replace(value[0], poison=either(value[0].poison, value[0].bits == 0)),)
        elif name in ("llvm.align", "llvm.dereferenceable", "llvm.dereferenceable_or_null"):
            frame.ignore(op, name, str(fact))
    if "llvm.noundef" in facts:
        frame.scope.undefined(any_poison(value))
        if any(leaf.undef for leaf in value):
            frame.ignore(op, "noundef", "")
    return value


def _store(frame: Frame, op: Operation) -> Sequence[Value]:
    if _check_access(frame, op):
        return _unknown(frame, op)
    (pointer,) = frame.use(op.operands[1])
    value = frame.values[op.operands[0]]
    type_ = op.operands[0].type
    space = space_of(op.operands[1].type)
    align = stated_alignment(op, 1)
    frame.memory = store(
        frame.accessor, pointer, space, type_, value, align, frame.memory, frame.scope
    )
    if "volatile_" in op.properties:
        bits = [t for leaf in frame.use(op.operands[0]) for t in (leaf.bits, leaf.poison)]
        _observed(frame, op, [pointer.bits, *bits]).encode(STATE, True)
    return []


def _length(op: Operation) -> int:
    size = constant_unsigned(op.operands[2])
    if size is None or size > MOST_BYTES:
        raise UnsupportedError(f"{op.name} of unknown or large size")
    if integer_of(op.properties.get("isVolatile")):
        raise UnsupportedError(f"volatile {op.name}")
    return size


def _alignment_of_argument(op: Operation, index: int) -> int:
    return integer_of(argument_attributes(op, index).get("llvm.align")) or 1


def _copy(overlap: bool) -> Statement:
    def encode(frame: Frame, op: Operation) -> Sequence[Value]:
        size = _length(op)
        if not size:
            return []
        (target,), (source,) = frame.use(op.operands[0]), frame.use(op.operands[1])
        spaces = [space_of(op.operands[i].type) for i in (0, 1)]
        aligns = [_alignment_of_argument(op, i) for i in (0, 1)]
        access, memory = frame.accessor, frame.memory
        start = access.check(source, spaces[1], size, aligns[1], memory, write=False)
        end = access.check(target, spaces[0], size, aligns[0], memory, write=True)
        if not overlap:
            partly = z3.Or(z3.ULT(start - end, size), z3.ULT(end - start, size))
            frame.scope.undefined(z3.And(start != end, partly))
        cells = [z3.Extract(9, 0, access.cell(source, start + n, memory)) for n in range(size)]
        may_hold_undef = memory.may_hold_undef or access.may_hold_undef(source, memory)
        for n, cell in enumerate(cells):
            memory = access.put(target, end + n, cell, memory)
        frame.memory = replace(memory, may_hold_undef=may_hold_undef)
        return []

    return encode


def _memset(frame: Frame, op: Operation) -> Sequence[Value]:
    size = _length(op)
    if size:
        (target,), (byte,) = frame.use(op.operands[0]), frame.use(op.operands[1])
        space = space_of(op.operands[0].type)
        align = _alignment_of_argument(op, 0)
        access = frame.accessor
        address = access.check(target, space, size, align, frame.memory, write=True)
        for n in range(size):
            frame.memory = access.store_scalar(target, address + n, byte, frame.memory)
    return []


def _lifetime(alive: bool) -> Statement:
    def encode(frame: Frame, op: Operation) -> Sequence[Value]:
        (pointer,) = frame.values[op.operands[-1]]
        keys = [key for key, condition in pointer.objects.items() if z3.is_true(condition)]
        if not keys or frame.accessor.object(keys[0]).escapes:
            frame.ignore(op, "lifetime of an escaping object", "")
            return []
        if alive:
            item = frame.accessor.object(keys[0])
            frame.memory = frame.accessor.allocate(frame.memory, item)
        now = ALWAYS if alive else NEVER
        frame.memory = replace(frame.memory, alive={**frame.memory.alive, keys[0]: now})
        return []

    return encode


# Calls


def _call(frame: Frame, op: Operation) -> Sequence[Value]:
    for index, operand in enumerate(op.operands):
        facts = argument_attributes(op, index)
        if facts:
            # A violated fact is undefined behaviour only together with `noundef`.
            with_facts(frame, op, frame.use(operand), facts)
    results = _unknown(frame, op)
    facts = dictionaries_of(op.properties.get("res_attrs"))
    if facts and results:
        return [with_facts(frame, op, results[0], facts[0].data)]
    return results


def _assume(frame: Frame, op: Operation) -> Sequence[Value]:
    (condition,) = frame.use(op.operands[0])
    frame.scope.undefined(either(condition.poison, condition.bits == 0))
    if len(op.operands) > 1:
        frame.ignore(op, "operand bundle", str(op.properties.get("op_bundle_tags")))
    return []


_SREG_RANGES = {
    "tid.x": (0, 1024), "tid.y": (0, 1024), "tid.z": (0, 64),
    "ntid.x": (1, 1025), "ntid.y": (1, 1025), "ntid.z": (1, 65),
    "ctaid.x": (0, 0x7FFFFFFF), "ctaid.y": (0, 0xFFFF), "ctaid.z": (0, 0xFFFF),
    "nctaid.x": (1, 0x80000000), "nctaid.y": (1, 0x10000), "nctaid.z": (1, 0x10000),
    "laneid": (0, 32), "warpsize": (32, 33),
}  # fmt: skip
"""The values of special registers: the least, and the one behind the greatest."""

_SREG = "nvvm.read.ptx.sreg."


def _special_register(frame: Frame, op: Operation) -> Sequence[Value]:
    name = op.name.removeprefix(_SREG)
    if name not in _SREG_RANGES:
        return _unknown(frame, op)
    inputs = frame.scope.inputs
    width = frame.width(op.results[0].type)
    bits = inputs.bits(f"%{name}", width)
    low, high = _SREG_RANGES[name]
    inputs.assumptions += [z3.UGE(bits, low), z3.ULT(bits, high)]
    poison = NEVER
    stated = op.properties.get("range")
    if stated is not None:
        least: Any = stated
        lower, upper = least.lower.data, least.upper.data
        span = z3.BitVecVal(upper - lower, width)
        poison = z3.Not(z3.ULT(bits - lower, span))
    return [(Leaf(bits, poison),)]


# Reductions of vectors

_REDUCTIONS = {
    "add": "llvm.add", "mul": "llvm.mul", "and": "llvm.and", "or": "llvm.or", "xor": "llvm.xor",
    "smax": "llvm.intr.smax", "smin": "llvm.intr.smin", "umax": "llvm.intr.umax", "umin": "llvm.intr.umin",
}  # fmt: skip


def _reduction(name: str) -> Statement:
    encoder = SCALAR_OPS[_REDUCTIONS[name]]

    def encode(frame: Frame, op: Operation) -> Sequence[Value]:
        (vector,) = frame.operands(op)
        type_ = op.results[0].type
        found = vector[0]
        for leaf in vector[1:]:
            found = encoder(
                Scalar(frame.scope, op, [found, leaf], type_, type_, frame.width(type_))
            )
        return [(found,)]

    return encode


STATEMENTS: dict[str, Statement] = {
    "llvm.mlir.constant": _constant,
    "llvm.mlir.zero": _filled(lambda frame, width: number(0, width)),
    "llvm.mlir.undef": _filled(lambda frame, width: frame.scope.undef(width)),
    "llvm.mlir.poison": _filled(_poison),
    "llvm.mlir.addressof": _address_of,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.extractelement": _extract_element,
    "llvm.insertelement": _insert_element,
    "llvm.shufflevector": _shuffle,
    "llvm.bitcast": _bitcast,
    "llvm.addrspacecast": _cast_space,
    "llvm.getelementptr": _gep,
    "llvm.alloca": _alloca,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.intr.memcpy": _copy(False),
    "llvm.intr.memmove": _copy(True),
    "llvm.intr.memset": _memset,
    "llvm.intr.lifetime.start": _lifetime(True),
    "llvm.intr.lifetime.end": _lifetime(False),
    "llvm.intr.assume": _assume,
    "llvm.intr.dbg.declare": _nothing,
    "llvm.intr.dbg.value": _nothing,
    "llvm.intr.dbg.label": _nothing,
    "llvm.intr.experimental.noalias.scope.decl": _nothing,
    "llvm.call": _call,
    **{f"llvm.intr.vector.reduce.{name}": _reduction(name) for name in _REDUCTIONS},
    **{f"{_SREG}{name}": _special_register for name in _SREG_RANGES},
}
"""Encoders by op."""
