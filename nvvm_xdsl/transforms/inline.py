"""Replacement of a call by the body of the callee."""

from __future__ import annotations

from typing import Final, cast

from xdsl.dialects.builtin import LocationAttr, UnitAttr
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    CallOp,
    FuncOp,
    LLVMArrayType,
    LLVMVoidType,
    ReturnOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    defined_name,
    element_type_of,
    function_type_of,
    global_reference,
    is_direct_call,
    returns_always,
)
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.debug_placement import followers
from nvvm_xdsl.dialects.llvm.function_attributes import (
    passthrough_of,
    remove_function_attributes,
    string_attribute,
)
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import LifetimeEndOp, LifetimeStartOp, MemcpyOp
from nvvm_xdsl.dialects.llvm.symbols import entry_of
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import inlined_at
from nvvm_xdsl.transforms.alias_scopes import ScopeCopies, ScopeNames
from nvvm_xdsl.transforms.cfg import merge_into_predecessor, remove_unreachable_blocks

_FIXED_CLASSES = frozenset({*CONSTANT_CLASSES, AddressOfOp, AllocaOp})
"""Ops at the start of an entry block."""


def why_not_inlinable(call: CallOp, callee: FuncOp) -> str | None:
    """The reason that the call cannot be replaced by the callee's body; None if it can."""
    return why_not_bound(call, callee) or why_not_cloned(callee)


def why_not_bound(call: CallOp, callee: FuncOp) -> str | None:
    """The reason that the call's operands and results do not match the callee's; None if they
    do."""
    if callee.regions[0].first_block is None:
        return "the callee has no body"
    type_ = function_type_of(callee)
    if type_.is_variadic:
        return "the callee takes a variable number of arguments"
    arguments = fast.operands_of(call)
    parameters = entry_of(callee).args
    if len(arguments) != len(parameters) or any(
        a.type != p.type for a, p in zip(arguments, parameters)
    ):
        return "the arguments are not of the callee's types"
    results = call.results
    returned = type_.output
    if isinstance(returned, LLVMVoidType):
        if results:
            return "the callee returns nothing"
    elif results and results[0].type != returned:
        return "the result is not of the callee's type"
    return None


def why_not_cloned(callee: FuncOp) -> str | None:
    """The reason that a function's body cannot be copied into another function; None if it can."""
    for block in fast.blocks_of(callee.regions[0]):
        for op in fast.ops_of(block):
            if op.name in _NEVER_CLONED:
                return f"the callee contains {op.name}"
    return None


LIBDEVICE: Final = ("__nv_", "__internal_")
"""Prefixes of the names of libdevice's functions, which are compiled for any mode and always
return."""

_MUST_PROGRESS: Final = "mustprogress"
_UNSAFE_MATH: Final = "unsafe-fp-math"


def drop_foreign_attributes(caller: FuncOp, callee: FuncOp) -> None:
    """Removes attributes of a caller that do not hold for the body of an inlined callee.

    These are `mustprogress`, if a loop of the callee may be infinite, and `unsafe-fp-math`. (LLVM's
    `mergeAttributesForInlining`, which removes `mustprogress` also if the callee has no loop.)
    """
    if defined_name(callee).startswith(LIBDEVICE):
        return
    doomed: set[str] = set()
    if _MUST_PROGRESS in passthrough_of(caller) and not (
        _MUST_PROGRESS in passthrough_of(callee) or returns_always(callee)
    ):
        if CFG(callee.regions[0]).retreating_edges:
            doomed.add(_MUST_PROGRESS)
    unsafe = [string_attribute(func, _UNSAFE_MATH) == "true" for func in (caller, callee)]
    if unsafe == [True, False]:
        doomed.add(_UNSAFE_MATH)
    if doomed:
        remove_function_attributes(caller, doomed)


_NEVER_CLONED = frozenset(
    {"llvm.blockaddress", "llvm.blocktag", "llvm.indirectbr", "llvm.intr.vastart"}
)


def _is_unmarked_array(op: Operation) -> bool:
    """Whether an alloca is an array without lifetime markers.

    The contents of a callee's array are undefined at each call, which markers state in the caller.
    (LLVM's `InlineFunction`, which marks every alloca. Scalars become values.)
    """
    return isinstance(element_type_of(op), LLVMArrayType) and not any(
        isinstance(user, (LifetimeStartOp, LifetimeEndOp)) for user in fast.users_of(op.results[0])
    )


