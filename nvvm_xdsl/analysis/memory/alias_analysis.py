"""Alias analysis of memory accesses.

The checks in the order of their cost: address spaces without common memory, distinct objects,
offsets into one object, and metadata of the front end (`noalias`, type-based and scoped). The
relations of address spaces are NVIDIA's (PTX ISA, "State Spaces"; CUDA C++ Programming Guide). A
generic address may refer to any space, but is traced to its origin. A pointer argument of a kernel
never points into shared or local memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, GEPOp, GlobalOp, ICmpOp, LLVMPointerType, LoadOp, StoreOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.memory.addresses import Address, Addresses, Base, is_alloca
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.dialects.effects import ARGUMENTS_ONLY, READS, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    global_space,
    global_type_of,
    is_constant_global,
)
from nvvm_xdsl.dialects.llvm.attributes import TBAATypeDescriptorAttr
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned, signed
from nvvm_xdsl.dialects.llvm.struct_attributes import AliasScopeAttr, TBAATagAttr
from nvvm_xdsl.dialects.llvm.symbols import is_declaration
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL, LOCAL, PARAM, SHARED, SHARED_CLUSTER

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager


_OVERLAPPING = frozenset({(SHARED, SHARED_CLUSTER), (SHARED_CLUSTER, SHARED)})
"""Different specific spaces that share memory: a block's shared memory is its cluster's too."""


def spaces_may_overlap(a: int, b: int) -> bool:
    """Returns True if pointers into these address spaces may point to the same memory."""
    return a == b or GENERIC in (a, b) or (a, b) in _OVERLAPPING


class AliasResult(Enum):
    """The relation of two locations."""

    NO = "NoAlias"
    MAY = "MayAlias"
    PARTIAL = "PartialAlias"
    MUST = "MustAlias"


class Location(NamedTuple):
    """`size` bytes from `pointer` on; None for an unknown size.

    `op` is the access, whose metadata is used. `is_scoped` is False if its alias scopes do not hold:
    they only compare accesses of one execution of the code that declares them.
    """

    pointer: SSAValue
    size: int | None = None
    op: Operation | None = None
    is_scoped: bool = True

    def without_scopes(self) -> Location:
        """The same location for comparison with accesses of other iterations."""
        return self._replace(is_scoped=False)


_POINTERS: dict[type[Operation], int] = {LoadOp: 0, StoreOp: 1}
"""The address operand."""
_TRANSFERS = frozenset({"llvm.intr.memcpy", "llvm.intr.memcpy.inline", "llvm.intr.memmove"})
_SETS = frozenset({"llvm.intr.memset", "llvm.intr.memset.inline"})
_NOT_CAPTURING = frozenset(
    {"llvm.intr.lifetime.start", "llvm.intr.lifetime.end", "llvm.intr.assume", *_TRANSFERS, *_SETS}
)


class AliasAnalysis:
    """Alias queries for one function. The object is invalid when pointers or calls in the function
    change."""

    def __init__(self, func: Operation, layout: DataLayout | None = None) -> None:
        self.func = func
        module = func.parent_op()
        if layout is None:
            layout = DataLayout.of(module) if isinstance(module, ModuleOp) else DataLayout()
        self.layout = layout
        self.addresses = Addresses(layout)
        self._is_kernel = is_kernel(func)
        self._captured: dict[SSAValue, bool] = {}
        self._symbols: dict[str, Operation] | None = None
        self._spaces: dict[SSAValue, int] = {}
        self._constant: dict[SSAValue, bool] = {}
        self._apart: dict[tuple[SSAValue, SSAValue], bool] = {}
        self._allocas: dict[SSAValue, SSAValue | None] = {}
        entry = func.regions[0].first_block
        self._arguments: dict[SSAValue, Mapping[str, Attribute]] = (
            {}
            if entry is None
            else {arg: argument_attributes(func, arg.index) for arg in entry.args}
        )

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The alias analysis of a function."""
        return cls(op)

    def _argument_attribute(self, argument: BlockArgument, name: str) -> Attribute | None:
        attributes = self._arguments.get(argument)
        return None if attributes is None else attributes.get(name)

    def _global(self, name: str) -> Operation | None:
        if self._symbols is None:
            self._symbols = {}
            parent = self.func.parent
            for op in fast.ops_of(parent) if parent is not None else ():
                if isinstance(op, GlobalOp):
                    self._symbols[op.sym_name.data] = op
        return self._symbols.get(name)

    # Objects.

    def space(self, pointer: SSAValue) -> int:
        """The most specific known address space of the pointer."""
        found = self._spaces.get(pointer)
        if found is None:
            found = self._spaces[pointer] = self._find_space(pointer)
        return found

    def _find_space(self, pointer: SSAValue) -> int:
        own = _space_of_type(pointer.type)
        if own != GENERIC:
            return own
        objects = self.addresses.objects(pointer)
        if not objects:
            return GENERIC
        spaces = {self._space_of_object(base) for base in objects}
        return spaces.pop() if len(spaces) == 1 else GENERIC

    def _space_of_object(self, base: Base) -> int:
        if isinstance(base, str):
            op = self._global(base)
            return GENERIC if op is None else global_space(op)
        if is_alloca(base):
            return LOCAL
        own = _space_of_type(base.type)
        if own == GENERIC and self._is_kernel and base in self._arguments:
            if self._argument_attribute(cast(BlockArgument, base), "llvm.byval") is not None:
                return PARAM
            return GLOBAL
        return own

    def _is_identified(self, base: Base) -> bool:
        """True if only pointers based on the object point into it when the function starts. A
        symbol that is an alias names memory of another symbol, too.
        """
        if isinstance(base, str):
            return self._global(base) is not None
        if is_alloca(base):
            return True
        return type(base) is BlockArgument and (
            self._argument_attribute(base, "llvm.noalias") is not None
            or self._argument_attribute(base, "llvm.byval") is not None
        )

    def _is_dynamic_shared(self, base: Base) -> bool:
        """Returns True for an array of dynamic shared memory. All of them start at the same address
        (CUDA C++ Programming Guide, "__shared__").
        """
        op = self._global(base) if isinstance(base, str) else None
        if op is None or global_space(op) != SHARED or not is_declaration(op):
            return False
        try:
            return not self.layout.size(global_type_of(op))
        except UnsizedTypeError:
            return True

    def _is_external_pointer(self, base: Base) -> bool:
        """Returns True if the pointer existed before the function started, or was loaded from
        memory."""
        if isinstance(base, str):
            return True
        if type(base) is BlockArgument:
            return base in self._arguments
        return type(base) is OpResult and type(base.op) in (LoadOp, CallOp)

    def is_captured(self, value: SSAValue) -> bool:
        """Returns whether a pointer may be known outside of the values computed from it in this
        function.
        """
        found = self._captured.get(value)
        if found is None:
            found = self._captured[value] = self._find_capture(value)
        return found

    def _find_capture(self, value: SSAValue) -> bool:
        work = [value]
        seen = {value}
        while work:
            pointer = work.pop()
            for use in pointer.uses:
                op = use.operation
                if isinstance(op, LoadOp) or op.name in _NOT_CAPTURING or isinstance(op, ICmpOp):
                    continue
                if isinstance(op, StoreOp):
                    if use.index == 0:
                        return True
                    continue
                if isinstance(op, GEPOp) or op.name in ("llvm.bitcast", "llvm.addrspacecast"):
                    for result in op.results:
                        if result not in seen:
                            seen.add(result)
                            work.append(result)
                    continue
                if op.name in ("llvm.atomicrmw", "llvm.cmpxchg") and use.index == 0:
                    continue
                return True
        return False

    def points_to_constant_memory(self, pointer: SSAValue) -> bool:
        """Returns True if the pointer's memory is not written while the kernel runs."""
        found = self._constant.get(pointer)
        if found is None:
            found = self._constant[pointer] = self._finds_constant_memory(pointer)
        return found

    def _finds_constant_memory(self, pointer: SSAValue) -> bool:
        if self.space(pointer) == CONSTANT:
            return True
        objects = self.addresses.objects(pointer)
        if not objects:
            return False
        return all(self._is_constant_object(base) for base in objects)

    def _is_constant_object(self, base: Base) -> bool:
        if isinstance(base, str):
            op = self._global(base)
            return op is not None and is_constant_global(op)
        if type(base) is BlockArgument:
            if self._argument_attribute(base, "nvvm.grid_constant") is not None:
                return True
            return (
                self._argument_attribute(base, "llvm.noalias") is not None
                and self._argument_attribute(base, "llvm.readonly") is not None
            )
        return False

    # Questions.

    def alias(self, a: Location, b: Location) -> AliasResult:
        """The relation of two locations during one execution of the function."""
        if a.pointer is b.pointer and a.size == b.size and a.size is not None:
            return AliasResult.MUST
        if self._in_different_variables(a.pointer, b.pointer):
            return AliasResult.NO
        if not spaces_may_overlap(self.space(a.pointer), self.space(b.pointer)):
            return AliasResult.NO
        one, two = self.addresses.address(a.pointer), self.addresses.address(b.pointer)
        if one.base == two.base:
            width = min(map(self._pointer_width, (a.pointer, b.pointer)))
            found = _compare(one, a.size, two, b.size, width)
            if found is not AliasResult.MAY:
                return found
        elif self._objects_differ(a.pointer, b.pointer):
            return AliasResult.NO
        if a.op is not None and b.op is not None:
            if not types_may_alias(a.op, b.op):
                return AliasResult.NO
            if a.is_scoped and b.is_scoped and (is_excluded(a.op, b.op) or is_excluded(b.op, a.op)):
                return AliasResult.NO
        return AliasResult.MAY

    def _pointer_width(self, pointer: SSAValue) -> int:
        return self.layout.pointer_bits(_space_of_type(pointer.type))

    def _in_different_variables(self, a: SSAValue, b: SSAValue) -> bool:
        """Returns whether the pointers point into two allocas, as most pairs in code of -O0 do."""
        one, two = self._alloca_of(a), self._alloca_of(b)
        return one is not None and two is not None and one is not two

    def _alloca_of(self, pointer: SSAValue) -> SSAValue | None:
        """The alloca at a known offset from the pointer; None for other objects."""
        known = self._allocas
        if pointer not in known:
            base = self.addresses.address(pointer).base
            known[pointer] = cast(SSAValue, base) if is_alloca(base) else None
        return known[pointer]

    def _objects_differ(self, a: SSAValue, b: SSAValue) -> bool:
        """True if the pointers have no common object; cached for pointers with two possible
        objects."""
        starts = self.addresses.address(a).value, self.addresses.address(b).value
        found = self._apart.get(starts)
        if found is None:
            found = self._apart[starts] = self._find_apart(a, b)
        return found

    def _find_apart(self, a: SSAValue, b: SSAValue) -> bool:
        first, second = self.addresses.objects(a), self.addresses.objects(b)
        if not first or not second:
            return False
        return all(self._differ(x, y) for x in first for y in second)

    def _differ(self, a: Base, b: Base) -> bool:
        if a == b:
            return False
        if not spaces_may_overlap(self._space_of_object(a), self._space_of_object(b)):
            return True
        if self._is_dynamic_shared(a) and self._is_dynamic_shared(b):
            return False
        if self._is_identified(a) and self._is_identified(b):
            return True
        for one, two in ((a, b), (b, a)):
            if is_alloca(one) and self._is_external_pointer(two):
                made_here = isinstance(two, OpResult)
                if not made_here or not self.is_captured(cast(SSAValue, one)):
                    return True
            # Only pointers based on a noalias argument may access memory that is accessed through
            # it. A loaded or returned pointer may be based on it.
            if (
                type(one) is BlockArgument
                and self._is_identified(one)
                and (isinstance(two, str) or two in self._arguments)
            ):
                return True
        return False

    def location(self, op: Operation) -> Location | None:
        """The location of a load, store, atomic or memset; None for other ops."""
        cls = type(op)
        if cls is LoadOp:
            return Location(fast.operands_of(op)[0], self._size(op.results[0].type), op)
        if cls is StoreOp:
            value, pointer = fast.operands_of(op)
            return Location(pointer, self._size(value.type), op)
        if op.name in ("llvm.atomicrmw", "llvm.cmpxchg"):
            pointer, value, *_ = fast.operands_of(op)
            return Location(pointer, self._size(value.type), op)
        if op.name in _SETS:
            return Location(fast.operands_of(op)[0], self._length(op), op)
        return None

    def _length(self, op: Operation) -> int | None:

        operands = fast.operands_of(op)
        return constant_unsigned(operands[2]) if len(operands) > 2 else None

    def _size(self, type_: Attribute) -> int | None:
        try:
            return self.layout.store_size(type_)
        except UnsizedTypeError:
            return None

    def mod_ref(self, op: Operation, location: Location) -> int:
        """Whether the op may read or write the location, as `READS` and `WRITES` flags."""
        flags = effects(op)
        access = flags & (READS | WRITES)
        if not access:
            return 0
        place = _POINTERS.get(type(op))
        if place is not None and flags & ARGUMENTS_ONLY:
            pointer = fast.operands_of(op)[place]
            if self._in_different_variables(pointer, location.pointer):
                return 0
        own = self.location(op)
        if own is not None and flags & ARGUMENTS_ONLY:
            if self.alias(own, location) is AliasResult.NO:
                return 0
        elif op.name in _TRANSFERS:
            length = self._length(op)
            target, source = list(fast.operands_of(op))[:2]
            access = 0
            if self.alias(Location(source, length), location) is not AliasResult.NO:
                access |= READS
            if self.alias(Location(target, length), location) is not AliasResult.NO:
                access |= WRITES
        elif flags & ARGUMENTS_ONLY:
            pointers = [v for v in fast.operands_of(op) if isinstance(v.type, LLVMPointerType)]
            if all(self.alias(Location(p), location) is AliasResult.NO for p in pointers):
                return 0
        elif self._is_private(location.pointer, op):
            return 0
        if access & WRITES and self.points_to_constant_memory(location.pointer):
            access &= ~WRITES
        return access

    def _is_private(self, pointer: SSAValue, op: Operation) -> bool:
        """True if only this thread can access the pointer's memory, and the op does not receive
        it."""
        base = self.addresses.address(pointer).base
        if isinstance(base, str) or not is_alloca(base) or self.is_captured(base):
            return False
        return all(
            self.addresses.address(value).base is not base
            for value in fast.operands_of(op)
            if isinstance(value.type, LLVMPointerType)
        )

    def verify(self) -> None:
        """Recomputes the cached results; raises AssertionError if they differ."""
        fresh = AliasAnalysis(self.func, self.layout)
        self.addresses.verify()
        for pointer, space in self._spaces.items():
            assert fresh.space(pointer) == space, f"the space of {value_name(pointer)} is stale"
        for base, is_captured in self._captured.items():
            assert is_captured or not fresh.is_captured(base), f"{value_name(base)} is captured now"


