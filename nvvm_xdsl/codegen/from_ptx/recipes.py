"""Conversion of an instruction's text to its op, computed once per shape of the text.

Two instructions have equal shape if they have the same opcode, the same text between their names
and numbers, and names of the same kinds in the same positions: registers by class, numbers,
symbols. The forms of the tables define the results; the op's verifier defines the valid operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.nvptx.forms import OperandSpec, Signature, bits_of
from nvvm_xdsl.dialects.nvptx.instructions import LAYOUT, MODIFIERS, InstructionOp, ModifiersAttr
from nvvm_xdsl.dialects.nvptx.opcodes import Opcode
from nvvm_xdsl.dialects.nvptx.operands import (
    NOT,
    REG,
    SINK,
    OperandsAttr,
    Slot,
    addr,
    addr_list,
    addr_sym,
    fimm,
    imm,
    layout,
    sym,
    vec,
)
from nvvm_xdsl.dialects.nvptx.registers import (
    B16,
    B32,
    B64,
    B128,
    F32,
    F64,
    PRED,
    PredRegister,
    RegisterClass,
)
from nvvm_xdsl.dialects.ptx.operands import (
    Atom,
    Brackets,
    ConstantError,
    Expression,
    Float,
    Pair,
    Sink,
    SymbolValue,
    Tree,
    Vector,
    constant,
)
from nvvm_xdsl.ir import fast


class Entry(NamedTuple):
    """The meaning of an atom.

    Arguments:
        kind: the class of a register, else `number`, `float`, `symbol`, `special`, `vector`, or
            `part` for bytes of one.
        type_: of a register, its number included.
        value: the SSA value of the register.
        name: the name of a special register, or of a symbol in machine code.
        parts: the registers of a vector.
    """

    kind: Any
    type_: Any = None
    value: Any = None
    name: str = ""
    parts: tuple[Entry, ...] = ()


NUMBER: Final = "number"
FLOAT: Final = "float"
SYMBOL: Final = "symbol"
SPECIAL: Final = "special"
VECTOR: Final = "vector"
PART: Final = "part"

MOST_LAYOUTS: Final = 10_000
"""Maximum number of cached layouts of one recipe."""

Entries: TypeAlias = Sequence[Entry]
SlotMaker: TypeAlias = Callable[[Sequence[str], Entries], Slot]


class RecipeError(ValueError):
    """Operands that an instruction does not accept."""


@dataclass(frozen=True)
class Recipe:
    """The construction of an op.

    Arguments:
        results: the number of the atom of each result; for a discarded result its register class.
        registers: the numbers of the atoms that are SSA operands, in order.
        layout: the layout if it is independent of the text of atoms.
        makers: otherwise the functions that create its slots.
        constants: the numbers of the atoms that are not registers and determine the layout.
        layouts: the cached layouts.
        tied: whether the results' registers are operands, too.
    """

    instruction: type[InstructionOp]
    modifiers: ModifiersAttr
    results: tuple[int | RegisterClass, ...]
    registers: tuple[int, ...]
    layout: OperandsAttr | None
    makers: tuple[SlotMaker, ...] | None
    tied: bool
    constants: tuple[int, ...] = ()
    layouts: dict[tuple[str, ...], OperandsAttr] = field(
        default_factory=dict[tuple[str, ...], OperandsAttr], compare=False
    )


_CLASS_OF_WIDTH: Final = {1: PRED, 8: B16, 16: B16, 32: B32, 64: B64, 128: B128}


def class_of(type_: str) -> RegisterClass:
    """The register class for a value of a PTX type. Raises ValueError."""
    if type_ == "f32":
        return F32
    if type_ == "f64":
        return F64
    return _CLASS_OF_WIDTH[bits_of(type_)]


def is_register(entry: Entry) -> bool:
    """Returns True if an atom is a register that instructions read and write."""
    return isinstance(entry.kind, type)


def make_recipe(
    opcode: Opcode, trees: Sequence[Tree], atoms: Sequence[str], entries: Entries
) -> Recipe:
    """The recipe for an instruction. Raises RecipeError."""
    reason = ""
    signatures = opcode.signatures
    if trees and isinstance(trees[0], Sink):
        # If a form has no result, `_` is not a discarded result.
        signatures = sorted(signatures, key=lambda s: bool(s.results))
    for signature in signatures:
        try:
            recipe = _with_signature(opcode, signature, trees, atoms, entries)
        except RecipeError as error:
            reason = reason or str(error)
            continue
        return recipe
    raise RecipeError(reason or "its operands fit no form")


def _with_signature(
    opcode: Opcode,
    signature: Signature,
    trees: Sequence[Tree],
    atoms: Sequence[str],
    entries: Entries,
) -> Recipe:
    results, rest = _results(signature, trees, entries)
    specs = signature.operands
    if not signature.required_operands <= len(rest) <= len(specs):
        raise RecipeError(f"takes {len(specs)} operands, has {len(rest)}")
    registers: list[int] = []
    makers: list[SlotMaker] = []
    fixed = True
    for tree, spec in zip(rest, specs):
        maker, same = _slot_maker(_unbraced(tree, spec), spec, entries, registers)
        makers.append(maker)
        fixed = fixed and same
    slots = [maker(atoms, entries) for maker in makers]
    plain = all(slot is REG for slot in slots)
    cls = opcode.instruction
    recipe = Recipe(
        cls,
        opcode.modifiers,
        tuple(results),
        tuple(registers),
        layout(*slots) if fixed and not plain else None,
        None if fixed else tuple(makers),
        cls.row.tied,
        tuple(i for i, entry in enumerate(entries) if not is_register(entry)),
    )
    _verify(recipe, slots, entries)
    return recipe


def _verify(recipe: Recipe, slots: Sequence[Slot], entries: Entries) -> None:
    """Checks by the op's verifier whether the tables allow these operands."""
    types = [r if isinstance(r, RegisterClass) else entries[r].type_ for r in recipe.results]
    values: list[SSAValue] = [entries[i].value for i in recipe.registers]
    if recipe.tied:
        values = [entries[r].value for r in recipe.results if isinstance(r, int)] + values
    properties: dict[str, Attribute] = {MODIFIERS: recipe.modifiers}
    if any(slot is not REG for slot in slots):
        properties[LAYOUT] = layout(*slots)
    op = fast.create(recipe.instruction, values, types, properties)
    try:
        op.verify_()
    except VerifyException as error:
        raise RecipeError(str(error)) from None
    finally:
        fast.drop_uses(op)


