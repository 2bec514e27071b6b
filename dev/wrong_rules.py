"""Plants faults in rewrite rules and counts those that the proofs for every width accept.

    python -m dev.wrong_rules [--count N] [--seed N] [--timeout SECONDS]

A fault is a removed flag, condition or part of a condition, or another number, op or constant on
the right side. It counts if bit vectors of four bits refute the rule. Faults that are proved
nevertheless are printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Sequence

from dev.prove import TABLES, rules_of
from dev.rule_proofs import DisprovedError, choices, holds_at_every_width, prove_instances
from nvvm_xdsl.rules.language import Rule, RuleSyntaxError, parse
from nvvm_xdsl.rules.typing import FLOAT, RuleTypeError, typing_of

WIDTH = 4
"""Bits at which a planted fault must be refuted."""

_OTHERS = (
    ("udiv", "sdiv"), ("urem", "srem"), ("lshr", "ashr"), ("add", "sub"), ("umax", "smax"),
    ("umin", "smin"), ("and", "or"), ("C1", "C2"), (".ult", ".ule"), (".slt", ".sle"), (".eq", ".ne"),
)  # fmt: skip
"""Groups of names that are exchanged on the right side."""


def faults(text: str) -> Iterator[str]:
    """The row with one fault each."""
    left, arrow, right = text.partition("=>")
    for found in re.finditer(r":[a-z,]+(?=[ !])", left):
        yield left[: found.start()] + left[found.end() :] + arrow + right
    head, condition, where = right.partition(" if ")
    if condition:
        parts = where.partition(" keep ")[0].split(" and ")
        for n in range(len(parts)):
            rest = " and ".join(parts[:n] + parts[n + 1 :])
            yield left + arrow + head + (condition + rest if rest else "")
        for a, b in (("<=", "<"), (" < ", " <= "), (">=", ">"), (" > ", " >= ")):
            if a in where:
                yield left + arrow + head + condition + where.replace(a, b, 1)
    for found in re.finditer(r"(?<![\w.])\d+(?![\w.])", right):
        number = str(int(found[0]) + 1)
        yield left + arrow + right[: found.start()] + number + right[found.end() :]
    for pair in _OTHERS:
        for a, b in (pair, pair[::-1]):
            if re.search(rf"{re.escape(a)}\b", head):
                yield (
                    left
                    + arrow
                    + re.sub(rf"{re.escape(a)}\b", b, head, count=1)
                    + condition
                    + where
                )
    if " keep " not in text:
        yield text.rstrip() + " keep nsw nuw exact"


def wrong_rules(seed: int) -> Iterator[Rule]:
    """Rules with a planted fault, in a random order."""
    rows = [rule for table in TABLES.values() for rule in rules_of(table)]
    texts = [text for row in rows for text in faults(row.text)]
    random.Random(seed).shuffle(texts)
    for text in dict.fromkeys(texts):
        try:
            rule = parse(text)
            if FLOAT not in typing_of(rule).kinds:
                yield rule
        except (RuleSyntaxError, RuleTypeError, ValueError, KeyError, SyntaxError):
            continue


def proved_faults(rule: Rule, timeout: float) -> tuple[int, list[str]]:
    """The number of choices of predicates and flags that four bits refute, and those that are
    proved nevertheless."""
    refuted = 0
    proved: list[str] = []
    for predicates, flags in choices(rule):
        try:
            prove_instances(rule, (WIDTH,), predicates, flags, timeout)
        except DisprovedError as error:
            refuted += 1
            if holds_at_every_width(rule, predicates, flags, timeout):
                proved.append(str(error))
        except (ValueError, KeyError, AssertionError):
            # The condition or the constants of the changed row have no value.
            continue
    return refuted, proved


def main(arguments: Sequence[str] | None = None) -> int:
    """Plants faults; returns 1 if one is proved."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=1.0, help="seconds for each query")
    options = parser.parse_args(arguments)
    count = bad = 0
    for rule in wrong_rules(options.seed):
        if count == options.count:
            break
        refuted, proved = proved_faults(rule, options.timeout)
        count += refuted > 0
        bad += len(proved)
        for text in proved:
            print(f"PROVED: {text}", flush=True)
        if refuted and count % 50 == 0:
            print(f"{count} wrong rules", file=sys.stderr, flush=True)
    print(f"{count} wrong rules, {bad} proved")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
