"""Encoders of ops that are not encoded scalar by scalar: constants, aggregates, memory, calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, READS, STATE, UNSPECULATABLE, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    callee_of,
    constant_value_of,
    int_property,
    integer_of,
    intrinsic_name,
    is_volatile,
    position_of,
    range_property,
    result_dictionaries,
    shuffle_mask_of,
    stated_alignment,
    vector_type,
)
from nvvm_xdsl.dialects.llvm.flags import has_fast_math
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.symbols import is_declaration, symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC
from nvvm_xdsl.lab.validation.float_encoders import (
    any_nan,
    float_encoder,
    is_infinite,
    is_loose,
    is_nan,
    nan_of,
)
from nvvm_xdsl.lab.validation.integer_encoders import (
    OVERFLOWS,
    SCALAR_INTRINSICS,
    SCALAR_OPS,
    Encoder,
    Scalar,
    with_overflow,
)
from nvvm_xdsl.lab.validation.objects import LocalObjects, Symbols
from nvvm_xdsl.lab.validation.reassociation import (
    FAST_MATH,
    Expression,
    Node,
    Nodes,
    rewriting,
    simplified,
)
from nvvm_xdsl.lab.validation.scope import Inputs, Scope, Undef, all_undef, any_poison
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.smt_memory import (
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
from nvvm_xdsl.lab.validation.values import (
    ALWAYS,
    FIRST_LOCAL,
    NEVER,
    ORIGIN_BITS,
    Leaf,
    Term,
    UnsupportedError,
    Value,
    choose,
    choose_leaf,
    constant_leaves,
    either,
    inverse,
    is_float,
    leaf_range,
    number,
    scalars_of,
    shown_origin,
    width_of_scalar,
)


@dataclass
class Shared:
    """State that both functions share in addition to their inputs.

    Arguments:
        symbols: the globals.
        callees: functions that the optimized module defines.
        effects: the memory effects of their calls.
        memories: arrays that represent unknown contents of main memory.
        facts: ignored facts of the original by op: the optimized function may have these too.
        unknowns: the original's ops that are unknown functions, by their kind.
        expressions: those that may be rewritten.
        nodes: the sums and products of the original and of the optimized function.
        loose: the original's ops with flags of rewrite-based semantics.
        kept: those that are unknown functions; None for all.
        matched: those that an op of the optimized function may equal.
    """

    symbols: Symbols
    callees: Mapping[str, Operation]
    effects: Mapping[str, int]
    memories: list[Term] = field(default_factory=list[Any])
    facts: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])
    unknowns: dict[str, list[Unknown]] = field(default_factory=dict[str, Any])
    expressions: list[tuple[Expression, Unknown]] = field(default_factory=list[Any])
    nodes: tuple[Nodes, Nodes] = field(default_factory=lambda: (Nodes(False), Nodes(True)))
    loose: set[Operation] = field(default_factory=set[Operation])
    kept: set[Operation] | None = None
    matched: set[Operation] = field(default_factory=set[Operation])


@dataclass
class Frame:
    """A function during the encoding of a path.

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
        """The value for one use as an operand."""
        return self.scope.use_all(self.values[value])

    def operands(self, op: Operation) -> list[Value]:
        """The values of all operands."""
        return [self.use(operand) for operand in op.operands]

    def ignore(self, op: Operation, fact: str, text: str, *, is_abi: bool = False) -> None:
        """Ignores a fact of an op. The optimized function may have it if the original has it.

        Arguments:
            is_abi: whether the fact does not constrain the value.
        """
        key = (callee_of(op) or op.name, fact, text)
        if self.scope.is_target and key not in self.shared.facts:
            raise UnsupportedError(f"{fact} of {op.name}")
        self.shared.facts.add(key)
        if is_abi:
            return
        self.scope.approximate(f"{fact} of {op.name}")

    def width(self, type_: Attribute) -> int:
        """The width of a scalar type."""
        return width_of_scalar(type_, self.scope.layout)


Statement = Callable[[Frame, Operation], Sequence[Value]]