def _results(
    signature: Signature, trees: Sequence[Tree], entries: Entries
) -> tuple[list[int | RegisterClass], Sequence[Tree]]:
    """The results, and the operand trees."""
    specs = signature.results
    if not specs:
        return [], trees
    taken = 1 if signature.is_pair else len(specs)
    if len(trees) < taken:
        raise RecipeError("has no result")
    groups: list[Tree] = []
    for tree in trees[:taken]:
        groups.extend((tree.first, tree.second) if isinstance(tree, Pair) else (tree,))
    if len(groups) > len(specs):
        raise RecipeError(f"has {len(specs)} results, not {len(groups)}")
    found: list[int | RegisterClass] = []
    for group, spec in zip(groups, specs):
        group = _unbraced(group, spec)
        elements = group.elements if isinstance(group, Vector) else (group,)
        if isinstance(group, Vector) and spec.count != len(elements) and spec.kind != "bits":
            raise RecipeError(f"the result must be {spec.count} registers in braces")
        if isinstance(group, Atom) and spec.count:
            raise RecipeError(f"the result must be {spec.count} registers in braces")
        for element in elements:
            if isinstance(element, Sink):
                if spec.kind == "bits":
                    size = bits_of(spec.type_) // len(elements)
                    found.append(_CLASS_OF_WIDTH[size])
                else:
                    found.append(class_of(spec.type_))
            elif isinstance(element, Atom) and is_register(entries[element.index]):
                found.append(element.index)
            else:
                raise RecipeError("the result must be a register")
    return found, trees[taken:]


def _unbraced(tree: Tree, spec: OperandSpec) -> Tree:
    """A register in braces is equivalent to the register if a plain operand is expected."""
    if isinstance(tree, Vector) and len(tree.elements) == 1 and not spec.count:
        return tree.elements[0]
    return tree


def _slot_maker(
    tree: Tree, spec: OperandSpec, entries: Entries, registers: list[int]
) -> tuple[SlotMaker, bool]:
    """The function that creates a slot, and whether the slot is the same for all atoms of these
    kinds.
    """
    if isinstance(tree, Sink):
        return lambda atoms, entries: SINK, True
    if isinstance(tree, Atom):
        entry = entries[tree.index]
        if is_register(entry):
            registers.append(tree.index)
            return lambda atoms, entries: REG, True
    if (
        isinstance(tree, Expression)
        and tree.operator == "!1"
        and isinstance(tree.arguments[0], Atom)
        and is_register(entries[tree.arguments[0].index])
    ):
        registers.append(tree.arguments[0].index)
        return lambda atoms, entries: NOT, True
    if isinstance(tree, Vector):
        inner = OperandSpec("reg", spec.type_) if spec.type_ else spec
        pairs = [_slot_maker(e, inner, entries, registers) for e in tree.elements]
        makers = [maker for maker, _ in pairs]
        return (
            lambda atoms, entries: vec(*[maker(atoms, entries) for maker in makers]),
            all(same for _, same in pairs),
        )
    if isinstance(tree, Brackets):
        return _brackets(tree, spec, entries, registers)
    if isinstance(tree, (Atom, Expression)):
        return lambda atoms, entries: _constant_slot(tree, spec, atoms, entries), False
    raise RecipeError("has an operand that it does not accept")


