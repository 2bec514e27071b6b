"""Instructions without control flow: converts the text of one to machine code.

The recipe of an instruction depends on its opcode, the text between its operands and their kinds.
Forms that the machine dialect lacks are converted to several instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.from_ptx.body import Body, ModuleNames
from nvvm_xdsl.codegen.from_ptx.call_sequences import CallVariable, PendingStore
from nvvm_xdsl.codegen.from_ptx.names import Names
from nvvm_xdsl.codegen.from_ptx.recipes import (
    NUMBER,
    PART,
    SPECIAL,
    VECTOR,
    Entry,
    Recipe,
    RecipeError,
    build,
    is_predicate,
    is_register,
    make_recipe,
)
from nvvm_xdsl.codegen.from_ptx.widths import with_widths
from nvvm_xdsl.dialects.llvm.types import string
from nvvm_xdsl.dialects.nvptx.calls import inline_asm
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, GUARD_FALSE, GUARD_TRUE
from nvvm_xdsl.dialects.nvptx.opcodes import (
    VECTOR_MOVE,
    WITHOUT_SYNC,
    UnknownOpcodeError,
    find_opcode,
)
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B16Register, RegisterClass
from nvvm_xdsl.dialects.nvptx.special_registers import SPECIAL_REGISTERS, MovSregOp
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

Guard: TypeAlias = "tuple[str, Attribute, SSAValue]"
"""The guard of an instruction: property, its value, and the predicate."""


class SourceInstruction(NamedTuple):
    """An instruction of PTX, with the meaning of its names and numbers."""

    opcode: str
    shape: tuple[str, ...]
    """The text between the names and numbers."""
    atoms: list[str]
    """The names and numbers."""
    entries: list[Entry]
    """The meaning of each."""
    guard: Guard | None

    @property
    def key(self) -> tuple[str, Any, tuple[Any, ...]]:
        """The recipe of an instruction depends on this."""
        return self.opcode, self.shape, tuple([entry.kind for entry in self.entries])


_BYTE_MOVES = {"mov.b16": 2, "mov.b32": 4}
"""Moves of a register to or from registers of 8 bits, and the number of these."""

_recipes: dict[tuple[str, Any, tuple[Any, ...]], Recipe] = {}


class InstructionConverter(Body):
    """Appends the machine code of instructions.

    Attributes:
        pending: the parameters and results of calls that are not complete yet.
    """

    def __init__(self, module: ModuleNames, op: Operation, names: Names) -> None:
        super().__init__(module, op, names)
        self.pending: list[CallVariable] = []

    def instruction(self, opcode: str, text: str, guard: Guard | None) -> None:
        """Appends the instruction for an opcode and operands."""
        pieces = split_atoms(text)
        self.make(opcode, tuple(pieces[0::2]), pieces[1::2], guard)

    def make(
        self, opcode: str, shape: tuple[str, ...], atoms: list[str], guard: Guard | None
    ) -> None:
        """Appends the instruction for an opcode and the parts of its operands.

        Arguments:
            shape: the text between the names and numbers.
            atoms: the names and numbers.
        """
        source = SourceInstruction(opcode, shape, atoms, self.entries(atoms), guard)
        if self.pending and self._is_call_access(source):
            return
        recipe = _recipes.get(source.key)
        try:
            if recipe is None:
                recipe = self._recipe(source)
                if recipe is None:
                    return
            made = build(recipe, atoms, source.entries, guard, fast.UNKNOWN_LOC)
        except (RecipeError, ConstantError, OperandError) as error:
            self.fail(str(error))
        self.append(made)

    def append(self, op: Operation) -> None:
        """Appends an op; values that are waiting to be passed to a call keep their current
        value."""
        if self.pending:
            self._keep_pending(op)
        super().append(op)

    def guard(self, text: str) -> Guard:
        """The guard of an instruction, from `@%p1` or `@!%p1`."""
        negated = text[1] == "!"
        name = text[2:] if negated else text[1:]
        entry = self.entries([name])[0]
        if not is_predicate(entry):
            self.fail(f"the guard '{name}' is not a predicate")
        return GUARD, GUARD_FALSE if negated else GUARD_TRUE, entry.value

    def _recipe(self, source: SourceInstruction) -> Recipe | None:
        """The recipe for instructions with this shape; None if the instruction was converted in
        parts."""
        opcode, shape, atoms, entries, guard = source
        if VECTOR_MOVE.match(opcode):
            self._vector_move(source)
            return None
        if any(e.kind == VECTOR for e in entries):
            self._with_vectors(source)
            return None
        if WITHOUT_SYNC.match(opcode):
            self._over_active_threads(source)
            return None
        place = _sum_of_register(shape, entries)
        if place is not None:
            self._with_sum(place, source)
            return None
        trees = operand_trees(shape)
        if opcode in _BYTE_MOVES and self._byte_move(source, trees):
            return None
        try:
            found = find_opcode(opcode)
        except UnknownOpcodeError as error:
            self.fail(str(error))
        if any(e.kind == PART for e in entries):
            self._as_text(source)
            return None
        if any(e.kind == SPECIAL for e in entries):
            self._with_special(source)
            return None
        try:
            recipe = _recipes[source.key] = make_recipe(found, trees, atoms, entries)
        except RecipeError as error:
            made = with_widths(self, found, trees, atoms, entries, guard)
            if made:
                return None
            raise error from None
        return recipe

    def _with_special(self, source: SourceInstruction) -> None:
        """An instruction with special registers among its operands: they are read before it."""
        opcode, shape, atoms, entries, guard = source
        first = entries[0]
        if (
            opcode.startswith("mov.")
            and len(entries) == 2
            and is_register(first)
            and guard is None
            and type(SPECIAL_REGISTERS[entries[1].name][0]) is first.kind
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
                plain[number] = Entry(type(type_), type_, op.results[0])
        self.plain(SourceInstruction(opcode, shape, atoms, plain, guard))

    def plain(self, source: SourceInstruction) -> None:
        """Converts an instruction whose names have another meaning in machine code."""
        recipe = self._recipe(source)
        if recipe is not None:
            _, _, atoms, entries, guard = source
            self.append(build(recipe, atoms, entries, guard, fast.UNKNOWN_LOC))

    def _sreg(self, name: str, type_: Attribute) -> MovSregOp:
        return fast.create(MovSregOp, (), (type_,), {"sreg": string(name)})

    def _as_text(self, source: SourceInstruction) -> None:
        """An instruction on bytes of registers, which the tables lack, is kept as text."""
        opcode, shape, _, entries, guard = source
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

    def _with_vectors(self, source: SourceInstruction) -> None:
        """An instruction with vector registers, which are replaced by their elements in braces."""
        opcode, shape, atoms, _, guard = source
        text = shape[0]
        for atom, after in zip(atoms, shape[1:]):
            entry = self.entries([atom])[0]
            if entry.kind == VECTOR:
                elements = ", ".join(f"{atom}.{'xyzw'[i]}" for i in range(len(entry.parts)))
                atom = f"{{{elements}}}"
            text += atom + after
        self.instruction(opcode, text, guard)

    def _vector_move(self, source: SourceInstruction) -> None:
        """A move of vector registers: their elements are moved in parallel."""
        opcode, shape, atoms, entries, guard = source
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
        for (target, to), (source_name, value) in zip(targets, sources):
            if target != "_":
                self.plain(
                    SourceInstruction(
                        f"mov.{type_}", ("", ", ", ""), [target, source_name], [to, value], guard
                    )
                )

    def _byte_move(self, source: SourceInstruction, trees: Sequence[Tree]) -> bool:
        """Converts a move between a register and its bytes; returns False for other moves.

        A register of 8 bits is one of 16 bits here. Its upper half is zero after this and after loads.
        """
        opcode, _, atoms, entries, guard = source
        vector = next((tree for tree in trees if isinstance(tree, Vector)), None)
        if len(trees) != 2 or vector is None or len(vector.elements) != _BYTE_MOVES[opcode]:
            return False
        parts: list[tuple[str, Entry] | None] = []
        for element in vector.elements:
            if isinstance(element, Atom) and entries[element.index].kind is B16Register:
                parts.append((atoms[element.index], entries[element.index]))
            elif isinstance(element, Sink):
                parts.append(None)
            else:
                return False
        whole = trees[0] if vector is trees[1] else trees[1]
        if not isinstance(whole, Atom):
            return False
        name, entry = atoms[whole.index], entries[whole.index]
        pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
        if vector is trees[1]:
            halves = [self._packed(pair) for pair in pairs]
            if opcode == "mov.b16":
                self._plain_move(opcode, [name, "h"], [entry, halves[0]], guard)
            else:
                packed = SourceInstruction(
                    opcode, ("", ", {", ", ", "}"), [name, "h", "h"], [entry, *halves], guard
                )
                self.plain(packed)
            return True
        halves = [entry]
        if opcode == "mov.b32":
            halves = [self.names.temporary(B16) for _ in pairs]
            self.plain(
                SourceInstruction(
                    opcode, ("{", ", ", "}, ", ""), ["h", "h", name], [*halves, entry], None
                )
            )
        for half, (low, high) in zip(halves, pairs, strict=True):
            if low is not None:
                self._with_number("and.b16", low, half, "255", guard)
            if high is not None:
                self._with_number("shr.u16", high, half, "8", guard)
        return True

    def _packed(self, pair: Sequence[tuple[str, Entry] | None]) -> Entry:
        """Two bytes in a register of 16 bits."""
        (_, low), (_, high) = (part or self.fail("'_' cannot be read") for part in pair)
        lower, upper, both = (self.names.temporary(B16) for _ in range(3))
        self._with_number("and.b16", ("t", lower), low, "255", None)
        self._with_number("shl.b16", ("t", upper), high, "8", None)
        self.plain(
            SourceInstruction("or.b16", ("", ", ", ", ", ""), ["t"] * 3, [both, lower, upper], None)
        )
        return both

    def _plain_move(
        self, opcode: str, atoms: list[str], entries: list[Entry], guard: Guard | None
    ) -> None:
        self.plain(SourceInstruction(opcode, ("", ", ", ""), atoms, entries, guard))

    def _with_number(
        self, opcode: str, target: tuple[str, Entry], value: Entry, number: str, guard: Guard | None
    ) -> None:
        """An instruction whose second operand is a number."""
        name, entry = target
        atoms, entries = [name, "v", number], [entry, value, Entry(NUMBER)]
        self.plain(SourceInstruction(opcode, ("", ", ", ", ", ""), atoms, entries, guard))

    def _lanes(
        self, tree: Tree, lanes: int, atoms: list[str], entries: list[Entry], opcode: str
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

    def _with_sum(self, place: int, source: SourceInstruction) -> None:
        """An instruction on a register plus a number: the sum is computed before it."""
        opcode, shape, atoms, entries, guard = source
        entry = entries[place]
        register = entry.type_.unallocated
        if register.is_float or register.width not in (16, 32, 64):
            self.fail(f"'{atoms[place]}' is not an integer, so that nothing can be added to it")
        total = self.names.temporary(register)
        add = f"add.s{register.width}"
        pair, known = atoms[place : place + 2], entries[place : place + 2]
        names, meant = ["sum", *pair], [total, *known]
        self.plain(SourceInstruction(add, ("", ", ", ", ", ""), names, meant, None))
        self.plain(
            SourceInstruction(
                opcode,
                shape[: place + 1] + shape[place + 2 :],
                [*atoms[:place], "sum", *atoms[place + 2 :]],
                [*entries[:place], total, *entries[place + 2 :]],
                guard,
            )
        )

    def _over_active_threads(self, source: SourceInstruction) -> None:
        """`vote` and `shfl` of older PTX: the threads that execute it together participate."""
        opcode, shape, atoms, entries, guard = source
        mask = self.names.temporary(B32)
        self.plain(SourceInstruction("activemask.b32", ("", ""), ["mask"], [mask], guard))
        mnemonic, _, rest = opcode.partition(".")
        shape = (*shape[:-1], f"{shape[-1]}, ", "")
        self.plain(
            SourceInstruction(
                f"{mnemonic}.sync.{rest}", shape, [*atoms, "mask"], [*entries, mask], guard
            )
        )

    # Parameters of calls

    def _is_call_access(self, source: SourceInstruction) -> bool:
        """Folds a store to a call's parameter, or a load of its result."""
        opcode, shape, atoms, entries, guard = source
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

    def _keep_pending(self, op: Operation) -> None:
        """Copies values that are waiting to be passed to a call before an op overwrites them."""
        written = {r.type for r in op.results}
        for variable in self.pending:
            for store in variable.stores:
                self._keep(store, written)

    def _keep(self, store: PendingStore, written: set[Attribute]) -> None:
        for number, value in enumerate(store.values):
            type_ = value.type
            if type_ in written and isinstance(type_, RegisterClass) and type_.number is not None:
                store.values[number] = self.copied(value)


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
