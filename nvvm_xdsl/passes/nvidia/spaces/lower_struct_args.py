"""`lower-struct-args`: reads by-value parameters of kernels in place, or copies them to local
memory.

    llvm.func @k(%p: !llvm.ptr {llvm.byval = !T}, %i: i64) attributes {nvvm.kernel} {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %q : !llvm.ptr -> f32

becomes, with `opt-byval`,

    llvm.func @k(%p: !llvm.ptr {llvm.byval = !T, nvvm.grid_constant}, %i: i64) ... {
      %0 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<101>
      %q = llvm.getelementptr %0[%i] : (!llvm.ptr<101>, i64) -> !llvm.ptr<101>, f32
      %x = llvm.load %q : !llvm.ptr<101> -> f32

A kernel's parameters are in a bank of constant memory that `ld.param` can read at any address. A
parameter that is only read stays there, also if it is read through dynamic indices, selects and
block arguments, or if its address is passed to functions that only read it (parameters have generic
addresses from sm_70 on). A local variable that is only a copy of such a parameter, as inlining
functions with by-value parameters creates, is replaced by the parameter. Such a copy in local
memory made one kernel 57 times slower (Netflix/vmaf#1595).

A parameter that is written, or whose address escapes, is copied to a local variable at the start of
the kernel, which SROA splits as far as possible. Without `opt-byval` all parameters are copied.
Device functions may write their by-value parameters; these are lowered by code generation.

000 LLVM Optimizer ("NVIDIA Custom Passes") lists the pass; the rules are those of LLVM's
NVPTXLowerArgs.

Benefit: runs at every level as a part of selection; the occurrences in the optimizer's pipeline
change no kernel's machine code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.llvm import (
    AllocaOp,
    BitcastOp,
    CallOp,
    FuncOp,
    GEPOp,
    ICmpOp,
    LoadOp,
    SelectOp,
    ZeroOp,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import MARKERS, is_volatile_transfer
from nvvm_xdsl.analysis.memory.pointer_sources import AddrSpaceCastOp, space_of
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    add_argument_attribute,
    argument_attribute,
    callee_of,
    element_type_of,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.constant_ops import after_constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.flags import INBOUNDS
from nvvm_xdsl.dialects.llvm.function_attributes import by_value_alignment, by_value_type, target_sm
from nvvm_xdsl.dialects.llvm.gep import byte_offset, constant_offset
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import FreezeOp, MemcpyInlineOp, MemcpyOp, MemmoveOp
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    entry_of,
    linkage_of,
    module_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.llvm.types import PTR, UNIT
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, LOCAL, PARAM
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.address_spaces import AddressSpaceInference, SpaceAssumptions
from nvvm_xdsl.transforms.by_value import copy_parameter

GRID_CONSTANT = "nvvm.grid_constant"
"""Marks a parameter that is only read and not copied to local memory."""

FIRST_GENERIC_PARAM_SM = 70
"""The SM from which on parameters have generic addresses (PTX ISA, `cvta.param`)."""


_COPIES: frozenset[type[Operation]] = frozenset({MemcpyOp, MemcpyInlineOp, MemmoveOp})

_ADDRESSES: frozenset[type[Operation]] = frozenset({GEPOp, BitcastOp, FreezeOp})


@dataclass(frozen=True)
class LowerStructArgs(FunctionPass):
    """Keeps by-value parameters of kernels that are only read in param space."""

    name = "lower-struct-args"
    title = "LowerStructArgs"
    tokens: ClassVar = {}

    opt_byval: bool = False
    """Whether parameters that are only read are read in place; otherwise each is copied to local
    memory.
    """

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not is_kernel(func):
            return False
        by_value = [
            argument
            for argument in entry_of(func).args
            if argument.type is PTR and by_value_type(func, argument.index) is not None
        ]
        if not by_value:
            return False
        module = module_of(func)
        reads = Reads(func, {} if module is None else symbols_of(module))
        changed = False
        kept: list[BlockArgument] = []
        for argument in by_value:
            if argument_attribute(func, argument.index, GRID_CONSTANT) is not None:
                kept.append(argument)
                continue
            changed = True
            if self.opt_byval and reads.is_only_read(argument):
                kept.append(argument)
            elif argument.first_use is not None:
                copy_parameter(func, argument)
            add_argument_attribute(
                func, argument.index, GRID_CONSTANT, UNIT, len(argument.block.args)
            )
        if self.opt_byval:
            changed |= _forward_copies(func, kept, reads)
        nothing = SpaceAssumptions(kernel_pointers_global=False, local_allocas=False)
        inference = AddressSpaceInference(nothing, func, am.get(CFG, func), in_param_space=kept)
        return inference.run() or changed


class Reads:
    """Whether memory is only read through a pointer.

    Arguments:
        func: the function that contains the pointers.
        symbols: the module's symbols; called functions are examined, too.
    """

    def __init__(self, func: FuncOp, symbols: dict[str, Operation]) -> None:
        self.symbols = symbols
        sm = target_sm(func)
        self.has_generic_addresses = sm is None or sm >= FIRST_GENERIC_PARAM_SM

    def is_only_read(self, root: SSAValue, copy: Operation | None = None) -> bool:
        """Returns True if nothing is written through the pointer, and it does not escape.

        Arguments:
            copy: an op that may copy to it.
        """
        pending = [root]
        seen = {root}
        while pending:
            value = pending.pop()
            for user, index in fast.uses_of(value):
                if user is copy and index == 0:
                    continue
                if copy is not None and type(user) is ICmpOp and not _is_null_test(user):
                    # A comparison may observe that the copy and the parameter have different
                    # addresses.
                    return False
                derived = self._derived(user, index)
                if derived is None:
                    return False
                for pointer_ in derived:
                    if pointer_ not in seen:
                        seen.add(pointer_)
                        pending.append(pointer_)
        return True

    def _derived(self, user: Operation, index: int) -> list[SSAValue] | None:
        """The pointers that a use derives from a pointer without writing to it; None if it may write."""
        cls = type(user)
        if cls is LoadOp or user.name in MARKERS:
            return []
        if cls in _ADDRESSES:
            return [user.results[0]] if index == 0 else None
        if cls is AddrSpaceCastOp:
            known = (GENERIC, PARAM, LOCAL)
            return [user.results[0]] if space_of(user.results[0]) in known else None
        if cls in _COPIES:
            return [] if index == 1 else None
        if cls is CallOp:
            return self._passed(user, index)
        if not self.has_generic_addresses or space_of(fast.operands_of(user)[index]) == LOCAL:
            return None
        if cls is ICmpOp:
            return []
        if cls is SelectOp:
            return [user.results[0]]
        if fast.successors_of(user):
            target = branches.argument_behind(user, index)
            return None if target is None else [target]
        return None

    def _passed(self, call: Operation, index: int) -> list[SSAValue] | None:
        name = callee_of(call)
        callee = self.symbols.get(name) if name is not None else None
        if not isinstance(callee, FuncOp) or index >= len(fast.operands_of(call)):
            return None
        stated = [
            {key for key in _PROMISES if argument_attribute(op, index, key) is not None}
            for op in (call, callee)
        ]
        promised = stated[0] | stated[1]
        if "llvm.byval" in promised:
            return []
        if not self.has_generic_addresses:
            return None
        if "llvm.nocapture" in promised and promised & {"llvm.readonly", "llvm.readnone"}:
            return []
        if callee.regions[0].first_block is None or linkage_of(callee) in INTERPOSABLE_LINKAGE:
            return None
        parameters = entry_of(callee).args
        return [parameters[index]] if index < len(parameters) else None


def _is_null_test(compare: Operation) -> bool:
    return any(type(value.owner) is ZeroOp for value in fast.operands_of(compare))


_PROMISES = ("llvm.byval", "llvm.nocapture", "llvm.readonly", "llvm.readnone")


def _forward_copies(func: FuncOp, kept: list[BlockArgument], reads: Reads) -> bool:
    """Replaces local variables that are only read copies of parameters by the parameters."""
    layout = data_layout_of(func)
    parameters = set(kept)
    slots = [op for op in walk_function(func) if type(op) is AllocaOp]
    changed = False
    again = True
    while again:
        again = False
        for slot in list(slots):
            if _forward(func, slot, parameters, reads, layout):
                slots.remove(slot)
                again = changed = True
    return changed


def _forward(
    func: FuncOp, slot: Operation, parameters: set[BlockArgument], reads: Reads, layout: DataLayout
) -> bool:
    result = slot.results[0]
    starts = [result]
    starts += [op.results[0] for op in fast.users_of(result) if type(op) is AddrSpaceCastOp]
    copies = [
        user
        for start in starts
        for user, index in fast.uses_of(start)
        if type(user) in _COPIES and index == 0
    ]
    count = constant_unsigned(fast.operands_of(slot)[0])
    if len(copies) != 1 or count is None or space_of(result) != GENERIC:
        return False
    (copy,) = copies
    if is_volatile_transfer(copy):
        return False
    found = _place(fast.operands_of(copy)[1], layout)
    if found is None or found[0] not in parameters or not reads.is_only_read(result, copy):
        return False
    argument, offset = found
    type_ = by_value_type(func, argument.index)
    assert type_ is not None
    size = count * layout.size(element_type_of(slot))
    alignment = stated_alignment(slot, layout.alignment(element_type_of(slot)))
    if (
        offset + size > layout.size(type_)
        or alignment > by_value_alignment(func, argument.index, layout)
        or offset % alignment
    ):
        return False
    fast.erase(copy)
    for user in [user for start in starts for user in fast.users_of(start)]:
        if user.name in MARKERS:
            fast.erase(user)
    _make_generic(result)
    source = byte_offset(argument, offset, after_constants(entry_of(func)), INBOUNDS)
    fast.replace_all_uses(result, source)
    fast.erase(slot)
    return True


def _make_generic(slot: SSAValue) -> None:
    """Converts pointers computed from a slot's address back to generic pointers."""
    pending = [slot]
    while pending:
        value = pending.pop()
        for user in list(fast.users_of(value)):
            if type(user) is AddrSpaceCastOp:
                fast.replace_op(user, (value,))
                pending.append(value)
            elif type(user) in _ADDRESSES and space_of(user.results[0]) == LOCAL:
                fast.set_type(user.results[0], PTR)
                pending.append(user.results[0])


def _place(address: SSAValue, layout: DataLayout) -> tuple[BlockArgument, int] | None:
    """The entry block argument that an address is based on, and the byte offset."""
    offset = 0
    while not isinstance(address, BlockArgument):
        op = fast.producer_of(address)
        if type(op) is GEPOp:
            step = constant_offset(op, layout)
            if step is None:
                return None
            offset += step
        elif type(op) not in (AddrSpaceCastOp, BitcastOp):
            return None
        address = fast.operands_of(op)[0]
    return (address, offset) if offset >= 0 else None
