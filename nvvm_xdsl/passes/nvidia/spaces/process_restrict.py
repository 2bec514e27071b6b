"""`process-restrict`: derives alias scopes and read-only loads from `__restrict__` pointers.

    llvm.func @add(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}) attributes {nvvm.kernel} {
      %x = llvm.load %a : !llvm.ptr -> f32
      llvm.store %x, %b : f32, !llvm.ptr

becomes

    llvm.func @add(%a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr {llvm.noalias}) ... {
      %x = llvm.load %a invariant {alias_scopes = [#a], noalias_scopes = [#b]} : !llvm.ptr -> f32
      llvm.store %x, %b {alias_scopes = [#b], noalias_scopes = [#a]} : f32, !llvm.ptr

The document lists the pass among the function passes; it is a module pass here, because it inspects
callers and callees. It has three parts, which process callers before callees:

- An argument of a function that only this module calls gets `llvm.noalias` if every call passes a
  pointer based on a restrict argument or on a stack slot of the caller that no other argument of
  the call can access.
- A restrict argument of a kernel through which the kernel and its callees only read becomes
  `llvm.readonly`, and loads through it become invariant: `ld.global.nc` in PTX. The argument and
  all loads through it are not changed if its memory may be written, if an access is volatile or
  atomic, or if the pointer escapes. The same holds for loads through restrict arguments of inlined
  functions, if the scopes show that nothing writes their memory
  (`passes/nvidia/spaces/process_restrict_scopes.py`).
- Loads, stores and other accesses get alias scopes, one for each restrict argument, which remain
  after the function is inlined and the arguments no longer exist.

`propagate-only` runs only the first part. `kernel-params-restrict` treats every pointer argument of
a kernel as restrict, like `nvcc -restrict`; `allow-restrict-in-struct` does so for pointers in a
kernel's by-value structs, and `apply-multi-level-restrict` for pointers that are loaded through
restrict pointers (`passes/nvidia/spaces/process_restrict_levels.py`).

000 LLVM Optimizer ("NVIDIA Custom Passes"); LLVM LangRef, "noalias", "alias.scope".

Benefit: disabling it changes no instruction of a benchmark kernel except for `ld.global.nc`. A kernel
that calls a function with restrict parameters executes 28 machine instructions instead of 32, with 10
registers instead of 14 and 32 sectors of global memory instead of 48.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.dialects.llvm import FuncOp, LLVMPointerType, LoadOp, StoreOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph, CallGraphNode
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.addresses import Addresses, Base, is_alloca
from nvvm_xdsl.analysis.memory.pointer_uses import (
    CAPTURED,
    ORDERED,
    WRITTEN,
    is_ordered_access,
    pointer_uses,
)
from nvvm_xdsl.dialects.llvm.accessors import (
    add_argument_attribute,
    argument_attribute,
    argument_attributes,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.constant_ops import after_constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.ops import AtomicCmpXchgOp, AtomicRMWOp, NoAliasScopeDeclOp
from nvvm_xdsl.dialects.llvm.struct_attributes import AliasScopeAttr, AliasScopeDomainAttr
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, entry_of, linkage_of, walk_function
from nvvm_xdsl.dialects.llvm.types import UNIT, pointer_space, string
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.spaces.process_restrict_levels import RestrictLevels
from nvvm_xdsl.passes.nvidia.spaces.process_restrict_scopes import ScopedReads
from nvvm_xdsl.transforms.lower_mem_intrinsics import BLOCK_OPS, COPIES

NOALIAS = "llvm.noalias"
READONLY = "llvm.readonly"

_GENERIC_OR_GLOBAL = (GENERIC, GLOBAL)

_ATOMICS = frozenset({AtomicRMWOp, AtomicCmpXchgOp})
_POINTERS: dict[type[Operation], tuple[int, ...]] = {
    LoadOp: (0,),
    StoreOp: (1,),
    **dict.fromkeys(_ATOMICS, (0,)),
    **dict.fromkeys(BLOCK_OPS, (0,)),
    **dict.fromkeys(COPIES, (0, 1)),
}
"""By class of access, the indices of address operands."""

INVARIANT = remarks.Statistic("process-restrict", "invariant", "Number of loads made invariant")
PROPAGATED = remarks.Statistic("process-restrict", "propagated", "Number of arguments made noalias")

MAX_SOURCES = 256
"""Maximum number of functions through which an argument is traced; with more it counts as
written."""

Argument: TypeAlias = BlockArgument


@dataclass(frozen=True)
class ProcessRestrict(NvvmPass):
    """Infers `noalias`, read-only memory and alias scopes from restrict pointers."""

    name = "process-restrict"
    title = "ProcessRestrict"

    propagate_only: bool = False
    """Only propagate `noalias` to functions that receive restrict pointers."""

    kernel_params_restrict: bool = False
    """Treat every pointer argument of a kernel as restrict."""

    allow_restrict_in_struct: bool = False
    """Treat every pointer in a kernel's by-value structs as restrict."""

    apply_multi_level_restrict: bool = False
    """Treat pointers loaded through restrict pointers as restrict."""

    dump_process_restrict: bool = False
    """Report arguments that become restrict, and loads from read-only memory."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        graph = am.get(CallGraph, module)
        nodes = list(graph.bottom_up())
        facts = _Facts(graph, DataLayout.of(module))
        for node in nodes:
            # Callees first: their callers need not examine them again.
            for argument in _pointer_arguments(node.func):
                facts.uses(argument)
        changed = False
        for node in reversed(nodes):
            func = node.func
            if self._process(func, facts):
                changed = True
                am.invalidate(func, self.preserved())
        return changed

    def _process(self, func: FuncOp, facts: _Facts) -> bool:
        changed = False
        if self.kernel_params_restrict and not self.propagate_only and is_kernel(func):
            for argument in _pointer_arguments(func):
                changed |= _add_attribute(argument, NOALIAS)
        changed |= self._propagate(func, facts)
        if self.propagate_only:
            return changed
        levels = self._levels(func, facts)
        changed |= self._find_read_only(func, facts, levels)
        return _Scopes(func, facts, levels).add() or changed

    def _levels(self, func: FuncOp, facts: _Facts) -> RestrictLevels:
        levels = RestrictLevels(func, facts.addresses, facts.uses)
        if is_kernel(func):
            if self.allow_restrict_in_struct:
                levels.add_fields()
            if self.apply_multi_level_restrict:
                levels.add_levels(a for a in _pointer_arguments(func) if facts.is_read_only(a))
        return levels

    def _propagate(self, func: FuncOp, facts: _Facts) -> bool:
        changed = False
        if not facts.is_private(func):
            return False
        for argument in _pointer_arguments(func):
            if not _is_restrict(argument) and facts.is_always_handed_restrict(argument):
                _add_attribute(argument, NOALIAS)
                PROPAGATED.add()
                self._report("Restrict", func, f"argument {argument.index} made noalias")
                changed = True
        return changed

    def _find_read_only(self, func: FuncOp, facts: _Facts, levels: RestrictLevels) -> bool:
        changed = False
        # Callers are processed before callees, whose results depend on theirs.
        read_only = [a for a in _pointer_arguments(func) if facts.is_read_only(a)]
        if is_kernel(func):
            for argument in read_only:
                changed |= _add_attribute(argument, READONLY)
        scoped = ScopedReads(func, facts.addresses)
        if not read_only and not scoped.may_tell and not levels.groups:
            return changed
        for op in walk_function(func):
            if type(op) is not LoadOp or "invariant" in op.properties or is_ordered_access(op):
                continue
            (pointer,) = fast.operands_of(op)
            if _space(pointer) not in _GENERIC_OR_GLOBAL:
                continue
            if (
                facts.points_to_read_only(pointer)
                or levels.is_read_only(pointer)
                or scoped.is_read_only(op)
            ):
                op.properties["invariant"] = UNIT
                INVARIANT.add()
                self._report(
                    "Invariant", func, "loads from memory that the kernel does not write", op
                )
                changed = True
        return changed

    def _report(self, what: str, func: FuncOp, text: str, op: Operation | None = None) -> None:
        if self.dump_process_restrict or remarks.wanted():
            name, shown = symbol_name(func) or "", self.dump_process_restrict
            remarks.emit("Passed", self.name, what, name, text, op=op or func, shown=shown)


def _space(pointer: SSAValue) -> int:
    return pointer_space(pointer.type)


def _pointer_arguments(func: FuncOp) -> list[Argument]:
    """The arguments that are pointers into memory the function does not own."""
    return [
        argument
        for argument in entry_of(func).args
        if isinstance(argument.type, LLVMPointerType)
        and "llvm.byval" not in argument_attributes(func, argument.index)
    ]


def _is_restrict(argument: Argument) -> bool:
    func = argument.block.parent_op()
    assert func is not None
    return NOALIAS in argument_attributes(func, argument.index)


def _add_attribute(argument: Argument, name: str) -> bool:
    """Adds a unit attribute to a function's argument; returns whether it is new."""
    func = argument.block.parent_op()
    assert func is not None
    if argument_attribute(func, argument.index, name) is not None:
        return False
    add_argument_attribute(func, argument.index, name, UNIT, len(argument.block.args))
    return True