def encode_op(frame: Frame, op: Operation) -> None:
    """Encodes an op that is not a terminator. Raises UnsupportedError."""
    frame.scope.consumer = op.name
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
            if found is not None:
                encode = _loose if is_loose(rows[0]) else _strict
                lanes = zip(rows, _lanes(frame, op, len(rows)))
                value = tuple(encode(frame, found, row, lane) for row, lane in lanes)
                return [with_facts(frame, op, value, op.attributes)]
    return _unknown(frame, op)


def _strict(frame: Frame, encoder: Encoder, row: Scalar, lane: Sequence[Leaf]) -> Leaf:
    """A scalar of an op without flags of rewrite-based semantics."""
    leaf = _fresh_choices(frame.scope, encoder, row)
    node = _node(row, lane)
    if node.is_negation:
        frame.shared.nodes[frame.scope.is_target].add(node, leaf)
    return leaf


def _loose(frame: Frame, encoder: Encoder, row: Scalar, lane: Sequence[Leaf]) -> Leaf:
    """A scalar of an op with flags of rewrite-based semantics.

    It is an unknown function of its operands. The result of an op of the optimized function is that
    of an op of the original which may be rewritten to it. The original's other ops have one of the
    results that their flags allow: a simpler value, or that without these flags.
    """
    scope, shared, op = frame.scope, frame.shared, row.op
    node, nodes = _node(row, lane), shared.nodes[scope.is_target]
    expression = Expression.of(node, nodes)
    scope.approximate(intrinsic_name(op) or op.name)
    operands = [Operand.of(scope, leaf) for leaf in lane]
    unknown = Unknown(frame, op, operands, [], row.result, expression)
    if not scope.is_target:
        shared.loose.add(op)
        if shared.kept is not None and op not in shared.kept:
            found = simplified(expression, scope) if expression is not None else None
            if found is None and not unknown.is_rewritten:
                found = _fresh_choices(scope, encoder, row)
            if found is not None:
                if expression is None or all(not found.bits.eq(u.bits) for u in expression.uses):
                    nodes.add(node, found)
                return found
    leaf = unknown.scalar()
    nodes.add(node, leaf)
    return leaf


def _node(row: Scalar, lane: Sequence[Leaf]) -> Node:
    flags = frozenset(flag for flag in FAST_MATH if has_fast_math(row.op, flag))
    return Node(row.op.name, flags, row.result, tuple(lane))


def _lanes(frame: Frame, op: Operation, count: int) -> Iterator[list[Leaf]]:
    """The operands of each scalar, before their use."""
    values = [frame.values[operand] for operand in op.operands]
    for n in range(count):
        yield [value[n if len(value) == count else 0] for value in values]


def _fresh_choices(scope: Scope, encoder: Encoder, row: Scalar) -> Leaf:
    """The result. If it has undef bits, each use also chooses a NaN payload."""
    before = len(scope.choices)
    leaf = encoder(row)
    if not leaf.undef:
        return leaf
    return replace(leaf, undef=(*leaf.undef, *(c.variable for c in scope.choices[before:])))


def _rows(frame: Frame, op: Operation) -> list[Scalar]:
    """The op scalar by scalar; empty if the operands have a different number of scalars."""
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


def shared_between(inputs: Inputs, func: Operation, module: ModuleOp) -> Shared:
    """State for a comparison with this optimized function.

    The attributes of its callees are assumed; they are obligations of the callees' bodies.
    """
    callees: dict[str, Operation] = {}
    flags: dict[str, int] = {}
    for op in fast.ops_inside(func):
        name = callee_of(op) if op.name == "llvm.call" else None
        callee = symbols_of(module).get(name) if name else None
        if name and callee is not None and not is_declaration(callee):
            callees[name] = callee
            flags[name] = flags.get(name, -1) & effects(op)
    return Shared(Symbols(inputs), callees, flags)


_NO_PART_OF_KEY = frozenset(
    {"arg_attrs", "res_attrs", "branch_weights", "TailCallKind", "memory_effects", "no_unwind"}
    | {"will_return", "convergent"}
)


def _key(op: Operation, lane: Attribute | None) -> str:
    properties = sorted((k, str(v)) for k, v in op.properties.items() if k not in _NO_PART_OF_KEY)
    types = [str(v.type) for v in (*op.operands, *op.results)] if lane is None else str(lane)
    return f"{op.name} {properties} {types}"


