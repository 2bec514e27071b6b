"""The claim that one encoded function refines another, and its proof.

For all inputs and all choices of the optimized function there must be choices of the original such
that the original has undefined behaviour, or the optimized function has none, takes the same exit,
and returns and stores values that refine those of the original. A poison value is refined by any
value.

First the original's choices are replaced by candidates, such as the choices of the optimized
function. If the proof then fails, they are quantified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nvvm_xdsl.lab.validation.encoder import Exit, Headers, Summary, exit_condition, join_exits
from nvvm_xdsl.lab.validation.scope import VARIES, Choice, Inputs, Scope
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.smt_memory import (
    ADDRESS_BITS,
    LocalObject,
    Memory,
    no_undef,
    same_cell,
)
from nvvm_xdsl.lab.validation.solver import Answer, nodes, solve
from nvvm_xdsl.lab.validation.values import NEVER, Leaf, Term, Value, both, either, shown_origin

_CANDIDATES = 9
"""Candidates for the choices of the original, before returned values."""

_BRANCHES = frozenset({"llvm.br", "llvm.cond_br", "llvm.switch"})

_FREE = frozenset({"nan", "sign", "freeze"})
"""Kinds of choices that do not belong to an input."""

AGAIN = "again"
"""The use of a result that is compared a second time."""


@dataclass
class Outcome:
    """The answer for a claim.

    Arguments:
        answer: the solver's answer; `unsat` proves the claim.
        model: the values of variables that contradict it.
    """

    answer: Answer
    model: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass
class Claim:
    """The claim that one function refines another.

    Arguments:
        before, after: the encoded functions.
        inputs: the inputs of both functions.
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
    _claim: Term | None = None
    _bytes: list[Term] = field(default_factory=list[Any])
    _results: list[tuple[Leaf, Leaf]] = field(default_factory=list[tuple[Leaf, Leaf]])

    def prove(self, seconds: float) -> Outcome:
        """Searches for a counterexample within a time limit in seconds."""
        self._wrong()
        found = self.with_candidates(seconds / 2 if self.before.scope.choices else seconds)
        if found.answer != "sat" or not self.before.scope.choices:
            return found
        return self.with_any_choice(max(0.5, seconds / 2))

    def with_candidates(self, seconds: float) -> Outcome:
        """Searches for a counterexample with candidates for the original's choices."""
        failed = [self._fails(number) for number in range(self._candidate_count())]
        outcome = solve([*self._fixed(), *failed], seconds)
        return Outcome(outcome.answer, outcome.model)

    def with_any_choice(self, seconds: float) -> Outcome:
        """Searches for a counterexample over all choices of the original."""
        wrong = self._wrong()
        if not self.before.scope.choices:
            return self.with_candidates(seconds)
        if self._addresses:
            wrong = z3.Exists(self._addresses, wrong)
        bound = [choice.variable for choice in self.before.scope.choices]
        second = solve([*self._fixed(), z3.ForAll(bound, wrong)], seconds)
        return Outcome(second.answer, second.model)

    def _fixed(self) -> list[Term]:
        return [*self.inputs.assumptions, z3.Not(self.before.exceeded), z3.Not(self.after.exceeded)]

    def is_complete(self, seconds: float) -> bool:
        """Whether no loop runs longer than the bound."""
        exceeded = either(self.before.exceeded, self.after.exceeded)
        if z3.is_false(exceeded):
            return True
        return solve([*self.inputs.assumptions, exceeded], seconds).answer == "unsat"

    def _candidate_count(self) -> int:
        self._wrong()
        if not self.before.scope.choices:
            return 1
        return _CANDIDATES + len(self._shown())

    def _shown(self) -> list[tuple[Term, Term]]:
        """The compared results, as pairs of terms for two uses."""
        values = [(first.bits, again.bits) for first, again in self._results[:3]]
        return [*values, *list(zip(self._bytes[::2], self._bytes[1::2]))[:3]]

    def _candidate(self, index: int) -> list[Term]:
        """Terms that are tried for the original's choices.

        The optimized function's choices for the same input, by their uses, the last one, or those
        that matter in order; others for second uses; zeros, ones, both alternating, and returned values in place of choices that
        are not for an input.
        """
        choices = self.before.scope.choices
        if index in (1, 2):
            return [z3.BitVecVal((0, -1)[index - 1], c.variable.size()) for c in choices]
        if index == 3:
            return [z3.BitVecVal(-(n % 2), c.variable.size()) for n, c in enumerate(choices)]
        if index == 6:
            return self._in_order()
        if index == 7:
            return self._of_other_edges()
        if index == 8:
            return self._by_use()
        paired = self._paired(in_order=index != 4)
        if index in (0, 4):
            return paired
        if index == 5:
            pairs = zip(choices, paired)
            return [~other if choice.uses[-1] == VARIES else other for choice, other in pairs]
        first, again = self._shown()[index - _CANDIDATES]
        kinds = {choice.kind for choice in self.after.scope.choices} - _FREE
        found: list[Term] = []
        for choice, other in zip(choices, paired):
            bits = again if choice.uses[-1] == AGAIN else first
            count, rest = divmod(choice.variable.size(), bits.size())
            is_free = choice.kind not in kinds and not rest
            repeated = z3.Concat(*[bits] * count) if count > 1 else bits
            found.append(repeated if is_free else other)
        return found

    def _same_kinds(self) -> dict[str, str]:
        """For kinds of choices that only the original has, those of the optimized function.

        They are the next ones of the same width and first use. The kind of loaded undef bits
        contains the address, which may depend on choices.
        """
        sides = [dict[str, Choice]() for _ in range(2)]
        for found, summary in zip(sides, (self.before, self.after)):
            for choice in summary.scope.choices:
                found.setdefault(choice.kind, choice)
        old, new = sides
        rest = [choice for kind, choice in new.items() if kind not in old]
        same: dict[str, str] = {}
        for kind, choice in old.items():
            if kind in new:
                continue
            key = (choice.variable.size(), choice.uses[:1])
            other = next((c for c in rest if (c.variable.size(), c.uses[:1]) == key), None)
            if other is not None:
                rest.remove(other)
                same[kind] = other.kind
        return same

    def _in_order(self) -> list[Term]:
        """For each relevant choice of the original, the choice of the optimized function with the
        same number and kind."""
        names = self._relevant()
        found: dict[tuple[str, int], list[Term]] = {}
        for variable, kind, _, _ in self.after.scope.choices:
            if variable.get_id() in names:
                found.setdefault((kind, variable.size()), []).append(variable)
        taken: Counter[tuple[str, int]] = Counter()
        ordered: list[Term] = []
        same = self._same_kinds()
        for variable, kind, _, _ in self.before.scope.choices:
            key = (same.get(kind, kind), variable.size())
            of_kind = found.get(key, [z3.BitVecVal(0, variable.size())])
            ordered.append(of_kind[min(taken[key], len(of_kind) - 1)])
            taken[key] += variable.get_id() in names
        return ordered

    def _relevant(self) -> set[int]:
        """The variables of the claim."""
        return {node.get_id() for node in nodes([self._wrong()]) if z3.is_const(node)}

    def _by_use(self) -> list[Term]:
        """For each relevant choice of the original, the choice of the optimized function for the same
        number of the use, apart from branches.

        Optimization removes block arguments. Where these merge a value with itself, the original has
        several choices for one.
        """
        names = self._relevant()
        kinds = self._same_kinds()
        grouped: list[dict[tuple[str, int, tuple[str, ...]], dict[int, list[Term]]]] = []
        for summary in (self.before, self.after):
            groups: dict[tuple[str, int, tuple[str, ...]], dict[int, list[Term]]] = {}
            for variable, kind, path, use in summary.scope.choices:
                if variable.get_id() in names:
                    ops = tuple(op for op in path if op not in _BRANCHES)
                    key = (kinds.get(kind, kind), variable.size(), ops)
                    groups.setdefault(key, {}).setdefault(use, []).append(variable)
            grouped.append(groups)
        old, new = grouped
        found: dict[int, Term] = {}
        for key, uses in old.items():
            others = list(new.get(key, {}).values())
            for number, variables in enumerate(uses.values()):
                if others:
                    same = others[min(number, len(others) - 1)]
                    for n, variable in enumerate(variables):
                        found[variable.get_id()] = same[n * len(same) // len(variables)]
        rest = self._paired(in_order=True)
        return [
            found.get(choice.variable.get_id(), other)
            for choice, other in zip(self.before.scope.choices, rest)
        ]

    def _of_other_edges(self) -> list[Term]:
        """For each undef value that is merged with another value, that value; otherwise the choice
        for the same use."""
        paired = self._paired(in_order=True)
        choices = {c.variable.get_id(): n for n, c in enumerate(self.before.scope.choices)}
        pairs = [(c.variable, term) for c, term in zip(self.before.scope.choices, paired)]
        for node in nodes([self._wrong()]):
            if z3.is_app_of(node, z3.Z3_OP_ITE):
                _, a, b = node.children()
                for undef, other in ((a, b), (b, a)):
                    number = choices.get(undef.get_id())
                    if number is not None and undef.sort() == other.sort():
                        paired[number] = z3.substitute(other, *pairs)
        return paired

    def _paired(self, *, in_order: bool) -> list[Term]:
        """For each choice of the original, the choice of the optimized function for the same use.

        If there is none, the next or the last one with the most equal uses at the end. For the sign
        of a zero that the optimized function does not choose, the sign that it has anyway.
        """
        uses: dict[tuple[str, tuple[str, ...], int], list[Term]] = {}
        ends: dict[tuple[str, tuple[str, ...], int], list[Term]] = {}
        taken: Counter[tuple[str, tuple[str, ...], int]] = Counter()
        for variable, kind, path, _ in self.after.scope.choices:
            uses.setdefault((kind, path, variable.size()), []).append(variable)
            for n in range(len(path) + 1):
                ends.setdefault((kind, path[n:], variable.size()), []).append(variable)
        paired: list[Term] = []
        kinds = self._same_kinds()
        scope = self.before.scope
        for variable, kind, path, _ in scope.choices:
            width = variable.size()
            kind = kinds.get(kind, kind)
            same = uses.get((kind, path, width))
            keys = ((kind, path[n:], width) for n in range(len(path) + 1))
            key = next((key for key in keys if key in ends), None)
            if same:
                paired.append(same.pop(0))
            elif key is None:
                usual = scope.usual.get(variable.get_id(), z3.BitVecVal(0, width))
                pairs = [(c.variable, term) for c, term in zip(scope.choices, paired)]
                paired.append(z3.substitute(usual, *pairs) if pairs else usual)
            else:
                paired.append(ends[key][taken[key] if in_order else -1])
                taken[key] = min(taken[key] + 1, len(ends[key]) - 1)
        return paired

    def _fails(self, index: int) -> Term:
        """The condition that the claim fails with a candidate for the choices of the original."""
        wrong = self._wrong()
        variables = [choice.variable for choice in self.before.scope.choices]
        pairs = list(zip(variables, self._candidate(index)))
        # Each candidate may fail at a different address.
        pairs += [(a, z3.BitVec(f"{a} of candidate {index}", a.size())) for a in self._addresses]
        return z3.substitute(wrong, *pairs) if pairs else wrong

    def _wrong(self) -> Term:
        """The condition that the claim fails."""
        if self._claim is None:
            self._claim = self._stated()
        return self._claim

    def _stated(self) -> Term:
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
        """The condition that the optimized function takes an exit that the original does not take
        with refined values."""
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
        found = either(found, self._memory_differs(before[0].kind, old, new))
        if not old.main.eq(new.main):
            # Another load may read another number.
            again = [_with_other_undef(s.scope, m) for s, m in ((self.before, old), (self.after, new))]  # fmt: skip
            found = either(found, self._memory_differs(before[0].kind, *again))
        return found

    def _memory_differs(self, kind: str, old: Memory, new: Memory) -> Term:
        found = NEVER
        if not old.main.eq(new.main):
            address = z3.BitVec(f"address {len(self._addresses)}", ADDRESS_BITS)
            self._addresses.append(address)
            cells = z3.Select(old.main, address), z3.Select(new.main, address)
            undef = self.after.scope.fresh("undef byte", 8)
            self._bytes.append(undef)
            same = same_cell(*cells, undef, origins=self.inputs.has_origins)
            if kind == "return":
                for item in self.dead:
                    same = either(same, z3.ULT(address - item.base, item.size))
            found = z3.Not(same)
            if not self.inputs.has_undef:
                found = z3.And(found, *(no_undef(main, address) for main in self.memories))
        for key in self.private if kind.startswith("header") else ():
            if key in old.private and not old.private[key].eq(new.private[key]):
                found = either(found, old.private[key] != new.private[key])
        return found

    def _values_differ(self, before: Value, after: Value) -> Term:
        found = NEVER
        self.before.scope.consumer = self.after.scope.consumer = AGAIN
        again = [s.scope.use_all(v) for s, v in ((self.before, before), (self.after, after))]
        self._results += zip(after, again[1])
        for old, new, *others in zip(before, after, *again):
            found = either(found, self._leaf_differs(old, new))
            if new.undef:
                # Another use of the result may read another number.
                found = either(found, self._leaf_differs(*others))
        return found

    def _leaf_differs(self, old: Leaf, new: Leaf) -> Term:
        """Whether a scalar does not refine the original's."""
        differs = NEVER
        if self.inputs.has_origins and not shown_origin(old).eq(shown_origin(new)):
            differs = shown_origin(old) != shown_origin(new)
        if not old.bits.eq(new.bits):
            differs = either(differs, old.bits != new.bits)
        if not old.poison.eq(new.poison):
            differs = either(differs, new.poison)
        return both(z3.Not(old.poison), differs)


def _with_other_undef(scope: Scope, memory: Memory) -> Memory:
    scope.consumer = AGAIN
    pairs = scope.renaming(memory.undef)
    return replace(memory, main=z3.substitute(memory.main, *pairs))
