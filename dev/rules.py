"""Tests rules of the tables (`rules`) on the simulator.

Both sides of a row are built as IR, at several types, with constants that its condition permits:
the left side by this file, the right side by the matcher itself. Both are run on boundary and
random values, and the right side must equal the left side wherever the left side is defined.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, cast

import numpy as np
from xdsl.dialects import llvm
from xdsl.dialects.builtin import FloatAttr, IntegerType
from xdsl.dialects.llvm import ConstantOp, FastMathAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.constant_ops import PoisonOp
from nvvm_xdsl.dialects.llvm.types import (
    F16,
    F32,
    F64,
    I1,
    I32,
    I64,
    UNIT,
    float_attr,
    int_attr,
    integer,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules import matcher, predicates
from nvvm_xdsl.rules.language import (
    Apply,
    Const,
    Function,
    Literal,
    Node,
    Rule,
    Special,
    Var,
    applications,
    predicates_of,
)
from nvvm_xdsl.rules.matcher import nodes_with_paths
from nvvm_xdsl.rules.table import variants
from nvvm_xdsl.rules.typing import FLOAT, POINTER, Typing, typing_of
from nvvm_xdsl.simulator.straight_line import TYPES, Lanes, evaluate

LANES = 256
"""Number of inputs on which each instance of a rule is run."""

WIDTHS = (8, 32, 1, 64, 16)
"""Widths of integers in the order in which they are tried."""

FLOATS = (F32, F16, F64)

INSTANCES = 6
"""Maximum number of choices of types, predicates, flags and constants for each rule."""

_LOOSE = frozenset({"reassoc", "arcp", "contract", "afn"})
"""Flags under which results may differ in the last places."""


class RuleError(AssertionError):
    """The sides of a rule have different results, or the rule does not match its own left side."""


@dataclass
class Sample:
    """A rule's left side as IR.

    Attributes:
        inputs: the values of its variables, by name; constants are not inputs.
        ops: its ops in order, the root last.
        made: the results by expression.
    """

    inputs: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    ops: list[Operation] = field(default_factory=list[Operation])
    made: list[tuple[Apply, Operation]] = field(default_factory=list[tuple[Apply, Operation]])


class TryContext:
    """Creates the constants and ops of a matched rule."""

    def __init__(self, ops: list[Operation]) -> None:
        self.ops = ops

    def _add(self, cls: type[Operation], type_: Attribute, attribute: Attribute | None) -> SSAValue:
        properties = {} if attribute is None else {"value": attribute}
        return self.build(cls, (), type_, properties)

    def build(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        properties: dict[str, Attribute],
    ) -> SSAValue:
        """A new op's result."""
        op = fast.create(cls, operands, (type_,), properties)
        self.ops.append(op)
        return op.results[0]

    def integer(self, number: int, type_: Attribute) -> SSAValue:
        """An integer constant."""
        return self._add(ConstantOp, type_, int_attr(number, cast(IntegerType, type_)))

    def attribute(self, attribute: Attribute, type_: Attribute) -> SSAValue:
        """A constant."""
        return self._add(ConstantOp, type_, attribute)

    def zero(self, type_: Attribute) -> SSAValue:
        """A zero."""
        return self._add(llvm.ZeroOp, type_, None)

    def undef(self, type_: Attribute) -> SSAValue:
        """An undef."""
        return self._add(llvm.UndefOp, type_, None)

    def poison(self, type_: Attribute) -> SSAValue:
        """A poison."""
        return self._add(PoisonOp, type_, None)


def is_tried(rule: Rule) -> bool:
    """Whether both sides can be built; this excludes right sides that are functions, and
    pointers."""
    if isinstance(rule.right, Function):
        return False
    types = typing_of(rule)
    return POINTER not in types.kinds and "bitcast" not in (
        a.op.name for side in (rule.left, rule.right) for a in applications(side)
    )


_OF_BITS = frozenset("and or xor add sub mul icmp select freeze zext sext trunc".split())
"""Ops that the simulator follows poison of at one bit too."""


def _widths(rule: Rule) -> Sequence[int]:
    ops = [a for side in (rule.left, rule.right) for a in applications(side)]
    if any(a.op.name == "bswap" for a in ops):
        return (16, 32, 64)
    plain = all(a.op.name in _OF_BITS and not a.flags for a in ops) and not rule.keep
    return WIDTHS if plain else tuple(w for w in WIDTHS if w > 1)


