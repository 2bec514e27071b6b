"""Bodies of functions: converts statements to blocks of machine code, not yet in SSA form.

Every register in the text is an `nvptx.register`, and instructions write it by its number, as after
PHI elimination.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nvvm_xdsl.codegen.from_ptx.body import Body, ModuleNames
from nvvm_xdsl.codegen.from_ptx.calls import CallVariable, PendingStore, make_call
from nvvm_xdsl.codegen.from_ptx.names import Names
from nvvm_xdsl.codegen.from_ptx.parameters import Parameter, RegisterPiece
from nvvm_xdsl.codegen.from_ptx.recipes import (
    NUMBER,
    PART,
    SPECIAL,
    SYMBOL,
    VECTOR,
    Entry,
    Recipe,
    RecipeError,
    build,
    is_predicate,
    is_register,
    make_recipe,
)
from nvvm_xdsl.codegen.from_ptx.variables import alignment_of, size_of
from nvvm_xdsl.codegen.from_ptx.widths import with_widths
from nvvm_xdsl.dialects.llvm.types import I64, int_attr, string
from nvvm_xdsl.dialects.nvptx.calls import CallOp, inline_asm
from nvvm_xdsl.dialects.nvptx.control_flow import (
    BraOp,
    CbraOp,
    RetOp,
    branch,
    conditional_branch,
    indexed_branch,
    pragma,
)
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.functions import local_variable
from nvvm_xdsl.dialects.nvptx.instructions import (
    GUARD,
    GUARD_FALSE,
    GUARD_TRUE,
    LAYOUT,
    PTX_COUNT,
    InstructionOp,
)
from nvvm_xdsl.dialects.nvptx.opcodes import (
    CONTROL_FLOW,
    VECTOR_MOVE,
    WITHOUT_ROUNDING,
    WITHOUT_SYNC,
    UnknownOpcodeError,
    find_opcode,
    flushing,
    rounding,
)
from nvvm_xdsl.dialects.nvptx.operands import REG, addr_sym, imm, layout, vec
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B32Register, RegisterClass
from nvvm_xdsl.dialects.nvptx.special_registers import SPECIAL_REGISTERS, MovSregOp
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.operands import (
    Atom,
    ConstantError,
    OperandError,
    Sink,
    Tree,
    Vector,
    operand_trees,
    split_atoms,
)
from nvvm_xdsl.ir import fast

_LABELLED: Final = re.compile(
    r"([\w$%]+)\s*:\s*\.(branchtargets|calltargets|callprototype)\b\s*(.*?)\s*;\Z", re.DOTALL
)
_LOC: Final = re.compile(r"\.loc\s+(\d+)\s+(\d+)(?:\s+(\d+))?")
_PRAGMA: Final = re.compile(r"\.pragma\s*(.*);\Z", re.DOTALL)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')

RESULT_NAME: Final = "func_retval0"
"""The name of the return parameter in machine code."""

_recipes: dict[tuple[str, Any, tuple[Any, ...]], Recipe] = {}

Handler = Callable[[Any], None]


class FunctionConverter(Body):
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
        self.pending: list[CallVariable] = []
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
            handler = handlers.get(op.__class__)
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
        """Facts that only the text contains."""

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
            ptx.RegOp,
            (),
            (),
            {"type": string(register.declared), "prefix": string(register.name)},
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
            guard = None if guard_attr is None else self._guard(guard_attr.data)
            self._make(opcode, shape, atoms, guard)
        if len(self.made) > 1:
            self._count_once(opcode)

    def _count_once(self, opcode: str) -> None:
        """Attaches the count of an instruction to one of the ops that replace it.

        A guarded branch, call or return counts where its guard is tested. The branch to the
        following block prints nothing and needs no attribute.
        """
        first = self.made[0]
        name = f"nvptx.{opcode}"
        counted = first
        if not isinstance(first, CbraOp):
            counted = next((op for op in self.made if name.startswith(op.name)), first)
        for op in self.made:
            if op is not counted and not isinstance(op, BraOp):
                _state_count(op, op.ptx_count - 1 if isinstance(op, CallOp) else 0)

    def instruction(
        self, opcode: str, text: str, guard: tuple[str, Attribute, SSAValue] | None
    ) -> None:
        """Appends the instruction for an opcode and operands."""
        pieces = split_atoms(text)
        self._make(opcode, tuple(pieces[0::2]), pieces[1::2], guard)

    def _make(
        self,
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        entries = self.entries(atoms)
        key = (opcode, shape, tuple([entry.kind for entry in entries]))
        if self.pending and self._is_call_access(opcode, atoms, shape, entries, guard):
            return
        recipe = _recipes.get(key)
        try:
            if recipe is None:
                recipe = self._recipe(key, opcode, shape, atoms, entries, guard)
                if recipe is None:
                    return
            made = build(recipe, atoms, entries, guard, fast.UNKNOWN_LOC)
        except (RecipeError, ConstantError, OperandError) as error:
            self.fail(str(error))
        if self.pending:
            self._keep_pending(made)
        self.append(made)

    def _guard(self, text: str) -> tuple[str, Attribute, SSAValue]:
        negated = text[1] == "!"
        name = text[2:] if negated else text[1:]
        entry = self.entries([name])[0]
        if not is_predicate(entry):
            self.fail(f"the guard '{name}' is not a predicate")
        return GUARD, GUARD_FALSE if negated else GUARD_TRUE, entry.value

    def _recipe(
        self,
        key: tuple[str, Any, tuple[Any, ...]],
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> Recipe | None:
        """The recipe for instructions with this shape; None if the instruction was converted in
        parts."""
        if VECTOR_MOVE.match(opcode):
            self._vector_move(opcode, shape, atoms, entries, guard)
            return None
        if any(e.kind == VECTOR for e in entries):
            self._with_vectors(opcode, shape, atoms, guard)
            return None
        if WITHOUT_SYNC.match(opcode):
            self._over_active_threads(opcode, shape, atoms, entries, guard)
            return None
        place = _sum_of_register(shape, entries)
        if place is not None:
            self._with_sum(place, opcode, shape, atoms, entries, guard)
            return None
        trees = operand_trees(shape)
        try:
            found = find_opcode(opcode)
        except UnknownOpcodeError as error:
            self.fail(str(error))
        if any(e.kind == PART for e in entries):
            self._as_text(opcode, shape, entries, guard)
            return None
        if any(e.kind == SPECIAL for e in entries):
            self._with_special(opcode, shape, atoms, entries, guard)
            return None
        try:
            recipe = _recipes[key] = make_recipe(found, trees, atoms, entries)
        except RecipeError as error:
            made = with_widths(self, found, trees, atoms, entries, guard)
            if made:
                return None
            raise error from None
        return recipe

    def _with_special(
        self,
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        """An instruction with special registers among its operands: they are read before it."""
        first = entries[0]
        if (
            opcode.startswith("mov.")
            and len(entries) == 2
            and is_register(first)
            and guard is None
            and SPECIAL_REGISTERS[entries[1].name][0].__class__ is first.kind
        ):
            self.append(self._sreg(entries[1].name, first.type_))
            return
        if opcode.startswith("mov."):
            # Older PTX reads some special registers with fewer bits.
            width = SPECIAL_REGISTERS[entries[1].name][0].width
            opcode = f"cvt.u{bits_of(opcode[4:])}.u{width}"
        plain = list(entries)
        for number, entry in enumerate(entries):
            if entry.kind == SPECIAL:
                op = self._sreg(entry.name, SPECIAL_REGISTERS[entry.name][0])
                self.append(op)
                type_ = op.results[0].type
                plain[number] = Entry(type_.__class__, type_, op.results[0])
        self.plain(opcode, shape, atoms, plain, guard)

    def plain(
        self,
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        """Converts an instruction whose names have another meaning in machine code."""
        key = (opcode, shape, tuple([entry.kind for entry in entries]))
        recipe = self._recipe(key, opcode, shape, atoms, entries, guard)
        if recipe is not None:
            self.append(build(recipe, atoms, entries, guard, fast.UNKNOWN_LOC))

    def _sreg(self, name: str, type_: Attribute) -> MovSregOp:
        return fast.create(MovSregOp, (), (type_,), {"sreg": string(name)})

    def _as_text(
        self,
        opcode: str,
        shape: tuple[str, ...],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        """An instruction on bytes of registers, which the tables lack, is kept as text."""
        if guard is not None:
            self.fail(f"a guarded '{opcode}' on bytes of registers is not supported")
        if not all(is_register(e) or e.kind == PART for e in entries):
            self.fail(f"'{opcode}' on bytes of registers takes registers")
        text = shape[0]
        for number, (entry, after) in enumerate(zip(entries, shape[1:])):
            text += f"${number}"
            if entry.kind == PART:
                text += entry.name[entry.name.rindex(".") :]
            text += after
        result, *operands = entries
        self.append(inline_asm(f"{opcode} {text};", [e.value for e in operands], (result.type_,)))

    def _with_vectors(
        self,
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        """An instruction with vector registers, which are replaced by their elements in braces."""
        text = shape[0]
        for atom, after in zip(atoms, shape[1:]):
            entry = self.entries([atom])[0]
            if entry.kind == VECTOR:
                elements = ", ".join(f"{atom}.{'xyzw'[i]}" for i in range(len(entry.parts)))
                atom = f"{{{elements}}}"
            text += atom + after
        self.instruction(opcode, text, guard)

    def _vector_move(
        self,
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        """A move of vector registers: their elements are moved in parallel."""
        lanes, type_ = int(opcode[5]), opcode[7:]
        trees = operand_trees(shape)
        if len(trees) != 2:
            self.fail(f"'{opcode}' takes 2 operands")
        targets, sources = (self._lanes(tree, lanes, atoms, entries, opcode) for tree in trees)
        written = {entry.type_ for _, entry in targets if is_register(entry)}
        for number, (name, entry) in enumerate(sources):
            if is_register(entry) and entry.type_ in written:
                value = self.copied(entry.value)
                sources[number] = name, Entry(entry.kind, value.type, value)
        for (target, to), (source, value) in zip(targets, sources):
            if target != "_":
                self.plain(f"mov.{type_}", ("", ", ", ""), [target, source], [to, value], guard)

    def _lanes(
        self,
        tree: Tree,
        lanes: int,
        atoms: list[str],
        entries: list[Entry],
        opcode: str,
    ) -> list[tuple[str, Entry]]:
        """The elements of an operand of a vector move: names and their meanings."""
        found: list[tuple[str, Entry]] = []
        for element in tree.elements if isinstance(tree, Vector) else (tree,):
            if isinstance(element, Sink):
                found.append(("_", Entry(NUMBER)))
            elif not isinstance(element, Atom):
                self.fail(f"'{opcode}' takes registers and numbers")
            elif entries[element.index].kind == VECTOR and element is tree:
                parts = entries[element.index].parts
                found.extend(
                    (f"{atoms[element.index]}.{'xyzw'[i]}", p) for i, p in enumerate(parts)
                )
            else:
                found.append((atoms[element.index], entries[element.index]))
        if len(found) != lanes:
            self.fail(f"'{opcode}' takes {lanes} registers, not {len(found)}")
        return found

    def _with_sum(
        self,
        place: int,
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        """An instruction on a register plus a number: the sum is computed before it."""
        entry = entries[place]
        register = entry.type_.unallocated
        if register.is_float or register.width not in (16, 32, 64):
            self.fail(f"'{atoms[place]}' is not an integer, so that nothing can be added to it")
        total = self.names.temporary(register)
        add = f"add.s{register.width}"
        pair, known = atoms[place : place + 2], entries[place : place + 2]
        names, meant = ["sum", *pair], [total, *known]
        self.plain(add, ("", ", ", ", ", ""), names, meant, None)
        self.plain(
            opcode,
            shape[: place + 1] + shape[place + 2 :],
            [*atoms[:place], "sum", *atoms[place + 2 :]],
            [*entries[:place], total, *entries[place + 2 :]],
            guard,
        )

    def _over_active_threads(
        self,
        opcode: str,
        shape: tuple[str, ...],
        atoms: list[str],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> None:
        """`vote` and `shfl` of older PTX: the threads that execute it together participate."""
        mask = self.names.temporary(B32)
        self.plain("activemask.b32", ("", ""), ["mask"], [mask], guard)
        mnemonic, _, rest = opcode.partition(".")
        shape = (*shape[:-1], f"{shape[-1]}, ", "")
        self.plain(f"{mnemonic}.sync.{rest}", shape, [*atoms, "mask"], [*entries, mask], guard)

    # Control flow

    def _control(
        self, opcode: str, shape: tuple[str, ...], atoms: list[str], guard_attr: Any
    ) -> None:
        guard = None if guard_attr is None else self._guard(guard_attr.data)
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
        self,
        trees: Sequence[Tree],
        atoms: list[str],
        guard: tuple[str, Attribute, SSAValue] | None,
        uni: bool,
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

    def _under(
        self, guard: tuple[str, Attribute, SSAValue] | None, make: Callable[[], None]
    ) -> None:
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
        self,
        trees: Sequence[Tree],
        atoms: list[str],
        guard: tuple[str, Attribute, SSAValue] | None,
        uni: bool,
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

    def _is_call_access(
        self,
        opcode: str,
        atoms: list[str],
        shape: tuple[str, ...],
        entries: list[Entry],
        guard: tuple[str, Attribute, SSAValue] | None,
    ) -> bool:
        """Folds a store to a call's parameter, or a load of its result."""
        store = opcode.startswith("st.param")
        if not store and not opcode.startswith("ld.param"):
            return False
        names = {v.name: v for v in self.pending}
        variable = next((names[a] for a in atoms if a in names), None)
        if variable is None:
            return False
        if guard is not None:
            self.fail("an access to a call's parameter cannot be guarded")
        try:
            if store:
                variable.store(self, opcode, operand_trees(shape), atoms, entries)
            else:
                variable.load(self, opcode, operand_trees(shape), atoms, entries)
        except ValueError as error:
            self.fail(str(error))
        return True

    def _keep_pending(self, op: InstructionOp) -> None:
        """Copies values that are waiting to be passed to a call before an instruction overwrites
        them."""
        written = {r.type for r in op.results}
        for variable in self.pending:
            for store in variable.stores:
                self._keep(store, written)

    def _keep(self, store: PendingStore, written: set[Attribute]) -> None:
        for number, value in enumerate(store.values):
            type_ = value.type
            if type_ in written and isinstance(type_, RegisterClass) and type_.number is not None:
                store.values[number] = self.copied(value)

    def _call(self, trees: Sequence[Tree], atoms: list[str], uni: bool) -> None:
        try:
            make_call(self, self.pending, trees, atoms, uni)
        except ValueError as error:
            self.fail(str(error))


def _state_count(op: Operation, count: int) -> None:
    op.attributes[PTX_COUNT] = int_attr(count, I64)


def _sum_of_register(shape: tuple[str, ...], entries: Sequence[Entry]) -> int | None:
    """The index of the first atom that is a register plus a number, as a value.

    ptxas accepts `st.u32 [%rd1], %r1 + 4`; in an address the sum is the offset.
    """
    depth = 0
    for place, text in enumerate(shape[:-1]):
        depth += text.count("[") - text.count("]")
        if (
            not depth
            and shape[place + 1] == "+"
            and is_register(entries[place])
            and entries[place + 1].kind == NUMBER
        ):
            return place
    return None