class Operand(NamedTuple):
    """A scalar operand of an unknown op, which may use it more than once.

    Arguments:
        first, second: the numbers that two uses read.
        known: the undef bits; None if other bits depend on them.
    """

    first: Leaf
    second: Leaf
    known: Undef | None

    @staticmethod
    def of(scope: Scope, leaf: Leaf) -> Operand:
        """The operand of a function."""
        return Operand(scope.use(leaf), scope.use(leaf), scope.undef_of(leaf))

    def terms(self) -> list[Term]:
        """The terms that a result depends on."""
        first, second = self.first.bits, self.second.bits
        zero = mask = z3.BitVecVal(0, first.size())
        if self.known is not None:
            mask = z3.simplify(self.known.mask)
            first = second = z3.simplify(self.known.bits & ~mask)
        poison = self.first.poison
        shown = [choose(poison, zero, term) for term in (first, second, mask)]
        return [*shown, poison]

    def is_defined(self) -> bool:
        """Whether only an equal operand refines this one."""
        return z3.is_false(self.first.poison) and not self.first.undef

    def is_refined_by(self, other: Operand, *, origins: bool) -> Term:
        """Whether the other operand refines this one."""
        mask = z3.BitVecVal(0, self.first.bits.size())
        pairs = ((self.first.bits, other.first.bits), (self.second.bits, other.second.bits))
        if self.known is not None:
            mask = self.known.mask
            pairs = tuple((self.known.bits, term) for _, term in pairs)
        same = z3.And(*((a ^ b) & ~mask == 0 for a, b in pairs), z3.Not(other.first.poison))
        if origins:
            same = z3.And(same, shown_origin(self.first) == shown_origin(other.first))
        return either(self.first.poison, z3.simplify(same))


def _refined(before: Scope, old: Leaf, after: Scope, new: Leaf) -> Term:
    """The condition under which an operand refines another one of the same type."""
    a, b = before.undef_of(old), after.undef_of(new)
    if a is None or b is None:
        return NEVER
    if a.bits.eq(b.bits) and a.mask.eq(b.mask) and old.poison.eq(new.poison):
        return ALWAYS
    if all(z3.is_const(term) for term in (a.bits, b.bits)) and not a.bits.eq(b.bits):
        return NEVER
    same = z3.And((a.bits ^ b.bits) & ~a.mask == 0, b.mask & ~a.mask == 0, z3.Not(new.poison))
    same = z3.simplify(same)
    return NEVER if z3.is_false(same) else either(old.poison, same)


_BITWISE = frozenset({"llvm.fneg", "llvm.select", "llvm.intr.fabs", "llvm.intr.copysign"})
"""Ops that keep the payload of a NaN."""


def _unknown(frame: Frame, op: Operation, values: Sequence[Value] | None = None) -> Sequence[Value]:
    """An op that is not modelled: a function of its operands, and an event if it has effects.

    Arguments:
        values: values of the operands, if facts about them are known.
    """
    if op.regions:
        raise UnsupportedError(op.name)
    flags = effects(op) & frame.shared.effects.get(callee_of(op) or "", -1)
    if flags & UNSPECULATABLE and not flags & (READS | WRITES | STATE | MAY_NOT_RETURN):
        raise UnsupportedError(op.name)
    scope = frame.scope
    values = values or [frame.values[operand] for operand in op.operands]
    operands = [Operand.of(scope, leaf) for value in values for leaf in value]
    context: list[Term] = []
    is_event = bool(flags & (WRITES | STATE | MAY_NOT_RETURN))
    if not is_event:
        frame.scope.approximate(f"{intrinsic_name(op) or callee_of(op) or op.name}")
    if flags & READS:
        main = frame.memory.main
        context += [main, z3.substitute(main, *scope.renaming(frame.memory.undef))]
    if is_event:
        context.append(frame.memory.trace)
    return Unknown(frame, op, operands, context).encode(flags, is_event)


