"""Registers that are wider than the loaded, stored or converted type.

PTX ISA 9.1, section 9.4.1: `ld`, `st` and `cvt` accept registers wider than their type. The nvptx
dialect accepts them only for bytes; for other types a conversion before or after the instruction is
inserted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.codegen.from_ptx.body import Body
from nvvm_xdsl.codegen.from_ptx.recipes import (
    Entry,
    RecipeError,
    build,
    class_of,
    is_register,
    make_recipe,
)
from nvvm_xdsl.dialects.nvptx.opcodes import Opcode
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, RegisterClass
from nvvm_xdsl.dialects.ptx.operands import Atom, Tree, Vector
from nvvm_xdsl.ir import fast

_LOADS: Final = frozenset({"ld", "ldu", "ld.global.nc"})
_RELAXED: Final = _LOADS | {"st", "cvt"}

_INTEGER: Final = {16: B16, 32: B32, 64: B64}
"""The registers that `cvt` converts between, by width."""


def with_widths(
    at: Body,
    opcode: Opcode,
    trees: Sequence[Tree],
    atoms: Sequence[str],
    entries: Sequence[Entry],
    guard: tuple[str, Attribute, SSAValue] | None,
) -> bool:
    """Creates an instruction on registers of its own width; returns whether there is one."""
    mnemonic = opcode.instruction.mnemonic
    if mnemonic not in _RELAXED or not trees:
        return False
    words = opcode.modifiers.data.split(".")
    plain = list(entries)
    narrow: list[tuple[int, RegisterClass]] = []
    result_type = words[-2] if mnemonic == "cvt" else words[-1]
    source_type = words[-1]
    results = _atoms_of(trees[0]) if mnemonic != "st" else []
    sources = _atoms_of(trees[1]) if mnemonic in ("st", "cvt") and len(trees) > 1 else []
    for index in results:
        wanted = class_of(result_type)
        entry = entries[index]
        if is_register(entry) and wanted.width < entry.type_.width in _INTEGER:
            plain[index] = at.names.temporary(wanted)
            narrow.append((index, entry.type_))
    for index in sources:
        wanted = class_of(source_type)
        entry = entries[index]
        if is_register(entry) and 1 < wanted.width < entry.type_.width in _INTEGER:
            made = _narrowed(at, entry, wanted)
            plain[index] = Entry(type(wanted), wanted, made)
    try:
        recipe = make_recipe(opcode, trees, atoms, plain)
    except RecipeError:
        return False
    op = build(recipe, atoms, plain, guard, fast.UNKNOWN_LOC)
    at.append(op)
    signed = result_type[0] == "s"
    for index, type_ in narrow:
        _widen(at, plain[index].value, type_, signed, guard)
    return True


def _atoms_of(tree: Tree) -> list[int]:
    elements = tree.elements if isinstance(tree, Vector) else (tree,)
    return [e.index for e in elements if isinstance(e, Atom)]


def _narrowed(at: Body, entry: Entry, wanted: RegisterClass) -> SSAValue:
    source = entry.type_.width
    value = entry.value
    if entry.type_.is_float:
        value = at.emit(f"mov.b{source}", (value,), (_INTEGER[source],)).results[0]
    made = at.emit(f"cvt.u{wanted.width}.u{source}", (value,), (_INTEGER[wanted.width],))
    if wanted.is_float:
        made = at.emit(f"mov.b{wanted.width}", (made.results[0],), (wanted,))
    return made.results[0]


def _widen(
    at: Body,
    value: SSAValue,
    type_: RegisterClass,
    signed: bool,
    guard: tuple[str, Attribute, SSAValue] | None,
) -> None:
    """Writes a value to a wider register, under the guard."""
    predicate = () if guard is None else (guard[2],)
    properties = {} if guard is None else {guard[0]: guard[1]}
    source = value.type
    assert isinstance(source, RegisterClass)
    if source.is_float:
        value = at.emit(f"mov.b{source.width}", (value,), (_INTEGER[source.width],)).results[0]
    letter = "s" if signed else "u"
    opcode = f"cvt.{letter}{type_.width}.{letter}{source.width}"
    if type_.is_float:
        bits = at.emit(opcode, (value,), (_INTEGER[type_.width],)).results[0]
        at.emit(f"mov.b{type_.width}", (bits, *predicate), (type_,), properties)
    else:
        at.emit(opcode, (value, *predicate), (type_,), properties)
