"""`ipmsp`: interprocedural propagation of memory spaces, from callers' arguments to callees.

    llvm.func internal @sum(%p: !llvm.ptr) -> f32                   // all calls pass shared
    ... llvm.call @sum(%tile) ...                                   // memory

becomes

    llvm.func internal @sum(%0: !llvm.ptr<3>) -> f32 {
      %p = llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr
      ...
    %1 = llvm.addrspacecast %tile : !llvm.ptr to !llvm.ptr<3>
    ... llvm.call @sum(%1) ...

and `memory-space-opt` propagates the casts. Address spaces are propagated over the call graph,
through arguments and returned pointers, to a fixed point that also covers recursion.

A function that is called only by this module is changed in place if all calls pass the same spaces.
Otherwise, or if other modules may call the function, an internal clone is created for each
combination of spaces (`do-clone-for-ip-msp`); the calls in clones are processed next. Functions
that another module may replace, variadic functions, and targets of `musttail` calls are not
changed.

`dump-ip-msp` reports changes as remarks, with the document's wording.

Benefit: two kernels with calls that stay execute 0.864 of the machine instructions, in 0.964 of the
registers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.llvm import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph, CallGraphNode
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import is_noduplicate
from nvvm_xdsl.dialects.llvm.accessors import dictionaries_of
from nvvm_xdsl.dialects.llvm.constant_ops import after_constants
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.setters import (
    set_callee,
    set_function_type,
    set_linkage,
    set_symbol_name,
)
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    entry_of,
    fresh_name,
    linkage_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.llvm.types import PTR, function, pointer
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.spaces.ipmsp_spaces import (
    CallSpaces,
    fits,
    function_type,
    generic_arguments,
    may_be_specialized,
)
from nvvm_xdsl.transforms.address_spaces import SpaceAssumptions

GENERIC_ONLY = frozenset({"llvm.nonnull", "llvm.dereferenceable_or_null"})
"""Attributes of arguments and results that hold only for the generic pointer: in other spaces than
global memory, address 0 may be the address of a variable."""

MOST_ROUNDS = 32
"""Maximum number of iterations of cloning; calls that are nested deeper are not specialized."""

Signature: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class IPMSP(NvvmPass):
    """Propagates memory spaces through calls, cloning functions that are called with several."""

    name = "ipmsp"
    title = "IPMSP"

    do_clone_for_ip_msp: bool = True
    """Whether functions that are called with different spaces, or by other modules, are cloned."""

    clone_limit: int = -1
    """Maximum number of clones; a negative number for no limit."""

    param_always_point_to_global: bool = True
    process_alloca_always: bool = True
    track_indir_load: bool = True
    track_int2ptr: bool = True
    devicefn_param_always_local: bool = True
    """As in `memory-space-opt`."""

    dump_ip_msp: bool = False
    """Report changes."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return _SpacePropagator(self, module, am).run()


