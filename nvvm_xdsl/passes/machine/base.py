"""Common code of passes over machine code."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import integers_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import MOV
from nvvm_xdsl.dialects.nvptx.instructions import LAYOUT, stated_slots
from nvvm_xdsl.dialects.nvptx.operands import (
    LIST_ADDRESS_KIND,
    SYMBOL_ADDRESS_KIND,
    SYMBOL_KIND,
    VECTOR_KIND,
    Slot,
    elements_of,
    layout,
    slot_name,
)
from nvvm_xdsl.dialects.nvptx.registers import REGISTER_CLASSES, RegisterClass
from nvvm_xdsl.dialects.nvptx.special_registers import RegisterOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.rematerialize import registers_left


def is_immediate_move(op: Operation) -> bool:
    """Returns True if an op only creates an immediate or an address."""
    return type(op) is MOV and not fast.operands_of(op) and len(op.results) == 1


def is_constant_move(op: Operation) -> bool:
    """Returns True if an op only creates a constant other than a symbol's address."""
    return is_immediate_move(op) and next(symbols_of(op), None) is None


def machine_functions(module: ModuleOp) -> Iterator[FuncOp]:
    """The functions of the nvptx dialect with a body, in order."""
    block = module.body.first_block
    if block is None:
        return
    for op in fast.ops_of(block):
        if isinstance(op, FuncOp) and op.body.first_block is not None:
            yield op


@dataclass(frozen=True)
class MachineFunctionPass(NvvmPass):
    """A pass that processes one function of machine code at a time."""

    level: ClassVar[str] = "machine-function"

    @abstractmethod
    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        """Runs the pass on a function with a body; returns whether it changed the function."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = False
        for func in machine_functions(module):
            if self.run_on_function(func, am):
                changed = True
                am.invalidate(func, self.preserved())
        return changed


class RegisterNumbers:
    """Allocates unused register numbers of a function, by class."""

    def __init__(self, func: FuncOp) -> None:
        self._next: dict[type[Attribute], int] = {type(r): 1 for r in REGISTER_CLASSES}
        for block in fast.blocks_of(func.body):
            for op in fast.ops_of(block):
                for result in op.results:
                    type_ = result.type
                    if isinstance(type_, RegisterClass) and type_.number is not None:
                        after = type_.number + 1
                        self._next[type(type_)] = max(self._next[type(type_)], after)

    def fresh(self, register: RegisterClass) -> RegisterClass:
        """A register of the same class with a new number."""
        number = self._next[type(register)]
        self._next[type(register)] = number + 1
        return type(register)(number)


def symbols_of(op: Operation) -> Iterator[str]:
    """The names of symbols among an op's operands."""
    stack: list[Slot] = list(stated_slots(op))
    while stack:
        slot = stack.pop()
        if slot[0] in (SYMBOL_KIND, SYMBOL_ADDRESS_KIND):
            yield slot_name(slot)
        elif slot[0] in (VECTOR_KIND, LIST_ADDRESS_KIND):
            stack.extend(elements_of(slot))


def rename_symbols(op: Operation, names: Mapping[str, str]) -> bool:
    """Renames symbols among an op's operands; returns whether any was renamed."""
    if not any(name in names for name in symbols_of(op)):
        return False
    op.properties[LAYOUT] = layout(*(_renamed(slot, names) for slot in stated_slots(op)))
    return True


def _renamed(slot: Slot, names: Mapping[str, str]) -> Slot:
    kind = slot[0]
    if kind in (SYMBOL_KIND, SYMBOL_ADDRESS_KIND):
        name = slot_name(slot)
        return (kind, names.get(name, name), *slot[2:])
    if kind in (VECTOR_KIND, LIST_ADDRESS_KIND):
        return (kind, tuple(_renamed(element, names) for element in elements_of(slot)))
    return slot


def has_phis(func: FuncOp) -> bool:
    """Returns True if blocks have arguments: LLVM's NoPHIs property, negated."""
    return any(block.args for block in fast.blocks_of(func.body))


def is_ssa(module: ModuleOp) -> bool:
    """Returns True if each register is written by at most one instruction."""
    return not any(shares_registers(func) for func in machine_functions(module))


def shares_registers(func: FuncOp) -> bool:
    """True if a function has registers that several instructions write, and so is not in SSA
    form."""
    return any(isinstance(op, RegisterOp) for op in fast.ops_of(func.body.blocks[0]))


def require_no_phis(func: FuncOp, name: str) -> None:
    """Raises DiagnosticError if PHIs have not been eliminated."""
    if has_phis(func):
        raise DiagnosticError(
            f"{name} requires the property NoPHIs: in '{func.symbol}' blocks have arguments; "
            "run nvptx-phi-elimination first"
        )


def register_target(func: FuncOp) -> int | None:
    """The maximum number of registers per thread according to a kernel's directives; None if
    unstated.
    """
    return registers_left(
        func.checked_integer("maxnreg"),
        integers_of(func.properties.get("maxntid") or func.properties.get("reqntid")),
        func.checked_integer("minnctapersm"),
    )


DEFAULT_REGISTERS: Final = 70
"""The register target of a kernel whose directives state none."""
