"""Restrict pointers in memory, as asserted by options of `process-restrict`.

    struct S { const float *__restrict__ a; float *__restrict__ b; };
    __global__ void k(S s) { s.b[i] = s.a[i]; }                      // allow-restrict-in-struct
    __global__ void k(float *__restrict__ const *__restrict__ rows)  // apply-multi-level-restrict

IR does not mark pointers in memory as restrict: the options assert it for all pointers in a
kernel's by-value structs, and for all levels of its restrict pointers. Pointers of one field count
as one pointer, and pointers loaded through one restrict pointer are not distinguished. The memory
that contains them must be accessed only by plain loads of pointers, so that the same pointer cannot
be obtained by other accesses.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from xdsl.dialects.llvm import BitcastOp, FuncOp, GEPOp, LLVMPointerType, LoadOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.memory.addresses import Addresses
from nvvm_xdsl.analysis.memory.pointer_uses import CAPTURED, ORDERED, WRITTEN, is_ordered_access
from nvvm_xdsl.dialects.llvm.accessors import argument_attributes
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.symbols import entry_of
from nvvm_xdsl.ir import fast

_DERIVING: frozenset[type[Operation]] = frozenset({GEPOp, BitcastOp, AddrSpaceCastOp})

MOST_LEVELS = 4
"""Maximum number of levels of pointers."""


class RestrictLevels:
    """The loaded pointers of a kernel that an option makes restrict.

    Arguments:
        func: the kernel.
        addresses: the address analysis of the kernel.
        uses: returns the uses of a pointer as flags of `pointer_uses`.
    """

    def __init__(self, func: FuncOp, addresses: Addresses, uses: Callable[[SSAValue], int]) -> None:
        self._func = func
        self._addresses = addresses
        self._uses = uses
        self.groups: dict[Hashable, list[SSAValue]] = {}
        """Pointers that are equal, or not distinguished, by their origin."""
        self._group_of: dict[SSAValue, Hashable] = {}

    def add_fields(self) -> None:
        """Adds the pointers in the kernel's by-value structs."""
        for argument in entry_of(self._func).args:
            if "llvm.byval" in argument_attributes(self._func, argument.index):
                for offset, pointers in self._fields(argument).items():
                    self._add(("field", argument.index, offset), pointers)

    def add_levels(self, arguments: Iterable[BlockArgument]) -> None:
        """Adds the pointers loaded through read-only restrict pointers, transitively.

        Arguments:
            arguments: the restrict pointers through which the kernel only reads.
        """
        work: list[tuple[Hashable, list[SSAValue], int]] = [
            (("argument", argument.index), [argument], 1) for argument in arguments
        ]
        work += [(key, p, 1) for key, p in self.groups.items() if self._is_read_only(key)]
        while work:
            key, pointers, level = work.pop()
            loads = self._loads(pointers)
            if not loads or not all(isinstance(v.type, LLVMPointerType) for v in loads):
                continue
            inner = ("behind", key)
            self._add(inner, loads)
            if level < MOST_LEVELS and self._is_read_only(inner):
                work.append((inner, loads, level + 1))

    def is_read_only(self, pointer: SSAValue) -> bool:
        """Returns whether nothing writes the memory that pointers based on these point to."""
        objects = self._addresses.objects(pointer)
        return bool(objects) and all(
            not isinstance(base, str)
            and base in self._group_of
            and self._is_read_only(self._group_of[base])
            for base in objects
        )

    def _add(self, key: Hashable, pointers: list[SSAValue]) -> None:
        self.groups[key] = pointers
        self._group_of.update(dict.fromkeys(pointers, key))

    def _is_read_only(self, key: Hashable) -> bool:
        flags = WRITTEN | ORDERED | CAPTURED
        return not any(self._uses(pointer) & flags for pointer in self.groups[key])

    def _fields(self, struct: SSAValue) -> dict[int, list[SSAValue]]:
        """The pointers in a struct that are always loaded as pointers, by offset in bytes."""
        found: dict[int, list[SSAValue]] = {}
        others: list[tuple[int, int]] = []
        width = 0
        for value in self._loads([struct]) or ():
            address = self._addresses.address(fast.operands_of(fast.producer_of(value))[0])
            if address.base is not struct or address.terms:
                return {}
            size = self._addresses.layout.size(value.type)
            if isinstance(value.type, LLVMPointerType):
                width = max(width, size)
                found.setdefault(address.offset, []).append(value)
            else:
                others.append((address.offset, address.offset + size))
        return {
            at: pointers
            for at, pointers in found.items()
            if not any(start < at + width and at < end for start, end in others)
            and not any(other != at and abs(other - at) < width for other in found)
        }

    def _loads(self, pointers: Iterable[SSAValue]) -> list[SSAValue] | None:
        """The values loaded through pointers; None if a pointer has other uses."""
        found: list[SSAValue] = []
        pending = list(pointers)
        while pending:
            for user, index in fast.uses_of(pending.pop()):
                if index == 0 and type(user) in _DERIVING:
                    pending.append(user.results[0])
                elif type(user) is LoadOp and not is_ordered_access(user):
                    found.append(user.results[0])
                else:
                    return None
        return found


__all__ = ["RestrictLevels"]
