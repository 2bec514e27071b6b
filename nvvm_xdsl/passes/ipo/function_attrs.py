"""`function-attrs`: infers attributes of functions and adds them to functions and calls.

    llvm.func internal @twice(%x: i32) -> i32              ... attributes {memory_effects = none, will_return, ...}
    %a = llvm.call @twice(%x)                          ->  %a = llvm.call @twice(%x) {memory_effects = none, will_return,
                                                               nvvm.noconvergent}

LLVM's FunctionAttrs ("PostOrderFunctionAttrs"). The strongly connected components of the call graph
are visited callees first. The pass infers, for functions whose definition cannot be replaced by
another one:

- the memory that a function accesses: memory that its arguments point to, other memory, and state
  that no load reads. Its own stack slots and constant memory do not count;
- whether it always returns (`will_return`), cannot call itself, even indirectly (`norecurse`), and
  does not synchronize with other threads (`nosync`); device code never unwinds (`no_unwind`);
- whether it can reach a convergent op: if not, `convergent` is removed. Calls without the attribute
  count as convergent too, so calls that are not convergent are marked `nvvm.noconvergent`;
- for pointer arguments, `llvm.nocapture`, and `llvm.readonly` or `llvm.readnone`.

Passes query the effects of a call op without visiting its callee, so calls carry their callees'
attributes. A call without effects can then be merged, moved or removed. Kernels get no attributes,
because only the host calls them. Functions marked `optnone` are not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.llvm import AllocaOp, FuncOp, LLVMPointerType, StoreOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph, CallGraphNode
from nvvm_xdsl.analysis.loop_progress import UNOBSERVABLE, is_finite_by_assumption
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.addresses import is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.memory.pointer_uses import CAPTURED, READ, WRITTEN, pointer_uses
from nvvm_xdsl.dialects.effects import (
    ARGUMENTS_ONLY,
    CONVERGENT,
    MAY_NOT_RETURN,
    NODUPLICATE,
    NOT_CONVERGENT,
    READS,
    STATE,
    WRITES,
    effects,
)
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attribute,
    argument_dictionaries,
    enclosing_function,
    memory_effects_of,
)
from nvvm_xdsl.dialects.llvm.function_attributes import (
    has_function_attribute,
    passthrough_entries,
    passthrough_of,
    set_passthrough,
)
from nvvm_xdsl.dialects.llvm.ops import (
    AtomicCmpXchgOp,
    AtomicRMWOp,
    MemcpyInlineOp,
    MemcpyOp,
    MemmoveOp,
)
from nvvm_xdsl.dialects.llvm.setters import set_argument_attributes
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.llvm.symbols import entry_of, is_definition_exact, walk_function
from nvvm_xdsl.dialects.llvm.types import string
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass

DEDUCED: Final = Statistic("function-attrs", "functions", "Number of functions with new attributes")

UNIT: Final = UnitAttr()
_ACCESS: Final = {0: "none", READS: "read", WRITES: "write", READS | WRITES: "readwrite"}
_FIELDS: Final = ("other", "argMem", "inaccessibleMem", "errnoMem", "targetMem0", "targetMem1")

_WRITE_FIRST: Final = frozenset({MemcpyOp, MemcpyInlineOp, MemmoveOp})
_POINTER_FIRST: Final = frozenset({AtomicRMWOp, AtomicCmpXchgOp})
_BY_VALUE: Final = "llvm.byval"


@dataclass
class Facts:
    """Facts about the functions of a strongly connected component."""

    other: int = 0
    arguments: int = 0
    inaccessible: int = 0
    returns: bool = True
    convergent: bool = False
    synchronizes: bool = False
    foreign_pointers: bool = field(default=False)
    """Whether pointers to other memory are passed to a function of the component."""


@lru_cache(1 << 8)
def _accesses_of(attribute: MemoryEffectsAttr) -> tuple[int, ...]:
    """The access to each memory location kind, in the order of the fields."""

    def access(name: str) -> int:
        value = attribute.field(name)
        word = value.data if isinstance(value, StringAttr) else "readwrite"
        return (READS if "read" in word else 0) | (WRITES if "write" in word else 0)

    return tuple(access(name) for name in _FIELDS)


@lru_cache(1 << 8)
def _memory_effects(accesses: tuple[int, ...]) -> MemoryEffectsAttr:
    """The attribute for the accesses to each memory location kind."""
    return MemoryEffectsAttr.of(**{name: _ACCESS[a] for name, a in zip(_FIELDS, accesses)})


def _limited(old: Attribute | None, other: int, arguments: int, inaccessible: int) -> Attribute:
    """The intersection of stated and inferred memory effects."""
    # On a GPU the last three kinds are part of other memory.
    found = (other, arguments, inaccessible, other, other, other)
    if isinstance(old, MemoryEffectsAttr):
        found = _common(found, _accesses_of(old))
    return _memory_effects(found)


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The intersection of two descriptions of accesses."""
    return tuple(a & b for a, b in zip(one, other))


