"""Checks the passes on random litmus programs: no pass and no PTX may add an outcome.

    python -m dev.litmus_campaign [--first SEED] [--programs N] [--seconds S]

Programs that are too large to enumerate are not counted. The exit status is 1 if an outcome was added.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import count

from nvvm_xdsl.lab.memory_model.pass_campaign import PASSES, Counts, check_program

REPORT = 500
"""Number of programs between two reports."""


def main() -> int:
    """Runs the campaign; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--programs", type=int, default=10_000, help="number of checked programs")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time limit")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    counts = Counts()
    last = arguments.first
    for seed in count(arguments.first):
        if counts.programs >= arguments.programs or time.monotonic() > end:
            break
        last = seed
        programs, failures = counts.programs, len(counts.failures)
        check_program(seed, counts)
        for failure in counts.failures[failures:]:
            print(f"seed {failure.seed}: {failure.name} adds {failure.added[0]}", flush=True)
        if counts.programs % REPORT == 0 and counts.programs != programs:
            print(_summary(arguments.first, seed, counts), flush=True)
    print(_summary(arguments.first, last, counts))
    changed = ", ".join(f"{name} {counts.changed[name]}" for name in PASSES)
    print(f"programs that a pass changed: {changed}")
    return int(bool(counts.failures))


def _summary(first: int, last: int, counts: Counts) -> str:
    return (
        f"seeds {first} to {last}: {counts.programs} programs checked, {counts.too_large} too large,"
        f" {len({failure.seed for failure in counts.failures})} with added outcomes"
    )


if __name__ == "__main__":
    sys.exit(main())
