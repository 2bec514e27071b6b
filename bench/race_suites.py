"""Compares `nvvm-verify-races` with the labels of GPUVerify's and Indigo's CUDA suites.

    python bench/race_suites.py gpuverify/testsuite/CUDA [--only PART] [--timeout SECONDS]
    python bench/race_suites.py --indigo indigo/indigo_sources

The suite is read from the folder of a checkout of https://github.com/mc-imperial/gpuverify. The first line of
each kernel states the expected result, the second the launch. GPUVerify's annotations become assumptions
(`__requires`, `__assume`) or nothing. Labels about other properties than races and barriers are counted apart.

Indigo's kernels are read from a checkout of https://github.com/JohnJacobsonIII/HiRace-Artifact-SC24, which contains
them as .cu files. The labels are those of HiRace's evaluation: a kernel with `Bug` in its name is racy, and kernels
with `boundsBug`, an access out of bounds, are left out. The part of a file before its serial code is verified,
for blocks of whole warps if the file checks this.

Kernels of other suites are verified with `--labels CSV`, whose lines are FILE,0 (race-free) or FILE,1 (racy).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from math import prod
from pathlib import Path

from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.driver.compile import complete, parse
from nvvm_xdsl.driver.cuda import HEADERS
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.lab.races.confirm import Confirmation
from nvvm_xdsl.lab.races.launches import MOST_THREADS, Launches
from nvvm_xdsl.lab.races.operations import Rules
from nvvm_xdsl.lab.races.preparation import prepare
from nvvm_xdsl.lab.races.verify import Options, verify_kernel
from nvvm_xdsl.pipeline.compile_options import CompileOptions

ANNOTATIONS = """
#define __assume(e) do { bool holds = (e); __builtin_assume(holds); } while (0)
#define __requires(e) __assume(e)
#define __global_requires(e) __assume(e)
#define __assert(e) ((void)0)
#define __global_assert(e) ((void)0)
#define __ensures(e) ((void)0)
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __requires_fresh_array(e) ((void)0)
#define __axiom(e) static_assert(true)
#define __barrier_invariant(...) ((void)0)
namespace cooperative_groups {
struct thread_block {};
__device__ inline thread_block this_thread_block() { return {}; }
__device__ inline void synchronize(thread_block) { __syncthreads(); }
struct grid_group { __device__ void sync() const; };
__device__ inline grid_group this_grid() { return {}; }
__device__ inline void synchronize(grid_group grid) { grid.sync(); }
}
#define __implies(a, b) (!(a) || (b))
#define __enabled() true
#define __uniform_bool(e) true
#define __uniform_int(e) true
#define __distinct_int(e) true
#define __ptr_offset_bytes(e) 0
#define __read_implies(...) true
#define __write_implies(...) true
#define __return_val_int() 0
typedef unsigned int uint;
enum { cudaReadModeElementType };
template <class T, int D = 1, int M = 0>
struct __attribute__((device_builtin_texture_type)) texture {};
template <class T, int M> __device__ T tex1Dfetch(texture<T, 1, M>, int);
struct curandState { unsigned int d; };
__device__ inline unsigned int curand(curandState *s) { return s->d = s->d * 5 + 1; }
__device__ inline float curand_uniform(curandState *s) { return curand(s); }
__device__ inline void curand_init(uint seed, uint sequence, uint offset, curandState *s) {
  s->d = seed;
  s->d = s->d + sequence + offset;
}
struct curandStateMtgp32_t { unsigned int words[256]; };
__device__ inline unsigned int curand(curandStateMtgp32_t *s) {
  unsigned int *word = &s->words[threadIdx.x % 256];
  return *word = *word * 5 + 1;
}
"""
"""GPUVerify's annotations and the parts of CUDA that the suite uses and the minimal headers lack. A
texture is read-only memory. A call of cuRAND reads and writes the state. Up to 256 threads of a block
may share a state for MTGP32 (cuRAND Guide, "Bit Generation with the MTGP32 generator").
"""

OTHER = {
    "assert": "an assertion fails",
    "null": "a null pointer is accessed",
    "constant memory": "constant memory is written",
    "invariant might": "a loop invariant is wrong",
    "0-sized": "an array has no elements",
    "--warp-sync": "the label assumes that the threads of a warp run in lockstep",
    "--loop-unwind": "all threads store equal values, which GPUVerify abstracts from",
    "--only-divergence": "only barriers are checked",
    "axiom": "the label depends on an axiom about positions",
}
"""Properties other than races, by a part of the text of a kernel."""


def other_property(name: str, text: str, label: str) -> str | None:
    """The property that the label is about, if it is no race and no divergent barrier."""
    if "NOT_ALL_VERIFIED" not in label.upper() and "PASS" not in label.upper():
        return "the file is expected not to compile with GPUVerify"
    if "value_in_assert" in name:
        return OTHER["assert"]
    head = "\n".join(line for line in text.splitlines()[:8] if line.startswith("//"))
    fails = "pass" not in label.lower()
    for part, reason in OTHER.items():
        if part.startswith("--"):
            if part in head:
                return reason
        elif part == "axiom":
            if "__axiom" in text:
                return reason
        elif fails and (part in head or (part == "assert" and re.search(r"__assert\(false", text))):
            return reason
    return None


def sizes(text: str, name: str) -> tuple[int, ...] | None:
    """The numbers of `--blockDim=[8,8]`."""
    found = re.search(rf"--{name}=\[?([\d,]+)", text)
    return tuple(map(int, found[1].split(","))) if found else None


def verify(path: Path, options: Options, defines: tuple[str, ...]) -> tuple[str, str]:
    """The verdict for all kernels of a file, and its reason."""
    with tempfile.TemporaryDirectory() as folder:
        header = Path(folder, "annotations.h")
        header.write_text(ANNOTATIONS)
        Path(folder, "indigo_cuda.h").write_text("")
        own = ("-nocudainc", "-include", str(HEADERS / "cuda_min.h"), "-isystem", str(HEADERS))
        flags = (*own, "-Wno-everything", "-include", str(header))
        flags += (f"-I{folder}", f"-I{path.parent}", *defines)
        cuda = CompileOptions(clang_flags=flags)
        device = Path(folder, "kernel.cu")
        device.write_text(re.split(r"(?m)^\s*void serial_code\(", path.read_text())[0])
        module = parse(device.read_bytes(), filename=str(device), locations=True, cuda=cuda)
    complete(module)
    whole_program = prepare(module)
    verdicts: list[str] = []
    reasons: list[str] = []
    for kernel in module.body.block.ops:
        if kernel.name != "llvm.func" or not is_kernel(kernel):
            continue
        own = replace(options, whole_program=symbol_name(kernel) in whole_program)
        result = verify_kernel(module, kernel, own, Confirmation(module, kernel))
        verdicts.append(result.verdict)
        line = place_of(result.place).line if result.place else 0
        reasons.append(f"{result.reason} (line {line})" if result.reason else "")
    for verdict in ("race", "divergence", "unknown", "proved"):
        if verdict in verdicts:
            return verdict, "; ".join(filter(None, reasons))
    return "unknown", "no kernel"


WHOLE_WARPS = ("blockDim.x % 32 == 0",)
"""The condition that the host code of some kernels of Indigo checks."""

PASSES, RACY = "//pass", "//NOT_ALL_VERIFIED"
"""GPUVerify's labels."""


