"""Constants of a function: reading and creating them.

A constant is an op in the entry block, one per distinct value, so that it dominates all possible
users. Passes create constants by the function's `Constants`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType
from xdsl.dialects.llvm import AddressOfOp, ConstantOp, FuncOp, UndefOp, ZeroOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.ops import PoisonOp
from nvvm_xdsl.dialects.llvm.types import I1, int_attr
from nvvm_xdsl.ir import fast

CONSTANT_CLASSES: frozenset[type[Operation]] = frozenset({ConstantOp, UndefOp, ZeroOp, PoisonOp})
"""Ops that represent a value known at compile time."""

UNDEFINED_CLASSES: frozenset[type[Operation]] = frozenset({UndefOp, PoisonOp})


def constant_attribute(value: SSAValue) -> Attribute | None:
    """The `value` of the `llvm.mlir.constant` that defines a value; None for others."""
    owner = value.owner
    if type(owner) is ConstantOp:
        return owner.properties["value"]
    return None


def is_constant(value: SSAValue) -> bool:
    """Returns True if the value is defined by a constant, zero, undef or poison op."""
    return type(value.owner) in CONSTANT_CLASSES


def is_undefined(value: SSAValue) -> bool:
    """Returns True if the value is undef or poison."""
    return type(value.owner) in UNDEFINED_CLASSES


def after_constants(block: Block) -> Operation:
    """The first op of a block after the constants at the start of an entry block."""
    op = block.first_op
    while op is not None and (type(op) in CONSTANT_CLASSES or type(op) is AddressOfOp):
        op = op.next_op
    assert op is not None, "the block has no terminator"
    return op


class Constants:
    """Reads and creates constants in a function's entry block.

    Arguments:
        func: a function with a body. Constants that were not created through this object are found
            only if they existed when the first constant was requested.
    """

    _func: FuncOp
    _known: dict[tuple[type[Operation], Attribute | None, Attribute], SSAValue] | None
    _made: list[Operation]

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._known = None
        self._made = []

    def _scan(self) -> dict[tuple[type[Operation], Attribute | None, Attribute], SSAValue]:
        known: dict[tuple[type[Operation], Attribute | None, Attribute], SSAValue] = {}
        entry = self._func.regions[0].first_block
        assert entry is not None
        for op in fast.ops_of(entry):
            cls = type(op)
            if cls in CONSTANT_CLASSES:
                result = op.results[0]
                known.setdefault((cls, op.properties.get("value"), result.type), result)
            elif cls is not AddressOfOp:
                break
        self._known = known
        return known

    def _get(self, cls: type[Operation], attribute: Attribute | None, type_: Attribute) -> SSAValue:
        known = self._known
        if known is None:
            known = self._scan()
        key = (cls, attribute, type_)
        value = known.get(key)
        # A pass may have erased the op meanwhile, because it was dead.
        if value is None or fast.producer_of(value).parent is None:
            properties = None if attribute is None else {"value": attribute}
            op = fast.create(cls, (), (type_,), properties)
            entry = self._func.regions[0].first_block
            assert entry is not None
            fast.prepend(entry, op)
            value = known[key] = op.results[0]
            self._made.append(op)
        return value

    def erase_unused(self) -> None:
        """Erases unused constants that were created by this object."""
        for op in self._made:
            if op.parent is not None and op.results[0].first_use is None:
                fast.erase(op)
        self._made.clear()

    def integer(self, number: int, type_: Attribute) -> SSAValue:
        """The integer `number`, wrapped into the scalar integer type `type_`."""
        return self._get(ConstantOp, int_attr(number, type_), type_)

    def boolean(self, value: bool) -> SSAValue:
        """`true` or `false`."""
        return self._get(ConstantOp, int_attr(int(value), I1), I1)

    def attribute(self, attribute: Attribute, type_: Attribute) -> SSAValue:
        """The constant with this `value`."""
        return self._get(ConstantOp, attribute, type_)

    def floating(self, attribute: FloatAttr[AnyFloat]) -> SSAValue:
        """The constant of a float attribute, of the attribute's own type."""
        return self._get(ConstantOp, attribute, attribute.type)

    def zero(self, type_: Attribute) -> SSAValue:
        """`llvm.mlir.zero` of the type; for an integer type the constant 0."""
        if type(type_) is IntegerType:
            return self.integer(0, type_)
        return self._get(ZeroOp, None, type_)

    def undef(self, type_: Attribute) -> SSAValue:
        """`llvm.mlir.undef` of the type."""
        return self._get(UndefOp, None, type_)

    def poison(self, type_: Attribute) -> SSAValue:
        """`llvm.mlir.poison` of the type."""
        return self._get(PoisonOp, None, type_)

    def copy_of(self, op: Operation) -> SSAValue:
        """The constant of this function that equals a constant op of another function."""
        return self._get(type(op), op.properties.get("value"), op.results[0].type)
