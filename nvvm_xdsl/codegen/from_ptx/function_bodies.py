"""Bodies of functions: converts statements to blocks of machine code, not yet in SSA form.

Every register in the text is an `nvptx.register`, and instructions write it by its number, as after
PHI elimination.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.codegen.from_ptx.body import ModuleNames
from nvvm_xdsl.codegen.from_ptx.call_sequences import CallVariable, make_call
from nvvm_xdsl.codegen.from_ptx.instructions import Guard, InstructionConverter
from nvvm_xdsl.codegen.from_ptx.names import Names
from nvvm_xdsl.codegen.from_ptx.parameters import Parameter, RegisterPiece
from nvvm_xdsl.codegen.from_ptx.recipes import SYMBOL, VECTOR, Entry
from nvvm_xdsl.codegen.from_ptx.variables import alignment_of, size_of
from nvvm_xdsl.dialects.llvm.types import I64, int_attr, string
from nvvm_xdsl.dialects.nvptx.calls import CallOp
from nvvm_xdsl.dialects.nvptx.control_flow import (
    BraOp,
    CbraOp,
    RetOp,
    branch,
    conditional_branch,
    indexed_branch,
    pragma,
)
from nvvm_xdsl.dialects.nvptx.functions import local_variable
from nvvm_xdsl.dialects.nvptx.instructions import GUARD_TRUE, LAYOUT, PTX_COUNT
from nvvm_xdsl.dialects.nvptx.opcodes import CONTROL_FLOW, WITHOUT_ROUNDING, flushing, rounding
from nvvm_xdsl.dialects.nvptx.operands import REG, addr_sym, imm, layout, vec
from nvvm_xdsl.dialects.nvptx.registers import B16, B32Register
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.operands import Atom, Tree, operand_trees, split_atoms
from nvvm_xdsl.ir import fast

_LABELLED: Final = re.compile(
    r"([\w$%]+)\s*:\s*\.(branchtargets|calltargets|callprototype)\b\s*(.*?)\s*;\Z", re.DOTALL
)
_LOC: Final = re.compile(r"\.loc\s+(\d+)\s+(\d+)(?:\s+(\d+))?")
_PRAGMA: Final = re.compile(r"\.pragma\s*(.*);\Z", re.DOTALL)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')

RESULT_NAME: Final = "func_retval0"
"""The name of the return parameter in machine code."""

Handler = Callable[[Any], None]


class FunctionConverter(InstructionConverter):
    """Converts one function's body."""

    def __init__(
        self,
        module: ModuleNames,
        op: ptx.FuncOp,
        params: Sequence[Parameter],
        ret: Parameter | None,
    ) -> None:
        body = op.regions[0].first_block
        assert body is not None
        super().__init__(module, op, Names(body, module.symbols))
        self.body = body
        self.ret = ret
        self.params = params
        self.line: Any = None
        self.locals: set[str] = set()
        self._handlers: dict[type[Operation], Handler] = {
            ptx.InstOp: self._instruction,
            ptx.LabelOp: self._label,
            ptx.RegOp: self._registers,
            ptx.ScopeOp: self._scope,
            ptx.VariableOp: self._variable,
            ptx.DirectiveOp: self._directive,
            ptx.TextOp: self._nothing,
        }

    def convert(self, pragmas: Sequence[str]) -> Region:
        """The body as machine code. Raises DiagnosticError."""
        entry = self.new_block()
        self.current = entry
        self.names.enter()
        for text in pragmas:
            self._pragma(text)
        self._declare_parameters()
        self._statements(self.body)
        if self.is_open():
            self.made.clear()
            self._return()
            for op in self.made:
                _state_count(op, 0)
        self.names.leave()
        fast.splice_ops(entry, self.names.head)
        first = self.names.head
        return self._finish(first, entry)

    def _finish(self, head: Block, entry: Block) -> Region:
        """Defines the registers before the entry block, which must not be a branch target."""
        made = Region()
        fast.append_block(made, head)
        for block in list(fast.blocks_of(self.region)):
            if block is entry:
                fast.detach_block(block)
                continue
            fast.detach_block(block)
            fast.append_block(made, block)
        return made

    def _statements(self, block: Block) -> None:
        self._scan(block)
        handlers = self._handlers
        for op in list(fast.ops_of(block)):
            self.op = op
            if self.line is None:
                self.location = op.location
            handler = handlers.get(type(op))
            if handler is None:
                self.fail(f"{op.name} is not allowed in a function")
            handler(op)

    def _scan(self, block: Block) -> None:
        """Declares the labels of a scope before its branches are converted."""
        for op in fast.ops_of(block):
            if isinstance(op, ptx.LabelOp):
                name = op.text("label")
                self.names.bind_label(name, fast.new_block())
            elif isinstance(op, ptx.DirectiveOp):
                match = _LABELLED.match(op.text("text"))
                if match is not None:
                    self.names.bind_table(match[1], f"{match[2]} {match[3]}")

    def _scope(self, op: ptx.ScopeOp) -> None:
        block = op.regions[0].first_block
        if block is None:
            return
        self.names.enter()
        before = self.pending
        self._statements(block)
        self.pending = before
        self.names.leave()

    def _label(self, op: ptx.LabelOp) -> None:
        block = self.names.labels[op.text("label")]
        if block.parent is not None:
            self.fail(f"there are two labels '{op.text('label')}'")
        last = self.region.last_block
        if self.current is not None:
            self.end(branch(block))
        elif last is not None and isinstance(last.last_op, BraOp):
            if fast.successors_of(last.last_op)[0] is block:
                _state_count(last.last_op, 1)
        fast.append_block(self.region, block)
        self.current = block

    def _nothing(self, op: Operation) -> None:
        """Converts statements without a counterpart in machine code: no effect."""

    # Declarations

    def _declare_parameters(self) -> None:
        names = self.names
        for parameter in self.params:
            name = parameter.attribute.param_name
            for register in parameter.registers:
                self._declare_register(register)
                self._load_register(register, name)
            if not parameter.registers:
                names.bind(name, Entry(SYMBOL, name=name))
        ret = self.ret
        if ret is None:
            return
        for register in ret.registers:
            self._declare_register(register)
        if not ret.registers:
            names.bind(ret.attribute.param_name, Entry(SYMBOL, name=RESULT_NAME))

    def _declare_register(self, register: RegisterPiece) -> None:
        op = fast.create(
            ptx.RegOp, (), (), {"type": string(register.declared), "prefix": string(register.name)}
        )
        self._registers(op)

    def _elements(self, register: RegisterPiece) -> tuple[Entry, ...]:
        entry = self.names.lookup(register.name)
        assert entry is not None
        return entry.parts if entry.kind == VECTOR else (entry,)

    def _load_register(self, register: RegisterPiece, parameter: str) -> None:
        """Loads a register parameter, for which the text contains no instruction."""
        targets = self._elements(register)
        loaded = (self.names.temporary(B16),) if register.is_predicate else targets
        properties = {LAYOUT: layout(addr_sym(parameter, register.offset))}
        types = [e.type_ for e in loaded]
        made = [self.emit(f"ld.param.{register.access}", (), types, properties)]
        if register.is_predicate:
            properties = {LAYOUT: layout(REG, imm(0))}
            value = (loaded[0].value,)
            made.append(self.emit("setp.ne.u16", value, (targets[0].type_,), properties))
        for op in made:
            _state_count(op, 0)

    def _store_register(self, register: RegisterPiece) -> None:
        """Stores a register result."""
        values: list[SSAValue] = [e.value for e in self._elements(register)]
        if register.is_predicate:
            properties = {LAYOUT: layout(imm(1), imm(0), REG)}
            values = list(self.emit("selp.b16", values, (B16,), properties).results)
        source = REG if register.lanes == 1 else vec(*[REG] * register.lanes)
        properties = {LAYOUT: layout(addr_sym(RESULT_NAME, register.offset), source)}
        self.emit(f"st.param.{register.access}", values, (), properties)

    def _registers(self, op: ptx.RegOp) -> None:
        wrong = self.names.declare(op)
        if wrong is not None:
            self.fail(wrong)

    def _variable(self, op: ptx.VariableOp) -> None:
        name = op.text("symbol")
        space = op.text("space")
        if space == "param":
            self.names.bind(name, Entry(SYMBOL, name=name))
            try:
                variable = CallVariable.of(op)
            except ValueError as error:
                self.fail(str(error))
            self.pending = [v for v in self.pending if v.name != name] + [variable]
            return
        if space == "local":
            size = size_of(op)
            if not 0 < size < 1 << 31:
                self.fail(f"the variable '{name}' is {size} bytes large")
            unique = name
            number = 0
            while unique in self.locals:
                number += 1
                unique = f"{name}_${number}"
            self.locals.add(unique)
            self.names.bind(name, Entry(SYMBOL, name=unique))
            fast.append(self.names.head, local_variable(unique, size, alignment_of(op)))
            return
        self.names.bind(name, Entry(SYMBOL, name=self.module.hoist(op)))

    def _directive(self, op: ptx.DirectiveOp) -> None:
        text = op.text("text")
        if text.startswith(".loc"):
            match = _LOC.match(text)
            if match is not None:
                number, line, column = match[1], int(match[2]), int(match[3] or 0)
                file = self.module.files.get(number, number)
                self.line = self.location = FileLineColLoc(
                    StringAttr(file), IntAttr(line), IntAttr(column)
                )
        elif text.startswith(".pragma"):
            match = _PRAGMA.match(text)
            self._pragma(match[1] if match is not None else "")

    def _pragma(self, text: str) -> None:
        for match in _STRING.finditer(text):
            self.append(pragma(match[1]))

    # Instructions

    def _instruction(self, op: ptx.InstOp) -> None:
        properties: Any = op.properties
        opcode: str = properties["opcode"].data
        text: str = properties["operands"].data
        guard_attr = properties.get("guard")
        pieces = split_atoms(text)
        shape = tuple(pieces[0::2])
        atoms = pieces[1::2]
        self.made.clear()
        if WITHOUT_ROUNDING.match(opcode):
            opcode = rounding(opcode)
        if self.module.flushes_subnormals:
            opcode = flushing(opcode)
        if opcode in CONTROL_FLOW:
            self._control(opcode, shape, atoms, guard_attr)
        else:
            guard = None if guard_attr is None else self.guard(guard_attr.data)
            self.make(opcode, shape, atoms, guard)
        if len(self.made) > 1:
            self._count_once(opcode)

    def _count_once(self, opcode: str) -> None:
        """Attaches the count of an instruction to one of the ops that replace it.

        The count of a guarded branch, call or return is attached to the test of its guard. A branch
        to the next block is not printed and needs no attribute.
        """
        first = self.made[0]
        name = f"nvptx.{opcode}"
        counted = first
        if not isinstance(first, CbraOp):
            counted = next((op for op in self.made if name.startswith(op.name)), first)
        for op in self.made:
            if op is not counted and not isinstance(op, BraOp):
                _state_count(op, op.ptx_count - 1 if isinstance(op, CallOp) else 0)

    # Control flow

    def _control(
        self, opcode: str, shape: tuple[str, ...], atoms: list[str], guard_attr: Any
    ) -> None:
        guard = None if guard_attr is None else self.guard(guard_attr.data)
        uni = opcode.endswith(".uni")
        name = opcode.removesuffix(".uni")
        trees = operand_trees(shape)
        if name == "bra":
            self._branch(trees, atoms, guard, uni)
        elif name == "brx.idx":
            self._indexed(trees, atoms, guard, uni)
        elif name == "ret":
            self._under(guard, self._return)
        else:
            self._under(guard, lambda: self._call(trees, atoms, uni))

    def _target(self, name: str) -> Block:
        block = self.names.labels.get(name)
        if block is None:
            self.fail(f"there is no label '{name}'")
        return block

    def _branch(
        self, trees: Sequence[Tree], atoms: list[str], guard: Guard | None, uni: bool
    ) -> None:
        if len(trees) != 1 or not isinstance(trees[0], Atom):
            self.fail("a branch takes a label")
        target = self._target(atoms[trees[0].index])
        if guard is None:
            self.end(branch(target, uniform=uni))
            return
        after = fast.new_block()
        if guard[1] is GUARD_TRUE:
            made = conditional_branch(guard[2], target, after, uniform=uni)
        else:
            made = conditional_branch(guard[2], after, target, uniform=uni)
        self.end(made)
        fast.append_block(self.region, after)
        self.current = after

    def _under(self, guard: Guard | None, make: Callable[[], None]) -> None:
        """Moves possibly guarded instructions into a separate block."""
        if guard is None:
            make()
            return
        inside = fast.new_block()
        after = fast.new_block()
        then, other = (inside, after) if guard[1] is GUARD_TRUE else (after, inside)
        self.end(conditional_branch(guard[2], then, other))
        fast.append_block(self.region, inside)
        self.current = inside
        make()
        if self.is_open():
            self.end(branch(after))
        fast.append_block(self.region, after)
        self.current = after

    def _indexed(
        self, trees: Sequence[Tree], atoms: list[str], guard: Guard | None, uni: bool
    ) -> None:
        if len(trees) != 2 or not all(isinstance(t, Atom) for t in trees):
            self.fail("brx.idx takes an index and a table")
        index, table = (atoms[cast(Atom, t).index] for t in trees)
        entry = self.entries([index])[0]
        text = self.names.tables.get(table, "")
        kind, _, targets = text.partition(" ")
        if kind != "branchtargets":
            self.fail(f"there are no .branchtargets '{table}'")
        if entry.kind is not B32Register:
            self.fail("the index of brx.idx must be a 32-bit register")
        blocks = [self._target(name.strip()) for name in targets.split(",")]

        def make() -> None:
            self.end(indexed_branch(entry.value, [(b, ()) for b in blocks], uniform=uni))

        self._under(guard, make)

    def _return(self) -> None:
        for register in self.ret.registers if self.ret is not None else ():
            self._store_register(register)
        self.end(fast.create(RetOp))

    # Calls

    def _call(self, trees: Sequence[Tree], atoms: list[str], uni: bool) -> None:
        try:
            make_call(self, self.pending, trees, atoms, uni)
        except ValueError as error:
            self.fail(str(error))


def _state_count(op: Operation, count: int) -> None:
    op.attributes[PTX_COUNT] = int_attr(count, I64)
