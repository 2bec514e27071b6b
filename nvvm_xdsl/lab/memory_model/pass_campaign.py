"""Tests passes on random litmus programs: no pass may add an outcome."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.accessors import defined_name
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.memory_model.llvm_model import LLVM
from nvvm_xdsl.lab.memory_model.module_program import ir_program, ptx_program
from nvvm_xdsl.lab.memory_model.random_litmus import RandomProgram, random_program
from nvvm_xdsl.lab.memory_model.refinement import Allowed, added_outcomes
from nvvm_xdsl.lab.memory_model.search import PTX, Outcome, outcomes
from nvvm_xdsl.lab.memory_model.traces import Thread, TooLargeError
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.pipeline.instrumentation import ir_text

PASSES = (
    "mem2reg", "sroa", "early-cse", "early-cse<memssa>", "gvn", "gvn-hoist", "licm",
    "loop-rotate,licm", "dse", "sink", "memcpyopt", "instcombine", "simplifycfg", "jump-threading",
    "dfa-jump-threading", "load-store-vectorizer", "slp-vectorizer", "loop-vectorize",
    "loop-unroll", "sinking2", "branch-dist", "dead-sync-elim", "basic-dbe", "remat",
    "speculative-execution", "adce", "bdce", "separate-const-offset-from-gep", "globalopt",
    "nvopt<O1;short>", "nvopt<O3>",
)  # fmt: skip
"""Passes that move, remove, merge or introduce accesses and barriers, and whole levels."""

COMBINATIONS = 1_000
"""Maximum number of combinations of traces of a checked program."""

LOOP_BOUND = 8
"""Maximum number of backward branches of a thread, which exceeds the iterations of the generated
loops."""

MACHINE = "PTX"
"""The name of the compilation with all machine passes, whose PTX is compared."""


@dataclass(frozen=True)
class Failure:
    """A program and a pass that adds outcomes to it."""

    seed: int
    name: str
    added: tuple[Outcome, ...]


@dataclass
class Counts:
    """The results of a campaign.

    Attributes:
        programs: number of checked programs. too_large: number of omitted programs.
        changed: programs by the pass that changed them.
    """

    programs: int = 0
    too_large: int = 0
    changed: Counter[str] = field(default_factory=Counter[str])
    failures: list[Failure] = field(default_factory=list[Failure])


def check_program(
    seed: int,
    counts: Counts,
    passes: Sequence[str] = PASSES,
    machine: bool = True,
    run: Callable[[ModuleOp, str], bool] = run_pipeline,
) -> None:
    """Checks each pass on the program of a seed, and the PTX of level 3.

    Arguments:
        run: applies a pipeline to a module; returns whether it changed anything.
    """
    program = random_program(seed)
    original = parse(program.text)
    known_threads: dict[str, Thread] = {}
    try:
        allowed = _outcomes(program, original, _texts(original), known_threads)
        known = {_used(_texts(original.clone()))}
        module = original.clone()
        for name in passes:
            if not run(module, name):
                continue
            counts.changed[name] += 1
            texts = _texts(module)
            used = _used(texts)
            if used not in known:
                known.add(used)
                found = _outcomes(program, module, texts, known_threads, allowed)
                _note(seed, name, allowed, found, counts)
            module = original.clone()
        if machine:
            ptx = read_ptx(compile(program.text, arch="sm_90", opt_level=3))
            threads = ptx_program(ptx, program.places, program.observed, LOOP_BOUND)
            found = outcomes(threads, PTX, COMBINATIONS, Allowed(allowed).allows)
            _note(seed, MACHINE, allowed, found, counts)
    except TooLargeError:
        counts.too_large += 1
        return
    counts.programs += 1


def _outcomes(
    program: RandomProgram,
    module: ModuleOp,
    texts: Mapping[str, str],
    known: dict[str, Thread],
    allowed: Iterable[Outcome] = (),
) -> set[Outcome]:
    """The outcomes of a module, without some of those that are allowed.

    Arguments:
        texts: the texts of its ops by name.
        known: threads by their text, which are not executed again.
    """
    found = ir_program(module, program.places, program.observed, LOOP_BOUND)
    threads = tuple(known.setdefault(texts[thread.name], thread) for thread in found.threads)
    return outcomes(replace(found, threads=threads), LLVM, COMBINATIONS, Allowed(allowed).allows)


def _texts(module: ModuleOp) -> dict[str, str]:
    """The text of each function and variable by its name."""
    return {defined_name(op): ir_text(op) for op in module.body.block.ops}


def _used(texts: Mapping[str, str]) -> tuple[str, ...]:
    """The texts without internal variables that no function uses."""
    functions = "".join(text for text in texts.values() if text.startswith("llvm.func"))
    return tuple(
        text
        for name, text in texts.items()
        if not text.startswith("llvm.mlir.global internal")
        or re.search(rf"@{name}\b", functions) is not None
    )


def _note(seed: int, name: str, allowed: set[Outcome], found: set[Outcome], counts: Counts) -> None:
    added = added_outcomes(allowed, found)
    if added:
        counts.failures.append(Failure(seed, name, tuple(added)))
