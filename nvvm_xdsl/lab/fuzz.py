"""Fuzzing with random kernels through pipelines and selection."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.behaviour import (
    ALL_CHECKS,
    MACHINE_ARCH,
    Comparison,
    InvalidKernelError,
    NotComparableError,
    baseline,
)
from nvvm_xdsl.lab.compiler_comparison import candidates, gpu_candidates, source_program
from nvvm_xdsl.lab.compiler_comparison import compare as compare_compilers
from nvvm_xdsl.lab.compilers.host import HOST, INDEPENDENT_THREADS
from nvvm_xdsl.lab.corpus_mutations import launches_of, mutant
from nvvm_xdsl.lab.gpu.client import NAME as GPU
from nvvm_xdsl.lab.gpu.device import DRIVER_LEVEL
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.random_kernels import random_kernel, random_kernel_text, random_launches
from nvvm_xdsl.lab.random_kernels.programs import (
    program_functions,
    random_program,
    random_program_launches,
    random_program_text,
)
from nvvm_xdsl.lab.random_kernels.shapes import SWARM
from nvvm_xdsl.lab.time_limit import TimeLimitError, innermost, time_limit
from nvvm_xdsl.lab.verified_runs import InvalidIRError
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.pipeline.instrumentation import ir_text

SECONDS = 10.0
"""Limit of processor time per seed in seconds."""

PRINTERS = frozenset({"print-module"})
"""Passes that only print."""


def ir_passes() -> list[str]:
    """The registered passes that change IR. Machine passes are tested by each run of machine
    code."""
    return [
        name
        for name, place in PASSES.items()
        if name not in PRINTERS and not place.startswith("machine.")
    ]


_ASSUMING = frozenset(
    {
        "assume-global",
        "ignore-address-space-check",
        "ignore-call-safety",
        "ignore-variance-cond",
        "internalize",
        "strict",
        "unified",
        "whole-program-visibility",
    }
)
"""Options whose assumptions random kernels violate."""

_TALKING = re.compile(r"dump|print|view|warnings|shown|verbosity")
"""Options that only print."""


def pass_variants() -> list[str]:
    """IR passes, each with one Boolean option changed from its default."""
    found: list[str] = []
    for name in ir_passes():
        cls = pass_class(name)
        defaults = {field.name.replace("_", "-"): field.default for field in fields(cls)}
        for option in sorted(cls.flags()):
            if option in _ASSUMING or _TALKING.search(option) or defaults[option] is None:
                continue
            found.append(f"{name}<{'no-' if defaults[option] else ''}{option}>")
    return found


OTHERS_FAULTS = "float-remainder=0,print=0"
"""Shapes whose results are wrong in other compilers: `frem` of infinity is not NaN in LLVM 22 and
libNVVM, and libNVVM 13.5 passes the arguments of `printf` by a local instead of a generic address.
"""

LLC_FAULTS = "variadic=0,last-loop=0,dynamic-shared=0"
"""Shapes that LLVM 22 miscompiles: it loads variable arguments from generic addresses with local
loads, removes stores before a call that may execute `exit`, and assumes that arrays of dynamic
shared memory do not overlap."""

_TO_HALF = re.compile(
    r"(?m)^( *)(%\S+) = ([su]itofp(?: nneg)?) (i(?:1[6-9]|[2-9]\d|\d{3})) (\S+) to half(, !dbg !\d+)?$"
)


def _without_infinite_halves(text: str) -> str:
    """The kernel with integers of at least 16 bits masked before their conversion to `half`.

    LLVM 22 and libNVVM replace `fpext (uitofp x to half)` by a conversion to the wider type if `x` has
    few significant bits, although the `half` may be infinite.
    """
    return _TO_HALF.sub(r"\1\2.fits = and \4 \5, 32767\n\1\2 = \3 \4 \2.fits to half\6", text)


@dataclass(frozen=True)
class Options:
    """The options of a fuzzing run.

    Arguments:
        pipelines: texts of pipelines; the empty one is selection only.
        ir_pipelines: additional pipelines whose results are run only as IR.
        size: approximate number of instructions of a kernel.
        grid: number of blocks of the launch.
        machine: also run machine code.
        arch: target architecture of selection.
        checks: the checks of `launch`.
        assemble: also assemble the PTX with ptxas.
        ptxas_levels: optimization levels of ptxas; the code of each seed is run at one of them, in
            turn.
        rotate: test each seed with one of the pipelines, in turn, instead of all.
        against: other compilers whose code is also run, `host`, or `gpu` (our code on the GPU of
            this machine). Pipelines are then ignored.
        programs: generate programs with many functions, launched consecutively, instead of kernels.
        corpus: files and folders of files whose functions are mutated, instead of random kernels.
        shapes: the selection of shapes of the kernels, in the syntax of `parse_shapes`.
        seconds: limit of processor time in seconds for one pipeline and one seed, including the
            runs of its result; 0 for no limit.
    """

    pipelines: Sequence[str] = ("",)
    ir_pipelines: Sequence[str] = ()
    size: int = 60
    grid: int = 1
    machine: bool = True
    arch: str = MACHINE_ARCH
    checks: Sequence[str] = ALL_CHECKS
    assemble: bool = False
    ptxas_levels: Sequence[int] = ()
    rotate: bool = False
    against: Sequence[str] = ()
    programs: bool = False
    corpus: Sequence[str] = ()
    shapes: str = SWARM
    seconds: float = SECONDS

    def text(self, seed: int) -> str:
        """The LLVM assembly of a seed."""
        if self.corpus:
            return write_ll(self.module(seed), for_nvptx=True)
        if self.programs:
            return random_program_text(seed, program_functions(seed))
        shapes = self.shapes
        shares_faults = not {"llc", "libnvvm"}.isdisjoint(self.against)
        if shares_faults:
            shapes += f",{OTHERS_FAULTS}"
        if "llc" in self.against:
            shapes += f",{LLC_FAULTS}"
        if HOST in self.against:
            shapes += f",{INDEPENDENT_THREADS}"
        text = random_kernel_text(seed, self.size, shapes)
        return _without_infinite_halves(text) if shares_faults else text

    def module(self, seed: int) -> ModuleOp:
        """The module of a seed."""
        if self.corpus:
            # A seed without a mutant, or without a defined launch of it, has no launches.
            return mutant(tuple(self.corpus), seed) or ModuleOp([])
        if self.programs:
            return random_program(seed, program_functions(seed))
        return random_kernel(seed, self.size, self.shapes)

    def launches(self, seed: int, module: ModuleOp) -> list[Launch]:
        """The launches of a seed; for a mutated function they depend on the module."""
        if self.corpus:
            return launches_of(module, seed, self.checks)
        return random_program_launches(seed) if self.programs else random_launches(seed, self.grid)

    def ptxas_level(self, seed: int) -> int | None:
        """The level of ptxas at which the code of a seed is run; None if it is not run."""
        levels = self.ptxas_levels
        return levels[seed % len(levels)] if levels else None

    def tries(self, seed: int) -> list[tuple[str, bool]]:
        """The pipelines for a seed, and whether machine code is run after them."""
        chosen = self.pipelines
        if self.rotate:
            chosen = [chosen[seed % len(chosen)]]
        return [(p, self.machine) for p in chosen] + [(p, False) for p in self.ir_pipelines]


@dataclass(frozen=True)
class Finding:
    """A seed that shows an error."""

    seed: int
    pipeline: str
    kind: str
    """`difference`; `verifier`: a pass or selection produced invalid IR; `error`: a pass or
    selection rejected the kernel; `crash`; `timeout`; `invalid`: the original kernel has an error;
    `refused`: another compiler rejected the kernel, or its machine code cannot be run, which is not
    an error of this compiler."""
    what: str
    module_text: str

    def reproducer(self, options: Options) -> str:
        """The module with the command that reproduces the finding."""
        how = f"--arch {options.arch} --pipeline '{self.pipeline}'"
        if options.against:
            how = f"--arch {options.arch} --against {','.join(options.against)}"
        if options.programs:
            how += " --programs"
        how += "".join(f" --corpus {path}" for path in options.corpus)
        if options.shapes != SWARM:
            how += f" --shapes {options.shapes}"
        if not options.machine:
            how += " --no-machine"
        if options.assemble:
            how += " --ptxas"
        if options.ptxas_levels:
            how += " --machine"
        again = f"nvvm-fuzz --seed {self.seed} --count 1 --size {options.size} {how}"
        test = f"nvvm-fuzz --seed {self.seed} --file {{}} {how}"
        reduce = f'nvvm-reduce FILE --match ": {self.kind}:" --test "{test}"'
        lines = [again, reduce, f"{self.kind}:", *self.what.splitlines()]
        comment = ";" if options.against else "//"
        return "".join(f"{comment} {line}\n" for line in lines) + self.module_text


def try_seed(seed: int, options: Options, given: ModuleOp | None = None) -> Iterator[Finding]:
    """Failures of the kernel of a seed, or of its transformed versions."""
    module = options.module(seed) if given is None else given
    try:
        with time_limit(options.seconds):
            launches = options.launches(seed, module)
            if not launches:
                return
            comparison = Comparison(
                module,
                launches,
                options.checks,
                options.arch,
                options.assemble,
                in_a_row=options.programs,
                each_machine_pass=False,
                ptxas_level=options.ptxas_level(seed),
            )
    except InvalidKernelError as error:
        yield Finding(seed, "", "invalid", str(error), ir_text(module))
        return
    except TimeLimitError:
        what = f"the kernel itself runs for more than {options.seconds:g} seconds"
        yield Finding(seed, "", "invalid", what, ir_text(module))
        return
    for pipeline, machine in options.tries(seed):
        kind, what = "", ""
        try:
            with time_limit(options.seconds):
                found = comparison.difference(pipeline, machine=machine)
            if found is not None:
                kind, what = "difference", str(found)
        except InvalidIRError as error:
            kind, what = "verifier", error.message
        except NotComparableError as error:
            kind, what = "refused", str(error)
        except DiagnosticError as error:
            kind, what = "error", error.message
        except TimeLimitError as error:
            place = innermost(error, "nvvm_xdsl")
            passed = innermost(error, "passes") or place
            kind = "timeout"
            what = f"more than {options.seconds:g} seconds of processor time, in {passed} ({place})"
        except Exception as error:
            lines = traceback.format_exception(error, limit=-3)
            kind, what = "crash", "".join(lines)
        if kind:
            yield Finding(seed, pipeline, kind, what, ir_text(module))


OURS_AGAINST_OTHERS = ("ours-O0", "ours-O3")
"""The levels that are compared with other compilers."""


def _compared(seed: int, options: Options) -> list[str]:
    """The compilers whose code is run for a seed; on the GPU one optimization level per seed, in
    turn."""
    if GPU in options.against:
        ours = sorted({f"ours-O{seed % 4}", OURS_AGAINST_OTHERS[-1]})
    else:
        ours = list(OURS_AGAINST_OTHERS)
    return [*ours, *(name for name in options.against if name != GPU)]


def try_against(seed: int, options: Options, given: str | None = None) -> Iterator[Finding]:
    """Differences between our code of a seed's kernel, or of given LLVM assembly, and that of
    others."""
    text = options.text(seed) if given is None else given
    # Other compilers remove unused kernels with discardable linkage.
    text = text.replace("define linkonce_odr ptx_kernel", "define ptx_kernel")
    try:
        module = parse(text)
        launches = options.launches(seed, module)
        if not launches:
            return
        baseline(module, launches, options.checks, in_a_row=options.programs)
    except InvalidKernelError as error:
        yield Finding(seed, "", "invalid", str(error), text)
        return
    source = source_program(text)
    try:
        found = candidates(text, _compared(seed, options), source, options.arch)
    except InvalidIRError as error:
        yield Finding(seed, "", "verifier", error.message, text)
        return
    if GPU in options.against:
        found += gpu_candidates(found, source, seed // 4 % (DRIVER_LEVEL + 1))
    result = compare_compilers(found, launches, in_a_row=options.programs, source=module)
    for name, why in result.refused.items():
        kind = "refused" if name in options.against else "error"
        yield Finding(seed, name, kind, why, text)
    for name, why in result.failures.items():
        yield Finding(seed, name, "difference", f"{name}: {why}", text)
    for disagreement in result.disagreements:
        yield Finding(seed, "", "difference", str(disagreement), text)


def findings_of(seed: int, options: Options) -> list[Finding]:
    """Failures of a seed; can be called in any process."""
    with paused_collector():
        return list(try_against(seed, options) if options.against else try_seed(seed, options))


def fuzz(seeds: Iterable[int], options: Options) -> Iterator[Finding]:
    """Tests seeds one after the other."""
    for seed in seeds:
        yield from findings_of(seed, options)
