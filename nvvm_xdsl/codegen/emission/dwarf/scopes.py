"""Source scopes of a function's code, and locations of variables.

Each scope has one range of code, from its first instruction to its last, as in LLVM for PTX,
because DWARF in PTX has no range lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from xdsl.ir import Attribute

from nvvm_xdsl.codegen.emission.dwarf.locations import Location, Span
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DILexicalBlockAttr,
    DILexicalBlockFileAttr,
    DILocalVariableAttr,
    DISubprogramAttr,
)
from nvvm_xdsl.dialects.nvptx.debug import DebugValueOp
from nvvm_xdsl.ir.locations import call_sites_of, scope_of


@dataclass(eq=False)
class History:
    """The permanent location of a variable in its function.

    Arguments:
        fixed: the only location of the variable; None if there are several.
        spans: otherwise the ranges of code with a location, in the order of the code.
    """

    fixed: Location | None = None
    spans: list[Span] = field(default_factory=list[Span])


@dataclass
class Scope:
    """A scope of a function.

    Arguments:
        scope: the `#llvm.di_subprogram` or `#llvm.di_lexical_block`.
        call: for an inlined function, the location of the call.
        parent: the enclosing scope.
        begin, end: labels around its code; empty for a scope without code.
        variables: its variables with their locations, in the order of the code.
    """

    scope: Attribute
    call: Attribute | None
    parent: Scope | None
    begin: str = ""
    end: str = ""
    children: list[Scope] = field(default_factory=list["Scope"])
    variables: dict[DILocalVariableAttr, History] = field(
        default_factory=dict[DILocalVariableAttr, History]
    )


_NOWHERE: Final[tuple[Location | None, str]] = (None, "")


class FunctionScopes:
    """The scopes of one function.

    Arguments:
        subprogram: the function in the source. begin, end: the labels around its code.
        new_label: returns the label at the current end of the code, which it creates on demand.
    """

    def __init__(
        self, subprogram: DISubprogramAttr, begin: str, end: str, new_label: Callable[[], str]
    ) -> None:
        self.subprogram = subprogram
        self.root = Scope(subprogram, None, None, begin, end)
        self._new_label = new_label
        self._current = self.root
        self._open: dict[History, tuple[Location | None, str]] = {}
        """The locations of moving variables at this point, and the label of its start."""
        self._last: Attribute | None = None
        self._known: dict[tuple[Attribute, tuple[Attribute, ...]], Scope] = {
            (subprogram, ()): self.root
        }
        self._located: dict[int, tuple[Attribute, Scope | None]] = {}

    @staticmethod
    def of(location: Attribute, number: int, new_label: Callable[[], str]) -> FunctionScopes | None:
        """The scopes of a function by the scope of its location; None if it has none.

        Arguments:
            number: the number of the function in the module.
        """
        subprogram = scope_of(location)
        if not isinstance(subprogram, DISubprogramAttr):
            return None
        begin, end = f"$L__func_begin{number}", f"$L__func_end{number}"
        return FunctionScopes(subprogram, begin, end, new_label)

    def enter(self, location: Attribute) -> None:
        """Sets the location of the next instruction."""
        if location is self._last:
            return
        self._last = location
        found = self._at(location)
        if found is None or found is self._current:
            return
        label = self._new_label()
        inside = _around(found)
        for left in _around(self._current):
            if left not in inside:
                left.end = label
        for entered in inside:
            entered.begin = entered.begin or label
        self._current = found

    def finish(self) -> None:
        """Ends the ranges that reach the function's end."""
        for scope in _around(self._current):
            scope.end = self.root.end
        for history in list(self._open):
            self._close(history, self.root.end)

    def history_of(self, op: DebugValueOp) -> History | None:
        """The variable that an op describes; None for one of another function."""
        chain = tuple(call_sites_of(op.location))
        scope = self._scope(op.variable.field("scope"), chain)
        return None if scope is None else scope.variables.setdefault(op.variable, History())

    def move(self, known: Mapping[History, Location]) -> None:
        """Records the locations of moving variables from here on."""
        moved = [
            history
            for history in (*self._open, *known)
            if known.get(history) != self._open.get(history, _NOWHERE)[0]
        ]
        if not moved:
            return
        label = self._new_label()
        for history in dict.fromkeys(moved):
            self._close(history, label)
            if history in known:
                self._open[history] = (known[history], label)

    def _close(self, history: History, label: str) -> None:
        location, begin = self._open.pop(history, _NOWHERE)
        if location is not None:
            history.spans.append(Span(location, begin, label))

    def _at(self, location: Attribute) -> Scope | None:
        known = self._located.get(id(location))
        if known is None:
            found = self._scope(scope_of(location), tuple(call_sites_of(location)))
            # The location is kept alive, so that its identity is not reused.
            known = self._located[id(location)] = (location, found)
        return known[1]

    def _scope(self, scope: Attribute | None, calls: tuple[Attribute, ...]) -> Scope | None:
        """The inlined scope at these calls; None for one of another function."""
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
    """The scope and its enclosing scopes, except for the function."""
    found: list[Scope] = []
    while scope is not None and scope.parent is not None:
        found.append(scope)
        scope = scope.parent
    return found
