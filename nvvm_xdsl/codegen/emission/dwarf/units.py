"""A module's units: functions, their scopes, and variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from nvvm_xdsl.codegen.emission.dwarf.constants import LANGUAGES, At, Op, Tag
from nvvm_xdsl.codegen.emission.dwarf.dies import Die, Sections
from nvvm_xdsl.codegen.emission.dwarf.locations import (
    LocationLists,
    VariablePlace,
    constant_of,
    variable_location,
)
from nvvm_xdsl.codegen.emission.dwarf.scopes import FunctionScopes, History, Scope
from nvvm_xdsl.codegen.emission.dwarf.types import FileNumber, Types
from nvvm_xdsl.dialects.attributes import StructAttr
from nvvm_xdsl.dialects.llvm.attributes import DIFileAttr, DINullTypeAttr
from nvvm_xdsl.dialects.llvm.debug_fields import number_in, text_of
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DICompileUnitAttr,
    DIGlobalVariableAttr,
    DIGlobalVariableExpressionAttr,
    DILocalVariableAttr,
    DISubprogramAttr,
    DISubroutineTypeAttr,
)
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.locations import place_of_location

FULL: Final = StringAttr("Full")
"""Attributes of units that apply to all entries."""

_INLINED: Final = 1
"""`DW_INL_inlined`."""


class _Unit:
    """A compile unit and its entries.

    Arguments:
        attribute: its description.
        file_number: numbers source files.
    """

    def __init__(self, attribute: DICompileUnitAttr, file_number: FileNumber) -> None:
        self.die = Die(Tag.COMPILE_UNIT)
        file = attribute.file
        language = LANGUAGES.get(text_of(attribute, "sourceLanguage"))
        self.die.text(At.PRODUCER, text_of(attribute, "producer"))
        self.die.number(At.LANGUAGE, language or LANGUAGES["DW_LANG_C_plus_plus"])
        self.die.text(At.NAME, file.file_name.data if isinstance(file, DIFileAttr) else "")
        self.die.section(At.STMT_LIST, ".debug_line")
        self.die.text(At.COMP_DIR, file.directory.data if isinstance(file, DIFileAttr) else "")
        self.types = Types(self.die, file_number)
        self.inlined: dict[Attribute, Die] = {}


class DebugInfo:
    """The debug information of a module.

    Arguments:
        file_number: numbers source files.
    """

    def __init__(self, file_number: FileNumber) -> None:
        self._file_number = file_number
        self._units: dict[Attribute, _Unit] = {}
        self._scopes: dict[Attribute, Die] = {}
        """The entries of functions' scopes."""
        self._lists = LocationLists()
        self._globals: dict[DIGlobalVariableAttr, list[VariablePlace]] = {}

    def directives(self) -> list[str]:
        """The sections, after all functions and variables are described; empty if none is."""
        for variable, places in self._globals.items():
            self._global_variable(variable, places)
        if not self._units:
            return []
        sections = Sections()
        for unit in self._units.values():
            sections.unit(unit.die)
        return [*self._lists.directives(), *sections.directives()]

    def _unit(self, attribute: Attribute | None) -> _Unit | None:
        if not isinstance(attribute, DICompileUnitAttr):
            return None
        if attribute.field("emissionKind") != FULL:
            return None
        known = self._units.get(attribute)
        if known is None:
            known = self._units[attribute] = _Unit(attribute, self._file_number)
        return known

    # Functions

    def function(self, scopes: FunctionScopes) -> None:
        """Describes a function after all its code is emitted."""
        subprogram = scopes.subprogram
        unit = self._unit(subprogram.field("compileUnit"))
        if unit is None:
            return
        die = unit.types.context(subprogram.field("scope")).child(Tag.SUBPROGRAM)
        die.label(At.LOW_PC, scopes.root.begin)
        die.label(At.HIGH_PC, scopes.root.end)
        die.expression(At.FRAME_BASE, [bytes([Op.CALL_FRAME_CFA])])
        self._declaration(unit, die, subprogram)
        self._contents(unit, die, scopes.root)

    @staticmethod
    def _declaration(unit: _Unit, die: Die, subprogram: DISubprogramAttr) -> None:
        name, linkage_name = text_of(subprogram, "name"), text_of(subprogram, "linkageName")
        if linkage_name and linkage_name != name:
            die.text(At.LINKAGE_NAME, linkage_name)
        if name:
            die.text(At.NAME, name)
        unit.types.declared(die, subprogram)
        signature = subprogram.field("type")
        if isinstance(signature, DISubroutineTypeAttr):
            result = next(iter(items_of(signature.field("types"))), DINullTypeAttr())
            die.reference(At.TYPE, unit.types.type_(result))
        if "LocalToUnit" not in text_of(subprogram, "subprogramFlags").split("|"):
            die.flag(At.EXTERNAL)

    def _contents(self, unit: _Unit, die: Die, scope: Scope) -> None:
        """The variables of a scope and its inner scopes."""
        self._scopes.setdefault(scope.scope, die)
        described = sorted(scope.variables.items(), key=lambda item: _order(item[0]))
        for variable, history in described:
            self._local_variable(unit, die, variable, history)
        for inner in scope.children:
            if isinstance(inner.scope, DISubprogramAttr):
                self._inlined(unit, die, inner)
            elif not inner.variables:
                # As in LLVM, a block without declarations is omitted.
                self._contents(unit, die, inner)
            else:
                block = die.child(Tag.LEXICAL_BLOCK)
                _range(block, inner)
                self._contents(unit, block, inner)

    def _inlined(self, unit: _Unit, die: Die, scope: Scope) -> None:
        assert isinstance(scope.scope, DISubprogramAttr)
        assert scope.call is not None
        made = Die(Tag.INLINED_SUBROUTINE)
        made.reference(At.ABSTRACT_ORIGIN, self._abstract(unit, scope.scope))
        _range(made, scope)
        call = place_of_location(scope.call)
        if call.file is not None:
            made.number(At.CALL_FILE, self._file_number(call.file))
            made.number(At.CALL_LINE, call.line or 0)
            made.number(At.CALL_COLUMN, call.column or 0)
        self._contents(unit, made, scope)
        if scope.begin or made.children:
            die.children.append(made)

    def _abstract(self, unit: _Unit, subprogram: DISubprogramAttr) -> Die:
        known = unit.inlined.get(subprogram)
        if known is None:
            known = unit.types.context(subprogram.field("scope")).child(Tag.SUBPROGRAM)
            unit.inlined[subprogram] = known
            self._declaration(unit, known, subprogram)
            known.number(At.INLINE, _INLINED)
        return known

    # Variables

    def _local_variable(
        self, unit: _Unit, die: Die, variable: DILocalVariableAttr, history: History
    ) -> None:
        is_parameter = bool(number_in(variable, "arg"))
        made = die.child(Tag.FORMAL_PARAMETER if is_parameter else Tag.VARIABLE)
        self._locate(made, history)
        _name(unit, made, variable)

    def _locate(self, die: Die, history: History) -> None:
        fixed = history.fixed
        if fixed is None:
            self._lists.locate(die, history.spans)
        elif fixed.constant is not None:
            die.signed(At.CONST_VALUE, fixed.constant)
        else:
            if fixed.address_class is not None:
                die.number(At.ADDRESS_CLASS, fixed.address_class)
            die.expression(At.LOCATION, fixed.expression)

    def global_variable(self, described: Attribute, symbol: str = "", space: str = "") -> None:
        """Records a description of a module variable, a `#llvm.di_global_variable_expression`.

        Arguments:
            symbol, space: the memory and its state space; empty for none.
        """
        if isinstance(described, DIGlobalVariableExpressionAttr):
            variable = described.field("var")
            if isinstance(variable, DIGlobalVariableAttr):
                place = VariablePlace(described.field("expr"), symbol, space)
                self._globals.setdefault(variable, []).append(place)

    def _global_variable(
        self, variable: DIGlobalVariableAttr, places: Sequence[VariablePlace]
    ) -> None:
        unit = self._unit(unit_of(variable.field("scope")))
        if unit is None:
            # A namespace does not refer to its unit.
            unit = next(iter(self._units.values()), None)
        if unit is None:
            return
        scope = variable.field("scope")
        inside = None if scope is None else self._scopes.get(scope)
        made = (inside or unit.types.context(scope)).child(Tag.VARIABLE)
        _name(unit, made, variable)
        if text_of(variable, "linkageName"):
            made.text(At.LINKAGE_NAME, text_of(variable, "linkageName"))
        if not number_in(variable, "isLocalToUnit"):
            made.flag(At.EXTERNAL)
        for place in places:
            value = constant_of(place.expression)
            if value is not None:
                made.signed(At.CONST_VALUE, value)
                return
        location = variable_location(places)
        if location is not None and location.address_class is not None:
            made.number(At.ADDRESS_CLASS, location.address_class)
            made.expression(At.LOCATION, location.expression)


def unit_of(scope: Attribute | None) -> Attribute | None:
    """The unit of a scope; None if the scope does not state it."""
    while isinstance(scope, StructAttr):
        if isinstance(scope, DICompileUnitAttr):
            return scope
        if isinstance(scope, DISubprogramAttr):
            return scope.field("compileUnit")
        scope = scope.field("scope")
    return None


def _order(variable: DILocalVariableAttr) -> int:
    """The sort key of variables: parameters first, by number; then variables in the order of the
    code."""
    return number_in(variable, "arg") or 1 << 32


def _name(unit: _Unit, die: Die, variable: DILocalVariableAttr | DIGlobalVariableAttr) -> None:
    if text_of(variable, "name"):
        die.text(At.NAME, text_of(variable, "name"))
    unit.types.declared(die, variable)
    die.reference(At.TYPE, unit.types.type_(variable.field("type")))


def _range(die: Die, scope: Scope) -> None:
    if scope.begin and scope.end:
        die.label(At.LOW_PC, scope.begin)
        die.label(At.HIGH_PC, scope.end)