class Unknown:
    """An op as an unknown function of its operands.

    Arguments:
        frame: the frame of the function.
        op: the op.
        operands: its operands.
        context: memory and the trace, if its results depend on them.
        lane: the type of the scalar, if only one scalar of the op is encoded.
        expression: how the op may be rewritten.
    """

    def __init__(
        self,
        frame: Frame,
        op: Operation,
        operands: list[Operand],
        context: list[Term],
        lane: Attribute | None = None,
        expression: Expression | None = None,
    ) -> None:
        self._frame = frame
        self._op = op
        self._operands = operands
        self._context = context
        self._lane = lane
        self._key = _key(op, lane)
        self._path = frame.scope.path
        self._terms = [*(t for o in operands for t in o.terms()), *context]
        if frame.scope.inputs.has_origins:
            self._terms += [shown_origin(o.first) for o in operands if o.first.origin is not None]
        self._expression = expression
        self._payload: Term | None = None
        self._refined = self._equal_ops(expression)

    @property
    def is_rewritten(self) -> bool:
        """Whether the op may be rewritten to one of the original."""
        return bool(self._refined)

    def _offer(self) -> None:
        """Makes the original's op available to the optimized function."""
        shared = self._frame.shared
        if not self._frame.scope.is_target:
            shared.unknowns.setdefault(self._key, []).append(self)
            if self._expression is not None:
                shared.expressions.append((self._expression, self))

    def _equal_ops(self, expression: Expression | None) -> list[tuple[Term, Unknown]]:
        """Ops of the original whose results this op has, with the conditions, the best last."""
        shared = self._frame.shared
        found: list[tuple[Term, Unknown]] = []
        if self._frame.scope.is_target:
            for other in shared.unknowns.get(self._key, ()):
                if all(a.eq(b) for a, b in zip(self._terms, other._terms, strict=True)):
                    shared.matched.add(other._op)
                    return [(ALWAYS, other)]
                condition = self._refines(other)
                if not z3.is_false(condition):
                    found.append((condition, other))
                if self._lane is not None and self._may_equal(other):
                    shared.matched.add(other._op)
        if expression is None:
            return found
        for old, other in shared.expressions:
            condition = self._rewrites(old, other, expression)
            if not z3.is_false(condition):
                shared.matched.add(other._op)
                found.insert(0, (condition, other))
            if z3.is_true(condition):
                return found[:1]
        return found

    def _may_equal(self, other: Unknown) -> bool:
        pairs = zip(self._terms, other._terms, strict=True)
        return not z3.is_false(z3.simplify(z3.And(*(a == b for a, b in pairs))))

    def _rewrites(self, old: Expression, other: Unknown, new: Expression) -> Term:
        """The condition under which the other op may be rewritten to this one.

        In the original itself, each of the two ops must be an allowed result of the other one.
        Then the same results are allowed for both.
        """
        mine, its = self._frame.scope, other._frame.scope
        if mine.is_target:
            return rewriting(old, new, lambda a, b: _refined(its, a, mine, b))
        for one, another in ((old, new), (new, old)):
            if not z3.is_true(rewriting(one, another, lambda a, b: _refined(its, a, mine, b))):
                return NEVER
        return ALWAYS

    def _refines(self, other: Unknown) -> Term:
        """Whether the operands refine those of an op of the original, so that the results are
        equal."""
        pairs = list(zip(other._operands, self._operands))
        if all(old.is_defined() for old, _ in pairs) or len(other._context) != len(self._context):
            return NEVER
        origins = self._frame.scope.inputs.has_origins
        same = [old.is_refined_by(new, origins=origins) for old, new in pairs]
        equal = [a == b for a, b in zip(other._context, self._context)]
        return z3.And(other._path, *same, *equal)

    def _own(self, suffix: str, sort: Term) -> Term:
        if not self._terms:
            return z3.Const(f"{self._key} {suffix}", sort)
        sorts = [t.sort() for t in self._terms]
        return z3.Function(f"{self._key} {suffix}", *sorts, sort)(*self._terms)

    def _apply(self, suffix: str, sort: Term) -> Term:
        found = self._own(suffix, sort)
        for condition, other in self._refined:
            found = choose(condition, other._apply(suffix, sort), found)
        return found

    def encode(self, flags: int, is_event: bool) -> Sequence[Value]:
        """The results; changes memory, the trace and the path."""
        self._offer()
        frame = self._frame
        results = [self._result(index) for index in range(len(self._op.results))]
        if is_event:
            main = frame.memory.main
            if flags & WRITES:
                main = self._apply("memory", MEMORY)
                frame.shared.memories.append(main)
            undef = () if flags & WRITES else frame.memory.undef
            trace = self._apply("trace", z3.BitVecSort(ADDRESS_BITS))
            frame.memory = replace(frame.memory, main=main, trace=trace, undef=undef)
        if flags & MAY_NOT_RETURN:
            self._stop()
        return results

    def scalar(self) -> Leaf:
        """The scalar of an op with floating-point flags."""
        assert self._lane is not None
        self._offer()
        scope, op = self._frame.scope, self._op
        sort = z3.BitVecSort(self._frame.width(self._lane))
        bits, poison = self._apply("result", sort), self._poison()
        if is_float(self._lane):
            nan, infinite = is_nan(bits, self._lane), is_infinite(bits, self._lane)
            if has_fast_math(op, "nnan"):
                poison = either(poison, nan)
            elif op.name not in _BITWISE or self._refined:
                bits = z3.If(nan, self._nan(), bits)
            if has_fast_math(op, "ninf"):
                poison = either(poison, infinite)
        if not scope.inputs.has_undef:
            return Leaf(bits, poison)
        return scope.partly_undef(Undef(bits, self._apply("undef", sort)), poison)

    def _nan(self) -> Term:
        """A NaN of any sign and payload.

        The original's op has that of the first equal op of the optimized function.
        """
        assert self._lane is not None
        width = self._frame.width(self._lane)
        if not self._frame.scope.is_target:
            self._payload = z3.FreshConst(z3.BitVecSort(width), "payload")
            return nan_of(self._payload, self._lane)
        for condition, other in self._refined:
            if z3.is_true(condition) and other._payload is not None:
                payload, other._payload = other._payload, None
                return nan_of(payload, self._lane)
        return any_nan(self._frame.scope, self._lane)

    def _poison(self) -> Term:
        """Whether the scalar is poison apart from its flags."""
        found = self._own("poison", z3.BoolSort())
        for operand in self._operands:
            found = either(found, operand.first.poison)
        for condition, other in self._refined:
            found = choose(condition, other._poison(), found)
        return found

    def _result(self, index: int) -> Value:
        type_ = self._op.results[index].type
        leaves: list[Leaf] = []
        for n, scalar in enumerate(scalars_of(type_)):
            sort = z3.BitVecSort(self._frame.width(scalar))
            bits = self._apply(f"result {index}.{n}", sort)
            leaf = Leaf(bits, self._apply(f"poison {index}.{n}", z3.BoolSort()))
            if self._frame.scope.inputs.has_undef:
                mask = self._apply(f"undef {index}.{n}", sort)
                leaf = self._frame.scope.partly_undef(Undef(bits, mask), leaf.poison)
            if isinstance(scalar, LLVMPointerType):
                origin = self._apply(f"origin {index}.{n}", z3.BitVecSort(ORIGIN_BITS))
                leaf = replace(leaf, wild=True, origin=origin)
            leaves.append(leaf)
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
    return [constant_leaves(constant_value_of(op), op.results[0].type, frame.scope.layout)]


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
    return [(replace(found, poison=poison, undef=(*found.undef, *index.undef)),)]


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
        found.append(replace(chosen, poison=poison, undef=(*chosen.undef, *index.undef)))
    return [tuple(found)]