class Inliner:
    """Inlines calls into one function.

    Arguments:
        caller: the function that contains the calls.
    """

    caller: FuncOp
    constants: Constants
    _addresses: dict[tuple[Attribute, Attribute], SSAValue]
    _last_alloca: Operation | None

    def __init__(self, caller: FuncOp) -> None:
        self.caller = caller
        self.constants = Constants(caller)
        self._addresses = {}
        self._last_alloca = None
        self._scope_names = ScopeNames(caller)

    def inline(self, call: CallOp, callee: FuncOp) -> list[CallOp]:
        """Replaces a call, for which `why_not_inlinable` must be None, by the body.

        Returns the direct calls in the inlined body.
        """
        before = call.parent
        following = call.next_op
        assert before is not None
        assert following is not None
        drop_foreign_attributes(self.caller, callee)
        mapping: dict[SSAValue, SSAValue] = {}
        self._bind_parameters(call, callee, mapping)
        location = call.location
        after = fast.split_block_before(following)
        result = call.results[0] if call.results else None
        if result is not None and result.first_use is not None:
            value = fast.add_argument(after, result.type)
            fast.replace_all_uses(result, value)
        fast.erase(call)
        first, calls = self._clone_body(callee, mapping, before, after, location)
        fast.append(before, branches.branch(first))
        merge_into_predecessor(first)
        if after.first_use is None:
            # The callee never returns, so the code after the call is unreachable.
            remove_unreachable_blocks(self.caller.regions[0])
        else:
            merge_into_predecessor(after)
        return calls

    def _bind_parameters(
        self, call: CallOp, callee: FuncOp, mapping: dict[SSAValue, SSAValue]
    ) -> None:
        for index, parameter in enumerate(entry_of(callee).args):
            value = fast.operands_of(call)[index]
            attributes = argument_attributes(callee, index)
            copied = attributes.get("llvm.byval")
            if copied is not None and not isinstance(copied, UnitAttr):
                value = self._copy_argument(call, value, copied, attributes.get("llvm.align"))
            mapping[parameter] = value

    def _copy_argument(
        self, call: CallOp, source: SSAValue, type_: Attribute, alignment: Attribute | None
    ) -> SSAValue:
        """The callee's own copy of the memory of a `byval` argument."""
        layout = data_layout_of(call)
        one = self.constants.integer(1, I32)
        properties: dict[str, Attribute] = {
            "elem_type": type_,
            "alignment": alignment or int_attr(layout.alignment(type_), I64),
        }
        alloca = fast.create(AllocaOp, (one,), (source.type,), properties)
        self._place_alloca(alloca)
        size = self.constants.integer(layout.size(type_), I64)
        copy = fast.create(
            MemcpyOp, (alloca.results[0], source, size), (), {"isVolatile": int_attr(0, I1)}
        )
        fast.insert_before(copy, call)
        return alloca.results[0]

    def _place_alloca(self, alloca: Operation) -> None:
        """Moves a stack slot after the constants and slots at the start of the caller."""
        last = self._last_alloca
        entry = entry_of(self.caller)
        if last is None or last.parent is not entry:
            last = None
            for op in fast.ops_of(entry):
                if type(op) not in _FIXED_CLASSES:
                    break
                last = op
        if last is None:
            fast.prepend(entry, alloca)
        else:
            fast.insert_after(alloca, last)
        self._last_alloca = alloca

    def _constant(self, op: Operation) -> SSAValue:
        result = op.results[0]
        if type(op) is AddressOfOp:
            key = (global_reference(op), result.type)
            found = self._addresses.get(key)
            if found is None:
                copy = fast.copy_op(op, {})
                fast.prepend(entry_of(self.caller), copy)
                found = self._addresses[key] = copy.results[0]
            return found
        return self.constants.copy_of(op)

    def _clone_body(
        self,
        callee: FuncOp,
        mapping: dict[SSAValue, SSAValue],
        before: Block,
        after: Block,
        location: LocationAttr,
    ) -> tuple[Block, list[CallOp]]:
        order = list(CFG(callee.regions[0]).rpo_blocks())
        blocks: dict[Block, Block] = {}
        last = before
        for source in order:
            is_entry = source is order[0]
            copy = fast.new_block([] if is_entry else [a.type for a in source.args])
            if not is_entry:
                for old, new in zip(source.args, copy.args):
                    mapping[old] = new
                    fast.set_name(new, old.name_hint)
            blocks[source] = copy
            fast.insert_block_after(copy, last)
            last = copy
        calls: list[CallOp] = []
        arrays: list[SSAValue] = []
        copies: dict[Operation, Operation] = {}
        scopes = ScopeCopies(self._scope_names)
        for source in order:
            target = blocks[source]
            for op in fast.ops_of(source):
                cls = type(op)
                if cls in CONSTANT_CLASSES or cls is AddressOfOp:
                    mapping[op.results[0]] = self._constant(op)
                    continue
                if cls is ReturnOp:
                    sent = [mapping.get(v, v) for v in fast.operands_of(op)] if after.args else []
                    for array in arrays:
                        fast.append(target, fast.create(LifetimeEndOp, (array,)))
                    fast.append(target, branches.branch(after, sent))
                    continue
                copy = fast.copy_op(op, mapping, blocks)
                copy.location = inlined_at(op.location, location)
                copies[op] = copy
                scopes.rename(copy)
                for old, new in zip(op.results, copy.results):
                    mapping[old] = new
                if (
                    cls is AllocaOp
                    and source is order[0]
                    and constant_integer(fast.operands_of(copy)[0]) is not None
                ):
                    self._place_alloca(copy)
                    if _is_unmarked_array(op):
                        arrays.append(copy.results[0])
                        fast.append(target, fast.create(LifetimeStartOp, (copy.results[0],)))
                    continue
                fast.append(target, copy)
                if cls is CallOp and is_direct_call(copy):
                    calls.append(cast(CallOp, copy))
        for records in followers():
            records.inlined(callee.regions[0], copies, mapping, blocks, location)
        return blocks[order[0]], calls
