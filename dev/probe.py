"""Searches for modifiers that ptxas accepts and the instruction tables lack.

    python -m dev.probe [--target sm_107a] [--words rz,multicast::cluster::32b] [--since 9.5] [MNEMONIC ...]

Each word is added to one instruction of each signature of the rows. Opcodes that ptxas accepts and
no row contains are printed with the first PTX version that supports them. The words are those of
all rows if none are named. With `--since`, only opcodes that older versions reject are printed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from dev import gates
from dev.gates import Probe
from nvvm_xdsl.dialects.nvptx.forms import parse_form
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS, Row
from nvvm_xdsl.dialects.nvptx.target import Target, version_number, version_text

AT_ONCE = 4000
"""Number of instructions per ptxas process."""


def vocabulary() -> list[str]:
    """All modifiers of all rows."""
    forms = (parse_form(form) for row in ROWS.values() for form in row.forms)
    parts = {
        part
        for form in forms
        for words, _ in form.words
        for word in words
        for part in word.split(".")
    }
    return sorted(parts)


def one_of_each_form(found: Sequence[Probe]) -> list[Probe]:
    """The first instruction of each signature of a row, because all modifiers of a form have the
    same operands."""
    first: dict[tuple[object, ...], Probe] = {}
    for probe in found:
        sample = probe.sample
        first.setdefault(
            (sample.row.mnemonic, sample.slots, sample.operands, sample.results), probe
        )
    return list(first.values())


def _fits(row: Row, mods: str) -> bool:
    """Whether a row has the modifiers, in any order."""
    words = sorted(mods.split("."))
    return any(
        sorted(known.split(".")) == words
        for form in row.forms
        for known in _spellings(form, frozenset(words))
    )


def _spellings(form: str, wanted: frozenset[str]) -> Iterator[str]:
    """The modifiers of a form that a set of words can spell; several where alternatives share words."""
    chosen: list[str] = []
    for words, optional in parse_form(form).words:
        fitting = [word for word in words if set(word.split(".")) <= wanted]
        if fitting:
            chosen.append(max(fitting, key=len))
        elif not optional:
            return
    yield ".".join(chosen)


def candidates(probe: Probe, words: Sequence[str]) -> Iterator[Probe]:
    """The instruction of a probe with one additional modifier, if no row has these modifiers."""
    row, mods = probe.sample.row, probe.sample.mods
    own = [word for word in mods.split(".") if word]
    pattern = re.compile(re.escape(probe.sample.opcode) + r"(?=[ \t;])")
    for word in words:
        opcode = ".".join([row.mnemonic, word, *own])
        if word not in own and not _fits(row, ".".join([*own, word])):
            yield Probe(probe.sample, [pattern.sub(opcode, line) for line in probe.kernel], opcode)


def accepted(found: Sequence[Probe], target: str, version: int) -> list[Probe]:
    """The candidates that ptxas accepts."""
    taken: list[Probe] = []
    for start in range(0, len(found), AT_ONCE):
        part = list(found[start : start + AT_ONCE])
        # Some errors end the parsing, so that later errors need another process.
        while without := gates.refused(part, target, version, parse_only=True):
            part = [probe for number, probe in enumerate(part) if number not in without]
        taken += part
    return taken


def first_versions(found: Sequence[Probe], target: str, newest: int) -> dict[str, int]:
    """By opcode, the first PTX version, times ten, that supports the candidate."""
    first: dict[str, int] = {}
    for version in range(Target.parse(target).minimum_ptx, newest + 1):
        left = [probe for probe in found if probe.opcode not in first]
        first |= {probe.opcode: version for probe in accepted(left, target, version)}
    return first


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the forms that ptxas accepts and the rows lack."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("mnemonics", nargs="*", metavar="MNEMONIC", help="rows; all when left out")
    parser.add_argument("--target", default="sm_107a", help="the GPU")
    parser.add_argument("--words", default="", help="modifiers without dots, separated by commas")
    parser.add_argument("--since", default="", help="only what came with this PTX version or later")
    options = parser.parse_args(arguments)
    _, newest = gates.ptxas_release()
    words = options.words.split(",") if options.words else vocabulary()
    found: dict[str, Probe] = {}
    for probe in one_of_each_form(gates.probes(gates.samples(options.mnemonics, newest))):
        for candidate in candidates(probe, words):
            found.setdefault(candidate.opcode, candidate)
    taken = accepted(list(found.values()), options.target, newest)
    since = version_number(options.since) if options.since else 0
    for opcode, first in first_versions(taken, options.target, newest).items():
        if first >= since:
            print(f"{version_text(first)} {opcode}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