def _brackets(
    tree: Brackets, spec: OperandSpec, entries: Entries, registers: list[int]
) -> tuple[SlotMaker, bool]:
    if len(tree.elements) > 1 or spec.kind == "list":
        parts = spec.parts if len(spec.parts) == len(tree.elements) else [spec] * len(tree.elements)
        pairs = [_slot_maker(e, p, entries, registers) for e, p in zip(tree.elements, parts)]
        makers = [maker for maker, _ in pairs]
        return (
            lambda atoms, entries: addr_list(*[maker(atoms, entries) for maker in makers]),
            all(same for _, same in pairs),
        )
    if not tree.elements:
        raise RecipeError("has an empty address")
    (inner,) = tree.elements
    base = inner
    while isinstance(base, Expression) and base.operator in "+-" and len(base.arguments) == 2:
        base = base.arguments[0]
    if isinstance(base, Atom) and is_register(entries[base.index]):
        registers.append(base.index)
        if base is inner:
            return lambda atoms, entries: addr(0), True
        return lambda atoms, entries: addr(_offset(inner, base, atoms)), False
    return lambda atoms, entries: _symbol_address(inner, atoms, entries), False


def _offset(tree: Tree, base: Tree, atoms: Sequence[str]) -> int:
    """The addend of a register in an address."""
    total = 0
    while tree is not base:
        assert isinstance(tree, Expression)
        value = constant(tree.arguments[1], atoms)
        if not isinstance(value, int):
            raise ConstantError("only a constant is added to an address")
        total += value if tree.operator == "+" else -value
        tree = tree.arguments[0]
    return total


def _named(value: SymbolValue, entries: Entries, atoms: Sequence[str]) -> str:
    for entry, atom in zip(entries, atoms):
        if atom == value.name:
            if entry.kind != SYMBOL:
                break
            return entry.name
    raise ConstantError(f"'{value.name}' is not a symbol")


def _symbol_address(tree: Tree, atoms: Sequence[str], entries: Entries) -> Slot:
    value = constant(tree, atoms)
    if not isinstance(value, SymbolValue):
        raise RecipeError("an address must be in a register or a symbol's, not a number")
    return addr_sym(_named(value, entries, atoms), value.offset)


def _constant_slot(tree: Tree, spec: OperandSpec, atoms: Sequence[str], entries: Entries) -> Slot:
    value = constant(tree, atoms)
    if isinstance(value, int):
        return imm(value)
    if isinstance(value, Float):
        if spec.type_ in ("f32", "f64"):
            value = value.resized(bits_of(spec.type_))
        return fimm(value.bits, value.width)
    return sym(_named(value, entries, atoms), value.offset)


def build(
    recipe: Recipe,
    atoms: Sequence[str],
    entries: Entries,
    guard: tuple[str, Attribute, SSAValue] | None,
    location: Any,
) -> InstructionOp:
    """The op of an instruction. Raises RecipeError or ConstantError.

    Arguments:
        guard: the property's name and value, and the predicate.
    """
    operands = [entries[i].value for i in recipe.registers]
    types: list[Attribute] = [entries[r].type_ if isinstance(r, int) else r for r in recipe.results]
    if recipe.tied:
        operands = [entries[r].value for r in recipe.results if isinstance(r, int)] + operands
    properties: dict[str, Attribute] = {MODIFIERS: recipe.modifiers}
    if recipe.layout is not None:
        properties[LAYOUT] = recipe.layout
    elif recipe.makers is not None:
        # The name of a symbol in machine code depends on the module.
        key = tuple([entries[i].name or atoms[i] for i in recipe.constants])
        known = recipe.layouts.get(key)
        if known is None:
            if len(recipe.layouts) >= MOST_LAYOUTS:
                recipe.layouts.clear()
            known = layout(*[maker(atoms, entries) for maker in recipe.makers])
            recipe.layouts[key] = known
        properties[LAYOUT] = known
    if guard is not None:
        properties[guard[0]] = guard[1]
        operands.append(guard[2])
    return fast.create(recipe.instruction, operands, types, properties, (), None, location)


def is_predicate(entry: Entry) -> bool:
    """Returns True if an atom is a predicate."""
    return entry.kind is PredRegister