def type_choices(rule: Rule, types: Typing) -> Iterator[dict[int, Attribute]]:
    """Types for the classes of a rule."""
    classes = types.classes()
    widths = _widths(rule)
    pools: list[Sequence[Attribute]] = []
    for number in classes:
        fixed, kind = types.fixed[number], types.kinds[number]
        if fixed:
            pools.append([_NAMED[fixed]])
        elif kind == FLOAT:
            pools.append(FLOATS)
        elif kind:
            pools.append([integer(w) for w in widths])
        else:
            pools.append([I32, F32])
    orders = [(order, types.find(a), types.find(b)) for order, a, b in types.orders]
    for chosen in product(*pools):
        given = dict(zip(classes, chosen))
        if all(_is_ordered(order, given[a], given[b]) for order, a, b in orders):
            yield given


_NAMED: dict[str, Attribute] = {
    "i1": I1, "i8": integer(8), "i16": integer(16), "i32": I32, "i64": I64, "half": F16,
    "float": F32, "double": F64,
}  # fmt: skip


def _bits(type_: Attribute) -> int:
    return TYPES.kinds(type_)[0].bits


def _is_ordered(order: str, source: Attribute, result: Attribute) -> bool:
    if order == "wider":
        return _bits(source) < _bits(result)
    return _bits(source) > _bits(result)


def _numbers(width: int, rng: random.Random) -> list[int]:
    """Numbers at the boundaries of a width, and some others, unsigned."""
    mask = (1 << width) - 1
    half = mask >> 1
    found = {
        0,
        1,
        2,
        3,
        7,
        8,
        mask,
        mask - 1,
        half,
        half - 1,
        half + 1,
        half + 2,
        width - 1,
        width,
        24,
    }
    found |= {1 << rng.randrange(width) for _ in range(4)}
    found |= {(1 << rng.randrange(1, width + 1)) - 1 for _ in range(4)}
    found |= {rng.getrandbits(width) for _ in range(6)}
    return sorted(n & mask for n in found)


_FLOAT_NUMBERS = (
    0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 0.1, -7.25, 1e-7, 6e4, float("inf"), float("-inf"),
    float("nan"), 1e-5, 255.0, -1e3,
)  # fmt: skip


def _constants(
    rule: Rule, types: Typing, given: dict[int, Attribute], rng: random.Random
) -> Iterator[dict[str, Any]]:
    """Values for the names of the condition that satisfy it: constants, their widths,
    predicates."""
    places = dict(_constant_places(rule.left, "l"))
    comparing = [a for a in applications(rule.left) if a.predicate]
    free = {a.predicate: predicates_of(a.op) for a in comparing}
    free = {name: all_ for name, all_ in free.items() if name not in all_}
    environment = _environment(rule, types, given)
    loose = bool(_flags_of(rule) & _LOOSE)
    for _ in range(600):
        values: dict[str, Any] = {}
        for name, path in places.items():
            type_ = given[types.of(path)]
            if type_.__class__ is IntegerType:
                width = _bits(type_)
                values[name], values[f"{name}_w"] = rng.choice(_numbers(width, rng)), width
            else:
                pool = (rng.uniform(0.5, 4.0),) if loose else (*_FLOAT_NUMBERS, rng.uniform(-9, 9))
                number = _rounded(rng.choice(pool), type_)
                values[name], values[f"{name}_t"] = number, type_
        for name, known in free.items():
            values[name] = rng.randrange(len(known))
        if not rule.where or eval(_condition(rule.where), environment, dict(values)):
            yield values
            if not places and not free:
                return


def _condition(text: str) -> str:
    """A condition as Python over the names of `_constants` and `_environment`."""
    return re.sub(r"\b(width|type)\((\w+)\)", r"\2_\1", matcher.condition_source(text))


def _environment(rule: Rule, types: Typing, given: dict[int, Attribute]) -> dict[str, Any]:
    found = dict(vars(predicates))
    for name in ("is_constant", "well_defined", "is_object"):
        found[name] = lambda value: True  # pyright: ignore
    found["no_signed_wrap"] = lambda value: False  # pyright: ignore
    for name in re.findall(r"\bknown_\w+", rule.where):
        found[name] = lambda *values: True  # pyright: ignore
    root = given[types.of("l0" if rule.left.predicate else "l")]
    found["width"] = _bits(root)
    for node, path in nodes_with_paths(rule.left, "l"):
        if isinstance(node, Var | Const) or (isinstance(node, Apply) and node.name):
            found.setdefault(node.name, None)
            found[f"{node.name}_width"] = _bits(given[types.of(path)])
            found[f"{node.name}_type"] = given[types.of(path)]
    return found


def _constant_places(node: Node, path: str) -> Iterator[tuple[str, str]]:
    return ((n.name, p) for n, p in nodes_with_paths(node, path) if isinstance(n, Const))


