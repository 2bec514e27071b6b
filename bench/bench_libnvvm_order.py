"""Compares libNVVM's pass order, run with this project's passes, with -O3.

    python bench/bench_libnvvm_order.py [FILE.ll ...]

libNVVM 13.0 prints its own -O3 pipeline (docs/deviations.md, "What libNVVM 13.0 runs"). This project's passes
run in that order, after reflection and before the same preparation for code generation as in -O3. The table
shows registers, machine instructions and executed machine instructions as geometric means, and the kernels
that differ by more than 2%. Without files, the script uses the unoptimized examples and Numba's kernels of
test/corpus. Needs ptxas and nvdisasm.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench_quality import ROOT, geometric_mean, launches_for
from rich.console import Console
from rich.progress import track

import nvvm_xdsl
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.measure import Measurement, measure
from nvvm_xdsl.simulator import SimulationError, prepare

ARCH = "sm_100a"
TOLD = 0.02

ORDER = """
soften-fp128 printf-lowering globaldce nvvm-reflect nvvm-reflect-pp nvvm-intr-range process-restrict mem2reg simplifycfg
function-attrs instcombine nvvm-pretreat generic-to-nvvm nv-inline-must inline globaldce byval-mem2reg
process-restrict<propagate-only> sroa process-restrict<propagate-only> memory-space-opt<first-time> instcombine
simplifycfg globalopt globaldce ipsccp deadargelim instcombine simplifycfg function-attrs gvn jump-threading simplifycfg
instcombine lower-ops nvvm-reflect nvvm-reflect-pp globaldce inline argpromotion correlated-propagation simplifycfg sroa
process-restrict<propagate-only> branch-dist instcombine tailcallelim simplifycfg reassociate loop-simplify loop-rotate
loop-index-split instcombine simplifycfg loop-simplify licm memory-space-opt<first-time> instcombine
simple-loop-unswitch instcombine loop-simplify indvars loop-idiom loop-deletion loop-unroll<O3> instcombine
loop-unroll<no-partial;no-peeling;no-runtime;O3> simplifycfg memcpyopt sroa process-restrict<propagate-only> instcombine
gvn loop-simplify licm sccp loop-deletion instcombine correlated-propagation dse adce simplifycfg sroa
process-restrict<propagate-only> lower-struct-args<opt-byval> sroa instcombine sinking2 memory-space-opt<first-time>
instcombine ipmsp strip-dead-prototypes globaldce constmerge basic-dbe constmerge propagate-alignment
lower-aggr-copies<lower-aggr-func-args> set-local-array-alignment propagate-alignment instcombine load-store-vectorizer
instcombine simplifycfg<hoist-common-insts;sink-common-insts> div-rem-pairs
"""
"""libNVVM's order without the passes that do not exist here: lower-expect, alignment-from-assumptions,
reuse-local-memory (`stack-coloring` does it). `simplifycfg` hoists and sinks at the end, as in this project's
-O3.
"""

PREPARATION = """
infer-address-spaces process-restrict bypass-slow-division loop-unroll<for-loads> early-cse dce remat
set-global-array-alignment set-local-array-alignment propagate-alignment loop-reduce load-store-vectorizer packed-bytes
globaldce
"""


def pairs_of(path: Path) -> dict[str, tuple[Measurement, Measurement]]:
    """Returns the figures of -O3 and of libNVVM's order by kernel; none if a launch fails with either."""
    text = path.read_text()
    passes = ",".join(f"{ORDER} {PREPARATION}".split())
    ours = compile_here(text, options=CompileOptions(ARCH))
    theirs = compile_here(text, options=CompileOptions(ARCH, passes=passes))
    source = nvvm_xdsl.parse(path)
    library = find_libdevice()
    program = prepare((link_libdevice(source, library) if library else None) or source)
    for launches in launches_for(path):
        try:
            a = measure(ours, ARCH, launches, program)
            b = measure(theirs, ARCH, launches, program)
        except (SimulationError, DiagnosticError, AssemblyError, ValueError):
            continue
        return {name: (a[name], b[name]) for name in a.keys() & b.keys()}
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    console = Console(width=160)
    files = arguments.files or [
        *sorted((ROOT / "examples").glob("*.O0.ll")),
        *sorted((ROOT / "test/corpus/numba").glob("*.cc100.ll")),
    ]
    found: list[tuple[Measurement, Measurement]] = []
    for path in track(files, console=console, transient=True):
        for name, (ours, theirs) in sorted(pairs_of(path).items()):
            found.append((ours, theirs))
            if abs(theirs.machine_warps - ours.machine_warps) > TOLD * ours.machine_warps:
                ratio = theirs.machine_warps / ours.machine_warps
                console.print(f"{path.stem}:{name[:40]}: executed {ratio:.3f}")
    for title, figure in (
        ("registers", lambda m: m.static.registers),
        ("machine instructions", lambda m: m.static.instructions),
        ("executed", lambda m: m.machine_warps),
    ):
        ratios = [figure(b) / figure(a) for a, b in found if figure(a) > 0 and figure(b) > 0]
        console.print(f"{title}: {geometric_mean(ratios):.3f} of {len(ratios)} kernels")


if __name__ == "__main__":
    main()
