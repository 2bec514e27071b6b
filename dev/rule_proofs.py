"""Proofs of rewrite rules by Z3 and Bitwuzla.

For a row of `rules` and a choice of types, predicates and flags the claim is: for all inputs,
poison and undef included, the right side refines the left. A value is a number and whether it is
poison; an op may also be undefined behaviour, as division by zero is. The claim fails where the
left side is neither undefined behaviour nor poison, and the right side is either or another
number. With undef, each use of an input may read another number: for all numbers that the right
side reads there must be numbers for which the left side has the same result. (LLVM Language
Reference, "Undefined Values", "Poison Values"; the notion of refinement is Alive2's.)

A claim is first tried without a width (`rule_bits`, `rule_integers`), then at each width
(`rule_claims`). Claims that are still open are tried case by case (`rule_cases`). Rows that need the flags
reassoc, arcp, contract or afn are not proved: these flags permit different results.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from dev.rule_bits import holds_bit_by_bit
from dev.rule_cases import solve_by_cases
from dev.rule_choices import holds_for_candidates
from dev.rule_claims import ABSTRACTED, BFLOAT, FAST, HARD, Claim, z3_module
from dev.rule_integers import integer_claims
from dev.rule_reals import real_claims
from nvvm_xdsl.lab.validation.solver import solve
from nvvm_xdsl.rules.language import Function, Rule, applications, predicates_of
from nvvm_xdsl.rules.typing import FLOAT, POINTER, Typing, typing_of

WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128)

FAST_WIDTHS = (1, 8)

FAST_TIMEOUT = 1.0
"""Timeout in seconds up to which arithmetic of floats is not tried."""

SMALL = 4
"""Maximum width at which claims that hold at every width are also checked with bit vectors."""

CASES_SECONDS = 60.0
"""Seconds for all cases of an instance, for each second of the timeout."""

FIRST_SHARE = 0.1
"""Part of the timeout for a first attempt with each group of lemmas."""

_LOOSE = frozenset({"reassoc", "arcp", "contract", "afn"})
_UNKNOWN_OPS = frozenset({"fmuladd", "frem", "ptrtoint", "inttoptr", "gep"})


class DisprovedError(AssertionError):
    """The claim is wrong; the message holds a counterexample."""


@dataclass
class Proof:
    """The result for a rule.

    Attributes:
        proved: proved instances, such as `i8` or `i8 i16 slt nuw`.
        open: instances that did not end in time.
        unsupported: the reason why there is no claim for the rule; empty if there is one.
    """

    name: str
    proved: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])
    unsupported: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether all instances are proved."""
        return bool(self.proved) and not self.open and not self.unsupported


def prove(
    rule: Rule,
    widths: Sequence[int] = WIDTHS,
    timeout: float = 5.0,
    *,
    undef: bool = True,
) -> Proof:
    """Proves the rule's claim for each instance.

    Arguments:
        widths: widths of integers; casts also use adjacent widths.
        timeout: time limit in seconds for one instance.
        undef: whether to also prove the claim with undef, at the smallest width above one bit.
    Raises:
        DisprovedError: the claim is wrong.
    """
    found = Proof(rule.name)
    why = objection(rule)
    if why:
        found.unsupported = why
        return found
    if is_loose(rule):
        return _prove_real(rule, timeout)
    types = typing_of(rule)
    names = {a.op.name for side in (rule.left, rule.right) for a in applications(side)}
    if "bswap" in names:
        widths = [w for w in WIDTHS if w % 16 == 0 and w <= max(*widths, 16)]
        undef = False
    elif names & HARD:
        widths = sorted({min(w, 4) if w <= 8 == max(widths) else w for w in widths})
    # An instance is not tried if a narrower one with the same predicates and flags is open.
    hopeless: set[Hashable] = set()
    general: set[Hashable] = set()
    if max(widths) > SMALL:
        for chosen, flags in choices(rule):
            if holds_at_every_width(rule, chosen, flags, timeout):
                general.add((tuple(chosen.items()), flags))
                claim = Claim(rule, types, {}, chosen, flags, False)
                found.proved.append(f"every width {claim.title()}".rstrip())
    for sizes in _sizes(types, widths):
        for chosen, flags in choices(rule):
            if max(sizes.values()) > SMALL and (tuple(chosen.items()), flags) in general:
                continue
            _prove_instance(rule, types, sizes, chosen, flags, timeout, False, found, hopeless)
    if undef and not any(kind == FLOAT for kind in types.kinds):
        for sizes in _sizes(types, (2,)):
            for chosen in _predicate_choices(rule):
                none = frozenset[str]()
                _prove_instance(rule, types, sizes, chosen, none, timeout, True, found, hopeless)
    if not (found.proved or found.open) and max(widths) < 32:
        return prove(rule, (32, 64), timeout, undef=undef)
    return found


