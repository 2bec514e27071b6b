"""The claim that one encoded function refines another, and its proof.

For all inputs and all choices of the optimized function there must be choices of the original such
that the original has undefined behaviour, or the optimized function has none, leaves the same way,
and returns and stores values that refine the original's. A poison value is refined by any value.

First the original's choices are replaced by candidates, such as the optimized function's own
choices. If that is not enough, they are quantified.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nvvm_xdsl.lab.validation.encoder import (
    Exit,
    Headers,
    Summary,
    exit_condition,
    join_exits,
)
from nvvm_xdsl.lab.validation.memory import ADDRESS_BITS, LocalObject, Memory, no_undef, same_cell
from nvvm_xdsl.lab.validation.scope import Inputs
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.solver import Answer, solve
from nvvm_xdsl.lab.validation.values import NEVER, Leaf, Term, Value, both, either


@dataclass
class Outcome:
    """The answer for a claim.

    Arguments:
        answer: of the solver: `unsat` proves the claim.
        model: the values of variables that contradict it.
    """

    answer: Answer
    model: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass
class Claim:
    """That one function refines another.

    Arguments:
        before, after: the encoded functions.
        inputs: of both.
        private: the private objects that both functions have.
        dead: objects in main memory that end with the function.
        memories: arrays of unknown contents of main memory.
    """

    before: Summary
    after: Summary
    inputs: Inputs
    private: Sequence[int] = ()
    memories: Sequence[Term] = ()
    dead: Sequence[LocalObject] = ()
    _addresses: list[Term] = field(default_factory=list[Any])
    _count: int = 0

    def prove(self, seconds: float) -> Outcome:
        """Searches a counterexample for so long."""
        deadline = time.monotonic() + seconds
        choices = self.before.scope.choices
        failed = [self._fails(0)]
        failed += [self._fails(number) for number in range(1, self._candidate_count())]
        fixed = [
            *self.inputs.assumptions,
            *(definition for _, definition in self.after.scope.definitions),
            z3.Not(self.before.exceeded),
            z3.Not(self.after.exceeded),
        ]
        outcome = solve([*fixed, *failed], seconds if not choices else seconds / 2)
        if outcome.answer != "sat" or not choices:
            return Outcome(outcome.answer, outcome.model)
        definitions = self.before.scope.definitions
        wrong = self._wrong()
        if self._addresses:
            wrong = z3.Exists(self._addresses, wrong)
        bound = [*choices, *(variable for variable, _ in definitions)]
        defined = z3.And([definition for _, definition in definitions])
        rest = max(0.5, deadline - time.monotonic())
        second = solve([*fixed, z3.ForAll(bound, z3.Implies(defined, wrong))], rest)
        if second.answer == "unknown":
            return Outcome("unknown", outcome.model)
        return Outcome(second.answer, second.model)

    def is_complete(self, seconds: float) -> bool:
        """Whether no loop runs longer than the bound."""
        exceeded = either(self.before.exceeded, self.after.exceeded)
        if z3.is_false(exceeded):
            return True
        definitions = [d for s in (self.before, self.after) for _, d in s.scope.definitions]
        return solve([*self.inputs.assumptions, *definitions, exceeded], seconds).answer == "unsat"

    def _results(self) -> list[Leaf]:
        exits = [item for item in self.after.exits if item.kind == "return"]
        return [leaf for item in exits for leaf in item.values][:3]

    def _candidate_count(self) -> int:
        return 4 + len(self._results()) if self.before.scope.choices else 1

    def _candidate(self, index: int) -> list[Term]:
        """Terms that are tried for the original's choices.

        The optimized function's choices, zeros, ones, both alternating, and returned values.
        """
        choices = self.before.scope.choices
        if index in (1, 2):
            return [z3.BitVecVal((0, -1)[index - 1], v.size()) for v in choices]
        if index == 3:
            return [z3.BitVecVal(-(n % 2), v.size()) for n, v in enumerate(choices)]
        kinds: dict[tuple[str, int], list[Term]] = {}
        for variable in self.after.scope.choices:
            kinds.setdefault(_kind(variable), []).append(variable)
        paired: list[Term] = []
        for variable in choices:
            same = kinds.get(_kind(variable), [])
            paired.append(same.pop(0) if same else z3.BitVecVal(0, variable.size()))
        if index == 0:
            return paired
        bits = self._results()[index - 4].bits
        return [
            bits if bits.size() == variable.size() else other
            for variable, other in zip(choices, paired)
        ]

    def _fails(self, index: int) -> Term:
        """That the claim fails with a candidate for the choices of the original."""
        found = self._wrong()
        definitions = self.before.scope.definitions
        pairs = list(zip(self.before.scope.choices, self._candidate(index)))
        # Definitions may depend on choices: each candidate has its own variables.
        for variable, _ in definitions:
            pairs.append((variable, z3.FreshConst(variable.sort(), "candidate")))
        for _, definition in definitions:
            found = z3.And(found, definition)
        return z3.substitute(found, *pairs) if pairs else found

    def _wrong(self) -> Term:
        """That the claim fails."""
        self._addresses.clear()
        found = NEVER
        for headers in self._header_sets():
            excuse = NEVER
            for passed, condition in self.before.ub:
                if passed <= headers:
                    excuse = either(excuse, condition)
            here = NEVER
            for passed, condition in self.after.ub:
                if passed == headers:
                    here = either(here, condition)
            for kind in dict.fromkeys(item.kind for item in self.after.exits):
                here = either(here, self._wrong_exit(kind, headers))
            found = either(found, both(z3.Not(excuse), here))
        return found

    def _header_sets(self) -> list[Headers]:
        sets = [passed for passed, _ in self.after.ub]
        return list(dict.fromkeys([*sets, *(item.headers for item in self.after.exits)]))

    def _wrong_exit(self, kind: str, headers: Headers) -> Term:
        """That the optimized function takes an exit which the original does not take so."""
        after = [e for e in self.after.exits if e.kind == kind and e.headers == headers]
        before = [e for e in self.before.exits if e.kind == kind and e.headers == headers]
        taken = exit_condition(after)
        if z3.is_false(taken):
            return NEVER
        if not before:
            return taken
        differs = z3.Not(exit_condition(before))
        differs = either(differs, self._differ(before, after))
        return both(taken, differs)

    def _differ(self, before: Sequence[Exit], after: Sequence[Exit]) -> Term:
        old_values, old = join_exits(before)
        new_values, new = join_exits(after)
        found = self._values_differ(old_values, new_values)
        if not old.trace.eq(new.trace):
            found = either(found, old.trace != new.trace)
        return either(found, self._memory_differs(before[0].kind, old, new))

    def _memory_differs(self, kind: str, old: Memory, new: Memory) -> Term:
        found = NEVER
        if not old.main.eq(new.main):
            self._count += 1
            address = z3.BitVec(f"address {self._count}", ADDRESS_BITS)
            self._addresses.append(address)
            same = same_cell(z3.Select(old.main, address), z3.Select(new.main, address))
            if kind == "return":
                for item in self.dead:
                    same = either(same, z3.ULT(address - item.base, item.size))
            found = z3.And(z3.Not(same), *(no_undef(main, address) for main in self.memories))
        for key in self.private if kind.startswith("header") else ():
            if key in old.private and not old.private[key].eq(new.private[key]):
                found = either(found, old.private[key] != new.private[key])
        return found

    def _values_differ(self, before: Value, after: Value) -> Term:
        found = NEVER
        for old, new in zip(before, after):
            found = either(found, _leaf_differs(old, new))
            if new.undef:
                # Another use of the result may see another number.
                old_again, new_again = self.before.scope.use(old), self.after.scope.use(new)
                found = either(found, _leaf_differs(old_again, new_again))
        return found


def _kind(variable: Term) -> tuple[str, int]:
    return str(variable).split(".")[1], variable.size()


def _leaf_differs(old: Leaf, new: Leaf) -> Term:
    """Whether a scalar does not refine the original's."""
    if old.bits.eq(new.bits) and old.poison.eq(new.poison):
        return NEVER
    return both(z3.Not(old.poison), either(new.poison, old.bits != new.bits))
