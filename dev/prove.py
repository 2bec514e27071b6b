"""Proves the rules of the tables and writes the results as a page.

    python -m dev.prove [--timeout SECONDS] [--known FILE] [--earlier FILE] [--seconds SECONDS]
        [--output docs/rules.md] [RULE ...]

Rules that the solvers do not prove in time are run on the simulator with a million values,
including all pairs of 8-bit numbers and all f16 numbers. Proving all rules takes hours. With
`--known`, the result of a rule is appended to a file immediately, and a row with the same text,
widths and timeout in that file is not proved again. With `--earlier`, rules that a file of earlier
findings states as open come first, and rules that are not reached within `--seconds` keep the
finding of that file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from dev.rule_proofs import WIDTHS, DisprovedError, Proof, prove
from dev.rules import RuleError, is_tried, try_rule
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

LANES = 1 << 16
INSTANCES = 16
"""Number of instances of a rule that is not proved; together they have a million inputs."""


@dataclass(frozen=True)
class Finding:
    """The result for a rule: the proof, the wide run, and errors."""

    table: str
    rule: Rule
    proof: Proof
    tried: bool
    wrong: str


def rules_of(module: object) -> list[Rule]:
    """The rules of a module's tables."""
    return [
        parse(line, creates_ops=creates_ops)
        for name, creates_ops in (("SIMPLIFICATIONS", False), ("COMBINATIONS", True))
        for line in expanded(getattr(module, name))
    ]


def examine(rule: Rule, table: str, widths: Sequence[int], timeout: float) -> Finding:
    """Proves a rule, and runs it with a million values if the proof is incomplete."""
    try:
        proof = prove(rule, widths, timeout)
        tried = False
        if not proof.is_complete and is_tried(rule):
            try_rule(rule, 0, LANES, INSTANCES)
            tried = True
        return Finding(table, rule, proof, tried, "")
    except (DisprovedError, RuleError) as error:
        return Finding(table, rule, Proof(rule.name), False, str(error))


class Known:
    """Findings of earlier runs, one per line of a file.

    Arguments:
        path: path of the file, which need not exist; None keeps no findings.
        widths, timeout: settings of this run; findings with other settings are ignored. Without
            widths all findings are used.
    """

    def __init__(
        self, path: Path | None, widths: Sequence[int] | None = None, timeout: float = 0.0
    ) -> None:
        self._path = path
        self._limits = None if widths is None else [list(widths), timeout]
        self._found: dict[str, Finding] = {}
        if path is None or not path.exists():
            return
        for line in path.read_text().splitlines():
            row = json.loads(line)
            if self._limits in (None, row["limits"]):
                proof = Proof(**row["proof"])
                self._found[row["text"]] = Finding(
                    row["table"], parse(row["text"]), proof, row["tried"], ""
                )

    def get(self, rule: Rule) -> Finding | None:
        """The result for a rule with this text."""
        return self._found.get(rule.text)

    def is_proved(self, rule: Rule) -> bool:
        """Whether a finding proves the rule completely."""
        found = self.get(rule)
        return found is not None and found.proof.is_complete

    def add(self, finding: Finding) -> None:
        """Keeps a finding; a wrong rule is examined again."""
        if self._path is None or finding.wrong:
            return
        row = {
            "table": finding.table,
            "text": finding.rule.text,
            "limits": self._limits,
            "proof": asdict(finding.proof),
            "tried": finding.tried,
        }
        with self._path.open("a") as file:
            file.write(json.dumps(row) + "\n")


def page(findings: Sequence[Finding], widths: Sequence[int], timeout: float, kept: int = 0) -> str:
    """The results in Markdown."""
    return "\n".join(_lines(findings, widths, timeout, kept)) + "\n"


