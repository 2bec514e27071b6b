"""Accesses of a module to its variables, initializers by field, and new variables for fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.llvm import (
    AddressOfOp,
    BitcastOp,
    ConstantOp,
    FuncOp,
    GEPOp,
    GlobalOp,
    InsertValueOp,
    LinkageAttr,
    LLVMStructType,
    LoadOp,
    ReturnOp,
    StoreOp,
    UndefOp,
    ZeroOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nvvm_xdsl.analysis.memory.accesses import (
    common_alignment,
    is_simple_access,
    is_volatile_transfer,
)
from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    enclosing_function,
    global_name,
    global_type_of,
    initial_value_of,
    position_of,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.constant_ops import UNDEFINED_CLASSES
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import constant_offset
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, MemcpyOp, MemmoveOp, MemsetOp
from nvvm_xdsl.dialects.llvm.symbols import references_of, walk_function
from nvvm_xdsl.dialects.llvm.types import FLOAT_TYPES, I64, float_attr, int_attr, string
from nvvm_xdsl.ir import fast

_TRANSFERS: Final = frozenset({MemcpyOp, MemmoveOp})


class Access(NamedTuple):
    """A load or store of a variable."""

    op: Operation
    offset: int | None
    """Offset in bytes from the variable's start; None if it is not constant."""
    type: Attribute


@dataclass
class Accesses:
    """All uses of a variable in a module.

    Arguments:
        addresses: the ops that take its address, in functions.
        loads, stores: plain ones.
        fills: ops that write many bytes to it and read none of it.
        others: whether its address has any other use.
    """

    addresses: list[Operation] = field(default_factory=list["Operation"])
    loads: list[Access] = field(default_factory=list["Access"])
    stores: list[Access] = field(default_factory=list["Access"])
    fills: list[Operation] = field(default_factory=list["Operation"])
    others: bool = False

    def functions(self) -> set[FuncOp]:
        """The functions that take the variable's address."""
        return {enclosing_function(op) for op in self.addresses}


def accesses_of(module: ModuleOp, layout: DataLayout) -> dict[str, Accesses]:
    """The uses of each symbol whose address is taken, by name."""
    found: dict[str, Accesses] = {}
    body = module.regions[0].first_block
    for top in fast.ops_of(body) if body is not None else ():
        if not isinstance(top, FuncOp):
            # An initializer, an alias, or `llvm.used`.
            for name in references_of(top):
                found.setdefault(name, Accesses()).others = True
            continue
        for op in walk_function(top):
            if type(op) is AddressOfOp:
                one = found.setdefault(global_name(op), Accesses())
                one.addresses.append(op)
                _follow(op, one, layout)
    return found


def _follow(address: Operation, found: Accesses, layout: DataLayout) -> None:
    pending: list[tuple[SSAValue, int | None]] = [(address.results[0], 0)]
    while pending:
        at, offset = pending.pop()
        for user, index in fast.uses_of(at):
            cls = type(user)
            if cls is GEPOp:
                step = constant_offset(user, layout)
                pending.append(
                    (user.results[0], None if step is None or offset is None else offset + step)
                )
            elif cls is AddrSpaceCastOp or cls is BitcastOp:
                pending.append((user.results[0], offset))
            elif cls is LoadOp and is_simple_access(user):
                found.loads.append(Access(user, offset, user.results[0].type))
            elif cls is StoreOp and index == 1 and is_simple_access(user):
                type_ = fast.operands_of(user)[0].type
                found.stores.append(Access(user, offset, type_))
            elif (
                (cls in _TRANSFERS or cls is MemsetOp)
                and index == 0
                and not is_volatile_transfer(user)
            ):
                found.fills.append(user)
            else:
                found.others = True


def erase_address(op: Operation) -> None:
    """Erases an unused op that computes an address, and its operands if they become unused."""
    pending = [op]
    while pending:
        one = pending.pop()
        if one.parent is None or any(result.first_use is not None for result in one.results):
            continue
        if type(one) not in _ADDRESSES:
            continue
        before = [v.owner for v in fast.operands_of(one)]
        fast.erase(one)
        pending += [owner for owner in before if isinstance(owner, Operation)]


def erase_unused_addresses(op: Operation) -> None:
    """Erases an op that computes an address, and addresses computed from it, if they are unused."""
    for result in op.results:
        for user in list(fast.users_of(result)):
            if type(user) in (GEPOp, AddrSpaceCastOp, BitcastOp):
                erase_unused_addresses(user)
    erase_address(op)


