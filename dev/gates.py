"""Compares the targets of each instruction of the tables with those that ptxas accepts.

    python -m dev.gates [--targets sm_90,sm_100f] [--output FILE] [MNEMONIC ...]

Each modifier of each form of a row is tested by one instruction in a separate kernel; ptxas reports
the lines that a target does not support. The differences, and a digest of the tables, are kept in
`instruction_gates.json` beside this file, by the version of ptxas: instructions that the tables permit
on a target and ptxas does not (`too many`), and those that only ptxas permits (`too few`), by target.
The tables follow the newest version. The exit status is 1 if there is a difference.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dev.instruction_samples import Sample, all_samples, module_of
from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.nvptx.target import Target, known_targets, version_text
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError

KEPT: Final = Path(__file__).with_name("instruction_gates.json")

OLDEST: Final = 75
"""The oldest GPU that ptxas 13 supports."""

_ERROR = re.compile(r"line (\d+); (?:error|fatal)")


@dataclass(frozen=True)
class Probe:
    """An instruction as text.

    Arguments:
        sample: the instruction.
        kernel: the lines of a kernel that holds it.
        opcode: its opcode; by default that of the sample.
    """

    sample: Sample
    kernel: list[str]
    opcode: str = ""


def ptxas_release() -> tuple[str, int]:
    """The version of ptxas, and the newest PTX version that it reads, times ten.

    Raises DiagnosticError if ptxas is missing or its PTX version is unknown.
    """
    ptxas = find_ptxas()
    if ptxas is None:
        raise DiagnosticError("ptxas was not found")
    found = release_of(ptxas)
    if found is None:
        raise DiagnosticError("the newest PTX version of this ptxas is not known")
    return found.text, found.newest_ptx


def samples(mnemonics: Sequence[str], newest: int) -> list[Sample]:
    """The instructions to test: those of some mnemonics, or all, up to a PTX version."""
    found: dict[tuple[str, tuple[object, ...]], Sample] = {}
    for sample in all_samples(mnemonics or ROWS):
        if sample.requirement.ptx <= newest:
            found.setdefault((sample.opcode, sample.slots), sample)
    return list(found.values())


def digest(tested: Iterable[Sample]) -> str:
    """A digest of the instructions and of the targets that the tables state for them."""
    found = hashlib.sha256()
    for sample in tested:
        needed = sample.requirement
        stated = needed.ptx, needed.sm, sorted(needed.exact), needed.until
        found.update(repr((sample.opcode, sample.slots, stated)).encode())
    return found.hexdigest()


def probes(tested: Iterable[Sample]) -> list[Probe]:
    """A kernel for each instruction."""
    found: list[Probe] = []
    for number, sample in enumerate(tested):
        text = print_ptx(convert(module_of([sample], sample.target.name, sample.ptx)))
        _, entry, kernel = text.partition(".visible .entry ")
        body = kernel.partition("(")[2]
        found.append(Probe(sample, f"{entry}k{number}({body}".splitlines()))
    return found


def refused(
    found: Sequence[Probe], target: str, version: int, *, parse_only: bool = False
) -> set[int] | None:
    """The instructions that ptxas rejects for a target; None if it does not support the target.

    Arguments:
        parse_only: whether no code is generated, which is faster and finds fewer errors.
    """
    lines = [f".version {version_text(version)}", f".target {target}", ".address_size 64"]
    starts: list[int] = []
    for probe in found:
        starts.append(len(lines) + 1)
        lines += probe.kernel
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "k.ptx")
        source.write_text("\n".join(lines) + "\n")
        command = [
            str(find_ptxas()),
            "-c",
            "-O0",
            f"-arch={target.replace('sm_', 'compute_') if parse_only else target}",
            str(source),
            "-o",
            f"{folder}/k",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if "gpu-name" in said:
        return None
    lines_refused = _ERROR.findall(said)
    if done.returncode and not lines_refused:
        raise DiagnosticError(f"ptxas failed without an error of a line: {said.strip()}")
    return {bisect_right(starts, int(line)) - 1 for line in lines_refused}


def compare(
    found: Sequence[Probe], targets: Iterable[str], version: int
) -> dict[str, dict[str, list[str]]]:
    """By target, the opcodes that only the tables or only ptxas permit."""
    result: dict[str, dict[str, list[str]]] = {}
    for name in targets:
        without = refused(found, name, version)
        if without is None:
            continue
        target = Target.parse(name)
        differing: dict[str, set[str]] = {"too many": set(), "too few": set()}
        for number, probe in enumerate(found):
            needed = probe.sample.requirement
            stated = target.supports(needed) and not needed.is_taken_back(version)
            if stated is (number in without):
                differing["too many" if stated else "too few"].add(probe.sample.opcode)
        result[name] = {kind: sorted(opcodes) for kind, opcodes in differing.items()}
    return result


def each(found: Mapping[str, Mapping[str, list[str]]]) -> Iterator[tuple[str, str, str]]:
    """Target, kind and opcode of all differences of `compare`."""
    for target, kinds in found.items():
        for kind, opcodes in kinds.items():
            for opcode in opcodes:
                yield target, kind, opcode


def main(arguments: Sequence[str] | None = None) -> int:
    """Probes the requested rows; returns the exit status, 1 if there is a difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("mnemonics", nargs="*", metavar="MNEMONIC", help="rows; all when left out")
    parser.add_argument("--targets", default="", help="sm_90,sm_100a ...; all when left out")
    parser.add_argument(
        "--output",
        type=Path,
        help="where the result is kept, as JSON, with those of other versions",
    )
    options = parser.parse_args(arguments)
    release, newest = ptxas_release()
    targets = options.targets.split(",") if options.targets else [
        name for name in known_targets() if Target.parse(name).sm >= OLDEST
    ]  # fmt: skip
    tested = samples(options.mnemonics, newest)
    result = compare(probes(tested), targets, newest)
    kept: dict[str, object] = {}
    if options.output is not None and options.output.exists():
        kept = json.loads(options.output.read_text())
    kept[release] = {
        "instructions": len(tested),
        "digest": digest(tested),
        "targets": result,
    }
    text = json.dumps(kept, indent=1)
    if options.output is not None:
        options.output.write_text(text + "\n")
    else:
        print(text)
    differing = list(each(result))
    for target, kind, opcode in differing:
        print(f"{target}: the tables say {kind}: {opcode}", file=sys.stderr)
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