def _rounded(number: float, type_: Attribute) -> float:
    with np.errstate(all="ignore"):
        return float(np.dtype(TYPES.kinds(type_)[0].dtype).type(number))


def build_left(
    rule: Rule,
    types: Typing,
    given: dict[int, Attribute],
    values: dict[str, Any],
    kept: bool,
    rng: random.Random,
) -> Sample:
    """The left side of a rule as IR.

    Arguments:
        given: types by class.
        values: values of constants and predicates, by name.
        kept: whether ops have the flags that the rule keeps.
        rng: chooses values for variables that the rule requires to be constants.
    """
    sample = Sample()
    cx = TryContext(sample.ops)
    block = Block()
    constant = set(re.findall(r"(?:is_constant|well_defined)\((\w+)\)", rule.where))

    def number(type_: Attribute, value: Any) -> SSAValue:
        if type_.__class__ is IntegerType:
            return cx.integer(int(value), type_)
        return cx.attribute(float_attr(float(value), type_), type_)

    def build(node: Node, path: str) -> SSAValue:
        type_ = given[types.of(path)]
        if isinstance(node, Apply):
            operands = [build(arg, f"{path}{i}") for i, arg in enumerate(node.args)]
            properties = op_properties(node, values, rule.keep if kept else frozenset())
            value = cx.build(node.op.cls, operands, type_, properties)
            sample.made.append((node, sample.ops[-1]))
            return value
        if isinstance(node, Const):
            return number(type_, values[node.name])
        if isinstance(node, Literal):
            return number(type_, node.value)
        if isinstance(node, Special):
            return getattr(cx, {"null": "zero"}.get(node.name, node.name))(type_)
        assert isinstance(node, Var)
        if node.name not in sample.inputs:
            if node.name in constant:
                sample.inputs[node.name] = number(type_, rng.randrange(2))
            else:
                sample.inputs[node.name] = block.insert_arg(type_, 0)
        return sample.inputs[node.name]

    build(rule.left, "l")
    sample.inputs = {n: v for n, v in sample.inputs.items() if n not in constant}
    return sample


def op_properties(
    node: Apply, values: dict[str, Any], more: frozenset[str]
) -> dict[str, Attribute]:
    """The properties of an op in a row, with the flags in `more` that the op supports."""
    flags = node.flags | (more & node.op.flags)
    found: dict[str, Attribute] = {}
    if "nsw" in node.op.flags:
        bits = sum(matcher.OVERFLOW_BITS[f] for f in flags if f in matcher.OVERFLOW_BITS)
        found["overflowFlags"] = int_attr(bits, I32)
    for flag, name in matcher.FLAG_PROPERTIES.items():
        if flag in flags:
            found[name] = UNIT
    for flag, name in matcher.TRUTH_PROPERTIES.items():
        if flag in node.op.flags:
            found[name] = int_attr(int(flag in flags), I1)
    if "fast" in node.op.flags:
        names = {str(f.value): f for f in FastMathFlag}
        found["fastmathFlags"] = FastMathAttr([names[f] for f in flags])
    if node.predicate:
        known = predicates_of(node.op)
        name = node.predicate
        index = known.index(name) if name in known else cast(int, values[name])
        found["predicate"] = int_attr(index, I64)
    return found


def _lanes(
    type_: Attribute, rng: random.Random, numbers: Sequence[Any], moderate: bool, count: int
) -> Lanes:
    kind = TYPES.kinds(type_)[0]
    source = np.random.default_rng(rng.getrandbits(32))
    chosen = source.random(count) < 0.6
    if type_.__class__ is IntegerType:
        mask = (1 << kind.bits) - 1
        if kind.bits == 8 and count >= 1 << 16:
            return (np.arange(count) >> (8 * rng.randrange(2))).astype(kind.dtype)
        pool = np.array([*_numbers(kind.bits, rng), *(int(n) & mask for n in numbers)], np.uint64)
        bits = source.integers(0, 1 << 64, count, np.uint64) & np.uint64(mask)
        return np.where(chosen, source.choice(pool, count), bits).astype(kind.dtype)
    if moderate:
        return source.uniform(0.5, 4.0, count).astype(kind.dtype)
    if kind.bits == 16 and count >= 1 << 16:
        return source.permutation(np.arange(1 << 16, dtype=np.uint16)).view(kind.dtype)
    with np.errstate(all="ignore"):
        pool = np.array([*_FLOAT_NUMBERS, *numbers])
        return np.where(chosen, source.choice(pool, count), source.uniform(-64, 64, count)).astype(
            kind.dtype
        )


