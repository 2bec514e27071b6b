"""Counts the calls that remain in kernels after inlining, for each compiler.

    python bench/bench_calls.py [--compilers ours-O3,libnvvm] [FILE.ll ...]

The PTX of each compiler is parsed, and the calls of each kernel and of all functions reachable from it are
counted. Kernels with calls are shown with the number of calls per callee; of the other kernels only the
number is printed. Without files, the script uses examples/ and the kernels of Numba and Triton in
test/corpus, as `bench_quality.py` does.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from bench_quality import inputs

from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.compiler_comparison import ARCH
from nvvm_xdsl.lab.compilers import CompilerError, compiler

_CALLEE = re.compile(r"(?:\([^)]*\)\s*,\s*)?([^\s,]+)")


def calls_of(text: str) -> dict[str, Counter[str]]:
    """Returns for each kernel the calls per callee in it and in reachable functions; `%` is an indirect call."""
    own: dict[str, Counter[str]] = {}
    kernels: list[str] = []
    for op in read_ptx(text, "<ptx>").ops:
        if not isinstance(op, ptx.FuncOp):
            continue
        name = op.text("symbol")
        if "entry" in op.properties:
            kernels.append(name)
        found = own.setdefault(name, Counter())
        for inner in op.walk():
            if isinstance(inner, ptx.InstOp) and inner.text("opcode").split(".")[0] == "call":
                match = _CALLEE.match(inner.text("operands"))
                callee = match[1] if match is not None else "?"
                found["%" if callee.startswith("%") else callee] += 1
    return {kernel: _reached(kernel, own) for kernel in kernels}


def _reached(kernel: str, own: dict[str, Counter[str]]) -> Counter[str]:
    seen, pending = {kernel}, [kernel]
    found: Counter[str] = Counter()
    while pending:
        calls = own.get(pending.pop(), Counter())
        found.update(calls)
        pending += [name for name in calls if name not in seen]
        seen.update(calls)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--compilers", default="ours-O3,libnvvm", metavar="NAME,...")
    parser.add_argument("--arch", default=ARCH)
    arguments = parser.parse_args()
    names: list[str] = arguments.compilers.split(",")
    print(f"| kernel | {' | '.join(names)} |")
    print(f"|---|{'---|' * len(names)}")
    without = total = 0
    for path in arguments.files or inputs():
        found: dict[str, dict[str, Counter[str]]] = {}
        for name in names:
            try:
                found[name] = calls_of(compiler(name).compile(path.read_text(), arguments.arch))
            except CompilerError as error:
                print(f"{path.name}: {name}: {error}", file=sys.stderr)
        for kernel in {kernel: None for one in found.values() for kernel in one}:
            total += 1
            counts = [found.get(name, {}).get(kernel) for name in names]
            if not any(counts):
                without += 1
                continue
            row = [f"{path.stem}:{kernel}", *("-" if c is None else _words(c) for c in counts)]
            print(f"| {' | '.join(row)} |", flush=True)
    print(f"\n{without} of {total} kernels have no calls.")


def _words(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"


if __name__ == "__main__":
    main()