_ADDRESSES: Final = frozenset({AddressOfOp, GEPOp, AddrSpaceCastOp, BitcastOp, ConstantOp})


# Initializers


class Initializer:
    """The initializer of a variable, by field."""

    def __init__(self, variable: Operation) -> None:
        self.variable = variable
        self.value = initial_value_of(variable)
        ops = list(walk_function(variable))
        self.returned = fast.operands_of(ops[-1])[0] if ops else None

    def is_struct_constant(self) -> bool:
        """Returns True if it is a struct, and the value of each field is known."""
        type_ = global_type_of(self.variable)
        return isinstance(type_, LLVMStructType) and all(
            self.part(n) is not None for n in range(len(type_.types.data))
        )

    def part(self, index: int) -> SSAValue | str | None:
        """The value of a field: a value of the initializer, `zero` or `undef`; None if unknown."""
        at = self.returned
        if at is None:
            return "undef" if self.value is None else None
        while True:
            owner = at.owner
            if type(owner) is InsertValueOp:
                whole, part = fast.operands_of(owner)
                position = position_of(owner)
                if position == (index,):
                    return part
                if position[0] == index:
                    return None
                at = whole
            elif type(owner) is ZeroOp:
                return "zero"
            elif type(owner) in UNDEFINED_CLASSES:
                return "undef"
            else:
                return None


def make_variable(
    parent: Operation,
    name: str,
    type_: Attribute,
    part: SSAValue | str,
    alignment: int,
    described: Attribute | None = None,
) -> Operation:
    """A new internal variable in the space of `parent`, with the rest of its properties.

    Arguments:
        part: its initializer, as `Initializer.part` returns it.
        described: its debug information (`dbg_exprs`).
    """
    properties = dict(parent.properties)
    properties.pop("value", None)
    properties.pop("dbg_exprs", None)
    if described is not None:
        properties["dbg_exprs"] = described
    properties["sym_name"] = string(name)
    properties["linkage"] = LinkageAttr("internal")
    properties["global_type"] = type_
    properties["alignment"] = int_attr(alignment, I64)
    region = Region()
    if isinstance(part, SSAValue) and type(part.owner) is ConstantOp and _is_scalar(part):
        properties["value"] = constant_value_of(fast.producer_of(part))
    elif part == "zero" and type(type_) is IntegerType:
        properties["value"] = int_attr(0, type_)
    elif part == "zero" and type_ in FLOAT_TYPES:
        properties["value"] = float_attr(0.0, type_)
    else:
        block = fast.new_block()
        if isinstance(part, SSAValue):
            result = _copy_expression(part, block)
        else:
            cls = ZeroOp if part == "zero" else UndefOp
            op = fast.create(cls, (), (type_,))
            fast.append(block, op)
            result = op.results[0]
        fast.append(block, fast.create(ReturnOp, (result,)))
        fast.append_block(region, block)
    made = fast.create(
        GlobalOp, (), (), properties, (), dict(parent.attributes), parent.location, (region,)
    )
    fast.insert_before(made, parent)
    return made


def _is_scalar(value: SSAValue) -> bool:
    constant = constant_value_of(fast.producer_of(value))
    return isinstance(constant, IntegerAttr | FloatAttr)


def _copy_expression(value: SSAValue, block: Block) -> SSAValue:
    """Copies the ops that compute a value of an initializer into another initializer."""
    made: dict[SSAValue, SSAValue] = {}
    order: list[Operation] = []
    pending: list[tuple[Operation, bool]] = [(fast.producer_of(value), False)]
    seen: set[Operation] = set()
    while pending:
        op, done = pending.pop()
        if done:
            order.append(op)
            continue
        if op in seen:
            continue
        seen.add(op)
        pending.append((op, True))
        pending += [(fast.producer_of(v), False) for v in fast.operands_of(op)]
    for op in order:
        copy = fast.copy_op(op, made)
        for old, new in zip(op.results, copy.results):
            made[old] = new
        fast.append(block, copy)
    return made[value]


def field_alignment(parent: Operation, offset: int, layout: DataLayout) -> int:
    """The alignment of the address `offset` bytes after the start of a variable."""
    usual = layout.alignment(global_type_of(parent))
    return common_alignment(stated_alignment(parent, usual), offset)
