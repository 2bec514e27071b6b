"""The local objects and global symbols that a function accesses."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import (
    element_type_of,
    global_name,
    global_type_of,
    initial_value_of,
    int_property,
    is_constant_global,
    is_volatile,
    stated_alignment,
    wrapped_type,
)
from nvvm_xdsl.dialects.llvm.branches import argument_behind
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.symbols import is_definition_exact, linkage_of, symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC
from nvvm_xdsl.lab.validation.scope import Inputs, Scope
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.smt_memory import (
    ADDRESS_BITS,
    MEMORY,
    MOST_BYTES,
    POISON,
    READABLE,
    UNDEF,
    WRITABLE,
    LocalObject,
    cast_address,
    generic_address,
    parts_in_memory,
    space_of,
)
from nvvm_xdsl.lab.validation.values import (
    ALWAYS,
    FIRST_GLOBAL,
    NEVER,
    ORIGIN_BITS,
    Leaf,
    Term,
    UnsupportedError,
    constant_leaves,
)

DERIVED = frozenset(
    {
        "llvm.getelementptr",
        "llvm.bitcast",
        "llvm.addrspacecast",
        "llvm.select",
        "llvm.freeze",
        "llvm.br",
        "llvm.cond_br",
        "llvm.switch",
    }
)
"""Ops whose results or successors' arguments may be based on a pointer operand."""

ADDRESS_ONLY = frozenset(
    {
        "llvm.icmp",
        "llvm.intr.lifetime.start",
        "llvm.intr.lifetime.end",
        "llvm.intr.dbg.declare",
        "llvm.intr.dbg.value",
    }
)
"""Ops that neither access the memory at an operand nor let its address escape."""

_HARMLESS = ADDRESS_ONLY | {
    "llvm.load",
    "llvm.intr.memcpy",
    "llvm.intr.memmove",
    "llvm.intr.memset",
}
"""Ops that do not let the address of an operand escape."""


def escapes(alloca: Operation) -> bool:
    """Whether the address of a local object may be known to other functions or in memory."""
    seen: set[SSAValue] = set()
    pending: list[SSAValue] = [alloca.results[0]]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for user, index in fast.uses_of(value):
            name = user.name
            if name == "llvm.store":
                if index == 0 or is_volatile(user):
                    return True
            elif name in DERIVED:
                argument = argument_behind(user, index) if not user.results else None
                pending.extend([argument] if argument is not None else user.results)
            elif name not in _HARMLESS or int_property(user, "ordering"):
                return True
            elif is_volatile(user):
                return True
    return False


def size_of_alloca(alloca: Operation, layout: DataLayout) -> int:
    """The bytes of a local object. Raises UnsupportedError if their number is not constant."""
    count = constant_unsigned(alloca.operands[0])
    if count is None:
        raise UnsupportedError("alloca of variable size")
    return count * layout.size(wrapped_type(element_type_of(alloca)))


class LocalObjects:
    """The local objects of a function, and the assumptions about their addresses.

    Arguments:
        inputs: of both functions.
        allocas: the function's allocas in order.
        prefix: prefix of the names of addresses; equal in both functions if their allocas
            correspond.
    """

    def __init__(self, inputs: Inputs, allocas: Sequence[Operation], prefix: str) -> None:
        self.by_number: dict[int, LocalObject] = {}
        self.of_alloca: dict[Operation, LocalObject] = {}
        self._inputs = inputs
        for number, alloca in enumerate(allocas):
            size = size_of_alloca(alloca, inputs.layout)
            base = inputs.bits(f"{prefix}local object {number}", ADDRESS_BITS)
            item = LocalObject(number, base, size, escapes(alloca))
            self._assume(item, alloca)
            self.by_number[number] = self.of_alloca[alloca] = item

    def _assume(self, item: LocalObject, alloca: Operation) -> None:
        assume = self._inputs.assumptions.append
        space = space_of(alloca.results[0].type)
        address = cast_address(self._inputs, item.base, 0, space, ADDRESS_BITS)
        align = stated_alignment(alloca, 1)
        assume(address & (align - 1) == 0)
        assume(item.base != 0)
        assume(z3.ULT(item.base, item.base + item.size + 1))
        for other in self.by_number.values():
            assume(disjoint(item.base, item.size, other.base, other.size))
        if item.escapes:
            initial = z3.Const("memory", MEMORY)
            for n in range(min(item.size, MOST_BYTES)):
                cell = z3.Select(initial, item.base + n)
                assume(z3.Extract(WRITABLE, READABLE, cell) == 0)


def disjoint(a: Term, a_size: int, b: Term, b_size: int) -> Term:
    """Whether two objects have at least one byte between them."""
    return z3.And(z3.UGT(b - a, a_size), z3.UGT(a - b, b_size))


