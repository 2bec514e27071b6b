"""Instruction selection: one `Selector` for each function, which the rules use.

Selection is one forward walk over a function's blocks in reverse post-order. For each op the
rule registered for its class runs, reads its operands as *parts* (see `shapes`) and emits
nvptx instructions. A rule is a function of the selector and the op:

    @selects(AddOp, pure=True)
    def add(sel: Selector, op: Operation) -> None:
        a, b = operands_of(op)
        (sum,) = sel.emit("add", "s32", (sel.reg(a), sel.operand(b)), (B32,))
        sel.define(op.results[0], sum)

Rules of other packages register in the same way; a later registration for a class replaces
an earlier one.

*Deferred* ops can be folded into their users: an address computation into a load's `[reg+imm]`, a
product into an fma, an extension into `mul.wide`. Nothing is emitted for them when the walk reaches
them. The first use that needs the value in a register runs their rule, and the instructions are
inserted at the position of the op, so that a value computed outside of a loop stays outside. An op
that was folded into every user emits nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from nvvm_xdsl.analysis.dominators import PostDominatorTree
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.codegen.errors import SelectionError, error_at
from nvvm_xdsl.codegen.module_context import ModuleContext, is_undefined
from nvvm_xdsl.codegen.shapes import POINTER, Shape
from nvvm_xdsl.dialects.nvptx.conditions import reverse_branch_condition
from nvvm_xdsl.dialects.nvptx.control_flow import CbraOp, pragma
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, GUARD_FALSE, GUARD_TRUE, MachineOp, build
from nvvm_xdsl.dialects.nvptx.operands import (
    FLOAT_KIND,
    IMMEDIATE_KIND,
    REG,
    SYMBOL_KIND,
    Slot,
    addr,
    addr_list,
    addr_sym,
    layout,
    slot_name,
    slot_number,
    sym,
    vec,
)
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, F32, F64, PRED, RegisterClass
from nvvm_xdsl.dialects.nvptx.special_registers import undef
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.fast import UNKNOWN_LOC
from nvvm_xdsl.ir.nvptx import STATE_SPACES
from nvvm_xdsl.verify.verifier import function_name

Part: TypeAlias = "SSAValue | Slot"
"""A register, or an immediate slot for a part of a constant."""

Parts: TypeAlias = tuple[Part, ...]


GENERIC_SYMBOL = -1
"""Kind of a pseudo slot: name, offset and space of a symbol whose generic address is used."""


class Address:
    """The target of a pointer: a register or symbol in a state space, plus a constant.

    Arguments:
        base: the register, or None if there is a symbol.
        symbol: the symbol, or an empty string.
        offset: bytes to add.
        space: the address space of base or symbol.
        root: the llvm value from which the address was computed, for alias queries.
    """

    __slots__ = ("base", "offset", "root", "space", "symbol")

    def __init__(
        self,
        base: SSAValue | None,
        symbol: str,
        offset: int,
        space: int,
        root: SSAValue | None = None,
    ) -> None:
        self.base = base
        self.symbol = symbol
        self.offset = offset
        self.space = space
        self.root = root

    def plus(self, offset: int) -> Address:
        """The address at an offset in bytes."""
        if not offset:
            return self
        return Address(self.base, self.symbol, self.offset + offset, self.space, self.root)

    @property
    def suffix(self) -> str:
        """The state space as a modifier with a leading dot, empty for generic addresses."""
        name = STATE_SPACES[self.space]
        return "." + name if name else ""


class ListAddress:
    """`[%rd1, {%r1, %r2}]`: handles and coordinates in brackets."""

    __slots__ = ("elements",)

    def __init__(self, *elements: Part | Sequence[Part]) -> None:
        self.elements = elements


EmitOperand: TypeAlias = "Part | Address | ListAddress | list[Part]"
"""Operands of `Selector.emit`: a register, a slot, an address, or a list for braces."""

Rule: TypeAlias = "Callable[[Selector, Operation], None]"
IntrinsicRule: TypeAlias = "Callable[[Selector, Operation, str], None]"
Deferral: TypeAlias = "Callable[[Selector, Operation], bool]"

RULES: dict[type[Operation], Rule] = {}
"""The rule of each op class."""

PURE: set[type[Operation]] = set()
"""Op classes that are omitted if their results are unused."""

DEFERRED: dict[type[Operation], Deferral | None] = {}
"""Op classes that are emitted on demand, with the condition for deferral; None for no condition."""

INTRINSICS: dict[str, IntrinsicRule] = {}
"""The rule of each intrinsic that `llvm.call_intrinsic` may name."""

PURE_INTRINSICS: set[str] = set()
"""Intrinsics that are omitted if their results are unused."""


def _check_registration(name: str, present: Callable[..., None] | None, replaces: bool) -> None:
    if present is not None and not replaces:
        raise ValueError(
            f"'{name}' has a selection rule, '{present.__module__}.{present.__name__}'; a second "
            "one must say replaces=True"
        )
    if present is None and replaces:
        raise ValueError(f"'{name}' has no selection rule that could be replaced")


def selects(
    *classes: type[Operation],
    pure: bool = False,
    deferred: bool | Deferral = False,
    replaces: bool = False,
) -> Callable[[Rule], Rule]:
    """Registers the decorated rule for op classes.

    Arguments:
        pure: the op may be omitted if its results are unused.
        deferred: the op is emitted only when its result is needed in a register; a function returns
            whether an op is deferred. The rule of a deferred op starts no blocks.
        replaces: the rule replaces the existing rule of its ops.

    Raises ValueError for an op that already has a rule, unless `replaces` is set, and with
    `replaces` for an op without a rule.
    """

    def register(rule: Rule) -> Rule:
        for cls in classes:
            _check_registration(cls.name, RULES.get(cls), replaces)
            RULES[cls] = rule
            PURE.discard(cls)
            if pure or deferred:
                PURE.add(cls)
            if deferred is True:
                DEFERRED[cls] = None
            elif deferred:
                DEFERRED[cls] = deferred
            else:
                DEFERRED.pop(cls, None)
        return rule

    return register


def selects_intrinsic(
    *names: str, pure: bool = False, replaces: bool = False
) -> Callable[[IntrinsicRule], IntrinsicRule]:
    """Registers the decorated rule for intrinsics; it gets the selector, the call, the name.

    Arguments and errors are those of `selects`.
    """

    def register(rule: IntrinsicRule) -> IntrinsicRule:
        for name in names:
            _check_registration(name, INTRINSICS.get(name), replaces)
            INTRINSICS[name] = rule
            PURE_INTRINSICS.discard(name)
            if pure:
                PURE_INTRINSICS.add(name)
        return rule

    return register


MOV_TYPES: dict[RegisterClass, str] = {
    B16: "b16",
    B32: "b32",
    B64: "b64",
    F32: "b32",
    F64: "b64",
    PRED: "pred",
}
"""The type of a `mov` between registers of a class."""


class Selector:
    """State of the selection of one function.

    Attributes:
        module: facts about the whole module: options, types, symbols.
        options: the options of selection.
        location: the location of emitted instructions.
        known_bits: registers that contain an extended integer: whether it is sign-extended, and its
            original width.
        blocks: the first nvptx block of each llvm block.
        current: the op being selected.
        entry: the entry block of the llvm function.
        locals: the number of arrays in local memory so far.
        is_kernel: whether the function is a kernel.
        returns_signed: whether a small integer result is sign-extended.
        variadic: the pointer to the variable arguments of a variadic function.
        unsafe_math: whether the function permits approximate division and square root.
    """

    def __init__(
        self, module: ModuleContext, find_address: Callable[[Selector, SSAValue], Address]
    ) -> None:
        self.module = module
        self._find_address = find_address
        self.options = module.options
        self.target = module.options.target
        self.ftz = module.options.ftz
        self.fmad = module.options.fmad
        self.prec_div = module.options.prec_div
        self.prec_sqrt = module.options.prec_sqrt
        self.location: Any = UNKNOWN_LOC
        self.known_bits: dict[SSAValue, tuple[bool, int]] = {}
        self.blocks: dict[Block, Block] = {}
        self.body = Region()
        self._values: dict[SSAValue, Parts] = {}
        self._deferred: dict[SSAValue, list[Any]] = {}
        self._addresses: dict[SSAValue, Address] = {}
        self._late_addresses: dict[SSAValue, tuple[list[Any], Callable[[], Address]]] = {}
        self._lists: list[tuple[Block, list[Any]]] = []
        self._starts: dict[Block, list[Any]] = {}
        self._marked: set[Block] = set()
        self.branches_to_next: list[CbraOp] = []
        """Branches whose comparisons are inverted once all uses of these are known."""
        self._out: list[Any] = []
        self._block: Block | None = None
        self.current: Operation | None = None
        self.entry: Block | None = None
        self.locals = 0
        self.unsafe_math = False
        self.is_kernel = False
        self.returns_signed = False
        self.variadic: Part | None = None
        self._generic_of: dict[SSAValue, SSAValue] = {}
        self._block_values: dict[Any, SSAValue] = {}
        self._shapes_of = module.shapes.of
        self._facts: ValueTracking | None = None
        self._post_dominators: PostDominatorTree | None = None

    @property
    def facts(self) -> ValueTracking:
        """Facts about the function's integers; computed on first use."""
        if self._facts is None:
            assert self.entry is not None
            func = self.entry.parent_op()
            assert func is not None
            self._facts = ValueTracking(func)
        return self._facts

    @property
    def post_dominators(self) -> PostDominatorTree:
        """Post-dominators of the llvm function; computed on first use."""
        if self._post_dominators is None:
            assert self.entry is not None
            region = self.entry.parent
            assert region is not None
            self._post_dominators = PostDominatorTree(region)
        return self._post_dominators

    # Types

    def shape(self, value: SSAValue) -> Shape:
        """The shape of a value's type."""
        return self._shapes_of(value.type)

    def shape_of(self, type_: Attribute) -> Shape:
        """The shape of a type."""
        return self._shapes_of(type_)

    # Values

    def parts(self, value: SSAValue) -> Parts:
        """The value's parts: registers, and immediate slots for a constant."""
        found = self._values.get(value)
        return self._needed(value) if found is None else found

    def regs(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """The value's parts, all of them in registers."""
        parts = self.parts(value)
        classes = self._shapes_of(value.type).parts
        return tuple(map(self.materialise, parts, classes))

    def reg(self, value: SSAValue) -> SSAValue:
        """The value's only part, in a register."""
        found = self._values.get(value)
        if found is None:
            found = self._needed(value)
        part = found[0]
        if isinstance(part, tuple):
            return self.materialise(part, self._shapes_of(value.type).parts[0])
        return part

    def operand(self, value: SSAValue) -> Part:
        """The value's only part as an operand: an immediate slot for a constant.

        Instructions on f16, bf16 and predicates take no immediates: use `reg` for those.
        """
        found = self._values.get(value)
        if found is None:
            found = self._needed(value)
        return found[0]

    def materialise(self, part: Part, register: RegisterClass) -> SSAValue:
        """The part in a register: a constant is moved into one at its use."""
        if not isinstance(part, tuple):
            return part
        if part[0] == SYMBOL_KIND:
            return self.symbol(slot_name(part), slot_number(part, 2))
        if part[0] == GENERIC_SYMBOL:
            return _generic_symbol(self, part)
        if is_undefined(part):
            return self.append(undef(register)).results[0]
        return self.emit("mov", MOV_TYPES[register], (part,), (register,))[0]

    def define(self, result: SSAValue, *parts: Part) -> None:
        """Defines the parts of a result, in the order of its shape."""
        self._values[result] = parts

    def is_defined(self, value: SSAValue) -> bool:
        """Returns True if the value's parts exist: false for a deferred value that was not needed
        so far."""
        return value in self._values

    def constant(self, value: SSAValue) -> int | None:
        """The value of an integer or null constant, signed, or 0 or 1 for an i1; else None."""
        return self.module.constant(value)

    def _needed(self, value: SSAValue) -> Parts:
        """Emits a deferred value at its definition."""
        slot = self._deferred.pop(value, None)
        if slot is None:
            producer = value.owner
            what = producer.name if isinstance(producer, Operation) else "a block argument"
            raise self.error(self.current, f"the result of {what} is used before it is defined")
        op = fast.producer_of(value)
        out = self._out
        location = self.location
        block = self._block
        block_values = self._block_values
        self._out = slot[0]
        self._block = slot[1]
        self._block_values = {}
        self.location = op.location
        RULES[type(op)](self, op)
        self._out = out
        self._block = block
        self._block_values = block_values
        self.location = location
        return self._values[value]

    def defer(self, op: Operation) -> None:
        """Defers the op until one of its results is needed in a register."""
        place: list[Any] = []
        self._out.append(place)
        slot = [place, self._block]
        for result in op.results:
            self._deferred[result] = slot

    def in_block_of_use(self, key: Any) -> SSAValue | None:
        """The register that `remember` recorded for this key in the current block."""
        return self._block_values.get(key)

    def remember(self, key: Any, value: SSAValue) -> SSAValue:
        """Records a register for later uses in the same block; returns it."""
        self._block_values[key] = value
        return value

    # Instructions

    def emit(
        self,
        mnemonic: str,
        mods: str,
        operands: Sequence[EmitOperand] = (),
        result_types: Sequence[RegisterClass] = (),
        *,
        guard: SSAValue | None = None,
        guard_inverted: bool = False,
        tied: Sequence[SSAValue] = (),
    ) -> tuple[SSAValue, ...]:
        """Emits an instruction and returns its results.

        Arguments:
            mnemonic: the first word of the PTX instruction, such as `add`.
            mods: its modifiers joined by dots, such as `rn.ftz.f32`.
            operands: in PTX order, results excluded; registers, slots, addresses, and lists of
                registers and immediates for braces.
            result_types: the register class of each result.
            guard: the predicate under which the instruction is executed.
            tied: the initial values of the results, for an instruction that reads them.
        """
        registers: list[SSAValue] = list(tied)
        slots = _slots(self, mnemonic, operands, registers)
        key = (mnemonic, mods)
        if key not in self.module.used:
            self.module.use(key, self.current)
        guard_attr: Attribute | None = None
        if guard is not None:
            if slots is None:
                # Without a layout the guard would be treated as an operand.
                slots = [REG] * len(operands)
            registers.append(guard)
            guard_attr = GUARD_FALSE if guard_inverted else GUARD_TRUE
        made = build(
            mnemonic,
            mods,
            registers,
            result_types,
            None if slots is None else layout(*slots),
            self.location,
        )
        if guard_attr is not None:
            made.properties[GUARD] = guard_attr
        if made.row.has_ranges:
            stated = ", ".join(str(slot[1]) for slot in made.slots if slot[0] == IMMEDIATE_KIND)
            self.module.require(made.requirement(), f"{mnemonic}.{mods} {stated}", self.current)
        self._out.append(made)
        return made.results

    def emit1(
        self, mnemonic: str, mods: str, operands: Sequence[EmitOperand], register: RegisterClass
    ) -> SSAValue:
        """Emits an instruction with one result and returns that."""
        return self.emit(mnemonic, mods, operands, (register,))[0]

    def append(self, op: Operation) -> Operation:
        """Emits an nvptx op."""
        requirement = cast(MachineOp, op).requirement()
        if requirement is not None:
            self.module.require(requirement, op.name, self.current)
        self._out.append(op)
        return op

    def append_place(self, place: list[Any]) -> None:
        """Reserves this position for ops that are added to a list later; they must exist at
        `finish`.
        """
        self._out.append(place)

    def register_of(self, value: SSAValue) -> SSAValue | None:
        """The register of a selected value, if it is in a register; selects nothing."""
        parts = self._values.get(value, ())
        if len(parts) != 1 or type(parts[0]) is tuple:
            return None
        return cast(SSAValue, parts[0])

    def address_of(self, pointer: SSAValue) -> Address | None:
        """The target of a pointer, if known; selects nothing."""
        return self._addresses.get(pointer)

    def last_emitted(self) -> Operation:
        """The last emitted op in the current block."""
        return self._out[-1]

    def append_entry(self, op: Operation) -> Operation:
        """Puts an nvptx op at the start of the function's first block."""
        self._lists[0][1].insert(0, op)
        return op

    def in_entry(self, op: Operation) -> bool:
        """Returns whether the op is in the function's entry block."""
        return op.parent is self.entry

    def error(self, op: Operation | None, message: str) -> SelectionError:
        """The error to raise for an op that cannot be selected."""
        return error_at(op if op is not None else self.current, message)

    # Blocks

    @property
    def block(self) -> Block:
        """The current nvptx block."""
        assert self._block is not None
        return self._block

    def new_block(self, arg_types: Sequence[RegisterClass] = ()) -> Block:
        """A new block that may be branched to; it is placed when it is started."""
        return fast.new_block(arg_types)

    def start_block(self, block: Block) -> None:
        """Continues at the end of this block, placed after those started so far."""
        self._out = []
        self._block = block
        self._block_values = {}
        self._lists.append((block, self._out))
        self._starts[block] = self._out

    def mark_loop(self, header: Block, text: str) -> None:
        """Inserts a pragma at the start of a loop's header if the header is already selected."""
        items = self._starts.get(header)
        if items is not None and header not in self._marked:
            self._marked.add(header)
            items.insert(0, pragma(text))

    def finish(self) -> Region:
        """The function's body, once all blocks are filled."""
        body = self.body
        append = fast.append
        for block, items in self._lists:
            for item in items:
                if isinstance(item, list):
                    for op in cast("list[Operation]", item):
                        append(block, op)
                else:
                    append(block, item)
            fast.append_block(body, block)
        for branch in self.branches_to_next:
            reverse_branch_condition(branch)
        return body

    # The walk

    def select(self, op: Operation) -> None:
        """Applies the rule of one op, or defers it."""
        cls = type(op)
        self.current = op
        self.location = op.location
        if cls in DEFERRED:
            test = DEFERRED[cls]
            if test is None or test(self, op):
                self.defer(op)
                return
        rule = RULES.get(cls)
        if rule is None:
            raise self.error(op, f"{op.name} is not supported by code generation")
        try:
            rule(self, op)
        except SelectionError as error:
            if error.op is not None:
                raise
            raise self.error(op, error.message) from None
        except DiagnosticError:
            raise
        except Exception as error:
            error.add_note(f"while selecting {op.name} in '{function_name(op)}'")
            raise

    # Pointers

    def address(self, pointer: SSAValue) -> Address:
        """The address in a pointer, in the space of the pointer's own type."""
        found = self.memory_address(pointer)
        space = self.module.pointer_space(pointer.type)
        if found.space != space:
            return Address(self.reg(pointer), "", 0, space, found.root)
        return found

    def memory_address(self, pointer: SSAValue) -> Address:
        """The address in a pointer, in the most specific known space.

        A generic pointer that is converted from a pointer into another space, or that is a kernel's
        pointer argument or the address of a local variable, has an address in that space.
        """
        found = self._addresses.get(pointer)
        if found is None:
            late = self._late_addresses.get(pointer)
            if late is None:
                found = self._find_address(self, pointer)
            else:
                out = self._out
                self._out = late[0]
                found = late[1]()
                self._out = out
            if not _is_constant_move(found.base):
                self._addresses[pointer] = found
            # Not recorded: the register of a constant may not be available in other blocks.
        return found

    def defer_address(self, pointer: SSAValue, make: Callable[[], Address]) -> None:
        """Defers the computation of a pointer's address to its first use."""
        place: list[Any] = []
        self._out.append(place)
        self._late_addresses[pointer] = (place, make)

    def set_address(self, pointer: SSAValue, address: Address) -> None:
        """Records the target of a pointer."""
        self._addresses[pointer] = address

    def note_generic(self, register: SSAValue, generic: SSAValue) -> None:
        """Records that `generic` is the generic address of the address in `register`."""
        self._generic_of[register] = generic

    def generic_of(self, register: SSAValue) -> SSAValue | None:
        """The generic address of an address in some space, if it is in a register."""
        return self._generic_of.get(register)

    # Symbols

    def symbol(self, name: str, offset: int = 0) -> SSAValue:
        """The address of a symbol, in the symbol's own space, in a register."""
        return _symbol(self, name, offset, B32 if name in self.module.narrow_symbols else B64)


def _is_constant_move(register: SSAValue | None) -> bool:
    """Returns True if a register was created by moving a constant at a use of the constant."""
    if type(register) is not OpResult:
        return False
    op = fast.producer_of(cast(SSAValue, register))
    return op.name == "nvptx.mov" and not fast.operands_of(op)


def _address_slot(address: Address, registers: list[SSAValue]) -> Slot:
    if address.base is None:
        return addr_sym(address.symbol, address.offset)
    registers.append(address.base)
    return addr(address.offset)


def _symbol(sel: Selector, name: str, offset: int, register: RegisterClass) -> SSAValue:
    key = (name, offset, register)
    found = sel.in_block_of_use(key)
    if found is not None:
        return found
    # ptxas only accepts the address of a texture with this type.
    mods = "u64" if name in sel.module.handle_symbols else MOV_TYPES[register]
    return sel.remember(key, sel.emit1("mov", mods, (sym(name, offset),), register))


def _generic_symbol(sel: Selector, slot: Slot) -> SSAValue:
    found = sel.in_block_of_use(slot)
    if found is not None:
        return found
    _, name, offset, space = cast("tuple[int, str, int, int]", slot)
    address = _symbol(sel, name, offset, B64)
    return sel.remember(slot, sel.emit1("cvta", f"{STATE_SPACES[space]}.u64", (address,), B64))


def _slots(
    sel: Selector, mnemonic: str, operands: Sequence[EmitOperand], registers: list[SSAValue]
) -> list[Slot] | None:
    """The slots of operands, whose registers are added to `registers`; None if all operands are
    registers."""
    slots: list[Slot] | None = None
    for index, operand in enumerate(operands):
        cls = type(operand)
        if cls is OpResult or cls is BlockArgument:
            registers.append(cast(SSAValue, operand))
            if slots is not None:
                slots.append(REG)
            continue
        if slots is None:
            slots = [REG] * index
        if cls is tuple:
            slot = cast(Slot, operand)
            kind = slot[0]
            if kind == GENERIC_SYMBOL or (kind == SYMBOL_KIND and mnemonic != "mov"):
                # Only `mov` accepts a symbol's address.
                registers.append(sel.materialise(slot, B64))
                slots.append(REG)
            else:
                slots.append(slot)
        elif cls is Address:
            slots.append(_address_slot(cast(Address, operand), registers))
        elif cls is list:
            slots.append(_vector_slot(sel, cast("list[Part]", operand), registers))
        else:
            slots.append(_list_slot(sel, cast(ListAddress, operand), registers))
    return slots


def _vector_slot(sel: Selector, elements: list[Part], registers: list[SSAValue]) -> Slot:
    slots: list[Slot] = []
    for element in elements:
        if isinstance(element, tuple):
            if element[0] != SYMBOL_KIND and element[0] != GENERIC_SYMBOL:
                slots.append(element)
                continue
            element = sel.materialise(element, B64)
        registers.append(element)
        slots.append(REG)
    return vec(*slots)


def _list_slot(sel: Selector, listed: ListAddress, registers: list[SSAValue]) -> Slot:
    slots: list[Slot] = []
    for element in listed.elements:
        if isinstance(element, list):
            slots.append(_vector_slot(sel, element, registers))
        else:
            registers.append(sel.materialise(cast(Part, element), B64))
            slots.append(REG)
    return addr_list(*slots)


def immediate_value(part: Part) -> int | None:
    """The value of an integer immediate or the bits of a float immediate; None for a register."""
    if isinstance(part, tuple):
        if part[0] == IMMEDIATE_KIND or part[0] == FLOAT_KIND:
            return slot_number(part)
    return None


def is_pointer(shape: Shape) -> bool:
    """Returns True if values of the shape are pointers."""
    return shape.kind == POINTER