def _lines(
    findings: Sequence[Finding], widths: Sequence[int], timeout: float, kept: int
) -> Iterator[str]:
    yield "# The rewrite rules and their proofs"
    yield ""
    yield "Written by `make prove`; [extending.md](extending.md) describes how to write rules. For each row of the"
    yield "tables in `nvvm_xdsl/rules/` the claim is that for all inputs, including poison and undef, the right side"
    yield f"refines the left side. Z3 and Bitwuzla check the claim at widths of {', '.join(map(str, widths))} bits, floating"
    formats = "as half, bfloat, float and double" if max(widths) > 64 else "at half precision"
    yield f"point {formats}, with {timeout:g} seconds for each choice of width, predicate and flags. An instance is not"
    yield "tried if a narrower one is open. Where possible the claim is proved for every width at once: bit by bit, or over"
    yield "the integers with 2<sup>w</sup> as an unknown. Rules with `reassoc` or `arcp` are claims about real numbers. Other"
    yield "open instances are tried for each shift amount or power of two. Claims that are still open are run on the simulator"
    yield "with a million inputs, including all pairs of 8-bit numbers and all halves."
    every = sum(any(i.startswith("every width") for i in f.proof.proved) for f in findings)
    real = sum("real numbers" in f.proof.proved for f in findings)
    yield ""
    yield f"{every} rules are proved for every width, {real} for real numbers."
    if kept:
        yield ""
        yield f"{kept} rules keep the result of an earlier run: widths of 1, 8, 32 and 64 bits and half precision."
    yield ""
    yield "| table | rules | proved whole | proved in part, run on a million | run on a million | shown by tests alone |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in (*TABLES, ""):
        mine = [f for f in findings if name in ("", f.table)]
        if not mine:
            continue
        whole = sum(f.proof.is_complete for f in mine)
        part = sum(f.tried and bool(f.proof.proved) for f in mine)
        run = sum(f.tried and not f.proof.proved for f in mine)
        rest = len(mine) - whole - part - run
        yield f"| {name or 'all'} | {len(mine)} | {whole} | {part} | {run} | {rest} |"
    for title, chosen in (
        ("Proved in part", [f for f in findings if f.tried and f.proof.proved]),
        ("Not proved", [f for f in findings if f.tried and not f.proof.proved]),
        ("Shown by tests alone", [f for f in findings if not f.tried and not f.proof.is_complete]),
    ):
        if not chosen:
            continue
        yield ""
        yield f"## {title}"
        yield ""
        yield "| rule | what is open |"
        yield "| --- | --- |"
        for f in chosen:
            yield f"| `{f.rule.name}` | {f.proof.unsupported or ', '.join(f.proof.open)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Proves the requested rules; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rules", nargs="*", help="names, or starts of names; all when left out")
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds for each instance")
    parser.add_argument("--widths", default=",".join(map(str, WIDTHS)), help="of integers, in bits")
    parser.add_argument("--known", type=Path, metavar="FILE", help="findings of earlier runs")
    parser.add_argument("--earlier", type=Path, metavar="FILE", help="findings with other limits")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="time for all rules, with --earlier"
    )
    parser.add_argument("--output", type=Path, help="where the page goes")
    options = parser.parse_args(arguments)
    widths = [int(w) for w in options.widths.split(",")]
    known = Known(options.known, widths, options.timeout)
    findings: list[Finding] = []
    started = time.monotonic()
    earlier = Known(options.earlier)
    kept = 0
    rows = [(name, rule) for name, module in TABLES.items() for rule in rules_of(module)]
    for name, rule in sorted(rows, key=lambda row: earlier.is_proved(row[1])):
        if options.rules and not rule.name.startswith(tuple(options.rules)):
            continue
        found = known.get(rule)
        if found is None and time.monotonic() - started > options.seconds:
            found = earlier.get(rule)
            kept += found is not None
        if found is None:
            found = examine(rule, name, widths, options.timeout)
            known.add(found)
        findings.append(found)
        if found.wrong:
            print(f"WRONG: {found.wrong}", flush=True)
    text = page(findings, widths, options.timeout, kept)
    if options.output is not None:
        options.output.write_text(text)
    else:
        print(text)
    print(f"{len(findings)} rules in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return int(any(f.wrong for f in findings))


if __name__ == "__main__":
    sys.exit(main())