def _shuffle(frame: Frame, op: Operation) -> Sequence[Value]:
    lanes = (*frame.values[op.operands[0]], *frame.values[op.operands[1]])
    width = lanes[0].bits.size()
    mask = shuffle_mask_of(op)
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
    return [(replace(base, bits=address, poison=poison, undef=all_undef(leaves)),)]


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
    origin = z3.BitVecVal(FIRST_LOCAL + item.number, ORIGIN_BITS)
    return [(Leaf(address, NEVER, (), {item.number: ALWAYS}, origin=origin),)]


_FACTS_OF_ACCESSES = ("tbaa", "alias_scopes", "noalias_scopes", "invariant", "invariantGroup")


def _check_access(frame: Frame, op: Operation) -> bool:
    """Records ignored facts of an access; returns whether it is an event."""
    for name in _FACTS_OF_ACCESSES:
        if name in op.properties:
            frame.ignore(op, name, str(op.properties[name]))
    if int_property(op, "ordering"):
        frame.scope.approximate("atomic access")
        return True
    return False


def _observed(frame: Frame, op: Operation) -> Sequence[Value]:
    """The results of a volatile access, which is an event."""
    operands = [Operand.of(frame.scope, leaf) for o in op.operands for leaf in frame.values[o]]
    return Unknown(frame, op, operands, [frame.memory.trace]).encode(STATE, True)