class Symbols:
    """The addresses of global symbols and the contents of constant ones.

    Arguments:
        inputs: of both functions.
    """

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._known: dict[str, tuple[Term, int, int, Operation]] = {}
        self.objects: dict[int, LocalObject] = {}
        self._numbers: dict[str, int] = {}
        self._origins: dict[str, int] = {}

    def leaf(self, op: Operation, module: ModuleOp) -> Leaf:
        """The address that an `llvm.mlir.addressof` yields. Raises UnsupportedError."""
        name = global_name(op)
        symbol = symbols_of(module).get(name)
        if symbol is None or symbol.name not in ("llvm.mlir.global", "llvm.func"):
            raise UnsupportedError("address of an alias")
        layout = self._inputs.layout
        space = space_of(op.results[0].type)
        address = self._inputs.bits(f"address of @{name}", layout.pointer_bits(space))
        if name in self._known and _differ(symbol, self._known[name][3]):
            raise UnsupportedError(f"changed global @{name}")
        if name not in self._known and linkage_of(symbol) != "extern_weak":
            is_function = symbol.name == "llvm.func"
            size = 1 if is_function else layout.store_size(self._type(symbol))
            if not size:
                raise UnsupportedError("global of unknown size")
            self._known[name] = (address, space, size, symbol)
            self._assume(address, space, size, symbol, is_function)
            if not is_function:
                number = self._numbers[name] = -1 - len(self.objects)
                base = generic_address(self._inputs, address, space)
                self.objects[number] = LocalObject(number, base, size, True, True)
        objects = {self._numbers[name]: ALWAYS} if name in self._numbers else {}
        origin = self._origins.setdefault(name, FIRST_GLOBAL + len(self._origins))
        return Leaf(address, NEVER, (), objects, origin=z3.BitVecVal(origin, ORIGIN_BITS))

    @staticmethod
    def _type(symbol: Operation) -> Attribute:
        return wrapped_type(global_type_of(symbol))

    def _assume(self, address: Term, space: int, size: int, symbol: Operation, code: bool) -> None:
        assume = self._inputs.assumptions.append
        generic = generic_address(self._inputs, address, space)
        assume(generic != 0)
        if space == GENERIC:
            assume(address != 0)
        assume(z3.ULT(generic, generic + size + 1))
        align = stated_alignment(symbol)
        if not code:
            align = align or self._inputs.layout.alignment(self._type(symbol))
        if align > 1:
            assume(address & (align - 1) == 0)
        for other, other_space, other_size, _ in self._known.values():
            if other is not address:
                base = generic_address(self._inputs, other, other_space)
                assume(disjoint(generic, size, base, other_size))

    def constrain(self, main: Term) -> None:
        """Assumes the rights and constant contents of globals in main memory."""
        scope = Scope(self._inputs, False)
        for address, space, size, symbol in self._known.values():
            if symbol.name == "llvm.func" or size > MOST_BYTES:
                continue
            generic = generic_address(self._inputs, address, space)
            constant = is_constant_global(symbol)
            for n in range(size):
                cell = z3.Select(main, generic + n)
                rights = z3.Extract(WRITABLE, READABLE, cell)
                self._inputs.assumptions.append(rights == (1 if constant else 3))
            value = initial_value_of(symbol)
            if constant and value is not None and not _may_be_replaced(symbol):
                self._constrain_contents(main, generic, self._type(symbol), value, scope)

    def _constrain_contents(
        self, main: Term, base: Term, type_: Attribute, value: Attribute, scope: Scope
    ) -> None:
        try:
            leaves = constant_leaves(value, type_, scope.layout)
            parts = parts_in_memory(type_, scope)
        except UnsupportedError:
            return
        for (_, offset), leaf in zip(parts, leaves):
            width = leaf.bits.size()
            bits = z3.ZeroExt(-width % 8, leaf.bits)
            for n in range(bits.size() // 8):
                cell = z3.Select(main, base + offset + n)
                byte = z3.Extract(8 * n + 7, 8 * n, bits)
                self._inputs.assumptions += [
                    z3.Extract(7, 0, cell) == byte,
                    z3.Extract(POISON, UNDEF, cell) == 0,
                ]

    def sizes(self) -> list[tuple[Term, int]]:
        """The generic address and size of each global."""
        return [
            (generic_address(self._inputs, address, space), size)
            for address, space, size, _ in self._known.values()
        ]


def _differ(a: Operation, b: Operation) -> bool:
    """Whether two definitions of a global differ in value or rights."""
    names = ("global_type", "value", "constant", "linkage", "addr_space", "alignment")
    return a.name != b.name or any(a.properties.get(n) != b.properties.get(n) for n in names)


def _may_be_replaced(symbol: Operation) -> bool:
    return not is_definition_exact(symbol)


def allocas_of(func: Operation) -> list[Operation]:
    """The allocas of a function in order."""
    return [op for op in fast.ops_inside(func) if op.name == "llvm.alloca"]


def shape_of(allocas: Sequence[Operation], layout: DataLayout) -> list[tuple[int, int, bool]]:
    """Sizes, alignments and escapes of allocas, to be compared between functions."""
    return [(size_of_alloca(a, layout), stated_alignment(a), escapes(a)) for a in allocas]
