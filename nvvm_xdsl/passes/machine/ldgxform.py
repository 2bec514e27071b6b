"""Loads read-only global memory through the read-only cache (`ld.global.nc`).

    nvptx.func kernel @k(#nvptx.param<b64, name = "k_param_0">, ...) attributes {nvptx.noalias = array<i32: 0>}
      %p = nvptx.ld param.b64 [@k_param_0]
      ...
      %v = nvptx.ld global.f32 [%q]         ->      %v = nvptx.ld.global.nc f32 [%q]

where `%q` is based on `%p` on every path, and no instruction of the kernel writes through `%p`.
Memory that is accessed through a `noalias` argument and written at all is written only through that
argument (LLVM's LangRef, "Parameter Attributes"), and all threads of the grid execute the same
instructions with the same argument. Therefore it is sufficient that no store, atomic, call or other
instruction accesses an address that is based on the argument, and that no such address is stored in
memory.

Selection does the same for addresses that are computed from the argument without block arguments.
This pass also traces pointers through block arguments, selections and arithmetic, after stack slots
have been promoted to registers.

Runs in SSA form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, cast

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.machine.memory_accesses import access_of
from nvvm_xdsl.analysis.machine.pointers import origins_of, values_from
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import integers_of
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.functions import NOALIAS, FuncOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import LD
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, LAYOUT, InstructionOp, build, flags_of
from nvvm_xdsl.dialects.nvptx.operands import REG, OperandsAttr
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, shares_registers, symbols_of
from nvvm_xdsl.passes.machine.dead_instructions import incoming_values

_VECTORS: Final = frozenset({"v2", "v4"})


@dataclass(frozen=True)
class LDGXform(MachineFunctionPass):
    """Makes loads of read-only global memory `ld.global.nc`."""

    name = "ldgxform"
    title: ClassVar[str] = "LDGXform"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        sources = [] if shares_registers(func) else _sources(func)
        if not sources:
            return False
        pointers = _Pointers(sources)
        changed = False
        for op in pointers.loads():
            mods = op.mods.removeprefix("global.")
            made = build(
                "ld.global.nc",
                mods,
                fast.operands_of(op),
                [result.type for result in op.results],
                cast("OperandsAttr | None", op.properties.get(LAYOUT)),
                op.location,
            )
            made.attributes.update(op.attributes)
            fast.insert_before(made, op)
            fast.replace_op(op, made.results)
            changed = True
        return changed


def _sources(func: FuncOp) -> list[OpResult]:
    """The loads of the kernel's `noalias` parameters, except parameters whose address is used."""
    listed = func.attributes.get(NOALIAS)
    if not func.is_kernel or listed is None:
        return []
    names = {
        func.params[number].param_name or f"{func.symbol}_param_{number}"
        for number in integers_of(listed)
    }
    found: dict[str, list[OpResult]] = {name: [] for name in names}
    for block in fast.blocks_of(func.body):
        for op in fast.ops_of(block):
            for name in symbols_of(op):
                if name not in found:
                    continue
                access = access_of(op)
                if access is None or access.is_store or access.size != 8 or access.offset:
                    del found[name]
                elif len(op.results) != 1 or GUARD in op.properties:
                    del found[name]
                else:
                    found[name].append(op.results[0])
    return [value for values in found.values() for value in values]


class _Pointers:
    """Values computed from some pointers.

    `origins` has a bit for each pointer that a value depends on, and `based` contains the values
    that equal such a pointer plus an offset on every path.
    """

    def __init__(self, sources: list[OpResult]) -> None:
        self._sources = frozenset(sources)
        self.origins = origins_of({source: 1 << n for n, source in enumerate(sources)})
        self.written = 0
        loads: dict[InstructionOp, None] = {}
        for value, bits in self.origins.items():
            for user in fast.users_of(value):
                if _is_plain_load(user):
                    loads[cast(InstructionOp, user)] = None
                elif not _passes_on(user):
                    self.written |= bits
        self._loads = list(loads)
        self.based = self._find_based()

    def _find_based(self) -> set[SSAValue]:
        based = set(self.origins)
        work = list(based)
        while work:
            value = work.pop()
            if value in based and not self._is_based(value, based):
                based.discard(value)
                for user in fast.users_of(value):
                    work.extend(values_from(user, value))
        return based

    def _is_based(self, value: SSAValue, based: set[SSAValue]) -> bool:
        if value in self._sources:
            return True
        if isinstance(value, BlockArgument):
            return all(given in based for given in incoming_values(value))
        op = fast.producer_of(value)
        if not isinstance(op, InstructionOp) or len(op.results) != 1 or GUARD in op.properties:
            return False
        if register_class(value).number is not None:
            return False
        operands = fast.operands_of(op)
        if op.mnemonic in ("mov", "cvta"):
            return len(operands) == 1 and operands[0] in based
        if op.mnemonic == "selp":
            return len(op.slots) == len(operands) and all(v in based for v in operands[:2])
        # A sum is based on a pointer if its other operands do not depend on pointers.
        related = [v for v in operands if v in self.origins]
        if len(related) != 1 or related[0] not in based:
            return False
        if op.mnemonic == "add":
            return op.mods in ("s64", "u64")
        if op.mnemonic == "sub":
            # A subtracted register is probably a pointer.
            return op.mods in ("s64", "u64") and op.slots[0] is REG and len(operands) == 1
        if op.mnemonic == "mad":
            whole = op.mods in ("lo.s64", "lo.u64", "wide.s32", "wide.u32")
            addend = op.slots[2] is REG and operands[-1] is related[0]
            return whole and addend and operands.count(related[0]) == 1
        return False

    def loads(self) -> Iterator[InstructionOp]:
        """The loads of memory that is not written."""
        for op in self._loads:
            access = access_of(op)
            assert access is not None
            base = access.base
            if base in self.based and not self.origins[cast(SSAValue, base)] & self.written:
                yield op


def _is_plain_load(op: Operation) -> bool:
    """Returns True if an op is a load of global memory without an order, a scope or hints."""
    if type(op) is not LD or access_of(op) is None:
        return False
    words = op.mods.split(".")
    return words[0] == "global" and all(word in _VECTORS for word in words[1:-1])


def _passes_on(op: Operation) -> bool:
    """Returns True if an op only computes a value from a pointer, or passes it along an edge."""
    return isinstance(op, TerminatorOp) or bool(flags_of(op) & PURE)


__all__ = ["LDGXform"]
