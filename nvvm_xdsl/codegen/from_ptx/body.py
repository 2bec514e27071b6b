"""The current function: its blocks, and the meaning of names at the current position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, Protocol

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nvvm_xdsl.codegen.from_ptx.errors import error_at
from nvvm_xdsl.codegen.from_ptx.names import Names
from nvvm_xdsl.codegen.from_ptx.parameters import Parameter
from nvvm_xdsl.codegen.from_ptx.recipes import NUMBER, SYMBOL, Entry
from nvvm_xdsl.dialects.nvptx.instructions import MODIFIERS
from nvvm_xdsl.dialects.nvptx.opcodes import find_opcode
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.operands import ConstantError, SymbolValue
from nvvm_xdsl.ir import fast


class ModuleNames(Protocol):
    """Services of the module for a function's converter."""

    symbols: dict[str, str]
    files: dict[str, str]
    flushes_subnormals: bool

    def hoist(self, op: ptx.VariableOp) -> str:
        """Moves a function's variable to the module; returns its name there."""
        ...

    def signature(self, name: str) -> tuple[list[Parameter], Parameter | None] | None:
        """The parameters and the result of a function; None if it does not exist."""
        ...


class Body:
    """Appends ops to blocks; `op` is the current op of the ptx dialect."""

    def __init__(self, module: ModuleNames, op: Operation, names: Names) -> None:
        self.module = module
        self.op = op
        self.names = names
        self.region = Region()
        self.current: Block | None = None
        self.location: Any = fast.UNKNOWN_LOC
        self.made: list[Operation] = []
        """The ops appended for the current instruction."""

    def fail(self, message: str) -> NoReturn:
        """Raises the error at the current op."""
        raise error_at(self.op, message)

    def new_block(self) -> Block:
        """A new block at the end."""
        block = fast.new_block()
        fast.append_block(self.region, block)
        return block

    def is_open(self) -> bool:
        """Returns True if the current block has no terminator yet."""
        return self.current is not None

    def append(self, op: Operation) -> None:
        """Appends to the current block; to a new unreachable one if there is none."""
        block = self.current
        if block is None:
            block = self.current = self.new_block()
        if self.location is not fast.UNKNOWN_LOC:
            op.location = self.location
        self.made.append(op)
        fast.append(block, op)

    def end(self, terminator: Operation) -> None:
        """Ends the current block."""
        self.append(terminator)
        self.current = None

    def emit(
        self,
        opcode: str,
        operands: Sequence[SSAValue],
        types: Sequence[Attribute],
        properties: Mapping[str, Attribute] | None = None,
    ) -> Operation:
        """Appends an instruction with plain operands."""
        found = find_opcode(opcode)
        made: dict[str, Attribute] = {MODIFIERS: found.modifiers, **(properties or {})}
        op = fast.create(found.instruction, operands, types, made)
        self.append(op)
        return op

    def entries(self, atoms: Sequence[str]) -> list[Entry]:
        """The meanings of the names and numbers of an instruction."""
        known = self.names.entries
        found: list[Entry] = []
        for atom in atoms:
            entry = known.get(atom)
            if entry is None:
                try:
                    entry = self.names.lookup(atom)
                except ConstantError as error:
                    self.fail(str(error))
                if entry is None:
                    if atom == "generic":
                        entry = Entry(NUMBER)
                    else:
                        self.fail(f"'{atom}' is not declared")
            found.append(entry)
        return found

    def copied(self, value: SSAValue) -> SSAValue:
        """A copy of the current value of a register."""
        bare = register_class(value).unallocated
        mov = "mov.pred" if bare.width == 1 else f"mov.{bare.ptx_type}"
        return self.emit(mov, (value,), (bare,)).results[0]

    def symbol_of(self, value: SymbolValue) -> str:
        """The name that a symbol has in machine code."""
        entry = self.entries([value.name])[0]
        if entry.kind != SYMBOL:
            self.fail(f"'{value.name}' is not a symbol")
        return entry.name