class _Facts:
    """Facts about pointers, from their functions, the callers and the callees.

    Arguments:
        graph: the calls of the module.
        layout: the data layout of the module.
    """

    def __init__(self, graph: CallGraph, layout: DataLayout) -> None:
        self.graph = graph
        self.addresses = Addresses(layout)
        self._uses: dict[SSAValue, int] = {}
        self._read_only: dict[Argument, bool] = {}

    def function_of(self, name: str) -> Operation | None:
        """The function with that name."""
        node = self.graph.nodes.get(name)
        return None if node is None else node.func

    def uses(self, pointer: SSAValue) -> int:
        """The uses of a pointer: flags of `pointer_uses`."""
        found = self._uses.get(pointer)
        if found is None:
            found = self._uses[pointer] = pointer_uses(pointer, self.function_of, self._uses)
        return found

    def is_private(self, func: FuncOp) -> bool:
        """Returns True if all calls of the function are known."""
        node = self.graph.node(func)
        return (
            linkage_of(func) in LOCAL_LINKAGE
            and not is_kernel(func)
            and not node.address_taken
            and bool(node.callers)
        )

    # Arguments that receive restrict pointers.

    def is_always_handed_restrict(self, argument: Argument) -> bool:
        """Returns True if at every call only the argument can access its memory."""
        node = self._node_of(argument)
        return all(
            self._is_restrict_at(call, caller, argument.index)
            for call, caller in node.callers.items()
        )

    def _node_of(self, argument: Argument) -> CallGraphNode:
        func = argument.block.parent_op()
        assert func is not None
        return self.graph.node(func)

    def _is_restrict_at(self, call: Operation, caller: CallGraphNode, index: int) -> bool:
        operands = fast.operands_of(call)
        objects = self.addresses.objects(operands[index])
        if not objects or not all(self._is_own(caller.func, base) for base in objects):
            return False
        for other, value in enumerate(operands):
            if other == index:
                continue
            found = self.addresses.objects(value)
            if found is None or any(base in objects for base in found):
                return False
            # The objects are not captured, so other pointers are not based on them.
        return True

    def _is_own(self, caller: Operation, base: Base) -> bool:
        """Returns True if only visible pointers based on `base` can access its memory."""
        if isinstance(base, str):
            return False
        if is_alloca(base):
            return not self.uses(base) & CAPTURED
        entry = caller.regions[0].first_block
        return (
            isinstance(base, BlockArgument)
            and base.block is entry
            and _is_restrict(base)
            and not self.uses(base) & CAPTURED
        )

    # Read-only memory.

    def is_read_only(self, argument: Argument) -> bool:
        """Returns True if the memory of an argument is not written while the kernel runs."""
        found = self._read_only.get(argument)
        if found is None:
            found = self._read_only[argument] = self._find_read_only(argument)
        return found

    def _find_read_only(self, argument: Argument) -> bool:
        """True if all values of an argument are read-only arguments of kernels."""
        pending = [argument]
        seen = {argument}
        while pending:
            sources = self._sources(pending.pop())
            if sources is None or len(seen) > MAX_SOURCES:
                return False
            for source in sources:
                known = self._read_only.get(source)
                if known is False:
                    return False
                if known is None and source not in seen:
                    seen.add(source)
                    pending.append(source)
        return True

    def _sources(self, argument: Argument) -> list[Argument] | None:
        """The values that callers pass to an argument; empty for a read-only one of a kernel, None
        if unknown."""
        func = argument.block.parent_op()
        if not isinstance(func, FuncOp) or func.regions[0].first_block is not argument.block:
            return None
        if "llvm.byval" in argument_attributes(func, argument.index):
            return None
        if is_kernel(func):
            flags = WRITTEN | ORDERED | CAPTURED
            proved = _is_restrict(argument) and not self.uses(argument) & flags
            return [] if proved else None
        if not self.is_private(func):
            return None
        found: list[Argument] = []
        for call in self.graph.node(func).callers:
            objects = self.addresses.objects(fast.operands_of(call)[argument.index])
            for base in objects or (None,):
                if not isinstance(base, BlockArgument):
                    return None
                found.append(base)
        return found

    def points_to_read_only(self, pointer: SSAValue) -> bool:
        """Returns True if the memory of a pointer is not written while the kernel runs."""
        objects = self.addresses.objects(pointer)
        return bool(objects) and all(
            isinstance(base, BlockArgument) and self.is_read_only(base) for base in objects
        )


