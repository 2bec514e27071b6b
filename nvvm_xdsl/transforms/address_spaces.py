"""Inference of the address spaces of generic pointers, and the rewrite that uses them.

`infer-address-spaces` and `memory-space-opt` share this code. The inference is a greatest fixed
point over all pointers of a function, through address arithmetic, selects and block arguments, and
optionally through stack slots, constants and integers that contain pointers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    BitcastOp,
    CallIntrinsicOp,
    FuncOp,
    GEPOp,
    IntToPtrOp,
    LLVMPointerType,
    LoadOp,
    StoreOp,
    ZeroOp,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.pointer_ops import (
    ADDRESSES,
    ATOMIC,
    FLOWS,
    NEUTRAL,
    TARGETS,
    TO_GENERIC,
    UNKNOWN,
    PrefetchOp,
    intrinsic_access,
)
from nvvm_xdsl.analysis.memory.pointer_sources import (
    AddrSpaceCastOp,
    pointer_in_sum,
    pointers_stored,
    space_of,
    spaces_in_constants,
)
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import argument_attribute, global_name, intrinsic_name
from nvvm_xdsl.dialects.llvm.constant_ops import UNDEFINED_CLASSES, after_constants
from nvvm_xdsl.dialects.llvm.symbols import module_of
from nvvm_xdsl.dialects.llvm.types import PTR, address_space_of, pointer, pointer_space, string
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL, LOCAL, PARAM, SHARED


def _is_generic(value: SSAValue) -> bool:
    type_ = value.type
    return type(type_) is LLVMPointerType and pointer_space(type_) == 0


@dataclass(frozen=True)
class SpaceAssumptions:
    """Assumptions about generic pointers, selected by the pass."""

    kernel_pointers_global: bool = True
    """Assume that pointer parameters of kernels point to global memory, as CUDA guarantees."""

    local_allocas: bool = True
    """Access stack slots as local memory."""

    through_slots: bool = False
    """Assume that a pointer loaded from a slot that contains only pointers is one of the stored
    ones, and that a pointer loaded from a constant is one of the pointers in its initial value."""

    through_integers: bool = False
    """Trace pointers through integers, assuming that additions do not change the object of the
    pointer.
    """

    device_params_local: bool = False
    """Access by-value arguments of device functions as local memory."""

    unknown_global: bool = False
    """Assume that pointers from unknown sources point to global memory."""


class AddressSpaceInference:
    """The inference for one function; `run` applies its results."""

    options: SpaceAssumptions
    func: FuncOp
    cfg: CFG
    given: Mapping[SSAValue, int | None]
    """Spaces of arguments and call results that are known from other functions; None if no source
    is known yet.
    """
    in_param_space: Collection[SSAValue]
    """The kernel's by-value parameters that are read in parameter memory."""
    sources: dict[SSAValue, int]
    """Generic pointers whose space follows from their definition."""
    spaces: dict[SSAValue, int | None]
    """Generic pointers computed from others, with their space; None while no source is known."""
    by_value: set[SSAValue]
    """The kernel's by-value parameters, and addresses in them."""
    slots: dict[Operation, list[SSAValue] | None]
    """The values stored in a slot; None if the slot has uses other than loads and stores."""
    copies: dict[SSAValue, list[SSAValue]]
    """Pointers that are loaded from memory or converted from integers, each with the pointers of
    which it may be a copy. They have the same space as these and remain generic.
    """
    replaced: dict[SSAValue, SSAValue]
    constants: dict[str, int] | None
    """The address spaces of the pointers in the module's constants, computed on demand."""

    def __init__(
        self,
        options: SpaceAssumptions,
        func: FuncOp,
        cfg: CFG,
        given: Mapping[SSAValue, int | None] | None = None,
        in_param_space: Collection[SSAValue] = (),
    ) -> None:
        self.options = options
        self.func = func
        self.cfg = cfg
        self.given = given or {}
        self.in_param_space = in_param_space
        self.sources = {}
        self.spaces = {}
        self.by_value = set()
        self.slots = {}
        self.copies = {}
        self.replaced = {}
        self.constants = None

    def analyse(self) -> None:
        """Infers the spaces without changing IR."""
        self._collect()
        self._solve()

    def run(self) -> bool:
        """Rewrites accesses to use pointers into the inferred spaces; returns whether anything
        changed."""
        self._collect()
        if not self.sources:
            return False
        self._solve()
        for value in self.copies:
            # Memory and integers still contain generic pointers.
            space = self.spaces.pop(value)
            if space:
                self.sources[value] = space
        return self._rewrite()

    # Known spaces.

    def _collect(self) -> None:
        entry = self.cfg.entry
        for argument in entry.args:
            if _is_generic(argument):
                self._collect_argument(argument)
        for block in self.cfg.rpo_blocks():
            if block is not entry:
                for argument in block.args:
                    if _is_generic(argument):
                        self.spaces[argument] = None
            for op in fast.ops_of(block):
                if op.results and _is_generic(op.results[0]):
                    self._collect_op(op)
                elif type(op) in (GEPOp, AddrSpaceCastOp):
                    self._note_by_value(op)

    def _collect_argument(self, argument: BlockArgument) -> None:
        options = self.options
        by_value = argument_attribute(self.func, argument.index, "llvm.byval") is not None
        if argument in self.in_param_space:
            self.sources[argument] = PARAM
        elif is_kernel(self.func):
            if by_value:
                self.by_value.add(argument)
            elif options.kernel_pointers_global:
                self.sources[argument] = GLOBAL
        elif by_value:
            if options.device_params_local:
                self.sources[argument] = LOCAL
        elif options.unknown_global:
            self.sources[argument] = GLOBAL

    def _note_by_value(self, op: Operation) -> bool:
        if fast.operands_of(op)[0] in self.by_value:
            self.by_value.add(op.results[0])
            return True
        return False

    def _collect_op(self, op: Operation) -> None:
        result = op.results[0]
        cls = type(op)
        if cls in (GEPOp, AddrSpaceCastOp, BitcastOp) and self._note_by_value(op):
            return
        if cls is AddrSpaceCastOp:
            (source,) = fast.operands_of(op)
            if isinstance(source.type, LLVMPointerType):
                self.sources[result] = address_space_of(source.type)
        elif cls is AllocaOp:
            if self.options.local_allocas:
                self.sources[result] = LOCAL
        elif cls is LoadOp:
            self._collect_load(op)
        elif cls is IntToPtrOp:
            source = (
                pointer_in_sum(fast.operands_of(op)[0]) if self.options.through_integers else None
            )
            if source is not None and _is_generic(source):
                self.spaces[result] = None
                self.copies[result] = [source]
            elif self.options.unknown_global:
                self.sources[result] = GLOBAL
        elif cls is CallIntrinsicOp:
            name = intrinsic_name(op)
            for prefix, space in TO_GENERIC.items():
                if name.startswith(prefix):
                    self.sources[result] = space
        elif self.options.unknown_global and cls in UNKNOWN:
            self.sources[result] = GLOBAL
        elif cls in FLOWS:
            operands = fast.operands_of(op)
            if all(_is_generic(operands[i]) for i in FLOWS[cls]):
                self.spaces[result] = None

    def _collect_load(self, load: Operation) -> None:
        result = load.results[0]
        (address,) = fast.operands_of(load)
        options = self.options
        if options.kernel_pointers_global and (
            address in self.by_value or (space_of(address) == PARAM and is_kernel(self.func))
        ):
            self.sources[result] = GLOBAL
        elif options.through_slots and (stored := self._stored_in(address)) is not None:
            self.spaces[result] = None
            self.copies[result] = stored
        elif options.through_slots and (space := self._space_in_constant(address)) is not None:
            self.sources[result] = space
        elif options.unknown_global:
            self.sources[result] = GLOBAL

    def _space_in_constant(self, address: SSAValue) -> int | None:
        """The common space of all pointers in a constant variable; None if there is none."""
        while type(address.owner) in (GEPOp, AddrSpaceCastOp, BitcastOp):
            address = fast.operands_of(fast.producer_of(address))[0]
        if type(address.owner) is not AddressOfOp:
            return None
        return self._constant_contents().get(global_name(fast.producer_of(address)))

    def _constant_contents(self) -> dict[str, int]:
        if self.constants is None:
            module = module_of(self.func)
            self.constants = {} if module is None else spaces_in_constants(module)
        return self.constants

    def _stored_in(self, address: SSAValue) -> list[SSAValue] | None:
        """The values stored in a slot that holds one pointer; None for other addresses and slots."""
        owner = address.owner
        if type(owner) is AddrSpaceCastOp:
            owner = fast.operands_of(owner)[0].owner
        if type(owner) is not AllocaOp:
            return None
        slot = owner
        if slot not in self.slots:
            self.slots[slot] = (
                pointers_stored(slot) if slot.properties.get("elem_type") == PTR else None
            )
        return self.slots[slot]

    def space_of(self, value: SSAValue) -> int | None:
        """The inferred space of a generic pointer, 0 if it is unknown.

        None for null and undefined pointers, and for pointers computed only from such.
        """
        return self._space_of(value)

    def _space_of(self, value: SSAValue) -> int | None:
        if value in self.spaces:
            return self.spaces[value]
        if value in self.given:
            return self.given[value]
        known = self.sources.get(value)
        if known is not None:
            return known
        return None if type(value.owner) in NEUTRAL else GENERIC

    def _inputs(self, value: SSAValue) -> Iterator[SSAValue]:
        copied = self.copies.get(value)
        if copied is not None:
            yield from copied
        elif isinstance(value, BlockArgument):
            for terminator in dict.fromkeys(fast.users_of(value.block)):
                if terminator.parent is None or not self.cfg.reachable(terminator.parent):
                    continue
                for target, values in branches.edges_of(terminator):
                    if target is value.block:
                        yield values[value.index] if value.index < len(values) else value
        else:
            op = fast.producer_of(value)
            operands = fast.operands_of(op)
            for index in FLOWS[type(op)]:
                yield operands[index]

    def _solve(self) -> None:
        """Computes the greatest fixed point: a value is in a space unless an input is not."""
        spaces = self.spaces
        inputs = {value: list(self._inputs(value)) for value in spaces}
        dependents: dict[SSAValue, list[SSAValue]] = {}
        for value, found in inputs.items():
            for source in found:
                if source in spaces:
                    dependents.setdefault(source, []).append(value)
        nullable = maybe_null(inputs, dependents)
        pending = list(reversed(spaces))
        queued = set(pending)
        while pending:
            value = pending.pop()
            queued.discard(value)
            space: int | None = None
            for source in inputs[value]:
                other = self._space_of(source)
                if other is None:
                    continue
                space = other if space in (None, other) else GENERIC
            if value in nullable and value not in self.copies and space not in (None, GLOBAL):
                space = GENERIC
            if space is not None and space != spaces[value]:
                # A value changes at most twice: from unknown to a space, and from there to generic.
                spaces[value] = space if spaces[value] is None else GENERIC
                for dependent in dependents.get(value, ()):
                    if dependent not in queued:
                        queued.add(dependent)
                        pending.append(dependent)

    # The rewrite.

    def _rewrite(self) -> bool:
        converted = {v: s for v, s in self.spaces.items() if s}
        plan: list[tuple[SSAValue, Operation, int]] = []
        flat: dict[SSAValue, list[tuple[Operation, int]]] = {}
        for value in (*converted, *self.sources):
            space = converted.get(value) or self.sources[value]
            for user, index in list(fast.uses_of(value)):
                if type(user) is AddrSpaceCastOp:
                    takes = space_of(user.results[0]) == space and (
                        value in converted or type(value.owner) is AddrSpaceCastOp
                    )
                else:
                    takes = self._accepts(user, index, space, converted)
                if takes:
                    plan.append((value, user, index))
                elif value in converted:
                    flat.setdefault(value, []).append((user, index))
        if not plan:
            return False
        for value, space in converted.items():
            fast.set_type(value, pointer(space))
        casts: list[Operation] = []
        for value, uses in flat.items():
            generic = self._cast(value, GENERIC, None)
            for user, index in uses:
                fast.set_operand(user, index, generic)
        for value, user, index in plan:
            if value not in converted:
                fast.set_operand(user, index, self._specific(value))
            if type(user) is AddrSpaceCastOp:
                casts.append(user)
            elif (access := intrinsic_access(user)) is not None:
                space = converted.get(value) or self.sources[value]
                user.properties["intrin"] = string(f"{access['base']}.p{space}")
        self._convert_constants(converted)
        for op in casts:
            # The op casts the pointer to the space into which it is known to point.
            fast.replace_op(op, fast.operands_of(op))
        for value in self.sources:
            owner = value.owner
            if type(owner) is AddrSpaceCastOp and value.first_use is None:
                fast.erase(owner)
        return True

    def _accepts(
        self, user: Operation, index: int, space: int, converted: dict[SSAValue, int]
    ) -> bool:
        """Returns True if this use accepts a pointer into the space."""
        cls = type(user)
        flows = FLOWS.get(cls)
        if flows is not None and user.results[0] in converted:
            return index in flows
        addresses = ADDRESSES.get(cls)
        if addresses is not None:
            if index not in addresses:
                return False
            if cls in ATOMIC or (cls in (LoadOp, StoreOp) and not is_simple_access(user)):
                # No other thread accesses the memory, so no instruction is atomic or volatile.
                return space in (GLOBAL, SHARED)
            if cls is PrefetchOp:
                return space == GLOBAL
            if space in (CONSTANT, PARAM) and TARGETS.get(cls) == index:
                return False
            return True
        access = intrinsic_access(user)
        if access is not None:
            return index == 0 and space in ((SHARED,) if access["shared"] else (GLOBAL, SHARED))
        if fast.successors_of(user):
            target = branches.argument_behind(user, index)
            return target is not None and target in converted
        return False

    def _specific(self, source: SSAValue) -> SSAValue:
        """The pointer into a space that replaces a generic pointer with that known space."""
        found = self.replaced.get(source)
        if found is None:
            owner = source.owner
            if type(owner) is AddrSpaceCastOp:
                (found,) = fast.operands_of(owner)
            elif type(owner) is CallIntrinsicOp:
                found = fast.operands_of(owner)[0]
            else:
                found = self._cast(source, self.sources[source], None)
            self.replaced[source] = found
        return found

    def _cast(self, value: SSAValue, space: int, before: Operation | None) -> SSAValue:
        """A cast of the value, placed after the value unless a position is given."""
        op = fast.create(AddrSpaceCastOp, (value,), (pointer(space),))
        owner = value.owner
        if before is not None:
            fast.insert_before(op, before)
        elif isinstance(owner, Block):
            fast.insert_before(op, after_constants(owner))
        else:
            fast.insert_after(op, owner)
        return op.results[0]

    def _convert_constants(self, converted: dict[SSAValue, int]) -> None:
        """Converts null and undefined pointers that are operands of converted values."""
        for value, space in converted.items():
            if isinstance(value, BlockArgument):
                for terminator in dict.fromkeys(fast.users_of(value.block)):
                    for index, operand in enumerate(fast.operands_of(terminator)):
                        if (
                            operand.type == PTR
                            and branches.argument_behind(terminator, index) is value
                        ):
                            fast.set_operand(
                                terminator,
                                index,
                                self._converted_constant(operand, space, terminator),
                            )
            else:
                op = fast.producer_of(value)
                for index in FLOWS[type(op)]:
                    operand = fast.operands_of(op)[index]
                    if operand.type == PTR:
                        fast.set_operand(op, index, self._converted_constant(operand, space, op))

    def _converted_constant(self, value: SSAValue, space: int, before: Operation) -> SSAValue:
        owner = value.owner
        if type(owner) in UNDEFINED_CLASSES or (type(owner) is ZeroOp and space == GLOBAL):
            op = fast.create(type(fast.producer_of(value)), (), (pointer(space),))
            fast.insert_before(op, before)
            return op.results[0]
        # The value on an edge from an unreachable block is irrelevant.
        return self._cast(value, space, before)


def maybe_null(
    inputs: Mapping[SSAValue, Sequence[SSAValue]], dependents: Mapping[SSAValue, Sequence[SSAValue]]
) -> set[SSAValue]:
    """The pointers that may be null because a null pointer was selected, passed or stored.

    A cast of null to global memory and back yields null. A cast to another space and back does not,
    so that a comparison with null would be false.
    """
    pending = [
        value
        for value, found in inputs.items()
        if type(value.owner) is not GEPOp and any(type(v.owner) is ZeroOp for v in found)
    ]
    nullable = set(pending)
    while pending:
        for value in dependents.get(pending.pop(), ()):
            if value not in nullable and type(value.owner) is not GEPOp:
                nullable.add(value)
                pending.append(value)
    return nullable