def inputs_for(
    rule: Rule, sample: Sample, values: dict[str, Any], rng: random.Random, count: int
) -> dict[SSAValue, Lanes]:
    """Boundary and random values, some of them the same for several variables."""
    near: list[Any] = [
        n for name, v in values.items() if "_" not in name for n in (v, v + 1, v - 1)
    ]
    found: dict[SSAValue, Lanes] = {}
    for value in sample.inputs.values():
        lanes = _lanes(value.type, rng, near, bool(_flags_of(rule) & _LOOSE), count)
        for other, numbers in found.items():
            if other.type == value.type and rng.random() < 0.7:
                lanes[: count // 4] = numbers[: count // 4]
        found[value] = lanes
    return found


def apply(rule: Rule, sample: Sample) -> tuple[SSAValue, list[Operation]] | None:
    """The rule's result for the left side: the value and the new ops."""
    root = sample.ops[-1]
    operands = fast.operands_of(root)
    owners = tuple(v.owner.__class__ for v in operands[:3])
    made: list[Operation] = []
    for variant in variants(rule).values():
        if variant.may_match(owners):
            value = variant.match(root, _Facts(made), *operands)
            if value is not None:
                return value, made
            made.clear()
    return None


class _Facts(TryContext):
    """Answers every query of a condition about values with true."""

    def __getattr__(self, name: str) -> Any:
        return lambda *values: True  # pyright: ignore


def try_rule(rule: Rule, seed: int = 0, lanes: int = LANES, instances: int = INSTANCES) -> int:
    """Runs both sides of a rule; returns the number of instances. Raises RuleError.

    Arguments:
        seed: seed of the random values.
        lanes: number of inputs per instance; from 65,536 on all pairs of 8-bit numbers and all f16
            numbers.
        instances: choices of types, predicates, flags and constants at most.
    """
    rng = random.Random(f"{seed} {rule.name}")
    types = typing_of(rule)
    count = 0
    choices = list(type_choices(rule, types))
    if not choices:
        raise RuleError(f"{rule.text}: no types fit")
    per_choice = max(1, instances // len(choices))
    for given in _spread(choices, instances):
        for number, values in enumerate(_constants(rule, types, given, rng)):
            for kept in (False, True) if rule.keep else (False,):
                _try_instance(rule, types, given, values, kept, rng, lanes)
                count += 1
            if number + 1 >= per_choice:
                break
    if not count:
        raise RuleError(f"{rule.text}: no constants fit the condition")
    return count


def _spread(choices: list[dict[int, Attribute]], count: int) -> list[dict[int, Attribute]]:
    if len(choices) <= count:
        return choices
    return [choices[i * len(choices) // count] for i in range(count)]


def _try_instance(
    rule: Rule,
    types: Typing,
    given: dict[int, Attribute],
    values: dict[str, Any],
    kept: bool,
    rng: random.Random,
    lanes: int,
) -> None:
    sample = build_left(rule, types, given, values, kept, rng)
    what = (
        f"{rule.text}\n  with {_shown(values)} at {_types_shown(sample)}{' kept' if kept else ''}"
    )
    found = apply(rule, sample)
    if found is None:
        raise RuleError(f"{what}: the rule does not match its own left side")
    value, made = found
    inputs = inputs_for(rule, sample, values, rng, lanes)
    inner = [op.results[0] for _, op in sample.made]
    outputs = evaluate([*sample.ops, *made], inputs, [*inner, value])
    before, after = outputs[len(inner) - 1], outputs[-1]
    left_undefined = before.undefined
    if all(n.op.name not in ("select", "freeze") for n, _ in sample.made):
        # The simulator follows bits: an `or` with ones hides them where they are of a poison value.
        for output in outputs[:-1]:
            left_undefined = left_undefined | output.undefined
    wrong = ~left_undefined & (after.undefined | ~_equal(rule, before.values, after.values))
    by_value = dict(zip(inner, (o.values for o in outputs))) | inputs
    wrong &= ~_excused(rule, sample, by_value)
    wrong &= _assumed(rule, sample, inputs, values)
    if wrong.any():
        lane = int(np.flatnonzero(wrong)[0])
        given_ = {name: inputs[v][lane] for name, v in sample.inputs.items()}
        got = "undefined" if after.undefined[lane] else after.values[lane]
        raise RuleError(f"{what}\n  for {given_}: {before.values[lane]} became {got}")


def _shown(values: dict[str, Any]) -> str:
    return ", ".join(f"{k}={v}" for k, v in values.items() if "_" not in k) or "no constants"


def _types_shown(sample: Sample) -> str:
    names = [f"{name}: {value.type}" for name, value in sample.inputs.items()]
    return ", ".join([*names, f"result: {sample.ops[-1].results[0].type}"])


def _flags_of(rule: Rule) -> frozenset[str]:
    return frozenset[str]().union(*(a.flags for a in applications(rule.left)))


def _equal(rule: Rule, a: Lanes, b: Lanes) -> Lanes:
    if a.dtype.kind != "f":
        return a == b
    flags = _flags_of(rule)
    same = (a == b) & ((np.signbit(a) == np.signbit(b)) | (a != 0) | ("nsz" in flags))
    same |= np.isnan(a) & np.isnan(b)
    if flags & _LOOSE:
        with np.errstate(all="ignore"):
            # Inputs are of moderate size, so that intermediate results do not overflow or
            # underflow.
            tolerance = 256 * float(np.finfo(a.dtype).eps)
            same |= np.isclose(a, b, rtol=tolerance, atol=tolerance)
    return same


def _excused(rule: Rule, sample: Sample, values: dict[SSAValue, Lanes]) -> Any:
    """The lanes that fast-math flags make poison."""
    found: Any = False
    for node, op in sample.made:
        if node.op.name in ("sdiv", "srem"):
            x, y = (_lanes_of(value, values) for value in fast.operands_of(op))
            width = _bits(op.results[0].type)
            mask = (1 << width) - 1
            found = found | ((x == 1 << (width - 1)) & (y == mask))
        for flag, test in (("nnan", np.isnan), ("ninf", np.isinf)):
            if flag in node.flags:
                for value in (*fast.operands_of(op), op.results[0]):
                    lanes = values.get(value)
                    if lanes is not None and lanes.dtype.kind == "f":
                        found = found | test(lanes)
                    elif isinstance(value.owner, ConstantOp):
                        attribute = value.owner.properties["value"]
                        if isinstance(attribute, FloatAttr):
                            found = found | test(attribute.value.data)
    return np.asarray(found)


def _lanes_of(value: SSAValue, values: dict[SSAValue, Lanes]) -> Any:
    lanes = values.get(value)
    if lanes is not None:
        return lanes
    owner = cast(Operation, value.owner)
    number = cast(Any, owner.properties["value"]).value.data
    return number & ((1 << _bits(value.type)) - 1)


def _known_nonneg(x: Lanes, width: int) -> Lanes:
    return (x >> np.array(width - 1, x.dtype)) == 0


def _known_zeros(x: Lanes, width: int, mask: Any) -> Lanes:
    return (x & mask & np.array((1 << width) - 1).astype(x.dtype)) == 0


def _known_ones(x: Lanes, width: int, mask: Any) -> Lanes:
    return (~x & mask & np.array((1 << width) - 1).astype(x.dtype)) == 0


def _known_disjoint(x: Lanes, width: int, y: Any) -> Lanes:
    return (x & y) == 0


def _known_defined(x: Lanes, width: int) -> Lanes:
    return np.ones(x.shape, bool)


def _known_nonzero(x: Lanes, width: int) -> Lanes:
    return x != 0


KNOWN: dict[str, Any] = {
    "known_nonneg": _known_nonneg,
    "known_zeros": _known_zeros,
    "known_ones": _known_ones,
    "known_disjoint": _known_disjoint,
    "known_nonzero": _known_nonzero,
    "known_defined": _known_defined,
}
"""Queries of conditions about values, as functions of lanes, their width and numbers."""


def _assumed(
    rule: Rule, sample: Sample, inputs: dict[SSAValue, Lanes], values: dict[str, Any]
) -> Any:
    """The lanes in which the facts that the condition assumes about values are true."""
    found: Any = True
    for call in ast.walk(ast.parse(rule.where or "True", mode="eval")):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if not call.func.id.startswith("known_"):
            continue
        first, *rest = call.args
        assert isinstance(first, ast.Name)
        value = sample.inputs[first.id]
        lanes = inputs[value]
        arguments = [
            inputs[sample.inputs[a.id]]
            if isinstance(a, ast.Name) and a.id in sample.inputs
            else _masked(eval(_condition(ast.unparse(a)), dict(vars(predicates)), values), lanes)
            for a in rest
        ]
        found = found & KNOWN[call.func.id](lanes, _bits(value.type), *arguments)
    return np.asarray(found)


def _masked(number: int, like: Lanes) -> Any:
    return like.dtype.type(number & ((1 << (8 * like.dtype.itemsize)) - 1))


def untried(rules: Sequence[Rule]) -> list[str]:
    """The names of the rules that cannot be tried this way."""
    return [rule.name for rule in rules if not is_tried(rule)]