class _SpacePropagator:
    """Propagates address spaces through the calls of one module."""

    def __init__(self, options: IPMSP, module: ModuleOp, am: AnalysisManager) -> None:
        self.options = options
        self.module = module
        self.am = am
        self.names = set(symbols_of(module))
        self.made: dict[tuple[str, Signature], str] = {}
        """Clones by the name of the original and the spaces of the arguments."""
        self.origins: dict[str, str] = {}
        """The original of each clone."""
        self.assumptions = SpaceAssumptions(
            kernel_pointers_global=options.param_always_point_to_global,
            local_allocas=options.process_alloca_always,
            through_slots=options.track_indir_load,
            through_integers=options.track_int2ptr,
            device_params_local=options.devicefn_param_always_local,
        )

    def run(self) -> bool:
        """Specializes functions by the address spaces of their callers' arguments."""
        graph = self.am.get(CallGraph, self.module)
        todo = sum(_is_candidate(node) for node in graph.nodes.values())
        self._report("", f"Initial work list size : {todo}")
        if not todo:
            return False
        spaces = CallSpaces(graph, self.assumptions, self.am)
        changed = False
        for _ in range(MOST_ROUNDS if self.options.do_clone_for_ip_msp else 0):
            if not self._clone(graph, spaces):
                break
            changed = True
            graph = CallGraph(self.module)
            spaces = CallSpaces(graph, self.assumptions, self.am)
        for node in graph.nodes.values():
            if spaces.changeable(node):
                changed |= self._specialize(node, spaces)
        return changed

    def _report(self, function_name: str, message: str) -> None:
        if self.options.dump_ip_msp:
            text = f"{function_name} : {message}" if function_name else message
            remarks.emit("Analysis", self.options.name, "IPMSP", function_name, text, shown=True)

    # Cloning.

    def _clone(self, graph: CallGraph, spaces: CallSpaces) -> bool:
        """Redirects calls that pass more specific spaces than their callee assumes to clones;
        returns whether any call changed."""
        components = {n: number for number, c in enumerate(graph.components()) for n in c}
        redirected = False
        for node in list(graph.nodes.values()):
            if not _is_candidate(node) or linkage_of(node.func) in INTERPOSABLE_LINKAGE:
                continue
            origin = self.origins.get(node.name, node.name)
            # A recursive call passes the spaces of the outside calls.
            outside = {c for c, n in node.callers.items() if components[n] != components[node]}
            chosen: dict[Operation, Signature] = {}
            for call in node.callers:
                signature = _signature(spaces.passed[call], spaces.arguments[node])
                if any(signature) and fits(call, node.func):
                    if call in outside or (origin, signature) in self.made:
                        chosen[call] = signature
            if chosen and spaces.changeable(node) and outside <= chosen.keys():
                # The most frequent combination without a clone keeps the function itself.
                new = Counter(sig for sig in chosen.values() if (origin, sig) not in self.made)
                kept = new.most_common(1)[0][0] if new else None
                chosen = {call: sig for call, sig in chosen.items() if sig != kept}
            elif not chosen and not spaces.changeable(node):
                self._report("", f"avoid cloning of {node.name}")
            for call, signature in chosen.items():
                redirected |= self._redirect(call, node, origin, signature)
        return redirected

    def _redirect(
        self, call: Operation, node: CallGraphNode, origin: str, signature: Signature
    ) -> bool:
        name = self.made.get((origin, signature))
        if name is None:
            limit = self.options.clone_limit
            exhausted = 0 <= limit <= len(self.made)
            if exhausted or any(map(is_noduplicate, walk_function(node.func))):
                self._report("", f"avoid cloning of {node.name}")
                return False
            name = self._make_clone(node.func, origin, signature)
        if name == node.name:
            return False
        set_callee(call, name)
        return True

    def _make_clone(self, func: FuncOp, origin: str, signature: Signature) -> str:
        spaces = "_".join(str(signature[index]) for index in generic_arguments(func))
        name = fresh_name(f"{origin}__msp_{spaces}", self.names)
        self.names.add(name)
        self.made[origin, signature] = name
        self.origins[name] = origin
        clone = func.clone()
        set_symbol_name(clone, name)
        set_linkage(clone, "internal")
        clone.properties.pop("comdat", None)
        clone.properties.pop("visibility_", None)
        fast.insert_after(clone, func)
        self._report("", f"{origin} is cloned")
        return name

    # Changing a function and its calls.

    def _specialize(self, node: CallGraphNode, spaces: CallSpaces) -> bool:
        func = node.func
        arguments = {
            index: space
            for index in generic_arguments(func)
            if (space := spaces.arguments[node][index])
        }
        result = spaces.results.get(node)
        if not arguments and not result:
            return False
        old = function_type(func)
        inputs: list[Attribute] = list(old.inputs.data)
        for index, space in arguments.items():
            inputs[index] = pointer(space)
        output = pointer(result) if result else old.output
        set_function_type(func, function(inputs, output))
        _drop_attributes(func, arguments, result)
        entry = entry_of(func)
        for index, space in arguments.items():
            _cast_from(entry.args[index], space, after_constants(entry))
        if result:
            for op in list(walk_function(func)):
                if type(op) is ReturnOp:
                    _cast_operand(op, 0, result)
        for call in node.callers:
            _drop_attributes(call, arguments, result)
            for index, space in arguments.items():
                _cast_operand(call, index, space)
            if result and call.results:
                following = call.next_op
                assert following is not None
                _cast_from(call.results[0], result, following)
        if arguments:
            count = f"({len(arguments)} arguments)"
            self._report(node.name, f"changed in argument memory space {count}")
            self._report("", f"{len(node.callees())} callees are affected")
        if result:
            self._report(node.name, f"return memory space is resolved : {result}")
        return True


def _is_candidate(node: CallGraphNode) -> bool:
    """Returns True if a function has generic pointer arguments or a generic pointer result and may
    be specialized."""
    if not node.callers or not may_be_specialized(node):
        return False
    func = node.func
    return bool(generic_arguments(func)) or function_type(func).output is PTR


def _signature(passed: Sequence[int | None], known: Sequence[int | None]) -> Signature:
    """The spaces that a call passes; all 0 if none is more specific than the callee's."""
    if not any(space and have == GENERIC for space, have in zip(passed, known)):
        return (GENERIC,) * len(passed)
    return tuple(space or GENERIC for space in passed)


def _drop_attributes(op: Operation, arguments: dict[int, int], result: int | None) -> None:
    """Removes attributes from a function or call that do not hold for pointers into a space."""
    for name, spaces in (("arg_attrs", arguments), ("res_attrs", {0: result} if result else {})):
        listed = op.properties.get(name)
        if listed is None:
            continue
        kept: list[DictionaryAttr] = []
        for index, entry in enumerate(dictionaries_of(listed)):
            doomed = {"llvm.returned"}
            if spaces.get(index, GLOBAL) != GLOBAL:
                doomed |= GENERIC_ONLY
            kept.append(DictionaryAttr({k: v for k, v in entry.data.items() if k not in doomed}))
        op.properties[name] = ArrayAttr(kept)


def _cast_from(value: SSAValue, space: int, before: Operation) -> None:
    """Changes the type of a value to a pointer into a space, and replaces its uses by a generic
    pointer, which is cast before an op."""
    made = fast.create(AddrSpaceCastOp, (value,), (PTR,))
    fast.replace_all_uses(value, made.results[0])
    fast.set_operand(made, 0, value)
    fast.set_type(value, pointer(space))
    fast.insert_before(made, before)


def _cast_operand(op: Operation, index: int, space: int) -> None:
    value = fast.operands_of(op)[index]
    made = fast.create(AddrSpaceCastOp, (value,), (pointer(space),))
    fast.insert_before(made, op)
    fast.set_operand(op, index, made.results[0])
