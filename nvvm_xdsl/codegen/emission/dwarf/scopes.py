"""Which scopes of the source a function's code lies in, and what variables are where.

Each scope has a range of code, from where it is first entered to where it is last left, as LLVM has it for
PTX, whose DWARF has no lists of ranges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DILexicalBlockAttr,
    DILexicalBlockFileAttr,
    DILocalVariableAttr,
    DISubprogramAttr,
)
from nvvm_xdsl.dialects.nvptx.debug import DebugValueOp
from nvvm_xdsl.ir.locations import call_sites_of, scope_of


@dataclass
class Place:
    """Where a variable is: what was said of it, and the name of its register if it is in one."""

    op: DebugValueOp
    register: str


@dataclass
class Scope:
    """A scope of a function.

    Arguments:
        scope: the `#llvm.di_subprogram` or `#llvm.di_lexical_block`.
        call: of an inlined function the location of the call.
        parent: the scope around it.
        begin, end: labels around its code; empty for a scope that no code lies in.
        variables: its variables with what was said of where they are, in the order of the code.
    """

    scope: Attribute
    call: Attribute | None
    parent: Scope | None
    begin: str = ""
    end: str = ""
    children: list[Scope] = field(default_factory=list["Scope"])
    variables: dict[DILocalVariableAttr, list[Place]] = field(
        default_factory=dict[DILocalVariableAttr, list[Place]]
    )


class FunctionScopes:
    """The scopes of one function.

    Arguments:
        subprogram: what the function is in the source.
        begin, end: the labels around its code.
        new_label: makes labels.
    """

    def __init__(
        self, subprogram: DISubprogramAttr, begin: str, end: str, new_label: Callable[[], str]
    ) -> None:
        self.subprogram = subprogram
        self.root = Scope(subprogram, None, None, begin, end)
        self._new_label = new_label
        self._current = self.root
        self._last: Attribute | None = None
        self._known: dict[tuple[Attribute, tuple[Attribute, ...]], Scope] = {
            (subprogram, ()): self.root
        }
        self._located: dict[int, tuple[Attribute, Scope | None]] = {}

    @staticmethod
    def of(location: Attribute, number: int, new_label: Callable[[], str]) -> FunctionScopes | None:
        """The scopes of a function, which is described by its location; None where it is not.

        Arguments:
            number: of the function in the module.
        """
        subprogram = scope_of(location)
        if not isinstance(subprogram, DISubprogramAttr):
            return None
        begin, end = f"$L__func_begin{number}", f"$L__func_end{number}"
        return FunctionScopes(subprogram, begin, end, new_label)

    def enter(self, location: Attribute) -> str:
        """Says where the next instruction lies; returns the label to put in front of it, if any."""
        if location is self._last:
            return ""
        self._last = location
        found = self._at(location)
        if found is None or found is self._current:
            return ""
        label = self._new_label()
        inside = _around(found)
        for left in _around(self._current):
            if left not in inside:
                left.end = label
        for entered in inside:
            entered.begin = entered.begin or label
        self._current = found
        return label

    def finish(self) -> None:
        """Ends the scopes that reach to the function's end."""
        for scope in _around(self._current):
            scope.end = self.root.end

    def describe(self, op: DebugValueOp, register: str) -> None:
        """Notes where a variable is from here on."""
        chain = tuple(call_sites_of(op.location))
        scope = self._scope(op.variable.field("scope"), chain)
        if scope is not None:
            scope.variables.setdefault(op.variable, []).append(Place(op, register))

    def _at(self, location: Attribute) -> Scope | None:
        known = self._located.get(id(location))
        if known is None:
            found = self._scope(scope_of(location), tuple(call_sites_of(location)))
            # The location is kept, so that its number stays its own.
            known = self._located[id(location)] = (location, found)
        return known[1]

    def _scope(self, scope: Attribute | None, calls: tuple[Attribute, ...]) -> Scope | None:
        """The scope inlined at these calls; None for one of another function."""
        while isinstance(scope, DILexicalBlockFileAttr):
            scope = scope.field("scope")
        if scope is None:
            return None
        known = self._known.get((scope, calls))
        if known is not None:
            return known
        call: Attribute | None = None
        if isinstance(scope, DILexicalBlockAttr):
            parent = self._scope(scope.field("scope"), calls)
        elif isinstance(scope, DISubprogramAttr) and calls:
            call = calls[0]
            parent = self._scope(scope_of(call), calls[1:])
        else:
            return None
        if parent is None:
            return None
        made = Scope(scope, call, parent)
        parent.children.append(made)
        self._known[scope, calls] = made
        return made


def _around(scope: Scope | None) -> list[Scope]:
    """The scopes around one and itself, save the function."""
    found: list[Scope] = []
    while scope is not None and scope.parent is not None:
        found.append(scope)
        scope = scope.parent
    return found