def choices(rule: Rule) -> Iterator[tuple[dict[str, int], frozenset[str]]]:
    """The predicates and flags of the instances of a rule."""
    yield from product(_predicate_choices(rule), _flag_choices(rule))


def prove_instances(
    rule: Rule,
    widths: Sequence[int],
    predicates: dict[str, int],
    flags: frozenset[str],
    timeout: float,
) -> Proof:
    """Proves the claim with these predicates and flags, without undef. Raises DisprovedError."""
    found = Proof(rule.name)
    types = typing_of(rule)
    for sizes in _sizes(types, widths):
        _prove_instance(rule, types, sizes, predicates, flags, timeout, False, found, set())
    return found


def is_loose(rule: Rule) -> bool:
    """Whether the rule needs flags that allow other results than those of floats."""
    sides = (*applications(rule.left), *applications(rule.right))
    return any(node.flags & _LOOSE for node in sides)


def _prove_real(rule: Rule, timeout: float) -> Proof:
    claims = real_claims(rule)
    if claims is None:
        return Proof(rule.name, unsupported="fast-math flags that allow other results")
    solution = solve(claims, timeout)
    if solution.answer == "sat":
        raise DisprovedError(f"{rule.text}\n  for real numbers: {_shown(solution.model)}")
    title = "real numbers"
    if solution.answer == "unsat":
        return Proof(rule.name, proved=[title])
    return Proof(rule.name, open=[title])


def holds_at_every_width(
    rule: Rule, predicates: dict[str, int], flags: frozenset[str], timeout: float
) -> bool:
    """Whether the claim is proved without a width: for each bit, or over the integers."""
    if not predicates and not flags and holds_bit_by_bit(rule):
        return True
    claims = integer_claims(rule, predicates, flags)
    if claims is None:
        return False
    return all(
        any(
            _has_no_solution(conditions, seconds)
            for seconds in (FIRST_SHARE * timeout, timeout)
            for conditions in case.attempts()
        )
        for case in claims
    )


def _has_no_solution(conditions: Sequence[Any], timeout: float) -> bool:
    """Whether Z3 finds that the conditions contradict each other.

    A solution of equations over the integers need not be a counterexample of a claim.
    """
    z3 = z3_module()
    solver = z3.Solver()
    solver.set("timeout", int(timeout * 1000))
    solver.add(*conditions)
    return solver.check() == z3.unsat


def objection(rule: Rule) -> str:
    """The reason why a rule has no claim that can be translated; empty if it has one."""
    if isinstance(rule.right, Function):
        return "the right side is a function"
    if sum(a.op.name == "spacecast" for a in applications(rule.left)) > 1:
        return "assumes that a cast to another space and back returns the same pointer"
    for node in (*applications(rule.left), *applications(rule.right)):
        if node.op.name in _UNKNOWN_OPS:
            return f"{node.op.name} is not translated"
    # `Claim` assumes that the query is false.
    if re.search(r"(?<!not )no_signed_wrap", rule.where):
        return "requires a flag in the condition: state it on the left side"
    return ""


def _sizes(types: Typing, widths: Sequence[int]) -> Iterator[dict[int, int]]:
    """Widths for the type classes; 16 bits for floats, 32 and 64 for wider ones."""
    classes = types.classes()
    orders = [(order, types.find(a), types.find(b)) for order, a, b in types.orders]
    free = [c for c in classes if not types.fixed[c] and types.kinds[c] not in (FLOAT, POINTER)]
    floats = [c for c in classes if types.kinds[c] == FLOAT]
    pools: list[Sequence[int]] = []
    for number in classes:
        if types.kinds[number] == POINTER:
            pools.append([64])
        elif types.fixed[number]:
            pools.append([int(types.fixed[number][1:])])
        elif number in floats:
            wide = [16, BFLOAT, 32, 64] if max(widths) > 64 else [16]
            pools.append([16, 32, 64] if len(floats) > 2 else [16, 32] if orders else wide)
        elif len(free) > 1:
            pools.append([w for w in (*_NEIGHBOURS, *widths) if w <= max(widths)])
        else:
            pools.append(widths)
    count = 0
    seen: set[tuple[int, ...]] = set()
    for chosen in product(*pools):
        given = dict(zip(classes, chosen))
        if chosen in seen or not all(
            given[a] < given[b] if order == "wider" else given[a] > given[b]
            for order, a, b in orders
        ):
            continue
        # Casts: some adjacent widths are enough.
        picked = sorted({given[c] for c in free})
        if len(free) > 1 and not _is_picked(picked, widths):
            continue
        seen.add(chosen)
        count += 1
        yield given
        if count == 24:
            return


