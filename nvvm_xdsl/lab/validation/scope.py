"""State that the encoders of ops share: variables, definitions, undefined behaviour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import (
    NEVER,
    Leaf,
    Term,
    UnsupportedError,
    either,
)


@dataclass
class Inputs:
    """What both functions see: variables by name, and assumptions about them.

    Arguments:
        layout: the data layout.
        assumptions: conditions that hold for all inputs.
        variables: by name, to be shown in a counterexample.
    """

    layout: DataLayout
    assumptions: list[Term] = field(default_factory=list[Any])
    variables: dict[str, Term] = field(default_factory=dict[str, Any])

    def bits(self, name: str, width: int) -> Term:
        """A bit vector that has the same value in both functions."""
        return self.variables.setdefault(name, z3.BitVec(name, width))

    def condition(self, name: str) -> Term:
        """A Boolean that has the same value in both functions."""
        return self.variables.setdefault(name, z3.Bool(name))


@dataclass
class Scope:
    """One function while it is encoded.

    Arguments:
        inputs: shared with the other function.
        is_target: whether this is the optimized function.
        choices: variables that this function may choose: undef, freeze, NaN payloads.
        definitions: conditions that define variables by other terms.
        weak: reasons why a failed proof does not refute: facts of the function that the encoding
            ignores.
        path: the condition under which the current op runs.
        ub: the condition of undefined behaviour in the current block.
    """

    inputs: Inputs
    is_target: bool
    choices: list[Term] = field(default_factory=list[Any])
    definitions: list[tuple[Term, Term]] = field(default_factory=list[Any])
    weak: dict[str, None] = field(default_factory=dict[str, None])
    path: Term = NEVER
    ub: Term = NEVER
    _count: int = 0

    @property
    def layout(self) -> DataLayout:
        """The data layout."""
        return self.inputs.layout

    def fresh(self, kind: str, width: int) -> Term:
        """A new variable that this function chooses."""
        found = self._variable(kind, width)
        self.choices.append(found)
        return found

    def defined(self, kind: str, width: int, definition: Callable[[Term], Term]) -> Term:
        """A new variable; `definition` is a function from it to the condition that defines it."""
        found = self._variable(kind, width)
        self.definitions.append((found, definition(found)))
        return found

    def _variable(self, kind: str, width: int) -> Term:
        self._count += 1
        side = "after" if self.is_target else "before"
        return z3.BitVec(f"{side}.{kind}.{self._count}", width)

    def undefined(self, condition: Term) -> None:
        """Undefined behaviour where the current op runs and the condition holds."""
        if not z3.is_false(condition):
            self.ub = either(self.ub, z3.And(self.path, condition))

    def ignore(self, reason: str) -> None:
        """A fact of the original is ignored, which makes the claim stronger.

        Raises UnsupportedError in the optimized function, where it would make the claim weaker.
        """
        if self.is_target:
            raise UnsupportedError(reason)
        self.weak[reason] = None

    def approximate(self, reason: str) -> None:
        """An op is represented by an unknown function of its operands: refutations do not count."""
        self.weak[reason] = None

    def undef(self, width: int) -> Leaf:
        """A new undef scalar."""
        variable = self.fresh("undef", width)
        return Leaf(variable, NEVER, (variable,))

    def use(self, leaf: Leaf) -> Leaf:
        """The leaf as one operand sees it: each use of undef yields another number."""
        if not leaf.undef:
            return leaf
        renamed = [self.fresh("undef", u.size()) for u in leaf.undef]
        pairs = list(zip(leaf.undef, renamed))
        return Leaf(
            z3.substitute(leaf.bits, *pairs),
            z3.substitute(leaf.poison, *pairs),
            tuple(renamed),
            leaf.objects,
            leaf.wild,
        )


def any_poison(leaves: Sequence[Leaf]) -> Term:
    """Whether one of the leaves is poison."""
    found = NEVER
    for leaf in leaves:
        found = either(found, leaf.poison)
    return found


def all_undef(leaves: Sequence[Leaf]) -> tuple[Term, ...]:
    """The undef variables of all leaves."""
    if not any(leaf.undef for leaf in leaves):
        return ()
    return tuple(dict.fromkeys(u for leaf in leaves for u in leaf.undef))