class _Scopes:
    """Alias scopes for the restrict arguments of a function, and for other restrict pointers in it."""

    def __init__(self, func: FuncOp, facts: _Facts, levels: RestrictLevels) -> None:
        self.func = func
        self.facts = facts
        name = symbol_name(func) or ""
        self.domain = AliasScopeDomainAttr.of(
            id=string(f"{name}.restrict"), description=string(name)
        )
        self.scopes: dict[Attribute, list[SSAValue]] = {}
        """The pointers of each scope."""
        for argument in _pointer_arguments(func):
            if _is_restrict(argument):
                scope = self._scope(str(argument.index), f"{name}: argument {argument.index}")
                self.scopes[scope] = [argument]
        for number, pointers in enumerate(levels.groups.values()):
            scope = self._scope(f"loaded.{number}", f"{name}: loaded pointer {number}")
            self.scopes[scope] = pointers
        self.scope_of: dict[Base, Attribute] = {
            pointer: scope for scope, pointers in self.scopes.items() for pointer in pointers
        }
        self._lists: dict[tuple[Attribute, ...], Attribute] = {}

    def _scope(self, number: str, description: str) -> Attribute:
        name = symbol_name(self.func) or ""
        return AliasScopeAttr.of(
            id=string(f"{name}.restrict.{number}"),
            domain=self.domain,
            description=string(description),
        )

    def add(self) -> bool:
        """Adds scopes to the function's accesses; returns whether any is new."""
        if not self.scopes:
            return False
        changed = False
        for op in walk_function(self.func):
            places = _POINTERS.get(type(op))
            if places is not None:
                operands = fast.operands_of(op)
                changed |= self._annotate(op, [operands[i] for i in places])
        if changed and not is_kernel(self.func):
            self._declare()
        return changed

    def _annotate(self, op: Operation, pointers: list[SSAValue]) -> bool:
        objects: dict[Base, None] = {}
        for pointer in pointers:
            found = self.facts.addresses.objects(pointer)
            if not found:
                return False
            objects.update(dict.fromkeys(found))
        based_on = {self.scope_of[base] for base in objects if base in self.scope_of}
        own = tuple(scope for scope in self.scopes if scope in based_on)
        foreign = tuple(
            scope
            for scope, bases in self.scopes.items()
            if scope not in based_on and all(self._is_apart(base, objects) for base in bases)
        )
        changed = False
        if all(base in self.scope_of for base in objects):
            changed |= self._extend(op, "alias_scopes", own)
        changed |= self._extend(op, "noalias_scopes", foreign)
        return changed

    def _is_apart(self, restrict: SSAValue, objects: dict[Base, None]) -> bool:
        """Returns True if pointers to these objects are not based on a restrict pointer."""
        entry = entry_of(self.func)
        for base in objects:
            if isinstance(base, str) or is_alloca(base):
                continue
            if isinstance(base, BlockArgument) and base.block is entry:
                continue
            # A loaded, returned or converted value is based on the pointer only if the pointer
            # escaped before.
            if not isinstance(base, OpResult) or self.facts.uses(restrict) & CAPTURED:
                return False
        return True

    def _extend(self, op: Operation, name: str, scopes: tuple[Attribute, ...]) -> bool:
        have = op.properties.get(name)
        listed = items_of(have)
        missing = tuple(scope for scope in scopes if scope not in listed)
        if not missing:
            return False
        whole = (*listed, *missing)
        if whole not in self._lists:
            self._lists[whole] = ArrayAttr(whole)
        op.properties[name] = self._lists[whole]
        return True

    def _declare(self) -> None:
        """Declares the scopes, for passes that duplicate code into which the function is
        inlined."""
        entry = entry_of(self.func)
        for scope in reversed(self.scopes):
            declaration = fast.create(NoAliasScopeDeclOp, (), (), {"scope": scope})
            fast.insert_before(declaration, after_constants(entry))