def _space_of_type(type_: Attribute) -> int:
    return address_space_of(type_) if type(type_) is LLVMPointerType else GENERIC


def _compare(
    a: Address, a_size: int | None, b: Address, b_size: int | None, width: int
) -> AliasResult:
    """The relation of two addresses in one object, by their offsets if their variables cancel.

    Arguments:
        width: the width of the pointers, in which offsets may wrap.
    """
    distance = signed(b.offset - a.offset, width)
    terms = dict(b.terms)
    for term, scale in a.terms.items():
        terms[term] = terms.get(term, 0) - scale
    step = 0
    for scale in terms.values():
        # Products wrap modulo 2^64, which keeps only remainders by powers of two.
        step |= scale
    if step:
        power = step & -step
        if a_size is None or b_size is None:
            return AliasResult.MAY
        apart = distance % power
        if apart >= a_size and power - apart >= b_size:
            return AliasResult.NO
        return AliasResult.MAY
    if distance == 0:
        if a_size is None or b_size is None:
            return AliasResult.MAY
        return AliasResult.MUST if a_size == b_size else AliasResult.PARTIAL
    first, gap = (a_size, distance) if distance > 0 else (b_size, -distance)
    if first is None:
        return AliasResult.MAY
    if gap >= first:
        return AliasResult.NO
    return AliasResult.PARTIAL if a_size is not None and b_size is not None else AliasResult.MAY


