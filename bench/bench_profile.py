#!/usr/bin/env python3
"""Profiles compilations: the shares of stages, passes and analyses, and the time per instruction.

    bench/bench_profile.py FILE.ll ... [--arch sm_90] [--level 3] [--passes 20] [--json FILE]

Each module is compiled twice in this process; the second compilation is measured in processor time. The time of an analysis does not include
the analyses that it requests; the time of a pass includes its analyses. "No change" is the part of runs that changed nothing. Instructions are those of the
input's function bodies.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.pipeline.instrumentation import Instruments, PassRun, Watcher


class Profile:
    """Processor seconds by stage, pass and analysis.

    Attributes:
        idle: seconds of the runs of each pass that changed nothing.
        runs: the number of runs of each pass, and of those that changed something.
    """

    def __init__(self) -> None:
        self.stages: defaultdict[str, float] = defaultdict(float)
        self.passes: defaultdict[str, float] = defaultdict(float)
        self.idle: defaultdict[str, float] = defaultdict(float)
        self.runs: Counter[str] = Counter()
        self.changing: Counter[str] = Counter()
        self.analyses: defaultdict[str, float] = defaultdict(float)

    def observe(self, run: PassRun) -> None:
        """Counts a run of a pass."""
        name = run.instance.name
        self.passes[name] += run.seconds
        self.runs[name] += 1
        if run.changed:
            self.changing[name] += 1
        else:
            self.idle[name] += run.seconds

    def time_analyses(self) -> None:
        """Counts the time of all analyses from now on."""
        get, analyses, inner = AnalysisManager.get, self.analyses, [0.0]

        def timed(self: AnalysisManager, cls: Any, op: Any) -> Any:
            if self.cached(cls, op) is not None:
                return get(self, cls, op)
            inner.append(0.0)
            start = time.process_time()
            try:
                return get(self, cls, op)
            finally:
                seconds = time.process_time() - start
                analyses[cls.__name__] += seconds - inner.pop()
                inner[-1] += seconds

        AnalysisManager.get = timed


STAGES = {
    "input": "verify, link",
    "optimized": "optimize",
    "selected": "select",
    "machine": "machine passes",
}
"""For each stage that a compilation reports, the work before it."""


def compiled(path: Path, options: CompileOptions, profile: Profile) -> float:
    """The processor seconds of a compilation, which are counted in the profile."""
    # Garbage of earlier modules is not collected meanwhile.
    gc.collect()
    gc.disable()
    clock = time.process_time
    start = last = clock()

    def stop(stage: str) -> None:
        nonlocal last
        now = clock()
        profile.stages[stage] += now - last
        last = now

    watcher = Watcher(
        Instruments(time_passes=True),
        io.StringIO(),
        observer=profile.observe,
        clock=clock,
        at_stage=lambda name, _: stop(STAGES[name]),
    )
    module = driver.parse(path)
    stop("read")
    driver.compile_modules([module], options, watcher=watcher)
    stop("print")
    gc.enable()
    return last - start


def instructions_of(path: Path) -> int:
    """The number of instructions of a module in LLVM assembly."""
    count, inside = 0, False
    for line in path.read_text().splitlines():
        if line.startswith("define"):
            inside = True
        elif line.startswith("}"):
            inside = False
        elif inside and line.startswith("  ") and line.strip():
            count += 1
    return count


def spread(numbers: Sequence[float]) -> tuple[float, float, float]:
    """The median, the 90th percentile and the maximum."""
    if len(numbers) == 1:
        return numbers[0], numbers[0], numbers[0]
    return median(numbers), quantiles(numbers, n=10, method="inclusive")[-1], max(numbers)


def most_common(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    """The entries, the longest first."""
    return sorted(seconds.items(), key=lambda entry: -entry[1])


def show(profile: Profile, rows: dict[str, tuple[int, float]], most: int) -> None:
    """Prints the tables."""
    total = sum(seconds for _, seconds in rows.values())
    per = [seconds / count * 1e3 for count, seconds in rows.values()]
    print("| | median | 90th percentile | maximum | all |")
    print("|---|---|---|---|---|")
    counts = [count for count, _ in rows.values()]
    cells = [f"{number:.0f}" for number in (*spread(counts), sum(counts))]
    print(f"| instructions | {' | '.join(cells)} |")
    cells = [f"{number:.2f}" for number in (*spread([s for _, s in rows.values()]), total)]
    print(f"| processor seconds | {' | '.join(cells)} |")
    cells = [f"{number:.2f}" for number in (*spread(per), total / sum(counts) * 1e3)]
    print(f"| ms an instruction | {' | '.join(cells)} |\n")
    print("| stage | % |\n|---|---|")
    for name, seconds in profile.stages.items():
        print(f"| {name} | {seconds / total * 100:.1f} |")
    print(f"\n| pass | % | of these no change | runs | with a change |\n{'|---' * 5}|")
    for name, seconds in most_common(profile.passes)[:most]:
        idle = profile.idle[name] / total * 100
        runs, changing = profile.runs[name], profile.changing[name]
        print(f"| {name} | {seconds / total * 100:.1f} | {idle:.1f} | {runs} | {changing} |")
    idle = sum(profile.idle.values()) / total * 100
    runs, changing = sum(profile.runs.values()), sum(profile.changing.values())
    passes = sum(profile.passes.values()) / total * 100
    print(f"| all | {passes:.1f} | {idle:.1f} | {runs} | {changing} |")
    print("\n| analysis | % |\n|---|---|")
    for name, seconds in most_common(profile.analyses)[:most]:
        print(f"| {name} | {seconds / total * 100:.1f} |")
    print(f"| all | {sum(profile.analyses.values()) / total * 100:.1f} |")


def main() -> None:
    """Prints the profile of the modules."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("modules", nargs="+", type=Path, metavar="FILE.ll")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--level", type=int, default=3, choices=range(4))
    parser.add_argument("--passes", type=int, default=20, help="listed passes and analyses")
    parser.add_argument("--json", type=Path, help="also write the measurements to this file")
    arguments = parser.parse_args()
    options = CompileOptions(arguments.arch, opt_level=arguments.level, rdc=True)
    profile, warm_up = Profile(), Profile()
    rows: dict[str, tuple[int, float]] = {}
    for path in arguments.modules:
        try:
            compiled(path, options, warm_up)
        except Exception as error:
            print(f"{path.name}: {str(error).splitlines()[0]}", file=sys.stderr)
            arguments.modules = [other for other in arguments.modules if other != path]
    profile.time_analyses()
    for path in arguments.modules:
        if count := instructions_of(path):
            rows[path.name] = count, compiled(path, options, profile)
        else:
            print(f"{path.name}: no instructions", file=sys.stderr)
    show(profile, rows, arguments.passes)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
