"""Many random kernels through pipelines and selection."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.testing.behaviour import (
    ALL_CHECKS,
    MACHINE_ARCH,
    Comparison,
    InvalidKernelError,
    baseline,
)
from nvvm_xdsl.testing.compiler_comparison import candidates, source_program
from nvvm_xdsl.testing.compiler_comparison import compare as compare_compilers
from nvvm_xdsl.testing.launches import Launch
from nvvm_xdsl.testing.random_kernels import random_kernel_text, random_launches
from nvvm_xdsl.testing.random_kernels.programs import (
    program_functions,
    random_program_launches,
    random_program_text,
)

PRINTERS = frozenset({"print-module"})
"""Passes that do nothing but print."""


def ir_passes() -> list[str]:
    """The registered passes that change IR. Each run of machine code goes through all that are over it."""
    return [
        name
        for name, place in PASSES.items()
        if name not in PRINTERS and not place.startswith("machine.")
    ]


@dataclass(frozen=True)
class Options:
    """What to try.

    Arguments:
        pipelines: their texts; the empty one is selection alone.
        ir_pipelines: more of them, whose results are run as IR only.
        size: roughly how many instructions a kernel has.
        grid: blocks of the launch.
        machine: run machine code too.
        arch: to select for.
        checks: as of `launch`.
        assemble: give the PTX to ptxas too.
        rotate: each seed goes through one of the pipelines, in turn, and not through all.
        against: other compilers, whose code is run as well; pipelines do not matter then.
        programs: programs of many functions, launched in a row, in place of kernels.
    """

    pipelines: Sequence[str] = ("",)
    ir_pipelines: Sequence[str] = ()
    size: int = 60
    grid: int = 1
    machine: bool = True
    arch: str = MACHINE_ARCH
    checks: Sequence[str] = ALL_CHECKS
    assemble: bool = False
    rotate: bool = False
    against: Sequence[str] = ()
    programs: bool = False

    def text(self, seed: int) -> str:
        """The LLVM assembly of a seed."""
        if self.programs:
            return random_program_text(seed, program_functions(seed))
        return random_kernel_text(seed, self.size)

    def launches(self, seed: int) -> list[Launch]:
        """The launches of a seed."""
        return random_program_launches(seed) if self.programs else random_launches(seed, self.grid)

    def tries(self, seed: int) -> list[tuple[str, bool]]:
        """The pipelines that a seed goes through, and whether machine code is run after them."""
        chosen = self.pipelines
        if self.rotate:
            chosen = [chosen[seed % len(chosen)]]
        return [(p, self.machine) for p in chosen] + [(p, False) for p in self.ir_pipelines]


@dataclass(frozen=True)
class Finding:
    """A seed that shows a fault."""

    seed: int
    pipeline: str
    kind: str
    """`difference`, `error` (a pass or selection refused the kernel), `crash` or `invalid`; of another
    compiler `refused`, which is no fault of ours."""
    what: str
    module_text: str

    def reproducer(self, options: Options) -> str:
        """The module with the command that makes it again."""
        how = f"--arch {options.arch} --pipeline '{self.pipeline}'"
        if options.against:
            how = f"--arch {options.arch} --against {','.join(options.against)}"
        if options.programs:
            how += " --programs"
        if not options.machine:
            how += " --no-machine"
        if options.assemble:
            how += " --ptxas"
        again = f"nvvm-fuzz --seed {self.seed} --count 1 --size {options.size} {how}"
        test = f"nvvm-fuzz --seed {self.seed} --file {{}} {how}"
        reduce = f'nvvm-reduce FILE --match ": {self.kind}:" --test "{test}"'
        lines = [again, reduce, f"{self.kind}:", *self.what.splitlines()]
        comment = ";" if options.against else "//"
        return "".join(f"{comment} {line}\n" for line in lines) + self.module_text


def try_seed(seed: int, options: Options, given: ModuleOp | None = None) -> Iterator[Finding]:
    """What goes wrong with the kernel of a seed, or with what has become of it."""
    module = read_ll(options.text(seed), f"<seed {seed}>") if given is None else given
    try:
        comparison = Comparison(
            module,
            options.launches(seed),
            options.checks,
            options.arch,
            options.assemble,
            in_a_row=options.programs,
        )
    except InvalidKernelError as error:
        yield Finding(seed, "", "invalid", str(error), ir_text(module))
        return
    for pipeline, machine in options.tries(seed):
        kind, what = "", ""
        try:
            found = comparison.difference(pipeline, machine=machine)
            if found is not None:
                kind, what = "difference", str(found)
        except DiagnosticError as error:
            kind, what = "error", error.message
        except Exception as error:
            lines = traceback.format_exception(error, limit=-3)
            kind, what = "crash", "".join(lines)
        if kind:
            yield Finding(seed, pipeline, kind, what, ir_text(module))


OURS_AGAINST_OTHERS = ("ours-O0", "ours-O3")
"""The levels that are compared with other compilers."""


def try_against(seed: int, options: Options, given: str | None = None) -> Iterator[Finding]:
    """Where our code of a seed's kernel, or of given LLVM assembly, does not do what others' does."""
    text = options.text(seed) if given is None else given
    # Others drop a kernel that may be dropped where nothing uses it.
    text = text.replace("define linkonce_odr ptx_kernel", "define ptx_kernel")
    launches = options.launches(seed)
    try:
        module = parse(text)
        baseline(module, launches, options.checks, in_a_row=options.programs)
    except InvalidKernelError as error:
        yield Finding(seed, "", "invalid", str(error), text)
        return
    source = source_program(text)
    names = [*OURS_AGAINST_OTHERS, *options.against]
    found = candidates(text, names, source, options.arch)
    result = compare_compilers(found, launches, in_a_row=options.programs, source=module)
    for name, why in result.refused.items():
        kind = "error" if name in OURS_AGAINST_OTHERS else "refused"
        yield Finding(seed, name, kind, why, text)
    for name, why in result.failures.items():
        yield Finding(seed, name, "difference", f"{name}: {why}", text)
    for disagreement in result.disagreements:
        yield Finding(seed, "", "difference", str(disagreement), text)


def findings_of(seed: int, options: Options) -> list[Finding]:
    """What goes wrong with a seed; any process can be asked."""
    with paused_collector():
        return list(try_against(seed, options) if options.against else try_seed(seed, options))


def fuzz(seeds: Iterable[int], options: Options) -> Iterator[Finding]:
    """Tries seeds one after the other."""
    for seed in seeds:
        yield from findings_of(seed, options)