@dataclass(frozen=True)
class FunctionAttrs(NvvmPass):
    """Infers attributes of functions, of their arguments and of their calls."""

    name = "function-attrs"
    title = "PostOrderFunctionAttrs"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        graph = am.get(CallGraph, module)
        deducer = _Deducer(graph, am)
        for component in graph.components():
            deducer.visit(component)
        deducer.find_callers_that_do_not_recurse()
        for func in deducer.changed:
            am.invalidate(func)
        return bool(deducer.changed)


class _Deducer:
    def __init__(self, graph: CallGraph, am: AnalysisManager) -> None:
        self.graph = graph
        self.am = am
        self.changed: dict[FuncOp, None] = {}
        self.known_pointers: dict[SSAValue, int] = {}
        self.quiet: set[FuncOp] = set()
        """Functions that cannot reach a convergent op."""

    def function_of(self, name: str) -> Operation | None:
        """Returns the function with this name, if the call graph has it."""
        node = self.graph.nodes.get(name)
        return node.func if node is not None else None

    def visit(self, component: Sequence[CallGraphNode]) -> None:
        """Infers the attributes of a component of mutually recursive functions."""
        members: set[FuncOp] = {node.func for node in component}
        for node in component:
            self.mark_calls(node)
        open_ = [f for f in members if not self.may_deduce(f)]
        if not open_:
            facts = Facts()
            recursive = len(component) > 1 or component[0] in component[0].calls.values()
            if recursive:
                facts.returns = False
            for func in members:
                self.collect(func, members, facts)
            if facts.foreign_pointers:
                facts.other |= facts.arguments
            for func in members:
                self.state(func, facts)
        for node in component:
            self.state_recursion(node)
        for func in members:
            if self.may_deduce(func):
                self.state_arguments(func)

    @staticmethod
    def may_deduce(func: FuncOp) -> bool:
        """Returns whether facts about the body hold for all calls of the function."""
        return (
            func.regions[0].first_block is not None
            and is_definition_exact(func)
            and not has_function_attribute(func, "optimize_none")
            and not is_kernel(func)
        )

    # Attributes of callees.

    def mark_calls(self, node: CallGraphNode) -> None:
        """Adds the attributes of the callee to each direct call."""
        for call, callee in node.calls.items():
            if callee is not None and self.mark_call(call, callee.func):
                self.changed[node.func] = None

    def mark_call(self, call: Operation, callee: FuncOp) -> bool:
        """Copies the callee's attributes to a call; returns whether the call changed."""
        properties = call.properties
        changed = False
        for name in ("will_return", "no_unwind"):
            if name in callee.properties and name not in properties:
                properties[name] = UNIT
                changed = True
        theirs = memory_effects_of(callee)
        if isinstance(theirs, MemoryEffectsAttr):
            accesses = _accesses_of(theirs)
            own = properties.get("memory_effects")
            if isinstance(own, MemoryEffectsAttr):
                accesses = _common(accesses, _accesses_of(own))
            made = _memory_effects(accesses)
            if made != own:
                properties["memory_effects"] = made
                changed = True
        if has_function_attribute(callee, NODUPLICATE) and NODUPLICATE not in call.attributes:
            call.attributes[NODUPLICATE] = UNIT
            changed = True
        if callee in self.quiet:
            if "convergent" in properties:
                del properties["convergent"]
                changed = True
            if NOT_CONVERGENT not in call.attributes:
                call.attributes[NOT_CONVERGENT] = UNIT
                changed = True
        return changed

    # Effects of ops.

    def collect(self, func: FuncOp, members: AbstractSet[Operation], facts: Facts) -> None:
        """Adds the effects of a function's ops to `facts`."""
        loops = self.am.get(LoopInfo, func)
        if loops.irreducible_cycles or not all(
            is_finite_by_assumption(func, loop) for loop in loops.innermost_first()
        ):
            facts.returns = False
        aliases = self.am.get(AliasAnalysis, func)
        if any(_BY_VALUE in d.data for d in argument_dictionaries(func)):
            facts.arguments |= READS
        calls = self.graph.node(func).calls
        for op in walk_function(func):
            if op.name in UNOBSERVABLE:
                continue
            callee = calls.get(op)
            if callee is not None and callee.func in members:
                pointers = [v for v in fast.operands_of(op) if _is_pointer(v)]
                if any(self.place(aliases, func, p) == "other" for p in pointers):
                    facts.foreign_pointers = True
                continue
            flags = effects(op)
            if flags & CONVERGENT:
                facts.convergent = facts.synchronizes = True
            if flags & MAY_NOT_RETURN:
                facts.returns = False
            access = flags & (READS | WRITES)
            if flags & STATE and type(op) is not AllocaOp:
                facts.inaccessible = READS | WRITES
                facts.synchronizes |= bool(access)
            if not flags & ARGUMENTS_ONLY:
                facts.other |= access
                facts.arguments |= access
                continue
            for pointer, what in _accesses(op, access):
                place = self.place(aliases, func, pointer)
                if place == "other":
                    facts.other |= what
                elif place == "argument":
                    facts.arguments |= what

    @staticmethod
    def place(aliases: AliasAnalysis, func: FuncOp, pointer: SSAValue) -> str:
        """The owner of a pointer's memory: `own`, `argument` or `other`. Constant memory counts as
        the function's own."""
        objects = aliases.addresses.objects(pointer)
        if objects is None:
            return "other"
        arguments = [base for base in objects if isinstance(base, BlockArgument)]
        # An attribute of an argument does not apply to other memory.
        if not arguments and aliases.points_to_constant_memory(pointer):
            return "own"
        if not all(isinstance(base, BlockArgument) or is_alloca(base) for base in objects):
            return "other"
        if all(argument_attribute(func, a.index, _BY_VALUE) is not None for a in arguments):
            return "own"
        return "argument"

    # Inferred attributes.

    def state(self, func: FuncOp, facts: Facts) -> None:
        """Sets the function attributes that follow from `facts`."""
        properties = func.properties
        changed = False
        made = _limited(
            properties.get("memory_effects"), facts.other, facts.arguments, facts.inaccessible
        )
        everything = facts.other == facts.arguments == facts.inaccessible == READS | WRITES
        if not everything and made != properties.get("memory_effects"):
            properties["memory_effects"] = made
            changed = True
        names = ["no_unwind"] + (["will_return"] if facts.returns else [])
        for name in names:
            if name not in properties:
                properties[name] = UNIT
                changed = True
        if not facts.convergent:
            self.quiet.add(func)
            changed |= properties.pop("convergent", None) is not None
            # Calls within the component were visited before this fact.
            for call in self.graph.node(func).callers:
                if self.mark_call(call, func):
                    self.changed[enclosing_function(call)] = None
        if not facts.synchronizes:
            changed |= _add_word(func, "nosync")
        if changed:
            DEDUCED.add()
            self.changed[func] = None

    def state_recursion(self, node: CallGraphNode) -> None:
        """Sets `norecurse` on a function if all its callees have it."""
        func = node.func
        if node.is_declaration or is_kernel(func) or not is_definition_exact(func):
            return
        for callee in node.calls.values():
            if callee is None or "norecurse" not in passthrough_of(callee.func):
                return
        if _add_word(func, "norecurse"):
            self.changed[func] = None

    def find_callers_that_do_not_recurse(self) -> None:
        """Sets `norecurse` on functions whose callers all have it, callers first: such a function
        does not recurse either."""
        for component in reversed(self.graph.components()):
            if len(component) > 1:
                continue
            (node,) = component
            if node.is_declaration or self.graph.is_root(node):
                continue
            if all(
                is_kernel(caller.func) or "norecurse" in passthrough_of(caller.func)
                for caller in node.callers.values()
            ) and _add_word(node.func, "norecurse"):
                self.changed[node.func] = None

    def state_arguments(self, func: FuncOp) -> None:
        """Sets `nocapture`, `readonly` and `readnone` on pointer arguments."""
        entry = entry_of(func)
        listed = [dict(d.data) for d in argument_dictionaries(func)]
        listed = listed or [{} for _ in entry.args]
        changed = False
        for argument, attributes in zip(entry.args, listed):
            if not _is_pointer(argument) or _BY_VALUE in attributes:
                continue
            uses = pointer_uses(argument, self.function_of, self.known_pointers)
            self.known_pointers[argument] = uses
            if uses & CAPTURED:
                continue
            words = ["llvm.nocapture"]
            if not uses & (READ | WRITTEN):
                words.append("llvm.readnone")
            elif not uses & WRITTEN:
                words.append("llvm.readonly")
            before = dict(attributes)
            attributes |= dict.fromkeys(words, UNIT)
            if "llvm.readnone" in attributes:
                attributes.pop("llvm.readonly", None)
                attributes.pop("llvm.writeonly", None)
            changed |= attributes != before
        if changed:
            set_argument_attributes(func, [DictionaryAttr(d) for d in listed])
            self.changed[func] = None


def _is_pointer(value: SSAValue) -> bool:
    return isinstance(value.type, LLVMPointerType)


def _accesses(op: Operation, access: int) -> list[tuple[SSAValue, int]]:
    """The pointers through which an op accesses memory, each with the kind of access. The op must
    access no other memory."""
    operands = fast.operands_of(op)
    cls = type(op)
    if cls is StoreOp:
        return [(operands[1], access)]
    if cls in _POINTER_FIRST:
        return [(operands[0], access)]
    if cls in _WRITE_FIRST:
        return [(operands[0], WRITES), (operands[1], READS)]
    return [(v, access) for v in operands if _is_pointer(v)]


def _add_word(func: FuncOp, word: str) -> bool:
    if word in passthrough_of(func):
        return False
    set_passthrough(func, [*passthrough_entries(func), string(word)])
    return True


__all__ = ["FunctionAttrs"]