_NEIGHBOURS = (2, 3, 5)


def _is_picked(picked: list[int], widths: Sequence[int]) -> bool:
    small = all(w <= 5 for w in picked)
    return small or (8 in picked and picked[-1] <= max(8, *widths)) or picked[0] >= 16


def _predicate_choices(rule: Rule) -> Iterator[dict[str, int]]:
    free = {a.predicate: predicates_of(a.op) for a in applications(rule.left) if a.predicate}
    names = [name for name, known in free.items() if name not in known]
    for chosen in product(*(range(len(free[name])) for name in names)):
        yield dict(zip(names, chosen))


def _flag_choices(rule: Rule) -> Iterator[frozenset[str]]:
    """The flags of all matched ops in addition to those in the row."""
    ops = [a.op for a in applications(rule.left)]
    kept = [flag for flag in rule.keep if any(flag in op.flags for op in ops)]
    if FLOAT in typing_of(rule).kinds and any("fast" in op.flags for op in ops):
        kept += FAST
    yield frozenset()
    for flag in kept:
        yield frozenset({flag})
    if len(kept) > 1:
        yield frozenset(kept)


def _prove_instance(
    rule: Rule,
    types: Typing,
    sizes: dict[int, int],
    predicates: dict[str, int],
    flags: frozenset[str],
    timeout: float,
    undef: bool,
    found: Proof,
    hopeless: set[Hashable],
) -> None:
    z3 = z3_module()
    names = {a.op.name for side in (rule.left, rule.right) for a in applications(side)}
    if names & ABSTRACTED and not undef:
        # Constraints that hold for all results of these ops.
        claim = Claim(rule, types, sizes, predicates, flags, undef, abstract=True)
        wrong = claim.wrong()
        if wrong is None:
            return
        for condition in (claim.same_choices, wrong):
            solver = z3.Solver()
            # Signs of zeros that may be chosen multiply the claim.
            seconds = timeout * (3.0 if claim.floating and "nsz" in flags else 0.4)
            solver.set("timeout", max(300, int(seconds * 1000)))
            if condition is not None:
                solver.add(condition)
                if solver.check() == z3.unsat:
                    found.proved.append(claim.title())
                    return
        if claim.floating and holds_for_candidates(claim, timeout):
            found.proved.append(claim.title())
            return
    claim = Claim(rule, types, sizes, predicates, flags, undef)
    name = claim.title()
    if claim.floating and timeout <= FAST_TIMEOUT and names & ABSTRACTED:
        found.open.append(name)
        return
    wrong = claim.wrong()
    if wrong is None:
        return
    key = (tuple(predicates.items()), flags, undef)
    if key in hopeless:
        found.open.append(name)
        return
    if timeout > FAST_TIMEOUT and claim.floating and holds_for_candidates(claim, timeout):
        found.proved.append(name)
        return
    same = claim.same_choices
    if same is not None and solve([same], timeout).answer == "unsat":
        found.proved.append(name)
        return
    solution = solve([wrong], timeout)
    if solution.answer == "unsat":
        found.proved.append(name)
    elif solution.answer == "sat":
        raise DisprovedError(f"{rule.text}\n  at {name}: {_shown(solution.model)}")
    elif not undef and solve_by_cases(claim, wrong, CASES_SECONDS * timeout, timeout) == "unsat":
        found.proved.append(name)
    else:
        found.open.append(name)
        hopeless.add(key)


def _shown(model: dict[str, Any]) -> str:
    names = sorted(name for name in model if not name.startswith("!"))
    return ", ".join(f"{name} = {model[name]}" for name in names)
