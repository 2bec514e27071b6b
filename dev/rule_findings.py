"""Results of the proofs of rules, kept in `dev/rule_findings.csv`.

A row of the file is the result for one rule. It contains a digest of the rule's text, so that a
changed rule is recognized without proving it.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nvvm_xdsl.rules import bits, casts, comparisons, floats, integers
from nvvm_xdsl.rules.language import Rule, expanded, parse

TABLES = {
    "integers": integers,
    "bits": bits,
    "comparisons": comparisons,
    "casts": casts,
    "floats": floats,
}
"""The modules of rows, by subject."""

FILE = Path(__file__).with_name("rule_findings.csv")


@dataclass(frozen=True)
class Finding:
    """The result for a rule.

    Attributes:
        table: key of `TABLES`.
        name: name of the rule.
        digest: digest of the rule's text (see `digest`).
        limits: widths in bits and the timeout in seconds, such as `1,8,32,64 4`.
        proved: `yes`, `part` or `no`.
        run: whether the rule was run with a million inputs.
        open: open instances, or the reason why there is no claim.
    """

    table: str
    name: str
    digest: str
    limits: str
    proved: str
    run: str
    open: str


def rules_of(module: object) -> list[Rule]:
    """The rules of a module's tables."""
    return [
        parse(line, creates_ops=creates_ops)
        for name, creates_ops in (("SIMPLIFICATIONS", False), ("COMBINATIONS", True))
        for line in expanded(getattr(module, name))
    ]


def all_rules() -> list[tuple[str, Rule]]:
    """All rules, each with the key of its table."""
    return [(name, rule) for name, module in TABLES.items() for rule in rules_of(module)]


def digest(rule: Rule) -> str:
    """Digest of the rule's text; spaces do not count."""
    return hashlib.sha256(" ".join(rule.text.split()).encode()).hexdigest()[:12]


def read_findings(path: Path = FILE) -> dict[str, Finding]:
    """The findings of a file, by digest."""
    with path.open(newline="") as file:
        return {row["digest"]: Finding(**row) for row in csv.DictReader(file)}


def write_findings(findings: Iterable[Finding], path: Path = FILE) -> None:
    """Writes a file of findings."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Finding.__dataclass_fields__)
        writer.writerows(vars(finding).values() for finding in findings)


def in_order(findings: dict[str, Finding]) -> list[Finding]:
    """The findings of present rules, in the order of the tables."""
    return [findings[key] for _, rule in all_rules() if (key := digest(rule)) in findings]


def changed_rules(findings: dict[str, Finding]) -> list[str]:
    """Names of rules without a finding, and of findings without a rule."""
    digests = {digest(rule): rule.name for _, rule in all_rules()}
    return sorted(
        {name for key, name in digests.items() if key not in findings}
        | {finding.name for key, finding in findings.items() if key not in digests}
    )
