"""Loads of read-only memory, by the scopes of restrict parameters of inlined functions.

    __device__ void body(const float *__restrict__ a, float *__restrict__ b);
    __global__ void k(float *a, float *b) { body(a, b); }

The kernel's own parameters are not restrict. In the inlined body, the alias scopes state that the
stores do not alias the scope of `a`. If the kernel writes no other memory, the memory of `a` is not
written while the kernel runs. NVIDIA's compiler uses `ld.global.nc` in this example.

A scope applies to one execution of the code that declares it, and only to accesses of one thread.
Additional conditions make it valid for all threads during the whole kernel:

- the scope is declared once, and not in a loop, because the next iteration may write the memory
  that this one reads (two buffers that are exchanged);
- the load is through pointer arguments of the kernel, and all stores are through other pointer
  arguments, so that no thread can have exchanged them;
- the kernel has no atomic or volatile access, fence or call with which threads could synchronize.
"""

from __future__ import annotations

from xdsl.dialects.llvm import FuncOp, LLVMPointerType, StoreOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.memory.addresses import Addresses, Base, is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import is_excluded, scopes_named
from nvvm_xdsl.analysis.memory.pointer_uses import is_ordered_access
from nvvm_xdsl.dialects.effects import ARGUMENTS_ONLY, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import argument_attributes
from nvvm_xdsl.dialects.llvm.ops import NoAliasScopeDeclOp
from nvvm_xdsl.dialects.llvm.symbols import entry_of, walk_function
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import LOCAL, SHARED, SHARED_CLUSTER
from nvvm_xdsl.transforms.barriers import is_barrier

OWN_SPACES = frozenset({SHARED, LOCAL, SHARED_CLUSTER})
"""Address spaces that pointer arguments of a kernel cannot point into: shared and local."""


class ScopedReads:
    """Queries whether a function's stores may write the memory that a load reads.

    Arguments:
        func: the function.
        addresses: the address analysis of the function.
    """

    def __init__(self, func: FuncOp, addresses: Addresses) -> None:
        self._func = func
        self._addresses = addresses
        self._stores: list[tuple[Operation, list[Base]]] = []
        self._declared: dict[Attribute, list[Block]] = {}
        self._in_cycle: dict[Block, bool] = {}
        is_plain = (
            is_kernel(func)
            and any(type(op) is NoAliasScopeDeclOp for op in walk_function(func))
            and all(self._record(op) for op in walk_function(func))
        )
        self.may_tell = is_plain and bool(self._declared)
        """Whether the function may have loads that can be proved read-only."""

    def _record(self, op: Operation) -> bool:
        """Records an op; returns whether a proof is still possible."""
        if type(op) is NoAliasScopeDeclOp:
            block = op.parent
            assert block is not None
            self._declared.setdefault(op.properties["scope"], []).append(block)
            return True
        flags = effects(op)
        if not flags & WRITES or is_barrier(op):
            return True
        if type(op) is not StoreOp:
            pointers = [v for v in fast.operands_of(op) if isinstance(v.type, LLVMPointerType)]
            return bool(flags & ARGUMENTS_ONLY) and not any(map(self._not_own, pointers))
        if is_ordered_access(op):
            return False
        written = self._not_own(fast.operands_of(op)[1])
        if written:
            self._stores.append((op, written))
        return True

    def _not_own(self, pointer: SSAValue) -> list[Base]:
        """The underlying objects of a pointer, except for shared and local memory."""
        if pointer_space(pointer.type) in OWN_SPACES:
            return []
        objects = self._addresses.objects(pointer) or [pointer]
        return [base for base in objects if isinstance(base, str) or not is_alloca(base)]

    def is_read_only(self, load: Operation) -> bool:
        """True if the memory of a global load is not written while the kernel runs."""
        if not self.may_tell or not self._is_declared_once(load):
            return False
        objects = self._handed(self._addresses.objects(fast.operands_of(load)[0]))
        if not objects:
            return False
        for store, written in self._stores:
            targets = self._handed(written)
            if targets is None or targets & objects or not is_excluded(load, store):
                return False
        return True

    def _handed(self, objects: list[Base] | None) -> set[SSAValue] | None:
        """The objects, if all are pointers passed to the kernel; None otherwise."""
        found: set[SSAValue] = set()
        for base in objects or ():
            if not isinstance(base, BlockArgument) or base.block is not entry_of(self._func):
                return None
            if "llvm.byval" in argument_attributes(self._func, base.index):
                return None
            found.add(base)
        return found

    def _is_declared_once(self, load: Operation) -> bool:
        scopes = scopes_named(load, "alias_scopes")
        if not scopes:
            return False
        for scope in scopes:
            places = self._declared.get(scope, [])
            if len(places) != 1 or self._repeats(places[0]):
                return False
        return True

    def _repeats(self, block: Block) -> bool:
        """Returns True if control may reach a block again."""
        known = self._in_cycle.get(block)
        if known is None:
            seen: set[Block] = set()
            pending = [block]
            while pending:
                last = pending.pop().last_op
                for following in fast.successors_of(last) if last is not None else ():
                    if following not in seen:
                        seen.add(following)
                        pending.append(following)
            known = self._in_cycle[block] = block in seen
        return known