# Metadata.


def _tags(op: Operation) -> list[TBAATagAttr]:
    return [t for t in items_of(op.properties.get("tbaa")) if isinstance(t, TBAATagAttr)]


def types_may_alias(a: Operation, b: Operation) -> bool:
    """True if the type-based metadata of two accesses permits aliasing."""
    return all(tags_may_alias(x, y) for x in _tags(a) for y in _tags(b))


def _root(type_: Attribute) -> Attribute:
    while isinstance(type_, TBAATypeDescriptorAttr):
        type_ = cast("Any", type_.members.data[0]).type_desc
    return type_


def _is_part(whole: TBAATagAttr, part: TBAATagAttr) -> bool:
    """True if the type of one access at its offset contains the start of the other."""
    type_ = whole.base_type
    offset = whole.offset.data
    while isinstance(type_, TBAATypeDescriptorAttr):
        if type_ == part.base_type:
            return offset == part.offset.data
        inner: Any = None
        for member in cast("tuple[Any, ...]", type_.members.data):
            if member.offset.data <= offset:
                inner = member
        if inner is None:
            return False
        offset -= inner.offset.data
        type_ = cast(Attribute, inner.type_desc)
    return False


def tags_may_alias(a: TBAATagAttr, b: TBAATagAttr) -> bool:
    """True if struct-path TBAA permits accesses with these tags to alias (LLVM LangRef, "tbaa")."""
    if a == b or _root(a.access_type) != _root(b.access_type):
        return True
    return _is_part(a, b) or _is_part(b, a)


def scopes_named(op: Operation, name: str) -> set[Attribute]:
    """The scopes in a list of an access: `alias_scopes` or `noalias_scopes`."""
    return set(items_of(op.properties.get(name)))


def is_excluded(a: Operation, b: Operation) -> bool:
    """Returns whether `b` declares that it does not alias the scopes of `a`, which are in one
    domain.
    """
    noalias = scopes_named(b, "noalias_scopes")
    if not noalias:
        return False
    domains: dict[Attribute, set[Attribute]] = {}
    for scope in scopes_named(a, "alias_scopes"):
        if isinstance(scope, AliasScopeAttr):
            domains.setdefault(scope.domain, set()).add(scope)
    return any(scopes <= noalias for scopes in domains.values())