def _load(frame: Frame, op: Operation) -> Sequence[Value]:
    if _check_access(frame, op):
        return _unknown(frame, op)
    (pointer,) = frame.use(op.operands[0])
    space = space_of(op.operands[0].type)
    type_ = op.results[0].type
    align = stated_alignment(op, 1)
    value = load(frame.accessor, pointer, space, type_, align, frame.memory, frame.scope)
    if is_volatile(op):
        return _observed(frame, op)
    return [with_facts(frame, op, value, {**op.attributes, **op.properties})]


def outside_range(bits: Term, fact: Any) -> Term:
    """Whether a number is outside of a constant range."""
    low, high = fact.lower.data, fact.upper.data
    return z3.UGE(bits - low, z3.BitVecVal(high - low, bits.size()))


def _poison_where(value: Value, conditions: Sequence[Term]) -> Value:
    return tuple(
        replace(v, poison=either(v.poison, condition)) for v, condition in zip(value, conditions)
    )


_ABI_FACTS = frozenset({"llvm.signext", "llvm.zeroext", "llvm.inreg"})


def with_facts(frame: Frame, op: Operation, value: Value, facts: Any) -> Value:
    """A loaded or returned value with its metadata."""
    for name, fact in facts.items():
        if name == "llvm.range":
            value = _poison_where(value, [outside_range(v.bits, fact) for v in value])
        elif name == "llvm.nonnull":
            value = _poison_where(value, [v.bits == 0 for v in value])
        elif name.startswith("llvm.") and name != "llvm.noundef":
            frame.ignore(op, name, str(fact), is_abi=name in _ABI_FACTS)
    if "llvm.noundef" in facts:
        for leaf in value:
            frame.scope.undefined(either(leaf.poison, frame.scope.varies(leaf)))
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
    if is_volatile(op):
        _observed(frame, op)
    return []


def _length(op: Operation) -> int:
    size = constant_unsigned(op.operands[2])
    if size is None or size > MOST_BYTES:
        raise UnsupportedError(f"{op.name} of unknown or large size")
    if int_property(op, "isVolatile"):
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
        access.assume_one_object(source, start, size)
        access.assume_one_object(target, end, size)
        if not overlap:
            partly = z3.Or(z3.ULT(start - end, size), z3.ULT(end - start, size))
            frame.scope.undefined(z3.And(start != end, partly))
        cells = [access.cell(source, start + n, memory) for n in range(size)]
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
        access.assume_one_object(target, address, size)
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
    # A violated fact is undefined behaviour only together with `noundef`.
    name = callee_of(op) or ""
    callee = frame.shared.callees.get(name) or symbols_of(frame.module).get(name)
    stated = [op] if callee is None or callee.name != "llvm.func" else [op, callee]
    operands = [frame.values[operand] for operand in op.operands]
    for owner in stated:
        operands = [
            with_facts(frame, op, value, argument_attributes(owner, index))
            for index, value in enumerate(operands)
        ]
    results = _unknown(frame, op, operands)
    for owner in stated:
        facts = result_dictionaries(owner)
        if facts and results:
            results = [with_facts(frame, op, results[0], facts[0].data)]
    return results


def _assume(frame: Frame, op: Operation) -> Sequence[Value]:
    (condition,) = frame.use(op.operands[0])
    frame.scope.undefined(either(condition.poison, condition.bits == 0))
    frame.scope.undefined(frame.scope.varies(condition))
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
"""Ranges of special registers: minimum, and maximum plus one."""

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
    stated = range_property(op)
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