def files(folder: Path, pattern: str) -> list[Path]:
    """The files of a suite in the order of their names."""
    return sorted(folder.rglob(pattern))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labels", type=Path, help="a table of files and labels")
    parser.add_argument("--indigo", action="store_true", help="take the labels from file names")
    parser.add_argument("--only", default="", help="a part of the names of the files")
    parser.add_argument("--sample", type=int, help="number of kernels, chosen at random")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for a kernel")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    has_comments = not arguments.indigo and arguments.labels is None
    if arguments.indigo:
        kernels = files(arguments.folder, "*.cu")
        chosen = [p for p in kernels if "boundsBug" not in p.stem]
        print(f"{len(kernels) - len(chosen)} kernels with an access out of bounds are left out")
        labels = [(p, RACY if "Bug" in p.stem else PASSES) for p in chosen]
    elif arguments.labels is None:
        labels = [(p, p.read_text().splitlines()[0]) for p in files(arguments.folder, "kernel.cu")]
    else:
        rows = [line.rpartition(",") for line in arguments.labels.read_text().splitlines() if line]
        labels = [(arguments.folder / name, PASSES if n == "0" else RACY) for name, _, n in rows]
    if arguments.sample is not None:
        labels = random.Random(0).sample(labels, arguments.sample)
    for path, label in labels:
        name = str(path.relative_to(arguments.folder))
        if arguments.only not in name:
            continue
        text = path.read_text()
        launch = text.splitlines()[1] if has_comments else ""
        block, grid = sizes(launch, "blockDim"), sizes(launch, "gridDim")
        if block is not None and prod(block) > MOST_THREADS:
            block = (
                MOST_THREADS,
            )  # Blocks of 2048 threads or of 64 by 64 by 64 cannot be launched.
        options = Options(
            Rules(no_alias=True, pure_externals=True),
            Launches(block, grid, WHOLE_WARPS if "partial warps not supported" in text else ()),
            no_wrap=not has_comments,
            same_value=True,
            seconds=arguments.timeout,
        )
        defines = tuple(re.findall(r"-D\S+", launch))
        start = time.monotonic()
        try:
            verdict, reason = verify(path, options, defines)
        except DiagnosticError as error:
            verdict, reason = "unknown", "not translated: " + str(error).splitlines()[0][:90]
        passes = "pass" in label.lower()
        other = other_property(name, text, label) if has_comments else None
        if other is not None:
            outcome = "other property"
            reason = f"{other}; {reason}"
        elif verdict == "unknown":
            outcome = "unknown"
        else:
            outcome = "correct" if passes == (verdict == "proved") else "wrong"
            if outcome == "wrong" and not passes:
                outcome = "MISSED"
        counts[outcome] += 1
        seconds = time.monotonic() - start
        print(
            f"{outcome:15} {label[2:14]:12} {verdict:10} {seconds:5.1f} s  {name}  {reason}",
            flush=True,
        )
    total = sum(counts.values()) - counts["other property"]
    print(f"{total} kernels about races: " + ", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["MISSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
